"""Strategies of a user's own that go wrong while they play: each is caught, named, and told in words."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.arm import Arm
from sim.decide import COMPILED
from sim.executors import Done
from sim.game import Game, find_game
from sim.plan import Plan, Totals, Value
from sim.runner import Outcome, run
from sim.strategy import Player
from sim.tracing import Trace, trace
from sim.worker import StrategyFault, Worker
from strategies.loader import load_player

ROOT = Path(__file__).resolve().parent.parent
SEED = 11

GREEDY = """
import numpy as np
import tresdos as td

def wanted(view):
    if view.top == 13:
        return 0
    held = td.count_of(view.hand, view.top)
    return 1 if held == 1 or held == 2 else 0

def spare(view):
    for number in range(1, 5):
        for rank in range(13):
            if td.count_of(view.legal, rank) == 1 and td.count_of(view.hand, rank) == number:
                return rank
    return 0
"""

Load = Callable[..., Player]


@pytest.fixture
def game() -> Game:
    """Tres y Dos."""
    return find_game("tres-y-dos")


@pytest.fixture
def load(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """A player from the bodies of its decisions."""
    monkeypatch.chdir(tmp_path)
    count = iter(range(100))

    def load_bodies(draw: str = "return wanted(view)", discard: str = "return spare(view)", more: str = "", show: str = "") -> Player:
        functions = {"draw": draw, "discard": discard, **({"show": show} if show else {})}
        text = GREEDY
        for kind, body in functions.items():
            text += f"\ndef {kind}(view):\n" + "\n".join(f"    {line}" for line in body.splitlines()) + "\n"
        decisions = ", ".join(f"{kind!r}: {kind}" for kind in functions)
        text += f"mine = td.Strategy('tres-y-dos', 'mine', 'x', {{{decisions}}}, {more})\n"
        name = f"mine{next(count)}.py"
        (tmp_path / name).write_text(text)
        return load_player(game, name)

    return load_bodies


def table(player: Player, game: Game, *, rotate: bool = False, others: Player | None = None, **rules: Any) -> Arm:
    """A table at which a player sits in seat 2, among others or copies of itself."""
    other = others or player
    return Arm(game, game.make_rules(rules), (other, player, other, other), rotate)


def plan_of(*arms: Arm, unit: str = "hand") -> Plan:
    """Everything counted for every chair."""
    chosen = arms[0].game.unit(unit)
    values = []
    for a in range(len(arms)):
        for column in chosen.columns:
            values += [Value(a, column.name, seat=seat) for seat in range(4)] if column.per_seat else [Value(a, column.name)]
    return Plan(arms, chosen, SEED, tuple(values), tuple((k, k) for k in range(len(values))))


def fails(arm: Arm, units: int = 2000) -> tuple[StrategyFault, Trace]:
    """The fault with which a run of an arm ends, and the trace of the deal in which it happened."""
    outcome: Outcome = run(plan_of(arm), units, jobs=1)
    fault = outcome.fault
    assert isinstance(fault, StrategyFault)
    told = trace(arm, arm.game.unit("hand"), SEED, fault.unit, fault.replay)
    assert told.outcome is None
    assert told.fault_view[0].endswith(told.names[fault.seat])
    assert f"seat {fault.seat + 1} of 4" in told.fault_view[1]
    return fault, told


# Exceptions ---------------------------------------------------------------------------------------------------------


def test_what_a_strategy_raises_names_deal_and_seat(game: Game, load: Load) -> None:
    """It raises in one seat when it holds three aces: some deals into the run."""
    player = load("if td.count_of(view.hand, 0) == 3:\n    raise ValueError('out of ideas')\nreturn wanted(view)")
    greedy = load_player(game, "greedy")
    arm = table(player, game, others=greedy)
    fault, told = fails(arm)
    assert fault.unit > 0 and fault.seat == 1
    assert isinstance(fault.cause, ValueError) and str(fault.cause) == "out of ideas"
    assert str(fault) == f"seat 2 raised ValueError: out of ideas in deal {fault.unit}"
    assert told.fault == "raised ValueError: out of ideas"
    assert told.fault_view[0] == f"asked for draw: {player.label}"
    assert any(line.startswith("own cards: A A A") for line in told.fault_view)
    assert run(plan_of(arm), fault.unit, jobs=1).fault is None  # it is the first such deal


def test_a_fault_names_arm_and_rotation(game: Game, load: Load) -> None:
    player = load("if view.seat == 3 and td.count_of(view.hand, 0) == 3:\n    return 1 // (view.seat - 3)\nreturn wanted(view)")
    greedy = load_player(game, "greedy")
    arms = (table(greedy, game, rotate=True), table(player, game, rotate=True, others=greedy))
    outcome = run(plan_of(*arms), 5000, jobs=1)
    fault = outcome.fault
    assert isinstance(fault, StrategyFault) and isinstance(fault.cause, ZeroDivisionError)
    assert (fault.arm, fault.replay, fault.seat) == (1, 2, 3)  # seat 4 is its chair in the third rotation
    told = trace(arms[1], game.unit("hand"), SEED, fault.unit, fault.replay)
    assert told.names[3] == player.label
    assert "ZeroDivisionError" in told.fault


def test_what_was_finished_before_a_fault_is_kept(game: Game, load: Load) -> None:
    arm = table(load("if view.random_unit == 3000:\n    raise ValueError('enough')\nreturn wanted(view)"), game)
    kept: list[tuple[int, int]] = []

    def keep(done: Done) -> None:
        assert done.totals is not None
        kept.append((done.first, done.totals.units))

    outcome = run(plan_of(arm), 4000, jobs=1, keep=keep)
    assert isinstance(outcome.fault, StrategyFault) and outcome.fault.unit == 3000
    assert 0 < outcome.units <= 3000
    assert outcome.units == sum(count for _, count in kept) == sum(count for _, count in outcome.ranges)


# Illegal actions ----------------------------------------------------------------------------------------------------

HUGE = 1 << 62


@pytest.mark.parametrize("answer", [7, -1, HUGE, -HUGE, 2])
def test_a_draw_that_means_nothing_is_illegal(game: Game, load: Load, answer: int) -> None:
    fault, told = fails(table(load(draw=f"return {answer}"), game))
    assert (fault.unit, fault.cause) == (0, None)
    assert str(fault).endswith("acted illegally in deal 0")
    assert told.fault == f"answered {answer}; a draw is 0 (stock) or 1 (pile)"
    assert told.fault_view[0].startswith("asked for draw: ")


@pytest.mark.parametrize("answer", [13, -1, HUGE, -HUGE, 1 << 32])
def test_a_discard_that_is_no_rank_is_illegal(game: Game, load: Load, answer: int) -> None:
    fault, told = fails(table(load(discard=f"return {answer}"), game))
    assert (fault.unit, fault.cause) == (0, None)
    assert told.fault == f"answered {answer}; a discard is a rank, 0 (ace) to 12 (king)"
    assert told.fault_view[0].startswith("asked for discard: ")


def test_a_card_not_held_cannot_be_discarded(game: Game, load: Load) -> None:
    body = "for rank in range(13):\n    if td.count_of(view.hand, rank) == 0:\n        return rank\nreturn 0"
    fault, told = fails(table(load(discard=body), game))
    assert fault.cause is None
    assert told.fault.endswith("a rank it does not hold")


@pytest.mark.parametrize("rule", ["same_card", "same_rank"])
def test_the_card_just_taken_cannot_be_discarded(game: Game, load: Load, rule: str) -> None:
    fault, told = fails(table(load("return 1", "return view.taken"), game, pickup_discard_rule=rule))
    assert fault.cause is None
    assert "the card it has just taken from the pile (TYD-7)" in told.fault
    assert any(line.endswith("from the pile") and line.startswith("just drawn") for line in told.fault_view)


def test_nothing_can_be_taken_from_an_empty_pile(game: Game, load: Load) -> None:
    fault, told = fails(table(load("return view.top == 13", "return td.lowest(view.legal) // np.uint64(4)"), game, reshuffle="eager_all"))
    assert fault.cause is None
    assert told.fault == "answered 1 (take from the pile), but the pile is empty"
    assert "top of the pile: the pile is empty" in told.fault_view
    assert any("is shuffled into a new stock" in event.text for event in told.events)


@pytest.mark.parametrize("show_dealt", ["immediate", "own_turn"])
def test_a_show_is_yes_or_no(game: Game, load: Load, show_dealt: str) -> None:
    fault, told = fails(table(load(show="return -7"), game, auto_show=False, show_dealt=show_dealt))
    assert fault.cause is None
    assert told.fault == "answered -7; a show is 1 (yes) or 0 (no)"
    assert told.fault_view[0].startswith("asked for show: ")


# Out of bounds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("return int(view.parameters[99])", ""),
        ("view.parameters[16 + view.seat] = 1.0\nreturn 0", ""),
        ("return int(view.known[20])", ""),
        ("view.known[8 + view.seat] = 1\nreturn 0", ""),
        ("view.marks[-9 - view.seat] = 1\nreturn 0", ""),
        ("td.memory(view)[4 + view.seat] = 1\nreturn 0", "memory=4"),
        ("td.memory(view)[-5 - view.seat] = 1\nreturn 0", "memory=4"),
        ("for i in range(9):\n    td.memory(view)[i] = i\nreturn 0", "memory=8"),
        ("return int(td.memory(view)[0])", ""),
        ("return int(td.table(view, np.float64)[3 + view.seat])", "tables=lambda rules, values: np.arange(3.0)"),
        ("return np.zeros(3)[view.turn + 3] == 1.0", ""),
    ],
)
def test_an_index_past_the_end_is_an_error(game: Game, load: Load, body: str, more: str) -> None:
    """Never a look or a write into somebody else's view or memory."""
    fault, told = fails(table(load(body, more=more), game))
    assert isinstance(fault.cause, IndexError)
    assert told.fault.startswith("raised IndexError")


