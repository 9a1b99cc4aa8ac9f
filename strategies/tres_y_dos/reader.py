"""``reader``: `guarded` that also reads which ranks the others throw first."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import TWO, ZERO, highest, lowest_bit, popcount, rank_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from strategies.tres_y_dos.guarded import coming, unfed
from strategies.tres_y_dos.hands import is_full_house, spare
from strategies.tres_y_dos.outs import draw

CONTRARY = np.uint64(0)
"""Place of the parameter."""

LOW_RANKS = np.uint64(0x0000000111111)
HIGH_RANKS = np.uint64(0x1111110000000)


@kernel
def others_throw_high(view):
    """Whether the other players have thrown more different ranks above the seven than below it."""
    low = ZERO
    high = ZERO
    me = np.uint64(view.seat)
    for seat in range(np.uint64(view.players)):
        if seat != me:
            low += popcount(view.marks[seat] & LOW_RANKS)
            high += popcount(view.marks[seat] & HIGH_RANKS)
    return high > low


@kernel
def discard(view):
    """As `guarded`, and among equals the rank farthest from those the others throw first: what they keep is lost."""
    ranks = spare(view.hand, view.legal)
    if is_full_house(view.hand - lowest_bit(ranks)):
        return np.int64(rank_of(ranks))
    ranks = unfed(view, ranks, coming(view), 3.0, 2.0)
    if view.parameters[CONTRARY] == 0 or others_throw_high(view):
        return np.int64(rank_of(ranks))
    return np.int64(highest(ranks) >> TWO)


READER = Strategy(
    game="tres-y-dos",
    name="reader",
    about="""
    Plays like `guarded`, and where others throw low ranks first it throws high ones first, or the other way round.

    Ranks have no order in this game, but players have habits: who throws the lowest of his single cards lets aces and
    twos go round and keeps kings and queens. A king to go with yours then sits in somebody's hand; an ace comes over
    the pile. It goes by what it has seen thrown, and until it has seen anything supposes that low ranks go first.
    """,
    decisions={"draw": draw, "discard": discard},
    parameters={"contrary": Parameter(1, 0, 1, "0: among equal throws the lowest rank goes, whatever the others do", whole=True)},
    source="measured: among players who throw low ranks first, which rank one throws matters as much as counting",
)
