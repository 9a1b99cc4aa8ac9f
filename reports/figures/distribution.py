"""Distribution: the share of units with each value, as a histogram."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from reports import style
from reports.figures.drawing import Drawing
from reports.figures.layout import EDGE, HEADING_LINE, LINE, Panel, Sheet, axis_label, heading_above, lay_out, wrap
from reports.figures.scales import percent_on, whole_on
from reports.runs import Distribution, Measure, Run
from reports.shares import Share, median, quantile, shares, total
from reports.words import counted, plural

HELP = "the share of units with each value, as a histogram"

_HEIGHT = {1: 2.6, 2: 1.7}  # by the number of panels
_MANY = 1.25
_MOST = 6
"""Panels of a chart."""

_DRAWN = 0.998
_WORTH_CUTTING = 8


def measures(run: Run) -> list[Measure]:
    """Measures it can show."""
    found = dict.fromkeys(d.measure for d in run.distributions if total(d))
    return [measure for measure in found if len(chosen_of(run, measure)) <= _MOST]


def draw(run: Run, sheet: Sheet, measure: Measure) -> Drawing:
    """Draw it: a panel for each variant."""
    chosen = chosen_of(run, measure)
    found = [shares(d) for d in chosen]
    title = finding(run, chosen)
    high = last_drawn(chosen)
    left, right = EDGE + 0.62, EDGE + 0.12
    width = sheet.width - left - right
    below = axis_label(axis(run, measure, chosen), left, width, right)
    headings = [wrap(_heading(run, d), sheet.width - 2 * EDGE, bold=True) for d in chosen]
    rooms = [
        Panel(
            _HEIGHT.get(len(chosen), _MANY), left, right, 0.12 + len(heading) * HEADING_LINE, 0.36 + len(below) * LINE * (d is chosen[-1])
        )
        for d, heading in zip(chosen, headings, strict=True)
    ]
    figure, axes = lay_out(sheet, title, rooms)
    top = max(one.share.high or one.share.value or 0.0 for listed in found for one in listed if one.value <= high) * 106
    for one, listed, heading in zip(axes, found, headings, strict=True):
        _bars(one, [share for share in listed if share.value <= high], sheet)
        one.set_ylim(0, top)
        one.set_xlim(min(s[0].value for s in found) - 0.7, high + 0.7)
        heading_above(one, heading, 0.08, left, width)
    axes[-1].set_xlabel("\n".join(below))
    caption = f"Each bar is the share of the {counted(run.deals, run.unit)} with that value"
    caption += "; thin lines are 95 % intervals." if found[0][0].share.low is not None else "."
    return Drawing(figure, title, caption, f"Histogram of {measure.label}. {title}")


def _heading(run: Run, distribution: Distribution) -> str:
    share = f"share of {plural(run.unit)}"
    return share if distribution.variant is None else f"{distribution.variant.label}: {share}"


def chosen_of(run: Run, measure: Measure) -> list[Distribution]:
    """The distributions of a measure in which something was counted."""
    return [d for d in run.distributions if d.measure is measure and total(d)]


def last_drawn(chosen: list[Distribution]) -> int:
    """Where the drawing ends: what few units lie far beyond is said, not drawn."""
    ends = []
    for distribution in chosen:
        listed = shares(distribution)
        enough = next(one.value for one in listed if (one.so_far.value or 0.0) >= _DRAWN)
        ends.append(listed[-1].value if listed[-1].value - enough < _WORTH_CUTTING else enough)
    return max(ends)


def axis(run: Run, measure: Measure, chosen: list[Distribution]) -> str:
    """Label of the axis of values, with the part that lies beyond it."""
    high = last_drawn(chosen)
    units = sum(total(d) for d in chosen)
    beyond = sum(one.count for d in chosen for one in shares(d) if one.value > high)
    last = any(one.beyond > 0 and one.value <= high for d in chosen for one in shares(d))
    said = f" ({100 * beyond / units:.1g} % beyond {high:,})" if beyond else f" ({high:,} or more in the last bar)" if last else ""
    return f"{measure.unit or measure.label} in one {run.unit}{said}"


def finding(run: Run, chosen: list[Distribution]) -> str:
    """The middle and the tail of one distribution, or the middles of several."""
    what = chosen[0].measure.unit or chosen[0].measure.label
    if len(chosen) == 1:
        return (
            f"Half of the {plural(run.unit)} have {_at_most(quantile(chosen[0], 0.5), what)}; "
            f"nine in ten have {_at_most(quantile(chosen[0], 0.9), what)}."
        )
    few, many = (pick(chosen, key=lambda d: (median(d), d is chosen[0])) for pick in (min, max))
    if median(few) == median(many):
        return f"The middle {run.unit} has {quantile(few, 0.5)} {what} in every variant."
    return f"The middle {run.unit} has {quantile(few, 0.5)} {what} with {_label(few)}, {quantile(many, 0.5)} with {_label(many)}."


def _label(distribution: Distribution) -> str:
    return "" if distribution.variant is None else distribution.variant.label


def _at_most(value: str, what: str) -> str:
    return f"up to {value} {what}" if value.endswith("or more") else f"{value.removesuffix(' or fewer')} {what} or fewer"


def _bars(axes: Axes, listed: Sequence[Share], sheet: Sheet) -> None:
    axes.bar([one.value for one in listed], [100 * (one.share.value or 0.0) for one in listed], width=0.86, color=style.SERIES[0], lw=0)
    known = [(one.value, e.low, e.high) for one in listed if (e := one.share).low is not None and e.high is not None]
    axes.vlines([x for x, _, _ in known], [100 * low for _, low, _ in known], [100 * high for _, _, high in known], color=style.INK, lw=0.7)
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    percent_on(axes.yaxis, 4)
    whole_on(axes.xaxis, 2 * sheet.ticks - 1)
