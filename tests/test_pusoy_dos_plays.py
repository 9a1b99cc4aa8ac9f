"""Plays of Pusoy Dos: order, lists, lowest plays and counts against the slow reference, each other, exact values."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import comb, prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.bits import ONE, ZERO, lowest_bit, popcount
from sim.decide import COMPILED
from sim.games.pusoy_dos import counting, listing, lowest, plays
from sim.games.pusoy_dos import rules as pd
from sim.games.pusoy_dos.rules import PusoyDosRules
from sim.jit import kernel
from tests.reference import pusoy_dos as ref

ROOT = Path(__file__).resolve().parent.parent
PLAY_CHOICES = ("straights", "flush_order", "sf_order", "triples", "quads", "bombs", "opening_must_include")
DECK = int(plays.DECK)
DIAMONDS = int(plays.LANE) << 3  # the highest suit by default
word = np.uint64


def record(**options: Any) -> Any:
    """The record of some rules, as an engine reads it."""
    return PusoyDosRules.from_mapping(options).to_record()[0]


def general(**options: Any) -> Any:
    """The record of some rules, the short way for default plays shut."""
    rules = PusoyDosRules.from_mapping(options).to_record()
    rules["plain"] = 0
    return rules[0]


def strength(cards: int | str, rules: Any) -> int:
    """Strength of some cards (mask, or text under the default suit order)."""
    return int(plays.strength_of(word(ref.mask(cards) if isinstance(cards, str) else cards), rules))


def kind(cards: int | str, **options: Any) -> int:
    """Kind of some cards."""
    found, key = plays.classify(word(ref.mask(cards) if isinstance(cards, str) else cards), record(**options))
    assert found == int(key) >> 56
    return int(found)


def kind_of(play: ref.Play | None) -> int:
    """The kind that the reference says a play is."""
    if play is None:
        return pd.NO_PLAY
    return play.size if play.category is ref.Category.PLAIN else pd.TWO_PAIR + int(play.category) - 1


def higher(first: str, second: str, **options: Any) -> bool:
    """Whether the first play beats the second, which may then not beat the first."""
    rules = record(**options)
    a, b = word(ref.mask(first)), word(ref.mask(second))
    assert strength(first, rules) and strength(second, rules)
    assert not (plays.beats(a, b, rules) and plays.beats(b, a, rules))
    return bool(plays.beats(a, b, rules))


def listed(count: Any, out: Any) -> list[int]:
    """The masks in a buffer, ascending."""
    return sorted(int(mask) for mask in out[: int(count)])


@cache
def buffer() -> Any:
    """Room for the plays of the whole deck."""
    return np.zeros(listing.PLAYS_OF_DECK, np.uint64)


# ------------------------------------------------------------------------------------------- random positions


def random_options(rng: Random) -> dict[str, Any]:
    """Any value of every option that plays depend on."""
    options: dict[str, Any] = {name: rng.choice(ref.CHOICES[name]) for name in PLAY_CHOICES}
    options["categories"] = tuple(name for name in ref.CATEGORY_NAMES if rng.random() < 0.75)
    return options


def single_changes() -> Iterator[dict[str, Any]]:
    """The default rules and every value of every option alone, each category left out alone and used alone."""
    yield {}
    for name in PLAY_CHOICES:
        yield from ({name: value} for value in ref.CHOICES[name])
    names = ref.CATEGORY_NAMES
    for name in names:
        yield {"categories": tuple(other for other in names if other != name)}
        yield {"categories": (name,)}


def random_pool(rng: Random) -> list[int]:
    """Cards to choose from: the deck, or few ranks or few suits, where five-card plays and ties crowd."""
    crowd = rng.randrange(4)
    first = rng.randrange(13)
    suits = rng.sample(range(4), 2)
    if crowd == 0:
        return list(range(52))
    if crowd == 1:
        return [(first + rank) % 13 * 4 + suit for rank in range(rng.randint(4, 7)) for suit in range(4)]
    ranks = 13 if crowd == 2 else 8
    return [(first + rank) % 13 * 4 + suit for rank in range(ranks) for suit in suits]


def random_hands(rng: Random) -> tuple[int, int]:
    """Two disjoint masks of 1 to 13 cards."""
    pool = random_pool(rng)
    size = min(rng.randint(1, 13), len(pool) - 5)
    cards = rng.sample(pool, min(size + rng.randint(1, 13), len(pool)))
    return ref.mask(cards[:size]), ref.mask(cards[size:])


def random_tables(rng: Random, cards: int, options: ref.Options, count: int) -> list[ref.Play]:
    """Some plays from these cards, of all sizes alike."""
    held = ref.indices(cards)
    found = []
    for _ in range(count):
        size = rng.choice((1, 2, 3, 4, 5, 5, 5, 5))
        if size <= len(held):
            found.append(ref.classify(rng.sample(held, size), options))
    return [play for play in found if play is not None]


def lowest_by_reference(legal: list[ref.Play], table: ref.Play | None, options: ref.Options) -> int:
    """What the reference's dumper plays, 0 for a pass."""
    if not legal:
        return 0
    state = ref.State(0, 0, table, None, None, (), frozenset(), (), tuple(legal), options)
    return ref.dumper(state) or 0


