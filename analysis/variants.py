"""Variants: what a rule, a number of players or a strategy's parameter changes, with every arm on the same deals."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.estimands import Estimand, PlanBuilder, Results
from analysis.estimates import Difference, Estimate
from analysis.run import Finished, Settings, execute
from analysis.settling import Distribution, Point, details_dict, settle
from analysis.verdicts import variant_verdict
from sim.arm import Arm
from sim.errors import UsageError
from sim.game import Measure, Unit

Setting = Mapping[str, str]
"""What a variant sets, by name as typed: rules, ``players``, or ``strategy:parameter``."""


@dataclass(frozen=True)
class VariantArm:
    """An arm of a sweep: what it sets, and the table that comes of it."""

    setting: Setting
    arm: Arm

    @property
    def label(self) -> str:
        """``reshuffle=keep_top, players=3``."""
        return ", ".join(f"{name}={value}" for name, value in self.setting.items())


@dataclass(frozen=True)
class Reading:
    """One measure in one arm: of the table (``seat`` None) or of a chair, with its difference to the base."""

    measure: Measure
    seat: int | None
    strategy: str
    level: Estimate
    difference: Difference | None


@dataclass(frozen=True)
class VariantRow:
    """What one arm gave."""

    variant: VariantArm
    base: bool
    readings: list[Reading]
    verdict: str
    distributions: dict[str, Distribution]
    convergence: dict[str, list[Point]]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: measures of the table by name, those of seats in ``seats``."""
        found: dict[str, Any] = {
            "variant": dict(self.variant.setting),
            "label": self.variant.label,
            "base": self.base,
            "rules": self.variant.arm.rules.changed(),
            "lineup": [player.label for player in self.variant.arm.lineup],
        }
        differences: dict[str, Any] = {}
        seats: dict[int, dict[str, Any]] = {}
        for reading in self.readings:
            difference = None if reading.difference is None else reading.difference.to_dict()
            if reading.seat is None:
                found[reading.measure.name] = reading.level.to_dict()
                differences[reading.measure.name] = difference
            else:
                row = seats.setdefault(reading.seat, {"seat": reading.seat + 1, "strategy": reading.strategy, "differences": {}})
                row[reading.measure.name] = reading.level.to_dict()
                row["differences"][reading.measure.name] = difference
        found["differences"] = differences
        if seats:
            found["seats"] = list(seats.values())
        found["verdict"] = self.verdict
        return found


@dataclass(frozen=True, eq=False)
class Variants:
    """What a sweep gave.

    Attributes
    ----------
    finished : Finished
    measures : list of Measure
    varied : list of str
        The names that were varied.
    rows : list of VariantRow
        The base first.
    """

    finished: Finished
    measures: list[Measure]
    varied: list[str]
    rows: list[VariantRow]

    @property
    def verdict(self) -> str:
        """The answers, a sentence for each variant."""
        return "; ".join(row.verdict for row in self.rows if row.verdict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            **self.finished.header(),
            "arms": [row.variant.label for row in self.rows],
            "vary": self.varied,
            "measures": [measure.name for measure in self.measures],
            "results": [row.to_dict() for row in self.rows],
            "design": {"deals": self.finished.deals, "games": self.finished.games},
            "verdict": self.verdict,
            "timing": self.finished.timing(),
        }

    def details(self) -> dict[str, Any]:
        """By variant: distributions by measure and convergence by reading, ready for JSON."""
        found: dict[str, Any] = {"distributions": {}, "convergence": {}}
        for row in self.rows:
            for part, mine in details_dict(row.distributions, row.convergence).items():
                found[part][row.variant.label] = mine
        return found


