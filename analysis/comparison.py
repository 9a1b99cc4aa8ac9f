"""Compare: which strategy is better, by how much, how sure. All candidates on the same deals, in the same field, in every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.estimands import PlanBuilder, Results
from analysis.estimates import Difference, Estimate
from analysis.run import Finished, Settings, execute
from analysis.settling import Point, details_dict, settle
from analysis.verdicts import comparison_verdict
from sim.arm import Arm
from sim.errors import UsageError
from sim.game import Game, Measure, Unit
from sim.rules import Rules
from sim.strategy import Player


@dataclass(frozen=True)
class Candidate:
    """One candidate's result: its level, the difference to the first candidate and to the one listed before it."""

    strategy: str
    level: Estimate
    difference: Difference | None
    step: Difference | None


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a comparison gave.

    Attributes
    ----------
    finished : Finished
    measure : Measure
    candidates : list of Candidate
    field : list of str
        Who sat in the other seats.
    verdict : str
        The answer in a sentence.
    convergence : dict of str to list of Point
        By candidate: its level after each part of the run.
    """

    finished: Finished
    measure: Measure
    candidates: list[Candidate]
    field: list[str]
    verdict: str
    convergence: dict[str, list[Point]]

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        arms = self.finished.plan.arms
        return {
            **self.finished.header(),
            "arms": [{"label": arm.label, "lineup": [p.label for p in arm.lineup], "rotate": arm.rotate} for arm in arms],
            "field": self.field,
            "measure": self.measure.name,
            "results": [
                {
                    "strategy": candidate.strategy,
                    self.measure.name: candidate.level.to_dict(),
                    "difference": None if candidate.difference is None else candidate.difference.to_dict(),
                    "step": None if candidate.step is None else candidate.step.to_dict(),
                }
                for candidate in self.candidates
            ],
            "design": {"deals": self.finished.deals, "games": self.finished.games},
            "verdict": self.verdict,
            "timing": self.finished.timing(),
        }

    def details(self) -> dict[str, Any]:
        """Convergence by candidate, ready for JSON."""
        return details_dict({}, self.convergence)


class ComparisonExperiment:
    """Candidates to be compared, each in every seat of the same table on the same deals.

    Parameters
    ----------
    game, rules : Game, Rules
    candidates : sequence of Player
        Two or more.
    field : sequence of Player
        Who sits in the other seats: one for all of them, or one for each.
    seed : int
    unit : Unit, optional
    measure : str, optional
        A per-seat measure; the unit's first when nothing is said.

    Raises
    ------
    UsageError
        If there are fewer than two candidates, the field does not fit, or the measure belongs to the table.
    """

    def __init__(
        self,
        game: Game,
        rules: Rules,
        candidates: Sequence[Player],
        field: Sequence[Player],
        *,
        seed: int,
        unit: Unit | None = None,
        measure: str | None = None,
    ) -> None:
        if len(candidates) < 2:
            raise UsageError("compare needs two or more strategies; simulate plays one")
        played = unit or game.units[0]
        self.measure = played.measures[0] if measure is None else played.measure(measure)
        if not (self.measure.per_seat and self.measure.chair):
            per_seat = ", ".join(m.name for m in played.measures if m.per_seat and m.chair)
            raise UsageError(f"measure {self.measure.name} does not belong to a player; compare takes one of {per_seat}")
        self.field = _field(rules, field)
        arms = [Arm(game, rules, (one, *self.field), rotate=True, label=one.label) for one in candidates]
        builder = PlanBuilder(arms, played, seed)
        self._wanted = [builder.estimand(a, self.measure, entry=0) for a in range(len(arms))]
        builder.together(self._wanted)
        self.plan = builder.plan()

    def result(self, finished: Finished) -> Comparison:
        """Read the totals."""
        results = Results(finished.plan, finished.totals)
        arms = finished.plan.arms
        contrasts = [(i, 0) for i in range(1, len(arms))] + [(i, i - 1) for i in range(2, len(arms))]
        found = dict(zip(contrasts, results.differences(self._wanted, contrasts), strict=True))
        rows = [
            Candidate(arm.label, results.estimate(self._wanted[i]), found.get((i, 0)), found.get((i, i - 1))) for i, arm in enumerate(arms)
        ]
        return Comparison(
            finished,
            self.measure,
            rows,
            [player.label for player in self.field],
            comparison_verdict(self.measure, rows),
            {arm.label: settle(finished, self._wanted[i]) for i, arm in enumerate(arms)},
        )


def compare(
    game: Game,
    rules: Rules,
    candidates: Sequence[Player],
    field: Sequence[Player],
    *,
    deals: int,
    seed: int,
    unit: Unit | None = None,
    measure: str | None = None,
    settings: Settings | None = None,
) -> Comparison:
    """Compare candidates: ``ComparisonExperiment`` and its result in one call. ``deals`` counts units."""
    experiment = ComparisonExperiment(game, rules, candidates, field, seed=seed, unit=unit, measure=measure)
    return experiment.result(execute(experiment.plan, deals, settings))


def _field(rules: Rules, field: Sequence[Player]) -> list[Player]:
    """The players of the other seats."""
    seats = int(rules.players) - 1  # type: ignore[attr-defined]
    if len(field) == 1:
        return list(field) * seats
    if len(field) != seats:
        raise UsageError(f"the field has {len(field)} strategies for {seats} other seats: name one for all of them, or one for each")
    return list(field)
