"""The core beneath the games: bit helpers, cards as text, rules as data, line-ups and seatings.

Cases K1-…, K3-… and K4-…: faults of other programs, which must not happen here.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import bits, rng
from sim.arm import Arm
from sim.bits import ZERO
from sim.cards import (
    DECK_SIZE,
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    CardError,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
    rank_counts,
    ranks_text,
)
from sim.errors import UsageError
from sim.game import find_game
from sim.games.tres_y_dos.engine import full_house
from sim.rules import Rules, option, value_text
from sim.strategy import Player, Strategy, set_parameters
from tests.reference.streams import WORD

GAME = find_game("tres-y-dos")
words = st.integers(min_value=0, max_value=WORD - 1)
nibbles = st.lists(st.integers(min_value=0, max_value=4), min_size=13, max_size=13)
unhurried = settings(deadline=None)


def u64(*numbers: int) -> tuple[np.uint64, ...]:
    """Numbers as unsigned words."""
    return tuple(np.uint64(number) for number in numbers)


# Unsigned arithmetic --------------------------------------------------------------------------------------------

HELPERS = {
    "popcount": bits.popcount,
    "lowest": bits.lowest,
    "highest": bits.highest,
    "total": bits.total,
    "at_least_1": bits.at_least_1,
    "exactly_1": bits.exactly_1,
    "exactly_2": bits.exactly_2,
    "exactly_3": bits.exactly_3,
    "exactly_4": bits.exactly_4,
    "lowest_bit": bits.lowest_bit,
    "rank_of": bits.rank_of,
}
PAIRS = {
    "mul_high": bits.mul_high,
    "mul_low": bits.mul_low,
    "count_of": bits.count_of,
}


def compiled(function: Any, arguments: int) -> Any:
    """A dispatcher that calls a helper, with the type it returns."""
    if arguments == 1:
        return numba.njit(lambda x: function(x))
    return numba.njit(lambda x, y: function(x, y))


@pytest.mark.parametrize("name", [*HELPERS, *PAIRS])
def test_helpers_return_unsigned_words(name: str) -> None:
    """K4-013: a helper that let a signed number in would return a float64."""
    arguments = 1 if name in HELPERS else 2
    dispatcher = compiled({**HELPERS, **PAIRS}[name], arguments)
    dispatcher(*[np.uint64(5)] * arguments)
    assert [signature.return_type for signature in dispatcher.nopython_signatures] == [numba.uint64]


def test_generators_return_unsigned_words() -> None:
    """K4-013, K4-015: in compiled code and in plain Python."""
    word = np.uint64(3)
    rng.philox(word, word, word, word, word, word)
    (signature,) = {signature.return_type for signature in rng.philox.nopython_signatures}
    assert signature == numba.types.UniTuple(numba.uint64, 4)
    rng.below((word, word, word, word), np.uint64(52))
    with np.errstate(over="ignore"):
        assert isinstance(rng.philox.py_func(*u64(1, 2, 3, 4, 5, 6))[0], np.uint64)
    assert isinstance(np.uint64(2) + 1, np.uint64)
    for signature in rng.below.nopython_signatures:
        assert signature.return_type == numba.types.Tuple((numba.types.UniTuple(numba.uint64, 4), numba.uint64))


def test_large_words_are_compared_exactly() -> None:
    """K4-014: as floats these two are equal; the draw of a bounded number compares such words."""
    small, large = 1721142608025344941, 1721142608025339990 + 5000
    assert float(small) >= float(large)
    compare = numba.njit(lambda a, b: a >= b)
    assert not compare(np.uint64(small), np.uint64(large))
    assert compare(np.uint64(large), np.uint64(small))


@unhurried
@given(x=words)
def test_bits_of_a_word(x: int) -> None:
    word = np.uint64(x)
    text = f"{x:064b}"[::-1]
    assert int(CALLS["popcount"](word)) == x.bit_count()
    assert int(CALLS["lowest"](word)) == (text.index("1") if x else 64)
    if x:
        assert int(CALLS["highest"](word)) == text.rindex("1")
        assert int(CALLS["rank_of"](word)) == text.index("1") // 4
    assert int(CALLS["lowest_bit"](word)) == (2 ** text.index("1") if x else 0)
    for name in ("popcount", "lowest") + (("highest",) if x else ()):
        assert int(HELPERS[name](word)) == int(CALLS[name](word))


@unhurried
@given(a=words, b=words)
def test_products_of_words(a: int, b: int) -> None:
    high, low = divmod(a * b, WORD)
    assert int(CALLS["mul_high"](*u64(a, b))) == high == int(bits.mul_high(*u64(a, b)))
    assert int(CALLS["mul_low"](*u64(a, b))) == low


@unhurried
@given(counts=nibbles)
def test_counted_ranks(counts: list[int]) -> None:
    word = np.uint64(sum(count << 4 * rank for rank, count in enumerate(counts)))
    assert int(CALLS["total"](word)) == sum(counts)
    for rank in range(13):
        assert int(CALLS["count_of"](word, np.uint64(rank))) == counts[rank]
    for name, wanted in {
        "at_least_1": (1, 2, 3, 4),
        "exactly_1": (1,),
        "exactly_2": (2,),
        "exactly_3": (3,),
        "exactly_4": (4,),
    }.items():
        marked = int(CALLS[name](word))
        assert marked == sum(1 << 4 * rank for rank in range(13) if counts[rank] in wanted), name
    assert rank_counts(int(word)) == counts
    told = ranks_text(int(word)).split()
    assert [RANKS[rank] for rank in range(13) for _ in range(counts[rank])] == sorted(told, key=RANKS.index)


def test_one_card_as_counted_ranks() -> None:
    assert [int(bits.rank_bit(rank)) for rank in range(13)] == [16**rank for rank in range(13)]


CALLS = {name: compiled(function, 1 if name in HELPERS else 2) for name, function in {**HELPERS, **PAIRS}.items()}


@unhurried
@given(cards=st.permutations(range(5)), ranks=st.lists(st.integers(0, 12), min_size=5, max_size=5))
def test_a_full_house_does_not_depend_on_the_order_of_the_cards(cards: list[int], ranks: list[int]) -> None:
    """K1-035: five cards of any order; three of one rank and two of another, and nothing else, win (TYD-9)."""
    if max(Counter(ranks).values()) > 4:
        return
    hand = ZERO
    for place in cards:
        hand += bits.rank_bit(np.uint64(ranks[place]))
    assert bool(full_house(hand)) == (sorted(Counter(ranks).values()) == [2, 3])


# Cards as text --------------------------------------------------------------------------------------------------

any_card = st.integers(min_value=0, max_value=DECK_SIZE - 1)


@unhurried
@given(card=any_card)
def test_a_card_is_read_as_it_is_written(card: int) -> None:
    text = card_text(card)
    assert text == RANKS[card // 4] + SUITS[card % 4]
    symbol = text[0] + SUIT_SYMBOLS[card % 4]
    for written in (text, text.lower(), f" {text} ", symbol, symbol + "\ufe0f", text.replace("T", "10")):
        assert parse_card(written) == card


@unhurried
@given(cards=st.lists(any_card, unique=True, max_size=52), comma=st.booleans())
def test_cards_are_read_as_they_are_written(cards: list[int], comma: bool) -> None:
    text = cards_text(cards)
    assert parse_cards(text.replace(" ", ", ") if comma else text) == cards
    if cards:
        with pytest.raises(CardError, match="twice"):
            parse_cards(f"{text} {card_text(cards[0])}")


@unhurried
@given(text=st.text(max_size=4))
def test_what_is_no_card_is_refused(text: str) -> None:
    try:
        card = parse_card(text)
    except CardError as error:
        assert text in str(error)
        return
    assert 0 <= card < 52
    assert re.fullmatch(r"([A2-9TJQK]|10)[CDHS♣♦♥♠♧♢♡♤]", text.strip().replace("\ufe0e", "").replace("\ufe0f", "").upper())


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_what_is_no_card_number_is_refused(number: int) -> None:
    with pytest.raises(CardError, match=str(number)):
        card_text(number)


# Rules as data --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SampleRules(Rules):
    """One rule of every kind."""

    game: ClassVar[str] = "sample"

    players: int = option(4, "players", "S-1", low=2, high=7)
    choice: str = option("one", "a choice", "S-2", choices=("one", "two", "three"))
    some: tuple[str, ...] = option(("a",), "a set", "S-3", choices=("a", "b", "c"), many=True)
    truth: bool = option(False, "a truth", "S-4")
    chance: float = option(0.5, "a probability", "S-5", low=0, high=1)
    limit: int | None = option(None, "perhaps a number", "S-6", low=1, high=9, optional=True)
    name: str = option("abc", "a text", "S-7", free=True)


any_rules = st.builds(
    SampleRules,
    players=st.integers(2, 7),
    choice=st.sampled_from(["one", "two", "three"]),
    some=st.lists(st.sampled_from(["a", "b", "c"]), unique=True).map(tuple),
    truth=st.booleans(),
    chance=st.floats(0, 1),
    limit=st.none() | st.integers(1, 9),
    name=st.text(st.characters(categories=["L", "N"]), min_size=1).filter(lambda text: text == text.strip()),
)


@unhurried
@given(rules=any_rules)
def test_rules_are_read_as_they_are_written(rules: SampleRules) -> None:
    """From JSON, from a record's order of choices, and (but for the last digits of a float) from the command line."""
    assert SampleRules.from_mapping(json.loads(json.dumps(rules.to_dict()))) == rules
    assert SampleRules().with_changes(rules.changed()) == rules
    text = {name: value_text(value) for name, value in rules.to_dict().items()}
    again = SampleRules.from_mapping(text)
    assert {**again.to_dict(), "chance": 0} == {**rules.to_dict(), "chance": 0}
    assert again.chance == pytest.approx(rules.chance, rel=1e-5)
    record = rules.to_record()[0]
    assert record.choice == ("one", "two", "three").index(rules.choice)
    assert record.some == sum(1 << "abc".index(item) for item in rules.some)
    assert (record.truth, record.players) == (rules.truth, rules.players)
    assert record.chance == rules.chance
    assert record.limit == (-1 if rules.limit is None else rules.limit)
    assert "name" not in record.dtype.names


