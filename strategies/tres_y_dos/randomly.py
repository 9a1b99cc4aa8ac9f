"""``random``: any legal move."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import lowest_bit, popcount, rank_of
from sim.games.tres_y_dos.view import NO_RANK, STOCK
from sim.jit import kernel
from sim.rng import view_below
from sim.strategy import Strategy


@kernel
def any_of(view, ranks):
    """One of a set of ranks at random, each as likely (int64)."""
    for _ in range(view_below(view, np.int64(popcount(ranks)))):
        ranks ^= lowest_bit(ranks)
    return np.int64(rank_of(ranks))


@kernel
def draw(view):
    """The stock or the top of the pile, as a coin falls."""
    if view.top == NO_RANK:
        return np.int64(STOCK)
    return view_below(view, 2)


@kernel
def discard(view):
    """Any rank that may be thrown, each as likely."""
    return any_of(view, view.legal)


RANDOM = Strategy(
    game="tres-y-dos",
    name="random",
    about="""
    Plays any legal move: tosses a coin between stock and pile, then throws any rank that may be thrown, each as likely.

    It shows a full house when it happens to hold one, and never shows falsely.
    """,
    decisions={"draw": draw, "discard": discard},
    source="the floor of the ladder: whoever loses to it is playing backwards",
)
