"""What a hand costs to get rid of, over all ways to part it into plays; and how likely it is to be run out from the lead.

Each play of the hand has a price: a turn, less what it is worth that the play may take the trick or fit in somewhere. A
hand costs the sum of its plays in the cheapest parting. It can be run out from the lead when all plays but the last
hold: the *toll* of a play is minus the logarithm of the chance that it does, and one play of the hand is let off its toll.

Prices and tolls are whole thousandths. What the cards of one rank cost together is kept in a table with sixteen words a
rank, one for each set of them; a word has the least price in its lowest twenty bits, then the least toll, then the least
toll with one play let off.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import math

import numpy as np

from sim.bits import ONE, TWO, ZERO, lowest_bit, popcount
from sim.games.pusoy_dos.listing import MOST_PLAYS
from sim.games.pusoy_dos.plays import DECK, FOUR_BITS, KIND_SHIFT, strength_of
from sim.games.pusoy_dos.rules import PAIR, SINGLE
from sim.jit import kernel
from strategies.pusoy_dos.hand_plays import CHOSEN, PLAYS, PLAYS_END, next_five
from strategies.pusoy_dos.unseen import higher_of_rank, hold_chance, hold_of_rank, survey_fives

THOUSAND = 1000.0
MOST_PRICE = 4000.0
MOST_TOLL = 10_000.0
"""So that a five-card play's price fits into twelve bits, and a word of the table holds three sums."""

OTHER_RANKS = 12.0

NIBBLE = np.uint64(15)
SIXTEEN = np.uint64(16)
PRICE_SHIFT = np.uint64(52)
TOLL_SHIFT, FREE_SHIFT = np.uint64(20), np.uint64(40)
FIELD = np.uint64((1 << 20) - 1)

TOLLS = np.uint64(PLAYS_END)
RANKS = TOLLS + np.uint64(MOST_PLAYS)
SURVEY = RANKS + np.uint64(13 * 16)
PRICES_END = int(SURVEY) + 22
"""Places in the notes: tolls of the five-card plays, the table by rank, the survey of unseen five-card plays."""

HOLD, FIT, FIT_MORE, PAIR_PRICE, TRIPLE_PRICE, FIVE_PRICE = (np.uint64(place) for place in range(3, 9))
"""Places of the parameters that make prices."""


@kernel
def toll(chance):
    """Minus the logarithm of a chance, in thousandths (uint64)."""
    return np.uint64(min(-THOUSAND * math.log(max(chance, 1e-6)), MOST_TOLL))


@kernel
def as_price(turns):
    """A price in turns as whole thousandths (uint64)."""
    return np.uint64(min(max(THOUSAND * turns, 0.0), MOST_PRICE))


@kernel
def price_of_rank(view, strength, higher, chance, unseen):
    """Price of a play of one rank: cheaper the likelier it holds, and the fewer unseen plays of its size are higher."""
    if strength >> KIND_SHIFT == np.uint64(SINGLE):
        base, fit = 1.0, view.parameters[FIT]
        lower = 1.0 - higher / max(float(popcount(unseen)), 1.0)
    else:
        base = view.parameters[PAIR_PRICE if strength >> KIND_SHIFT == np.uint64(PAIR) else TRIPLE_PRICE]
        fit = view.parameters[FIT_MORE]
        lower = 1.0 - higher / OTHER_RANKS
    return as_price(base - view.parameters[HOLD] * chance - fit * lower)


@kernel
def set_prices(view, fives, unseen, chances, notes):
    """Price all plays of the hand and what its parts of one rank cost.

    Parameters
    ----------
    view : record
    fives : uint64
        Five-card plays in the notes.
    unseen : uint64
    chances : tuple of five floats
        holdings() of all other players.
    notes : uint64 array
    """
    survey_fives(view, unseen, notes, SURVEY)
    for rank in range(np.uint64(13)):
        price_rank(view, rank, unseen, chances, notes)
    for i in range(PLAYS, PLAYS + fives):
        five = notes[i] & DECK
        chance = hold_chance(view, strength_of(five, view), unseen, chances, notes, SURVEY)
        price = as_price(view.parameters[FIVE_PRICE] - view.parameters[HOLD] * chance)
        notes[i] = five | (price << PRICE_SHIFT)
        notes[i + TOLLS - PLAYS] = toll(chance)


@kernel
def price_rank(view, rank, unseen, chances, notes):
    """Fill in the table for one rank: for every set of its cards the least price and tolls, over all ways to part it."""
    shift = np.uint64(rank) << TWO
    base = RANKS + (np.uint64(rank) << FOUR_BITS)
    held = (view.hand >> shift) & NIBBLE
    cards = lowest_bit(held)
    while cards != ZERO:
        first = lowest_bit(cards)
        more = cards ^ first  # what goes together with the first card, from all the others down to none
        word = part(view, (first | more) << shift, notes[base], unseen, chances, notes)
        while more != ZERO:
            more = (more - ONE) & (cards ^ first)
            word = cheaper(word, part(view, (first | more) << shift, notes[base + (cards ^ first ^ more)], unseen, chances, notes))
        notes[base + cards] = word
        cards = (cards - held) & held


