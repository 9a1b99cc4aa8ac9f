"""Work beyond one machine: the same results on a Dask cluster, whatever happens to its workers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.cluster import open_executor, pack
from analysis.question import Question
from sim import cache, cluster, cluster_worker
from sim.cluster import Ledger, Place, on_cluster, read_scheduler
from sim.cluster_local import end_local, start_local
from sim.cluster_worker import TOPIC, SourceFile, named_error, plan_digest
from sim.errors import RunError, UsageError
from sim.executors import Done
from sim.plan import Plan, Totals
from sim.runner import Outcome, Stuck, run
from sim.worker import StrategyFault, Worker

distributed = pytest.importorskip("distributed")

UNITS = 40_000

PLUGIN = """
import numpy as np

import helpers
from sim.strategy import Strategy


class Odd(Exception):
    pass


def careful(view):
    return helpers.top(view) > 6


def throwing(view):
    if view.random_unit == 20_000:
        raise Odd("what now")
    return 1


def endless(view):
    answer = 1
    while view.random_unit == 20_000 and answer > 0:
        answer = 1 + view.seat
    return answer


def make(name, draw):
    return Strategy("tres-y-dos", name, "Takes high cards.", {"draw": draw})


STRATEGIES = [make("careful", careful), make("throwing", throwing), make("endless", endless)]
"""

HELPERS = b"# of caf\xc3\xa9 players\r\ndef top(view):\r\n    return view.top\r\n"


def simulation(*lineup: str, units: int = UNITS, **more: Any) -> Question:
    return Question("simulate", "tres-y-dos", units, 11, lineup=lineup or ("greedy", "outs", "greedy"), **more)


def on_threads(asked: Question, jobs: int = 1) -> Totals:
    return run(asked.prepare().plan, asked.deals, jobs=jobs).totals


def elsewhere(asked: Question, scheduler: str, **more: Any) -> Outcome:
    return run(asked.prepare().plan, asked.deals, start=open_executor(scheduler, asked), **more)


def refusal(asked: Question, scheduler: str) -> str:
    """The one line with which a run is refused before it begins."""
    with pytest.raises(RunError) as caught:
        elsewhere(asked, scheduler)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@contextlib.contextmanager
def processes(count: int) -> Iterator[Any]:
    """A client of a cluster of processes with one thread each."""
    started = start_local(count)
    try:
        with distributed.Client(started, set_as_default=False) as client:
            yield client
    finally:
        end_local(started)


@pytest.fixture(scope="module")
def two() -> Iterator[Any]:
    with processes(2) as client:
        yield client


@pytest.fixture
def workers(two: Any) -> Iterator[Any]:
    """A client of two workers; what a test does to them is undone after it."""
    yield two
    two.run(undo)


@pytest.fixture
def doomed() -> Iterator[Any]:
    """A client of two workers that may be killed."""
    with processes(2) as client:
        yield client


@pytest.fixture
def address(workers: Any) -> str:
    return str(workers.scheduler.address)


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "helpers.py").write_bytes(HELPERS)
    return str(tmp_path / "mine.py")


# What is done to a worker's process from outside

HONEST = (cache.source_digest, cluster_worker.result_digest, cluster_worker.serve)


def undo() -> None:
    cache.source_digest, cluster_worker.result_digest, cluster_worker.serve = HONEST


def forge_sources() -> None:
    cache.source_digest = lambda: "0123456789abcdef"  # type: ignore[assignment]


def forge_results() -> None:
    cluster_worker.result_digest = lambda *result: HONEST[1](*result)[::-1]


def lose_package() -> None:
    del cluster_worker.serve


# Names of schedulers


def test_schedulers_are_read() -> None:
    assert read_scheduler("local:3") == Place(local=3)
    assert read_scheduler(" tcp://node-7.example.org:8786 ") == Place(address="tcp://node-7.example.org:8786")
    assert read_scheduler("tcp://[::1]:8786") == Place(address="tcp://[::1]:8786")


@pytest.mark.parametrize(
    "text", ["", "local", "local:", "local:0", "local:-1", "local:1025", "tcp://here", "http://here:8786", "here:8786"]
)
def test_other_texts_are_bad_usage(text: str) -> None:
    with pytest.raises(UsageError, match="write tcp://host:port"):
        open_executor(text, simulation())


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install tresdos\[cluster\]"):
        open_executor("local:2", simulation())


def test_nobody_at_the_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert refusal(simulation(), f"tcp://127.0.0.1:{port}").startswith(f"no Dask scheduler answers at tcp://127.0.0.1:{port}: ")


def test_somebody_else_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        said = refusal(simulation(), f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    assert said.endswith("nothing comes back")


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 0.2)
    with distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp", dashboard_address=None) as empty:
        assert "no worker has come" in refusal(simulation(), empty.scheduler_address)


# The same results


QUESTIONS = {
    "simulate": simulation(),
    "rotate": simulation(rotate=True, units=9_000),
    "match": simulation(unit="match", units=3_000),
    "compare": Question("compare", "tres-y-dos", 9_000, 5, candidates=("greedy", "outs"), field=("random",), rules={"players": 3}),
    "variants": Question("variants", "tres-y-dos", 9_000, 5, strategy="greedy", vary={"players": ("3", "2", "4")}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_workers_give_what_threads_give(name: str, address: str) -> None:
    asked = QUESTIONS[name]
    assert elsewhere(asked, address).totals == on_threads(asked, 1) == on_threads(asked, 2)


def test_processes_of_our_own_play_a_users_file(plugin: str) -> None:
    asked = simulation("greedy", f"{plugin}:careful", "greedy")
    outcome = elsewhere(asked, "local:2")
    assert outcome.jobs == 2
    assert outcome.totals == on_threads(asked, 1)


def test_outcome_columns_come_back(address: str) -> None:
    asked = simulation(rotate=True, units=5_000)
    far: list[Done] = []
    near: list[Done] = []
    totals = elsewhere(asked, address, keep=far.append).totals
    run(asked.prepare().plan, asked.deals, jobs=1, keep=near.append)
    assert columns(far).dtype == np.int64
    assert columns(far).tolist() == columns(near).tolist()
    assert totals == on_threads(asked)


def columns(kept: list[Done]) -> Any:
    """Outcome columns of all replays by unit: shape (rows of all replays, units)."""
    chunks = sorted((chunk for done in kept for chunk in done.outcomes), key=lambda chunk: chunk[0])
    return np.hstack([np.vstack([out for replays in arms for out in replays]) for _, _, arms in chunks])


def test_ranges_with_outcome_columns_are_small() -> None:
    plan = simulation(rotate=True).prepare().plan
    unit = 8 * plan.arms[0].replays * plan.unit.width(3)
    portions = cluster.portions_of(plan, keep=True)
    assert cluster.KEEP_BYTES - unit < portions.largest * unit <= cluster.KEEP_BYTES


def test_a_killed_worker_costs_only_its_ranges(doomed: Any) -> None:
    asked = simulation(units=2_000_000)
    pids = list(doomed.run(os.getpid).values())
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done > 100_000 and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    outcome = elsewhere(asked, doomed.scheduler.address, progress=kill)
    assert killed
    assert outcome.fault is None
    assert outcome.totals == on_threads(asked, 2)


def test_a_range_that_kills_every_worker_ends_the_run(doomed: Any) -> None:
    doomed.cluster.scheduler.allowed_failures = 0
    pids = list(doomed.run(os.getpid).values())

    def kill(done: int, total: int) -> None:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        pids.clear()

    outcome = elsewhere(simulation(units=50_000_000), doomed.scheduler.address, progress=kill)
    assert "a worker died with deals " in str(outcome.fault)
    assert outcome.units > 0


def test_ctrl_c_keeps_what_is_finished(address: str) -> None:
    pressed: list[int] = []

    def interrupt(done: int, total: int) -> None:
        if done > 1000 and not pressed:
            pressed.append(done)
            raise KeyboardInterrupt

    asked = simulation(units=50_000_000)
    outcome = elsewhere(asked, address, progress=interrupt)
    assert outcome.interrupted
    assert pressed[0] <= outcome.units < asked.deals
    again = Totals.empty(asked.prepare().plan)
    for first, count in outcome.ranges:
        again.add(part(asked, first, count))
    assert outcome.totals == again


def part(asked: Question, first: int, count: int) -> Totals:
    """Totals of some units, played here."""
    worker = Worker(asked.prepare().plan)
    return worker.play(first, count)


# What is checked


def test_other_sources_are_refused(workers: Any, address: str) -> None:
    one = next(iter(workers.nthreads()))
    workers.run(forge_sources, workers=[one])
    said = refusal(simulation(units=39_999), address)
    assert said.startswith(f"worker {one} has tresdos ")
    assert "0123456789abcdef" in said
    assert cache.source_digest() in said


def test_a_worker_without_this_version_is_refused(workers: Any, address: str) -> None:
    one = next(iter(workers.nthreads()))
    workers.run(lose_package, workers=[one])
    assert refusal(simulation(), address).startswith(f"worker {one} cannot run tresdos ")


def test_another_plan_is_refused(address: str) -> None:
    asked = simulation()
    start = on_cluster(address, "analysis.cluster:rebuild_plan", lambda plan: ({"question": other.to_dict(), "moved": {}}, ()))
    other = replace(asked, seed=12)
    with pytest.raises(RunError, match="made another plan"):
        run(asked.prepare().plan, asked.deals, start=start)


def test_what_a_worker_cannot_load_is_told(address: str) -> None:
    asked = simulation()
    start = on_cluster(address, "analysis.cluster:rebuild_plan", lambda plan: ({"question": other.to_dict(), "moved": {}}, ()))
    other = replace(asked, lineup=("greedy", "nobody", "greedy"))
    with pytest.raises(RunError, match="cannot play this: tres-y-dos has no strategy 'nobody'"):
        run(asked.prepare().plan, asked.deals, start=start)


def test_a_worker_that_computes_otherwise_is_found(workers: Any, address: str) -> None:
    workers.run(forge_results, workers=[next(iter(workers.nthreads()))])
    outcome = elsewhere(simulation(units=50_000_000), address)
    assert isinstance(outcome.fault, RunError)
    assert "did not come out the same" in str(outcome.fault)
    assert all(one in str(outcome.fault) for one in workers.nthreads())


def test_a_second_result_that_differs_ends_the_run(workers: Any, address: str) -> None:
    async def contradict(event: tuple[float, Any]) -> None:
        told = event[1]
        if "digest" in told and told["worker"] != "elsewhere":
            await workers.log_event(TOPIC, {**told, "digest": "another", "worker": "elsewhere"})

    workers.subscribe_topic(TOPIC, contradict)
    try:
        outcome = elsewhere(simulation(units=50_000_000), address)
    finally:
        workers.unsubscribe_topic(TOPIC)
    assert "by elsewhere" in str(outcome.fault)
    assert "did not come out the same" in str(outcome.fault)


def test_the_ledger_names_the_deals() -> None:
    ledger = Ledger()
    ledger.enter(1000, 24, "abc", "a worker")
    ledger.enter(1000, 24, "abc", "another worker")
    ledger.enter(1000, 25, "xyz", "another worker")
    with pytest.raises(RunError, match="deals 1000 to 1023 were played twice, by a worker and by another worker"):
        ledger.enter(1000, 24, "xyz", "another worker")


def test_results_have_one_digest_and_others_another() -> None:
    plan = simulation().prepare().plan
    totals = Totals.empty(plan)
    columns = np.arange(6, dtype=np.int64).reshape(2, 3)
    digest = cluster_worker.result_digest(totals, ((0, 3, [[columns]]),))
    assert digest == cluster_worker.result_digest(totals.copy(), ((0, 3, [[columns.copy()]]),))
    other = totals.copy()
    other.sums[0] += 1
    assert digest != cluster_worker.result_digest(other, ((0, 3, [[columns]]),))
    assert digest != cluster_worker.result_digest(totals, ((0, 3, [[columns + 1]]),))
    assert digest != cluster_worker.result_digest(totals, ())


CHANGES: dict[str, Callable[[Question], Question]] = {
    "seed": lambda asked: replace(asked, seed=12),
    "unit": lambda asked: replace(asked, unit="match"),
    "strategy": lambda asked: replace(asked, lineup=("greedy", "outs", "random")),
    "order": lambda asked: replace(asked, lineup=("outs", "greedy", "greedy")),
    "rotate": lambda asked: replace(asked, rotate=True),
    "players": lambda asked: replace(asked, lineup=("greedy", "outs", "greedy", "greedy")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_plans_have_other_digests(change: str) -> None:
    assert digest_of(CHANGES[change](simulation())) != digest_of(simulation())


def digest_of(asked: Question) -> str:
    return plan_digest(asked.prepare().plan)


# Users' files


def test_the_files_of_a_plugin_travel(plugin: str) -> None:
    asked = simulation("greedy", f"{plugin}:careful", f"{plugin}:throwing")
    data, files = pack(asked, asked.prepare().plan)
    assert data == {"question": asked.to_dict(), "moved": {plugin: "0/mine.py"}}
    assert [(file.path, file.content) for file in files] == [("0/mine.py", PLUGIN.encode()), ("0/helpers.py", HELPERS)]
    assert files[1].sha256 == hashlib.sha256(HELPERS).hexdigest()


def test_a_changed_file_is_another_plan(plugin: str) -> None:
    asked = simulation("greedy", f"{plugin}:careful", "greedy")
    before = digest_of(asked)
    Path(plugin).write_text(f"{PLUGIN}\n# more\n", encoding="utf-8")
    assert digest_of(asked) != before


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"^0/mine\.py was damaged"):
        cluster_worker.write_files((SourceFile("0/mine.py", b"text", "0" * 64),), tmp_path)


def test_a_fault_comes_back_as_itself(plugin: str, address: str) -> None:
    asked = simulation("greedy", f"{plugin}:throwing", "greedy", units=100_000)
    outcome = elsewhere(asked, address)
    fault = outcome.fault
    assert isinstance(fault, StrategyFault)
    assert (fault.unit, fault.seat, type(fault.cause).__name__, str(fault.cause)) == (20_000, 1, "Odd", "what now")
    assert str(fault) == "seat 2 raised Odd: what now in deal 20000"
    assert outcome.units > 0


def test_a_named_error_travels_on() -> None:
    error = pickle.loads(pickle.dumps(named_error("Odd", "what now")))
    assert (type(error).__name__, str(error)) == ("Odd", "what now")


def test_a_question_travels_as_json(plugin: str, address: str) -> None:
    """Nothing but plain data is in a job, so that it can be written down and sent by any means."""
    asked = replace(QUESTIONS["variants"], strategy=f"{plugin}:careful")

    def pack_as_json(plan: Plan) -> tuple[Any, tuple[SourceFile, ...]]:
        data, files = pack(asked, plan)
        return json.loads(json.dumps(data)), files

    outcome = run(asked.prepare().plan, asked.deals, start=on_cluster(address, "analysis.cluster:rebuild_plan", pack_as_json))
    assert outcome.totals == on_threads(asked)


def test_a_file_that_was_moved_is_taken_from_where_it_is(plugin: str, address: str) -> None:
    asked = simulation("greedy", "gone/mine.py:careful", "greedy", found_at={"gone/mine.py": plugin})
    assert elsewhere(asked, address).totals == on_threads(simulation("greedy", f"{plugin}:careful", "greedy"))


@pytest.mark.slow
def test_a_decision_that_never_returns(plugin: str) -> None:
    outcome = elsewhere(simulation("greedy", f"{plugin}:endless", "greedy"), "local:2", patience=2.0)
    assert isinstance(outcome.fault, Stuck)
    assert outcome.fault.where == [(20_000, 1)]
    assert outcome.units > 0


@pytest.mark.slow
def test_workers_that_fall_silent(doomed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SILENT_SECONDS", 3.0)
    monkeypatch.setattr(cluster, "FETCH_SECONDS", 1.0)
    pids = list(doomed.run(os.getpid).values())

    def halt(done: int, total: int) -> None:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)

    try:
        outcome = elsewhere(simulation(units=50_000_000), doomed.scheduler.address, progress=halt, patience=3.0)
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    assert "none of the 2 workers has been heard of" in str(outcome.fault)


@pytest.mark.slow
def test_a_scheduler_that_goes_away() -> None:
    with processes(1) as client:
        outcome = elsewhere(simulation(units=50_000_000), client.scheduler.address, progress=lambda done, total: end_local(client.cluster))
    assert "the scheduler is gone" in str(outcome.fault)
    assert outcome.units > 0