def check_hand(rng: Random, options: ref.Options, rules: Any) -> None:
    """One random hand: lists, counts, lowest plays on lead, when opening and against tables, as in the reference."""
    mask, rest = random_hands(rng)
    hand, out = word(mask), buffer()
    everything = ref.all_plays(mask, options)
    kinds = [kind_of(play) for play in everything]
    assert [strength(play.mask, rules) >> 56 for play in everything] == kinds
    assert listed(listing.list_plays(hand, rules, out), out) == sorted(play.mask for play in everything)
    assert int(counting.count_plays(hand, rules)) == len(everything)
    assert [int(counting.count_kind(hand, k, rules)) for k in range(pd.KINDS)] == [kinds.count(k) for k in range(pd.KINDS)]
    assert int(lowest.lowest_lead(hand, rules)) == lowest_by_reference(everything, None, options)
    must = word(mask & -mask)
    if options["opening_must_include"] != "free":
        legal = ref.legal_plays(mask, None, ref.indices(int(must))[0], options)
        assert listed(listing.list_openings(hand, must, rules, out), out) == sorted(play.mask for play in legal)
        assert int(lowest.lowest_opening(hand, must, rules)) == lowest_by_reference(legal, None, options)
    check_lowest_with(rng, mask, everything, None, options, rules)
    for table in random_tables(rng, rest, options, 4):
        check_answers(rng, mask, everything, table, options, rules)
        check_lowest_with(rng, mask, everything, table, options, rules)
    # Tables with cards of the hand do not come up in play, but the order of plays covers them too.
    for table in rng.sample(everything, min(2, len(everything))):
        check_lowest_with(rng, mask, everything, table, options, rules)


def check_answers(rng: Random, mask: int, everything: list[ref.Play], table: ref.Play, options: ref.Options, rules: Any) -> None:
    """The list of answers to a play on the table, single comparisons with it, and the lowest answer."""
    hand, out = word(mask), buffer()
    mine = word(strength(table.mask, rules))
    legal = [play for play in everything if ref.beats(play, table, options)]
    assert listed(listing.list_answers(hand, mine, rules, out), out) == sorted(play.mask for play in legal)
    for play in rng.sample(everything, min(10, len(everything))):
        assert bool(plays.beats(word(play.mask), word(table.mask), rules)) == (play in legal)
    same_size = [play for play in legal if play.size == table.size]
    answer = lowest.lowest_answer(hand, word(table.mask), mine, rules)
    assert int(answer) == lowest_by_reference(same_size, table, options)


def check_lowest_with(rng: Random, mask: int, everything: list[ref.Play], table: ref.Play | None, options: ref.Options, rules: Any) -> None:
    """The lowest play of a size above a table or none, any or one that contains a certain card."""
    size = rng.randint(1, 5) if table is None else table.size
    mine = 0 if table is None else strength(table.mask, rules)
    for must in (0, *(1 << card for card in rng.sample(ref.indices(mask), min(3, mask.bit_count())))):
        legal = [play for play in everything if play.size == size and play.mask & must == must]
        if table is not None:
            legal = [play for play in legal if play.strength > table.strength]
        found = lowest.lowest_of_size(word(mask), word(size), word(mine), word(must), rules)
        assert int(found) == lowest_by_reference(legal, table, options)


def check_hands(rng: Random, option_sets: Iterator[dict[str, Any]], hands: int) -> None:
    """So many random hands under each set of options."""
    for chosen in option_sets:
        options, rules = ref.resolve(chosen), record(**chosen)
        for _ in range(hands):
            check_hand(rng, options, rules)


def test_every_option_alone_agrees_with_the_reference() -> None:
    """PD-A1 to PD-A7, PD-A9, PD-A25; K1-057."""
    check_hands(Random(1), single_changes(), 12 if COMPILED else 2)


def test_options_together_agree_with_the_reference() -> None:
    rng = Random(2)
    check_hands(rng, (random_options(rng) for _ in range(400 if COMPILED else 20)), 4)


@pytest.mark.slow
def test_a_hundred_thousand_hands_agree_with_the_reference() -> None:
    """K1-057: no list, comparison or lowest play differs under any options."""
    rng = Random(3)
    check_hands(rng, (random_options(rng) for _ in range(25_000)), 4)


# ---------------------------------------------------------------------------------------- kernels among themselves


@kernel
def legal_subsets(hand, rules):
    """Number, sum and mixed sum of all sets of one to five cards that the comparator calls a play."""
    count, total, mixed = ZERO, ZERO, ZERO
    for size in range(1, 6):
        subset = smallest(hand, size)
        while subset != ZERO:
            if plays.strength_of(subset, rules) != ZERO:
                count += ONE
                total += subset
                mixed ^= subset * np.uint64(0x9E3779B97F4A7C15)
            subset = following(hand, subset)
    return count, total, mixed


@kernel
def smallest(hand, size):
    """The ``size`` lowest cards, 0 when there are not so many."""
    if popcount(hand) < np.uint64(size):
        return ZERO
    rest = hand
    for _ in range(size):
        rest &= rest - ONE
    return hand ^ rest


