"""Charts of a run: which kinds make sense for it, and each of them as a figure or a file."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from matplotlib.figure import Figure

from reports import style
from reports.figures import convergence, differences, distribution, ecdf, heatmap, rates, sweep
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.runs import Measure, ReportError, Run

KINDS: dict[str, ModuleType] = {
    "differences": differences,
    "sweep": sweep,
    "rates": rates,
    "heatmap": heatmap,
    "distribution": distribution,
    "ecdf": ecdf,
    "convergence": convergence,
}
"""In the order of a report: what answers first comes first."""


def available(run: Run) -> list[str]:
    """The kinds of charts that make sense for a run, the one that answers its question first."""
    kinds = [kind for kind, module in KINDS.items() if module.measures(run)]
    return sorted(kinds, key=lambda kind: kind != "sweep") if run.kind == "variants" else kinds


def measures_of(run: Run, kind: str) -> list[Measure]:
    """The measures that a kind of chart can show, the one shown when nothing is said first.

    Raises
    ------
    ReportError
        If the run has no such chart.
    """
    kinds = available(run)
    if kind not in kinds:
        raise ReportError(f"this run has no chart '{kind}'; it has {', '.join(kinds) or 'none'}")
    return list(KINDS[kind].measures(run))


def chart(run: Run, kind: str, measure: str | None = None, *, narrow: bool = False) -> Figure:
    """A chart with its finding as the title.

    Parameters
    ----------
    run : Run
    kind : str
        One of ``available(run)``.
    measure : str, optional
        One of ``measures_of(run, kind)``; the first when nothing is said.
    narrow : bool
        For a phone held upright.

    Raises
    ------
    ReportError
        If the run has no such chart, or not of this measure.
    """
    return drawing(run, kind, measure, Sheet(narrow)).figure


def drawing(run: Run, kind: str, measure: str | None, sheet: Sheet) -> Drawing:
    """A chart with what it says in words; raises as ``chart`` does."""
    known = measures_of(run, kind)
    chosen = next((m for m in known if measure in (None, m.name)), None)
    if chosen is None:
        raise ReportError(f"the chart {kind} of this run has no measure '{measure}'; it has {', '.join(m.name for m in known)}")
    with style.applied():
        drawn: Drawing = KINDS[kind].draw(run, sheet, chosen)
    return drawn


def file_format(path: Path) -> str:
    """The format that a file's name asks for.

    Raises
    ------
    ReportError
        If it is none of ``style.FORMATS``.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in style.FORMATS:
        raise ReportError(f"'{path}': a chart is written as {', '.join(f'.{one}' for one in style.FORMATS)}")
    return ending


def save(figure: Figure, path: Path) -> None:
    """Write a chart to a file, in the format that its name asks for."""
    style.write_whole(path, style.render(figure, file_format(path)))
