"""The outcome columns of a unit of Pusoy Dos, in the order of the units' columns in the game's description."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, lowest, popcount
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
    THREE,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
)
from sim.games.pusoy_dos.rules import SCORING_PENALTY, STRAIGHT_FLUSH
from sim.games.pusoy_dos.scoring import TWOS, place_in_halves
from sim.jit import inlined, kernel

WHOLE = 840
BYTE = np.uint64(255)
THIRTEEN = np.uint64(13)
DEALT_COLUMNS = 17
"""Columns by seat of the unit that looks at dealt hands."""


@inlined
def record(position, rules, out, at):
    """Write the outcome columns of a finished unit."""
    at = np.uint64(at)
    if position.match == 0:
        record_hand(position, rules, out, at)
    elif position.match == 1:
        record_match(position, rules, out, at)
    else:
        record_deal(position, rules, out, at)


@inlined
def record_hand(position, rules, out, at):
    """Outcome of a hand: six columns by seat, then the table's."""
    players = np.uint64(position.players)
    left = 0
    debts = 0
    order = position.winner - position.opener
    if order < 0:
        order += position.players
    for seat in range(players):
        cards = np.int64(popcount(position.hands[seat]))
        if np.int64(seat) != position.winner:
            left += cards
            debts += position.debt[seat]
        out[seat, at] = WHOLE if np.int64(seat) == position.winner else 0
        out[players + seat, at] = place_in_halves(position, np.int64(seat))
        out[players * TWO + seat, at] = cards
        out[players * np.uint64(3) + seat, at] = position.debt[seat]
        out[players * np.uint64(4) + seat, at] = position.score[seat]
        out[players * np.uint64(5) + seat, at] = WHOLE if np.int64(seat) == order else 0
    column = players * np.uint64(6)
    tricks = 0
    for size in range(np.uint64(1), np.uint64(6)):
        led = np.int64((position.leads >> (size << THREE)) & BYTE)
        out[column + size - ONE, at] = led
        tricks += led
    column += np.uint64(5)
    out[column, at] = tricks
    out[column + ONE, at] = position.plays
    out[column + TWO, at] = position.passes
    out[column + np.uint64(3), at] = position.plays + position.passes
    out[column + np.uint64(4), at] = left
    out[column + np.uint64(5), at] = debts
    out[column + np.uint64(6), at] = position.players - 1
    out[column + np.uint64(7), at] = position.straight_flush
    out[column + np.uint64(8), at] = position.instant
    out[column + np.uint64(9), at] = position.redeals
    out[column + np.uint64(10), at] = 1


@kernel
def record_match(position, rules, out, at):
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
        out[seat, at] = WHOLE // leaders if score == best else 0
        out[players + seat, at] = position.points[seat]
        out[players * TWO + seat, at] = position.charged[seat]
        out[players * np.uint64(3) + seat, at] = position.hands_won[seat]
    out[players * np.uint64(4), at] = position.hand


@kernel
def record_deal(position, rules, out, at):
    """What the dealt hands hold: columns by seat, then the table's (PD-O1 to PD-O4)."""
    players = np.uint64(position.players)
    any_twos = 0
    for seat in range(players):
        hand = position.dealt[seat]
        any_twos |= np.int64(hand & TWOS == TWOS)
        record_dealt(hand, seat, players, rules, out, at)
    column = players * np.uint64(DEALT_COLUMNS)
    lowest_dealt = DECK & ~position.leftover
    out[column, at] = any_twos
    out[column + ONE, at] = np.int64(lowest(lowest_dealt))
    out[column + TWO, at] = np.int64(position.leftover & ONE)
    out[column + np.uint64(3), at] = position.redeals
    out[column + np.uint64(4), at] = 1


@kernel
def record_dealt(hand, seat, players, rules, out, at):
    """The seventeen columns of one dealt hand."""
    paired, tripled, complete = ranks_paired(hand), ranks_tripled(hand), ranks_complete(hand)
    flushes = count_kind(hand, STRAIGHT_FLUSH, rules)
    split = suit_split(hand)
    out[seat, at] = np.int64(count_pairs(hand))
    out[players + seat, at] = np.int64(count_triples(hand))
    out[players * TWO + seat, at] = np.int64(popcount(complete))
    out[players * np.uint64(3) + seat, at] = np.int64(complete != ZERO)
    out[players * np.uint64(4) + seat, at] = np.int64(popcount(paired & ~tripled))
    out[players * np.uint64(5) + seat, at] = np.int64(popcount(tripled & ~complete))
    out[players * np.uint64(6) + seat, at] = np.int64(count_full_houses(hand))
    out[players * np.uint64(7) + seat, at] = np.int64(count_five_cards(hand, rules))
    out[players * np.uint64(8) + seat, at] = np.int64(flushes)
    out[players * np.uint64(9) + seat, at] = np.int64(flushes != ZERO)
    out[players * np.uint64(10) + seat, at] = np.int64(sequences(hand, rules) != ZERO)
    out[players * np.uint64(11) + seat, at] = np.int64(longest_suit(hand))
    out[players * np.uint64(12) + seat, at] = np.int64(longest_suit(hand) >= np.uint64(5))
    out[players * np.uint64(13) + seat, at] = np.int64(split == np.uint64(0x4432))
    out[players * np.uint64(14) + seat, at] = np.int64(split == np.uint64(0x5332))
    out[players * np.uint64(15) + seat, at] = np.int64(popcount(ranks_held(hand)) == THIRTEEN)
    out[players * np.uint64(16) + seat, at] = np.int64(hand & ONE)