@kernel
def following(hand, subset):
    """The next bigger set of as many cards of the hand, 0 after the last.

    The lowest card that has the next card of the hand free moves up to it; the cards below fall to the bottom.
    """
    below = ZERO
    left = subset
    while left != ZERO:
        card = lowest_bit(left)
        left ^= card
        free = hand & ~(card | (card - ONE))
        if free != ZERO and lowest_bit(free) & left == ZERO:
            return left | lowest_bit(free) | smallest(hand, np.int64(below))
        below += ONE
    return ZERO


@kernel
def listed_sums(hand, rules, out):
    """The same numbers for the list of plays."""
    count = listing.list_plays(hand, rules, out)
    total, mixed = ZERO, ZERO
    for i in range(count):
        total += out[i]
        mixed ^= out[i] * np.uint64(0x9E3779B97F4A7C15)
    return count, total, mixed


@kernel
def lists_that_differ(hands, rules, out):
    """Number of hands whose list is not what the comparator accepts."""
    wrong = 0
    for i in range(hands.size):
        wrong += listed_sums(hands[i], rules, out) != legal_subsets(hands[i], rules)
    return wrong


@kernel
def lowest_listed(count, size, rules, out):
    """The lowest of the plays in a buffer that have ``size`` cards, 0 for none."""
    best, best_strength = ZERO, ZERO
    for i in range(count):
        if popcount(out[i]) == size:
            own = plays.strength_of(out[i], rules)
            if best == ZERO or own < best_strength or (own == best_strength and out[i] < best):
                best, best_strength = out[i], own
    return best


@kernel
def lowest_listed_lead(count, rules, out):
    """The lowest play of the largest size in a buffer."""
    size = ZERO
    for i in range(count):
        size = max(size, popcount(out[i]))
    return lowest_listed(count, size, rules, out)


@kernel
def finders_that_differ(hands, tables, rules, others, out):
    """Number of times that a lowest play is not the lowest in the list, or not that under the rules ``others``."""
    wrong = 0
    for i in range(hands.size):
        hand, table = hands[i], tables[i]
        lead = lowest.lowest_lead(hand, rules)
        wrong += lead != lowest_listed_lead(listing.list_plays(hand, rules, out), rules, out)
        card = lowest_bit(hand)
        opening = lowest.lowest_opening(hand, card, rules)
        wrong += opening != lowest_listed_lead(listing.list_openings(hand, card, rules, out), rules, out)
        own = plays.strength_of(table, rules)
        answer = lowest.lowest_answer(hand, table, own, rules)
        count = listing.list_answers(hand, own, rules, out)
        wrong += answer != lowest_listed(count, popcount(table), rules, out)
        wrong += lead != lowest.lowest_lead(hand, others)
        wrong += opening != lowest.lowest_opening(hand, card, others)
        wrong += answer != lowest.lowest_answer(hand, table, own, others)
    return wrong


def random_positions(rng: Random, count: int, rules: Any) -> tuple[Any, Any]:
    """Hands and plays on the table, every kind of play alike as far as the other cards allow."""
    out = buffer()
    hands, tables = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    for i in range(count):
        hand, rest = random_hands(rng)
        found = 0
        wanted = rng.sample(range(1, pd.KINDS), pd.KINDS - 1)
        while not found:
            found = int(listing.list_kind(word(rest), wanted.pop(), rules, out, ZERO))
        hands[i], tables[i] = hand, out[rng.randrange(found)]
    return hands, tables


def option_cycle(rng: Random, count: int) -> Iterator[Any]:
    """Records of random rules."""
    return (record(**random_options(rng)) for _ in range(count))


def check_lists(rng: Random, option_sets: int, hands: int) -> None:
    """Lists against the comparator, so many hands under so many rules."""
    for rules in option_cycle(rng, option_sets):
        batch = np.array([random_hands(rng)[0] for _ in range(hands)], np.uint64)
        assert lists_that_differ(batch, rules, buffer()) == 0


def check_finders(rng: Random, option_sets: int, hands: int) -> None:
    """Finders against the lists, and the short way for default plays against the general one."""
    for rules in (record(), *option_cycle(rng, option_sets)):
        own = hands * option_sets if rules.plain else hands
        others = general() if rules.plain else rules
        positions = random_positions(rng, own, rules)
        assert finders_that_differ(*positions, rules, others, buffer()) == 0


def test_lists_hold_just_what_the_comparator_accepts() -> None:
    """K1-057."""
    check_lists(Random(4), 100 if COMPILED else 4, 40 if COMPILED else 5)


def test_finders_find_the_lowest_of_the_lists() -> None:
    """PD-O7: 'lowest' by comparison, then by mask; half of the positions under the default plays, both ways."""
    check_finders(Random(5), 100 if COMPILED else 4, 40 if COMPILED else 5)


@pytest.mark.slow
def test_a_hundred_thousand_lists_hold_just_what_the_comparator_accepts() -> None:
    """K1-057."""
    check_lists(Random(6), 500, 200)


@pytest.mark.slow
def test_finders_find_the_lowest_in_two_hundred_thousand_positions() -> None:
    """PD-O7."""
    check_finders(Random(7), 500, 200)


# ------------------------------------------------------------------------------------------- counts in the deck

SEQUENCES = {
    "no_two": 8,
    "rank_order": 9,
    "poker_natural": 10,
    "poker_natural_a5_high": 10,
    "both": 11,
    "full_wrap": 13,
}
SEEN_IN_13 = Fraction(33, 66640)  # chance that five given cards are in a 13-card hand


