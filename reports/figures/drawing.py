"""What a kind of chart gives: the figure, and its message in words for those who cannot see it."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Drawing:
    """A chart.

    Attributes
    ----------
    figure : Figure
    title : str
        What it shows, as a finding.
    caption : str
        How to read it.
    alt : str
        The same in words.
    """

    figure: Figure
    title: str
    caption: str
    alt: str
