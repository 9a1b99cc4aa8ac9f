"""Reports: the answer first, every number with its error, nothing from elsewhere, and a way to repeat the run."""

from __future__ import annotations

import csv
import html
import json
import re
import shlex
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from analysis.estimates import Estimate
from analysis.rounding import show
from reports import report, tables
from reports.answers import Answer, answer, apart
from reports.charts import available, measures_of
from reports.loading import load_run
from reports.methods import paragraphs
from reports.repeating import command_line
from reports.report import breakable, markdown, write_report
from reports.runs import Measure, Reading, ReportError
from reports.words import counted, p_text, plural
from sim.game import all_games
from tests.commands import Said, tree, tresdos
from tests.report_fixtures import COMMANDS, NAMES, NASTY, Runs, change, play, rename

FOLDER = Path(report.__file__).parent


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(tmp_path_factory.mktemp("runs"))


class Page(HTMLParser):
    """What stands on a page: headings, tables cell by cell, addresses, names of elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.headline = ""
        self.tables: list[list[list[str]]] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self.names: list[str] = []
        self.pictures: list[str] = []
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self._open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href", "srcset", "data", "action")]
        if found.get("id"):
            self.names.append(found["id"] or "")
        if found.get("role") == "img":
            self.pictures.append(found.get("aria-label") or "")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        data = data.replace("\N{NO-BREAK SPACE}", " ")
        if "h1" in self._open:
            self.headline += data
        if ("th" in self._open or "td" in self._open) and "caption" not in self._open:
            self.tables[-1][-1][-1] += data


def written(runs: Runs, name: str) -> tuple[Path, Page]:
    """A run with its report, which nobody changes."""
    folder = runs.folder(name)
    if not (folder / "report.html").exists():
        write_report(folder)
    return folder, Page((folder / "report.html").read_text())


class TestWhatIsWritten:
    def test_files(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("seats", tmp_path / "run")
        files = write_report(folder)
        assert files[:2] == [folder / "report.html", folder / "report.md"]
        assert sorted(path.relative_to(folder).as_posix() for path in files[2:]) == [
            "charts/convergence-win_rate.svg",
            "charts/distribution-turns.svg",
            "charts/rates-win_rate.svg",
            "tables/convergence.csv",
            "tables/distributions.csv",
            "tables/estimates.csv",
            "tables/rules.csv",
        ]
        assert set(tree(folder)) == {"manifest.json", "result.json", "charts", "tables", *(p.relative_to(folder).as_posix() for p in files)}

    @pytest.mark.parametrize("name", ["seats", "compare", "words"])
    def test_the_same_run_gives_the_same_bytes(self, runs: Runs, tmp_path: Path, name: str) -> None:
        folder = runs.fresh(name, tmp_path / "run")
        write_report(folder)
        first = tree(folder)
        write_report(folder)
        assert tree(folder) == first

    def test_charts_that_the_run_asks_for(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("seats", tmp_path / "run")
        change(folder, "manifest.json", lambda manifest: manifest.update(charts=["ecdf", "heatmap"]))
        write_report(folder)
        assert [path.name for path in (folder / "charts").iterdir()] == ["ecdf-turns.svg"]
        assert "not to be had from this run: heatmap." in (folder / "report.html").read_text()
        assert "not to be had from this run: heatmap." in (folder / "report.md").read_text()


class TestPage:
    @pytest.mark.parametrize("name", NAMES)
    def test_it_opens_with_the_answer_and_the_chart_that_shows_it(self, runs: Runs, name: str) -> None:
        folder, page = written(runs, name)
        said = answer(load_run(folder))
        assert page.headline == said.headline
        text = (folder / "report.html").read_text()
        assert text.index("<h1>") < text.index("<svg") < text.index("<table")
        assert page.tags.count("h1") == 1

    @pytest.mark.parametrize("name", NAMES)
    def test_nothing_comes_from_elsewhere(self, runs: Runs, name: str) -> None:
        folder, page = written(runs, name)
        tables_there = {f"tables/{path.name}" for path in (folder / "tables").iterdir()}
        outside = {a for a in page.addresses if not a.startswith("#")} - tables_there
        assert outside == {"data:,"}  # the icon: none
        assert not {"script", "iframe", "object", "embed", "img", "base", "form"} & set(page.tags)
        text = (folder / "report.html").read_text()
        assert "default-src 'none'" in text
        assert set(re.findall(r"https?://[^\s\"'<>]+", text)) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
        assert not re.search(r"@import|url\((?!#)", text)

    @pytest.mark.parametrize("name", NAMES)
    def test_names_within_pictures_are_unique_and_lead_somewhere(self, runs: Runs, name: str) -> None:
        folder, page = written(runs, name)
        assert len(set(page.names)) == len(page.names)
        text = (folder / "report.html").read_text()
        wanted = {a[1:] for a in page.addresses if a.startswith("#")} | set(re.findall(r"url\(#([^)]+)\)", text))
        assert wanted
        assert wanted <= set(page.names)

    @pytest.mark.parametrize("name", NAMES)
    def test_every_picture_is_there_twice_and_told_in_words(self, runs: Runs, name: str) -> None:
        _, page = written(runs, name)
        assert page.pictures
        assert page.pictures[::2] == page.pictures[1::2]  # wide and narrow
        assert all(len(told) > 20 for told in page.pictures)

    @pytest.mark.parametrize("name", NAMES)
    def test_every_number_has_its_error(self, runs: Runs, name: str) -> None:
        _, page = written(runs, name)
        checked = 0
        for table in page.tables:
            head, rows = table[0], table[1:]
            if head[0] == "rule":
                continue
            for row in rows:
                for column, cell in zip(head[1:], row[1:], strict=True):
                    if column in ("seat", "surely different") or cell in ("", "base", "none"):
                        continue
                    assert WITH_ERROR.fullmatch(cell), f"{column}: {cell}"
                    checked += 1
        assert checked

    def test_the_numbers_are_those_of_the_result_rounded_by_their_error(self, runs: Runs) -> None:
        folder, page = written(runs, "seats")
        rows = json.loads((folder / "result.json").read_text())["result"]["results"]
        rates = [Estimate(**row["win_rate"]) for row in rows]
        assert [row[1] for row in page.tables[0][1:]] == [show(e.value, e.half_width, percent=True) for e in rates]

    def test_rules_that_differ_come_first(self, runs: Runs) -> None:
        _, page = written(runs, "two")
        changed, others = (table for table in page.tables if table[0][0] == "rule")
        assert changed[1][:3] == ["stake", "2", "1"]
        assert "stake" not in [row[0] for row in others[1:]]
        assert len(others) > 10

    def test_where_no_rule_differs_that_is_said(self, runs: Runs) -> None:
        folder, _ = written(runs, "seats")
        for name in ("report.html", "report.md"):
            assert "All rules stand at their defaults." in (folder / name).read_text()

    def test_version_seed_and_machine(self, runs: Runs) -> None:
        folder, _ = written(runs, "seats")
        manifest = json.loads((folder / "manifest.json").read_text())
        for name in ("report.html", "report.md"):
            text = html.unescape((folder / name).read_text()).replace("\\", "")
            for fact in (f"tresdos {manifest['version']}", manifest["source_digest"], "seed 1", manifest["machine"]["platform"]):
                assert fact in text

    def test_names_of_strategies_are_text(self, runs: Runs, tmp_path: Path) -> None:
        for name in ("rotated", "line-up", "compare"):
            folder = runs.fresh(name, tmp_path / name)
            rename(folder, "outs", NASTY)
            write_report(folder)
            text = (folder / "report.html").read_text()
            assert "<b>" not in text
            page = Page(text)
            assert any(NASTY in told for told in page.pictures)
            assert any(NASTY in cell for table in page.tables for row in table for cell in row)
            assert NASTY in html.unescape(re.sub("<[^>]*>", "", text))

    def test_colours_of_the_page_follow_the_reader(self, runs: Runs) -> None:
        folder, _ = written(runs, "seats")
        text = (folder / "report.html").read_text()
        assert "@media screen and (prefers-color-scheme: dark)" in text
        assert "stroke: var(--series-1, #0072b2)" in text
        assert not re.search(r"(?:fill|stroke): #(?!111418)", text)  # words in the cells of a heat map keep theirs


WITH_ERROR = re.compile(
    r"[+−]?[\d,]+(\.\d+)? ± [\d,]+(\.\d+)?( %)?|exactly [−\d,.]+( %)?|n/a"
    r"|[−\d,.]+( %)? \((no error estimate|error 0)\)|\([^)]* ± [^)]*\)e[+-]\d+"
)


class TestMarkdown:
    @pytest.mark.parametrize("name", NAMES)
    def test_tables_are_whole(self, runs: Runs, name: str) -> None:
        folder, page = written(runs, name)
        lines = (folder / "report.md").read_text().split("\n")
        found: list[list[list[str]]] = []
        for before, line in zip(["", *lines], lines, strict=False):
            if line.startswith("|"):
                cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                if not before.startswith("|"):
                    found.append([])
                found[-1].append(cells)
        assert all(len({len(row) for row in table}) == 1 and set(table[1]) == {"---"} for table in found)
        assert len(found) == len(page.tables)

    def test_pictures_are_there(self, runs: Runs) -> None:
        folder, _ = written(runs, "words")
        shown = re.findall(r"!\[.+\]\((charts/[^)]+)\)", (folder / "report.md").read_text())
        assert shown
        assert {(folder / name) for name in shown} == set((folder / "charts").iterdir())

    def test_the_answer_comes_first(self, runs: Runs) -> None:
        folder, page = written(runs, "compare")
        assert (folder / "report.md").read_text().split("\n")[2] == f"**{markdown(page.headline)}**"

    def test_what_means_something_in_markdown_is_escaped(self) -> None:
        assert markdown("a|b_c*d\n<e>") == r"a\|b\_c\*d \<e\>"


class TestTables:
    @pytest.mark.parametrize("name", NAMES)
    def test_estimates_keep_all_their_digits(self, runs: Runs, name: str) -> None:
        folder, _ = written(runs, name)
        rows = list(csv.DictReader((folder / "tables/estimates.csv").open()))
        result = json.loads((folder / "result.json").read_text())["result"]
        stored = {json.dumps(e) for e in estimates_in(result)}
        shown = set()
        for line in rows:
            for prefix in ("", "difference_", "step_"):
                value = line["value"] if not prefix else line[prefix[:-1]]
                if value:
                    shown.add(
                        json.dumps(
                            [float(value), *(float(line[prefix + part]) if line[prefix + part] else None for part in ("se", "low", "high"))]
                        )
                    )
        assert shown == stored
        assert {line["seed"] for line in rows} == {str(result["seed"])}

    def test_distributions_count_every_unit(self, runs: Runs) -> None:
        folder, _ = written(runs, "players")
        counted_units: dict[str, int] = {}
        for line in csv.DictReader((folder / "tables/distributions.csv").open()):
            counted_units[line["variant"]] = counted_units.get(line["variant"], 0) + int(line["count"])
        assert counted_units == {f"players={n}": 3000 for n in range(2, 7)}

    def test_convergence_has_every_point(self, runs: Runs) -> None:
        folder, _ = written(runs, "compare")
        stored = json.loads((folder / "result.json").read_text())["details"]["convergence"]
        rows = list(csv.DictReader((folder / "tables/convergence.csv").open()))
        assert len(rows) == sum(map(len, stored.values()))
        assert {line["row"]: float(line["value"]) for line in rows} == {name: points[-1]["value"] for name, points in stored.items()}

    def test_some_points_for_people_end_with_the_last(self) -> None:
        assert tables._some(64) == [0, 1, 3, 7, 15, 31, 63]
        assert tables._some(10) == [0, 1, 4, 9]
        assert tables._some(1) == [0]


def estimates_in(data: Any) -> list[list[float | None]]:
    """Every estimate below, as value, se, low, high."""
    if isinstance(data, dict):
        if {"value", "se", "low", "high"} <= set(data):
            return [[data[part] for part in ("value", "se", "low", "high")]] if data["value"] is not None else []
        return [e for inner in data.values() for e in estimates_in(inner)]
    return [e for inner in data for e in estimates_in(inner)] if isinstance(data, list) else []


class TestAnswers:
    def test_seats_that_differ(self, runs: Runs) -> None:
        said = answer(runs.run("seats"))
        assert re.fullmatch(
            r"Seat 1 has the highest win rate, [\d.]+ ± [\d.]+ %.*; seat 4 has [\d.]+ ± [\d.]+ %\. An even share is 25 %\.", said.headline
        )

    def test_seats_that_do_not_differ(self, runs: Runs) -> None:
        said = answer(runs.run("match"))
        assert said.headline.startswith("No seat is surely ahead: the win rate lies between")
        assert said.headline.endswith("An even share is 25 %.")

    def test_strategies_in_seats_of_their_own(self, runs: Runs) -> None:
        said = answer(runs.run("line-up"))
        assert said.headline.startswith("outs in seat 1 has the highest win rate")
        assert "part of this is the seat" in said.more[0]

    def test_rotated(self, runs: Runs) -> None:
        said = answer(runs.run("rotated"))
        assert said.headline.startswith("outs has the highest win rate")
        assert said.more[0].startswith("The seat matters: outs gets")

    def test_compared(self, runs: Runs) -> None:
        assert answer(runs.run("compare")).headline == f"{runs.run('compare').verdict}."
        assert answer(runs.run("same")) == Answer("No difference at all: greedy and greedy scored the same in every deal.")

    def test_variants(self, runs: Runs) -> None:
        said = answer(runs.run("players"))
        assert re.match(
            r"Largest change in first seat win rate: from [\d.]+ ± [\d.]+ % \(players=2\) to .* \(players=6\), down by", said.headline
        )
        assert said.more[1].startswith("Largest change in turns: from")
        assert len(said.variants) == 4
        assert re.match(r"No variant changes win rate by more than [\d.]+ percentage points\.", answer(runs.run("words")).headline)

    def test_too_few(self, runs: Runs) -> None:
        assert answer(runs.run("few")).headline == "Too few deals for an answer: intervals need 30 or more."

    def test_no_claim_beyond_the_errors(self) -> None:
        measure = Measure("win_rate", "", True, True, "points", False, True)
        left, right = (Reading(measure, Estimate(value, 0.01, value - 0.02, value + 0.02), 4) for value in (0.27, 0.23))
        assert apart(left, right, 1)  # 0.04 against 1.96 times 0.02
        assert not apart(left, right, 6)  # 0.04 against 2.64 times 0.02


class TestMethods:
    def test_pairing_and_intervals_of_a_comparison(self, runs: Runs) -> None:
        text = " ".join(paragraphs(runs.run("compare")))
        for said in ("the same 4,000 hands", "64,000 games in all", "pointwise", "simultaneous", "VRF", "ESS", "outs: VRF"):
            assert said in text

    def test_vrf_and_ess_are_those_of_the_result(self, runs: Runs) -> None:
        run = runs.run("two")
        (difference,) = (r.difference for r in run.readings if r.difference is not None)
        assert f"guarded:caution=0: VRF {difference.vrf:.1f}, ESS {difference.ess:,.0f}." in " ".join(paragraphs(run))

    def test_a_simulation_has_no_differences_to_speak_of(self, runs: Runs) -> None:
        text = " ".join(paragraphs(runs.run("seats")))
        assert "6,000 hands were played as seated." in text
        assert "simultaneous" not in text

    def test_few_deals(self, runs: Runs) -> None:
        assert "Below 30 hands no intervals are given" in paragraphs(runs.run("few"))[-1]


class TestRepeating:
    @pytest.mark.parametrize("name", NAMES)
    def test_the_command_on_the_page_gives_the_same_result(self, runs: Runs, tmp_path: Path, name: str) -> None:
        folder, _ = written(runs, name)
        line = command_line(load_run(folder))
        assert line in (folder / "report.md").read_text()
        program, *words = shlex.split(line)
        assert program == "tresdos"
        play(tmp_path / "again", words)
        assert (tmp_path / "again" / "result.json").read_bytes() == (folder / "result.json").read_bytes()

    def test_it_can_be_pasted_into_a_shell(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("compare", tmp_path / "my run")
        rename(folder, "outs", NASTY)
        assert shlex.split(command_line(load_run(folder)))[4] == NASTY
        write_report(folder)
        assert f"tresdos repeat '{folder}'" in html.unescape((folder / "report.html").read_text())


def without(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def with_text(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


def with_status(folder: Path) -> None:
    change(folder, "manifest.json", lambda m: m.update(status="interrupted", deals={"asked": 6000, "done": 2048}))


def with_result(**changes: Any) -> Callable[[Path], object]:
    return lambda folder: change(folder, "result.json", lambda data: data.update(changes))


def tampered(folder: Path) -> None:
    (folder / "result.json").write_text((folder / "result.json").read_text().replace('"greedy"', '"other"', 1))


BROKEN = {
    "no manifest": (without("manifest.json"), "is no run folder"),
    "unfinished": (with_status, "is not finished (interrupted, 2,048 of 6,000 deals done); complete it with: tresdos resume "),
    "no result": (without("result.json"), "is not finished"),
    "half a manifest": (with_text("manifest.json", '{"format": 1, '), "manifest.json' is damaged"),
    "another manifest": (with_text("manifest.json", "{}"), "damaged or of another version ('status' is missing)"),
    "a list": (with_text("manifest.json", "[1]"), "it holds no JSON object"),
    "nested too deeply": (with_text("manifest.json", "[" * 100_000), "manifest.json' is damaged"),
    "half a result": (with_text("result.json", '{"format": 1'), "result.json' is damaged"),
    "bytes": (lambda folder: (folder / "result.json").write_bytes(b"\xff\xfe\x00"), "result.json' is damaged"),
    "changed behind its back": (tampered, "it is not what the run wrote"),
    "another format": (with_result(format=2), "has format 2; this version reads format 1"),
    "another kind": (with_result(kind="tournament"), "a question of the kind 'tournament'"),
    "no measures": (with_result(measures={}), "damaged or of another version"),
    "measures of another kind": (with_result(measures=[1]), "damaged or of another version"),
    "words for numbers": (with_result(details={"distributions": {}, "convergence": {"x": [{"deals": 1}]}}), "('value' is missing)"),
}


def places(data: Any, where: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in JSON data, of lists the first entry."""
    entries = list(data.items()) if isinstance(data, dict) else list(enumerate(data))[:1] if isinstance(data, list) else []
    return [place for key, inner in entries for place in ((*where, key), *places(inner, (*where, key)))]


