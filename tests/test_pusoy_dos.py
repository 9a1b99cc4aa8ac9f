"""Pusoy Dos as a whole: every option changes something, known chances come out, hands are told and guessed at correctly."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import json
import math
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice, product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from analysis.run import Settings
from analysis.variants import VariantArm, Variants, variants
from sim.arm import Arm
from sim.bits import ONE, ZERO, highest, lowest_bit
from sim.game import WHOLE, find_game
from sim.games.pusoy_dos.knowledge import lowest_legal
from sim.games.pusoy_dos.listing import MOST_PLAYS, list_answers
from sim.games.pusoy_dos.lowest import lowest_answer, lowest_lead, lowest_of_largest, lowest_opening
from sim.games.pusoy_dos.narrate import play_name, why_it_beats
from sim.games.pusoy_dos.plays import DECK, is_bomb, is_single_two, strength_of
from sim.games.pusoy_dos.rules import PusoyDosRules
from sim.games.pusoy_dos.scoring import penalty
from sim.jit import kernel
from sim.plan import Plan
from sim.rules import Rules
from sim.strategy import Player, Strategy, set_parameters
from sim.tracing import Table, trace
from sim.view import memory
from sim.worker import StrategyFault, Worker
from tests.conformance.tables import copies_of_cards, imagined, steps, view_bytes
from tests.pusoy_dos_mirror import COMPILED
from tests.pusoy_dos_mirror import GAME as NAME
from tests.reference import pusoy_dos as reference
from tests.reference.pusoy_dos import mask

GAME = find_game(NAME)
SEED = 11
MANY = 300_000

Columns = npt.NDArray[np.int64]


def rules_of(**options: Any) -> Rules:
    """Rules from what differs from the default."""
    return GAME.make_rules(options)


def arm_of(rules: Rules, seated: Sequence[str | Player]) -> Arm:
    """Players, by name or as they are, taken in turn around a table."""
    players = int(rules.to_dict()["players"])
    lineup = [COMPILED[one] if isinstance(one, str) else one for one in seated]
    return Arm(GAME, rules, tuple(lineup[seat % len(lineup)] for seat in range(players)))


class Outcomes:
    """Outcome columns of the first units of a seed, by name: shape (units,), or (players, units) for a column by seat."""

    def __init__(self, rules: Rules, units: int, seated: Sequence[str | Player] = ("dumper",), unit: str = "hand") -> None:
        self.unit, self.players, self.units = GAME.unit(unit), int(rules.to_dict()["players"]), units
        parts: list[Columns] = []
        plan = Plan((arm_of(rules, seated),), self.unit, SEED, (), ())
        Worker(plan).play(0, units, lambda first, count, columns: parts.append(columns[0][0]))
        self.all = np.concatenate(parts, axis=1)

    def __getitem__(self, name: str) -> Columns:
        start = self.unit.place(name, self.players)
        by_seat = next(column.per_seat for column in self.unit.columns if column.name == name)
        return self.all[start : start + self.players] if by_seat else self.all[start]

    def same(self, other: Outcomes) -> set[str]:
        """The columns that are the same in every unit."""
        return {column.name for column in self.unit.columns if np.array_equal(self[column.name], other[column.name])}


# Options --------------------------------------------------------------------------------------------------------


PLAY = {"plays", "passes", "tricks", "length", "cards_left", "leads_1", "leads_5", "won", "place"}
"""Columns that stay as they are when only what a hand costs is changed."""


@dataclass(frozen=True)
class Change:
    """A value of a rule that must change the outcome of some units.

    Attributes
    ----------
    name : str
    value : object
    base : dict
        What else differs from the default, on both sides of the comparison.
    seated : tuple of str
    units : int
    unit : str
    kept : set of str
        Columns that must not change.
    """

    name: str
    value: Any
    base: Mapping[str, Any] | None = None
    seated: tuple[str, ...] = ("dumper",)
    units: int = 300
    unit: str = "hand"
    kept: frozenset[str] | set[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.name}={self.value}"


THREE = {"players": 3}
ON = {"end": "play_on"}
FIVES = ("straight", "flush", "full_house", "quads", "straight_flush")

CHANGES = [
    *(Change("straights", value) for value in ("no_two", "poker_natural", "poker_natural_a5_high", "both", "full_wrap")),
    Change("flush_order", "rank_first"),
    Change("sf_order", "suit_first", {**THREE, "straights": "full_wrap"}, units=20_000),
    Change("triples", False),
    Change("quads", "not_playable"),
    Change("quads", "four_card"),
    Change("bombs", True, seated=("random",), units=3000),
    Change("opener", "previous_winner", {"match_deals": 2}, unit="match"),
    Change("opening_must_include", "single_only", kept={"redeals"}),
    Change("opening_must_include", "free"),
    Change("pass_lockout", False),
    Change("deal3", "39", THREE),
    Change("leftover", "to_lowest_holder", THREE),
    Change("leftover", "remove_lowest", THREE),
    Change("end", "play_on"),
    Change("after_out", "immediate_control", ON),
    Change("scoring", "winner_only", kept=PLAY | {"penalty"}),
    Change("scoring", "none", kept=PLAY | {"penalty"}),
    Change("scoring", "placement", ON, kept=PLAY | {"penalty"}),
    Change("placement", "531", {**THREE, **ON, "scoring": "placement"}, kept=PLAY | {"penalty"}),
    Change("placement", "5320", {**ON, "scoring": "placement"}, kept=PLAY | {"penalty"}),
    *(Change("penalty_table", value, kept=PLAY) for value in ("double10", "gs_8_10_13", "neo", "double13", "flat", "pips")),
    Change("two_mult", "per_two", seated=("random",), units=1000, kept=PLAY),
    Change("two_mult", "once", seated=("random",), units=1000, kept=PLAY),
    Change("penalty_scale", "relative", THREE, kept=PLAY),
    Change("settle", "pairwise", kept=PLAY | {"penalty"}),
    Change("match_deals", 3, unit="match"),
    Change("match_target", 30, unit="match"),
    Change("win_bonus_twos", True, {"scoring": "winner_only"}, units=3000, kept=PLAY | {"penalty"}),
    Change("instant_win", ("dragon",), units=10_000),
    Change("instant_win", ("four_twos",), units=1000),
    Change("redeal_four_twos", True, units=1000),
    Change("last_card_rule", "highest_single"),
    Change("last_card_rule", "pay_all", units=1000, kept=PLAY | {"penalty"}),
    Change("categories", (*FIVES, "two_pair")),
    *(Change("categories", tuple(name for name in FIVES if name != off), units=1000) for off in FIVES),
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_option_changes_a_result(change: Change) -> None:
    base = change.base or {}
    before = Outcomes(rules_of(**base), change.units, change.seated, change.unit)
    after = Outcomes(rules_of(**{**base, change.name: change.value}), change.units, change.seated, change.unit)
    same = before.same(after)
    assert len(same) < len(before.unit.columns)
    assert change.kept <= same


def test_every_value_is_tried() -> None:
    """All options but those that only relabel, and the number of players."""
    tried = {(change.name, change.value) for change in CHANGES}
    defaults = PusoyDosRules.defaults()
    for name, about, kind in PusoyDosRules.options():
        if name in ("players", "suit_order") or about.relabels:
            continue
        values = about.choices if about.choices and not about.many else (False, True) if kind is bool else ()
        assert {(name, value) for value in values if value != defaults[name]} <= tried
        assert name in {one for one, _ in tried}


def test_players_and_their_cards() -> None:
    """PD-1, PD-2: four with 13 cards each, three with 17 or 13."""
    for options, size in (({}, 13), (THREE, 17), ({**THREE, "deal3": "39"}, 13)):
        table = dealt_table(rules_of(**options))
        assert [int(hand).bit_count() for hand in table.positions[0].dealt] == [size] * table.arm.players + [0] * (4 - table.arm.players)


def dealt_table(rules: Rules, deal: int = 0, seated: Sequence[str | Player] = ("dumper",)) -> Table:
    """A table at which a hand has been dealt."""
    table = Table(arm_of(rules, seated), GAME.unit("hand"), SEED, deal)
    table.begin()
    table.deal_hand()
    return table


def told(rules: Rules, deal: int, seated: Sequence[str | Player] = ("dumper",), unit: str = "hand") -> list[str]:
    """A unit in words."""
    return [event.text for event in trace(arm_of(rules, seated), GAME.unit(unit), SEED, deal).events]


@pytest.mark.parametrize("suit_order", ["DCHS", "SHDC"])
def test_the_order_of_suits_only_renames_them(suit_order: str) -> None:
    """PD-A11, PD-V1: the same results, told with other suits."""
    default, other = rules_of(), rules_of(suit_order=suit_order)
    assert np.array_equal(Outcomes(default, 300).all, Outcomes(other, 300).all)
    renamed = str.maketrans("CSHD", suit_order)
    cards = [text.translate(renamed) for text in told(default, 0) if "holds" in text]
    assert cards == [text for text in told(other, 0) if "holds" in text]
    assert told(default, 0) != told(other, 0)
    lowest = {"CSHD": "3C", "DCHS": "3D", "SHDC": "3S"}[suit_order]
    assert any(text.endswith(f"opens, with the lowest card, {lowest}") for text in told(other, 0))


def test_the_direction_only_relabels_the_seats() -> None:
    """PD-A14, PD-V4: seat 2 is the next to play, whichever side he sits on."""
    for options in ({}, {**THREE, **ON}):
        other = rules_of(**options, direction="ccw")
        assert np.array_equal(Outcomes(rules_of(**options), 300).all, Outcomes(other, 300).all)
        assert told(rules_of(**options), 0) == told(other, 0)


def test_presets() -> None:
    """PD-V1, PD-V5."""
    assert GAME.make_rules(preset="daly-city").changed() == {"suit_order": "DCHS"}
    frazz = GAME.make_rules(preset="frazz")
    assert frazz.changed() == {"suit_order": "DCHS", "quads": "not_playable", "end": "play_on", "scoring": "none"}
    seen = Outcomes(frazz, 300)
    assert not seen["points"].any()
    assert np.array_equal(np.sort(seen["place"], axis=0), np.tile([[2], [4], [6], [8]], 300))  # the last place is the loser's
    assert any("opens, with the lowest card, 3D" in text for text in told(frazz, 0))


# Chances --------------------------------------------------------------------------------------------------------


def close(values: npt.NDArray[Any], known: float, known_error: float = 0.0) -> bool:
    """Whether a mean over units lies within four standard errors of a known value (with a standard error of its own, if any)."""
    error = math.hypot(values.std(ddof=1) / math.sqrt(values.size), known_error)
    assert error > 0
    return bool(abs(values.mean() - known) < 4 * error)


def close_ratio(above: npt.NDArray[Any], below: npt.NDArray[Any], known: float, known_error: float) -> bool:
    """The same of a ratio of sums, by the spread of what is left when the known ratio is taken off."""
    left = (above - known * below) / below.mean()
    return close(left, 0.0, known_error)


@cache
def dealt(**options: Any) -> Outcomes:
    """Dealt hands."""
    return Outcomes(rules_of(**options), MANY, unit="deal")


TABLES = [({}, 13, 4), (THREE, 17, 3), ({**THREE, "deal3": "39"}, 13, 3)]
"""Options, cards of a hand, hands."""

tables = pytest.mark.parametrize(("options", "size", "players"), TABLES, ids=["4 x 13", "3 x 17", "3 x 13"])


@tables
def test_four_twos(options: dict[str, Any], size: int, players: int) -> None:
    """PD-O2, PD-V2: 44/4165, 12/455 and 33/4165, and how often a hand is dealt again."""
    chance = Fraction(players * comb(48, size - 4), comb(52, size))
    assert chance == {13: Fraction(11 * players, 4165), 17: Fraction(12, 455)}[size]
    assert close(dealt(**options)["four_twos"], float(chance))
    assert close(dealt(**options, redeal_four_twos=True)["redeals"], float(chance / (1 - chance)))
    assert not dealt(**options, redeal_four_twos=True)["four_twos"].any()


@tables
def test_who_has_the_lowest_card(options: dict[str, Any], size: int, players: int) -> None:
    """PD-O3: with a given player 1/4 or 17/52; not dealt at all 0, 1/52 or 1/4."""
    seen = dealt(**options)
    assert all(close(seen["lowest_card"][seat], size / 52) for seat in range(players))
    undealt = 1 - players * size / 52
    assert close(seen["lowest_undealt"], undealt) if undealt > 0 else not seen["lowest_undealt"].any()


def test_the_lowest_card_of_39() -> None:
    """PD-O3: it is the k-th lowest of the deck with the chance C(52-k, 38) / C(52, 39): 3/4, 13/68, 39/850 …"""
    seen = dealt(**THREE, deal3="39")["lowest_dealt"]
    chances = [Fraction(comb(51 - lower, 38), comb(52, 39)) for lower in range(5)]
    assert chances == [Fraction(3, 4), Fraction(13, 68), Fraction(39, 850), Fraction(429, 41650), Fraction(143, 66640)]
    assert all(close((seen == lower).astype(int), float(chance)) for lower, chance in enumerate(chances))


HAND_OF_13 = {
    "pairs": 78 / 17,
    "triples": 286 / 425,
    "any_quads": 0.0342003549493969,
    "quads": 143 / 4165,
    "full_houses": 7722 / 4165,
    "long_suit": 0.649194751998174,
    "five_card_plays": 9.25822328931573,
    "straight_flush_plays": 0.0178271308523409,
    "any_straight_flush": 0.0151217990148883,
    "any_sequence": 0.518400272799466,
    "split_4432": 12 * comb(13, 4) ** 2 * comb(13, 3) * comb(13, 2) / comb(52, 13),
    "split_5332": 12 * comb(13, 5) * comb(13, 3) ** 2 * comb(13, 2) / comb(52, 13),
    "twice": 13 * comb(4, 2) * comb(48, 11) / comb(52, 13),
    "thrice": 13 * comb(4, 3) * comb(48, 10) / comb(52, 13),
}
"""PD-O1, PD-O4; suit lengths (K2-014) and ranks held exactly so often (K2-011) by counting hands."""


@pytest.mark.parametrize("name", HAND_OF_13)
def test_hands_of_thirteen(name: str) -> None:
    """PD-O1, PD-O4, K2-011, K2-014: the mean of a deal's four hands is the unit."""
    assert close(dealt()[name].mean(axis=0), HAND_OF_13[name])


