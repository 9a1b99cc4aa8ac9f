"""The command line as its users meet it: wrong input, exit codes, formats, reproducibility, start-up."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def tresdos(*arguments: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tresdos", *arguments], capture_output=True, text=True, timeout=timeout, cwd=ROOT, check=False
    )


def result(*arguments: str) -> dict[str, Any]:
    """The JSON of a command that must succeed, with an otherwise clean stdout."""
    told = tresdos(*arguments, "--format", "json")
    assert told.returncode == 0, told.stderr
    found: dict[str, Any] = json.loads(told.stdout)
    return found


WRONG = [
    # arguments, a word that the message must contain
    (["gmes"], "games"),
    (["games", "tresydos"], "tres-y-dos"),
    (["simulate"], "GAME"),
    (["simulate", "poker"], "no game 'poker'"),
    (["simulate", "tres-y-dos", "--strategy", "gredy"], "greedy"),
    (["simulate", "tres-y-dos", "--strategy", "greedy:boldness=1"], "no parameter"),
    (["simulate", "tres-y-dos", "--strategy", "guarded:caution=99"], "out of range"),
    (["simulate", "tres-y-dos", "--strategy", "guarded:caution"], "caution"),
    (["simulate", "tres-y-dos", "--strategy", "greedy", "--lineup", "greedy,greedy"], "not both"),
    (["simulate", "tres-y-dos", "--lineup", "greedy,,greedy"], "empty"),
    (["simulate", "tres-y-dos", "--lineup", "greedy,greedy", "--players", "3"], "3 players"),
    (["simulate", "tres-y-dos", "--players", "8"], "2 to 7"),
    (["simulate", "tres-y-dos", "--players", "three"], "three"),
    (["simulate", "tres-y-dos", "--rule", "reshuffle"], "key=value"),
    (["simulate", "tres-y-dos", "--rule", "reshufle=lazy_all"], "reshuffle"),
    (["simulate", "tres-y-dos", "--rule", "reshuffle=never"], "keep_top"),
    (["simulate", "tres-y-dos", "--rule", "max_turns=0"], "1"),
    (["simulate", "tres-y-dos", "--rule", "stake=1", "--rule", "stake=2"], "twice"),
    (["simulate", "tres-y-dos", "--rule", "players=3", "--players", "4"], "contradicts"),
    (["simulate", "tres-y-dos", "--rule", "notice_prob=0.5", "--rule", "auto_show=false"], "notice_prob"),
    (["simulate", "tres-y-dos", "--strategy", "tips:show_fast=0.5"], "auto_show"),
    (["simulate", "tres-y-dos", "--preset", "house"], "preset"),
    (["simulate", "tres-y-dos", "--unit", "game"], "match"),
    (["simulate", "tres-y-dos", "--deals", "0"], "deals"),
    (["simulate", "tres-y-dos", "--deals", "-5"], "deals"),
    (["simulate", "tres-y-dos", "--deals", "many"], "whole number"),
    (["simulate", "tres-y-dos", "--seed", "-1"], "seed"),
    (["simulate", "tres-y-dos", "--jobs", "0"], "jobs"),
    (["simulate", "tres-y-dos", "--format", "xml"], "json"),
    (["simulate", "tres-y-dos", "--patience", "0"], "patience"),
    (["simulate", "tres-y-dos", "-players=4"], "-p"),
    (["simulate", "tres-y-dos", "--strategy", "nowhere.py:me"], "nowhere.py"),
    (["compare", "tres-y-dos"], "two or more"),
    (["compare", "tres-y-dos", "greedy"], "two or more"),
    (["compare", "tres-y-dos", "greedy", "outs", "--field", "greedy,greedy"], "other seats"),
    (["compare", "tres-y-dos", "greedy", "outs", "--measure", "turns"], "compare takes"),
    (["compare", "tres-y-dos", "greedy", "outs", "--measure", "winrate"], "win_rate"),
    (["variants", "tres-y-dos"], "--vary"),
    (["variants", "tres-y-dos", "--vary", "players"], "--vary"),
    (["variants", "tres-y-dos", "--vary", "players=7..2"], "range"),
    (["variants", "tres-y-dos", "--vary", "players=2,2"], "twice"),
    (["variants", "tres-y-dos", "--vary", "players=2..9"], "2 to 7"),
    (["variants", "tres-y-dos", "--vary", "tips:dont_feed=0,1", "--strategy", "greedy"], "tips"),
    (["trace", "tres-y-dos", "--deal", "-1"], "deal"),
    (["trace", "tres-y-dos", "--seating", "9"], "rotations"),
    (["trace", "tres-y-dos", "--format", "csv"], "json"),
    (["strategies", "whist"], "whist"),
]


@pytest.mark.parametrize(("arguments", "word"), WRONG, ids=[" ".join(a) for a, _ in WRONG])
def test_wrong_input_gets_one_clear_line_and_code_2(arguments: list[str], word: str) -> None:
    """K5-008: whatever is wrong, one line says what, and what would be right."""
    told = tresdos(*arguments)
    assert told.returncode == 2
    assert told.stdout == ""
    assert len(told.stderr.strip().splitlines()) == 1, told.stderr
    assert told.stderr.startswith("tresdos: ")
    assert word in told.stderr


def test_help_loads_nothing_heavy() -> None:
    """K4-031: the help answers without the compiler, pandas or Matplotlib."""
    code = (
        "import sys, tresdos.cli as c\n"
        "try: c.cli.main(['--help'], standalone_mode=False)\n"
        "finally: print(sorted(m for m in ('numba', 'pandas', 'matplotlib', 'scipy', 'numpy') if m in sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert told.stdout.strip().endswith("[]")
    assert "simulate" in told.stdout


@pytest.mark.parametrize(
    "command", ["games", "strategies", "simulate", "compare", "variants", "trace", "report", "chart", "resume", "runs", "run", "repeat"]
)
def test_every_command_explains_itself(command: str) -> None:
    """K5-002: what is listed is there, with an example."""
    told = tresdos(command, "--help")
    assert told.returncode == 0
    assert f"tresdos {command}" in told.stdout


def test_simulate_json_has_what_programs_need() -> None:
    """K5-001, K5-003, K5-004, K5-009: valid JSON on stdout, all settings in it, every seat's numbers."""
    found = result("simulate", "tres-y-dos", "--players", "4", "--strategy", "greedy", "--deals", "20000", "--seed", "1")
    assert {"game", "rules", "lineup", "seed", "deals", "unit", "version", "results", "timing", "table"} <= set(found)
    assert found["rules"]["reshuffle"] == "lazy_all"
    assert [row["seat"] for row in found["results"]] == [1, 2, 3, 4]
    for row in found["results"]:
        for measure in ("win_rate", "marbles"):
            assert set(row[measure]) == {"value", "se", "low", "high"}
            assert row[measure]["low"] < row[measure]["value"] < row[measure]["high"]
    assert {"turns", "void_rate", "dealt_win_rate", "reshuffles"} <= set(found["table"])
    assert {"seconds", "cpu_seconds", "hands", "hands_per_second", "hands_per_cpu_second"} <= set(found["timing"])
    assert sum(row["win_rate"]["value"] for row in found["results"]) + found["table"]["void_rate"]["value"] == pytest.approx(1)
    assert sum(row["marbles"]["value"] for row in found["results"]) == pytest.approx(0, abs=1e-12)


