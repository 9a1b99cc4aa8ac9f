"""Strategies of Pusoy Dos: rules of thumb on hand-made positions, exact parts against brute force, legality over random views."""

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from analysis.comparison import compare
from sim.errors import UsageError
from sim.game import find_game
from sim.games.pusoy_dos import plays
from sim.games.pusoy_dos.listing import MOST_PLAYS
from sim.games.pusoy_dos.rules import PusoyDosRules
from sim.games.pusoy_dos.view import RULES_SEEN, VIEW
from sim.strategy import Player, Strategy, set_parameters
from sim.view import records
from strategies.pusoy_dos import STRATEGIES, prices, search, unseen
from strategies.pusoy_dos.endgame import HANDS, guess_hands
from strategies.pusoy_dos.hand_plays import PLAYS, recall_plays
from strategies.pusoy_dos.moves import cards_left, fewest_left, list_legal
from strategies.pusoy_dos.turns import fewest_turns
from tests.reference import pusoy_dos as ref

ROOT = Path(__file__).resolve().parent.parent
BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
DECK = int(plays.DECK)
word = np.uint64


@cache
def notes() -> Any:
    """Scratch memory, big enough for every strategy."""
    return np.zeros(max(strategy.memory for strategy in STRATEGIES), np.uint64)


def view_of(hand: int | str, table: int | str = 0, **known: Any) -> Any:
    """The view of seat 0, with memory that has been cleared.

    ``left`` are the cards of the others in turn order (of four players 13 each), ``out`` the cards that have not been seen (by default all
    others), ``owner`` the seat whose play ``table`` is (the last by default), ``active`` a bit set (by default all who hold cards).
    """
    mine = ref.mask(hand) if isinstance(hand, str) else hand
    shown = ref.mask(table) if isinstance(table, str) and table else int(table or 0)
    left = known.get("left", (13, 13, 13))
    players = len(left) + 1
    hidden = ref.mask(known["out"]) if isinstance(known.get("out"), str) else known.get("out", DECK & ~mine & ~shown)
    rules = PusoyDosRules.from_mapping({"players": players, **known.get("rules", {})}).to_record()[0]
    view = records(VIEW, 1)[0]
    view.players = players
    for name in RULES_SEEN:
        view[name] = rules[name]
    view.hand = mine
    view.table = shown
    view.strength = plays.strength_of(word(shown), rules) if shown else 0
    view.owner = known.get("owner", players - 1 if shown else 0)
    view.played[players - 1] = DECK & ~mine & ~hidden
    for seat, cards in enumerate((mine.bit_count(), *left)):
        view.sizes[seat] = int(view.played[seat]).bit_count() + cards
    holding = sum(1 << seat for seat, cards in enumerate((1, *left)) if cards)
    view.active = known.get("active", holding)
    view.next_seat = next(seat for seat in (*range(1, players), 0) if holding >> seat & 1)
    view.must = known.get("must", 0)
    view.top_single = known.get("top_single", 0)
    view.random_unit = known.get("unit", 0)
    notes()[:] = 0
    view.memory_address, view.memory_words = notes().ctypes.data, notes().size
    return view


def player(text: str) -> Player:
    """A player from a text such as 'partition:keep=13'."""
    name, *settings = text.split(":")
    return set_parameters(BY_NAME[name], dict(setting.split("=") for setting in settings))


def answer(who: str, view: Any) -> int:
    """What a player plays, as a mask."""
    seated = player(who)
    view.parameters[: len(seated.values)] = list(seated.values.values())
    view.random_used = 0
    return int(seated.strategy.decisions["play"](view))


def text_of(cards: int) -> str:
    """Cards from low to high, 'pass' for none."""
    return " ".join(ref.name(card) for card in ref.indices(cards)) or "pass"


def played(who: str, hand: str, table: str = "", **known: Any) -> str:
    """What a player plays on a hand-made view, in words."""
    return text_of(answer(who, view_of(hand, table, **known)))


def reference(view: Any, **options: Any) -> ref.Options:
    """The reference's options for a view's rules."""
    return ref.resolve(players=int(view.players), **options)


# ------------------------------------------------------------------------------------------------- random positions

PLAY_CHOICES = ("straights", "flush_order", "sf_order", "triples", "quads", "bombs", "opening_must_include", "pass_lockout")


