"""Tres y Dos: what each rule and option changes, a worked example card by card, edge states, and invariants.

Rules TYD-n, ambiguities TYD-An and oracles TYD-On are quoted by number; K1-… are faults of other programs.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import bulk, hot
from sim.arm import Arm
from sim.cards import RANKS, parse_cards
from sim.game import WHOLE
from sim.games.tres_y_dos.engine import full_house
from sim.games.tres_y_dos.view import DISCARDING, DRAWING, NO_RANK
from sim.rules import value_text
from sim.tracing import Table, trace
from sim.view import records
from tests.conformance.tables import imagined, steps
from tests.reference.streams import philox4x64
from tests.tres_y_dos_mirror import COMPILED
from tests.tres_y_dos_tables import (
    ALWAYS,
    GAME,
    HAND,
    MATCH,
    MUTE,
    NEVER,
    SEED,
    TAKER,
    columns_of,
    counted,
    outcome,
    play_out,
    scripted,
    stack,
    table_of,
    told,
)

FULL = "9C 9D 9H 4C 4D"
OTHER_FULL = "8C 8D 8H QC QD"
NOTHING = ("AC 3D 5H 7S JC", "2C 6D 7H TS KS", "AD 3H 5S 6C JD", "2D 6H 7D TC KH")
GREEDY, RANDOM = COMPILED["greedy"], COMPILED["random"]


def view_of(table: Table, seat: int) -> Any:
    """The view of a seat, from the position as it stands."""
    view = records(GAME.view_dtype, 1)[0]
    GAME.knowledge.write_view(table.positions[0], view, seat, table.rules[0])
    return view


def ranks_in(word: int) -> str:
    """The ranks marked in a word with four bits a rank."""
    return "".join(RANKS[rank] for rank in range(13) if int(word) >> 4 * rank & 15)


def wins_first(table: Table) -> list[int]:
    """The shares of a hand played to its end."""
    play_out(table)
    shares: list[int] = outcome(table)["won"]
    return shares


# The worked example ---------------------------------------------------------------------------------------------


def worked_example() -> Table:
    """The example of the Arabic source: player 1 waits with 7-7-K-K-3."""
    lineup = [scripted("stock 5, stock 3"), scripted("pile 7"), scripted("stock Q")]
    table = table_of({}, lineup)
    stack(table, ["7C 7D KC KD 3C", "7H 5C 9D TS 2C", "QH 4D 6S 8C JD"], "AS", "5H 9H KS")
    table.names[:] = ["one", "two", "three"]
    return table


def test_worked_example() -> None:
    """He wins on his second turn with three kings and two sevens."""
    table = worked_example()
    assert told(table) == [
        "seat 1 draws 5H from the stock",
        "seat 1 discards 5H",
        "seat 2 takes 5H from the pile",
        "seat 2 discards 7H",
        "seat 3 draws 9H from the stock",
        "seat 3 discards QH",
        "seat 1 draws KS from the stock",
        "seat 1 discards 3C",
        "seat 1 shows KC KD KS 7C 7D: tres y dos!",
        "seat 1 (one) wins the hand after 4 turns of the table",
    ]
    assert outcome(table) == {
        "won": [WHOLE, 0, 0],
        "marbles": [2 * WHOLE, -WHOLE, -WHOLE],
        "turns": 4,
        "finished": 1,
        "voids": 0,
        "dealt_wins": 0,
        "reshuffles": 0,
        "hands": 1,
    }


def test_worked_example_as_data() -> None:
    data = [dict(event.data) for event in play_out(worked_example())]
    assert data[0] == {"event": "draw", "seat": 1, "card": "5H", "source": "stock"}
    assert data[2] == {"event": "draw", "seat": 2, "card": "5H", "source": "pile"}
    assert data[-2] == {"event": "show", "seat": 1, "cards": ["KC", "KD", "KS", "7C", "7D"], "full_house": True}
    assert data[-1] == {"event": "win", "seat": 1, "share": 1.0, "turns": 4}


# The deal and the turn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 8))
def test_the_deal(players: int) -> None:
    """TYD-3, TYD-5: five cards each, one turned up, 51 - 5n in the stock; seat 1 begins, left of the dealer."""
    table = table_of({}, (GREEDY,) * players)
    position = table.positions[0]
    sizes = {zone: len(cards) for zone, cards in GAME.knowledge.zones(position).items()}
    assert sizes == {"stock": 51 - 5 * players, "pile": 1, **{f"hand {seat + 1}": 5 for seat in range(players)}}
    assert (int(position.seat), int(position.dealer)) == (0, players - 1)


def test_the_first_player_may_take_the_up_card() -> None:
    """TYD-8."""
    table = table_of({}, [scripted("pile 3"), GREEDY])
    stack(table, ["9C 9D 4C 4D 3C", NOTHING[1]], "9S")
    assert told(table)[:3] == [
        "seat 1 takes 9S from the pile",
        "seat 1 discards 3C",
        "seat 1 shows 9C 9D 9S 4C 4D: tres y dos!",
    ]


@pytest.mark.parametrize(
    ("rule", "hand", "legal"),
    [
        ("same_card", "7C 7D KC KD 3C", "37K"),
        ("same_rank", "7C 7D KC KD 3C", "3K"),
        ("same_card", "8C 7D KC KD 3C", "378K"),
        ("same_rank", "8C 7D KC KD 3C", "38K"),
        ("same_card", "8C 9D KC KD 3C", "389K"),
        ("same_rank", "8C 9D KC KD 3C", "389K"),
    ],
)
def test_what_may_be_thrown_after_taking_a_seven(rule: str, hand: str, legal: str) -> None:
    """TYD-7, TYD-A2: never the very card, so the rank only if it was held before; or never the rank."""
    table = table_of({"pickup_discard_rule": rule}, [scripted("pile 3"), GREEDY])
    stack(table, [hand, "AC 2D 5H 6S JC"], "7S")
    table.play(steps=1)
    assert ranks_in(view_of(table, 0).legal) == legal
    assert ranks_in(view_of(table, 1).legal) == ""


def test_the_card_thrown_is_never_the_one_just_taken() -> None:
    """TYD-7: whoever takes a seven and throws a seven throws the other; one from the stock may be thrown at once."""
    table = table_of({"max_turns": 2}, [scripted("pile 7"), scripted("stock 9")])
    stack(table, ["7S 2D KC KD 3C", "AC 3D 5H TS JC"], "7C", "9H")
    assert told(table)[:4] == [
        "seat 1 takes 7C from the pile",
        "seat 1 discards 7S",
        "seat 2 draws 9H from the stock",
        "seat 2 discards 9H",
    ]


@pytest.mark.parametrize(("rule", "hand"), [("same_card", "2D 2H KC KD 3C"), ("same_rank", "7D 2H KC KD 3C")])
def test_throwing_what_was_just_taken_is_refused(rule: str, hand: str) -> None:
    table = table_of({"pickup_discard_rule": rule}, [scripted("pile 7"), GREEDY])
    stack(table, [hand, "AC 4D 5H TS JC"], "7S")
    assert table.play() == bulk.ILLEGAL
    assert (int(table.status[hot.ASKED]), int(table.status[hot.ANSWER])) == (0, RANKS.index("7"))


def test_throwing_what_is_not_held_is_refused() -> None:
    table = table_of({}, [scripted("stock 8"), GREEDY])
    stack(table, NOTHING[:2], "4S", "4C")
    assert table.play() == bulk.ILLEGAL


def test_taking_from_an_empty_pile_is_refused() -> None:
    """TYD-15: the pile can be empty at the start of a turn under ``eager_all``."""
    table = table_of({"reshuffle": "eager_all"}, [scripted("pile 3"), GREEDY])
    stack(table, NOTHING[:2], "4S")
    position = table.positions[0]
    position.piled, position.top, position.pile_counts = 0, NO_RANK, 0
    assert table.play() == bulk.ILLEGAL
    assert int(table.status[hot.ANSWER]) == 1


def test_nearly_no_cards_left() -> None:
    """K1-029: an empty stock and one card on the pile, which the rules rule out: whoever draws gets that card."""
    table = table_of({"max_turns": 1}, [scripted("stock 3"), GREEDY])
    stack(table, ["9C 9D 4C 4D 3C", NOTHING[1]], "9S")
    table.positions[0].left = 0
    assert told(table)[:3] == [
        "the stock is empty: the pile (1 cards) is shuffled into a new stock",
        "seat 1 draws 9S from the stock",
        "seat 1 discards 3C",
    ]


# What wins ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "wins"),
    [
        ("7C 7D 7H KC KD", True),
        ("KC 7D KD 7C 7H", True),
        ("7C 7D 7H 7S KD", False),
        ("7C 7D 7H KC QD", False),
        ("7C 7D KH KC QD", False),
        ("7C 7D 8H KC QD", False),
        ("7C 6D 8H KC QD", False),
    ],
)
def test_what_wins(cards: str, wins: bool) -> None:
    """TYD-9, TYD-A8: three of a rank and two of another, in any order; four and one do not win."""
    assert bool(full_house(counted(parse_cards(cards)))) == wins


@pytest.mark.parametrize(("throw", "shown"), [("J", "4C 4D 4H JC JD"), ("4", "JC JD JH 4C 4D")])
def test_two_triples_hold_a_full_house(throw: str, shown: str) -> None:
    """K1-032: with J-J-J and 4-4-4 after the draw, throwing a card of either triple wins."""
    table = table_of({}, [scripted(f"stock {throw}"), GREEDY])
    stack(table, ["JC JD JH 4C 4D", NOTHING[1]], "AS", "4H")
    table.positions[0].phase = DRAWING  # the full house dealt went unnoticed
    words = told(table)
    assert words[0] == "seat 1 draws 4H from the stock"
    ranks = [card[0] for card in words[2].split(":")[0].split()[3:]]
    assert ranks == [card[0] for card in shown.split()]
    assert outcome(table)["won"] == [WHOLE, 0]


def test_four_of_a_kind_and_one_play_on() -> None:
    table = table_of({"max_turns": 2}, [scripted("stock 2"), scripted("stock A")])
    stack(table, ["9C 9D 9H 9S 4D", NOTHING[0]], "KC", "2S 8S")
    assert told(table)[-1].startswith("void")


# Showing --------------------------------------------------------------------------------------------------------


def test_a_dealt_full_house_is_shown_at_once() -> None:
    """K1-034, TYD-10: seat 3 is dealt 9-9-9-4-4 and wins before anybody has played."""
    table = table_of({}, (GREEDY,) * 4)
    stack(table, [*NOTHING[:2], FULL, NOTHING[3]], "QS")
    assert told(table) == [
        "seat 3 shows 9C 9D 9H 4C 4D: tres y dos!",
        f"seat 3 ({table.names[2]}) wins the hand with the dealt cards",
    ]
    found = outcome(table)
    assert (found["won"][2], found["turns"], found["dealt_wins"]) == (WHOLE, 0, 1)


def test_a_dealt_full_house_is_shown_on_ones_turn() -> None:
    """TYD-A3: after two turns of others; it still counts as a dealt win."""
    table = table_of({"show_dealt": "own_turn"}, (scripted("stock A"), scripted("stock 2"), GREEDY, GREEDY))
    stack(table, [*NOTHING[:2], FULL, NOTHING[3]], "QS", "8S 8H")
    words = told(table)
    assert words[-1] == f"seat 3 ({table.names[2]}) wins the hand after 2 turns of the table"
    found = outcome(table)
    assert (found["won"][2], found["turns"], found["dealt_wins"]) == (WHOLE, 2, 1)


def test_a_dealt_full_house_may_be_overtaken() -> None:
    """TYD-A3: shown on one's turn it loses to whoever completes his before."""
    lineup = (scripted("pile 3"), GREEDY, GREEDY, GREEDY)
    for rule, winner in (("own_turn", 0), ("immediate", 2)):
        table = table_of({"show_dealt": rule}, lineup)
        stack(table, ["KC KD QC QD 3C", NOTHING[0], FULL, NOTHING[2]], "KS")
        assert wins_first(table)[winner] == WHOLE


