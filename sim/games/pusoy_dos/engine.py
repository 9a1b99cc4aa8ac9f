"""The engine of Pusoy Dos: one source of truth for its rules, for bulk play, tracing, rollouts and tests.

A hand is one 64-bit word, a bit a card, numbered by strength. Dealing is in ``dealing``, plays in ``plays``, points in ``scoring``; here
tricks are played: who is asked, what may be answered, when a trick and a hand end.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim import hot
from sim.ahead import STEP
from sim.bits import FOUR, ONE, TWO, ZERO, copy_field, highest, lowest, popcount
from sim.bulk import FINISHED, ILLEGAL, PAUSED
from sim.decide import ask, raise_fault
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.dealing import deal
from sim.games.pusoy_dos.lowest import lowest_lead, lowest_opening
from sim.games.pusoy_dos.plain import plain_strength
from sim.games.pusoy_dos.plays import THREE, is_bomb, is_single_two, size_of, strength_of
from sim.games.pusoy_dos.record import record
from sim.games.pusoy_dos.rules import (
    AFTER_OUT_IMMEDIATE_CONTROL,
    END_PLAY_ON,
    LAST_CARD_HIGHEST_SINGLE,
    LAST_CARD_OFF,
    LAST_CARD_PAY_ALL,
    OPENING_SINGLE_ONLY,
    SCORING_PENALTY,
    SINGLE,
    STRAIGHT_FLUSH,
)
from sim.games.pusoy_dos.scoring import assess
from sim.games.pusoy_dos.view import ANSWERING, LEADING, OPENING, OVER, SEATS, VIEW
from sim.jit import apart, inlined, kernel, rare, scalar
from sim.view import field_pusher

__all__ = ["begin", "deal", "introduce", "play", "record", "settle"]

GOING = -1
"""Before play() has a code."""

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


@inlined
def begin(position, rules, keys, unit, match):
    """Set up a unit: no points, no last winner."""
    position.unit = unit
    position.hand = 0
    position.match = match
    position.players = rules.players
    position.last_winner = -1
    if match != 1:
        return
    position.next_lane = STEP  # what was made ahead are the first hands of other units, not the next ones of this
    for seat in range(np.uint64(SEATS)):
        position.points[seat] = 0
        position.charged[seat] = 0
        position.hands_won[seat] = 0


@inlined
def holders(position):
    """The seats that still hold cards."""
    return ((ONE << np.uint64(position.players)) - ONE) & ~np.uint64(position.out)


@inlined
def next_seat(seats, seat, players):
    """The first seat of a bit set in turn order after ``seat`` (which comes last); the set must not be empty."""
    turned = ((seats | (seats << players)) >> (seat + ONE)) & ((ONE << players) - ONE)
    found = seat + ONE + lowest(turned)
    return found - players if found >= players else found


@kernel
def queue_of(seats, seat, players):
    """The seats of a bit set in turn order after ``seat``, as a queue: two bits a seat, the first lowest, above the last a 1."""
    rare()
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


@inlined
def introduce(view, rules, match):
    """Write what the view of a seat, just taken, shows through all units to come.

    The rules are in it so that functions on plays take a view in place of the rules.
    """
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
    view.top_single = 0
    view.next_seat = view.seat + 1 if view.seat + 1 < rules.players else 0


@inlined
def show_hand(position, view, seat, rules):
    """Write what a seat's view keeps through a hand; play() then writes only what changes."""
    view.random_sub = (np.uint64(position.hand) << HAND_BITS) | (seat << SEAT_BITS)
    view.hand = position.hands[seat]
    view.must = position.must if np.int64(seat) == position.seat else ZERO
    copy_field(view.sizes, position.sizes)
    copy_field(view.played, position.played)
    if position.match == 1:
        copy_field(view.points, position.points)
    if rules.end == END_PLAY_ON:
        players = np.uint64(position.players)
        view.next_seat = np.int64(next_seat(holders(position), seat, players))