def random_options(rng: Random) -> dict[str, Any]:
    """The default rules, or any value of every option that decides what may be played."""
    if rng.random() < 0.3:
        return {}
    options: dict[str, Any] = {name: rng.choice(ref.CHOICES[name]) for name in PLAY_CHOICES}
    options["categories"] = tuple(name for name in ref.CATEGORY_NAMES if rng.random() < 0.75)
    options["last_card_rule"] = rng.choice(("off", "highest_single"))
    options["end"] = rng.choice(("first_out", "play_on"))
    return options


def random_cards(rng: Random, count: int) -> list[int]:
    """Some cards, often of few ranks or suits so that they make many plays."""
    ranks = rng.choice((13, 13, 8, 7))
    suits = rng.choice((4, 4, 3))
    pool = [rank * 4 + suit for rank in range(13 - ranks, 13) for suit in range(4 - suits, 4)]
    return rng.sample(pool if len(pool) >= count else range(52), count)


def random_view(rng: Random) -> tuple[Any, set[int]]:
    """A view under random rules, and all that is legal (0 for a pass) by the reference."""
    options = random_options(rng)
    others = rng.choice((2, 3))
    size = 17 if others == 2 else 13
    while True:
        cards = rng.sample(range(52), size * (others + 1))
        hands = [cards[size * seat : size * seat + rng.choice((1, 2, 3, 5, 8, size))] for seat in range(others + 1)]
        mine, tables = ref.mask(hands[0]), ref.mask(cards[size : 2 * size])
        hidden = ref.mask([card for hand in hands[1:] for card in hand])
        rules = ref.resolve(players=others + 1, **options)
        left = tuple(len(hand) for hand in hands[1:])
        known: dict[str, Any] = {"rules": options, "left": left, "out": hidden, "unit": rng.randrange(1 << 30)}
        table = None
        must = None
        if rng.random() < 0.6:
            play = ref.classify(rng.sample(ref.indices(tables), rng.choice((1, 1, 2, 3, 5))), rules)
            if play is None or play.mask & hidden:
                continue
            table = play
        elif rng.random() < 0.3 and rules["opening_must_include"] != "free":
            must = ref.indices(mine)[0]
            known["must"] = 1 << must
        known["top_single"] = int(rules["last_card_rule"] == "highest_single" and left[0] == 1)
        view = view_of(mine, table.mask if table else 0, **known)
        legal = {play.mask for play in ref.legal_plays(mine, table, must, rules, left[0])}
        return view, legal | ({0} if table else set())


def variants() -> Iterator[str]:
    """Every strategy, and every strategy with one parameter at either end of its range."""
    for strategy in STRATEGIES:
        yield strategy.name
        for name, parameter in strategy.parameters.items():
            if name not in ("cards", "samples", "positions"):
                yield f"{strategy.name}:{name}={parameter.low:g}"
                yield f"{strategy.name}:{name}={parameter.high:g}"
    yield "endgame:cards=20:samples=3:positions=3000"


# What every strategy has


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_every_strategy_is_described(strategy: Strategy) -> None:
    assert strategy.game == "pusoy-dos"
    assert set(strategy.decisions) == {"play"}
    assert len(strategy.summary) > 30 and strategy.summary.endswith(".")
    assert strategy.source
    assert all(len(parameter.help) > 20 for parameter in strategy.parameters.values())


def test_names() -> None:
    assert list(BY_NAME) == ["random", "lowest", "dumper", "saver", "partition", "control", "endgame"]


@pytest.mark.parametrize("who", list(variants()))
def test_never_illegal(who: str) -> None:
    """PD-3, PD-7 to PD-9, PD-A9, PD-A20: a legal play under any rules, a pass only in answer."""
    rng = Random(who)
    for _ in range(25):
        view, legal = random_view(rng)
        assert answer(who, view) in legal


# What may be played


def test_legal_plays_are_those_of_the_reference() -> None:
    rng = Random(1)
    out = np.zeros(MOST_PLAYS, np.uint64)
    for _ in range(150):
        view, legal = random_view(rng)
        assert sorted(int(play) for play in out[: int(list_legal(view, out))]) == sorted(legal - {0})


def test_cards_left_are_public() -> None:
    """PD-10: what a seat was dealt less what it has played; who is out does not count as short."""
    view = view_of("3C 4C", out="5C 6C 7C", left=(0, 2, 1))
    assert [cards_left(view, seat) for seat in range(4)] == [2, 0, 2, 1]
    assert fewest_left(view) == 1
    assert fewest_left(view_of("3C", left=(0, 0, 4), out="5C 6C 7C 8C")) == 4


# random, lowest, dumper


