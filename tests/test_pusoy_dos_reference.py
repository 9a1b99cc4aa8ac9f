"""The compiled engine of Pusoy Dos held to the slow one, play by play, on the same hands.

Both draw from streams at the same addresses, and players decide alike (``tests.pusoy_dos_mirror``). Compared are every event of the
log with its very cards, and every outcome column of the traced and of the bulk form. A case names what must have happened in its
deals, so that no rule is compared where it does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from sim import bulk
from sim.arm import Arm
from sim.errors import UsageError
from sim.events import drain
from sim.game import WHOLE, find_game
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.rules import PRESETS, PusoyDosRules
from sim.plan import Plan
from sim.rules import Rules
from sim.tracing import Table
from sim.worker import Worker
from tests.conformance.plans import outcomes
from tests.pusoy_dos_mirror import COMPILED, Dealer, Dealt, dealt, remembered_plays, turned
from tests.pusoy_dos_mirror import Table as ReferenceTable
from tests.reference import pusoy_dos as reference
from tests.reference.pusoy_dos import Category, HandResult, Options, classify, play_hand, play_match, rank_of, resolve

GAME = find_game("pusoy-dos")
SEED = 5
SLOW = 14
"""The slow run takes so many times as many deals, others than the default run."""

Told = tuple[Any, ...]

DUMPER = ("dumper",)
RANDOM = ("random",)
MIXED = ("dumper", "random", "fingerprint")
WILD = ("random", "fingerprint")


@dataclass(frozen=True)
class Case:
    """Rules and players to be compared on a number of deals for each number of players.

    Attributes
    ----------
    options : dict
        Rules that differ from the default; with ``players`` only that number is tried.
    seated : tuple of str
        Names of players, taken in turn around the table.
    deals : int
        For each number of players, in the default run.
    unit : str
    dealt : str
        ``any`` deals, or those where a column of the unit ``deal`` is not 0: somebody has a ``dragon``, ``any_quads`` …; ``two dragon``
        where at least two have one.
    reaches : tuple of str
        What must happen in one of the deals at least: names from :func:`happened`.
    """

    name: str
    options: Mapping[str, Any]
    seated: tuple[str, ...] = MIXED
    deals: int = 8
    unit: str = "hand"
    dealt: str = "any"
    reaches: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def tables(self) -> list[int]:
        """Numbers of players with which these rules can be played."""
        wanted = [self.options["players"]] if "players" in self.options else [3, 4]
        return [players for players in wanted if made({**self.options, "players": players}) is not None]


def made(changes: Mapping[str, Any]) -> Rules | None:
    """Rules, or None for a combination that the game does not define."""
    try:
        return GAME.make_rules(changes)
    except UsageError:
        return None


def any_rules(number: int) -> dict[str, Any]:
    """Rules with every option drawn at random."""
    rng = Random(number)
    while True:
        drawn: dict[str, Any] = {"players": rng.choice((3, 4)), "suit_order": "".join(rng.sample("CDHS", 4))}
        for name, about, kind in PusoyDosRules.options():
            if about.many:
                drawn[name] = tuple(choice for choice in about.choices if rng.random() < 0.6)
            elif about.choices:
                drawn[name] = rng.choice(about.choices)
            elif kind is bool:
                drawn[name] = rng.random() < 0.5
        drawn["match_target"] = rng.choice((None, 20, 60)) if drawn["scoring"] == "penalty" else None
        drawn["match_deals"] = rng.randint(1, 5)
        if made(drawn) is not None:
            return drawn


ON = {"end": "play_on"}
THREE = {"players": 3}
TO_LOWEST = {**THREE, "leftover": "to_lowest_holder"}
CATEGORIES = ("two_pair", "straight", "flush", "full_house", "quads", "straight_flush")

DEFAULT = [
    Case("dumper", {}, DUMPER, 60, reaches=("two cards led", "three cards led", "five cards led")),
    Case("random", {}, RANDOM, 20, reaches=("pass",)),
    Case("fingerprint", {}, ("fingerprint",), 20, reaches=("pass",)),
    Case("mixed", {}, deals=20),
    *(Case(name, preset, reaches=("last place",) if "end" in preset else ()) for name, preset in PRESETS.items()),
]

PLAYS = [
    *(Case(f"straights {value}", {"straights": value}, reaches=("straight",)) for value in ("no_two", "poker_natural")),
    *(Case(f"straights {value}", {"straights": value}, reaches=("straight",)) for value in ("both", "full_wrap", "poker_natural_a5_high")),
    Case("flushes by rank", {"flush_order": "rank_first"}, reaches=("flush over flush",)),
    Case("straight flushes", {"straights": "both"}, dealt="any_straight_flush", reaches=("straight flush",)),
    Case("straight flushes by suit", {"sf_order": "suit_first"}, dealt="any_straight_flush", reaches=("straight flush",)),
    Case("no triples", {"triples": False}),
    Case("no quads", {"quads": "not_playable"}),
    Case("bare fours", {"quads": "four_card"}, deals=16, dealt="any_quads"),
    Case("bare fours led", {"quads": "four_card", "categories": ("straight_flush",)}, dealt="any_quads", reaches=("four cards led",)),
    Case("bombs", {"bombs": True}, WILD, 30, dealt="any_quads", reaches=("bomb",)),
    Case("bombs, two pairs", {"bombs": True, "categories": CATEGORIES, "straights": "both"}, WILD, reaches=("two pairs",)),
    Case("no straight flushes", {"categories": ("straight", "flush", "full_house", "quads")}, WILD),
    Case("no flushes", {"categories": ("straight", "full_house", "quads", "straight_flush")}, WILD),
    Case("straights alone", {"categories": ("straight",)}, WILD, reaches=("straight",)),
    Case("two pairs alone", {"categories": ("two_pair",)}, reaches=("two pairs",)),
    Case("no five cards", {"categories": ()}),
]

TABLES = [
    Case("the lowest card alone", {"opening_must_include": "single_only"}, reaches=("opened alone",)),
    Case("free opening", {"opening_must_include": "free"}, WILD, reaches=("opened without the lowest card",)),
    Case("passes do not bind", {"pass_lockout": False}, reaches=("answer after a pass",)),
    Case("suits in another order", {"suit_order": "SDHC"}, deals=4),
    Case("counter-clockwise", {"direction": "ccw"}, reaches=("pass",)),
    Case("thirteen each", {**THREE, "deal3": "39"}, deals=20),
    Case("the left-over to the lowest card", TO_LOWEST, deals=16),
    Case("the left-over is the lowest card", TO_LOWEST, DUMPER, 8, dealt="lowest_undealt", reaches=("lowest card left over",)),
    Case("the lowest card removed", {**THREE, "leftover": "remove_lowest"}, deals=16, reaches=("lowest card left over",)),
    Case("the lowest card removed, 13 each", {**THREE, "leftover": "remove_lowest", "deal3": "39"}, reaches=("lowest card left over",)),
    Case("playing on", ON, reaches=("last place",), deals=16),
    Case("control at once", {**ON, "after_out": "immediate_control"}, reaches=("control at once",), deals=16),
    Case("playing on, passes do not bind", {**ON, "pass_lockout": False, "direction": "ccw"}, reaches=("last place",)),
    Case("highest single", {"last_card_rule": "highest_single"}, reaches=("limited",), deals=16),
    Case("highest single, playing on", {**ON, "last_card_rule": "highest_single"}, reaches=("limited",), deals=16),
]

POINTS = [
    *(Case(f"penalties {table}", {"penalty_table": table}, deals=4) for table in ("double10", "gs_8_10_13", "neo")),
    *(Case(f"penalties {table}", {"penalty_table": table}, deals=4) for table in ("double13", "flat", "pips")),
    Case("doubled for each two", {"two_mult": "per_two"}, RANDOM, reaches=("two left",)),
    Case("doubled for any two", {"two_mult": "once", "penalty_table": "pips"}, RANDOM, reaches=("two left",)),
    Case("steps in proportion", {**THREE, "penalty_scale": "relative", "penalty_table": "neo"}, DUMPER, 30),
    Case("steps in proportion, 18 cards", {**TO_LOWEST, "penalty_scale": "relative"}, DUMPER),
    Case("pairwise", {"settle": "pairwise"}, deals=4),
    Case("pays all", {"last_card_rule": "pay_all"}, deals=60, reaches=("payer",)),
    Case("pays all, pairwise", {"last_card_rule": "pay_all", "settle": "pairwise", **ON}, deals=40, reaches=("payer",)),
    Case("pays all for a lead", {"last_card_rule": "pay_all"}, ("proud",), 40, reaches=("payer for a lead",)),
    Case("pays all, passes do not bind", {"last_card_rule": "pay_all", "pass_lockout": False}, deals=40, reaches=("payer",)),
    Case("a point for the winner", {"scoring": "winner_only"}, deals=4),
    Case("doubled by twos", {"scoring": "winner_only", "win_bonus_twos": True}, deals=16, reaches=("bonus",)),
    Case("no points", {"scoring": "none"}, deals=4),
    Case("points by place", {"scoring": "placement", **ON}),
    Case("points for the last of three", {"scoring": "placement", "placement": "531", **ON}),
    Case("5-3-2-0", {"scoring": "placement", "placement": "5320", **ON}),
]

DEALS = [
    Case("dragons", {"instant_win": ("dragon",)}, deals=5, dealt="dragon", reaches=("dragon",)),
    Case("dragons, playing on", {"instant_win": ("dragon",), **ON}, deals=3, dealt="dragon", reaches=("dragon",)),
    Case("two dragons", {**THREE, "instant_win": ("dragon",)}, deals=12, dealt="two dragon", reaches=("dragon out of seat order",)),
    Case("four twos win", {"instant_win": ("four_twos",)}, deals=5, dealt="four_twos", reaches=("four_twos",)),
    Case("four twos win a point", {"instant_win": ("four_twos", "dragon"), "scoring": "winner_only"}, deals=4, dealt="four_twos"),
    Case("four twos win by place", {"instant_win": ("four_twos",), "scoring": "placement", **ON}, deals=4, dealt="four_twos"),
    Case("redeals", {"redeal_four_twos": True}, deals=10, dealt="four_twos", reaches=("redeal",)),
    Case("redeals of 18 cards", {**TO_LOWEST, "redeal_four_twos": True}, deals=10, dealt="four_twos", reaches=("redeal",)),
    Case("dragons before redeals", {"instant_win": ("dragon",), "redeal_four_twos": True}, deals=6, dealt="dragon", reaches=("dragon",)),
]

MATCHES = [
    Case("match", {"match_deals": 4}, deals=3, unit="match"),
    Case(
        "match, last winner opens", {"match_deals": 5, "opener": "previous_winner"}, MIXED, 4, "match", reaches=("opened as last winner",)
    ),
    Case("match to 20", {"match_target": 20}, MIXED, 3, "match"),
    Case("match to 40, pays all", {"match_target": 40, "last_card_rule": "pay_all", "direction": "ccw"}, MIXED, 3, "match"),
    Case("match for points by place", {"match_deals": 3, "scoring": "placement", **ON}, MIXED, 4, "match"),
    Case("match for nothing", {"match_deals": 2, "scoring": "none"}, DUMPER, 2, "match", reaches=("shared win",)),
    Case("match for a win", {"match_deals": 3, "scoring": "winner_only", "opener": "previous_winner"}, MIXED, 3, "match"),
    Case("match with redeals", {"match_deals": 3, "redeal_four_twos": True}, MIXED, 4, "match", "four_twos", ("redeal",)),
    Case(
        "match, won at once", {"match_deals": 3, "instant_win": ("four_twos",), "opener": "previous_winner"}, MIXED, 4, "match", "four_twos"
    ),
]

TOGETHER = [
    *(Case(f"together {number}", any_rules(number), WILD if number % 2 else MIXED, 8) for number in range(14)),
    *(Case(f"match together {number}", any_rules(number), MIXED, 3, "match") for number in range(14, 20)),
]

CASES = DEFAULT + PLAYS + TABLES + POINTS + DEALS + MATCHES + TOGETHER


@pytest.fixture(autouse=True)
def plays_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most cases have the same hands: the reference need not try every set of their cards again and again."""
    monkeypatch.setattr(reference, "all_plays", remembered_plays)