@inlined
def show_new_hand(position, views, rules):
    """The same for all seats before the first play."""
    sub = np.uint64(position.hand) << HAND_BITS
    for seat in range(np.uint64(position.players)):
        scalar()
        view = views[seat]
        view.random_sub = sub | (seat << SEAT_BITS)
        view.hand = position.hands[seat]
        view.must = ZERO
        copy_field(view.sizes, position.sizes)
        for other in range(np.uint64(SEATS)):
            view.played[other] = ZERO
    views[np.uint64(position.seat)].must = position.must
    if position.match == 1 or rules.end == END_PLAY_ON:
        take_up(position, views, rules)


@kernel
def take_up(position, views, rules):
    """Write what all views keep through a hand that has begun, or that more belongs to than cards."""
    rare()
    for seat in range(np.uint64(position.players)):
        show_hand(position, views[seat], seat, rules)


@kernel
def write_view(position, view, seat, rules):
    """Write the whole view of a seat from a position at rest."""
    seat = np.uint64(seat)
    introduce(view, rules, position.match)
    show_hand(position, view, seat, rules)
    view.next_seat = np.int64(next_seat(holders(position), seat, np.uint64(position.players)))
    view.table = position.table
    view.strength = position.strength
    view.owner = position.owner
    view.active = position.active
    view.turn = position.turn
    view.top_single = single_limited(position, seat, rules)


@kernel
def single_limited(position, seat, rules):
    """1 when the next player holds one card, so that a single must be one's highest (PD-A20)."""
    if rules.last_card_rule != LAST_CARD_HIGHEST_SINGLE:
        return 0
    players = np.uint64(position.players)
    return np.int64(popcount(position.hands[next_seat(holders(position), np.uint64(seat), players)]) == ONE)


@inlined
def strength_under(play, rules, special):
    """Strength of some cards of a hand as a play, 0 when they are none."""
    return plain_strength(play) if special is None else strength_of(play, rules)


@inlined
def lead_strength(hand, play, must, limited, rules, special):
    """Strength of a play if it may be led (PD-3, PD-8), 0 if not."""
    if play == ZERO or play & ~hand != ZERO:
        return ZERO
    strength = strength_under(play, rules, special)
    if must != ZERO:
        if play & must == ZERO or (rules.opening_must_include == OPENING_SINGLE_ONLY and play != must):
            return ZERO
    elif limited != 0 and play & (play - ONE) == ZERO and play != ONE << highest(hand):
        return ZERO
    return strength


@inlined
def answer_strength(hand, play, table, limited, rules, special):
    """Strength of a play if it may be put on one of the strength ``table`` (PD-7, PD-9), 0 if not."""
    if play & ~hand != ZERO:
        return ZERO
    if play & (play - ONE) == ZERO:
        if limited != 0 and play != ONE << highest(hand):
            return ZERO
        strength = (SINGLES << KIND_SHIFT) | highest(play)  # less than that of any play of more cards
    else:
        strength = strength_under(play, rules, special)
        if size_of(strength) != size_of(table):
            bomb = special is not None and rules.bombs != 0 and is_bomb(strength) and is_single_two(table)
            return strength if bomb else ZERO
    return strength if strength > table else ZERO


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
def note_choice(position, seat, owner, play, leading, rules):
    """Note whether a play could have been a better one, before it is made, in case somebody is to pay for all (PD-A20)."""
    rare()
    if rules.last_card_rule != LAST_CARD_PAY_ALL or position.finished != 0:
        return
    hand = position.hands[seat]
    follows = not leading and next_seat(holders(position), owner, np.uint64(position.players)) == seat
    if follows and play == hand and play & (play - ONE) == ZERO:
        position.beaten_seat = np.int64(owner)
        position.beaten_choice = position.choice
    position.choice = np.int64(had_better(hand, play, leading, position.must, rules))


@kernel
def go_out(position, seat, play, log):
    """A seat has played its last card."""
    position.out |= 1 << np.int64(seat)
    position.finished += 1
    position.place[seat] = position.finished
    if log is not None:
        append(log, events.OUT, seat, position.finished, 0)
    if position.finished == 1:
        position.winner = np.int64(seat)
        position.last_play = play


