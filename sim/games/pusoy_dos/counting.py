"""How many plays of each kind a hand has, and the shape of its suits and runs: closed forms, nothing is listed."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, lowest, lowest_bit, popcount
from sim.games.pusoy_dos.plays import (
    FOUR_BITS,
    LANE,
    RANK,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
    ring_down,
    sequence_starts,
)
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPLE,
    TWO_PAIR,
)
from sim.jit import kernel


@kernel
def count_plays(hand, rules):
    """Number of plays of a hand (uint64): the length of list_plays()."""
    count = ZERO
    for kind in range(SINGLE, STRAIGHT_FLUSH + 1):
        count += count_kind(hand, kind, rules)
    return count


@kernel
def count_five_cards(hand, rules):
    """Number of five-card plays of a hand (uint64)."""
    count = ZERO
    for kind in range(TWO_PAIR, STRAIGHT_FLUSH + 1):
        count += count_kind(hand, kind, rules)
    return count


@kernel
def count_kind(hand, kind, rules):
    """Number of plays of one kind (PD-3, PD-5), 0 when the rules do not have it.

    Parameters
    ----------
    hand : uint64
        Mask over strength indices.
    kind : int
    rules : record

    Returns
    -------
    uint64
    """
    if not (rules.kinds >> kind) & 1:
        return ZERO
    if kind < TWO_PAIR:
        return count_same(hand, kind)
    if kind == STRAIGHT:
        return count_straights(hand, rules)
    if kind == FLUSH:
        return count_flushes(hand, rules)
    if kind == FULL_HOUSE:
        return count_full_houses(hand)
    if kind == QUADS:
        return popcount(ranks_complete(hand)) * (popcount(hand) - FOUR_BITS) if ranks_complete(hand) != ZERO else ZERO
    if kind == STRAIGHT_FLUSH:
        return popcount(sequence_starts(hand, rules))
    return count_two_pairs(hand)


@kernel
def count_same(hand, kind):
    """Number of singles, pairs, triples or bare fours, of any rank."""
    if kind == SINGLE:
        return popcount(hand)
    if kind == PAIR:
        return count_pairs(hand)
    return count_triples(hand) if kind == TRIPLE else popcount(ranks_complete(hand))


@kernel
def count_pairs(hand):
    """Number of pairs: one, three or six in a rank with two, three or four cards."""
    return popcount(ranks_paired(hand)) + TWO * popcount(ranks_tripled(hand)) + np.uint64(3) * popcount(ranks_complete(hand))


@kernel
def count_triples(hand):
    """Number of triples: one or four in a rank with three or four cards."""
    return popcount(ranks_tripled(hand)) + np.uint64(3) * popcount(ranks_complete(hand))


@kernel
def count_full_houses(hand):
    """Number of full houses."""
    count = ZERO
    ranks = ranks_tripled(hand)
    while ranks != ZERO:
        cards = hand & (lowest_bit(ranks) * RANK)
        count += count_triples(cards) * (count_pairs(hand) - count_pairs(cards))
        ranks &= ranks - ONE
    return count


@kernel
def count_two_pairs(hand):
    """Number of two pairs with a card of a third rank (PD-A25)."""
    count = ZERO
    highs = ranks_paired(hand)
    while highs != ZERO:
        high = lowest_bit(highs)
        highs ^= high
        cards = hand & (high * RANK)
        lows = ranks_paired(hand) & (high - ONE)
        while lows != ZERO:
            both = cards | (hand & (lowest_bit(lows) * RANK))
            count += count_pairs(cards) * count_pairs(both ^ cards) * popcount(hand ^ both)
            lows &= lows - ONE
    return count


@kernel
def count_straights(hand, rules):
    """Number of straights; those of one suit only when the rules make nothing higher of them (PD-A25)."""
    count = ZERO
    starts = sequence_starts(ranks_held(hand), rules)
    while starts != ZERO:
        turned = ring_down(hand, lowest(starts))
        product = ONE
        for _ in range(5):
            product *= popcount(turned & RANK)
            turned >>= FOUR_BITS
        count += product
        starts &= starts - ONE
    return count if rules.suited_kind == STRAIGHT else count - popcount(sequence_starts(hand, rules))


@kernel
def count_flushes(hand, rules):
    """Number of flushes that are no straight flushes, while those exist."""
    count = ZERO
    for suit in range(4):
        count += choose_5(popcount(hand & (LANE << np.uint64(suit))))
    return count - popcount(sequence_starts(hand, rules)) if rules.suited_kind == STRAIGHT_FLUSH else count


@kernel
def choose_5(n):
    """Number of ways to choose 5 of n."""
    if n < np.uint64(5):
        return ZERO
    return n * (n - ONE) * (n - TWO) * (n - np.uint64(3)) * (n - FOUR_BITS) // np.uint64(120)


@kernel
def sequences(hand, rules):
    """Number of five ranks in sequence, of any suits, that the rules allow as straights (PD-A1)."""
    return popcount(sequence_starts(ranks_held(hand), rules))


@kernel
def longest_run(hand):
    """Length of the longest run of ranks in the order 3, 4 … A, 2."""
    ranks = ranks_held(hand)
    length = ZERO
    while ranks != ZERO:
        ranks &= ranks >> FOUR_BITS
        length += ONE
    return length


@kernel
def suit_length(hand, suit):
    """Number of cards of the suit at a place (uint64) of the suit order."""
    return popcount(hand & (LANE << suit))


@kernel
def suit_split(hand):
    """Lengths of the four suits, longest first, four bits each: 0x4432 is 4-4-3-2."""
    a, b = in_order(suit_length(hand, ZERO), suit_length(hand, ONE))
    c, d = in_order(suit_length(hand, TWO), suit_length(hand, np.uint64(3)))
    a, c = in_order(a, c)
    b, d = in_order(b, d)
    b, c = in_order(b, c)
    return (a << np.uint64(12)) | (b << np.uint64(8)) | (c << FOUR_BITS) | d


@kernel
def in_order(a, b):
    """Two numbers, the bigger one first."""
    return max(a, b), min(a, b)


@kernel
def longest_suit(hand):
    """Number of cards of the longest suit."""
    return suit_split(hand) >> np.uint64(12)
