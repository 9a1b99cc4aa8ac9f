"""Rules to try, derived from the options that a game declares, and line-ups that can play them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.arm import Arm
from sim.errors import UsageError
from sim.game import Game, all_games
from sim.rules import Option, Rules, value_text
from sim.strategy import Player, Strategy, set_parameters
from strategies.loader import built_in

FEW = 12
"""A range of no more whole numbers than this is tried in full, a longer one only at its low end."""


@dataclass(frozen=True)
class Setting:
    """Rules of a game, with a name for the list of tests."""

    game: Game
    rules: Rules
    label: str

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.rules.to_dict()["players"])

    def __str__(self) -> str:
        return f"{self.game.name}-{self.players}-{self.label}"


def values_of(about: Option, kind: type) -> list[Any]:
    """Values of one rule worth trying: every choice, both truths, a short range in full, the low end of a long one."""
    if about.many:
        return [(), about.choices, *[(choice,) for choice in about.choices]]
    if about.choices:
        return list(about.choices)
    if kind is bool:
        return [False, True]
    if about.free or about.low is None:
        return []
    none = [None] if about.optional else []
    if kind is float:
        high = about.low + 1.0 if about.high is None else about.high
        return [*none, about.low, (about.low + high) / 2, high]
    if is_limit(about, kind):
        return [*none, int(about.low), int(about.low) + 1]
    return [*none, *range(int(about.low), int(about.high or 0) + 1)]


def is_limit(about: Option, kind: type) -> bool:
    """Whether a rule is a number without a short range: how many turns, hands or marbles there may be."""
    if kind is not int or about.choices or about.many or about.free or about.low is None:
        return False
    return about.high is None or about.high - about.low >= FEW


def player_counts(game: Game) -> list[int]:
    """Every number of players with which the default rules can be played."""
    about, kind = next((about, kind) for name, about, kind in game.rules.options() if name == "players")
    return [n for n in values_of(about, kind) if _made(game, {"players": n}) is not None]


def default_settings(game: Game) -> list[Setting]:
    """The default rules and every preset, for every number of players."""
    found = []
    for preset, changes in {"default": {}, **game.presets}.items():
        for players in player_counts(game):
            rules = _made(game, {**changes, "players": players})
            if rules is not None:
                found.append(Setting(game, rules, preset))
    return found


def changes_of(game: Game) -> list[tuple[str, Any, bool]]:
    """Every change of one rule: its name, a value other than the default, and whether the rule is a limit."""
    defaults = game.rules.defaults()
    return [
        (name, value, is_limit(about, kind))
        for name, about, kind in game.rules.options()
        for value in values_of(about, kind)
        if name != "players" and value != defaults[name]
    ]


def varied_settings(game: Game) -> list[Setting]:
    """One rule at a time changed from the default, each to every value worth trying."""
    found = []
    for name, value, _ in changes_of(game):
        rules = _made(game, {name: value})
        if rules is not None:
            found.append(Setting(game, rules, f"{name}={value_text(value)}"))
    return found


def packed_settings(game: Game, players: int) -> list[Setting]:
    """The same changes, as many at once as go together, so that a few settings hold every value of every rule.

    Limits have settings of their own: a hand that ends after one turn would hide what the other rules do.
    """
    packs: list[tuple[bool, dict[str, Any]]] = []
    for name, value, limit in changes_of(game):
        if _made(game, {"players": players, name: value}) is None:
            continue
        for kind, pack in packs:
            if kind == limit and name not in pack and _made(game, {**pack, name: value}) is not None:
                pack[name] = value
                break
        else:
            packs.append((limit, {"players": players, name: value}))
    return [Setting(game, game.make_rules(pack), f"pack{number}") for number, (_, pack) in enumerate(packs, 1)]


def few_settings() -> list[Setting]:
    """Of all games: the defaults for every number of players, and every value of every rule for the default number."""
    found = []
    for game in all_games().values():
        found += default_settings(game) + packed_settings(game, game.rules.defaults()["players"])
    return found


def more_settings() -> list[Setting]:
    """Of all games: every value of every rule, for the other numbers of players and one at a time."""
    found = []
    for game in all_games().values():
        others = [n for n in player_counts(game) if n != game.rules.defaults()["players"]]
        found += [setting for players in others for setting in packed_settings(game, players)] + varied_settings(game)
    return found


def _made(game: Game, changes: Mapping[str, Any]) -> Rules | None:
    """Rules, or None for a combination that the game does not define."""
    try:
        return game.make_rules(changes)
    except UsageError:
        return None


def player_of(game: Game, name: str) -> Player:
    """A built-in strategy with its default parameters; where the game has none of that name, its defaults."""
    strategy = built_in(game.name).get(name)
    if strategy is None:
        strategy = Strategy(game.name, "defaults", "leaves every decision to the game", game.knowledge.DEFAULTS)
    return set_parameters(strategy, {})


def random_lineup(setting: Setting) -> tuple[Player, ...]:
    """The game's random player in every seat: it does what no sensible player does, and everything it does is legal."""
    return (player_of(setting.game, "random"),) * setting.players


def mixed_lineup(setting: Setting) -> tuple[Player, ...]:
    """The game's random player and its default strategy in alternate seats."""
    pair = (player_of(setting.game, setting.game.default_strategy), player_of(setting.game, "random"))
    return tuple(pair[seat % 2] for seat in range(setting.players))


def random_arm(setting: Setting, rotate: bool = False) -> Arm:
    """An arm of random players."""
    return Arm(setting.game, setting.rules, random_lineup(setting), rotate)


def mixed_arm(setting: Setting, rotate: bool = False) -> Arm:
    """An arm of two strategies in alternate seats."""
    return Arm(setting.game, setting.rules, mixed_lineup(setting), rotate)
