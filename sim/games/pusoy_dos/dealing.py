"""Dealing a hand of Pusoy Dos: the cards, what three players leave over, redeals, dealt hands that win, and who opens."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.ahead import STEP, next_deal
from sim.bits import ONE, TWO, ZERO, lowest, lowest_bit, popcount
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.plays import ranks_held
from sim.games.pusoy_dos.rules import (
    INSTANT_DRAGON,
    INSTANT_FOUR_TWOS,
    LEFTOVER_REMOVE_LOWEST,
    LEFTOVER_TO_LOWEST_HOLDER,
    OPENER_PREVIOUS_WINNER,
    OPENING_FREE,
)
from sim.games.pusoy_dos.scoring import TWOS
from sim.games.pusoy_dos.view import OPENING, OVER, SEATS
from sim.jit import inlined, kernel, rare
from sim.lanes import DEAL_WORDS, PIECE, deal_lanes
from sim.rng import HAND_SHIFT, PURPOSE_CARDS, next_word, open_stream

FEW_SEATS = np.uint64(SEATS - 1)
WORDS = np.uint64(DEAL_WORDS)
PIECE_SHIFT = np.uint64(PIECE)
PIECE_BITS = np.uint64((1 << PIECE) - 1)
PIECE_VALUES = np.uint64(1 << PIECE)
LAST_PIECE = np.uint64(64 - PIECE)
SHIFT_BITS = np.uint64(63)
CARDS = np.uint64(52)
THIRTEEN = np.uint64(13)


@inlined
def shuffle_out(position, rules, keys):
    """Deal the cards to the seats; of three players some cards are left over."""
    players = np.uint64(position.players)
    full = players == np.uint64(SEATS)
    each = np.uint64(rules.hand_size)
    removed = np.uint64(not full and rules.leftover == LEFTOVER_REMOVE_LOWEST)
    lane = position.lane
    if position.redeals == 0:
        if position.ahead_size != each or position.ahead_removed != removed:
            position.next_lane = STEP
        lane = next_deal(position, keys, WORDS, ZERO)
        if lane == ZERO:
            deal_ahead(position, keys, each, removed)
    else:
        deal_again(position, keys, each, removed)
    for seat in range(FEW_SEATS):
        position.sizes[seat] = rules.hand_size
        hand = position.ahead_hands[seat * STEP + lane]
        position.hands[seat] = hand
        position.dealt[seat] = hand
    rest = position.ahead_hands[FEW_SEATS * STEP + lane]
    position.sizes[FEW_SEATS] = rules.hand_size if full else 0
    position.leftover = ZERO if full else rest
    position.hands[FEW_SEATS] = rest if full else ZERO
    position.dealt[FEW_SEATS] = rest if full else ZERO


@kernel
def deal_ahead(position, keys, each, removed):
    """Deal the hands of all lanes, side by side."""
    rare()
    position.ahead_size = each
    position.ahead_removed = removed
    doubtful = deal_lanes(position.words, each, each, each, removed, position.ahead_hands)
    if doubtful != ZERO:
        deal_slowly(position, keys, each, removed, doubtful)


@kernel
def deal_slowly(position, keys, each, removed, doubtful):
    """Deal the hands of some lanes anew, looking at each draw."""
    rare()
    first_lane, unit, hand = position.lane, position.unit, position.hand
    while doubtful != ZERO:
        lane = lowest(doubtful)
        doubtful &= doubtful - ONE
        position.lane = lane
        if position.match == 1:
            position.hand = hand + np.int64(lane)
        else:
            position.unit = unit + lane
        deal_again(position, keys, each, removed)
    position.lane, position.unit, position.hand = first_lane, unit, hand


@kernel
def deal_again(position, keys, each, removed):
    """Deal the hands of one lane card by card, leaving out draws that are one too many; a redeal has a stream of its own.

    What deal_lanes() does in all lanes, in other words: four draws a word, from the highest card.
    """
    rare()
    sub = (np.uint64(position.hand) << HAND_SHIFT) | np.uint64(position.redeals)
    s = open_stream(keys[0], keys[1], position.unit, sub, PURPOSE_CARDS)
    lane = position.lane
    for seat in range(np.uint64(SEATS)):
        position.ahead_hands[seat * STEP + lane] = ZERO
    first, second, third = each, each + each, each + each + each
    word = ZERO
    used = LAST_PIECE
    card = CARDS
    left = CARDS - removed
    while left != ZERO:
        used = (used + PIECE_SHIFT) & SHIFT_BITS
        if used == ZERO:
            s, word = next_word(s)
        product = ((word >> used) & PIECE_BITS) * left
        if product & PIECE_BITS < PIECE_VALUES % left:
            continue
        place = product >> PIECE_SHIFT
        taker = np.uint64(place >= first) + np.uint64(place >= second) + np.uint64(place >= third)
        first -= np.uint64(taker == ZERO)
        second -= np.uint64(taker <= ONE)
        third -= np.uint64(taker <= TWO)
        card -= ONE
        left -= ONE
        position.ahead_hands[taker * STEP + lane] |= ONE << card
    if removed != ZERO:
        position.ahead_hands[FEW_SEATS * STEP + lane] |= ONE


@inlined
def lowest_holder(position):
    """The seat that holds the lowest card dealt."""
    best = lowest_bit(position.hands[ZERO])
    holder = 0
    for seat in range(ONE, np.uint64(position.players)):
        card = lowest_bit(position.hands[seat])
        if card < best:
            best = card
            holder = np.int64(seat)
    return holder


@kernel
def share_out(position, holder, rules, log):
    """What becomes of the cards that three players leave over (PD-A12)."""
    rare()
    taken = rules.leftover == LEFTOVER_TO_LOWEST_HOLDER
    if log is not None:
        append(log, events.LEFTOVER, holder, position.leftover, np.int64(taken))
    if taken:
        position.hands[np.uint64(holder)] |= position.leftover
        position.dealt[np.uint64(holder)] = position.hands[np.uint64(holder)]
        position.sizes[np.uint64(holder)] += np.int64(popcount(position.leftover))
        position.leftover = ZERO


@inlined
def deal(position, rules, keys, log):
    """Deal a hand: cards, left-over (PD-A12), instant wins (PD-A19), redeals (PD-V2), the opener (PD-8, PD-A8)."""
    position.redeals = 0
    if log is not None:
        append(log, events.HAND, 0, position.hand, 0)
    again = True
    while again:
        shuffle_out(position, rules, keys)
        holder = lowest_holder(position)
        if log is not None:
            for seat in range(position.players):
                append(log, events.DEAL, seat, position.hands[np.uint64(seat)], 0)
        if position.leftover != ZERO:
            share_out(position, holder, rules, log)
        clear_table(position, rules, holder)
        again = False
        if rules.instant_win != 0:
            instant_win(position, rules, log)
        if position.instant == 0 and rules.redeal_four_twos != 0:
            again = redealt(position, log)
    position.opener = position.seat
    if log is not None and position.phase == OPENING:
        append(log, events.OPEN, position.seat, position.must, 0)


@inlined
def clear_table(position, rules, holder):
    """Everything about the play of a hand, as it is before the first card is played."""
    for seat in range(np.uint64(SEATS)):
        position.played[seat] = ZERO
        position.place[seat] = 0
    position.leads = ZERO
    position.must = ZERO
    if rules.opener == OPENER_PREVIOUS_WINNER and position.last_winner >= 0:
        position.seat = position.last_winner
    else:
        position.seat = holder
        if rules.opening_must_include != OPENING_FREE:
            position.must = lowest_bit(position.hands[np.uint64(holder)])
    position.phase = OPENING
    position.owner = position.seat
    position.turn = 0
    position.active = (1 << position.players) - 1
    position.out = 0
    position.finished = 0
    position.table = ZERO
    position.strength = ZERO
    position.winner = -1
    position.instant = 0
    position.last_play = ZERO
    position.beaten_seat = -1
    position.beaten_choice = 0
    position.choice = 0
    position.plays = 0
    position.passes = 0
    position.straight_flush = 0


@kernel
def instant_win(position, rules, log):
    """End the hand at once for the first seat, in turn order from the opener, whose dealt hand wins (PD-A19)."""
    for turn in range(position.players):
        seat = position.seat + turn
        if seat >= position.players:
            seat -= position.players
        hand = position.hands[np.uint64(seat)]
        dragon = rules.instant_win & INSTANT_DRAGON != 0 and popcount(ranks_held(hand)) == THIRTEEN
        twos = rules.instant_win & INSTANT_FOUR_TWOS != 0 and hand & TWOS == TWOS
        if dragon or twos:
            position.instant = 1
            position.winner = seat
            position.place[np.uint64(seat)] = 1
            position.phase = OVER
            if log is not None:
                append(log, events.INSTANT, seat, hand, np.int64(dragon))
            return


@kernel
def redealt(position, log):
    """Whether somebody has all four twos, so that the cards are dealt again (PD-V2)."""
    for seat in range(position.players):
        if position.hands[np.uint64(seat)] & TWOS == TWOS:
            position.redeals += 1
            if log is not None:
                append(log, events.REDEAL, seat, 0, 0)
            return True
    return False
