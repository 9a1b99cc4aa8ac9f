"""The lowest play of a hand: on lead, when opening, in answer to the table, of one size or kind, under every option.

'Lowest' is lowest by strength; between plays of equal strength it is the smallest mask (PD-O7). Finders return a mask,
0 when there is no such play. Those of one kind take

hand : uint64
    Mask over strength indices.
least : uint64
    The least key (the strength without its kind) that will do, 0 for any.
must : uint64
    A card of the hand that the play must contain, 0 for none.
rules : record
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, THREE, TWO, ZERO, highest, lowest, lowest_bit, popcount
from sim.games.pusoy_dos.plain import above, plain_answer, plain_lead, plain_opening
from sim.games.pusoy_dos.plays import (
    DECK,
    FOUR_BITS,
    HIGH_SHIFT,
    KEY,
    KIND_SHIFT,
    LANE,
    RANK,
    SUIT_BITS,
    SUIT_SHIFT,
    deciding_rank,
    is_suited,
    lowest_of_ranks,
    rank_cards,
    ranks_complete,
    ranks_held,
    ranks_paired,
    ranks_tripled,
    ring_down,
    ring_up,
    sequence_starts,
    size_of,
    straight_first,
)
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FULL_HOUSE,
    OPENING_SINGLE_ONLY,
    QUADS,
    RANK_FIRST,
    SF_SUIT_FIRST,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TWO_PAIR,
)
from sim.jit import inlined, kernel

ALL = ~ZERO
FIVE = np.uint64(5)
FIVE_RANKS = np.uint64(0xFFFFF)
PLACES = np.uint64(0x11111111111111)  # one bit for each place among the straights and suit 0


@inlined
def lowest_lead(hand, rules):
    """The lowest play of the largest size that there is: five cards, four, three, two or one."""
    if rules.plain != 0:
        return plain_lead(hand)
    return lowest_of_largest(hand, ZERO, rules)


@kernel
def lowest_opening(hand, card, rules):
    """The lowest opening play of the largest size (PD-8, PD-A9).

    Parameters
    ----------
    hand : uint64
    card : uint64
        The lowest card of the hand, as a mask, which the play must contain. (Under ``opening_must_include='free'`` the
        opening is a lead like any other.)
    rules : record
    """
    if rules.opening_must_include == OPENING_SINGLE_ONLY:
        return card
    if rules.plain != 0:
        return plain_opening(hand, card)
    return lowest_of_largest(hand, card, rules)


@inlined
def lowest_answer(hand, table, strength, rules):
    """The lowest play of the table's size that beats it, 0 for none; bombs (PD-A7) are not thought of.

    Parameters
    ----------
    hand : uint64
    table, strength : uint64
        The play on the table and its strength; it has no card of the hand.
    rules : record
    """
    if rules.plain != 0:
        return plain_answer(hand, table, strength >> KIND_SHIFT)
    return lowest_of_size(hand, size_of(strength), strength, ZERO, rules)


@kernel
def lowest_of_largest(hand, must, rules):
    """The lowest play of the largest size among those that contain ``must`` (0: among all)."""
    size = min(popcount(hand), FIVE)
    play = ZERO
    while play == ZERO and size > ONE:
        play = lowest_of_size(hand, size, ZERO, must, rules)
        size -= ONE
    if play != ZERO:
        return play
    return must if must != ZERO else lowest_bit(hand)


@kernel
def lowest_of_size(hand, size, floor, must, rules):
    """The lowest play of ``size`` cards that contains ``must`` and is stronger than ``floor``.

    Parameters
    ----------
    hand, size : uint64
    floor : uint64
        Strength of a play of this size, 0 for none.
    must : uint64
        A card of the hand that the play must contain, 0 for none.
    rules : record
    """
    if size == FIVE:
        return lowest_five(hand, floor, must, rules)
    if not (rules.kinds >> np.int64(size)) & 1:
        return ZERO
    least = (floor & KEY) + ONE if floor != ZERO else ZERO
    if size == ONE:
        return lowest_bit((must if must != ZERO else hand) & (ALL << least))
    if size == TWO:
        return lowest_pair(hand, least, must)
    return lowest_same(hand, size, least, must)


@kernel
def lowest_five(hand, floor, must, rules):
    """The lowest five-card play that contains ``must`` and is stronger than ``floor`` (as in lowest_of_size())."""
    if popcount(hand) < FIVE:
        return ZERO
    first = np.int64(floor >> KIND_SHIFT)
    least = (floor & KEY) + ONE
    for kind in range(TWO_PAIR, STRAIGHT_FLUSH + 1):
        if kind >= first and (rules.kinds >> kind) & 1:
            play = lowest_of_kind(hand, kind, least if kind == first else ZERO, must, rules)
            if play != ZERO:
                return play
    return ZERO


@kernel
def lowest_of_kind(hand, kind, least, must, rules):
    """The lowest five-card play of one kind (which the rules have)."""
    if kind == STRAIGHT:
        return lowest_straight(hand, least, must, rules)
    if kind == FLUSH:
        return lowest_flush(hand, least, must, rules)
    if kind == FULL_HOUSE:
        return lowest_full_house(hand, least, must)
    if kind == QUADS:
        return lowest_quads(hand, least, must)
    if kind == STRAIGHT_FLUSH:
        return lowest_straight_flush(hand, least, must, rules)
    return lowest_two_pair(hand, least, must)


@kernel
def lowest_n(cards, count):
    """The ``count`` lowest of so many cards or more."""
    rest = cards
    for _ in range(count):
        rest &= rest - ONE
    return cards ^ rest


@kernel
def lowest_pair(hand, least, must):
    """The lowest pair whose higher card has an index from ``least`` up (PD-4)."""
    if must != ZERO:
        return pair_with(hand & rank_cards(lowest(must)), least, must)
    higher = lowest_bit(hand & ~lowest_of_ranks(hand) & (ALL << least))
    if higher == ZERO:
        return ZERO
    return higher | lowest_bit(hand & rank_cards(lowest(higher)))


@kernel
def pair_with(cards, least, must):
    """The lowest pair within cards of one rank, with ``must`` if it is there, the higher card from ``least`` up."""
    if cards & must == ZERO:
        return lowest_pair_of(cards, least)
    others = cards ^ must
    if lowest(must) < least:
        others &= ALL << least
    return must | lowest_bit(others) if others != ZERO else ZERO


@kernel
def lowest_pair_of(cards, least):
    """The lowest pair within cards of one rank whose higher card has an index from ``least`` up."""
    first = lowest_bit(cards)
    higher = lowest_bit((cards ^ first) & (ALL << least))
    return first | higher if higher != ZERO else ZERO


@kernel
def same_with(cards, size, must):
    """The ``size`` lowest of so many cards or more, with ``must`` if that is one of them."""
    if cards & must == ZERO:
        return lowest_n(cards, size)
    return must | lowest_n(cards ^ must, size - ONE)


@kernel
def lowest_same(hand, size, least, must):
    """The lowest three or four cards of a rank from ``least`` up (PD-4, PD-A7)."""
    ranks = (ranks_tripled(hand) if size == THREE else ranks_complete(hand)) & (ALL << (least << TWO))
    if must != ZERO:
        ranks &= rank_cards(lowest(must))
    if ranks == ZERO:
        return ZERO
    return same_with(hand & rank_cards(lowest(ranks)), size, must)


@kernel
def lowest_two_pair(hand, least, must):
    """The lowest two pairs and a card of another rank (PD-A25)."""
    paired = ranks_paired(hand)
    highs = paired & (paired - ONE) & (ALL << (least >> HIGH_SHIFT << TWO)) if paired != ZERO else ZERO
    while highs != ZERO:
        high = lowest(highs)
        lows = paired & ((ONE << high) - ONE)
        while lows != ZERO:
            low = lowest(lows)
            key = (high << FOUR_BITS) | low
            if key | SUIT_BITS >= least:
                play = two_pair_of(hand, high, low, max(least, key) - key, must)
                if play != ZERO:
                    return play
            lows &= lows - ONE
        highs &= highs - ONE
    return ZERO


@kernel
def two_pair_of(hand, high, low, least_suit, must):
    """The lowest two pairs of the ranks at ``high`` and ``low``, the higher one's top suit from ``least_suit`` up."""
    upper = pair_with(hand & rank_cards(high), high + least_suit, must)
    lower = pair_with(hand & rank_cards(low), ZERO, must)
    others = hand & ~(rank_cards(high) | rank_cards(low))
    kicker = must & others if must & others != ZERO else lowest_bit(others)
    if upper == ZERO or kicker == ZERO:
        return ZERO
    return upper | lower | kicker


