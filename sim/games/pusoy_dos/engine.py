"""The engine of Pusoy Dos: one source of truth for its rules, for bulk play, tracing, rollouts and tests.

A hand is one 64-bit word, a bit a card, numbered by strength. Dealing is in ``dealing``, plays in ``plays``, points in ``scoring``; here
tricks are played: who is asked, what may be answered, when a trick and a hand end.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim import hot
from sim.ahead import STEP
from sim.bits import ONE, TWO, ZERO, copy_field, highest, lowest, popcount
from sim.bulk import FINISHED, ILLEGAL, PAUSED
from sim.decide import ask, raise_fault
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.dealing import deal
from sim.games.pusoy_dos.lowest import lowest_lead, lowest_opening
from sim.games.pusoy_dos.plays import strength_of
from sim.games.pusoy_dos.record import record
from sim.games.pusoy_dos.rules import (
    AFTER_OUT_IMMEDIATE_CONTROL,
    END_PLAY_ON,
    LAST_CARD_HIGHEST_SINGLE,
    LAST_CARD_PAY_ALL,
    SCORING_PENALTY,
)
from sim.games.pusoy_dos.scoring import assess
from sim.games.pusoy_dos.tricks import (
    GOING,
    answer_strength,
    begin_trick,
    go_out,
    lead_strength,
    next_seat,
    put_down,
    show_trick,
    store_phase,
    store_trick,
)
from sim.games.pusoy_dos.usual import play_usual
from sim.games.pusoy_dos.view import ANSWERING, OVER, SEATS
from sim.jit import apart, inlined, kernel, rare, scalar

__all__ = ["begin", "deal", "introduce", "play", "record", "settle"]

ONLY_DEAL = 2
"""``match`` of the unit that looks at dealt hands and plays none."""

SEAT_IN_QUEUE = np.uint64(3)
SENTINEL = np.uint64(3)  # takes the 1 above a queue away and puts it two bits higher
SEAT_BITS = np.uint64(32)
HAND_BITS = np.uint64(40)


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
def introduce(view, rules, match):
    """Write what the view of a seat, just taken, shows through all units to come.

    The rules are in it so that functions on plays take a view in place of the rules.
    """
    view.plain = rules.plain
    view.usual = rules.usual
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
    view.random_sub = np.uint64(view.seat) << SEAT_BITS
    view.must = ZERO
    for seat in range(SEATS):
        view.sizes[seat] = rules.hand_size if seat < rules.players else 0


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
    for seat in range(np.uint64(position.players)):
        scalar()
        view = views[seat]
        view.hand = position.hands[seat]
        for other in range(np.uint64(SEATS)):
            view.played[other] = ZERO
    views[np.uint64(position.seat)].must = position.must
    if position.match == 1 or rules.steady == 0:
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
    if log is None and rules.usual != 0:
        return play_usual(position, views, deciders, rules, status)
    return play_any(position, views, deciders, rules, status, log, budget)


@kernel
def play_any(position, views, deciders, rules, status, log, budget):
    """Play a hand on under any rules; the views know what stood before. Returns as play()."""
    apart()
    players = np.uint64(position.players)
    seat = np.uint64(position.seat)
    owner = np.uint64(position.owner)
    active = np.uint64(position.active)
    table = position.table
    strength = position.strength
    leading = position.phase != ANSWERING
    queue = ONE
    if not leading:
        queue = (queue_of(active & ~(ONE << owner) & ~(ONE << seat), seat, players) << TWO) | seat
    steps = 0
    code = GOING

    while code == GOING:
        if not leading:
            seat = queue & SEAT_IN_QUEUE
        view = views[seat]
        show_trick(view, table, strength, owner, active, np.uint64(position.turn))
        limited = single_limited(position, seat, rules)
        view.top_single = limited
        status[hot.ASKED] = seat
        answer, fault, exception = ask(deciders[seat], view)
        chosen = np.uint64(answer)
        hand = position.hands[seat]
        played = ZERO
        if leading:
            played = lead_strength(hand, chosen, strength_of(chosen, rules), position.must, limited, rules)
        elif chosen != ZERO:
            played = answer_strength(hand, chosen, strength_of(chosen, rules), strength, limited, rules)
        if played == ZERO and (leading or chosen != ZERO):
            raise_fault(fault, exception)
            status[hot.ANSWER] = answer
            code = ILLEGAL
            break
        position.turn += 1
        queue = queue_of(active & ~(ONE << seat), seat, players) if leading else queue >> TWO
        if chosen == ZERO:
            active ^= ONE << seat
            if log is not None:
                append(log, events.PASS, seat, 0, 0)
        else:
            if log is not None:
                append(log, events.PLAY, seat, np.int64(chosen), np.int64(table))
            note_choice(position, seat, owner, chosen, leading, rules)
            if leading:
                begin_trick(position, view, chosen)
            else:
                # Whoever sits between the owner and this seat has passed: after the others the owner is asked.
                queue += (owner + SENTINEL) << highest(queue)
            put_down(position, views, seat, hand, chosen, played)
            position.played[seat] |= chosen
            table, strength, owner, leading = chosen, played, seat, False
            if hand == chosen:
                go_out(position, seat, chosen, log)
            active, queue = play_on(position, views, seat, active, queue, rules)
            if queue == ZERO:
                code = FINISHED
                break
        if queue == ONE:
            # Nobody else is left in the trick (PD-9, PD-A15, PD-A23).
            active = holders(position)
            if log is not None:
                append(log, events.TRICK, owner, 0, 0)
            seat = owner if (active >> owner) & ONE != ZERO else next_seat(active, owner, players)
            table, strength, owner, leading = ZERO, ZERO, seat, True
        if log is not None:
            steps += 1
            if steps == budget:
                code = PAUSED

    if not leading and code == PAUSED:
        seat = queue & SEAT_IN_QUEUE
    store_trick(position, seat, owner, active, table, strength)
    store_phase(position, leading, code)
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
