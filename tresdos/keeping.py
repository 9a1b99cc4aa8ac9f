"""Flags that decide what becomes of a run: kept in a folder, with rows of single deals, or only written down as a question."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from tresdos.options import together
from tresdos.questions import ROWS


@dataclass(frozen=True)
class Keeping:
    """What the flags say."""

    out: str | None
    force: bool
    hands: str | None
    print_config: bool


out_option = click.option("--out", default=None, metavar="FOLDER", help="keep the run here, to be reported, resumed, repeated")
force_option = click.option("--force", is_flag=True, help="with --out: replace the run that is there")
hands_option = click.option(
    "--hands",
    is_flag=False,
    flag_value=ROWS[0],
    default=None,
    type=click.Choice(ROWS),
    help="with --out: keep a row for every deal too, as Parquet, or CSV with --hands csv",
)
print_option = click.option("--print-config", is_flag=True, help="print the question as a file for tresdos run; play nothing")


def keep_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """These flags; the command gets them as ``keeping``."""

    @together(out_option, force_option, hands_option, print_option)
    @functools.wraps(function)
    def bundled(*args: Any, out: str | None, force: bool, hands: str | None, print_config: bool, **others: Any) -> Any:
        return function(*args, keeping=Keeping(out, force, hands, print_config), **others)

    command: Callable[..., Any] = bundled
    return command
