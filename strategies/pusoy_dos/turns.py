"""The fewest turns in which a hand can be played out, if nobody ever beat it: exact, for every part of a hand.

A way to part a hand into plays is some five-card plays without a card in common, and the rest by rank. What the rest
takes is a matter of counting ranks, and a hand has few five-card plays (nine on average among thirteen cards, 45 among
seventeen), so trying all sets of them that fit is far less work than a table over all subsets of the hand.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from sim.bits import ONE, ZERO, popcount
from sim.games.pusoy_dos.plays import ranks_complete, ranks_held, ranks_tripled
from sim.games.pusoy_dos.rules import FOUR, TRIPLE
from sim.jit import kernel
from strategies.pusoy_dos.hand_plays import CHOSEN, PLAYS, next_five


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
def fewest_turns(hand, fives, notes, rules):
    """Fewest turns for a hand.

    Parameters
    ----------
    hand : uint64
        Any of the cards whose plays the notes list.
    fives : uint64
        Five-card plays in the notes.
    notes : uint64 array
    rules : record

    Returns
    -------
    uint64
    """
    best = turns_by_rank(hand, rules)
    chosen = ZERO
    end = PLAYS + fives
    at = next_five(hand, PLAYS, end, notes)
    while at < end or chosen != ZERO:
        if at < end:
            notes[CHOSEN + chosen] = at
            chosen += ONE
            hand ^= notes[at]
            best = min(best, chosen + turns_by_rank(hand, rules))
        else:  # all sets with the plays chosen have been tried: give the last one back
            chosen -= ONE
            at = notes[CHOSEN + chosen]
            hand ^= notes[at]
        at = next_five(hand, at + ONE, end, notes)
    return best
