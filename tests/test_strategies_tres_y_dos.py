"""Strategies of Tres y Dos: every decision rule on hand-made views, in words, and legality over random ones."""

import math
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from sim.errors import UsageError
from sim.games.tres_y_dos.rules import TresYDosRules
from sim.games.tres_y_dos.view import NO_RANK, PILE, REFUSED, STOCK, THROWN, VIEW
from sim.strategy import Player, Strategy, set_parameters
from sim.view import records
from strategies.tres_y_dos import STRATEGIES
from strategies.tres_y_dos.counting import live_cards, smaller_of, stock_left
from strategies.tres_y_dos.hands import FOUR, FULL_HOUSE, ONE_PAIR, THREE, TWO_PAIRS, pattern_of

BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
RANKS = "A23456789TJQK"
PATTERNS = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (4, 1): 3, (3, 1, 1): 4, (3, 2): 5}
"""Patterns of five cards, worst to best, by their counts."""

TIPS = ("keep_pairs", "drop_singles", "watch_pile", "dont_feed", "count_cards", "keep_two_routes", "show_fast")


def counts(cards: str) -> int:
    """Counted ranks of a text such as '77KK3'."""
    return sum(1 << 4 * RANKS.index(card) for card in cards)


def places(ranks: str) -> int:
    """One bit at the place of each rank of a text."""
    return counts("".join(set(ranks)))


def view_of(hand: str, top: str = "", **known: Any) -> Any:
    """The view of seat 0 (or ``seat``) of four players (or ``players``): five cards at the draw, six at the discard.

    ``pile`` lists the cards of the pile (its top, when given, lies on top of them). ``took``, ``threw`` and ``refused``
    give for a seat the cards it took and kept, the ranks it threw, the ranks it passed over. ``taken`` is the rank just
    taken from the pile.
    """
    view = records(VIEW, 1)[0]
    view.players = known.get("players", 4)
    view.seat = known.get("seat", 0)
    view.hand = counts(hand)
    view.top = RANKS.index(top) if top else NO_RANK
    view.pile_counts = counts(known.get("pile", "") + top)
    view.recycled = counts(known.get("recycled", ""))
    view.taken = view.drawn = NO_RANK
    if len(hand) == 6:
        view.legal = places(hand)
        if "taken" in known:
            view.taken = view.drawn = RANKS.index(known["taken"])
            if hand.count(known["taken"]) == 1 or known.get("same_rank", False):
                view.legal = places(hand.replace(known["taken"], ""))
    for seat, cards in known.get("took", {}).items():
        view.known[seat] = counts(cards)
    for seat, ranks in known.get("threw", {}).items():
        view.marks[seat] |= np.uint64(places(ranks) << THROWN)
    for seat, ranks in known.get("refused", {}).items():
        view.marks[seat] |= np.uint64(places(ranks) << REFUSED)
    view.random_unit = known.get("unit", 0)
    return view


def player(text: str) -> Player:
    """A player from a text such as 'tips:dont_feed=0'."""
    name, *settings = text.split(":")
    return set_parameters(BY_NAME[name], dict(setting.split("=") for setting in settings))


def answer(who: str, decision: str, view: Any) -> int:
    """What a player decides on a view."""
    seated = player(who)
    view.parameters[: len(seated.values)] = list(seated.values.values())
    return int(seated.strategy.decisions[decision](view))


def draws(who: str, hand: str, top: str, **known: Any) -> str:
    """Where a player draws from: 'stock' or 'pile'."""
    return {STOCK: "stock", PILE: "pile"}[answer(who, "draw", view_of(hand, top, **known))]


def throws(who: str, hand: str, **known: Any) -> str:
    """The rank that a player throws of six cards."""
    return RANKS[answer(who, "discard", view_of(hand, **known))]


def all_throws(who: str, hand: str, **known: Any) -> dict[str, int]:
    """How often a player throws each rank over 300 units."""
    return dict(Counter(throws(who, hand, unit=unit, **known) for unit in range(300)))