@kernel
def lowest_full_house(hand, least, must):
    """The lowest full house with a triple of a rank from ``least`` up (PD-6)."""
    triples = ranks_tripled(hand) & (ALL << (least << TWO))
    paired = ranks_paired(hand)
    must_ranks = rank_cards(lowest(must)) if must != ZERO else DECK
    while triples != ZERO:
        three = lowest_bit(triples)
        pairs = paired & ~three
        if must & (three * RANK) == ZERO:
            pairs &= must_ranks
        if pairs != ZERO:
            pair = hand & rank_cards(lowest(pairs))
            return same_with(hand & (three * RANK), THREE, must) | pair_with(pair, ZERO, must)
        triples &= triples - ONE
    return ZERO


@kernel
def lowest_quads(hand, least, must):
    """The lowest four of a kind of a rank from ``least`` up, with its kicker (PD-6)."""
    ranks = ranks_complete(hand) & (ALL << (least << TWO))
    if ranks == ZERO:
        return ZERO
    four = lowest_bit(ranks) * RANK
    kicker = must & ~four if must & ~four != ZERO else lowest_bit(hand & ~four)
    return four | kicker if kicker != ZERO else ZERO


@kernel
def lowest_straight(hand, least, must, rules):
    """The lowest straight (PD-A1, PD-A2)."""
    starts = sequence_starts(ranks_held(hand), rules)
    if must != ZERO:
        hand = (hand & ~rank_cards(lowest(must))) | must
        starts &= spread_down(ranks_held(must))
    if starts == ZERO:
        return ZERO
    first_place = least >> TWO
    places = by_place(starts, rules) & (ALL << (first_place << TWO))
    while places != ZERO:
        place = lowest(places) >> TWO
        tops = hand & (RANK << (deciding_rank(place) << TWO))
        if place == first_place:
            tops &= tops_from(least) << (deciding_rank(place) << TWO)
        if tops != ZERO:
            play = straight_at(hand, place, tops, rules)
            if play != ZERO:
                return play
        places &= places - ONE
    return ZERO


