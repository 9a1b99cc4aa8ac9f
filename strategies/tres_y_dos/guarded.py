"""``guarded``: `outs` that does not feed the next player."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, lowest_bit, rank_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from strategies.tres_y_dos.counting import collectors, copies, fewest, less, live_cards, unwanted_next, wanted_next
from strategies.tres_y_dos.hands import is_full_house, spare
from strategies.tres_y_dos.outs import draw

TOLERANCE, CAUTION = np.uint64(0), np.uint64(1)
"""Places of the parameters."""


@kernel
def coming(view):
    """Live cards less those that others surely keep: whoever took a rank from the pile holds one more out of sight."""
    return less(live_cards(view), collectors(view))


@kernel
def unfed(view, ranks, live, tolerance, caution):
    """The ranks to choose from: those of which the fewest are live, without feeding the next player if possible."""
    best = fewest(live, ranks)
    wanted = wanted_next(view)
    if caution == 0 or best & ~wanted == best:
        return best
    safe = ranks & ~wanted
    if safe != ZERO:
        safe = fewest(live, safe)
        if copies(live, safe) <= copies(live, best) + tolerance:
            return safe
    elif caution >= 2 and view.legal & ~wanted != ZERO:
        # Whatever the hand can spare, the next player wants: break something, for he would most likely win with it.
        return fewest(live, spare(view.hand, view.legal & ~wanted))
    return best


@kernel
def discard(view):
    """Of the ranks the hand can spare the one of which the fewest are live and that does not help the next player."""
    ranks = spare(view.hand, view.legal)
    if is_full_house(view.hand - lowest_bit(ranks)):
        return np.int64(rank_of(ranks))
    ranks = unfed(view, ranks, coming(view), view.parameters[TOLERANCE], view.parameters[CAUTION])
    if ranks & (ranks - ONE) != ZERO and ranks & unwanted_next(view) != ZERO:
        ranks &= unwanted_next(view)
    return np.int64(rank_of(ranks))


GUARDED = Strategy(
    game="tres-y-dos",
    name="guarded",
    about="""
    Counts like `outs`, and does not throw what the next player collects.

    Whoever took a rank from the pile has a pair or three of it: thrown to him, one more wins the hand more often than
    not. So it throws another card, even of a pair, if need be; what he threw or passed over himself goes first. It also
    reckons that whoever took a rank holds a further card of it, which will not come.
    """,
    decisions={"draw": draw, "discard": discard},
    parameters={
        "tolerance": Parameter(3, 0, 3, "live cards that a safer throw may cost at most", whole=True),
        "caution": Parameter(
            2,
            0,
            2,
            "0: feeds without a thought; 1: avoids it among spare cards; 2: breaks up a pair to avoid it",
            whole=True,
        ),
    },
    source="feeding avoidance: what others take is what they collect (TYD-T3, TYD-T4)",
)