def pattern_text(hand: str) -> int:
    """The place of five cards among the patterns, counted plainly."""
    return PATTERNS[tuple(sorted(Counter(hand).values(), reverse=True))]


def random_view(chance: Random, cards: int) -> tuple[Any, str]:
    """A view that could occur, and its hand: cards dealt at random, some of the others' known, marks at random."""
    players = chance.randint(2, 7)
    deck = [rank for rank in RANKS for _ in range(4)]
    chance.shuffle(deck)
    hand = "".join(deck[:cards])
    others = [deck[cards + 5 * i : cards + 5 * i + 5] for i in range(players - 1)]
    rest = deck[cards + 5 * (players - 1) :]
    pile = "".join(rest[: chance.randint(1, len(rest))])
    known: dict[str, Any] = {
        "players": players,
        "pile": pile if cards == 6 else pile[1:],
        "took": {i + 1: "".join(held[: chance.choice((0, 0, 1, 2))]) for i, held in enumerate(others)},
        "threw": {i + 1: "".join(chance.sample(RANKS, chance.randint(0, 4))) for i in range(players - 1)},
        "refused": {i + 1: "".join(chance.sample(RANKS, chance.randint(0, 4))) for i in range(players - 1)},
        "unit": chance.randrange(1 << 32),
    }
    if chance.random() < 0.2:
        known["recycled"] = "".join(rest)
    if cards == 6 and chance.random() < 0.5:
        known["taken"] = chance.choice(hand)
        known["same_rank"] = chance.random() < 0.5 and len(set(hand)) > 1
    view = view_of(hand, pile[0] if cards == 5 else "", **known)
    view.turn = chance.randint(0, 60)
    return view, hand


def variants() -> Iterator[str]:
    """Every strategy, and every strategy with one parameter at the low end of its range."""
    for strategy in STRATEGIES:
        yield strategy.name
        for name, parameter in strategy.parameters.items():
            yield f"{strategy.name}:{name}={parameter.low:g}"
    yield "tips:" + ":".join(f"{tip}=0" for tip in TIPS)


# What every strategy has


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_every_strategy_is_described(strategy: Strategy) -> None:
    assert strategy.game == "tres-y-dos"
    assert {"draw", "discard"} <= set(strategy.decisions) <= {"draw", "discard", "show"}
    assert len(strategy.summary) > 30 and strategy.summary.endswith(".")
    assert strategy.source
    assert all(len(parameter.help) > 20 for parameter in strategy.parameters.values())


def test_names() -> None:
    assert list(BY_NAME) == ["random", "stock-only", "greedy", "pattern", "outs", "tips", "guarded", "reader"]


@pytest.mark.parametrize("who", list(variants()))
def test_never_illegal(who: str) -> None:
    """TYD-6, TYD-7, TYD-A2: a draw from what there is, a discard of a rank that may be thrown."""
    chance = Random(who)
    for _ in range(150):
        view, _ = random_view(chance, 5)
        assert answer(who, "draw", view) in (STOCK, PILE)
        view.top = NO_RANK
        assert answer(who, "draw", view) == STOCK
        view, _ = random_view(chance, 6)
        assert (int(view.legal) >> 4 * answer(who, "discard", view)) & 1


# Helpers


def test_patterns() -> None:
    """TYD-O6: three of a kind needs fewer draws than four, four fewer than two pairs."""
    hands = {"AAA22": FULL_HOUSE, "AAA23": THREE, "AAAA2": FOUR, "AA223": TWO_PAIRS, "AA234": ONE_PAIR, "A2345": 0}
    for hand, pattern in hands.items():
        assert pattern_of(np.uint64(counts(hand))) == pattern == pattern_text(hand)


def test_smaller_of_two_counts() -> None:
    for a in range(8):
        for b in range(8):
            words = np.uint64(a << 48 | b << 4 | 3), np.uint64(b << 48 | a << 4 | 5)
            assert smaller_of(*words) == min(a, b) << 48 | min(a, b) << 4 | 3


def test_live_cards_are_those_not_seen() -> None:
    """TYD-A15: all that was ever face up may be remembered."""
    live = int(live_cards(view_of("77KK3", "5", pile="7", took={2: "K"})))
    assert [live >> 4 * RANKS.index(rank) & 15 for rank in "7K35A"] == [1, 1, 3, 3, 4]