class VariantsExperiment:
    """A sweep to be played.

    Parameters
    ----------
    arms : sequence of VariantArm
        The base first.
    unit : Unit
    measures : sequence of str
        Names; when empty the first measure of a seat and the first of the table.
    seed : int
    """

    def __init__(self, arms: Sequence[VariantArm], unit: Unit, measures: Sequence[str], *, seed: int) -> None:
        self.arms = list(arms)
        self.measures = [unit.measure(name) for name in measures] or _usual(unit)
        builder = PlanBuilder([v.arm for v in self.arms], unit, seed)
        self._wanted = [[e for measure in self.measures for e in _estimands(builder, a, measure)] for a in range(len(self.arms))]
        base = self._wanted[0]
        # Differences are taken between the same measure and seat of two arms, all in one family.
        self._contrasts = [(e, partner) for wanted in self._wanted[1:] for e in wanted if (partner := _partner(e, base)) is not None]
        builder.together([e for wanted in self._wanted for e in wanted])
        self._histograms = {
            (e.arm, e.measure.name): h for wanted in self._wanted for e in wanted if (h := builder.histogram(e)) is not None
        }
        self.plan = builder.plan()

    def result(self, finished: Finished) -> Variants:
        """Read the totals."""
        results = Results(finished.plan, finished.totals)
        every = [e for wanted in self._wanted for e in wanted]
        places = {id(e): i for i, e in enumerate(every)}
        pairs = [(places[id(e)], places[id(partner)]) for e, partner in self._contrasts]
        found = results.differences(every, pairs) if pairs else []
        difference = {id(e): d for (e, _), d in zip(self._contrasts, found, strict=True)}
        rows = []
        for a, variant in enumerate(self.arms):
            readings = [
                Reading(
                    e.measure,
                    e.seat,
                    "" if e.seat is None else variant.arm.lineup[e.seat].label,
                    results.estimate(e),
                    difference.get(id(e)),
                )
                for e in self._wanted[a]
            ]
            distributions = {
                name: Distribution(finished.plan.histograms[h].low, finished.totals.bins[h])
                for (arm, name), h in self._histograms.items()
                if arm == a
            }
            verdict = "" if a == 0 else variant_verdict(variant.label, readings)
            settled = {_reading_name(e): settle(finished, e) for e in self._wanted[a]}
            rows.append(VariantRow(variant, a == 0, readings, verdict, distributions, settled))
        return Variants(finished, self.measures, list(self.arms[0].setting), rows)


def variants(
    arms: Sequence[VariantArm], unit: Unit, measures: Sequence[str], *, deals: int, seed: int, settings: Settings | None = None
) -> Variants:
    """Play a sweep: ``VariantsExperiment`` and its result in one call. ``deals`` counts units."""
    experiment = VariantsExperiment(arms, unit, measures, seed=seed)
    return experiment.result(execute(experiment.plan, deals, settings))


def grid(vary: Mapping[str, Sequence[str]], fixed: Mapping[str, str]) -> list[dict[str, str]]:
    """All combinations of the values, the base first.

    The base takes, for each name varied, the value that the command fixes, or else the first value listed; it is added when it is not
    among the combinations.

    Parameters
    ----------
    vary : mapping of str to sequence of str
    fixed : mapping of str to str
        Values that the command fixes for names that are varied.
    """
    combinations = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
    base = {name: fixed.get(name, values[0]) for name, values in vary.items()}
    return [base, *(one for one in combinations if one != base)]


def read_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """``--vary`` as typed: ``rule=v1,v2``, ``players=2..7``, ``strategy:parameter=v1,v2``.

    Raises
    ------
    UsageError
        For anything else, a name given twice, a value given twice.
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, listed = text.rpartition("=")
        name = name.strip()
        values = [value.strip() for value in listed.split(",")]
        if not equals or not name or not all(values):
            raise UsageError(f"--vary '{text}': write it as rule=v1,v2, players=2..7 or strategy:parameter=v1,v2")
        if name in found:
            raise UsageError(f"--vary {name} is given twice; list all its values in one")
        spread = [one for value in values for one in _span(value)]
        if len(set(spread)) != len(spread):
            raise UsageError(f"--vary '{text}': a value is listed twice")
        found[name] = spread
    return found


def _span(value: str) -> list[str]:
    """``2..7`` as 2, 3, … 7; anything else as it is."""
    low, dots, high = value.partition("..")
    if not dots:
        return [value]
    try:
        first, last = int(low), int(high)
    except ValueError:
        raise UsageError(f"--vary: '{value}' is no range of whole numbers, as in 2..7") from None
    if not first <= last <= first + 1000:
        raise UsageError(f"--vary: the range '{value}' is empty or too long")
    return [str(n) for n in range(first, last + 1)]


def _usual(unit: Unit) -> list[Measure]:
    """The first measure of a seat and the first of the table."""
    seat = [m for m in unit.measures if m.per_seat][:1]
    table = [m for m in unit.measures if not m.per_seat][:1]
    return seat + table


def _estimands(builder: PlanBuilder, a: int, measure: Measure) -> list[Estimand]:
    if not measure.per_seat:
        return [builder.estimand(a, measure)]
    return [builder.estimand(a, measure, seat=seat) for seat in range(builder.arms[a].players)]


def _partner(wanted: Estimand, base: Sequence[Estimand]) -> Estimand | None:
    """The same measure and seat in the base arm."""
    for other in base:
        if other.measure is wanted.measure and other.seat == wanted.seat:
            return other
    return None


def _reading_name(wanted: Estimand) -> str:
    return wanted.measure.name if wanted.seat is None else f"{wanted.measure.name} of seat {wanted.seat + 1}"
