"""From text to players: names, line-ups, files, packages, and every way in which they can be wrong."""

import importlib
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tresdos
from sim.arm import Arm
from sim.errors import UsageError
from sim.game import Game, find_game
from sim.plan import Plan, Value
from sim.runner import run
from sim.strategy import Parameter, Strategy, set_parameters
from strategies.loader import built_in, describe, load_lineup, load_player
from strategies.plugin_files import load_module

ROOT = Path(__file__).resolve().parent.parent
HEAD = "import numpy as np\nimport tresdos as td\n"
MINE = "\nmine = td.Strategy('tres-y-dos', 'mine', 'x', {'draw': draw})\n"
DRAW = "def draw(view):\n    return 0\n"

Write = Callable[..., Path]


@pytest.fixture
def game() -> Game:
    """Tres y Dos."""
    return find_game("tres-y-dos")


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty working folder."""
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


def refusal(game: Game, text: str) -> str:
    """The one line with which a text is refused."""
    with pytest.raises(UsageError) as caught:
        load_player(game, text)
    message = str(caught.value)
    assert "\n" not in message
    return message


def plays(game: Game, text: str, rules: dict[str, Any] | None = None, units: int = 200) -> list[int]:
    """Turns and won shares when a player sits in every seat."""
    arm = Arm(game, game.make_rules(rules or {}), (load_player(game, text),) * 4)
    values = (Value(0, "turns"), *(Value(0, "won", seat=seat) for seat in range(4)))
    outcome = run(Plan((arm,), game.unit("hand"), 1, values, ()), units, jobs=1)
    assert outcome.fault is None
    return list(outcome.totals.sums)


# Names ------------------------------------------------------------------------------------------------------------


def test_a_built_in_strategy_is_found_by_name(game: Game) -> None:
    player = load_player(game, " greedy ")
    assert player.strategy is built_in("tres-y-dos")["greedy"]
    assert (player.label, player.prefix) == ("greedy", "")
    assert load_player(game, "greedy") == player
    tips = load_player(game, "tips:count_cards=1:dont_feed=0")
    assert tips.label == "tips:dont_feed=0"
    assert (tips.values["dont_feed"], tips.values["count_cards"]) == (0, 1)


def test_a_file_called_like_a_strategy_is_no_hindrance(game: Game, write: Write) -> None:
    write("greedy", "")
    write("greedy.py", HEAD + DRAW + MINE)
    assert load_player(game, "greedy").label == "greedy"


def test_every_built_in_strategy_belongs_to_its_game(game: Game) -> None:
    found = built_in(game.name)
    assert game.default_strategy in found
    assert {strategy.game for strategy in found.values()} == {game.name}
    assert {strategy.origin for strategy in found.values()} == {"built in"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gredy", "no strategy 'gredy' (did you mean greedy?); its strategies are"),
        ("", "'' names no strategy; its strategies are"),
        (":caution=1", "names no strategy"),
        ("greedy:caution", "'caution' is not parameter=value"),
        ("greedy:=1", "'=1' is not parameter=value"),
        ("greedy:caution=1", "strategy greedy has no parameter 'caution'"),
    ],
)
def test_a_wrong_name_is_refused(game: Game, text: str, message: str) -> None:
    assert message in refusal(game, text)


def test_a_lineup_names_one_player_for_each_seat(game: Game, write: Write) -> None:
    write("mine.py", HEAD + DRAW + MINE)
    players = load_lineup(game, "greedy, mine.py:mine,greedy ,mine.py")
    assert [player.label for player in players] == ["greedy", "mine.py:mine", "greedy", "mine.py:mine"]
    assert players[0] == players[2] and players[1] == players[3]


@pytest.mark.parametrize(("text", "place"), [("greedy,,greedy", 2), ("greedy, ", 2), ("", 1), (",greedy", 1)])
def test_an_empty_entry_of_a_lineup_is_refused(game: Game, text: str, place: int) -> None:
    with pytest.raises(UsageError, match=f"entry {place} is empty"):
        load_lineup(game, text)


# Strategies and parameters -----------------------------------------------------------------------------------------


def test_parameters_are_set_and_shown_in_full(game: Game, write: Write) -> None:
    parameters = "{'caution': td.Parameter(1, 0, 10, 'x'), 'depth': td.Parameter(2, 1, 4, 'x', whole=True)}"
    write("mine.py", HEAD + DRAW + f"mine = td.Strategy('tres-y-dos', 'mine', 'x', {{'draw': draw}}, {parameters})\n")
    player = load_player(game, "mine.py:mine:caution=0.123456789: depth = 3")
    assert dict(player.values) == {"caution": 0.123456789, "depth": 3.0}
    assert player.label == "mine.py:mine:caution=0.123456789:depth=3"
    assert load_player(game, player.label) == player
    assert load_player(game, "mine.py:depth=2").label == "mine.py:mine"
    for text, message in [
        ("caution=11", "out of range; allowed: 0 to 10"),
        ("caution=nan", "out of range"),
        ("depth=1.5", "allowed: whole number, 1 to 4"),
        ("depth=inf", "out of range"),
        ("depth=two", "is not a number"),
        ("dept=2", "no parameter 'dept' (did you mean depth?)"),
        ("depth=2:depth=3", "sets depth twice"),
    ]:
        assert message in refusal(game, f"mine.py:mine:{text}")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "two words"}, "no blank"),
        ({"name": "a:b"}, "none of : , = /"),
        ({"name": ""}, "is no name"),
        ({"decisions": {}}, "decides nothing"),
        ({"memory": -1}, "memory is -1 words"),
        ({"parameters": {"p": 3}}, "parameter p is of type int, not a Parameter"),
        (
            {"parameters": {f"p{i}": Parameter(0, 0, 1, "") for i in range(17)}},
            "17 parameters, but a view has room for 16",
        ),
    ],
)
def test_a_strategy_that_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        Strategy(**{"game": "tres-y-dos", "name": "a", "about": "", "decisions": {"draw": len}, **changes})


def test_a_default_outside_its_range_is_refused() -> None:
    with pytest.raises(UsageError, match="default of 3 is outside its own range, 0 to 1"):
        Parameter(3, 0, 1, "x")


def test_what_a_strategys_own_check_raises_is_bad_usage(game: Game) -> None:
    def check(rules: Any, values: Any) -> None:
        raise ZeroDivisionError("nobody\nknows")

    player = set_parameters(Strategy("tres-y-dos", "a", "", {"draw": len}, check=check), {})
    with pytest.raises(UsageError, match=r"its check raised ZeroDivisionError: nobody knows \(.*test_loader.py, line"):
        Arm(game, game.make_rules({}), (player,) * 4)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("lambda rules, values: 1 / 0", "its tables function raised ZeroDivisionError: division by zero ("),
        ("lambda rules, values: ['a', None]", "must give an array of numbers, not object"),
    ],
    ids=itertools.count(1),
)
def test_wrong_tables_are_refused_before_play(game: Game, write: Write, tables: str, message: str) -> None:
    write("mine.py", HEAD + DRAW + f"mine = td.Strategy('tres-y-dos', 'mine', 'x', {{'draw': draw}}, tables={tables})\n")
    with pytest.raises(UsageError, match=re.escape(message)):
        plays(game, "mine.py")


# Files ------------------------------------------------------------------------------------------------------------

TWO = DRAW + ("a = td.Strategy('tres-y-dos', 'careful', 'x', {'draw': draw})\nb = td.Strategy('tres-y-dos', 'bold', 'x', {'draw': draw})\n")


def test_a_strategy_in_a_file_goes_by_its_own_or_its_variables_name(game: Game, write: Write) -> None:
    path = write("deep/my own-strategy.py", HEAD + TWO)
    careful = load_player(game, "deep/my own-strategy.py:careful")
    assert careful.strategy.name == "careful"
    assert careful.strategy.origin == careful.prefix == "deep/my own-strategy.py"
    assert careful == load_player(game, "deep/my own-strategy.py:a") == load_player(game, f"{path}:careful")
    assert load_player(game, "deep/my own-strategy.py:b").label == "deep/my own-strategy.py:bold"


@pytest.mark.parametrize(
    ("body", "text", "message"),
    [
        (DRAW + MINE, "nine.py:mine", "nine.py does not exist (did you mean mine.py?)"),
        (DRAW + MINE, "no/such/folder/mine.py:mine", "no/such/folder/mine.py does not exist"),
        (DRAW + MINE, "C:\\x\\mine.py:careful:caution=2", "C:\\x\\mine.py does not exist"),
        (DRAW + MINE, "folder.py:mine", "folder.py is a folder, not a file"),
        (DRAW + MINE, "./mine.txt:mine", "./mine.txt is not a Python file: its name must end in .py"),
        (DRAW + MINE, "C:\\x\\mine.txt:careful", "C:\\x\\mine.txt is not a Python file"),
        (DRAW + MINE, "mine.txt:mine", "mine.txt is not a Python file"),
        (DRAW + MINE, "mine", "no strategy 'mine' (mine.py is a file: write mine.py)"),
        (DRAW + MINE, "mine.py:", "there is no name after mine.py:"),
        (
            DRAW + MINE,
            "mine.py:mien",
            "mine.py has no strategy 'mien' (did you mean mine?); it holds the strategy mine",
        ),
        (TWO, "mine.py", "mine.py holds the strategies careful, bold; name one: mine.py:careful"),
        (TWO.replace("bold", "careful"), "mine.py:careful", "holds 2 strategies named 'careful'"),
        (DRAW, "mine.py", "mine.py holds no strategy; to make one, td being tresdos: careful = td.Strategy("),
        (DRAW, "mine.py:mine", "mine.py has no strategy 'mine'; it holds no strategy"),
        (
            DRAW + MINE,
            "mine.py:draw",
            "'draw' is a function, not a Strategy; mine.py holds the strategy mine; to make one",
        ),
        ("mine = 3", "mine.py:mine", "'mine' is a int, not a Strategy; mine.py holds no strategy"),
        (DRAW + MINE.replace("tres-y-dos", "pusoy-dos"), "mine.py", "mine is a strategy for pusoy-dos"),
        (
            DRAW + MINE.replace("tres-y-dos", "tres-y-do"),
            "mine.py:mine",
            "which does not exist (did you mean tres-y-dos?), not for tres-y-dos",
        ),
        ("def draw(view)\n    return 0", "mine.py", "mine.py, line 3: SyntaxError: expected ':'"),
        ("\n1 / 0", "mine.py", "mine.py, line 4: ZeroDivisionError: division by zero"),
        (
            "import no_such_module_anywhere",
            "mine.py",
            "line 3: ModuleNotFoundError: No module named 'no_such_module_anywhere'",
        ),
        ("import sys\nsys.exit(3)", "mine.py", "mine.py, line 4: SystemExit: 3"),
        (
            "td.Strateg()",
            "mine.py",
            "line 3: AttributeError: module 'tresdos' has no attribute 'Strateg' (did you mean Strategy?)",
        ),
        (
            "mine = td.Strategy('tres-y-dos', 'mine', 'x')",
            "mine.py",
            "line 3: TypeError: Strategy.__init__() missing 1",
        ),
        ("mine = td.Strategy('tres-y-dos', 'a b', 'x', {1: 2})", "mine.py", "mine.py, line 3: 'a b' is no name"),
    ],
    ids=itertools.count(1),
)
def test_what_is_wrong_with_a_file_is_said(game: Game, write: Write, body: str, text: str, message: str) -> None:
    write("mine.py", HEAD + body)
    write("mine.txt", "nothing")
    write("folder.py/empty.txt", "")
    assert message in refusal(game, text)


def test_an_error_in_a_neighbour_names_the_neighbour(game: Game, write: Write) -> None:
    write("mine.py", "import helpers\n")
    path = write("helpers.py", "a = 1\nb = nothing\n")
    assert f"{path}, line 2: NameError: name 'nothing' is not defined" in refusal(game, "mine.py")
    write("helpers.py", "a = (1\n")
    assert f"{path}, line 1: SyntaxError" in refusal(game, "mine.py")


def test_what_a_file_prints_when_imported_goes_to_stderr(game: Game, write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("mine.py", HEAD + "print('hello')\n" + DRAW + MINE)
    load_player(game, "mine.py")
    assert capsys.readouterr() == ("", "hello\n")


def test_a_file_is_loaded_anew_only_when_something_changed(game: Game, write: Write) -> None:
    path = write("mine.py", HEAD + "import helpers\n" + DRAW + MINE)
    write("helpers.py", "x = 1\n")
    first = load_module(path, "mine.py")
    player = load_player(game, "mine.py")
    assert load_module(path, "mine.py") is first
    assert load_player(game, "mine.py").strategy is player.strategy
    write("helpers.py", "x = 2\n")  # of the same size and perhaps the same second
    second = load_module(path, "mine.py")
    assert second is not first
    assert (first.helpers.x, second.helpers.x) == (1, 2)
    write("mine.py", HEAD + "y = 2\n" + DRAW + MINE)
    assert load_module(path, "mine.py").y == 2
    assert load_player(game, "mine.py") != player


def test_a_broken_file_can_be_mended(game: Game, write: Write) -> None:
    write("mine.py", HEAD + "oops\n" + DRAW + MINE)
    assert "NameError" in refusal(game, "mine.py")
    write("mine.py", HEAD + DRAW + MINE)
    assert load_player(game, "mine.py").label == "mine.py:mine"


def test_files_are_islands(write: Write) -> None:
    """Each has its own neighbours, nothing gets a public name, and the standard library stays what it is."""
    path, names = list(sys.path), set(sys.modules)
    text = "import random\nimport helpers\nimport pack.sub\nfrom pack import sub\nfrom . import helpers as same\n"
    modules = []
    for folder in ("one", "two"):
        write(f"{folder}/helpers.py", f"import more\nx = '{folder}'\n")
        write(f"{folder}/more.py", "")
        write(f"{folder}/random.py", "raise RuntimeError('not this one')\n")
        write(f"{folder}/pack/__init__.py", "")
        write(f"{folder}/pack/sub.py", "import helpers\n")
        modules.append(load_module(write(f"{folder}/mine.py", text), "mine.py"))
    one, two = modules
    assert (one.helpers.x, two.helpers.x) == ("one", "two")
    assert one.helpers is one.same is one.sub.helpers is one.pack.sub.helpers
    import random

    assert one.random is random
    assert sys.path == path
    assert all(name.startswith("tresdos_plugin_") for name in set(sys.modules) - names)
    assert not list(Path(one.__file__ or "").parent.rglob("*.pyc"))


def test_a_neighbour_hides_no_package_of_ours(game: Game, write: Write) -> None:
    write("mine.py", HEAD + "from sim.bits import count_of\n" + DRAW + MINE)
    write("sim/__init__.py", "raise RuntimeError('not this one')\n")
    write("tresdos.py", "raise RuntimeError('nor this one')\n")
    assert load_player(game, "mine.py").label == "mine.py:mine"


# Compiling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "def draw(view):\n    x = 1\n    return view.hnd",
            "line 5: strategy mine: draw asks for view.hnd, which the view does not have (did you mean hand?)",
        ),
        (
            "def draw(view):\n    view.nothing = 1\n    return 0",
            "line 4: strategy mine: draw asks for view.nothing, which the view does not have",
        ),
        (
            "def f(view):\n    return view.hnd\ndef draw(view):\n    return f(view)",
            "line 4: strategy mine: draw asks for view.hnd",
        ),
        ("def draw(view):\n    return 0.5", "line 4: strategy mine: draw returns a number with a fraction (float64)"),
        ("def draw(view):\n    return view.parameters[0]", "write int(...)"),
        (
            "def draw(view):\n    x = 0\n    if view.top == 13:\n        x = td.rank_of(view.hand)\n    return x",
            "line 7: strategy mine: draw returns a number with a fraction (float64); it must return a whole number: "
            "write int(...) (a name that holds an unsigned number",
        ),
        (
            "def draw(view):\n    m = 0\n    if view.top == 13:\n        m = td.exactly_1(view.hand)\n    return (m & view.legal) != 0",
            "there is no &, | or ^ of (float64, uint64) (a name that holds an unsigned number",
        ),
        (
            "def draw(view):\n    if view.top == 13:\n        return\n    return 1",
            "line 5: strategy mine: draw returns None, at least on one",
        ),
        ("def draw(view):\n    pass", "line 4: strategy mine: draw returns None"),
        ("def draw(view):\n    yield 1", "draw returns None"),
        ("def draw(view):\n    return 1, 2", "line 4: strategy mine: draw returns a tuple"),
        ("def draw(view):\n    return 'pile'", "line 4: strategy mine: draw returns text"),
        (
            "def draw(view):\n    return view.known",
            "draw returns nestedarray(uint64, (8,)); it must return a whole number",
        ),
        (
            "def draw(view, more):\n    return 1",
            "line 3: strategy mine: draw must take exactly one argument, the view; it is draw(view, more)",
        ),
        ("def draw(view, more=1):\n    return 1", "it is draw(view, more=1)"),
        ("def draw(*views):\n    return 1", "it is draw(*views)"),
        ("def draw():\n    return 1", "it is draw()"),
        ("draw = 3", "mine.py: strategy mine: decision draw is of type int; it must be a plain function (view) -> int"),
        ("class draw:\n    pass", "decision draw is of type type; it must be a plain function"),
        (
            "def draw(view):\n    y = 1\n    return undefined_thing",
            "line 5: strategy mine: draw does not compile: NameError: name 'undefined_thing'",
        ),
        (
            "def draw(view):\n    y = 1\n    return np.foo(view.hand)",
            "line 5: strategy mine: draw does not compile: AttributeError: module 'numpy' has no",
        ),
        (
            "def draw(view):\n    return td.cuont_of(view.hand, 1)",
            "module 'tresdos' has no attribute 'cuont_of' (did you mean count_of?)",
        ),
        (
            "def draw(view):\n    return view.hand + 'x'",
            "line 4: strategy mine: draw does not compile: there is no add(uint64, Literal[str](x))",
        ),
        (
            "def f(x):\n    y = 1\n    return x + 'x'\ndef draw(view):\n    return f(view.top)",
            "line 5: strategy mine: draw does not compile: there is no add(int64",
        ),
        (
            "def draw(view):\n    return td.exactly_1(view)",
            "line 4: strategy mine: draw does not compile: there is no rshift(view, uint64)",
        ),
        (
            "def draw(view):\n    return td.count_of(view.hand, view.known)",
            "line 4: strategy mine: draw does not compile: Casting nestedarray",
        ),
        (
            "def draw(view):\n    import random\n    return 1",
            "line 4: strategy mine: draw does not compile: imports inside it",
        ),
        (
            "def draw(view):\n    with open('x') as f:\n        return 1",
            "the 'with (context manager) as (variable):' construct is not supported",
        ),
        (
            "def draw(view):\n    x = {}\n    return 0",
            "line 4: strategy mine: draw does not compile: Cannot infer the type of variable 'x'",
        ),
        (
            "def draw(view):\n    for r in view.hand:\n        pass\n    return 0",
            "line 4: strategy mine: draw does not compile: Invalid use of getiter",
        ),
        (
            "draw = lambda view: view.top.foo",
            "line 3: strategy mine: draw (<lambda>) does not compile: Unknown attribute 'foo' of type int64",
        ),
        ("@td.numba_is_elsewhere\ndef draw(view):\n    return 0", "line 3: AttributeError"),
    ],
    ids=itertools.count(1),
)
def test_what_does_not_compile_is_said_on_one_line(game: Game, write: Write, body: str, message: str) -> None:
    write("mine.py", HEAD + body + MINE)
    found = refusal(game, "mine.py:mine")
    assert message.lower() in found.lower()
    assert len(found) < 420


def test_a_decision_that_the_game_does_not_have_is_refused(game: Game, write: Write) -> None:
    write("mine.py", HEAD + DRAW + MINE.replace("'draw':", "'drow':"))
    assert "tres-y-dos has no decision 'drow' (did you mean draw?); it has draw, discard, show" in refusal(game, "mine.py")


def test_a_fault_in_a_neighbours_function_names_its_file(game: Game, write: Write) -> None:
    write("mine.py", HEAD + "import helpers\ndef draw(view):\n    return helpers.pick(view)\n" + MINE)
    path = write("helpers.py", "\ndef pick(view):\n    return view.top.foo\n")
    assert f"mine.py: {path}, line 3: strategy mine: draw does not compile: Unknown attribute 'foo'" in refusal(game, "mine.py")


@pytest.mark.parametrize("answer", ["0", "True", "np.uint64(0)", "np.int8(0)", "view.top == 99", "np.bool_(False) | (view.top == 99)"])
def test_whole_numbers_and_truth_values_are_answers(game: Game, write: Write, answer: str) -> None:
    write("mine.py", HEAD + f"def draw(view):\n    if view.top == 99:\n        return {answer}\n    return 0\n" + MINE)
    write("zero.py", HEAD + DRAW + MINE)
    assert plays(game, "mine.py") == plays(game, "zero.py")


HELPED = """
import numba
import helpers
from helpers import one_or_two as wanted

