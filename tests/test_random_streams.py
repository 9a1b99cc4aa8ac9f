"""Random streams: generators by known answers and against the plain ones, and the shuffle that every deal is made by.

Cases K1-030 and K3-…: faults of other programs' shuffles and seeds, which must not happen here.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sim import rng
from sim.arm import Arm
from sim.bits import ONE
from sim.game import find_game
from sim.jit import kernel
from sim.keys import FAMILIES, engine_keys, fresh_seed, stream_key
from sim.strategy import Strategy, set_parameters
from sim.tracing import Table
from sim.view import records
from tests.reference.streams import WORD, Stream, Xoshiro256PlusPlus, below, draw_order, philox4x64
from tests.test_reference_streams import KNOWN_BLOCKS

GAME = find_game("tres-y-dos")
words = st.integers(min_value=0, max_value=WORD - 1)
unhurried = settings(deadline=None)

ALMOST_SURELY = 1e-4
"""A fixed seed whose statistic has a smaller p-value than this, or a larger one than its complement, is no accident."""


def u64(*numbers: int) -> tuple[np.uint64, ...]:
    """Numbers as unsigned words."""
    return tuple(np.uint64(number) for number in numbers)


def plain(values: Any) -> tuple[int, ...]:
    """Words as Python numbers."""
    return tuple(int(value) for value in values)


# Generators -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN_BLOCKS)
def test_philox_known_answers(counter: tuple[int, ...], key: tuple[int, ...], block: tuple[int, ...]) -> None:
    assert plain(rng.philox(*u64(*counter), *u64(*key))) == block


@unhurried
@given(counter=st.tuples(words, words, words, words), key=st.tuples(words, words))
def test_philox_is_the_references(counter: tuple[int, ...], key: tuple[int, ...]) -> None:
    assert plain(rng.philox(*u64(*counter), *u64(*key))) == philox4x64(counter, key)


def test_xoshiro_known_answers() -> None:
    """First words from the state (1, 2, 3, 4)."""
    state: tuple[int, ...] = (1, 2, 3, 4)
    found = []
    for _ in range(4):
        state, word = rng.next_word(u64(*state))
        found.append(int(word))
    assert found == [41943041, 58720359, 3588806011781223, 3591011842654386]


@unhurried
@given(state=st.tuples(words, words, words, words).filter(any))
def test_xoshiro_is_the_references(state: tuple[int, ...]) -> None:
    mine, theirs = state, Xoshiro256PlusPlus(state)
    for _ in range(3):
        mine, word = rng.next_word(u64(*mine))
        assert int(word) == theirs.next()


class _Words:
    """The words of a compiled generator, for the reference's bounded draw."""

    def __init__(self, state: tuple[int, ...]) -> None:
        self.state = state
        self.used = 0

    def next(self) -> int:
        """Return the next word."""
        self.state, word = rng.next_word(u64(*self.state))
        self.used += 1
        return int(word)


@unhurried
@given(state=st.tuples(words, words, words, words).filter(any), n=st.one_of(st.integers(1, 60), st.integers(1, WORD - 1)))
def test_bounded_draws_are_lemires(state: tuple[int, ...], n: int) -> None:
    """The same value, and the same number of words used; bounds near 2**64 reject half of the words."""
    source = _Words(state)
    after, value = rng.below(u64(*state), np.uint64(n))
    assert int(value) == below(source, n)
    assert plain(after) == plain(source.state)


def test_a_bounded_draw_rejects() -> None:
    """With a bound just above 2**63 nearly half of the words are one too many: the next ones are taken."""
    n = 2**63 + 1
    state: tuple[int, ...] = (9, 8, 7, 6)
    used = 0
    for _ in range(200):
        source = _Words(state)
        expected = below(source, n)
        state, value = rng.below(u64(*state), np.uint64(n))
        assert (int(value), plain(state)) == (expected, plain(source.state))
        used += source.used
    assert 300 < used < 500


class _PrivateWords:
    """The words of a decision, for the reference's bounded draw."""

    def __init__(self, address: tuple[int, int], key: tuple[int, int]) -> None:
        self.address, self.key = address, key
        self.used = 0

    def next(self) -> int:
        """Return the next word."""
        word = philox4x64((self.used >> 2, *self.address, 2), self.key)[self.used & 3]
        self.used += 1
        return word


