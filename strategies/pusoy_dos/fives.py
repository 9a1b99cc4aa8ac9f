"""The five-card plays of a hand: listed once a hand, kept in a seat's notes, thinned out as cards are played.

Notes are a seat's scratch words. Which hand they are about is told by the cards it was dealt, so they stay true when one
unit consists of many hands. The upper twelve bits of a listed play are free: a cost can be kept there.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO
from sim.games.pusoy_dos.listing import MOST_PLAYS, list_fives
from sim.games.pusoy_dos.plays import DECK
from sim.games.pusoy_dos.rules import STRAIGHT_FLUSH, TWO_PAIR
from sim.jit import kernel

DEALT, COUNT = np.uint64(0), np.uint64(1)
FIVES = np.uint64(2)
"""Places in the notes: the cards dealt, how many five-card plays are left, the plays."""

FIVES_END = int(FIVES) + MOST_PLAYS
"""The first word of the notes after them."""


@kernel
def recall_fives(view, notes):
    """Bring the list up to date for the hand now held. Returns how many plays are on it (uint64)."""
    hand = view.hand
    dealt = hand | view.played[np.uint64(view.seat)]
    at = FIVES
    if notes[DEALT] != dealt:
        notes[DEALT] = dealt
        for kind in range(TWO_PAIR, STRAIGHT_FLUSH + 1):
            if (view.kinds >> kind) & 1:
                at = list_fives(hand, kind, view, notes, at)
    else:
        for i in range(FIVES, FIVES + notes[COUNT]):
            five = notes[i] & DECK
            if five & ~hand == ZERO:
                notes[at] = five
                at += ONE
    notes[COUNT] = at - FIVES
    return at - FIVES
