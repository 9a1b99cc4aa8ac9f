"""The generators of ``sim.rng`` in vectors: ``LANES`` streams side by side, one in each lane.

Word for word the same numbers. Philox is ten dependent multiplications and a word of xoshiro256++ waits for the one before, so a
single stream leaves a processor idle; in vectors a word costs a fraction of a nanosecond.

States lie in a uint64 array of ``4 * LANES`` words, word i of lane l at ``i * LANES + l``; words k of all lanes follow each other.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import functools

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim.bits import mul_wide
from sim.rng import PHILOX_M0, PHILOX_M1, PHILOX_W0, PHILOX_W1, next_word, philox

LANES = 16

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)
_LOW = 0xFFFFFFFF


def _constant(word):
    return ir.Constant(_VECTOR, [int(word)] * LANES)


def _spread(builder, word):
    """The same word in every lane."""
    undefined = ir.Constant(ir.VectorType(word.type, LANES), ir.Undefined)
    one = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _rotate(builder, x, count):
    return builder.or_(builder.shl(x, _constant(count)), builder.lshr(x, _constant(64 - count)))


def _mul_wide(builder, x, factor):
    """High and low words of the products with a constant, out of four 32-bit products as vector units have them."""
    low, high = _constant(int(factor) & _LOW), _constant(int(factor) >> 32)
    x_low, x_high = builder.and_(x, _constant(_LOW)), builder.lshr(x, _constant(32))
    first = builder.mul(x_low, low)
    middle = builder.add(builder.mul(x_low, high), builder.lshr(first, _constant(32)))
    second = builder.add(builder.mul(x_high, low), builder.and_(middle, _constant(_LOW)))
    top = builder.add(builder.mul(x_high, high), builder.lshr(middle, _constant(32)))
    return (
        builder.add(top, builder.lshr(second, _constant(32))),
        builder.or_(builder.shl(second, _constant(32)), builder.and_(first, _constant(_LOW))),
    )


def _rows(context, builder, kind, array):
    """Pointer to an array as rows of one word for each lane."""
    return builder.bitcast(context.make_array(kind)(context, builder, array).data, _VECTOR.as_pointer())


def _row(builder, rows, i):
    return builder.gep(rows, [ir.Constant(_WORD, i)])


def open_lanes(states, key0, key1, unit, unit_step, sub, sub_step, purpose):
    """Start states of the streams at ``(unit + l * unit_step, sub + l * sub_step, purpose)``: open_stream() in every lane.

    All arguments but ``states`` are uint64.
    """
    for lane in range(LANES):
        counter = np.uint64(0), unit + np.uint64(lane) * unit_step, sub + np.uint64(lane) * sub_step, purpose
        states[lane::LANES] = philox(*counter, key0, key1)


@intrinsic
def _open_lanes(typingctx, states, key0, key1, unit, unit_step, sub, sub_step, purpose):
    def codegen(context, builder, sig, args):
        key0, key1, unit, unit_step, sub, sub_step, purpose = (_spread(builder, word) for word in args[1:])
        lane = ir.Constant(_VECTOR, list(range(LANES)))
        c0, c1, c2, c3 = (
            _constant(0),
            builder.add(unit, builder.mul(lane, unit_step)),
            builder.add(sub, builder.mul(lane, sub_step)),
            purpose,
        )
        for i in range(10):
            if i > 0:
                key0 = builder.add(key0, _constant(PHILOX_W0))
                key1 = builder.add(key1, _constant(PHILOX_W1))
            high0, low0 = _mul_wide(builder, c0, PHILOX_M0)
            high1, low1 = _mul_wide(builder, c2, PHILOX_M1)
            c0, c1, c2, c3 = builder.xor(builder.xor(high1, c1), key0), low1, builder.xor(builder.xor(high0, c3), key1), low0
        rows = _rows(context, builder, sig.args[0], args[0])
        for i, word in enumerate((c0, c1, c2, c3)):
            builder.store(word, _row(builder, rows, i), align=8)
        return context.get_dummy_value()

    word = types.uint64
    return types.void(states, word, word, word, word, word, word, word), codegen


@overload(open_lanes)
def _open_lanes_overload(states, key0, key1, unit, unit_step, sub, sub_step, purpose):
    return lambda states, key0, key1, unit, unit_step, sub, sub_step, purpose: _open_lanes(
        states, key0, key1, unit, unit_step, sub, sub_step, purpose
    )


def step_lanes(states, words, first, end):
    """Advance all generators, writing rows ``first`` … ``end - 1`` of ``words``: next_word() in every lane."""
    rows = states.reshape(4, LANES)
    for k in range(int(first), int(end)):
        (rows[0], rows[1], rows[2], rows[3]), words[k * LANES : (k + 1) * LANES] = next_word(tuple(rows.copy()))


@intrinsic
def _step_lanes(typingctx, states, words, first, end):
    def codegen(context, builder, sig, args):
        rows, out = _rows(context, builder, sig.args[0], args[0]), _rows(context, builder, sig.args[1], args[1])
        state = [cgutils.alloca_once_value(builder, builder.load(_row(builder, rows, i), align=8)) for i in range(4)]
        with cgutils.for_range(builder, args[3], start=args[2], intp=_WORD) as loop:
            s0, s1, s2, s3 = (builder.load(word) for word in state)
            word = builder.add(_rotate(builder, builder.add(s0, s3), 23), s0)
            builder.store(word, builder.gep(out, [loop.index]), align=8)
            t = builder.shl(s1, _constant(17))
            s2 = builder.xor(s2, s0)
            s3 = builder.xor(s3, s1)
            s1 = builder.xor(s1, s2)
            s0 = builder.xor(s0, s3)
            s2 = builder.xor(s2, t)
            s3 = _rotate(builder, s3, 45)
            for place, word in zip(state, (s0, s1, s2, s3), strict=True):
                builder.store(word, place)
        for i, place in enumerate(state):
            builder.store(builder.load(place), _row(builder, rows, i), align=8)
        return context.get_dummy_value()

    return types.void(states, words, types.uint64, types.uint64), codegen


@overload(step_lanes)
def _step_lanes_overload(states, words, first, end):
    return lambda states, words, first, end: _step_lanes(states, words, first, end)


def place_lanes(words, count, deck):
    """Turn rows of words into the places of draws from a deck that shrinks: row k becomes places below ``deck - k``, times LANES.

    A place is given as the beginning of its row, so that a card is found by adding the lane.

    Returns
    -------
    uint64
        Not 0 when a word may be one too many for its draw (see ``sim.rng.below()``); then none of the places counts.
    """
    doubtful = False
    for k in range(int(count)):
        for at in range(k * LANES, (k + 1) * LANES):
            place, low = mul_wide(words[at], deck - np.uint64(k))
            words[at] = place * np.uint64(LANES)
            doubtful |= bool(low < deck - np.uint64(k))
    return np.uint64(doubtful)


@intrinsic
def _place_lanes(typingctx, words, count, deck):
    def codegen(context, builder, sig, args):
        rows = _rows(context, builder, sig.args[0], args[0])
        doubtful = cgutils.alloca_once_value(builder, _constant(0))
        half = _constant(32)
        with cgutils.for_range(builder, args[1], intp=_WORD) as loop:
            row = builder.gep(rows, [loop.index])
            left = _spread(builder, builder.sub(args[2], loop.index))
            word = builder.load(row, align=8)
            # The deck is small, so two products of 32 bits are the high and the low word of the whole one.
            lower = builder.mul(builder.and_(word, _constant(_LOW)), left)
            upper = builder.add(builder.mul(builder.lshr(word, half), left), builder.lshr(lower, half))
            low = builder.or_(builder.shl(upper, half), builder.and_(lower, _constant(_LOW)))
            few = builder.zext(builder.icmp_unsigned("<", low, left), _VECTOR)
            builder.store(builder.or_(builder.load(doubtful), few), doubtful)
            builder.store(builder.mul(builder.lshr(upper, half), _constant(LANES)), row, align=8)
        lanes = builder.load(doubtful)
        found = [builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)]
        return functools.reduce(builder.or_, found)

    return types.uint64(words, types.uint64, types.uint64), codegen


@overload(place_lanes)
def _place_lanes_overload(words, count, deck):
    return lambda words, count, deck: _place_lanes(words, count, deck)


def number_lanes(places, count):
    """Write the number of each row into all its lanes (an array of bytes): ``count`` rows."""
    for k in range(int(count)):
        places[k * LANES : (k + 1) * LANES] = k


@intrinsic
def _number_lanes(typingctx, places, count):
    def codegen(context, builder, sig, args):
        byte = ir.IntType(8)
        array = context.make_array(sig.args[0])(context, builder, args[0])
        rows = builder.bitcast(array.data, ir.VectorType(byte, LANES).as_pointer())
        with cgutils.for_range(builder, args[1], intp=_WORD) as loop:
            number = _spread(builder, builder.trunc(loop.index, byte))
            builder.store(number, builder.gep(rows, [loop.index]), align=1)
        return context.get_dummy_value()

    return types.void(places, types.uint64), codegen


@overload(number_lanes)
def _number_lanes_overload(places, count):
    return lambda places, count: _number_lanes(places, count)
