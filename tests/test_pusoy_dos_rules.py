"""The options of Pusoy Dos: what is read, what is refused, and what an engine gets to see."""

from typing import Any

import pytest

from sim.errors import UsageError
from sim.games.pusoy_dos import rules as pd
from sim.games.pusoy_dos.rules import PRESETS, PusoyDosRules
from tests.reference import pusoy_dos as ref


def record(**options: Any) -> Any:
    """The record of some rules."""
    return PusoyDosRules.from_mapping(options).to_record()[0]


def test_options_and_defaults_are_those_of_the_reference() -> None:
    """PD-A1 to PD-A25: the same names and values, points by place apart, which have names here."""
    defaults = PusoyDosRules.defaults()
    assert sorted(defaults) == sorted(ref.DEFAULTS)
    for name, value in ref.DEFAULTS.items():
        assert name == "placement" or defaults[name] == value, name
    for name, about, kind in PusoyDosRules.options():
        if name in ref.CHOICES and kind is str:
            assert about.choices == ref.CHOICES[name], name
    assert PRESETS == ref.PRESETS
    assert all(PusoyDosRules.from_mapping(changes).changed() for changes in PRESETS.values())


def test_rules_are_read_as_on_the_command_line() -> None:
    text = {
        "categories": "quads+straight",
        "instant_win": "none",
        "match_target": "100",
        "triples": "no",
        "players": "3",
    }
    rules = PusoyDosRules.from_mapping(text)
    assert rules.categories == ("straight", "quads") and rules.instant_win == ()
    assert (rules.match_target, rules.triples, rules.players) == (100, False, 3)
    assert PusoyDosRules.from_mapping({"match_target": "none"}).match_target is None
    assert PusoyDosRules.from_mapping({"categories": "none"}).categories == ()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 5}, "players: 5 is out of range"),
        ({"suit_order": "CSH"}, "no permutation"),
        ({"suit_order": "CSHH"}, "no permutation"),
        ({"scoring": "placement"}, "needs end=play_on"),
        ({"players": 3, "deal3": "39", "leftover": "to_lowest_holder"}, "needs deal3=51"),
        ({"match_target": 50, "scoring": "winner_only"}, "needs scoring=penalty"),
        ({"match_target": 0}, "out of range"),
        ({"match_deals": 0}, "out of range"),
        ({"players": 3, "placement": "5320"}, "four places"),
        ({"categories": "straight+pairs"}, "no 'pairs'"),
        ({"straights": "wrap"}, "no 'wrap'"),
        ({"instant_win": "dragons"}, "did you mean dragon"),
        ({"two_pairs": True}, "no rule 'two_pairs'"),
    ],
)
def test_undefined_rules_are_refused(options: dict[str, Any], reason: str) -> None:
    """PD-12, PD-A11, PD-A12, PD-A16, PD-A17: an error that says why."""
    with pytest.raises(UsageError, match=reason):
        PusoyDosRules.from_mapping(options)


def test_refusals_without_ground_are_not_made() -> None:
    """With four players ``deal3`` and ``leftover`` say nothing, so they hinder nothing."""
    assert PusoyDosRules.from_mapping({"deal3": "39", "leftover": "to_lowest_holder"}).players == 4
    assert PusoyDosRules.from_mapping({"scoring": "placement", "end": "play_on"}).place_points() == (5, 3, 1, 0)


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, (5, 3, 1, 0)),
        ({"players": 3}, (5, 3, 0)),
        ({"players": 3, "placement": "531"}, (5, 3, 1)),
        ({"placement": "5320"}, (5, 3, 2, 0)),
    ],
)
def test_points_by_place(options: dict[str, Any], points: tuple[int, ...]) -> None:
    """PD-12, PD-A16."""
    assert PusoyDosRules.from_mapping(options).place_points() == points
    seen = record(**options)
    assert (seen.place_1, seen.place_2, seen.place_3, seen.place_4) == (*points, 0)[:4]


@pytest.mark.parametrize("table", ref.CHOICES["penalty_table"])
def test_penalty_steps(table: str) -> None:
    """PD-A17: the steps in the record give the reference's penalty for 1 to 18 cards; pips have none."""
    seen = record(penalty_table=table)
    for cards in range(1, 19):
        factor = 1
        for step in (1, 2, 3):
            if cards >= seen[f"step_{step}"]:
                factor = int(seen[f"factor_{step}"])
        if table == "pips":
            assert factor == 1
        else:
            assert factor * cards == ref.penalty((1 << cards) - 1, 13, ref.resolve(penalty_table=table))


def test_kinds_of_plays() -> None:
    """PD-3, PD-A6, PD-A7, PD-A25: which kinds exist, and what a suited straight counts as."""

    def kinds(**options: Any) -> set[int]:
        return {kind for kind in range(pd.KINDS) if record(**options).kinds >> kind & 1}

    usual = {pd.SINGLE, pd.PAIR, pd.TRIPLE, pd.STRAIGHT, pd.FLUSH, pd.FULL_HOUSE, pd.QUADS, pd.STRAIGHT_FLUSH}
    assert len(pd.KIND_NAMES) == pd.KINDS
    assert kinds() == usual
    assert kinds(triples=False) == usual - {pd.TRIPLE}
    assert kinds(quads="not_playable") == usual - {pd.QUADS}
    assert kinds(quads="four_card") == usual - {pd.QUADS} | {pd.FOUR}
    assert kinds(categories=("two_pair",)) == {pd.SINGLE, pd.PAIR, pd.TRIPLE, pd.TWO_PAIR}
    assert record().suited_kind == pd.STRAIGHT_FLUSH
    assert record(categories=("straight", "flush")).suited_kind == pd.FLUSH
    assert record(categories=("straight",)).suited_kind == pd.STRAIGHT
    assert record(categories=("full_house",)).suited_kind == pd.NO_PLAY


def test_the_plain_way_is_taken_only_for_the_default_plays() -> None:
    other: dict[str, Any] = {
        "straights": "no_two",
        "flush_order": "rank_first",
        "sf_order": "suit_first",
        "triples": False,
        "quads": "four_card",
        "categories": ("straight",),
    }
    assert record().plain == 1 and record(suit_order="DCHS", bombs=True, end="play_on").plain == 1
    assert [record(**{name: value}).plain for name, value in other.items()] == [0] * len(other)


def test_hand_sizes() -> None:
    """PD-2."""
    assert [record(players=n, deal3=d).hand_size for n, d in ((4, "51"), (4, "39"), (3, "51"), (3, "39"))] == [
        13,
        13,
        17,
        13,
    ]
