"""Running plans: totals that are exact however the work is cut, stopping, faults, and what the compiler keeps.

Cases K3-… and K4-…: faults of other programs, which must not happen here.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import cache
from sim.arm import Arm
from sim.executors import Threads
from sim.game import find_game
from sim.jit import kernel
from sim.moments import add_product, whole_numbers
from sim.plan import Histogram, Plan, Totals, Value
from sim.runner import run
from sim.strategy import Strategy, set_parameters
from sim.tracing import trace
from sim.view import memory
from sim.worker import StrategyFault, Worker
from strategies.loader import load_player
from tests.conformance.plans import full_plan, outcomes

ROOT = Path(__file__).resolve().parent.parent
GAME = find_game("tres-y-dos")
unhurried = settings(deadline=None)


# Totals ---------------------------------------------------------------------------------------------------------

numbers = st.integers(-(10**30), 10**30)
int64s = st.integers(-(2**63), 2**63 - 1)


@unhurried
@given(start=st.integers(-(2**120), 2**120), a=int64s, b=int64s)
def test_products_are_added_in_128_bits(start: int, a: int, b: int) -> None:
    """Compiled and in plain Python."""
    expected = start + a * b
    high, low = np.uint64(start >> 64 & 2**64 - 1), np.uint64(start & 2**64 - 1)
    for add in (add_product, ADD_PRODUCT):
        total = np.array([add(high, low, np.int64(a), np.int64(b))], np.uint64)
        assert whole_numbers(total) == [expected]


ADD_PRODUCT = numba.njit(lambda high, low, a, b: add_product(high, low, a, b))


@st.composite
def totals_of_a_plan(draw: st.DrawFn) -> Totals:
    """Totals such as a plan of three values, two pairs and two histograms gives."""
    sums, products, squares, *bins = [draw(st.lists(numbers, min_size=n, max_size=n)) for n in (3, 2, 3, 4, 2)]
    units, hands = draw(st.integers(0, 10**12)), draw(st.integers(0, 10**12))
    return Totals(units, hands, sums, products, squares, bins)


@unhurried
@given(parts=st.lists(totals_of_a_plan(), min_size=1, max_size=5), order=st.randoms())
def test_totals_add_up_in_any_order(parts: list[Totals], order: Any) -> None:
    """Whole numbers of any size: no order of addition changes the sums (K3-012)."""

    def added(some: list[Totals]) -> Totals:
        whole = Totals(0, 0, [0] * 3, [0] * 2, [0] * 3, [[0] * 4, [0] * 2])
        for part in some:
            whole.add(part)
        return whole

    whole = added(parts)
    shuffled_parts = list(parts)
    order.shuffle(shuffled_parts)
    assert added(shuffled_parts) == whole
    assert added([added(parts[:1]), added(parts[1:])]) == whole
    assert whole.sums == [sum(part.sums[k] for part in parts) for k in range(3)]
    assert whole.bins[1] == [sum(part.bins[1][k] for part in parts) for k in range(2)]


def hand_plan(rotate: bool = False, seed: int = 1, **rules: Any) -> Plan:
    """A plan of single hands of Tres y Dos between greedy players, with everything counted."""
    made = GAME.make_rules(rules)
    arm = Arm(GAME, made, (load_player(GAME, "greedy"),) * made.to_dict()["players"], rotate)
    return full_plan((arm,), GAME.unit("hand"), seed)


def recounted(plan: Plan, units: int) -> Totals:
    """The totals of a plan added up in plain Python from its outcome columns."""
    whole = Totals.empty(plan)
    played = outcomes(plan, [(0, units)])
    for unit in range(units):
        whole.units += 1
        values = [0] * len(plan.values)
        for a, arm in enumerate(plan.arms):
            seated = arm.orders()
            for replay in range(arm.replays):
                columns = played[unit, a, replay]
                whole.hands += columns[plan.unit.place("hands", arm.players)]
                order = seated[replay][unit % seated.shape[1]].tolist()
                for k, value in enumerate(plan.values):
                    if value.arm == a:
                        chair = order.index(value.entry) if value.entry is not None else value.seat or 0
                        x = columns[plan.unit.place(value.column, arm.players) + chair]
                        values[k] += x
                        whole.game_squares[k] += x * x
        for k, x in enumerate(values):
            whole.sums[k] += x
        for k, (i, j) in enumerate(plan.pairs):
            whole.products[k] += values[i] * values[j]
        for histogram, bins in zip(plan.histograms, whole.bins, strict=True):
            bins[min(max(values[histogram.value], histogram.low), histogram.high) - histogram.low] += 1
    return whole


@pytest.mark.parametrize("rotate", [False, True])
@pytest.mark.parametrize("stake", [1, 1000, 1_000_000])
def test_totals_are_exact(rotate: bool, stake: int) -> None:
    """Against plain Python, squares of the largest stakes included, which do not fit into 64 bits."""
    plan = hand_plan(rotate, players=7, stake=stake)
    assert Worker(plan).play(0, 300) == recounted(plan, 300)


def test_totals_of_an_arm_do_not_depend_on_its_company() -> None:
    """The squares of single games too, whichever way they are gathered."""
    alone = hand_plan()
    plan = Plan(alone.arms * 2, alone.unit, alone.seed, (*alone.values, Value(1, "turns")), alone.pairs, alone.histograms)
    one, both = Worker(alone).play(0, 200), Worker(plan).play(0, 200)
    count = len(alone.values)
    assert (one.sums, one.products, one.bins) == (both.sums[:count], both.products, both.bins)
    assert one.game_squares == both.game_squares[:count]


def test_three_different_players_are_counted_where_they_sit() -> None:
    """Values of entries follow them through changing cyclic orders."""
    players = tuple(load_player(GAME, name) for name in ("greedy", "random", "stock-only"))
    arm = Arm(GAME, GAME.make_rules({"players": 3}), players, rotate=True)
    plan = full_plan((arm,), GAME.unit("hand"))
    assert Worker(plan, chunk=17).play(0, 100) == recounted(plan, 100)


@numba.njit
def remembering(view):  # type: ignore[no-untyped-def]
    """Take from the pile in every third decision of a unit, if there is one."""
    words = memory(view)
    words[1] += 1
    return int(words[1] % 3 == 0 and view.top < 13)


def test_scratch_memory_begins_every_unit_empty() -> None:
    """Each seat has its own, and what is in it never reaches the next unit (K3-009)."""
    strategies = [Strategy(GAME.name, f"remembers{n}", "x", {"draw": remembering}, memory=n) for n in (2, 5)]
    lineup = tuple(set_parameters(strategies[seat % 2], {}) for seat in range(4))
    plan = full_plan((Arm(GAME, GAME.make_rules({"max_turns": 50}), lineup, rotate=True),), GAME.unit("hand"))
    forwards = outcomes(plan, [(0, 30)])
    assert outcomes(plan, [(unit, 1) for unit in range(29, -1, -1)]) == forwards
    for unit in range(5):
        for replay in range(4):
            assert trace(plan.arms[0], plan.unit, plan.seed, unit, replay).outcome == forwards[unit, 0, replay]


def test_histograms_count_what_lies_beyond_at_their_ends() -> None:
    plan = hand_plan()
    turns = next(k for k, value in enumerate(plan.values) if value.column == "turns")
    plan = Plan(plan.arms, plan.unit, plan.seed, plan.values, plan.pairs, (Histogram(turns, 5, 9), Histogram(turns, 0, 2000)))
    totals = Worker(plan).play(0, 400)
    fine = totals.bins[1]
    assert totals.bins[0] == [sum(fine[:6]), *fine[6:9], sum(fine[9:])]
    assert sum(fine) == 400


# Running --------------------------------------------------------------------------------------------------------


def test_the_stop_flag_ends_a_range_with_what_is_finished() -> None:
    plan = hand_plan()
    worker = Worker(plan, chunk=50)
    seen = []

    def keep(first: int, count: int, columns: Any) -> None:
        seen.append((first, count))
        if first == 100:
            worker.stop[0] = 1

    totals = worker.play(0, 1000, keep)
    assert seen == [(0, 50), (50, 50), (100, 50)]
    assert totals == Worker(plan).play(0, 150)
    assert worker.play(0, 10).units == 0


def test_an_interrupted_run_keeps_what_is_finished() -> None:
    """K4-030: Ctrl-C in the middle of a run."""
    plan = hand_plan()

    pressed: list[int] = []

    def progress(done: int, units: int) -> None:
        if done > 2000 and not pressed:
            pressed.append(done)
            raise KeyboardInterrupt

    outcome = run(plan, 10**9, jobs=2, progress=progress)
    assert outcome.interrupted and outcome.fault is None
    assert 2000 < outcome.units < 10**9
    assert outcome.units == sum(count for _, count in outcome.ranges)


def test_seeds_and_jobs() -> None:
    """K3-007, K3-008, K4-010: one seed gives one result with any number of threads, whatever numpy's own seed is."""
    np.random.seed(1)
    one = run(hand_plan(seed=1), 3000, jobs=1).totals
    np.random.seed(2)
    for jobs in (2, 4, 8):
        assert run(hand_plan(seed=1), 3000, jobs=jobs).totals == one
    assert run(hand_plan(seed=2), 3000, jobs=1).totals != one


