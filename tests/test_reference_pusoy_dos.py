"""The slow Pusoy Dos engine against the written rules, hand-worked cases and exact values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from tests.reference import pusoy_dos as ref
from tests.reference.pusoy_dos import Category, Play, State, classify, mask, resolve

DEFAULT = resolve()
SEQUENCES = {
    "no_two": 8,
    "rank_order": 9,
    "poker_natural": 10,
    "poker_natural_a5_high": 10,
    "both": 11,
    "full_wrap": 13,
}
ALL_CATEGORIES = ("two_pair", "straight", "flush", "full_house", "quads", "straight_flush")


def play_of(text: str, options: ref.Options = DEFAULT) -> Play:
    """A combination that has to be legal."""
    play = classify(mask(text, options["suit_order"]), options)
    assert play is not None, text
    return play


def higher(first: str, second: str, **more: Any) -> bool:
    """Whether the first combination beats the second one; the second may then not beat the first."""
    options = resolve(more)
    a, b = play_of(first, options), play_of(second, options)
    forward = ref.beats(a, b, options)
    assert not (forward and ref.beats(b, a, options))
    return forward


def equal(first: str, second: str, **more: Any) -> bool:
    """Whether two combinations compare equal."""
    options = resolve(more)
    return play_of(first, options).strength == play_of(second, options).strength


def kind(text: str, **more: Any) -> Category | None:
    """Category of some cards, None if they are no play."""
    play = classify(mask(text), resolve(more))
    return None if play is None else play.category


class Script:
    """A chooser that follows lines such as '0 3C | 1 - | 2 5C' and checks who is asked."""

    def __init__(self, text: str, suit_order: str = "CSHD") -> None:
        self.moves = [(int(line.split()[0]), line.split()[1:]) for line in text.split("|")]
        self.suit_order = suit_order
        self.states: list[State] = []

    def __call__(self, state: State) -> int | None:
        seat, words = self.moves[len(self.states)]
        self.states.append(state)
        assert seat == state.seat, f"move {len(self.states)}: seat {state.seat} is asked, not {seat}"
        return None if words == ["-"] else mask(" ".join(words), self.suit_order)


def played(hands: list[str], script: str, spare: str = "", **more: Any) -> ref.HandResult:
    """Play a small scripted deal to its end; every scripted move has to be used."""
    options = resolve({"players": len(hands), **more})
    order = options["suit_order"]
    chooser = Script(script, order)
    result = ref.play_hand(options, [mask(hand, order) for hand in hands], ref.cards(spare, order), chooser)
    assert len(chooser.states) == len(chooser.moves)
    return result


def refused(hands: list[str], script: str, **more: Any) -> bool:
    """Whether the last scripted move is refused as illegal (all moves before it being legal)."""
    options = resolve({"players": len(hands), **more})
    chooser = Script(script, options["suit_order"])
    with pytest.raises((ref.IllegalPlay, IndexError)) as caught:
        ref.play_hand(options, [mask(hand, options["suit_order"]) for hand in hands], (), chooser)
    assert len(chooser.states) == len(chooser.moves)
    return caught.type is ref.IllegalPlay


def random_chooser(rng: Random, pass_rate: float = 0.2) -> Callable[[State], int | None]:
    """A chooser that plays anything legal."""

    def choose(state: State) -> int | None:
        if state.table is not None and (not state.legal or rng.random() < pass_rate):
            return None
        return rng.choice(state.legal).mask

    return choose


# ---------------------------------------------------------------------------------------------------- cards


def test_rank_and_suit_order_of_singles() -> None:
    """PD-1: 3 low, 2 high, clubs < spades < hearts < diamonds; nothing below 3C, nothing above 2D."""
    ranked = [f"{rank}{suit}" for rank in ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2") for suit in "CSHD"]
    assert [ref.card(text) for text in ranked] == list(range(52))
    assert all(higher(above, below) for below, above in pairwise(ranked))
    assert ref.card("TD") == ref.card("10D")


@pytest.mark.parametrize("order", ["CSHD", "DCHS", "DHSC", "CDHS"])
def test_other_suit_orders(order: str) -> None:
    """PD-V1, PD-A11: any permutation; the lowest card is the 3 of the lowest suit."""
    assert ref.name(0, order) == "3" + order[0]
    assert ref.name(51, order) == "2" + order[3]
    assert [ref.from_house(ref.to_house(index, order), order) for index in range(52)] == list(range(52))
    assert sorted(ref.to_house(index, order) for index in range(52)) == list(range(52))


def test_house_numbers() -> None:
    """PD-1: the common numbering has the ace low and clubs, diamonds, hearts, spades."""
    assert [ref.to_house(ref.card(text)) for text in ("AC", "AS", "2C", "3C", "3D", "KS", "KD")] == [
        0,
        3,
        4,
        8,
        9,
        51,
        49,
    ]
    assert ref.to_house(ref.card("3C", "DCHS"), "DCHS") == 8


@pytest.mark.parametrize("bad", [52, 60, -1])
def test_cards_outside_the_deck_are_refused(bad: int) -> None:
    """PD-1: a joker or any other foreign card is an error, never a wild card."""
    with pytest.raises(ValueError, match="no card of this deck"):
        classify([0, bad])
    with pytest.raises(ValueError, match="no card of this deck"):
        ref.from_house(bad)


def test_malformed_cards_are_refused() -> None:
    """PD-1: one deck, so no card twice; masks and texts are checked."""
    with pytest.raises(ValueError, match="twice"):
        classify([7, 7])
    with pytest.raises(ValueError, match="not in this deck"):
        classify(1 << 52)
    for text in ("1C", "3X", "C", "", "JOKER"):
        with pytest.raises(ValueError, match="no card"):
            ref.card(text)


# ---------------------------------------------------------------------------------------------------- comparisons


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("5D", "5H"),
        ("7S 7D", "7H 7C"),
        ("8C 8S", "7H 7D"),
        ("4C 4S 4H", "3S 3H 3D"),
        ("JC QS KH AD 2C", "TC JS QH KD AD"),
        ("3C 5C 6C 7C 9C", "JC QS KH AD 2D"),
        ("3H 5H 9H JH KH", "3D 4C 5S 6H 7C"),
        ("3D 5D 6D 7D 9D", "AH KH QH JH 9H"),
        ("3C 3S 3H 4C 4S", "AD 2D KD QD TD"),
        ("3C 3S 3H 3D 4C", "2C 2S 2H AC AS"),
        ("3C 3S 3H 3D AC", "2C 2S 2H 4D 4S"),
        ("4C 4S 4H 4D 3C", "3C 3S 3H 3D 2C"),
        ("JC QC KC AC 2C", "TD JD QD KD AD"),
        ("3S 4S 5S 6S 7S", "2C 2S 2H 2D 3C"),
        ("4C 4S 4H 3C 3S", "3C 3S 3H 2C 2S"),
        ("4C 4S 4H 4D 5C", "3C 3S 3H 3D AC"),
        ("3C 5C 6C 7C 2C", "3S 4C 5C 6C 7C"),
        ("5C 6D 7S 8H 9C", "4C 5D 6S 7H 8D"),
        ("3D 5D 6D 7D 2D", "AD KD QD JD 9D"),
        ("4D 5D 6D 7D TD", "3D 5D 6D 7D TD"),
    ],
)
def test_golden_comparisons(high: str, low: str) -> None:
    """PD-O6, PD-4 to PD-6: default options."""
    assert higher(high, low)


def test_equal_combinations_beat_neither_way() -> None:
    """PD-O6, PD-A2: straights under the same top card, and quads with another kicker, compare equal."""
    lowest = [f"3{a} 4{b} 5{c} 6{d} 7C" for a, b, c, d in product("CSHD", repeat=4) if {a, b, c, d} != {"C"}]
    assert len({play_of(text).strength for text in lowest}) == 1
    assert higher("3C 4C 5C 6S 7S", lowest[0])
    assert higher("4C 5D 6S 7H 8C", lowest[0])
    assert equal("4C 4S 4H 4D KC", "4C 4S 4H 4D 3C")
    assert equal("7C 7D", "7H 7D")


def test_straight_ties_are_broken_by_the_top_cards_suit() -> None:
    """PD-A2: equal ranks, then the suit of the top card whatever the lower cards are."""
    assert higher("3C 4C 5C 6C 7D", "3D 4D 5D 6D 7H")


def test_only_plays_of_one_size_compare() -> None:
    """PD-7: nothing beats a play of another size."""
    plays = [play_of(text) for text in ("2D", "2H 2D", "AC AS AH", "3C 3S 3H 3D 4C", "3S 4S 5S 6S 7S")]
    for a, b in combinations(plays, 2):
        if a.size != b.size:
            assert not ref.beats(a, b, DEFAULT)
            assert not ref.beats(b, a, DEFAULT)


@pytest.mark.parametrize(
    "text",
    [
        "3C 4C",
        "3C 3S 4C",
        "3C 3S 3H 3D",
        "3C 3S 4C 4S",
        "3C 3S 3H 4C",
        "3C 3S 4C 4S 5C",
        "3C 3S 3H 5C 6C",
        "3C 4C 5C 6C",
        "3C 4C 5C",
        "3C 3S 5C 6C 7C",
        "3C 4C 5C 6C 7C 8C",
        "",
    ],
)
def test_what_is_no_combination(text: str) -> None:
    """PD-3: no two pairs, no bare four, no triple with side cards, no runs of other lengths."""
    assert kind(text) is None


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("3C 4S 5C 6C 7C", "rank_order no_two poker_natural poker_natural_a5_high both full_wrap"),
        ("TC JS QC KC AC", "rank_order no_two poker_natural poker_natural_a5_high both full_wrap"),
        ("JC QS KC AC 2C", "rank_order both full_wrap"),
        ("AC 2S 3C 4C 5C", "poker_natural poker_natural_a5_high both full_wrap"),
        ("2C 3S 4C 5C 6C", "poker_natural poker_natural_a5_high both full_wrap"),
        ("QC KS AC 2C 3C", "full_wrap"),
        ("KC AS 2C 3C 4C", "full_wrap"),
        ("3C 4S 5C 6C 8C", ""),
    ],
)
def test_which_straights_there_are(text: str, legal: str) -> None:
    """PD-A1: the sequences of each option; suited, what is no straight is a plain flush (PD-O6)."""
    suited = text.replace("S", "C")
    for option in SEQUENCES:
        assert kind(text, straights=option) is (Category.STRAIGHT if option in legal.split() else None)
        assert kind(suited, straights=option) is (Category.STRAIGHT_FLUSH if option in legal.split() else Category.FLUSH)


@pytest.mark.parametrize(
    ("option", "low_to_high"),
    [
        ("rank_order", "34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA JQKA2"),
        ("no_two", "34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"),
        ("poker_natural", "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"),
        ("poker_natural_a5_high", "34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA 23456 A2345"),
        ("both", "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA JQKA2"),
        ("full_wrap", "QKA23 KA234 A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA JQKA2"),
    ],
)
def test_order_of_straights(option: str, low_to_high: str) -> None:
    """PD-A2: any card of the higher sequence beats any of the lower one; straight flushes follow the same order."""
    sequences = low_to_high.split()
    assert len(sequences) == SEQUENCES[option]
    for low, high in combinations(sequences, 2):
        best_low = " ".join(f"{rank}{suit}" for rank, suit in zip(low, "DDDSD", strict=True))
        worst_high = " ".join(f"{rank}{suit}" for rank, suit in zip(high, "CCCSC", strict=True))
        assert higher(worst_high, best_low, straights=option)
        suited = [" ".join(f"{rank}{suit}" for rank in ranks) for ranks, suit in ((high, "C"), (low, "D"))]
        assert higher(suited[0], suited[1], straights=option)
        assert higher(suited[1], suited[0], straights=option, sf_order="suit_first")


def test_which_suit_breaks_ties_of_wheel_straights() -> None:
    """PD-A2: the 5 of A-2-3-4-5, but the 2 under poker_natural_a5_high; the 4 of K-A-2-3-4."""
    five_high, two_high = "AC 2C 3C 4C 5D", "AC 2D 3C 4C 5C"
    for option in ("poker_natural", "both", "full_wrap"):
        assert higher(five_high, two_high, straights=option)
    assert higher(two_high, five_high, straights="poker_natural_a5_high")
    assert higher("2D 3C 4C 5C 6C", "2C 3C 4C 5C 6D", straights="poker_natural_a5_high")
    assert higher("2C 3C 4C 5C 6D", "2D 3C 4C 5C 6C", straights="both")
    assert higher("KC AC 2C 3C 4D", "KC AC 2D 3C 4C", straights="full_wrap")


def test_flush_order() -> None:
    """PD-A3: suit first or rank first, and all five ranks count."""
    assert higher("3D 5D 6D 7D 9D", "AH KH QH JH 9H")
    assert higher("AH KH QH JH 9H", "3D 5D 6D 7D 9D", flush_order="rank_first")
    assert higher("4C 5C 6C 7C TC", "3D 5D 6D 7D TD", flush_order="rank_first")
    assert higher("3D 5D 6D 7D TD", "3H 5H 6H 7H TH", flush_order="rank_first")
    assert higher("2C 3C 4C 5C 7C", "AD KD QD JD 9D", flush_order="rank_first")  # a two is above an ace
    # The suited runs of other rank sets are straight flushes by default; here they are plain flushes.
    plain: dict[str, Any] = {"categories": ("flush",)}
    assert higher("9S 4S 5S 6S 7S", "TC 3C 4C 5C 6C", **plain)
    assert higher("TC 3C 4C 5C 6C", "9S 4S 5S 6S 7S", flush_order="rank_first", **plain)


def test_wheel_straight_flush() -> None:
    """PD-A1, PD-A5: A-2-3-4-5 suited beats the 6-high straight as a straight flush only where it is a straight."""
    assert kind("AD 2D 3D 4D 5D") is Category.FLUSH
    assert kind("2D 3D 4D 5D 6C") is None
    assert higher("AD 2D 3D 4D 5D", "2D 3D 4D 5D 6C", straights="both")
    assert not higher("AD 2D 3D 4D 5D", "2C 3C 4C 5C 6C", straights="both")
    assert higher("AD 2D 3D 4D 5D", "2C 3C 4C 5C 6C", straights="poker_natural_a5_high")


def test_straight_flush_order() -> None:
    """PD-A4, PD-A5: by rank or by suit; the royal flush is the highest straight flush and nothing else."""
    assert higher("4C 5C 6C 7C 8C", "3D 4D 5D 6D 7D")
    assert higher("3D 4D 5D 6D 7D", "JC QC KC AC 2C", sf_order="suit_first")
    assert higher("JD QD KD AD 2D", "JH QH KH AH 2H")
    assert max(ref.all_plays(mask(range(3, 52, 4)), DEFAULT, (5,))).mask == mask("JD QD KD AD 2D")
    top = max(ref.all_plays(mask(range(3, 52, 4)), resolve(straights="no_two"), (5,)))
    assert top.mask == mask("TD JD QD KD AD")


def test_triples_option() -> None:
    """PD-A6, PD-V3: without triples no three cards are a play; full houses stay."""
    assert kind("9C 9S 9H") is Category.PLAIN
    assert kind("9C 9S 9H", triples=False) is None
    assert kind("9C 9S 9H 4C 4S", triples=False) is Category.FULL_HOUSE


def test_quads_option() -> None:
    """PD-A7, PD-V5: five cards, not at all, or bare fours as a size of their own."""
    five, four = "9C 9S 9H 9D 4C", "9C 9S 9H 9D"
    assert (kind(five), kind(four)) == (Category.QUADS, None)
    assert (kind(five, quads="not_playable"), kind(four, quads="not_playable")) == (None, None)
    assert (kind(five, quads="four_card"), kind(four, quads="four_card")) == (None, Category.PLAIN)
    assert higher("TC TS TH TD", "9C 9S 9H 9D", quads="four_card")
    assert kind(four, quads="four_card", categories=()) is Category.PLAIN
    assert kind(five, categories=("straight",)) is None


@pytest.mark.parametrize("name", ["straight", "flush", "full_house", "quads", "straight_flush"])
def test_each_category_can_be_off(name: str) -> None:
    """PD-A25: what is off is no play; a straight flush falls back to a flush, then to a straight."""
    example = {
        "straight": "3C 4S 5C 6C 7C",
        "flush": "3C 4C 5C 6C 8C",
        "full_house": "3C 3S 3H 4C 4S",
        "quads": "3C 3S 3H 3D 4S",
        "straight_flush": "3C 4C 5C 6C 7C",
    }[name]
    rest = tuple(other for other in ALL_CATEGORIES[1:] if other != name)
    assert kind(example) is Category[name.upper()]
    assert kind(example, categories=rest) is (Category.FLUSH if name == "straight_flush" else None)
    assert kind(example, categories=(name,)) is Category[name.upper()]


def test_straight_flush_falls_back() -> None:
    """PD-A25: to a flush, then to a straight, then to nothing."""
    suited = "3C 4C 5C 6C 7C"
    assert kind(suited, categories=("straight", "flush")) is Category.FLUSH
    assert kind(suited, categories=("straight", "full_house")) is Category.STRAIGHT
    assert kind(suited, categories=("full_house",)) is None
    assert equal(suited, "3D 4D 5D 6D 7C", categories=("straight",))


def test_two_pairs() -> None:
    """PD-A25: two pairs and a card, below a straight; higher pair, lower pair, suit of the higher pair."""
    on: dict[str, Any] = {"categories": ALL_CATEGORIES}
    assert kind("3C 3S 4C 4S 5C") is None
    assert kind("3C 3S 4C 4S 5C", **on) is Category.TWO_PAIR
    assert higher("3C 4S 5H 6D 7C", "2C 2S AC AS KC", **on)
    assert higher("9C 9S 3C 3S 4C", "8H 8D 7C 7S 2D", **on)
    assert higher("9C 9S 4C 4S 3C", "9H 9D 3H 3D 2D", **on)
    assert higher("9C 9D 4C 4S 3C", "9S 9H 4H 4D 2D", **on)
    assert equal("9C 9S 4C 4S 3C", "9C 9S 4H 4D 2D", **on)
    assert kind("3C 3S 3H 4C 4S", categories=("two_pair",)) is None
    assert kind("3C 3S 3H 3D 4S", categories=("two_pair",)) is None


def test_bombs() -> None:
    """PD-A7: quads with kicker and straight flushes beat a single two if bombs are on, and nothing else does."""
    on, off = resolve(bombs=True), DEFAULT
    two, ace, pair = play_of("2D"), play_of("AD"), play_of("2H 2D")
    for text in ("3C 3S 3H 3D 4S", "3C 4C 5C 6C 7C"):
        bomb = play_of(text)
        assert ref.beats(bomb, two, on)
        assert not ref.beats(bomb, two, off)
        assert not ref.beats(bomb, ace, on)
        assert not ref.beats(bomb, pair, on)
        assert not ref.beats(two, bomb, on)
    for text in ("AC AS AH KC KS", "2C AC KC QC TC", "TC JD QD KD AD"):
        assert not ref.beats(play_of(text), two, on)
    fallen = resolve(bombs=True, categories=("flush",))
    assert not ref.beats(play_of("3C 4C 5C 6C 7C", fallen), two, fallen)
    fours = resolve(bombs=True, quads="four_card")
    assert not ref.beats(play_of("3C 3S 3H 3D", fours), two, fours)


# ---------------------------------------------------------------------------------------------------- counts


def count_five_card_plays(options: ref.Options) -> dict[Category, int]:
    """Five-card plays of the whole deck by category, one representative for suit patterns that cannot matter."""
    counts = dict.fromkeys(Category, 0)

    def add(cards: tuple[int, ...], times: int) -> None:
        play = classify(cards, options)
        if play is not None:
            counts[play.category] += times

    for ranks in combinations(range(13), 5):
        add((4 * ranks[0] + 1, *(4 * rank for rank in ranks[1:])), 4**5 - 4)
        for suit in range(4):
            add(tuple(4 * rank + suit for rank in ranks), 1)
    for rank in range(13):
        others = [other for other in range(13) if other != rank]
        for trio in combinations(others, 3):
            add((4 * rank, 4 * rank + 1, *(4 * other for other in trio)), 6 * 4**3)
        for four_kicker in [c for c in range(52) if c // 4 != rank]:
            add((*range(4 * rank, 4 * rank + 4), four_kicker), 1)
        for triple in combinations(range(4), 3):
            held = tuple(4 * rank + suit for suit in triple)
            for other in others:
                for pair in combinations(range(4), 2):
                    add((*held, *(4 * other + suit for suit in pair)), 1)
        for two in combinations(others, 2):
            add((4 * rank, 4 * rank + 1, 4 * rank + 2, 4 * two[0], 4 * two[1]), 4 * 4**2)
            add((4 * rank, *(4 * other + suit for other in two for suit in (0, 1))), 4 * 6**2)
    return counts


@pytest.mark.parametrize("option", SEQUENCES)
def test_number_of_five_card_plays(option: str) -> None:
    """PD-O1: straights 1020 s, straight flushes 4 s, flushes 4 (1287 - s), full houses 3744, quads 624."""
    s = SEQUENCES[option]
    counts = count_five_card_plays(resolve(straights=option))
    assert counts == {
        Category.PLAIN: 0,
        Category.TWO_PAIR: 0,
        Category.STRAIGHT: 1020 * s,
        Category.FLUSH: 4 * (1287 - s),
        Category.FULL_HOUSE: 3744,
        Category.QUADS: 624,
        Category.STRAIGHT_FLUSH: 4 * s,
    }
    mean = Fraction(33, 66640) * sum(counts.values())
    stated = {
        8: 8.75312124849940,
        9: 9.25822328931573,
        10: 9.76332533013205,
        11: 10.2684273709484,
        13: 11.2786314525810,
    }
    assert float(mean) == pytest.approx(stated[s], rel=1e-13)


def test_number_of_two_pair_hands() -> None:
    """PD-A25: with two pairs on, the 123,552 patterns 2-2-1 join and nothing else changes."""
    with_pairs = count_five_card_plays(resolve(categories=ALL_CATEGORIES))
    without = count_five_card_plays(DEFAULT)
    assert with_pairs[Category.TWO_PAIR] == 123_552
    assert {**with_pairs, Category.TWO_PAIR: 0} == without


def test_number_of_small_plays_and_their_means() -> None:
    """PD-O1, PD-O4: 52 singles, 78 pairs, 52 triples, 13 bare fours; means in a 13-card hand."""
    sizes = [play.size for play in ref.all_plays(ref.DECK, DEFAULT, (1, 2, 3))]
    counts = {size: sizes.count(size) for size in (1, 2, 3)}
    fours = len([play for rank in range(13) for play in ref.all_plays(0b1111 << 4 * rank, resolve(quads="four_card"), (4,))])
    assert (counts, fours) == ({1: 52, 2: 78, 3: 52}, 13)
    assert sum(counts.values()) + sum(count_five_card_plays(DEFAULT).values()) == 18_878

    def in_hand(size: int) -> Fraction:
        return Fraction(comb(52 - size, 13 - size), comb(52, 13))

    assert counts[2] * in_hand(2) == Fraction(78, 17)
    assert counts[3] * in_hand(3) == Fraction(286, 425)
    assert fours * in_hand(4) == Fraction(143, 4165)
    assert count_five_card_plays(DEFAULT)[Category.FULL_HOUSE] * in_hand(5) == Fraction(7722, 4165)
    assert count_five_card_plays(DEFAULT)[Category.QUADS] * in_hand(5) == 9 * Fraction(143, 4165)


def test_a_hand_of_one_suit() -> None:
    """PD-O1: all diamonds: 13 singles and 1287 five-card plays, nine of them straight flushes."""
    plays = ref.all_plays(mask(range(3, 52, 4)), DEFAULT)
    categories = [play.category for play in plays if play.size == 5]
    assert [play.size for play in plays].count(1) == 13
    assert len(plays) == 13 + len(categories) == 1300
    assert categories.count(Category.STRAIGHT_FLUSH) == 9
    assert categories.count(Category.FLUSH) == 1278


def test_straight_among_pairs_is_found() -> None:
    """PD-3: 5-6-7-8-9 is there in every suit choice although two ranks are paired."""
    hand = mask("5C 5D 6S 7H 7D 8C 9D JC QC KC AC 2C 2H")
    found = [play for play in ref.all_plays(hand) if play.category is Category.STRAIGHT]
    low_runs = [play for play in found if {c // 4 for c in ref.indices(play.mask)} == {2, 3, 4, 5, 6}]
    assert len(low_runs) == 4


@pytest.mark.parametrize("more", [{}, {"quads": "four_card", "triples": False}, {"bombs": True, "straights": "both"}])
def test_generator_and_validator_agree(more: dict[str, Any]) -> None:
    """PD-3, PD-7: over every subset of random hands, the generated plays are the accepted ones."""
    options = resolve(more)
    rng = Random(5)
    tables: list[Play | None] = [None, play_of("2C"), play_of("6S 6D"), play_of("5C 6S 7S 8S 9S")]
    for table in tables:
        held = rng.sample(range(52), 9)
        hand = mask(held)
        expected = set()
        for size in range(1, 10):
            for subset in combinations(held, size):
                play = classify(subset, options)
                if play is not None and (table is None or ref.beats(play, table, options)):
                    expected.add(play)
        generated = ref.legal_plays(hand, table, None, options)
        assert len(generated) == len(set(generated))
        assert set(generated) == expected


# ---------------------------------------------------------------------------------------------------- deal


@pytest.mark.parametrize(
    ("more", "size", "left"),
    [
        ({}, 13, 0),
        ({"players": 3}, 17, 1),
        ({"players": 3, "deal3": "39"}, 13, 13),
        ({"players": 3, "leftover": "to_lowest_holder"}, 17, 1),
        ({"players": 3, "leftover": "remove_lowest"}, 17, 1),
        ({"players": 3, "leftover": "remove_lowest", "deal3": "39"}, 13, 13),
        ({"deal3": "39", "leftover": "remove_lowest"}, 13, 0),
    ],
)
def test_deal(more: dict[str, Any], size: int, left: int) -> None:
    """PD-2, PD-A12: hand sizes, and every card of the deck in exactly one place."""
    options = resolve(more)
    rng = Random(11)
    for _ in range(20):
        hands, leftover = ref.deal(options, rng)
        assert [hand.bit_count() for hand in hands] == [size] * options["players"]
        assert len(leftover) == left
        assert mask(c for zone in (*map(ref.indices, hands), leftover) for c in zone) == ref.DECK
        if more.get("leftover") == "remove_lowest" and options["players"] == 3:
            assert leftover[0] == 0


def test_deal_statistics() -> None:
    """PD-O2, PD-O3: four twos, the lowest card's place and the lowest dealt card, within 5 standard errors."""
    rng = Random(12)
    n = 6000

    def near(hits: int, p: float) -> bool:
        return abs(hits / n - p) < 5 * sqrt(p * (1 - p) / n)

    twos = mask("2C 2S 2H 2D")
    for more, p_twos, p_seat in (
        ({}, 44 / 4165, 1 / 4),
        ({"players": 3}, 12 / 455, 17 / 52),
        ({"players": 3, "deal3": "39"}, 33 / 4165, 1 / 4),
    ):
        options = resolve(more)
        deals = [ref.deal(options, rng)[0] for _ in range(n)]
        assert near(sum(any(hand & twos == twos for hand in hands) for hands in deals), p_twos)
        assert near(sum(hands[1] & 1 for hands in deals), p_seat)
        if more.get("deal3") == "39":
            lowest = [min(ref.indices(hand)[0] for hand in hands) for hands in deals]
            for k, p in enumerate((3 / 4, 13 / 68, 39 / 850, 429 / 41650)):
                assert near(lowest.count(k), p)