def again(n):
    return again(n - 1) if n > 0 else 0

def ask(test):
    def decision(view):
        return [test(td.count_of(view.hand, view.top)) for _ in range(2)][1]
    return decision

@numba.njit(cache=True, error_model="numpy")
def jitted(view):
    return ask_plain(view) + again(3)

def ask_plain(view):
    return wanted(td.count_of(view.hand, view.top)) and helpers.deep.true(view)

def discard(view):
    return int(td.lowest(view.legal)) // 4

def tables(rules, values):
    assert wanted(1) is True and again(2) == 0 and helpers.deep.true(None)
    return np.array([1.0, 2.0])

inner = td.Strategy("tres-y-dos", "inner", "x", {"draw": ask(wanted), "discard": discard}, tables=tables)
outer = td.Strategy("tres-y-dos", "outer", "x", {"draw": ask_plain, "discard": discard}, tables=tables)
fast = td.Strategy("tres-y-dos", "fast", "x", {"draw": jitted, "discard": discard})
"""


def test_functions_are_compiled_with_what_they_call_and_stay_plain_themselves(game: Game, write: Write) -> None:
    """Helpers beside it, in a neighbour and its neighbour, closed over, recursive, jitted: the play is the same."""
    write("helpers.py", "import deep\ndef one_or_two(n):\n    return n == 1 or n == 2\n")
    write("deep.py", "def true(view):\n    return true_here()\ndef true_here():\n    return True\n")
    path = write("mine.py", HEAD + HELPED)
    write(
        "simple.py",
        HEAD + "def draw(view):\n    held = td.count_of(view.hand, view.top)\n    return held == 1 or held == 2\n" + MINE,
    )
    expected = plays(game, "simple.py")
    assert plays(game, "mine.py:inner") == plays(game, "mine.py:outer") == plays(game, "mine.py:fast") == expected
    module = load_module(path, "mine.py")
    for function in (module.wanted, module.again, module.ask_plain, module.discard, module.helpers.deep.true):
        assert isinstance(function, FunctionType)
    assert not module.jitted.overloads  # nor was the user's own dispatcher touched
    assert not list(path.parent.rglob("*.nbi"))


def test_what_numba_was_taught_is_left_alone(game: Game, write: Write) -> None:
    """A plain function with an overload of the user's own."""
    overloaded = (
        "from numba.extending import overload\ndef pick(n):\n    raise RuntimeError\n"
        "@overload(pick)\ndef _pick(n):\n    return lambda n: 0\n"
    )
    write("mine.py", HEAD + overloaded + "def draw(view):\n    return pick(view.top)\n" + MINE)
    write("zero.py", HEAD + DRAW + MINE)
    assert plays(game, "mine.py") == plays(game, "zero.py")


