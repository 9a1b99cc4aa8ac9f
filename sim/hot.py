"""The hot state of a table in one block of memory: position, views, addresses of decisions, status, rules.

So the block loop finds all of it with one register, where five arrays would take five; and a loop that calls strategies has few.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from sim.decide import COMPILED
from sim.view import MAX_SEATS, aligned_bytes

MAX_DECISIONS = 4
"""Kinds of decision a game can have."""

SLOTS = MAX_SEATS * MAX_DECISIONS
"""Places for the address of a seat's decision of a kind: ``kind * MAX_SEATS + seat``."""

# Words of the status array, by which a running loop can be watched from outside.
UNITS_DONE, UNIT, ASKED, CODE, ANSWER, HANDS = 0, 1, 2, 3, 4, 5
STATUS_WORDS = 8


class Block(NamedTuple):
    """The arrays of a table, in the order in which they lie in memory."""

    positions: Any
    """Record array of length 1."""
    views: Any
    """Record array of length ``MAX_SEATS``."""
    deciders: Any
    """uint64 array, shape (SLOTS,): the addresses of the seated decisions; without the compiler the functions, in an array of its own."""
    status: Any
    """int64 array, shape (STATUS_WORDS,)."""
    rules: Any
    """Record array of length 1."""


def lay_out(position: np.dtype[Any], view: np.dtype[Any], rules: Any) -> Block:
    """The hot state of a table, zeroed but for the rules (a record array of length 1)."""
    ends = np.cumsum([position.itemsize, MAX_SEATS * view.itemsize, 8 * SLOTS, 8 * STATUS_WORDS, rules.nbytes])
    parts = np.split(aligned_bytes(int(ends[-1])), ends[:-1])
    block = Block(
        parts[0].view(position),
        parts[1].view(view),
        parts[2].view(np.uint64) if COMPILED else np.empty(SLOTS, object),
        parts[3].view(np.int64),
        parts[4].view(rules.dtype),
    )
    block.rules[:] = rules
    return block


def _array_behind(distance):
    """A function that gives an array of a block as it is, but says that it lies so many bytes behind the position.

    Compiled, it is an array header with another address. It is typed and lowered by hand, as a function that returns an array would
    need reference counting, which kernels do without.
    """

    def behind(positions, views, array):
        return array

    def lower(context, builder, sig, args):
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        found = context.make_array(sig.return_type)(context, builder, args[2])
        bytes_behind = ir.Constant(ir.IntType(64), distance(sig.args[0].dtype.size, sig.args[1].dtype.size))
        place = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [bytes_behind])
        found.data = builder.bitcast(place, found.data.type)
        return found._getvalue()

    type_callable(behind)(lambda context: lambda positions, views, array: array)
    lower_builtin(behind, types.Array, types.Array, types.Array)(lower)
    return behind


# As lay_out() lays them out.
views_behind = _array_behind(lambda position, view: position)
deciders_behind = _array_behind(lambda position, view: position + MAX_SEATS * view)
status_behind = _array_behind(lambda position, view: position + MAX_SEATS * view + 8 * SLOTS)
rules_behind = _array_behind(lambda position, view: position + MAX_SEATS * view + 8 * (SLOTS + STATUS_WORDS))