# ---------------------------------------------------------------------------------------------------- opening

FOUR = ["3C 3S 8C TC", "4C 9C 2C", "5C JC QC", "6C 7C KC"]


def test_lowest_card_opens_and_is_included() -> None:
    """PD-8, PD-A9: its holder leads a play with that card, alone or in a combination."""
    turned = [*FOUR[1:], FOUR[0]]
    assert refused(turned, "3 8C")
    assert not refused(turned, "3 3C")
    assert not refused(turned, "3 3C 3S")


def test_opening_must_include() -> None:
    """PD-A9: the single only, or anything; True and False are other names of 'play' and 'free'."""
    assert refused(FOUR, "0 3C 3S", opening_must_include="single_only")
    assert not refused(FOUR, "0 3C", opening_must_include="single_only")
    assert not refused(FOUR, "0 8C", opening_must_include="free")
    assert resolve(opening_must_include=True) == DEFAULT
    assert resolve(opening_must_include=False)["opening_must_include"] == "free"


def test_obligation_ends_with_the_opening_play() -> None:
    """PD-8: later leads are free even if nothing else has changed hands."""
    assert not refused(FOUR, "0 3C | 1 - | 2 - | 3 - | 0 8C")


def test_lowest_dealt_card_opens_when_three_of_clubs_is_out() -> None:
    """PD-A13: the lowest card actually dealt."""
    hands = ["4H 9C 9S", "6C 7C KC", "4S JC QC"]
    assert not refused(hands, "2 4S")
    assert refused(hands, "2 JC")


