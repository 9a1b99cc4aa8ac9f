"""``outs``: counts the cards that can still come."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, count_of, exactly_2, lowest_bit, popcount, rank_bit, rank_of
from sim.games.tres_y_dos.view import PILE, STOCK
from sim.jit import kernel
from sim.strategy import Strategy
from strategies.tres_y_dos.counting import copies, fewest, live_cards
from strategies.tres_y_dos.hands import spare

FEW_OUTS = 1
"""Two pairs for which no more cards than this can still come are worth a turn spent on a livelier pair."""


@kernel
def livelier_pair(view, pairs):
    """Whether a third pair would leave two pairs with more live cards than the two held, which have next to none."""
    live = live_cards(view)
    first = lowest_bit(pairs)
    one, other = copies(live, first), copies(live, pairs ^ first)
    third = copies(live, rank_bit(view.top))
    return one + other <= FEW_OUTS and third > min(one, other)


@kernel
def draw(view):
    """The top of the pile if it makes a pair, a second pair, three of a kind or a full house; a third for a dead pair.

    Each of these beats the stock by far: from one pair the stock gives two pairs or three of a kind one time in four.
    """
    hand = view.hand
    held = count_of(hand, view.top)
    if held == TWO:
        return np.int64(PILE)
    if held != ONE:
        return np.int64(STOCK)
    pairs = exactly_2(hand)
    if popcount(pairs) < TWO:
        return np.int64(PILE)
    return np.int64(livelier_pair(view, pairs))


@kernel
def discard(view):
    """Of the ranks the hand can spare the one of which the fewest cards are live.

    In each pattern the expected number of draws falls with every live card of a rank kept (three of a kind: unseen
    cards over live cards of both kickers), so this is the throw that needs the fewest draws.
    """
    ranks = spare(view.hand, view.legal)
    if ranks & (ranks - ONE) != ZERO:
        ranks = fewest(live_cards(view), ranks)
    return np.int64(rank_of(ranks))


OUTS = Strategy(
    game="tres-y-dos",
    name="outs",
    about="""
    Counts every card it has seen, and keeps the ranks of which most cards can still come.

    It throws the single of which the fewest are left, and gives up a pair that is nearly dead for a livelier one. After
    a reshuffle, and shortly before one, it counts what the pile brings back. Among equal throws the lowest rank goes.
    """,
    decisions={"draw": draw, "discard": discard},
    source="live outs: the expected number of draws from each pattern (TYD-O6), with the cards seen taken off",
)