def tied(rule: str, dealer: int = 3, deal: int = 0) -> list[int]:
    """The shares of a hand in which seats 2 and 4 are dealt full houses."""
    table = table_of({"tie_rule": rule}, (GREEDY,) * 4, deal=deal)
    stack(table, [NOTHING[0], FULL, NOTHING[1], OTHER_FULL], "AS")
    table.positions[0].dealer = dealer
    table.positions[0].seat = (dealer + 1) % 4
    return wins_first(table)


def test_ties() -> None:
    """TYD-11, TYD-A6: the first from the dealer's left, the dealer last; or all share; or one is drawn."""
    assert tied("turn_order") == [0, WHOLE, 0, 0]
    assert tied("turn_order", dealer=1) == [0, 0, 0, WHOLE]
    assert tied("split") == [0, WHOLE // 2, 0, WHOLE // 2]
    drawn = Counter(tied("random", deal=deal).index(WHOLE) for deal in range(100))
    assert set(drawn) == {1, 3}
    assert abs(drawn[1] - 50) < 4 * sqrt(100 / 4)


def test_a_full_house_need_not_be_shown() -> None:
    """TYD-A5: without ``auto_show`` the player is asked at the deal and after each of his turns."""
    for show, shares in ((NEVER, [0, 0]), (ALWAYS, [WHOLE, 0])):
        table = table_of({"auto_show": False, "max_turns": 4}, [scripted("stock 2, stock 3", show), MUTE])
        stack(table, [FULL, NOTHING[0]], "QS", "2S 8S 3S 8H")
        assert wins_first(table) == shares


def test_a_false_show_has_no_penalty() -> None:
    """TYD-12, TYD-A7: the table has seen the hand, the cards go back into it, and play continues."""
    table = table_of({"auto_show": False, "max_turns": 2}, [scripted("stock 8", ALWAYS), MUTE])
    stack(table, ["9C 9D 9H 2C 4D", NOTHING[0]], "QS", "8S 8H")
    code = bulk.PAUSED
    known = []
    while code == bulk.PAUSED:
        code = table.play(steps=1)
        known.append(ranks_in(view_of(table, 1).known[0]))
    assert known[0] == known[-1] == "249"
    text = "\n".join(event.text for event in table.events())
    assert text.count("seat 1 shows 9C 9D 9H 2C 4D: not a full house; the cards go back into the hand") == 2
    assert "seat 2 draws" in text


def test_overlooking_a_full_house() -> None:
    """TYD-A5: at each check a full house is noticed with the given chance."""
    rules = {"notice_prob": 0.25, "max_turns": 1}
    at_once = turns = 0
    for deal in range(400):
        table = table_of(rules, [scripted("stock 2"), GREEDY], deal=deal)
        stack(table, [FULL, NOTHING[0]], "QS", "2S")
        play_out(table)
        found = outcome(table)
        at_once += found["dealt_wins"]
        turns += found["turns"]
    assert abs(at_once - 100) < 4 * sqrt(400 * 0.25 * 0.75)
    assert abs(turns - 75) < 4 * sqrt(400 * 0.1875 * 0.8125)


# The stock runs out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "stock", "pile", "shuffled"),
    [("lazy_all", 0, 17, 17), ("eager_all", 17, 0, 17), ("keep_top", 0, 17, 16)],
)
def test_reshuffles(rule: str, stock: int, pile: int, shuffled: int) -> None:
    """TYD-14, TYD-A9: seven mute players use up 16 cards; what lies where before and after the 17th draw."""
    table = table_of({"reshuffle": rule, "auto_show": False}, (MUTE,) * 7)
    position = table.positions[0]
    while int(position.turn) < 16:
        table.play(steps=1)
    assert (int(position.left), int(position.piled)) == (stock, pile)
    top = int(position.top)
    table.play(steps=1)
    kept = 17 - shuffled
    assert (int(position.left), int(position.piled)) == (shuffled - 1, kept)
    assert int(position.top) == (top if kept else NO_RANK)
    text = "\n".join(event.text for event in table.events())
    assert f"the pile ({shuffled} cards) is shuffled into a new stock" in text
    assert ("its top card stays" in text) == (rule == "keep_top")