@pytest.mark.parametrize("order", ["CSHD", "DCHS", "DHSC"])
def test_opener_follows_the_suit_order(order: str) -> None:
    """PD-V1, PD-A11: the 3 of the lowest suit."""
    hands = ["3C 9C", "3D 9D", "3H 9H", "3S 9S"]
    opener = "CDHS".index(order[0])
    assert not refused(hands, f"{opener} 3{order[0]}", suit_order=order)


def test_previous_winner_opens_with_anything() -> None:
    """PD-A8: from the second deal; in the first one the lowest card opens."""
    options = resolve(opener="previous_winner")
    hands = [mask(hand) for hand in FOUR]
    script = Script("2 QC | 3 - | 0 - | 1 - | 2 JC | 3 - | 0 - | 1 - | 2 5C")
    result = ref.play_hand(options, hands, (), script, opener_hint=2)
    assert (result.opener, result.must_card, result.winner) == (2, None, 2)
    assert ref.play_hand(options, hands, (), ref.dumper).opener == 0
    assert ref.play_hand(DEFAULT, hands, (), ref.dumper, opener_hint=2).opener == 0
    with pytest.raises(ValueError, match="no seat"):
        ref.play_hand(options, hands, (), ref.dumper, opener_hint=4)


# ---------------------------------------------------------------------------------------------------- left-over card