def spoil(data: Any, place: tuple[str | int, ...], how: str) -> None:
    for key in place[:-1]:
        data = data[key]
    if how == "missing":
        del data[place[-1]]
    else:
        data[place[-1]] = {"none": None, "list": [[1]], "text": "x", "negative": -1, "empty": {}}[how]


class TestBrokenRuns:
    @pytest.mark.parametrize("what", BROKEN)
    @pytest.mark.parametrize("command", ["report", "chart"])
    def test_one_line_and_exit_code_2(self, runs: Runs, tmp_path: Path, what: str, command: str) -> None:
        breaks, said = BROKEN[what]
        folder = runs.fresh("seats", tmp_path / "run")
        breaks(folder)
        before = tree(folder)
        assert said in refused(tresdos(command, folder))
        assert tree(folder) == before

    @pytest.mark.parametrize("how", ["missing", "none", "list", "text", "negative", "empty"])
    @pytest.mark.parametrize("name", ["rotated", "compare", "words"])
    def test_damage_anywhere_is_noticed_or_harmless(self, runs: Runs, tmp_path: Path, name: str, how: str) -> None:
        folder = runs.fresh(name, tmp_path / "run")
        change(folder, "manifest.json", lambda manifest: manifest["files"].clear())
        noticed = 0
        for file in ("manifest.json", "result.json"):
            whole = (folder / file).read_text()
            for place in places(json.loads(whole)):
                data = json.loads(whole)
                spoil(data, place, how)
                (folder / file).write_text(json.dumps(data))
                try:
                    run = load_run(folder)
                except ReportError:
                    noticed += 1
                    continue
                assert answer(run).headline
                assert tables.csv_files(run)
                assert all(tables.behind(run, kind, m).rows for kind in available(run) for m in measures_of(run, kind))
                assert command_line(run)
            (folder / file).write_text(whole)
        assert noticed > 20

    def test_no_folder_at_all(self, tmp_path: Path) -> None:
        assert "is no run folder" in refused(tresdos("report", tmp_path / "nothing"))

    def test_loading_says_so_too(self, tmp_path: Path) -> None:
        with pytest.raises(ReportError, match="is no run folder"):
            load_run(tmp_path)


