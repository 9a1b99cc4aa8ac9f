"""What every game's view has in common: the seat, its parameters, memory, tables and private randomness.

A view is one record of a numpy dtype, passed by pointer: exactly what a seat may know. The engine keeps the truth in its own arrays
and writes the view before each call, so whatever a strategy scribbles on its view changes nothing but that view.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

MAX_SEATS = 8
MAX_PARAMETERS = 16

HEADER = [
    ("seat", "i8"),  # this seat's chair, from 0
    ("players", "i8"),
    ("memory_address", "u8"),  # scratch words of this seat: see memory()
    ("memory_words", "i8"),
    ("table_address", "u8"),  # the strategy's tables: see table()
    ("table_items", "i8"),
    ("random_key0", "u8"),  # private randomness: see sim.rng.view_below()
    ("random_key1", "u8"),
    ("random_unit", "u8"),
    ("random_sub", "u8"),
    ("random_used", "u8"),
    ("parameters", "f8", (MAX_PARAMETERS,)),  # in the order in which the strategy declares them
]
"""Fields with which the view dtype of every game begins."""


def view_dtype(fields: list[Any]) -> np.dtype[Any]:
    """The view dtype of a game: the common header, then the game's own fields (as in ``np.dtype``)."""
    return np.dtype(HEADER + fields, align=True)


def records(dtype: np.dtype[Any], count: int) -> Any:
    """Zeroed records of a dtype, as a recarray so that plain Python can write fields by name too."""
    return np.zeros(count, dtype).view(np.recarray)


@intrinsic
def _as_pointer(typingctx, address):
    def codegen(context, builder, sig, args):
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), codegen


def words_at(address, count):
    """A uint64 array of ``count`` words at an address."""
    return np.ctypeslib.as_array((ctypes.c_uint64 * int(count)).from_address(int(address)))


@overload(words_at)
def _words_at(address, count):
    return lambda address, count: carray(_as_pointer(np.uint64(address)), (count,), np.uint64)


def memory(view):
    """This seat's scratch words (uint64 array): as many as its strategy declares, zeroed at the start of each unit."""
    return words_at(view.memory_address, view.memory_words)


@overload(memory)
def _memory(view):
    return lambda view: words_at(view.memory_address, view.memory_words)


def table(view, dtype):
    """The strategy's table (one-dimensional array of the dtype its ``tables`` function returned)."""
    count = int(view.table_items)
    dtype = np.dtype(dtype)
    buffer = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(int(view.table_address))
    return np.frombuffer(buffer, dtype, count)


@overload(table)
def _table(view, dtype):
    return lambda view, dtype: carray(_as_pointer(view.table_address), (view.table_items,), dtype)


def field_pusher(dtype: np.dtype[Any], name: str) -> Any:
    """A function ``push(views, count, seat, word)`` that tells the first ``count`` views one word about a seat.

    It sets ``view.<name>[seat]`` in each. The stores are marked atomic (an ordinary move on every processor in use) so that the compiler
    leaves this short loop as it is: turned into vector scatters it costs more than the decisions it informs.

    Parameters
    ----------
    dtype : dtype
        The view dtype.
    name : str
        A field of it that is an array of 64-bit words.
    """
    offset = (dtype.fields or {})[name][1]
    stride = dtype.itemsize

    def push(views, count, seat, word):
        for other in range(int(count)):
            views[other][name][int(seat)] = word

    @intrinsic
    def _push(typingctx, first, count, seat, word):
        def codegen(context, builder, sig, args):
            i64 = ir.IntType(64)
            byte = builder.bitcast(args[0], ir.IntType(8).as_pointer())
            start = builder.add(builder.shl(args[2], ir.Constant(i64, 3)), ir.Constant(i64, offset))
            with cgutils.for_range(builder, args[1], intp=i64) as loop:
                at = builder.add(builder.mul(loop.index, ir.Constant(i64, stride)), start)
                builder.store_atomic(args[3], builder.bitcast(builder.gep(byte, [at]), i64.as_pointer()), "monotonic", 8)
            return context.get_dummy_value()

        return types.void(first, types.uint64, types.uint64, types.uint64), codegen

    @overload(push)
    def _push_overload(views, count, seat, word):
        return lambda views, count, seat, word: _push(views[np.uint64(0)], np.uint64(count), np.uint64(seat), np.uint64(word))

    return push
