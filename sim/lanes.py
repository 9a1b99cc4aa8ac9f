"""The generators of ``sim.rng`` in vectors: ``LANES`` streams side by side, one in each lane.

Word for word the same numbers. Philox is ten dependent multiplications and a word of xoshiro256++ waits for the one before, so a
single stream leaves a processor idle; in vectors a word costs a fraction of a nanosecond.

States lie in a uint64 array of ``4 * LANES`` words, word i of lane l at ``i * LANES + l``; words k of all lanes follow each other.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

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


DECK = 52
PIECE = 16
"""Bits of a word that one draw of a deal takes: a word serves four cards."""
PIECES = 64 // PIECE
DEAL_WORDS = DECK // PIECES

_BITS = (1 << PIECE) - 1
_HALF = ir.IntType(PIECE)
_HALVES = ir.VectorType(_HALF, LANES)
_QUARTER = ir.VectorType(_WORD, LANES // 4)
_TOO_FEW = [0] + [(1 << PIECE) % left for left in range(1, DECK + 1)]
"""By the number of cards left: a draw is one too many when the low half of its product is below this (see ``sim.rng.below()``)."""


def deal_lanes(words, first, second, third, removed, hands):
    """Deal a deck to four hands in every lane.

    The cards go out one by one from the highest: each to a hand, with the chances of the places that the hands have left, so that all
    deals are equally likely. A draw takes 16 bits of a word, the lowest first.

    Parameters
    ----------
    words : uint64 array
        ``DEAL_WORDS`` rows, one word for each lane; read.
    first, second, third : uint64
        Sizes of three hands; the fourth takes the rest.
    removed : uint64
        1 to give the lowest card to the fourth hand beforehand; its draw decides nothing.
    hands : uint64 array
        Four rows: the cards of each hand, a bit a card.

    Returns
    -------
    uint64
        The lanes, a bit each, in which a draw may be one too many: their hands do not count.
    """
    doubtful = 0
    for lane in range(LANES):
        ends = [int(first), int(first + second), int(first + second + third)]
        dealt = [0, 0, 0, 0]
        for k in range(DECK):
            left = DECK - int(removed) - k
            product = (int(words[k // PIECES * LANES + lane]) >> (PIECE * (k % PIECES)) & _BITS) * left
            if product & _BITS < _TOO_FEW[left]:
                doubtful |= 1 << lane
            taker = sum(product >> PIECE >= end for end in ends)
            dealt[taker] |= 1 << (DECK - 1 - k)
            ends = [end - (hand >= taker) for hand, end in enumerate(ends)]
        hands[lane : 4 * LANES : LANES] = dealt
    return np.uint64(doubtful)


class _Deal:
    """Code of deal_lanes(): lane ``4 * q + s`` lies in the s-th word of a vector, at its q-th half-word."""

    def __init__(self, context, builder, sig, args):
        self.builder = builder
        self.words = builder.bitcast(context.make_array(sig.args[0])(context, builder, args[0]).data, _QUARTER.as_pointer())
        self.hands = builder.bitcast(context.make_array(sig.args[5])(context, builder, args[5]).data, _QUARTER.as_pointer())
        first, second, third = (builder.trunc(word, _HALF) for word in args[1:4])
        ends = [first, builder.add(first, second), builder.add(builder.add(first, second), third)]
        self.ends = [self.variable(_spread(builder, end)) for end in ends]
        self.left = self.variable(builder.sub(ir.Constant(_WORD, DECK), args[4]))
        self.doubt = self.variable(ir.Constant(_HALVES, None))
        self.taken = [self.variable(ir.Constant(_HALVES, None)) for _ in range(3)]
        self.cards = [[self.variable(ir.Constant(_QUARTER, None)) for _ in range(4)] for _ in range(3)]
        kind = ir.ArrayType(_HALF, DECK + 1)
        self.too_few = cgutils.global_constant(builder, "too_few", ir.Constant(kind, _TOO_FEW))
        self.saturating = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_HALVES, [_HALVES, _HALVES]), f"llvm.usub.sat.v{LANES}i{PIECE}"
        )

    def variable(self, value):
        return cgutils.alloca_once_value(self.builder, value)

    def piece(self, row, number):
        """One piece of a row, of all lanes."""
        moved = []
        for quarter in range(4):
            word = self.builder.load(self.builder.gep(self.words, [self.builder.add(row, ir.Constant(_WORD, quarter))]), align=8)
            places = PIECE * (quarter - number)
            shift = self.builder.shl if places > 0 else self.builder.lshr
            moved.append(self.builder.bitcast(shift(word, ir.Constant(_QUARTER, [abs(places)] * 4)), _HALVES))
        lower = self.blend(moved[0], moved[1], (1,))
        upper = self.blend(moved[2], moved[3], (3,))
        return self.blend(lower, upper, (2, 3))

    def blend(self, one, other, halves):
        """The half-words of one vector but for those at some place of each word, which come from another."""
        mask = [place + LANES * (place % 4 in halves) for place in range(LANES)]
        return self.builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(ir.IntType(32), LANES), mask))

    def draw(self, row, number):
        """Give out one card."""
        builder = self.builder
        left = builder.load(self.left)
        builder.store(builder.sub(left, ir.Constant(_WORD, 1)), self.left)
        bound = builder.load(builder.gep(self.too_few, [ir.Constant(_WORD, 0), left]))
        piece, many = self.piece(row, number), _spread(builder, builder.trunc(left, _HALF))
        low = builder.mul(piece, many)
        few = builder.call(self.saturating, [_spread(builder, bound), low])
        builder.store(builder.or_(builder.load(self.doubt), few), self.doubt)
        wide = ir.VectorType(ir.IntType(2 * PIECE), LANES)
        product = builder.mul(builder.zext(piece, wide), builder.zext(many, wide))
        place = builder.trunc(builder.lshr(product, ir.Constant(wide, [PIECE] * LANES)), _HALVES)
        for end, taken in zip(self.ends, self.taken, strict=True):
            now = builder.load(end)
            below = builder.sext(builder.icmp_signed("<", place, now), _HALVES)
            builder.store(builder.add(now, below), end)
            before = builder.load(taken)
            builder.store(builder.sub(builder.add(before, before), below), taken)

    def rows(self, first, count):
        """Give out the cards of some rows, then move what was taken from half-words to words."""
        builder = self.builder
        with cgutils.for_range(builder, ir.Constant(_WORD, count), intp=_WORD) as loop:
            row = builder.mul(builder.add(loop.index, first), ir.Constant(_WORD, 4))
            for number in range(PIECES):
                self.draw(row, number)
        for taken, cards in zip(self.taken, self.cards, strict=True):
            halves = builder.bitcast(builder.load(taken), _QUARTER)
            builder.store(ir.Constant(_HALVES, None), taken)
            for quarter, place in enumerate(cards):
                part = builder.lshr(halves, ir.Constant(_QUARTER, [PIECE * quarter] * 4))
                part = builder.and_(part, ir.Constant(_QUARTER, [_BITS] * 4))
                moved = builder.shl(builder.load(place), ir.Constant(_QUARTER, [PIECES * count] * 4))
                builder.store(builder.or_(moved, part), place)

    def finish(self):
        """Write the hands; the lanes in doubt."""
        builder = self.builder
        for quarter in range(4):
            within = [builder.load(cards[quarter]) for cards in self.cards]
            within = [*within, ir.Constant(_QUARTER, [(1 << DECK) - 1] * 4)]
            for hand, cards in enumerate(within):
                own = builder.xor(cards, within[hand - 1]) if hand else cards
                builder.store(own, builder.gep(self.hands, [ir.Constant(_WORD, 4 * hand + quarter)]), align=8)
        doubts = builder.icmp_unsigned("!=", builder.load(self.doubt), ir.Constant(_HALVES, None))
        in_order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [4 * (lane % 4) + lane // 4 for lane in range(LANES)])
        doubts = builder.shuffle_vector(doubts, doubts, in_order)
        return builder.zext(builder.bitcast(doubts, ir.IntType(LANES)), _WORD)


@intrinsic
def _deal_lanes(typingctx, words, first, second, third, removed, hands):
    def codegen(context, builder, sig, args):
        deal = _Deal(context, builder, sig, args)
        whole, rest = divmod(DEAL_WORDS, PIECES)
        with cgutils.for_range(builder, ir.Constant(_WORD, whole), intp=_WORD) as loop:
            deal.rows(builder.mul(loop.index, ir.Constant(_WORD, PIECES)), PIECES)
        deal.rows(ir.Constant(_WORD, whole * PIECES), rest)
        return deal.finish()

    word = types.uint64
    return word(words, word, word, word, word, hands), codegen


@overload(deal_lanes)
def _deal_lanes_overload(words, first, second, third, removed, hands):
    return lambda words, first, second, third, removed, hands: _deal_lanes(words, first, second, third, removed, hands)
