"""From text to players: the only way in which a strategy is found by name.

``greedy``, ``tips:dont_feed=0:count_cards=1``: a built-in strategy, or one that an installed package offers, with
parameters; ``path/to/mine.py:careful:caution=2``: a strategy in a file of the user's own.
"""

from __future__ import annotations

import importlib
import re
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import UsageError
from sim.game import Game, all_games
from sim.rules import nearest
from sim.strategy import Player, Strategy, set_parameters
from strategies.installed import distribution, entry_points, offered, strategies_in
from strategies.plugin_compile import compile_strategy
from strategies.plugin_files import load_module

PYTHON_FILE = re.compile(r"(?P<path>.+?\.py)(?::(?P<rest>.*))?", re.IGNORECASE)
OTHER_FILE = re.compile(r"(?P<path>(?:[A-Za-z]:(?=[\\/]))?[^:]*[\\/][^:]*)(?::(?P<rest>.*))?")

_COMPILED: dict[tuple[int, str], tuple[Strategy, Strategy]] = {}
"""By id of the original and game: the original and its compiled copy, so that a strategy stays the same object."""


def built_in(game_name: str) -> dict[str, Strategy]:
    """The strategies of this house for a game, by name."""
    package = importlib.import_module(f"strategies.{game_name.replace('-', '_')}")
    return {strategy.name: strategy for strategy in package.STRATEGIES}


def load_lineup(game: Game, text: str) -> tuple[Player, ...]:
    """The players of a line-up such as ``greedy,tips:dont_feed=0,mine.py:careful,greedy``, in order.

    Raises
    ------
    UsageError
        For an empty entry, or for whatever is wrong with one.
    """
    entries = [entry.strip() for entry in text.split(",")]
    for place, entry in enumerate(entries, 1):
        if not entry:
            raise UsageError(f"line-up '{text}': entry {place} is empty; parted by commas, it names one strategy for each seat")
    return tuple(load_player(game, entry) for entry in entries)


def load_player(game: Game, text: str) -> Player:
    """A player from its text: ``name`` or ``path/to/file.py:name``, then ``:parameter=value`` as often as needed.

    Parameters
    ----------
    game : Game
    text : str

    Returns
    -------
    Player
        Its decisions compiled for the game's views when they are not built in. The same text gives the same strategy
        object again as long as the file is unchanged.

    Raises
    ------
    UsageError
        When there is no such strategy, file or parameter, or the strategy does not compile; on one line.
    """
    text = text.strip()
    file = PYTHON_FILE.fullmatch(text) or OTHER_FILE.fullmatch(text)
    if file is not None:
        return _from_file(game, text, file["path"], [] if file["rest"] is None else file["rest"].split(":"))
    name, *settings = text.split(":")
    if not name:
        raise UsageError(f"'{text}' names no strategy; {_choices(game)}")
    return set_parameters(_by_name(game, name), _settings(text, settings))


def describe(game: Game) -> list[dict[str, Any]]:
    """Every strategy of a game that can be asked for by name, as data.

    Returns
    -------
    list of dict
        ``name``, ``summary``, ``about``, ``parameters`` (each ``name``, ``default``, ``span``, ``help``), ``source``,
        ``origin``, and ``problem``: why an installed package's strategy cannot be used, empty otherwise.
    """
    ours = built_in(game.name)
    found = [_description(strategy, strategy.origin) for strategy in ours.values()]
    for entry in entry_points():
        package = distribution(entry)
        try:
            mine = [strategy for strategy in offered(entry) if strategy.game == game.name]
        except UsageError as error:
            found.append(_broken(entry.name, package, str(error)))
            continue
        for strategy in mine:
            if strategy.name in ours or entry.name in ours:
                found.append(_broken(strategy.name, package, _taken(strategy.name if strategy.name in ours else entry.name, entry)))
            else:
                found.append(_description(strategy, package))
    return found


def _description(strategy: Strategy, origin: str) -> dict[str, Any]:
    return {
        "name": strategy.name,
        "summary": strategy.summary,
        "about": strategy.about,
        "parameters": [
            {"name": name, "default": parameter.default, "span": parameter.span, "help": parameter.help}
            for name, parameter in strategy.parameters.items()
        ],
        "source": strategy.source,
        "origin": origin,
        "problem": "",
    }


def _broken(name: str, origin: str, problem: str) -> dict[str, Any]:
    words = f"cannot be used: {problem}"
    return {
        "name": name,
        "summary": words,
        "about": words,
        "parameters": [],
        "source": "",
        "origin": origin,
        "problem": problem,
    }


def _settings(text: str, parts: list[str]) -> dict[str, str]:
    """Parameter settings from ``name=value`` parts."""
    settings: dict[str, str] = {}
    for part in parts:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            raise UsageError(f"'{text}': '{part}' is not parameter=value")
        if name in settings:
            raise UsageError(f"'{text}' sets {name} twice")
        settings[name] = value
    return settings