def test_live_cards_after_a_reshuffle() -> None:
    """TYD-14: the new stock holds what the pile held, so a card that nobody threw is in somebody's hand."""
    live = int(live_cards(view_of("77KK3", "5", recycled="77QQQ2")))
    assert [live >> 4 * RANKS.index(rank) & 15 for rank in "7KQ23A"] == [2, 0, 3, 1, 0, 0]
    live = int(live_cards(view_of("77KK3", "7", pile="QQ", took={1: "2"}, recycled="77QQQ2")))
    assert [live >> 4 * RANKS.index(rank) & 15 for rank in "7KQ23A"] == [1, 0, 2, 1, 0, 0]


def test_live_cards_before_a_reshuffle() -> None:
    """TYD-14: when the stock will not last for a round, the pile is what will be drawn from."""
    pile = "AAAA2222333344445555666678888"
    view = view_of("77KK9", pile=pile)
    assert stock_left(view) == 52 - 20 - 29 == 3
    assert int(live_cards(view)) == counts(pile)
    view = view_of("77KK9", pile=pile[:-1])
    assert stock_left(view) == 4
    assert int(live_cards(view)) == counts("7" + "KK" + "999" + "TTTTJJJJQQQQ" + "8")


# random


def test_random_throws_each_rank_that_may_be_thrown() -> None:
    """TYD-7: not the single 3 just taken; a rank held twice is one move like any other."""
    seen = all_throws("random", "77KQ53", taken="3")
    assert set(seen) == {"7", "K", "Q", "5"}
    assert all(45 < number < 105 for number in seen.values())


def test_random_tosses_a_coin_for_the_draw() -> None:
    seen = Counter(draws("random", "77KQ5", "3", unit=unit) for unit in range(300))
    assert 110 < seen["pile"] < 190


# stock-only (TYD-O7)


def test_stock_only_never_touches_the_pile() -> None:
    assert draws("stock-only", "777K3", "3") == "stock"


@pytest.mark.parametrize(("hand", "thrown"), [("777733", "7"), ("777KKK", "7"), ("777KK3", "3"), ("AAQQQQ", "Q")])
def test_stock_only_wins_if_it_can(hand: str, thrown: str) -> None:
    assert all_throws("stock-only", hand) == {thrown: 300}


@pytest.mark.parametrize(
    ("hand", "ranks"),
    [
        ("777KQ3", "KQ3"),
        ("77KKQ3", "Q3"),
        ("77KQ53", "KQ53"),
        ("7777K3", "K3"),
        ("77KK33", "7K3"),
        ("789TJQ", "789TJQ"),
    ],
)
def test_stock_only_throws_a_random_single_else_of_a_random_pair(hand: str, ranks: str) -> None:
    """Policy G literally: from four of a kind and two singles it throws a single."""
    seen = all_throws("stock-only", hand)
    assert set(seen) == set(ranks)
    assert max(seen.values()) < 2 * min(seen.values())


def test_stock_only_has_the_exact_law_of_its_draws() -> None:
    """TYD-O7: P(done within 3, 5, 8 draws) of policy G, in 8000 solitaires, within 4 standard errors."""
    chance = Random(7)
    discard = BY_NAME["stock-only"].decisions["discard"]
    view = view_of("")
    done: Counter[int] = Counter()
    games = 8_000
    for view.random_unit in range(games):
        deck = [rank for rank in range(13) for _ in range(4)]
        chance.shuffle(deck)
        hand = [0] * 13
        for rank in deck[:5]:
            hand[rank] += 1
        time = 0
        while sorted(hand)[-2:] != [2, 3] and time < 8:
            hand[deck[5 + time]] += 1
            time += 1
            view.hand = sum(held << 4 * rank for rank, held in enumerate(hand))
            view.legal = sum(1 << 4 * rank for rank, held in enumerate(hand) if held)
            view.random_sub, view.random_used = time, 0
            hand[discard(view)] -= 1
        if sorted(hand)[-2:] == [2, 3]:
            done[time] += 1
    for time, exact in ((3, 0.049229731979131), (5, 0.126786238115590), (8, 0.282619520801800)):
        share = sum(number for draws_needed, number in done.items() if draws_needed <= time) / games
        assert abs(share - exact) < 4 * math.sqrt(exact * (1 - exact) / games)


