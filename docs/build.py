"""Writes ``docs/reference/``, what the program can say of itself: all commands, each game's rules and strategies.

Run as ``python docs/build.py`` in an environment where tresdos is installed. Only the command line is used, so the
pages show what a reader would see.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
PROGRAM = Path(sys.executable).with_name("tresdos")
WIDTH = "100"
"""Columns of the help texts, whatever the width of the terminal that this runs in."""


def said(*arguments: str) -> str:
    """What ``tresdos ARGUMENTS`` prints. A failing command ends the build with its own message."""
    environment = os.environ | {"COLUMNS": WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(f"tresdos {' '.join(arguments)} failed:\n{result.stderr}")
    return result.stdout.strip()


def commands_in(help_text: str) -> list[str]:
    """The names listed under ``Commands:`` in a help text, in its order."""
    _, _, listed = help_text.partition("\nCommands:\n")
    return re.findall(r"^  ([a-z][a-z0-9-]*)", listed, re.MULTILINE)


def help_sections(*path: str) -> list[str]:
    """One Markdown section for a command, then those of the commands below it."""
    text = said(*path, "--help")
    title = " ".join(("tresdos", *path))
    sections = [f"{'##' if path else '#'} {title}\n\n```text\n{text}\n```"]
    for name in commands_in(text):
        sections += help_sections(*path, name)
    return sections


def games() -> list[str]:
    """The games as the command line names them: one package each under ``sim/games``."""
    return sorted(rules.parent.name.replace("_", "-") for rules in (ROOT / "sim" / "games").glob("*/rules.py"))


def write(name: str, text: str) -> None:
    """Write one page and name it on stdout."""
    page = REFERENCE / name
    page.write_text(text + "\n", encoding="utf-8", newline="\n")
    print(page.relative_to(ROOT))


def main() -> None:
    """Write all pages."""
    REFERENCE.mkdir(parents=True, exist_ok=True)
    write("commands.md", "\n\n".join(help_sections()))
    for game in games():
        rules, strategies = said("games", game, "--format", "md"), said("strategies", game, "--format", "md")
        write(f"{game}.md", f"# {game}\n\n{rules}\n\n## Strategies\n\n{strategies}")


if __name__ == "__main__":
    main()
