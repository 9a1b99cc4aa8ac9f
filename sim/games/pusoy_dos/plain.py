"""Plays, and the lowest of a hand, under the default plays (``rules.plain``): the short way that bulk play takes.

Straights are 3-7 to J-2, flushes compare by suit and then by rank, straight flushes by rank and then by suit. Every
finder returns a mask, 0 when there is no such play; 'lowest' is lowest by strength, between equals the smallest mask
(PD-O7). ``over`` is the set of cards that may decide: the higher card of a pair, the top card of a straight, the lowest
card of a straight flush, the rank (in the lowest lane) of a triple, full house or four of a kind. The hand has no card
of the table.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, THREE, TWO, ZERO, highest, lowest, lowest_bit, popcount
from sim.games.pusoy_dos.plays import (
    DECK,
    FOUR_BITS,
    KIND_SHIFT,
    LANE,
    RANK,
    RUN,
    SUIT_BITS,
    SUIT_SHIFT,
    is_suited,
    lowest_of_ranks,
    rank_cards,
    rank_strength,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
)
from sim.games.pusoy_dos.rules import FLUSH, FULL_HOUSE, PAIR, QUADS, SINGLE, STRAIGHT, STRAIGHT_FLUSH, TRIPLE
from sim.jit import inlined

FIVE = np.uint64(5)
INNER = np.uint64(0xFFFF)  # the four lower ranks of a straight that begins with the threes
TOPS = np.uint64(0xF0000)  # its highest rank
TO_TOP = np.uint64(16)


@inlined
def plain_strength(cards):
    """Strength of some cards of the deck as a play, 0 when they are none: strength_of() under the default plays."""
    size = popcount(cards)
    top = highest(cards)
    if size == ONE:
        return (np.uint64(SINGLE) << KIND_SHIFT) | top
    if size == FIVE:
        return plain_five_strength(cards, top)
    return rank_strength(cards, size) if size <= THREE else ZERO


@inlined
def plain_five_strength(cards, top):
    """Strength of five cards, 0 when they are no play; ``top`` is the index of the highest, which decides between sequences."""
    held = ranks_held(cards)
    ranks = popcount(held)
    if ranks == TWO:
        four = ranks_complete(cards)
        if four != ZERO:
            return (np.uint64(QUADS) << KIND_SHIFT) | (lowest(four) >> TWO)
        return (np.uint64(FULL_HOUSE) << KIND_SHIFT) | (lowest(ranks_tripled(cards)) >> TWO)
    if ranks != FIVE:
        return ZERO
    in_sequence = held == RUN * lowest_bit(held)
    if is_suited(cards):
        if in_sequence:
            return (np.uint64(STRAIGHT_FLUSH) << KIND_SHIFT) | top
        suit = top & SUIT_BITS
        return (np.uint64(FLUSH) << KIND_SHIFT) | (suit << SUIT_SHIFT) | (cards >> suit)
    return (np.uint64(STRAIGHT) << KIND_SHIFT) | top if in_sequence else ZERO


@inlined
def above(card):
    """All bits above a single one."""
    return ~(card | (card - ONE))


@inlined
def lowest_2(cards):
    """The two lowest of two cards or more."""
    rest = cards & (cards - ONE)
    return cards ^ (rest & (rest - ONE))


@inlined
def lowest_3(cards):
    """The three lowest of three cards or more."""
    rest = cards & (cards - ONE)
    rest &= rest - ONE
    return cards ^ (rest & (rest - ONE))


@inlined
def without_lowest_5(cards):
    """What is left of five cards or more without the five lowest."""
    rest = cards & (cards - ONE)
    rest &= rest - ONE
    rest &= rest - ONE
    rest &= rest - ONE
    return rest & (rest - ONE)


@inlined
def plain_pair(hand, over):
    """Lowest pair whose higher card is in ``over``."""
    higher = lowest_bit(hand & ~lowest_of_ranks(hand) & over)
    if higher == ZERO:
        return ZERO
    return higher | lowest_bit(hand & rank_cards(lowest(higher)))


@inlined
def plain_triple(hand, over):
    """Lowest triple of a rank in ``over``."""
    rank = lowest_bit(ranks_tripled(hand) & over)
    return lowest_3(hand & (rank * RANK)) if rank != ZERO else ZERO


@inlined
def plain_straight(hand, over):
    """Lowest straight whose top card is in ``over``."""
    two = ranks_held(hand)
    two &= two >> FOUR_BITS
    starts = two & (two >> np.uint64(8)) & (ranks_held(hand & over) >> TO_TOP)
    if starts == ZERO:
        return ZERO
    least = lowest_of_ranks(hand)
    while starts != ZERO:
        at = lowest(starts)
        inner = least & (INNER << at)
        tops = hand & over & (TOPS << at)
        top = lowest_bit(tops)
        if inner | top != RUN * (top >> TO_TOP):
            return inner | top
        other = unsuited(hand & (INNER << at), inner, tops)
        if other != ZERO:
            return other
        starts &= starts - ONE
    return ZERO


@inlined
def unsuited(cards, inner, tops):
    """The lowest straight that is no straight flush when the lowest cards are one: raise the first rank that can be."""
    spare = cards ^ inner
    if spare != ZERO:
        card = lowest_bit(spare)
        return (inner & ~rank_cards(lowest(card))) | card | lowest_bit(tops)
    spare = tops & (tops - ONE)
    return inner | lowest_bit(spare) if spare != ZERO else ZERO


@inlined
def plain_flush_of(cards):
    """Lowest flush in cards of one suit: the five lowest, or the sixth for the fifth when those are in sequence."""
    if popcount(cards) < FIVE:
        return ZERO
    rest = without_lowest_5(cards)
    flush = cards ^ rest
    if flush != RUN * lowest_bit(flush):
        return flush
    if rest == ZERO:
        return ZERO
    return (flush & (lowest_bit(flush) * INNER)) | lowest_bit(rest)


@inlined
def plain_flush(hand, suit):
    """Lowest flush in a suit from ``suit`` up."""
    while suit < FOUR_BITS:
        flush = plain_flush_of(hand & (LANE << suit))
        if flush != ZERO:
            return flush
        suit += ONE
    return ZERO


@inlined
def plain_full_house(hand, over):
    """Lowest full house whose triple is of a rank in ``over``."""
    three = lowest_bit(ranks_tripled(hand) & over)
    if three == ZERO:
        return ZERO
    pair = lowest_bit(ranks_paired(hand) & ~three)
    if pair == ZERO:
        return ZERO
    return lowest_3(hand & (three * RANK)) | lowest_2(hand & (pair * RANK))


@inlined
def plain_quads(hand, over):
    """Lowest four of a kind and kicker, of a rank in ``over``."""
    four = lowest_bit(ranks_complete(hand) & over) * RANK
    kicker = lowest_bit(hand & ~four)
    return four | kicker if four != ZERO and kicker != ZERO else ZERO


@inlined
def plain_straight_flush(hand, over):
    """Lowest straight flush whose lowest card is in ``over``."""
    two = hand & (hand >> FOUR_BITS)
    return lowest_bit(two & (two >> np.uint64(8)) & (hand >> TO_TOP) & over) * RUN


@inlined
def plain_above_flush(hand):
    """Lowest five-card play from the full house up."""
    play = plain_full_house(hand, DECK)
    if play == ZERO:
        play = plain_quads(hand, DECK)
    return play if play != ZERO else plain_straight_flush(hand, DECK)


@inlined
def plain_five(hand):
    """Lowest five-card play."""
    play = plain_straight(hand, DECK)
    if play == ZERO:
        play = plain_flush(hand, ZERO)
    return play if play != ZERO else plain_above_flush(hand)


@inlined
def plain_few(hand):
    """Lowest triple, without one the lowest pair, without one the lowest card."""
    ranks = ranks_tripled(hand)
    if ranks != ZERO:
        return lowest_3(hand & (lowest_bit(ranks) * RANK))
    ranks = ranks_paired(hand)
    if ranks != ZERO:
        return lowest_2(hand & (lowest_bit(ranks) * RANK))
    return lowest_bit(hand)


@inlined
def plain_lead(hand):
    """Lowest play of the largest size that there is: five, three, two cards or one."""
    if popcount(hand) >= FIVE:
        play = plain_five(hand)
        if play != ZERO:
            return play
    return plain_few(hand)


@inlined
def plain_opening(hand, card):
    """Lowest play of the largest size among those with the hand's lowest card ``card``."""
    at = lowest(card)
    # Straights and straight flushes: this card alone of its rank, and the four ranks above.
    few = (hand & ~rank_cards(at) & (np.uint64(0xFFFFF) << (at & ~SUIT_BITS))) | card
    play = plain_straight(few, DECK)
    if play == ZERO:
        play = plain_flush_of(hand & (LANE << (at & SUIT_BITS)))
    if play == ZERO:
        play = plain_full_house(hand, DECK)
    if play & card == ZERO:
        play = plain_quads(hand, DECK)
    if play & card == ZERO:
        play = plain_straight_flush(few, DECK)
    if play == ZERO:
        play = plain_triple(hand, DECK)
    if play & card == ZERO:
        play = plain_pair(hand, DECK)
    return play if play & card != ZERO else card


