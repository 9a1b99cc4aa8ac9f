"""What every registered game must keep, whatever its rules and number of players: no line here is about one game.

The settings are derived from the options a game declares; the players are its random strategy and its default one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import pytest

from sim import bulk
from sim.arm import Arm
from sim.events import drain
from sim.executors import Threads
from sim.game import WHOLE, Game, Unit, all_games
from sim.plan import Plan, Totals
from sim.rules import value_text
from sim.runner import run
from sim.strategy import Strategy, set_parameters
from sim.tracing import Table, trace
from sim.view import view_dtype
from sim.worker import StrategyFault, Worker
from tests.conformance.plans import SEED, full_plan, outcomes, squared_differences
from tests.conformance.sample import sample
from tests.conformance.settings import (
    Setting,
    default_settings,
    few_settings,
    mixed_arm,
    more_settings,
    player_of,
    random_arm,
    varied_settings,
)
from tests.conformance.tables import copies_of_cards, finish, imagined, saves, steps, view_bytes
from tests.conformance.watching import forget, views_kept, watched
from tests.reference.streams import philox4x64

ROOT = Path(__file__).resolve().parent.parent
LUCK = tuple(philox4x64((number, 0, 0, 0), (1, 2)) for number in range(3))
"""Start states of streams from which hidden cards are imagined."""

OWN_FIELDS = view_dtype([]).itemsize
"""Where the fields of a game's own begin in its views."""

TURN = dict(view_dtype([]).fields or {})["turn"][1]
TURN_FIELD = slice(TURN, TURN + 8)

GAMES = list(all_games().values())
FEW = few_settings()
MORE = more_settings()
DEFAULTS = [setting for game in GAMES for setting in default_settings(game)]

few_settings_and_more = pytest.mark.parametrize(
    "setting", [*FEW, *(pytest.param(setting, marks=pytest.mark.slow) for setting in MORE)], ids=str
)
every_default = pytest.mark.parametrize("setting", DEFAULTS, ids=str)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def is_played(unit: Unit) -> bool:
    """Whether somebody wins a unit; a game may have units that are only dealt."""
    return "win_rate" in [measure.name for measure in unit.measures]


def longest_unit(game: Game) -> Unit:
    """The last unit of a game that is played: a match, or whatever else has several hands, where there is one."""
    return [unit for unit in game.units if is_played(unit)][-1]


def test_there_are_games() -> None:
    """The suite below is about something."""
    assert GAMES and all(game.units and game.decisions for game in GAMES)


# Rules ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", FEW + MORE, ids=str)
def test_rules_survive_json_and_the_command_line(setting: Setting) -> None:
    values = setting.rules.to_dict()
    assert setting.game.make_rules(json.loads(json.dumps(values))) == setting.rules
    assert setting.game.make_rules({name: value_text(value) for name, value in values.items()}) == setting.rules
    assert setting.game.make_rules(setting.rules.changed()) == setting.rules


@every_game
def test_every_rule_reaches_the_engine(game: Game) -> None:
    """Two settings that differ, other than in free text, differ in the record that an engine reads."""
    default = game.make_rules({}).to_record()
    free = {name for name, about, _ in game.rules.options() if about.free}
    for setting in varied_settings(game):
        if not set(setting.rules.changed()) <= free:
            assert setting.rules.to_record().tobytes() != default.tobytes(), str(setting)


# Cards and views ------------------------------------------------------------------------------------------------


@few_settings_and_more
def test_every_card_is_somewhere_exactly_once(setting: Setting) -> None:
    """K1-026: nothing is lost or doubled at any step, reshuffles and new hands included; hands have their size."""
    knowledge = setting.game.knowledge
    for unit in setting.game.units:
        table = Table(random_arm(setting), unit, SEED, 0)
        copies = set()
        for count, _ in enumerate(steps(table, [])):
            zones = knowledge.zones(table.positions[0])
            copies.add(copies_of_cards(zones))
            sizes = knowledge.expected_sizes(table.positions[0])
            assert {zone: len(zones[zone]) for zone in sizes} == sizes
            if count == 200:
                break
        assert len(copies) == 1