def test_compare_json_has_what_programs_need() -> None:
    """Levels, differences to the first and steps, with their errors, p, vrf and ess; the verdict in a sentence."""
    found = result("compare", "tres-y-dos", "greedy", "outs", "guarded", "--deals", "3000", "--seed", "1")
    first, second, third = found["results"]
    assert first["difference"] is None and first["step"] is None
    assert set(third["difference"]) == {"value", "se", "low", "high", "p", "vrf", "ess"}
    assert second["difference"]["value"] == pytest.approx(second["win_rate"]["value"] - first["win_rate"]["value"])
    assert third["step"]["value"] == pytest.approx(third["win_rate"]["value"] - second["win_rate"]["value"])
    assert found["design"] == {"deals": 3000, "games": 3 * 4 * 3000}
    assert "beats greedy" in found["verdict"]


def test_same_seed_same_bytes_for_any_number_of_jobs() -> None:
    """K3-007 to K3-009: the seed alone decides; threads change nothing but the timing."""
    command = ["compare", "tres-y-dos", "guarded", "outs", "random", "--deals", "2500", "--format", "json"]
    told = []
    for jobs in ("1", "2", "7"):
        found = json.loads(tresdos(*command, "--seed", "5", "--jobs", jobs).stdout)
        del found["timing"]
        told.append(json.dumps(found))
    assert told[0] == told[1] == told[2]
    other = json.loads(tresdos(*command, "--seed", "6").stdout)
    assert other["results"] != json.loads(told[0])["results"]


def test_without_a_seed_a_fresh_one_is_drawn_and_told() -> None:
    """K3-005, K3-011: runs without a seed differ, and say how to get them back."""
    command = ["simulate", "tres-y-dos", "--deals", "500"]
    one, two = result(*command), result(*command)
    assert one["seed"] != two["seed"]
    again = result(*command, "--seed", str(one["seed"]))
    assert again["results"] == one["results"]