@unhurried
@given(
    name=st.sampled_from(["players", "choice", "some", "truth", "chance", "limit"]),
    value=st.one_of(st.text(), st.integers(-(10**9), -2), st.floats(), st.lists(st.text(min_size=4))),
)
def test_rules_refuse_what_they_do_not_define(name: str, value: Any) -> None:
    """With a UsageError that names the rule: never an exception of another kind, never a value out of range."""
    try:
        rules = SampleRules.from_mapping({name: value})
    except UsageError as error:
        assert name in str(error)
        return
    assert SampleRules.from_mapping(rules.to_dict()) == rules


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"playes": 3}, "did you mean players?"),
        ({"choice": "tow"}, "did you mean two?"),
        ({"players": "8"}, "2 to 7"),
        ({"players": 1}, "2 to 7"),
        ({"players": "3.5"}, "whole number"),
        ({"players": True}, "whole number"),
        ({"truth": "perhaps"}, "neither true nor false"),
        ({"chance": "nan"}, "chance"),
        ({"limit": "10"}, "or none"),
        ({"some": "a+d"}, "parted by +"),
    ],
)
def test_refusals_say_what_would_be_right(values: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        SampleRules.from_mapping(values)


# Line-ups and seatings ------------------------------------------------------------------------------------------


def players_of(count: int, different: int) -> tuple[Player, ...]:
    """A line-up of so many players, the last ones all the same."""
    strategies = [Strategy(GAME.name, f"s{i}", "x", GAME.knowledge.DEFAULTS) for i in range(different)]
    return tuple(set_parameters(strategies[min(i, different - 1)], {}) for i in range(count))


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("different", [1, 2, 3, 7])
def test_rotation_seats_every_entry_in_every_chair_once(players: int, different: int) -> None:
    """K3-034, K3-035: in each class of cyclic orders, whatever the class."""
    arm = Arm(GAME, GAME.make_rules({"players": players}), players_of(players, min(different, players)), rotate=True)
    seated = arm.orders()
    assert seated.shape[0] == players == arm.replays
    for number in range(seated.shape[1]):
        for chairs in (seated[:, number, :], seated[:, number, :].T):
            assert all(sorted(row) == list(range(players)) for row in chairs.tolist())
    classes = math.factorial(players - 1) if min(different, players) > 2 else 1
    assert seated.shape[1] == classes


@pytest.mark.parametrize("players", range(3, 8))
def test_cyclic_orders_are_balanced(players: int) -> None:
    """With three different strategies every cyclic order comes as often: each entry follows each other one as often."""
    arm = Arm(GAME, GAME.make_rules({"players": players}), players_of(players, players), rotate=True)
    first = arm.orders()[0]
    assert len({tuple(row) for row in first.tolist()}) == math.factorial(players - 1)
    followers = Counter((int(row[i]), int(row[(i + 1) % players])) for row in first for i in range(players))
    assert set(followers.values()) == {math.factorial(players - 2)}
    assert len(followers) == players * (players - 1)


def test_without_rotation_everybody_stays_where_he_was_put() -> None:
    arm = Arm(GAME, GAME.make_rules({"players": 5}), players_of(5, 5))
    assert arm.orders().tolist() == [[[0, 1, 2, 3, 4]]]
    assert arm.replays == 1
    with pytest.raises(UsageError, match="3 strategies for 5 players"):
        Arm(GAME, GAME.make_rules({"players": 5}), players_of(3, 3))
