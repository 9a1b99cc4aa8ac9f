"""The report of a run: one page of HTML that needs nothing else, the same in Markdown, and its tables as CSV."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from reports import methods, style, tables
from reports.answers import Answer, answer
from reports.charts import available, drawing, measures_of
from reports.figures.layout import Sheet
from reports.figures.sweep import numeric
from reports.inline import inline
from reports.loading import load_run
from reports.repeating import command_line, repeat_command
from reports.runs import Measure, Run
from reports.tables import Table
from reports.words import counted

_ONCE = ("rates", "heatmap", "ecdf", "distribution", "convergence")
"""Kinds of which a report shows the first measure only."""


@dataclass(frozen=True)
class Plate:
    """A chart in a report: drawn for wide pages and for phones, and the numbers behind it unless they stand there already."""

    name: str
    title: str
    caption: str
    alt: str
    wide: Markup
    narrow: Markup
    table: Table | None
    main: bool


def write_report(folder: str | Path) -> list[Path]:
    """Write ``report.html``, ``report.md``, ``tables/*.csv`` and ``charts/*.svg`` into a run folder.

    Parameters
    ----------
    folder : str or Path
        The folder of a finished run.

    Returns
    -------
    list of Path
        What was written, the page first. The same run gives the same bytes.

    Raises
    ------
    ReportError
        If the folder holds no finished run.
    OSError
        If the folder cannot be written to.
    """
    run = load_run(folder)
    pictures = {f"{kind}-{measure.name}": (kind, measure) for kind, measure in _chosen(run)}
    plates = _plates(run, pictures)
    context = _context(run, plates)
    files: dict[str, bytes] = {
        "report.html": _environment().get_template("report.html").render(context).encode(),
        "report.md": _environment().get_template("report.md").render(context).encode(),
    }
    files |= {f"tables/{name}": text.encode() for name, text in tables.csv_files(run).items()}
    for name, (kind, measure) in pictures.items():
        files[f"charts/{name}.svg"] = style.render(drawing(run, kind, measure.name, Sheet()).figure, "svg")
    for name, content in files.items():
        path = run.folder / name
        path.parent.mkdir(exist_ok=True)
        style.write_whole(path, content)
    return [run.folder / name for name in files]


def _chosen(run: Run) -> list[tuple[str, Measure]]:
    """The charts of a report: those that the run asks for and has, or else all that add something."""
    wanted = [kind for kind in dict.fromkeys(run.charts) if kind in available(run)]
    kinds = wanted or [kind for kind in available(run) if not _told_by_others(run, kind)]
    found = []
    for kind in kinds:
        known = measures_of(run, kind)
        found += [(kind, measure) for measure in (known[:1] if kind in _ONCE else known)]
    return found


def _told_by_others(run: Run, kind: str) -> bool:
    """Whether another chart shows the same as well."""
    if run.kind == "simulate":
        return kind == "ecdf"
    return run.kind == "variants" and (kind == "distribution" or (kind == "differences" and numeric(run) is not None))


def _plates(run: Run, pictures: Mapping[str, tuple[str, Measure]]) -> list[Plate]:
    shown = {tables.results(run)}
    plates: list[Plate] = []
    for name, (kind, measure) in pictures.items():
        wide = drawing(run, kind, measure.name, Sheet(titled=False))
        narrow = drawing(run, kind, measure.name, Sheet(narrow=True, titled=False))
        table = tables.behind(run, kind, measure)
        plates.append(
            Plate(
                name,
                wide.title,
                wide.caption,
                wide.alt,
                inline(wide.figure, f"{name}-wide", wide.alt),
                inline(narrow.figure, f"{name}-narrow", wide.alt),
                None if table in shown else table,
                main=not plates,
            )
        )
        shown.add(table)
    return plates


def _context(run: Run, plates: Sequence[Plate]) -> dict[str, Any]:
    said: Answer = answer(run)
    changed, others = tables.rules(run)
    return {
        "run": run,
        "title": f"{run.game_title}: {_QUESTIONS[run.kind]}",
        "facts": _facts(run),
        "answer": said,
        "plates": plates,
        "lacking": [kind for kind in dict.fromkeys(run.charts) if kind not in available(run)],
        "results": tables.results(run),
        "whole_table": tables.of_the_table(run) if run.table else None,
        "methods": methods.paragraphs(run),
        "changed": changed,
        "others": others,
        "command": command_line(run),
        "words": [shlex.quote(word) for word in shlex.split(command_line(run))],
        "repeat": repeat_command(run),
        "csv": [f"tables/{name}" for name in tables.csv_files(run)],
        "machine": [(name.replace("_", " "), str(value)) for name, value in run.machine.items() if value is not None],
        "took": _took(run),
        "roles": style.ROLES,
    }


_QUESTIONS = {"simulate": "who wins", "compare": "which strategy is better", "variants": "what a change makes of it"}


def _facts(run: Run) -> list[str]:
    tables_of = sorted({r.players for r in (*run.readings, *run.table)})
    seats = f"{tables_of[0]} players" if len(tables_of) == 1 else f"{tables_of[0]} to {tables_of[-1]} players"
    games = [f"{run.games:,} games"] if run.games != run.deals else []
    return [seats, counted(run.deals, run.unit), *games, f"seed {run.seed}"]


def _took(run: Run) -> str:
    """What the run took, as far as it was written down."""
    timing = run.timing
    if "hands" not in timing or "seconds" not in timing:
        return ""
    jobs = f" on {counted(int(timing['jobs']), 'thread')}" if "jobs" in timing else ""
    return f"{counted(int(timing['hands']), 'hand')} in {float(timing['seconds']):.3g} s{jobs}"


def _environment() -> jinja2.Environment:
    """Everything put into a page is escaped; into Markdown, by the filter ``md``."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=lambda name: name is not None and name.endswith(".html"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown
    environment.filters["breakable"] = breakable
    return environment


_TOGETHER = re.compile(r"(?<=\d) ± (?=\d)| %|\bp [=<] (?=[\d.])|± (?=\d)")
_PIECES = re.compile(r"[^/:,=_-]{1,16}[/:,=_-]*|[/:,=_-]+")
_LONG = 16
_MARKED = re.compile(r"([\\`*_\[\]<>|#&~])")


def markdown(text: str) -> str:
    """Text as it is read in Markdown, on one line."""
    return _MARKED.sub(r"\\\1", " ".join(text.split()))


def breakable(text: str) -> Markup:
    """Text whose numbers stay on one line with their error and unit, and whose long names can be broken."""
    kept = _TOGETHER.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return Markup(" ").join(_broken(word) for word in kept.split(" "))


def _broken(word: str) -> Markup:
    """A word that may be broken at its joints when it is long, numbers with their errors excepted."""
    pieces = [word] if len(word) <= _LONG or "\N{NO-BREAK SPACE}" in word else _PIECES.findall(word)
    return Markup("<wbr>").join(pieces)
