"""The engine of Pusoy Dos: one source of truth for its rules, for bulk play, tracing, rollouts and tests.

A hand is one 64-bit word, a bit a card, numbered by strength. Dealing is in ``dealing``, plays in ``plays``, points in ``scoring``; here
tricks are played: who is asked, what may be answered, when a trick and a hand end.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim import bulk
from sim.bits import FOUR, ONE, TWO, ZERO, highest, lowest, popcount
from sim.bulk import FINISHED, ILLEGAL, MAX_DECISIONS, PAUSED
from sim.decide import decide
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.dealing import deal
from sim.games.pusoy_dos.lowest import lowest_lead, lowest_opening
from sim.games.pusoy_dos.plays import is_bomb, is_single_two, size_of, strength_of
from sim.games.pusoy_dos.record import record
from sim.games.pusoy_dos.rules import (
    AFTER_OUT_IMMEDIATE_CONTROL,
    END_PLAY_ON,
    LAST_CARD_HIGHEST_SINGLE,
    LAST_CARD_PAY_ALL,
    OPENING_SINGLE_ONLY,
    SCORING_PENALTY,
    SINGLE,
    STRAIGHT_FLUSH,
)
from sim.games.pusoy_dos.scoring import assess
from sim.games.pusoy_dos.view import ANSWERING, LEADING, OPENING, OVER, SEATS, VIEW
from sim.jit import inlined, kernel
from sim.view import field_pusher

__all__ = ["begin", "deal", "play", "record", "settle"]

ONLY_DEAL = 2
"""``match`` of the unit that looks at dealt hands and plays none."""

KIND_SHIFT = np.uint64(56)
SF_STRENGTHS = np.uint64(STRAIGHT_FLUSH << 56)
SINGLES = np.uint64(SINGLE)
SEAT_IN_QUEUE = np.uint64(3)
SENTINEL = np.uint64(3)  # takes the 1 above a queue away and puts it two bits higher
FOUR_IN_TURN = np.uint64(0b11_10_01_00_11_10_01_00)
THREE_IN_TURN = np.uint64(0b10_01_00_10_01_00)
SEAT_BITS = np.uint64(32)
HAND_BITS = np.uint64(40)

push_played = field_pusher(VIEW, "played")


@kernel
def begin(position, rules, keys, unit, match):
    """Set up a unit: no points, no last winner."""
    position.unit = unit
    position.hand = 0
    position.match = match
    position.players = rules.players
    position.last_winner = -1
    if match == 0:
        return
    for seat in range(np.uint64(SEATS)):
        position.points[seat] = 0
        position.charged[seat] = 0
        position.hands_won[seat] = 0


@inlined
def next_seat(seats, seat, players):
    """The first seat of a bit set in turn order after ``seat`` (which comes last); the set must not be empty."""
    turned = ((seats | (seats << players)) >> (seat + ONE)) & ((ONE << players) - ONE)
    found = seat + ONE + lowest(turned)
    return found - players if found >= players else found


@kernel
def queue_of(seats, seat, players):
    """The seats of a bit set in turn order after ``seat``, as a queue: two bits a seat, the first lowest, above the last a 1."""
    queue = ONE
    for back in range(players):
        other = seat + players - back
        if other >= players:
            other -= players
        if (seats >> other) & ONE != ZERO:
            queue = (queue << TWO) | other
    return queue


@inlined
def round_after(seat, players):
    """The queue of all seats but this one."""
    if players == FOUR:
        return ((FOUR_IN_TURN >> (TWO * (seat + ONE))) & np.uint64(0x3F)) | np.uint64(0x40)
    return ((THREE_IN_TURN >> (TWO * (seat + ONE))) & np.uint64(0xF)) | np.uint64(0x10)


@kernel
def show_hand(position, view, seat, rules):
    """Write what a seat's view keeps through a hand; play() then writes only what changes."""
    view.hand = position.hands[seat]
    view.must = position.must if position.phase == OPENING and np.int64(seat) == position.seat else ZERO
    players = np.uint64(position.players)
    alive = ((ONE << players) - ONE) & ~np.uint64(position.out)
    view.next_seat = np.int64(next_seat(alive, seat, players))
    view.top_single = 0
    for other in range(np.uint64(SEATS)):
        view.sizes[other] = np.int64(popcount(position.dealt[other])) if other < players else 0
        view.played[other] = position.played[other] if other < players else ZERO
        view.points[other] = position.points[other] if position.match == 1 else 0


@kernel
def show_rules(view, rules):
    """Write the rules that a view carries, so that functions on plays take it in place of the rules."""
    view.plain = rules.plain
    view.kinds = rules.kinds
    view.suited_kind = rules.suited_kind
    view.sequences = rules.sequences
    view.a5_high = rules.a5_high
    view.flush_order = rules.flush_order
    view.sf_order = rules.sf_order
    view.bombs = rules.bombs
    view.opening_must_include = rules.opening_must_include
    view.pass_lockout = rules.pass_lockout
    view.last_card_rule = rules.last_card_rule
    view.end = rules.end


