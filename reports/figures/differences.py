"""Differences: every paired difference with its simultaneous 95 % interval, beside the line where nothing would change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from analysis.estimates import Difference
from reports import style
from reports.answers import answer, changes_finding
from reports.figures.dots import Dot, Rows, chart_of_rows
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.runs import Measure, Reading, Run
from reports.words import clear, difference_unit, figures, subject, with_intervals

HELP = "paired differences with simultaneous 95 % intervals"
_NONE = "no difference"


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return list(dict.fromkeys(r.measure for r in run.readings if r.difference is not None))


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it."""
    readings = [r for r in run.readings if r.measure is measure]
    if run.kind == "compare":
        panels, title = _compared(readings), answer(run).headline
    else:
        panels, title = _varied(readings), changes_finding(run, measure)
    told = "; ".join(f"{panel.heading}: {', '.join(f'{dot.label} {dot.text}' for dot in panel.dots)}" for panel in panels)
    return Drawing(
        chart_of_rows(sheet, title, panels),
        title,
        "Dots are differences on the same deals, lines their 95 % intervals, which hold for all of them at once. "
        "A hollow dot cannot be told from no difference.",
        f"Differences with 95 % intervals. {told} ({difference_unit(measure) or measure.label})",
    )


def _compared(readings: Sequence[Reading]) -> list[Rows]:
    """To the first candidate and, with three or more, to the one listed before."""
    measure = readings[0].measure
    side = "left" if measure.low_is_good else "right"
    axis = f"{_axis(measure, readings)}; further {side} is better"
    first = [_dot(r.strategy, r, r.difference, measure.low_is_good) for r in readings[1:]]
    panels = [Rows(measure, first, axis, f"difference to {readings[0].strategy}", True, 0.0, _NONE, scale="first")]
    if len(readings) > 2:
        steps = [
            _dot(f"{after.strategy} over {before.strategy}", after, after.step, measure.low_is_good)
            for before, after in pairwise(readings[1:])
        ]
        panels.append(Rows(measure, steps, axis, "step from the one listed before", True, 0.0, _NONE, scale="steps"))
    return panels


def _varied(readings: Sequence[Reading]) -> list[Rows]:
    """To the base, a panel for each seat."""
    measure = readings[0].measure
    base = next(r.variant.label for r in readings if r.variant is not None and r.variant.base)
    panels = []
    for seat in dict.fromkeys(r.seat for r in readings if r.difference is not None):
        mine = [r for r in readings if r.seat == seat and r.difference is not None]
        dots = [_dot(r.variant.label if r.variant else "", r, r.difference) for r in mine]
        panels.append(Rows(measure, dots, _axis(measure, mine), f"{subject(mine[0])}, difference to {base}", True, 0.0, _NONE))
    return panels


def _axis(measure: Measure, readings: Sequence[Reading]) -> str:
    differences = [r.difference for r in readings if r.difference is not None]
    return with_intervals(difference_unit(measure) or f"difference in {measure.label}", differences)


def _dot(label: str, reading: Reading, difference: Difference | None, low_is_good: bool | None = None) -> Dot:
    """A row; where one direction is better, its colour says which it is."""
    assert difference is not None
    sure = clear(difference) or difference.se == 0
    same = difference.se == 0 and difference.value == 0
    worse = low_is_good is not None and ((difference.value or 0.0) > 0) == low_is_good
    tone = style.UNCLEAR if same or not sure else style.BAD if worse else style.GOOD
    return Dot(label, difference, figures(reading.measure, difference, signed=True), tone, sure)
