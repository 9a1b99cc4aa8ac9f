"""Counting cards: what is still out, and how likely a play is to be beaten.

Every card that a seat neither holds nor has seen played is as likely to be in any place as in another. So an opponent
with n of U unseen cards holds k given ones with the chance n (n-1) … / U (U-1) …. The chance that nobody beats a play is
estimated from how many unseen combinations are higher, that chance, and how ready opponents are to use what they have.
It is 1 exactly when no unseen combination is higher, or nobody has cards enough: then the play is a control.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import math

import numpy as np

from sim.bits import ONE, TWO, ZERO, highest, popcount
from sim.games.pusoy_dos.counting import count_kind
from sim.games.pusoy_dos.lowest import lowest_of_kind
from sim.games.pusoy_dos.plays import (
    DECK,
    KEY,
    KIND_SHIFT,
    SUIT_SHIFT,
    is_single_two,
    rank_cards,
    ranks_complete,
    ranks_paired,
    ranks_tripled,
    size_of,
)
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUIT_FIRST,
    TRIPLE,
    TWO_PAIR,
)
from sim.jit import kernel
from strategies.pusoy_dos.moves import cards_left

READY_SINGLE, READY_MORE, READY_FIVE = np.uint64(0), np.uint64(1), np.uint64(2)
"""Places of the parameters that say how ready opponents are to beat a single, two to four cards, five cards."""

ALL = ~ZERO
LEAST_PART = 0.02
LEAST_CHANCE = 1e-3
"""So that only what cannot be beaten counts as a control, and no logarithm is of 0."""


@kernel
def unseen_cards(view):
    """Cards that this seat neither holds nor has seen played (mask)."""
    seen = view.hand
    for seat in range(np.uint64(view.players)):
        seen |= view.played[seat]
    return DECK & ~seen


@kernel
def holding(cards, size, total):
    """Chance that ``size`` given cards out of ``total`` are all among ``cards`` of them (floats)."""
    chance = 1.0
    for k in range(size):
        if cards <= k:
            return 0.0
        chance *= (cards - k) / (total - k)
    return chance


@kernel
def holdings(view, seats, unseen):
    """Chances that 1, 2, 3, 4 or 5 given unseen cards are together in the hand of one of the other players.

    Parameters
    ----------
    view : record
    seats : int64
        Bit set of the seats that count; this seat does not.
    unseen : uint64

    Returns
    -------
    tuple of five floats
        Sums over the players.
    """
    total = float(popcount(unseen))
    one = two = three = four = five = 0.0
    for seat in range(view.players):
        if seat != view.seat and (seats >> seat) & 1:
            cards = float(cards_left(view, seat))
            one += holding(cards, 1, total)
            two += holding(cards, 2, total)
            three += holding(cards, 3, total)
            four += holding(cards, 4, total)
            five += holding(cards, 5, total)
    return one, two, three, four, five


@kernel
def higher_cards(unseen, card):
    """How many unseen cards are higher than the one with index ``card``."""
    return popcount(unseen & (ALL << card))


@kernel
def higher_pairs(unseen, card):
    """In how many ranks unseen cards make a pair that beats one whose higher card has index ``card`` (PD-4)."""
    same = unseen & rank_cards(card)
    ranks = popcount(ranks_paired(unseen & ~rank_cards(card) & (ALL << card)))
    return ranks + ONE if same & (same - ONE) != ZERO and same >> card != ZERO else ranks


@kernel
def higher_ranks(ranks, rank):
    """How many of a set of ranks are higher than one."""
    return popcount(ranks & (ALL << (rank << TWO)) & ~rank_cards(rank << TWO))


@kernel
def survey_fives(view, unseen, notes, at):
    """Count the unseen five-card plays by kind: for kind k at ``at + 2 k`` those of higher kinds, next to it its own."""
    higher = ZERO
    for kind in range(STRAIGHT_FLUSH, TWO_PAIR - 1, -1):
        place = at + TWO * np.uint64(kind)
        own = count_kind(unseen, kind, view)
        notes[place] = higher
        notes[place + ONE] = own
        higher += own


@kernel
def higher_part(view, kind, key):
    """About which part of the plays of its own kind is higher than a five-card play."""
    part = 0.5
    if kind == STRAIGHT:
        part = (12.0 - float(key >> TWO)) / 8.0
    elif kind == FLUSH and view.flush_order == SUIT_FIRST:
        part = (3.0 - float(key >> SUIT_SHIFT)) / 4.0 + (12.0 - float(highest(key & DECK) >> TWO)) / 32.0
    elif kind == FLUSH:
        part = (12.0 - float(highest(key >> TWO) >> TWO)) / 8.0
    elif kind in (FULL_HOUSE, QUADS):
        part = (12.0 - float(key)) / 12.0
    return min(max(part, LEAST_PART), 1.0)


@kernel
def higher_fives(view, strength, unseen, notes, at):
    """About how many unseen five-card plays beat one, from a survey at ``at``; 0 exactly when none does."""
    kind = np.int64(strength >> KIND_SHIFT)
    place = at + TWO * np.uint64(kind)
    higher = notes[place]
    own = notes[place + ONE]
    if own == ZERO or (higher == ZERO and lowest_of_kind(unseen, kind, (strength & KEY) + ONE, ZERO, view) == ZERO):
        return float(higher)
    return float(higher) + higher_part(view, kind, strength & KEY) * float(own)


@kernel
def higher_of_rank(strength, unseen):
    """How many unseen cards, or ranks with two, three or four unseen cards, beat a play of fewer than five."""
    kind = np.int64(strength >> KIND_SHIFT)
    key = strength & KEY
    if kind == SINGLE:
        return float(higher_cards(unseen, key))
    if kind == PAIR:
        return float(higher_pairs(unseen, key))
    return float(higher_ranks(ranks_tripled(unseen) if kind == TRIPLE else ranks_complete(unseen), key))


@kernel
def hold_of_rank(view, strength, higher, chances, notes, at):
    """About how likely nobody beats a play of one to four cards that ``higher`` unseen ones beat; else as hold_chance()."""
    size = size_of(strength)
    if size > ONE:
        held = chances[1] if size == TWO else chances[2] if size == np.uint64(3) else chances[3]
        return math.exp(-view.parameters[READY_MORE] * held * higher)
    chance = math.exp(higher * math.log(max(1.0 - view.parameters[READY_SINGLE] * chances[0], LEAST_CHANCE)))
    if view.bombs != 0 and is_single_two(strength):
        place = at + TWO * np.uint64(QUADS)
        chance *= hold_of_five(view, float(notes[place] + notes[place + ONE]), chances)
    return chance


@kernel
def hold_of_five(view, higher, chances):
    """About how likely nobody beats a five-card play that ``higher`` unseen ones beat."""
    return 1.0 / (1.0 + view.parameters[READY_FIVE] * chances[4] * higher)


@kernel
def hold_chance(view, strength, unseen, chances, notes, at):
    """About how likely nobody beats a play.

    Parameters
    ----------
    view : record
    strength : uint64
        Strength of the play.
    unseen : uint64
    chances : tuple of five floats
        holdings() of those who may answer.
    notes : uint64 array; at : uint64
        Where the survey of unseen five-card plays is.

    Returns
    -------
    float
        1 exactly for a control.
    """
    if size_of(strength) == np.uint64(5):
        return hold_of_five(view, higher_fives(view, strength, unseen, notes, at), chances)
    return hold_of_rank(view, strength, higher_of_rank(strength, unseen), chances, notes, at)
