"""Runs kept by the command line: killed, interrupted, resumed, repeated, listed, and never written over."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sim import store
from sim.wholefiles import digest, write_whole
from tests.commands import kept, tree, tresdos

GAME = "tres-y-dos"
SIMULATE = ("simulate", GAME, "--lineup", "greedy,random,outs", "--seed", "3", "--deals", "500")
COMPARE = ("compare", GAME, "greedy", "outs", "--players", "3", "--seed", "3", "--deals", "300")
VARIANTS = ("variants", GAME, "--vary", "players=2..4", "--measure", "turns", "--measure", "win_rate", "--seed", "3", "--deals", "300")

SLOWLY = """
import sys, time
from sim import executors, frames, recording
from tresdos.cli import main
frames.FILE_UNITS, frames.GROUP_ROWS = 1024, 500
recording.CHECKPOINT_SECONDS, recording.CHECKPOINT_SHARE = 0.02, 0
executors.Threads.portions = executors.Portions(first=64, largest=128, seconds=1.0, ahead=2)
keep = frames.Frames.keep
frames.Frames.keep = lambda *args: (time.sleep(0.01), keep(*args))
main()
"""
"""A run in small steps and files, so that a kill meets it in all its states: about a second and a half for 10,000 deals."""

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
"""In which another process finds the packages, wherever it is started."""

PLUGIN = """
import tresdos as td


def draw(view):
    {body}
    return 0


