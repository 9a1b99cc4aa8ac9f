"""One style for all charts: colours as roles with a light and a dark side, text measured, files that are the same every time."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import matplotlib.style
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

ROLES = {
    "paper": ("#ffffff", "#14171b"),
    "ink": ("#1b1e23", "#e9ebee"),
    "muted": ("#555c66", "#aab2bd"),
    "axis": ("#8b929b", "#6b737e"),
    "grid": ("#dfe2e7", "#2f353d"),
    "series-1": ("#0072b2", "#56b4f0"),
    "series-2": ("#d55e00", "#ff8f4f"),
    "series-3": ("#007d5c", "#3fcfa5"),
    "series-4": ("#a8478a", "#e89acb"),
    "series-5": ("#8a6a00", "#e6c04d"),
    "series-6": ("#4b515a", "#c3cad3"),
}
"""Colour on a light page and on a dark one. The series follow Okabe and Ito (2008), darkened or lightened until each stands out from
its page by at least 3 : 1; no two are told apart by hue alone, since markers and dashes differ too."""

SERIES = [ROLES[f"series-{i}"][0] for i in range(1, 7)]
MARKERS = ["o", "s", "^", "D", "v", "P"]
DASHES = ["-", (0, (5, 2))]

PAPER, INK, MUTED, AXIS, GRID = (ROLES[name][0] for name in ("paper", "ink", "muted", "axis", "grid"))
GOOD, BAD, UNCLEAR = SERIES[0], SERIES[1], ROLES["muted"][0]

TEXT_SIZE, SMALL_SIZE, TITLE_SIZE = 10.0, 9.0, 12.0

FORMATS = ("png", "svg", "pdf")

# Nothing of when or by what a file was made.
_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def colour(place: int) -> str:
    """The colour of the series at a place."""
    return SERIES[place % len(SERIES)]


def marker(place: int) -> str:
    """The marker of the series at a place."""
    return MARKERS[place % len(MARKERS)]


def dashes(place: int) -> str | tuple[int, tuple[int, int]]:
    """Solid for the first round of colours, dashed for the next."""
    return DASHES[place // len(SERIES) % len(DASHES)]  # type: ignore[return-value]


@contextlib.contextmanager
def applied() -> Iterator[None]:
    """The style, whatever the user's own settings of Matplotlib are."""
    with matplotlib.style.context(str(Path(__file__).with_name("style.mplstyle")), after_reset=True):
        yield


@lru_cache(maxsize=20_000)
def text_width(text: str, size: float = TEXT_SIZE, bold: bool = False) -> float:
    """Width of a line of text in inches."""
    width, _, _ = TextToPath().get_text_width_height_descent(text, _font(size, bold), ismath=False)
    return float(width) / 72


@cache
def _font(size: float, bold: bool) -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")


def contrast(one: str, other: str) -> float:
    """Contrast of two colours (#rrggbb) as WCAG 2 defines it: 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(hexed: str) -> float:
    parts = [int(hexed[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def render(figure: Figure, style: str, *, transparent: bool = False) -> bytes:
    """A chart as the bytes of a file; the same chart gives the same bytes.

    Parameters
    ----------
    figure : Figure
    style : str
        One of ``FORMATS``.
    transparent : bool
        Without the paper behind it.
    """
    out = io.BytesIO()
    with applied(), warnings.catch_warnings():
        # A name in a script that the font lacks shows as boxes in PNG and PDF; SVG leaves it to the reader's fonts.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(out, format=style, transparent=transparent, metadata=_METADATA[style])
    return out.getvalue()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever meets half of it."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(content)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