@numba.njit
def failing_once(view):  # type: ignore[no-untyped-def]
    """Fail in one unit."""
    if view.random_unit == 77:
        raise ValueError("unit 77")
    return 0


def test_a_fault_ends_a_run_and_names_its_unit() -> None:
    """K3-017, K4-004: exceptions of strategies reach the caller, with the unit; what was finished is kept."""
    player = set_parameters(Strategy(GAME.name, "fails", "x", {"draw": failing_once}), {})
    arm = Arm(GAME, GAME.make_rules({}), (player,) * 4)
    outcome = run(full_plan((arm,), GAME.unit("hand")), 640, jobs=2)
    fault = outcome.fault
    assert isinstance(fault, StrategyFault)
    assert fault.unit == 77
    assert isinstance(fault.cause, ValueError)
    assert outcome.totals.units <= 639


def test_no_more_threads_than_asked_for() -> None:
    """K4-020."""
    assert run(hand_plan(), 2000, jobs=1).jobs == 1
    executor = Threads(hand_plan(), 3)
    try:
        assert len(executor._threads) == 3
    finally:
        executor.close()


# What the compiler keeps ----------------------------------------------------------------------------------------

RUN_ONCE = """
import json, sys
import numpy as np
from sim import bulk
from sim.game import find_game
from sim.arm import Arm
from sim.worker import Worker
from strategies.loader import load_lineup
from tests.conformance.plans import full_plan
game = find_game("tres-y-dos")
sums = []
for lineup, rules in (("greedy,greedy", {}), ("stock-only,greedy", {}), ("greedy,greedy", {"max_turns": 9})):
    arm = Arm(game, game.make_rules({"players": 2, **rules}), load_lineup(game, lineup))
    sums.append(Worker(full_plan((arm,), game.unit("hand"))).play(0, 500).sums)
loop = bulk.play_units
hits, misses = (sum(counts.values()) for counts in (loop.stats.cache_hits, loop.stats.cache_misses))
json.dump({"sums": sums, "signatures": len(loop.signatures), "hits": hits, "misses": misses}, sys.stdout)
"""


