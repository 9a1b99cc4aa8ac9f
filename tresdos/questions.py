"""Questions in TOML files: what stands in a question, and what is to be done with its answer."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import UsageError

if TYPE_CHECKING:
    from analysis.question import Question

LARGEST_FILE = 1_000_000
"""Bytes: more is nobody's question."""

DEALS = {"simulate": 100_000, "compare": 50_000, "variants": 50_000}
"""Units played when nothing is said."""

STYLES = ("table", "json", "csv", "md")
ROWS = ("parquet", "csv")


@dataclass(frozen=True)
class Wishes:
    """What is to be done with an answer.

    Parameters
    ----------
    out : str, optional
        The folder that keeps the run.
    hands : str, optional
        Rows of single deals, ``parquet`` or ``csv``.
    style : str
        How to print the result.
    charts : tuple of str
        Kinds of charts for the report.
    """

    out: str | None = None
    hands: str | None = None
    style: str = "table"
    charts: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse rows and charts with nowhere to put them (UsageError)."""
        if self.out is None and self.hands is not None:
            raise UsageError("hands go into a run folder: say where with --out FOLDER")
        if self.out is None and self.charts:
            raise UsageError("charts belong to a run folder: say where with --out FOLDER")


def read_question(path: Path) -> tuple[Question, Wishes]:
    """A question from a TOML file. Without a seed it gets a fresh one, without deals the usual number.

    Raises
    ------
    UsageError
        When there is no such file, it is not TOML, or not a question; on one line that names the file.
    """
    try:
        return _read(_parse(path))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _parse(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UsageError("is not a file" if path.exists() else "there is no such file")
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}") from None
    if data is None:
        raise UsageError("is too large to be a question")
    try:
        found = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        raise UsageError("is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"is not TOML: {error}") from None
    except (RecursionError, ValueError):
        raise UsageError("is not TOML that can be read") from None
    if not found:
        raise UsageError("is empty")
    return found


def _read(found: Mapping[str, Any]) -> tuple[Question, Wishes]:
    from analysis import plain
    from analysis.question import PARTS, Question
    from sim.keys import fresh_seed

    wishes: dict[str, tuple[str, plain.Reader]] = {
        "out": ("out", plain.text),
        "hands": ("hands", plain.one_of(*ROWS)),
        "format": ("style", plain.one_of(*STYLES)),
        "charts": ("charts", plain.several(_chart)),
    }
    plain.keys("a question", found, [*PARTS, *wishes])
    asked = {name: value for name, value in found.items() if name not in wishes}
    asked.setdefault("seed", fresh_seed())
    kind = asked.get("kind")
    if isinstance(kind, str) and kind in DEALS:
        asked.setdefault("deals", DEALS[kind])
    given = {wishes[name][0]: wishes[name][1](name, value) for name, value in found.items() if name in wishes}
    return Question.from_dict(asked), Wishes(**given)


def _chart(name: str, value: Any) -> Any:
    """A kind of chart; asked for seldom enough to load Matplotlib for it."""
    from analysis import plain
    from reports.charts import KINDS

    return plain.one_of(*KINDS)(name, value)


def to_toml(question: Question, wishes: Wishes) -> str:
    """A question as the text of a TOML file, which ``read_question`` reads."""
    import tomli_w

    found: dict[str, Any] = question.to_dict()
    for name, value in (("out", wishes.out), ("hands", wishes.hands), ("charts", list(wishes.charts))):
        if value:
            found[name] = value
    if wishes.style != "table":
        found["format"] = wishes.style
    return tomli_w.dumps(found)
