"""What every result carries: the experiment, how it ran, and the failures that end it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from sim.arm import Arm
from sim.executors import Done, Threads
from sim.plan import Plan, Totals
from sim.runner import PATIENCE, Executor, Outcome, run

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Settings:
    """How to run an experiment: none of it changes a result.

    Parameters
    ----------
    jobs : int, optional
        Threads; all processors when nothing is said.
    progress : function, optional
        Called with (units finished, units asked for).
    patience : float
        Seconds without progress after which the run ends.
    before : Outcome, optional
        What an earlier run of the same experiment has finished.
    keep, checkpoint, start
        As in ``sim.runner.run``.
    """

    jobs: int | None = None
    progress: Progress | None = None
    patience: float = PATIENCE
    before: Outcome | None = None
    keep: Callable[[Done], None] | None = None
    checkpoint: Callable[[Outcome], None] | None = None
    start: Callable[[Plan, int, bool], Executor] = Threads


@dataclass(frozen=True, eq=False)
class Finished:
    """The part of a result that does not depend on the question."""

    plan: Plan
    asked: int
    outcome: Outcome = field(repr=False)

    @cached_property
    def totals(self) -> Totals:
        """Sums over all units counted."""
        return self.outcome.totals

    @property
    def deals(self) -> int:
        """Units played and counted."""
        return self.totals.units

    @property
    def games(self) -> int:
        """Games played for them, over all arms and rotations."""
        return self.deals * self.plan.games_per_unit

    def header(self) -> dict[str, Any]:
        """What every JSON result begins with."""
        return {
            "game": self.plan.game.name,
            "rules": self.plan.arms[0].rules.to_dict(),
            "seed": self.plan.seed,
            "deals": self.deals,
            "unit": self.plan.unit.name,
        }

    def timing(self) -> dict[str, float | int]:
        """Seconds and rates; compile time apart. The only part of a result that differs between machines and job counts."""
        outcome = self.outcome
        hands = self.totals.hands
        return {
            "seconds": outcome.seconds,
            "cpu_seconds": outcome.cpu_seconds,
            "compile_seconds": outcome.compile_seconds,
            "jobs": outcome.jobs,
            "hands": hands,
            "hands_per_second": hands / outcome.seconds if outcome.seconds > 0 else 0.0,
            "hands_per_cpu_second": hands / outcome.cpu_seconds if outcome.cpu_seconds > 0 else 0.0,
        }


class Result(Protocol):
    """What an experiment gives."""

    @property
    def finished(self) -> Finished: ...
    def to_dict(self) -> dict[str, Any]: ...
    def details(self) -> dict[str, Any]: ...


class Experiment(Protocol):
    """A question made ready: what to play, and how to read the totals."""

    @property
    def plan(self) -> Plan: ...
    def result(self, finished: Finished) -> Result: ...


def execute(plan: Plan, deals: int, settings: Settings | None = None) -> Finished:
    """Play a plan."""
    how = settings or Settings()
    outcome = run(
        plan,
        deals,
        jobs=how.jobs,
        before=how.before,
        progress=how.progress,
        patience=how.patience,
        keep=how.keep,
        checkpoint=how.checkpoint,
        start=how.start,
    )
    return Finished(plan, deals, outcome)


def lineup_labels(arm: Arm) -> list[str]:
    """The strategies of a line-up, as typed."""
    return [player.label for player in arm.lineup]


def estimates_dict(estimates: Mapping[str, Any]) -> dict[str, Any]:
    """Estimates by name, ready for JSON."""
    return {name: estimate.to_dict() for name, estimate in estimates.items()}
