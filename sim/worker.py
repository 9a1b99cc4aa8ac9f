"""A worker plays ranges of units of a plan, one after another, in one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from sim import bulk, hot
from sim.arm import Arm
from sim.decide import COMPILED
from sim.errors import RunError
from sim.hot import lay_out
from sim.jit import scalar_loops
from sim.keys import engine_keys
from sim.moments import gather, histogram, moments, whole_numbers
from sim.plan import Plan, Totals, Value
from sim.seats import Seats, compile_lineup

CHUNK_BYTES = 1 << 20
"""Outcome columns of the units that are played between two looks at the sums: few enough for a processor's cache."""

LEAST_UNITS, MOST_UNITS = 1 << 10, 1 << 14
"""Units played between two looks, at least and at most; after thousands of hands Python finds nothing of its own in the cache."""

PADDING = 24
"""Columns a power of two apart would all fall into the same few lines of the cache."""

NOWHERE = -1
"""In place of an outcome column: this replay adds nothing to the value."""

Outcomes = list[list[npt.NDArray[np.int64]]]
"""Outcome columns by arm and replay, each of shape (columns, units)."""


class StrategyFault(RunError):
    """A strategy raised an exception or acted illegally. ``str()`` is short; the trace of the unit tells the rest.

    Attributes
    ----------
    arm, replay, unit, seat : int
        Where it happened.
    cause : Exception or None
        What was raised; None for an illegal action.
    """

    def __init__(self, arm: int, replay: int, unit: int, seat: int, cause: Exception | None) -> None:
        self.arm, self.replay, self.unit, self.seat, self.cause = arm, replay, unit, seat, cause
        what = "acted illegally" if cause is None else f"raised {type(cause).__name__}: {cause}"
        super().__init__(f"seat {seat + 1} {what} in deal {unit}")

    def __reduce__(self) -> Any:
        return StrategyFault, (self.arm, self.replay, self.unit, self.seat, self.cause)


class ArmTable:
    """The hot state of one arm: position, views, room for decisions, outcome columns."""

    def __init__(self, plan: Plan, arm: Arm, seats: Seats, chunk: int) -> None:
        game = plan.game
        game.engine  # noqa: B018 - makes the engine known to the block loop
        self.plan, self.arm, self.seats = plan, arm, seats
        self.orders = arm.orders()
        if self.orders.shape[1] == 1 and any(player.strategy.origin != "built in" for player in arm.lineup):
            # With more than one class of seatings the block loop seats everybody anew at each unit. What a plug-in scribbles
            # on the parameters in its view then lasts no longer than the unit: results depend on (seed, unit) alone.
            self.orders = np.repeat(self.orders, 2, axis=1)
        block = lay_out(game.position_dtype, game.view_dtype, arm.rules.to_record())
        self.positions, self.views, self.rules = _hot(block.positions), _hot(block.views), _hot(block.rules)
        self.deciders, self.status = block.deciders, block.status
        self.keys = engine_keys(plan.seed, game.name)
        self.scratch = np.zeros(sum(seats.words), np.uint64)
        ends = np.cumsum(seats.words) - np.array(seats.words)
        self.memory = np.array(
            [[self.scratch.ctypes.data + 8 * int(at), words] for at, words in zip(ends, seats.words, strict=True)], np.uint64
        )
        self.out = np.zeros((plan.unit.width(arm.players), chunk + PADDING), np.int64)
        self._before = (plan.unit.match, self.positions, self.views, self.deciders, self.status, self.rules, self.keys, seats.decisions)
        self._behind = (seats.parameters, self.memory, self.scratch, seats.tables, self.out.reshape(-1), self.out.shape[1])

    def play(self, replay: int, first: int, count: int, stop: npt.NDArray[np.int64]) -> int:
        """Play units of one replay into ``out``; returns the block loop's code."""
        code: int = bulk.play_units(first, count, *self._before, self.orders[replay], *self._behind, stop)
        return code


