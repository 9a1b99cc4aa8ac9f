"""Exact results of Tres y Dos: what is dealt, what the first cards bring, and how long a full house takes alone.

Every number is a fraction that follows from counting cards or from solving a dynamic programme. The patterns of
TYD-O1 come from `analysis.exact.patterns`, the draw-and-discard solitaires of TYD-O5 to TYD-O7 from
`analysis.exact.solitaire`; both are offered here too, so that this module holds all exact results of the game.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb, factorial, perm, prod

from analysis.exact.patterns import (
    HAND,
    PACK,
    RANKS,
    SUITS,
    Pattern,
    after_draw,
    hands_with_pattern,
    holds_full_house,
    partitions,
    rank_patterns,
)
from analysis.exact.solitaire import ExpectedDraws, policy_g_cdf, solitaire_finite, solitaire_infinite

__all__ = [
    "ExpectedDraws",
    "all_full_house",
    "any_full_house",
    "completed_by_first_draw",
    "first_six_full_house",
    "full_house_given_gone",
    "policy_g_cdf",
    "rank_patterns",
    "solitaire_finite",
    "solitaire_infinite",
    "starter_first_turn",
    "tie_at_deal",
]

MOST_PLAYERS = 7


def all_full_house(n: int) -> Fraction:
    """Compute the probability that all of n players are dealt a full house (TYD-O2).

    Favourable deals over all deals, the players being told apart. The triples need n different ranks, in four ways
    each, because four cards do not make two triples; a rank with a triple has one card left and gives nobody a pair.
    Two players may have their pair in the same rank: with j such couples, which can be formed in
    ``n! / ((n - 2j)! j! 2**j)`` ways, the pairs use n - j of the other ranks, and a rank is dealt in six ways whether
    it gives one pair or, to two named players, two.

    Parameters
    ----------
    n : int
        Number of players, 1 to 7 (TYD-1; one player is a single hand).

    Returns
    -------
    Fraction
        The probability.

    Raises
    ------
    ValueError
        If `n` is out of range.
    """
    _check_players(n)
    return _named_players_all_full(n)


def any_full_house(n: int) -> Fraction:
    """Compute the probability that at least one of n players is dealt a full house (TYD-O2).

    Inclusion and exclusion over the sets of players, from the probabilities of `all_full_house`.

    Parameters
    ----------
    n : int
        Number of players, 1 to 7.

    Returns
    -------
    Fraction
        The probability.

    Raises
    ------
    ValueError
        If `n` is out of range.
    """
    _check_players(n)
    terms = ((-1) ** (k + 1) * comb(n, k) * _named_players_all_full(k) for k in range(1, n + 1))
    return sum(terms, start=Fraction(0))


def tie_at_deal(n: int) -> Fraction:
    """Compute the probability that at least two of n players are dealt a full house (TYD-O2).

    Such a deal is a tie which TYD-11 decides. Inclusion and exclusion for "at least two": a deal with m full houses is
    counted ``sum over k of (-1)**k (k - 1) C(m, k)`` times, which is 1 for m >= 2 and 0 for m = 0 and 1 if k starts
    at 2.

    Parameters
    ----------
    n : int
        Number of players, 1 to 7.

    Returns
    -------
    Fraction
        The probability; 0 for a single player.

    Raises
    ------
    ValueError
        If `n` is out of range.
    """
    _check_players(n)
    terms = ((-1) ** k * (k - 1) * comb(n, k) * _named_players_all_full(k) for k in range(2, n + 1))
    return sum(terms, start=Fraction(0))


def _check_players(n: int) -> None:
    if not 1 <= n <= MOST_PLAYERS:
        raise ValueError(f"the number of players must be between 1 and {MOST_PLAYERS}, not {n}")


def _named_players_all_full(k: int) -> Fraction:
    triples = perm(RANKS, k) * comb(SUITS, 3) ** k
    pairs = 0
    for couples in range(k // 2 + 1):
        partners = factorial(k) // (factorial(k - 2 * couples) * factorial(couples) * 2**couples)
        pairs += partners * perm(RANKS - k, k - couples) * comb(SUITS, 2) ** (k - couples)
    deals = prod(comb(PACK - HAND * seat, HAND) for seat in range(k))
    return Fraction(triples * pairs, deals)


def first_six_full_house() -> Fraction:
    """Compute the probability that six cards hold a full house: dealt, or completed by one blind draw (TYD-O3).

    Six cards hold one if their pattern is 3-2-1, 3-3 or 4-2.

    Returns
    -------
    Fraction
        The probability.
    """
    winning = sum(hands_with_pattern(six) for six in partitions(HAND + 1, SUITS) if holds_full_house(six))
    return Fraction(winning, comb(PACK, HAND + 1))


def completed_by_first_draw() -> Fraction:
    """Compute the probability that no full house is dealt and the first blind draw completes one (TYD-O3).

    Sum over the dealt patterns of their probability times outs / 47.

    Returns
    -------
    Fraction
        The probability.
    """
    unseen = PACK - HAND
    waiting = _waiting_hands()
    return sum((chance * Fraction(_outs(hand), unseen) for hand, chance in waiting.items()), start=Fraction(0))


def starter_first_turn(including_dealt: bool = False) -> Fraction:
    """Compute the probability that the starter has a full house after his first turn (TYD-O4).

    He takes the up-card if it completes his hand (TYD-8), else the top card of the stock. With o outs among 47 unseen
    cards he succeeds with ``o/47 + (47 - o)/47 * o/46``. The number of players does not matter, because the other
    hands are unseen cards.

    Parameters
    ----------
    including_dealt : bool, optional
        Whether a dealt full house counts as well.

    Returns
    -------
    Fraction
        The probability, of all deals.
    """
    unseen = PACK - HAND
    total = rank_patterns()["3-2"][1] if including_dealt else Fraction(0)
    for hand, chance in _waiting_hands().items():
        outs = _outs(hand)
        up_card = Fraction(outs, unseen)
        total += chance * (up_card + (1 - up_card) * Fraction(outs, unseen - 1))
    return total


def _waiting_hands() -> dict[Pattern, Fraction]:
    """Return the probability of each dealt pattern that is not a full house."""
    return {hand: Fraction(hands_with_pattern(hand), comb(PACK, HAND)) for hand in partitions(HAND, SUITS) if not holds_full_house(hand)}


def _outs(hand: Pattern) -> int:
    """Count the unseen cards that complete a hand; a card of a rank not held never does."""
    return sum(SUITS - held for place, held in enumerate(hand) if holds_full_house(after_draw(hand, place)))


def full_house_given_gone(cards: Iterable[int]) -> Fraction:
    """Compute the probability that five cards are a full house when known cards are gone (case K2-007).

    Three of the remaining cards of one rank and two of those of another, over all hands of five remaining cards.

    Parameters
    ----------
    cards : iterable of int
        The cards that are no longer in the pack, each numbered 0 to 51 as 4 * rank + suit.

    Returns
    -------
    Fraction
        The conditional probability.

    Raises
    ------
    ValueError
        If a number is not a card, a card occurs twice, or fewer than five cards are left.
    """
    gone = list(cards)
    if any(not 0 <= card < PACK for card in gone):
        raise ValueError(f"cards are numbered 0 to {PACK - 1}: {gone}")
    if len(set(gone)) != len(gone):
        raise ValueError(f"a card is named twice: {gone}")
    if PACK - len(gone) < HAND:
        raise ValueError(f"only {PACK - len(gone)} cards are left, a hand needs {HAND}")
    taken = Counter(card // SUITS for card in gone)
    left = [SUITS - taken[rank] for rank in range(RANKS)]
    winning = sum(comb(left[triple], 3) * comb(left[pair], 2) for triple in range(RANKS) for pair in range(RANKS) if triple != pair)
    return Fraction(winning, comb(sum(left), HAND))
