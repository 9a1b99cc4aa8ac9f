"""The report in a browser: no errors, nothing fetched, readable at the width of a phone, in the light and in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.report import write_report
from reports.style import contrast
from tests.browser import CHROMIUM, DRIVER, Browser, browser
from tests.report_fixtures import NASTY, Runs, rename

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="looking at reports needs Chromium and its driver, and they are not installed here (chromium, chromium-driver)",
)

PHONE, DESK = 390, 1000
PAGES = ("seats", "rotated", "match", "few", "compare", "players", "words", "grid", "long names")

TEXTS = """
const shown = element => { const box = element.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
const under = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return 'rgb(255, 255, 255)';
};
const found = {};
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  if (!own || !shown(element)) continue;
  const style = getComputedStyle(element);
  const drawn = element instanceof SVGElement;
  if (drawn && style.fill === 'rgb(17, 20, 24)') continue;
  found[[drawn ? style.fill : style.color, under(element)].join('|')] = element.textContent.trim().slice(0, 40);
}
return found;
"""
"""Colours of text and of what is under it, each with some text that has them. Cells of heat maps bring their own ground."""

PICTURES = """
return [...document.querySelectorAll('svg')].map(svg => ({
  shown: svg.getBoundingClientRect().width > 0,
  right: svg.getBoundingClientRect().right,
  role: svg.getAttribute('role'),
  told: svg.getAttribute('aria-label'),
  texts: svg.querySelectorAll('text').length,
}));
"""

SMALL_TEXTS = """
return [...document.querySelectorAll('svg text')].filter(text => text.getBoundingClientRect().height > 0)
  .map(text => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getBoundingClientRect().width
    / text.ownerSVGElement.viewBox.baseVal.width);
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports by name."""
    runs = Runs(tmp_path_factory.mktemp("runs"))
    found = {}
    for name in PAGES:
        folder = runs.fresh("compare" if name == "long names" else name, tmp_path_factory.mktemp("page") / "run")
        if name == "long names":
            rename(folder, "outs", NASTY)
        write_report(folder)
        found[name] = folder / "report.html"
    return found


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium") / "profile") as session:
        yield session


every_page = pytest.mark.parametrize("name", PAGES)
every_look = pytest.mark.parametrize(("width", "dark"), [(PHONE, False), (PHONE, True), (DESK, False), (DESK, True)])


@every_page
@every_look
def test_it_opens_without_errors_and_fetches_nothing(chromium: Browser, pages: dict[str, Path], name: str, width: int, dark: bool) -> None:
    chromium.open(pages[name], width=width, dark=dark)
    assert chromium.run("return document.readyState") == "complete"
    assert chromium.log("browser") == []
    assert [address for address in chromium.requests() if not address.startswith("data:")] == [pages[name].as_uri()]


@every_page
@pytest.mark.parametrize("width", [320, PHONE, DESK])
def test_nothing_sticks_out(chromium: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    chromium.open(pages[name], width=width)
    assert chromium.run("return document.documentElement.clientWidth") == width
    chromium.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert chromium.run("return document.documentElement.scrollWidth") <= width


@every_page
@every_look
def test_text_stands_out_from_its_ground(chromium: Browser, pages: dict[str, Path], name: str, width: int, dark: bool) -> None:
    chromium.open(pages[name], width=width, dark=dark)
    chromium.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    colours = chromium.run(TEXTS)
    assert len(colours) >= 3
    for pair, text in colours.items():
        front, ground = (hexed(colour) for colour in pair.split("|"))
        assert contrast(front, ground) >= 4.5, f"{text!r}: {front} on {ground}"


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_as_dark_as_the_reader_wants_it(chromium: Browser, pages: dict[str, Path], dark: bool) -> None:
    chromium.open(pages["seats"], width=DESK, dark=dark)
    paper = hexed(chromium.run("return getComputedStyle(document.body).backgroundColor"))
    assert (contrast(paper, "#ffffff") > 10) == dark
    line = chromium.run("return getComputedStyle(document.querySelector('figure svg text')).fill")
    assert contrast(hexed(line), paper) >= 4.5


def hexed(colour: str) -> str:
    """``rgb(0, 114, 178)`` as #0072b2."""
    red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    return f"#{red:02x}{green:02x}{blue:02x}"


@every_page
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_every_picture_is_shown_once_and_told_in_words(chromium: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    chromium.open(pages[name], width=width)
    pictures = chromium.run(PICTURES)
    assert pictures
    assert [one["shown"] for one in pictures] == [width == DESK, width == PHONE] * (len(pictures) // 2)
    assert all(one["role"] == "img" and one["told"] and one["texts"] for one in pictures)
    assert all(one["right"] <= width for one in pictures if one["shown"])


@every_page
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_words_in_charts_are_large_enough(chromium: Browser, pages: dict[str, Path], name: str, width: int) -> None:
    chromium.open(pages[name], width=width)
    sizes = chromium.run(SMALL_TEXTS)
    assert sizes
    assert min(sizes) >= 11.5  # CSS pixels


def test_the_answer_stands_in_the_first_view(chromium: Browser, pages: dict[str, Path]) -> None:
    for name, page in pages.items():
        chromium.open(page, width=PHONE)
        bottom = chromium.run("return document.querySelector('h1').getBoundingClientRect().bottom")
        assert bottom < 500, name
        assert chromium.run("return document.querySelector('figure').getBoundingClientRect().top") < 700, name


def test_on_paper_it_is_white_and_nothing_is_folded_away(chromium: Browser, pages: dict[str, Path]) -> None:
    chromium.open(pages["seats"], width=DESK, dark=True)
    folded = "return [...document.querySelectorAll('details:not([open]) table')].map(table => table.checkVisibility())"
    assert False in chromium.run(folded)
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    chromium.command("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    try:
        assert chromium.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert chromium.run("return getComputedStyle(document.querySelector('h1')).color") == "rgb(27, 30, 35)"
        shown = chromium.run(folded)
        assert shown
        assert all(shown)
    finally:
        chromium.command("Emulation.setEmulatedMedia", {"media": "", "features": []})