every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_value_of_every_option_is_in_a_case() -> None:
    """Also apart from the cases that draw their rules at random."""
    tried = {
        (name, value)
        for case in CASES
        if case not in TOGETHER
        for name, value in rules_of(case, case.tables[0]).to_dict().items()
        if not isinstance(value, list)
    }
    for name, about, kind in PusoyDosRules.options():
        values = about.choices if about.choices and not about.many else (False, True) if kind is bool else ()
        assert {(name, value) for value in values} <= tried


def rules_of(case: Case, players: int) -> Rules:
    """The rules of a case."""
    return GAME.make_rules({**case.options, "players": players})


def reference_options(rules: Rules) -> dict[str, Any]:
    """The same rules for the reference, which has no names for points by place."""
    points = {"auto": None, "531": (5, 3, 1), "5320": (5, 3, 2, 0)}
    options = rules.to_dict()
    return resolve({**options, "placement": points[options["placement"]]})


# Deals worth comparing ------------------------------------------------------------------------------------------


@cache
def deals_with(players: int, hand_size: str, leftover: str, what: str, units: int) -> list[int]:
    """Units among the first so many whose first deal has it (see ``Case.dealt``)."""
    rules = GAME.make_rules({"players": players, "deal3": hand_size, "leftover": leftover})
    unit = GAME.unit("deal")
    found: list[int] = []

    def keep(first: int, count: int, columns: Any) -> None:
        name = what.removeprefix("two ")
        start = unit.place(name, players)
        seats = players if name in [column.name for column in unit.columns if column.per_seat] else 1
        having = (columns[0][0][start : start + seats] > 0).sum(axis=0)
        found.extend(first + int(at) for at in np.flatnonzero(having > what.startswith("two ")))

    Worker(Plan((Arm(GAME, rules, (COMPILED["dumper"],) * players),), unit, SEED, (), ())).play(0, units, keep)
    return found


