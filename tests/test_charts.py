"""Charts: each says what the numbers say, nothing is cut off, and the same run gives the same bytes."""

from __future__ import annotations

import html
import io
import itertools
import math
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from PIL import Image

from analysis.estimates import Difference, Estimate
from reports import style
from reports.charts import KINDS, available, chart, drawing, file_format, measures_of, save
from reports.figures import dots, lines
from reports.figures.layout import NARROW, WIDE, Sheet, wrap
from reports.figures.scales import round_numbers
from reports.figures.sweep import numeric
from reports.loading import load_run
from reports.runs import Distribution, Measure, ReportError, Run
from reports.shares import quantile, shares
from tests.report_fixtures import NAMES, NASTY, Runs, rename


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("runs"))


@dataclass(frozen=True)
class Words:
    """A line of text as it stands in a chart, and its box in points from the upper left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Words) -> bool:
        """Whether the boxes have more than an edge in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0.5 and min(self.bottom, other.bottom) - max(self.top, other.top) > 0.5


TEXT = re.compile(r'<text style="([^"]*)" x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)</text>')


@cache
def drawn_words(figure: Figure) -> list[Words]:
    """Every line of text of a chart, as an SVG has it."""
    found = []
    for css, x, y, escaped in TEXT.findall(style.render(figure, "svg").decode()):
        text = html.unescape(escaped).replace("\N{NO-BREAK SPACE}", " ")
        size = float(re.search(r"([\d.]+)px", css)[1])  # type: ignore[index]
        width = 72 * style.text_width(text, size, "bold" in css or "700" in css)
        anchor = re.search(r"text-anchor: (\w+)", css)
        left = float(x) - width * {"middle": 0.5, "end": 1.0}.get(anchor[1] if anchor else "start", 0.0)
        found.append(Words(text, left, float(y) - 0.75 * size, left + width, float(y) + 0.2 * size))
    return found


def words(figure: Figure) -> list[str]:
    return [one.text for one in drawn_words(figure)]


def whole_text(figure: Figure) -> str:
    return " ".join(words(figure))


def dots_of(figure: Figure) -> list[Line2D]:
    return [line for line in figure.axes[0].lines if line.get_marker() == "o"]


def marked(figure: Figure) -> list[Line2D]:
    """The lines of a sweep."""
    return [line for line in figure.axes[0].lines if line.get_marker() in style.MARKERS]


def across(line: Line2D) -> list[float]:
    return [float(x) for x in np.asarray(line.get_xdata(), dtype=float)]


def up(line: Line2D) -> list[float]:
    return [float(y) for y in np.asarray(line.get_ydata(), dtype=float)]


def uprights(figure: Figure) -> list[float]:
    """Where upright reference lines stand."""
    return [c.get_segments()[0][0][0] for c in figure.axes[0].collections if isinstance(c, LineCollection)]


class TestKinds:
    @pytest.mark.parametrize(
        ("name", "kinds"),
        [
            ("seats", ["rates", "distribution", "ecdf", "convergence"]),
            ("rotated", ["rates", "heatmap", "convergence"]),
            ("compare", ["differences", "rates", "convergence"]),
            ("players", ["sweep", "differences", "distribution", "ecdf", "convergence"]),
            ("few", ["rates", "distribution", "ecdf"]),
        ],
    )
    def test_a_run_has_the_charts_that_make_sense_for_it(self, runs: Runs, name: str, kinds: list[str]) -> None:
        assert available(runs.run(name)) == kinds

    def test_another_kind_is_refused(self, runs: Runs) -> None:
        with pytest.raises(ReportError, match="no chart 'heatmap'; it has rates, distribution"):
            runs.chart("seats", "heatmap")

    def test_another_measure_is_refused(self, runs: Runs) -> None:
        with pytest.raises(ReportError, match="no measure 'marbles'; it has turns"):
            runs.chart("seats", "distribution", "marbles")

    def test_every_kind_says_what_it_shows(self) -> None:
        assert all(module.HELP for module in KINDS.values())