@few_settings_and_more
def test_a_view_tells_nothing_of_hidden_cards(setting: Setting) -> None:
    """Whatever is imagined where a seat cannot see, its view is the same to the byte, and so are further guesses."""
    table = Table(random_arm(setting), longest_unit(setting.game), SEED, 1)
    zones = setting.game.knowledge.zones
    for count, _ in enumerate(steps(table, [])):
        for seat in range(setting.players) if count % 7 == 0 else ():
            seen = view_bytes(table, seat)
            guesses = [imagined(table, table.positions, seat, luck) for luck in LUCK]
            for guess in guesses:
                assert view_bytes(table, seat, guess) == seen
                assert copies_of_cards(zones(guess[0])) == copies_of_cards(zones(table.positions[0]))
            again = [zones(imagined(table, truth, seat, LUCK[0])[0]) for truth in (*guesses, table.positions)]
            assert all(other == again[0] for other in again)
        if count == 90:
            break


@few_settings_and_more
def test_decisions_are_asked_with_nothing_hidden(setting: Setting) -> None:
    """What a seat is really shown when asked is what ``write_view`` says, and does not change with the hidden cards."""
    player = set_parameters(watched(setting.game, player_of(setting.game, "random").strategy), {})
    arm = Arm(setting.game, setting.rules, (player,) * setting.players)
    table = Table(arm, longest_unit(setting.game), SEED, 2)
    compared = 0
    before: Any = None
    for count, _ in enumerate(steps(table, [])):
        kept = views_kept(setting.game, table.scratch, setting.players)
        asked = [seat for seat, views in enumerate(kept) if len(views)]
        if before is not None and len(asked) == 1:
            seat = asked[0]
            seen = kept[seat].tobytes()
            written = view_bytes(table, seat, before[0])
            assert seen[OWN_FIELDS:] == written[OWN_FIELDS:] and seen[TURN_FIELD] == written[TURN_FIELD]
            compared += _asked_alike(table, before, seat, seen)
        forget(setting.game, table.scratch, setting.players)
        before = (table.positions.copy(), table.views.copy(), table.scratch.copy())
        if count == 120:
            break
    assert compared > 0


def _asked_alike(table: Table, before: tuple[Any, Any, Any], seat: int, seen: bytes) -> int:
    """Play the last step again from imagined positions and compare what the seat was shown; how many were compared."""
    after = (table.positions.copy(), table.views.copy(), table.scratch.copy())
    for luck in LUCK:
        table.positions[:] = imagined(table, before[0], seat, luck)
        table.views[:], table.scratch[:] = before[1:]
        assert table.play(steps=1) in (bulk.PAUSED, bulk.FINISHED)
        drain(table.log)
        assert views_kept(table.arm.game, table.scratch, table.arm.players)[seat].tobytes() == seen
    table.positions[:], table.views[:], table.scratch[:] = after
    return len(LUCK)


# One engine, however it is used ---------------------------------------------------------------------------------


@few_settings_and_more
def test_a_saved_position_plays_on_to_the_same_end(setting: Setting) -> None:
    """From any pause, at a table where nothing has happened yet, with a log and as bulk play goes on."""
    for unit in setting.game.units:
        arm = random_arm(setting)
        saved = saves(arm, unit, SEED, 3, 150)
        unbroken = Table(arm, unit, SEED, 3)
        rows: list[tuple[int, int, int, int]] = []
        for _ in steps(unbroken, rows):
            pass
        for save in [*saved[:8], *saved[8::29], saved[-1]]:
            resumed, all_rows = finish(Table(arm, unit, SEED, 3), save, logged=True)
            assert resumed == unbroken.outcome()
            assert all_rows == rows
            assert finish(Table(arm, unit, SEED, 3), save, logged=False)[0] == unbroken.outcome()


