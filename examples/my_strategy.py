"""A Tres y Dos player of your own. Play it against others (the part after the last colon may be left out):

    tresdos compare tres-y-dos greedy examples/my_strategy.py:careful:caution=2 --players 4

Each decision is a function that gets the view, which is all that your player may know, and returns a whole number. It
is compiled, so keep to numbers, loops and the helpers of ``td``. Ranks are 0 (ace) to 12 (king).
"""

import tresdos as td


def draw(view):
    """1 takes the top of the discard pile, 0 draws from the stock: take what makes a pair or three of a kind."""
    if view.top == td.tres_y_dos.NO_RANK:  # the pile is empty
        return 0
    held = td.count_of(view.hand, view.top)
    return held == 1 or held == 2


def discard(view):
    """The rank to throw: a single card before a pair, but rather not one that the next player collects."""
    caution = view.parameters[0]  # in the order in which the Strategy lists them
    follower = (view.seat + 1) % view.players
    best = -1
    lowest = 0.0
    for rank in range(13):
        if td.count_of(view.legal, rank) == 0:
            continue  # not held, or just taken from the pile
        held = td.count_of(view.hand, rank)
        cost = 0.0 if held == 4 else float(held)  # a fourth card is never of use
        cost += caution * td.count_of(view.known[follower], rank)  # cards that everybody has seen it take
        cost += td.random_below(view, 100) / 1000  # equals: any
        if best < 0 or cost < lowest:
            best = rank
            lowest = cost
    return best


careful = td.Strategy(
    game="tres-y-dos",
    name="careful",
    about="Collects pairs and threes, and would rather not throw what the next player is known to hold.",
    decisions={"draw": draw, "discard": discard},  # what is left out takes the game's default
    parameters={"caution": td.Parameter(1, 0, 10, "how much it minds to feed the next player")},
)