def test_random_plays_each_legal_play_as_often() -> None:
    """The pass is one choice more in answer, and none on lead."""
    seen = Counter(played("random", "3C JC JS QD AD", "TC", unit=unit) for unit in range(600))
    assert set(seen) == {"JC", "JS", "QD", "AD", "pass"}
    assert all(80 < number < 160 for number in seen.values())
    seen = Counter(played("random", "3C JC JS", unit=unit) for unit in range(300))
    assert set(seen) == {"3C", "JC", "JS", "JC JS"}


def test_lowest_leads_one_card_and_answers_as_low_as_it_can() -> None:
    assert played("lowest", "3C 3S 4D 5D 6D 7D") == "3C"
    assert played("lowest", "3C 5S 5H KD", "4C 4S") == "5S 5H"
    assert played("lowest", "3C 5S 5H KD", "KC KS") == "pass"
    assert played("lowest", "3C 5S KD", top_single=1, rules={"last_card_rule": "highest_single"}) == "KD"


def test_dumper_leads_the_lowest_of_its_largest_plays() -> None:
    """PD-O7."""
    assert played("dumper", "3C 3S 4D 5D 6D 7D 8C") == "3C 4D 5D 6D 7D"
    assert played("dumper", "3C 5S 5H KD") == "5S 5H"


# saver


@pytest.mark.parametrize(
    ("hand", "table", "play"),
    [
        ("4D AC AS 2C 2D 2H", "", "4D"),  # not its aces and twos
        ("AC AS 2C 2D 2H 2S", "", "AC AS 2C 2S 2H"),  # unless it has nothing else
        ("4C JC JS QD AD 2D", "TC", "QD"),  # no card of a pair
        ("5C 6D 7S 8H 9C QD", "4C", "QD"),  # no card of a five-card hand
        ("5C 5S 5H 9D JC KD", "4C 4S", "pass"),  # no part of a triple
        ("3C 4D 6S JC JS AD", "TC", "pass"),  # neither a pair nor an ace for a single
        ("3C 5C 6D 7S 8H 9C", "4C 5D 6C 7C 8D", "5C 6D 7S 8H 9C"),
    ],
)
def test_saver(hand: str, table: str, play: str) -> None:
    assert played("saver", hand, table) == play


def test_saver_stops_saving_in_the_end() -> None:
    """With few cards itself, or an opponent who has few (PD-10)."""
    assert played("saver", "3C 4D JC JS AD", "TC") == "JC"
    assert played("saver:late=4", "3C 4D JC JS AD", "TC") == "pass"
    assert played("saver", "3C 4D 6S JC JS AD", "TC", left=(13, 2, 13)) == "JC"
    assert played("saver:short=1", "3C 4D 6S JC JS AD", "TC", left=(13, 2, 13)) == "pass"


# Plays of a hand, and fewest turns


def turns_by_brute_force(mask: int, all_plays: list[int], known: dict[int, int]) -> int:
    """Fewest turns for some cards: try every play with the lowest of them."""
    if not mask:
        return 0
    if mask not in known:
        lowest = mask & -mask
        own = [play for play in all_plays if play & lowest and play & ~mask == 0]
        known[mask] = 1 + min(turns_by_brute_force(mask ^ play, all_plays, known) for play in own)
    return known[mask]


def test_plays_are_remembered_through_a_hand_and_into_the_next() -> None:
    """The list is that of the cards still held, whatever was played; another deal starts it anew (a match, PD-A17)."""
    rng = Random(4)
    for _ in range(20):
        options = random_options(rng)
        hand = ref.mask(random_cards(rng, 13))
        view = view_of(hand, rules=options)
        while hand:
            fives, count = recall_plays(view, notes())
            listed = [int(play) for play in notes()[int(PLAYS) : int(PLAYS + count)]]
            expected = ref.all_plays(hand, ref.resolve(**options))
            assert sorted(listed) == sorted(play.mask for play in expected)
            assert all((play.bit_count() == 5) == (i < fives) for i, play in enumerate(listed))
            gone = rng.choice(listed)
            hand ^= gone
            view.hand = hand
            view.played[0] |= word(gone)