careful = td.Strategy("tres-y-dos", "careful", "draws from the stock", {{"draw": draw}})
"""


def begin_slowly(*words: str | Path) -> subprocess.Popen[str]:
    """A command in a process of its own, in slow motion."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", SLOWLY, *map(str, words)], text=True, env=ENVIRONMENT, **pipes)  # type: ignore[call-overload, no-any-return]


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until a file is there (or the process has ended)."""
    while not path.exists() and process.poll() is None:
        time.sleep(0.005)


def kill_and_resume(words: Sequence[str], out: Path, kills: int, moments: random.Random) -> int:
    """Begin a run, kill it again and again at random moments, and complete it; how often a kill met it alive."""
    met = 0
    command: Sequence[str | Path] = [*words, "--out", out, "--hands"]
    for _ in range(kills):
        process = begin_slowly(*command)
        wait_for(out / "checkpoint" / "lock", process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moments.uniform(0.0, 0.5))
        met += process.poll() is None
        process.kill()
        process.communicate()
        command = ["resume", out]
    process = begin_slowly(*command)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return met


def unbroken(words: Sequence[str], out: Path) -> dict[str, bytes]:
    process = begin_slowly(*words, "--out", out, "--hands")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return kept(out)


# --- kills -----------------------------------------------------------------------------------------------------------


def test_a_killed_run_is_completed_to_the_same_bytes(tmp_path: Path) -> None:
    words = [*SIMULATE[:-1], "20000"]
    met = kill_and_resume(words, tmp_path / "killed", 6, random.Random(1))
    assert kept(tmp_path / "killed") == unbroken(words, tmp_path / "whole")
    assert len(kept(tmp_path / "whole")) == 21
    assert met >= 3
    assert not (tmp_path / "killed" / "checkpoint").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        [*SIMULATE[:-1], "40000"],
        [*SIMULATE[:-1], "10000", "--rotate", "--unit", "match"],
        [*COMPARE[:-1], "10000"],
        [*VARIANTS[:-1], "12000"],
        [*SIMULATE[:-1], "30000", "--jobs", "1"],
    ],
)
def test_a_run_killed_six_times_is_completed_to_the_same_bytes(words: list[str], tmp_path: Path) -> None:
    met = kill_and_resume(words, tmp_path / "killed", 6, random.Random(str(words)))
    assert kept(tmp_path / "killed") == unbroken(words, tmp_path / "whole")
    assert met >= 3


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "a run"
    words = [*SIMULATE[:-1], "20000"]
    process = begin_slowly(*words, "--out", out, "--hands", "--format", "json")
    wait_for(out / "checkpoint" / "state.json", process)
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    done = json.loads(printed)["deals"]
    assert 0 < done < 20000
    assert f"interrupted: {done} of 20000 deals played and counted; go on with: tresdos resume '{out}'" in errors
    listed = json.loads(tresdos("runs", tmp_path, "--format", "json").out)["runs"]
    assert [(run["status"], run["deals"]) for run in listed] == [("interrupted", {"done": done, "asked": 20000})]
    again = begin_slowly("resume", out)
    again.communicate(timeout=60)
    assert again.returncode == 0
    assert kept(out) == unbroken(words, tmp_path / "whole")


# --- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [SIMULATE, COMPARE, VARIANTS, (*SIMULATE, "--rotate")])
def test_a_kept_run_holds_what_is_printed(words: Sequence[str], tmp_path: Path) -> None:
    said = tresdos(*words, "--out", tmp_path / "run", "--format", "json")
    assert said.code == 0
    assert f"kept in {tmp_path / 'run'}" in said.err
    printed = json.loads(said.out)
    stored = json.loads((tmp_path / "run" / "result.json").read_bytes())
    assert stored["result"] == {name: value for name, value in printed.items() if name not in ("timing", "version")}
    assert stored["format"] == 1 and stored["kind"] == words[0]
    assert set(stored) == {"format", "kind", "game_title", "unit_help", "result", "details", "measures", "rules"}
    assert {"distributions", "convergence"} == set(stored["details"])
    rules = {rule["name"]: rule for rule in stored["rules"]}
    assert {name: rule["value"] for name, rule in rules.items()} == printed["rules"]
    assert rules["players"]["changed"] == (printed["rules"]["players"] != rules["players"]["default"])
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["status"] == "finished"
    assert manifest["timing"].keys() == printed["timing"].keys()
    assert [path.name for path in sorted((tmp_path / "run").iterdir())] == ["manifest.json", "result.json"]


def test_details_tell_how_the_estimates_settled(tmp_path: Path) -> None:
    tresdos("simulate", GAME, "--strategy", "greedy", "--deals", "5000", "--seed", "1", "--out", tmp_path / "run")
    stored = json.loads((tmp_path / "run" / "result.json").read_bytes())
    points = stored["details"]["convergence"]["seat 1 (greedy)"]
    assert [point["deals"] for point in points] == [1024, 2048, 3072, 4096, 5000]
    assert {**points[-1], **stored["result"]["results"][0]["win_rate"]} == points[-1]
    assert sum(stored["details"]["distributions"]["turns"]["counts"]) == 5000


@pytest.mark.parametrize("style", ["parquet", "csv"])
def test_rows_do_not_depend_on_the_number_of_threads(style: str, tmp_path: Path) -> None:
    for jobs in ("1", "2", "3"):
        assert tresdos(*COMPARE, "--out", tmp_path / jobs, "--hands", style, "--jobs", jobs).code == 0
    assert kept(tmp_path / "1") == kept(tmp_path / "2") == kept(tmp_path / "3")
    assert [path.name for path in (tmp_path / "1" / "frames").iterdir()] == [f"hands-00000.{style}"]


def test_rows_add_up_to_the_result(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run", "--hands")
    rows = pq.ParquetFile(tmp_path / "run" / "frames" / "hands-00000.parquet").read().to_pydict()
    results = json.loads((tmp_path / "run" / "result.json").read_bytes())["result"]["results"]
    for seat, row in enumerate(results, 1):
        assert sum(rows[f"won_{seat}"]) / 840 / 500 == pytest.approx(row["win_rate"]["value"], rel=1e-12)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert list(manifest["rows"]["columns"]) == list(rows)
    assert manifest["rows"]["columns"]["won_1"]["over"] == 840


def test_rows_need_a_folder() -> None:
    said = tresdos(*SIMULATE, "--hands")
    assert (said.code, said.out) == (2, "")
    assert "--out FOLDER" in said.err


@pytest.mark.slow
def test_millions_of_rows_need_little_memory(tmp_path: Path) -> None:
    peak = "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    measured = f"import resource\nfrom tresdos.cli import main\ntry:\n    main()\nfinally:\n    {peak}"
    words = ["simulate", GAME, "--strategy", "greedy", "--deals", "2M", "--seed", "1", "--hands", "--quiet", "--format", "csv"]
    # What is measured is a run, not the compiler, which needs as much again when nothing is compiled yet. The cache is this test's own:
    # another that compiles at the same time may write over what a common one knows.
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for out in ("compiled", "run"):
        command = [sys.executable, "-c", measured, *words, "--out", str(tmp_path / out)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert int(done.stdout.split()[-1]) < 300_000, "kilobytes"
    assert sum(pq.ParquetFile(path).metadata.num_rows for path in (tmp_path / "run" / "frames").iterdir()) == 2_000_000


# --- never written over ----------------------------------------------------------------------------------------------


def test_a_finished_run_is_not_written_over(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    before = tree(tmp_path)
    said = tresdos(*SIMULATE, "--out", tmp_path / "run")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "holds a finished run: choose another folder, or replace it with --force" in said.err
    assert tree(tmp_path) == before
    assert tresdos(*COMPARE, "--out", tmp_path / "run", "--force").code == 0
    assert json.loads((tmp_path / "run" / "result.json").read_bytes())["kind"] == "compare"


@pytest.fixture
def half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with rows, in files of 128 units, of which more than 256 of 500 deals are finished, as a kill leaves it."""
    from analysis.question import Question
    from sim.executors import Portions, Threads
    from sim.runner import run
    from tresdos.answering import begin
    from tresdos.questions import Wishes

    monkeypatch.setattr("sim.frames.FILE_UNITS", 128)
    asked = Question("simulate", GAME, 500, 3, lineup=("greedy", "random", "outs"))
    experiment, recording = begin(tmp_path / "half", asked, Wishes("half", "parquet"), False)

    class Few(Threads):
        portions = Portions(first=64, largest=50, seconds=1.0, ahead=2)

    stops = iter([KeyboardInterrupt])

    def progress(done: int, total: int) -> None:
        if done > 256 and (stop := next(stops, None)):
            raise stop

    outcome = run(
        experiment.plan,
        500,
        jobs=1,
        keep=recording.keep,
        checkpoint=recording.checkpoint,
        progress=progress,
        start=lambda plan, jobs, keep: recording.start(Few(plan, jobs, keep)),
    )
    recording.save(outcome)
    recording.folder.progress("running", outcome.units, {})
    recording.folder.close()
    return tmp_path / "half"