def deals_of(case: Case, players: int, slow: bool) -> list[int]:
    """The deals of a case: the first ones, in the slow run the next ones."""
    wanted = case.deals * (SLOW if slow else 1)
    skipped = case.deals if slow else 0
    if case.dealt == "any":
        return list(range(skipped, skipped + wanted))
    options = rules_of(case, players).to_dict()
    leftover = "dead" if options["leftover"] == "to_lowest_holder" else options["leftover"]  # the same cards are dealt
    units = 20_000 * (10 if slow else 1) * (20 if case.dealt.startswith("two ") else 1)
    found = deals_with(players, options["deal3"], leftover, case.dealt, units)
    return found[skipped : skipped + wanted]


# What the reference says ----------------------------------------------------------------------------------------


@dataclass
class Played:
    """A unit: what is told of each hand, and the outcome columns."""

    hands: list[list[Told]]
    columns: list[int]
    deals: list[list[Dealt]] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)

    def scores(self) -> Iterator[tuple[int, list[int]]]:
        """For each hand in which somebody is asked, its number and the points by seat before it."""
        before: list[int] = []
        for number, told in enumerate(self.hands):
            points = [event[2] for event in told if event[0] == "score"]
            before = before or [0] * len(points)
            if not any(event[0] == "instant" for event in told):
                yield number, before
            before = [old + new for old, new in zip(before, points, strict=True)]