@pytest.mark.parametrize("straights", SEQUENCES)
def test_five_card_plays_in_the_deck(straights: str) -> None:
    """PD-O1: 1020 s straights, 4 s straight flushes, 4 (1287 - s) flushes, 3744 full houses, 624 with quads."""
    s = SEQUENCES[straights]
    rules = record(straights=straights)
    out = buffer()
    count = int(listing.list_plays(plays.DECK, rules, out))
    kinds, numbers = np.unique([plays.strength_of(word(mask), rules) >> 56 for mask in out[:count]], return_counts=True)
    expected = {
        pd.SINGLE: 52,
        pd.PAIR: 78,
        pd.TRIPLE: 52,
        pd.STRAIGHT: 1020 * s,
        pd.FLUSH: 4 * (1287 - s),
        pd.FULL_HOUSE: 3744,
        pd.QUADS: 624,
        pd.STRAIGHT_FLUSH: 4 * s,
    }
    assert dict(zip(kinds.tolist(), numbers.tolist(), strict=True)) == expected
    assert len(set(out[:count].tolist())) == count
    for number in range(1, pd.KINDS):
        assert int(counting.count_kind(plays.DECK, number, rules)) == expected.get(number, 0)
    fives = {8: 17676, 9: 18696, 10: 19716, 11: 20736, 13: 22776}[s]
    assert int(counting.count_five_cards(plays.DECK, rules)) == fives
    means = {8: 8.75312124849940, 9: 9.25822328931573, 10: 9.76332533013205, 11: 10.2684273709484, 13: 11.2786314525810}
    assert float(fives * SEEN_IN_13) == pytest.approx(means[s], rel=1e-14)


def test_plays_in_the_deck_by_default() -> None:
    """PD-O1, K1-055: 18,878 plays; 40 straight flushes with the ace low, 32 without the two."""
    assert int(counting.count_plays(plays.DECK, record())) == 18878
    for straights, number in (("rank_order", 36), ("poker_natural", 40), ("no_two", 32)):
        rules = record(straights=straights)
        assert int(counting.count_kind(plays.DECK, pd.STRAIGHT_FLUSH, rules)) == number


def test_other_plays_in_the_deck() -> None:
    """PD-A7, PD-A25: thirteen bare fours, C(13,2) 6 6 44 two pairs, and what suited straights fall back to."""
    everything = (*ref.DEFAULTS["categories"], "two_pair")
    assert int(counting.count_kind(plays.DECK, pd.FOUR, record(quads="four_card"))) == 13
    assert int(counting.count_kind(plays.DECK, pd.TWO_PAIR, record(categories=everything))) == 78 * 36 * 44
    assert int(counting.count_five_cards(plays.DECK, record(categories=("straight", "flush")))) == 1020 * 9 + 4 * 1287
    assert int(counting.count_five_cards(plays.DECK, record(categories=("straight",)))) == 1024 * 9
    assert int(counting.count_five_cards(plays.DECK, record(categories=("flush", "straight_flush")))) == 4 * 1287
    most = record(categories=everything, straights="full_wrap")
    assert int(listing.list_plays(plays.DECK, most, buffer())) == listing.PLAYS_OF_DECK


@pytest.mark.parametrize("straights", SEQUENCES)
def test_a_hand_of_thirteen_diamonds(straights: str) -> None:
    """PD-O1: thirteen singles and 1287 five-card plays, straight flushes among them."""
    rules = record(straights=straights)
    assert int(listing.list_plays(word(DIAMONDS), rules, buffer())) == listing.PLAYS_OF_13 == 13 + 1287
    assert int(counting.count_kind(word(DIAMONDS), pd.STRAIGHT_FLUSH, rules)) == SEQUENCES[straights]


def test_no_hand_has_more_plays_than_the_buffers_hold() -> None:
    """The richest hands of 17 and 18 cards have four complete ranks; the bounds are over all counts of ranks."""
    rules = record(categories=ref.CATEGORY_NAMES, straights="full_wrap")
    for cards, bound in ((17, 2600), (18, listing.MOST_PLAYS)):
        hand = ref.mask(range(cards))
        count = int(counting.count_plays(word(hand), rules))
        assert 0.98 * bound < count <= bound
        assert int(listing.list_plays(word(hand), rules, buffer())) == count


# ------------------------------------------------------------------------------------- exact values of dealt hands


def power(polynomial: list[int], exponent: int) -> list[int]:
    """A power of a polynomial, coefficients from the constant up."""
    result = [1]
    for _ in range(exponent):
        longer = [0] * (len(result) + len(polynomial) - 1)
        for (i, a), (j, b) in product(enumerate(result), enumerate(polynomial)):
            longer[i + j] += a * b
        result = longer
    return result


def sizes(subsets: Iterator[int], holds: Callable[[Any], Any], limit: int) -> list[int]:
    """Number of sets by size for which something holds."""
    numbers = [0] * (limit + 1)
    for subset in subsets:
        numbers[subset.bit_count()] += bool(holds(word(subset)))
    return numbers


def rank_sets() -> Iterator[int]:
    """All 8192 sets of ranks, in the lane of the lowest suit."""
    return (sum(1 << 4 * rank for rank in range(13) if bits >> rank & 1) for bits in range(1 << 13))