@pytest.mark.parametrize(
    ("words", "which"), [(SIMULATE, "the same"), ([*SIMULATE[:-3], "4", "--deals", "500"], "the same"), (COMPARE, "another")]
)
def test_an_unfinished_run_is_not_written_over(words: Sequence[str], which: str, half: Path) -> None:
    before = tree(half)
    said = tresdos(*words, "--out", half)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert f"an unfinished run of {which} question (killed, " in said.err
    assert f"complete it with tresdos resume {half}" in said.err
    assert tree(half) == before
    assert tresdos(*words, "--out", half, "--force").code == 0
    assert not (half / "frames").exists()


def test_what_is_no_run_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("precious")
    (tmp_path / "file").write_text("precious")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text('{"name": "somebody else\'s"}')
    before = tree(tmp_path)
    for name in ("mine", "file", "other"):
        for more in ((), ("--force",)):
            said = tresdos(*SIMULATE, "--out", tmp_path / name, *more)
            assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert tree(tmp_path) == before


def test_a_run_folder_with_more_in_it_is_not_replaced(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    (tmp_path / "run" / "notes.txt").write_text("precious")
    before = tree(tmp_path)
    said = tresdos(*SIMULATE, "--out", tmp_path / "run", "--force")
    assert said.code == 2 and "notes.txt" in said.err
    assert tree(tmp_path) == before


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    assert tresdos(*SIMULATE, "--out", tmp_path / "run").code == 0
    assert tresdos(*SIMULATE, "--out", tmp_path / "new" / "below").code == 0
    assert kept(tmp_path / "run") == kept(tmp_path / "new" / "below")


def test_a_wrong_question_makes_no_folder(tmp_path: Path) -> None:
    for words in (["--lineup", "greedy"], ["--strategy", "gredy"], ["--rule", "player=3"], ["--rule", "notice_prob=0"]):
        assert tresdos("simulate", GAME, *words, "--out", tmp_path / "run").code == 2
    assert list(tmp_path.iterdir()) == []


def test_force_needs_a_folder() -> None:
    said = tresdos(*SIMULATE, "--force")
    assert said.code == 2 and "--out FOLDER" in said.err


# --- resume ----------------------------------------------------------------------------------------------------------


def test_resume_gives_the_bytes_of_an_unbroken_run(half: Path, tmp_path: Path) -> None:
    assert 256 < json.loads((half / "manifest.json").read_bytes())["deals"]["done"] < 500
    said = tresdos("resume", half, "--format", "json")
    assert said.code == 0
    assert json.loads(said.out)["deals"] == 500
    tresdos(*SIMULATE, "--out", tmp_path / "whole", "--hands")
    assert kept(half) == kept(tmp_path / "whole")


def test_resume_of_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    before = tree(tmp_path)
    said = tresdos("resume", tmp_path / "run")
    assert (said.code, said.out) == (0, "")
    assert "is finished: 500 deals" in said.err
    assert tree(tmp_path) == before


def flip(path: Path) -> None:
    """Damage a file in its middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("pattern", ["checkpoint/state.json", "checkpoint/spool/*.units", "frames/hands-00001.parquet"])
def test_resume_refuses_what_is_damaged(pattern: str, half: Path) -> None:
    (path,) = half.glob(pattern)
    flip(path)
    before = tree(half)
    said = tresdos("resume", half)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert f"{path} is damaged" in said.err
    assert tree(half) == before


def test_resume_of_a_finished_run_with_damaged_files_says_which(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run", "--hands")
    for name in ("result.json", "frames/hands-00000.parquet"):
        whole = (tmp_path / "run" / name).read_bytes()
        flip(tmp_path / "run" / name)
        for command in ("resume", "repeat"):
            said = tresdos(command, tmp_path / "run")
            assert said.code == 2 and f"{name} is damaged" in said.err
        (tmp_path / "run" / name).unlink()
        said = tresdos("resume", tmp_path / "run")
        assert said.code == 2 and f"{name} is missing" in said.err
        (tmp_path / "run" / name).write_bytes(whole)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("__version__", "9.9", "was begun with version"),
        ("source_digest", lambda: "0123456789abcdef", "was begun with sources"),
        ("SCHEME", 7, "was begun with random stream scheme"),
    ],
)
def test_resume_refuses_another_version(name: str, value: Any, message: str, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, name, value)
    before = tree(half)
    said = tresdos("resume", half)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert message in said.err
    assert tree(half) == before


def test_resume_refuses_another_experiment(half: Path, tmp_path: Path) -> None:
    manifest = json.loads((half / "manifest.json").read_bytes())
    manifest["question"]["seed"] = 4
    (half / "manifest.json").write_text(json.dumps(manifest))
    said = tresdos("resume", half)
    assert said.code == 2 and "describes another experiment" in said.err
    # A manifest that is whole, but not that of the checkpoint.
    manifest["experiment"] = store.experiment_digest(manifest)
    (half / "manifest.json").write_text(json.dumps(manifest))
    said = tresdos("resume", half)
    assert said.code == 2 and "state.json belongs to another experiment" in said.err


@pytest.mark.parametrize("what", ["nothing", "file", "empty folder"])
def test_resume_needs_a_run(what: str, tmp_path: Path) -> None:
    if what == "file":
        (tmp_path / "run").write_text("x")
    elif what == "empty folder":
        (tmp_path / "run").mkdir()
    for command in ("resume", "repeat"):
        said = tresdos(command, tmp_path / "run")
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert "is not a run folder" in said.err


# --- faults and plug-ins ---------------------------------------------------------------------------------------------


def write_plugin(path: Path, body: str = "pass") -> Path:
    path.write_text(PLUGIN.format(body=body))
    return path


def test_a_fault_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tresdos.session.explain_fault", lambda finished, fault: None)  # tested elsewhere, and slow
    plugin = write_plugin(tmp_path / "mine.py", "if view.random_unit == 3000:\n        raise ValueError('no idea')")
    said = tresdos("simulate", GAME, "--lineup", f"{plugin}:careful,greedy", "--deals", "20000", "--seed", "1", "--out", tmp_path / "run")
    assert said.code == 1
    assert f"go on with: tresdos resume {tmp_path / 'run'}" in said.err
    run = store.open_run(tmp_path / "run")
    assert run.status == "failed"
    assert 0 < run.manifest["deals"]["done"] < 20000
    assert run.state_file.exists()
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_decision_that_never_returns_keeps_what_is_finished(tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path / "mine.py", "while view.random_unit == 3000:\n        pass")
    words = ["simulate", GAME, "--lineup", f"{plugin}:careful,greedy", "--deals", "20000", "--seed", "1", "--patience", "0.5"]
    process = begin_slowly(*words, "--out", tmp_path / "run", "--hands")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert f"go on with: tresdos resume {tmp_path / 'run'}" in errors
    run = store.open_run(tmp_path / "run")
    assert run.status == "failed"
    assert 0 < run.manifest["deals"]["done"] < 20000


def test_a_full_disk_keeps_what_was_finished(half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        if path.name == "result.json":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write_whole(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write_whole", full)
        said = tresdos("resume", half)
    assert (said.code, said.out) == (1, "")
    assert "No space left on device" in said.err and f"go on with: tresdos resume {half}" in said.err
    assert tresdos("resume", half).code == 0
    tresdos(*SIMULATE, "--out", tmp_path / "whole", "--hands")
    assert kept(half) == kept(tmp_path / "whole")


def test_a_run_is_repeated_with_the_strategy_files_of_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "there")
    (tmp_path / "helper.py").write_text("SHIFT = 0\n")
    (tmp_path / "mine.py").write_text("import helper\n" + PLUGIN.format(body="pass"))
    words = ("simulate", GAME, "--lineup", "../mine.py:careful,greedy", "--deals", "300", "--seed", "1")
    assert tresdos(*words, "--out", "run").code == 0
    assert "../mine.py:careful" in (tmp_path / "there" / "run" / "result.json").read_text()
    same = tresdos("repeat", "run")
    assert (same.code, same.out) == (0, "identical: result.json\n")
    assert f"runs code from {tmp_path / 'mine.py'}\n" in same.err
    # Elsewhere, and after the file was changed: from the copy, under the same name.
    (tmp_path / "helper.py").write_text("raise ValueError('not what it was')\n")
    monkeypatch.chdir(tmp_path)
    again = tresdos("repeat", "there/run", "--quiet")
    assert (again.code, again.out) == (0, "identical: result.json\n")
    assert again.err == f"tresdos: runs code from {tmp_path / 'there' / 'run' / 'plugins' / '1' / 'mine.py'}\n"


def test_a_strategy_file_that_the_folder_does_not_have_is_not_run(tmp_path: Path) -> None:
    plugin = write_plugin(tmp_path / "mine.py")
    tresdos("simulate", GAME, "--lineup", f"{plugin},greedy", "--deals", "300", "--out", tmp_path / "run")
    other = tmp_path / "other.py"
    other.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + PLUGIN.format(body="pass"))
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    manifest["question"]["lineup"][1] = str(other)
    manifest["experiment"] = store.experiment_digest(manifest)
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(manifest))
    said = tresdos("repeat", tmp_path / "run")
    assert said.code == 2 and f"does not have the strategy file {other}" in said.err
    assert not (tmp_path / "ran").exists()


# --- repeat and runs -------------------------------------------------------------------------------------------------


def test_a_repetition_is_identical(tmp_path: Path) -> None:
    for i, words in enumerate((SIMULATE, COMPARE, VARIANTS)):
        run = tmp_path / f"run-{i}"
        tresdos(*words, "--out", run, "--hands")
        said = tresdos("repeat", run)
        assert said.code == 0
        assert said.out == "identical: result.json (1 files of rows not compared: give --out FOLDER for that)\n"
        said = tresdos("repeat", run, "--out", tmp_path / f"again-{i}", "--jobs", "1")
        assert said.out == "identical: result.json, frames/hands-00000.parquet\n"
        assert kept(run) == kept(tmp_path / f"again-{i}")


def test_a_repetition_that_differs_says_where(tmp_path: Path) -> None:
    run = tmp_path / "run"
    tresdos(*SIMULATE, "--out", run)
    result = json.loads((run / "result.json").read_bytes())
    before = result["result"]["results"][1]["win_rate"]["value"]
    result["result"]["results"][1]["win_rate"]["value"] = 0.5
    (run / "result.json").write_bytes(store.to_json(result))
    manifest = json.loads((run / "manifest.json").read_bytes())
    manifest["files"]["result.json"] = digest(run / "result.json")
    (run / "manifest.json").write_bytes(store.to_json(manifest))
    said = tresdos("repeat", run)
    assert said.code == 1
    assert said.out == f"different: result.json\nresult.results[1].win_rate.value: 0.5 before, {before} now\n"


def test_a_run_is_not_repeated_into_itself_or_before_it_is_finished(half: Path, tmp_path: Path) -> None:
    said = tresdos("repeat", half)
    assert said.code == 2 and f"complete it with tresdos resume {half}" in said.err
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    before = tree(tmp_path)
    said = tresdos("repeat", tmp_path / "run", "--out", f"{tmp_path}/./run", "--force")
    assert said.code == 2 and "is the run to be repeated" in said.err
    assert tree(tmp_path) == before


def test_a_run_of_another_version_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    monkeypatch.setattr(store, "__version__", "9.9")
    said = tresdos("repeat", tmp_path / "run")
    assert said.code == 0 and "was played by version" in said.err


def test_runs_are_listed(half: Path, tmp_path: Path) -> None:
    tresdos(*COMPARE, "--out", tmp_path / "finished")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{")
    (tmp_path / "else").mkdir()
    listed = {run["name"]: run for run in json.loads(tresdos("runs", tmp_path, "--format", "json").out)["runs"]}
    assert list(listed) == ["broken", "finished", "half"]
    assert listed["finished"]["question"] == f"compare {GAME} greedy outs --rule players=3"
    assert listed["finished"]["deals"] == {"done": 300, "asked": 300}
    assert listed["finished"]["status"] == "finished"
    assert listed["finished"]["bytes"] == sum(p.stat().st_size for p in (tmp_path / "finished").iterdir())
    assert listed["half"]["status"] == "killed"
    assert listed["broken"]["status"].startswith("cannot be read: ")
    for style in ("table", "csv", "md"):
        assert "300 of 300" in tresdos("runs", tmp_path, "--format", style).out
    assert tresdos("runs", tmp_path / "finished", "--format", "csv").out.count("\n") == 2
    assert tresdos("runs", tmp_path / "nowhere").code == 2


def test_a_listing_shows_no_control_characters(tmp_path: Path) -> None:
    tresdos(*SIMULATE, "--out", tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    manifest["question"]["game"] = "\x1b]0;evil\x07"
    manifest["experiment"] = store.experiment_digest(manifest)
    (tmp_path / "run" / "manifest.json").write_text(json.dumps(manifest))
    for style in ("table", "csv", "md", "json"):
        assert "\x1b" not in tresdos("runs", tmp_path, "--format", style).out