def expected(case: Case, rules: Rules, deal: int, ours: Played) -> Played:
    """Play a unit with the reference engine, from the cards that were dealt in ours."""
    options = reference_options(rules)
    players = options["players"]
    match = case.unit == "match"
    names = seated(case, players)
    none = [0] * players
    asked = ours.scores() if match else ((number, none) for number, _ in ours.scores())
    table = ReferenceTable(names, SEED, deal, asked)
    last = [] if match else [reference_hand(ours.deals[0][-1], options, table)]
    if match:
        whole = play_match(options, table, Dealer([one for deals in ours.deals for one in deals], options))  # type: ignore[arg-type]
        last = list(whole.deals)
        turn = [turned(seat, options) for seat in range(players)]
        wins = [sum(result.winner == seat for result in last) for seat in turn]
        columns = [share * WHOLE for share in (whole.shares[seat] for seat in turn)]
        columns += [Fraction(value) for values in (whole.points, whole.penalties) for value in (values[seat] for seat in turn)]
        columns += [*map(Fraction, wins), Fraction(len(last))]
        assert all(column.denominator == 1 for column in columns)
        played = Played([], [int(column) for column in columns])
        if sum(share > 0 for share in whole.shares) > 1:
            played.reached.add("shared win")
        assert whole.redeals == sum(len(deals) - 1 for deals in ours.deals)
    else:
        played = Played([], hand_columns(last[0], options, len(ours.deals[0]) - 1))
    played.reached |= {"limited"} if table.limited else set()
    for number, (result, deals) in enumerate(zip(last, ours.deals, strict=True)):
        void = [reference_hand(one, options, table) for one in deals[:-1]]
        assert all(one.redeal for one in void)
        played.deals.append([dealt(SEED, deal, number, redeal, options) for redeal in range(len(deals))])
        played.hands.append(reference_told(number, played.deals[-1], [*void, result], options))
        played.reached |= happened(result, options) | ({"redeal"} if void else set())
    return played


