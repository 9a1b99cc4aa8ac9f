"""From a question to an answer: played and shown, kept in a run folder, completed from one, or played again and compared."""

from __future__ import annotations

import contextlib
import importlib
import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import UsageError
from tresdos.cli import complain, one_line
from tresdos.questions import Wishes, to_toml
from tresdos.session import Notes, Running, conclude, play, play_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.question import Question
    from analysis.run import Experiment, Finished, Result
    from sim.recording import Recording
    from sim.store import Asked, RunFolder
    from tresdos.keeping import Keeping


def answer(asked: Question, how: Running, style: str, keeping: Keeping, charts: tuple[str, ...] = ()) -> int:
    """Do with a question what the flags say. Returns the exit code."""
    wishes = Wishes(keeping.out, keeping.hands, style, charts)
    wishes.check()
    if keeping.force and keeping.out is None:
        raise UsageError("--force replaces the run in a folder: name it with --out FOLDER")
    if keeping.print_config:
        asked.prepare()
        print(to_toml(asked, wishes), end="")
        return 0
    if wishes.out is not None:
        return answer_into(Path(wishes.out), asked, how, wishes, keeping.force)
    result = play(asked, how)
    show(asked.kind, result, style)
    return conclude(result.finished)


def show(kind: str, result: Any, style: str) -> None:
    """Print a result as its own command does."""
    importlib.import_module(f"tresdos.commands.{kind}").show(result, style)


def answer_into(out: Path, asked: Question, how: Running, wishes: Wishes, force: bool) -> int:
    """Play a question into a new run folder and show the result."""
    experiment, recording = begin(out, asked, wishes, force)
    return _complete(out, recording, experiment, asked.kind, how.for_question(asked), wishes.style)


def begin(out: Path, asked: Question, wishes: Wishes, force: bool) -> tuple[Experiment, Recording]:
    """Make a question ready to be played into a new run folder. Nothing is written yet.

    Raises
    ------
    UsageError
        When there is a run already, or something else.
    """
    from sim.recording import Recording
    from sim.store import check_free, create

    there = check_free(out)
    if there is not None and not force:
        raise UsageError(_taken(there, asked))
    experiment = asked.prepare()
    facts = _facts(asked, experiment, wishes)
    return experiment, Recording(experiment.plan, asked.deals, lambda: create(out, facts, force), wishes.hands)


def _facts(asked: Question, experiment: Experiment, wishes: Wishes) -> Asked:
    from analysis.plugins import loaded_plugins, strategy_packages
    from sim.frames import Layout
    from sim.store import Asked

    plan = experiment.plan
    plugins = loaded_plugins(plan, asked.found_at)
    rows = Layout(plan).dictionary() if wishes.hands is not None else {}
    return Asked(asked.to_dict(), asked.deals, wishes.hands, plugins, strategy_packages(plan), wishes.charts, rows)


def _taken(there: RunFolder, asked: Question) -> str:
    """Why a run that is there is not written over, and what to do instead."""
    from sim.store import FINISHED

    deals = f"{there.manifest['deals']['done']} of {there.manifest['deals']['asked']} deals"
    if there.status == FINISHED:
        return f"{there.path} holds a finished run: choose another folder, or replace it with --force"
    same = _without_seed(there.manifest["question"]) == _without_seed(asked.to_dict())
    which = "the same" if same else "another"
    return (
        f"{there.path} holds an unfinished run of {which} question ({there.status}, {deals}): "
        f"complete it with {resume_command(there.path)}, or replace it with --force"
    )


def _without_seed(question: dict[str, Any]) -> dict[str, Any]:
    """A question apart from its seed, which may have been drawn; rules as text, however they were written."""
    from sim.rules import value_text

    rules = {name: value if isinstance(value, str) else value_text(value) for name, value in question.get("rules", {}).items()}
    return {**question, "rules": rules, "seed": None}


def resume_command(path: Path) -> str:
    """The command that completes a run."""
    return shlex.join(["tresdos", "resume", str(path)])


def resume(path: Path, how: Running, style: str) -> int:
    """Complete an unfinished run from its folder."""
    from sim.recording import Recording
    from sim.store import FINISHED, open_run

    folder = open_run(path)
    if folder.status == FINISHED:
        folder.check_files()
        folder.clear_checkpoint()
        Notes(how.quiet).say(f"{path} is finished: {folder.manifest['deals']['done']} deals")
        return 0
    folder.check_source()
    with contextlib.closing(folder):
        folder.lock()
        asked = stored_question(folder)
        experiment = asked.prepare()
        recording = Recording(experiment.plan, asked.deals, folder.begin_again, folder.manifest["hands"])
        recording.resume(folder)
        return _complete(path, recording, experiment, asked.kind, how.for_question(asked), style)


def stored_question(folder: RunFolder) -> Question:
    """The question of a run folder; says which strategy files will be run for it.

    Raises
    ------
    UsageError
        When it is not a question, or a strategy file is missing, damaged or not the run's own.
    """
    from analysis.plugins import strategy_files
    from analysis.question import Question

    try:
        asked = Question.from_dict(folder.manifest["question"])
    except UsageError as error:
        raise UsageError(f"{folder.path}: {error}") from None
    if asked.deals != folder.manifest["deals"]["asked"]:
        raise UsageError(f"{folder.path}: the question asks for {asked.deals} deals, the run for {folder.manifest['deals']['asked']}")
    places = folder.plugin_paths()
    for typed in strategy_files(asked.strategies()):
        if typed not in places:
            raise UsageError(f"{folder.path} does not have the strategy file {typed} that its question names")
        name_code(places[typed])
    return replace(asked, found_at={typed: str(place) for typed, place in places.items()})


