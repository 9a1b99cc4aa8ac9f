"""The log of a traced hand: rows of four integers (kind, seat, value, extra) that a game's ``narrate`` turns into words."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np

from sim.jit import kernel

ROW = 4
CAPACITY = 4096


def new_log() -> Any:
    """An empty log: int64 array of shape (CAPACITY + 1, ROW) whose first cell counts the rows in use."""
    return np.zeros((CAPACITY + 1, ROW), np.int64)


@kernel
def append(log, kind, seat, value, extra):
    """Add a row. A log is emptied between pauses that are far shorter than its capacity; a full one is an error of the engine."""
    used = log[0, 0]
    if used >= CAPACITY:
        raise IndexError("the event log is full")
    log[0, 0] = used + 1
    log[used + 1, 0] = kind
    log[used + 1, 1] = np.int64(seat)
    log[used + 1, 2] = np.int64(value)
    log[used + 1, 3] = np.int64(extra)


def drain(log: Any) -> list[tuple[int, int, int, int]]:
    """Take all rows out of a log, oldest first."""
    used = int(log[0, 0])
    rows = [(int(row[0]), int(row[1]), int(row[2]), int(row[3])) for row in log[1 : used + 1]]
    log[0, 0] = 0
    return rows
