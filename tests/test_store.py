"""Run folders: frames, checkpoints, manifests, locks, and what becomes of them when a run ends at any moment."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.question import Question
from sim import frames, recording, store, wholefiles
from sim.checkpoint import decode, encode
from sim.errors import UsageError
from sim.executors import Done, Portions, Threads
from sim.frames import Damaged, Frames, Layout
from sim.plan import Plan
from sim.recording import Recording
from sim.runner import Outcome, run
from sim.worker import Outcomes, Worker
from tests.commands import kept
from tests.conformance.plans import outcomes

GAME = "tres-y-dos"
UNITS = 200

QUESTIONS = {
    "simulate": Question("simulate", GAME, UNITS, 5, strategy="greedy"),
    "rotate": Question("simulate", GAME, UNITS, 5, lineup=("greedy", "random", "outs"), rotate=True),
    "compare": Question("compare", GAME, UNITS, 5, rules={"players": 3}, candidates=("greedy", "random"), field=("outs",)),
    "variants": Question("variants", GAME, UNITS, 5, vary={"players": ("4", "2", "3")}, unit="match", rules={"match_target": 1}),
}


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of few units, written a few rows at a time; what is written need not survive the machine."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(frames, "FILE_UNITS", 64)
    monkeypatch.setattr(frames, "GROUP_ROWS", 50)


@pytest.fixture(params=list(QUESTIONS))
def plan(request: pytest.FixtureRequest) -> Plan:
    return QUESTIONS[request.param].prepare().plan


def chunks(plan: Plan, first: int, count: int) -> Done:
    """A range as an executor hands it back."""
    found: list[tuple[int, int, Outcomes]] = []
    totals = Worker(plan, chunk=16).play(first, count, lambda *chunk: found.append(chunk))
    return Done(first, count, 0.1, totals, found)


def new_frames(plan: Plan, folder: Path, style: str = "parquet", **earlier: Any) -> Frames:
    """The frames of a run of ``UNITS`` units."""
    known = {"finished": {}, "ranges": [], **earlier}
    made = Frames(plan, UNITS, folder / "frames", folder / "spool", style, **known)
    made.begin()
    return made


def fill(made: Frames, plan: Plan, ranges: list[tuple[int, int]]) -> None:
    for first, count in ranges:
        made.keep(chunks(plan, first, count))
        made.sync()
        made.release()


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "frames").iterdir()}


def cuts(seed: int) -> list[tuple[int, int]]:
    """All units in ranges of random sizes, in random order."""
    draw = random.Random(seed)
    borders = sorted({0, UNITS, *(draw.randrange(UNITS) for _ in range(draw.randrange(12)))})
    ranges = [(a, b - a) for a, b in itertools.pairwise(borders)]
    draw.shuffle(ranges)
    return ranges


# --- rows ------------------------------------------------------------------------------------------------------------


def test_rows_are_the_outcomes_of_the_worker(plan: Plan, tmp_path: Path) -> None:
    fill(new_frames(plan, tmp_path), plan, [(0, UNITS)])
    rows = [row for path in sorted((tmp_path / "frames").iterdir()) for row in pq.ParquetFile(path).read().to_pylist()]
    expected = outcomes(plan, [(0, UNITS)])
    assert [(row["deal"], row.get("arm", 1) - 1, row.get("replay", 1) - 1) for row in rows] == sorted(expected)
    for row in rows:
        arm = plan.arms[row.get("arm", 1) - 1]
        cells = [
            row[f"{column.name}_{seat + 1}"] if column.per_seat else row[column.name]
            for column in plan.unit.columns
            for seat in range(arm.players if column.per_seat else 1)
        ]
        assert cells == expected[row["deal"], row.get("arm", 1) - 1, row.get("replay", 1) - 1]
        for column in plan.unit.columns:
            for seat in range(arm.players, max(a.players for a in plan.arms)):
                assert not column.per_seat or row[f"{column.name}_{seat + 1}"] is None


def test_files_are_cut_at_fixed_units(plan: Plan, tmp_path: Path) -> None:
    fill(new_frames(plan, tmp_path), plan, [(0, UNITS)])
    games = plan.games_per_unit
    sizes = {path.name: pq.ParquetFile(path).metadata.num_rows for path in (tmp_path / "frames").iterdir()}
    assert sizes == {f"hands-0000{i}.parquet": 64 * games for i in range(3)} | {"hands-00003.parquet": 8 * games}


@pytest.mark.parametrize("seed", range(6))
def test_files_are_the_same_for_any_ranges_in_any_order(plan: Plan, tmp_path: Path, seed: int) -> None:
    for name, ranges in (("whole", [(0, UNITS)]), ("cut", cuts(seed))):
        (tmp_path / name).mkdir()
        fill(new_frames(plan, tmp_path / name), plan, ranges)
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


def test_csv_holds_the_same_rows(plan: Plan, tmp_path: Path) -> None:
    for style in ("parquet", "csv"):
        (tmp_path / style).mkdir()
        fill(new_frames(plan, tmp_path / style, style), plan, cuts(1))
    for path in (tmp_path / "parquet" / "frames").iterdir():
        rows = pq.ParquetFile(path).read().to_pylist()
        with (tmp_path / "csv" / "frames" / path.name).with_suffix(".csv").open(newline="") as file:
            assert list(csv.DictReader(file)) == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]


def test_the_dictionary_tells_who_sat_where(tmp_path: Path) -> None:
    plan = QUESTIONS["rotate"].prepare().plan
    fill(new_frames(plan, tmp_path), plan, [(0, UNITS)])
    path = tmp_path / "frames" / "hands-00000.parquet"
    about = json.loads(pq.read_schema(path).metadata[b"tresdos"])
    assert list(about["columns"]) == pq.read_schema(path).names
    assert about["arms"][0]["lineup"] == ["greedy", "random", "outs"]
    assert np.array_equal(np.array(about["arms"][0]["seatings"]) - 1, plan.arms[0].orders())
    assert about["columns"]["won_2"]["seat"] == 2


def test_the_spool_is_removed_once_its_file_is_known(plan: Plan, tmp_path: Path) -> None:
    made = new_frames(plan, tmp_path)
    made.keep(chunks(plan, 0, 70))
    assert made.unreleased and sorted(p.name for p in (tmp_path / "spool").iterdir()) == ["hands-00000.units", "hands-00001.units"]
    made.release()
    assert not made.unreleased and [p.name for p in (tmp_path / "spool").iterdir()] == ["hands-00001.units"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_changed_cell_changes_the_check_word(data: st.DataObject) -> None:
    layout = Layout(QUESTIONS["compare"].prepare().plan)
    whole = st.integers(-(2**63), 2**63 - 1)
    units = np.array([data.draw(st.lists(whole, min_size=layout.cells, max_size=layout.cells))], np.int64)
    before = layout.check_words(7, units)
    cell = data.draw(st.integers(1, layout.cells - 1))
    other = data.draw(whole.filter(lambda x: x != units[0, cell]))
    units[0, cell] = other
    assert layout.check_words(7, units) != before
    assert layout.check_words(8, units) != layout.check_words(7, units)


@pytest.mark.parametrize("place", [0, 8, 1000, -1])
def test_a_damaged_spool_is_noticed_when_a_run_is_taken_up(tmp_path: Path, place: int) -> None:
    plan = QUESTIONS["simulate"].prepare().plan
    fill(new_frames(plan, tmp_path), plan, [(0, 40)])
    path = tmp_path / "spool" / "hands-00000.units"
    damaged = bytearray(path.read_bytes())
    damaged[place] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(Damaged, match=r"hands-00000.units is damaged"):
        new_frames(plan, tmp_path, ranges=[(0, 40)])


def test_a_missing_or_short_spool_is_noticed(tmp_path: Path) -> None:
    plan = QUESTIONS["simulate"].prepare().plan
    fill(new_frames(plan, tmp_path), plan, [(0, 40)])
    path = tmp_path / "spool" / "hands-00000.units"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(Damaged, match="is damaged"):
        new_frames(plan, tmp_path, ranges=[(0, 40)])
    path.unlink()
    with pytest.raises(Damaged, match="is missing"):
        new_frames(plan, tmp_path, ranges=[(0, 40)])


def test_rows_under_way_fit_into_memory() -> None:
    plan = QUESTIONS["compare"].prepare().plan
    for jobs in (1, 2, 7, 64):
        threads = Threads(plan, jobs, True)
        portions = recording._FewRows(threads, plan).portions
        threads.close()
        under_way = portions.ahead * jobs * portions.largest * 8 * 6 * plan.unit.width(3)
        assert recording.ROW_BYTES / 2 < under_way <= recording.ROW_BYTES


# --- checkpoints -----------------------------------------------------------------------------------------------------


def state_of(plan: Plan) -> tuple[bytes, Outcome]:
    outcome = run(plan, 100, jobs=1)
    outcome.ranges = [(0, 64), (100, 36)]
    return encode("me", outcome, {"hands-00000.parquet": "ab"}), outcome


def test_a_checkpoint_comes_back_as_it_was(plan: Plan) -> None:
    data, outcome = state_of(plan)
    state = decode(data, "me", plan, UNITS)
    assert state.outcome.segments == outcome.segments
    assert state.outcome.ranges == outcome.ranges
    assert state.outcome.seconds == outcome.seconds
    assert state.frames == {"hands-00000.parquet": "ab"}


def test_a_flipped_bit_of_a_checkpoint_is_noticed() -> None:
    plan = QUESTIONS["simulate"].prepare().plan
    data, _ = state_of(plan)
    good = decode(data, "me", plan, UNITS)
    for place in range(0, len(data), 7):
        for bit in (1, 32):
            damaged = bytearray(data)
            damaged[place] ^= bit
            try:
                state = decode(bytes(damaged), "me", plan, UNITS)
            except UsageError:
                continue
            assert state == good  # such as 1E-05 for 1e-05


@pytest.mark.parametrize(
    "change",
    [
        {"ranges": [[0, 99]]},
        {"ranges": [[0, 64], [32, 36]]},
        {"ranges": [[150, 100]]},
        {"ranges": [["0", "x"]]},
        {"ranges": 7},
        {"segments": [{"left": 1}]},
        {"segments": []},
        {"frames": {"../../precious": "ab"}},
        {"frames": []},
        {"seconds": "long"},
    ],
)
def test_a_checkpoint_that_does_not_hold_together_is_refused(change: dict[str, Any]) -> None:
    plan = QUESTIONS["simulate"].prepare().plan
    state = {**json.loads(state_of(plan)[0])["state"], **change}
    text = json.dumps(state, separators=(",", ":"))
    data = f'{{"format":1,"sha256":"{wholefiles.digest_of(text.encode())}","state":{text}}}'.encode()
    with pytest.raises(UsageError, match="is damaged"):
        decode(data, "me", plan, UNITS)


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"7", b"null", b'{"format":1}', b"\xff", b"[" * 100_000])
def test_what_is_no_checkpoint_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="damaged"):
        decode(data, "me", QUESTIONS["simulate"].prepare().plan, UNITS)


def test_a_checkpoint_of_another_experiment_is_refused() -> None:
    plan = QUESTIONS["simulate"].prepare().plan
    data, _ = state_of(plan)
    with pytest.raises(UsageError, match="belongs to another experiment"):
        decode(data, "you", plan, UNITS)
    with pytest.raises(UsageError, match="belongs to another experiment"):
        decode(data, "me", QUESTIONS["compare"].prepare().plan, UNITS)
    with pytest.raises(UsageError, match="has format 2"):
        decode(data.replace(b'"format":1', b'"format":2'), "me", plan, UNITS)


# --- folders ---------------------------------------------------------------------------------------------------------


def asked(question: Question, **more: Any) -> store.Asked:
    return store.Asked(question.to_dict(), question.deals, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[store.RunFolder]:
    made = store.create(tmp_path / "run", asked(QUESTIONS["simulate"]))
    yield made
    made.close()


def test_a_new_folder_tells_what_is_played(folder: store.RunFolder) -> None:
    read = store.open_run(folder.path)
    assert read.manifest == folder.manifest
    assert read.manifest["question"] == QUESTIONS["simulate"].to_dict()
    assert {"format", "version", "source_digest", "scheme", "machine", "status", "timing"} <= read.manifest.keys()
    assert {"python", "numba", "numpy", "platform", "cpu_count"} <= read.manifest["machine"].keys()


def test_only_one_process_plays_into_a_folder(folder: store.RunFolder) -> None:
    other = store.open_run(folder.path)
    assert other.status == "running"
    with pytest.raises(UsageError, match="is being played by another process"):
        other.lock()
    with pytest.raises(UsageError, match="is being played by another process"):
        store.remove_run(folder.path)
    folder.close()
    assert other.status == "killed"
    other.lock()
    other.close()


def test_nothing_is_left_of_a_folder_that_could_not_be_made(tmp_path: Path) -> None:
    gone = store.Plugin("mine.py", tmp_path / "mine.py", "mine.py")
    with pytest.raises(FileNotFoundError):
        store.create(tmp_path / "run", asked(QUESTIONS["simulate"], plugins=[gone]))
    assert list(tmp_path.iterdir()) == []


def test_only_what_the_toolkit_wrote_is_removed(folder: store.RunFolder) -> None:
    folder.close()
    (folder.path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"holds more than a run \(notes.txt\)"):
        store.remove_run(folder.path)
    assert (folder.path / "manifest.json").exists()
    (folder.path / "notes.txt").unlink()
    store.remove_run(folder.path)
    assert list(folder.path.iterdir()) == []


def test_a_link_in_a_run_folder_is_not_followed_when_it_is_removed(folder: store.RunFolder, tmp_path: Path) -> None:
    folder.close()
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("mine")
    (folder.path / "tables").symlink_to(tmp_path / "precious")
    store.remove_run(folder.path)
    assert (tmp_path / "precious" / "file").read_text() == "mine"


def test_a_manifest_that_lacks_anything_is_refused(folder: store.RunFolder) -> None:
    path = folder.path / "manifest.json"
    whole = json.loads(path.read_text())
    for name in whole:
        path.write_text(json.dumps({key: value for key, value in whole.items() if key != name}))
        with pytest.raises(UsageError):
            store.open_run(folder.path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": {"kind": "simulate", "game": GAME, "deals": UNITS, "seed": 6}}, "describes another experiment"),
        ({"version": "0.0.0"}, "describes another experiment"),
        ({"hands": "csv"}, "describes another experiment"),
        ({"format": 2}, "has format 2"),
        ({"program": "another"}, "is not the manifest of a run"),
        ({"deals": {"asked": "many", "done": 0}}, "is damaged"),
        ({"deals": []}, "is damaged"),
        ({"plugins": [{"typed": 1}]}, "is damaged"),
    ],
)
def test_a_changed_manifest_is_refused(folder: store.RunFolder, change: dict[str, Any], message: str) -> None:
    path = folder.path / "manifest.json"
    path.write_text(json.dumps({**folder.manifest, **change}))
    with pytest.raises(UsageError, match=message):
        store.open_run(folder.path)


@pytest.mark.parametrize("name", ["checkpoint", "frames", "plugins", "result.json"])
def test_a_folder_that_leads_elsewhere_is_not_played_into(folder: store.RunFolder, tmp_path: Path, name: str) -> None:
    folder.close()
    folder.clear_checkpoint()
    (tmp_path / "precious").mkdir()
    (folder.path / name).symlink_to(tmp_path / "precious")
    with pytest.raises(UsageError, match=f"{name} is a link"):
        store.open_run(folder.path).lock()
    assert list((tmp_path / "precious").iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_manifest_is_refused(folder: store.RunFolder, data: bytes) -> None:
    (folder.path / "manifest.json").write_bytes(data)
    with pytest.raises(UsageError, match="manifest"):
        store.open_run(folder.path)


# --- plug-ins --------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_plugin(tmp_path: Path) -> store.RunFolder:
    """A folder with a strategy file and a module beside it."""
    for name in ("mine.py", "helper.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    plugins = [store.Plugin("../mine.py", tmp_path / name, name) for name in ("mine.py", "helper.py")]
    made = store.create(tmp_path / "run", asked(QUESTIONS["simulate"], plugins=plugins))
    made.close()
    return made


def test_a_strategy_file_that_is_as_it_was_is_used_itself(with_plugin: store.RunFolder, tmp_path: Path) -> None:
    assert with_plugin.plugin_paths() == {"../mine.py": tmp_path / "mine.py"}


@pytest.mark.parametrize("name", ["mine.py", "helper.py"])
def test_of_a_strategy_file_that_has_changed_the_copy_is_used(with_plugin: store.RunFolder, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("# changed\n")
    (path,) = with_plugin.plugin_paths().values()
    assert path == with_plugin.path / "plugins" / "1" / "mine.py"
    assert path.read_text() == "# mine.py\n"
    assert path.with_name("helper.py").read_text() == "# helper.py\n"


def test_a_damaged_or_missing_copy_is_refused(with_plugin: store.RunFolder) -> None:
    copy = with_plugin.path / "plugins" / "1" / "helper.py"
    copy.write_text("# changed\n")
    with pytest.raises(UsageError, match=r"helper.py is damaged"):
        with_plugin.plugin_paths()
    copy.unlink()
    with pytest.raises(UsageError, match=r"helper.py is missing"):
        with_plugin.plugin_paths()


def test_a_copy_outside_of_the_folder_is_refused(with_plugin: store.RunFolder) -> None:
    with_plugin.manifest["plugins"][0]["copy"] = "../mine.py"
    with pytest.raises(UsageError, match="lies outside"):
        with_plugin.plugin_paths()


# --- a run that ends at any moment -----------------------------------------------------------------------------------


class Killed(BaseException):
    """In place of a kill: nothing catches it."""


def play_into(path: Path, question: Question, jobs: int = 2) -> None:
    """Play into a new folder, or what is missing in one that is there."""
    experiment = question.prepare()
    fresh = not (path / "manifest.json").exists()
    folder = store.create(path, asked(question, hands="parquet")) if fresh else store.open_run(path)
    try:
        if not fresh:
            folder.lock()
        record = Recording(experiment.plan, question.deals, folder.begin_again, "parquet")
        record.resume(folder)
        outcome = run(
            experiment.plan,
            question.deals,
            jobs=jobs,
            before=record.before,
            keep=record.keep,
            checkpoint=record.checkpoint,
            start=lambda plan, jobs, keep: record.start(Threads(plan, jobs, keep)),
        )
        record.save(outcome)
        totals = outcome.totals
        result = {"sums": totals.sums, "products": totals.products, "units": totals.units}
        folder.finish(result, record.frames, outcome.units, {"seconds": outcome.seconds})
    finally:
        folder.close()


STEPS = [
    (os, "replace"),
    (wholefiles, "sync"),
    (frames, "publish"),
    (frames.Frames, "_put"),
    (frames.Frames, "release"),
    (recording, "write_whole"),
    (store, "write_whole"),
    (store, "digest_of"),
    (store.RunFolder, "clear_checkpoint"),
]
"""Where a run touches the disk: it is ended before and after each."""


@pytest.mark.parametrize("kind", ["simulate", pytest.param("variants", marks=pytest.mark.slow)])
def test_a_run_killed_at_any_step_is_completed_to_the_same_bytes(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(recording, "CHECKPOINT_SHARE", 0)
    monkeypatch.setattr(Threads, "portions", Portions(first=UNITS * 9, largest=60, seconds=1.0, ahead=2))
    play_into(tmp_path / "whole", QUESTIONS[kind])
    left = [0]

    def step(function: Callable[..., Any]) -> Callable[..., Any]:
        def taken(*args: Any, **others: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            found = function(*args, **others)
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return found

        return taken

    for place, name in STEPS:
        monkeypatch.setattr(place, name, step(getattr(place, name)))
    kills = 0
    for at in range(1, 1000):
        path = tmp_path / f"killed-{at}"
        left[0] = at
        try:
            play_into(path, QUESTIONS[kind])
            break  # there were fewer steps
        except Killed:
            kills += 1
        left[0] = 0
        if not path.exists() or store.open_run(path).status != "finished":
            play_into(path, QUESTIONS[kind])
        assert kept(path) == kept(tmp_path / "whole"), at
    assert kills > 40
