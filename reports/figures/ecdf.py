"""Cumulative distribution: the share of units with at most each value, as steps."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from analysis.estimates import Estimate
from reports.figures.distribution import axis, chosen_of, finding, last_drawn
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.figures.lines import MOST, Lines, Series, chart_of_lines, left_out
from reports.figures.scales import whole_on
from reports.runs import Measure, Run
from reports.shares import Share, shares, total
from reports.words import plural

HELP = "the share of units with at most each value"


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return list(dict.fromkeys(d.measure for d in run.distributions if total(d)))


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it: a line for each variant."""
    every = chosen_of(run, measure)
    chosen = every[:MOST]
    found = [shares(d) for d in chosen]
    title = finding(run, chosen)
    high = last_drawn(chosen)
    units = plural(run.unit)
    share = Measure(f"share of {units}", "", False, True, "", False, False)
    names = [d.variant.label if d.variant else "" for d in chosen]
    series = [Series(name, _steps(listed), i) for i, (name, listed) in enumerate(zip(names, found, strict=True))]
    lines = Lines(share, series, axis(run, measure, chosen), f"share of {units} with at most that many", markers=False, steps=True)

    def ticks(axes: Axes, width: float) -> None:
        whole_on(axes.xaxis, 2 * sheet.ticks - 1)
        axes.set_xlim(min(s[0].value for s in found), high + 1)
        axes.set_yticks([0, 25, 50, 75, 100])

    return Drawing(
        chart_of_lines(sheet, title, [lines], ticks, names_at_ends=False),
        title,
        f"Each line is the share of {units} with at most that many; its band is the 95 % interval at that value.{left_out(len(every))}",
        f"Cumulative distribution of {measure.label}. {title}",
    )


def _steps(listed: Sequence[Share]) -> list[tuple[float, Estimate]]:
    return [(one.value, one.so_far) for one in listed]
