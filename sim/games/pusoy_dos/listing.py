"""All plays of a hand, written into a buffer of the caller: on lead, when opening, in answer to the table.

``out`` is a uint64 array for masks, big enough for ``MOST_PLAYS`` (any hand up to 18 cards) or what the caller knows;
``at`` is where the next mask goes. Every function returns the place after its last mask. Plays come by kind, lowest
kind first, each once; within a kind in no special order.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, lowest, lowest_bit
from sim.games.pusoy_dos.plays import (
    FOUR_BITS,
    KIND_SHIFT,
    LANE,
    RANK,
    RANK_BITS,
    RUN,
    SUIT_BITS,
    is_single_two,
    is_suited,
    rank_cards,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
    ring_down,
    ring_up,
    sequence_starts,
    size_of,
    strength_of,
)
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FULL_HOUSE,
    OPENING_SINGLE_ONLY,
    QUADS,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPLE,
    TWO_PAIR,
)
from sim.jit import kernel

PLAYS_OF_13 = 1300
"""Most plays of a 13-card hand under any rules: thirteen singles and 1287 flushes."""
MOST_PLAYS = 3382
"""At least as many as the plays of any hand up to 18 cards under any rules (2600 are enough for 17)."""
PLAYS_OF_DECK = 146_510
"""Most plays in the whole deck under any rules."""


@kernel
def list_plays(hand, rules, out):
    """All plays of a hand.

    Parameters
    ----------
    hand : uint64
        Mask over strength indices.
    rules : record
    out : uint64 array
        Where the masks go.

    Returns
    -------
    uint64
        How many there are.
    """
    at = ZERO
    for kind in range(SINGLE, STRAIGHT_FLUSH + 1):
        at = list_kind(hand, kind, rules, out, at)
    return at


@kernel
def list_openings(hand, card, rules, out):
    """All plays that may open when ``card`` (a mask) must be in the play (PD-8, PD-A9); otherwise as list_plays()."""
    if rules.opening_must_include == OPENING_SINGLE_ONLY:
        out[ZERO] = card
        return ONE
    count = list_plays(hand, rules, out)
    at = ZERO
    for i in range(count):
        if out[i] & card != ZERO:
            out[at] = out[i]
            at += ONE
    return at


@kernel
def list_answers(hand, table, rules, out):
    """All plays that beat a play of strength ``table``, bombs included (PD-7, PD-A7); otherwise as list_plays()."""
    table_kind = np.int64(table >> KIND_SHIFT)
    at = list_kind(hand, table_kind, rules, out, ZERO)
    at = keep_stronger(out, at, table, rules)
    first_bomb = STRAIGHT_FLUSH + 1
    if size_of(table) == np.uint64(5):
        first_bomb = table_kind + 1
    elif rules.bombs != 0 and is_single_two(table):
        first_bomb = QUADS
    for kind in range(first_bomb, STRAIGHT_FLUSH + 1):
        at = list_kind(hand, kind, rules, out, at)
    return at


@kernel
def keep_stronger(out, count, table, rules):
    """Keep the plays that are stronger than one of their size."""
    at = ZERO
    for i in range(count):
        if strength_of(out[i], rules) > table:
            out[at] = out[i]
            at += ONE
    return at


@kernel
def list_kind(hand, kind, rules, out, at):
    """All plays of one kind, none when the rules do not have it."""
    if not (rules.kinds >> kind) & 1:
        return at
    if kind < TRIPLE:
        return list_singles(hand, out, at) if kind == SINGLE else list_pairs(ZERO, hand, out, at)
    if kind < TWO_PAIR:
        return list_triples(hand, out, at) if kind == TRIPLE else list_fours(hand, out, at)
    return list_fives(hand, kind, rules, out, at)


@kernel
def list_fives(hand, kind, rules, out, at):
    """All five-card plays of one kind."""
    if kind == STRAIGHT:
        return list_straights(hand, rules, out, at)
    if kind == FLUSH:
        return list_flushes(hand, rules, out, at)
    if kind == FULL_HOUSE:
        return list_full_houses(hand, out, at)
    if kind == QUADS:
        return list_quads(hand, out, at)
    if kind == STRAIGHT_FLUSH:
        return list_straight_flushes(hand, rules, out, at)
    return list_two_pairs(hand, out, at)


@kernel
def list_singles(hand, out, at):
    """Every card."""
    while hand != ZERO:
        out[at] = lowest_bit(hand)
        at += ONE
        hand &= hand - ONE
    return at


@kernel
def list_pairs(base, hand, out, at):
    """The cards ``base`` with every pair of the hand."""
    while hand != ZERO:
        first = lowest_bit(hand)
        hand ^= first
        others = hand & rank_cards(lowest(first))
        while others != ZERO:
            out[at] = base | first | lowest_bit(others)
            at += ONE
            others &= others - ONE
    return at


@kernel
def list_triples(hand, out, at):
    """Every three cards of a rank."""
    ranks = ranks_tripled(hand)
    while ranks != ZERO:
        rank = lowest_bit(ranks)
        for suit in range(4):
            three = rank * RANK ^ (rank << np.uint64(suit))
            if hand & three == three:
                out[at] = three
                at += ONE
        ranks ^= rank
    return at


@kernel
def list_fours(hand, out, at):
    """Every bare four of a kind."""
    ranks = ranks_complete(hand)
    while ranks != ZERO:
        out[at] = lowest_bit(ranks) * RANK
        at += ONE
        ranks &= ranks - ONE
    return at


@kernel
def list_two_pairs(hand, out, at):
    """Every two pairs of different ranks with a card of a third."""
    highs = ranks_paired(hand)
    while highs != ZERO:
        high = lowest_bit(highs)
        highs ^= high
        cards = hand & (high * RANK)
        lows = ranks_paired(hand) & (high - ONE)
        while lows != ZERO:
            low = lowest_bit(lows) * RANK
            at = list_pairs_of_two(cards, hand & low, hand & ~(cards | low), out, at)
            lows &= lows - ONE
    return at


@kernel
def list_pairs_of_two(highs, lows, kickers, out, at):
    """Every pair of one rank with every pair of another and every kicker."""
    while kickers != ZERO:
        kicker = lowest_bit(kickers)
        kickers ^= kicker
        left = highs
        while left != ZERO:
            first = lowest_bit(left)
            left ^= first
            others = left
            while others != ZERO:
                at = list_pairs(kicker | first | lowest_bit(others), lows, out, at)
                others &= others - ONE
    return at


@kernel
def list_full_houses(hand, out, at):
    """Every three of a rank with every pair of another."""
    ranks = ranks_tripled(hand)
    while ranks != ZERO:
        rank = lowest_bit(ranks)
        others = hand & ~(rank * RANK)
        for suit in range(4):
            three = rank * RANK ^ (rank << np.uint64(suit))
            if hand & three == three:
                at = list_pairs(three, others, out, at)
        ranks ^= rank
    return at


@kernel
def list_quads(hand, out, at):
    """Every four of a kind with every kicker."""
    ranks = ranks_complete(hand)
    while ranks != ZERO:
        four = lowest_bit(ranks) * RANK
        kickers = hand & ~four
        while kickers != ZERO:
            out[at] = four | lowest_bit(kickers)
            at += ONE
            kickers &= kickers - ONE
        ranks &= ranks - ONE
    return at


@kernel
def list_straights(hand, rules, out, at):
    """Every straight; one of a single suit only when the rules make nothing higher of it (PD-A25)."""
    starts = sequence_starts(ranks_held(hand), rules)
    while starts != ZERO:
        start = lowest(starts)
        turned = ring_down(hand, start)  # the first rank at the bottom, whatever it is
        firsts = turned & RANK
        while firsts != ZERO:
            seconds = turned & (RANK << FOUR_BITS)
            while seconds != ZERO:
                at = list_straights_from(lowest_bit(firsts) | lowest_bit(seconds), turned, start, rules, out, at)
                seconds &= seconds - ONE
            firsts &= firsts - ONE
        starts &= starts - ONE
    return at


@kernel
def list_straights_from(base, turned, start, rules, out, at):
    """Every straight with the two cards ``base`` as its first, in a hand turned down by ``start`` bits."""
    suited_too = rules.suited_kind == STRAIGHT
    thirds = turned & (RANK << np.uint64(8))
    while thirds != ZERO:
        fourths = turned & (RANK << np.uint64(12))
        while fourths != ZERO:
            fifths = turned & (RANK << np.uint64(16))
            while fifths != ZERO:
                play = base | lowest_bit(thirds) | lowest_bit(fourths) | lowest_bit(fifths)
                if suited_too or not is_suited(play):
                    out[at] = ring_up(play, start)
                    at += ONE
                fifths &= fifths - ONE
            fourths &= fourths - ONE
        thirds &= thirds - ONE
    return at


@kernel
def list_flushes(hand, rules, out, at):
    """Every five cards of a suit that are no straight flush, while those exist."""
    for suit in range(4):
        firsts = hand & (LANE << np.uint64(suit))
        while firsts != ZERO:
            first = lowest_bit(firsts)
            firsts ^= first
            seconds = firsts
            while seconds != ZERO:
                second = lowest_bit(seconds)
                seconds ^= second
                at = list_flushes_from(first | second, seconds, rules, out, at)
    return at


@kernel
def list_flushes_from(base, cards, rules, out, at):
    """Every flush of the two cards ``base`` and three of the cards given, all of one suit."""
    plain_too = rules.suited_kind != STRAIGHT_FLUSH
    while cards != ZERO:
        third = lowest_bit(cards)
        cards ^= third
        fourths = cards
        while fourths != ZERO:
            fourth = lowest_bit(fourths)
            fourths ^= fourth
            fifths = fourths
            while fifths != ZERO:
                play = base | third | fourth | lowest_bit(fifths)
                if plain_too or sequence_starts(play, rules) == ZERO:
                    out[at] = play
                    at += ONE
                fifths &= fifths - ONE
    return at


@kernel
def list_straight_flushes(hand, rules, out, at):
    """Every straight flush."""
    starts = sequence_starts(hand, rules)
    while starts != ZERO:
        start = lowest(starts)
        out[at] = ring_up(RUN << (start & SUIT_BITS), start & RANK_BITS)
        at += ONE
        starts &= starts - ONE
    return at