def test_memory_and_tables_within_their_bounds_are_a_seats_own(game: Game, load: Load) -> None:
    """Each seat counts its own turns, from zero in every deal, and reads the table of its own parameters."""
    body = (
        "memory = td.memory(view)\nmemory[1] += np.uint64(1)\n"
        "if memory[1] != 1 + view.turn // 4 or memory[0] != 0 or td.table(view, np.float64)[1] != view.parameters[0]:\n"
        "    raise ValueError('somebody else was here')\n"
        "return wanted(view)"
    )
    more = "{'p': td.Parameter(1, 0, 9, 'x')}, memory=2, tables=lambda rules, values: np.array([0.0, values['p']])"
    player = load(body, more=more)
    text = player.label.rpartition(":")[0]
    lineup = tuple(load_player(game, f"{text}:p={p}") for p in range(4))
    for unit in ("hand", "match"):
        arm = Arm(game, game.make_rules({}), lineup, rotate=True)
        if unit == "match":  # memory lasts for the whole unit
            arm = Arm(game, game.make_rules({"match_target": 1}), lineup, rotate=True)
        assert run(plan_of(arm, unit=unit), 300, jobs=2).fault is None


# Scribbling ---------------------------------------------------------------------------------------------------------


def scribbles(game: Game) -> str:
    """Statements that write nonsense into every field of a view."""
    lines = []
    for name in game.view_dtype.names:
        shape = game.view_dtype[name].shape
        value = "-7.5" if game.view_dtype[name].base.kind == "f" else "view.hand * np.uint64(2654435761) + np.uint64(99)"
        if shape:
            lines += [f"for i in range({shape[0]}):", f"    view.{name}[i] = {value}"]
        else:
            lines.append(f"view.{name} = {value}")
    return "\n".join(lines)