HANDS_OF_13 = comb(52, 13)
ANY_SF = {
    8: 0.0134799561845451,
    9: 0.0151217990148883,
    10: 0.0167628172329188,
    11: 0.0183982905299838,
    13: 0.0213506847200874,
}
IN_SEQUENCE = {
    8: 0.474298697063602,
    9: 0.518400272799466,
    10: 0.559296793749914,
    11: 0.594867028738641,
    13: 0.637610856585558,
}
MEAN_SF = {
    8: 0.0158463385354142,
    9: 0.0178271308523409,
    10: 0.0198079231692677,
    11: 0.0217887154861945,
    13: 0.0257503001200480,
}


@pytest.mark.parametrize("straights", SEQUENCES)
def test_chances_of_straights_in_a_hand(straights: str) -> None:
    """PD-O1: each suit free of straight flushes, each set of ranks free of sequences, over all of them."""
    s, rules = SEQUENCES[straights], record(straights=straights)
    free = sizes(rank_sets(), lambda cards: lowest.lowest_straight_flush(cards, ZERO, ZERO, rules) == 0, 13)
    assert float(1 - Fraction(power(free, 4)[13], HANDS_OF_13)) == pytest.approx(ANY_SF[s], rel=1e-13)
    counts = sizes(rank_sets(), lambda cards: counting.sequences(cards, rules) == 0, 13)
    without = sum(number * power([0, 4, 6, 4, 1], ranks)[13] for ranks, number in enumerate(counts) if 4 <= ranks <= 13)
    assert float(1 - Fraction(without, HANDS_OF_13)) == pytest.approx(IN_SEQUENCE[s], rel=1e-13)
    assert float(4 * s * SEEN_IN_13) == pytest.approx(MEAN_SF[s], rel=1e-13)


def mean_in_13(number: int, cards: int) -> Fraction:
    """Mean number in a 13-card hand of plays of so many cards, from their number in the deck."""
    return number * Fraction(comb(52 - cards, 13 - cards), HANDS_OF_13)


def test_means_of_plays_in_a_hand() -> None:
    """PD-O4: linear in the numbers listed from the whole deck."""
    rules = record()
    count = {number: int(listing.list_kind(plays.DECK, number, rules, buffer(), ZERO)) for number in range(1, pd.KINDS)}
    assert mean_in_13(count[pd.PAIR], 2) == Fraction(78, 17)
    assert mean_in_13(count[pd.TRIPLE], 3) == Fraction(286, 425)
    assert mean_in_13(count[pd.FULL_HOUSE], 5) == Fraction(7722, 4165)
    assert mean_in_13(count[pd.QUADS], 5) == 9 * Fraction(143, 4165)
    bare = int(listing.list_kind(plays.DECK, pd.FOUR, record(quads="four_card"), buffer(), ZERO))
    assert mean_in_13(bare, 4) == Fraction(143, 4165)


def test_chances_of_shapes_of_a_hand() -> None:
    """PD-O4, K2-011, K2-014: over all subsets of a rank, of a suit, and all lengths of the suits."""
    four_card = record(quads="four_card")
    rank = range(16)
    no_four = sizes(iter(rank), lambda cards: counting.count_kind(cards, pd.FOUR, four_card) == 0, 4)
    assert float(1 - Fraction(power(no_four, 13)[13], HANDS_OF_13)) == pytest.approx(0.0342003549493969, rel=1e-13)
    twice = sizes(iter(rank), lambda cards: counting.count_pairs(cards) == 1, 4)
    rest = power([1, 4, 6, 4, 1], 12)
    mean_twice = 13 * sum(Fraction(number * rest[13 - k], HANDS_OF_13) for k, number in enumerate(twice))
    assert float(mean_twice) == pytest.approx(2.775, abs=5e-4)
    lengths = {split: 0 for split in (0x4432, 0x4333, 0x5332, 0xD000)}
    long = ranks = 0
    for held in product(range(14), repeat=4):
        if sum(held) == 13:
            ways = prod(comb(13, length) for length in held)
            hand = word(sum(1 << 4 * rank + suit for suit, length in enumerate(held) for rank in range(length)))
            split = int(counting.suit_split(hand))
            assert split == sum(length << 4 * place for place, length in enumerate(sorted(held)))
            assert int(counting.longest_suit(hand)) == max(held)
            assert [int(counting.suit_length(hand, word(suit))) for suit in range(4)] == list(held)
            assert int(counting.longest_run(hand)) == max(held)
            lengths[split] = lengths.get(split, 0) + ways
            long += ways * (max(held) >= 5)
    assert float(Fraction(lengths[0x4432], HANDS_OF_13)) == pytest.approx(0.21551, abs=5e-6)
    assert float(Fraction(long, HANDS_OF_13)) == pytest.approx(0.649194751998174, rel=1e-13)
    assert sum(lengths.values()) == HANDS_OF_13
    ranks = power(sizes(iter(rank), lambda cards: plays.ranks_held(cards) == 1, 4), 13)[13]
    assert Fraction(ranks, HANDS_OF_13) == Fraction(4194304, 39688347475)


