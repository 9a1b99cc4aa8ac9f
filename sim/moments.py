"""Sums over units: from outcome columns to the values of an experiment and their integer moments.

A value is one number per unit, the sum of outcome columns over the unit's replays. Sums, sums of products and histograms are integers,
so they come out the same in whatever order blocks are finished. Sums of products have 128 bits, as two words: the square of a won
stake may need more than 64.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from sim.jit import kernel

WORD = 1 << 64

NARROW = np.uint64(1 << 24)
"""Products of numbers below this, and sums of so many of them that a chunk can have, fit into 63 bits."""
MOST_NARROW = 1 << 14
"""Units up to which they do."""
SIGN = 63


@intrinsic
def _add_product(typingctx, high, low, a, b):
    def codegen(context, builder, sig, args):
        wide = ir.IntType(128)
        high, low = (builder.zext(word, wide) for word in args[:2])
        a, b = (builder.sext(word, wide) for word in args[2:])
        total = builder.or_(builder.shl(high, ir.Constant(wide, 64)), low)
        total = builder.add(total, builder.mul(a, b))
        words = (builder.trunc(builder.lshr(total, ir.Constant(wide, 64)), ir.IntType(64)), builder.trunc(total, ir.IntType(64)))
        return context.make_tuple(builder, sig.return_type, words)

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64, types.int64, types.int64), codegen


def add_product(high, low, a, b):
    """Add the product of two int64 to a signed number of 128 bits, given as two uint64. Returns (high, low)."""
    total = int(high) * WORD + int(low) + int(a) * int(b)
    return np.uint64(total // WORD % WORD), np.uint64(total % WORD)


@overload(add_product)
def _add_product_overload(high, low, a, b):
    return lambda high, low, a, b: _add_product(high, low, a, b)


def whole_numbers(words: Any) -> list[int]:
    """Numbers of 128 bits (uint64 array of shape (n, 2), high word first) as Python integers."""
    return [high * WORD + low - (WORD * WORD if high >> SIGN else 0) for high, low in words.tolist()]


@kernel
def gather(out, rows, first, count, values, targets, game_squares):
    """Add the outcome of one replay to the values of its units.

    Parameters
    ----------
    out : int64 array, shape (columns, at least count)
    rows : int64 array, shape (entries, classes)
        Which outcome column each value takes, by cyclic class; -1 where it takes none.
    first, count : int
        The units.
    values : int64 array, shape (values, at least count)
        Added to.
    targets : int64 array, shape (entries,)
        Which value each entry belongs to.
    game_squares : uint64 array, shape (values, 2)
        Sum of squares over single games, in 128 bits; added to.
    """
    classes = np.uint64(rows.shape[1])
    for entry in range(np.uint64(rows.shape[0])):
        target = np.uint64(targets[entry])
        high, low = game_squares[target, 0], game_squares[target, 1]
        if classes == np.uint64(1):
            if rows[entry, np.uint64(0)] < 0:
                continue
            row = np.uint64(rows[entry, np.uint64(0)])
            for at in range(np.uint64(count)):
                x = out[row, at]
                values[target, at] += x
                high, low = add_product(high, low, x, x)
        else:
            for at in range(np.uint64(count)):
                place = rows[entry, (np.uint64(first) + at) % classes]
                if place < 0:
                    continue
                x = out[np.uint64(place), at]
                values[target, at] += x
                high, low = add_product(high, low, x, x)
        game_squares[target, 0], game_squares[target, 1] = high, low


@kernel
def add_narrow(values, left, right, count):
    """Sum of the products of two rows of numbers that are narrow enough for plain arithmetic, which is done in vectors."""
    total = 0
    for at in range(np.uint64(count)):
        total += np.int64(np.int32(values[left, at])) * np.int64(np.int32(values[right, at]))
    return total


@kernel
def moments(values, rows, count, pairs, sums, products, spans):
    """Add up values and products of pairs of values over units.

    Parameters
    ----------
    values : int64 array, shape (any, at least count)
    rows : int64 array, shape (values,)
        The row of ``values`` where each value is found.
    count : int
        Units.
    pairs : int64 array, shape (pairs, 2)
    sums : int64 array, shape (values,)
        Added to.
    products : uint64 array, shape (pairs, 2)
        Numbers of 128 bits, added to.
    spans : uint64 array, shape (values,)
        Room for the bits that a value's numbers have in any unit.
    """
    for k in range(np.uint64(sums.size)):
        row = np.uint64(rows[k])
        total = 0
        span = 0
        for at in range(np.uint64(count)):
            x = values[row, at]
            total += x
            span |= x ^ (x >> SIGN)
        sums[k] += total
        spans[k] = np.uint64(span)
    for k in range(np.uint64(pairs.shape[0])):
        left = np.uint64(rows[np.uint64(pairs[k, 0])])
        right = np.uint64(rows[np.uint64(pairs[k, 1])])
        high, low = products[k, 0], products[k, 1]
        if count <= MOST_NARROW and (spans[np.uint64(pairs[k, 0])] | spans[np.uint64(pairs[k, 1])]) < NARROW:
            high, low = add_product(high, low, add_narrow(values, left, right, count), 1)
        else:
            for at in range(np.uint64(count)):
                high, low = add_product(high, low, values[left, at], values[right, at])
        products[k, 0], products[k, 1] = high, low


@kernel
def histogram(values, row, count, low, bins):
    """Count the values of one row into bins; the first and last bin take what lies beyond them.

    Parameters
    ----------
    values : int64 array
    row, count, low : int
        The row; units; the value of the first bin.
    bins : int64 array
        Added to.
    """
    last = bins.size - 1
    for at in range(np.uint64(count)):
        place = min(max(values[np.uint64(row), at] - low, 0), last)
        bins[place] += 1