@kernel
def play_on(position, views, seat, active, queue, rules):
    """After a play, where passes do not bind or the hand goes on when somebody is out (PD-11, PD-A15, PD-A23).

    Returns
    -------
    active, queue : uint64
        Who may still answer; as a bit set with the player himself, and in turn order after him. The queue is 0 when the hand is over.
    """
    rare()
    players = np.uint64(position.players)
    alive = holders(position)
    out = position.hands[seat] == ZERO
    if rules.pass_lockout == 0:
        active = alive
    if out:
        active &= ~(ONE << seat)
        if rules.end != END_PLAY_ON:
            return active, ZERO
        if popcount(alive) == ONE:
            position.place[lowest(alive)] = position.finished + 1
            return active, ZERO
        for other in range(players):
            views[other].next_seat = np.int64(next_seat(alive, other, players))
        if rules.after_out == AFTER_OUT_IMMEDIATE_CONTROL:
            active = ZERO
    elif rules.pass_lockout != 0 and rules.end != END_PLAY_ON:
        return active, queue
    return active, queue_of(active & ~(ONE << seat), seat, players)


@inlined
def after_play(position, views, seat, play, active, queue, special, rules, log):
    """What a play changes beyond the table when somebody is out, or rules are in force that seldom are. Returns as play_on()."""
    if position.hands[seat] == ZERO:
        go_out(position, seat, play, log)
        if special is None:  # the first to go out ends the hand
            return active ^ (ONE << seat), ZERO
    return play_on(position, views, seat, active, queue, rules)


@inlined
def show_trick(view, table, strength, owner, active, turn):
    """Write what changes in a view from turn to turn."""
    view.table = table
    view.strength = strength
    view.owner = np.int64(owner)
    view.active = np.int64(active)
    view.turn = np.int64(turn)
    view.random_used = ZERO


@inlined
def ask_seat(position, view, deciders, seat, special, rules, status):
    """Ask a seat what it plays. Returns 1 when a single must be its highest (PD-A20), and what ask() does."""
    limited = 0
    if special is not None:
        limited = single_limited(position, seat, rules)
        view.top_single = limited
    status[hot.ASKED] = seat
    answer, fault, exception = ask(deciders[seat], view)
    return limited, answer, fault, exception


@inlined
def put_down(position, views, seat, owner, hand, play, strength, table, special, rules, log):
    """Move a play from a hand to the table, on the owner's ``table`` (0 when leading). Returns the rest of the hand."""
    if play & (play - ONE) != ZERO and strength >= SF_STRENGTHS:
        position.straight_flush = 1
    if log is not None:
        append(log, events.PLAY, seat, np.int64(play), np.int64(table))
    if special is not None:
        note_choice(position, seat, owner, play, table == ZERO, rules)
    hand ^= play
    position.hands[seat] = hand
    views[seat].hand = hand
    shown = position.played[seat] | play
    position.played[seat] = shown
    push_played(views, SEATS, seat, shown)
    position.plays += 1
    return hand