def _by_name(game: Game, name: str) -> Strategy:
    """A built-in strategy or one of an installed package."""
    ours = built_in(game.name)
    entries = entry_points()
    named = [entry for entry in entries if entry.name == name]
    if name in ours:
        if named:
            raise UsageError(_taken(name, named[0]))
        return ours[name]
    found: list[tuple[Strategy, EntryPoint]] = []
    problems = []
    for entry in entries:
        try:
            found += [(s, entry) for s in offered(entry) if s.name == name and s.game == game.name]
        except UsageError as error:
            if entry in named:
                raise
            problems.append(str(error))
    if len({id(strategy) for strategy, _ in found}) > 1:
        packages = " and ".join(sorted({f"package {distribution(entry)}" for _, entry in found}))
        raise UsageError(f"strategy '{name}' is offered more than once, by {packages}: uninstall one")
    if found:
        strategy, entry = found[0]
        if entry.name in ours:
            raise UsageError(_taken(entry.name, entry))
        return _compiled(game, strategy, f"package {distribution(entry)}")
    if Path(name).is_file():
        raise UsageError(f"{name} is not a Python file: its name must end in .py")
    unread = f" (could not look everywhere: {'; '.join(problems)})" if problems else ""
    beside = f" ({name}.py is a file: write {name}.py)" if Path(f"{name}.py").is_file() else nearest(name, list(ours))
    raise UsageError(f"{game.name} has no strategy '{name}'{beside}; {_choices(game)}{unread}")


def _choices(game: Game) -> str:
    return f"its strategies are {', '.join(built_in(game.name))}, or path/to/file.py:name"


def _taken(name: str, entry: EntryPoint) -> str:
    return (
        f"the name '{name}' is built in, but package {distribution(entry)} offers a strategy under it too "
        f"(entry point '{entry.name} = {entry.value}'): uninstall the package or rename its strategy"
    )


def _compiled(game: Game, strategy: Strategy, place: str, file: str | None = None) -> Strategy:
    """A strategy from elsewhere, compiled: the same object each time."""
    key = (id(strategy), game.name)
    if key not in _COMPILED:
        _COMPILED[key] = (strategy, compile_strategy(game, strategy, place, file))
    return _COMPILED[key][1]


def _from_file(game: Game, text: str, typed: str, rest: list[str]) -> Player:
    """A player from a user's file; ``rest`` is what follows its path, in parts."""
    module = load_module(Path(typed).expanduser(), typed)
    name = ""
    if rest and "=" not in rest[0]:
        name, *rest = rest
        if not name.strip():
            raise UsageError(f"'{text}': there is no name after {typed}:")
    strategy = _strategy_in(game, module, typed, name.strip())
    return set_parameters(_compiled(game, strategy, typed, module.__file__), _settings(text, rest), typed)


def _strategy_in(game: Game, module: ModuleType, typed: str, name: str) -> Strategy:
    """The strategy of that name (its own or its variable's) in a module, or its only one when no name is given."""
    strategies = strategies_in(module)
    own = [strategy for strategy in strategies if all(strategy is not other for other in built_in(game.name).values())]
    mine = [strategy for strategy in own if strategy.game == game.name]
    if not name:
        if len(mine) == 1:
            return mine[0]
        if mine or not own:
            raise UsageError(f"{typed} holds {_names(mine)}" + (f"; name one: {typed}:{mine[0].name}" if mine else _how(game)))
        return _for_this_game(game, own[0], typed)
    found = [strategy for strategy in mine if strategy.name == name]
    if len(found) > 1:
        raise UsageError(f"{typed} holds {len(found)} strategies named '{name}'; names must differ")
    if found:
        return found[0]
    value = getattr(module, name, None)
    if isinstance(value, Strategy):
        return _for_this_game(game, value, typed)
    other = [strategy for strategy in own if strategy.name == name]
    if other:
        return _for_this_game(game, other[0], typed)
    if hasattr(module, name):
        raise UsageError(f"{typed}: '{name}' is a {type(value).__name__}, not a Strategy; {typed} holds {_names(mine)}{_how(game)}")
    known = [strategy.name for strategy in mine]
    raise UsageError(f"{typed} has no strategy '{name}'{nearest(name, known)}; it holds {_names(mine)}")


def _names(strategies: list[Strategy]) -> str:
    if not strategies:
        return "no strategy"
    return ("the strategy " if len(strategies) == 1 else "the strategies ") + ", ".join(strategy.name for strategy in strategies)


def _how(game: Game) -> str:
    how = f'td.Strategy("{game.name}", "careful", "what it does", {{"draw": draw}})'
    return f"; to make one, td being tresdos: careful = {how}"


def _for_this_game(game: Game, strategy: Strategy, typed: str) -> Strategy:
    if strategy.game == game.name:
        return strategy
    known = list(all_games())
    hint = "" if strategy.game in known else f", which does not exist{nearest(strategy.game, known)}"
    raise UsageError(f"{typed}: {strategy.name} is a strategy for {strategy.game}{hint}, not for {game.name}")
