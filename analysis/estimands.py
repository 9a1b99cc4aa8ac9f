"""Estimands: what is estimated from the totals of a plan, with the covariance of any two of them.

Every interval and every difference of an experiment comes from one table: one value per unit, arm and measure. Units are independent,
so the covariance of two estimates is that of their values over units, divided by the number of units; a ratio of two means is
linearised (delta method). Nothing else about dependence needs modelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.comparing import variance_reduction
from analysis.estimates import SMALLEST_INTERVAL_UNITS, Difference, Estimate, mean_estimate, ratio_estimate, share_estimate
from analysis.simultaneous import max_t
from sim.arm import Arm
from sim.game import Measure, Unit
from sim.plan import Histogram, Plan, Totals, Value


@dataclass(frozen=True)
class Estimand:
    """One measure of one arm: of the table, of a chair, of a line-up entry, or of an entry in a chair.

    ``top`` and ``bottom`` are places in the plan's values; ``bottom`` is None unless the measure is a ratio.
    """

    arm: int
    measure: Measure
    seat: int | None
    entry: int | None
    top: int
    bottom: int | None


class PlanBuilder:
    """Collects the values and products that the estimands of an experiment need, each once."""

    def __init__(self, arms: Sequence[Arm], unit: Unit, seed: int) -> None:
        self.arms, self.unit, self.seed = tuple(arms), unit, seed
        self._values: dict[Value, int] = {}
        self._pairs: dict[tuple[int, int], int] = {}
        self._histograms: list[Histogram] = []

    def estimand(self, arm: int, measure: Measure, seat: int | None = None, entry: int | None = None) -> Estimand:
        """Ask for a measure; its own squares (and, for a ratio, products) come with it."""
        chair = measure.seat if measure.seat is not None else seat
        top = self._value(Value(arm, measure.column, chair, entry))
        bottom = None
        if measure.over:
            bottom = self._value(Value(arm, measure.over))
        wanted = Estimand(arm, measure, seat, entry, top, bottom)
        self.together([wanted])
        return wanted

    def together(self, estimands: Iterable[Estimand]) -> None:
        """Ask for the covariances of these estimands among each other."""
        places = sorted({p for e in estimands for p in (e.top, e.bottom) if p is not None})
        for i, left in enumerate(places):
            for right in places[i:]:
                self._pairs.setdefault((left, right), len(self._pairs))

    def histogram(self, estimand: Estimand) -> int | None:
        """Ask for the distribution of a measure that has one; its place among the plan's histograms."""
        span = estimand.measure.histogram
        if span is None or self.arms[estimand.arm].replays > 1:
            return None
        self._histograms.append(Histogram(estimand.top, *span))
        return len(self._histograms) - 1

    def plan(self) -> Plan:
        """The plan."""
        return Plan(self.arms, self.unit, self.seed, tuple(self._values), tuple(self._pairs), tuple(self._histograms))

    def _value(self, value: Value) -> int:
        return self._values.setdefault(value, len(self._values))


