"""Streams made ahead in vector lanes, word for word the same as one by one, and the rare ways round words that are one too many."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np
import pytest

from sim import lanes
from sim.ahead import STEP
from sim.arm import Arm
from sim.bits import mul_wide
from sim.game import find_game
from sim.games.pusoy_dos import dealing
from sim.games.tres_y_dos import engine as tres_y_dos
from sim.jit import kernel
from sim.rng import below, next_word, philox
from sim.strategy import set_parameters
from sim.tracing import Table
from strategies.loader import built_in

LANES = lanes.LANES
word = np.uint64


@kernel
def opened(states, key0, key1, unit, unit_step, sub, sub_step, purpose):
    lanes.open_lanes(states, key0, key1, unit, unit_step, sub, sub_step, purpose)


@kernel
def stepped(states, words, first, end):
    lanes.step_lanes(states, words, first, end)


@kernel
def placed(words, count, deck):
    return lanes.place_lanes(words, count, deck)


@kernel
def numbered(places, count):
    lanes.number_lanes(places, count)


def u64(state: Any) -> Any:
    """A state that compiled code gave back: plain numbers, which it would not take for words again."""
    return tuple(word(int(part)) for part in state)


def random_words(count: int) -> Any:
    return np.random.default_rng(7).integers(0, 2**64, count, np.uint64)


def test_lanes_are_streams_side_by_side() -> None:
    key0, key1, unit, sub = (word(int(x)) for x in random_words(4))
    states, words = np.zeros(4 * LANES, np.uint64), np.zeros(12 * LANES, np.uint64)
    opened(states, key0, key1, unit, word(3), sub, word(1 << 16), word(2))
    begun = states.copy()
    stepped(states, words, word(0), word(5))
    stepped(states, words, word(5), word(12))
    with np.errstate(over="ignore"):
        for lane in range(LANES):
            s = u64(philox(word(0), unit + word(3 * lane), sub + word(lane << 16), word(2), key0, key1))
            assert list(begun[lane::LANES]) == list(s)
            for k in range(12):
                s, made = next_word(s)
                s = u64(s)
                assert words[k * LANES + lane] == made
            assert list(states[lane::LANES]) == list(s)


@pytest.mark.parametrize("deck", [52, 51])
def test_places_are_those_of_single_draws(deck: int) -> None:
    rows = 51
    words = random_words((rows + 1) * LANES)
    places = words.copy()
    assert placed(places, word(rows), word(deck)) == 0
    for k in range(rows):
        for at in range(k * LANES, (k + 1) * LANES):
            assert places[at] == mul_wide(words[at], word(deck - k))[0] * LANES
    assert (places[rows * LANES :] == words[rows * LANES :]).all()


@pytest.mark.parametrize("row", [0, 17, 38])
@pytest.mark.parametrize("lane", [0, 5, LANES - 1])
def test_words_that_may_be_one_too_many_are_noticed(row: int, lane: int) -> None:
    """A word's low product below the bound: the least, the largest such, and the least that is not."""
    left = 52 - row
    for low, noticed in ((0, True), (left - 1, True), (left, False)):
        words = random_words(39 * LANES)
        # word * left = low (mod 2^64) has a solution when 2^k, the even part of left, divides low.
        even = left & -left
        if low % even:
            continue
        words[row * LANES + lane] = word(low // even * pow(left // even, -1, 2**64) % 2**64 % (2**64 // even))
        assert mul_wide(words[row * LANES + lane], word(left))[1] == low
        assert bool(placed(words, word(39), word(52))) == noticed


def test_rows_are_numbered() -> None:
    places = np.full(53 * LANES, 99, np.uint8)
    numbered(places, word(52))
    assert list(places) == [k for k in range(52) for _ in range(LANES)] + [99] * LANES


def dealt(game: str, **rules: Any) -> Table:
    """A table at which a hand has just been dealt."""
    found = find_game(game)
    made = found.make_rules(rules)
    player = set_parameters(built_in(game)[found.default_strategy], {})
    table = Table(Arm(found, made, (player,) * made.players), found.unit("hand"), 5, 11)  # type: ignore[attr-defined]
    table.begin()
    table.deal_hand()
    return table


@pytest.mark.parametrize(
    ("rules", "seats", "each", "deck"),
    [
        ({}, 3, 13, 52),
        ({"players": 3}, 3, 17, 52),
        ({"players": 3, "leftover": "remove_lowest"}, 3, 17, 51),
    ],
)
def test_hands_dealt_ahead_are_those_of_single_deals(rules: dict[str, Any], seats: int, each: int, deck: int) -> None:
    """Fisher and Yates over the stream of each unit, and the way taken when a word is looked at."""
    table = dealt("pusoy-dos", **rules)
    position = table.positions[0]
    ahead = position.ahead_hands[: seats * LANES].copy()
    with np.errstate(over="ignore"):
        for lane in range(LANES):
            s = u64(philox(word(0), word(11 + lane), word(0), word(0), table.keys[0], table.keys[1]))
            cards = [deck if deck < 52 and card == 0 else card for card in range(deck)]
            for seat in range(seats):
                hand = 0
                for _ in range(each):
                    s, place = below(s, word(len(cards)))
                    s = u64(s)
                    hand |= 1 << cards[int(place)]
                    cards[int(place)] = cards[-1]
                    cards.pop()
                assert ahead[seat * LANES + lane] == hand
        position.ahead_hands[:] = 0
        dealing.deal_slowly(position, table.keys, word(seats), word(each), word(deck))
    assert (position.ahead_hands[: seats * LANES] == ahead).all()
    assert (int(position.lane), int(position.unit), int(position.hand)) == (0, 11, 0)


def test_a_hand_dealt_again_is_the_same() -> None:
    """Tres y Dos: the way taken when a word may be one too many, with words that are not."""
    table = dealt("tres-y-dos", players=4)
    position = table.positions[0]
    hands, stock = position.hands.copy(), position.stock[: int(position.left)].copy()
    with np.errstate(over="ignore"):
        first = word((int(position.dealer) + 1) % 4)
        tres_y_dos.deal_again(position, table.keys, first, word(21), None)
    assert (position.hands == hands).all()
    assert (position.stock[: int(position.left)] == stock).all()
    assert position.lane < STEP
