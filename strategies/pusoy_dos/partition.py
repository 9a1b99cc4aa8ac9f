"""``partition``: plays its hand out in as few turns as it can."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import TWO, ZERO, highest, popcount
from sim.games.pusoy_dos.plays import size_of, strength_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from sim.view import memory
from strategies.pusoy_dos.hand_plays import PLAYS, PLAYS_END, recall_plays
from strategies.pusoy_dos.moves import fewest_left, may_play
from strategies.pusoy_dos.turns import fewest_turns

KEEP, CALM, FINISH, SHORT, EFFORT, LARGE = (np.uint64(place) for place in range(6))
"""Places of the parameters."""

TURN = 10_000
"""What a turn counts against a step in strength (a card's index, 0 to 51)."""


@kernel
def is_threat(view, fewest):
    """Whether an opponent may go out next: with the one card he holds, or by answering a play of the size on the table."""
    if view.table == ZERO:
        return fewest == 1
    return fewest <= view.parameters[SHORT] and fewest <= np.int64(size_of(view.strength))


@kernel
def is_kept(view, play, turns, fewest):
    """Whether a play is worth more later: it takes a high card to answer with while nobody is near the end."""
    if view.table == ZERO or popcount(play) == np.uint64(5):
        return False
    high = np.int64(highest(play) >> TWO) >= view.parameters[KEEP]
    return high and fewest >= view.parameters[CALM] and turns >= view.parameters[FINISH]


@kernel
def value_of(view, play, turns, fewest):
    """How good a play is that leaves a hand of so many turns (a higher number is better)."""
    top = np.int64(highest(play))
    size = np.int64(popcount(play))
    value = -TURN * turns
    if is_threat(view, fewest):
        return value + top + (TURN // 2 if view.table == ZERO and size > 1 else 0)
    if is_kept(view, play, turns, fewest):
        value -= TURN
    return value - top + np.int64(4 * view.parameters[LARGE]) * size


@kernel
def value_of_pass(view, turns, fewest):
    """How good it is to pass with a hand of so many turns."""
    effort = np.int64(TURN * view.parameters[EFFORT]) if is_threat(view, fewest) else 0
    return -TURN * turns - effort


@kernel
def play(view):
    """The play after which the fewest turns are left, of those the one that spends least."""
    notes = memory(view)
    hand = view.hand
    fives, plays = recall_plays(view, notes)
    fewest = fewest_left(view)
    best = ZERO
    best_value = -(1 << 62)
    if view.table != ZERO:
        best_value = value_of_pass(view, np.int64(fewest_turns(hand, fives, notes, view)), fewest)
    for i in range(PLAYS, PLAYS + plays):
        play = notes[i]
        if may_play(view, play, strength_of(play, view)):
            if play == hand:
                return np.int64(play)
            turns = np.int64(fewest_turns(hand ^ play, fives, notes, view))
            value = value_of(view, play, turns, fewest)
            if value > best_value:
                best = play
                best_value = value
    return np.int64(best)


PARTITION = Strategy(
    game="pusoy-dos",
    name="partition",
    about="""
    Parts its hand into as few plays as can be, exactly, and plays nothing that costs it a turn.

    Of the plays that leave the fewest turns it takes the one that spends least, larger ones before smaller ones. It
    passes rather than take its hand apart, and keeps its twos while everybody holds many cards. Only when an opponent may
    go out next does it play its highest cards, beat the table even at the cost of a turn, and lead more cards than that
    opponent holds.
    """,
    decisions={"play": play},
    parameters={
        "keep": Parameter(12, 0, 13, "rank from which on it keeps cards for later (12 twos, 11 aces, 13 none)", whole=True),
        "calm": Parameter(5, 0, 18, "it keeps them while every opponent has at least so many cards", whole=True),
        "finish": Parameter(2, 0, 18, "and while so many turns or more would be left to it", whole=True),
        "short": Parameter(2, 0, 5, "cards from which down an opponent is a threat in a trick of that size", whole=True),
        "effort": Parameter(1, 0, 5, "turns that stopping such an opponent may cost at most"),
        "large": Parameter(5, 0, 50, "ranks that one card more in a lead is worth"),
    },
    source="fewest plays that make up a hand; control and blocking as in common advice",
    memory=PLAYS_END,
)
