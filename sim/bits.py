"""Bit helpers for card sets and counted ranks: every one takes and returns uint64.

A uint64 that meets a signed integer becomes float64 in Numba, so constants are named as ``np.uint64`` here and in the engines.
Each helper is plain Python (for ``NUMBA_DISABLE_JIT=1``) with one machine instruction behind it when compiled.

Counted ranks: one 64-bit word, four bits a rank, rank r at bit 4r (so up to 15 of a rank, thirteen ranks).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim.jit import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
FOUR = np.uint64(4)
NIBBLE = np.uint64(15)
ONES = np.uint64(0x1111111111111)  # one bit in each of the thirteen ranks
SEVENS = np.uint64(0x7777777777777)


@intrinsic
def _ctpop(typingctx, x):
    def codegen(context, builder, sig, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typingctx, x):
    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _ctlz(typingctx, x):
    def codegen(context, builder, sig, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _mul_high(typingctx, a, b):
    def codegen(context, builder, sig, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def _mul_wide(typingctx, a, b):
    def codegen(context, builder, sig, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        return context.make_tuple(builder, sig.return_type, (high, builder.trunc(product, ir.IntType(64))))

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), codegen


@intrinsic
def _copy_field(typingctx, target, source):
    def codegen(context, builder, sig, args):
        data = [context.make_array(kind)(context, builder, arg).data for kind, arg in zip(sig.args, args, strict=True)]
        count = ir.Constant(ir.IntType(64), sig.args[0].nitems)
        cgutils.raw_memcpy(builder, data[0], data[1], count, context.get_abi_sizeof(data[0].type.pointee))
        return context.get_dummy_value()

    return types.void(target, source), codegen


def popcount(x):
    """Number of bits set in ``x``."""
    return np.uint64(int(x).bit_count())


@overload(popcount)
def _popcount(x):
    return lambda x: _ctpop(np.uint64(x))


def lowest(x):
    """Index of the lowest bit set in ``x`` (64 if none)."""
    n = int(x)
    return np.uint64((n & -n).bit_length() - 1 if n else 64)


@overload(lowest)
def _lowest(x):
    return lambda x: _cttz(np.uint64(x))


def highest(x):
    """Index of the highest bit set in ``x`` (``x`` must not be 0)."""
    return np.uint64(int(x).bit_length() - 1)


@overload(highest)
def _highest(x):
    return lambda x: np.uint64(63) - _ctlz(np.uint64(x))


def mul_high(a, b):
    """High word of the 128-bit product of two words."""
    return np.uint64((int(a) * int(b)) >> 64)


@overload(mul_high)
def _mul_high_overload(a, b):
    return lambda a, b: _mul_high(np.uint64(a), np.uint64(b))


def mul_wide(a, b):
    """Both words of the 128-bit product of two words, high and low: one instruction, where asking for each apart takes two."""
    product = int(a) * int(b)
    return np.uint64(product >> 64), np.uint64(product & 0xFFFFFFFFFFFFFFFF)


@overload(mul_wide)
def _mul_wide_overload(a, b):
    return lambda a, b: _mul_wide(np.uint64(a), np.uint64(b))


@kernel
def mul_low(a, b):
    """Low word of the 128-bit product of two words."""
    return np.uint64(a) * np.uint64(b)


def copy_field(target, source):
    """Copy an array field of a record to one of the same type, in one or two moves."""
    target[:] = source


@overload(copy_field)
def _copy_field_overload(target, source):
    if target.dtype == source.dtype and target.shape == source.shape:
        return lambda target, source: _copy_field(target, source)


@kernel
def rank_bit(rank):
    """One card of ``rank`` as a counted-rank word."""
    return ONE << (np.uint64(rank) << TWO)


@kernel
def count_of(counts, rank):
    """How many of ``rank`` there are in a counted-rank word."""
    return (counts >> (np.uint64(rank) << TWO)) & NIBBLE


@kernel
def total(counts):
    """Number of cards in a counted-rank word: the sum of its thirteen nibbles (at most 15 a rank)."""
    pairs = (counts & np.uint64(0x0F0F0F0F0F0F0F0F)) + ((counts >> FOUR) & np.uint64(0x0F0F0F0F0F0F0F0F))
    return (pairs * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def at_least_1(counts):
    """Ranks held once or more, as a word with one bit at each such rank's place (counts up to 8)."""
    return ((counts + SEVENS) >> THREE) & ONES


@kernel
def exactly_1(counts):
    """Ranks held exactly once (counts up to 4)."""
    return counts & ~(counts >> ONE) & ONES


@kernel
def exactly_2(counts):
    """Ranks held exactly twice (counts up to 4)."""
    return (counts >> ONE) & ~counts & ONES


@kernel
def exactly_3(counts):
    """Ranks held exactly three times (counts up to 4)."""
    return (counts >> ONE) & counts & ONES


@kernel
def exactly_4(counts):
    """Ranks held exactly four times (counts up to 7: a rank has four cards)."""
    return (counts >> TWO) & ONES


@kernel
def lowest_bit(x):
    """The lowest bit set in ``x`` alone (0 if none)."""
    return x & (~x + ONE)


@kernel
def rank_of(bit):
    """The rank whose place the lowest set bit of a counted-rank word is."""
    return lowest(bit) >> TWO