def test_a_private_draw_rejects() -> None:
    """With a bound just above 2**62 a quarter of the words are too many."""
    n, key = 2**62 + 1, (5, 6)
    view = records(GAME.view_dtype, 1)[0]
    view.random_key0, view.random_key1 = key
    used = 0
    for unit in range(200):
        view.random_unit, view.random_sub, view.random_used = unit, 7, 0
        source = _PrivateWords((unit, 7), key)
        assert (int(rng.view_below(view, n)), int(view.random_used)) == (below(source, n), source.used)
        used += source.used
    assert 230 < used < 310


@unhurried
@given(n=st.integers(1, 2**32), used=st.integers(0, 2**34), unit=words, sub=words, key=st.tuples(words, words))
def test_private_randomness_comes_in_blocks_of_four(n: int, used: int, unit: int, sub: int, key: tuple[int, int]) -> None:
    """Word k of a decision is word k % 4 of Philox block k // 4 at the decision's address."""
    view = records(GAME.view_dtype, 1)[0]
    view.random_key0, view.random_key1 = key
    view.random_unit, view.random_sub, view.random_used = unit, sub, used
    expected = [philox4x64(((used + k) >> 2, unit, sub, 2), key)[(used + k) & 3] for k in range(5)]
    assert [int(rng.view_word(view)) for _ in range(5)] == expected
    assert int(view.random_used) == used + 5
    view.random_used = used
    assert 0 <= rng.view_below(view, n) < n
    assert int(view.random_used) > used


@unhurried
@given(p=st.floats(0, 1), word=words)
def test_an_event_of_some_probability(p: float, word: int) -> None:
    """A word says yes when its upper 53 bits, as a fraction, are below the probability: never for 0, always for 1."""
    assert bool(rng.below_probability(np.uint64(word), p)) == ((word >> 11) / 2**53 < p)
    assert not rng.below_probability(np.uint64(word), 0.0)
    assert rng.below_probability(np.uint64(word), 1.0)


def test_keys_are_apart() -> None:
    """Each seed, family and game has two words of its own, and neither rules nor strategies enter."""
    keys = {stream_key(seed, family, game) for seed in range(20) for family in FAMILIES for game in ("a", "b")}
    assert len(keys) == 20 * len(FAMILIES) * 2
    flat = [word for family in FAMILIES for word in stream_key(7, family, "a")]
    assert engine_keys(7, "a").tolist() == flat


def test_fresh_seeds_are_new() -> None:
    """K3-011: seeds drawn in quick succession differ."""
    seeds = [fresh_seed() for _ in range(100)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**48 for seed in seeds)


# Shuffles -------------------------------------------------------------------------------------------------------


@kernel
def shuffled(key0, key1, unit, n, order):  # type: ignore[no-untyped-def]
    """Draw a stock of ``n`` cards to its end as the engines deal: each place drawn is filled with the last card."""
    stock = np.uint64(0)
    s = rng.open_stream(key0, key1, unit, stock, rng.PURPOSE_CARDS)
    cards = order[1]
    for card in range(n):
        cards[card] = card
    left = np.uint64(n)
    for at in range(n):
        s, j = rng.below(s, left)
        left -= ONE
        order[0, at] = cards[j]
        cards[j] = cards[left]


@kernel
def count_places(key0, key1, units, n, order, places, neighbours, fixed):  # type: ignore[no-untyped-def]
    """Count over many shuffles which card comes at which place and after which other, and cards at their own place."""
    for unit in range(units):
        shuffled(key0, key1, unit, n, order)
        for at in range(n):
            places[order[0, at], at] += 1
            if order[0, at] == at:
                fixed[0] += 1
            if at > 0:
                neighbours[order[0, at - 1], order[0, at]] += 1


