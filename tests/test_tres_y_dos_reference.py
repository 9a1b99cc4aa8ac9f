"""The compiled engine of Tres y Dos held to the slow one, move by move, on the same hands.

Both draw from streams at the same addresses, and players decide alike (``tests.tres_y_dos_mirror``). Compared are every
event with its very cards, every outcome column of the traced and of the bulk form, and, for some deals, every field of
every view.

Two things are the same in the rules and told differently by the engines:

* Shows before the first turn happen at the same moment (TYD-11); only which there are is compared, not their order.
* A compiled view's ``recycled`` is without the seat's own draws since the reshuffle; see ``seen()`` of the mirror.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim import bulk
from sim.arm import Arm
from sim.events import drain
from sim.game import WHOLE, find_game
from sim.games.tres_y_dos import events
from sim.plan import Plan
from sim.strategy import Player, set_parameters
from sim.tracing import Table
from sim.worker import Worker
from tests.conformance.plans import outcomes
from tests.conformance.watching import views_kept, watched
from tests.reference.tres_y_dos import DEFAULTS, HandResult, play_hand, play_match
from tests.tres_y_dos_mirror import COMPILED, DEALER, FIRST_DEALER, Seated, UnitLuck, table_stream

GAME = find_game("tres-y-dos")
SEED = 3
PLAYERS = range(2, 8)
ROOM = 700
"""Views kept of each seat when views are compared."""

Canonical = tuple[Any, ...]


MIXED = ("greedy", "fingerprint", "random", "stock-only")
GREEDY = ("greedy",)


@dataclass(frozen=True)
class Case:
    """Rules and players to be compared on a number of deals for each number of players.

    Attributes
    ----------
    options : dict
        Rules that differ from the default.
    players : tuple of str
        Names of players, taken in turn around the table.
    unit : str
    deals : int
        Deals for each number of players, in the default run; the slow run takes ``SLOW`` times as many, others.
    dealt : str
        ``any`` deals, or those in which at least one ``full`` house is dealt, or several (``tied``).
    """

    name: str
    options: dict[str, Any]
    players: tuple[str, ...] = MIXED
    unit: str = "hand"
    deals: int = 8
    dealt: str = "any"

    def __str__(self) -> str:
        return self.name

    @property
    def asks(self) -> bool:
        """Whether anybody is asked anything in every deal: not where dealt full houses are shown unasked."""
        return self.dealt == "any" or self.options.get("auto_show") is False or "show_dealt" in self.options


SLOW = 15

SHORT = {"max_turns": 150}
LONG = {"max_turns": 250}
ASKED = {"auto_show": False, **SHORT}
OWN_TURN = {"show_dealt": "own_turn"}
QUICK = {"max_turns": 60, "max_hands": 12}
SPLIT = {"tie_rule": "split"}

HANDS = [
    Case("greedy", {}, GREEDY, deals=40),
    Case("stock only", SHORT, ("stock-only",)),
    Case("random", SHORT, ("random",)),
    Case("fingerprint", SHORT, ("fingerprint",)),
    Case("mixed", SHORT),
    Case("same rank", {"pickup_discard_rule": "same_rank", **SHORT}),
    Case("same rank, greedy", {"pickup_discard_rule": "same_rank"}, GREEDY),
    Case("win with six cards", {"win_check": "after_draw", **SHORT}),
    Case("counter-clockwise", {"direction": "ccw", **SHORT}, deals=4),
    Case("noticing", {"notice_prob": 0.3, **SHORT}, ("greedy", "stock-only")),
    Case("asked to show", ASKED),
    Case("asked to show on one's turn", {**OWN_TURN, **ASKED}),
    Case("false shows", ASKED, ("random", "fingerprint")),
    Case("eager reshuffles", {"reshuffle": "eager_all", **LONG}, ("random", "stock-only")),
    Case("lazy reshuffles", LONG, ("fingerprint", "random")),
    Case("reshuffles that keep the top", {"reshuffle": "keep_top", **LONG}, ("fingerprint", "stock-only")),
    Case("one turn", {"max_turns": 1}, deals=4),
    Case("nine turns", {"max_turns": 9}, GREEDY),
    Case("stakes", {"stake": 7, **SHORT}, GREEDY, deals=4),
]

DEALT = [
    Case("dealt", SHORT, dealt="full"),
    Case("dealt, on one's turn", {**OWN_TURN, **SHORT}, dealt="full"),
    Case("dealt, unnoticed", {"notice_prob": 0.5, **SHORT}, dealt="full"),
    Case("dealt, unnoticed on one's turn", {"notice_prob": 0.4, **OWN_TURN, **SHORT}, dealt="full"),
    Case("dealt, asked", ASKED, ("fingerprint", "greedy", "random"), dealt="full"),
    Case("dealt, asked on one's turn", {**OWN_TURN, **ASKED}, dealt="full"),
    Case("ties to the first in turn", {}, GREEDY, deals=4, dealt="tied"),
    Case("ties drawn", {"tie_rule": "random"}, GREEDY, deals=4, dealt="tied"),
    Case("ties split", SPLIT, GREEDY, deals=4, dealt="tied"),
    Case("ties split when asked", {**SPLIT, **ASKED}, ("random",), deals=4, dealt="tied"),
]

MATCHES = [
    Case("match", QUICK, ("greedy", "fingerprint"), "match", 3),
    Case("match, winner deals", {"dealer_rotation": "winner_deals", **QUICK}, MIXED, "match", 2),
    Case("match, random dealers", {"dealer_rotation": "random", "match_target": 5, **QUICK}, GREEDY, "match", 3),
    Case("match, one dealer", {"dealer_rotation": "fixed", "first_dealer": "last_seat", **QUICK}, MIXED, "match", 2),
    Case("match of one hand", {"match_target": 1, "stake": 3, **QUICK}, MIXED, "match", 3),
    Case("match with voids", {"max_turns": 12, "max_hands": 9, "stake": 2}, GREEDY, "match", 3),
    Case("match, asked", {"match_target": 2, "reshuffle": "eager_all", **ASKED, **QUICK}, MIXED, "match", 2),
    Case("match, ties split", {**SPLIT, "match_target": 1}, GREEDY, "match", 4, "tied"),
    Case("match, split, winner deals", {**SPLIT, "dealer_rotation": "winner_deals", **QUICK}, MIXED, "match", 3, "tied"),
]

CASES = HANDS + DEALT + MATCHES

every_case = pytest.mark.parametrize("case", CASES, ids=str)


# Deals worth comparing ------------------------------------------------------------------------------------------


@cache
def dealt_together(players: int, dealt: str, units: int) -> list[int]:
    """Deals among the first so many in which at least one full house is dealt to the table (``full``), or several."""
    rules = GAME.make_rules({"players": players, "tie_rule": "split", "max_turns": 1})
    found: list[int] = []

    def keep(first: int, count: int, columns: Any) -> None:
        shares = columns[0][0][:players]
        wins = columns[0][0][GAME.unit("hand").place("dealt_wins", players)]
        chosen = wins == 1 if dealt == "full" else np.count_nonzero(shares, axis=0) > 1
        found.extend(first + int(at) for at in np.flatnonzero(chosen))

    arm = Arm(GAME, rules, (COMPILED["greedy"],) * players)
    Worker(Plan((arm,), GAME.unit("hand"), SEED, (), ())).play(0, units, keep)
    return found


def deals_of(case: Case, players: int, slow: bool) -> list[int]:
    """The deals of a case: the first ones, in the slow run the next ones. Ties are rare: there may be too few."""
    wanted = case.deals * (SLOW if slow else 1)
    skipped = case.deals if slow else 0
    if case.dealt == "any":
        return list(range(skipped, skipped + wanted))
    units = {"full": 30_000, "tied": 300_000}[case.dealt] * (8 if slow else 1)
    return dealt_together(players, case.dealt, units)[skipped : skipped + wanted]


# What the reference says ----------------------------------------------------------------------------------------


@dataclass
class Expected:
    """A unit played by the reference: events by hand, outcome columns, what each chair was shown."""

    events: list[list[Canonical]]
    columns: list[int]
    seen: list[list[dict[str, int | list[int]]]] = field(default_factory=list)


def at_one_moment(told: Sequence[Canonical]) -> list[Canonical]:
    """Events with those shows in order of seats that come before the first turn."""
    first = next((i for i, event in enumerate(told) if event[0] in ("draw", "win")), len(told))
    shows = sorted(event for event in told[:first] if event[0] == "show")
    dealt = [event for event in told[:first] if event[0] != "show"]
    return [*dealt, *shows, *told[first:]]


def expected_events(result: HandResult, own_turn: bool) -> list[Canonical]:
    """The events of a hand in a form that both engines can give."""
    told: list[Canonical] = [("hand", result.dealer)]
    for event in result.events:
        match event:
            case ("deal", seat, cards):
                told.append(("deal", seat, tuple(sorted(cards))))
            case ("win", seats):
                told += [("win", seat, result.turns, WHOLE // len(seats)) for seat in sorted(seats)]
            case ("void",):
                told.append(("void", result.turns))
            case ("reshuffle", _, count):
                told.append(("reshuffle", count))
            case _:
                told.append(event)
    return told if own_turn else at_one_moment(told)


def expected(case: Case, players: int, deal: int) -> Expected:
    """Play a unit with the reference engine."""
    options = {**DEFAULTS, **case.options, "players": players}
    max_hands = int(options.pop("max_hands", 1000))
    rule, target = str(options["pickup_discard_rule"]), int(str(options["match_target"]))
    match = case.unit == "match"
    names = [case.players[seat % len(case.players)] for seat in range(players)]
    chairs = [Seated(name, SEED, deal, rule, target if match else 0) for name in names]

    def luck_of_hand(hand: int) -> UnitLuck:
        luck = UnitLuck(SEED, deal, hand, float(str(options["notice_prob"])))
        for chair in chairs:
            chair.new_hand(hand, luck)
        return luck

    if match:
        whole = play_match(
            options,
            luck_of_hand,
            chairs,
            table_stream(SEED, deal, 0, FIRST_DEALER).below(players),
            lambda hand: table_stream(SEED, deal, hand, DEALER).below(players),
            max_hands,
        )
        hands = whole.hands
        columns = _counted(whole.shares) + _counted(whole.hands_won) + _counted(whole.marbles)
    else:
        hands = [play_hand(options, luck_of_hand(0), chairs)]
        columns = _counted(hands[0].shares) + _counted(hands[0].marbles)
    columns += [
        sum(hand.turns for hand in hands if not hand.void),
        sum(not hand.void for hand in hands),
        sum(hand.void for hand in hands),
        sum(hand.dealt_win for hand in hands),
        sum(hand.reshuffles for hand in hands),
        len(hands),
    ]
    own_turn = options["show_dealt"] == "own_turn"
    return Expected([expected_events(hand, own_turn) for hand in hands], columns, [chair.seen for chair in chairs])


def _counted(shares: Sequence[Fraction]) -> list[int]:
    """Fractions in 840ths."""
    assert all((share * WHOLE).denominator == 1 for share in shares)
    return [int(share * WHOLE) for share in shares]


# What the compiled engine does ----------------------------------------------------------------------------------


def card_set(word: int) -> tuple[int, ...]:
    """The cards of a set, ascending."""
    return tuple(card for card in range(52) if word >> card & 1)


def told_events(rows: Sequence[tuple[int, int, int, int]], own_turn: bool) -> list[Canonical]:
    """The rows of a hand's log in the common form."""
    told: list[Canonical] = []
    for kind, seat, value, extra in rows:
        told.append(
            {
                events.HAND: ("hand", seat),
                events.DEAL: ("deal", seat, card_set(value)),
                events.UP: ("up", value),
                events.STOCK: ("draw", seat, "stock", value),
                events.TAKE: ("draw", seat, "pile", value),
                events.DISCARD: ("discard", seat, value),
                events.RESHUFFLE: ("reshuffle", value),
                events.SHOW: ("show", seat, card_set(value), bool(extra)),
                events.WIN: ("win", seat, value, extra),
                events.VOID: ("void", value),
            }[kind]
        )
    return told if own_turn else at_one_moment(told)