def test_an_empty_stock_alone_changes_nothing() -> None:
    """TYD-13: while everybody takes from the pile nothing is shuffled."""
    table = table_of({"max_turns": 40, "auto_show": False}, (TAKER,) * 3)
    table.positions[0].left = 0
    assert told(table)[-1].startswith("void")
    assert outcome(table)["reshuffles"] == 0


# Never-ending hands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [1, 7, 100])
def test_a_hand_without_a_winner_is_void(turns: int) -> None:
    """TYD-A11, TYD-A14: after so many turns of the table; nobody wins, and the stakes are returned."""
    table = table_of({"max_turns": turns, "auto_show": False, "stake": 5}, (MUTE,) * 3)
    assert told(table)[-1] == f"void: no winner after {turns} turns; the stakes are returned"
    found = outcome(table)
    assert found["won"] == found["marbles"] == [0, 0, 0]
    assert (found["voids"], found["finished"], found["turns"]) == (1, 0, 0)


# Matches --------------------------------------------------------------------------------------------------------


def dealers_and_winners(rules: dict[str, Any], deal: int = 0, hands: int = 9) -> tuple[list[int], list[int]]:
    """Who deals and who wins each hand of a long match, by chairs from 1 (0: nobody alone)."""
    arm = Arm(GAME, GAME.make_rules({"match_target": 1000, "max_hands": hands, **rules}), (GREEDY,) * 4)
    events = [event.data for event in trace(arm, MATCH, SEED, deal).events]
    dealers = [event["dealer"] for event in events if event["event"] == "hand"]
    winners = [event["seat"] if event["event"] == "win" else 0 for event in events if event["event"] in ("win", "void")]
    return dealers, winners


