"""Rank patterns: hands of cards when only equality of ranks matters (TYD-2).

A pattern is the sorted list of how many cards of each held rank there are, written ``"3-1-1"``. Inside the package it
is a tuple of descending counts.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, perm, prod

RANKS = 13
SUITS = 4
PACK = RANKS * SUITS
HAND = 5

Pattern = tuple[int, ...]


def pattern_name(pattern: Pattern) -> str:
    """Write a pattern as text.

    Parameters
    ----------
    pattern : tuple of int
        Cards held of each rank, in descending order.

    Returns
    -------
    str
        The counts joined by hyphens, such as ``"2-2-1"``.
    """
    return "-".join(map(str, pattern))


def partitions(cards: int, largest: int) -> Iterator[Pattern]:
    """Yield every way of writing a number of cards as descending counts.

    Parameters
    ----------
    cards : int
        Number of cards in the hand.
    largest : int
        Greatest number of cards that one rank can give.

    Yields
    ------
    tuple of int
        Descending positive counts that add up to `cards`, greatest first.
    """
    if cards == 0:
        yield ()
    for first in range(min(cards, largest), 0, -1):
        for rest in partitions(cards - first, first):
            yield (first, *rest)


def hands_with_pattern(pattern: Pattern, ranks: int = RANKS) -> int:
    """Count the sets of cards that show a pattern.

    The ranks are given to the counts in order, ``ranks! / (ranks - k)!`` ways; equal counts make the same hand, so
    this is divided by the factorial of how often each count occurs; each rank then picks its cards among four suits.

    Parameters
    ----------
    pattern : tuple of int
        Descending counts.
    ranks : int, optional
        Number of ranks in the pack.

    Returns
    -------
    int
        Number of hands.
    """
    orders = prod(factorial(times) for times in Counter(pattern).values())
    return perm(ranks, len(pattern)) // orders * prod(comb(SUITS, count) for count in pattern)


def holds_full_house(pattern: Pattern) -> bool:
    """Tell whether five of the cards are three of one rank and two of another (TYD-9).

    Parameters
    ----------
    pattern : tuple of int
        Descending counts of a hand of any size.

    Returns
    -------
    bool
        True for 3-2 and for every larger hand that contains it; four and one is not a win (TYD-A8).
    """
    return len(pattern) > 1 and pattern[0] >= 3 and pattern[1] >= 2


def after_draw(pattern: Pattern, place: int) -> Pattern:
    """Add one card to a pattern.

    Parameters
    ----------
    pattern : tuple of int
        Descending counts.
    place : int
        Index of the rank that grows; ``len(pattern)`` stands for a rank not held so far.

    Returns
    -------
    tuple of int
        The descending counts with one card more.
    """
    grown = [*pattern, 0]
    grown[place] += 1
    return tuple(sorted(filter(None, grown), reverse=True))


def after_discard(pattern: Pattern, place: int) -> Pattern:
    """Take one card from a pattern.

    Parameters
    ----------
    pattern : tuple of int
        Descending counts.
    place : int
        Index of the rank that gives the card.

    Returns
    -------
    tuple of int
        The descending counts with one card less.
    """
    shrunk = [*pattern]
    shrunk[place] -= 1
    return tuple(sorted(filter(None, shrunk), reverse=True))


def rank_patterns() -> dict[str, tuple[int, Fraction]]:
    """Count the five-card hands by rank pattern (TYD-O1).

    Each pattern is counted by `hands_with_pattern`; the patterns together are all ``C(52, 5)`` hands.

    Returns
    -------
    dict of str to tuple of (int, Fraction)
        For each of the six patterns, from ``"4-1"`` to ``"1-1-1-1-1"``, the number of hands and the probability of
        being dealt one.
    """
    hands = comb(PACK, HAND)
    counts = {pattern: hands_with_pattern(pattern) for pattern in partitions(HAND, SUITS)}
    return {pattern_name(pattern): (count, Fraction(count, hands)) for pattern, count in counts.items()}