def arm_of(case: Case, players: int, lineup: dict[str, Player] = COMPILED) -> Arm:
    """The compiled players of a case at their table."""
    rules = GAME.make_rules({**case.options, "players": players})
    return Arm(GAME, rules, tuple(lineup[case.players[seat % len(case.players)]] for seat in range(players)))


def traced(case: Case, arm: Arm, deal: int) -> Expected:
    """Play a unit with a log."""
    table = Table(arm, GAME.unit(case.unit), SEED, deal)
    hands = []
    table.begin()
    more = True
    while more:
        table.deal_hand()
        code = bulk.PAUSED
        rows = drain(table.log)
        while code == bulk.PAUSED:
            code = table.play(steps=500)
            rows += drain(table.log)
        assert code == bulk.FINISHED
        more = table.settle()
        hands.append(told_events(rows + drain(table.log), case.options.get("show_dealt") == "own_turn"))
    return Expected(hands, table.outcome())


def compare(case: Case, slow: bool) -> int:
    """Compare all deals of a case, for every number of players; how many there were."""
    compared = 0
    for players in PLAYERS:
        arm = arm_of(case, players)
        deals = deals_of(case, players, slow)
        plan = Plan((arm,), GAME.unit(case.unit), SEED, (), ())
        played = outcomes(plan, [(deal, 1) for deal in deals])
        for deal in deals:
            ours, theirs = traced(case, arm, deal), expected(case, players, deal)
            where = f"{players} players, deal {deal}"
            for hand, (mine, other) in enumerate(zip(ours.events, theirs.events, strict=False)):
                assert mine == other, f"{where}, hand {hand}"
            assert ours.columns == theirs.columns, where
            assert played[deal, 0, 0] == theirs.columns, f"{where}, in bulk"
        compared += len(deals)
    return compared


