"""Dealing a hand of Pusoy Dos: the cards, what three players leave over, redeals, dealt hands that win, and who opens."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.ahead import STEP, make_again, next_deal
from sim.bits import ONE, ZERO, lowest_bit, mul_high, popcount
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.plays import DECK, ranks_held
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
from sim.jit import inlined, kernel, rare, scalar
from sim.lanes import number_lanes, place_lanes

CARDS = np.uint64(52)
THIRTEEN = np.uint64(13)


@inlined
def shuffle_out(position, rules, keys):
    """Deal the cards to the seats; the last seat of four takes what is left, and so do the left-over cards of three."""
    players = np.uint64(position.players)
    full = players == np.uint64(SEATS)
    seats = players - ONE if full else players
    each = np.uint64(rules.hand_size)
    deck = CARDS
    if not full and rules.leftover == LEFTOVER_REMOVE_LOWEST:
        deck -= ONE
    lane = position.lane
    if position.redeals == 0:
        if np.uint64(position.ahead_deck) != deck:
            position.next_lane = STEP
        lane = next_deal(position, keys, seats * each, ZERO)
        if lane == ZERO:
            deal_ahead(position, keys, seats, each, deck)
    else:
        deal_again(position, keys, seats, each, deck)
    for seat in range(np.uint64(SEATS)):  # long before they are copied into views: what was just written is slow to copy
        position.sizes[seat] = rules.hand_size if seat < players else 0
    rest = DECK
    for seat in range(seats):
        hand = position.ahead_hands[seat * STEP + lane]
        position.hands[seat] = hand
        position.dealt[seat] = hand
        rest ^= hand
    position.leftover = ZERO if full else rest
    last = np.uint64(SEATS - 1)  # takes the rest, or is not there
    position.hands[last] = rest if full else ZERO
    position.dealt[last] = rest if full else ZERO


@kernel
def deal_ahead(position, keys, seats, each, deck):
    """Deal the hands of all lanes, side by side: in a single deal each draw waits for what the one before moved.

    Decks are in the numbering of strength; one without the lowest card has the highest in its place. They are shuffled only as far as
    cards are drawn (Fisher and Yates). A draw's place is read before the one before it moves a card: a processor may hold back what it
    reads until it knows where all earlier writes go.
    """
    rare()
    position.ahead_deck = np.int64(deck)
    if place_lanes(position.words, seats * each, deck) != ZERO:
        deal_slowly(position, keys, seats, each, deck)
        return
    decks, hands, places = position.ahead_decks, position.ahead_hands, position.words
    number_lanes(decks, CARDS)
    if deck != CARDS:
        for lane in range(STEP):
            decks[lane] = np.uint8(deck)
    left = deck
    draw = ZERO
    place = places[draw]
    for seat in range(seats):
        for lane in range(STEP):
            hands[seat * STEP + lane] = ZERO
        for _ in range(each):
            left -= ONE
            for lane in range(STEP):
                scalar()
                here = place
                draw += ONE
                place = places[draw]
                hands[seat * STEP + lane] |= ONE << drawn(decks, here + lane, left * STEP + lane)


@kernel
def deal_slowly(position, keys, seats, each, deck):
    """Deal the hands of all lanes with words that are looked at one by one."""
    rare()
    first_lane, unit, hand = position.lane, position.unit, position.hand
    for lane in range(STEP):
        position.lane = lane
        deal_again(position, keys, seats, each, deck)
        if position.match == 1:
            position.hand += 1
        else:
            position.unit += ONE
    position.lane, position.unit, position.hand = first_lane, unit, hand


@kernel
def deal_again(position, keys, seats, each, deck):
    """Deal the hands of one lane with words that are looked at one by one; a redeal has a stream of its own."""
    rare()
    make_again(position, keys, np.uint64(position.redeals), seats * each, deck)
    lane = position.lane
    decks = position.ahead_decks
    for card in range(CARDS):
        decks[card * STEP + lane] = np.uint8(card)
    if deck != CARDS:
        decks[lane] = np.uint8(deck)
    left = deck
    word = lane
    for seat in range(seats):
        hand = ZERO
        for _ in range(each):
            place = mul_high(position.words[word], left)
            left -= ONE
            word += STEP
            hand |= ONE << drawn(decks, place * STEP + lane, left * STEP + lane)
        position.ahead_hands[seat * STEP + lane] = hand


@inlined
def drawn(decks, place, last):
    """The card at a place of a deck; its last card moves there."""
    card = np.uint64(decks[place])
    decks[place] = decks[last]
    return card


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