def seated(case: Case, players: int) -> list[str]:
    """Who sits in each seat."""
    return [case.seated[seat % len(case.seated)] for seat in range(players)]


def reference_hand(cards: Dealt, options: Options, table: ReferenceTable) -> HandResult:
    """Play what was dealt once."""
    hands = [cards.hands[turned(seat, options)] for seat in range(options["players"])]
    return play_hand(options, hands, [card for card in range(52) if cards.leftover >> card & 1], table)


def reference_told(number: int, deals: Sequence[Dealt], results: Sequence[HandResult], options: Options) -> list[Told]:
    """The events of a hand, its redeals included, in the form that both engines can give."""
    told: list[Told] = [("hand", number)]
    for cards, result in zip(deals, results, strict=True):
        told += [("deal", seat, hand) for seat, hand in enumerate(cards.hands)]
        if cards.leftover and options["leftover"] != "to_lowest_holder":
            told.append(("leftover", None, cards.leftover))
        told += result_told(result, options)
    return told


def result_told(result: HandResult, options: Options) -> list[Told]:
    """The events of one result."""
    told: list[Told] = []
    table, places, owner, opened = 0, 0, 0, False
    for event in result.events:
        seat = turned(event.seat, options)
        if event.kind in ("play", "pass") and not opened:
            opened = True
            told.append(("open", turned(result.opener, options), 0 if result.must_card is None else 1 << result.must_card))
        match event.kind:
            case "leftover":
                told.append(("leftover", seat, event.mask))
            case "redeal":
                told.append(("redeal", seat))
            case "instant_win":
                told.append(("instant", seat, event.mask, result.instant_win))
            case "play":
                told.append(("play", seat, event.mask, table))
                table, owner = event.mask, seat
            case "pass":
                told.append(("pass", seat))
            case "finish":
                places += 1
                told.append(("out", seat, places))
            case "trick_end":
                told.append(("trick", owner))
                table = 0
    if not result.redeal:
        points, charged = by_seat(result.points, options), by_seat(result.charged, options)
        told += [("score", seat, points[seat], charged[seat]) for seat in range(len(points))]
    return told


def by_seat(values: Sequence[int], options: Options) -> list[int]:
    """Values of the reference's seats by those of the compiled engine."""
    return [values[turned(seat, options)] for seat in range(len(values))]


