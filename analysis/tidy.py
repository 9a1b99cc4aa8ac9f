"""Results as tidy records: one for each estimate, with all that is needed to read it alone. Frames and CSV are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.comparison import Comparison
from analysis.estimates import Difference, Estimate
from analysis.run import Finished, Result
from analysis.simulation import Row, Simulation
from analysis.variants import Variants
from sim.errors import UsageError
from sim.plan import Plan
from sim.worker import Outcomes

MOST_ROWS = 20_000_000
"""Rows of single deals that are kept in memory; longer runs stream them into files."""

Record = dict[str, Any]


def records(result: Result) -> list[Record]:
    """One record for each estimate of a result; places counted from 1, numbers at full precision.

    Raises
    ------
    TypeError
        If it is no result of a known kind.
    """
    if isinstance(result, Simulation):
        return _simulation(result)
    if isinstance(result, Comparison):
        return _comparison(result)
    if isinstance(result, Variants):
        return _variants(result)
    raise TypeError(f"no result: {type(result).__name__}")


def frame(result: Result) -> pd.DataFrame:
    """The records of a result as a frame."""
    return pd.DataFrame(records(result))


def _head(finished: Finished) -> Record:
    plan = finished.plan
    return {"game": plan.game.name, "unit": plan.unit.name, "seed": plan.seed, "deals": finished.deals}


def _estimate(estimate: Estimate) -> Record:
    return {"value": estimate.value, "se": estimate.se, "low": estimate.low, "high": estimate.high}


def _difference(name: str, difference: Difference | None) -> Record:
    found: Record = {} if difference is None else difference.to_dict()
    parts = ("se", "low", "high", "p", "vrf", "ess")
    return {name: found.get("value"), **{f"{name}_{part}": found.get(part) for part in parts}}


def _simulation(result: Simulation) -> list[Record]:
    head = _head(result.finished)

    def row(places: Row | None, measure: str, estimate: Estimate) -> Record:
        seat = None if places is None or places.seat is None else places.seat + 1
        player = None if places is None or places.entry is None else places.entry + 1
        strategy = None if places is None else places.strategy
        return {**head, "seat": seat, "player": player, "strategy": strategy, "measure": measure, **_estimate(estimate)}

    found = [row(places, m, e) for places in [*result.rows, *result.chairs] for m, e in places.estimates.items()]
    return found + [row(None, m, e) for m, e in result.table.items()]


def _comparison(result: Comparison) -> list[Record]:
    head = {**_head(result.finished), "measure": result.measure.name}
    return [
        {
            **head,
            "strategy": c.strategy,
            **_estimate(c.level),
            **_difference("difference", c.difference),
            **_difference("step", c.step),
        }
        for c in result.candidates
    ]


def _variants(result: Variants) -> list[Record]:
    head = _head(result.finished)
    return [
        {
            **head,
            **row.variant.setting,
            "base": row.base,
            "measure": r.measure.name,
            "seat": None if r.seat is None else r.seat + 1,
            "strategy": r.strategy or None,
            **_estimate(r.level),
            **_difference("difference", r.difference),
        }
        for row in result.rows
        for r in row.readings
    ]


def check_hands(plan: Plan, deals: int) -> None:
    """Refuse to keep more rows of single deals in memory than fit well (UsageError)."""
    rows = deals * sum(arm.replays * arm.players for arm in plan.arms)
    if rows > MOST_ROWS:
        raise UsageError(f"{rows:,} rows of single deals are too many to keep in memory ({MOST_ROWS:,}): write them with --out and --hands")


def hands_frame(plan: Plan, chunks: Sequence[tuple[int, int, Outcomes]]) -> pd.DataFrame:
    """Single deals, tidy: a row for each deal, arm, rotation and seat, with the strategy that sat there and every outcome column.

    Parameters
    ----------
    plan : Plan
    chunks : sequence of (first, count, outcomes)
        As the runner keeps them, in any order.

    Returns
    -------
    DataFrame
        Columns ``deal``, ``arm``, ``replay``, ``seat``, ``strategy``, then the unit's columns; shares and coins divided by what they are
        counted in, so that 1 is a whole one.
    """
    parts = []
    scale = {m.column: m.denominator for m in reversed(plan.unit.measures)}
    for first, count, outcomes in sorted(chunks, key=lambda chunk: chunk[0]):
        deals = np.arange(first, first + count)
        for a, arm in enumerate(plan.arms):
            orders = arm.orders()
            labels = np.array([player.label for player in arm.lineup])
            for replay in range(arm.replays):
                seated = labels[orders[replay][deals % orders.shape[1]]]
                parts += [_seat(plan, a, replay, seat, deals, seated[:, seat], outcomes[a][replay], scale) for seat in range(arm.players)]
    if not parts:
        return pd.DataFrame()
    whole = pd.concat(parts, ignore_index=True)
    return whole.sort_values(["deal", "arm", "replay", "seat"], kind="stable", ignore_index=True)


def _seat(plan: Plan, a: int, replay: int, seat: int, deals: Any, strategies: Any, columns: Any, scale: dict[str, int]) -> pd.DataFrame:
    """The rows of one chair in one rotation of one arm."""
    arm = plan.arms[a]
    found: dict[str, Any] = {"deal": deals, "arm": arm.label or a + 1, "replay": replay + 1, "seat": seat + 1, "strategy": strategies}
    for column in plan.unit.columns:
        values = columns[plan.unit.place(column.name, arm.players) + (seat if column.per_seat else 0)]
        found[column.name] = values / scale[column.name] if scale.get(column.name, 1) > 1 else values
    return pd.DataFrame(found)