# greedy (TYD-O9)


@pytest.mark.parametrize(
    ("hand", "top", "where"),
    [
        ("77KQ3", "K", "pile"),  # one held
        ("77KQ3", "7", "pile"),  # two held
        ("77KK3", "3", "pile"),  # also where it helps nothing
        ("777K3", "7", "stock"),  # three held
        ("77KQ3", "5", "stock"),  # none held
        ("77KQ3", "", "stock"),  # nothing there
    ],
)
def test_greedy_takes_what_it_holds_one_or_two_of(hand: str, top: str, where: str) -> None:
    assert draws("greedy", hand, top) == where


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("7777A3", "7"),  # one of a four of a kind
        ("77KQ5A", "A"),  # the lowest single, ace lowest
        ("AAKQ53", "3"),
        ("77KK33", "3"),  # one of the lowest pair
        ("777KKK", "7"),  # one of the lowest triple
        ("77773K", "7"),
        ("333377", "3"),
    ],
)
def test_greedy_throws(hand: str, thrown: str) -> None:
    assert throws("greedy", hand) == thrown


def test_greedy_passes_over_the_rank_just_taken() -> None:
    """TYD-O9 under ``pickup_discard_rule='same_rank'`` (TYD-A2): four are kept, of three pairs another one goes."""
    assert throws("greedy", "7777A3", taken="7") == "7"
    assert throws("greedy", "7777A3", taken="7", same_rank=True) == "A"
    assert throws("greedy", "33KKQQ", taken="3", same_rank=True) == "Q"


# pattern


@pytest.mark.parametrize(
    ("hand", "top", "where"),
    [
        ("789TJ", "9", "pile"),  # a pair
        ("77KQ3", "3", "pile"),  # two pairs
        ("77KQ3", "7", "pile"),  # three of a kind
        ("77KK3", "7", "pile"),  # a full house
        ("777K3", "3", "pile"),  # a full house
        ("77KK3", "3", "stock"),  # a third pair is no better than two
        ("777K3", "7", "stock"),  # nor is a fourth of a kind better than three
        ("77KQ3", "5", "stock"),
        ("7777K", "3", "pile"),  # from four of a kind to three and two singles
    ],
)
def test_pattern_takes_what_makes_a_better_pattern(hand: str, top: str, where: str) -> None:
    assert draws("pattern", hand, top) == where


def test_pattern_plays_for_the_best_pattern() -> None:
    """Against a plain search: it takes the discard iff the best five cards get better, and keeps the best five."""
    chance = Random(3)
    for _ in range(400):
        view, hand = random_view(chance, 5)
        best = max(pattern_text((hand + RANKS[view.top]).replace(rank, "", 1)) for rank in set(hand))
        assert answer("pattern", "draw", view) == (PILE if best > pattern_text(hand) else STOCK)
        view, hand = random_view(chance, 6)
        left = {r: pattern_text(hand.replace(RANKS[r], "", 1)) for r in range(13) if int(view.legal) >> 4 * r & 1}
        assert answer("pattern", "discard", view) == min(r for r in left if left[r] == max(left.values()))


# outs


def expected_draws(hand: str, live: dict[str, int], unseen: int) -> float:
    """Draws needed on average from three of a kind, two pairs or a pair, with the cards seen gone for good."""

    def until(outs: int) -> float:
        return unseen / outs if outs > 0 else math.inf

    groups = Counter(hand)
    shape = pattern_text(hand)
    kickers = [rank for rank in groups if groups[rank] == 1]
    pairs = [rank for rank in groups if groups[rank] == 2]
    if shape == THREE:
        return until(sum(live[rank] for rank in kickers))
    if shape == TWO_PAIRS:
        return until(sum(live[rank] for rank in pairs))
    assert shape == ONE_PAIR
    steps = [(until(sum(sorted(live[rank] for rank in kickers)[-2:])), live[pairs[0]])]
    steps += [(until(live[pairs[0]] + live[rank] - 1), live[rank]) for rank in kickers if live[rank]]
    needed = math.inf
    ways, total = 0, float(unseen)
    for further, copies in sorted(steps):  # a second pair that needs more draws than one pair alone is no step forward
        if copies and further < needed:
            ways, total = ways + copies, total + copies * further
            needed = total / ways
    return needed