THREE = ["4C 9C 2C", "5C JC QC", "6C 7C KC"]


def test_leftover_goes_to_the_lowest_holder() -> None:
    """PD-A12: the holder of the lowest dealt card takes it and opens."""
    result = played(THREE, "0 4C | 1 5C | 2 - | 0 9C | 1 - | 0 TC | 1 - | 2 - | 0 2C", "TC", leftover="to_lowest_holder")
    assert result.dealt == (4, 3, 3)
    assert result.events[0] == ref.Event("leftover", 0, mask("TC"))


def test_leftover_below_every_dealt_card_opens() -> None:
    """PD-A12: then the left-over itself is the opening card."""
    result = played(THREE, "0 3C | 1 5C | 2 - | 0 9C | 1 - | 0 2C | 1 - | 2 - | 0 4C", "3C", leftover="to_lowest_holder")
    assert (result.opener, result.must_card, result.winner) == (0, ref.card("3C"), 0)


def test_dead_leftover_stays_out() -> None:
    """PD-A12: dead cards are nobody's."""
    result = played(THREE, "0 4C | 1 5C | 2 - | 0 9C | 1 - | 0 2C", "3C")
    assert (result.dealt, result.must_card) == ((3, 3, 3), ref.card("4C"))


def test_leftover_needs_one_card() -> None:
    """PD-A12: thirteen left-over cards cannot go to one holder."""
    with pytest.raises(ValueError, match="deal3='51'"):
        resolve(players=3, deal3="39", leftover="to_lowest_holder")
    options = resolve(players=3, leftover="to_lowest_holder")
    with pytest.raises(ValueError, match="one left-over card"):
        ref.play_hand(options, [mask(hand) for hand in THREE], (), ref.dumper)


# ---------------------------------------------------------------------------------------------------- tricks


def kinds(result: ref.HandResult) -> str:
    """The events as one word per event: p2 = seat 2 plays, x2 passes, f2 is out, t2 leads next."""
    letters = {
        "play": "p",
        "pass": "x",
        "finish": "f",
        "trick_end": "t",
        "leftover": "l",
        "instant_win": "i",
        "redeal": "r",
    }
    return " ".join(f"{letters[event.kind]}{event.seat}" for event in result.events)


def test_binding_pass() -> None:
    """PD-9, PD-9a, PD-A23: a seat that passed is not asked again in the trick, the owner never acts on his own play."""
    result = played(
        ["3C 8C TC 3D", "4C 9C 2C", "5C JC QC", "6C 7C KC"],
        "0 3C | 1 - | 2 5C | 3 6C | 0 8C | 2 JC | 3 - | 0 - | 2 QC",
    )
    assert kinds(result) == "p0 x1 p2 p3 p0 p2 x3 x0 t2 p2 f2"
    assert result.plays == (2, 0, 3, 1)
    assert result.passes == (1, 1, 0, 1)
    assert result.leads == {1: 2}
    assert (result.winner, result.places, result.loser) == (2, (None, None, 1, None), None)


def test_pass_not_binding() -> None:
    """PD-A10: each seat is asked again until all others pass in succession."""
    result = played(
        ["3C 8C TC 3D", "4C 9C 2C", "5C JC QC", "6C 7C KC"],
        "0 3C | 1 - | 2 5C | 3 6C | 0 8C | 1 9C | 2 - | 3 - | 0 TC | 1 2C | 2 - | 3 - | 0 - | 1 4C",
        pass_lockout=False,
    )
    assert kinds(result) == "p0 x1 p2 p3 p0 p1 x2 x3 p0 p1 x2 x3 x0 t1 p1 f1"
    assert result.passes == (1, 1, 2, 2)


def test_leader_may_not_pass() -> None:
    """PD-9, PD-A23: neither at the opening nor later."""
    assert refused(FOUR, "0 -")
    assert refused(FOUR, "0 3C | 1 - | 2 - | 3 - | 0 -")


def test_answers_must_be_higher_and_of_the_same_size() -> None:
    """PD-7, PD-9: lower cards, other sizes and cards not held are refused."""
    hands = ["5C 5S 8C", "4C 4S 3C 6S 6D", "6C 7C KC", "9C 9S 9H"]
    assert refused(hands, "1 3C | 2 6C | 3 9C | 0 8C")
    assert refused(hands, "1 3C | 2 6C | 3 9C 9S")
    assert refused(hands, "1 3C | 2 6C | 3 KC")
    assert not refused(hands, "1 3C | 2 6C | 3 9C")


def test_turn_order_counter_clockwise() -> None:
    """PD-V4, PD-A14: the other way round."""
    result = played(["3C 8C", "4C 9C", "5C JC", "6C 7C"], "0 3C | 3 6C | 2 - | 1 9C | 0 - | 3 - | 1 4C", direction="ccw")
    assert (result.winner, result.cards_left) == (1, (1, 0, 2, 1))


def test_bomb_turns_the_trick_into_a_five_card_trick() -> None:
    """PD-A7: what follows a bomb must beat it as a five-card play."""
    hands = ["3C 3H 2D", "4C 4S 4H 4D 5C 9H JH", "5S 6S 7S 8S 9S", "AC AS AH KC KS 2C 7D"]
    bomb = "0 3C | 1 9H | 2 - | 3 2C | 0 2D | 1 4C 4S 4H 4D 5C"
    assert not refused(hands, bomb, bombs=True)
    assert refused(hands, bomb)
    assert refused(hands, bomb + " | 3 AC AS AH KC KS", bombs=True)
    assert refused(hands, bomb + " | 3 7D", bombs=True)
    result = played(hands, "0 3C | 1 JH | 2 - | 3 2C | 0 2D | 1 4C 4S 4H 4D 5C | 3 - | 0 - | 1 9H", bombs=True)
    assert (result.winner, result.leads) == (1, {1: 2})
    shorter = ["3C 3H", "4C 4S 4H 4D 5C 2C 9H", "5S 6S 7S 8S 9S", "AC AS AH KC KS 7D"]
    result = played(shorter, "0 3C | 1 2C | 2 5S 6S 7S 8S 9S", bombs=True)
    assert (result.winner, result.leads) == (2, {1: 1})


# ---------------------------------------------------------------------------------------------------- playing on

ON: dict[str, Any] = {"end": "play_on", "scoring": "placement"}
RUN_OUT = ["3C 8C", "5C", "7C TC", "9C JC"]