def test_longest_runs() -> None:
    """In the order 3 to 2, which does not go round."""
    for text, length in (("3C 2D", 1), ("QC KD AH 2S 3C", 4), ("4C 5D 5H 6C 8C 9D", 3), ("3C 4C 5C 6C 7C 8D", 6)):
        assert int(counting.longest_run(word(ref.mask(text)))) == length
    assert int(counting.longest_run(ZERO)) == 0


# -------------------------------------------------------------------------------------------- cases worked by hand


def test_singles_go_from_three_to_two() -> None:
    """PD-1, K1-039: 3 < 4 < ... < K < A < 2 and clubs < spades < hearts < diamonds."""
    ranked = [rank + suit for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2") for suit in "CSHD"]
    assert all(higher(above, below) for below, above in pairwise(ranked))
    assert len({strength(text, record()) for text in ranked}) == 52


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("5D", "5H"),
        ("7S 7D", "7H 7C"),
        ("2C 2S 2H", "AC AS AH"),
        ("4C 5D 6S 7H 8C", "3D 4C 5S 6H 7D"),
        ("JC QD KS AH 2C", "TC JD QS KH AD"),
        ("3C 4C 5C 6C 8C", "JC QD KS AH 2D"),
        ("3D 5D 6D 7D 9D", "AH KH QH JH 9H"),
        ("3C 3S 3H 4C 4S", "2D KD QD JD TD"),
        ("3C 3S 3H 3D 4C", "2C 2S 2H AC AS"),
        ("JC QC KC AC 2C", "TD JD QD KD AD"),
        ("3S 4S 5S 6S 7S", "2C 2S 2H 2D 3C"),
        ("3H 5H 9H JH KH", "3D 4C 5S 6H 7C"),  # K1-044
        ("4C 4S 4H 4D 3C", "3C 3S 3H 3D 2D"),  # K1-056
        ("5C 6C 7D 8C 9C", "4C 5C 6C 7D 8D"),  # K1-048
    ],
)
def test_comparisons_by_default(above: str, below: str) -> None:
    """PD-4 to PD-6, PD-O6."""
    assert higher(above, below)
    assert not higher(below, above)


def test_equal_plays_do_not_beat_each_other() -> None:
    """PD-6, PD-O6, K1-056: straights topped by one card, kickers and the pairs of full houses decide nothing."""
    rules = record()
    assert strength("3C 4D 5S 6H 7C", rules) == strength("3D 4C 5H 6S 7C", rules)
    assert strength("4C 4S 4H 4D KC", rules) == strength("4C 4S 4H 4D 3C", rules)
    assert strength("3C 3S 3H 4C 4S", rules) == strength("3C 3S 3D 2C 2S", rules)
    assert not higher("4C 4S 4H 4D KC", "4C 4S 4H 4D 3C")


def test_flush_order_is_an_option() -> None:
    """PD-A3, K1-037, K1-046: clubs to the ten against spades to the nine; the ace is above king and queen."""
    clubs, spades = "TC 3C 4C 5C 6C", "9S 4S 5S 6S 7S"
    assert higher(spades, clubs) and higher(clubs, spades, flush_order="rank_first")
    assert higher("AH KH QH JH 9H", "3D 5D 6D 7D 9D", flush_order="rank_first")
    for order in ("suit_first", "rank_first"):
        assert higher("AC 3C 4C 6C 7C", "KC QC JC 9C 8C", flush_order=order)
        assert higher("2C 3C 4C 6C 7C", "AC KC QC JC 9C", flush_order=order)
        assert higher("AD 9D 8D 6D 4D", "AD 9D 8D 6D 3D", flush_order=order)
    assert higher("AS 9S 8S 6S 4S", "AC 9C 8C 6C 4C", flush_order="rank_first")


def test_straights_are_an_option() -> None:
    """PD-A1, K1-051, K1-053: what A-2-3-4-5, 2-3-4-5-6, J-Q-K-A-2 and Q-K-A-2-3 are."""
    low, next_low, top, wrap = "AC 2D 3S 4H 5C", "2C 3D 4S 5H 6C", "JC QD KS AH 2C", "QC KD AS 2H 3C"
    allowed = {
        "rank_order": (0, 0, 1, 0),
        "no_two": (0, 0, 0, 0),
        "poker_natural": (1, 1, 0, 0),
        "poker_natural_a5_high": (1, 1, 0, 0),
        "both": (1, 1, 1, 0),
        "full_wrap": (1, 1, 1, 1),
    }
    for straights, expected in allowed.items():
        found = tuple(int(kind(cards, straights=straights) == pd.STRAIGHT) for cards in (low, next_low, top, wrap))
        assert found == expected, straights
    assert kind("AC 2C 3C 4C 5C") == kind("QH KH AH 2H 3H") == pd.FLUSH
    assert kind("2D 3D 4D 5D 6C") == pd.NO_PLAY
    assert higher("AD 2D 3D 4D 5D", "2D 3D 4D 5D 6C", straights="poker_natural")
    assert kind("AD 2D 3D 4D 5D", straights="poker_natural") == pd.STRAIGHT_FLUSH