@kernel
def show_table(position, view, seat, rules):
    """Write what a seat's view shows of the trick."""
    view.table = position.table
    view.strength = position.strength
    view.owner = position.owner
    view.active = position.active
    view.turn = position.turn
    view.top_single = single_limited(position, seat, rules)


@kernel
def write_view(position, view, seat, rules):
    """Write the whole view of a seat from a position at rest."""
    seat = np.uint64(seat)
    show_rules(view, rules)
    show_hand(position, view, seat, rules)
    show_table(position, view, seat, rules)


@kernel
def single_limited(position, seat, rules):
    """1 when the next player holds one card, so that a single must be one's highest (PD-A20)."""
    if rules.last_card_rule != LAST_CARD_HIGHEST_SINGLE:
        return 0
    players = np.uint64(position.players)
    alive = ((ONE << players) - ONE) & ~np.uint64(position.out)
    return np.int64(popcount(position.hands[next_seat(alive, np.uint64(seat), players)]) == ONE)


@inlined
def legal_strength(hand, play, table, must, limited, rules):
    """Strength of a play if it is legal (PD-3, PD-7 to PD-9), 0 if not; ``table`` is a strength, 0 when leading."""
    if play & ~hand != ZERO:
        return ZERO
    if table >> KIND_SHIFT == SINGLES and play & (play - ONE) == ZERO and limited == 0:
        strength = (SINGLES << KIND_SHIFT) | highest(play)
        return strength if strength > table else ZERO
    strength = strength_of(play, rules)
    if strength == ZERO:
        return ZERO
    if table != ZERO:
        if size_of(strength) != size_of(table):
            if rules.bombs == 0 or not (is_bomb(strength) and is_single_two(table)):
                return ZERO
        elif strength <= table:
            return ZERO
    elif must != ZERO and (play & must == ZERO or (rules.opening_must_include == OPENING_SINGLE_ONLY and play != must)):
        return ZERO
    if limited != 0 and play & (play - ONE) == ZERO and must == ZERO and play != ONE << highest(hand):
        return ZERO
    return strength


@kernel
def had_better(hand, play, leading, must, rules):
    """Whether who played a single could have played a higher one, or led something else (PD-A20)."""
    if play & (play - ONE) != ZERO:
        return False
    if must != ZERO:
        return popcount(lowest_opening(hand, must, rules)) > ONE
    if ONE << highest(hand) > play:
        return True
    return leading and popcount(lowest_lead(hand, rules)) > ONE


@kernel
def go_out(position, views, seat, play, rules, log):
    """A seat has played its last card. Returns whether the hand is over (PD-11)."""
    position.out |= 1 << np.int64(seat)
    position.finished += 1
    position.place[seat] = position.finished
    if log is not None:
        append(log, events.OUT, seat, position.finished, 0)
    if position.finished == 1:
        position.winner = np.int64(seat)
        position.last_play = play
    players = np.uint64(position.players)
    alive = ((ONE << players) - ONE) & ~np.uint64(position.out)
    if rules.end == END_PLAY_ON:
        if popcount(alive) == ONE:
            position.place[lowest(alive)] = position.finished + 1
            return True
        for other in range(players):
            views[other].next_seat = np.int64(next_seat(alive, other, players))
        return False
    return True