def test_dealers() -> None:
    """TYD-A12: the next player, the winner, always the same, or anybody."""
    dealers, _ = dealers_and_winners({"dealer_rotation": "left", "first_dealer": "last_seat"})
    assert dealers == [4, 1, 2, 3, 4, 1, 2, 3, 4]
    dealers, _ = dealers_and_winners({"dealer_rotation": "fixed", "first_dealer": "last_seat"})
    assert dealers == [4] * 9
    dealers, winners = dealers_and_winners({"dealer_rotation": "winner_deals", "first_dealer": "last_seat"})
    assert dealers == [4, *winners[:-1]]
    assert len(set(dealers)) > 1
    dealers, _ = dealers_and_winners({"dealer_rotation": "random"}, hands=400)
    assert all(abs(dealers.count(seat) - 100) < 4 * sqrt(400 * 3 / 16) for seat in (1, 2, 3, 4))


def test_after_a_void_hand_the_dealer_stays() -> None:
    """TYD-A12: with nobody to pass the deal to."""
    rules = {"dealer_rotation": "winner_deals", "first_dealer": "last_seat", "max_turns": 9}
    dealers, winners = dealers_and_winners(rules, hands=30)
    expected = [4]
    for winner in winners[:-1]:
        expected.append(winner or expected[-1])
    assert dealers == expected
    assert 0 in winners and len(set(winners)) > 2


