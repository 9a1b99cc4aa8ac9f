"""``stock-only``: never touches the pile (policy G of TYD-O7)."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ZERO, exactly_1, exactly_2, exactly_3, exactly_4, rank_of
from sim.games.tres_y_dos.view import STOCK
from sim.jit import kernel
from sim.strategy import Strategy
from strategies.tres_y_dos.randomly import any_of


@kernel
def draw(view):
    """Always the stock."""
    return np.int64(STOCK)


@kernel
def discard(view):
    """What completes a full house, else a random single, else (with three pairs) a card of a random pair.

    With 4-2 a card of the four completes one, with 3-3 any card, with 3-2-1 the single, which is the only one.
    """
    hand = view.hand
    legal = view.legal
    pairs = exactly_2(hand) & legal
    fours = exactly_4(hand) & legal
    if fours != ZERO and pairs != ZERO:
        return np.int64(rank_of(fours))
    singles = exactly_1(hand) & legal
    if singles != ZERO:
        return any_of(view, singles)
    if pairs != ZERO:
        return any_of(view, pairs)
    return np.int64(rank_of(exactly_3(hand) & legal))


STOCK_ONLY = Strategy(
    game="tres-y-dos",
    name="stock-only",
    about="""
    Never touches the pile: draws from the stock, wins if it can, else throws any of its single cards.

    With three pairs it throws a card of any of them. How soon it gets there is known exactly: a check of the simulator.
    """,
    decisions={"draw": draw, "discard": discard},
    source="policy G of the exact results (TYD-O7)",
)