def orders(n: int, units: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Drawing orders of ``n`` cards."""
    key = u64(*stream_key(seed, "cards", "self-test"))
    order = np.zeros((2, n), np.int64)
    found = []
    for unit in range(units):
        shuffled(*key, unit, n, order)
        found.append(plain(order[0]))
    return found


def not_surprising(p: float) -> bool:
    """Whether a p-value is neither tiny nor too good to be true."""
    return ALMOST_SURELY < p < 1 - ALMOST_SURELY


def test_the_shuffle_is_the_references() -> None:
    key = stream_key(1, "cards", "self-test")
    for unit, order in enumerate(orders(52, 20)):
        assert list(order) == list(draw_order(Stream(key, (0, unit, 0, 0)), range(52)))


def test_the_engine_deals_the_shuffle() -> None:
    """First in the drawing order are the hands, five to each from the dealer's left, then the up-card (TYD-3)."""
    rules = GAME.make_rules({"players": 4})
    player = set_parameters(Strategy(GAME.name, "x", "x", GAME.knowledge.DEFAULTS), {})
    for deal in range(30):
        table = Table(Arm(GAME, rules, (player,) * 4), GAME.unit("hand"), 5, deal)
        table.begin()
        table.deal_hand()
        zones = GAME.knowledge.zones(table.positions[0])
        order = list(draw_order(Stream(stream_key(5, "cards", GAME.name), (0, deal, 0, 0)), range(52)))
        for seat in range(4):
            assert zones[f"hand {seat + 1}"] == sorted(order[5 * seat : 5 * seat + 5])
        assert zones["pile"] == [order[20]]
        assert sorted(zones["stock"]) == sorted(order[21:])


@pytest.mark.parametrize(("n", "units"), [(4, 48_000), (5, 60_000)])
def test_every_order_is_as_likely(n: int, units: int) -> None:
    """K3-002: all n! orders of a small pack, by chi-square."""
    counts = Counter(orders(n, units))
    assert len(counts) == math.factorial(n)
    assert not_surprising(stats.chisquare(list(counts.values())).pvalue)


def test_every_card_is_as_likely_at_every_place() -> None:
    """K3-001, K3-003: 52 cards, card by place, neighbours, fixed points, and the first card (1/52, within 5 sigma).

    Rows and columns of the table of places sum to the same number, so that (n - 1) / n times the usual statistic is
    chi-square with (n - 1)**2 degrees of freedom. The state of a stream has 256 bits, and 52! has 226.
    """
    assert math.log2(math.factorial(52)) < 226 < 256
    n, units = 52, 120_000
    places, neighbours = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    fixed = np.zeros(1, np.int64)
    count_places(*u64(*stream_key(2, "cards", "self-test")), units, n, np.zeros((2, n), np.int64), places, neighbours, fixed)
    expected = units / n
    statistic = (n - 1) / n * ((places - expected) ** 2 / expected).sum()
    assert not_surprising(stats.chi2.sf(statistic, (n - 1) ** 2))
    apart = neighbours[~np.eye(n, dtype=bool)]
    assert neighbours.trace() == 0
    assert not_surprising(stats.chi2.sf(((apart - expected) ** 2 / expected).sum(), n * (n - 1) - 1))
    assert abs(fixed[0] - units) < 4 * math.sqrt(units)  # one fixed point a shuffle on average, variance one
    sigma = math.sqrt(units * 1 / n * (1 - 1 / n))
    assert abs(places[:, 0] - expected).max() < 5 * sigma


@pytest.mark.parametrize("bias", ["any place", "never its own", "one place short"])
def test_the_tests_of_shuffles_find_bad_ones(bias: str) -> None:
    """K3-002: exchanging with any place, never leaving a card and a range that is one short are all found."""
    generator = np.random.Generator(np.random.Philox(1))
    counts: Counter[tuple[int, ...]] = Counter({order: 0 for order in itertools.permutations(range(4))})
    for _ in range(24_000):
        cards = list(range(4))
        for i in range(3, 0, -1):
            j = int(generator.integers({"any place": 4, "never its own": i, "one place short": max(1, i)}[bias]))
            cards[i], cards[j] = cards[j], cards[i]
        counts[tuple(cards)] += 1
    assert stats.chisquare(list(counts.values())).pvalue < ALMOST_SURELY


def test_decks_differ_from_unit_to_unit_and_from_seed_to_seed() -> None:
    """K1-030, K3-004, K3-005, K3-010: no two decks alike, and no shuffle is another one moved on by a step."""
    seeds = [orders(52, 200, seed) for seed in range(3)]
    every = [order for found in seeds for order in found]
    assert len(set(every)) == len(every)
    steps = {tuple((b - a) % 52 for a, b in itertools.pairwise(order)) for order in every}
    assert len(steps) == len(every)
    assert all(len(set(step)) > 10 for step in steps)
