"""Rates: what each seat, player or candidate gets, as dots with 95 % intervals."""

from __future__ import annotations

from reports.answers import levels_finding
from reports.figures.dots import Dot, Rows, chart_of_rows, levels_caption
from reports.figures.drawing import Drawing
from reports.figures.layout import Sheet
from reports.runs import Measure, Run
from reports.words import amount, even_share, heading, who, with_intervals

HELP = "what each seat, player or candidate gets, with 95 % intervals"


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return [] if run.kind == "variants" else list(dict.fromkeys(r.measure for r in run.readings))


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it."""
    readings = [r for r in run.readings if r.measure is measure]
    players = readings[0].players
    estimates = [r.estimate for r in readings]
    rows = Rows(
        measure,
        [Dot(who(run, r), r.estimate, amount(measure, r.estimate)) for r in readings],
        with_intervals(heading(measure), estimates),
        line=1 / players if measure.fair else None,
        line_text=f"even share: {even_share(players)}" if measure.fair else "",
    )
    title = levels_finding(run, measure)
    told = "; ".join(f"{who(run, r)} {amount(measure, r.estimate)}" for r in readings)
    return Drawing(
        chart_of_rows(sheet, title, [rows]),
        title,
        levels_caption(estimates),
        f"{with_intervals(measure.label, estimates)}: {told}",
    )
