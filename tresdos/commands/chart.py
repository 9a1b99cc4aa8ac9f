"""``tresdos chart``: one chart of a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.errors import UsageError
from sim.rules import nearest
from tresdos.render import Table, print_tables

if TYPE_CHECKING:
    from reports.runs import Run


@click.command("chart")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--kind", default=None, help="which chart; without it the charts of the run are listed")
@click.option("--measure", default=None, help="what to show; the first measure that the chart can show when not given")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE", help="where to write it: .png, .svg or .pdf")
def command(run: Path, kind: str | None, measure: str | None, out: Path | None) -> None:
    """Draw a chart of a finished run, or list the charts that make sense for it.

    \b
    tresdos chart runs/seats
    tresdos chart runs/seats --kind rates --out rates.png
    tresdos chart runs/sweep --kind sweep --measure turns --out turns.svg
    """
    from reports.loading import load_run
    from reports.runs import ReportError

    try:
        loaded = load_run(run)
        if kind is None:
            _list(loaded, measure, out)
        else:
            _draw(loaded, kind, measure, out)
    except ReportError as error:
        raise UsageError(str(error)) from error


def _list(run: Run, measure: str | None, out: Path | None) -> None:
    from reports.charts import KINDS, available, measures_of

    kinds = available(run)
    if measure is not None or out is not None:
        raise UsageError(f"--kind says which chart to draw; this run has {', '.join(kinds)}")
    rows = [[kind, KINDS[kind].HELP, ", ".join(m.name for m in measures_of(run, kind))] for kind in kinds]
    print_tables([Table("", ["chart", "what it shows", "measures"], rows)], "table")


def _draw(run: Run, kind: str, measure: str | None, out: Path | None) -> None:
    from reports.charts import available, chart, file_format, measures_of, save

    kinds = available(run)
    if kind not in kinds:
        raise UsageError(f"this run has no chart '{kind}'{nearest(kind, kinds)}; it has {', '.join(kinds)}")
    known = [m.name for m in measures_of(run, kind)]
    if measure is not None and measure not in known:
        raise UsageError(f"the chart {kind} of this run has no measure '{measure}'{nearest(measure, known)}; it has {', '.join(known)}")
    if out is None:
        raise UsageError("--out says where to write the chart, as in --out rates.png")
    file_format(out)
    try:
        save(chart(run, kind, measure), out)
    except OSError as error:
        raise UsageError(f"cannot write '{out}': {error.strerror}") from error
    print(out)