def hand_columns(result: HandResult, options: Options, redeals: int) -> list[int]:
    """The outcome columns of a hand."""
    players = options["players"]
    assert result.winner is not None
    winner, opener = turned(result.winner, options), turned(result.opener, options)
    placed = sum(place is not None for place in result.places)
    halves = [placed + 1 + players if place is None else 2 * place for place in result.places]
    left, penalties = by_seat(result.cards_left, options), by_seat(result.penalty, options)
    plays, passes = sum(result.plays), sum(result.passes)
    return [
        *(WHOLE * (seat == winner) for seat in range(players)),
        *by_seat(halves, options),
        *left,
        *penalties,
        *by_seat(result.points, options),
        *(WHOLE * (seat == (winner - opener) % players) for seat in range(players)),
        *(result.leads.get(size, 0) for size in range(1, 6)),
        sum(result.leads.values()),
        plays,
        passes,
        plays + passes,
        sum(left) - left[winner],
        sum(penalties),
        players - 1,
        int(any(category_of(event.mask, options) == Category.STRAIGHT_FLUSH for event in result.events if event.kind == "play")),
        int(result.instant_win is not None),
        redeals,
        1,
    ]


def category_of(mask: int, options: Options) -> Category:
    """The kind of a legal play of five cards."""
    play = classify(mask, options)
    assert play is not None
    return play.category


def happened(result: HandResult, options: Options) -> set[str]:
    """What a hand reached, for ``Case.reaches``."""
    found = {result.instant_win} if result.instant_win else set()
    found |= {f"{number} cards led" for size, number in enumerate(("two", "three", "four", "five"), 2) if result.leads.get(size)}
    if result.payer is not None:
        beaten = [event.mask for event in result.events if event.kind == "play"][-2]
        found |= {"payer", "payer for a lead"} if beaten > result.hands_left[result.payer] else {"payer"}
    if result.instant_win and result.winner is not None and result.winner < result.opener:
        found.add("dragon out of seat order")
    found |= {"last place"} if result.loser is not None else set()
    found |= {"bonus"} if options["scoring"] == "winner_only" and max(result.points) > 1 else set()
    if any(rank_of(card) == 12 for hand in result.hands_left for card in range(52) if hand >> card & 1):
        found.add("two left")
    if options["opener"] == "previous_winner" and result.must_card is None:
        found.add("opened as last winner")
    if result.must_card != 0 and sum(result.dealt) < 52:
        found.add("lowest card left over")
    if result.must_card == 0 and result.dealt[result.opener] == 18:
        found |= {"lowest card left over"} if result.events[0].mask == 1 else set()
    return found | happened_in_play(result, options)


def happened_in_play(result: HandResult, options: Options) -> set[str]:
    """What the plays of a hand reached."""
    found = set()
    table, passed, before = 0, set(), ""
    for event in result.events:
        if event.kind == "pass":
            found.add("pass")
            passed.add(event.seat)
        elif event.kind == "trick_end":
            if before == "finish" and options["after_out"] == "immediate_control":
                found.add("control at once")
            table, passed = 0, set()
        elif event.kind == "play":
            kinds = (category_of(event.mask, options), category_of(table, options) if table else None)
            found |= {"flush over flush"} if kinds == (Category.FLUSH, Category.FLUSH) else set()
            found |= {"straight"} if kinds[0] == Category.STRAIGHT else set()
            found |= {"straight flush"} if kinds[0] == Category.STRAIGHT_FLUSH else set()
            found |= {"two pairs"} if kinds[0] == Category.TWO_PAIR else set()
            found |= {"bomb"} if table.bit_count() == 1 and event.mask.bit_count() == 5 else set()
            found |= {"answer after a pass"} if event.seat in passed else set()
            if before == "":
                found.add("opened alone" if event.mask.bit_count() == 1 else "opened with more")
                if result.must_card is None and event.mask & -event.mask != lowest_of(result):
                    found.add("opened without the lowest card")
            table = event.mask
        before = event.kind
    return found


