"""Finished runs for the tests of charts and reports: small ones, played by the command line when a test first asks for them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from reports.charts import drawing, measures_of
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.loading import load_run
from reports.runs import Run
from tests.commands import tresdos

GAME = "tres-y-dos"

COMMANDS = {
    "seats": f"simulate {GAME} --strategy greedy --deals 6000 --seed 1",
    "rotated": f"simulate {GAME} --lineup greedy,outs,random,greedy --rotate --deals 4000 --seed 2",
    "line-up": f"simulate {GAME} --lineup outs,greedy,random --deals 3000 --seed 3",
    "match": f"simulate {GAME} --strategy greedy --unit match --deals 1500 --seed 4",
    "few": f"simulate {GAME} --strategy greedy --deals 20 --seed 5",
    "compare": f"compare {GAME} greedy outs random pattern --field greedy --deals 4000 --seed 6",
    "two": f"compare {GAME} greedy guarded:caution=0 --field greedy --measure marbles --rule stake=2 --deals 3000 --seed 7",
    "same": f"compare {GAME} greedy greedy --field random --deals 2000 --seed 8",
    "players": f"variants {GAME} --strategy greedy --vary players=2..6 --measure first_seat_win_rate --measure win_rate --measure turns"
    " --deals 3000 --seed 9",
    "words": f"variants {GAME} --strategy greedy --players 3 --vary reshuffle=lazy_all,eager_all,keep_top --deals 3000 --seed 10",
    "grid": f"variants {GAME} --strategy greedy --vary players=2,4,6 --vary pickup_discard_rule=same_card,same_rank --measure turns"
    " --measure first_seat_win_rate --deals 2000 --seed 11",
    "tables": f"variants {GAME} --strategy greedy --vary players=2,5 --measure first_seat_win_rate --deals 1500 --seed 12",
}
"""Each by what it shows."""

NAMES = list(COMMANDS)

NASTY = 'a very/long path/to <b>my</b> & "your"|$strategies$/file_of_mine.py:careful_and_slow:caution=2'
"""The name of a strategy that is safe nowhere unless it is escaped."""


class Runs:
    """Run folders, played once each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Run] = {}
        self._drawn: dict[tuple[str, str, str, bool], Drawing] = {}

    def folder(self, name: str) -> Path:
        """A finished run of ``COMMANDS``; nobody changes it."""
        path = self._folder / name
        if not path.exists():
            play(path, COMMANDS[name].split())
        return path

    def fresh(self, name: str, folder: Path) -> Path:
        """A copy that may be changed: only what the run itself wrote."""
        folder.mkdir()
        for file in ("manifest.json", "result.json"):
            (folder / file).write_bytes((self.folder(name) / file).read_bytes())
        return folder

    def run(self, name: str) -> Run:
        """A run, read."""
        if name not in self._read:
            self._read[name] = load_run(self.folder(name))
        return self._read[name]

    def drawing(self, name: str, kind: str, measure: str | None = None, *, narrow: bool = False) -> Drawing:
        """A chart of a run, with its title; nobody changes it."""
        run = self.run(name)
        what = (name, kind, measure or measures_of(run, kind)[0].name, narrow)
        if what not in self._drawn:
            self._drawn[what] = drawing(run, kind, measure, Sheet(narrow))
        return self._drawn[what]

    def chart(self, name: str, kind: str, measure: str | None = None, *, narrow: bool = False) -> Figure:
        """The figure alone."""
        return self.drawing(name, kind, measure, narrow=narrow).figure


def play(folder: Path, words: list[str]) -> None:
    """Play a question into a run folder."""
    said = tresdos(*words, "--out", folder, "--jobs", "1", "--quiet")
    assert said.code == 0, said.err


def change(folder: Path, name: str, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change a JSON file of a run folder, as if the run had written it so."""
    data = json.loads((folder / name).read_text())
    edit(data)
    (folder / name).write_text(json.dumps(data))
    if name == "result.json":
        known = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        change(folder, "manifest.json", lambda manifest: manifest["files"].update({name: known}))


def rename(folder: Path, old: str, new: str) -> None:
    """Give a strategy another name wherever it stands in a result."""

    def edit(data: dict[str, Any]) -> None:
        renamed = json.loads(json.dumps(data).replace(json.dumps(old), json.dumps(new)).replace(f"({old})", f"({json.dumps(new)[1:-1]})"))
        data.clear()
        data.update(renamed)

    change(folder, "result.json", edit)
    change(folder, "manifest.json", lambda manifest: edit(manifest["question"]))