def test_outs_throws_what_needs_the_fewest_draws() -> None:
    """Of the singles it could throw beside three of a kind, two pairs or one pair (TYD-O6 with live cards)."""
    chance = Random(5)
    seen: Counter[int] = Counter()
    while min(seen[shape] for shape in (ONE_PAIR, TWO_PAIRS, THREE)) < 60:
        shape = chance.choice(("777", "77KK", "77"))
        hand = shape + "".join(chance.sample("A234568", 6 - len(shape)))
        rest = [rank for rank in RANKS for _ in range(4 - hand.count(rank))]
        chance.shuffle(rest)
        pile, took = "".join(rest[: chance.randint(1, 16)]), "".join(rest[16 : chance.randint(16, 18)])
        live = Counter(rest)
        live.subtract(pile + took)
        thrown = throws("outs", hand, pile=pile, took={3: took})
        after = {r: expected_draws(hand.replace(r, ""), live, live.total()) for r in set(hand) if hand.count(r) == 1}
        seen[pattern_text(hand.replace(thrown, "", 1))] += 1
        assert math.isclose(after[thrown], min(after.values()))


def test_outs_counts_what_it_sees() -> None:
    """Of 3, 9 and Q beside three sevens it throws the queen, two of which lie in the pile and one in a hand."""
    assert throws("outs", "777Q93") == "3"
    assert throws("outs", "777Q93", pile="QQ93") == "Q"
    assert throws("outs", "777Q93", pile="Q93", took={2: "Q"}) == "Q"


def test_outs_counts_what_a_reshuffle_brought_back() -> None:
    """TYD-14: no 9 went into the new stock."""
    assert throws("outs", "777Q93", recycled="QQ33KKAA22") == "9"


@pytest.mark.parametrize(("hand", "top"), [("789TJ", "9"), ("77KQ3", "3"), ("77KQ3", "7"), ("777K3", "3"), ("7777K", "K")])
def test_outs_takes_pairs_threes_and_full_houses(hand: str, top: str) -> None:
    assert draws("outs", hand, top) == "pile"


def test_outs_takes_a_third_pair_only_for_a_dead_one() -> None:
    assert draws("outs", "77KK3", "3") == "stock"
    assert draws("outs", "77KK3", "3", pile="77") == "stock"  # two kings can still come
    assert draws("outs", "77KK3", "3", pile="77K") == "pile"  # one king left, and two threes beside this one
    assert draws("outs", "77KK3", "3", pile="77KK33") == "stock"  # no use: the threes are gone as well
    assert throws("outs", "77KK33", pile="77K", taken="3") == "7"


def test_outs_throws_the_fourth_of_a_kind() -> None:
    assert throws("outs", "7777KQ", pile="KKK") == "7"


# guarded (TYD-T3, TYD-T4)


def test_guarded_does_not_feed_the_next_player() -> None:
    """Seat 1, the next, took a 9, so he has at least two; seat 2 is not thrown to. No other 9 can come."""
    assert throws("guarded", "777Q93", pile="9Q", took={1: "9"}) == "Q"
    assert throws("guarded", "777Q93", pile="9Q", took={2: "9"}) == "9"
    assert throws("outs", "777Q93", pile="9Q", took={1: "9"}) == "9"
    assert throws("guarded", "777Q93", pile="9Q", took={0: "9"}, seat=3) == "Q"  # the last seat throws to the first


