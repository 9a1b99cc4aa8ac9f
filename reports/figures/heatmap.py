"""Heat map: each strategy in each seat."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize, TwoSlopeNorm, to_hex
from matplotlib.patches import Rectangle

from reports import style
from reports.answers import seats_finding
from reports.figures.drawing import Drawing
from reports.figures.layout import EDGE, LINE, Panel, Sheet, above, heading_above, lay_out, wrap
from reports.figures.scales import factor
from reports.runs import Measure, Reading, Run
from reports.words import amount, even_share, figures, heading, who

HELP = "each strategy in each seat"

_COLOURS = LinearSegmentedColormap.from_list("below and above", ["#ee9a52", "#f8d3ae", "#f6f5f2", "#b5d8f0", "#63aee0"])
_WORDS = "#111418"
"""Readable on every colour of the scale, on light pages and dark ones."""

_CELL = 0.52
_LONGEST_LABEL = {True: 1.0, False: 2.2}  # narrow or not


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    return list(dict.fromkeys(r.measure for r in run.chairs))


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it."""
    cells = [r for r in run.chairs if r.measure is measure]
    players = sorted({r.player or 0 for r in cells})
    names = {r.player or 0: who(run, r).rpartition(" in seat ")[0] for r in cells}
    labels = {p: wrap(names[p], _LONGEST_LABEL[sheet.narrow], most=2) for p in players}
    left = EDGE + 0.1 + max(style.text_width(line) for label in labels.values() for line in label)
    title = seats_finding(run, measure)
    figure, (axes,) = lay_out(sheet, title, [Panel(_CELL * len(players), left, EDGE, 0.52, 0.1)])
    seats = sorted({r.seat or 0 for r in cells})
    axes.set_xlim(0.5, len(seats) + 0.5)
    axes.set_ylim(len(players) + 0.5, 0.5)
    axes.set_axis_off()
    norm = _norm(measure, cells)
    for reading in cells:
        _cell(axes, measure, reading, norm)
    width = sheet.width - left - EDGE
    heading_above(axes, [heading(measure)], 0.27, left, width)
    for seat in seats:
        above(axes, f"seat {seat}", 0.05, x=(seat - 0.5) / len(seats), align="center")
    for player in players:
        for i, line in enumerate(labels[player]):
            y = player + (i - (len(labels[player]) - 1) / 2) * LINE / _CELL
            axes.annotate(line, (0.5, y), (-7, 0), textcoords="offset points", ha="right", va="center", annotation_clip=False)
    told = "; ".join(f"{who(run, r)} {amount(measure, r.estimate)}" for r in cells)
    colours = (
        f"Blue is above the even share of {even_share(cells[0].players)}, orange below." if measure.fair else "Blue is more, orange less."
    )
    return Drawing(figure, title, f"Each player in each seat; ± is half the 95 % interval. {colours}", f"{measure.label} by seat: {told}")


def _norm(measure: Measure, cells: list[Reading]) -> Normalize:
    """The even share in the middle; without one, the middle of what there is."""
    values = [r.estimate.value * factor(measure) for r in cells if r.estimate.value is not None] or [0.0]
    middle = 100 / cells[0].players if measure.fair else (min(values) + max(values)) / 2
    reach = max(max(abs(v - middle) for v in values), 1e-9)
    return TwoSlopeNorm(middle, middle - reach, middle + reach)


def _cell(axes: Axes, measure: Measure, reading: Reading, norm: Normalize) -> None:
    seat, player, value = reading.seat or 0, reading.player or 0, reading.estimate.value
    fill = to_hex(_COLOURS(float(norm(0.0 if value is None else value * factor(measure)))))
    axes.add_patch(Rectangle((seat - 0.48, player - 0.46), 0.96, 0.92, fc=fill, ec="none"))
    head, plus_minus, error = figures(measure, reading.estimate).partition(" ± ")
    lines = [head, f"± {error}"] if plus_minus else [head]
    for i, line in enumerate(lines):
        y = player + (i - (len(lines) - 1) / 2) * LINE / _CELL
        axes.text(seat, y, line, ha="center", va="center", color=_WORDS, size=style.SMALL_SIZE, weight="bold" if i == 0 else "normal")
