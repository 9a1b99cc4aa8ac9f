"""The command line in this process, and what it leaves in a run folder."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import NamedTuple

from tresdos.cli import main


class Said(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str


def tresdos(*words: str | Path) -> Said:
    """Call the command line with these words."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["tresdos", *map(str, words)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv = before
    assert isinstance(code, int)
    return Said(code, out.getvalue(), err.getvalue())


def kept(folder: Path) -> dict[str, bytes]:
    """What must be the same however a run was played: the result and the frames."""
    files = [folder / "result.json", *folder.glob("frames/*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: files with their content."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}
