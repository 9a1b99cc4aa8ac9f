"""Tres y Dos simulated against results that are known otherwise: exact ones, and those of a separate C program.

Every rate must lie within four standard errors of its oracle; seeds are fixed, so that the tests are too.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.exact.tres_y_dos import (
    all_full_house,
    any_full_house,
    first_six_full_house,
    policy_g_cdf,
    rank_patterns,
    starter_first_turn,
    tie_at_deal,
)
from sim.bits import ZERO, count_of, exactly_1, exactly_2, exactly_3, exactly_4, popcount, rank_bit
from sim.game import WHOLE
from sim.games.tres_y_dos.engine import begin, deal, full_house
from sim.games.tres_y_dos.view import NO_RANK, PILE, STOCK
from sim.jit import kernel
from sim.keys import engine_keys
from sim.strategy import Strategy, set_parameters
from sim.view import records
from strategies.loader import load_player
from tests.tres_y_dos_mirror import COMPILED, policy_g_discard
from tests.tres_y_dos_tables import GAME, HAND, MUTE, SEED, columns_of

GREEDY = COMPILED["greedy"]
STOCK_ONLY = COMPILED["stock-only"]


def assert_rate(found: float, wanted: float, n: int) -> None:
    """A rate over ``n`` units is within four standard errors of its oracle."""
    error = sqrt(wanted * (1 - wanted) / n)
    assert abs(found - wanted) < 4 * error, f"{found} instead of {wanted}, ± {error}"


# What is dealt --------------------------------------------------------------------------------------------------


@kernel
def count_patterns(position, rules, keys, units, counts):
    """Deal many hands and count the rank patterns of the first seat: ranks held once, twice, three and four times."""
    for unit in range(units):
        begin(position, rules, keys, np.uint64(unit), 0)
        deal(position, rules, keys, None)
        hand = position.hands[0]
        place = popcount(exactly_1(hand)) + np.uint64(6) * (
            popcount(exactly_2(hand)) + np.uint64(3) * (popcount(exactly_3(hand)) + np.uint64(2) * popcount(exactly_4(hand)))
        )
        counts[place] += 1


def test_rank_patterns_of_dealt_hands() -> None:
    """TYD-O1."""
    GAME.engine  # noqa: B018 - makes the types of its records known
    units = 400_000
    counts = np.zeros(72, np.int64)
    rules = GAME.make_rules({}).to_record()
    count_patterns(records(GAME.position_dtype, 1)[0], rules[0], engine_keys(SEED, GAME.name), units, counts)
    places = {"4-1": (1, 0, 0, 1), "3-2": (0, 1, 1, 0), "3-1-1": (2, 0, 1, 0)}
    places |= {"2-2-1": (1, 2, 0, 0), "2-1-1-1": (3, 1, 0, 0), "1-1-1-1-1": (5, 0, 0, 0)}
    exact = rank_patterns()
    assert set(places) == set(exact)
    for pattern, (ones, twos, threes, fours) in places.items():
        found = counts[ones + 6 * (twos + 3 * (threes + 2 * fours))]
        assert_rate(found / units, float(exact[pattern][1]), units)
    assert counts.sum() == units


@pytest.mark.parametrize("players", range(2, 8))
def test_dealt_full_houses(players: int) -> None:
    """TYD-O2: of at least one player; of several, who share; K1-034: of any one seat 6/4165."""
    units = 600_000
    found = columns_of({"max_turns": 1, "tie_rule": "split", "show_dealt": "immediate"}, (MUTE,) * players, units)
    dealt = found["dealt_wins"] == 1
    assert_rate(dealt.mean(), float(any_full_house(players)), units)
    tied = dealt & (found["won"].max(axis=0) < WHOLE)
    assert_rate(tied.mean(), float(tie_at_deal(players)), units)
    if players == 2:
        assert tie_at_deal(2) == all_full_house(2)
    for seat in range(players):
        assert_rate((found["won"][seat] * dealt > 0).mean(), 6 / 4165, units)


# The first turn -------------------------------------------------------------------------------------------------

FIRST_TURN = {"show_dealt": "own_turn", "max_turns": 1}
"""The starter shows a dealt full house, or plays one turn; then the hand is over."""


@kernel
def completing_draw(view):
    """Take the top of the pile if it makes a full house of five cards out of six, else draw from the stock."""
    if view.top == NO_RANK:
        return STOCK
    six = view.hand + rank_bit(view.top)
    for rank in range(np.uint64(13)):
        if count_of(view.hand, rank) != ZERO and full_house(six - rank_bit(rank)):
            return PILE
    return STOCK


COMPLETER = set_parameters(
    Strategy(GAME.name, "completer", "takes what completes", {"draw": completing_draw, "discard": policy_g_discard}), {}
)


@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_first_six_cards(players: int) -> None:
    """TYD-O3: dealt, or completed by the first draw from the stock."""
    units = 300_000
    found = columns_of(FIRST_TURN, (STOCK_ONLY,) * players, units)
    assert_rate((found["won"][0] == WHOLE).mean(), float(first_six_full_house()), units)


@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_starters_first_turn(players: int) -> None:
    """TYD-O4: dealt; or completed by the up-card, else by the stock."""
    units = 300_000
    found = columns_of(FIRST_TURN, (COMPLETER,) * players, units)
    won, dealt = found["won"][0] == WHOLE, found["dealt_wins"] == 1
    assert_rate(won.mean(), float(starter_first_turn(including_dealt=True)), units)
    assert_rate((won & ~dealt).mean(), float(starter_first_turn()), units)


# How long it takes alone ----------------------------------------------------------------------------------------

MOST_DRAWS = {2: 20, 3: 12, 4: 7, 5: 5, 6: 3, 7: 2}
"""Own draws before the first stock can run out."""


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("first", [True, False], ids=["first seat", "last seat"])
def test_how_soon_a_full_house_comes(players: int, first: bool) -> None:
    """TYD-O7: the law of a player's own completion while nobody else shows: one uses policy G, the others wait."""
    units = 150_000
    seat = 0 if first else players - 1
    lineup = tuple(STOCK_ONLY if other == seat else MUTE for other in range(players))
    most = MOST_DRAWS[players]
    rules = {"auto_show": False, "show_dealt": "own_turn", "max_turns": players * most}
    found = columns_of(rules, lineup, units)
    won, turns, dealt = found["won"][seat] == WHOLE, found["turns"], found["dealt_wins"] == 1
    assert (found["reshuffles"] == 0).all()
    draws = np.where(dealt, 0, (turns - 1 - seat) // players + 1)
    for t, exact in enumerate(policy_g_cdf(most)):
        assert_rate((won & (draws <= t)).mean(), float(exact), units)


# The yardstick strategy -----------------------------------------------------------------------------------------

TABLE: dict[int, tuple[list[float], float, float, float]] = {
    2: ([0.5318, 0.4664], 0.00176, 10.198, 0.0005),
    3: ([0.3636, 0.3373, 0.2984], 0.00065, 12.579, 0.0155),
    4: ([0.2815, 0.2664, 0.2398, 0.2120], 0.00037, 14.425, 0.0234),
    5: ([0.2308, 0.2218, 0.2022, 0.1816, 0.1634], 0.00026, 16.232, 0.0643),
    6: ([0.1955, 0.1905, 0.1755, 0.1594, 0.1458, 0.1330], 0.00041, 18.057, 0.1957),
    7: ([0.1666, 0.1664, 0.1552, 0.1429, 0.1322, 0.1225, 0.1133], 0.00102, 19.898, 0.5042),
}
"""TYD-O9, by number of players: win rate by seat, void rate, turns per finished hand, reshuffles per hand.

Source: a separate C program, 40 million hands a row, default rules; the last digit is rounded.
"""

TABLE_HANDS = 40_000_000


def assert_mean(values: Any, wanted: float, digits: int) -> None:
    """A mean is within four combined standard errors of one of the table, whose last digit is rounded."""
    deviation = values.std()
    error = deviation * sqrt(1 / len(values) + 1 / TABLE_HANDS)
    assert abs(values.mean() - wanted) < 4 * error + 0.5 * 10**-digits, f"{values.mean()} instead of {wanted}, ± {error}"


@pytest.mark.parametrize("players", TABLE)
def test_the_yardstick_strategy(players: int) -> None:
    """TYD-O9, all of it; K2-037: seat 1 wins more often than the last seat."""
    greedy = load_player(GAME, "greedy")
    units = 400_000
    found = columns_of({}, (greedy,) * players, units, HAND)
    rates, void, turns, reshuffles = TABLE[players]
    for seat, rate in enumerate(rates):
        assert_mean(found["won"][seat] / WHOLE, rate, 4)
    assert_mean(found["voids"], void, 5)
    assert_mean(found["turns"][found["finished"] == 1], turns, 3)
    assert_mean(found["reshuffles"], reshuffles, 4)
    assert found["won"][0].sum() > found["won"][-1].sum()


@pytest.mark.parametrize("players", TABLE)
def test_the_yardstick_in_plain_c(c_program: Callable[[str], Path], players: int) -> None:
    """TYD-O9 and TYD-O2 once more, by the program that the core is measured against."""
    hands = 2_000_000
    arguments = [str(c_program("tres-y-dos")), str(players), str(hands), str(SEED)]
    told = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    # How far single hands lie apart is taken from the core, which has columns of them.
    ours = columns_of({}, (load_player(GAME, "greedy"),) * players, 50_000, HAND)
    rates, void, turns, reshuffles = TABLE[players]

    def close(found: float, wanted: float, deviation: float, digits: int) -> bool:
        return bool(abs(found - wanted) < 4 * deviation * sqrt(1 / hands + 1 / TABLE_HANDS) + 0.5 * 10**-digits)

    assert (told["players"], told["hands"], told["seed"]) == (players, hands, SEED)
    for found, wanted in zip(told["win_rate"], rates, strict=True):
        assert close(found, wanted, sqrt(wanted * (1 - wanted)), 4)
    assert close(told["void_rate"], void, sqrt(void * (1 - void)), 5)
    assert close(told["turns_per_finished_hand"], turns, ours["turns"][ours["finished"] == 1].std(), 3)
    assert close(told["reshuffles_per_hand"], reshuffles, ours["reshuffles"].std(), 4)
    assert_rate(told["dealt_wins"], float(any_full_house(players)), hands)


def test_the_yardstick_strategy_is_the_references() -> None:
    """The built-in ``greedy`` decides as the one that is compared move by move."""
    for rule in ("same_card", "same_rank"):
        rules = {"pickup_discard_rule": rule}
        mine = columns_of(rules, (load_player(GAME, "greedy"),) * 4, 20_000)
        theirs = columns_of(rules, (GREEDY,) * 4, 20_000)
        assert all((mine[name] == theirs[name]).all() for name in mine)


def test_the_built_in_policy_g() -> None:
    """``stock-only`` has the same law, whichever words its random choices use."""
    units = 100_000
    rules = {"auto_show": False, "max_turns": 40}
    found = columns_of(rules, (load_player(GAME, "stock-only"), MUTE), units)
    won = found["won"][0] == WHOLE
    assert_rate((won & (found["turns"] <= 39)).mean(), float(policy_g_cdf(20)[20]), units)