class Worker:
    """Plays ranges of units of a plan. Not to be shared between threads.

    Parameters
    ----------
    plan : Plan
    seats : list of Seats, optional
        The compiled line-ups of the plan's arms, when somebody has them already.
    chunk : int, optional
        Units at a time; it changes no result.
    """

    def __init__(self, plan: Plan, seats: list[Seats] | None = None, chunk: int | None = None) -> None:
        self.plan = plan
        self.chunk = chunk = chunk or chunk_of(plan)
        compiled = seats or compile_arms(plan)
        self.arms = [ArmTable(plan, arm, s, chunk) for arm, s in zip(plan.arms, compiled, strict=True)]
        self.status = self.arms[0].status  # of the arm that is played
        self.stop = np.zeros(1, np.int64)
        self.done = 0  # units of the range in hand whose sums are in
        self._rows = [[_rows(plan, a, replay, table) for replay in range(table.arm.replays)] for a, table in enumerate(self.arms)]
        self._targets = [np.array([k for k, v in enumerate(plan.values) if v.arm == a], np.int64) for a in range(len(self.arms))]
        # One arm without rotation or changing orders: its outcome columns are the values, and nothing needs gathering. The squares of
        # single games are then those of the values.
        self._direct = len(self.arms) == 1 and self._rows[0][0].shape[1] == 1 and self.arms[0].arm.replays == 1
        squares = [(k, k) for k in range(len(plan.values))] if self._direct else []
        pairs = list(dict.fromkeys([*plan.pairs, *squares]))
        self._pairs = np.array(pairs, np.int64).reshape(len(pairs), 2)
        self._products = [pairs.index(pair) for pair in plan.pairs]
        self._squares = [pairs.index(pair) for pair in squares]
        self._spans = np.zeros(len(plan.values), np.uint64)
        self._values = self.arms[0].out if self._direct else np.zeros((len(plan.values), chunk + PADDING), np.int64)
        self._value_rows = self._rows[0][0][:, 0].copy() if self._direct else np.arange(len(plan.values), dtype=np.int64)
        self._histograms = [(int(self._value_rows[h.value]), h.low) for h in plan.histograms]

    def warm(self) -> None:
        """Compile all that play() will need, without playing."""
        for a, table in enumerate(self.arms):
            with scalar_loops():
                table.play(0, 0, 0, self.stop)
            if not self._direct:
                gather(table.out, self._rows[a][0], 0, 0, self._values, self._targets[a], _wide(len(self.plan.values)))
        none = np.zeros(0, np.int64)
        moments(self._values, none, 0, np.zeros((0, 2), np.int64), none, _wide(0), self._spans)
        for h in self.plan.histograms[:1]:
            histogram(self._values, h.value, 0, 0, np.zeros(1, np.int64))

    def play(self, first: int, count: int, keep: Callable[[int, int, Outcomes], None] | None = None) -> Totals:
        """Play units ``first`` … ``first + count - 1``.

        Parameters
        ----------
        keep : function, optional
            Called with (first, count, outcomes) for each chunk; the arrays are overwritten afterwards.

        Returns
        -------
        Totals
            Of the units played: fewer than asked for when the stop flag was raised.

        Raises
        ------
        StrategyFault
            When a strategy raises or acts illegally.
        """
        totals = Totals.empty(self.plan)
        sums = np.zeros(len(self.plan.values), np.int64)
        products, squares = _wide(len(self._pairs)), _wide(len(self.plan.values))
        bins = [np.zeros(h.high - h.low + 1, np.int64) for h in self.plan.histograms]
        self.done = 0
        with np.errstate(over="ignore"):  # words wrap around on purpose; only seen when the compiler is off
            while self.done < count:
                n = min(self.chunk, count - self.done)
                hands = self._chunk(first + self.done, n, sums, products, squares, bins, keep)
                if hands is None:
                    break
                totals.hands += hands
                self.done += n
        totals.units = self.done
        totals.sums = sums.tolist()
        found = whole_numbers(products)
        totals.products = [found[k] for k in self._products]
        totals.game_squares = [found[k] for k in self._squares] if self._direct else whole_numbers(squares)
        totals.bins = [b.tolist() for b in bins]
        return totals

    def _chunk(
        self,
        first: int,
        n: int,
        sums: npt.NDArray[np.int64],
        products: npt.NDArray[np.uint64],
        squares: npt.NDArray[np.uint64],
        bins: list[npt.NDArray[np.int64]],
        keep: Callable[[int, int, Outcomes], None] | None,
    ) -> int | None:
        """Play one chunk and add it up; the hands played, or None when stopped before its end (then nothing is added)."""
        hands = 0
        outcomes: Outcomes = [[] for _ in self.arms]
        if not self._direct:
            self._values[:] = 0
            chunk_squares = squares.copy()
        for a, table in enumerate(self.arms):
            for replay in range(table.arm.replays):
                before = int(table.status[hot.HANDS])
                if not self._play(a, table, replay, first, n):
                    return None
                hands += int(table.status[hot.HANDS]) - before
                if not self._direct:
                    gather(table.out, self._rows[a][replay], first, n, self._values, self._targets[a], chunk_squares)
                if keep is not None:
                    outcomes[a].append(table.out[:, :n].copy())
        moments(self._values, self._value_rows, n, self._pairs, sums, products, self._spans)
        if not self._direct:
            squares[:] = chunk_squares
        for (row, low), counts in zip(self._histograms, bins, strict=True):
            histogram(self._values, row, n, low, counts)
        if keep is not None:
            keep(first, n, outcomes)
        return hands

    def _play(self, a: int, table: ArmTable, replay: int, first: int, n: int) -> bool:
        """Play one replay of a chunk; False when stopped."""
        self.status = table.status
        try:
            code = table.play(replay, first, n, self.stop)
        except Exception as error:  # whatever a strategy raises
            raise StrategyFault(a, replay, int(self.status[hot.UNIT]), int(self.status[hot.ASKED]), error) from error
        if code == bulk.ILLEGAL:
            raise StrategyFault(a, replay, int(self.status[hot.UNIT]), int(self.status[hot.ASKED]), None)
        return code == bulk.FINISHED


