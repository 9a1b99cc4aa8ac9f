"""The fewest turns in which a hand can be played out, if nobody ever beat it: exact, for every part of a hand.

A way to part a hand into plays is some five-card plays without a card in common, and the rest by rank. What the rest
takes is a matter of counting ranks, and a hand has few five-card plays (nine on average among thirteen cards, 45 among
seventeen), so trying all sets of them that fit is far less work than a table over all subsets of the hand.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, popcount
from sim.games.pusoy_dos.plays import ranks_complete, ranks_held, ranks_tripled
from sim.games.pusoy_dos.rules import FOUR, TRIPLE
from sim.jit import kernel
from strategies.pusoy_dos.hand_plays import PLAYS

FIVE = np.uint64(5)


@kernel
def turns_by_rank(hand, rules):
    """Fewest turns for a hand without five-card plays (uint64): one a rank, two where its cards are no play together."""
    turns = popcount(ranks_held(hand))
    if not (rules.kinds >> FOUR) & 1:
        turns += popcount(ranks_complete(hand))
    if not (rules.kinds >> TRIPLE) & 1:
        turns += popcount(ranks_tripled(hand) & ~ranks_complete(hand))
    return turns


@kernel
def fewest_turns(hand, first, fives, notes, rules):
    """Fewest turns for a hand.

    Parameters
    ----------
    hand : uint64
        Any of the cards whose plays the notes list.
    first, fives : uint64
        The five-card plays listed are used from number ``first`` on, up to ``fives``: from 0 to the last, from outside.
    notes : uint64 array
    rules : record

    Returns
    -------
    uint64
    """
    best = turns_by_rank(hand, rules)
    if popcount(hand) >= FIVE:
        for i in range(PLAYS + first, PLAYS + fives):
            if notes[i] & ~hand == ZERO:
                best = min(best, ONE + fewest_turns(hand ^ notes[i], i - PLAYS + ONE, fives, notes, rules))
    return best