def test_pairs_and_straights_are_as_common_as_they_are() -> None:
    """K2-011: 2.775 ranks held twice and 0.536 three times are average; straights are not rare, even without the two."""
    assert [round(HAND_OF_13[name], 3) for name in ("twice", "thrice", "quads")] == [2.775, 0.536, 0.034]
    assert close(dealt(straights="no_two")["any_sequence"].mean(axis=0), 0.474298697063602)


def test_dragons() -> None:
    """K2-013, PD-A19: one hand in 9462 has thirteen ranks, about one deal in 2366, which the option makes a win."""
    chance = 4**13 / comb(52, 13)
    assert round(1 / chance) == 9462 and round(1 / (4 * chance)) == 2366
    seen = dealt()["dragon"]
    assert close(seen.mean(axis=0), chance)
    played = Outcomes(rules_of(instant_win="dragon"), 40_000)
    assert np.array_equal(played["instant_wins"], seen[:, :40_000].any(axis=0))
    assert played["instant_wins"].any()
    assert np.array_equal(played["won"][:, played["instant_wins"] > 0] > 0, seen[:, :40_000][:, played["instant_wins"] > 0] > 0)


@dataclass(frozen=True)
class Yardstick:
    """What `dumper` gets against itself: 20 million hands of a separate program, with standard errors (PD-O7)."""

    players: int
    from_opener: tuple[float, ...]
    opener_error: float
    plays: tuple[float, float]
    passes: tuple[float, float]
    cards: tuple[float, float]
    penalty: tuple[float, float]
    leads: dict[int, float]
    leads_error: float
    straight_flushes: tuple[float, float]


