"""Streams of cards made ahead: the first words of the next ``LANES`` deals, side by side.

A position keeps the words of its coming deals, made in vectors by ``sim.lanes``. Nothing but the time differs: each word is the one that
``open_stream()`` and ``next_word()`` give. The truth of a position at rest is ``stream``, the state before its next word, so whoever
changes a position only has to call set_stream(): words made ahead count for as long as they belong to it.

Word k of lane l lies at ``words[k * LANES + l]``. A hand reads its words from a place on, in steps of ``LANES``, up to ``words_end``;
then refill() makes more. There lies a 0, which is one too many for any draw, so that who looks for that need not look for the end.
While it is played, ``origin`` holds the state before the word at ``base_word`` in the hand's lane, and ``ends`` the state after its last
word.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np

from sim.bits import ONE, ZERO, copy_field, mul_low
from sim.jit import inlined, kernel, rare
from sim.lanes import LANES, open_lanes, step_lanes
from sim.rng import HAND_SHIFT, PURPOSE_CARDS, next_word, open_stream

STEP = np.uint64(LANES)
TWO_STEPS = np.uint64(2 * LANES)
THREE_STEPS = np.uint64(3 * LANES)

REFILL = 16
"""Words that are made at once for a hand that has used those made ahead."""


def ahead_fields(words: int) -> list[Any]:
    """Fields of a position whose deals have up to ``words`` words made ahead: single words, then arrays."""
    rows = max(words, REFILL) + 1
    return [
        ("lane", "u8"),  # of the hand being played
        ("word", "u8"),  # place of its next word, while it is played
        ("base_word", "u8"),
        ("words_end", "u8"),
        ("next_lane", "u8"),  # the lane of the deal that is expected next
        ("next_unit", "u8"),
        ("next_hand", "i8"),
        ("lane_words", "u8"),  # words made in each lane
        ("lane_key", "u8"),  # the first word of their key
        ("fresh", "u8"),  # 1 after a deal, when the next word is the one at ``base_word`` whatever ``stream`` says
        ("origin", "u8", (4 * LANES,)),
        ("ends", "u8", (4 * LANES,)),
        ("words", "u8", (rows * LANES,)),
        ("stream", "u8", (4,)),  # state of the hand's stream of cards before its next word; not kept up once the hand is over
    ]


@inlined
def state_in(states, lane):
    """The state of one lane."""
    return states[lane], states[lane + STEP], states[lane + TWO_STEPS], states[lane + THREE_STEPS]


@inlined
def put_state(states, lane, s):
    """Set the state of one lane."""
    states[lane], states[lane + STEP], states[lane + TWO_STEPS], states[lane + THREE_STEPS] = s


@inlined
def set_stream(position, s):
    """Say that the next word of a position at rest is the one that follows a state."""
    position.stream[0], position.stream[1], position.stream[2], position.stream[3] = s
    position.fresh = ZERO


@inlined
def next_deal(position, keys, dealt, more):
    """Go to the stream of the hand to be dealt, with ``dealt`` words for the deal and ``more`` after them. Returns the first's place."""
    lane = position.next_lane
    if (
        lane >= STEP
        or position.next_unit != position.unit
        or position.next_hand != position.hand
        or position.lane_words != dealt + more
        or position.lane_key != keys[0]
    ):
        make_ahead(position, keys, dealt, more)
        lane = ZERO
    position.next_lane = lane + ONE
    if position.match == 1:
        position.next_hand = position.hand + 1
    else:
        position.next_unit = position.unit + ONE
    position.lane = lane
    position.base_word = dealt * STEP + lane
    position.words_end = (dealt + more) * STEP + lane
    position.fresh = ONE
    return lane


@kernel
def make_ahead(position, keys, dealt, more):
    """Make the words of this deal and of those that will follow: the unit's next hands or, where it has but one, the next units."""
    rare()
    units, hands = np.uint64(position.match != 1), np.uint64(position.match == 1)
    sub = np.uint64(position.hand) << HAND_SHIFT
    open_lanes(position.origin, keys[0], keys[1], position.unit, units, sub, hands << HAND_SHIFT, PURPOSE_CARDS)
    step_lanes(position.origin, position.words, ZERO, dealt)
    copy_field(position.ends, position.origin)
    step_lanes(position.ends, position.words, dealt, dealt + more)
    for lane in range(STEP):
        position.words[(dealt + more) * STEP + lane] = ZERO
    position.next_unit = position.unit
    position.next_hand = position.hand
    position.lane_words = dealt + more
    position.lane_key = keys[0]


@kernel
def make_again(position, keys, dealt, deck):
    """Make the words of a deal one by one, leaving out those that are one too many for their draws: the rejections of below().

    Parameters
    ----------
    position : record
    keys : uint64 array
    dealt, deck : uint64
        Cards to be drawn, and from how many.
    """
    rare()
    s = open_stream(keys[0], keys[1], position.unit, np.uint64(position.hand) << HAND_SHIFT, PURPOSE_CARDS)
    for k in range(np.uint64(dealt)):
        s, word = next_word(s)
        while too_many(word, deck - k):
            s, word = next_word(s)
        position.words[k * STEP + position.lane] = word
    set_stream(position, s)


@kernel
def too_many(word, n):
    """Whether a word is one too many for a draw below ``n``: see ``sim.rng.below()``."""
    low = mul_low(word, n)
    return low < n and low < (ZERO - n) % n


@inlined
def resume(position):
    """Begin to read a position's stream. Returns the place of its next word."""
    if position.fresh != ZERO:
        return position.base_word
    lane = position.lane
    s0, s1, s2, s3 = state_in(position.origin, lane)
    stream = position.stream
    if s0 == stream[0] and s1 == stream[1] and s2 == stream[2] and s3 == stream[3]:
        return position.base_word
    put_state(position.ends, lane, (stream[0], stream[1], stream[2], stream[3]))
    return position.words_end


@kernel
def rest(position, word):
    """Bring ``stream`` up to date: the next word is the one at place ``word``."""
    rare()
    s = state_in(position.ends, position.lane)
    if word != position.words_end:
        s = state_in(position.origin, position.lane)
        for _ in range((word - position.base_word) // STEP):
            s = next_word(s)[0]
    set_stream(position, s)


@kernel
def new_stream(position, s):
    """Let a hand that is being played go on with another stream. Returns the place of its next word."""
    put_state(position.ends, position.lane, s)
    return position.words_end


@kernel
def refill(position):
    """Make more words of the stream that is being read, in the hand's lane. Returns the place of the next."""
    rare()
    s = state_in(position.ends, position.lane)
    put_state(position.origin, position.lane, s)
    at = position.lane
    for _ in range(REFILL):
        s, word = next_word(s)
        position.words[at] = word
        at += STEP
    position.words[at] = ZERO
    put_state(position.ends, position.lane, s)
    position.base_word = position.lane
    position.words_end = at
    return position.lane


@kernel
def ready_word(position, word, n):
    """Make sure that there is a next word, and that it is not one too many for a draw below ``n``. Returns its place."""
    rare()
    if word == position.words_end:
        word = refill(position)
    while too_many(position.words[word], n):
        rest(position, word)
        new_stream(position, next_word((position.stream[0], position.stream[1], position.stream[2], position.stream[3]))[0])
        word = refill(position)
    return word
