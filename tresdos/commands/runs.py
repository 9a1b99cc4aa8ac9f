"""``tresdos runs``: what is kept where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sim.errors import UsageError
from tresdos.options import format_option
from tresdos.render import Table, print_json, print_tables


@click.command("runs")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("runs"))
@format_option
def command(folder: Path, style: str) -> None:
    """List the runs in a folder: their questions, how far they are, when they were played, their sizes.

    \b
    tresdos runs
    tresdos runs some/other/folder --format json
    """
    from sim.store import MANIFEST

    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}: name the one that holds your runs")
    paths = [folder] if (folder / MANIFEST).exists() else sorted(p for p in folder.glob("[!.]*") if (p / MANIFEST).exists())
    found = [describe(path) for path in paths]
    if style == "json":
        print_json({"folder": str(folder), "runs": found})
        return
    table = Table("", ["run", "question", "deals", "status", "begun", "size"])
    for run in found:
        deals = "" if run["deals"] is None else f"{run['deals']['done']:,} of {run['deals']['asked']:,}"
        table.rows.append([run["name"], run["question"], deals, run["status"], run["created"], _size(run["bytes"])])
    print_tables([table], style)


def describe(path: Path) -> dict[str, Any]:
    """A run as data. One that cannot be read says so in its status."""
    from sim.store import open_run

    found: dict[str, Any] = {"name": path.name, "path": str(path), "question": "", "deals": None, "status": "", "created": ""}
    try:
        run = open_run(path)
    except UsageError as error:
        found["status"] = f"cannot be read: {error}"
    else:
        asked, done = (run.manifest["deals"][name] for name in ("asked", "done"))
        found["question"] = _readable(question_line(run.manifest["question"]))
        found["deals"] = {"done": done, "asked": asked}
        found["status"] = _readable(run.status)
        found["created"] = _readable(run.manifest["created"])
    found["bytes"] = sum(file.lstat().st_size for file in path.rglob("*") if file.is_file())
    return found


def question_line(question: dict[str, Any]) -> str:
    """A question in a line, much as it is typed."""
    words = [str(question.get("kind", "")), str(question.get("game", "")), *map(str, question.get("candidates", ()))]
    for name in ("lineup", "field"):
        if name in question:
            words.append(f"--{name} {','.join(map(str, question[name]))}")
    for name in ("strategy", "preset", "unit"):
        if name in question:
            words.append(f"--{name} {question[name]}")
    words += ["--rotate"] if question.get("rotate") else []
    words += [f"--measure {name}" for name in question.get("measures", ())]
    words += [f"--vary {name}={','.join(map(str, values))}" for name, values in dict(question.get("vary", {})).items()]
    words += [f"--rule {name}={value}" for name, value in dict(question.get("rules", {})).items()]
    return " ".join(words)


def _readable(text: str) -> str:
    """Without control characters: a folder may come from anybody."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _size(count: int) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            break
        count //= 1000
    return f"{count} {unit}"