YARDSTICKS = [
    Yardstick(
        4,
        (0.30910, 0.23003, 0.22528, 0.23559),
        0.00010,
        (24.9530, 0.0017),
        (14.8193, 0.0010),
        (3.8039, 0.0005),
        (4.2001, 0.0007),
        {5: 0.19351, 3: 0.01679, 2: 0.33791, 1: 0.45179},
        0.00003,
        (0.01554, 0.00003),
    ),
    Yardstick(
        3,
        (0.38022, 0.31467, 0.30512),
        0.00012,
        (20.2916, 0.0014),
        (9.1241, 0.0008),
        (3.8194, 0.0006),
        (4.5627, 0.0012),
        {5: 0.28490, 3: 0.01171, 2: 0.30167, 1: 0.40172},
        0.0001,
        (0.03612, 0.00004),
    ),
]


@pytest.mark.parametrize("known", YARDSTICKS, ids=["4 players", "3 players"])
def test_the_yardstick_strategy(known: Yardstick) -> None:
    """PD-O7: who wins in turn order from the opener, how long hands are, what losers keep and pay, what is led."""
    seen = Outcomes(rules_of(players=known.players), MANY)
    for place, rate in enumerate(known.from_opener):
        assert close(seen["won_from_opener"][place] / WHOLE, rate, known.opener_error)
    assert close(seen["plays"], *known.plays)
    assert close(seen["passes"], *known.passes)
    assert close_ratio(seen["losers_cards"], seen["losers"], *known.cards)
    assert close_ratio(seen["losers_penalty"], seen["losers"], *known.penalty)
    for size, share in known.leads.items():
        assert close_ratio(seen[f"leads_{size}"], seen["tricks"], share, known.leads_error)
    assert close(seen["straight_flushes"], *known.straight_flushes)


