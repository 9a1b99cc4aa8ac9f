"""``control``: counts the cards that are out, and plays for the lead when it can run out its hand."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import math

import numpy as np

from sim.bits import ZERO, popcount
from sim.games.pusoy_dos.plays import DECK, size_of, strength_of
from sim.jit import kernel
from sim.strategy import Parameter, Strategy
from sim.view import memory
from strategies.pusoy_dos.hand_plays import PLAYS, recall_plays
from strategies.pusoy_dos.moves import cards_left, may_play
from strategies.pusoy_dos.prices import PRICES_END, SURVEY, THOUSAND, least_price, run_chance, set_prices
from strategies.pusoy_dos.unseen import (
    higher_fives,
    higher_of_rank,
    hold_chance,
    holdings,
    unseen_cards,
)

RISK, RUN, SLOW = np.uint64(9), np.uint64(10), np.uint64(11)
"""Places of the parameters; those of counting and of prices come before."""

CERTAIN = 2.0
"""Better than any estimate."""


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
def fall_back(view, rest, danger, fives, notes):
    """About how likely a hand without the lead still goes out first, when somebody else goes out now with the chance ``danger``."""
    chance = math.exp(-view.parameters[SLOW] * float(least_price(rest, fives, notes)) / THOUSAND)
    return chance * (1.0 - min(danger, 1.0)) ** view.parameters[RISK]


@kernel
def prospects(view, play, strength, unseen, chances, fives, notes):
    """About how likely this seat goes out first with a play; CERTAIN when that and all the rest but one play are controls."""
    rest = view.hand ^ play
    run = hold_chance(view, strength, unseen, chances, notes, SURVEY) * run_chance(rest, fives, notes)
    if run == 1.0:
        return CERTAIN
    run *= view.parameters[RUN]
    return run + (1.0 - run) * fall_back(view, rest, going_out(view, strength, unseen, notes), fives, notes)


@kernel
def play(view):
    """The play, or pass, with the best prospects: a cheap rest, a run from the lead, nobody let out."""
    notes = memory(view)
    hand = view.hand
    fives, plays = recall_plays(view, notes)
    unseen = unseen_cards(view)
    set_prices(view, fives, unseen, holdings(view, (1 << view.players) - 1, unseen), notes)
    chances = holdings(view, view.active, unseen)
    best = ZERO
    best_strength = ZERO
    best_value = -1.0
    if view.table != ZERO:
        best_value = fall_back(view, hand, danger_of_pass(view, unseen, chances, notes), fives, notes)
    for i in range(PLAYS, PLAYS + plays):
        play = notes[i] & DECK
        strength = strength_of(play, view)
        if may_play(view, play, strength):
            if play == hand:
                return np.int64(play)
            value = prospects(view, play, strength, unseen, chances, fives, notes)
            if value > best_value or (value == best_value and strength < best_strength):
                best = play
                best_strength = strength
                best_value = value
    return np.int64(best)


PARAMETERS = {
    "ready_single": Parameter(0.38, 0, 1, "how ready others are to beat a single with a higher card they hold"),
    "ready_more": Parameter(0.93, 0, 5, "how ready they are to beat two to four cards of a rank"),
    "ready_five": Parameter(0.63, 0, 5, "how ready they are to beat a five-card play"),
    "hold": Parameter(0.52, 0, 2, "turns by which a play is cheaper that surely takes the trick"),
    "fit": Parameter(0.68, 0, 2, "turns by which the highest card is cheaper than the lowest, besides: it fits in anywhere"),
    "fit_more": Parameter(0.38, 0, 2, "the same for two to four cards of a rank"),
    "pair": Parameter(1.02, 0, 4, "turns that the lowest pair costs (the lowest single: 1)"),
    "triple": Parameter(1.5, 0, 4, "turns that the lowest triple costs"),
    "five": Parameter(0.91, 0, 4, "turns that a five-card play costs which never takes a trick"),
    "risk": Parameter(0.4, 0, 5, "how much it minds letting an opponent out: the power to which it takes the chance that nobody goes"),
    "run": Parameter(0.62, 0, 1, "how far it believes its estimate that it can run out its hand, short of certainty"),
    "slow": Parameter(1.0, 0, 5, "how fast its chances fall with each turn that is left (by the factor e^-slow)"),
}
"""Read by what ``control`` and ``endgame`` share, so in this order."""

CONTROL = Strategy(
    game="pusoy-dos",
    name="control",
    about="""
    Counts the cards that are out, and so knows which of its plays nobody can beat: its controls.

    It parts its hand into the cheapest plays: a low one costs a turn, one that is likely to take a trick much less. Once
    all its plays but one are controls it runs them out, and the nearer it is to that, the more it plays for the lead. To
    an opponent who may go out it leads what he cannot follow, and it does not leave him the trick.
    """,
    decisions={"play": play},
    parameters=PARAMETERS,
    source="control counting and forced runs as experts play; the numbers are tuned by play against itself and others",
    memory=PRICES_END,
)
