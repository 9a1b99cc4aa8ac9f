"""A question as data: all that is needed to play an experiment, as typed on the command line or written in a file.

A question turns into an experiment by ``prepare``; the same data stands in a run folder's manifest and in a TOML file.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis import plain
from analysis.comparison import ComparisonExperiment
from analysis.run import Experiment
from analysis.simulation import SimulationExperiment
from analysis.variants import VariantArm, VariantsExperiment, grid, read_vary
from sim.arm import Arm
from sim.errors import UsageError
from sim.game import Game, find_game
from sim.rules import Rules, nearest, value_text
from sim.strategy import Player
from strategies.loader import load_player

KINDS = ("simulate", "compare", "variants")

LARGEST_DEALS, LARGEST_SEED = 10**15, 2**63 - 1

MOST_VARIANTS = 1000

COMMON = ("kind", "game", "deals", "seed", "unit", "preset", "rules")
OWN = {
    "simulate": ("strategy", "lineup", "rotate"),
    "compare": ("candidates", "field", "measures"),
    "variants": ("strategy", "lineup", "measures", "vary"),
}
"""What a question of each kind consists of."""


@dataclass(frozen=True)
class Question:
    """An experiment in the words of the command line.

    Parameters
    ----------
    kind : str
        ``simulate``, ``compare`` or ``variants``.
    game : str
    deals, seed : int
    unit : str, optional
    preset : str, optional
    rules : mapping of str to value
        Changes to the preset or the defaults.
    strategy : str, optional
        One strategy in every seat (simulate, variants).
    lineup : tuple of str
        One for each seat (simulate, variants).
    rotate : bool
        (simulate)
    candidates, field : tuple of str
        (compare)
    measures : tuple of str
        At most one for compare, any number for variants.
    vary : mapping of str to tuple of str
        (variants)
    found_at : mapping of str to str
        Strategy files that are loaded from elsewhere than where they are named: path as typed to path. Not part of the question.

    Raises
    ------
    UsageError
        For an unknown kind, something that a question of this kind does not have, or two ways of seating at once.
    """

    kind: str
    game: str
    deals: int
    seed: int
    unit: str | None = None
    preset: str | None = None
    rules: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    strategy: str | None = None
    lineup: tuple[str, ...] = ()
    rotate: bool = False
    candidates: tuple[str, ...] = ()
    field: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    vary: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    found_at: Mapping[str, str] = dataclasses.field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no question '{self.kind}'{nearest(self.kind, list(KINDS))}; there are {', '.join(KINDS)}")
        for name in self.to_dict():
            if name not in (*COMMON, *OWN[self.kind]):
                raise UsageError(f"a question of the kind {self.kind} has no {name}; it has {', '.join((*COMMON, *OWN[self.kind]))}")
        if self.strategy is not None and self.lineup:
            raise UsageError("give a strategy (one everywhere) or a line-up (one for each seat), not both")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Question:
        """A question from plain data, as ``to_dict`` gives it or somebody has written it.

        In ``vary`` a value may be a list, or text as on the command line (``2..7``).

        Raises
        ------
        UsageError
            For an unknown key (with the nearest right one), a missing one, a value of the wrong kind or out of range.
        """
        plain.keys("a question", data, list(PARTS))
        for name in ("kind", "game", "deals", "seed"):
            if name not in data:
                raise UsageError(f"a question needs a '{name}'")
        return cls(**{name: PARTS[name](name, value) for name, value in data.items()})

    def to_dict(self) -> dict[str, Any]:
        """What is set, ready for JSON and TOML; what stands at its default is left out."""
        found: dict[str, Any] = {}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if item.name == "found_at" or value is None or value is False or value in ((), {}):
                continue
            found[item.name] = {name: _plain(v) for name, v in value.items()} if isinstance(value, Mapping) else _plain(value)
        return found

    def strategies(self) -> tuple[str, ...]:
        """Everybody who plays, as typed."""
        return (*self.lineup, *([self.strategy] if self.strategy else []), *self.candidates, *self.field)

    def prepare(self) -> Experiment:
        """The experiment, compiled and checked as far as can be without playing.

        Raises
        ------
        UsageError
            For whatever is wrong with the question.
        """
        game = find_game(self.game)
        if self.kind == "simulate":
            return self._simulation(game)
        if self.kind == "compare":
            return self._comparison(game)
        return self._variants(game)

    def table_rules(self, game: Game) -> Rules:
        """The rules; a line-up sets the number of players when nothing else does."""
        changes = dict(self.rules)
        if self.lineup and "players" not in changes and "players" not in dict(game.presets.get(self.preset or "", {})):
            changes["players"] = len(self.lineup)
        return game.make_rules(changes, self.preset)

    def _seated(self, game: Game, rules: Rules) -> tuple[Player, ...]:
        if self.lineup:
            return tuple(self._player(game, text) for text in self.lineup)
        one = self._player(game, self.strategy or game.default_strategy)
        seats: int = rules.players  # type: ignore[attr-defined]
        return (one,) * seats

    def _player(self, game: Game, text: str) -> Player:
        """A player from its text; one from a file that has moved keeps the name by which it was asked for."""
        try:
            for typed, path in self.found_at.items():
                if text.strip() == typed or text.strip().startswith(f"{typed}:"):
                    return dataclasses.replace(load_player(game, path + text.strip()[len(typed) :]), prefix=typed)
            return load_player(game, text)
        except OSError as error:  # a path that no file system takes
            raise UsageError(f"strategy '{text}': {error.strerror}") from None

    def _simulation(self, game: Game) -> SimulationExperiment:
        rules = self.table_rules(game)
        unit = game.unit(self.unit)
        return SimulationExperiment(game, rules, self._seated(game, rules), seed=self.seed, unit=unit, rotate=self.rotate)

    def _comparison(self, game: Game) -> ComparisonExperiment:
        rules = self.table_rules(game)
        unit = game.unit(self.unit)
        if len(self.measures) > 1:
            raise UsageError("compare takes one measure")
        measure = self.measures[0] if self.measures else None
        if measure is not None:
            unit.measure(measure)
        candidates = [self._player(game, text) for text in self.candidates]
        others = [self._player(game, text) for text in self.field or (game.default_strategy,)]
        return ComparisonExperiment(game, rules, candidates, others, seed=self.seed, unit=unit, measure=measure)

    def _variants(self, game: Game) -> VariantsExperiment:
        if not self.vary:
            raise UsageError("variants needs something to vary, as in --vary players=2..7")
        unit = game.unit(self.unit)
        for name in self.measures:
            unit.measure(name)
        if math.prod(len(values) for values in self.vary.values()) > MOST_VARIANTS:
            raise UsageError(f"more than {MOST_VARIANTS} combinations of what is varied")
        arms = [self._variant(game, setting) for setting in grid(self.vary, self._fixed(game))]
        return VariantsExperiment(arms, unit, self.measures, seed=self.seed)

    def _fixed(self, game: Game) -> dict[str, str]:
        """Values that the question itself fixes for names that are varied."""
        given = {**dict(game.presets.get(self.preset or "", {})), **self.rules}
        found = {name: value if isinstance(value, str) else value_text(value) for name, value in given.items()}
        for text in (*self.lineup, *([self.strategy] if self.strategy else [])):
            parts = text.split(":")
            for part in parts[1:]:
                key, equals, value = part.partition("=")
                if equals:
                    found[f"{parts[0]}:{key}"] = value
        return {name: value for name, value in found.items() if name in self.vary}

    def _variant(self, game: Game, setting: Mapping[str, str]) -> VariantArm:
        """One arm of the sweep."""
        rules_set = {name: value for name, value in setting.items() if ":" not in name}
        tuned = {name: value for name, value in setting.items() if ":" in name}
        if "players" in rules_set and self.lineup:
            raise UsageError("--vary players needs one strategy in every seat (--strategy), not a line-up")
        changed = dataclasses.replace(
            self,
            rules={**self.rules, **rules_set},
            lineup=tuple(_tuned(text, tuned) for text in self.lineup),
            strategy=_tuned(self.strategy or game.default_strategy, tuned) if not self.lineup else None,
        )
        seated = (*changed.lineup, *([changed.strategy] if changed.strategy else []))
        for name in tuned:
            if not any(text.split(":")[0] == name.partition(":")[0] for text in seated):
                raise UsageError(f"--vary {name}: no strategy '{name.partition(':')[0]}' in the line-up ({', '.join(seated)})")
        rules = changed.table_rules(game)
        return VariantArm(setting, Arm(game, rules, changed._seated(game, rules), label=", ".join(f"{k}={v}" for k, v in setting.items())))


def _varied(name: str, value: Any) -> tuple[str, ...]:
    """The values of something that is varied: a list, or text as on the command line."""
    if isinstance(value, str):
        return tuple(read_vary([f"{name.partition('.')[2]}={plain.text(name, value)}"]).popitem()[1])
    values = tuple(one if isinstance(one, str) else value_text(one) for one in plain.several(plain.scalar)(name, value))
    if len(set(values)) < len(values):
        raise UsageError(f"{name}: a value is listed twice")
    return values


PARTS: dict[str, plain.Reader] = {
    "kind": plain.one_of(*KINDS),
    "game": plain.text,
    "deals": plain.whole(1, LARGEST_DEALS),
    "seed": plain.whole(0, LARGEST_SEED),
    "unit": plain.text,
    "preset": plain.text,
    "rules": plain.table(plain.rule_value),
    "strategy": plain.text,
    "lineup": plain.several(plain.text),
    "rotate": plain.truth,
    "candidates": plain.several(plain.text),
    "field": plain.several(plain.text),
    "measures": plain.several(plain.text),
    "vary": plain.table(_varied),
}


def _plain(value: Any) -> Any:
    """A value ready for JSON and TOML: lists for tuples, and the word for nothing."""
    if value is None:
        return "none"
    return list(value) if isinstance(value, tuple) else value


def _tuned(text: str, tuned: Mapping[str, str]) -> str:
    """A strategy as typed, with parameters set."""
    name, *parts = text.split(":")
    kept = {part.partition("=")[0]: part for part in parts}
    for key, value in tuned.items():
        strategy, _, parameter = key.rpartition(":")
        if strategy == name:
            kept[parameter] = f"{parameter}={value}"
    return ":".join([name, *kept.values()])
