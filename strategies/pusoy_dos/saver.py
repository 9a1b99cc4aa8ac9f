"""``saver``: keeps what belongs together, and its high cards for later."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, popcount
from sim.games.pusoy_dos.knowledge import lowest_legal, top_single
from sim.games.pusoy_dos.lowest import lowest_answer, lowest_lead, lowest_of_size
from sim.games.pusoy_dos.plays import RANK, ranks_paired, ranks_tripled, size_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from strategies.pusoy_dos.moves import fewest_left

LATE, SHORT = np.uint64(0), np.uint64(1)
"""Places of the parameters."""

FIVE = np.uint64(5)
HIGH = np.uint64(0xFF00000000000)
"""Aces and twos."""


@kernel
def in_no_five(hand, rules):
    """The cards left after taking out five-card plays, always the lowest there is."""
    five = lowest_of_size(hand, FIVE, ZERO, ZERO, rules)
    while five != ZERO:
        hand &= ~five
        five = lowest_of_size(hand, FIVE, ZERO, ZERO, rules)
    return hand


@kernel
def spare(hand, size, rules):
    """The cards that may be used for plays of ``size`` cards without taking a larger group apart."""
    if size == FIVE:
        return hand
    cards = in_no_five(hand, rules)
    if size == ONE:
        return cards & ~(ranks_paired(cards) * RANK)
    return cards & ~(ranks_tripled(cards) * RANK) if size == TWO else cards


@kernel
def play(view):
    """The lowest play of what may be spent now."""
    if view.must != ZERO:
        return lowest_legal(view)
    hand = view.hand
    hurried = popcount(hand) <= view.parameters[LATE] or fewest_left(view) <= view.parameters[SHORT]
    low = hand if hurried else hand & ~HIGH
    if view.table == ZERO:
        play = lowest_lead(low if low != ZERO else hand, view)
    else:
        size = size_of(view.strength)
        if hurried or size == FIVE:
            low = hand
        else:
            low &= spare(hand, size, view)
        play = lowest_answer(low, view.table, view.strength, view)
    if view.top_single != 0 and popcount(play) == ONE:
        play = top_single(view)
    return np.int64(play)


SAVER = Strategy(
    game="pusoy-dos",
    name="saver",
    about="""
    Leads like `dumper` but keeps aces and twos, and does not take pairs, triples or five-card hands apart to answer.

    It finds its five-card hands by taking out the lowest again and again. Once it holds few cards itself, or an opponent
    is nearly out, it saves nothing any more.
    """,
    decisions={"play": play},
    parameters={
        "late": Parameter(5, 0, 18, "cards in its own hand with which it stops saving", whole=True),
        "short": Parameter(2, 0, 18, "cards in an opponent's hand with which it stops saving", whole=True),
    },
    source="advice for beginners: keep your twos, do not break up your hands",
)