def refused(said: Said) -> str:
    """The one line that a command says before it ends with exit code 2."""
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("tresdos: ")
    assert said.err.count("\n") == 1
    return said.err


class TestReportCommand:
    def test_it_prints_the_paths(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("few", tmp_path / "run")
        said = tresdos("report", folder)
        paths = [Path(line) for line in said.out.splitlines()]
        assert said.code == 0
        assert paths[0] == folder / "report.html"
        assert all(path.is_file() for path in paths)
        assert said.err == f"tresdos: open {folder / 'report.html'} in a browser\n"

    def test_quiet(self, runs: Runs, tmp_path: Path) -> None:
        assert tresdos("report", runs.fresh("few", tmp_path / "run"), "--quiet").err == ""

    def test_a_folder_that_cannot_be_written(self, runs: Runs, tmp_path: Path) -> None:
        folder = runs.fresh("few", tmp_path / "run")
        (folder / "tables").write_text("in the way")
        assert f"cannot write into '{folder}'" in refused(tresdos("report", folder))


class TestChartCommand:
    def test_it_lists_the_charts(self, runs: Runs) -> None:
        said = tresdos("chart", runs.folder("seats"))
        assert said.code == 0
        listed = [line.split()[0] for line in said.out.splitlines()[1:] if not line.startswith(" ")]
        assert listed == available(runs.run("seats"))

    @pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
    def test_it_draws(self, runs: Runs, tmp_path: Path, ending: str) -> None:
        out = tmp_path / f"a.{ending}"
        said = tresdos("chart", runs.folder("players"), "--kind", "sweep", "--measure", "turns", "--out", out)
        assert said == Said(0, f"{out}\n", "")
        assert out.stat().st_size > 5000

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--kind", "rats", "--out", "a.png"], "no chart 'rats' (did you mean rates?); it has rates, distribution, ecdf, convergence"),
            (["--kind", "rates", "--measure", "win_rat", "--out", "a.png"], "no measure 'win_rat' (did you mean win_rate?)"),
            (["--kind", "rates", "--out", "a.gif"], "written as .png, .svg, .pdf"),
            (["--kind", "rates", "--out", "a"], "written as .png, .svg, .pdf"),
            (["--kind", "rates", "--out", "no/such/folder/a.png"], "cannot write 'no/such/folder/a.png': No such file or directory"),
            (["--kind", "rates"], "--out says where to write the chart"),
            (["--out", "a.png"], "--kind says which chart to draw"),
        ],
    )
    def test_what_cannot_be_drawn(
        self, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
    ) -> None:
        folder = runs.folder("seats")
        monkeypatch.chdir(tmp_path)
        assert message in refused(tresdos("chart", folder, *words))
        assert list(tmp_path.iterdir()) == []