@kernel
def tops_from(least):
    """The cards of the lowest rank with a suit from that of a straight's key up."""
    return RANK & (RANK << (least & SUIT_BITS))


@kernel
def straight_at(hand, place, tops, rules):
    """The lowest straight at a place whose deciding card is one of ``tops``.

    When its lowest cards are of one suit and that makes it another kind of play, the lowest rank that can be raised is.
    """
    decides = rank_cards(lowest(tops))
    inner = hand & ring_up(FIVE_RANKS, straight_first(place, rules) << TWO) & ~decides
    least = lowest_of_ranks(inner)
    top = lowest_bit(tops)
    if rules.suited_kind == STRAIGHT or not is_suited(least | top):
        return least | top
    spare = inner ^ least
    if spare != ZERO:
        card = lowest_bit(spare)
        return (least & ~rank_cards(lowest(card))) | card | top
    return least | lowest_bit(tops ^ top) if tops != top else ZERO


@kernel
def spread_down(cards):
    """The starts, in their lanes, of all five ranks in sequence that contain one of these cards."""
    two = cards | ring_down(cards, np.uint64(4))
    return two | ring_down(two, np.uint64(8)) | ring_down(cards, np.uint64(16))


@kernel
def by_place(starts, rules):
    """Starts of straights moved to four bits for each place among the straights, the suit kept (PD-A2)."""
    if rules.a5_high == 0:
        return ring_up(starts, np.uint64(16))
    usual = starts & np.uint64(0xFFFFFFFF)
    two_to_six = starts & (RANK << np.uint64(48))
    ace_to_five = starts & (RANK << np.uint64(44))
    return (usual << np.uint64(16)) | two_to_six | (ace_to_five << np.uint64(8))


