"""The command line that asks a run's question again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from reports.loading import value_text
from reports.runs import Run


def command_line(run: Run) -> str:
    """The question of a run as typed, ready to be pasted into a shell."""
    asked = run.question
    words = ["tresdos", run.kind, run.game, *map(str, asked.get("candidates", ()))]
    for name, values in dict(asked.get("vary", {})).items():
        words += ["--vary", f"{name}={_listed(values)}"]
    for flag in ("strategy", "preset", "unit"):
        if asked.get(flag) is not None:
            words += [f"--{flag}", str(asked[flag])]
    for flag in ("lineup", "field"):
        if asked.get(flag):
            words += [f"--{flag}", _listed(asked[flag])]
    for name, value in dict(asked.get("rules", {})).items():
        words += ["--players", value_text(value)] if name == "players" else ["--rule", f"{name}={value_text(value)}"]
    for measure in asked.get("measures", ()):
        words += ["--measure", str(measure)]
    if asked.get("rotate"):
        words.append("--rotate")
    words += ["--deals", str(run.deals), "--seed", str(run.seed)]
    return shlex.join(words)


def repeat_command(run: Run) -> str:
    """The command that plays the run folder again."""
    return shlex.join(["tresdos", "repeat", str(run.folder)])


def _listed(values: Sequence[Any]) -> str:
    return ",".join(map(str, values))
