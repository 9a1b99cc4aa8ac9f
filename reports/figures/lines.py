"""Lines with bands: estimates against a number, each with its interval, named at their right end or in a key above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from analysis.estimates import Estimate
from reports import style
from reports.figures.layout import EDGE, HEADING_LINE, LINE, Panel, Sheet, above, axis_label, heading_above, lay_out, wrap
from reports.figures.scales import factor, span, tick_texts, values_on
from reports.runs import Measure

MOST = 12
"""Lines in a panel; more cannot be told apart."""

_LONGEST_NAME = 0.3  # of the width
_KEY_LINE = 0.22
_KEY_MARK = 0.4
_NAME_LINE = 0.165
_LEADER = 0.22
"""Width of the lines that lead from names to the lines they name."""

_TICK_HALF = 0.3
_TICKS = 5
_BETWEEN = 0.42
_HEIGHT = {True: 2.3, False: 2.7}  # narrow or not
_EVEN = "even share"


@dataclass(frozen=True)
class Series:
    """A line: ``place`` decides colour, marker and dashes."""

    name: str
    points: Sequence[tuple[float, Estimate]]
    place: int


@dataclass(frozen=True)
class Lines:
    """A panel of lines. ``heading`` names what is on the axis of y; ``even`` are the points of the line of even shares.

    ``limits`` (as shown: percent for shares) and ``height`` (inches) are chosen here when not given.
    """

    measure: Measure
    series: Sequence[Series]
    x_axis: str
    heading: str
    even: Sequence[tuple[float, float]] = ()
    markers: bool = True
    steps: bool = False
    limits: tuple[float, float] | None = None
    height: float | None = None


def chart_of_lines(
    sheet: Sheet, title: str, panels: Sequence[Lines], ticks_on: Callable[[Axes, float], None], *, names_at_ends: bool = True
) -> Figure:
    """Panels of lines under one title.

    ``ticks_on`` sets an axis of x that is so many inches wide. Names that do not fit at the ends of the lines go into a key above.
    """
    left = EDGE + 0.08 + max(style.text_width(text) for lines in panels for text in tick_texts(lines.measure, _limits(lines), _TICKS))
    right, key = _names(sheet, panels, names_at_ends)
    width = sheet.width - left - right
    raised = 0.08 + len(key) * _KEY_LINE
    below = axis_label(panels[-1].x_axis, left, width, right)
    headings = [wrap(lines.heading, sheet.width - 2 * EDGE, bold=True) for lines in panels]
    rooms = [
        Panel(
            _height(sheet, lines), left, right, raised + len(heading) * HEADING_LINE, _BETWEEN + len(below) * LINE * (lines is panels[-1])
        )
        for lines, heading in zip(panels, headings, strict=True)
    ]
    figure, axes = lay_out(sheet, title, rooms)
    for one, lines, heading in zip(axes, panels, headings, strict=True):
        _draw(one, lines, named=_height(sheet, lines) if not key else 0.0, width=width)
        ticks_on(one, width)
        for i, row in enumerate(reversed(key)):
            _key(one, row, (EDGE - left) / width, width, 0.08 + i * _KEY_LINE)
        heading_above(one, heading, raised, left, width)
    axes[-1].set_xlabel("\n".join(below))
    return figure


def left_out(count: int) -> str:
    """What to say when so many lines would belong into a panel."""
    return f" Only the first {MOST} of {count} are drawn." if count > MOST else ""


def _height(sheet: Sheet, lines: Lines) -> float:
    return lines.height if lines.height is not None else _HEIGHT[sheet.narrow]


def _limits(lines: Lines) -> tuple[float, float]:
    if lines.limits is not None:
        return lines.limits
    scale = factor(lines.measure)
    ends = [end for one in lines.series for _, e in one.points for end in (e.value, e.low, e.high)]
    return span([None if end is None else end * scale for end in (*ends, *(y for _, y in lines.even))])


def _names(sheet: Sheet, panels: Sequence[Lines], at_ends: bool) -> tuple[float, list[list[tuple[str, int | None]]]]:
    """Room for names at the right ends of the lines, or else the rows of a key above."""
    names: dict[str, int | None] = {one.name: one.place for lines in panels for one in lines.series if one.name}
    if any(lines.even for lines in panels):
        names[_EVEN] = None
    widest = max((style.text_width(name, style.SMALL_SIZE) for name in names), default=0.0)
    if not names or (at_ends and widest <= _LONGEST_NAME * sheet.width):
        return EDGE + (_LEADER + 0.08 + widest if names else _TICK_HALF), []
    rows: list[list[tuple[str, int | None]]] = [[]]
    room = sheet.width - 2 * EDGE
    for name, place in names.items():
        text = wrap(name, sheet.width - 2 * EDGE - _KEY_MARK, style.SMALL_SIZE, most=1)[0]
        wide = _key_width(text)
        if rows[-1] and wide > room:
            rows.append([])
            room = sheet.width - 2 * EDGE
        rows[-1].append((text, place))
        room -= wide
    return EDGE + _TICK_HALF, rows


def _key_width(text: str) -> float:
    return _KEY_MARK + style.text_width(text, style.SMALL_SIZE) + 0.2


def _key(axes: Axes, row: list[tuple[str, int | None]], start: float, width: float, raised: float) -> None:
    """A row of a key: a piece of each line, and its name."""
    at = start * width
    y = 1 + (raised + 0.07) / (axes.get_position().height * axes.get_figure(root=True).get_figheight())  # type: ignore[union-attr]
    for text, place in row:
        ends = [at / width, (at + _KEY_MARK - 0.08) / width]
        axes.plot(ends, [y, y], transform=axes.transAxes, clip_on=False, **_look(place))
        above(axes, text, raised, x=(at + _KEY_MARK) / width)
        at += _key_width(text)


def _look(place: int | None) -> dict[str, Any]:
    if place is None:
        return {"color": style.MUTED, "lw": 1.2, "ls": (0, (4, 3))}
    return {"color": style.colour(place), "ls": style.dashes(place)}


def _draw(axes: Axes, lines: Lines, *, named: float, width: float) -> None:
    """Draw a panel; lines are named at their ends in axes ``named`` inches high."""
    scale = factor(lines.measure)
    limits = _limits(lines)
    axes.set_ylim(limits)
    axes.grid(visible=True, axis="y")
    axes.grid(visible=False, axis="x")
    values_on(axes.yaxis, lines.measure, _TICKS)
    ends: list[tuple[float, str, str]] = []
    if lines.even:
        axes.plot([x for x, _ in lines.even], [y * scale for _, y in lines.even], zorder=1.5, **_look(None))
        ends.append((lines.even[-1][1] * scale, _EVEN, style.MUTED))
    for one in lines.series:
        last = _line(axes, lines, one, scale)
        if last is not None and one.name:
            ends.append((last, one.name, style.colour(one.place)))
    if named and ends:
        _name_ends(axes, ends, limits, named, width)


def _line(axes: Axes, lines: Lines, one: Series, scale: float) -> float | None:
    """Draw a line with its band; the height of its right end."""
    known = [(x, e) for x, e in one.points if e.value is not None]
    if not known:
        return None
    tone = style.colour(one.place)
    banded = [(x, e.low * scale, e.high * scale) for x, e in known if e.low is not None and e.high is not None]
    step: Literal["post"] | None = "post" if lines.steps else None
    if banded:
        places, lows, highs = zip(*banded, strict=True)
        axes.fill_between(places, lows, highs, color=tone, alpha=0.18, lw=0, step=step)
    marks: dict[str, Any] = {"marker": style.marker(one.place), "ms": 6.5, "mec": style.PAPER, "mew": 0.8} if lines.markers else {}
    values = [e.value * scale for _, e in known if e.value is not None]
    axes.plot([x for x, _ in known], values, drawstyle="steps-post" if lines.steps else "default", **_look(one.place), **marks)
    if lines.markers:
        for x, low, high in banded:
            axes.plot([x, x], [low, high], color=tone, lw=1.4)
    return values[-1]


def _name_ends(axes: Axes, ends: list[tuple[float, str, str]], limits: tuple[float, float], height: float, width: float) -> None:
    """Names beside the right ends of the lines, moved apart where they would overlap, each led to its line."""
    ordered = sorted(ends)
    places = _spread([y for y, _, _ in ordered], _NAME_LINE * (limits[1] - limits[0]) / height, limits)
    across = blended_transform_factory(axes.transAxes, axes.transData)
    for place, (end, name, tone) in zip(places, ordered, strict=True):
        lead = [1 + part * _LEADER / width for part in (0.2, 0.75, 1.0)]
        axes.plot(lead, [end, place, place], transform=across, color=tone, lw=1, clip_on=False)
        axes.annotate(
            name,
            (1, place),
            ((_LEADER + 0.05) * 72, 0),
            xycoords=across,
            textcoords="offset points",
            va="center",
            size=style.SMALL_SIZE,
            color=style.INK,
            annotation_clip=False,
        )


def _spread(wanted: Sequence[float], apart: float, limits: tuple[float, float]) -> list[float]:
    """Heights as near to those wanted as a distance between neighbours allows, in order, within the limits where they fit."""
    groups = [[y, 1] for y in wanted]  # centre, members
    i = 1
    while i < len(groups):
        (lower, few), (upper, many) = groups[i - 1], groups[i]
        if upper - lower < apart * (few + many) / 2:
            groups[i - 1 : i + 1] = [[(lower * few + upper * many) / (few + many), few + many]]
            i = max(i - 1, 1)
        else:
            i += 1
    placed = [centre + apart * (k - (members - 1) / 2) for centre, members in groups for k in range(int(members))]
    over, under = max(0.0, placed[-1] - limits[1]) if placed else 0.0, max(0.0, limits[0] - placed[0]) if placed else 0.0
    return [y - over + under for y in placed]
