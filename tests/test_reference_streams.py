"""The reference streams against published known answers, numpy and exhaustive counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.reference.streams import WORD, Stream, Xoshiro256PlusPlus, below, draw_order, philox4x64

ALL_ONES = WORD - 1
words = st.integers(min_value=0, max_value=ALL_ONES)

KNOWN_BLOCKS = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B),
    ),
    (
        (ALL_ONES,) * 4,
        (ALL_ONES,) * 2,
        (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0),
    ),
    (
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]


class ScriptedWords:
    """A source of the given words that counts how many were used."""

    def __init__(self, script: Iterable[int]) -> None:
        self.script = list(script)
        self.used = 0

    def next(self) -> int:
        """Return the next scripted word."""
        self.used += 1
        return self.script[self.used - 1]


class ScriptedBounds:
    """A source of the given bounded draws that remembers the bounds asked for."""

    def __init__(self, script: Iterable[int]) -> None:
        self.script = list(script)
        self.bounds: list[int] = []

    def below(self, n: int) -> int:
        """Return the next scripted draw."""
        self.bounds.append(n)
        draw = self.script[len(self.bounds) - 1]
        assert draw < n
        return draw


def numpy_block(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    """Return numpy's Philox block at a counter, which numpy reaches by incrementing the one before it."""
    number = sum(word * WORD**place for place, word in enumerate(counter))
    before = (number - 1) % WORD**4
    generator = np.random.Philox(
        counter=np.array([before // WORD**place % WORD for place in range(4)], dtype=np.uint64),
        key=np.array(key, dtype=np.uint64),
    )
    return tuple(int(word) for word in generator.random_raw(4))


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN_BLOCKS)
def test_philox_known_answers(counter: tuple[int, ...], key: tuple[int, ...], block: tuple[int, ...]) -> None:
    assert philox4x64(counter, key) == block
    assert numpy_block(counter, key) == block


def test_philox_is_numpys_with_the_counter_incremented_first() -> None:
    expected = (0x4DB6A27B756282DF, 0xD944FA03BABE0E2F, 0x27F872E577060D32, 0x07F697696A0482A2)
    assert tuple(int(word) for word in np.random.Philox(key=1, counter=0).random_raw(4)) == expected
    assert philox4x64((1, 0, 0, 0), (1, 0)) == expected


@given(counter=st.tuples(words, words, words, words), key=st.tuples(words, words))
def test_philox_equals_numpys_anywhere(counter: tuple[int, ...], key: tuple[int, ...]) -> None:
    assert philox4x64(counter, key) == numpy_block(counter, key)


@pytest.mark.parametrize("counter", [(0, 0, 0), (0, 0, 0, WORD), (0, 0, 0, -1)])
def test_philox_refuses_words_that_do_not_fit(counter: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="counter must be 4 words"):
        philox4x64(counter, (0, 0))


def test_xoshiro_known_answers() -> None:
    generator = Xoshiro256PlusPlus((1, 2, 3, 4))
    assert [generator.next() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]


def test_xoshiro_refuses_the_state_it_cannot_leave() -> None:
    with pytest.raises(ValueError, match="four zeros"):
        Xoshiro256PlusPlus((0, 0, 0, 0))


def test_stream_starts_from_the_philox_block_of_its_address() -> None:
    counter, key, block = KNOWN_BLOCKS[2]
    stream, generator = Stream(key, counter), Xoshiro256PlusPlus(block)
    assert [stream.next() for _ in range(20)] == [generator.next() for _ in range(20)]


@pytest.mark.parametrize(
    ("n", "script", "draw"),
    [
        (52, [WORD // 2 + 1], 26),
        (52, [WORD // 2, ALL_ONES], 51),  # the low word 0 lies below 2**64 mod 52 = 16
        (52, [ALL_ONES], 51),
        (1, [0], 0),
        (1, [ALL_ONES], 0),
        (3, [0, ALL_ONES], 2),  # 2**64 mod 3 = 1: only the low word 0 is redrawn
        (4, [0], 0),  # a power of two never redraws
        (2**63 + 1, [2, 1], 0),  # 2 * n leaves the low word 2, below the threshold 2**63 - 1
        (WORD, [12345], 12345),
    ],
)
def test_below_by_hand(n: int, script: list[int], draw: int) -> None:
    source = ScriptedWords(script)
    assert below(source, n) == draw
    assert source.used == len(script)


@pytest.mark.parametrize("n", [0, -1, WORD + 1])
def test_below_refuses_other_bounds(n: int) -> None:
    with pytest.raises(ValueError, match="bound must lie"):
        below(ScriptedWords([0]), n)


@given(word=words, n=st.integers(min_value=1, max_value=2**32))
def test_below_accepts_exactly_when_the_low_word_is_not_in_the_surplus(word: int, n: int) -> None:
    """2**64 mod n words are too many for equal shares: those with a low word below that number are redrawn."""
    source = ScriptedWords([word, WORD // 2 + 1])
    draw = below(source, n)
    if word * n % WORD >= WORD % n:
        assert (draw, source.used) == (word * n // WORD, 1)
    else:
        assert (draw, source.used) == ((WORD // 2 + 1) * n // WORD, 2)


def test_draw_order_moves_the_last_card_into_the_gap() -> None:
    source = ScriptedBounds([1, 0, 1, 0])
    assert list(draw_order(source, "abcd")) == ["b", "a", "d", "c"]
    assert source.bounds == [4, 3, 2, 1]


def test_draw_order_is_lazy() -> None:
    source = ScriptedBounds([3, 2])
    assert list(islice(draw_order(source, range(52)), 2)) == [3, 2]
    assert source.bounds == [52, 51]


def test_draw_order_reaches_every_order_by_exactly_one_sequence_of_draws() -> None:
    scripts = product(*(range(left) for left in (5, 4, 3, 2, 1)))
    orders = [tuple(draw_order(ScriptedBounds(script), range(5))) for script in scripts]
    assert sorted(orders) == sorted(permutations(range(5)))


def test_draw_order_leaves_the_cards_alone() -> None:
    cards = [3, 1, 2]
    assert sorted(draw_order(Stream((7, 7), (0, 0, 0, 0)), cards)) == [1, 2, 3]
    assert cards == [3, 1, 2]


def test_orders_of_four_cards_are_equally_frequent() -> None:
    counts = Counter(tuple(draw_order(Stream((2024, 6), (0, unit, 0, 0)), range(4))) for unit in range(12_000))
    observed = [counts[order] for order in permutations(range(4))]
    assert 1e-4 < stats.chisquare(observed).pvalue < 1 - 1e-4
