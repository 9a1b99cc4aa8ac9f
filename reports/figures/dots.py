"""Dots and whiskers, one row each: the estimate, its interval as a line, and both as text. Never bars from zero."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.estimates import Estimate
from reports import style
from reports.figures.layout import EDGE, HEADING_LINE, LINE, Panel, Sheet, above, axis_label, heading_above, lay_out, wrap
from reports.figures.scales import factor, fitted_ticks, span
from reports.runs import Measure

_GAP = 0.12
_LONGEST_LABEL = 2.5
_LINES = 3
_REFERENCE = 0.2
_STRIP = 0.26
"""Height of what a row shows below its words on a narrow page."""

_ARROW_ROOM = 0.12
_FAR = 4.0
"""A difference so many times as far from zero as the next is not drawn to scale."""


@dataclass(frozen=True)
class Dot:
    """A row: ``sure`` fills the dot, ``mark`` is a reference value of this row alone."""

    label: str
    estimate: Estimate
    text: str
    colour: str = style.SERIES[0]
    sure: bool = True
    mark: float | None = None


@dataclass(frozen=True)
class Rows:
    """A panel of rows that share an axis.

    ``line`` is a reference value with ``line_text`` above it; ``mark_text`` explains the marks of the rows. Panels of the same
    ``scale`` have the same limits.
    """

    measure: Measure
    dots: Sequence[Dot]
    axis: str
    heading: str = ""
    differences: bool = False
    line: float | None = None
    line_text: str = ""
    mark_text: str = ""
    scale: str = ""


@dataclass(frozen=True)
class _Placed:
    """Where things go, in inches: rows from the upper edge of the axes, margins around them."""

    labels: list[list[str]]
    centres: list[float]
    tops: list[float]
    height: float
    left: float
    right: float


def chart_of_rows(sheet: Sheet, title: str, panels: Sequence[Rows]) -> Figure:
    """Panels of rows under one title, their axes below each other."""
    placed = [_place(sheet, rows) for rows in panels]
    left, right = max(p.left for p in placed), max(p.right for p in placed)
    width = sheet.width - left - right
    headings = [wrap(rows.heading, sheet.width - 2 * EDGE, bold=True) if rows.heading else [] for rows in panels]
    axis_lines = [axis_label(rows.axis, left, width, right) for rows in panels]
    rooms = [
        Panel(p.height, left, right, 0.1 + len(heading) * HEADING_LINE + _REFERENCE * _referred(rows), 0.36 + len(below) * LINE)
        for p, rows, heading, below in zip(placed, panels, headings, axis_lines, strict=True)
    ]
    figure, axes = lay_out(sheet, title, rooms)
    for one, rows, place, heading, below in zip(axes, panels, placed, headings, axis_lines, strict=True):
        limits = _limits([other for other in panels if other.scale == rows.scale])
        ticks = fitted_ticks(rows.measure, limits, (left, width, right), sheet.ticks, differences=rows.differences)
        one.set_xticks(*ticks)
        one.set_xlabel("\n".join(below))
        _draw(one, sheet, rows, place, limits, ticks[0])
        heading_above(one, heading, 0.04 + _REFERENCE * _referred(rows), left, width)
    return figure


def levels_caption(estimates: Iterable[Estimate]) -> str:
    """How to read rows of levels."""
    if all(e.low is None for e in estimates):
        return "Dots are estimates; there is too little for intervals."
    return "Dots are estimates, lines their 95 % intervals, each by itself."


def _referred(rows: Rows) -> bool:
    """Whether something is explained right above the axes."""
    return bool(rows.line_text or rows.mark_text)


def _limits(panels: Sequence[Rows]) -> tuple[float, float]:
    scale = factor(panels[0].measure)
    dots = [dot for rows in panels for dot in rows.dots]
    if panels[0].differences:
        dots = _near(dots)
    ends = [end for d in dots for end in (d.estimate.value, d.estimate.low, d.estimate.high, d.mark)]
    low, high = span([None if end is None else end * scale for end in (*ends, *(rows.line for rows in panels))])
    beyond = [d.estimate.value * scale for rows in panels for d in rows.dots if d.estimate.value is not None]
    room = _ARROW_ROOM * (high - low)
    return low - room * (min(beyond, default=low) < low), high + room * (max(beyond, default=high) > high)


def _near(dots: Sequence[Dot]) -> list[Dot]:
    """The differences that set the scale: without a few that are many times as far from zero as all others."""
    ordered = sorted((d for d in dots if d.estimate.value is not None), key=_reach)
    for i in range(len(ordered) - 1, (len(ordered) - 1) // 2, -1):
        if 0 < _FAR * _reach(ordered[i - 1]) <= _reach(ordered[i]) and all(d.sure for d in ordered[i:]):
            return ordered[:i]
    return list(dots)


def _reach(dot: Dot) -> float:
    return max(abs(end) for end in (dot.estimate.value, dot.estimate.low, dot.estimate.high) if end is not None)


def _place(sheet: Sheet, rows: Rows) -> _Placed:
    numbers = max((style.text_width(dot.text) for dot in rows.dots), default=0.0)
    if sheet.narrow:
        labels = [wrap(dot.label, sheet.width - 2 * EDGE - numbers - _GAP, most=_LINES) for dot in rows.dots]
        heights = [len(label) * LINE + _STRIP + 0.06 for label in labels]
        left, right = EDGE, EDGE
    else:
        labels = [wrap(dot.label, _LONGEST_LABEL, most=_LINES) for dot in rows.dots]
        heights = [max(len(label) * LINE + _GAP, 0.34) for label in labels]
        left = EDGE + _GAP + max((style.text_width(line) for label in labels for line in label), default=0.0)
        right = EDGE + _GAP + numbers
    tops = [sum(heights[:i]) for i in range(len(heights))]
    centres = [
        top + (len(label) * LINE + _STRIP / 2 if sheet.narrow else height / 2)
        for top, height, label in zip(tops, heights, labels, strict=True)
    ]
    return _Placed(labels, centres, tops, sum(heights), left, right)


def _draw(axes: Axes, sheet: Sheet, rows: Rows, placed: _Placed, limits: tuple[float, float], ticks: Sequence[float]) -> None:
    scale = factor(rows.measure)
    axes.set_xlim(limits)
    axes.set_ylim(placed.height, 0)
    axes.set_yticks([])
    if sheet.narrow:
        # Words stand above each row there, so what is upright is drawn row by row and crosses none of them.
        axes.grid(visible=False)
        strips = [(y - _STRIP / 2, y + _STRIP / 2) for y in placed.centres]
        axes.vlines([x for x in ticks for _ in strips], *_columns(strips * len(ticks)), color=style.GRID, lw=0.8, zorder=0.5)
    else:
        strips = [(0.0, placed.height)]
    if rows.line is not None:
        look: dict[str, Any] = {"color": style.INK} if rows.differences else {"color": style.MUTED, "ls": (0, (4, 3))}
        axes.vlines([rows.line * scale] * len(strips), *_columns(strips), lw=1, zorder=1.5, **look)
    _explain(axes, rows, limits)
    for dot, label, top, centre in zip(rows.dots, placed.labels, placed.tops, placed.centres, strict=True):
        _dot(axes, dot, centre, scale, limits)
        _words(axes, sheet, dot, label, top, centre)


def _columns(pairs: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


def _explain(axes: Axes, rows: Rows, limits: tuple[float, float]) -> None:
    if rows.line is not None and rows.line_text:
        at = (rows.line * factor(rows.measure) - limits[0]) / (limits[1] - limits[0])
        above(axes, rows.line_text, 0.03, x=at, align="left" if at < 0.25 else "right" if at > 0.75 else "center")
    elif rows.mark_text:
        above(axes, rows.mark_text, 0.03)


def _dot(axes: Axes, dot: Dot, y: float, scale: float, limits: tuple[float, float]) -> None:
    e = dot.estimate
    if dot.mark is not None:
        axes.plot([dot.mark * scale] * 2, [y - 0.11, y + 0.11], color=style.MUTED, lw=1.5)
    if e.value is None:
        return
    at = e.value * scale
    if not limits[0] <= at <= limits[1]:
        _arrow(axes, dot, y, limits, right=at > limits[1])
        return
    if e.low is not None and e.high is not None:
        axes.plot([e.low * scale, e.high * scale], [y, y], color=dot.colour, lw=2.4)
    face = dot.colour if dot.sure else style.PAPER
    axes.plot([at], [y], marker="o", ms=7, mfc=face, mec=dot.colour, mew=1.6, ls="none", zorder=3)


def _arrow(axes: Axes, dot: Dot, y: float, limits: tuple[float, float], *, right: bool) -> None:
    """A value far off the scale: an arrow at the edge that it lies beyond."""
    low, high = limits
    tip = high - 0.012 * (high - low) if right else low + 0.012 * (high - low)
    tail = tip - 0.07 * (high - low) if right else tip + 0.07 * (high - low)
    axes.plot([tail, tip], [y, y], color=dot.colour, lw=2.4)
    axes.plot([tip], [y], marker=">" if right else "<", ms=8, color=dot.colour, ls="none", zorder=3, clip_on=False)


def _words(axes: Axes, sheet: Sheet, dot: Dot, label: list[str], top: float, y: float) -> None:
    if sheet.narrow:
        for i, line in enumerate(label):
            _text(axes, line, 0.0, 0.0, top + (i + 0.5) * LINE, "left")
        _text(axes, dot.text, 1.0, 0.0, top + (len(label) - 0.5) * LINE, "right")
        return
    for i, line in enumerate(label):
        _text(axes, line, 0.0, -_GAP, y + (i - (len(label) - 1) / 2) * LINE, "right")
    _text(axes, dot.text, 1.0, _GAP, y, "left")


def _text(axes: Axes, text: str, x: float, shift: float, y: float, align: str) -> None:
    axes.annotate(
        text,
        (x, y),
        (shift * 72, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha=align,
        va="center",
        color=style.INK,
        annotation_clip=False,
    )
