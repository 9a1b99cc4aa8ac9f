"""The plays of a hand, kept in a seat's notes: five-card plays first, listed once a hand and thinned out as cards are played.

Notes are a seat's scratch words. Which hand they are about is told by the cards dealt to it, so they are right again in
the next hand of a match. The upper twelve bits of a listed five-card play are free: its price can be kept there.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, popcount
from sim.games.pusoy_dos.listing import MOST_PLAYS, list_fives, list_kind
from sim.games.pusoy_dos.plays import DECK
from sim.games.pusoy_dos.rules import FOUR, SINGLE, STRAIGHT_FLUSH, TWO_PAIR
from sim.jit import kernel

DEALT, FIVES, ALL_PLAYS = np.uint64(0), np.uint64(1), np.uint64(2)
"""Places in the notes: the cards dealt, how many five-card plays the hand has, how many plays in all."""
CHOSEN = np.uint64(3)
"""Place of the five-card plays chosen so far, by a search for sets of them without a card in common (at most three)."""
PLAYS = np.uint64(6)
"""Where the plays begin."""
PLAYS_END = int(PLAYS) + MOST_PLAYS
"""The first word of the notes after them."""


@kernel
def recall_plays(view, notes):
    """Bring the list of plays up to date for the hand now held.

    Parameters
    ----------
    view : record
    notes : uint64 array
        The seat's memory, ``PLAYS_END`` words or more.

    Returns
    -------
    fives, plays : uint64
        How many five-card plays there are from ``PLAYS`` on, and with the smaller ones behind them.
    """
    hand = view.hand
    dealt = hand | view.played[np.uint64(view.seat)]
    at = PLAYS
    if notes[DEALT] != dealt:
        notes[DEALT] = dealt
        for kind in range(TWO_PAIR, STRAIGHT_FLUSH + 1):
            if (view.kinds >> kind) & 1:
                at = list_fives(hand, kind, view, notes, at)
    else:
        for i in range(PLAYS, PLAYS + notes[FIVES]):
            five = notes[i] & DECK
            if five & ~hand == ZERO:
                notes[at] = five
                at += ONE
    notes[FIVES] = at - PLAYS
    for kind in range(SINGLE, FOUR + 1):
        at = list_kind(hand, kind, view, notes, at)
    notes[ALL_PLAYS] = at - PLAYS
    return notes[FIVES], notes[ALL_PLAYS]


@kernel
def next_five(cards, at, end, notes):
    """Place of the next five-card play of some cards, from ``at`` on; ``end`` when there is none before."""
    if popcount(cards) >= np.uint64(5):
        while at < end:
            if notes[at] & DECK & ~cards == ZERO:
                return at
            at += ONE
    return end