def lowest_of(result: HandResult) -> int:
    """The lowest card of all that were played or are left."""
    every = sum(result.hands_left) | sum(event.mask for event in result.events if event.kind == "play")
    return every & -every


# What the compiled engine does ----------------------------------------------------------------------------------


def traced(case: Case, arm: Arm, deal: int) -> Played:
    """Play a unit with a log."""
    table = Table(arm, GAME.unit(case.unit), SEED, deal)
    played = Played([], [])
    table.begin()
    more = True
    while more:
        table.deal_hand()
        while (code := table.play(steps=deal % 3)) == bulk.PAUSED:  # in one go, or with pauses
            pass
        assert code == bulk.FINISHED
        more = table.settle()
        rows = drain(table.log)
        played.hands.append([told_event(row) for row in rows])
        played.deals.append(deals_in(rows, arm.players))
    played.columns = table.outcome()
    return played


def told_event(row: tuple[int, int, int, int]) -> Told:
    """A row of the log in the form that both engines can give."""
    kind, seat, value, extra = row
    told: dict[int, Told] = {
        events.HAND: ("hand", value),
        events.DEAL: ("deal", seat, value),
        events.LEFTOVER: ("leftover", seat if extra else None, value),
        events.REDEAL: ("redeal", seat),
        events.INSTANT: ("instant", seat, value, "dragon" if extra else "four_twos"),
        events.OPEN: ("open", seat, value),
        events.PLAY: ("play", seat, value, extra),
        events.PASS: ("pass", seat),
        events.TRICK: ("trick", seat),
        events.OUT: ("out", seat, value),
        events.SCORE: ("score", seat, value, extra),
    }
    return told[kind]


def deals_in(rows: Sequence[tuple[int, int, int, int]], players: int) -> list[Dealt]:
    """What was dealt in a hand, redeals included."""
    hands = [value for kind, _, value, _ in rows if kind == events.DEAL]
    deck = (1 << 52) - 1
    tables = [tuple(hands[at : at + players]) for at in range(0, len(hands), players)]
    return [Dealt(one, deck & ~sum(one)) for one in tables]


# Comparing ------------------------------------------------------------------------------------------------------


def compare(case: Case, slow: bool) -> int:
    """Compare all deals of a case, for every number of players; how many there were."""
    compared = 0
    reached: set[str] = set()
    for players in case.tables:
        rules = rules_of(case, players)
        arm = Arm(GAME, rules, tuple(COMPILED[name] for name in seated(case, players)))
        deals = deals_of(case, players, slow)
        played = outcomes(Plan((arm,), GAME.unit(case.unit), SEED, (), ()), [(deal, 1) for deal in deals])
        for deal in deals:
            ours = traced(case, arm, deal)
            theirs = expected(case, rules, deal, ours)
            where = f"{players} players, deal {deal}"
            for hand, (mine, other) in enumerate(zip(ours.hands, theirs.hands, strict=True)):
                assert mine == other, f"{where}, hand {hand}"
            assert ours.columns == theirs.columns, where
            assert played[deal, 0, 0] == theirs.columns, f"{where}, in bulk"
            reached |= theirs.reached
        compared += len(deals)
    assert set(case.reaches) <= reached, f"not reached: {set(case.reaches) - reached}"
    return compared


@every_case
def test_play_by_play(case: Case, record_property: Any) -> None:
    compared = compare(case, slow=False)
    record_property("deals", compared)
    print(f"{case}: {compared} deals compared")
    assert compared >= case.deals


@pytest.mark.slow
@every_case
def test_play_by_play_on_many_deals(case: Case, record_property: Any) -> None:
    compared = compare(case, slow=True)
    record_property("deals", compared)
    print(f"{case}: {compared} deals compared")
    assert compared > 0


def test_enough_deals_are_compared() -> None:
    """About 1,500 by default, at least 20,000 in all; deals that are looked for come on top."""
    ordinary = sum(case.deals * len(case.tables) for case in CASES if case.dealt == "any")
    assert ordinary >= 1_400
    assert ordinary * (1 + SLOW) >= 20_000
