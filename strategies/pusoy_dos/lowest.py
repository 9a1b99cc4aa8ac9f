"""``lowest``: one card at a time, the lowest first."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, highest, lowest_bit
from sim.games.pusoy_dos.knowledge import lowest_legal
from sim.jit import kernel
from sim.strategy import Strategy


@kernel
def play(view):
    """Its lowest card on lead (its highest if that is the only single allowed, PD-A20), else the lowest play that beats the table."""
    if view.table != ZERO:
        return lowest_legal(view)
    if view.must == ZERO and view.top_single != 0:
        return np.int64(ONE << highest(view.hand))
    return np.int64(lowest_bit(view.hand))


LOWEST = Strategy(
    game="pusoy-dos",
    name="lowest",
    about="""
    Leads its lowest card, always a single, and answers with the lowest play that beats the table.

    So it never makes use of the pairs and five-card hands it holds unless somebody else leads such.
    """,
    decisions={"play": play},
    source="the lowest-card player of several public programs",
)
