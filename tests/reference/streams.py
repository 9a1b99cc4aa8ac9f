"""Random streams in plain integers: Philox4x64-10, xoshiro256++, bounded draws and the lazy shuffle.

Everything here follows the published definitions word for word and knows nothing of numpy or numba, so that the
compiled generators can be checked against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

WORD = 2**64

PHILOX_ROUNDS = 10
PHILOX_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
PHILOX_KEY_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


class WordSource(Protocol):
    """Anything that hands out 64-bit words one after the other."""

    def next(self) -> int:
        """Return the next word, 0 <= word < 2**64."""


class BoundedSource(Protocol):
    """Anything that draws uniformly below a bound."""

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 .. n-1."""


def _checked_words(words: Sequence[int], count: int, name: str) -> tuple[int, ...]:
    if len(words) != count or not all(0 <= word < WORD for word in words):
        raise ValueError(f"{name} must be {count} words of 64 bits, got {words!r}")
    return tuple(words)


def philox4x64(counter: Sequence[int], key: Sequence[int]) -> tuple[int, int, int, int]:
    """Return one Philox4x64-10 block.

    Parameters
    ----------
    counter : sequence of 4 int
        Counter words, least significant first, each below 2**64. The block is that of this very counter:
        numpy's generator increments before its first block.
    key : sequence of 2 int
        Key words, each below 2**64.

    Returns
    -------
    tuple of 4 int
        The four output words.

    Raises
    ------
    ValueError
        If a word is missing or does not fit 64 bits.
    """
    c0, c1, c2, c3 = _checked_words(counter, 4, "counter")
    k0, k1 = _checked_words(key, 2, "key")
    for round_number in range(PHILOX_ROUNDS):
        if round_number > 0:
            k0 = (k0 + PHILOX_KEY_STEPS[0]) % WORD
            k1 = (k1 + PHILOX_KEY_STEPS[1]) % WORD
        hi0, lo0 = divmod(PHILOX_MULTIPLIERS[0] * c0, WORD)
        hi1, lo1 = divmod(PHILOX_MULTIPLIERS[1] * c2, WORD)
        c0, c1, c2, c3 = hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0
    return c0, c1, c2, c3


def rotate_left(word: int, bits: int) -> int:
    """Return a 64-bit word rotated left by ``bits`` places, 0 < bits < 64."""
    return ((word << bits) | (word >> (64 - bits))) % WORD


class Xoshiro256PlusPlus:
    """The generator xoshiro256++.

    Parameters
    ----------
    state : sequence of 4 int
        Start state, four words of 64 bits, not all zero.

    Raises
    ------
    ValueError
        If the state is not four 64-bit words or is all zero (the generator would stay there).
    """

    def __init__(self, state: Sequence[int]) -> None:
        words = _checked_words(state, 4, "state")
        if not any(words):
            raise ValueError("xoshiro256++ cannot start from the state of four zeros")
        self._state = list(words)

    def next(self) -> int:
        """Return the next 64-bit word."""
        s0, s1, s2, s3 = self._state
        result = (rotate_left((s0 + s3) % WORD, 23) + s0) % WORD
        shifted = (s1 << 17) % WORD
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = rotate_left(s3, 45)
        self._state = [s0, s1, s2, s3]
        return result


def below(source: WordSource, n: int) -> int:
    """Return an integer uniform on 0 .. n-1 by Lemire's method, one 64-bit word for each attempt.

    Parameters
    ----------
    source : WordSource
        Where the words come from. At least one is used, also for ``n`` = 1.
    n : int
        Bound, 1 <= n <= 2**64.

    Raises
    ------
    ValueError
        If the bound is out of range.
    """
    if not 1 <= n <= WORD:
        raise ValueError(f"bound must lie in 1..2**64, got {n}")
    product = source.next() * n
    low = product % WORD
    if low < n:
        threshold = (WORD - n) % n
        while low < threshold:
            product = source.next() * n
            low = product % WORD
    return product // WORD


class Stream:
    """The random stream of an address: xoshiro256++ whose start state is the Philox block at (key, counter).

    Parameters
    ----------
    key : sequence of 2 int
        Philox key words.
    counter : sequence of 4 int
        Philox counter words.
    """

    def __init__(self, key: Sequence[int], counter: Sequence[int]) -> None:
        self._words = Xoshiro256PlusPlus(philox4x64(counter, key))

    def next(self) -> int:
        """Return the next 64-bit word."""
        return self._words.next()

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 .. n-1; see :func:`below`."""
        return below(self._words, n)


def draw_order(stream: BoundedSource, cards: Sequence[T]) -> Iterator[T]:
    """Yield the cards in a uniformly random drawing order, one bounded draw per card and only when it is asked for.

    The lazy Fisher-Yates: a card drawn from a random place is replaced by the last one of the stock.

    Parameters
    ----------
    stream : BoundedSource
        Source of the bounded draws.
    cards : sequence
        The cards to shuffle; their order matters for the result.
    """
    stock = list(cards)
    left = len(stock)
    while left > 0:
        j = stream.below(left)
        card = stock[j]
        stock[j] = stock[left - 1]
        left -= 1
        yield card