def test_without_the_compiler_functions_stay_plain_and_play_the_same(game: Game) -> None:
    """Another process plays the example without the compiler."""
    text = "examples/my_strategy.py:careful:caution=2"
    program = (
        "import json, types\nfrom tests.test_loader import find_game, load_player, plays\n"
        "game = find_game('tres-y-dos')\n"
        f"player = load_player(game, {text!r})\n"
        "plain = all(isinstance(f, types.FunctionType) for f in player.strategy.decisions.values())\n"
        f"print(json.dumps([plain, plays(game, {text!r}, units=10)]))\n"
    )
    found = _python(program, NUMBA_DISABLE_JIT="1")
    assert json.loads(found.stdout) == [True, plays(game, str(ROOT / text), units=10)]


def _python(program: str, *folders: Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in another process that finds our packages after some other folders."""
    path = os.pathsep.join(map(str, [*folders, ROOT]))
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )


# Installed packages -------------------------------------------------------------------------------------------------


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """Install a package of one module with one line of entry points."""
    monkeypatch.syspath_prepend(tmp_path)

    def install_package(name: str, entry: str, text: str) -> None:
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[tresdos.strategies]\n{entry}\n")
        (tmp_path / f"{name}.py").write_text(HEAD + text)
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, name, raising=False)

    return install_package


Install = Callable[[str, str, str], None]


@pytest.mark.parametrize(
    "value",
    ["module:mine", "module:several", "module:make", "module", "module:make_several"],
    ids=lambda value: value.partition(":")[2],
)
def test_packages_offer_strategies(game: Game, install: Install, value: str, request: pytest.FixtureRequest) -> None:
    """One strategy, several, a function that gives such, or a module."""
    name = f"offer_{abs(hash(value))}"
    more = "several = [mine]\ndef make():\n    return mine\ndef make_several():\n    print('hello')\n    return (mine,)\n"
    install(name, f"whatever = {value.replace('module', name)}", DRAW + MINE + more)
    player = load_player(game, "mine")
    assert player.label == "mine"
    assert player.strategy.origin == f"package {name}"
    assert load_player(game, "mine") == player
    mine = next(found for found in describe(game) if found["name"] == "mine")
    assert (mine["origin"], mine["problem"], mine["summary"]) == (name, "", "x")
    assert plays(game, "mine", units=10)


@pytest.mark.parametrize(
    ("value", "text", "why"),
    [
        ("broken_a:mine", "1 / 0", "ZeroDivisionError: division by zero"),
        ("broken_b:mine", "", "AttributeError: module 'broken_b' has no attribute 'mine'"),
        ("broken_c:mine", "mine = 3", "it leads to a int, not to a tresdos Strategy or several"),
        ("broken_d:mine", "mine = [1, 2]", "it leads to a list, not to"),
        ("broken_e:mine", "def mine():\n    raise KeyError('x')", "KeyError: 'x'"),
        ("broken_f", "", "it leads to a module, not to"),
        ("broken_g_not_there:mine", "", "ModuleNotFoundError: No module named 'broken_g_not_there'"),
    ],
    ids=itertools.count(1),
)
def test_a_broken_package_troubles_only_who_asks_for_it(game: Game, install: Install, value: str, text: str, why: str) -> None:
    name = value.partition(":")[0][:8]
    install(name, f"shiny = {value}", text)
    assert load_player(game, "greedy").label == "greedy"
    message = f"package {name}: its entry point 'shiny = {value}' is broken: {why}"
    assert refusal(game, "shiny").startswith(message)
    assert message in refusal(game, "dull")  # it might have been in there
    shiny = next(found for found in describe(game) if found["name"] == "shiny")
    assert shiny["origin"] == name and shiny["problem"].startswith(message) and message in shiny["summary"]


def test_a_package_does_not_take_a_built_in_name(game: Game, install: Install) -> None:
    install("clash_one", "greedy = clash_one:mine", DRAW + MINE.replace("'mine'", "'greedy'"))
    assert "the name 'greedy' is built in, but package clash_one offers a strategy under it too" in refusal(game, "greedy")
    theirs = [found for found in describe(game) if found["name"] == "greedy" and found["origin"] == "clash_one"]
    assert "is built in" in theirs[0]["problem"]


def test_a_name_offered_twice_is_refused(game: Game, install: Install) -> None:
    install("twice_one", "a = twice_one:mine", DRAW + MINE)
    install("twice_two", "b = twice_two:mine", DRAW + MINE)
    assert "'mine' is offered more than once, by package twice_one and package twice_two" in refusal(game, "mine")


def test_a_packages_strategy_that_does_not_compile_names_the_package(game: Game, install: Install) -> None:
    install("no_compile", "mine = no_compile:mine", "def draw(view):\n    return view.hnd" + MINE)
    assert re.match(r"package no_compile: .*no_compile.py, line 4: strategy mine: draw asks for view.hnd", refusal(game, "mine"))


def test_strategies_are_described_for_the_listing(game: Game) -> None:
    found = describe(game)
    assert [strategy["name"] for strategy in found if strategy["origin"] == "built in"] == list(built_in(game.name))
    json.dumps(found)
    for strategy in found:
        assert strategy["summary"] and strategy["about"] and strategy["problem"] == ""
        for parameter in strategy["parameters"]:
            assert set(parameter) == {"name", "default", "span", "help"}


# The public face ----------------------------------------------------------------------------------------------------


def test_importing_tresdos_loads_nothing_heavy() -> None:
    program = "import sys, tresdos\ntresdos.Strategy, tresdos.Parameter, tresdos.UsageError\n"
    heavy = ("numba", "numpy", "pandas", "matplotlib", "scipy")
    found = _python(program + f"print([name for name in {heavy} if name in sys.modules])")
    assert found.stdout.strip() == "[]", found.stderr


def test_every_public_name_exists() -> None:
    assert set(tresdos.__all__) <= set(dir(tresdos))
    for name in tresdos.__all__:
        assert getattr(tresdos, name) is not None


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'cuont_of' \(did you mean count_of\?\)"):
        tresdos.cuont_of  # noqa: B018
    assert not hasattr(tresdos, "nothing_of_the_kind")


@pytest.mark.parametrize("hidden", ["analysis.py", "sim/__init__.py", "reports.py", "strategies.py"])
def test_a_users_module_that_hides_ours_is_named(tmp_path: Path, hidden: str) -> None:
    """Whether it comes first on the path, or beside the user's script."""
    path = tmp_path / hidden
    path.parent.mkdir(exist_ok=True)
    path.write_text("x = 1\n")
    found = _python("import tresdos", tmp_path, cwd=tmp_path)
    package = hidden.partition("/")[0].removesuffix(".py")
    expected = f"ImportError: {path} hides the package '{package}' that tresdos needs: rename it"
    assert found.stderr.splitlines()[-1].startswith(expected)


def test_a_folder_of_the_same_name_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "analysis").mkdir()  # without __init__.py it is no package
    found = _python("import tresdos; print(tresdos.__version__)", tmp_path, cwd=tmp_path)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("rank", [0, 5, 12])
def test_helpers_take_what_a_newcomer_has(rank: int) -> None:
    """Python's own integers and numpy's, in plain Python."""
    hand = 0x3000000000021
    for counts in (hand, np.uint64(hand)):
        for number in (rank, np.int64(rank), np.uint64(rank)):
            assert tresdos.count_of(counts, number) == {0: 1, 5: 0, 12: 3}[rank]
    assert tresdos.rank_bit(rank) == 1 << (4 * rank)
    assert tresdos.rank_of(tresdos.rank_bit(rank)) == rank
    assert tresdos.total(hand) == 6
    assert (tresdos.exactly_1(hand), tresdos.exactly_2(hand), tresdos.exactly_3(hand)) == (1, 1 << 4, 1 << 48)


def test_the_example_is_short_and_plays_as_it_says(game: Game) -> None:
    """More caution feeds the next player less, and its text leads back to it."""
    path = ROOT / "examples" / "my_strategy.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 46
    player = load_player(game, f"{path}:careful:caution=2")
    assert load_player(game, player.label) == player
    assert plays(game, f"{path}:caution=0") != plays(game, f"{path}:caution=10")
