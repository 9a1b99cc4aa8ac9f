"""What may be played now, and how many cards the others hold."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, highest, popcount
from sim.games.pusoy_dos.listing import list_plays
from sim.games.pusoy_dos.plays import strength_of, stronger
from sim.games.pusoy_dos.rules import OPENING_SINGLE_ONLY
from sim.jit import kernel

MANY = 99
"""More cards than anybody holds."""


@kernel
def may_play(view, play, strength):
    """Whether a play of the hand, given with its strength, is legal now (PD-7, PD-8, PD-A9, PD-A20)."""
    if view.table != ZERO:
        if not stronger(strength, view.strength, view):
            return False
    elif view.must != ZERO:
        return play == view.must or (play & view.must != ZERO and view.opening_must_include != OPENING_SINGLE_ONLY)
    return view.top_single == 0 or play & (play - ONE) != ZERO or play == ONE << highest(view.hand)


@kernel
def list_legal(view, out):
    """Write every legal play but the pass to the start of ``out`` (room for ``MOST_PLAYS``); returns how many (uint64)."""
    count = list_plays(view.hand, view, out)
    at = ZERO
    for i in range(count):
        if may_play(view, out[i], strength_of(out[i], view)):
            out[at] = out[i]
            at += ONE
    return at


@kernel
def cards_left(view, seat):
    """How many cards a seat (int) still holds (PD-10); 0 for who is out."""
    at = np.uint64(seat)
    return view.sizes[at] - np.int64(popcount(view.played[at]))


@kernel
def fewest_left(view):
    """Cards of the other player who holds fewest, not counting those who are out."""
    fewest = MANY
    for seat in range(view.players):
        left = cards_left(view, seat)
        if seat != view.seat and left > 0:
            fewest = min(fewest, left)
    return fewest
