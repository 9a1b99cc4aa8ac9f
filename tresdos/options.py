"""Flags that mean the same in every command, and how they turn into games, rules and line-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from sim.errors import UsageError
from sim.rules import Rules

LARGEST_SEED = 2**63 - 1
LARGEST_DEALS = 10**15


class Count(click.ParamType[int]):
    """A whole number that may be written 1000000, 1_000_000, 1e6 or 1M."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip().lower()
        factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        try:
            number = float(digits) if "e" in digits or "." in digits else int(digits)
            whole = int(number * factor)
            if whole != number * factor:
                raise ValueError
        except (ValueError, OverflowError):
            self.fail(f"'{value}' is not a whole number (as in 1000000, 1e6 or 1M)", param, ctx)
        if not self.low <= whole <= self.high:
            self.fail(f"{value} is out of range; allowed: {self.low} to {self.high}", param, ctx)
        return whole


def deals_option(default: int) -> Callable[[Any], Any]:
    """``--deals``."""
    return click.option(
        "--deals",
        type=Count(1, LARGEST_DEALS),
        default=default,
        show_default=True,
        help="units to play: hands, or matches with --unit match",
    )


seed_option = click.option(
    "--seed", type=Count(0, LARGEST_SEED), default=None, help="number that decides all luck; drawn, shown and stored when not given"
)
players_option = click.option("--players", type=int, default=None, help="players at the table (short for --rule players=N)")
rule_option = click.option(
    "--rule", "rule_texts", multiple=True, metavar="KEY=VALUE", help="change a rule (repeatable); see tresdos games GAME"
)
preset_option = click.option("--preset", default=None, help="a named set of rules")
unit_option = click.option("--unit", default=None, help="what is played and counted as one: hand, match …")
format_option = click.option(
    "--format",
    "style",
    type=click.Choice(["table", "json", "csv", "md"]),
    default="table",
    show_default=True,
    help="how to print the result",
)
jobs_option = click.option("--jobs", type=Count(1, 1024), default=None, help="threads; all processors when not given; changes no result")
scheduler_option = click.option(
    "--scheduler", default=None, metavar="ADDRESS", help="play on a Dask cluster (tcp://host:port), or on local:N worker processes"
)
patience_option = click.option(
    "--patience", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="seconds without progress after which the run ends"
)
quiet_option = click.option("--quiet", is_flag=True, help="no progress and no notes on stderr")


def together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several flags as one decorator, listed in this order."""

    def decorate(function: Any) -> Any:
        for one in reversed(options):
            function = one(function)
        return function

    return decorate


table_options = together(players_option, rule_option, preset_option, unit_option)
run_options = together(seed_option, jobs_option, scheduler_option, patience_option, format_option, quiet_option)


def read_rules(rule_texts: Sequence[str], players: int | None) -> dict[str, Any]:
    """The rules that ``--rule`` and ``--players`` change, as typed.

    Raises
    ------
    UsageError
        For text that is not ``key=value``, twice the same rule, or contradictions.
    """
    changes: dict[str, Any] = {}
    for text in rule_texts:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals:
            raise UsageError(f"--rule '{text}': write a rule as key=value")
        if key in changes:
            raise UsageError(f"--rule {key} is given twice")
        changes[key] = value
    if players is not None:
        if "players" in changes and changes["players"].strip() != str(players):
            raise UsageError(f"--players {players} contradicts --rule players={changes['players']}")
        changes["players"] = players
    return changes


def read_list(text: str | None) -> tuple[str, ...]:
    """Names parted by commas, nothing when not given.

    Raises
    ------
    UsageError
        For an empty entry.
    """
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise UsageError(f"'{text}': an entry is empty; write strategies parted by commas, as in greedy,outs,random")
    return names


def replay_flags(rules: Rules, unit: str, lineup: Sequence[str]) -> list[str]:
    """The flags that bring back these rules and this line-up."""
    from sim.rules import value_text

    flags = [f"--rule {name}={value_text(value)}" for name, value in rules.changed().items()]
    return [*flags, f"--unit {unit}", f"--lineup {','.join(lineup)}"]
