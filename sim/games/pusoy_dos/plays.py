"""Plays of Pusoy Dos as bits: what some cards are as a play, and which of two plays is higher.

Cards are numbered by strength here: ``index = rank * 4 + suit``, ranks 3, 4 … K, A, 2 as 0 … 12 and the suit's place in
the ``suit_order`` of the rules, low to high. A set of cards is a 52-bit mask over these indices: the higher of two
single cards is the bigger mask, and four neighbouring bits are the cards of a rank. ``to_strength`` and ``to_common``
convert masks from and to the numbering that all games share (``sim.cards``).

A *lane* is the set of all cards of one suit; a set of ranks is written in the lane of the lowest suit, one bit a rank.

A play's *strength* is one word, its kind in the top byte and below it the key that decides between plays of that kind:

| kind | key |
| --- | --- |
| single, pair | index of the (higher) card |
| triple, four, full house, four of a kind | rank that decides |
| two pairs | rank of the higher pair << 6, rank of the lower << 2, higher suit of the higher pair |
| straight | place among the straights << 2, suit that breaks ties |
| flush | suit << 52 and ranks as a set, or (``rank_first``) ranks << 2 and suit |
| straight flush | place << 2 and suit, or (``suit_first``) suit << 4 and place |

Of two plays of one size the one with the bigger strength beats the other; equal strengths do not beat each other.
Strength 0 is no play. The place of a straight is the rank of its last card; only ``poker_natural_a5_high`` has 2-6 and
A-5 behind 10-A (PD-A1, PD-A2).
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, THREE, TWO, ZERO, highest, lowest, popcount
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FULL_HOUSE,
    QUADS,
    RANK_FIRST,
    SF_SUIT_FIRST,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TWO_PAIR,
)
from sim.jit import inlined, kernel

FOUR_BITS = np.uint64(4)
DECK = np.uint64((1 << 52) - 1)
LANE = np.uint64(0x1111111111111)
"""The cards of the lowest suit; also the set of all ranks."""
RANK = np.uint64(15)
"""The cards of the lowest rank."""
RUN = np.uint64(0x11111)
"""The five lowest cards of the lowest suit."""
SUIT_BITS = np.uint64(3)
RANK_BITS = ~np.uint64(3)

KIND_SHIFT = np.uint64(56)
KEY = np.uint64((1 << 56) - 1)
SUIT_SHIFT = np.uint64(52)  # of a flush's key
HIGH_SHIFT = np.uint64(6)  # of a two pairs' key

ACE_RANK, TWO_RANK = np.uint64(11), np.uint64(12)
LOWEST_TWO = np.uint64(48)  # index of the lowest two


@kernel
def to_strength(cards, rules):
    """A mask in the common numbering (ace low, clubs, diamonds, hearts, spades) as a mask over strength indices."""
    turned = ring_down(cards, np.uint64(8))  # ace and two go to the top
    mask = ZERO
    for suit in range(4):
        place = (np.uint64(rules.suit_places) >> np.uint64(2 * suit)) & SUIT_BITS
        mask |= ((turned >> np.uint64(suit)) & LANE) << place
    return mask


@kernel
def to_common(cards, rules):
    """A mask over strength indices as a mask in the common numbering."""
    mask = ZERO
    for place in range(4):
        suit = (np.uint64(rules.suit_at) >> np.uint64(2 * place)) & SUIT_BITS
        mask |= ((cards >> np.uint64(place)) & LANE) << suit
    return ring_up(mask, np.uint64(8))


@inlined
def ring_down(cards, bits):
    """Cards moved down by ``bits`` / 4 ranks; what falls off the bottom comes back at the top."""
    return ((cards >> bits) | (cards << (SUIT_SHIFT - bits))) & DECK


@inlined
def ring_up(cards, bits):
    """Cards moved up by ``bits`` / 4 ranks; what falls off the top comes back at the bottom."""
    return ((cards << bits) | (cards >> (SUIT_SHIFT - bits))) & DECK


@inlined
def ranks_held(cards):
    """Ranks with one card or more."""
    half = cards | (cards >> ONE)
    return (half | (half >> TWO)) & LANE


@inlined
def ranks_paired(cards):
    """Ranks with two cards or more."""
    both = cards & (cards >> ONE)
    either = cards | (cards >> ONE)
    return (both | (both >> TWO) | (either & (either >> TWO))) & LANE


@inlined
def ranks_tripled(cards):
    """Ranks with three cards or more."""
    both = cards & (cards >> ONE)
    either = cards | (cards >> ONE)
    return ((both & (either >> TWO)) | (either & (both >> TWO))) & LANE


@inlined
def ranks_complete(cards):
    """Ranks with all four cards."""
    both = cards & (cards >> ONE)
    return both & (both >> TWO) & LANE


@kernel
def lowest_of_ranks(cards):
    """The lowest card of each rank."""
    one = (cards & np.uint64(0x7777777777777)) << ONE
    two = (cards & np.uint64(0x3333333333333)) << TWO
    three = (cards & LANE) << THREE
    return cards & ~(one | two | three)


@inlined
def rank_cards(index):
    """The four cards of the rank that a card belongs to."""
    return RANK << (index & RANK_BITS)


@inlined
def is_suited(cards):
    """Whether all cards (at least one) are of one suit."""
    return cards & ~(LANE << (lowest(cards) & SUIT_BITS)) == ZERO


@inlined
def sequence_starts(cards, rules):
    """First cards of five in sequence that the rules allow, in each lane (PD-A1)."""
    two = cards & ring_down(cards, np.uint64(4))
    four = two & ring_down(two, np.uint64(8))
    return four & ring_down(cards, np.uint64(16)) & (np.uint64(rules.sequences) * RANK)


@inlined
def straight_place(first, rules):
    """Place among the straights of the one that begins at rank ``first`` (PD-A2)."""
    if rules.a5_high != 0 and first >= ACE_RANK:
        return np.uint64(13) if first == ACE_RANK else np.uint64(12)
    return first + FOUR_BITS if first <= np.uint64(8) else first - np.uint64(9)


@kernel
def straight_first(place, rules):
    """First rank of the straight at a place: the inverse of straight_place()."""
    if rules.a5_high != 0 and place >= np.uint64(12):
        return ACE_RANK if place == np.uint64(13) else TWO_RANK
    return place - FOUR_BITS if place >= FOUR_BITS else place + np.uint64(9)


@inlined
def deciding_rank(place):
    """The rank whose suit breaks ties between straights at a place: the last, or the two if 2-6 and A-5 are highest."""
    return min(place, TWO_RANK)


@kernel
def classify(cards, rules):
    """What some cards are as a play (PD-3 to PD-6).

    Parameters
    ----------
    cards : uint64
        Mask over strength indices.
    rules : record

    Returns
    -------
    kind, strength : uint64
        Both 0 when the cards are no play.
    """
    strength = strength_of(cards, rules)
    return strength >> KIND_SHIFT, strength


@inlined
def strength_of(cards, rules):
    """Strength of some cards as a play, 0 when they are none."""
    if cards > DECK:
        return ZERO
    size = popcount(cards)
    if size == ONE:
        return (np.uint64(SINGLE) << KIND_SHIFT) | highest(cards)
    if size == np.uint64(5):
        return five_card_strength(cards, rules)
    if size == ZERO or size > FOUR_BITS:
        return ZERO
    return same_rank_strength(cards, size, rules)


@inlined
def same_rank_strength(cards, size, rules):
    """Strength of two to four cards, 0 when they are no play: pair, triple or bare four (PD-4, PD-A6, PD-A7)."""
    return rank_strength(cards, size) if (rules.kinds >> np.int64(size)) & 1 else ZERO


@inlined
def rank_strength(cards, size):
    """Strength of two to four cards under rules that have such a play, 0 when they are not of one rank."""
    top = highest(cards)
    if cards & ~rank_cards(top) != ZERO:
        return ZERO
    return (size << KIND_SHIFT) | (top if size == TWO else top >> TWO)


@inlined
def five_card_strength(cards, rules):
    """Strength of five cards, 0 when they are no play (PD-5, PD-6, PD-A25)."""
    held = ranks_held(cards)
    ranks = popcount(held)
    if ranks == np.uint64(5):
        return five_ranks_strength(cards, held, rules)
    kind = 0
    key = ZERO
    if ranks == TWO:
        decides = ranks_complete(cards)
        kind = QUADS
        if decides == ZERO:
            decides = ranks_tripled(cards)
            kind = FULL_HOUSE
        key = lowest(decides) >> TWO
    elif ranks == THREE:
        pairs = ranks_paired(cards)
        if popcount(pairs) == TWO:
            kind = TWO_PAIR
            high = highest(pairs)
            key = (high << FOUR_BITS) | lowest(pairs) | (highest(cards & rank_cards(high)) & SUIT_BITS)
    if kind == 0 or not (rules.kinds >> kind) & 1:
        return ZERO
    return (np.uint64(kind) << KIND_SHIFT) | key


@inlined
def five_ranks_strength(cards, held, rules):
    """Strength of five cards of five ranks (``held``): straight, flush, straight flush or 0."""
    start = sequence_starts(held, rules)
    suited = is_suited(cards)
    if start == ZERO:
        if suited and (rules.kinds >> FLUSH) & 1:
            return flush_strength(cards, rules)
        return ZERO
    kind = rules.suited_kind if suited else STRAIGHT
    if kind == FLUSH:
        return flush_strength(cards, rules)
    if not (rules.kinds >> kind) & 1:
        return ZERO
    place = straight_place(lowest(start) >> TWO, rules)
    suit = lowest((cards >> (deciding_rank(place) << TWO)) & RANK)
    if kind == STRAIGHT_FLUSH and rules.sf_order == SF_SUIT_FIRST:
        return (np.uint64(STRAIGHT_FLUSH) << KIND_SHIFT) | (suit << FOUR_BITS) | place
    return (np.uint64(kind) << KIND_SHIFT) | (place << TWO) | suit


@inlined
def flush_strength(cards, rules):
    """Strength of five cards of one suit as a flush (PD-A3)."""
    suit = lowest(cards) & SUIT_BITS
    ranks = cards >> suit
    key = (ranks << TWO) | suit if rules.flush_order == RANK_FIRST else (suit << SUIT_SHIFT) | ranks
    return (np.uint64(FLUSH) << KIND_SHIFT) | key


@inlined
def size_of(strength):
    """Number of cards of a play."""
    return min(strength >> KIND_SHIFT, np.uint64(5))


@inlined
def is_bomb(strength):
    """Whether a play is four of a kind with a kicker or a straight flush (PD-A7)."""
    return strength >> KIND_SHIFT >= np.uint64(QUADS)


@inlined
def is_single_two(strength):
    """Whether a play is a single card of rank two, which bombs beat (PD-A7)."""
    return strength >> KIND_SHIFT == np.uint64(SINGLE) and strength & KEY >= LOWEST_TWO


@kernel
def stronger(strength, table, rules):
    """Whether a play may be put on another one, both given by their strengths (PD-7, bombs PD-A7).

    Parameters
    ----------
    strength, table : uint64
        Strength of a play, and of the one it is to beat (neither 0).
    rules : record
    """
    if size_of(strength) == size_of(table):
        return strength > table
    return rules.bombs != 0 and is_bomb(strength) and is_single_two(table)


@kernel
def beats(cards, table, rules):
    """Whether some cards may be put on the play ``table`` (both masks): they are a play and a higher one."""
    strength = strength_of(cards, rules)
    return strength != ZERO and stronger(strength, strength_of(table, rules), rules)
