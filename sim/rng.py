"""Random streams: one for each (seed, unit, hand, purpose), never one for a thread, a block or an arm.

Philox4x64-10 addresses a stream: its four output words at a counter are the start state of a xoshiro256++ generator, which then
runs the stream. Opening costs about ten nanoseconds, a word less than one. State of a generator is a tuple of four uint64 that
lives in registers; nothing is shared and nothing is global.

Addresses (scheme 1): key = blake2b-128 of (seed, family, game, scheme), two words; counter = (block, unit, sub, purpose).

| family | purpose | sub | what |
| --- | --- | --- | --- |
| cards | 0 | hand << 16 + epoch | the deck (epoch 0) and each reshuffle |
| strategy | 2 | hand << 40 + seat << 32 + decision | a seat's private randomness for one decision |
| strategy | 3 | as above | rollouts of a decision |
| table | 5 | hand << 16 + use | first dealer, random ties, whether a player notices |

Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); Blackman and Vigna, "Scrambled linear pseudorandom
number generators" (2019); Lemire, "Fast random integer generation in an interval" (2019).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ZERO, mul_wide
from sim.jit import kernel

PHILOX_M0 = np.uint64(0xD2E7470EE14C6C93)
PHILOX_M1 = np.uint64(0xCA5A826395121157)
PHILOX_W0 = np.uint64(0x9E3779B97F4A7C15)
PHILOX_W1 = np.uint64(0xBB67AE8584CAA73B)

PURPOSE_CARDS = np.uint64(0)
PURPOSE_STRATEGY = np.uint64(2)
PURPOSE_ROLLOUT = np.uint64(3)
PURPOSE_TABLE = np.uint64(5)

# Uses of the table family (the low 16 bits of sub).
TABLE_FIRST_DEALER = np.uint64(0)
TABLE_DEALER = np.uint64(1)
TABLE_TIE = np.uint64(2)
TABLE_NOTICE = np.uint64(3)

HAND_SHIFT = np.uint64(16)


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """One block of Philox4x64-10.

    Parameters
    ----------
    c0, c1, c2, c3 : uint64
        The counter.
    k0, k1 : uint64
        The key.

    Returns
    -------
    tuple of four uint64
    """
    for i in range(10):
        if i > 0:
            k0 += PHILOX_W0
            k1 += PHILOX_W1
        high0, low0 = mul_wide(PHILOX_M0, c0)
        high1, low1 = mul_wide(PHILOX_M1, c2)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
    return c0, c1, c2, c3


@kernel
def rotate(x, k):
    """Rotate a 64-bit word left by ``k`` bits, 0 < k < 64."""
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@kernel
def next_word(s):
    """Advance a xoshiro256++ state by one word.

    Parameters
    ----------
    s : tuple of four uint64

    Returns
    -------
    (state, word)
    """
    s0, s1, s2, s3 = s
    word = rotate(s0 + s3, 23) + s0
    t = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = rotate(s3, 45)
    return (s0, s1, s2, s3), word


@kernel
def below(s, n):
    """Draw uniformly from 0 .. n-1: one word a draw, Lemire's rejection on the 128-bit product.

    Returns
    -------
    (state, value)
    """
    s, word = next_word(s)
    value, low = mul_wide(word, n)
    if low < n:
        # 2^64 mod n: how many of the 2^64 words would be one too many.
        threshold = (ZERO - n) % n
        while low < threshold:
            s, word = next_word(s)
            value, low = mul_wide(word, n)
    return s, value


@kernel
def open_stream(key0, key1, unit, sub, purpose):
    """The start state of the stream at an address."""
    return philox(ZERO, np.uint64(unit), np.uint64(sub), np.uint64(purpose), np.uint64(key0), np.uint64(key1))


@kernel
def below_probability(word, probability):
    """Whether a uniform word says yes to an event of the given probability (float64 in [0, 1])."""
    return np.float64(word >> np.uint64(11)) * (1.0 / 9007199254740992.0) < probability


@kernel
def view_word(view):
    """The next word of a seat's private randomness for the decision being asked.

    Its address is (unit, hand, seat, decision), so a decision that draws one word more shifts nothing elsewhere. Works with the
    view of any game.
    """
    words = philox(
        view.random_used >> np.uint64(2),
        view.random_unit,
        view.random_sub | np.uint64(view.turn),
        PURPOSE_STRATEGY,
        view.random_key0,
        view.random_key1,
    )
    at = view.random_used & np.uint64(3)
    view.random_used += np.uint64(1)
    if at == np.uint64(0):
        return words[0]
    if at == np.uint64(1):
        return words[1]
    if at == np.uint64(2):
        return words[2]
    return words[3]


@kernel
def view_below(view, n):
    """A uniform draw from 0 .. n-1 out of a seat's private randomness (int64). For use in decision functions."""
    bound = np.uint64(n)
    word = view_word(view)
    value, low = mul_wide(word, bound)
    if low < bound:
        threshold = (ZERO - bound) % bound
        while low < threshold:
            word = view_word(view)
            value, low = mul_wide(word, bound)
    return np.int64(value)
