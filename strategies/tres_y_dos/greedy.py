"""``greedy``: takes every card that goes with one it holds (TYD-O9)."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import rank_of
from sim.jit import kernel
from sim.strategy import Strategy
from strategies.tres_y_dos.hands import makes_more_of, spare


@kernel
def draw(view):
    """The top of the pile if one or two of its rank are held."""
    return np.int64(makes_more_of(view.hand, view.top))


@kernel
def discard(view):
    """The fourth of a kind, else the lowest single, else one of the lowest pair, else of the lowest triple."""
    return np.int64(rank_of(spare(view.hand, view.legal)))


GREEDY = Strategy(
    game="tres-y-dos",
    name="greedy",
    about="""
    Takes the top of the pile whenever it holds one or two of that rank; throws its lowest single card.

    Without a single it throws from its lowest pair; the fourth of a kind goes first of all. It looks at nothing but its
    hand and the top card: the yardstick with which the other strategies are compared.
    """,
    decisions={"draw": draw, "discard": discard},
    source="the yardstick strategy (TYD-O9)",
)