def test_order_of_straights() -> None:
    """PD-A2: the last card's rank, then its suit; with the ace-low ones highest the suit of the two."""
    assert higher("3C 4D 5S 6H 7C", "2D 3D 4S 5H 6C", straights="poker_natural")
    assert higher("2C 3D 4S 5H 6C", "AD 2D 3S 4H 5D", straights="both")
    assert higher("AD 2D 3S 4H 5D", "QC KD AS 2H 3D", straights="full_wrap")
    a5_high = {"straights": "poker_natural_a5_high"}
    assert higher("2C 3D 4S 5H 6C", "TC JD QS KH AD", **a5_high)
    assert higher("AD 2C 3S 4H 5C", "2D 3D 4S 5H 6D", **a5_high)
    assert higher("AC 2D 3S 4H 5C", "AD 2H 3D 4D 5D", **a5_high)


def test_straight_flush_order_is_an_option() -> None:
    """PD-A4."""
    low_diamonds, high_clubs = "3D 4D 5D 6D 7D", "JC QC KC AC 2C"
    assert higher(high_clubs, low_diamonds) and higher(low_diamonds, high_clubs, sf_order="suit_first")
    assert higher("4D 5D 6D 7D 8D", low_diamonds, sf_order="suit_first")
    assert higher(low_diamonds, "3H 4H 5H 6H 7H")


def test_two_pairs() -> None:
    """PD-A25: below straights; by the higher pair, the lower pair, the top suit of the higher pair, no fifth card."""
    on: dict[str, Any] = {"categories": ref.CATEGORY_NAMES}
    assert kind("3C 3S 4C 4S 5C") == pd.NO_PLAY and kind("3C 3S 4C 4S 5C", **on) == pd.TWO_PAIR
    assert higher("3C 4D 5S 6H 7C", "2C 2S AC AS KD", **on)
    assert higher("5C 5S 3C 3S 4D", "4C 4S 3H 3D 2D", **on)
    assert higher("5C 5S 4C 4S 3D", "5H 5D 3C 3S 2D", **on)
    assert higher("5C 5D 4C 4S 3D", "5H 5S 4H 4D 2D", **on)
    assert not higher("5C 5S 4C 4S 2D", "5C 5S 4H 4D 3D", **on)
    assert kind("3C 3S 3H 4C 5C", **on) == pd.NO_PLAY


def test_what_is_no_play() -> None:
    """PD-3, PD-7, K1-013: wrong patterns, nothing at all, six cards, cards outside the deck."""
    for text in (
        "3C 4C",
        "3C 3S 3H 4C",
        "3C 3S 3H 3D",
        "3C 3S 4C 4S",
        "3C 4C 5C 6C 8D",
        "3C 3S 3H 4C 5C",
        "3C 4C 5C 6C 7C 8C",
    ):
        assert kind(text) == pd.NO_PLAY, text
    assert kind(0) == kind(1 << 52) == kind(1 << 63) == kind(1 << 52 | 1) == pd.NO_PLAY
    assert kind("3C 3S 3H", triples=False) == pd.NO_PLAY
    assert kind("3C 3S 3H 3D 4C", quads="not_playable") == kind("3C 3S 3H 3D 4C", quads="four_card") == pd.NO_PLAY
    assert kind("3C 3S 3H 3D", quads="four_card") == pd.FOUR
    rules = record()
    assert not plays.beats(word(ref.mask("3C 4C")), word(ref.mask("3C")), rules)
    assert not plays.beats(word(ref.mask("2C 2S")), word(ref.mask("3C")), rules)


def test_bombs() -> None:
    """PD-A7: four of a kind with a kicker and straight flushes beat a single two and nothing else but five cards."""
    for bomb in ("3C 3S 3H 3D 4C", "3C 4C 5C 6C 7C"):
        assert higher(bomb, "2D", bombs=True) and higher(bomb, "2C", bombs=True)
        assert not higher(bomb, "2D") and not higher(bomb, "AD", bombs=True) and not higher(bomb, "2C 2S", bombs=True)
    assert not higher("3C 3S 3H 4C 4S", "2C", bombs=True)
    assert not higher("3C 3S 3H 3D", "2C", bombs=True, quads="four_card")
    assert not higher("3C 4C 5C 6C 7C", "2C", bombs=True, categories=("straight", "flush"))


def test_a_straight_hidden_among_duplicates_is_found() -> None:
    """K1-049: 5-5-6-7-7-8-9 among thirteen cards."""
    hand = word(ref.mask("5C 5D 6S 7H 7D 8C 9D JC JS KC KH 2C 2S"))
    rules = record()
    assert int(counting.count_kind(hand, pd.STRAIGHT, rules)) == 4
    found = listed(listing.list_kind(hand, pd.STRAIGHT, rules, buffer(), ZERO), buffer())
    nines = [f"{five} 6S {seven} 8C 9D" for five in ("5C", "5D") for seven in ("7H", "7D")]
    assert found == sorted(ref.mask(text) for text in nines)
    assert int(lowest.lowest_lead(hand, rules)) == ref.mask("5C 6S 7H 8C 9D")


LOWEST_STRAIGHTS = [
    ("3C 4C 5C 6C 7C 7D", "3C 4C 5C 6C 7D"),  # only the top can be another suit
    ("3C 3S 4C 5C 6C 7C 7D", "3S 4C 5C 6C 7C"),  # a low card raised keeps the lower top
    ("3C 4C 5C 5D 6C 6S 7C", "3C 4C 5D 6C 7C"),  # the lowest rank that can be raised
    ("3C 4C 5C 6C 7C 8C 8S", "4C 5C 6C 7C 8S"),  # the first five are a straight flush and nothing else
]