@kernel
def part(view, play, rest, unseen, chances, notes):
    """The word of the table for a play and, beside it, cards with the word ``rest``."""
    strength = strength_of(play, view)
    if strength == ZERO:
        return ~ZERO
    higher = higher_of_rank(strength, unseen)
    chance = hold_of_rank(view, strength, higher, chances, notes, SURVEY)
    price = price_of_rank(view, strength, higher, chance, unseen) + (rest & FIELD)
    own = toll(chance)
    all_pay = (rest >> TOLL_SHIFT) & FIELD
    one_free = min(all_pay, own + (rest >> FREE_SHIFT))
    return price | ((own + all_pay) << TOLL_SHIFT) | (one_free << FREE_SHIFT)


@kernel
def cheaper(one, other):
    """The word with the least of each of two words' sums."""
    price = min(one & FIELD, other & FIELD)
    tolls = min((one >> TOLL_SHIFT) & FIELD, (other >> TOLL_SHIFT) & FIELD)
    return price | (tolls << TOLL_SHIFT) | (min(one >> FREE_SHIFT, other >> FREE_SHIFT) << FREE_SHIFT)


@kernel
def price_by_rank(hand, notes):
    """Price of a hand without five-card plays."""
    price = ZERO
    base = RANKS
    while hand != ZERO:
        price += notes[base + (hand & NIBBLE)] & FIELD
        hand >>= FOUR_BITS
        base += SIXTEEN
    return price


@kernel
def tolls_by_rank(hand, notes):
    """Tolls of a hand without five-card plays, and what is saved when its dearest play is let off."""
    tolls = ZERO
    saved = ZERO
    base = RANKS
    while hand != ZERO:
        word = notes[base + (hand & NIBBLE)]
        own = (word >> TOLL_SHIFT) & FIELD
        tolls += own
        saved = max(saved, own - (word >> FREE_SHIFT))
        hand >>= FOUR_BITS
        base += SIXTEEN
    return tolls, saved


@kernel
def least_price(hand, fives, notes):
    """Least price of a hand over all ways to part it (uint64), with the ``fives`` five-card plays in the notes."""
    best = price_by_rank(hand, notes)
    price = ZERO
    chosen = ZERO
    end = PLAYS + fives
    at = next_five(hand, PLAYS, end, notes)
    while at < end or chosen != ZERO:
        if at < end:
            notes[CHOSEN + chosen] = at
            chosen += ONE
            hand ^= notes[at] & DECK
            price += notes[at] >> PRICE_SHIFT
            best = min(best, price + price_by_rank(hand, notes))
        else:  # all sets with the plays chosen have been tried: give the last one back
            chosen -= ONE
            at = notes[CHOSEN + chosen]
            hand ^= notes[at] & DECK
            price -= notes[at] >> PRICE_SHIFT
        at = next_five(hand, at + ONE, end, notes)
    return best


@kernel
def dearest(chosen, notes):
    """The highest toll of the five-card plays chosen."""
    most = ZERO
    for k in range(CHOSEN, CHOSEN + chosen):
        most = max(most, notes[notes[k] + TOLLS - PLAYS])
    return most


@kernel
def least_tolls(hand, fives, notes):
    """Least tolls of a hand over all ways to part it (uint64) when its dearest play is let off; as least_price()."""
    all_pay, saved = tolls_by_rank(hand, notes)
    best = all_pay - saved
    tolls = ZERO
    chosen = ZERO
    end = PLAYS + fives
    at = next_five(hand, PLAYS, end, notes)
    while best != ZERO and (at < end or chosen != ZERO):
        if at < end:
            notes[CHOSEN + chosen] = at
            chosen += ONE
            hand ^= notes[at] & DECK
            tolls += notes[at + TOLLS - PLAYS]
            all_pay, saved = tolls_by_rank(hand, notes)
            best = min(best, tolls + all_pay - max(saved, dearest(chosen, notes)))
        else:
            chosen -= ONE
            at = notes[CHOSEN + chosen]
            hand ^= notes[at] & DECK
            tolls -= notes[at + TOLLS - PLAYS]
        at = next_five(hand, at + ONE, end, notes)
    return best


@kernel
def run_chance(hand, fives, notes):
    """About how likely a hand can be run out from the lead: 1 exactly when all its plays but one are controls."""
    return math.exp(-float(least_tolls(hand, fives, notes)) / THOUSAND)
