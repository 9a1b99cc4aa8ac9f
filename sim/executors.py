"""Who plays the units: threads of this process.

Kernels release the GIL, so threads are enough on one machine. They are daemons of our own and not a thread pool's, because a decision
that never returns cannot be stopped in its thread, and a pool's threads would then keep the process from ending.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from sim import hot
from sim.plan import BLOCK, Plan, Totals
from sim.worker import Outcomes, Worker, compile_arms


@dataclass(frozen=True)
class Portions:
    """How an executor wants its work cut.

    Parameters
    ----------
    first, largest : int
        Games in a range while nothing is known of their speed; units in one at most.
    seconds : float
        How long a range should keep a thread busy.
    ahead : int
        Ranges asked for and not finished yet, for each thread.
    """

    first: int
    largest: int
    seconds: float
    ahead: int


@dataclass(frozen=True)
class Done:
    """What became of a range of units: totals of the units played (fewer than asked for when stopped), or an error.

    ``cpu_seconds`` is what other processes than this one spent on it.
    """

    first: int
    asked: int
    seconds: float
    totals: Totals | None
    outcomes: list[tuple[int, int, Outcomes]]
    error: BaseException | None = None
    cpu_seconds: float = 0.0


class Threads:
    """An executor of ``jobs`` threads.

    ``submit`` ranges, take them from ``wait``; ``stop`` makes the kernels end before their next deal; ``stalled`` tells of a range in
    which nothing moves.

    Parameters
    ----------
    plan : Plan
    jobs : int
        Number of threads.
    keep : bool
        Whether the outcome columns of every unit are wanted back.
    """

    portions = Portions(first=BLOCK, largest=256 * BLOCK, seconds=0.25, ahead=2)

    def __init__(self, plan: Plan, jobs: int, keep: bool = False) -> None:
        self.jobs = jobs
        self.keep = keep
        seats = compile_arms(plan)
        self._workers = [Worker(plan, seats) for _ in range(jobs)]
        self._workers[0].warm()
        self._tasks: queue.SimpleQueue[tuple[int, int] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[Done] = queue.SimpleQueue()
        self._seen: dict[int, tuple[tuple[int, int, int], float]] = {}
        self._busy: dict[int, tuple[int, int]] = {}
        self._threads = [threading.Thread(target=self._serve, args=(i,), daemon=True) for i in range(jobs)]
        for thread in self._threads:
            thread.start()

    def submit(self, first: int, count: int) -> None:
        """Ask for a range of units."""
        self._tasks.put((first, count))

    def wait(self, seconds: float) -> Done | None:
        """The next range that is finished, or None when none is after so many seconds."""
        try:
            return self._results.get(timeout=seconds)
        except queue.Empty:
            return None

    def stop(self) -> None:
        """Raise the stop flag of every kernel; ranges not begun come back with no units."""
        for worker in self._workers:
            worker.stop[0] = 1

    def stalled(self, seconds: float) -> list[tuple[int, int]]:
        """(unit, seat asked) of each thread in which nothing has moved for so long."""
        now = time.monotonic()
        stuck = []
        for i in list(self._busy):
            status = self._workers[i].status
            mark = (self._workers[i].done, int(status[hot.UNIT]), int(status[hot.HANDS]))
            if self._seen.get(i, (None, 0.0))[0] != mark:
                self._seen[i] = (mark, now)
            elif now - self._seen[i][1] > seconds:
                stuck.append((int(status[hot.UNIT]), int(status[hot.ASKED])))
        return stuck

    def close(self) -> None:
        """Let idle threads end."""
        for _ in self._threads:
            self._tasks.put(None)

    def _serve(self, i: int) -> None:
        worker = self._workers[i]
        while (task := self._tasks.get()) is not None:
            first, count = task
            self._seen.pop(i, None)
            self._busy[i] = task
            outcomes: list[tuple[int, int, Outcomes]] = []
            start = time.perf_counter()
            totals, error = None, None
            try:
                totals = worker.play(first, count, _keeper(outcomes) if self.keep else None)
            except BaseException as caught:  # handed to the thread that waits
                error = caught
            self._busy.pop(i, None)
            self._results.put(Done(first, count, time.perf_counter() - start, totals, outcomes, error))


def _keeper(outcomes: list[tuple[int, int, Outcomes]]) -> Callable[[int, int, Outcomes], None]:
    """A function that puts chunks into a list."""
    return lambda first, count, columns: outcomes.append((first, count, columns))