def test_fewest_turns_of_every_part_of_a_hand() -> None:
    """Against brute force, for all subsets of small hands under any rules."""
    rng = Random(5)
    for _ in range(25):
        options = random_options(rng)
        hand = ref.mask(random_cards(rng, rng.randint(5, 9)))
        view = view_of(hand, rules=options)
        fives = word(recall_plays(view, notes())[0])
        all_plays = [play.mask for play in ref.all_plays(hand, ref.resolve(**options))]
        known: dict[int, int] = {}
        part = hand
        while part:
            assert int(fewest_turns(word(part), fives, notes(), view)) == turns_by_brute_force(part, all_plays, known)
            part = (part - 1) & hand


@pytest.mark.parametrize("size", [13, 17])
def test_fewest_turns_of_whole_hands(size: int) -> None:
    """PD-2: 13 and 17 cards, with up to three five-card plays in one parting."""
    rng = Random(size)
    left = (13, 13, 13) if size == 13 else (17, 17)
    for _ in range(12):
        hand = ref.mask(random_cards(rng, size))
        view = view_of(hand, left=left)
        fives = word(recall_plays(view, notes())[0])
        all_plays = [play.mask for play in ref.all_plays(hand)]
        assert int(fewest_turns(word(hand), fives, notes(), view)) == turns_by_brute_force(hand, all_plays, {})


# partition


@pytest.mark.parametrize(
    ("hand", "table", "play"),
    [
        ("3C 4C 5D 6S 7H 9D KD", "", "3C 4C 5D 6S 7H"),  # more cards rather than fewer
        ("3C 3S 4D 5D 6D 7D KC", "", "3C 4D 5D 6D 7D"),  # three turns are left after it, as after any other play but a worse one
        ("3C 3S 8D 8H 8S KD", "", "3C 3S 8S 8H 8D"),  # together rather than one after the other
        ("4C 7C 7D QD 2C", "3C", "4C"),  # a single that is one
        ("7C 7D 7S QC QD", "3C", "pass"),  # it would take a full house apart
        ("4C 5C 5S 9D JH", "3C 3S", "5C 5S"),
        ("7C 9D QD AS 2C", "AC", "AS"),  # the lowest that does not cost a turn
        ("7C 9D QD KS 2C", "AC", "pass"),  # twos are for later
    ],
)
def test_partition(hand: str, table: str, play: str) -> None:
    assert played("partition", hand, table) == play


def test_partition_parameters() -> None:
    hand = "7C 9D QD KS 2C"
    assert played("partition:keep=13", hand, "AC") == "2C"
    assert played("partition:keep=11", "7C 9D QD AS 2C", "KC") == "pass"
    assert played("partition", hand, "AC", left=(13, 4, 13)) == "2C"  # somebody is getting near
    assert played("partition", "9D 2C", "AC") == "2C"  # it is near itself
    assert played("partition:large=0", "3C 5S 5H KD") == "3C"
    assert played("partition", "3C 5S 5H KD") == "5S 5H"


def test_partition_stops_who_may_go_out() -> None:
    """PD-10, PD-11: it leads what he has too few cards for or its highest, and beats the table at the cost of a turn."""
    assert played("partition", "3C 3S 9D JD QH", left=(13, 1, 13)) == "3C 3S"
    assert played("partition", "3C 9D JD QH", left=(13, 1, 13)) == "QH"
    assert played("partition", "3C 9D JD QD KC KH", "TC", left=(1, 13, 13)) == "QD"
    assert played("partition", "3C 9C 9D 9S KC KH", "TC", left=(1, 13, 13)) == "KH"
    assert played("partition:effort=0", "3C 9C 9D 9S KC KH", "TC", left=(1, 13, 13)) == "pass"
    assert played("partition", "3C 9D QC QH KC KH", "JC JS", left=(13, 2, 13)) == "KC KH"
    assert played("partition:short=1", "3C 9D QC QH KC KH", "JC JS", left=(13, 2, 13)) == "QC QH"


def test_partition_always_plays_towards_the_fewest_turns() -> None:
    """On lead, while nobody is a threat, no play leaves fewer turns than the one it takes."""
    rng = Random(6)
    for _ in range(60):
        options = random_options(rng) | {"last_card_rule": "off"}
        hand = ref.mask(random_cards(rng, rng.randint(2, 9)))
        all_plays = [play.mask for play in ref.all_plays(hand, ref.resolve(**options))]
        known: dict[int, int] = {}
        taken = answer("partition", view_of(hand, rules=options))
        fewest = turns_by_brute_force(hand, all_plays, known) - 1
        assert turns_by_brute_force(hand ^ taken, all_plays, known) == fewest


# Counting cards


