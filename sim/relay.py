"""An executor that passes everything on to another: the base of those that add one thing to it."""

from __future__ import annotations

from sim.executors import Done, Portions
from sim.runner import Executor


class Relay:
    """Plays through another executor.

    Parameters
    ----------
    inner : Executor
        Who plays.
    """

    def __init__(self, inner: Executor) -> None:
        self.inner = inner

    @property
    def jobs(self) -> int:
        """How many ranges are played at a time."""
        return self.inner.jobs

    @property
    def portions(self) -> Portions:
        """How the work is to be cut."""
        return self.inner.portions

    def submit(self, first: int, count: int) -> None:
        """Ask for a range of units."""
        self.inner.submit(first, count)

    def wait(self, seconds: float) -> Done | None:
        """The next range that is finished, or None when none is after so many seconds."""
        return self.inner.wait(seconds)

    def stop(self) -> None:
        """End what is being played."""
        self.inner.stop()

    def stalled(self, seconds: float) -> list[tuple[int, int]]:
        """(unit, seat asked) of whoever has not moved for so long."""
        return self.inner.stalled(seconds)

    def close(self) -> None:
        """No more is asked for."""
        self.inner.close()
