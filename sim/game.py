"""Game: the one contract through which everything above the engines sees any game."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from sim.errors import UsageError
from sim.rules import Rules, nearest

WHOLE = 840
"""A whole win: won shares are integers over 840, so that ties among up to eight split exactly."""


@dataclass(frozen=True)
class Decision:
    """One kind of decision of a game. ``default`` says what happens when a strategy leaves it out."""

    name: str
    help: str
    default: str


@dataclass(frozen=True)
class Column:
    """One integer outcome of a unit: one for the table or one for each seat, in the order in which the engine writes them."""

    name: str
    per_seat: bool = False


@dataclass(frozen=True)
class Measure:
    """Something that can be estimated from the outcome columns.

    Parameters
    ----------
    name, help : str
    column : str
        The column it is the mean of.
    over : str
        For a ratio: the column whose sum divides (turns per finished hand).
    denominator : int
        Integers of the column are over this.
    per_seat : bool
        One value for each seat (or line-up entry) instead of one for the table.
    seat : int, optional
        The one seat whose column is meant (from 0), for a table measure made of a seat's column.
    kind : str
        ``share`` (in [0, 1], shown in percent), ``mean`` (any number).
    histogram : tuple of int, optional
        First and last bin of its distribution, values in units of the column; for columns that are small whole numbers.
    low_is_good : bool
    digits_unit : str
        What a difference of 1 is called in a sentence: ``points`` for shares in percent, ``turns``, ``marbles``.
    fair : bool
        Equal players in equal seats would each have one part in as many as there are players.
    chair : bool
        False for a per-seat measure whose rows are no chairs (turn order from the opener): it cannot follow a player around the table.
    """

    name: str
    help: str
    column: str
    over: str = ""
    denominator: int = 1
    per_seat: bool = False
    seat: int | None = None
    kind: str = "mean"
    histogram: tuple[int, int] | None = None
    low_is_good: bool = False
    digits_unit: str = ""
    fair: bool = False
    chair: bool = True


@dataclass(frozen=True)
class Unit:
    """What is played and counted as one: a hand, a match. The unit is the unit of error."""

    name: str
    help: str
    columns: tuple[Column, ...]
    measures: tuple[Measure, ...]
    match: int = 0  # what the engine is told

    def measure(self, name: str) -> Measure:
        """A measure by name (UsageError with the nearest right one)."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        known = [measure.name for measure in self.measures]
        raise UsageError(f"no measure '{name}' for the unit {self.name}{nearest(name, known)}; measures: {', '.join(known)}")

    def width(self, players: int) -> int:
        """Number of outcome columns."""
        return sum(players if column.per_seat else 1 for column in self.columns)

    def place(self, name: str, players: int) -> int:
        """Index of the first outcome column of that name."""
        at = 0
        for column in self.columns:
            if column.name == name:
                return at
            at += players if column.per_seat else 1
        raise KeyError(name)


@dataclass(frozen=True)
class Event:
    """One event of a traced hand: in words, and as data."""

    text: str
    data: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Game:
    """A game.

    ``module`` is the package that holds it. Its engine, views and narrator are imported only when somebody plays: listing games imports
    no compiler.
    """

    name: str
    title: str
    about: str
    rules: type[Rules]
    decisions: tuple[Decision, ...]
    units: tuple[Unit, ...]
    default_strategy: str
    sources: tuple[str, ...]
    module: str
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def engine(self) -> Any:
        """The engine, made known to the block loop (imports Numba)."""
        from sim import bulk

        module = importlib.import_module(f"{self.module}.engine")
        engine = bulk.Engine(module.introduce, module.begin, module.deal, module.play, module.settle, module.record)
        return bulk.register(self.position_dtype, engine)

    @cached_property
    def view_dtype(self) -> Any:
        """The record dtype of its views."""
        return importlib.import_module(f"{self.module}.view").VIEW

    @cached_property
    def position_dtype(self) -> Any:
        """The record dtype of its positions."""
        return importlib.import_module(f"{self.module}.view").POSITION

    @cached_property
    def knowledge(self) -> ModuleType:
        """What can be known of its positions (imports Numba).

        ``write_view`` and ``determinize`` (kernels), ``zones`` (where every card of a position with a log lies),
        ``expected_sizes`` (how many cards zones must hold, hands above all), ``DEFAULTS`` (the default decisions).
        The conformance suite holds every game to them.
        """
        return importlib.import_module(f"{self.module}.knowledge")

    @cached_property
    def narrator(self) -> ModuleType:
        """The module that tells hands in words: ``narrate``, ``describe_view``, ``describe_answer``."""
        return importlib.import_module(f"{self.module}.narrate")

    def unit(self, name: str | None) -> Unit:
        """A unit by name, the first one when nothing is said (UsageError with the nearest right one)."""
        if name is None:
            return self.units[0]
        for unit in self.units:
            if unit.name == name:
                return unit
        known = [unit.name for unit in self.units]
        raise UsageError(f"{self.name} has no unit '{name}'{nearest(name, known)}; its units are {', '.join(known)}")

    def make_rules(self, changes: Mapping[str, Any] | None = None, preset: str | None = None) -> Rules:
        """Rules from a preset and changes to it."""
        values: dict[str, Any] = {}
        if preset is not None:
            if preset not in self.presets:
                known = list(self.presets)
                has = f"its presets are {', '.join(known)}" if known else "it has none"
                raise UsageError(f"{self.name} has no preset '{preset}'{nearest(preset, known)}; {has}")
            values.update(self.presets[preset])
        values.update(changes or {})
        return self.rules.from_mapping(values)


@cache
def all_games() -> dict[str, Game]:
    """Every game, by name, in alphabetical order: each package under ``sim.games`` that describes one as ``GAME``."""
    import sim.games

    found = {}
    for package in pkgutil.iter_modules(sim.games.__path__, "sim.games."):
        described = getattr(importlib.import_module(package.name), "GAME", None)
        if described is not None:
            found[described.name] = described
    return dict(sorted(found.items()))


def find_game(name: str) -> Game:
    """A game by name (UsageError with the nearest right one)."""
    games = all_games()
    if name not in games:
        raise UsageError(f"no game '{name}'{nearest(name, list(games))}; games: {', '.join(games)}")
    return games[name]
