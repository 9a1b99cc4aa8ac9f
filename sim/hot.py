"""The hot state of a table in one block of memory: position, views, rules, addresses of decisions, status.

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


def views_behind(positions, views):
    """The views of a block: the same array, said to lie where lay_out() puts it."""
    return views


def deciders_behind(positions, views, deciders):
    """The decisions of a block, likewise."""
    return deciders


def status_behind(positions, views, status):
    """The status of a block, likewise."""
    return status


def rules_behind(positions, views, rules):
    """The rules of a block, likewise."""
    return rules


# Compiled, each is an array header with another address. They are typed and lowered by hand, as a function that returns an array would
# need reference counting, which kernels do without.


def _place_behind(function, arguments, words):
    """Compile one of them: the array lies so many words behind the views."""

    def lower(context, builder, sig, args):
        positions, views = sig.args[:2]
        distance = positions.dtype.size + (MAX_SEATS * views.dtype.size + 8 * words if arguments == 3 else 0)
        data = context.make_array(positions)(context, builder, args[0]).data
        found = context.make_array(sig.return_type)(context, builder, args[-1])
        place = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [ir.Constant(ir.IntType(64), distance)])
        found.data = builder.bitcast(place, found.data.type)
        return found._getvalue()

    lower_builtin(function, *[types.Array] * arguments)(lower)


@type_callable(views_behind)
def _type_views(context):
    return lambda positions, views: views


@type_callable(deciders_behind)
@type_callable(status_behind)
@type_callable(rules_behind)
def _type_other(context):
    return lambda positions, views, array: array


_place_behind(views_behind, 2, 0)
_place_behind(deciders_behind, 3, 0)
_place_behind(status_behind, 3, SLOTS)
_place_behind(rules_behind, 3, SLOTS + STATUS_WORDS)
