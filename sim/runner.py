"""The runner: cuts a plan's units into ranges, hands them to an executor, adds up what comes back.

The cut changes no result: what a unit's outcome is depends on (seed, unit) alone, and sums are whole numbers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from sim.errors import RunError
from sim.executors import Done, Portions, Threads
from sim.plan import BLOCK, Plan, Totals

POLL_SECONDS = 0.1

CRUMBS = 32
"""A range is never cut, for the sake of sharing, to less than this part of what an executor wants."""

SEGMENTS = 64
"""Parts into which a run is divided for looking at how an estimate settles; whole blocks, so fewer in a short run."""

PATIENCE = 60.0
"""Seconds without progress after which a decision is taken to never return."""


class Executor(Protocol):
    """What the runner needs of whoever plays the units. ``jobs`` may change while it runs."""

    @property
    def jobs(self) -> int: ...
    @property
    def portions(self) -> Portions: ...

    def submit(self, first: int, count: int) -> None: ...
    def wait(self, seconds: float) -> Done | None: ...
    def stop(self) -> None: ...
    def stalled(self, seconds: float) -> list[tuple[int, int]]: ...
    def close(self) -> None: ...


class Stuck(RunError):
    """A decision has not returned for a long time, and cannot be stopped. ``where`` lists (deal, seat asked)."""

    def __init__(self, where: list[tuple[int, int]], seconds: float) -> None:
        self.where = where
        self.seconds = seconds
        super().__init__(f"no progress for {seconds:g} s in deals {', '.join(str(unit) for unit, _ in where)}")


@dataclass
class Outcome:
    """What a run gave and what it took. ``interrupted`` when it was ended early, ``fault`` when it failed.

    Attributes
    ----------
    segments : list of Totals
        Sums by segment: the run's units in order, cut into parts of ``segment_size(units)``.
    ranges : list of (int, int)
        (first, count) of all units counted, joined where they touch.
    """

    segments: list[Totals]
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    compile_seconds: float = 0.0
    jobs: int = 1
    interrupted: bool = False
    fault: RunError | None = None
    ranges: list[tuple[int, int]] = field(default_factory=list)

    @property
    def totals(self) -> Totals:
        """Sums over all units counted."""
        whole = self.segments[0].copy()
        for part in self.segments[1:]:
            whole.add(part)
        return whole

    @property
    def units(self) -> int:
        """Units counted."""
        return sum(part.units for part in self.segments)


def segment_size(units: int) -> int:
    """Units of a segment: whole blocks, at most ``SEGMENTS`` segments."""
    blocks = -(-units // BLOCK)
    return BLOCK * -(-blocks // SEGMENTS)


def empty_outcome(plan: Plan, units: int) -> Outcome:
    """The outcome of a run of which nothing is played yet."""
    return Outcome([Totals.empty(plan) for _ in range(max(1, -(-units // segment_size(max(1, units)))))])


def join(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for first, count in sorted(ranges):
        if joined and joined[-1][0] + joined[-1][1] == first:
            joined[-1] = (joined[-1][0], joined[-1][1] + count)
        else:
            joined.append((first, count))
    return joined


def missing(ranges: list[tuple[int, int]], units: int) -> list[tuple[int, int]]:
    """What is left of units 0 … ``units - 1`` beside the ranges."""
    gaps = []
    at = 0
    for first, count in join(ranges):
        if first > at:
            gaps.append((at, first - at))
        at = first + count
    if at < units:
        gaps.append((at, units - at))
    return gaps


def default_jobs() -> int:
    """As many threads as this process may use processors."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    plan: Plan,
    units: int,
    *,
    jobs: int | None = None,
    before: Outcome | None = None,
    progress: Callable[[int, int], None] | None = None,
    patience: float = PATIENCE,
    keep: Callable[[Done], None] | None = None,
    checkpoint: Callable[[Outcome], None] | None = None,
    start: Callable[[Plan, int, bool], Executor] = Threads,
) -> Outcome:
    """Play units 0 … ``units - 1`` of a plan.

    Ctrl-C ends the run early and keeps what is finished; so does a fault of a strategy.

    Parameters
    ----------
    plan : Plan
    units : int
    jobs : int, optional
        Threads; all processors when nothing is said. It changes no result.
    before : Outcome, optional
        What an earlier run of the same plan and units has finished; only the rest is played.
    progress : function, optional
        Called with (units finished, units asked for).
    patience : float
        Seconds without progress after which the run ends.
    keep : function, optional
        Called with every finished range, outcome columns included, in any order.
    checkpoint : function, optional
        Called with the outcome so far after every finished range.
    start : function
        Makes the executor.

    Returns
    -------
    Outcome
    """
    began = time.perf_counter()
    threads = max(1, min(jobs or default_jobs(), max(1, -(-units // 64))))
    outcome = before or empty_outcome(plan, units)
    outcome.interrupted, outcome.fault = False, None
    executor = start(plan, threads, keep is not None)
    outcome.compile_seconds += time.perf_counter() - began
    outcome.jobs = executor.jobs
    wall, cpu = time.perf_counter(), time.process_time()
    loop = _Loop(plan, units, executor, outcome, progress, patience, keep, checkpoint)
    try:
        loop.play()
    except KeyboardInterrupt:
        outcome.interrupted = True
        executor.stop()
        loop.collect()
    finally:
        executor.close()
    outcome.seconds += time.perf_counter() - wall
    outcome.cpu_seconds += time.process_time() - cpu
    return outcome


class _Loop:
    """The state of one run: how far it is and how much to ask for at a time."""

    def __init__(
        self,
        plan: Plan,
        units: int,
        executor: Executor,
        outcome: Outcome,
        progress: Callable[[int, int], None] | None,
        patience: float,
        keep: Callable[[Done], None] | None,
        checkpoint: Callable[[Outcome], None] | None,
    ) -> None:
        self.units, self.executor, self.outcome = units, executor, outcome
        self.progress, self.patience, self.keep, self.checkpoint = progress, patience, keep, checkpoint
        self.segment = segment_size(max(1, units))
        self.todo = missing(outcome.ranges, units)[::-1]
        self.left = sum(count for _, count in self.todo)
        self.size = max(1, min(executor.portions.first, units // (2 * executor.jobs) or 1) // max(1, plan.games_per_unit))
        self.pending = 0
        self.counted = outcome.units

    def play(self) -> None:
        """Play to the end or to the first fault."""
        while self.todo or self.pending:
            while self.todo and self.pending < self.executor.portions.ahead * self.executor.jobs and self.outcome.fault is None:
                self.executor.submit(*self.cut())
                self.pending += 1
            if self.outcome.fault is not None and not self.pending:
                return
            done = self.executor.wait(POLL_SECONDS)
            if done is not None:
                self.take(done)
            stuck = self.executor.stalled(self.patience)  # also while other threads go on
            if stuck:
                self.outcome.fault = self.outcome.fault or Stuck(stuck, self.patience)
                self.executor.stop()
                self.collect()
                return

    def cut(self) -> tuple[int, int]:
        """The next range to play: never across the border of two segments."""
        first, count = self.todo.pop()
        border = (first // self.segment + 1) * self.segment
        n = min(self.size, count, border - first)
        if n < count:
            self.todo.append((first + n, count - n))
        self.left -= n
        return first, n

    def collect(self) -> None:
        """After a stop: take what comes back, but wait no longer than two seconds for it."""
        deadline = time.monotonic() + 2.0
        while self.pending and time.monotonic() < deadline:
            done = self.executor.wait(POLL_SECONDS)
            if done is not None:
                self.take(done)

    def take(self, done: Done) -> None:
        """Add a finished range to the totals."""
        self.pending -= 1
        if done.error is not None:
            if not isinstance(done.error, RunError):
                raise done.error
            if self.outcome.fault is None:
                self.outcome.fault = done.error
                self.executor.stop()
            return
        totals = done.totals
        if totals is None or not totals.units:
            return
        self.outcome.segments[done.first // self.segment].add(totals)
        self.outcome.ranges = join([*self.outcome.ranges, (done.first, totals.units)])
        self.counted += totals.units
        self.outcome.cpu_seconds += done.cpu_seconds
        if self.keep is not None:
            self.keep(done)
        if self.checkpoint is not None:
            self.checkpoint(self.outcome)
        if self.progress is not None:
            self.progress(self.counted, self.units)
        self._resize(done)

    def _resize(self, done: Done) -> None:
        """Ask for as much at a time as keeps a thread busy for as long as the executor wants."""
        if done.totals is None or done.seconds <= 0 or done.totals.units < done.asked:
            return
        wanted = done.asked * self.executor.portions.seconds / done.seconds
        size = int(min(self.executor.portions.largest, 4 * self.size, max(1, wanted)))
        # At the end everybody gets a share, but nobody crumbs.
        share = max(-(-self.left // (2 * self.executor.jobs)), int(wanted) // CRUMBS)
        self.size = max(1, min(size, share))