def test_last_play_must_be_beaten() -> None:
    """PD-A15 (a): if nobody beats it the next active seat leads, also if that seat had passed."""
    hands = ["3C 2C", "5C KC 6C", "7C 8C QC", "9C TC JC"]
    opening = "0 3C | 1 5C | 2 - | 3 9C | 0 2C | 1 - | 3 - | 1 6C | 2 7C | 3 TC | 1 KC | 2 - | 3 JC"
    with pytest.raises(ref.IllegalPlay, match="seat 3 may not play JC"):
        played(hands, opening, **ON)
    result = played(hands, opening.removesuffix("3 JC") + "3 - | 2 8C | 3 JC", **ON)
    assert kinds(result).startswith("p0 p1 x2 p3 p0 f0 x1 x3 t1")
    assert result.places == (1, 2, 4, 3)
    assert result.points == (5, 3, 0, 1)


def test_immediate_control() -> None:
    """PD-A15 (a): the seat after the finisher leads at once and nobody stays locked."""
    hands = ["3C 2C", "5C KC 6C", "7C 8C QC", "9C TC JC"]
    script = "0 3C | 1 5C | 2 - | 3 9C | 0 2C | 1 6C | 2 7C | 3 TC | 1 KC | 2 8C | 3 JC"
    result = played(hands, script, after_out="immediate_control", **ON)
    assert kinds(result).startswith("p0 p1 x2 p3 p0 f0 t1 p1 p2 p3 p1 f1 t2 p2")
    assert result.places == (1, 2, 4, 3)


def test_all_remaining_seats_locked() -> None:
    """PD-A15 (b): then the next active seat after the finisher leads; the last seat with cards is not asked."""
    result = played(RUN_OUT, "0 3C | 1 5C | 2 - | 3 - | 0 8C | 2 7C | 3 9C | 2 TC", **ON)
    assert kinds(result) == "p0 p1 f1 x2 x3 p0 f0 t2 p2 p3 p2 f2"
    assert (result.winner, result.loser) == (1, 3)
    assert result.places == (2, 1, 3, 4)
    assert result.points == (3, 5, 1, 0)


def test_playing_on_without_lockout() -> None:
    """PD-A10, PD-A15: seats that passed are asked again after the finisher's last card."""
    script = "0 3C | 1 5C | 2 - | 3 - | 0 8C | 2 TC | 3 JC | 2 - | 3 9C"
    assert played(RUN_OUT, script, pass_lockout=False, **ON).places == (2, 1, 4, 3)


def test_stop_at_first() -> None:
    """PD-11: play stops when the first hand is empty."""
    result = played(RUN_OUT, "0 3C | 1 5C", scoring="winner_only")
    assert result.points == (0, 1, 0, 0)
    assert result.cards_left == (1, 0, 2, 2)


def test_frazz_preset() -> None:
    """PD-V5, PD-A24: no points, the last with cards is the loser; PD-V1 the other preset."""
    frazz = ref.PRESETS["frazz"]
    script = "0 3D | 1 5D | 2 - | 3 - | 0 8D | 2 7D | 3 9D | 2 TD"
    result = played([hand.replace("C", "D") for hand in RUN_OUT], script, **frazz)
    assert (result.loser, result.points) == (3, (0, 0, 0, 0))
    assert kind("3C 3S 3H 3D 4C", **frazz) is None
    assert resolve(ref.PRESETS["daly-city"])["suit_order"] == "DCHS"


# ---------------------------------------------------------------------------------------------------- scoring


def cards_left(count: int) -> int:
    """Mask of so many cards without twos."""
    return (1 << count) - 1


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("b2_classic", {1: 1, 9: 9, 10: 20, 11: 22, 12: 24, 13: 39, 17: 51}),
        ("double10", {9: 9, 10: 20, 13: 26}),
        ("gs_8_10_13", {7: 7, 8: 16, 9: 18, 10: 30, 12: 36, 13: 52, 17: 68}),
        ("neo", {1: 1, 4: 4, 5: 10, 9: 18, 10: 30, 13: 39}),
        ("double13", {1: 1, 12: 12, 13: 26}),
        ("flat", {1: 1, 13: 13, 17: 17}),
    ],
)
def test_penalty_tables(table: str, expected: dict[int, int]) -> None:
    """PD-A17, PD-O5: points by number of cards left."""
    options = resolve(penalty_table=table)
    assert ref.penalty(0, 13, options) == 0
    assert {count: ref.penalty(cards_left(count), 13, options) for count in expected} == expected


def test_pips() -> None:
    """PD-A17: tens and court cards 10, others face value, the ace 1 and the two 2: 2 + 10 + 10 + 4 = 26."""
    assert ref.penalty(mask("2D KD TS 4C"), 13, resolve(penalty_table="pips")) == 26
    assert ref.penalty(mask("2D KD TS 4C"), 13, resolve(penalty_table="flat")) == 4
    assert ref.penalty(ref.DECK, 13, resolve(penalty_table="pips")) == 4 * (45 + 40)
    assert ref.penalty(mask("AC"), 13, resolve(penalty_table="pips")) == 1


def test_relative_scale() -> None:
    """PD-A17: thresholds scaled by cards dealt / 13, rounded up; the untouched hand keeps the row for 13."""
    options = resolve(players=3, penalty_scale="relative")
    points = {count: ref.penalty(cards_left(count), 17, options) for count in (10, 13, 14, 16, 17)}
    assert points == {10: 10, 13: 13, 14: 28, 16: 32, 17: 51}
    assert [ref.penalty(cards_left(count), 18, options) for count in (13, 14, 17, 18)] == [13, 28, 34, 54]
    assert [ref.penalty(cards_left(count), 13, options) for count in (9, 10, 12, 13)] == [9, 20, 24, 39]
    eights = resolve(players=3, penalty_scale="relative", penalty_table="gs_8_10_13")
    assert [ref.penalty(cards_left(count), 17, eights) for count in (10, 11, 14, 17)] == [10, 22, 42, 68]


def test_twos_left_multiply() -> None:
    """PD-A17: doubled for each two left, or once."""
    left = mask("2C 2S 2H 5C")
    assert ref.penalty(left, 13, DEFAULT) == 4
    assert ref.penalty(left, 13, resolve(two_mult="per_two")) == 32
    assert ref.penalty(left, 13, resolve(two_mult="once")) == 8
    assert ref.penalty(mask("5C 6C"), 13, resolve(two_mult="once")) == 2
    assert ref.penalty(left, 13, resolve(two_mult="per_two", penalty_table="pips")) == 8 * 11


def test_settlement_vectors() -> None:
    """PD-O5, PD-A17: (0, 11, 12, 13) cards left; both settlements are zero-sum."""
    charged = [ref.penalty(cards_left(count), 13, DEFAULT) for count in (0, 11, 12, 13)]
    assert ref.settle(charged, 0, DEFAULT) == (85, -22, -24, -39)
    assert ref.settle(charged, 0, resolve(settle="pairwise")) == (85, -3, -11, -71)


def test_penalties_when_playing_on() -> None:
    """PD-12, PD-A17: only the last seat holds cards at the end and pays the first one out."""
    result = played(RUN_OUT, "0 3C | 1 5C | 2 - | 3 - | 0 8C | 2 7C | 3 9C | 2 TC", end="play_on")
    assert result.penalty == (0, 0, 0, 1)
    assert result.points == (0, 1, 0, -1)


def test_placement_points() -> None:
    """PD-A16, PD-12: 5/3/1/0, 5/3/0, other lists; placement needs play-on."""
    assert resolve(end="play_on", scoring="placement")["placement"] == (5, 3, 1, 0)
    assert resolve(players=3)["placement"] == (5, 3, 0)
    three = ["3C 8C", "5C", "7C TC"]
    script = "0 3C | 1 5C | 2 - | 0 8C"
    assert played(three, script, **ON).points == (3, 5, 0)
    assert played(three, script, placement="531", **ON).points == (3, 5, 1)
    assert resolve(placement=(5, 3, 2, 0))["placement"] == (5, 3, 2, 0)
    with pytest.raises(ValueError, match="needs end='play_on'"):
        resolve(scoring="placement")
    with pytest.raises(ValueError, match="more places"):
        resolve(players=3, placement=(5, 3, 1, 0))


def test_points_per_deal_add_up() -> None:
    """PD-O5: placement 9 points per deal, winner-only 1, penalty 0."""
    rng = Random(21)
    for more, total in (({"scoring": "winner_only"}, 1), (ON, 9), ({}, 0), ({"settle": "pairwise"}, 0)):
        options = resolve(more)
        for _ in range(4):
            hands, leftover = ref.deal(options, rng)
            assert sum(ref.play_hand(options, hands, leftover, ref.dumper).points) == total


def test_bonus_for_twos_in_the_winning_play() -> None:
    """PD-A18: 1, 2, 4, 8, 16 for 0 to 4 twos in the play that empties the hand; the penalty scoring ignores it."""
    for twos, bonus in enumerate((1, 2, 4, 8, 16)):
        last = ("5S 5H 5D 4D 4H", "5S 6S 7S 8S 2S", "5S 5H 5D 2D 2H", "5S 5H 2S 2D 2H", "5S 2S 2C 2D 2H")[twos]
        hands = ["3C " + last, "4C 9C", "6C 9S", "7C 9D"]
        script = "0 3C | 1 - | 2 - | 3 - | 0 " + last
        assert played(hands, script, scoring="winner_only", win_bonus_twos=True).points[0] == bonus
        assert played(hands, script, scoring="winner_only").points[0] == 1
        assert played(hands, script, win_bonus_twos=True).points == played(hands, script).points