@pytest.mark.parametrize("known", YARDSTICKS, ids=["4 players", "3 players"])
def test_the_yardstick_in_plain_c(c_program: Callable[[str], Path], known: Yardstick) -> None:
    """PD-O7 once more; standard errors shrink with the root of the number of hands."""
    hands = 2_000_000
    arguments = [str(c_program(NAME)), str(known.players), str(hands), str(SEED)]
    found = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    spread = math.sqrt(1 + 20_000_000 / hands)

    def close_to(value: float, wanted: float, error: float) -> bool:
        return abs(value - wanted) < 4 * error * spread

    assert (found["players"], found["hands"], found["seed"]) == (known.players, hands, SEED)
    for rate, wanted in zip(found["win_rate_from_opener"], known.from_opener, strict=True):
        assert close_to(rate, wanted, known.opener_error)
    assert close_to(found["plays_per_hand"], *known.plays)
    assert close_to(found["passes_per_hand"], *known.passes)
    assert close_to(found["cards_left_per_loser"], *known.cards)
    assert close_to(found["penalty_per_loser"], *known.penalty)
    assert found["lead_share"].keys() == {str(size) for size in known.leads}
    for size, share in known.leads.items():
        assert close_to(found["lead_share"][str(size)], share, known.leads_error)


# Variants -------------------------------------------------------------------------------------------------------


def sweep(name: str, values: Sequence[str], deals: int, seated: Sequence[str | Player] = ("dumper",)) -> Variants:
    """What the values of a rule change in `win_rate`, each against the first."""
    arms = [VariantArm({name: value}, arm_of(rules_of(**{name: value}), seated)) for value in values]
    return variants(arms, GAME.unit("hand"), ["win_rate"], deals=deals, seed=SEED, settings=Settings(jobs=1))


def test_how_flushes_compare() -> None:
    """K2-015: with flushes by rank one hand in eleven is won by somebody else; each seat's chances hardly move."""
    by_suit, by_rank = Outcomes(rules_of(), 20_000), Outcomes(rules_of(flush_order="rank_first"), 20_000)
    other_winner = (by_suit["won"] != by_rank["won"]).any(axis=0)
    assert close(other_winner, 0.0931, 0.0003)  # a million hands of another seed
    base, row = sweep("flush_order", ("suit_first", "rank_first"), 20_000).rows
    assert base.base and not row.base
    for seat, reading in enumerate(row.readings[:4]):
        gained = (by_rank["won"][seat] - by_suit["won"][seat]) / WHOLE
        assert reading.difference is not None
        assert reading.difference.value == pytest.approx(gained.mean())
        assert reading.difference.low is not None and reading.difference.high is not None
        assert reading.difference.low < gained.mean() < reading.difference.high
        assert reading.difference.low > -0.01 and reading.difference.high < 0.01


@kernel
def bombing(view):
    """Put the first bomb that it finds on a single two; otherwise play as `dumper` does."""
    if view.table != ZERO and is_single_two(view.strength) and view.bombs != 0:
        plays = memory(view)
        count = list_answers(view.hand, view.strength, view, plays)
        for i in range(count):
            if is_bomb(strength_of(plays[np.uint64(i)], view)):
                return np.int64(plays[np.uint64(i)])
    return lowest_legal(view)


BOMBER = set_parameters(Strategy(NAME, "bomber", "bombs single twos", {"play": bombing}, memory=MOST_PLAYS), {})


def test_bombs() -> None:
    """K2-022, PD-A7: off unless asked for; then who puts four of a kind or a straight flush on single twos wins more often."""
    assert PusoyDosRules().bombs is False
    table = (BOMBER, "dumper", "dumper", "dumper")
    row = sweep("bombs", ("false", "true"), 200_000, table).rows[1]
    gained = row.readings[0].difference
    assert gained is not None and gained.low is not None and gained.high is not None
    assert 0 < gained.low < 0.0007 < gained.high
    off, on = (Outcomes(rules_of(bombs=bombs), 5000, table) for bombs in (False, True))
    assert np.array_equal(off.all, Outcomes(rules_of(), 5000).all)
    deal = int(np.flatnonzero((off["won"] != on["won"]).any(axis=0))[0])
    assert any("a bomb: " in text for text in told(rules_of(bombs=True), deal, table))


def test_the_yardstick_never_bombs() -> None:
    """PD-O7: so the option changes nothing for it, which the sweep says."""
    found = sweep("bombs", ("false", "true"), 300)
    assert all(reading.difference is not None and reading.difference.value == 0 for reading in found.rows[1].readings)
    assert found.verdict == "with bombs=true: win_rate the same in every deal"


# Points ---------------------------------------------------------------------------------------------------------


def owed(cards: str, held: int = 13, **options: Any) -> int:
    """Penalty for the cards left of so many dealt."""
    return int(penalty(np.uint64(mask(cards)), np.uint64(held), rules_of(**options).to_record()[0]))


def test_card_points() -> None:
    """K2-017: 2D KD TS 4C cost 2 + 10 + 10 + 4 by face value, 4 by number."""
    assert owed("2D KD TS 4C", penalty_table="pips") == 26
    assert owed("2D KD TS 4C") == 4
    assert owed("AD 3C JH", penalty_table="pips") == 14


