"""``tips``: the seven tips for beginners, each of which can be switched off."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from collections.abc import Mapping

import numpy as np

from sim.bits import (
    ONE,
    TWO,
    ZERO,
    at_least_1,
    count_of,
    exactly_1,
    exactly_2,
    exactly_3,
    exactly_4,
    lowest_bit,
    popcount,
    rank_of,
)
from sim.errors import UsageError
from sim.games.tres_y_dos.rules import TresYDosRules
from sim.games.tres_y_dos.view import PILE, STOCK
from sim.jit import kernel
from sim.rng import below_probability, view_word
from sim.rules import Rules
from sim.strategy import Parameter, Strategy
from strategies.tres_y_dos.counting import (
    FOUR_OF_EACH,
    collectors,
    fewest,
    less,
    live_cards,
    unwanted_next,
    wanted_next,
)
from strategies.tres_y_dos.hands import is_full_house, spare
from strategies.tres_y_dos.outs import livelier_pair

KEEP_PAIRS, DROP_SINGLES, WATCH_PILE, DONT_FEED, COUNT_CARDS, KEEP_TWO_ROUTES, SHOW_FAST = range(7)
"""Places of the parameters: the tips TYD-T1 to TYD-T7 in order."""


@kernel
def follows(view, tip):
    """Whether the player follows one of the tips that are followed or not."""
    return view.parameters[np.uint64(tip)] != 0.0


@kernel
def draw(view):
    """Takes what makes three of a kind or a full house; a pair or a second pair by the tips on pairs and routes."""
    hand = view.hand
    held = count_of(hand, view.top)
    if held == TWO:
        return np.int64(PILE)
    if held != ONE:
        return np.int64(STOCK)
    if (exactly_3(hand) | exactly_4(hand)) != ZERO:
        return np.int64(PILE)
    pairs = exactly_2(hand)
    if pairs == ZERO:
        return np.int64(PILE if follows(view, KEEP_PAIRS) else STOCK)
    if popcount(pairs) == ONE:
        return np.int64(PILE if follows(view, KEEP_TWO_ROUTES) else STOCK)
    return np.int64(PILE if follows(view, COUNT_CARDS) and livelier_pair(view, pairs) else STOCK)


@kernel
def mates(view):
    """How many cards of its rank each held card has beside it or may still get, as far as this player minds.

    Who counts takes off the cards he has seen (TYD-T5); who watches the pile takes off one of a rank for each player
    who collects it (TYD-T3).
    """
    hand = view.hand
    live = live_cards(view) if follows(view, COUNT_CARDS) else FOUR_OF_EACH - hand
    if follows(view, WATCH_PILE):
        live = less(live, collectors(view))
    return live + hand - at_least_1(hand)


@kernel
def kept_pairs(view, counts):
    """The pairs that are not for throwing: two of them for two routes (TYD-T6), one of them as a pair (TYD-T1)."""
    pairs = exactly_2(view.hand)
    if popcount(pairs) > ONE and follows(view, KEEP_TWO_ROUTES):
        wanted = TWO
    else:
        wanted = ONE if follows(view, KEEP_PAIRS) else ZERO
    while popcount(pairs) > wanted:
        pairs ^= lowest_bit(fewest(counts, pairs))
    return pairs


@kernel
def loose(view, counts):
    """The ranks among which to choose: what no tip protects."""
    hand = view.hand
    ranks = view.legal & ~kept_pairs(view, counts)
    if follows(view, DROP_SINGLES):
        if follows(view, KEEP_TWO_ROUTES) and ranks & exactly_4(hand) != ZERO:
            return ranks & exactly_4(hand)  # two singles beside three of a kind are two routes to a full house
        few = ranks & (exactly_1(hand) | exactly_2(hand))
        if few != ZERO:
            return few
    return ranks if ranks != ZERO else view.legal


@kernel
def discard(view):
    """What completes a full house; else, of the ranks that no tip protects, the one worth least to him and the next."""
    done = spare(view.hand, view.legal)
    if is_full_house(view.hand - lowest_bit(done)):
        return np.int64(rank_of(done))
    counts = mates(view)
    ranks = loose(view, counts)
    guards = follows(view, DONT_FEED)
    if guards and follows(view, WATCH_PILE) and ranks & ~wanted_next(view) != ZERO:
        ranks &= ~wanted_next(view)
    ranks = fewest(counts, ranks)
    if guards and ranks & unwanted_next(view) != ZERO:
        ranks &= unwanted_next(view)
    return np.int64(rank_of(ranks))


@kernel
def show(view):
    """Shows the full house if he notices it."""
    if not is_full_house(view.hand):
        return np.int64(0)
    chance = view.parameters[np.uint64(SHOW_FAST)]
    if chance >= 1.0:
        return np.int64(1)
    return np.int64(below_probability(view_word(view), chance))


def check(rules: Rules, values: Mapping[str, float]) -> None:
    """Refuse a player who overlooks full houses where the rules show them for him (UsageError)."""
    if values["show_fast"] < 1 and isinstance(rules, TresYDosRules) and rules.auto_show:
        raise UsageError(
            f"strategy tips: show_fast={values['show_fast']:g} needs the rule auto_show=false; with auto_show=true a "
            "full house is shown for its player (to let everybody overlook some, use the rule notice_prob)"
        )


def _switch(tip: str) -> Parameter:
    return Parameter(1, 0, 1, tip, whole=True)


TIPS = Strategy(
    game="tres-y-dos",
    name="tips",
    about="""
    Follows the seven tips for beginners; each can be switched off to see what it is worth.

    The tips: keep pairs, throw single cards, watch what others take, do not feed the next player, count cards, keep two
    routes open, show at once. Between cards that no tip tells apart it throws the lowest rank.
    """,
    decisions={"draw": draw, "discard": discard, "show": show},
    parameters={
        "keep_pairs": _switch("1: takes a card that makes a pair, and keeps it; 0: a pair is to him two single cards (TYD-T1)"),
        "drop_singles": _switch("1: throws single cards first; 0: throws from three of a kind as readily (TYD-T2)"),
        "watch_pile": _switch("1: what others took they keep: it waits for other ranks; 0: does not notice what they take (TYD-T3)"),
        "dont_feed": _switch("1: does not throw what the next player needs, as far as it noticed; 0: does not care (TYD-T4)"),
        "count_cards": _switch("1: keeps the ranks of which most cards can still come; 0: counts nothing (TYD-T5)"),
        "keep_two_routes": _switch("1: takes and keeps a second pair; 0: waits for one rank at a time (TYD-T6)"),
        "show_fast": Parameter(1, 0, 1, "chance of noticing its full house each turn; below 1 needs the rule auto_show=false (TYD-T7)"),
    },
    check=check,
    source="the tips for beginners of the Arabic rules page (TYD-T1 to TYD-T7)",
)