# ---------------------------------------------------------------------------------------------------- instant wins

BY_SUIT = [mask(range(suit, 52, 4)) for suit in (1, 2, 3, 0)]
TWOS_AT_2 = [mask(range(0, 13)), mask(range(13, 26)), mask([*range(26, 35), *range(48, 52)]), mask(range(35, 48))]


def test_dragon() -> None:
    """PD-A19: thirteen ranks win at once; of several the first one in turn order from the opener."""
    options = resolve(instant_win=("dragon",))
    result = ref.play_hand(options, BY_SUIT, (), ref.dumper)
    assert (result.opener, result.winner, result.instant_win) == (3, 3, "dragon")
    assert kinds(result) == "i3"
    assert (result.penalty, result.points) == ((39, 39, 39, 0), (-39, -39, -39, 117))
    assert sum(result.plays) + sum(result.passes) == 0
    assert ref.play_hand(DEFAULT, BY_SUIT, (), ref.dumper).instant_win is None
    mixed = sorted([*range(0, 52, 4), *range(3, 52, 4)])
    two_dragons = [mask(mixed[:13]), BY_SUIT[0], mask(mixed[13:]), BY_SUIT[1]]
    assert ref.play_hand(options, two_dragons, (), ref.dumper).winner == 1
    assert ref.play_hand(resolve(options, direction="ccw"), two_dragons, (), ref.dumper).winner == 3


def test_four_twos_win_at_once() -> None:
    """PD-A19: all four twos; the instant win goes before the redeal."""
    for redeal in (False, True):
        options = resolve(redeal_four_twos=redeal, instant_win=("four_twos",))
        result = ref.play_hand(options, TWOS_AT_2, (), ref.dumper)
        assert (result.winner, result.instant_win, result.redeal) == (2, "four_twos", False)
        assert result.must_card == 0


def test_dragon_and_four_twos_together() -> None:
    """PD-A19: a hand of 17 may be both; the dragon is named."""
    both = mask([*range(0, 52, 4), 49, 50, 51, 1])
    rest = [c for c in range(52) if not both >> c & 1]
    options = resolve(players=3, instant_win=("dragon", "four_twos"))
    result = ref.play_hand(options, [both, mask(rest[:17]), mask(rest[17:34])], rest[34:], ref.dumper)
    assert (result.winner, result.instant_win) == (0, "dragon")


def test_leftover_counts_for_instant_wins() -> None:
    """PD-A12, PD-A19: the card taken by the lowest holder belongs to the hand that is looked at."""
    hands = ["3C 2C 2S 2H", "5C JC QC", "6C 7C KC"]
    options = {"leftover": "to_lowest_holder", "instant_win": ("four_twos",)}
    full = resolve(options, players=3)
    result = ref.play_hand(full, [mask(hand) for hand in hands], ref.cards("2D"), ref.dumper)
    assert (result.winner, kinds(result)) == (0, "l0 i0")


def test_instant_win_when_playing_on() -> None:
    """PD-A19, PD-A15: the deal is over; nobody but the winner has a place or points."""
    result = ref.play_hand(resolve(instant_win=("dragon",), **ON), BY_SUIT, (), ref.dumper)
    assert result.places == (None, None, None, 1)
    assert (result.points, result.loser) == ((0, 0, 0, 5), None)


def test_redeal() -> None:
    """PD-V2: four twos in one hand void the deal."""
    result = ref.play_hand(resolve(redeal_four_twos=True), TWOS_AT_2, (), ref.dumper)
    assert result.redeal
    assert (result.winner, result.points, result.penalty) == (None, (0, 0, 0, 0), (0, 0, 0, 0))
    assert kinds(result) == "r2"
    assert not ref.play_hand(DEFAULT, TWOS_AT_2, (), ref.dumper).redeal


# ---------------------------------------------------------------------------------------------------- last card

LAST = ["3C 6C 6S KS AD", "5C QC", "4C 4S 4H", "9C TC JC"]


def test_highest_single_when_leading() -> None:
    """PD-A20: the next seat holds one card, so a single must be the highest card; other sizes are free."""
    rule: dict[str, Any] = {"last_card_rule": "highest_single"}
    lead = "0 3C | 1 5C | 2 - | 3 - | 0 AD | 1 - | 0 "
    assert refused(LAST, lead + "6C", **rule)
    assert refused(LAST, lead + "6S", **rule)
    assert not refused(LAST, lead + "KS", **rule)
    assert not refused(LAST, lead + "6C 6S", **rule)
    assert not refused(LAST, lead + "6C")


def test_highest_single_when_following() -> None:
    """PD-A20: a single that follows must be the highest; passing stays free; more cards next door, no rule."""
    rule: dict[str, Any] = {"last_card_rule": "highest_single"}
    follow = "0 3C | 1 5C | 2 - | 3 9C | 0 "
    assert refused(LAST, follow + "KS", **rule)
    assert not refused(LAST, follow + "AD", **rule)
    assert not refused(LAST, follow + "-", **rule)
    assert not refused(LAST, follow + "KS")
    assert not refused([LAST[0], "5C QC 7D", *LAST[2:]], follow + "KS", **rule)


PAY = ["3C 4C KC", "5C", "7C 7S 9C", "8C 9S TC"]


def test_pay_all() -> None:
    """PD-A20: the seat that could have played a higher single takes all penalties, then the settlement applies."""
    rule: dict[str, Any] = {"last_card_rule": "pay_all", "opening_must_include": "free"}
    result = played(PAY, "0 3C | 1 5C", **rule)
    assert (result.payer, result.penalty, result.charged) == (0, (2, 0, 3, 3), (8, 0, 0, 0))
    assert result.points == (-8, 8, 0, 0)
    assert played(PAY, "0 3C | 1 5C", settle="pairwise", **rule).points == (-24, 8, 8, 8)
    off = played(PAY, "0 3C | 1 5C", opening_must_include="free")
    assert (off.payer, off.points) == (None, (-2, 8, -3, -3))


def test_pay_all_needs_a_way_out() -> None:
    """PD-A20: no higher single and nothing else to lead, or an opening that had to be 3C: everybody pays his own."""
    assert played(PAY, "0 3C | 1 5C", last_card_rule="pay_all").payer is None
    free: dict[str, Any] = {"last_card_rule": "pay_all", "opening_must_include": "free"}
    assert played(["3C 4C 4S", "5C", *PAY[2:]], "0 4S | 1 5C", **free).payer == 0  # he could have led the fours
    assert played(["3C 4S", "5C", *PAY[2:]], "0 4S | 1 5C", **free).payer is None
    follow = "0 3C | 1 5C | 2 - | 3 6C | 0 {} | 1 2D"
    hands = ["3C KC KS", "5C 2D", "7C 7S 9C", "6C 9S TC"]
    assert played(hands, follow.format("KC"), last_card_rule="pay_all").payer == 0
    assert played(hands, follow.format("KS"), last_card_rule="pay_all").payer is None


def test_pay_all_only_for_the_seat_directly_before() -> None:
    """PD-A20: with a locked seat between the two nobody pays for the others; nor if the last play is no single."""
    hands = ["3C 6C KC", "4C 4S 4D", "5C 8C", "9C 9S TC"]
    assert played(hands, "0 3C | 1 - | 2 5C | 3 - | 0 6C | 2 8C", last_card_rule="pay_all").payer is None
    pairs = ["3C 3S KC", "4C 4S", "5C 8C 9D", "9C 9S TC"]
    assert played(pairs, "0 3C 3S | 1 4C 4S", last_card_rule="pay_all").payer is None
    alone = ["3C KC", "4C 2D", "5C 8C", "9C 9S TC"]
    assert played(alone, "0 3C | 1 4C | 2 - | 3 - | 0 - | 1 2D", last_card_rule="pay_all").payer is None


# ---------------------------------------------------------------------------------------------------- match


def test_match_of_so_many_deals() -> None:
    """PD-A17: ten deals by default; the least sum of penalties wins."""
    match = ref.play_match(DEFAULT, ref.dumper, Random(31))
    assert len(match.deals) == 10
    assert match.penalties == tuple(sum(deal.charged[seat] for deal in match.deals) for seat in range(4))
    assert match.points == tuple(sum(deal.points[seat] for deal in match.deals) for seat in range(4))
    best = [seat for seat in range(4) if match.penalties[seat] == min(match.penalties)]
    assert match.shares == tuple(Fraction(seat in best, len(best)) for seat in range(4))
    assert len(ref.play_match(resolve(match_deals=3), ref.dumper, Random(31)).deals) == 3


def test_match_to_a_target() -> None:
    """PD-A17: the match ends when a seat reaches the target, after how many deals whatever."""
    match = ref.play_match(resolve(match_target=50), ref.dumper, Random(32))
    assert max(match.penalties) >= 50
    assert max(sum(deal.charged[seat] for deal in match.deals[:-1]) for seat in range(4)) < 50
    assert len(match.deals) > 10
    with pytest.raises(ValueError, match="needs scoring='penalty'"):
        resolve(match_target=50, scoring="winner_only")


