"""Sweep: how each measure moves over the variants: lines for numbers, dots and whiskers for words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes

from analysis.estimates import Estimate
from reports.answers import changes_finding
from reports.figures.dots import Dot, Rows, chart_of_rows, levels_caption
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.figures.lines import MOST, Lines, Series, chart_of_lines, left_out
from reports.runs import Measure, Reading, Run, Variant
from reports.style import text_width
from reports.words import amount, even_share, heading, subject, with_intervals

HELP = "how a measure moves over the variants"

_FEWEST_ON_A_LINE = 3


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return list(dict.fromkeys(r.measure for r in run.readings)) if run.kind == "variants" else []


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it."""
    readings = [r for r in run.readings if r.measure is measure]
    number = numeric(run)
    title = changes_finding(run, measure)
    if number is None:
        figure = chart_of_rows(sheet, title, _rows(run, readings))
        caption = f"{levels_caption(r.estimate for r in readings)} All variants played the same deals."
    else:
        values = sorted({float(v.setting[number]) for v in run.variants})
        panels = _lines(run, readings, number)
        most = max(len(panel.series) for panel in panels)
        panels = [replace(panel, series=panel.series[:MOST]) for panel in panels]
        figure = chart_of_lines(sheet, title, panels, lambda axes, width: _ticks(axes, values, width))
        caption = "Markers are estimates, bands and thin lines their 95 % intervals, each by itself. All variants played the same deals."
        caption += left_out(most)
    told = "; ".join(f"{r.variant.label if r.variant else ''} {subject(r)} {amount(measure, r.estimate)}" for r in readings)
    return Drawing(figure, title, caption, f"{measure.label} by variant: {told}")


def numeric(run: Run) -> str | None:
    """The name varied over numbers that makes the axis: the one with most values, three at least; None when there is none."""
    found: dict[str, int] = {}
    for name in run.varied:
        values = {variant.setting[name] for variant in run.variants}
        if all(map(_is_number, values)):
            found[name] = len(values)
    best = max(found, key=lambda name: found[name], default=None)
    return best if best is not None and found[best] >= _FEWEST_ON_A_LINE else None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _ticks(axes: Axes, values: Sequence[float], width: float) -> None:
    """A tick at each value, as far as there is room."""
    room = (values[-1] - values[0]) * 0.03
    axes.set_xlim(values[0] - room, values[-1] + room)
    kept: list[float] = []
    end = -math.inf
    for value in values:
        at, half = (value - values[0]) / (values[-1] - values[0]) * width, text_width(f"{value:g}") / 2 + 0.05
        if at - half >= end:
            kept.append(value)
            end = at + half
    axes.set_xticks(kept, [f"{v:g}" for v in kept])


def _lines(run: Run, readings: Sequence[Reading], number: str) -> list[Lines]:
    """One name varied: a line for each seat. Several: a line for each setting of the others, a panel for each seat."""
    measure = readings[0].measure
    even = _even_line(run, number) if measure.fair else []
    if len(run.varied) == 1:
        seats = list(dict.fromkeys(r.seat for r in readings))
        series = [
            Series("" if seat is None else f"seat {seat}", _points([r for r in readings if r.seat == seat], number), i)
            for i, seat in enumerate(seats)
        ]
        return [Lines(measure, series, number, heading(measure), even)]
    panels = []
    for seat in dict.fromkeys(r.seat for r in readings):
        groups: dict[str, list[Reading]] = {}
        for r in readings:
            if r.seat == seat and r.variant is not None:
                groups.setdefault(_others(r.variant, number), []).append(r)
        series = [Series(name, _points(group, number), i) for i, (name, group) in enumerate(groups.items())]
        name = heading(measure) if seat is None else f"{heading(measure)} of seat {seat}"
        panels.append(Lines(measure, series, number, name, even))
    return panels


def _others(variant: Variant, number: str) -> str:
    return ", ".join(f"{name}={value}" for name, value in variant.setting.items() if name != number)


def _points(readings: Sequence[Reading], number: str) -> list[tuple[float, Estimate]]:
    return sorted(((float(r.variant.setting[number]), r.estimate) for r in readings if r.variant is not None), key=lambda point: point[0])


def _even_line(run: Run, number: str) -> list[tuple[float, float]]:
    """The even share at each value; it follows the number of players when they vary."""
    return sorted({(float(v.setting[number]), 1 / len(v.lineup)) for v in run.variants})


def _rows(run: Run, readings: Sequence[Reading]) -> list[Rows]:
    """A panel for each seat."""
    measure = readings[0].measure
    tables = {r.players for r in readings}
    panels = []
    for seat in dict.fromkeys(r.seat for r in readings):
        mine = [r for r in readings if r.seat == seat]
        dots = [
            Dot(
                _label(r),
                r.estimate,
                amount(measure, r.estimate),
                mark=1 / r.players if measure.fair and len(tables) > 1 else None,
            )
            for r in mine
        ]
        one = measure.fair and len(tables) == 1
        panels.append(
            Rows(
                measure,
                dots,
                with_intervals(heading(measure), [r.estimate for r in readings]),
                subject(mine[0]),
                line=1 / mine[0].players if one else None,
                line_text=f"even share: {even_share(mine[0].players)}" if one else "",
                mark_text="| even share" if measure.fair and not one else "",
            )
        )
    return panels


def _label(reading: Reading) -> str:
    if reading.variant is None:
        return ""
    return f"{reading.variant.label} (base)" if reading.variant.base else reading.variant.label