@inlined
def play(position, views, deciders, rules, keys, status, log, budget):
    """Play a hand on from wherever the position stands, to its end.

    Parameters
    ----------
    position, views, rules : records
    deciders : addresses of the seated decisions, by seat
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
    if position.turn == 0:
        show_new_hand(position, views, rules)
    else:
        take_up(position, views, rules)
    # Whether more happens than that who passes waits for the next trick and the first to go out wins, or plays are not the default ones.
    special = rules.last_card_rule != LAST_CARD_OFF or rules.pass_lockout == 0 or rules.end == END_PLAY_ON
    if log is None and rules.plain != 0 and rules.bombs == 0 and not special:
        return play_tricks(position, views, deciders, rules, status, None, 0, None)
    return play_special(position, views, deciders, rules, status, log, budget)


@kernel
def play_special(position, views, deciders, rules, status, log, budget):
    """Play under rules that need a look at each turn, or with a log. Returns as play()."""
    apart()
    return play_tricks(position, views, deciders, rules, status, log, budget, 1)


@inlined
def play_tricks(position, views, deciders, rules, status, log, budget, special):
    """Play a hand on to its end, or until the budget is spent; the views know what stood before. Returns as play().

    Parameters
    ----------
    special : None or int
        None when the rules are such that nothing happens that seldom does, and the plays the default ones; those steps are then left
        out when this is compiled.
    """
    players = np.uint64(position.players)
    seat = np.uint64(position.seat)
    owner = np.uint64(position.owner)
    active = np.uint64(position.active)
    table = position.table
    strength = position.strength
    turn = np.uint64(position.turn)
    leading = position.phase != ANSWERING
    queue = ONE
    if not leading:
        queue = (queue_of(active & ~(ONE << owner) & ~(ONE << seat), seat, players) << TWO) | seat
    steps = 0
    code = GOING

    while True:
        if leading:
            view = views[seat]
            show_trick(view, ZERO, ZERO, seat, active, turn)
            limited, answer, fault, exception = ask_seat(position, view, deciders, seat, special, rules, status)
            chosen = np.uint64(answer)
            hand = position.hands[seat]
            played = lead_strength(hand, chosen, position.must, limited, rules, special)
            if played == ZERO:
                raise_fault(fault, exception)
                status[hot.ANSWER] = answer
                code = ILLEGAL
                break
            turn += ONE
            position.leads += ONE << (popcount(chosen) << THREE)
            hand = put_down(position, views, seat, owner, hand, chosen, played, table, special, rules, log)
            position.must = ZERO
            view.must = ZERO
            table, strength, owner = chosen, played, seat
            queue = round_after(seat, players)
            leading = False
            if hand == ZERO or special is not None:
                active, queue = after_play(position, views, seat, chosen, active, queue, special, rules, log)
                if queue == ZERO:
                    code = FINISHED
                    break
            if log is not None:
                steps += 1
                if steps == budget:
                    code = PAUSED
        while queue != ONE and code == GOING:
            seat = queue & SEAT_IN_QUEUE
            queue >>= TWO
            view = views[seat]
            show_trick(view, table, strength, owner, active, turn)
            limited, answer, fault, exception = ask_seat(position, view, deciders, seat, special, rules, status)
            chosen = np.uint64(answer)
            if chosen == ZERO:
                active ^= ONE << seat
                turn += ONE
                if log is not None:
                    append(log, events.PASS, seat, 0, 0)
            else:
                hand = position.hands[seat]
                played = answer_strength(hand, chosen, strength, limited, rules, special)
                if played == ZERO:
                    raise_fault(fault, exception)
                    status[hot.ANSWER] = answer
                    code = ILLEGAL
                    break
                turn += ONE
                # Whoever sits between the owner and this seat has passed: after the others the owner is asked.
                queue += (owner + SENTINEL) << highest(queue)
                hand = put_down(position, views, seat, owner, hand, chosen, played, table, special, rules, log)
                table, strength, owner = chosen, played, seat
                if hand == ZERO or special is not None:
                    active, queue = after_play(position, views, seat, chosen, active, queue, special, rules, log)
                    if queue == ZERO:
                        code = FINISHED
                        break
            if log is not None:
                steps += 1
                if steps == budget:
                    code = PAUSED
        if code in (FINISHED, ILLEGAL):
            break
        if queue != ONE:
            seat = queue & SEAT_IN_QUEUE
            break
        # Nobody else is left in the trick (PD-9, PD-A15, PD-A23).
        active = holders(position)
        if log is not None:
            append(log, events.TRICK, owner, 0, 0)
        seat = owner if (active >> owner) & ONE != ZERO else next_seat(active, owner, players)
        table, strength, owner = ZERO, ZERO, seat
        leading = True
        if code == PAUSED:
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
    position.passes = np.int64(turn) - position.plays
    return code


@inlined
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