def test_chances_of_holding_cards_are_exact() -> None:
    """Against all ways to deal six unseen cards to players with 3 and 2, one lying aside."""
    view = view_of("3C", out="4C 5C 6C 7C 8C 9C", left=(3, 2))
    chances = unseen.holdings(view, 7, word(ref.mask("4C 5C 6C 7C 8C 9C")))
    for size in range(1, 6):
        wanted = set(range(size))
        deals = [(set(one), set(two)) for one in combinations(range(6), 3) for two in combinations(set(range(6)) - set(one), 2)]
        together = sum((wanted <= one) + (wanted <= two) for one, two in deals)
        assert chances[size - 1] == pytest.approx(together / len(deals))
    assert unseen.holdings(view, 2, view.hand | word(ref.mask("4C 5C")))[0] == pytest.approx(1.0)


def random_ending(rng: Random) -> tuple[Any, int, int, ref.Options]:
    """A view on lead of few cards under any rules, its hand, the unseen cards, and the reference's options."""
    options = random_options(rng) | {"last_card_rule": "off"}
    cards = random_cards(rng, rng.randint(8, 16))
    mine = rng.randint(2, 8)
    hand, hidden = ref.mask(cards[:mine]), ref.mask(cards[mine:])
    first = rng.randint(0, len(cards) - mine)
    view = view_of(hand, rules=options, out=hidden, left=(first, 0, len(cards) - mine - first))
    return view, hand, hidden, ref.resolve(**options)


def is_control(view: Any, play: ref.Play, hidden: int, options: ref.Options) -> bool:
    """Whether no unseen cards beat a play, or nobody has cards enough for those that do."""
    most = max(cards_left(view, seat) for seat in range(1, int(view.players)))
    return not any(ref.beats(other, play, options) and other.size <= most for other in ref.all_plays(hidden, options))


def prepare(view: Any, hidden: int) -> tuple[Any, Any]:
    """Have the hand of a view priced as `control` does. Returns the chances and the number of five-card plays."""
    view.parameters[:12] = [parameter.default for parameter in BY_NAME["control"].parameters.values()]
    fives = word(recall_plays(view, notes())[0])
    chances = unseen.holdings(view, (1 << int(view.players)) - 1, word(hidden))
    prices.set_prices(view, fives, word(hidden), chances, notes())
    return chances, fives


def test_a_play_holds_for_sure_exactly_when_nothing_beats_it() -> None:
    """PD-4 to PD-7, PD-A7: controls by brute force over the unseen cards, under any rules."""
    rng = Random(7)
    seen: Counter[bool] = Counter()
    for _ in range(120):
        view, hand, hidden, options = random_ending(rng)
        chances, _ = prepare(view, hidden)
        for play in ref.all_plays(hand, options):
            strength = word(plays.strength_of(word(play.mask), view))
            hold = unseen.hold_chance(view, strength, word(hidden), chances, notes(), prices.SURVEY)
            assert 0 < hold <= 1
            control = is_control(view, play, hidden, options)
            assert (hold == 1.0) == control, (text_of(play.mask), text_of(hidden), options)
            seen[control] += 1
    assert min(seen.values()) > 100


