"""``control``: counts the cards that are out, and plays for the lead when it can run out its hand."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import math

import numpy as np

from sim.bits import ONE, ZERO, popcount
from sim.games.pusoy_dos.plays import DECK, size_of, strength_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from sim.view import memory
from strategies.pusoy_dos.fives import FIVES, recall_fives
from strategies.pusoy_dos.moves import cards_left, fewest_left, may_play
from strategies.pusoy_dos.partition import MOST_SMALL, list_small
from strategies.pusoy_dos.prices import PRICES_END, SURVEY, THOUSAND, least_price, run_chance, set_prices
from strategies.pusoy_dos.unseen import (
    higher_fives,
    higher_of_rank,
    hold_chance,
    holdings,
    unseen_cards,
)

RISK, RUN, HASTE = np.uint64(9), np.uint64(10), np.uint64(11)
"""Places of the parameters; those of counting and of prices come before."""

SMALL = np.uint64(PRICES_END)
WORDS = PRICES_END + MOST_SMALL

NEAR = 7.0
"""Cards from which down an opponent makes a run more urgent."""


@kernel
def going_out(view, strength, unseen, notes):
    """About how likely an opponent who may still answer goes out by beating a play: he holds just as many cards (float)."""
    size = np.int64(size_of(strength))
    total = float(popcount(unseen))
    chance = 0.0
    for seat in range(view.players):
        if seat != view.seat and (view.active >> seat) & 1 and cards_left(view, seat) == size:
            if size == 5:
                chance += higher_fives(view, strength, unseen, notes, SURVEY) / ways(total, size)
            else:
                chance += higher_of_rank(strength, unseen) * combinations(size) / ways(total, size)
    return min(chance, 1.0)


@kernel
def combinations(size):
    """About how many plays of a size the unseen cards of a rank make that have one or more."""
    return 1.0 if size == 1 or size == 4 else 3.0 if size == 2 else 2.0


@kernel
def ways(total, size):
    """Number of hands of ``size`` out of ``total`` cards (floats), at least 1."""
    count = 1.0
    for k in range(size):
        count *= (total - k) / (k + 1.0)
    return max(count, 1.0)


@kernel
def danger_of_pass(view, unseen, chances, notes):
    """About how likely an opponent goes out if everything is left to the others: on the table's play or by leading."""
    danger = going_out(view, view.strength, unseen, notes)
    if view.owner != view.seat and cards_left(view, view.owner) == 1:
        danger += hold_chance(view, view.strength, unseen, chances, notes, SURVEY)
    return danger


@kernel
def urgency(view):
    """How much more a run is worth because an opponent holds few cards."""
    return 1.0 + view.parameters[HASTE] * max(0.0, NEAR - fewest_left(view)) / (NEAR - 1.0)


@kernel
def play(view):
    """The play, or pass, with the best prospects: a cheap rest, a run from the lead, nobody let out."""
    notes = memory(view)
    hand = view.hand
    fives = recall_fives(view, notes)
    small = list_small(view, notes, SMALL) - SMALL
    unseen = unseen_cards(view)
    set_prices(view, fives, unseen, holdings(view, (1 << view.players) - 1, unseen), notes)
    chances = holdings(view, view.active, unseen)
    risk = view.parameters[RISK]
    run = view.parameters[RUN] * urgency(view)
    best = ZERO
    best_value = -math.inf
    best_strength = ~ZERO
    if view.table != ZERO:
        price = float(least_price(hand, ZERO, fives, notes)) / THOUSAND
        best_value = -price - risk * danger_of_pass(view, unseen, chances, notes)
    for i in range(small + fives):
        play = notes[SMALL + i] if i < small else notes[FIVES + (i - small)] & DECK
        strength = strength_of(play, view)
        if not may_play(view, play, strength):
            continue
        if play == hand:
            return np.int64(play)
        rest = hand ^ play
        hold = hold_chance(view, strength, unseen, chances, notes, SURVEY)
        value = run * hold * run_chance(rest, fives, notes) - float(least_price(rest, ZERO, fives, notes)) / THOUSAND
        value -= risk * going_out(view, strength, unseen, notes)
        if value > best_value or (value == best_value and strength < best_strength):
            best = play
            best_value = value
            best_strength = strength
    return np.int64(best)


PARAMETERS = {
    "ready_single": Parameter(0.3, 0, 1, "how ready others are to beat a single with a higher card they hold"),
    "ready_more": Parameter(0.8, 0, 5, "how ready they are to beat two to four cards of a rank"),
    "ready_five": Parameter(0.74, 0, 5, "how ready they are to beat a five-card play"),
    "hold": Parameter(0.5, 0, 2, "turns that a play is worth which surely takes the trick"),
    "fit": Parameter(0.64, 0, 2, "turns that the highest card is cheaper to get rid of than the lowest, besides"),
    "fit_more": Parameter(0.44, 0, 2, "the same for two to four cards of a rank"),
    "pair": Parameter(0.9, 0, 4, "turns that the lowest pair costs (the lowest single: 1)"),
    "triple": Parameter(1.36, 0, 4, "turns that the lowest triple costs"),
    "five": Parameter(1.14, 0, 4, "turns that a five-card play costs which never takes a trick"),
    "risk": Parameter(0.66, 0, 5, "turns that it costs to let an opponent out"),
    "run": Parameter(0.56, 0, 20, "turns that the lead is worth when the rest of the hand runs out without fail"),
    "haste": Parameter(0.5, 0, 10, "how much more that is, in parts, when an opponent holds one card"),
}
"""Read by what ``control`` and ``endgame`` share, so in this order."""

CONTROL = Strategy(
    game="pusoy-dos",
    name="control",
    about="""
    Counts the cards that are out, and so knows which of its plays nobody can beat: its controls.

    It parts its hand into the cheapest plays. Low cards cost a turn, and the likelier a play is to take a trick, the less
    it costs to keep. When all its plays but one are controls it runs them out; the nearer it is to that, the more it
    plays for the lead. To an opponent who may go out it leads what he cannot follow, and it does not leave him the trick.
    """,
    decisions={"play": play},
    parameters=PARAMETERS,
    source="control counting and forced runs as experts play; the numbers are tuned by play against itself and others",
    memory=WORDS,
)
