"""The outcome columns of a unit of Pusoy Dos, in the order of the units' columns in the game's description."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import FOUR, ONE, THREE, TWO, ZERO, lowest, popcount
from sim.bulk import put
from sim.games.pusoy_dos.counting import (
    count_five_cards,
    count_full_houses,
    count_kind,
    count_pairs,
    count_triples,
    longest_suit,
    sequences,
    suit_split,
)
from sim.games.pusoy_dos.plays import (
    DECK,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
)
from sim.games.pusoy_dos.rules import SCORING_PENALTY, STRAIGHT_FLUSH
from sim.games.pusoy_dos.scoring import TWOS, places_left
from sim.jit import inlined, kernel

WHOLE = 840
BYTE = np.uint64(255)
FIVE = np.uint64(5)
SIX = np.uint64(6)
THIRTEEN = np.uint64(13)
DEALT_COLUMNS = 17
"""Columns by seat of the unit that looks at dealt hands."""


@inlined
def record(position, rules, out, at, width):
    """Write the outcome columns of a finished unit."""
    at, width = np.uint64(at), np.uint64(width)
    if position.match == 0:
        record_hand(position, rules, out, at, width)
    elif position.match == 1:
        record_match(position, rules, out, at, width)
    else:
        record_deal(position, rules, out, at, width)


@inlined
def record_hand(position, rules, out, at, width):
    """Outcome of a hand: six columns by seat, then the table's."""
    players = np.uint64(position.players)
    winner = position.winner
    unplaced = places_left(position)
    order = winner - position.opener
    if order < 0:
        order += position.players
    left = 0
    debts = 0
    for seat in range(players):
        cards = np.int64(popcount(position.hands[seat]))
        debt = position.debt[seat]
        place = position.place[seat]
        won = np.int64(seat) == winner
        if not won:
            left += cards
            debts += debt
        out[seat * width + at] = WHOLE if won else 0
        out[(players + seat) * width + at] = 2 * place if place != 0 else unplaced
        out[(players * TWO + seat) * width + at] = cards
        out[(players * THREE + seat) * width + at] = debt
        out[(players * FOUR + seat) * width + at] = position.score[seat]
        out[(players * FIVE + seat) * width + at] = WHOLE if np.int64(seat) == order else 0
    to = players * SIX * width + at
    tricks = 0
    for size in range(1, 6):
        led = np.int64((position.leads >> np.uint64(8 * size)) & BYTE)
        tricks += led
        to = put(out, to, width, led)
    plays, passes = position.plays, position.passes
    to = put(out, to, width, tricks)
    to = put(out, to, width, plays)
    to = put(out, to, width, passes)
    to = put(out, to, width, plays + passes)
    to = put(out, to, width, left)
    to = put(out, to, width, debts)
    to = put(out, to, width, np.int64(players) - 1)
    to = put(out, to, width, position.straight_flush)
    to = put(out, to, width, position.instant)
    to = put(out, to, width, position.redeals)
    put(out, to, width, 1)


@kernel
def record_match(position, rules, out, at, width):
    """Outcome of a match: shares of the match, points, penalties charged, hands won; then its hands.

    With penalties the least sum wins, otherwise the most points; a tie is shared.
    """
    players = np.uint64(position.players)
    low = rules.scoring == SCORING_PENALTY
    best = 0
    leaders = 0
    for seat in range(players):
        score = -position.charged[seat] if low else position.points[seat]
        if seat == ZERO or score > best:
            best = score
            leaders = 0
        if score == best:
            leaders += 1
    for seat in range(players):
        score = -position.charged[seat] if low else position.points[seat]
        to = seat * width + at
        to = put(out, to, players * width, WHOLE // leaders if score == best else 0)
        to = put(out, to, players * width, position.points[seat])
        to = put(out, to, players * width, position.charged[seat])
        put(out, to, players * width, position.hands_won[seat])
    put(out, players * FOUR * width + at, width, position.hand)


@kernel
def record_deal(position, rules, out, at, width):
    """What the dealt hands hold: columns by seat, then the table's (PD-O1 to PD-O4)."""
    players = np.uint64(position.players)
    any_twos = 0
    for seat in range(players):
        hand = position.dealt[seat]
        any_twos |= np.int64(hand & TWOS == TWOS)
        record_dealt(hand, rules, out, seat * width + at, players * width)
    to = players * np.uint64(DEALT_COLUMNS) * width + at
    to = put(out, to, width, any_twos)
    to = put(out, to, width, np.int64(lowest(DECK & ~position.leftover)))
    to = put(out, to, width, np.int64(position.leftover & ONE))
    to = put(out, to, width, position.redeals)
    put(out, to, width, 1)


@kernel
def record_dealt(hand, rules, out, to, step):
    """The seventeen columns of one dealt hand, each so many places behind the one before."""
    paired, tripled, complete = ranks_paired(hand), ranks_tripled(hand), ranks_complete(hand)
    flushes = count_kind(hand, STRAIGHT_FLUSH, rules)
    split = suit_split(hand)
    to = put(out, to, step, np.int64(count_pairs(hand)))
    to = put(out, to, step, np.int64(count_triples(hand)))
    to = put(out, to, step, np.int64(popcount(complete)))
    to = put(out, to, step, np.int64(complete != ZERO))
    to = put(out, to, step, np.int64(popcount(paired & ~tripled)))
    to = put(out, to, step, np.int64(popcount(tripled & ~complete)))
    to = put(out, to, step, np.int64(count_full_houses(hand)))
    to = put(out, to, step, np.int64(count_five_cards(hand, rules)))
    to = put(out, to, step, np.int64(flushes))
    to = put(out, to, step, np.int64(flushes != ZERO))
    to = put(out, to, step, np.int64(sequences(hand, rules) != ZERO))
    to = put(out, to, step, np.int64(longest_suit(hand)))
    to = put(out, to, step, np.int64(longest_suit(hand) >= np.uint64(5)))
    to = put(out, to, step, np.int64(split == np.uint64(0x4432)))
    to = put(out, to, step, np.int64(split == np.uint64(0x5332)))
    to = put(out, to, step, np.int64(popcount(ranks_held(hand)) == THIRTEEN))
    put(out, to, step, np.int64(hand & ONE))