def test_guarded_gives_up_no_more_live_cards_than_it_tolerates() -> None:
    """The wanted 9 has no live card left and the queen two: one is not worth it when only one may be given up."""
    seen: dict[str, Any] = {"pile": "9Q", "took": {1: "9"}}
    assert throws("guarded", "777Q93", **seen) == "Q"
    assert throws("guarded:tolerance=2", "777Q93", **seen) == "Q"
    assert throws("guarded:tolerance=1", "777Q93", **seen) == "9"
    assert throws("guarded:caution=0", "777Q93", **seen) == "9"


def test_guarded_breaks_a_pair_rather_than_feed() -> None:
    """The next player collects both singles."""
    assert throws("guarded", "77KKQ3", pile="7", took={1: "Q3"}) == "7"
    assert throws("guarded:caution=1", "77KKQ3", pile="7", took={1: "Q3"}) == "3"


def test_guarded_does_not_mind_feeding_when_it_wins() -> None:
    """TYD-10: the hand is over before the next player can take the card."""
    assert throws("guarded", "777KK3", took={1: "3"}) == "3"
    assert throws("guarded", "7777KK", took={1: "7"}) == "7"


def test_guarded_does_not_fear_who_took_two() -> None:
    """Who took a second one has three: the fourth is no use to him."""
    assert throws("guarded", "777Q93", took={1: "99"}) == "9"


def test_guarded_waits_for_no_rank_that_others_collect() -> None:
    """Two of each rank are not seen yet, but whoever took a queen holds one of those."""
    assert throws("guarded", "777Q93", pile="93", took={2: "Q"}) == "Q"
    assert throws("outs", "777Q93", pile="93", took={2: "Q"}) == "3"


def test_guarded_throws_what_the_next_player_does_not_want() -> None:
    """Among equals: what he threw, or passed over."""
    assert throws("guarded", "777Q93") == "3"
    assert throws("guarded", "777Q93", threw={1: "Q"}) == "Q"
    assert throws("guarded", "777Q93", refused={1: "9"}) == "9"
    assert throws("guarded", "777Q93", threw={2: "Q"}) == "3"
    assert throws("guarded", "777Q93", threw={1: "Q"}, pile="9") == "9"  # no equals: the nines are fewer
    assert throws("guarded", "777Q93", threw={1: "Q"}, took={1: "QQ"}, pile="999333") == "3"  # he took to queens since


# reader


def test_reader_does_the_opposite_of_the_table() -> None:
    assert throws("reader", "777Q93") == "Q"  # nothing seen yet
    assert throws("reader", "777Q93", threw={1: "A", 2: "2", 3: "K"}) == "Q"
    assert throws("reader", "777Q93", threw={1: "K", 2: "J", 3: "2"}) == "3"
    assert throws("reader", "777Q93", threw={0: "KJT"}) == "Q"  # its own throws say nothing of the others
    assert throws("reader:contrary=0", "777Q93") == "3"


def test_reader_counts_and_guards_first() -> None:
    assert throws("reader", "777Q93", pile="9") == "9"
    assert throws("reader", "777Q93", took={1: "Q"}) == "9"
    assert throws("reader", "777KKQ", threw={1: "K"}) == "Q"
    assert throws("reader", "777KKK") == "7"


# tips (TYD-T1 to TYD-T7)


def test_tips_t1_keep_pairs() -> None:
    """Keep pairs: it takes what makes a pair and keeps it; who does not treats a pair as two single cards."""
    assert draws("tips", "789TJ", "9") == "pile"
    assert draws("tips:keep_pairs=0", "789TJ", "9") == "stock"
    assert throws("tips", "33KQ95") == "5"
    assert throws("tips:keep_pairs=0", "33KQ95") == "3"
    assert throws("tips:keep_pairs=0", "99KQ53") == "3"


def test_tips_t2_throw_single_cards() -> None:
    """Throw single cards: who does not throws from three of a kind as readily."""
    assert throws("tips", "333KQ9") == "9"
    assert throws("tips:drop_singles=0", "333KQ9") == "3"
    assert throws("tips:drop_singles=0", "33KQ95") == "5"  # pairs are kept all the same


