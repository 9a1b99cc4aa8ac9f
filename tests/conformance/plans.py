"""Plans that count everything, and the outcome columns of single units."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from sim.arm import Arm
from sim.game import Unit
from sim.plan import Histogram, Plan, Totals, Value
from sim.worker import Outcomes, Worker

SEED = 1


def full_plan(arms: tuple[Arm, ...], unit: Unit, seed: int = SEED) -> Plan:
    """A plan with every column of every arm (by chair and by line-up entry), neighbours' products and distributions."""
    values = []
    for number, arm in enumerate(arms):
        for column in unit.columns:
            if column.per_seat:
                values += [Value(number, column.name, seat=seat) for seat in range(arm.players)]
                values += [Value(number, column.name, entry=entry) for entry in range(arm.players)]
            else:
                values.append(Value(number, column.name))
    last = len(values) - 1
    pairs = [(k, k) for k in range(last + 1)] + [(k, k + 1) for k in range(last)]
    histograms = [Histogram(k, 0, 20) for k in range(last + 1)]
    return Plan(arms, unit, seed, tuple(values), tuple(pairs), tuple(histograms))


def squared_differences(plan: Plan, totals: Totals, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Sum over units of the squared difference of two values, for pairs whose products and squares the plan sums."""
    product = dict(zip(plan.pairs, totals.products, strict=True))
    return [product[i, i] - 2 * product[i, j] + product[j, j] for i, j in pairs]


def outcomes(plan: Plan, ranges: Iterable[tuple[int, int]], chunk: int = 64) -> dict[tuple[int, int, int], list[int]]:
    """Outcome columns by (unit, arm, replay), played range by range by one worker."""
    found: dict[tuple[int, int, int], list[int]] = {}

    def keep(first: int, count: int, columns: Outcomes) -> None:
        for arm, replays in enumerate(columns):
            for replay, out in enumerate(replays):
                for at in range(count):
                    found[first + at, arm, replay] = _whole(out[:, at])

    worker = Worker(plan, chunk=chunk)
    for first, count in ranges:
        worker.play(first, count, keep)
    return found


def _whole(column: npt.NDArray[np.int64]) -> list[int]:
    return [int(x) for x in column]