def test_penalty_tables() -> None:
    """PD-O5, PD-A17: 9, 20, 24 and 39 for 9, 10, 12 and 13 cards, and what the other tables say."""
    some = [" ".join(f"{rank}{suit}" for rank, suit in list(product("3456789TJQKA", "CS"))[:count]) for count in range(1, 19)]
    tables = {
        "b2_classic": [1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 22, 24, 39, 42, 45, 48, 51, 54],
        "double10": [1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 22, 24, 26, 28, 30, 32, 34, 36],
        "gs_8_10_13": [1, 2, 3, 4, 5, 6, 7, 16, 18, 30, 33, 36, 52, 56, 60, 64, 68, 72],
        "neo": [1, 2, 3, 4, 10, 12, 14, 16, 18, 30, 33, 36, 39, 42, 45, 48, 51, 54],
        "double13": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 26, 28, 30, 32, 34, 36],
        "flat": list(range(1, 19)),
    }
    for table, values in tables.items():
        assert [owed(cards, penalty_table=table) for cards in some] == values, table
    # 17 cards dealt: the steps are at 10 * 17 / 13 and 13 * 17 / 13, rounded up.
    assert [owed(cards, 17, penalty_scale="relative") for cards in some[11:17]] == [12, 13, 28, 30, 32, 51]
    assert [owed("2C 2D 3C", two_mult=value) for value in ("none", "once", "per_two")] == [3, 6, 12]


def test_settling() -> None:
    """PD-O5, PD-A17: (85, -22, -24, -39) when the winner collects; pairwise what one owes four times, less what all owe."""
    collected, pairwise = Outcomes(rules_of(), 2000), Outcomes(rules_of(settle="pairwise"), 2000)
    owes = collected["penalty"]
    won = collected["won"] > 0
    assert np.array_equal(collected["points"], np.where(won, owes.sum(axis=0), -owes))
    assert np.array_equal(pairwise["points"], owes.sum(axis=0) - 4 * owes)


@pytest.mark.parametrize(
    "options", [{}, {"settle": "pairwise"}, {"last_card_rule": "pay_all"}, {**ON, "two_mult": "once"}, {**THREE, "settle": "pairwise"}]
)
def test_penalties_add_up_to_nothing(options: dict[str, Any]) -> None:
    """PD-A17, PD-A20: what some pay others get, in hands and in matches."""
    assert not Outcomes(rules_of(**options), 1000)["points"].sum(axis=0).any()
    matches = Outcomes(rules_of(**options), 100, unit="match")
    assert not matches["points"].sum(axis=0).any()
    assert (matches["hands_won"].sum(axis=0) == matches["hands"]).all()


def test_who_pays_for_all() -> None:
    """PD-A20: now and then one seat is charged what all owe; the penalties themselves stay."""
    off, on = Outcomes(rules_of(), 1000), Outcomes(rules_of(last_card_rule="pay_all"), 1000)
    changed = (off["points"] != on["points"]).any(axis=0)
    assert 0 < changed.mean() < 0.5
    paid = on["points"][:, changed]
    assert ((paid < 0).sum(axis=0) == 1).all()
    assert np.array_equal(-paid.min(axis=0), off["penalty"][:, changed].sum(axis=0))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("end", ["first_out", "play_on"])
def test_places_add_up(players: int, end: str) -> None:
    """1 + 2 + … + n, in halves; seats that did not finish share what is left."""
    seen = Outcomes(rules_of(players=players, end=end), 500)
    assert (seen["place"].sum(axis=0) == players * (players + 1)).all()
    assert ((seen["place"] == 2) == (seen["won"] > 0)).all()
    if end == "first_out":
        assert set(np.unique(seen["place"])) == {2, players + 2}
    assert ((seen["cards_left"] == 0).sum(axis=0) == (1 if end == "first_out" else players - 1)).all()


