"""Questions in TOML files: read as they were written, and refused in one line when anything is wrong with them."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.question import COMMON, LARGEST_DEALS, LARGEST_SEED, OWN, PARTS, Question
from reports.charts import KINDS
from sim.errors import UsageError
from tests.commands import kept, tree, tresdos
from tresdos import options
from tresdos.questions import DEALS, ROWS, STYLES, Wishes, read_question, to_toml

GAME = "tres-y-dos"

SIMULATE: dict[str, Any] = {"kind": "simulate", "game": GAME, "deals": 100, "seed": 1, "strategy": "greedy"}
COMPARE: dict[str, Any] = {"kind": "compare", "game": GAME, "deals": 100, "seed": 1, "candidates": ["greedy", "random"]}
VARIANTS: dict[str, Any] = {"kind": "variants", "game": GAME, "deals": 100, "seed": 1, "vary": {"players": ["2", "3"]}}


def write(path: Path, question: dict[str, Any]) -> Path:
    path.write_bytes(tomli_w.dumps(question).encode())
    return path


# --- what is right ---------------------------------------------------------------------------------------------------

words = st.text(st.characters(min_codepoint=32, exclude_categories=["C", "Z"]), min_size=1, max_size=12)
lists = st.lists(words, min_size=1, max_size=4).map(tuple)
scalars = st.one_of(words, st.booleans(), st.integers(-(2**63) + 1, 2**63 - 1), st.floats(allow_nan=False), lists.map(list))
common = st.fixed_dictionaries(
    {"game": words, "deals": st.integers(1, LARGEST_DEALS), "seed": st.integers(0, LARGEST_SEED)},
    optional={"unit": words, "preset": words, "rules": st.dictionaries(words, scalars, min_size=1, max_size=3)},
)
own = {
    "simulate": st.one_of(
        st.fixed_dictionaries({"kind": st.just("simulate")}, optional={"strategy": words, "rotate": st.booleans()}),
        st.fixed_dictionaries({"kind": st.just("simulate"), "lineup": lists}),
    ),
    "compare": st.fixed_dictionaries({"kind": st.just("compare"), "candidates": lists}, optional={"field": lists, "measures": lists}),
    "variants": st.fixed_dictionaries(
        {"kind": st.just("variants"), "vary": st.dictionaries(words, st.sets(words, min_size=1).map(tuple), min_size=1, max_size=3)},
        optional={"lineup": lists, "measures": lists},
    ),
}
questions = st.builds(lambda a, b: Question(**a, **b), common, st.one_of(*own.values()))
wishes = st.one_of(
    st.just(Wishes()),
    st.builds(
        Wishes,
        words,
        st.sampled_from([None, *ROWS]),
        st.sampled_from(STYLES),
        st.lists(st.sampled_from(list(KINDS)), unique=True).map(tuple),
    ),
)


@settings(deadline=None)
@given(questions, wishes)
def test_a_question_comes_back_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, question: Question, wished: Wishes) -> None:
    path = tmp_path_factory.getbasetemp() / "question.toml"
    path.write_text(to_toml(question, wished), encoding="utf-8")
    assert read_question(path) == (question, wished)
    assert Question.from_dict(question.to_dict()) == question


@pytest.mark.parametrize("seed", [0, 1, LARGEST_SEED])
def test_a_seed_is_never_left_out(seed: int) -> None:
    assert Question("simulate", GAME, 1, seed).to_dict()["seed"] == seed


def test_deals_and_seed_may_be_left_open(tmp_path: Path) -> None:
    for question in (SIMULATE, COMPARE, VARIANTS):
        given_ = {name: value for name, value in question.items() if name not in ("deals", "seed")}
        first, _ = read_question(write(tmp_path / "question.toml", given_))
        second, _ = read_question(tmp_path / "question.toml")
        assert first.deals == DEALS[question["kind"]]
        assert first.seed != second.seed


def test_what_is_varied_may_be_written_as_typed(tmp_path: Path) -> None:
    for values in ("2..4", "2,3,4", [2, 3, 4], ["2", "3", "4"]):
        asked, _ = read_question(write(tmp_path / "question.toml", {**VARIANTS, "vary": {"players": values}}))
        assert asked.vary == {"players": ("2", "3", "4")}
    asked, _ = read_question(write(tmp_path / "question.toml", {**VARIANTS, "vary": {"auto_show": [True, False]}}))
    assert asked.vary == {"auto_show": ("true", "false")}


def test_flags_and_files_have_the_same_limits() -> None:
    assert (LARGEST_DEALS, LARGEST_SEED) == (options.LARGEST_DEALS, options.LARGEST_SEED)
    assert set(PARTS) == {*COMMON, *(name for names in OWN.values() for name in names)}


@pytest.mark.parametrize(
    "typed",
    [
        ["simulate", GAME, "--lineup", "greedy,outs,random", "--rotate", "--deals", "200", "--rule", "tie_rule=split"],
        ["compare", GAME, "greedy", "outs", "--field", "random", "--players", "3", "--unit", "match", "--measure", "hands_won"],
        ["variants", GAME, "--vary", "players=2..3", "--vary", "reshuffle=lazy_all,keep_top", "--strategy", "outs", "--measure", "turns"],
    ],
)
def test_a_printed_question_gives_the_same_result(typed: list[str], tmp_path: Path) -> None:
    typed = [*typed, "--deals", "200", "--seed", "7"]
    printed = tresdos(*typed, "--print-config")
    assert (printed.code, printed.err) == (0, "")
    (tmp_path / "question.toml").write_text(printed.out)
    assert tresdos(*typed, "--out", tmp_path / "typed").code == 0
    assert tresdos("run", tmp_path / "question.toml", "--out", tmp_path / "read").code == 0
    assert kept(tmp_path / "typed") == kept(tmp_path / "read")


def test_a_printed_question_holds_its_seed_and_plays_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    said = tresdos("simulate", GAME, "--out", out, "--hands", "csv", "--format", "json", "--print-config")
    found = tomllib.loads(said.out)
    assert found.pop("seed") >= 0
    assert found == {"kind": "simulate", "game": GAME, "deals": 100_000, "out": str(out), "hands": "csv", "format": "json"}
    assert not out.exists()


def test_a_printed_question_is_a_right_one() -> None:
    said = tresdos("simulate", GAME, "--strategy", "gredy", "--print-config")
    assert (said.code, said.out) == (2, "")
    assert "did you mean greedy?" in said.err


def test_a_file_decides_what_flags_do_not(tmp_path: Path) -> None:
    asked = {**SIMULATE, "out": str(tmp_path / "a"), "hands": "csv", "format": "csv", "charts": ["rates", "convergence"]}
    write(tmp_path / "question.toml", asked)
    said = tresdos("run", tmp_path / "question.toml")
    assert said.out.startswith("game,unit,seed,deals")
    assert [p.name for p in (tmp_path / "a" / "frames").iterdir()] == ["hands-00000.csv"]
    assert '"convergence"' in (tmp_path / "a" / "manifest.json").read_text()
    said = tresdos("run", tmp_path / "question.toml", "--out", tmp_path / "b", "--hands", "--format", "json")
    assert said.out.startswith("{")
    assert [p.name for p in (tmp_path / "b" / "frames").iterdir()] == ["hands-00000.parquet"]


def test_printing_a_file_completes_it(tmp_path: Path) -> None:
    write(tmp_path / "question.toml", {"kind": "simulate", "game": GAME})
    printed = tomllib.loads(tresdos("run", tmp_path / "question.toml", "--print-config").out)
    assert printed["deals"] == DEALS["simulate"] and "seed" in printed


# --- what is wrong ---------------------------------------------------------------------------------------------------

WRONG_VALUES: dict[str, list[Any]] = {
    "kind": ["simulat", "", 3, True, ["simulate"], {"a": 1}, "trace"],
    "game": ["tres_y_dos", "", 3, "x" * 5000, "a\nb", "a\0b", ["tres-y-dos"], "../etc"],
    "deals": [0, -1, 1.5, 1e6, "100", True, [], 10**16, 10**30, float("nan"), float("inf")],
    "seed": [-1, 1.0, "1", False, 2**63, 10**400],
    "unit": ["hnad", "", 1, ["hand"]],
    "preset": ["none-such", 7, "\x1b[31m"],
    "rules": [
        {"player": 3},
        {"players": 9},
        {"players": -2},
        {"players": 2.5},
        {"players": [2, 3]},
        {"players": True},
        {"players": {"a": 1}},
        {"notice_prob": 0},
        {"notice_prob": float("nan")},
        {"notice_prob": float("inf")},
        {"notice_prob": 10**400},
        {"tie_rule": "splitt"},
        {"tie_rule": ["split"]},
        {"auto_show": 1},
        {"auto_show": "maybe"},
        {"auto_show": False, "notice_prob": 0.5},
        {"stake": 10**18},
        {"": 1},
        {},
        [],
        "players=3",
        7,
    ],
    "strategy": ["gredy", "", "greedy:", "greedy:nothing=1", 5, ["greedy"], "/no/such/file.py", "x" * 300, "nothing.py:x", "a/" * 1500],
    "lineup": [["greedy"], [], ["greedy", ""], ["greedy,outs", "random"], "greedy,outs", ["greedy", 3], [["greedy"]], {"a": "greedy"}],
    "rotate": ["yes", 1, 0, []],
    "candidates": [["greedy"], [], "greedy,outs", ["greedy", "outts"], ["greedy", 4]],
    "field": [["greedy", "outs"], [], ["nobody"], 3],
    "measures": [["win_rat"], ["turns"], ["win_rate", "marbles"], [], "win_rate", [3]],
    "vary": [
        {},
        {"players": []},
        {"players": ["2", "2"]},
        {"players": [2, "2"]},
        {"players": "7..2"},
        {"players": "2..x"},
        {"players": "1..1000000"},
        {"players": 3},
        {"players": [[2]]},
        {"player": ["2", "3"]},
        {"greedy:nothing": ["1", "2"]},
        {"nobody:x": ["1", "2"]},
        {"stake": "1..1000", "max_turns": "1..1000"},
        ["players"],
        "players=2,3",
    ],
    "out": ["", 3, ["a"], "a\nb", True],
    "hands": ["parquett", True, 1, ""],
    "format": ["tabel", "", 3, "html"],
    "charts": [[], "rates", [3], [""], ["bars"]],
    "sed": [1],
    "Seed": [1],
    "run": [{"kind": "simulate"}],
}
"""By key: values that no question may have."""

FITTING = {"candidates": COMPARE, "field": COMPARE, "measures": COMPARE, "vary": VARIANTS}

FOREIGN = [
    {**SIMULATE, "candidates": ["greedy", "outs"]},
    {**SIMULATE, "vary": {"players": ["2", "3"]}},
    {**SIMULATE, "measures": ["turns"]},
    {**SIMULATE, "lineup": ["greedy", "outs"]},
    {**COMPARE, "lineup": ["greedy", "outs"]},
    {**COMPARE, "rotate": True},
    {**COMPARE, "vary": {"players": ["2", "3"]}},
    {**VARIANTS, "rotate": True},
    {**VARIANTS, "candidates": ["greedy", "outs"]},
    {**VARIANTS, "lineup": ["greedy", "outs"]},
    {**SIMULATE, "hands": "csv"},
    {**SIMULATE, "charts": ["rates"]},
    *({n: value for n, value in question.items() if n != lacking} for question in (SIMULATE, COMPARE) for lacking in ("kind", "game")),
    {name: value for name, value in COMPARE.items() if name != "candidates"},
    {name: value for name, value in VARIANTS.items() if name != "vary"},
]

TEXTS = [
    b"",
    b"# nothing but a remark\n",
    b"kind",
    b"kind = ",
    b"kind = simulate",
    b"[[kind]]",
    b"\xff\xfe\x00",
    b"\x00" * 100,
    b'kind = "simulate"\nkind = "compare"',
    b"a = " + b"[" * 5000,
    b"a = " + b"{a = " * 5000,
    b"a = " + b"9" * 5000,
    b'kind = "simulate"\ngame = "tres-y-dos"\nseed = 1979-05-27',
    b'kind = "simulate"\ngame = "tres-y-dos"\n[rules]\nplayers = 07:32:00',
    b"#" * 2_000_000,
]


def wrong_files() -> Iterator[bytes]:
    yield from TEXTS
    for name, values in WRONG_VALUES.items():
        for value in values:
            question = {**FITTING.get(name, SIMULATE), name: value}
            if name == "lineup":
                del question["strategy"]
            yield tomli_w.dumps(question).encode()
    for question in FOREIGN:
        yield tomli_w.dumps(question).encode()


WRONG = list(wrong_files())


def test_there_are_many_wrong_files() -> None:
    assert len({*WRONG}) == len(WRONG) > 150


@pytest.mark.parametrize("data", WRONG, ids=lambda data: repr(data[-40:]))
def test_a_wrong_file_is_refused_in_one_line(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "question.toml").write_bytes(data)
    before = tree(tmp_path)
    said = tresdos("run", "question.toml")
    told = [line for line in said.err.splitlines() if not line.startswith("tresdos: runs code from ")]
    assert (said.code, said.out, len(told)) == (2, "", 1), said
    assert told[0].startswith("tresdos: ") and told[0].isprintable()
    assert tree(tmp_path) == before


@pytest.mark.parametrize(("wrong", "right"), [("sed", "seed"), ("lineupp", "lineup"), ("rule", "rules"), ("chart", "charts")])
def test_an_unknown_key_is_told_with_the_nearest_right_one(wrong: str, right: str, tmp_path: Path) -> None:
    said = tresdos("run", write(tmp_path / "question.toml", {**SIMULATE, wrong: 1}))
    assert f"no key '{wrong}' (did you mean {right}?)" in said.err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "there is no such file"),
        ("folder", "is not a file"),
        ("empty", "is empty"),
        ("latin", "is not text in UTF-8"),
        ("large", "is too large to be a question"),
        ("deep", "is not TOML that can be read"),
        ("broken", "is not TOML: Expected '=' after a key in a key/value pair (at line 2, "),
        ("nameless", "a question needs a 'kind'"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    contents = {
        "empty": b"",
        "latin": "kind = 'ü'".encode("latin-1"),
        "large": b"#" * 2_000_000,
        "deep": b"a = " + b"[" * 5000,
        "broken": b"a = 1\nb 2\n",
        "nameless": b'game = "tres-y-dos"',
    }
    if name in contents:
        (tmp_path / name).write_bytes(contents[name])
    said = tresdos("run", tmp_path / name)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(f"tresdos: {tmp_path / name}: {message}")


def test_a_strange_value_is_refused_by_name() -> None:
    for name in ("kind", "deals", "seed", "rotate"):
        for value in WRONG_VALUES[name]:
            with pytest.raises(UsageError, match=name):
                Question.from_dict({**SIMULATE, name: value})


# --- whose code is run -----------------------------------------------------------------------------------------------


def test_a_strategy_file_is_named_before_it_runs(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text("import sys\nprint('here I am', file=sys.stderr)\nraise SystemExit\n")
    write(tmp_path / "question.toml", {**SIMULATE, "strategy": "theirs.py:x"})
    root = Path(__file__).resolve().parent.parent
    program = f"import sys; sys.path.insert(0, {str(root)!r}); from tresdos.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "run", "question.toml", "--quiet"], cwd=tmp_path, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    assert done.returncode == 2
    assert lines[:2] == [f"tresdos: runs code from {tmp_path / 'theirs.py'}", "here I am"]


def test_a_question_without_strategy_files_runs_no_code_of_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("greedy.py", "sitecustomize.py", "conftest.py", "tresdos_plugin.py"):
        (tmp_path / name).write_text("raise SystemExit('must not run')\n")
    monkeypatch.chdir(tmp_path)
    said = tresdos("run", write(tmp_path / "question.toml", SIMULATE))
    assert said.code == 0
    assert "runs code" not in said.err
