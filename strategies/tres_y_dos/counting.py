"""Counting cards: what can still come, what the others collect, what the next player does not want.

Everything here is computed from a view, so from what a player at the table has seen (TYD-A15). Sets of ranks are words
with one bit at each rank's place; counts are counted ranks.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import NIBBLE, ONE, ONES, ZERO, at_least_1, exactly_1, exactly_2, exactly_3, lowest, total
from sim.jit import kernel

THREE = np.uint64(3)
FIVE = np.uint64(5)
DECK = np.uint64(52)
FOUR_OF_EACH = np.uint64(0x4444444444444)
EIGHT_OF_EACH = np.uint64(0x8888888888888)


@kernel
def smaller_of(a, b):
    """Rank by rank the smaller of two counts (each at most 7).

    An eight lent to each rank of ``a`` is still there after taking ``b`` off exactly where ``a`` reaches ``b``.
    """
    reached = (((a | EIGHT_OF_EACH) - b) & EIGHT_OF_EACH) >> THREE
    mask = reached * NIBBLE
    return (b & mask) | (a & ~mask)


@kernel
def less(a, b):
    """Rank by rank ``a`` less ``b``, not below nothing."""
    return a - smaller_of(a, b)


@kernel
def copies(counts, bit):
    """How many there are of the rank at whose place ``bit`` stands (int64)."""
    return np.int64((counts >> lowest(bit)) & NIBBLE)


@kernel
def known_elsewhere(view):
    """Cards that the other players are known to hold, as counted ranks."""
    known = ZERO
    for seat in range(np.uint64(view.players)):
        known += view.known[seat]
    return known - view.known[np.uint64(view.seat)]


@kernel
def stock_left(view):
    """Cards in the stock: what is in nobody's hand and not in the pile (TYD-15)."""
    others = FIVE * (np.uint64(view.players) - ONE)
    return DECK - others - total(view.hand) - total(view.pile_counts)


@kernel
def live_cards(view):
    """Cards of each rank that can still come from the stock, as far as this player has seen (counted ranks).

    Before a reshuffle: all that he neither holds nor sees in the pile nor knows in another hand. After it: no more than
    the pile held when it became the stock. When the stock will run out before his next turn, the pile is what comes
    next (TYD-14): dead ranks live again.
    """
    if stock_left(view) < np.uint64(view.players):
        return view.pile_counts
    live = FOUR_OF_EACH - view.hand - view.pile_counts - known_elsewhere(view)
    if view.recycled != ZERO:
        live = smaller_of(live, view.recycled)
    return live


@kernel
def fewest(live, ranks):
    """Those of ``ranks`` of which the fewest cards are live (at most three of a rank that is held)."""
    fewer = ranks & ~at_least_1(live)
    if fewer == ZERO:
        fewer = ranks & exactly_1(live)
    if fewer == ZERO:
        fewer = ranks & exactly_2(live)
    if fewer == ZERO:
        fewer = ranks & exactly_3(live)
    if fewer == ZERO:
        fewer = ranks
    return fewer


@kernel
def collectors(view):
    """How many of the other players have taken each rank from the pile and kept it (counted ranks)."""
    count = ZERO
    for seat in range(np.uint64(view.players)):
        count += at_least_1(view.known[seat])
    return count - at_least_1(view.known[np.uint64(view.seat)])


@kernel
def next_seat(view):
    """The seat that may take what this player throws."""
    seat = np.uint64(view.seat) + ONE
    if seat == np.uint64(view.players):
        seat = ZERO
    return seat


@kernel
def wanted_next(view):
    """Ranks that the next player collects: he took one and kept it, so he has a pair or three of it.

    Of a rank of which he took two he has three already, and a fourth is no use to him.
    """
    return exactly_1(view.known[next_seat(view)])


@kernel
def unwanted_next(view):
    """Ranks that the next player has thrown or passed over, and has not collected."""
    seat = next_seat(view)
    marks = view.marks[seat]
    return (marks | (marks >> ONE)) & ONES & ~at_least_1(view.known[seat])
