"""Ctrl-C at a safe moment: between two finished ranges, never while one is being counted or written."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from sim.executors import Done
from sim.relay import Relay
from sim.runner import Executor


class Interruptible(Relay):
    """An executor under which Ctrl-C is answered when the runner waits, a tenth of a second later at most.

    Otherwise it could come while a range is half added to the sums, and what is kept would count some deals twice. A second Ctrl-C ends
    the program at once.
    """

    def __init__(self, inner: Executor) -> None:
        super().__init__(inner)
        self._asked = False
        self._handler: Any = None
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._handler = signal.signal(signal.SIGINT, self._note)

    def wait(self, seconds: float) -> Done | None:
        """The next range that is finished.

        Raises
        ------
        KeyboardInterrupt
            When Ctrl-C was pressed since the last call.
        """
        if self._asked:
            self._asked = False
            self._restore()
            raise KeyboardInterrupt
        return self.inner.wait(seconds)

    def close(self) -> None:
        """No more is asked for; Ctrl-C is answered as usual."""
        self._restore()
        self.inner.close()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._asked = True

    def _restore(self) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            self._handler = None