def test_tips_t3_watch_the_pile() -> None:
    """What others take is what they collect: it does not wait for what seat 2 took, nor throw seat 1 what he took."""
    assert throws("tips", "777Q93", took={2: "Q"}, pile="93") == "Q"
    assert throws("tips:watch_pile=0", "777Q93", took={2: "Q"}, pile="93") == "3"
    assert throws("tips", "777Q93", took={1: "3"}, pile="Q9") == "9"
    assert throws("tips:watch_pile=0", "777Q93", took={1: "3"}, pile="Q9") == "3"


def test_tips_t4_do_not_feed() -> None:
    """Do not throw what the next player needs: he took a 3 and threw a queen."""
    assert throws("tips", "777Q93", took={1: "3"}) == "9"
    assert throws("tips:dont_feed=0", "777Q93", took={1: "3"}) == "3"
    assert throws("tips", "777Q93", threw={1: "Q"}) == "Q"
    assert throws("tips:dont_feed=0", "777Q93", threw={1: "Q"}) == "3"


def test_tips_t5_count_cards() -> None:
    """If the other three queens are out, no queen comes."""
    assert throws("tips", "777Q93", pile="QQQ") == "Q"
    assert throws("tips:count_cards=0", "777Q93", pile="QQQ") == "3"
    assert draws("tips", "77KK3", "3", pile="77KK") == "pile"
    assert draws("tips:count_cards=0", "77KK3", "3", pile="77KK") == "stock"


def test_tips_t6_keep_two_routes() -> None:
    """With two pairs you wait for two ranks: it takes a second pair, keeps it, and breaks up four of a kind."""
    assert draws("tips", "77KQ3", "3") == "pile"
    assert draws("tips:keep_two_routes=0", "77KQ3", "3") == "stock"
    assert throws("tips", "33KKQ9") == "9"
    assert throws("tips:keep_two_routes=0", "33KKQ9") == "3"
    assert throws("tips", "7777KQ") == "7"
    assert throws("tips:keep_two_routes=0", "7777KQ") == "Q"


def test_tips_t7_be_quick() -> None:
    """The first to show wins: who is slow overlooks his full house one time in four."""
    assert answer("tips", "show", view_of("777KK")) == 1
    assert answer("tips", "show", view_of("777KQ")) == 0
    assert answer("tips:show_fast=0", "show", view_of("777KK")) == 0
    shown = sum(answer("tips:show_fast=0.75", "show", view_of("777KK", unit=unit)) for unit in range(400))
    assert 265 < shown < 335
    assert not any(answer("tips:show_fast=0.75", "show", view_of("777KQ", unit=unit)) for unit in range(50))


def test_tips_slow_players_need_rules_that_ask_them() -> None:
    """TYD-A5: with ``auto_show`` nobody is asked, so being slow would change nothing."""
    with pytest.raises(UsageError, match=r"show_fast=0\.5 needs the rule auto_show=false"):
        player("tips:show_fast=0.5").check(TresYDosRules())
    player("tips:show_fast=0.5").check(TresYDosRules(auto_show=False))
    player("tips").check(TresYDosRules())


@pytest.mark.parametrize("tip", TIPS)
def test_every_tip_changes_something(tip: str) -> None:
    """Over random views a player who does not follow one tip decides otherwise now and then."""
    chance = Random(tip)
    differ = 0
    for _ in range(400):
        for decision, cards in (("draw", 5), ("discard", 6)):
            view, _ = random_view(chance, cards)
            differ += answer("tips", decision, view) != answer(f"tips:{tip}=0", decision, view)
    full = view_of("777KK")
    differ += answer("tips", "show", full) != answer(f"tips:{tip}=0", "show", full)
    assert differ > 0


@pytest.mark.parametrize(("hand", "thrown"), [("777733", "7"), ("777KKK", "7"), ("777KK3", "3")])
def test_tips_completes_a_full_house_whatever_it_follows(hand: str, thrown: str) -> None:
    none = "tips:" + ":".join(f"{tip}=0" for tip in TIPS)
    assert throws("tips", hand, took={1: thrown}) == throws(none, hand, took={1: thrown}) == thrown