def test_match_by_points_and_ties() -> None:
    """PD-12, PD-A17: with other scorings the most points win; equal seats share."""
    one = ref.play_match(resolve(scoring="winner_only", match_deals=1), ref.dumper, Random(33))
    winner = one.deals[0].winner
    assert one.shares == tuple(Fraction(seat == winner) for seat in range(4))
    nobody = ref.play_match(resolve(ref.PRESETS["frazz"], match_deals=1), ref.dumper, Random(33))
    assert nobody.shares == (Fraction(1, 4),) * 4
    played_on = ref.play_match(resolve(end="play_on", match_deals=1), ref.dumper, Random(33))
    assert sorted(played_on.shares) == [0, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]


def test_match_with_previous_winner_opening() -> None:
    """PD-A8: every deal but the first is opened by the last winner, without the opening card."""
    deals = ref.play_match(resolve(opener="previous_winner"), ref.dumper, Random(34)).deals
    assert [deal.opener for deal in deals[1:]] == [deal.winner for deal in deals[:-1]]
    assert deals[0].must_card == 0
    assert {deal.must_card for deal in deals[1:]} == {None}
    deals = ref.play_match(DEFAULT, ref.dumper, Random(34)).deals
    assert {deal.must_card for deal in deals} == {0}


def test_match_repeats_void_deals() -> None:
    """PD-V2: void deals are dealt again, are not counted and change no opener."""
    twos = mask("2C 2S 2H 2D")
    options = resolve(redeal_four_twos=True, match_deals=2, opener="previous_winner")

    def void(hands: list[int]) -> bool:
        return any(hand & twos == twos for hand in hands)

    seed = next(seed for seed in range(10_000) if void(ref.deal(options, Random(seed))[0]))
    match = ref.play_match(options, ref.dumper, Random(seed))
    rng = Random(seed)
    kept = [hands for hands, _ in (ref.deal(options, rng) for _ in range(2 + match.redeals)) if not void(hands)]
    assert match.redeals >= 1
    assert len(match.deals) == len(kept) == 2
    first = ref.play_hand(options, kept[0], (), ref.dumper)
    assert first.must_card == 0
    assert match.deals == (first, ref.play_hand(options, kept[1], (), ref.dumper, first.winner))


# ---------------------------------------------------------------------------------------------------- whole deals

WORLDS: list[dict[str, Any]] = [
    {},
    {"players": 3},
    {"players": 3, "deal3": "39", "pass_lockout": False},
    {"players": 3, "leftover": "to_lowest_holder", "bombs": True, "straights": "both"},
    {"players": 3, "leftover": "remove_lowest", "end": "play_on", "direction": "ccw"},
    {"end": "play_on", "pass_lockout": False, "direction": "ccw", "quads": "four_card"},
    {"end": "play_on", "after_out": "immediate_control", "last_card_rule": "highest_single", "bombs": True},
    {"last_card_rule": "highest_single", "pass_lockout": False, "categories": ALL_CATEGORIES},
    {"last_card_rule": "pay_all", "triples": False, "flush_order": "rank_first", "straights": "full_wrap"},
    {"end": "play_on", "last_card_rule": "highest_single", "opening_must_include": "single_only"},
]


@pytest.mark.parametrize("more", WORLDS)
def test_whole_deals_keep_the_rules(more: dict[str, Any]) -> None:
    """PD-7, PD-9, PD-9a, PD-A15: replay the events of random deals with nothing but the rules of turn and trick."""
    options = resolve(more)
    rng = Random(41)
    players = options["players"]
    step = 1 if options["direction"] == "cw" else -1
    for _ in range(6):
        hands, leftover = ref.deal(options, rng)
        result = ref.play_hand(options, hands, leftover, random_chooser(rng))
        live = list(hands)
        table: Play | None = None
        owner = -1
        silent: set[int] = set()
        turn = result.opener
        for event in result.events:
            if event.kind == "leftover":
                live[event.seat] |= event.mask
                continue
            if event.kind == "finish":
                assert live[event.seat] == 0
                continue
            waiting = [s for s in range(players) if live[s] and s != owner and s not in silent]
            if event.kind == "trick_end":
                if options["after_out"] == "must_be_beaten" or live[owner]:
                    assert waiting == []
                while not live[owner]:
                    owner = (owner + step) % players
                assert event.seat == owner
                table, turn, owner, silent = None, owner, -1, set()
                continue
            while turn not in waiting:
                turn = (turn + step) % players
            assert event.seat == turn
            if event.kind == "pass":
                assert table is not None
                silent.add(turn)
            else:
                play = classify(event.mask, options)
                assert play is not None
                assert play.mask & live[turn] == play.mask
                assert table is None or ref.beats(play, table, options)
                live[turn] &= ~play.mask
                table, owner = play, turn
                if not options["pass_lockout"]:
                    silent = set()
        assert tuple(live) == result.hands_left
        assert sum(hand == 0 for hand in live) == (1 if options["end"] == "first_out" else players - 1)
        assert sum(result.leads.values()) == 1 + sum(event.kind == "trick_end" for event in result.events)
        if options["scoring"] == "penalty":
            assert sum(result.points) == 0


@pytest.mark.parametrize("more", WORLDS)
def test_cards_are_conserved(more: dict[str, Any]) -> None:
    """PD-2: cards played, held and left over are the deck, each card once."""
    options = resolve(more)
    rng = Random(42)
    for _ in range(5):
        hands, leftover = ref.deal(options, rng)
        result = ref.play_hand(options, hands, leftover, random_chooser(rng))
        out = [c for event in result.events if event.kind == "play" for c in ref.indices(event.mask)]
        held = [c for hand in result.hands_left for c in ref.indices(hand)]
        taken = [c for event in result.events if event.kind == "leftover" for c in ref.indices(event.mask)]
        assert sorted([*out, *held, *(c for c in leftover if c not in taken)]) == list(range(52))
        assert len(out) == sum(result.dealt) - sum(result.cards_left)
        assert sum(result.plays) == sum(event.kind == "play" for event in result.events)


@pytest.mark.parametrize("more", WORLDS)
def test_what_a_seat_is_offered(more: dict[str, Any]) -> None:
    """PD-7, PD-10, PD-A9: the offered plays are those found from scratch for the hand; sizes are public."""
    options = resolve(more)
    rng = Random(43)
    inner = random_chooser(rng)
    asked = 0

    def choose(state: State) -> int | None:
        nonlocal asked
        asked += 1
        step = 1 if options["direction"] == "cw" else -1
        others = [(state.seat + step * turn) % options["players"] for turn in range(1, options["players"])]
        next_size = next(state.sizes[seat] for seat in others if state.sizes[seat])
        assert state.sizes[state.seat] == state.hand.bit_count()
        assert not state.locked or options["pass_lockout"]
        if asked % 3 == 1:
            assert list(state.legal) == ref.legal_plays(state.hand, state.table, state.must_card, options, next_size)
        return inner(state)

    for _ in range(2):
        ref.play_hand(options, *ref.deal(options, rng), choose)
    assert asked > 20


def test_deals_do_not_leak_into_each_other() -> None:
    """PD-1: the same deal gives the same events whatever was played before it; one opener only."""
    options = resolve()
    rng = Random(44)
    deals = [ref.deal(options, rng) for _ in range(6)]
    first = [ref.play_hand(options, *deal, ref.dumper) for deal in deals]
    again = [ref.play_hand(options, *deal, ref.dumper) for deal in reversed(deals)]
    assert first == again[::-1]
    assert all(hands[result.opener] & 1 for (hands, _), result in zip(deals, first, strict=True))


def test_one_chooser_per_seat() -> None:
    """PD-10: seats may follow different strategies; each is asked for its own seat only."""
    seen: list[set[int]] = [set() for _ in range(4)]

    def maker(seat: int) -> Callable[[State], int | None]:
        def choose(state: State) -> int | None:
            seen[seat].add(state.seat)
            return ref.dumper(state)

        return choose

    ref.play_hand(DEFAULT, *ref.deal(DEFAULT, Random(45)), [maker(seat) for seat in range(4)])
    assert seen == [{0}, {1}, {2}, {3}]


def test_bad_hands_are_refused() -> None:
    """PD-2: a hand per player, no card twice, nobody empty."""
    for hands, message in (
        (["3C", "4C", "5C"], "3 hands for 4"),
        (["3C", "4C", "5C", "3C"], "twice"),
        (["3C", "4C", "5C", ""], "needs a card"),
    ):
        with pytest.raises(ValueError, match=message):
            ref.play_hand(DEFAULT, [mask(hand) for hand in hands], (), ref.dumper)


# ---------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    "bad",
    [
        {"straight": "both"},
        {"straights": "all"},
        {"suit_order": "CSH"},
        {"suit_order": "CCHD"},
        {"categories": ("straight", "royal")},
        {"instant_win": ("dragons",)},
        {"players": 5},
        {"match_deals": 0},
        {"match_target": 0},
    ],
)
def test_unknown_options_are_refused(bad: dict[str, Any]) -> None:
    """PD-A1 to PD-A25: unknown names and values are an error, never silently ignored."""
    with pytest.raises(ValueError):
        resolve(bad)


