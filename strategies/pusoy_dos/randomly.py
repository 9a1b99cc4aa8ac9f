"""``random``: any legal play."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ZERO
from sim.games.pusoy_dos.listing import MOST_PLAYS
from sim.jit import kernel
from sim.rng import view_below
from sim.strategy import Strategy
from sim.view import memory
from strategies.pusoy_dos.moves import list_legal


@kernel
def play(view):
    """Any legal play, each as likely, a pass being one more when there is something to answer."""
    plays = memory(view)
    count = np.int64(list_legal(view, plays))
    choice = view_below(view, count + np.int64(view.table != ZERO))
    return np.int64(plays[np.uint64(choice)]) if choice < count else np.int64(0)


RANDOM = Strategy(
    game="pusoy-dos",
    name="random",
    about="""
    Plays anything that is legal, each play as likely as any other.

    When there is a play to beat, passing is one more choice, so with few answers it passes often.
    """,
    decisions={"play": play},
    source="the floor of the ladder: whoever loses to it is playing backwards",
    memory=MOST_PLAYS,
)
