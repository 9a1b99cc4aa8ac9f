"""``pattern``: takes the discard only when its hand gets better by it."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import at_least_1, rank_bit, rank_of
from sim.games.tres_y_dos.view import NO_RANK, PILE, STOCK
from sim.jit import kernel
from sim.strategy import Strategy
from strategies.tres_y_dos.hands import best_pattern, pattern_of, spare


@kernel
def draw(view):
    """The top of the pile if, after the best throw, the five cards left are of a better pattern than now."""
    if view.top == NO_RANK:
        return np.int64(STOCK)
    hand = view.hand
    if best_pattern(hand + rank_bit(view.top), at_least_1(hand)) > pattern_of(hand):
        return np.int64(PILE)
    return np.int64(STOCK)


@kernel
def discard(view):
    """The lowest rank whose going leaves the best pattern."""
    return np.int64(rank_of(spare(view.hand, view.legal)))


PATTERN = Strategy(
    game="tres-y-dos",
    name="pattern",
    about="""
    Takes the top of the pile only if that makes its hand a better pattern; throws what keeps the best pattern.

    Three of a kind is better than four, four better than two pairs, then one pair, then five different cards. Unlike
    `greedy` it does not waste a turn on a third pair. Among equal throws the lowest rank goes.
    """,
    decisions={"draw": draw, "discard": discard},
    source="patterns in the order of the draws they need on average (TYD-O6)",
)