BANK = [
    *("3C", "3D", "3S", "9H", "2C", "2S", "2D", "AD", "7S 7D", "7H 7C", "2H 2D", "8C 8S 8H", "9C 9S 9H", "6C 6S 6H 6D"),
    *("3C 4S 5C 6C 7C", "JC QS KC AC 2C", "AC 2S 3C 4C 5C", "2C 3S 4C 5C 6C", "KC AS 2C 3C 4C", "TC JS QC KC AC"),
    *("3D 5D 6D 7D 9D", "AH KH QH JH 9H", "3S 4S 5S 6S 7S", "JC QC KC AC 2C", "3D 4D 5D 6D 7D", "3C 3S 3H 4C 4S"),
    *("5C 5S 5H 5D 4C", "9C 9S 4C 4S 3C"),
]


def fingerprint(options: ref.Options) -> tuple[Any, ...]:
    """What the bank of plays, odd deals and a match of random players look like under some options."""
    bank = [classify(mask(text, options["suit_order"]), options) for text in BANK]
    known = [play for play in bank if play is not None]
    compared = [ref.beats(a, b, options) for a in known for b in known]
    odd: list[Any] = []
    if options["players"] == 4:
        careless = [mask(hand, options["suit_order"]) for hand in ("3C KC KS", "5C 2D", "7C 7S 9C", "6C 9S TC")]
        for hands in (BY_SUIT, TWOS_AT_2, careless):
            odd.append(ref.play_hand(options, hands, (), ref.dumper))
    rng = Random(51)
    match = ref.play_match(options, random_chooser(rng), rng)
    ends = [(cards_left(count), ref.DECK ^ cards_left(52 - count)) for count in range(1, 18)]
    owed = [ref.penalty(left, 17, options) for pair in ends for left in pair]
    return [play and play.category for play in bank], compared, odd, owed, match


THREE_PLAYERS = {"players": 3}
CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"players": 3}),
    *(({}, {"straights": value}) for value in SEQUENCES if value != "rank_order"),
    ({}, {"flush_order": "rank_first"}),
    ({}, {"sf_order": "suit_first"}),
    ({}, {"triples": False}),
    ({}, {"quads": "not_playable"}),
    ({}, {"quads": "four_card"}),
    ({}, {"bombs": True}),
    ({}, {"opener": "previous_winner"}),
    ({}, {"opening_must_include": "single_only"}),
    ({}, {"opening_must_include": "free"}),
    ({}, {"pass_lockout": False}),
    ({}, {"suit_order": "DCHS"}),
    (THREE_PLAYERS, {"deal3": "39"}),
    (THREE_PLAYERS, {"leftover": "to_lowest_holder"}),
    (THREE_PLAYERS, {"leftover": "remove_lowest"}),
    ({}, {"direction": "ccw"}),
    ({}, {"end": "play_on"}),
    ({"end": "play_on"}, {"after_out": "immediate_control"}),
    ({}, {"scoring": "winner_only"}),
    ({}, {"scoring": "none"}),
    ({"end": "play_on"}, {"scoring": "placement"}),
    ({**THREE_PLAYERS, **ON}, {"placement": "531"}),
    *(({}, {"penalty_table": value}) for value in ref.CHOICES["penalty_table"] if value != "b2_classic"),
    ({}, {"two_mult": "per_two"}),
    ({}, {"two_mult": "once"}),
    ({"two_mult": "once"}, {"two_mult": "per_two"}),
    (THREE_PLAYERS, {"penalty_scale": "relative"}),
    ({}, {"settle": "pairwise"}),
    ({}, {"match_deals": 5}),
    ({}, {"match_target": 30}),
    ({"scoring": "winner_only"}, {"win_bonus_twos": True}),
    ({}, {"instant_win": ("dragon",)}),
    ({}, {"instant_win": ("four_twos",)}),
    ({}, {"redeal_four_twos": True}),
    ({}, {"last_card_rule": "highest_single"}),
    ({}, {"last_card_rule": "pay_all"}),
    *(({}, {"categories": tuple(c for c in ALL_CATEGORIES[1:] if c != off)}) for off in ALL_CATEGORIES[1:]),
    ({}, {"categories": ALL_CATEGORIES}),
]


def test_every_option_is_covered_by_the_changes() -> None:
    """PD-A1 to PD-A25: each option and each of its values appears among the changes below."""
    changed = {name: {change[name] for _, change in CHANGES if name in change} for name in ref.DEFAULTS}
    assert all(changed.values())
    for name, allowed in ref.CHOICES.items():
        assert changed[name] | {ref.DEFAULTS[name]} == set(allowed), name


def test_each_option_changes_something() -> None:
    """PD-A1 to PD-A25: no option is read and then forgotten."""
    bases: dict[str, tuple[Any, ...]] = {}
    for base, change in CHANGES:
        base = {"match_deals": 3, **base}
        if str(base) not in bases:
            bases[str(base)] = fingerprint(resolve(base))
        assert fingerprint(resolve({**base, **change})) != bases[str(base)], (base, change)


# ---------------------------------------------------------------------------------------------------- the yardstick


def test_dumper_by_hand() -> None:
    """PD-O7: largest size first on lead, lowest play of it; lowest answer; smallest mask between equals."""

    def choice(hand: str, table: str | None = None, must: int | None = None, **more: Any) -> int | None:
        options = resolve(more)
        on_table = None if table is None else play_of(table, options)
        held = mask(hand)
        legal = tuple(ref.legal_plays(held, on_table, must, options))
        return ref.dumper(State(0, held, on_table, None, must, (9, 9, 9, 9), frozenset(), (), legal, options))

    assert choice("3C 5S 5H 7C 7S 7H 9D") == mask("5S 5H 7C 7S 7H")
    assert choice("3C 5S 5H 7C 7S 7H 9D", must=0) == mask("3C")
    assert choice("3C 3H 7C 7S 7H", must=0) == mask("3C 3H 7C 7S 7H")
    assert choice("3C 3H 7C 7S 9H", must=0) == mask("3C 3H")
    assert choice("5S 7C 7S 7H 9D") == mask("7C 7S 7H")
    assert choice("5S 5C 7S 9D 2C") == mask("5S 5C")
    assert choice("5S 7C 9D 2C") == mask("5S")
    assert choice("5S 7C 9D 2C", "8C") == mask("9D")
    assert choice("5S 7C 9D", "TC") is None
    assert choice("7C 7S 7H 7D", "6S 6D") == mask("7C 7S")
    assert choice("3C 3S 4C 5C 6C 7H") == mask("3C 4C 5C 6C 7H")
    # All pairs with 7D compare equal: the smallest mask has the lowest partner.
    assert choice("7C 7S 7H 7D", "7S 7H") == mask("7C 7D")
    # A straight flush counts in its own category only: the plain straight is lower.
    assert choice("3C 4C 5C 6C 7C 7H") == mask("3C 4C 5C 6C 7H")
    assert choice("3C 3S 3H 3D 5C", quads="four_card") == mask("3C 3S 3H 3D")
    assert choice("3C 3S 3H 3D 5C", "2D", bombs=True) is None


def within(values: list[float], expected: float) -> bool:
    """Whether a mean lies within five standard errors of the expected value."""
    return abs(fmean(values) - expected) < 5 * stdev(values) / sqrt(len(values))


@pytest.mark.parametrize(
    ("players", "n", "wins", "rates", "leads", "suited"),
    [
        (
            4,
            300,
            (0.30910, 0.23003, 0.22528, 0.23559),
            (24.9530, 14.8193, 3.8039, 4.2001),
            (0.45179, 0.33791, 0.01679, 0.19351),
            0.01554,
        ),
        (
            3,
            100,
            (0.38022, 0.31467, 0.30512),
            (20.2916, 9.1241, 3.8194, 4.5627),
            (0.40172, 0.30167, 0.01171, 0.28490),
            0.03612,
        ),
    ],
)
def test_dumper_rates(
    players: int,
    n: int,
    wins: tuple[float, ...],
    rates: tuple[float, ...],
    leads: tuple[float, ...],
    suited: float,
) -> None:
    """PD-O7: win rates from the opener, plays, passes, cards left, penalties, leads and straight flushes."""
    options = resolve(players=players)
    rng = Random(61)
    results = [ref.play_hand(options, *ref.deal(options, rng), ref.dumper) for _ in range(n)]
    place = [(deal.winner - deal.opener) % players for deal in results if deal.winner is not None]
    for turn, p in enumerate(wins):
        assert abs(place.count(turn) / n - p) < 5 * sqrt(p * (1 - p) / n)
    columns = (
        [float(sum(deal.plays)) for deal in results],
        [float(sum(deal.passes)) for deal in results],
        [sum(deal.cards_left) / (players - 1) for deal in results],
        [sum(deal.penalty) / (players - 1) for deal in results],
    )
    for values, expected in zip(columns, rates, strict=True):
        assert within(values, expected)
    for size, p in zip((1, 2, 3, 5), leads, strict=True):
        # Of all leads, so the excess over the expected share is nought on average.
        assert within([deal.leads.get(size, 0) - p * sum(deal.leads.values()) for deal in results], 0.0)
    five = [[event.mask for event in deal.events if event.mask.bit_count() == 5] for deal in results]
    hits = sum(any(play_mask_is_straight_flush(m) for m in masks) for masks in five)
    assert abs(hits / n - suited) < 5 * sqrt(suited * (1 - suited) / n)


def play_mask_is_straight_flush(played_mask: int) -> bool:
    """Whether five cards are a straight flush under the default options."""
    play = classify(played_mask)
    return play is not None and play.category is Category.STRAIGHT_FLUSH
