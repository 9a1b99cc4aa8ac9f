"""What a hand of Tres y Dos is made of: its rank pattern, and the cards it can spare.

Patterns from worst to best, by how soon they become a full house: five different ranks, one pair, two pairs, four of a
kind, three of a kind, full house. Four of a kind ranks below three because its fourth card waits for nothing.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, count_of, exactly_1, exactly_2, exactly_3, exactly_4, lowest_bit, popcount
from sim.jit import kernel

ALL_DIFFERENT, ONE_PAIR, TWO_PAIRS, FOUR, THREE, FULL_HOUSE = 0, 1, 2, 3, 4, 5
"""Patterns of five cards, worst to best."""


@kernel
def pattern_of(hand):
    """The pattern of five cards (counted ranks): ALL_DIFFERENT … FULL_HOUSE, int64."""
    if exactly_4(hand) != ZERO:
        return np.int64(FOUR)
    pairs = exactly_2(hand)
    if exactly_3(hand) != ZERO:
        return np.int64(FULL_HOUSE if pairs != ZERO else THREE)
    return np.int64(popcount(pairs))


@kernel
def is_full_house(hand):
    """Whether five cards are three of one rank and two of another (TYD-9): the only five without a rank held once."""
    return exactly_1(hand) == ZERO


@kernel
def best_pattern(hand, throws):
    """The best pattern left of six cards after throwing one of the ranks ``throws`` (a bit at each rank's place)."""
    best = np.int64(-1)
    while throws != ZERO:
        bit = lowest_bit(throws)
        throws ^= bit
        best = max(best, pattern_of(hand - bit))
    return best


@kernel
def spare(hand, legal):
    """The ranks among ``legal`` that six cards can best do without, one bit at each rank's place (at least one is set).

    Throwing any of them leaves the best pattern: the fourth of a kind, else a single, else one of a pair, else one of a
    triple.
    """
    ranks = exactly_4(hand) & legal
    if ranks == ZERO:
        ranks = exactly_1(hand) & legal
    if ranks == ZERO:
        ranks = exactly_2(hand) & legal
    if ranks == ZERO:
        ranks = exactly_3(hand) & legal
    return ranks


@kernel
def makes_more_of(hand, rank):
    """Whether one more of ``rank`` makes a pair or three of a kind: one or two are held (of NO_RANK there are none)."""
    held = count_of(hand, rank)
    return (held == ONE) | (held == TWO)