def test_first_dealer() -> None:
    """TYD-A16: anybody, or the last seat; of a single hand always the last seat."""
    first = Counter(dealers_and_winners({}, deal, 1)[0][0] for deal in range(200))
    assert all(abs(first[seat] - 50) < 4 * sqrt(200 * 3 / 16) for seat in (1, 2, 3, 4))
    assert {dealers_and_winners({"first_dealer": "last_seat"}, deal, 1)[0][0] for deal in range(20)} == {4}


@pytest.mark.parametrize("target", [1, 3, 5])
def test_a_match_is_won_by_the_first_to_win_so_many_hands(target: int) -> None:
    """TYD-16, TYD-A13."""
    found = columns_of({"match_target": target}, (GREEDY,) * 4, 500, MATCH)
    won, hands_won = found["won"], found["hands_won"]
    assert (won.max(axis=0) == WHOLE).all()
    assert (hands_won[won == WHOLE] == target * WHOLE).all()
    assert (hands_won[won == 0] < target * WHOLE).all()
    assert (hands_won.sum(axis=0) == WHOLE * (found["hands"] - found["voids"])).all()
    assert found["hands"].min() == target


def test_a_match_without_a_winner_is_void() -> None:
    found = columns_of({"match_target": 5, "max_hands": 6}, (GREEDY,) * 4, 300, MATCH)
    won = found["hands_won"].max(axis=0) >= 5 * WHOLE
    assert (found["won"].sum(axis=0) == np.where(won, WHOLE, 0)).all()
    assert 0 < won.sum() < 300
    assert found["hands"].max() == 6