class Results:
    """Estimates from the totals of a plan.

    Parameters
    ----------
    plan : Plan
    totals : Totals
    """

    def __init__(self, plan: Plan, totals: Totals) -> None:
        self.plan, self.totals = plan, totals
        self.n = totals.units
        self._products = dict(zip(plan.pairs, totals.products, strict=True))

    def estimate(self, wanted: Estimand) -> Estimate:
        """A level with its pointwise 95 % interval: Wilson for shares, t for means, delta method for ratios."""
        if self.n == 0:
            return Estimate(None, None, None, None)
        measure = wanted.measure
        scale = self._scale(wanted)
        total, square = self.totals.sums[wanted.top], self._product(wanted.top, wanted.top)
        if wanted.bottom is None:
            if measure.kind == "share":
                return share_estimate(self.n, total, square, scale)
            return mean_estimate(self.n, total, square, scale)
        below = wanted.bottom
        return ratio_estimate(
            self.n,
            total,
            self.totals.sums[below],
            square,
            self._product(wanted.top, below),
            self._product(below, below),
            measure.denominator,
        )

    def differences(self, estimands: Sequence[Estimand], contrasts: Sequence[tuple[int, int]]) -> list[Difference]:
        """Differences of estimands, ``contrasts`` = (i, j) for i minus j, with simultaneous 95 % intervals from one max-t."""
        if self.n < 2:
            return [Difference(None, None, None, None, None, None, None) for _ in contrasts]
        k = len(estimands)
        level = np.array([self._value(e) for e in estimands])
        sigma = np.array([[self._covariance(a, b) for b in estimands] for a in estimands]).reshape(k, k)
        matrix = np.zeros((len(contrasts), k))
        for row, (i, j) in enumerate(contrasts):
            matrix[row, i] += 1.0
            matrix[row, j] -= 1.0
        covariance = matrix @ sigma @ matrix.T
        for row, (i, j) in enumerate(contrasts):
            # Arms that play alike give a difference of exactly zero: no rounding may hide that.
            if (sigma[i] == sigma[j]).all() and sigma[i, i] == sigma[i, j]:
                covariance[row, :] = covariance[:, row] = 0.0
        bounds = max_t(matrix @ level, covariance, self.n)
        found = []
        for row, (i, j) in enumerate(contrasts):
            se = float(bounds.se[row])
            few = self.n < SMALLEST_INTERVAL_UNITS
            vrf = variance_reduction(self.game_variance(estimands[i]), self.game_variance(estimands[j]), self._games(estimands[i]), se)
            found.append(
                Difference(
                    float((matrix @ level)[row]),
                    se,
                    None if few else float(bounds.low[row]),
                    None if few else float(bounds.high[row]),
                    bounds.p[row],
                    vrf.vrf,
                    vrf.ess,
                )
            )
        return found

    def game_variance(self, wanted: Estimand) -> float | None:
        """Variance between single games of an arm; None for ratios of rotated arms, where single games tell too little."""
        games = self._games(wanted)
        if games < 2:
            return None
        if self.plan.arms[wanted.arm].replays == 1:
            return self._covariance(wanted, wanted) * self.n
        if wanted.bottom is not None:
            return None
        total, squares = self.totals.sums[wanted.top], self.totals.game_squares[wanted.top]
        return (games * squares - total * total) / (games * (games - 1)) / wanted.measure.denominator**2

    def _games(self, wanted: Estimand) -> int:
        return self.n * self.plan.arms[wanted.arm].replays

    def _scale(self, wanted: Estimand) -> int:
        """Integers of a unit's value that make one: the measure's denominator times the games the value is summed over."""
        once = wanted.seat is not None and wanted.entry is not None
        return wanted.measure.denominator * (1 if once else self.plan.arms[wanted.arm].replays)

    def _product(self, left: int, right: int) -> int:
        return self._products[(left, right) if left <= right else (right, left)]

    def _spread(self, left: int, right: int) -> int:
        """n times the sum of products minus the product of sums: exact."""
        return self.n * self._product(left, right) - self.totals.sums[left] * self.totals.sums[right]

    def _value(self, wanted: Estimand) -> float:
        return sum(weight * self.totals.sums[place] / self.n for place, weight in self._level_weights(wanted))

    def _level_weights(self, wanted: Estimand) -> list[tuple[int, float]]:
        if wanted.bottom is None:
            return [(wanted.top, 1.0 / self._scale(wanted))]
        below = self.totals.sums[wanted.bottom]
        return [(wanted.top, self.n / (below * wanted.measure.denominator) if below else float("nan"))]

    def _gradient(self, wanted: Estimand) -> list[tuple[int, float]]:
        """Derivatives of the estimate by the means of the values it is made of."""
        weights = self._level_weights(wanted)
        if wanted.bottom is None:
            return weights
        below = self.totals.sums[wanted.bottom]
        return [*weights, (wanted.bottom, -self._value(wanted) * self.n / below if below else float("nan"))]

    def _covariance(self, left: Estimand, right: Estimand) -> float:
        """Covariance of two estimates."""
        total = 0.0
        for i, x in self._gradient(left):
            for j, y in self._gradient(right):
                total += x * y * self._spread(i, j)
        return total / (self.n * self.n * (self.n - 1))
