"""Simulate: play a line-up as seated (or in every rotation) and say what each seat and strategy gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.estimands import Estimand, PlanBuilder, Results
from analysis.estimates import Estimate
from analysis.run import Finished, Settings, estimates_dict, execute, lineup_labels
from analysis.settling import Distribution, Point, details_dict, settle
from sim.arm import Arm
from sim.game import Game, Measure, Unit
from sim.rules import Rules
from sim.strategy import Player


@dataclass(frozen=True)
class Row:
    """Estimates of one chair, one line-up entry, or one entry in one chair (places from 0, None where it does not matter)."""

    seat: int | None
    entry: int | None
    strategy: str
    estimates: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """Places counted from 1, ready for JSON."""
        places = {"seat": self.seat, "player": self.entry}
        found: dict[str, Any] = {name: place + 1 for name, place in places.items() if place is not None}
        return {**found, "strategy": self.strategy, **estimates_dict(self.estimates)}


@dataclass(frozen=True, eq=False)
class Simulation:
    """What a simulation gave.

    Attributes
    ----------
    finished : Finished
    rows : list of Row
        One for each chair; with rotation one for each line-up entry.
    chairs : list of Row
        With rotation: each entry in each chair.
    table : dict of str to Estimate
        Measures of the table.
    distributions : dict of str to Distribution
        Of the measures of the table that are small whole numbers.
    convergence : dict of str to list of Point
        By row: the first measure's estimate after each part of the run.
    """

    finished: Finished
    rows: list[Row]
    chairs: list[Row]
    table: dict[str, Estimate]
    distributions: dict[str, Distribution]
    convergence: dict[str, list[Point]]

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        arm = self.finished.plan.arms[0]
        found: dict[str, Any] = {
            **self.finished.header(),
            "lineup": lineup_labels(arm),
            "rotate": arm.rotate,
            "results": [row.to_dict() for row in self.rows],
            "table": estimates_dict(self.table),
        }
        if self.chairs:
            found["by_seat"] = [row.to_dict() for row in self.chairs]
        found["timing"] = self.finished.timing()
        return found

    def details(self) -> dict[str, Any]:
        """Distributions by measure and convergence by row, ready for JSON."""
        return details_dict(self.distributions, self.convergence)


class SimulationExperiment:
    """A line-up to be played.

    Parameters
    ----------
    game, rules : Game, Rules
    lineup : sequence of Player
        Who sits in seat 1, 2, …
    seed : int
    unit : Unit, optional
        A hand when nothing is said.
    rotate : bool
        Play every deal once for each rotation of the line-up.

    Raises
    ------
    UsageError
        If the line-up does not fit the rules.
    """

    def __init__(
        self, game: Game, rules: Rules, lineup: Sequence[Player], *, seed: int, unit: Unit | None = None, rotate: bool = False
    ) -> None:
        played = unit or game.units[0]
        self.arm = Arm(game, rules, tuple(lineup), rotate)
        builder = PlanBuilder([self.arm], played, seed)
        per_seat = [m for m in played.measures if m.per_seat and (m.chair or not rotate)]
        places = range(self.arm.players)
        self._rows = [_ask(builder, per_seat, None if rotate else i, i if rotate else None) for i in places]
        self._chairs = [(i, s, _ask(builder, per_seat, s, i)) for i in places for s in places] if rotate else []
        self._table = [builder.estimand(0, measure) for measure in played.measures if not measure.per_seat]
        self._histograms = {e.measure.name: h for e in self._table if (h := builder.histogram(e)) is not None}
        self.plan = builder.plan()

    def result(self, finished: Finished) -> Simulation:
        """Read the totals."""
        results = Results(finished.plan, finished.totals)
        rotate = self.arm.rotate
        label = [player.label for player in self.arm.lineup]
        rows = [
            Row(None if rotate else i, i if rotate else None, label[i], _answer(results, wanted)) for i, wanted in enumerate(self._rows)
        ]
        chairs = [Row(s, i, label[i], _answer(results, wanted)) for i, s, wanted in self._chairs]
        distributions = {
            name: Distribution(finished.plan.histograms[h].low, finished.totals.bins[h]) for name, h in self._histograms.items()
        }
        return Simulation(finished, rows, chairs, _answer(results, self._table), distributions, self.convergence(finished))

    def convergence(self, finished: Finished) -> dict[str, list[Point]]:
        """How the first measure of each row settled: its estimate after each segment of the run."""
        found: dict[str, list[Point]] = {}
        for i, wanted in enumerate(self._rows):
            name = f"{'player' if self.arm.rotate else 'seat'} {i + 1} ({self.arm.lineup[i].label})"
            found[name] = settle(finished, wanted[0])
        return found


def simulate(
    game: Game,
    rules: Rules,
    lineup: Sequence[Player],
    *,
    deals: int,
    seed: int,
    unit: Unit | None = None,
    rotate: bool = False,
    settings: Settings | None = None,
) -> Simulation:
    """Play a line-up: ``SimulationExperiment`` and its result in one call. ``deals`` counts units."""
    experiment = SimulationExperiment(game, rules, lineup, seed=seed, unit=unit, rotate=rotate)
    return experiment.result(execute(experiment.plan, deals, settings))


def _ask(builder: PlanBuilder, measures: list[Measure], seat: int | None, entry: int | None) -> list[Estimand]:
    return [builder.estimand(0, measure, seat, entry) for measure in measures]


def _answer(results: Results, estimands: list[Estimand]) -> dict[str, Estimate]:
    return {e.measure.name: results.estimate(e) for e in estimands}