@pytest.mark.parametrize(("hand", "play"), LOWEST_STRAIGHTS)
def test_the_lowest_straight_beside_a_straight_flush(hand: str, play: str) -> None:
    """PD-O7, PD-A25: a suited straight is none, so one card of another suit is needed, and the smallest mask counts."""
    for rules in (record(), general(), record(straights="both")):
        assert int(lowest.lowest_lead(word(ref.mask(hand)), rules)) == ref.mask(play)
        assert int(lowest.lowest_of_kind(word(ref.mask(hand)), pd.STRAIGHT, ZERO, ZERO, rules)) == ref.mask(play)


def test_the_lowest_flush_beside_a_straight_flush() -> None:
    """PD-O7, PD-A25: five in sequence give their highest card away, or leave no flush at all."""
    for rules in (record(), general()):
        lead = lowest.lowest_lead(word(ref.mask("3D 4D 5D 6D 7D 9D")), rules)
        assert int(lead) == ref.mask("3D 4D 5D 6D 9D")
        assert int(lowest.lowest_lead(word(ref.mask("3D 4D 5D 6D 7D")), rules)) == ref.mask("3D 4D 5D 6D 7D")


@pytest.mark.parametrize("order", ["rank_first", "suit_first"])
@pytest.mark.parametrize("straights", SEQUENCES)
def test_answers_to_every_straight_flush(straights: str, order: str) -> None:
    """PD-A4: out of all straight flushes the answer is the next in their order, the last one has none."""
    rules = record(straights=straights, sf_order=order)
    out = buffer()
    count = int(listing.list_kind(plays.DECK, pd.STRAIGHT_FLUSH, rules, out, ZERO))
    ordered = sorted((strength(mask, rules), mask) for mask in listed(count, out))
    assert count == 4 * SEQUENCES[straights] == len({own for own, _ in ordered})
    for (own, _), (_, after) in pairwise([*ordered, (0, 0)]):
        assert int(lowest.lowest_five(plays.DECK, word(own), ZERO, rules)) == after


def test_conversion_between_numberings() -> None:
    """PD-1, PD-A11: masks to and from the numbering of all games, card by card, under every suit order."""
    rng = Random(8)
    for order in map("".join, permutations("CDHS")):
        rules = record(suit_order=order)
        for card in range(52):
            assert int(plays.to_strength(word(1 << card), rules)) == 1 << ref.from_house(card, order)
            assert int(plays.to_common(word(1 << ref.from_house(card, order)), rules)) == 1 << card
        cards = rng.getrandbits(52)
        assert int(plays.to_common(word(plays.to_strength(word(cards), rules)), rules)) == cards


# ------------------------------------------------------------------------------------------------- both ways of running


def digest() -> str:
    """A short text that any difference in lists, lowest plays or counts would change."""
    rng = Random(9)
    state = hashlib.blake2b(digest_size=8)
    out = buffer()
    for _ in range(60):
        rules = record(**random_options(rng))
        hand, rest = map(word, random_hands(rng))
        count = int(listing.list_plays(rest, rules, out))
        table = out[rng.randrange(count)]
        mine = word(plays.strength_of(table, rules))
        words = [count, mine, lowest.lowest_lead(hand, rules), lowest.lowest_answer(hand, table, mine, rules)]
        words += [counting.count_plays(hand, rules), counting.suit_split(hand)]
        words += out[: int(listing.list_answers(hand, mine, rules, out))].tolist()
        state.update(" ".join(str(int(value)) for value in words).encode())
    return state.hexdigest()


def test_plain_python_gives_the_same() -> None:
    command = "from tests.test_pusoy_dos_plays import digest; print(digest())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.strip() == digest()


def test_words_stay_words() -> None:
    """A uint64 that meets a signed integer would become a float: results are unsigned words."""
    hand, rules, out = word(ref.mask("3C 3S 4C 5C 6C 7D 8D 9D JC QC KH AD 2D")), record(straights="both"), buffer()
    results = [
        plays.strength_of(hand, rules),
        plays.to_strength(hand, rules),
        listing.list_plays(hand, rules, out),
        lowest.lowest_lead(hand, rules),
        counting.count_plays(hand, rules),
        counting.suit_split(hand),
    ]
    if COMPILED:
        functions = (plays.strength_of, plays.to_strength, listing.list_plays, lowest.lowest_lead, counting.count_plays)
        types = {str(signature.return_type) for function in functions for signature in function.nopython_signatures}
        assert types == {"uint64"}
    else:
        assert {type(result) for result in results} == {np.uint64}
    assert results[3] == lowest.lowest_of_size(hand, word(5), ZERO, ZERO, rules)


def test_subsets_are_walked_completely() -> None:
    """The walk over subsets that the lists are checked with meets every set once."""
    hand = ref.mask((0, 3, 4, 9, 17, 30, 51))
    for size in range(1, 6):
        met = []
        subset = int(smallest(word(hand), size))
        while subset:
            met.append(subset)
            subset = int(following(word(hand), word(subset)))
        assert met == sorted(ref.mask(chosen) for chosen in combinations(ref.indices(hand), size))
