"""A finished run as reports see it: one shape for all kinds of questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.estimates import Difference, Estimate


class ReportError(ValueError):
    """Something asked for that cannot be reported; the text says what is wrong and what to do."""


@dataclass(frozen=True)
class Measure:
    """What was estimated: ``share`` in [0, 1] is shown in percent, ``fair`` means that equals would have one part in n each."""

    name: str
    help: str
    per_seat: bool
    share: bool
    unit: str
    low_is_good: bool
    fair: bool

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class Rule:
    """A rule in force, values as typed on the command line."""

    name: str
    value: str
    default: str
    help: str
    source: str
    changed: bool


@dataclass(frozen=True)
class Asked:
    """The question of a run in the words of the command line; values of rules as typed."""

    strategy: str | None
    preset: str | None
    unit: str | None
    lineup: tuple[str, ...]
    field: tuple[str, ...]
    candidates: tuple[str, ...]
    measures: tuple[str, ...]
    rules: Mapping[str, str]
    vary: Mapping[str, tuple[str, ...]]
    rotate: bool


@dataclass(frozen=True)
class Variant:
    """An arm of a sweep."""

    label: str
    setting: Mapping[str, str]
    base: bool
    lineup: tuple[str, ...]
    verdict: str


@dataclass(frozen=True)
class Reading:
    """An estimate and whose it is: seats and players counted from 1, None where they do not matter.

    ``players`` is the number at the table; ``difference`` is to the first candidate or the base, ``step`` to the candidate before.
    """

    measure: Measure
    estimate: Estimate
    players: int
    strategy: str = ""
    seat: int | None = None
    player: int | None = None
    variant: Variant | None = None
    difference: Difference | None = None
    step: Difference | None = None


@dataclass(frozen=True)
class Distribution:
    """Counts of ``low``, ``low + 1``, …; the first and last also count what lies beyond them."""

    variant: Variant | None
    measure: Measure
    low: int
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Settling:
    """How an estimate settled: (deals, estimate) after each part of the run."""

    variant: Variant | None
    name: str
    measure: Measure
    points: tuple[tuple[int, Estimate], ...]


@dataclass(frozen=True, eq=False)
class Run:
    """A finished run.

    Attributes
    ----------
    readings : tuple of Reading
        Simulate: each seat, or each player when rotated; compare: each candidate; variants: every measure of every variant.
    chairs : tuple of Reading
        Simulate with rotation: each player in each seat.
    table : tuple of Reading
        Simulate: measures of the table.
    games : int
        Games played, over all arms and rotations.
    charts : tuple of str
        Kinds of charts that the run asks for; empty when it leaves that open.
    """

    folder: Path
    kind: str
    game: str
    game_title: str
    unit: str
    unit_help: str
    deals: int
    games: int
    seed: int
    version: str
    source_digest: str
    question: Asked
    machine: Mapping[str, Any]
    timing: Mapping[str, Any]
    charts: tuple[str, ...]
    measures: Mapping[str, Measure]
    rules: tuple[Rule, ...]
    readings: tuple[Reading, ...]
    lineup: tuple[str, ...] = ()
    rotate: bool = False
    field: tuple[str, ...] = ()
    verdict: str = ""
    variants: tuple[Variant, ...] = ()
    varied: tuple[str, ...] = ()
    chairs: tuple[Reading, ...] = ()
    table: tuple[Reading, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    settling: tuple[Settling, ...] = ()
