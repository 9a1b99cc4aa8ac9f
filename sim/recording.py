"""A run on its way into its folder: checkpoints, rows of single deals, and an executor that keeps few of those in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from sim.checkpoint import decode, encode
from sim.errors import UsageError
from sim.executors import Done, Portions
from sim.frames import Frames
from sim.plan import Plan
from sim.relay import Relay
from sim.runner import Executor, Outcome, empty_outcome
from sim.store import CHECKPOINT, FRAMES, RunFolder
from sim.wholefiles import write_whole

CHECKPOINT_SECONDS = 2.0
"""Time between two checkpoints, at least."""

CHECKPOINT_SHARE = 20
"""And at least so many times what a checkpoint takes."""

ROW_BYTES = 16000000
"""Outcome columns that wait in memory to be written, over all ranges under way."""


class Recording:
    """Puts a run into its folder while it is played.

    Parameters
    ----------
    plan : Plan
    units : int
        Units asked for.
    folder : function
        Gives the run's folder, made if need be; called by ``begin``, when everything is compiled.
    hands : str, optional
        Rows of single deals are wanted, in this format.

    Attributes
    ----------
    before : Outcome
        What was finished earlier.
    """

    def __init__(self, plan: Plan, units: int, folder: Callable[[], RunFolder], hands: str | None) -> None:
        self.plan, self.units, self.hands = plan, units, hands
        self.before = empty_outcome(plan, units)
        self._make = folder
        self._folder: RunFolder | None = None
        self._known: dict[str, str] = {}
        self._frames: Frames | None = None
        self._next = 0.0
        self._zero = (0.0, 0.0)

    @property
    def begun(self) -> bool:
        """Whether there is a folder that holds what is finished."""
        return self._folder is not None

    @property
    def folder(self) -> RunFolder:
        """The run's folder, after ``begin``."""
        assert self._folder is not None
        return self._folder

    @property
    def frames(self) -> dict[str, str]:
        """The files of rows that are finished: name to digest."""
        return {} if self._frames is None else self._frames.finished

    def resume(self, folder: RunFolder) -> None:
        """Take up what a folder's checkpoint holds.

        Raises
        ------
        UsageError
            When the checkpoint is damaged or belongs to another experiment.
        """
        if not folder.state_file.exists():
            return  # killed before the first
        try:
            self.before, self._known = decode(folder.state_file.read_bytes(), folder.experiment, self.plan, self.units)
        except UsageError as error:
            raise UsageError(f"{folder.state_file} {error}") from None

    def start(self, executor: Executor) -> Executor:
        """Begin: make the folder, check what is in it. Gives an executor that keeps few rows in memory."""
        self._folder = self._make()
        path = self._folder.path
        self._zero = (time.perf_counter() - self.before.seconds, time.process_time() - self.before.cpu_seconds)
        self._next = time.monotonic() + CHECKPOINT_SECONDS
        if self.hands is None:
            return executor
        spool = path / CHECKPOINT / "spool"
        self._frames = Frames(self.plan, self.units, path / FRAMES, spool, self.hands, self._known, self.before.ranges)
        self._frames.begin()
        return _FewRows(executor, self.plan)

    def keep(self, done: Done) -> None:
        """Take the rows of a finished range."""
        if self._frames is not None:
            self._frames.keep(done)

    def checkpoint(self, outcome: Outcome) -> None:
        """Write down how far the run is, when it is time or a file of rows is finished."""
        if time.monotonic() >= self._next or (self._frames is not None and self._frames.unreleased):
            now = time.monotonic()
            seconds, cpu = time.perf_counter() - self._zero[0], time.process_time() - self._zero[1]
            self.save(replace(outcome, seconds=seconds, cpu_seconds=cpu))
            after = time.monotonic()
            self._next = after + max(CHECKPOINT_SECONDS, CHECKPOINT_SHARE * (after - now))

    def save(self, outcome: Outcome) -> None:
        """Write down how far the run is: rows first, then the sums that count them."""
        if self._frames is not None:
            self._frames.sync()
        write_whole(self.folder.state_file, encode(self.folder.experiment, outcome, self.frames))
        if self._frames is not None:
            self._frames.release()


class _FewRows(Relay):
    """Ranges so small that the rows of all that are under way fit into ``ROW_BYTES``."""

    def __init__(self, inner: Executor, plan: Plan) -> None:
        super().__init__(inner)
        self._bytes_per_unit = 8 * sum(arm.replays * plan.unit.width(arm.players) for arm in plan.arms)

    @property
    def portions(self) -> Portions:
        """Ranges as the inner executor wants them, but not larger than rows allow."""
        wanted = self.inner.portions
        largest = ROW_BYTES // (wanted.ahead * self.inner.jobs * self._bytes_per_unit)
        return replace(wanted, largest=max(1, min(wanted.largest, largest)))
