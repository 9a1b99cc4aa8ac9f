"""Tres y Dos played alone: how many draws from the stock a full house takes (TYD-O5, TYD-O6, TYD-O7).

The player holds five cards and repeats: draw the top card of the stock, stop if the six cards hold a full house, else
discard one card for good. Cards of other players and the up-card are unseen cards like any other, so the law of the
number of draws also holds for one player at a full table as long as the stock lasts and nobody else wins first.

With a pack of 52 a position is, for each rank, how many cards are held and how many are unseen; which rank is which
does not matter. So a position is stored as one integer with a four-bit counter for every possible (held, unseen) pair
of a rank, and drawing or discarding a card adds a constant to it.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb, factorial, lcm
from typing import NamedTuple

from analysis.exact.patterns import (
    HAND,
    PACK,
    RANKS,
    SUITS,
    Pattern,
    after_discard,
    after_draw,
    hands_with_pattern,
    holds_full_house,
    partitions,
    pattern_name,
)


class ExpectedDraws(NamedTuple):
    """Expected number of draws until a full house.

    Attributes
    ----------
    by_pattern : dict of str to Fraction
        Expected draws from a hand of each pattern; 0 for ``"3-2"``.
    overall : Fraction
        Average over the five cards dealt from the pack; a dealt full house counts 0 draws.
    """

    by_pattern: dict[str, Fraction]
    overall: Fraction


# --- infinite deck -------------------------------------------------------------------------------------------------

_Policy = dict[Pattern, Pattern]


def solitaire_infinite() -> ExpectedDraws:
    """Find the least expected draws when every drawn rank is uniform on thirteen, whatever came before (TYD-O5).

    A hand is then only its pattern, five of a kind included, and its value obeys ``E = 1 + sum over drawn ranks of
    1/13 times the least E among the discards``, with 0 for a full house. Policy iteration solves this exactly: solve
    the linear equations of a policy, let every discard be the best one for these values, repeat until no discard
    gets better. It starts from the policy that keeps the hand which lacks fewest cards of a full house. That policy
    ends with probability one: it never falls back, since the drawn card itself may go, and any hand has a rank which
    brings it one card closer.

    Returns
    -------
    ExpectedDraws
        Values of the seven patterns of five cards; `overall` averages them over a deal from 52 cards.
    """
    hands = list(partitions(HAND, HAND))
    waiting = [hand for hand in hands if not holds_full_house(hand)]
    sixes = {six for hand in waiting for _, six in _draws_of_pattern(hand) if not holds_full_house(six)}
    policy: _Policy = {six: min(_discards_of_pattern(six), key=_cards_short) for six in sixes}
    while True:
        values = dict.fromkeys(hands, Fraction(0)) | _evaluate(waiting, policy)
        better = {six: min([kept, *_discards_of_pattern(six)], key=values.__getitem__) for six, kept in policy.items()}
        if better == policy:
            return _averaged(values, RANKS)
        policy = better


def _draws_of_pattern(hand: Pattern) -> Iterator[tuple[int, Pattern]]:
    """Yield how many of the thirteen ranks lead to which six cards."""
    for place in range(len(hand)):
        yield 1, after_draw(hand, place)
    yield RANKS - len(hand), after_draw(hand, len(hand))


def _discards_of_pattern(six: Pattern) -> list[Pattern]:
    """Return the hands that a discard can leave, those after throwing a card of the smallest group first."""
    return [after_discard(six, place) for place in reversed(range(len(six)))]


def _cards_short(hand: Pattern) -> int:
    largest, second = (*hand, 0)[:2]
    return HAND - min(largest, 3) - min(second, 2)


def _evaluate(waiting: list[Pattern], policy: _Policy) -> dict[Pattern, Fraction]:
    """Solve the equations of one policy, multiplied by thirteen: 13 E(hand) - sum of E(next hand) = 13."""
    row_of = {hand: row for row, hand in enumerate(waiting)}
    matrix = [[Fraction(0)] * len(waiting) for _ in waiting]
    for hand, row in row_of.items():
        matrix[row][row] += RANKS
        for ranks, six in _draws_of_pattern(hand):
            if not holds_full_house(six):
                matrix[row][row_of[policy[six]]] -= ranks
    return dict(zip(waiting, _solve(matrix, [Fraction(RANKS)] * len(waiting)), strict=True))


def _solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a regular linear system by Gauss-Jordan elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = next(row for row in range(column, len(rows)) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row, line in enumerate(rows):
            if row != column and line[column]:
                rows[row] = [a - line[column] * b for a, b in zip(line, rows[column], strict=True)]
    return [row[-1] for row in rows]


def _averaged(values: dict[Pattern, Fraction], ranks: int) -> ExpectedDraws:
    """Name the patterns and average over a deal of five cards."""
    total = sum(
        (value * hands_with_pattern(hand, ranks) for hand, value in values.items()),
        start=Fraction(0),
    )
    by_pattern = {pattern_name(hand): value for hand, value in values.items()}
    return ExpectedDraws(by_pattern, total / comb(ranks * SUITS, HAND))


# --- positions of a finite pack --------------------------------------------------------------------------------------

_KINDS = [(held, unseen) for held in range(SUITS + 1) for unseen in range(SUITS + 1 - held)]
_SHIFT = {kind: 4 * index for index, kind in enumerate(_KINDS)}
_UNIT = {kind: 1 << shift for kind, shift in _SHIFT.items()}
_DRAWABLE = [(_SHIFT[held, unseen], unseen, _UNIT[held + 1, unseen - 1] - _UNIT[held, unseen]) for held, unseen in _KINDS if unseen]
_DISCARDABLE = {
    size: [(_SHIFT[held, unseen], _UNIT[held - 1, unseen] - _UNIT[held, unseen]) for held, unseen in _KINDS if held == size]
    for size in range(1, SUITS + 1)
}
_ANY_DISCARD = [change for changes in _DISCARDABLE.values() for change in changes]
_PAIR_SHIFTS = [_SHIFT[kind] for kind in _KINDS if kind[0] == 2]
_TRIPLE_SHIFTS = [_SHIFT[kind] for kind in _KINDS if kind[0] > 2]


def _dealt(hand: Pattern, ranks: int) -> int:
    """Return the position in which `hand` is held and every other card is unseen."""
    return sum(_UNIT[held, SUITS - held] for held in hand) + (ranks - len(hand)) * _UNIT[0, SUITS]


def _drawn(position: int) -> list[tuple[int, int]]:
    """Return, for each kind of rank that can be drawn, the number of unseen cards and the position after it."""
    return [((position >> shift & 15) * unseen, position + change) for shift, unseen, change in _DRAWABLE if position >> shift & 15]


def _won(position: int) -> bool:
    """Tell whether the held cards include three of one rank and two of another."""
    triples = sum(position >> shift & 15 for shift in _TRIPLE_SHIFTS)
    return triples > 0 and (triples > 1 or any(position >> shift & 15 for shift in _PAIR_SHIFTS))


# --- finite deck, best play ------------------------------------------------------------------------------------------


def solitaire_finite(ranks: int = RANKS) -> ExpectedDraws:
    """Find the least expected draws from a finite pack without replacement, discards being dead (TYD-O6).

    Dynamic programme over all positions (held, unseen) that any discards can reach. With U unseen cards
    ``E = 1 + sum over unseen cards of 1/U times the least E among the discards``. Multiplied by U! this is
    ``N = U! + sum over unseen cards of the least N among the discards``, where a position one draw later carries
    (U - 1)!: everything stays an integer and only the results become fractions, which makes 120,107 positions a
    matter of seconds.

    A hand that runs out of cards never wins. Such an end weighs more than U U!, the most that a hand which is sure to
    win can cost, so a line of play that might run out is chosen only if every other one might, too.

    Parameters
    ----------
    ranks : int, optional
        Number of ranks, each in four suits; 13 is the real pack, smaller ones can be checked by other means.

    Returns
    -------
    ExpectedDraws
        Values of the patterns which that pack can deal.

    Raises
    ------
    ValueError
        If `ranks` is not between 2 and 13.
    """
    if not 2 <= ranks <= RANKS:
        raise ValueError(f"ranks must be between 2 and {RANKS}, not {ranks}")
    stock = ranks * SUITS - HAND
    factorials = [factorial(cards) for cards in range(stock + 1)]
    never = factorial(stock + 1)

    @cache
    def before_draw(position: int, unseen: int) -> int:
        if not unseen:
            return never
        scaled = factorials[unseen]
        for cards, six in _drawn(position):
            scaled += cards * before_discard(six, unseen - 1)
        return scaled

    @cache
    def before_discard(six: int, unseen: int) -> int:
        if _won(six):
            return 0
        return min(before_draw(six + change, unseen) for shift, change in _ANY_DISCARD if six >> shift & 15)

    values = {}
    for hand in partitions(HAND, SUITS):
        if len(hand) <= ranks:
            scaled = 0 if holds_full_house(hand) else before_draw(_dealt(hand, ranks), stock)
            values[hand] = Fraction(scaled, factorials[stock])
    return _averaged(values, ranks)


# --- finite deck, policy G -------------------------------------------------------------------------------------------


def policy_g_cdf(tmax: int = 20) -> list[Fraction]:
    """Compute the exact law of the number of draws under policy G (TYD-O7).

    Policy G draws from the stock only, wins if it can, else discards one of its single ranks, all equally likely, and
    with three pairs a card of one of them, all equally likely. The probabilities of all positions are pushed forward
    one draw at a time. After t draws they are integers over ``C(52, 5) * 47 * 46 * … * (48 - t) * 60**t``: a draw
    divides by the unseen cards and the number of ranks to choose from, one to six, divides 60.

    Other hands and the up-card are unseen cards like the stock, so this is also the law of one player's own draws at a
    table of n while the first stock lasts and nobody else ends the hand: up to t = 20, 12, 7, 5, 3, 2 for n = 2, …, 7.

    Parameters
    ----------
    tmax : int, optional
        Greatest number of draws, at most the 47 unseen cards.

    Returns
    -------
    list of Fraction
        P(T <= t) for t = 0, …, `tmax`, where T = 0 is a dealt full house.

    Raises
    ------
    ValueError
        If `tmax` is negative or above 47.
    """
    stock = PACK - HAND
    if not 0 <= tmax <= stock:
        raise ValueError(f"tmax must be between 0 and {stock}, not {tmax}")
    choices = lcm(*range(1, HAND + 2))
    scale = comb(PACK, HAND)
    weights = {_dealt(hand, RANKS): hands_with_pattern(hand) for hand in partitions(HAND, SUITS)}
    playing = {position: weight for position, weight in weights.items() if not _won(position)}
    law = [1 - Fraction(sum(playing.values()), scale)]
    for drawn in range(tmax):
        sixes: defaultdict[int, int] = defaultdict(int)
        for position, weight in playing.items():
            for cards, six in _drawn(position):
                sixes[six] += weight * cards
        hands: defaultdict[int, int] = defaultdict(int)
        for six, weight in sixes.items():
            if not _won(six):
                options = _policy_g_discards(six)
                share = weight * (choices // sum(count for count, _ in options))
                for count, position in options:
                    hands[position] += share * count
        playing = dict(hands)
        scale *= (stock - drawn) * choices
        law.append(1 - Fraction(sum(playing.values()), scale))
    return law


def _policy_g_discards(six: int) -> list[tuple[int, int]]:
    """Return, for each kind of rank that policy G may discard, how many such ranks there are and the position after."""
    singles, pairs = ([(six >> shift & 15, six + change) for shift, change in _DISCARDABLE[size] if six >> shift & 15] for size in (1, 2))
    return singles or pairs
