"""The command line that asks a run's question again."""

from __future__ import annotations

import shlex

from reports.runs import Run


def command_line(run: Run) -> str:
    """The question of a run as typed, ready to be pasted into a shell."""
    asked = run.question
    words = ["tresdos", run.kind, run.game, *asked.candidates]
    for name, values in asked.vary.items():
        words += ["--vary", f"{name}={','.join(values)}"]
    for flag, text in (("strategy", asked.strategy), ("preset", asked.preset), ("unit", asked.unit)):
        words += [f"--{flag}", text] if text is not None else []
    for flag, names in (("lineup", asked.lineup), ("field", asked.field)):
        words += [f"--{flag}", ",".join(names)] if names else []
    for name, value in asked.rules.items():
        words += ["--players", value] if name == "players" else ["--rule", f"{name}={value}"]
    for measure in asked.measures:
        words += ["--measure", measure]
    words += ["--rotate"] if asked.rotate else []
    words += ["--deals", str(run.deals), "--seed", str(run.seed)]
    return shlex.join(words)


def repeat_command(run: Run) -> str:
    """The command that plays the run folder again."""
    return shlex.join(["tresdos", "repeat", str(run.folder)])