@kernel
def lowest_straight_flush(hand, least, must, rules):
    """The lowest straight flush (PD-A4)."""
    starts = sequence_starts(hand, rules)
    if must != ZERO:
        starts &= spread_down(must)
    if starts == ZERO:
        return ZERO
    places = by_place(starts, rules)
    if rules.sf_order == SF_SUIT_FIRST:
        found = first_by_suit(places, least)
    else:
        found = lowest_bit(places & (ALL << least))
    if found == ZERO:
        return ZERO
    at = lowest(found)
    first = straight_first(at >> TWO, rules)
    return ring_up(FIVE_RANKS & (LANE << (at & SUIT_BITS)), first << TWO)


@kernel
def first_by_suit(places, least):
    """Of straight flushes by place, the lowest from the key ``least`` up when the suit decides before the place."""
    suit = least >> FOUR_BITS
    bound = ALL << ((least & np.uint64(15)) << TWO)
    while suit < FOUR_BITS:
        found = lowest_bit(places & (PLACES << suit) & bound)
        if found != ZERO:
            return found
        bound = ALL
        suit += ONE
    return ZERO


@kernel
def lowest_flush(hand, least, must, rules):
    """The lowest flush (PD-A3)."""
    if rules.flush_order == RANK_FIRST:
        return lowest_flush_by_rank(hand, least, must, rules)
    bound = least & DECK
    for suit in range(least >> SUIT_SHIFT, FOUR_BITS):
        ranks = flush_ranks(hand, np.uint64(suit), bound, must, rules)
        if ranks != ZERO:
            return ranks << np.uint64(suit)
        bound = ZERO
    return ZERO


@kernel
def lowest_flush_by_rank(hand, least, must, rules):
    """The lowest flush when all ranks are compared before the suit."""
    best = ZERO
    best_suit = ZERO
    for suit in range(FOUR_BITS):
        bound = least >> TWO
        if np.uint64(suit) < least & SUIT_BITS:
            bound += ONE
        ranks = flush_ranks(hand, np.uint64(suit), bound, must, rules)
        if ranks != ZERO and (best == ZERO or ranks < best):
            best = ranks
            best_suit = np.uint64(suit)
    return best << best_suit


@kernel
def flush_ranks(hand, suit, bound, must, rules):
    """Ranks of the lowest flush in a suit that is a number from ``bound`` up; no straight flush while those exist."""
    own = must & (LANE << suit)
    if own != must:
        return ZERO
    own >>= suit
    ranks = (hand >> suit) & LANE
    flush = five_from(ranks, bound)
    while flush != ZERO:
        if flush & own == own and (rules.suited_kind != STRAIGHT_FLUSH or sequence_starts(flush, rules) == ZERO):
            return flush
        flush = five_from(ranks, flush + ONE)
    return ZERO


@kernel
def five_from(ranks, bound):
    """The smallest five of these bits that are, as a number, ``bound`` or more; 0 when there are none.

    From the top down it shares a bit of the bound as long as that is there; at each bit it may leave the bound upwards
    instead, and leaving late is leaving low.
    """
    chosen = ZERO
    best = ZERO
    wanted = FIVE
    while popcount(ranks) >= wanted:
        if bound == ZERO:
            return chosen | lowest_n(ranks, wanted)
        if wanted == ZERO:
            return best
        shared = ONE << highest(bound)
        higher = lowest_bit(ranks & above(shared))
        if higher != ZERO:
            best = chosen | five_leaving(ranks, wanted, higher)
        if ranks & shared == ZERO:
            return best
        chosen |= shared
        ranks &= shared - ONE
        bound ^= shared
        wanted -= ONE
    return best


@kernel
def five_leaving(ranks, wanted, top):
    """The smallest ``wanted`` of so many bits or more whose highest is ``top`` or higher."""
    rest = lowest_n(ranks, wanted - ONE)
    return rest | top if rest < top else lowest_n(ranks, wanted)
