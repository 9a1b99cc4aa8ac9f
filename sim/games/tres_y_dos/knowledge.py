"""What can be known of a position of Tres y Dos: a seat's view, positions consistent with it, where every card lies."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np

from sim.ahead import set_stream
from sim.bits import NIBBLE, ONE, TWO, ZERO, count_of, lowest, rank_bit, total
from sim.games.tres_y_dos.engine import full_house
from sim.games.tres_y_dos.engine import write_view as write_mover_view
from sim.games.tres_y_dos.rules import SHOW_OWN_TURN
from sim.games.tres_y_dos.view import DISCARDING, DRAWING, NO_RANK, OPENING, SHOWING
from sim.jit import kernel
from sim.rng import below
from sim.view import MAX_SEATS

__all__ = ["DEFAULTS", "determinize", "expected_sizes", "write_view", "zones"]

FULL_DECK = np.uint64(0x4444444444444)  # four of each rank
ALL_CARDS = np.uint64((1 << 52) - 1)
TRIES = 64


@kernel
def default_draw(view):
    """Draw from the stock."""
    return 0


@kernel
def default_discard(view):
    """Discard the lowest rank that may be discarded."""
    return np.int64(lowest(view.legal) >> TWO)


@kernel
def default_show(view):
    """Show every full house, and nothing else."""
    return np.int64(full_house(view.hand))


DEFAULTS = {"draw": default_draw, "discard": default_discard, "show": default_show}


@kernel
def draw_rank(s, pool):
    """Draw one card from a counted-rank word at random. Returns (state, rank)."""
    s, j = below(s, total(pool))
    rank = ZERO
    while j >= count_of(pool, rank):
        j -= count_of(pool, rank)
        rank += ONE
    return s, rank


@kernel
def write_view(position, view, seat, rules):
    """Write the whole view of any seat from a position at rest: what somebody has just drawn only he knows (TYD-4)."""
    write_mover_view(position, view, seat, rules)
    if position.phase != DISCARDING or np.int64(seat) != position.seat:
        view.legal = ZERO
        view.drawn = NO_RANK
        view.taken = NO_RANK


@kernel
def hide(position, seat, s):
    """Draw the hidden cards of a position anew, as ``seat`` may imagine them. Returns the state."""
    seat = np.uint64(seat)
    players = np.uint64(position.players)
    mover = np.uint64(position.seat)
    unseen = FULL_DECK - position.hands[seat] - position.pile_counts
    for other in range(players):
        if other != seat:
            unseen -= position.known[other]
    # After a reshuffle only ranks that lay in the pile then can be in the stock.
    pool = unseen
    if position.epoch != 0:
        recycled = position.recycled - position.own_draws[seat]
        pool = ZERO
        for rank in range(np.uint64(13)):
            pool += min(count_of(unseen, rank), count_of(recycled, rank)) << (rank << TWO)
    # A card that somebody else has just drawn lay in the stock a moment ago.
    just_drawn = ZERO
    if position.phase == DISCARDING and mover != seat and position.taken == NO_RANK:
        s, rank = draw_rank(s, pool)
        just_drawn = rank_bit(rank)
        pool -= just_drawn
        unseen -= just_drawn
        position.drawn = np.int64(rank)
    for i in range(np.uint64(position.left)):
        s, rank = draw_rank(s, pool)
        pool -= rank_bit(rank)
        unseen -= rank_bit(rank)
        position.stock[i] = np.uint8(rank << TWO)
    for other in range(players):
        if other == seat:
            continue
        held = total(position.hands[other])
        hand = position.known[other]
        if other == mover:
            hand += just_drawn
        while total(hand) < held:
            s, rank = draw_rank(s, unseen)
            unseen -= rank_bit(rank)
            hand += rank_bit(rank)
        position.hands[other] = hand
        position.own_draws[other] = ZERO  # what others drew since the last reshuffle is hidden too
    return s


@kernel
def determinize(position, seat, rules, s0, s1, s2, s3):
    """Replace what a seat cannot see by a random guess that agrees with all it knows.

    Every rank that is not in the seat's hand, in the pile or known to be held is dealt out anew: to the stock (after a
    reshuffle only ranks that went into it) and to the other hands (what a seat is known to hold stays there). With full
    houses shown as soon as they are noticed, guesses in which somebody sits on one that he would have shown are drawn
    again (a bounded number of times). Suits do not matter in this game (TYD-2): the guess is one of ranks, and its
    suits are any that are left.

    Parameters
    ----------
    position : record
        Changed in place.
    seat : int
    rules : record
    s0, s1, s2, s3 : uint64
        Start state of the stream to draw from; the position's own stream is replaced too, so that coming draws are
        fresh.
    """
    s = (s0, s1, s2, s3)
    for _ in range(TRIES):
        s = hide(position, seat, s)
        if rules.auto_show == 0 or rules.notice_prob < 1.0 or not somebody_full(position, seat, rules):
            break
    if position.cards[np.uint64(seat)] != ZERO:
        give_suits(position, seat)
    set_stream(position, s)


@kernel
def somebody_full(position, seat, rules):
    """Whether another seat holds a full house that it would have shown by now (TYD-10)."""
    for other in range(position.players):
        if other == seat or not was_checked(position, other, rules):
            continue
        hand = position.hands[np.uint64(other)]
        if other == position.seat and position.phase == DISCARDING:
            hand -= rank_bit(position.drawn)  # the five cards with which he began his turn
        if full_house(hand):
            return True
    return False


@kernel
def was_checked(position, other, rules):
    """Whether a seat has had the occasion to show the five cards it holds, or held when its turn began (TYD-A3)."""
    if position.phase == OPENING or (position.phase == SHOWING and other == position.seat):
        return False
    if rules.show_dealt == SHOW_OWN_TURN:
        place = (other + position.players - position.dealer - 1) % position.players
        return position.turn > place or (position.turn == place and position.phase != DRAWING)
    return True


@kernel
def give_suits(position, seat):
    """Let the imagined ranks be cards that are left, in a position that follows the very cards (one with a log)."""
    seat = np.uint64(seat)
    free = ALL_CARDS & ~position.cards[seat]
    for i in range(np.uint64(position.piled)):
        free &= ~(ONE << np.uint64(position.pile[i]))
    for i in range(np.uint64(position.left)):
        card = lowest(free & (NIBBLE << np.uint64(position.stock[i])))
        free &= ~(ONE << card)
        position.stock[i] = np.uint8(card)
    for other in range(np.uint64(position.players)):
        if other == seat:
            continue
        cards = ZERO
        hand = position.hands[other]
        while hand != ZERO:
            rank = lowest(hand) >> TWO
            hand -= rank_bit(rank)
            card = ONE << lowest(free & (NIBBLE << (rank << TWO)))
            free &= ~card
            cards |= card
        position.cards[other] = cards


def zones(position: Any) -> dict[str, list[int]]:
    """Where every card of a traced position lies: stock, pile and each hand, as card numbers.

    Only a position that was played with a log follows the very cards; the ranks are right in any.
    """
    hands = {
        f"hand {seat + 1}": [card for card in range(52) if (int(position.cards[seat]) >> card) & 1]
        for seat in range(min(int(position.players), MAX_SEATS))
    }
    return {
        "stock": [int(card) for card in position.stock[: int(position.left)]],
        "pile": [int(card) for card in position.pile[: int(position.piled)]],
        **hands,
    }


def expected_sizes(position: Any) -> dict[str, int]:
    """How many cards each hand must hold: five, or six between a draw and a discard (TYD-6)."""
    return {
        f"hand {seat + 1}": 6 if int(position.phase) == DISCARDING and int(position.seat) == seat else 5
        for seat in range(int(position.players))
    }