def python(code: str, *options: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, with the packages of a folder."""
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )


def test_a_second_process_compiles_nothing() -> None:
    """K4-001 to K4-005, K4-007, K4-017: the block loop is compiled once for all line-ups and rules, and found again.

    Warnings of the compiler are errors here.
    """
    first, second = (json.loads(python(RUN_ONCE, "-W", "error").stdout) for _ in range(2))
    assert first["sums"] == second["sums"]
    assert len({tuple(sums) for sums in first["sums"]}) == 3
    assert second["signatures"] == 1
    assert (second["hits"], second["misses"]) == (1, 0)


def test_listing_games_imports_no_compiler() -> None:
    """K4-031: numba takes its time; whoever only lists games, rules and measures does without."""
    listing = "from sim.game import all_games; [list(game.rules.options()) for game in all_games().values()]"
    assert python(f"import sys; {listing}; print('numba' in sys.modules)").stdout.strip() == "False"


def test_an_edit_anywhere_starts_an_empty_cache(tmp_path: Path) -> None:
    """K4-006: the compiler does not see edits in what a kernel calls; the folder's name is a digest of all sources."""
    for package in ("sim", "strategies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from sim.cache import source_digest; print(source_digest())"

    def digest() -> str:
        return python(code, root=tmp_path).stdout.strip()

    before = digest()
    assert digest() == before
    edited = tmp_path / "sim" / "bits.py"
    edited.write_text(edited.read_text() + "\n")
    assert digest() != before


def test_nothing_to_keep_code_in_is_said_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """K4-026, K4-027: without a folder that can be written, kernels are compiled and not kept."""
    monkeypatch.setattr(cache, "_candidates", lambda: [Path("/dev/null/nowhere")])
    assert cache.cache_folder.__wrapped__() is None
    assert len(capsys.readouterr().err.splitlines()) == 1
    monkeypatch.setattr("sim.jit.cache_folder", lambda: None)
    assert int(kernel(lambda x: x + 1)(1)) == 2


def test_the_first_folder_that_can_be_written_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """K4-026."""
    monkeypatch.setattr(cache, "_candidates", lambda: [Path("/dev/null/nowhere"), tmp_path])
    folder = cache.cache_folder.__wrapped__()
    assert folder is not None and folder.parent == tmp_path and folder.is_dir()


KERNEL = """
from sim.jit import kernel
from sim.rng import philox
import numpy as np
print(int(philox(*[np.uint64(i) for i in range(6)])[0]))
"""


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    """K4-029: a file of the cache that was cut short, as a full disk or a killed process leaves it."""
    expected = python(KERNEL, NUMBA_CACHE_DIR=str(tmp_path)).stdout
    kept = [path for path in tmp_path.rglob("*") if path.suffix in (".nbi", ".nbc")]
    assert {path.suffix for path in kept} == {".nbi", ".nbc"}
    for path in kept:
        path.write_bytes(path.read_bytes()[:20])
    assert python(KERNEL, NUMBA_CACHE_DIR=str(tmp_path)).stdout == expected


@pytest.mark.slow
def test_two_processes_may_warm_the_cache_at_once(tmp_path: Path) -> None:
    """K4-028: both start with an empty folder, and both give the same."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", RUN_ONCE]
    running = [subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    found = [json.loads(process.communicate()[0])["sums"] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "word",
    [
        "jitclass",
        "prange",
        r"parallel\s*=",
        "fastmath",
        r"np\.random\.(?!Generator|Philox|SeedSequence)",
        r"^import random\b",
    ],
)
def test_what_the_core_does_without(word: str) -> None:
    """K4-008 to K4-012, K4-016, K4-018 to K4-025: no classes without a cache, parallel loops or shared generators."""
    sources = [path for package in ("sim", "strategies") for path in (ROOT / package).rglob("*.py")]
    assert len(sources) > 20
    found = [path.name for path in sources if re.search(word, _code(path), re.MULTILINE)]
    assert found == []


def _code(path: Path) -> str:
    """A source without its comments and its texts in triple quotes."""
    text = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text())
    return re.sub(r"#.*", "", text)
