"""Streams made ahead in vector lanes, word for word the same as one by one, and the rare ways round words that are one too many."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np
import pytest

from sim import lanes
from sim.ahead import STEP
from sim.arm import Arm
from sim.game import find_game
from sim.games.pusoy_dos import dealing
from sim.games.tres_y_dos import engine as tres_y_dos
from sim.jit import kernel
from sim.rng import next_word, philox
from sim.strategy import set_parameters
from sim.tracing import Table
from strategies.loader import built_in
from tests import pusoy_dos_mirror as mirror

LANES = lanes.LANES
SEED = 5
word = np.uint64


@kernel
def opened(states, key0, key1, unit, unit_step, sub, sub_step, purpose):
    lanes.open_lanes(states, key0, key1, unit, unit_step, sub, sub_step, purpose)


@kernel
def stepped(states, words, first, end):
    lanes.step_lanes(states, words, first, end)


@kernel
def dealt_out(words, first, second, third, removed, hands):
    return lanes.deal_lanes(words, first, second, third, removed, hands)


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


SIZES = [((13, 13, 13), 0), ((17, 17, 17), 0), ((17, 17, 17), 1), ((13, 13, 13), 1), ((1, 0, 50), 0)]


def deal_words(words: Any, sizes: tuple[int, ...], removed: int) -> tuple[Any, int]:
    """The hands of all lanes, shape (4, LANES), and the lanes in doubt, by the compiled code."""
    hands = np.zeros(4 * LANES, np.uint64)
    doubtful = dealt_out(words, *(word(size) for size in sizes), word(removed), hands)
    return hands.reshape(4, LANES), int(doubtful)


@pytest.mark.parametrize(("sizes", "removed"), SIZES)
def test_deals_in_lanes_are_those_of_plain_python(sizes: tuple[int, ...], removed: int) -> None:
    words = random_words(lanes.DEAL_WORDS * LANES)
    hands, doubtful = deal_words(words, sizes, removed)
    plain = np.zeros(4 * LANES, np.uint64)
    first, second, third = (word(size) for size in sizes)
    told = lanes.deal_lanes(words, first, second, third, word(removed), plain)
    assert (hands == plain.reshape(4, LANES)).all()
    assert doubtful == int(told)
    for lane in range(LANES):
        assert [int(hand).bit_count() for hand in hands[:, lane]] == [*sizes, 52 - sum(sizes)]
        assert sum(int(hand) for hand in hands[:, lane]) == 2**52 - 1
        assert not removed or int(hands[3, lane]) & 1


@pytest.mark.parametrize("draw", [0, 3, 17, 38, 50, 51])
@pytest.mark.parametrize("lane", [0, 5, LANES - 1])
def test_draws_that_are_one_too_many_are_noticed(draw: int, lane: int) -> None:
    """For every piece of a word: noticed are those whose low product lies below what 2^16 leaves over, and no other lane's."""
    left = 52 - draw
    at, place = draw // 4 * LANES + lane, 16 * (draw % 4)
    fine = next(piece for piece in range(2**16) if piece * left % 2**16 >= 2**16 % left)
    bad = [piece for piece in range(2**16) if piece * left % 2**16 < 2**16 % left]
    base = random_words(lanes.DEAL_WORDS * LANES)
    for piece in (fine, *bad[:3], *bad[-1:]):
        words = base.copy()
        words[at] = word(int(words[at]) & ~(0xFFFF << place) | piece << place)
        doubtful = deal_words(words, (13, 13, 13), 0)[1]
        without = words.copy()
        without[at] = word(int(words[at]) & ~(0xFFFF << place) | fine << place)
        others = deal_words(without, (13, 13, 13), 0)[1]
        assert doubtful == others | ((piece in bad) << lane)
    assert len(bad) == 2**16 % left


def dealt(game: str, deal: int = 11, **rules: Any) -> Table:
    """A table at which a hand has just been dealt."""
    found = find_game(game)
    made = found.make_rules(rules)
    player = set_parameters(built_in(game)[found.default_strategy], {})
    table = Table(Arm(found, made, (player,) * made.players), found.unit("hand"), SEED, deal)  # type: ignore[attr-defined]
    table.begin()
    table.deal_hand()
    return table


@pytest.mark.parametrize(
    ("rules", "each", "removed"),
    [({}, 13, 0), ({"players": 3}, 17, 0), ({"players": 3, "deal3": "39"}, 13, 0), ({"players": 3, "leftover": "remove_lowest"}, 17, 1)],
)
def test_hands_dealt_ahead_are_those_of_single_deals(rules: dict[str, Any], each: int, removed: int) -> None:
    """Card by card over the stream of each unit, in lanes and in the way taken when a draw is one too many."""
    table = dealt("pusoy-dos", **rules)
    position = table.positions[0]
    ahead = position.ahead_hands.copy()
    for lane in range(LANES):
        single = mirror.dealt(SEED, 11 + lane, 0, 0, table.arm.rules.to_dict())
        assert [int(hand) for hand in ahead[lane::LANES]] == [*single.hands, single.leftover][:4]
    position.ahead_hands[:] = 0
    with np.errstate(over="ignore"):
        dealing.deal_slowly(position, table.keys, word(each), word(removed), word(0xFFFF))
    assert (position.ahead_hands == ahead).all()
    assert (int(position.lane), int(position.unit), int(position.hand)) == (0, 11, 0)


def test_some_deals_ahead_are_looked_at_anew() -> None:
    """A draw is one too many in a deal in a hundred: the hands are those of single deals all the same."""
    doubted = 0
    for unit in range(0, 320, LANES):
        table = dealt("pusoy-dos", unit)
        position = table.positions[0]
        ahead = position.ahead_hands.copy()
        doubted += deal_words(position.words, (13, 13, 13), 0)[1] != 0
        with np.errstate(over="ignore"):
            dealing.deal_slowly(position, table.keys, word(13), word(0), word(0xFFFF))
        assert (position.ahead_hands == ahead).all()
    assert doubted > 0


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