@kernel
def play(position, views, deciders, rules, keys, status, log, budget):
    """Play a hand on from wherever the position stands, to its end.

    Parameters
    ----------
    position, views, rules : records
    deciders : addresses of the seated decisions, ``seat * MAX_DECISIONS + kind``
    keys : uint64 array, shape (6,)
    status : int64 array
        ``status[ASKED]`` says which seat is asked, ``status[ANSWER]`` what it answered when that was illegal.
    log : event log or None
    budget : int
        With a log: pause after so many plays and passes; 0 for no limit.

    Returns
    -------
    int
        FINISHED, PAUSED or ILLEGAL
    """
    if position.phase == OVER or position.match == ONLY_DEAL:
        return FINISHED
    players = np.uint64(position.players)
    everybody = (ONE << players) - ONE
    hands = position.hands
    seat = np.uint64(position.seat)
    owner = np.uint64(position.owner)
    active = np.uint64(position.active)
    table = position.table
    strength = position.strength
    turn = np.uint64(position.turn)
    leading = position.phase != ANSWERING
    lockout = rules.pass_lockout != 0
    limits = rules.last_card_rule == LAST_CARD_HIGHEST_SINGLE
    pays = rules.last_card_rule == LAST_CARD_PAY_ALL
    reordered = not lockout or rules.end == END_PLAY_ON
    base = np.uint64(position.hand) << HAND_BITS
    plays = position.plays
    steps = 0
    code = FINISHED
    for other in range(players):
        show_rules(views[other], rules)
        show_hand(position, views[other], other, rules)
    queue = queue_of(active & ~(ONE << owner) & ~(ONE << seat), seat, players)

    while True:
        view = views[seat]
        view.table = table
        view.strength = strength
        view.owner = np.int64(owner)
        view.active = np.int64(active)
        view.turn = np.int64(turn)
        limited = 0
        if limits:
            limited = single_limited(position, seat, rules)
            view.top_single = limited
        view.random_sub = base | (seat << SEAT_BITS) | turn
        view.random_used = ZERO
        status[bulk.ASKED] = seat
        answer = decide(deciders[seat * np.uint64(MAX_DECISIONS)], view)
        chosen = np.uint64(answer)
        if chosen == ZERO:
            if leading:
                status[bulk.ANSWER] = answer
                code = ILLEGAL
                break
            active &= ~(ONE << seat)
            turn += ONE
            if log is not None:
                append(log, events.PASS, seat, 0, 0)
        else:
            hand = hands[seat]
            played = legal_strength(hand, chosen, strength, position.must, limited, rules)
            if played == ZERO:
                status[bulk.ANSWER] = answer
                code = ILLEGAL
                break
            plays += 1
            turn += ONE
            if played >= SF_STRENGTHS:
                position.straight_flush = 1
            if log is not None:
                append(log, events.PLAY, seat, np.int64(chosen), np.int64(table))
            if pays and position.finished == 0:
                single = chosen & (chosen - ONE) == ZERO
                if chosen == hand and single and not leading and next_seat(everybody, owner, players) == seat:
                    position.beaten_seat = np.int64(owner)
                    position.beaten_choice = position.choice
                position.choice = np.int64(had_better(hand, chosen, leading, position.must, rules))
            position.must = ZERO
            hand ^= chosen
            hands[seat] = hand
            view.hand = hand
            view.must = ZERO
            shown = position.played[seat] | chosen
            position.played[seat] = shown
            push_played(views, players, seat, shown)
            if leading:
                position.leads[size_of(played)] += 1
                queue = round_after(seat, players)
                leading = False
            else:
                # Whoever sits between the owner and this seat has passed: after the others the owner is asked.
                queue += (owner + SENTINEL) << highest(queue)
            table = chosen
            strength = played
            owner = seat
            if hand == ZERO:
                if not lockout:
                    active = everybody & ~np.uint64(position.out)
                over = go_out(position, views, seat, chosen, rules, log)
                active &= ~(ONE << seat)
                if rules.after_out == AFTER_OUT_IMMEDIATE_CONTROL:
                    active = ZERO
                if over:
                    break
                queue = queue_of(active, seat, players)
            elif reordered:
                if not lockout:
                    active = everybody & ~np.uint64(position.out)
                queue = queue_of(active & ~(ONE << seat), seat, players)
        # Who is asked next; when nobody else is left in the trick it ends (PD-9, PD-A15, PD-A23).
        if queue == ONE:
            alive = everybody & ~np.uint64(position.out)
            if log is not None:
                append(log, events.TRICK, owner, 0, 0)
            seat = owner if (alive >> owner) & ONE != ZERO else next_seat(alive, owner, players)
            owner = seat
            active = alive
            table = ZERO
            strength = ZERO
            leading = True
        else:
            seat = queue & SEAT_IN_QUEUE
            queue >>= TWO
        if log is not None:
            steps += 1
            if steps == budget:
                code = PAUSED
                break

    position.seat = np.int64(seat)
    position.owner = np.int64(owner)
    position.active = np.int64(active)
    position.table = table
    position.strength = strength
    position.turn = np.int64(turn)
    position.phase = OVER if code == FINISHED else LEADING if leading else ANSWERING
    if code != FINISHED and position.must != ZERO:
        position.phase = OPENING
    position.plays = plays
    position.passes = np.int64(turn) - plays
    return code


@kernel
def settle(position, rules, keys, log):
    """Score a finished hand, and say whether the unit goes on (PD-A17: so many hands, or until somebody has the target)."""
    if position.match == ONLY_DEAL:
        return False
    assess(position, rules)
    if log is not None:
        for seat in range(np.uint64(position.players)):
            append(log, events.SCORE, seat, position.score[seat], position.charge[seat])
    if position.match == 0:
        return False
    most = 0
    for seat in range(np.uint64(position.players)):
        position.points[seat] += position.score[seat]
        position.charged[seat] += position.charge[seat]
        most = max(most, position.charged[seat])
    position.hands_won[np.uint64(position.winner)] += 1
    position.last_winner = position.winner
    position.hand += 1
    if rules.match_target >= 0 and rules.scoring == SCORING_PENALTY:
        return most < rules.match_target
    return position.hand < rules.match_deals
