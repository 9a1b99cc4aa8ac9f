"""What happens in a trick of Pusoy Dos whatever the rules: a seat is shown it, a play is judged, put down, goes out."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, THREE, ZERO, highest, lowest, popcount
from sim.bulk import FINISHED
from sim.events import append
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.plays import is_bomb, is_single_two, size_of
from sim.games.pusoy_dos.rules import OPENING_SINGLE_ONLY, SINGLE, STRAIGHT_FLUSH
from sim.games.pusoy_dos.view import ANSWERING, LEADING, OPENING, OVER, SEATS, VIEW
from sim.jit import inlined, kernel
from sim.view import field_pusher

SINGLES = np.uint64(SINGLE << 56)
SF_STRENGTHS = np.uint64(STRAIGHT_FLUSH << 56)

GOING = -1
"""Before there is a code."""

push_played = field_pusher(VIEW, "played")


@inlined
def next_seat(seats, seat, players):
    """The first seat of a bit set in turn order after ``seat`` (which comes last); the set must not be empty."""
    turned = ((seats | (seats << players)) >> (seat + ONE)) & ((ONE << players) - ONE)
    found = seat + ONE + lowest(turned)
    return found - players if found >= players else found


@inlined
def show_trick(view, table, strength, owner, active, turn):
    """Write what changes in a view from turn to turn."""
    view.random_used = ZERO
    view.table = table
    view.strength = strength
    view.owner = np.int64(owner)
    view.active = np.int64(active)
    view.turn = np.int64(turn)


@inlined
def lead_strength(hand, play, strength, must, limited, rules):
    """The strength of a play if it may be led (PD-3, PD-8), 0 if not."""
    if play & ~hand != ZERO:
        return ZERO
    if must != ZERO:
        if play & must == ZERO or (rules.opening_must_include == OPENING_SINGLE_ONLY and play != must):
            return ZERO
    elif limited != 0 and play & (play - ONE) == ZERO and play != ONE << highest(hand):
        return ZERO
    return strength


@inlined
def answer_strength(hand, play, strength, table, limited, rules):
    """The strength of a play if it may be put on one of the strength ``table`` (PD-7, PD-9, PD-A7), 0 if not."""
    if play & ~hand != ZERO:
        return ZERO
    if limited != 0 and play & (play - ONE) == ZERO and play != ONE << highest(hand):
        return ZERO
    if size_of(strength) != size_of(table):
        return strength if rules.bombs != 0 and is_bomb(strength) and is_single_two(table) else ZERO
    return strength if strength > table else ZERO


@inlined
def begin_trick(position, view, play):
    """Count a play that is led by its cards; nothing must be in the next one."""
    position.leads += ONE << (popcount(play) << THREE)
    position.must = ZERO
    view.must = ZERO


@inlined
def put_down(position, views, seat, hand, play, strength):
    """Move a play from a hand to the table, for everybody to see. Returns the rest of the hand."""
    if play & (play - ONE) != ZERO and strength >= SF_STRENGTHS:
        position.straight_flush = 1
    rest = hand ^ play
    position.hands[seat] = rest
    views[seat].hand = rest
    push_played(views, SEATS, seat, position.dealt[seat] ^ rest)
    position.plays += 1
    return rest


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


@inlined
def store_trick(position, seat, owner, active, table, strength):
    """Put what is known of the trick back into the position."""
    position.seat = np.int64(seat)
    position.owner = np.int64(owner)
    position.active = np.int64(active)
    position.table = table
    position.strength = strength


@inlined
def store_phase(position, leading, code):
    """Say in the position what happens next."""
    position.phase = OVER if code == FINISHED else LEADING if leading else ANSWERING
    if code != FINISHED and position.must != ZERO:
        position.phase = OPENING
    position.passes = position.turn - position.plays