@few_settings_and_more
def test_a_traced_unit_ends_as_in_bulk_play(setting: Setting) -> None:
    for unit in setting.game.units:
        arm = mixed_arm(setting, rotate=True)
        played = outcomes(full_plan((arm,), unit), [(10, 3)])
        for (deal, _, replay), columns in played.items():
            assert trace(arm, unit, SEED, deal, replay).outcome == columns


@few_settings_and_more
def test_won_shares_add_up(setting: Setting) -> None:
    """Whoever wins, the shares of a unit are one whole win; they are nothing in a void unit (TYD-O8, first half)."""
    for unit in setting.game.units:
        if not is_played(unit):
            continue
        start = unit.place(unit.measure("win_rate").column, setting.players)
        for columns in outcomes(full_plan((mixed_arm(setting),), unit), [(0, 60)]).values():
            won = columns[start : start + setting.players]
            assert min(won) >= 0
            if unit.match == 0:
                void = any(column.name == "voids" and columns[unit.place("voids", setting.players)] for column in unit.columns)
                assert sum(won) == (0 if void else WHOLE)
            else:
                assert sum(won) in (0, WHOLE)


# The outcome of a unit depends on (seed, unit) alone ------------------------------------------------------------


@every_default
def test_units_come_out_the_same_in_any_order(setting: Setting) -> None:
    """K3-009, K3-012: forwards, one by one backwards, a second time with the same worker, in a fresh worker."""
    for unit in setting.game.units:
        plan = full_plan((mixed_arm(setting, rotate=True), random_arm(setting)), unit)
        forwards = outcomes(plan, [(5, 20)])
        assert outcomes(plan, [(u, 1) for u in range(24, 4, -1)]) == forwards
        assert outcomes(plan, [(0, 40), (5, 20)], chunk=7) == outcomes(plan, [(0, 40)]) | forwards
        assert outcomes(plan, [(5, 20)], chunk=1) == forwards


@every_default
def test_another_seed_gives_other_units(setting: Setting) -> None:
    """K3-005, K3-007: the seed decides, and unit i is not unit j."""
    unit = setting.game.units[0]
    arm = mixed_arm(setting)
    one, two = (outcomes(full_plan((arm,), unit, seed), [(0, 40)]) for seed in (1, 2))
    assert one != two
    assert len({tuple(columns) for columns in one.values()}) > 5
    told = {tuple(event.text for event in trace(arm, unit, seed, deal).events) for seed in (1, 2) for deal in range(5)}
    assert len(told) == 10


@every_game
@pytest.mark.parametrize("rotate", [False, True], ids=["as seated", "rotated"])
def test_totals_are_the_same_however_the_work_is_cut(game: Game, rotate: bool) -> None:
    """K3-008, K3-009, K4-009, K4-022: threads, chunks and ranges change no sum, product or histogram."""
    setting = default_settings(game)[0]
    units = 500
    plan = full_plan((mixed_arm(setting, rotate), random_arm(setting)), game.units[0])
    whole = Worker(plan).play(0, units)
    assert whole.units == units
    assert [sum(bins) for bins in whole.bins] == [units] * len(plan.values)
    for chunk in (1, 7, 4096):
        assert _in_ranges(plan, units, chunk) == whole
    for jobs in (1, 2, 7):
        finished = run(plan, units, jobs=jobs, start=_small_ranges)
        assert finished.jobs == jobs
        assert finished.totals == whole


def _in_ranges(plan: Plan, units: int, chunk: int) -> Totals:
    """Totals added up over ranges of odd sizes, each played by a worker of its own, the last range first."""
    cuts = [0, 1, 14, 145, 146, units]
    totals = Totals.empty(plan)
    for first, end in reversed(list(pairwise(cuts))):
        totals.add(Worker(plan, chunk=chunk).play(first, end - first))
    return totals