@inlined
def plain_answer(hand, table, kind):
    """Lowest play that beats the play ``table`` (mask) of the given kind, 0 for none."""
    if kind == np.uint64(SINGLE):
        return lowest_bit(hand & above(table))
    if kind == np.uint64(PAIR):
        return plain_pair(hand, above(table & (table - ONE)))
    if kind == np.uint64(TRIPLE):
        return plain_triple(hand, above(ranks_held(table)))
    if popcount(hand) < FIVE:
        return ZERO
    return plain_five_answer(hand, table, kind)


@inlined
def plain_five_answer(hand, table, kind):
    """Lowest play that beats five cards on the table."""
    if kind == np.uint64(STRAIGHT):
        play = plain_straight(hand, above(ONE << highest(table)))
        if play == ZERO:
            play = plain_flush(hand, ZERO)
        return play if play != ZERO else plain_above_flush(hand)
    if kind == np.uint64(FLUSH):
        return plain_flush_answer(hand, table)
    if kind == np.uint64(FULL_HOUSE):
        play = plain_full_house(hand, above(ranks_tripled(table)))
        if play == ZERO:
            play = plain_quads(hand, DECK)
        return play if play != ZERO else plain_straight_flush(hand, DECK)
    if kind == np.uint64(QUADS):
        play = plain_quads(hand, above(ranks_complete(table)))
        return play if play != ZERO else plain_straight_flush(hand, DECK)
    return plain_straight_flush(hand, above(lowest_bit(table)))


@inlined
def plain_flush_answer(hand, table):
    """Lowest play that beats a flush: within a suit the top card decides, for no card is in both."""
    suit = lowest(table) & SUIT_BITS
    cards = hand & (LANE << suit)
    top = lowest_bit(cards & above(ONE << highest(table)))
    if top != ZERO and popcount(cards) >= FIVE:
        play = plain_flush_above(cards, top)
        if play != ZERO:
            return play
    play = plain_flush(hand, suit + ONE)
    return play if play != ZERO else plain_above_flush(hand)


@inlined
def plain_flush_above(cards, top):
    """Lowest flush in cards of one suit (five or more) with a top card from ``top`` up."""
    rest = without_lowest_5(cards)
    if rest & top != ZERO:  # five cards below it: the four lowest of them
        four = cards ^ rest
        return (four & ~(ONE << highest(four))) | top
    return plain_flush_of(cards)