def totals(arm: Arm, unit: str, units: int, chunk: int = 4096) -> Totals:
    """What a worker counts."""
    return Worker(plan_of(arm, unit=unit), chunk=chunk).play(0, units)


def test_scribbling_on_a_view_changes_nothing_for_anybody(game: Game, load: Load) -> None:
    """A player that ruins its view after every decision plays like one that does not, and so do the others."""
    others = load_player(game, "guarded")
    nonsense = scribbles(game)
    scribbler = load(f"answer = wanted(view)\n{nonsense}\nreturn answer", f"answer = spare(view)\n{nonsense}\nreturn answer")
    clean = load()
    for unit, rotate in itertools.product(("hand", "match"), (False, True)):
        found = [totals(table(player, game, rotate=rotate, others=others), unit, 400) for player in (clean, scribbler)]
        assert found[0].hands == found[1].hands > 0
        assert found[0].sums == found[1].sums
        assert found[0].products == found[1].products


def test_what_is_scribbled_lasts_no_longer_than_the_deal(game: Game, load: Load) -> None:
    """Results depend on the seed and the deal alone, also for a player that keeps notes where it should not."""
    body = "view.parameters[3] += 1\nif view.parameters[3] > 20:\n    return 0\nreturn wanted(view)"
    arm = table(load(body), game)
    whole = totals(arm, "hand", 300)
    assert totals(arm, "hand", 300, chunk=7).sums == whole.sums
    parts = [Worker(plan_of(arm)).play(first, 100).sums for first in (0, 100, 200)]
    assert [sum(column) for column in zip(*parts, strict=True)] == whole.sums


