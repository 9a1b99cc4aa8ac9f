"""Convergence: how each estimate settled while deals were added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.figures.lines import MOST, Lines, Series, chart_of_lines, left_out
from reports.figures.scales import deals_on, factor
from reports.runs import Measure, Run, Settling
from reports.words import amount, counted, half, plural

HELP = "how the estimates settled as deals were added"

_APART = 4.0
"""Estimates that lie so many times the height of the highest band apart get panels of their own."""


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return list(dict.fromkeys(s.measure for s in run.settling if len(s.points) > 1))


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it: one panel, or one for each estimate where they lie so far apart that their errors could not be seen."""
    chosen = [s for s in run.settling if s.measure is measure and len(s.points) > 1]
    groups: dict[str, list[Settling]] = {}
    for one in chosen:
        groups.setdefault(one.name if one.variant is not None else measure.label, []).append(one)
    most = max(len(group) for group in groups.values())
    panels = [panel for heading, group in groups.items() for panel in _panels(run, measure, heading.replace("_", " "), group[:MOST])]
    first = min(one.points[0][0] for one in chosen)
    last = max(one.points[-1][0] for one in chosen)
    title = _finding(run, measure, chosen)
    return Drawing(
        chart_of_lines(sheet, title, panels, lambda axes, width: deals_on(axes, first, last, width)),
        title,
        "Each line is the estimate over all deals so far, its band the 95 % interval at that point, each by itself." + left_out(most),
        f"{title} Final estimates: {'; '.join(_told(one) for one in chosen)}",
    )


def _panels(run: Run, measure: Measure, heading: str, group: Sequence[Settling]) -> list[Lines]:
    spans = [_span([one]) for one in group]
    height = max(high - low for low, high in spans)
    low, high = _span(group)
    if not 0 < _APART * height < high - low:
        return [_panel(run, measure, heading, group)]
    half = 0.55 * height
    found = []
    for i, (one, (low, high)) in enumerate(zip(group, spans, strict=True)):
        middle = (low + high) / 2
        if measure.share:
            middle = min(max(middle, half), 1 - half)
        limits = ((middle - half) * factor(measure), (middle + half) * factor(measure))
        panel = _panel(run, measure, f"{heading}: {_name(run, one)}", [one])
        series = [Series("", panel.series[0].points, i)]
        found.append(replace(panel, series=series, even=(), limits=limits, height=1.1))
    return found


def _span(group: Sequence[Settling]) -> tuple[float, float]:
    """From the lowest to the highest end of their bands."""
    ends = [end for one in group for _, e in one.points for end in (e.value, e.low, e.high) if end is not None] or [0.0]
    return min(ends), max(ends)


def _panel(run: Run, measure: Measure, heading: str, group: Sequence[Settling]) -> Lines:
    series = [Series(_name(run, one), one.points, i) for i, one in enumerate(group)]
    tables = {len(one.variant.lineup) for one in group if one.variant is not None} or {_players(run)}
    ends = [x for one in group for x in (one.points[0][0], one.points[-1][0])]
    share = 1 / min(tables)
    low, high = _span(group)
    # A line far from everything else would press what is to be seen into a corner.
    drawn = measure.fair and len(tables) == 1 and 2 * low - high <= share <= 2 * high - low
    even = [(x, share) for x in (min(ends), max(ends))] if drawn else []
    return Lines(measure, series, f"{plural(run.unit)} (logarithmic)", heading, even, markers=False)


def _players(run: Run) -> int:
    return run.readings[0].players


def _name(run: Run, one: Settling) -> str:
    if one.variant is not None:
        return one.variant.label
    return one.name.partition(" (")[0] if run.kind == "simulate" and len(set(run.lineup)) == 1 else one.name


def _finding(run: Run, measure: Measure, chosen: Sequence[Settling]) -> str:
    deals = counted(run.deals, run.unit)
    widest = max((one.points[-1][1] for one in chosen), key=lambda e: e.half_width or 0.0)
    if widest.half_width is None:
        return f"{deals} are too few for intervals."
    better = " or better" if len(chosen) > 1 else ""
    return f"{measure.label.capitalize()}: known to {half(measure, widest)}{better} after {deals}."


def _told(one: Settling) -> str:
    name = f"{one.variant.label}, {one.name}" if one.variant is not None else one.name
    return f"{name} {amount(one.measure, one.points[-1][1])}"