class _small_ranges(Threads):
    """Threads that are asked for many ranges, because each claims to have taken long."""

    def wait(self, seconds: float) -> Any:
        done = super().wait(seconds)
        if done is not None:
            object.__setattr__(done, "seconds", 3600.0)
        return done


# Comparisons that must give nothing -----------------------------------------------------------------------------


@every_default
def test_one_strategy_everywhere_differs_from_itself_by_nothing(setting: Setting) -> None:
    """Under full rotation the entries of a line-up of equals have the same result in every unit."""
    for unit in setting.game.units:
        plan = full_plan((random_arm(setting, rotate=True),), unit)
        totals = Worker(plan).play(0, 25)
        entries = [k for k, value in enumerate(plan.values) if value.entry is not None]
        names = [value.column for value in plan.values]
        pairs = [(i, j) for i, j in pairwise(entries) if names[i] == names[j]]
        assert len(pairs) >= setting.players - 1
        assert not any(squared_differences(plan, totals, pairs))


@few_settings_and_more
def test_an_arm_differs_from_itself_by_nothing(setting: Setting) -> None:
    for unit in setting.game.units:
        twice = (mixed_arm(setting, rotate=True), mixed_arm(setting, rotate=True))
        plan = full_plan(twice, unit)
        half = len(plan.values) // 2
        both = [(k, k + half) for k in range(half)]
        plan = Plan(plan.arms, unit, plan.seed, plan.values, plan.pairs + tuple(both))
        totals = Worker(plan).play(0, 8)
        assert not any(squared_differences(plan, totals, both))
        assert totals.sums[:half] == totals.sums[half:]


# Strategies that go wrong ---------------------------------------------------------------------------------------


def _everywhere(game: Game, decision: Any) -> Arm:
    """The default rules with one function taking every decision of every seat."""
    strategy = Strategy(game.name, "wrong", "goes wrong", {kind.name: decision for kind in game.decisions})
    setting = default_settings(game)[0]
    return Arm(game, setting.rules, (set_parameters(strategy, {}),) * setting.players)


@numba.njit
def absurd(view):  # type: ignore[no-untyped-def]
    """Answer what no game can understand."""
    return -(1 << 62) + view.seat


@numba.njit
def broken(view):  # type: ignore[no-untyped-def]
    """Fail."""
    raise ValueError("out of ideas")


@every_game
@pytest.mark.parametrize("decision", [absurd, broken], ids=["illegal", "raises"])
def test_a_wrong_strategy_is_named_with_its_deal(game: Game, decision: Any) -> None:
    """In bulk play a fault that names the unit and the seat; in the trace the same seat, and what it knew."""
    arm = _everywhere(game, decision)
    for unit in filter(is_played, game.units):
        with pytest.raises(StrategyFault) as caught:
            Worker(full_plan((arm,), unit)).play(4, 1)
        fault = caught.value
        assert (fault.arm, fault.replay, fault.unit) == (0, 0, 4)
        assert isinstance(fault.cause, ValueError) == (decision is broken)
        told = trace(arm, unit, SEED, 4)
        assert told.outcome is None
        assert told.fault and len(told.fault_view) > 1
        assert f"seat {fault.seat + 1} " in "\n".join(told.fault_view)


# The same source without the compiler, and with every index checked ---------------------------------------------


@pytest.mark.parametrize(
    ("variable", "compiled"),
    [("NUMBA_DISABLE_JIT", False), pytest.param("NUMBA_BOUNDSCHECK", True, marks=pytest.mark.slow)],
)
def test_the_same_results_however_it_is_compiled(variable: str, compiled: bool) -> None:
    """Another process plays the same units without the compiler, and with every index checked."""
    environment = {
        **os.environ,
        variable: "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-m", "tests.conformance.sample"]
    found = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    theirs = json.loads(found.stdout)
    assert (theirs["compiled"], theirs["checked"]) == (compiled, True)
    assert theirs["outcomes"] == json.loads(json.dumps(sample()["outcomes"]))