def test_points_by_place_and_for_the_winner() -> None:
    """PD-O5, PD-12, PD-A16, PD-A18: nine points a hand for four, eight or nine for three; one for the winner, more for twos."""
    for options, total in (({}, 9), ({"placement": "5320"}, 10), (THREE, 8), ({**THREE, "placement": "531"}, 9)):
        assert (Outcomes(rules_of(**options, **ON, scoring="placement"), 200)["points"].sum(axis=0) == total).all()
    one = Outcomes(rules_of(scoring="winner_only"), 200)
    assert np.array_equal(one["points"], one["won"] // WHOLE)
    doubled = Outcomes(rules_of(scoring="winner_only", win_bonus_twos=True), 3000)["points"].sum(axis=0)
    assert {1, 2} <= set(np.unique(doubled)) <= {1, 2, 4, 8, 16}


def test_counts_add_up() -> None:
    """Tricks by what is led, turns, cards: every card is left over at the end or was played."""
    seen = Outcomes(rules_of(), 500)
    assert np.array_equal(sum(seen[f"leads_{size}"] for size in range(1, 6)), seen["tricks"])
    assert np.array_equal(seen["plays"] + seen["passes"], seen["length"])
    assert np.array_equal(seen["cards_left"].sum(axis=0), seen["losers_cards"])
    assert np.array_equal(seen["penalty"].sum(axis=0), seen["losers_penalty"])
    assert (seen["losers"] == 3).all()
    assert (seen["won_from_opener"].sum(axis=0) == WHOLE).all()


def test_matches_end_when_they_should() -> None:
    """PD-A17: after so many hands, or with the hand in which somebody reaches the target; the least sum wins."""
    ten = Outcomes(rules_of(), 100, unit="match")
    assert (ten["hands"] == 10).all()
    aimed = Outcomes(rules_of(match_target=30), 300, unit="match")
    assert (aimed["penalty"].max(axis=0) >= 30).all() and len(np.unique(aimed["hands"])) > 3
    for seen in (ten, aimed):
        least = seen["penalty"] == seen["penalty"].min(axis=0)
        assert np.array_equal(seen["won"], least * (WHOLE // least.sum(axis=0)))


# What is left over ----------------------------------------------------------------------------------------------


def test_the_left_over_card_of_three() -> None:
    """K2-019, PD-A12: 52 = 3 * 17 + 1; it goes to the lowest card's holder, or, as the lowest card itself, to the next one's."""
    dead, given = rules_of(**THREE), rules_of(**THREE, leftover="to_lowest_holder")
    undealt = np.flatnonzero(dealt(**THREE)["lowest_undealt"])
    for deal in (0, 1, 2, *map(int, undealt[:3])):
        before, after = dealt_table(dead, deal).positions[0], dealt_table(given, deal).positions[0]
        spare = int(before.leftover)
        hands = [int(hand) for hand in before.dealt[:3]]
        taker = min(range(3), key=lambda seat: hands[seat] & -hands[seat])
        assert spare.bit_count() == 1 and int(after.leftover) == 0
        assert [int(hand) for hand in after.dealt[:3]] == [hand | spare * (seat == taker) for seat, hand in enumerate(hands)]
        assert int(after.seat) == taker
        assert int(after.must) == min(spare, *(hand & -hand for hand in hands))
    assert any("left over, with the lowest card" in text for text in told(given, 0))


def test_the_lowest_card_taken_out() -> None:
    """PD-A12, PD-A13: it lies there with the others left over, and the lowest card dealt opens."""
    for size, left in (("51", 1), ("39", 13)):
        position = dealt_table(rules_of(**THREE, leftover="remove_lowest", deal3=size)).positions[0]
        assert int(position.leftover) & 1 and int(position.leftover).bit_count() == left
        assert int(position.must) == min(int(hand) & -int(hand) for hand in position.dealt[:3])


# Hands in words -------------------------------------------------------------------------------------------------


GOLDEN = """\
hand 1
  seat 1 (dumper) holds 3H 4D 5D 6C 6D 7D 9H 9D TC JS QC QS QD KD AC 2C 2S
  seat 2 (dumper) holds 3S 4C 4H 5C 5H 8C 8S 8H 8D TS TD JC JD QH KC 2H 2D
  seat 3 (dumper) holds 3C 3D 4S 5S 6S 6H 7C 7H 9C 9S TH JH KS KH AS AH AD
  left over: 7S
seat 3 opens, with the lowest card, 3C
seat 3 leads 3C 4S 5S 6S 7C (straight, 3 to 7)
seat 1 plays 3H 4D 5D 6C 7D (straight, 3 to 7): same ranks, higher suit of the card that decides
seat 2 plays 4C 5C 8C JC KC (flush in clubs, KC high): flush over straight
seat 3 plays 6H 7H TH JH KH (flush in hearts, KH high): higher suit
seat 1 plays 9H 9D QC QS QD (full house, queens): full house over flush
seat 2 passes
seat 3 plays 9C 9S AS AH AD (full house, aces): aces over queens
seat 1 passes
  seat 3 wins the trick
seat 3 leads 3D
seat 1 plays 6D: higher rank
seat 2 plays 8S: higher rank
seat 3 plays KS: higher rank
  seat 3 (dumper) is out, first
seat 1: -6 points (penalty 6)
seat 2: -22 points (penalty 22)
seat 3: +28 points
"""


def test_a_hand_in_words() -> None:
    """Checked by hand against PD-1 to PD-12 and PD-O7; 11 cards cost 22, 6 cost 6."""
    assert told(rules_of(**THREE), 329) == GOLDEN.splitlines()


def test_a_hand_as_data() -> None:
    """The same hand for programs."""
    events = [event.data for event in trace(arm_of(rules_of(**THREE), ["dumper"]), GAME.unit("hand"), SEED, 329).events]
    assert events[4] == {"event": "leftover", "cards": ["7S"], "seat": None}
    assert events[5] == {"event": "open", "seat": 3, "card": "3C"}
    assert events[7] == {
        "event": "play",
        "seat": 1,
        "cards": ["3H", "4D", "5D", "6C", "7D"],
        "play": "straight, 3 to 7",
        "leads": False,
        "reason": "same ranks, higher suit of the card that decides",
    }
    assert events[6]["leads"] and events[6]["reason"] is None
    assert events[-1] == {"event": "score", "seat": 3, "points": 28, "penalty": 0}


def test_what_happens_at_the_deal_in_words() -> None:
    """PD-V2, PD-A19: redeals and hands that win at once."""
    four_twos = int(np.flatnonzero(dealt()["four_twos"])[0])
    again = told(rules_of(redeal_four_twos=True), four_twos)
    assert sum("holds" in text for text in again) == 8
    assert any(text.endswith("has all four twos: the cards are dealt again") for text in again)
    dragon = int(np.flatnonzero(dealt()["dragon"].any(axis=0))[0])
    for name, deal, words in (("four_twos", four_twos, "all four twos"), ("dragon", dragon, "a dragon, all thirteen ranks")):
        won = told(rules_of(instant_win=name), deal)
        assert any(text.endswith(f"wins at once with {words}") for text in won)
        assert not any("leads" in text for text in won)


TWO_PAIRS = {"categories": ("two_pair", *FIVES)}
NATURAL, A5_HIGH = {"straights": "poker_natural"}, {"straights": "poker_natural_a5_high"}
BY_RANK, SF_BY_SUIT = {"flush_order": "rank_first"}, {"sf_order": "suit_first"}
DECIDES = "same ranks, higher suit of the card that decides"

REASONS: list[tuple[str, str, dict[str, Any], str]] = [
    ("3D", "3C", {}, "same rank, higher suit"),
    ("4C", "3D", {}, "higher rank"),
    ("7S 7D", "7C 7H", {}, "same rank, higher suit"),
    ("8C 8S", "7H 7D", {}, "higher rank"),
    ("4C 4S 4D", "3C 3S 3D", {}, "fours over threes"),
    ("5C 5S 5H 5D", "4C 4S 4H 4D", {"quads": "four_card"}, "fives over fours"),
    ("6C 6S 3C 3S 4D", "5C 5S 4C 4S 3H", TWO_PAIRS, "higher ranks"),
    ("5H 5D 4H 4D 3C", "5C 5S 4C 4S 3S", TWO_PAIRS, "same ranks, higher suit in the higher pair"),
    ("4S 5D 6C 7D 8S", "3C 4H 5H 6S 7C", {}, "higher sequence"),
    ("4C 5C 6D 7S 8D", "4S 5D 6C 7D 8S", {}, DECIDES),
    ("2S 3C 4C 5S 6C", "AC 2C 3S 4S 5C", NATURAL, "higher sequence"),
    ("AC 2C 3S 4S 5C", "2S 3C 4C 5S 6C", A5_HIGH, "higher sequence"),
    ("AC 2S 3S 4S 5C", "AS 2C 3C 4C 5S", A5_HIGH, DECIDES),
    ("3S 5S 6S 7S 9S", "4C 6C KC AC 2C", {}, "higher suit"),
    ("3S 5S 6S 8S KS", "4S 7S 9S TS QS", {}, "higher ranks"),
    ("4C 6C 7C 8C KC", "3D 5D 6D 7D QD", BY_RANK, "higher ranks"),
    ("3S 5S 6S 7S 9S", "3C 5C 6C 7C 9C", BY_RANK, "same ranks, higher suit"),
    ("5C 5S 5H 3C 3S", "4C 4S 4H AC AS", {}, "fives over fours"),
    ("6C 6S 6H 6D 3C", "4C 4S 4H 4D 3S", {}, "sixes over fours"),
    ("4C 5C 6C 7C 8C", "3D 4D 5D 6D 7D", {}, "higher sequence"),
    ("3S 4S 5S 6S 7S", "3C 4C 5C 6C 7C", {}, "same ranks, higher suit"),
    ("3D 4D 5D 6D 7D", "4C 5C 6C 7C 8C", SF_BY_SUIT, "higher suit"),
    ("9D TD JD QD KD", "4D 5D 6D 7D 8D", SF_BY_SUIT, "higher sequence"),
    ("3C 4C 6C 7C 9C", "TC JS QC KC AS", {}, "flush over straight"),
    ("4C 4S 4H 4D 3C", "2D", {"bombs": True}, "a bomb: four of a kind over a single two"),
]


@pytest.mark.parametrize(("play", "table", "options", "reason"), REASONS)
def test_why_a_play_beats_another(play: str, table: str, options: dict[str, Any], reason: str) -> None:
    known = reference.resolve(options)
    first, second = (reference.classify(mask(cards), known) for cards in (play, table))
    assert first is not None and second is not None
    assert reference.beats(first, second, known) and not reference.beats(second, first, known)
    assert why_it_beats(mask(play), mask(table), rules_of(**options)) == reason


@pytest.mark.parametrize(
    ("play", "options", "name"),
    [
        ("3C", {}, "single 3C"),
        ("7S 7D", {}, "pair of sevens"),
        ("6C 6S 6H", {}, "triple of sixes"),
        ("5C 5S 5H 5D", {"quads": "four_card"}, "bare four of a kind, fives"),
        ("5H 5D 4H 4D 3C", TWO_PAIRS, "two pairs"),
        ("TC JS QC KC AS", {}, "straight, T to A"),
        ("AC 2C 3S 4C 5C", NATURAL, "straight, A to 5"),
        ("KC AC 2C 3S 4C", {"straights": "full_wrap"}, "straight, K to 4"),
        ("3H 5H 9H KH 2H", {}, "flush in hearts, 2H high"),
        ("KC KH KD 9S 9D", {}, "full house, kings"),
        ("2C 2S 2H 2D 3C", {}, "four of a kind, twos"),
        ("JD QD KD AD 2D", {}, "straight flush in diamonds, J to 2"),
    ],
)
def test_what_plays_are_called(play: str, options: dict[str, Any], name: str) -> None:
    assert play_name(mask(play), rules_of(**options)) == name


# Wrong answers --------------------------------------------------------------------------------------------------


@kernel
def passing(view):
    return 0


@kernel
def stranger(view):
    """A card of somebody else."""
    return np.int64(lowest_bit(~view.hand & DECK))


@kernel
def odd_pair(view):
    """The lowest and the highest card."""
    return np.int64(lowest_bit(view.hand) | (ONE << highest(view.hand)))


@kernel
def lowest_single(view):
    """The lowest card, whatever is on the table."""
    return np.int64(lowest_bit(view.hand))


@kernel
def five_on_anything(view):
    """A lead, also when it should be an answer."""
    return np.int64(lowest_opening(view.hand, view.must, view) if view.must != ZERO else lowest_lead(view.hand, view))


@kernel
def highest_single(view):
    """The highest card."""
    return np.int64(ONE << highest(view.hand))


@kernel
def largest_opening(view):
    """The lowest card, not alone if possible."""
    return np.int64(lowest_of_largest(view.hand, view.must, view)) if view.must != ZERO else lowest_legal(view)


@kernel
def careless(view):
    """The lowest answer, also when a single should be one's highest."""
    if view.table == ZERO:
        return lowest_legal(view)
    return np.int64(lowest_answer(view.hand, view.table, view.strength, view))


@kernel
def no_mask(view):
    return -1


CARD = "[3-9TJQKA2][CSHD]"

WRONG: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (passing, {}, r"passed, but whoever leads a trick must play \(PD-9\)"),
    (stranger, {}, f"played ({CARD}), but does not hold \\1"),
    (odd_pair, {}, f"played {CARD} {CARD}, which is no legal combination"),
    (lowest_single, {}, f"played {CARD} \\(single {CARD}\\), which does not beat {CARD}"),
    (five_on_anything, {}, f"played .* \\(.*\\), which does not beat {CARD}( {CARD})*"),
    (highest_single, {}, f"opened with {CARD}, without the lowest card 3C \\(PD-8\\)"),
    (
        largest_opening,
        {"opening_must_include": "single_only"},
        r"opened with 3C .* \(.*\), but the lowest card 3C must be played alone \(PD-A9\)",
    ),
    (
        careless,
        {"last_card_rule": "highest_single"},
        f"played {CARD} \\(single {CARD}\\), but the next player holds one card, so a single must be one's highest \\(PD-A20\\)",
    ),
    (no_mask, {}, "answered -1; a play is a mask of cards, below 2 to the 52nd"),
]


@pytest.mark.parametrize(("choice", "options", "words"), WRONG, ids=[choice.__name__ for choice, _, _ in WRONG])
def test_wrong_answers(choice: Callable[..., Any], options: dict[str, Any], words: str) -> None:
    """What is wrong is said in words, with what the seat knew; bulk play stops at the same seat of the same deal."""
    wrong = set_parameters(Strategy(NAME, "wrong", "goes wrong", {"play": choice}), {})
    arm = arm_of(rules_of(**options), [wrong])
    with pytest.raises(StrategyFault) as raised:
        Worker(Plan((arm,), GAME.unit("hand"), SEED, (), ())).play(0, 200)
    seen = trace(arm, GAME.unit("hand"), SEED, raised.value.unit)
    assert re.fullmatch(words, seen.fault), seen.fault
    assert seen.outcome is None
    assert seen.fault_view[0] == "asked for play: wrong"
    assert seen.fault_view[1].startswith(f"seat {raised.value.seat + 1} of 4, after ")
    assert seen.fault_view[2].startswith("own cards: ")


# Guessing -------------------------------------------------------------------------------------------------------


GUESSED = [
    {},
    {"opening_must_include": "free"},
    {**ON, "pass_lockout": False},
    {**THREE, "deal3": "39"},
    {**THREE, "leftover": "to_lowest_holder"},
    {**THREE, "leftover": "remove_lowest", "opening_must_include": "free"},
    {**THREE, "leftover": "remove_lowest", "deal3": "39"},
]


def luck(number: int) -> tuple[int, int, int, int]:
    """A start state of a stream."""
    a, b, c, d = np.random.default_rng(number).integers(1, 2**63, 4)
    return int(a), int(b), int(c), int(d)


def stops(rules: Rules, deal: int) -> Iterator[Table]:
    """A table at every decision of a hand of random players."""
    table = Table(arm_of(rules, ["random"]), GAME.unit("hand"), SEED, deal)
    for _ in steps(table, []):
        if int(table.positions[0].winner) < 0:
            yield table


@pytest.mark.parametrize("options", GUESSED, ids=str)
def test_guesses_agree_with_what_a_seat_knows(options: dict[str, Any]) -> None:
    """The same view, the right sizes, every card once; what the opening told stays true."""
    rules = rules_of(**options)
    kept_out = 0
    different = set()
    for deal in range(6):
        for table in stops(rules, deal):
            true = table.positions[0]
            for seat in range(table.arm.players):
                copies = imagined(table, table.positions, seat, luck(deal))
                guess = copies[0]
                assert view_bytes(table, seat, copies) == view_bytes(table, seat)
                assert copies_of_cards(GAME.knowledge.zones(guess)) == 1
                assert [int(x).bit_count() for x in guess.hands] == [int(x).bit_count() for x in true.hands]
                assert int(guess.leftover).bit_count() == int(true.leftover).bit_count()
                assert guess.hands[seat] == true.hands[seat] and (guess.played == true.played).all()
                assert (guess.dealt == guess.hands | guess.played).all()
                assert int(guess.leftover) & 1 or "remove_lowest" not in options.values()
                if "free" not in options.values():
                    kept_out += lowest_is_known(guess)
                different.add(tuple(guess.hands.tolist()))
    assert len(different) > 50
    assert kept_out or "free" in options.values()


def lowest_is_known(guess: Any) -> bool:
    """Check that the opener has, or has played, the lowest card of all that were dealt; whether lower cards are left over."""
    dealt_cards = [int(hand) for hand in guess.dealt]
    lowest = min(hand & -hand for hand in dealt_cards if hand)
    assert dealt_cards[int(guess.opener)] & lowest
    assert int(guess.must) in (0, lowest)
    assert int(guess.must) or int(guess.played[int(guess.opener)]) & lowest
    return lowest > 1 or int(guess.leftover) == 0


def test_guesses_are_even() -> None:
    """Every card that a seat cannot see is as likely in any place as there are places."""
    table = list(islice(stops(rules_of(**THREE), 3), 9))[-1]
    true = table.positions[0]
    sizes = [int(true.hands[1]).bit_count(), int(true.hands[2]).bit_count(), 1]
    rounds = 3000
    counts = np.zeros((3, 52))
    for number in range(rounds):
        guess = imagined(table, table.positions, 0, luck(number))[0]
        for at, cards in enumerate((guess.hands[1], guess.hands[2], guess.leftover)):
            counts[at] += [int(cards) >> card & 1 for card in range(52)]
    hidden = [card for card in range(52) if counts[:, card].any() and card > 0]
    assert len(hidden) == sum(sizes)
    for at, size in enumerate(sizes):
        chance = size / sum(sizes)
        error = math.sqrt(rounds * chance * (1 - chance))
        assert np.abs(counts[at, hidden] - rounds * chance).max() < 4.5 * error
