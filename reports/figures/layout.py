"""A sheet of panels under a title, laid out in inches: every part gets the room that its text needs, on wide and narrow pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import style

WIDE, NARROW = 7.0, 3.7
"""Widths of a chart in inches: for a page, and for a phone held upright (355 CSS pixels)."""

LINE = 0.185
"""Height of a line of text."""

TITLE_LINE = 0.225
HEADING_LINE = 0.2
EDGE = 0.04
_TOGETHER = re.compile(r"(?<=\d) ± (?=\d)|(?<=±) (?=\d)| (?=%|percentage\b)")
_JOINT = re.compile(r"(?<=[/:,=_\-])")


@dataclass(frozen=True)
class Sheet:
    """How a chart is wanted.

    Parameters
    ----------
    narrow : bool
        For a phone.
    titled : bool
        With its title drawn above it; a page that writes the title itself goes without.
    """

    narrow: bool = False
    titled: bool = True

    @property
    def width(self) -> float:
        """Inches."""
        return NARROW if self.narrow else WIDE

    @property
    def ticks(self) -> int:
        """About how many ticks an axis has room for."""
        return 4 if self.narrow else 6


@dataclass(frozen=True)
class Panel:
    """Room for one set of axes: the height of the axes and the margins around them, in inches."""

    height: float
    left: float
    right: float
    top: float
    bottom: float


def lay_out(sheet: Sheet, title: str, panels: Sequence[Panel]) -> tuple[Figure, list[Axes]]:
    """A figure with its title and one set of axes for each panel, one below the other."""
    lines = wrap(title, sheet.width - 2 * EDGE, style.TITLE_SIZE, bold=True) if sheet.titled else []
    head = len(lines) * TITLE_LINE + (0.12 if lines else 0.0)
    height = head + sum(p.top + p.height + p.bottom for p in panels)
    figure = Figure(figsize=(sheet.width, height))
    for i, line in enumerate(lines):
        place = 1 - (EDGE + i * TITLE_LINE) / height
        figure.text(EDGE / sheet.width, place, line, size=style.TITLE_SIZE, weight="bold", va="top", color=style.INK)
    axes = []
    at = head
    for panel in panels:
        at += panel.top
        box = (
            panel.left / sheet.width,
            1 - (at + panel.height) / height,
            (sheet.width - panel.left - panel.right) / sheet.width,
            panel.height / height,
        )
        axes.append(figure.add_axes(box))
        at += panel.height + panel.bottom
    return figure, axes


def above(axes: Axes, text: str, inches: float, *, x: float = 0.0, heading: bool = False, align: str = "left") -> None:
    """A line of text so far above the axes; ``x`` in fractions of their width."""
    axes.annotate(
        text,
        (x, 1),
        (0, inches * 72),
        xycoords="axes fraction",
        textcoords="offset points",
        ha=align,
        va="bottom",
        size=style.TEXT_SIZE if heading else style.SMALL_SIZE,
        weight="bold" if heading else "normal",
        color=style.INK if heading else style.MUTED,
        annotation_clip=False,
    )


def heading_above(axes: Axes, lines: Sequence[str], inches: float, left: float, width: float) -> None:
    """The heading of a panel, so far above axes that begin ``left`` inches from the edge and are ``width`` inches wide."""
    for i, line in enumerate(reversed(lines)):
        above(axes, line, inches + i * HEADING_LINE, x=(EDGE - left) / width, heading=True)


def axis_label(text: str, left: float, width: float, right: float) -> list[str]:
    """The label of an axis of x in lines: it stands below its middle and may reach as far out as the smaller margin."""
    return wrap(text, width + 2 * (min(left, right) - EDGE))


def wrap(text: str, inches: float, size: float = style.TEXT_SIZE, *, bold: bool = False, most: int | None = None) -> list[str]:
    """Text in lines of at most that width, broken at spaces; a longer word is cut, behind a slash, colon or the like where it has one.

    A number stays with its error and its unit.
    With more lines than ``most`` the middle is left out: the end of a long name tells more than its middle.
    """
    text = _TOGETHER.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    lines = _lines(text, inches, size, bold)
    if most is None or len(lines) <= most:
        return lines
    keep = len(text)
    while len(lines) > most and keep > 4:
        keep -= 1
        start, end = keep // 2, keep - keep // 2
        lines = _lines(f"{text[:start]}…{text[-end:]}", inches, size, bold)
    return lines


def _lines(text: str, inches: float, size: float, bold: bool) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if style.text_width(longer, size, bold) <= inches:
            lines[-1] = longer
            continue
        parts = _parts(word, inches, size, bold)
        lines = [*lines, *parts] if lines[-1] else [*lines[:-1], *parts]
    return lines


def _parts(word: str, inches: float, size: float, bold: bool) -> list[str]:
    """A word in parts that fit, cut where a name has joints as long as it can be."""
    parts = [""]
    for piece in _JOINT.split(word):
        rest = piece
        if parts[-1] and style.text_width(parts[-1] + rest, size, bold) > inches:
            parts.append("")
        while style.text_width(parts[-1] + rest, size, bold) > inches and len(rest) > 1:
            fits = next(n for n in range(len(rest) - 1, 0, -1) if n == 1 or style.text_width(rest[:n], size, bold) <= inches)
            parts[-1:] = [rest[:fits], ""]
            rest = rest[fits:]
        parts[-1] += rest
    return parts