def chunk_of(plan: Plan) -> int:
    """Units between two looks at the sums: a power of two."""
    columns = max(plan.unit.width(arm.players) for arm in plan.arms)
    units = CHUNK_BYTES // (8 * columns)
    return min(max(1 << units.bit_length(), LEAST_UNITS), MOST_UNITS)


def _hot(array: Any) -> Any:
    """Records as a plain array, which Numba recognises fifteen times faster; plain Python needs them with fields as attributes."""
    return array.view(np.ndarray if COMPILED else np.recarray)


def _wide(count: int) -> npt.NDArray[np.uint64]:
    """Zeros of 128 bits, two words each."""
    return np.zeros((count, 2), np.uint64)


def compile_arms(plan: Plan) -> list[Seats]:
    """The compiled line-ups of a plan's arms."""
    return [compile_lineup(arm) for arm in plan.arms]


def _rows(plan: Plan, a: int, replay: int, table: ArmTable) -> npt.NDArray[np.int64]:
    """Which outcome column each value of an arm takes in a replay: int64 array, shape (values of the arm, classes)."""
    orders = table.orders[replay]
    picked = []
    for value in plan.values:
        if value.arm == a:
            picked.append([_row(plan, value, order, table.arm.players) for order in orders])
    rows = np.array(picked, np.int64).reshape(len(picked), len(orders))
    # Where every class gives the same column the look-up by class is not needed.
    return rows[:, :1].copy() if (rows == rows[:, :1]).all() else rows


def _row(plan: Plan, value: Value, order: npt.NDArray[np.int64], players: int) -> int:
    start = plan.unit.place(value.column, players)
    if value.entry is None:
        return start + (value.seat or 0)
    chair = int(np.flatnonzero(order == value.entry)[0])
    return start + chair if value.seat is None or value.seat == chair else NOWHERE
