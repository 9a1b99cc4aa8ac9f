"""How an estimate settles as deals are added, and distributions of small whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.estimands import Estimand, Results
from analysis.estimates import Estimate
from analysis.run import Finished
from sim.plan import Totals


@dataclass(frozen=True)
class Point:
    """An estimate after the first so many deals."""

    deals: int
    estimate: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"deals": self.deals, **self.estimate.to_dict()}


@dataclass(frozen=True)
class Distribution:
    """Counts of outcomes ``low``, ``low + 1``, …; the first and last also count what lies beyond them."""

    low: int
    counts: list[int]


def details_dict(distributions: Mapping[str, Distribution], convergence: Mapping[str, Sequence[Point]]) -> dict[str, Any]:
    """Distributions and convergence by name, ready for JSON."""
    return {
        "distributions": {name: asdict(one) for name, one in distributions.items()},
        "convergence": {name: [point.to_dict() for point in points] for name, points in convergence.items()},
    }


def settle(finished: Finished, wanted: Estimand) -> list[Point]:
    """The estimate after each segment of a run, over all deals up to there.

    The segments are fixed parts of the run, so the points are the same whatever was finished first. Segments of which something is
    missing (an interrupted run) end the list.
    """
    points: list[Point] = []
    so_far = Totals.empty(finished.plan)
    full = finished.outcome.segments[0].units
    for segment in finished.outcome.segments:
        if segment.units == 0:
            break
        so_far.add(segment)
        points.append(Point(so_far.units, Results(finished.plan, so_far).estimate(wanted)))
        if segment.units < full:
            break
    return points
