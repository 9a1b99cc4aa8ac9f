"""Strategies that installed packages offer through the entry-point group ``tresdos.strategies``.

An entry point leads to a Strategy, to several in a tuple or list, to a module that has some, or to a function that
gives such.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

from sim.errors import UsageError
from sim.strategy import Strategy
from strategies.plugin_files import one_line

GROUP = "tresdos.strategies"


def entry_points() -> list[EntryPoint]:
    """The entry points of installed packages, none of them imported."""
    return sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def distribution(entry: EntryPoint) -> str:
    """The name of the package that an entry point comes from."""
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0].partition(".")[0]


@cache
def offered(entry: EntryPoint) -> tuple[Strategy, ...]:
    """The strategies that an entry point leads to.

    Raises
    ------
    UsageError
        When it cannot be imported or leads to something else; names the package.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            found = entry.load()
            if not isinstance(found, (Strategy, ModuleType)) and callable(found):
                found = found()
    except (Exception, SystemExit) as error:
        raise UsageError(_broken(entry, one_line(error))) from error
    strategies = strategies_in(found) if isinstance(found, ModuleType) else _several(found)
    if not strategies or not all(isinstance(strategy, Strategy) for strategy in strategies):
        raise UsageError(_broken(entry, f"it leads to a {type(found).__name__}, not to a tresdos Strategy or several"))
    return tuple(strategies)


def strategies_in(module: ModuleType) -> list[Strategy]:
    """Every Strategy that a module has by name or in its ``STRATEGIES``, each once."""
    listed = getattr(module, "STRATEGIES", ())
    values = [*vars(module).values(), *(listed if isinstance(listed, Iterable) else ())]
    return list({id(value): value for value in values if isinstance(value, Strategy)}.values())


def _several(found: Any) -> list[Any]:
    if isinstance(found, Strategy) or not isinstance(found, Iterable):
        return [found]
    return list(found)


def _broken(entry: EntryPoint, why: str) -> str:
    return f"package {distribution(entry)}: its entry point '{entry.name} = {entry.value}' is broken: {why}"
