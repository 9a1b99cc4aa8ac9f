"""What can be known of a position of Pusoy Dos: a seat's view, full positions consistent with it, where every card lies."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np

from sim.answers import NOT_SHORT, in_parts
from sim.bits import ONE, TWO, ZERO, lowest_bit, popcount
from sim.games.pusoy_dos.engine import write_view
from sim.games.pusoy_dos.lowest import lowest_answer, lowest_lead, lowest_opening
from sim.games.pusoy_dos.plain import plain_answer
from sim.games.pusoy_dos.plays import DECK, KIND_SHIFT
from sim.games.pusoy_dos.rules import LEFTOVER_REMOVE_LOWEST, OPENER_PREVIOUS_WINNER, OPENING_FREE, OPENING_SINGLE_ONLY, PAIR, SINGLE
from sim.jit import apart, kernel
from sim.rng import below

__all__ = ["DEFAULTS", "determinize", "expected_sizes", "write_view", "zones"]


SINGLES, PAIRS = np.uint64(SINGLE), np.uint64(PAIR)


@kernel
def lowest_short(view):
    """The answer of lowest_legal() to singles and pairs under the usual rules, which are three in four; NOT_SHORT to others."""
    kind = view.strength >> KIND_SHIFT
    if view.usual != 0:
        if kind == SINGLES:
            return np.int64(plain_answer(view.hand, view.table, SINGLES))
        if kind == PAIRS:
            return np.int64(plain_answer(view.hand, view.table, PAIRS))
    return np.int64(NOT_SHORT)


@kernel
def lowest_of_all(view):
    """As lowest_legal(), for any table and rules."""
    apart()
    if view.table == ZERO:
        if view.must != ZERO:
            if view.opening_must_include == OPENING_SINGLE_ONLY:
                return np.int64(view.must)
            return np.int64(lowest_opening(view.hand, view.must, view))
        play = lowest_lead(view.hand, view)
    else:
        play = lowest_answer(view.hand, view.table, view.strength, view)
    if view.top_single != 0 and popcount(play) == ONE:
        return np.int64(top_single(view))
    return np.int64(play)


@kernel
@in_parts(lowest_short, lowest_of_all)
def lowest_legal(view):
    """The lowest legal play of the largest size on lead, the lowest that beats the table otherwise, 0 when there is none."""
    answer = lowest_short(view)
    return answer if answer != NOT_SHORT else lowest_of_all(view)


@kernel
def top_single(view):
    """The highest card of the hand: the only single that may be played when the next player holds one card (PD-A20)."""
    card = view.hand
    while card & (card - ONE) != ZERO:
        card &= card - ONE
    return card


DEFAULTS = {"play": lowest_legal}


@kernel
def pick(s, cards):
    """A card of a set at random. Returns (state, mask of the card)."""
    s, j = below(s, popcount(cards))
    for _ in range(j):
        cards &= cards - ONE
    return s, lowest_bit(cards)


@kernel
def least_dealt(position, rules):
    """A card (a mask) of which everybody knows that nobody was dealt a lower one.

    It is the lowest card dealt when that must be in the opening play, or was in it (PD-8, PD-A13); otherwise the lowest of the deck,
    or the one above it when that was taken out (PD-A12).
    """
    if position.must != ZERO:
        return position.must
    if rules.opening_must_include != OPENING_FREE and (rules.opener != OPENER_PREVIOUS_WINNER or position.last_winner < 0):
        return lowest_bit(position.played[np.uint64(position.opener)])
    return TWO if rules.players == 3 and rules.leftover == LEFTOVER_REMOVE_LOWEST else ONE


@kernel
def determinize(position, seat, rules, s0, s1, s2, s3):
    """Replace what a seat cannot see by a random guess that agrees with all it knows.

    Cards that are neither in the seat's hand nor played are dealt out anew, as many to each seat as it holds, the rest left over. Before
    the first play the opener is known to hold the lowest card, later it lies on the table; nobody has a lower one. What others played
    or passed is not weighed.

    Parameters
    ----------
    position : record
        Changed in place; ``dealt`` is changed along with ``hands``.
    seat : int
    rules : record
    s0, s1, s2, s3 : uint64
        Start state of the stream to draw from.
    """
    s = (s0, s1, s2, s3)
    seat = np.uint64(seat)
    players = np.uint64(position.players)
    unseen = DECK & ~position.hands[seat]
    for other in range(players):
        unseen &= ~position.played[other]
    opener = np.uint64(position.opener)
    kept = ZERO
    if position.must != ZERO and opener != seat:
        # The opener shows by leading that he holds the lowest card dealt.
        kept = position.must
        unseen &= ~kept
    hidden = unseen & ~(least_dealt(position, rules) - ONE)
    left_over = popcount(position.leftover)
    for other in range(players):
        if other == seat:
            continue
        need = popcount(position.hands[other])
        hand = ZERO
        if other == opener and kept != ZERO:
            hand = kept
        while popcount(hand) < need:
            s, card = pick(s, hidden)
            hidden ^= card
            unseen ^= card
            hand |= card
        position.dealt[other] = hand | position.played[other]
        position.hands[other] = hand
    if left_over != ZERO:
        position.leftover = unseen


def zones(position: Any) -> dict[str, list[int]]:
    """Where every card lies: each hand, what each seat has played, what was left over, as strength indices."""
    places = {"left over": int(position.leftover)}
    for seat in range(int(position.players)):
        places[f"hand {seat + 1}"] = int(position.hands[seat])
        places[f"played {seat + 1}"] = int(position.played[seat])
    return {name: [card for card in range(52) if (mask >> card) & 1] for name, mask in places.items()}


def expected_sizes(position: Any) -> dict[str, int]:
    """How many cards each hand must hold: those dealt less those played."""
    return {
        f"hand {seat + 1}": int(position.dealt[seat]).bit_count() - int(position.played[seat]).bit_count()
        for seat in range(int(position.players))
    }