class TestWords:
    def test_plurals(self) -> None:
        assert [plural(word) for word in ("hand", "match", "game")] == ["hands", "matches", "games"]
        assert [counted(n, "match") for n in (1, 2000)] == ["1 match", "2,000 matches"]

    def test_p(self) -> None:
        assert [p_text(p) for p in (0.5, 1e-9, None)] == ["= 0.5000", "< 0.0001", "n/a"]

    def test_numbers_stay_together_and_long_names_can_be_broken(self) -> None:
        assert str(breakable("28.1 ± 0.5 % of p < 0.0001")) == "28.1\xa0±\xa00.5\xa0% of p\xa0&lt;\xa00.0001"
        assert str(breakable("players=2 my/very_first_one:<b>")) == "players=2 my/<wbr>very_<wbr>first_<wbr>one:<wbr>&lt;b&gt;"


class TestTheHouse:
    def test_no_line_here_is_about_one_game(self) -> None:
        sources = [path.read_text() for path in FOLDER.rglob("*.*") if path.suffix in (".py", ".html", ".md", ".css", ".mplstyle")]
        assert len(sources) > 20
        for game in all_games().values():
            assert not [text for text in sources if game.name in text or game.title in text]

    def test_every_fixture_is_of_a_kind_that_is_reported(self) -> None:
        assert {command.split()[0] for command in COMMANDS.values()} == {"simulate", "compare", "variants"}
