"""Sums over units: from outcome columns to the values of an experiment and their integer moments.

A value is one number per unit, the sum of outcome columns over the unit's replays. Sums, sums of products and histograms are integers,
so they come out the same in whatever order blocks are finished.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.jit import kernel


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
    game_squares : int64 array, shape (values,)
        Sum of squares over single games, added to.
    """
    classes = np.uint64(rows.shape[1])
    for entry in range(np.uint64(rows.shape[0])):
        target = np.uint64(targets[entry])
        squares = 0
        if classes == np.uint64(1):
            if rows[entry, np.uint64(0)] < 0:
                continue
            row = np.uint64(rows[entry, np.uint64(0)])
            for at in range(np.uint64(count)):
                x = out[row, at]
                values[target, at] += x
                squares += x * x
        else:
            for at in range(np.uint64(count)):
                place = rows[entry, (np.uint64(first) + at) % classes]
                if place < 0:
                    continue
                x = out[np.uint64(place), at]
                values[target, at] += x
                squares += x * x
        game_squares[target] += squares


@kernel
def moments(values, rows, count, pairs, sums, products):
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
    products : int64 array, shape (pairs,)
        Added to.
    """
    for k in range(np.uint64(sums.size)):
        row = np.uint64(rows[k])
        total = 0
        for at in range(np.uint64(count)):
            total += values[row, at]
        sums[k] += total
    for k in range(np.uint64(products.size)):
        left = np.uint64(rows[np.uint64(pairs[k, 0])])
        right = np.uint64(rows[np.uint64(pairs[k, 1])])
        total = 0
        for at in range(np.uint64(count)):
            total += values[left, at] * values[right, at]
        products[k] += total


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