def test_the_trace_shows_what_a_scribbler_could_know(game: Game, load: Load) -> None:
    """The view told after a fault is the true one."""
    body = "view.top = 99\nview.players = 1 << 40\nview.seat = -5\nview.turn = 77\nview.known[0] = 7\nview.hand = 0"
    _, told = fails(table(load(f"{body}\nreturn 7"), game))
    _, true = fails(table(load("return 7"), game))
    assert told.fault_view[1:] == true.fault_view[1:]


# Printing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_strategy_prints_can_be_sent_to_stderr(game: Game, load: Load, capsys: pytest.CaptureFixture[str], jobs: int) -> None:
    """Compiled code prints to whatever sys.stdout is at that moment, in any thread."""
    arm = table(load("if view.turn == 0:\n    print('my cards', view.hand)\nreturn wanted(view)"), game, show_dealt="own_turn")
    with contextlib.redirect_stdout(sys.stderr):
        outcome = run(plan_of(arm), 128, jobs=jobs)
    assert outcome.jobs == jobs
    out, err = capsys.readouterr()
    assert out == ""
    assert 100 < err.count("my cards") == err.count("\n") <= 128
    numbers = err.replace("my cards", "")  # two threads may print into each other's lines, word by word
    assert set(numbers) <= set("0123456789 \n")


# Never returning ----------------------------------------------------------------------------------------------------

NEVER = """
import json, sys
from sim.game import find_game
from sim.runner import Stuck, run
from strategies.loader import load_player
from tests.test_plugins import plan_of, table

game = find_game("tres-y-dos")
arm = table(load_player(game, sys.argv[1]), game, others=load_player(game, "greedy"))
outcome = run(plan_of(arm), 10**9, jobs=2, patience=1.0)
assert isinstance(outcome.fault, Stuck), outcome.fault
missing = all(not first <= 30_000 < first + count for first, count in outcome.ranges)
print(json.dumps([outcome.fault.where, outcome.units, missing, str(outcome.fault)]))
"""


def test_a_decision_that_never_returns_ends_the_run(game: Game, load: Load, tmp_path: Path) -> None:
    """Although another thread goes on; what was finished is kept, and the process can end."""
    player = load("n = 0\nwhile view.random_unit == 30_000:\n    n += 1\nreturn wanted(view)")
    found = subprocess.run(
        [sys.executable, "-c", NEVER, player.prefix],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr
    where, units, missing, message = json.loads(found.stdout)
    assert where == [[30_000, 1]]
    assert units > 0 and missing
    assert message == "no progress for 1 s in deals 30000"


def test_these_tests_run_compiled() -> None:
    """Without the compiler nothing here would be checked as it is when people play."""
    assert COMPILED