@every_case
def test_move_by_move(case: Case, record_property: Any) -> None:
    compared = compare(case, slow=False)
    record_property("deals", compared)
    print(f"{case}: {compared} deals compared")
    assert compared > 0


@pytest.mark.slow
@every_case
def test_move_by_move_on_many_deals(case: Case, record_property: Any) -> None:
    compared = compare(case, slow=True)
    record_property("deals", compared)
    print(f"{case}: {compared} deals compared")
    assert compared > 0


def test_enough_deals_are_compared() -> None:
    """About 1,500 by default, more than 20,000 in the slow run; deals with ties are few and come on top."""
    ordinary = sum(case.deals for case in CASES if case.dealt != "tied") * len(PLAYERS)
    assert ordinary >= 1_400
    assert ordinary * SLOW >= 20_000


# Views ----------------------------------------------------------------------------------------------------------


@cache
def watched_players() -> dict[str, Player]:
    """The compiled players, keeping what they are shown."""
    return {name: set_parameters(watched(GAME, player.strategy, ROOM), {}) for name, player in COMPILED.items()}


def views_compared(case: Case, players: int, deal: int) -> int:
    """Compare every field of every view of a unit, as shown in bulk play; how many there were."""
    arm = arm_of(case, players, watched_players())
    worker = Worker(Plan((arm,), GAME.unit(case.unit), SEED, (), ()))
    worker.play(deal, 1)
    kept = views_kept(GAME, worker.arms[0].scratch, players, ROOM)
    compared = 0
    for seat, wanted in enumerate(expected(case, players, deal).seen):
        assert len(kept[seat]) == min(ROOM, len(wanted))
        for at, (view, fields) in enumerate(zip(kept[seat], wanted, strict=False)):
            for name, value in fields.items():
                given = view[name][:players].tolist() if isinstance(value, list) else int(view[name])
                assert given == value, f"{name}: {players} players, deal {deal}, seat {seat}, view {at}"
        compared += len(kept[seat])
    return compared


@pytest.mark.parametrize("case", [case for case in CASES if case.asks], ids=str)
def test_views(case: Case) -> None:
    """Every field that the reference's view has, at every decision of the first deals."""
    compared = 0
    for players in PLAYERS:
        for deal in deals_of(case, players, slow=False)[:2]:
            compared += views_compared(case, players, deal)
    print(f"{case}: {compared} views compared")
    assert compared > 0
