"""Axes with units: percent shown as percent, few ticks, numbers as people write them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, MaxNLocator

from reports.runs import Measure
from reports.style import text_width

_STEPS = [1, 2, 2.5, 5, 10]


def factor(measure: Measure) -> float:
    """By what a measure is multiplied to be shown."""
    return 100.0 if measure.share else 1.0


def span(values: Iterable[float | None], margin: float = 0.06) -> tuple[float, float]:
    """Limits of an axis around the values, with a margin."""
    known = [v for v in values if v is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = (high - low) * margin or max(abs(high) * 0.05, 0.5)
    return low - room, high + room


def values_on(axis: Axis, measure: Measure, ticks: int) -> None:
    """Ticks of an axis of levels of a measure (times ``factor``)."""
    axis.set_major_locator(MaxNLocator(ticks, steps=_STEPS))
    axis.set_major_formatter(FuncFormatter(lambda x, _: _text(measure, x)))


def fitted_ticks(
    measure: Measure, limits: tuple[float, float], room: tuple[float, float, float], most: int, *, differences: bool = False
) -> tuple[list[float], list[str]]:
    """Ticks of an axis below which every label has its place.

    Parameters
    ----------
    measure : Measure
    limits : tuple of float
        Of the axis.
    room : tuple of float
        Inches to its left, of itself, to its right.
    most : int
        About how many.
    differences : bool
        Differences of the measure, with their signs.

    Returns
    -------
    tuple of list
        Places and labels.
    """
    left, width, right = room
    for count in range(most, 0, -1):
        places = [float(x) for x in MaxNLocator(count, steps=_STEPS).tick_values(*limits)]
        kept: list[tuple[float, str]] = []
        end = -left
        crowded = False
        for x in places:
            text = _text(measure, x, differences=differences)
            at = (x - limits[0]) / (limits[1] - limits[0]) * width
            half = text_width(text) / 2
            if not limits[0] <= x <= limits[1] or at - half < -left or at + half > width + right:
                continue
            crowded = crowded or at - half < end
            kept.append((x, text))
            end = at + half + 0.08
        if kept and not crowded:
            break
    return [x for x, _ in kept], [text for _, text in kept]


def whole_on(axis: Axis, ticks: int) -> None:
    """Ticks at whole numbers."""
    axis.set_major_locator(MaxNLocator(ticks, integer=True, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda x, _: _plain(x)))


def percent_on(axis: Axis, ticks: int) -> None:
    """Ticks of an axis in percent."""
    axis.set_major_locator(MaxNLocator(ticks, steps=_STEPS))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{_plain(x)} %"))


def deals_on(axes: Axes, low: int, high: int, width: float) -> None:
    """A logarithmic axis of numbers of deals, so many inches wide, with round numbers at its ticks."""
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    places = round_numbers(low, high, width)
    axes.set_xticks(places, [short(n) for n in places])
    axes.minorticks_off()


def round_numbers(low: int, high: int, width: float) -> list[int]:
    """Round numbers from low to high for which a logarithmic axis of so many inches has room."""
    for digits in ((1, 2, 5), (1, 3), (1,)):
        found = [d * 10**power for power in range(len(str(high)) + 1) for d in digits if low <= d * 10**power <= high]
        places = [math.log(n / low) / math.log(high / low) * width for n in found]
        halves = [text_width(short(n)) / 2 + 0.05 for n in found]
        if found and all(b - a >= x + y for a, b, x, y in zip(places, places[1:], halves, halves[1:], strict=False)):
            return found
    return found[:1] or [high]


def short(number: int) -> str:
    """A round number of deals: 2,000, 5 million."""
    return f"{number / 1e6:g} million" if number >= 1_000_000 else f"{number:,}"


def tick_texts(measure: Measure, limits: tuple[float, float], ticks: int) -> list[str]:
    """What stands at the ticks of an axis of levels with these limits."""
    return [_text(measure, float(x)) for x in MaxNLocator(ticks, steps=_STEPS).tick_values(*limits) if limits[0] <= x <= limits[1]]


def _text(measure: Measure, x: float, *, differences: bool = False) -> str:
    return f"{_plain(x, signed=differences)}{' %' if measure.share and not differences else ''}"


def _plain(x: float, *, signed: bool = False) -> str:
    text = f"{round(x, 10):+,.6g}" if signed and round(x, 10) else f"{round(x, 10):,.6g}"
    return text.replace("-", "−")
