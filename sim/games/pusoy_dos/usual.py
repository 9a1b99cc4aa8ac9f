"""Tricks under the usual rules, in bulk: who passes waits for the next trick, the first to go out wins, plays are the default ones.

``engine.play_any()`` plays the same, and all else; here the steps are left out that only other rules or a log need.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim import hot
from sim.bits import ONE, TWO, ZERO, highest
from sim.bulk import FINISHED, ILLEGAL
from sim.decide import ask, raise_fault
from sim.games.pusoy_dos.plain import plain_strength
from sim.games.pusoy_dos.plays import size_of
from sim.games.pusoy_dos.tricks import (
    GOING,
    SINGLES,
    begin_trick,
    go_out,
    lead_strength,
    next_seat,
    put_down,
    show_trick,
    store_phase,
    store_trick,
)
from sim.games.pusoy_dos.view import ANSWERING, SEATS
from sim.jit import inlined, kernel, rare


@kernel
def lay_ring(position):
    """Write ``after``: by who is in the trick (a bit set) and a seat, which of them comes next in turn order after that seat."""
    rare()
    players = np.uint64(position.players)
    position.ring = players
    for active in range(ONE, ONE << players):
        for seat in range(players):
            position.after[(active << TWO) | seat] = np.uint8(next_seat(active, seat, players))


@inlined
def usual_answer_strength(hand, play, table):
    """As answer_strength(): a single is weaker than any play of more cards, so its strength alone decides."""
    if play & ~hand != ZERO:
        return ZERO
    if play & (play - ONE) == ZERO:
        strength = SINGLES | highest(play)
    else:
        strength = plain_strength(play)
        if size_of(strength) != size_of(table):
            return ZERO
    return strength if strength > table else ZERO


@inlined
def play_usual(position, views, deciders, rules, status):
    """Play a hand on to its end; the views know what stood before. Returns FINISHED or ILLEGAL."""
    if position.ring != np.uint64(position.players):
        lay_ring(position)
    after = position.after
    seat = np.uint64(position.seat)
    owner = np.uint64(position.owner)
    active = np.uint64(position.active)
    everybody = (ONE << np.uint64(position.players)) - ONE
    table = position.table
    strength = position.strength
    turn = np.uint64(position.turn)
    leading = position.phase != ANSWERING
    code = GOING

    while code == GOING:
        if leading:
            view = views[seat]
            show_trick(view, ZERO, ZERO, seat, active, turn)
            status[hot.ASKED] = seat
            answer, fault, exception = ask(deciders[seat], view)
            chosen = np.uint64(answer)
            hand = position.hands[seat]
            played = ZERO
            if chosen != ZERO:
                played = lead_strength(hand, chosen, plain_strength(chosen), position.must, 0, rules)
            if played == ZERO:
                raise_fault(fault, exception)
                status[hot.ANSWER] = answer
                code = ILLEGAL
                break
            turn += ONE
            begin_trick(position, view, chosen)
            rest = put_down(position, views, seat, hand, chosen, played)
            table, strength, owner, leading = chosen, played, seat, False
            if rest == ZERO:
                code = FINISHED
                break
            seat = np.uint64(after[(active << TWO) | seat])
        while seat != owner:
            view = views[seat]
            show_trick(view, table, strength, owner, active, turn)
            status[hot.ASKED] = seat
            answer, fault, exception = ask(deciders[seat], view)
            chosen = np.uint64(answer)
            if chosen == ZERO:
                active ^= ONE << seat
            else:
                hand = position.hands[seat]
                played = usual_answer_strength(hand, chosen, strength)
                if played == ZERO:
                    raise_fault(fault, exception)
                    status[hot.ANSWER] = answer
                    code = ILLEGAL
                    break
                rest = put_down(position, views, seat, hand, chosen, played)
                table, strength, owner = chosen, played, seat
                if rest == ZERO:
                    turn += ONE
                    code = FINISHED
                    break
            turn += ONE
            seat = np.uint64(after[(active << TWO) | seat])
        if code == GOING:  # nobody else is left in the trick
            table, strength, active, leading = ZERO, ZERO, everybody, True

    if code == FINISHED:
        go_out(position, seat, table, None)
        active ^= ONE << seat
    position.turn = np.int64(turn)
    store_trick(position, seat, owner, active, table, strength)
    store_phase(position, leading, code)
    for other in range(np.uint64(SEATS)):
        position.played[other] = position.dealt[other] ^ position.hands[other]
    return code