def partings(hand: int, all_plays: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to part a hand into plays."""
    if not hand:
        yield ()
        return
    for play in all_plays:
        if play & (hand & -hand) and play & ~hand == 0:
            for rest in partings(hand ^ play, all_plays):
                yield (play, *rest)


def test_least_price_and_tolls_over_all_partings() -> None:
    """Against brute force with the prices and tolls of the single plays; one play of a parting pays no toll."""
    rng = Random(8)
    for _ in range(40):
        view, hand, hidden, options = random_ending(rng)
        chances, fives = prepare(view, hidden)
        price, toll = {}, {}
        for play in ref.all_plays(hand, options):
            strength = word(plays.strength_of(word(play.mask), view))
            hold = unseen.hold_chance(view, strength, word(hidden), chances, notes(), prices.SURVEY)
            toll[play.mask] = int(prices.toll(hold))
            if play.size == 5:
                price[play.mask] = int(prices.as_price(view.parameters[8] - view.parameters[3] * hold))
            else:
                higher = unseen.higher_of_rank(strength, word(hidden))
                price[play.mask] = int(prices.price_of_rank(view, strength, higher, hold, word(hidden)))
        ways = list(partings(hand, list(price)))
        assert int(prices.least_price(word(hand), fives, notes())) == min(sum(map(price.__getitem__, way)) for way in ways)
        tolls = [[toll[play] for play in way] for way in ways]
        let_off = min(sum(way) - max(way) for way in tolls)
        assert int(prices.least_tolls(word(hand), fives, notes())) == let_off
        assert prices.run_chance(word(hand), fives, notes()) == pytest.approx(math.exp(-let_off / 1000))


# control


def test_control_knows_what_is_out() -> None:
    """It leads the king when no ace or two is left (its only other card goes last), and keeps low cards when they are not controls."""
    assert played("control", "3C KD", out="4C 5D 9S TS QH JH KC 8C", left=(3, 3, 2)) == "KD"
    assert played("control", "3C KD", out="4C 5D 9S TS QH AC KC 8C", left=(3, 3, 2)) == "3C"
    assert played("control", "3C 3S KC KS", out="4C 4S 9S TS QH JH 8C AD", left=(3, 3, 2)) == "KC KS"


def test_control_leads_what_a_short_player_cannot_follow() -> None:
    """PD-10, PD-11: no low single to a player with one card, but two cards, or the highest."""
    assert played("control", "3C 4D 9S 9H", out="AC 5D 6S TS QH JH KC 8C", left=(1, 4, 3)) == "9S 9H"
    assert played("control", "3C 4D 9S 9H", out="AC 5D 6S TS QH JH KC 8C", left=(2, 4, 2)) != "9S 9H"
    assert played("control", "3C 4D KD", out="AC 5D 6S TS JH KC 8C 8D", left=(1, 4, 3)) == "KD"
    assert played("control", "3C 4D KD", out="AC 5D 6S TS JH KC 8C 8D", left=(4, 4, 3)) == "3C"


def test_control_does_not_leave_the_trick_to_who_goes_out() -> None:
    """PD-11: the owner of the table holds one card, so it beats him with all it has; otherwise it saves its ace."""
    known: dict[str, Any] = {"out": "2C 2S 5D 6S TS JH KC 8C 8D", "owner": 3, "active": 0b1001}
    assert played("control", "3C 3S 3H 7C 7D AD", "QD", left=(4, 4, 1), **known) == "AD"
    assert played("control:risk=0:hold=2", "3C 3S 3H 7C 7D AD", "QD", left=(4, 4, 1), **known) == "pass"


def forced(view: Any, hand: int, hidden: int, options: ref.Options) -> bool:
    """Whether a hand can be parted into plays of which all but one are controls, by brute force."""
    all_plays = {play.mask: play for play in ref.all_plays(hand, options)}
    controls = {mask for mask, play in all_plays.items() if is_control(view, play, hidden, options)}
    return any(sum(play not in controls for play in way) <= 1 for way in partings(hand, list(all_plays)))


def test_control_runs_out_its_hand_when_it_can() -> None:
    """On lead with all plays but one controls it goes out, whatever the others hold: no play of it but the last can be beaten."""
    rng = Random(9)
    runs = 0
    while runs < 40:
        view, hand, hidden, options = random_ending(rng)
        if hand.bit_count() < 3 or any(play.mask == hand for play in ref.all_plays(hand, options)):
            continue
        if not forced(view, hand, hidden, options):
            continue
        runs += 1
        while hand:
            taken = answer("control", view)
            play = ref.classify(taken, options)
            assert play is not None and (taken == hand or is_control(view, play, hidden, options))
            hand ^= taken
            view.hand = hand
            view.played[0] |= word(taken)
            assert forced(view, hand, hidden, options)


# endgame


class Ending:
    """The end of a hand with all cards known, searched by brute force: max^n on the reference's plays, all seats still in the game.

    Of equally good moves the strongest play is taken, a pass last (which plays are equal is left open: hands with two plays of the same
    strength are not asked for).
    """

    def __init__(self, options: ref.Options) -> None:
        self.options = options
        self.known: dict[Any, tuple[int, tuple[int, ...]]] = {}

    def legal(self, hands: tuple[int, ...], seat: int, table: ref.Play | None) -> list[ref.Play]:
        """Plays of a seat, strongest first."""
        after = next(other % len(hands) for other in range(seat + 1, seat + 9) if hands[other % len(hands)])
        found = ref.legal_plays(hands[seat], table, None, self.options, hands[after].bit_count())
        return sorted(found, key=lambda play: (min(play.size, 4) if play.size < 5 else 5, play.strength), reverse=True)

    def value(
        self, hands: tuple[int, ...], seat: int, table: ref.Play | None, owner: int, active: frozenset[int]
    ) -> tuple[int, tuple[int, ...]]:
        """Who goes out first, and the cards left in each hand then."""
        key = (hands, seat, table, owner, active)
        if key not in self.known:
            moves = self.legal(hands, seat, table)
            whole = [play for play in moves if play.mask == hands[seat]]
            best = None
            for play in (whole or moves) + ([None] if table and not whole else []):
                end = self.after(hands, seat, play, table, owner, active)
                if best is None or (end[0] != seat, end[1][seat]) < (best[0] != seat, best[1][seat]):
                    best = end
                if best[0] == seat:
                    break
            assert best is not None
            self.known[key] = best
        return self.known[key]

    def after(
        self, hands: tuple[int, ...], seat: int, play: ref.Play | None, table: ref.Play | None, owner: int, active: frozenset[int]
    ) -> tuple[int, tuple[int, ...]]:
        """What comes of a play, or of a pass (None)."""
        inside = frozenset(other for other, hand in enumerate(hands) if hand)
        if play is None:
            active -= {seat}
        else:
            hands = (*hands[:seat], hands[seat] ^ play.mask, *hands[seat + 1 :])
            if not hands[seat]:
                return seat, tuple(hand.bit_count() for hand in hands)
            table, owner = play, seat
            active = (active if self.options["pass_lockout"] else inside) | {seat}
        asked = [other % len(hands) for other in range(seat + 1, seat + len(hands)) if other % len(hands) in active - {owner}]
        if asked:
            return self.value(hands, asked[0], table, owner, active)
        leader = owner
        while not hands[leader]:
            leader = (leader + 1) % len(hands)
        return self.value(hands, leader, None, leader, inside)


def random_ends(rng: Random, players: int, holding: int, most: int) -> tuple[Any, list[int], ref.Play | None, ref.Options]:
    """A view of an end, all hands, the table and the options; ``holding`` seats of so many hold cards."""
    while True:
        options = random_options(rng)
        rules = ref.resolve(players=players, **options)
        cards = random_cards(rng, rng.randint(holding + 1, most))
        cuts = sorted(rng.sample(range(1, len(cards)), holding - 1))
        parts = [cards[i:j] for i, j in zip([0, *cuts], [*cuts, len(cards)], strict=True)]
        others = sorted(rng.sample(range(1, players), holding - 1))
        hands = [0] * players
        for seat, part in zip([0, *others], parts, strict=True):
            hands[seat] = ref.mask(part)
        found = [[play.strength for play in ref.all_plays(hand, rules)] for hand in hands]
        if any(len(set(strengths)) < len(strengths) for strengths in found):
            continue
        table = None
        owner = 0
        if rng.random() < 0.5:
            table = ref.classify(rng.sample([card for card in range(52) if card not in cards], rng.choice((1, 1, 2))), rules)
            owner = rng.choice(others)
            if table is None:
                continue
        hidden = ref.mask([card for part in parts[1:] for card in part])
        after = next(seat for seat in (*range(1, players), 0) if hands[seat])
        known: dict[str, Any] = {"rules": options, "out": hidden, "left": tuple(hand.bit_count() for hand in hands[1:])}
        known["top_single"] = int(rules["last_card_rule"] == "highest_single" and hands[after].bit_count() == 1)
        if table is not None:
            known["owner"] = owner
            known["active"] = sum(1 << seat for seat in {0, owner, *rng.sample(others, rng.randint(0, len(others)))})
        return view_of(hands[0], table.mask if table else 0, **known), hands, table, rules


def test_search_is_exact() -> None:
    """Against brute force: who goes out first after each play, and what everybody is left with (PD-7 to PD-11, PD-A10, PD-A20)."""
    rng = Random(10)
    winners: Counter[int] = Counter()
    for holding, most, count in ((2, 11, 60), (3, 9, 60), (4, 9, 60)):
        for _ in range(count):
            view, hands, table, options = random_ends(rng, 4, holding, most)
            notes()[int(HANDS) : int(HANDS) + 4] = hands
            notes()[int(search.LIMIT)] = 1 << 40
            assert search.lay_out(view, HANDS, notes())
            ending = Ending(options)
            active = frozenset(seat for seat in range(4) if view.active >> seat & 1)
            for play in (*ending.legal(tuple(hands), 0, table), *([None] if table else [])):
                winner, left = ending.after(tuple(hands), 0, play, table, int(view.owner), active)
                value = int(search.solve_after(view, word(play.mask if play else 0)))
                held = [int(notes()[int(search.CARDS) + seat]) for seat in range(4)]
                assert value >> search.MOST_CARDS == winner
                assert tuple((value & cards).bit_count() for cards in held) == left
                winners[winner] += 1
    assert min(winners.values()) > 50


def test_search_gives_up_in_time() -> None:
    """A limit on the positions that may be met holds, and what was found before it counts for nothing."""
    hands = [ref.mask(text) for text in ("3C 7D QD", "4C 8D KC", "5C 9D KH", "6C TD AC")]
    view = view_of(hands[0], out=sum(hands[1:]), left=(3, 3, 3))
    notes()[int(HANDS) : int(HANDS) + 4] = hands
    assert search.lay_out(view, HANDS, notes())
    values = []
    for limit in (0, 5, 1000):
        notes()[int(search.MET)], notes()[int(search.LIMIT)] = 0, limit
        values.append(search.solve_after(view, word(ref.mask("3C"))))
        assert notes()[int(search.MET)] <= limit
    assert values[0] == values[1] == search.GIVEN_UP != values[2]


def test_endgame_wins_whenever_it_can_against_one_player_left() -> None:
    """PD-11, playing on: the other hand is known, so a play that wins is found wherever there is one."""
    rng = Random(12)
    choices = 0
    for _ in range(150):
        view, hands, table, options = random_ends(rng, 4, 2, 10)
        ending = Ending(options)
        active = frozenset(seat for seat in range(4) if view.active >> seat & 1)
        moves = [*ending.legal(tuple(hands), 0, table), *([None] if table else [])]
        won = {(move.mask if move else 0): ending.after(tuple(hands), 0, move, table, int(view.owner), active)[0] == 0 for move in moves}
        assert won[answer("endgame", view)] == any(won.values())
        choices += len(set(won.values())) > 1
    assert choices > 30


def test_endgame_searches_only_near_the_end() -> None:
    """With more cards left than ``cards`` it plays as `control` does, and when the search would take too long."""
    rng = Random(13)
    differences = 0
    for _ in range(120):
        view, _, _, _ = random_ends(rng, 4, 4, 16)
        usual = answer("control", view)
        assert answer("endgame:cards=3", view) == usual
        assert answer("endgame:positions=0", view) in (usual, answer("endgame", view))
        differences += answer("endgame", view) != usual
    assert differences > 3


def test_endgame_guesses_only_hands_that_can_be() -> None:
    """PD-10, PD-A12: as many unseen cards to each seat as it holds; over many guesses every card is everywhere."""
    hidden = ref.mask("4C 5C 6C 7C 8C 9C")
    view = view_of("3C", out=hidden, left=(3, 2))
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(300):
        guess_hands(view, word(hidden), notes())
        hands = [int(notes()[int(HANDS) + seat]) for seat in range(3)]
        assert hands[0] == int(view.hand) and hands[1] & hands[2] == 0 and (hands[1] | hands[2]) & ~hidden == 0
        assert [hand.bit_count() for hand in hands] == [1, 3, 2]
        met.update((seat, card) for seat in (1, 2) for card in ref.indices(hands[seat]))
    assert len(met) == 12
    assert all(100 < number < 200 for (seat, _), number in met.items() if seat == 1)


# All of them together


def test_each_is_better_than_the_one_before() -> None:
    """Win rates at a table of three dumpers, on the same deals: every step but the last is significant."""
    game = find_game("pusoy-dos")
    ladder = [player(name) for name in ("control", "partition", "saver", "dumper", "lowest", "random")]
    done = compare(game, game.make_rules({}), ladder, [player("dumper")], deals=600, seed=3)
    for row in done.candidates[1:]:
        step = row.step or row.difference
        assert step is not None and step.high is not None and step.high < 0, row.strategy


def digest() -> list[int]:
    """What every strategy plays on some random views."""
    rng = Random(14)
    views = [random_view(rng)[0] for _ in range(12)]
    names = [name for name in BY_NAME if name != "endgame"]
    found = []
    for view in views:
        for name in names:
            notes()[:] = 0
            found.append(answer(name, view))
    for _ in range(4):
        view, _, _, _ = random_ends(rng, 4, 3, 7)
        found.append(answer("endgame:samples=2", view))
    return found


def test_plain_python_gives_the_same() -> None:
    command = "from tests.test_strategies_pusoy_dos import digest; print(digest())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == str(digest())


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(UsageError, match="out of range"):
        player("endgame:cards=21")
    with pytest.raises(UsageError, match="did you mean ready_five"):
        player("control:ready_fiv=1")