class TestEveryChart:
    @pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
    @pytest.mark.parametrize("name", NAMES)
    def test_every_word_can_be_read(self, runs: Runs, name: str, narrow: bool) -> None:
        run = runs.run(name)
        for kind in available(run):
            for measure in measures_of(run, kind):
                assert_legible(runs.chart(name, kind, measure.name, narrow=narrow), f"{kind} of {measure.name}")

    @pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
    @pytest.mark.parametrize("name", ["rotated", "line-up", "compare"])
    def test_every_word_can_be_read_when_names_are_long(self, runs: Runs, tmp_path: Path, name: str, narrow: bool) -> None:
        folder = runs.fresh(name, tmp_path / "run")
        rename(folder, "outs", NASTY)
        run = load_run(folder)
        for kind in available(run):
            assert_legible(chart(run, kind, narrow=narrow), kind)

    @pytest.mark.parametrize("name", NAMES)
    def test_the_title_is_the_finding(self, runs: Runs, name: str) -> None:
        run = runs.run(name)
        for kind in available(run):
            drawn = runs.drawing(name, kind)
            assert drawn.title in whole_text(drawn.figure)
            assert drawn.title.endswith(".")
        assert drawn.title not in whole_text(drawing(run, kind, None, Sheet(titled=False)).figure)

    @pytest.mark.parametrize("name", NAMES)
    def test_shares_are_shown_in_percent(self, runs: Runs, name: str) -> None:
        run = runs.run(name)
        for kind in set(available(run)) - {"differences", "heatmap", "distribution", "ecdf"}:
            for measure in measures_of(run, kind):
                figure = runs.chart(name, kind, measure.name)
                style.render(figure, "png")
                axis = (
                    figure.axes[0].xaxis if dots_of(figure) and kind != "convergence" and not numeric_sweep(run) else figure.axes[0].yaxis
                )
                labels = [t.get_text() for t in axis.get_ticklabels() if t.get_text()]
                assert labels
                assert all(label.endswith(" %") == measure.share for label in labels)

    @pytest.mark.parametrize("ending", style.FORMATS)
    @pytest.mark.parametrize(
        ("name", "kind"), [("seats", "rates"), ("players", "sweep"), ("rotated", "heatmap"), ("seats", "distribution")]
    )
    def test_the_same_run_gives_the_same_bytes(self, runs: Runs, name: str, kind: str, ending: str) -> None:
        first = style.render(runs.chart(name, kind), ending)
        with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "svg.hashsalt": None, "text.color": "red"}):
            assert style.render(chart(runs.run(name), kind), ending) == first

    def test_nothing_is_left_of_the_style(self, runs: Runs) -> None:
        before = dict(matplotlib.rcParams)
        style.render(runs.chart("seats", "rates"), "svg")
        assert dict(matplotlib.rcParams) == before

    def test_every_colour_of_a_page_has_its_counterpart_for_dark_ones(self, runs: Runs) -> None:
        known = {light for light, _ in style.ROLES.values()}
        for name, kind in (("compare", "differences"), ("players", "sweep"), ("seats", "distribution"), ("seats", "convergence")):
            svg = style.render(chart(runs.run(name), kind), "svg").decode()
            assert set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", svg)) <= known

    def test_text_in_svg_stays_text(self, runs: Runs) -> None:
        svg = style.render(runs.chart("seats", "rates"), "svg").decode()
        assert ">seat 1</text>" in svg

    def test_dollar_signs_in_names_are_no_formulas(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("compare", tmp_path / "run")
        rename(folder, "outs", "$a_1$")
        assert "$a_1$" in words(chart(load_run(folder), "rates"))


def assert_legible(figure: Figure, what: str) -> None:
    """Every text lies within the figure, and on no other text."""
    shown = drawn_words(figure)
    width, height = figure.get_size_inches() * 72
    assert shown
    for one in shown:
        assert one.left >= 0 and one.top >= 0 and one.right <= width and one.bottom <= height, f"{what}: {one} leaves {width} by {height}"
    for one, other in itertools.combinations(shown, 2):
        assert not one.overlaps(other), f"{what}: {one} lies on {other}"


def numeric_sweep(run: Run) -> bool:
    return run.kind == "variants" and numeric(run) is not None


class TestRates:
    def test_dots_and_whiskers_stand_at_the_estimates(self, runs: Runs) -> None:
        run = runs.run("seats")
        figure = runs.chart("seats", "rates")
        rates = [r.estimate for r in run.readings if r.measure.name == "win_rate"]
        assert [across(line)[0] for line in dots_of(figure)] == pytest.approx([100 * (e.value or 0) for e in rates])
        whiskers = [across(line) for line in figure.axes[0].lines if line.get_marker() == "None"]
        assert np.array(whiskers) == pytest.approx(np.array([[100 * (e.low or 0), 100 * (e.high or 0)] for e in rates]))

    def test_there_are_no_bars_and_the_axis_need_not_begin_at_zero(self, runs: Runs) -> None:
        figure = runs.chart("seats", "rates")
        assert not figure.axes[0].patches
        assert figure.axes[0].get_xlim()[0] > 15

    def test_the_even_share_is_marked_where_it_means_something(self, runs: Runs) -> None:
        figure = runs.chart("seats", "rates")
        assert "even share: 25 %" in words(figure)
        assert uprights(figure) == [25]
        assert "even share" not in whole_text(runs.chart("seats", "rates", "marbles"))

    def test_without_intervals_none_are_spoken_of(self, runs: Runs) -> None:
        drawn = runs.drawing("few", "rates")
        assert "interval" not in " ".join([*words(drawn.figure)[1:], drawn.alt]).replace("intervals need 30 or more", "")
        assert not [line for line in drawn.figure.axes[0].lines if line.get_marker() == "None"]


class TestDifferences:
    def test_zero_is_marked_and_each_difference_stands_beside_it(self, runs: Runs) -> None:
        run = runs.run("two")
        figure = runs.chart("two", "differences")
        (difference,) = (r.difference for r in run.readings if r.difference is not None)
        assert across(dots_of(figure)[0])[0] == pytest.approx(difference.value)
        assert uprights(figure) == [0]
        assert "further right is better" in whole_text(figure)

    def test_what_is_far_off_becomes_an_arrow_with_its_number(self, runs: Runs) -> None:
        figure = runs.chart("compare", "differences")
        assert [line.get_marker() for line in figure.axes[0].lines if line.get_marker() in ("<", ">")] == ["<"]
        assert figure.axes[0].get_xlim()[0] > -10
        assert any(text.startswith("−2") for text in words(figure))

    def test_a_wide_interval_is_no_reason_for_an_arrow(self) -> None:
        rows = [row(0.001, 0.002), row(0.01, 0.5)]
        assert dots._near(rows) == rows

    def test_most_rows_stay_on_the_scale(self) -> None:
        rows = [row(0.001, 0.0001), *(row(5.0, 0.1) for _ in range(4))]
        assert dots._near(rows) == rows

    def test_hollow_dots_cannot_be_told_from_zero(self, runs: Runs) -> None:
        run = runs.run("words")
        figure = runs.chart("words", "differences", "turns")
        unclear = [
            d.se != 0 and (d.low or 0) <= 0 <= (d.high or 0) for r in run.readings if r.measure.name == "turns" and (d := r.difference)
        ]
        assert True in unclear
        assert [line.get_markerfacecolor() == style.PAPER for line in dots_of(figure)] == unclear

    def test_worse_and_better_have_their_colours(self) -> None:
        lower_is_better = Measure("m", "", True, False, "", low_is_good=True, fair=False)
        from reports.figures.differences import _dot
        from reports.runs import Reading

        for value, tone in ((-1.0, style.GOOD), (1.0, style.BAD)):
            difference = Difference(value, 0.1, value - 0.2, value + 0.2, 0.001, 1.0, 1.0)
            reading = Reading(lower_is_better, difference, 4)
            assert _dot("x", reading, difference, lower_is_better.low_is_good).colour == tone


def row(value: float, half: float) -> dots.Dot:
    return dots.Dot("x", Estimate(value, half / 2, value - half, value + half), "", sure=abs(value) > half)


class TestHeatmap:
    def test_every_cell_carries_its_number_and_error(self, runs: Runs) -> None:
        run = runs.run("rotated")
        figure = runs.chart("rotated", "heatmap")
        shown = words(figure)
        cells = [r for r in run.chairs if r.measure.name == "win_rate"]
        assert len([p for p in figure.axes[0].patches if isinstance(p, Rectangle)]) == len(cells) == 16
        assert len([text for text in shown if text.startswith("± ")]) == 16

    def test_words_can_be_read_on_every_colour(self) -> None:
        from reports.figures import heatmap

        colours = [matplotlib.colors.to_hex(heatmap._COLOURS(x)) for x in np.linspace(0, 1, 101)]
        assert min(style.contrast(heatmap._WORDS, one) for one in colours) >= 4.5


class TestSweep:
    def test_the_line_of_even_shares_follows_the_players(self, runs: Runs) -> None:
        figure = runs.chart("players", "sweep", "first_seat_win_rate")
        even = next(line for line in figure.axes[0].lines if line.get_color() == style.MUTED and len(across(line)) == 5)
        assert across(even) == [2, 3, 4, 5, 6]
        assert up(even) == pytest.approx([100 / n for n in (2, 3, 4, 5, 6)])

    def test_each_seat_has_its_line_as_far_as_there_is_such_a_seat(self, runs: Runs) -> None:
        figure = runs.chart("players", "sweep", "win_rate")
        assert [len(across(line)) for line in marked(figure)] == [5, 5, 4, 3, 2, 1]
        assert len({line.get_marker() for line in marked(figure)}) == 6
        assert {f"seat {n}" for n in range(1, 7)} <= set(words(figure))

    def test_lines_go_through_the_estimates_in_the_order_of_the_numbers(self, runs: Runs) -> None:
        run = runs.run("players")
        figure = runs.chart("players", "sweep", "turns")
        (line,) = marked(figure)
        values = {int(r.variant.setting["players"]): r.estimate.value for r in run.readings if r.variant and r.measure.name == "turns"}
        assert dict(zip(across(line), up(line), strict=True)) == values

    def test_words_become_rows(self, runs: Runs) -> None:
        figure = runs.chart("words", "sweep", "turns")
        assert len(dots_of(figure)) == 3
        assert "reshuffle=lazy_all (base)" in words(figure)

    def test_each_row_has_its_even_share_where_tables_differ(self, runs: Runs) -> None:
        figure = runs.chart("tables", "sweep")
        marks = [across(line)[0] for line in figure.axes[0].lines if line.get_color() == style.MUTED]
        assert marks == pytest.approx([50, 20])
        assert "| even share" in words(figure)

    def test_of_several_names_the_others_become_lines(self, runs: Runs) -> None:
        figure = runs.chart("grid", "sweep", "turns")
        assert [len(across(line)) for line in marked(figure)] == [3, 3]
        assert "pickup_discard_rule=same_rank" in words(figure)


class TestDistribution:
    def test_bars_are_the_shares(self, runs: Runs) -> None:
        run = runs.run("seats")
        figure = runs.chart("seats", "distribution")
        (counted,) = run.distributions
        bars = {round(p.get_x() + p.get_width() / 2): p.get_height() for p in figure.axes[0].patches if isinstance(p, Rectangle)}
        assert bars == pytest.approx(
            {counted.low + i: 100 * n / run.deals for i, n in enumerate(counted.counts) if counted.low + i in bars}
        )
        assert sum(bars.values()) > 99

    def test_what_is_not_drawn_is_said(self, runs: Runs) -> None:
        run = runs.run("seats")
        figure = runs.chart("seats", "distribution")
        (counted,) = run.distributions
        last = max(round(p.get_x() + p.get_width() / 2) for p in figure.axes[0].patches if isinstance(p, Rectangle))
        beyond = sum(counted.counts[last - counted.low + 1 :])
        assert 0 < beyond <= 0.002 * run.deals
        assert f"({100 * beyond / run.deals:.1g} % beyond {last})" in whole_text(figure)

    def test_the_cumulative_line_rises_to_one(self, runs: Runs) -> None:
        figure = runs.chart("match", "ecdf")
        (line,) = (line for line in figure.axes[0].lines if line.get_drawstyle() == "steps-post")
        heights = up(line)
        assert heights == sorted(heights)
        assert heights[-1] == pytest.approx(100)

    def test_the_last_bin_says_that_it_holds_more(self) -> None:
        listed = shares(Distribution(None, MEASURE, 5, (3, 0, 40)))
        assert [one.text for one in listed] == ["5 or fewer", "6", "7 or more"]
        assert [one.share.value for one in listed] == pytest.approx([3 / 43, 0, 40 / 43])
        assert listed[-1].so_far.value == 1

    def test_a_quantile_is_a_range_where_the_sample_leaves_one(self) -> None:
        assert quantile(Distribution(None, MEASURE, 0, (1000, 8000, 1000)), 0.5) == "1"
        assert quantile(Distribution(None, MEASURE, 0, (50, 50)), 0.5) == "0 to 1 or more"


MEASURE = Measure("turns", "", False, False, "turns", False, False)


class TestConvergence:
    def test_the_last_point_is_the_estimate(self, runs: Runs) -> None:
        run = runs.run("seats")
        figure = runs.chart("seats", "convergence")
        axes = figure.axes[0]
        assert axes.get_xscale() == "log"
        final = sorted(100 * (r.estimate.value or 0) for r in run.readings if r.measure.name == "win_rate")
        ends = sorted(up(line)[-1] for line in axes.lines if len(across(line)) == 6)
        assert ends == pytest.approx(final)
        assert len(axes.collections) == 4  # the bands

    def test_estimates_far_apart_get_panels_of_one_scale(self, runs: Runs) -> None:
        figure = runs.chart("compare", "convergence")
        heights = [axes.get_ylim()[1] - axes.get_ylim()[0] for axes in figure.axes]
        assert len(heights) == 4
        assert heights == pytest.approx([heights[0]] * 4)
        assert min(axes.get_ylim()[0] for axes in figure.axes) >= 0

    @pytest.mark.parametrize(("low", "high"), [(1024, 30_000), (1024, 1500), (1024, 10**9), (1, 2)])
    def test_ticks_are_round_and_have_room(self, low: int, high: int) -> None:
        for width in (2.0, 5.0):
            found = round_numbers(low, high, width)
            assert found
            assert all(low <= n <= high for n in found)
            places = [math.log(n / low) / math.log(high / low) * width for n in found]
            assert all(b - a > 0.3 for a, b in itertools.pairwise(places))


class TestLayout:
    def test_widths(self, runs: Runs) -> None:
        assert runs.chart("seats", "rates").get_figwidth() == WIDE
        assert runs.chart("seats", "rates", narrow=True).get_figwidth() == NARROW

    @pytest.mark.parametrize("inches", [0.6, 1.5, 3.0])
    def test_wrapped_lines_fit_and_lose_nothing(self, inches: float) -> None:
        lines_of = wrap(NASTY, inches)
        assert all(style.text_width(line) <= inches for line in lines_of)
        assert "".join(lines_of).replace(" ", "") == NASTY.replace(" ", "")

    def test_numbers_stay_with_their_errors(self) -> None:
        assert not any(line.endswith(("±", "28.1")) or line.startswith(("±", "%")) for n in range(12, 40) for line in wrap(AMOUNT, n / 10))

    def test_too_many_lines_lose_their_middle(self) -> None:
        lines_of = wrap(NASTY, 1.5, most=2)
        assert len(lines_of) == 2
        assert "…" in "".join(lines_of)
        assert lines_of[0].startswith("a very/")
        assert lines_of[-1].endswith("caution=2")

    def test_names_are_moved_apart_in_order(self) -> None:
        placed = lines._spread([1.0, 1.1, 1.2, 5.0], 1.0, (0.0, 6.0))
        assert np.diff(placed) == pytest.approx([1, 1, 1 + placed[3] - placed[2] - 1])
        assert all(b - a >= 1 - 1e-9 for a, b in itertools.pairwise(placed))
        assert placed[3] == 5.0
        assert sum(placed[:3]) / 3 == pytest.approx(1.1)


AMOUNT = "Seat 1 has the highest win rate, 28.1 ± 0.5 %; seat 4 has 21.4 ± 0.5 %."


class TestColours:
    @pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
    def test_text_and_marks_stand_out(self, side: int) -> None:
        paper = style.ROLES["paper"][side]
        for role in ("ink", "muted"):
            assert style.contrast(style.ROLES[role][side], paper) >= 4.5
        for role in [name for name in style.ROLES if name.startswith("series-")]:
            assert style.contrast(style.ROLES[role][side], paper) >= 3

    @pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
    @pytest.mark.parametrize("seen", ["protanopia", "deuteranopia", "tritanopia"])
    def test_the_first_two_differ_for_the_colour_blind(self, side: int, seen: str) -> None:
        """Blue and orange also say better and worse; the simulation is that of Machado, Oliveira and Fernandes (2009)."""
        one, other = (simulated(style.ROLES[f"series-{n}"][side], seen) for n in (1, 2))
        assert float(np.linalg.norm(one - other)) > 0.3

    def test_contrast_is_that_of_wcag(self) -> None:
        assert style.contrast("#000000", "#ffffff") == pytest.approx(21)
        assert style.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


DEFICIENCIES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def simulated(hexed: str, seen: str) -> np.ndarray[Any, Any]:
    """A colour as it is seen with a deficiency, in linear RGB."""
    linear = np.array([int(hexed[i : i + 2], 16) / 255 for i in (1, 3, 5)]) ** 2.2
    return np.clip(np.array(DEFICIENCIES[seen]) @ linear, 0, 1)


class TestFiles:
    @pytest.mark.parametrize("ending", style.FORMATS)
    def test_the_name_decides_the_format(self, runs: Runs, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"chart.{ending.upper()}"
        save(runs.chart("seats", "rates"), path)
        begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
        assert path.read_bytes().startswith(begins)
        assert list(tmp_path.iterdir()) == [path]

    def test_another_ending_is_refused(self) -> None:
        with pytest.raises(ReportError, match=r"written as \.png, \.svg, \.pdf"):
            file_format(Path("chart.gif"))

    def test_a_picture_is_sharp_and_on_paper(self, runs: Runs) -> None:
        figure = runs.chart("seats", "rates")
        image = Image.open(io.BytesIO(style.render(figure, "png"))).convert("RGB")
        assert image.width == 200 * WIDE
        assert image.getpixel((0, image.height - 1)) == (255, 255, 255)