def name_code(path: Path | str) -> None:
    """Say which file of somebody's is about to be run; also when quiet."""
    print(f"tresdos: runs code from {Path(path).expanduser().absolute()}", file=sys.stderr, flush=True)


def _complete(out: Path, recording: Recording, experiment: Experiment, kind: str, how: Running, style: str) -> int:
    """Play what is left of a run, keep and show its result."""
    command = resume_command(out)
    try:
        result = _play_into(recording, experiment, kind, how)
    except (KeyboardInterrupt, OSError) as error:
        if not recording.begun:
            raise
        stopped, code = ("interrupted", 130) if isinstance(error, KeyboardInterrupt) else (one_line(str(error)), 1)
        return complain(f"{stopped}; what is finished is kept, go on with: {command}", code)
    show(kind, result, style)
    if result.finished.deals == result.finished.asked:
        Notes(how.quiet).say(f"the run is kept in {out}")
    return conclude(result.finished, command)


def _play_into(recording: Recording, experiment: Experiment, kind: str, how: Running) -> Result:
    """Play what is left of a run; a whole result, or how far it is, goes into the folder."""
    from analysis.stored import stored_result
    from sim.store import FAILED, INTERRUPTED

    try:
        finished = play_plan(experiment.plan, recording.units, how, recording)
        recording.save(finished.outcome)
        result = experiment.result(finished)
        if finished.deals == finished.asked:
            recording.folder.finish(stored_result(kind, result), recording.frames, finished.deals, finished.timing())
        else:
            status = FAILED if finished.outcome.fault is not None else INTERRUPTED
            recording.folder.progress(status, finished.deals, finished.timing())
        return result
    finally:
        if recording.begun:
            recording.folder.close()


def repeat(path: Path, how: Running, out: Path | None, force: bool) -> int:
    """Play the question of a finished run again and say whether the result is the same. Exit code 0 when it is, 1 when not."""
    from sim.store import FINISHED, open_run

    folder = open_run(path)
    if folder.status != FINISHED:
        raise UsageError(f"{path} is not finished ({folder.status}): complete it with {resume_command(path)}")
    folder.check_files()
    notes = Notes(how.quiet)
    if folder.is_of_other_source:
        notes.say(f"{path} was played by version {folder.manifest['version']}, sources {folder.manifest['source_digest']}")
    asked = stored_question(folder)
    if out is None:
        finished, again, result = _play_again(asked, how)
        command = ""
    else:
        if out.resolve() == path.resolve():
            raise UsageError(f"{out} is the run to be repeated: choose another folder")
        finished, again, result = _play_again_into(out, folder, asked, how, force)
        command = resume_command(out)
    code = conclude(finished, command)
    if code:
        return code
    return _say_whether_same(folder, again, result)


def _play_again(asked: Question, how: Running) -> tuple[Finished, dict[str, str], bytes]:
    """A question played without keeping anything: digests of the files that it would give, and the stored result."""
    from analysis.stored import stored_result
    from sim.store import RESULT, to_json
    from sim.wholefiles import digest_of

    result = play(asked, how)
    data = to_json(stored_result(asked.kind, result))
    return result.finished, {RESULT: digest_of(data)}, data


def _play_again_into(out: Path, folder: RunFolder, asked: Question, how: Running, force: bool) -> tuple[Finished, dict[str, str], bytes]:
    """The same, kept in another folder."""
    from sim.store import RESULT

    wishes = Wishes(str(out), folder.manifest["hands"], "table", tuple(folder.manifest["charts"]))
    experiment, recording = begin(out, asked, wishes, force)
    finished = _play_into(recording, experiment, asked.kind, how.for_question(asked)).finished
    files = recording.folder.manifest["files"]
    return finished, files, (out / RESULT).read_bytes() if files else b""


def _say_whether_same(folder: RunFolder, again: Mapping[str, str], result: bytes) -> int:
    """Compare the files of a run with those of its repetition."""
    from sim.store import RESULT

    known: dict[str, str] = folder.manifest["files"]
    other = [name for name, digest in again.items() if known.get(name) != digest]
    if not other:
        unseen = len(known) - len(again)
        print(f"identical: {', '.join(again)}" + (f" ({unseen} files of rows not compared: give --out FOLDER for that)" if unseen else ""))
        return 0
    print(f"different: {', '.join(other)}")
    if RESULT in other:
        print(first_difference(json.loads((folder.path / RESULT).read_bytes()), json.loads(result)))
    return 1


def first_difference(before: Any, now: Any, place: str = "") -> str:
    """Where two results differ first, and in what; empty when they do not."""
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        parts = [(f"{place}.{key}" if place else key, before[key], now[key]) for key in before]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        parts = [(f"{place}[{i}]", *pair) for i, pair in enumerate(zip(before, now, strict=True))]
    else:
        return "" if before == now else f"{place}: {json.dumps(before)} before, {json.dumps(now)} now"
    return next((found for name, a, b in parts if (found := first_difference(a, b, name))), "")