def test_the_same_strategy_differs_by_exactly_nothing() -> None:
    """A standard error of zero is said, not divided by."""
    told = tresdos("compare", "tres-y-dos", "greedy", "greedy", "--deals", "500", "--seed", "1")
    assert "no difference at all" in told.stdout
    assert "no spread" in told.stdout
    found = result("compare", "tres-y-dos", "greedy", "greedy", "--deals", "500", "--seed", "1")
    assert found["results"][1]["difference"]["value"] == 0
    assert found["results"][1]["difference"]["p"] is None


def test_few_deals_give_no_interval() -> None:
    """Below 30 units low and high are null."""
    found = result("simulate", "tres-y-dos", "--deals", "20", "--seed", "1")
    assert found["results"][0]["win_rate"]["low"] is None
    assert found["results"][0]["win_rate"]["value"] is not None


def test_csv_names_survive_commas_and_carry_the_settings() -> None:
    """K5-003, K5-006: a table that pandas and people can read alone."""
    told = tresdos(
        "simulate", "tres-y-dos", "--lineup", "guarded:tolerance=1:caution=1,greedy", "--deals", "400", "--seed", "3", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(told.stdout)))
    assert rows[0]["strategy"] == "guarded:tolerance=1:caution=1"
    assert {row["seed"] for row in rows} == {"3"}
    assert float(rows[0]["low"]) <= float(rows[0]["value"]) <= float(rows[0]["high"])


def test_markdown_is_a_table() -> None:
    """A page can take the output as it is."""
    told = tresdos("compare", "tres-y-dos", "greedy", "outs", "--deals", "400", "--seed", "3", "--format", "md")
    assert "| strategy | win_rate |" in told.stdout


def test_rotation_reports_every_chair() -> None:
    """K3-034: everybody plays every seat equally often; levels by strategy, and by strategy and seat."""
    found = result("simulate", "tres-y-dos", "--lineup", "outs,greedy,greedy", "--rotate", "--deals", "1500", "--seed", "2")
    assert [row["player"] for row in found["results"]] == [1, 2, 3]
    assert len(found["by_seat"]) == 9
    mine = [row["win_rate"]["value"] for row in found["by_seat"] if row["player"] == 1]
    assert sum(mine) / 3 == pytest.approx(found["results"][0]["win_rate"]["value"])


def test_trace_tells_the_hand_that_was_counted() -> None:
    """K5-017, K3-069: the hand of a seed can be printed, in words and as data, and is the one that bulk play counted."""
    words = tresdos("trace", "tres-y-dos", "--seed", "1", "--deal", "3", "--strategy", "greedy")
    assert words.returncode == 0
    assert "tres y dos!" in words.stdout
    data = result("trace", "tres-y-dos", "--seed", "1", "--deal", "3", "--strategy", "greedy")
    assert data["events"][0]["event"] == "hand"
    winner = [event["seat"] for event in data["events"] if event["event"] == "win"]
    assert data["outcome"]["won"][winner[0] - 1] == 840


def test_ctrl_c_keeps_what_is_finished() -> None:
    """K4-030, K5-014: an interrupted run stops within seconds, reports what it has, and says so with code 130."""
    tresdos("simulate", "tres-y-dos", "--deals", "100", "--seed", "1")  # compiled beforehand
    process = subprocess.Popen(
        [sys.executable, "-m", "tresdos", "simulate", "tres-y-dos", "--deals", "1000000000", "--seed", "1", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    found = json.loads(out)
    assert 0 < found["deals"] < 1_000_000_000
    assert sum(row["win_rate"]["value"] for row in found["results"]) > 0.99


def test_a_pipe_that_closes_early_is_no_error() -> None:
    """Output may go to head."""
    command = f"{sys.executable} -m tresdos games tres-y-dos | head -n 1"
    told = subprocess.run(
        command, shell=True, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1"}, check=False
    )
    assert "Traceback" not in told.stderr
    assert told.stdout.startswith("Tres y Dos")


@pytest.mark.parametrize("game", ["tres-y-dos", "pusoy-dos"])
def test_games_and_strategies_describe_themselves_in_every_format(game: str) -> None:
    """K5-022: what exists, what it takes, where it comes from."""
    assert result("games", game)["game"] == game
    names = {s["name"] for s in result("strategies", game)["strategies"][game]}
    assert {"random"} <= names
    for style in ("table", "md", "csv"):
        assert tresdos("games", game, "--format", style).returncode == 0
        assert tresdos("strategies", game, "--format", style).returncode == 0
