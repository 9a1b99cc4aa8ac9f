"""Printing results: tables for people, CSV and Markdown for pages, JSON for programs. Every number carries its error."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.version import __version__

if TYPE_CHECKING:
    from analysis.estimates import Estimate
    from analysis.run import Finished, Result
    from sim.game import Measure

PIPE_WIDTH = 160
"""Columns of a table that does not go to a terminal."""


@dataclass
class Table:
    """A titled table of text cells."""

    title: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result as JSON, with the version of the program in it; timing stays last."""
    data = dict(result)
    timing = data.pop("timing", None)
    data["version"] = __version__
    if timing is not None:
        data["timing"] = timing
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def print_tables(tables: Sequence[Table], style: str) -> None:
    """Print tables for a terminal, as Markdown or as CSV."""
    for i, table in enumerate(tables):
        if i:
            print()
        {"table": _print_rich, "md": _print_markdown, "csv": _print_csv}[style](table)


def _print_rich(table: Table) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)
    if table.title:
        console.print(Text(table.title, style="bold"))
    shown = RichTable(header_style="bold", box=None, pad_edge=False)
    for i, name in enumerate(table.columns):
        numbers = all(_numeric(row[i]) for row in table.rows)
        shown.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    console.print(shown)


def _numeric(cell: str) -> bool:
    return bool(cell) and (cell[0].isdigit() or cell[0] in "-+<±(" or cell in ("n/a", "exactly 0"))


def _print_markdown(table: Table) -> None:
    if table.title:
        print(f"**{table.title}**\n")
    print("| " + " | ".join(table.columns) + " |")
    print("|" + " --- |" * len(table.columns))
    for row in table.rows:
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


def _print_csv(table: Table) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    print(text.getvalue(), end="")


def cell(measure: Measure, estimate: Estimate | None) -> str:
    """An estimate with its error, rounded by it: '28.15 ± 0.09 %'."""
    from analysis.rounding import show

    if estimate is None:
        return ""
    if estimate.value is None:
        return "n/a"
    percent = measure.kind == "share"
    text = show(estimate.value, estimate.half_width, percent=percent)
    return f"{text} %" if percent else text


def tidy_table(result: Result) -> Table:
    """One long table for CSV: a line for each estimate, at full precision, with all that is needed to read it alone."""
    from analysis.tidy import records

    found = records(result)
    return Table("", list(found[0]), [[_plain(value) for value in record.values()] for record in found])


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float) else str(value)


def headline(finished: Finished) -> str:
    """What was played, in a line."""
    plan = finished.plan
    rules = plan.arms[0].rules
    unit = plan.unit.name
    units = f"{finished.deals:,} {unit if finished.deals == 1 else _plural(unit)}"
    return f"{plan.game.title}, {rules.players} players, {units}, seed {plan.seed}"  # type: ignore[attr-defined]


def _plural(word: str) -> str:
    return word + ("es" if word.endswith(("ch", "s", "sh", "x")) else "s")


def footer(finished: Finished) -> str:
    """Rules that differ from the defaults, and what the run took."""
    from sim.rules import value_text

    timing = finished.timing()
    changed = {k: v for k, v in finished.plan.arms[0].rules.changed().items() if k != "players"}
    lines = []
    if changed:
        lines.append("rules: " + ", ".join(f"{name}={value_text(value)}" for name, value in changed.items()) + " (others as by default)")
    rate = timing["hands_per_second"]
    lines.append(
        f"{timing['hands']:,} hands in {timing['seconds']:.2f} s ({_short(rate)} a second, {timing['jobs']} threads); ± is half the 95 % interval"
    )
    return "\n".join(lines)


def _short(rate: float) -> str:
    return f"{rate / 1e6:.1f} million" if rate >= 1e6 else f"{rate:,.0f}"
