"""What every game's view has in common: the seat, its parameters, memory, tables and private randomness.

A view is one record of a numpy dtype, passed by pointer: exactly what a seat may know. The engine keeps the truth in its own arrays
and writes the view before each call, so whatever a strategy scribbles on its view changes nothing but that view.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, overload, type_callable
from numba.np.arrayobj import populate_array

MAX_SEATS = 8
USUAL_SEATS = 4
"""More are seldom taken."""

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
    ("random_sub", "u8"),  # hand and seat; the turn is added to it
    ("parameters", "f8", (MAX_PARAMETERS,)),  # in the order in which the strategy declares them
    ("turn", "i8"),  # how many turns there were in this hand: see the game's page
    ("random_used", "u8"),
]
"""Fields with which the view dtype of every game begins."""


LINE = 64
"""Bytes of a cache line."""


def record_dtype(fields: list[Any], header: np.dtype[Any] | None = None) -> np.dtype[Any]:
    """A record dtype in which no array field lies across the border of cache lines if it can help it.

    Such fields are copied and cleared in moves as wide as a line. A move that lies across two lines costs twice as much, and what it
    wrote cannot be read again before it has left the processor's queue of stores.

    Parameters
    ----------
    fields : list
        As in ``np.dtype``; single words should come before arrays.
    header : dtype
        A record with which this one begins.
    """
    layout: dict[str, Any] = {"names": [], "formats": [], "offsets": []}
    end = 0 if header is None else header.itemsize
    for name, (form, offset, *_) in ({} if header is None else header.fields or {}).items():
        _append(layout, name, form, offset)
    for field in fields:
        form = np.dtype(field[1]) if len(field) == 2 else np.dtype((field[1], field[2]))
        step = min(LINE, 1 << (form.itemsize - 1).bit_length()) if form.shape else form.alignment
        offset = -(-end // step) * step
        _append(layout, field[0], form, offset)
        end = offset + form.itemsize
    layout["itemsize"] = -(-end // LINE) * LINE if fields else end
    return np.dtype(layout, align=True)  # type: ignore[call-overload,no-any-return]


def _append(layout: dict[str, Any], name: str, form: np.dtype[Any], offset: int) -> None:
    for key, value in (("names", name), ("formats", form), ("offsets", offset)):
        layout[key].append(value)


def view_dtype(fields: list[Any]) -> np.dtype[Any]:
    """The view dtype of a game: the common header, then the game's own fields (as in ``np.dtype``)."""
    return record_dtype(fields, np.dtype(HEADER, align=True))


def records(dtype: np.dtype[Any], count: int) -> Any:
    """Zeroed records of a dtype, from a cache line on, as a recarray so that plain Python can write fields by name too."""
    return aligned_bytes(count * dtype.itemsize).view(dtype).view(np.recarray)


def aligned_bytes(size: int) -> npt.NDArray[np.uint8]:
    """Zeroed memory that begins where a cache line does."""
    room = np.zeros(size + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size]


def memory(view):
    """This seat's scratch words (uint64 array): as many as its strategy declares, zeroed at the start of each unit."""
    return table(view, np.uint64, "memory_address", "memory_words")


def table(view, dtype, address="table_address", items="table_items"):
    """The strategy's table (one-dimensional array of the dtype its ``tables`` function returned)."""
    count = int(view[items])
    dtype = np.dtype(dtype)
    if count == 0:
        return np.zeros(0, dtype)
    buffer = (ctypes.c_uint8 * (count * dtype.itemsize)).from_address(int(view[address]))
    return np.frombuffer(buffer, dtype, count)


def words_at(address, count):
    """A uint64 array of ``count`` words at an address."""
    return np.ctypeslib.as_array((ctypes.c_uint64 * int(count)).from_address(int(address)))


# Compiled, all three are an array header over memory that somebody else owns. They are typed and lowered by hand: a function that returns
# an array would need reference counting, which kernels do without.


@type_callable(memory)
def _type_memory(context):
    return lambda view: types.Array(types.uint64, 1, "C") if isinstance(view, types.Record) else None


@type_callable(table)
def _type_table(context):
    def typer(view, dtype):
        if isinstance(view, types.Record) and isinstance(dtype, (types.NumberClass, types.DType)):
            return types.Array(dtype.dtype, 1, "C")
        return None

    return typer


@type_callable(words_at)
def _type_words_at(context):
    return lambda address, count: types.Array(types.uint64, 1, "C")


def _fields(builder, sig, record, names):
    """Words of a view, by name."""
    i64 = ir.IntType(64)
    base = builder.bitcast(record, ir.IntType(8).as_pointer())
    places = [builder.gep(base, [ir.Constant(i64, sig.args[0].offset(name))]) for name in names]
    return [builder.load(builder.bitcast(place, i64.as_pointer())) for place in places]


def _array_over(context, builder, sig, address, count):
    """An array header over some memory."""
    kind = sig.return_type
    array = context.make_array(kind)(context, builder)
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    populate_array(array, data=data, shape=[count], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()


@lower_builtin(memory, types.Record)
def _lower_memory(context, builder, sig, args):
    return _array_over(context, builder, sig, *_fields(builder, sig, args[0], ("memory_address", "memory_words")))


@lower_builtin(table, types.Record, types.Any)
def _lower_table(context, builder, sig, args):
    return _array_over(context, builder, sig, *_fields(builder, sig, args[0], ("table_address", "table_items")))


@lower_builtin(words_at, types.Any, types.Any)
def _lower_words_at(context, builder, sig, args):
    count = context.cast(builder, args[1], sig.args[1], types.intp)
    return _array_over(context, builder, sig, args[0], count)


def field_pusher(dtype: np.dtype[Any], name: str) -> Any:
    """A function ``push(views, count, seat, word)`` that tells the first ``count`` views one word about a seat.

    It sets ``view.<name>[seat]`` in each. This happens at every turn, so it is a row of stores with a way out after each seat from the
    fourth on, where a loop would spend as much on counting; the views of seats that nobody takes may be told too.

    Parameters
    ----------
    dtype : dtype
        The view dtype.
    name : str
        A field of it that is an array of 64-bit words.
    """
    fields: Any = dtype.fields
    offset = fields[name][1]
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

            def tell(view):
                at = builder.add(start, ir.Constant(i64, view * stride))
                builder.store(args[3], builder.bitcast(builder.gep(byte, [at]), i64.as_pointer()))

            def tell_from(view):
                with builder.if_then(builder.icmp_unsigned(">", args[1], ir.Constant(i64, view))):
                    tell(view)
                    if view + 1 < MAX_SEATS:
                        tell_from(view + 1)

            for view in range(USUAL_SEATS):
                tell(view)
            tell_from(USUAL_SEATS)
            return context.get_dummy_value()

        return types.void(first, types.uint64, types.uint64, types.uint64), codegen

    @overload(push)
    def _push_overload(views, count, seat, word):
        return lambda views, count, seat, word: _push(views[np.uint64(0)], np.uint64(count), np.uint64(seat), np.uint64(word))

    return push