def test_a_shared_hand_counts_for_each_as_much_as_his_share() -> None:
    """TYD-16 with TYD-A6: two who share the only hand of a match share the match."""
    rules = {"tie_rule": "split", "match_target": 1, "max_hands": 1, "first_dealer": "last_seat"}
    table = table_of(rules, (GREEDY,) * 4, MATCH)
    stack(table, [NOTHING[0], FULL, NOTHING[1], OTHER_FULL], "AS")
    play_out(table)
    found = outcome(table)
    assert found["hands_won"] == [0, WHOLE // 2, 0, WHOLE // 2]
    assert found["won"] == [0, 0, 0, 0]
    assert found["marbles"] == [-WHOLE, WHOLE, -WHOLE, WHOLE]


# Every option ---------------------------------------------------------------------------------------------------

MIXED = ("fingerprint", "greedy", "random", "stock-only")

CHANGES: list[tuple[str, Any, Any]] = [
    ("players", 5, HAND),
    ("pickup_discard_rule", "same_rank", HAND),
    ("show_dealt", "own_turn", HAND),
    ("auto_show", False, HAND),
    ("notice_prob", 0.5, HAND),
    ("reshuffle", "eager_all", HAND),
    ("reshuffle", "keep_top", HAND),
    ("max_turns", 10, HAND),
    ("dealer_rotation", "winner_deals", MATCH),
    ("dealer_rotation", "random", MATCH),
    ("dealer_rotation", "fixed", MATCH),
    ("first_dealer", "last_seat", MATCH),
    ("match_target", 4, MATCH),
    ("max_hands", 4, MATCH),
    ("stake", 3, HAND),
]


def mixed_columns(rules: dict[str, Any], units: int, unit: Any) -> dict[str, Any]:
    """Outcomes between four different players who show now and then."""
    lineup = tuple(COMPILED[MIXED[seat % 4]] for seat in range(rules.get("players", 4)))
    return columns_of({"max_turns": 300, **rules}, lineup, units, unit)


@pytest.mark.parametrize(("rule", "value", "unit"), CHANGES, ids=lambda x: x if isinstance(x, str) else getattr(x, "name", value_text))
def test_an_option_changes_results(rule: str, value: Any, unit: Any) -> None:
    before, after = mixed_columns({}, 2000, unit), mixed_columns({rule: value}, 2000, unit)
    assert any(before[name].shape != after[name].shape or (before[name] != after[name]).any() for name in before)


@pytest.mark.parametrize("rule", ["random", "split"])
def test_the_tie_rule_changes_results(rule: str) -> None:
    """Ties are rare: seven players, many deals, hands cut short."""
    before, after = (columns_of({"tie_rule": r, "max_turns": 1}, (GREEDY,) * 7, 200_000) for r in ("turn_order", rule))
    assert (before["won"] != after["won"]).any()
    assert (before["dealt_wins"] == after["dealt_wins"]).all()


@pytest.mark.parametrize(("rule", "value"), [("win_check", "after_draw"), ("direction", "ccw"), ("false_show", "no_penalty")])
@pytest.mark.parametrize("unit", [HAND, MATCH], ids=["hand", "match"])
def test_an_option_changes_nothing(rule: str, value: str, unit: Any) -> None:
    """TYD-A4: declaring with six cards gives the same winner after the same turns. TYD-A1: only names change."""
    before, after = mixed_columns({}, 500, unit), mixed_columns({rule: value}, 500, unit)
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.parametrize("unit", [HAND, MATCH], ids=["hand", "match"])
def test_without_stakes_only_the_marbles_change(unit: Any) -> None:
    """TYD-A14."""
    before, after = mixed_columns({}, 500, unit), mixed_columns({"stake_mode": "none", "stake": 5}, 500, unit)
    assert (before.pop("marbles") != 0).any()
    assert (after.pop("marbles") == 0).all()
    assert all((before[name] == after[name]).all() for name in before)


def test_every_option_is_tried() -> None:
    tried = {rule for rule, _, _ in CHANGES} | {"tie_rule", "win_check", "direction", "stake_mode", "false_show"}
    assert tried == set(GAME.rules.names())


@pytest.mark.parametrize("stake", [0, 1, 7, 1_000_000])
@pytest.mark.parametrize("unit", [HAND, MATCH], ids=["hand", "match"])
def test_marbles(stake: int, unit: Any) -> None:
    """TYD-17, TYD-A14: the winner takes what everybody staked; nothing comes in or goes out; a void costs nothing."""
    rules = {"stake": stake, "max_turns": 30, "tie_rule": "split"}
    found = columns_of(rules, (GREEDY,) * 5, 2000, unit)
    hands_won = found["won"] if unit is HAND else found["hands_won"]
    finished = found["finished"]
    assert (found["marbles"] == stake * (5 * hands_won - WHOLE * finished)).all()
    assert (found["marbles"].sum(axis=0) == 0).all()


# Invariants -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["lazy_all", "eager_all", "keep_top"])
@pytest.mark.parametrize("players", range(2, 8))
def test_invariants(rule: str, players: int) -> None:
    """TYD-O8, TYD-15: stock and pile together have all cards that nobody holds, and are never both empty."""
    arm = Arm(GAME, GAME.make_rules({"players": players, "reshuffle": rule}), (RANDOM,) * players)
    table = Table(arm, MATCH, SEED, 1)
    reshuffled = 0
    for count, _ in enumerate(steps(table, [])):
        position = table.positions[0]
        held = 6 if int(position.phase) == DISCARDING else 5
        out = 52 - 5 * (players - 1) - held
        assert int(position.left) + int(position.piled) == out >= 16
        assert (int(position.top) == NO_RANK) == (int(position.piled) == 0)
        if int(position.phase) == DRAWING and rule != "eager_all":
            assert int(position.piled) >= 1
        hidden = [int(word) for word in position.hands[:players]]
        assert sum(sum(word >> 4 * rank & 15 for rank in range(13)) for word in hidden) == 5 * (players - 1) + held
        reshuffled += int(position.epoch) > 0
        if count == 1500:
            break
    assert reshuffled > 0


# What can be known ----------------------------------------------------------------------------------------------

LUCK = [philox4x64((i, 0, 0, 0), (1, 2)) for i in range(400)]


def guesses(table: Table, seat: int) -> list[Any]:
    """Positions as a seat may imagine them."""
    return [imagined(table, table.positions, seat, luck)[0] for luck in LUCK]


def test_what_somebody_has_just_drawn_is_hidden() -> None:
    """TYD-4: from the stock only he himself knows it; from the pile all have seen it."""
    table = table_of({}, [scripted("stock A, pile A"), scripted("pile 7")])
    stack(table, ["AC 3D 5H 7S JC", "2C 6D 7H TS KS"], "QS", "8S")
    table.play(steps=1)
    assert (int(view_of(table, 0).drawn), int(view_of(table, 1).drawn)) == (RANKS.index("8"), NO_RANK)
    drawn = {RANKS[int(guess.drawn)] for guess in guesses(table, 1)}
    assert len(drawn) == 13
    assert {RANKS[int(guess.drawn)] for guess in guesses(table, 0)} == {"8"}


def test_what_is_known_to_be_held_stays_where_it_is() -> None:
    """TYD-A15: a card taken from the pile and not thrown since."""
    table = table_of({}, [scripted("pile A"), scripted("stock 7")])
    stack(table, ["AC 3D 5H 7S JC", "2C 6D 7H TS KS"], "QS", "8S")
    for _ in range(4):
        table.play(steps=1)
    for guess in guesses(table, 1):
        assert int(guess.hands[0]) >> 4 * RANKS.index("Q") & 15 >= 1
        assert [int(card) for card in guess.pile[: int(guess.piled)]] == [0]


def test_imagined_cards_are_as_likely_as_they_are_many() -> None:
    """Of the 46 cards that the first player does not see each lies in the stock as often (chi-square)."""
    table = table_of({"auto_show": False}, [MUTE, MUTE])
    stack(table, ["AC AD AH 7S JC", "2C 6D 7H TS KS"], "QS")
    found = np.zeros(13)
    for guess in guesses(table, 0):
        found += [np.count_nonzero(guess.stock[: int(guess.left)] // 4 == rank) for rank in range(13)]
    unseen = np.full(13, 4) - [3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0]
    expected = found.sum() * unseen / unseen.sum()
    # Drawn without replacement: 41 of 46, which leaves a variance of 5 / 45 of what independent draws have.
    statistic = (((found - expected) ** 2) / expected).sum() / (5 / 45)
    assert 1e-4 < stats.chi2.sf(statistic, 12) < 1 - 1e-4


def test_after_a_reshuffle_only_what_lay_in_the_pile_can_be_drawn() -> None:
    table = table_of({"auto_show": False}, (MUTE,) * 7)
    position = table.positions[0]
    while int(position.turn) < 20:
        table.play(steps=1)
    assert int(position.epoch) == 1
    for seat in range(7):
        possible = int(view_of(table, seat).recycled)
        for guess in guesses(table, seat)[:40]:
            for rank in range(13):
                in_stock = np.count_nonzero(guess.stock[: int(guess.left)] // 4 == rank)
                assert in_stock <= possible >> 4 * rank & 15


@pytest.mark.parametrize("rule", ["immediate", "own_turn"])
def test_nobody_is_imagined_with_a_full_house_that_he_would_have_shown(rule: str) -> None:
    """TYD-10, TYD-A3: before his first turn, under ``own_turn``, he may well have one."""
    table = table_of({"show_dealt": rule}, [scripted("stock A"), GREEDY])
    stack(table, ["AC 3D 5H 7S JC", "2C 6D 7H TS KS"], "QS", "8S")
    table.positions[0].phase = DRAWING
    table.positions[0].known[1] = counted(parse_cards("9C 9D 9H 4C"))
    table.positions[0].hands[1] = counted(parse_cards("9C 9D 9H 4C 2S"))
    table.positions[0].cards[1] = sum(1 << card for card in parse_cards("9C 9D 9H 4C 2S"))
    full = sum(bool(full_house(guess.hands[1])) for guess in guesses(table, 0))
    assert (full > 0) == (rule == "own_turn")


# In words -------------------------------------------------------------------------------------------------------


def test_a_view_in_words() -> None:
    """Before and after seat 1 takes the seven that seat 2 has thrown."""
    table = table_of({}, [scripted("stock A, pile J"), scripted("pile 7")])
    stack(table, ["AC AD 5H 7S JC", "2C 6D 7H TS KS"], "QS", "8S")
    for _ in range(7):
        table.play(steps=1)
    assert GAME.narrator.describe_view(table.asked_view(), table.arm.rules) == [
        "seat 1 of 2, turn 2 of the table",
        "own cards: 7 7 A 5 8 J",
        "top of the pile: Q",
        "in the pile: Q",
        "just drawn: 7 from the pile",
        "may be discarded: A 5 7 8 J",
        "seat 1 is known to hold 7, has thrown A, has refused Q",
        "seat 2 is known to hold A, has thrown 7",
    ]


def test_an_empty_pile_in_words() -> None:
    table = table_of({"reshuffle": "eager_all", "auto_show": False}, (MUTE,) * 7)
    while int(table.positions[0].piled):
        table.play(steps=1)
    assert "top of the pile: the pile is empty" in GAME.narrator.describe_view(view_of(table, 0), table.arm.rules)


@pytest.mark.parametrize(
    ("kind", "answer", "words"),
    [
        ("draw", 1, "the pile is empty"),
        ("draw", 2, "0 (stock) or 1 (pile)"),
        ("discard", RANKS.index("2"), "a rank it does not hold"),
        ("discard", RANKS.index("7"), "the card it has just taken from the pile (TYD-7)"),
        ("discard", 13, "0 (ace) to 12 (king)"),
        ("discard", -1, "0 (ace) to 12 (king)"),
        ("show", 7, "1 (yes) or 0 (no)"),
    ],
)
def test_illegal_answers_in_words(kind: str, answer: int, words: str) -> None:
    table = table_of({}, [scripted("pile A"), MUTE])
    stack(table, ["AC 3D 5H 8S JC", "2C 6D 7H TS KS"], "7S")
    table.play(steps=1)
    number = [decision.name for decision in GAME.decisions].index(kind)
    told = GAME.narrator.describe_answer(number, answer, view_of(table, 0), table.arm.rules)
    assert words in told and f"answered {answer}" in told
