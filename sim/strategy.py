"""Strategies as everything above the engine sees them: named bundles of decision functions with named parameters."""

from __future__ import annotations

import contextlib
import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.errors import UsageError
from sim.rules import Rules, nearest

MAX_PARAMETERS = 16
"""Parameters that a view has room for."""


@dataclass(frozen=True)
class Parameter:
    """A number by which a strategy can be varied.

    Parameters
    ----------
    default : float
        Its value when nothing is said.
    low, high : float
        The range allowed, ends included.
    help : str
        What it does, in a player's words.
    whole : bool
        Only whole numbers make sense.
    """

    default: float
    low: float
    high: float
    help: str
    whole: bool = False

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise UsageError(f"a parameter's default of {self.default:g} is outside its own range, {self.span}")

    @property
    def span(self) -> str:
        """The range in words."""
        return f"{'whole number, ' if self.whole else ''}{self.low:g} to {self.high:g}"


@dataclass(frozen=True, eq=False)
class Strategy:
    """A named way of playing a game.

    Parameters
    ----------
    game : str
        The game's name, such as ``tres-y-dos``.
    name : str
        The strategy's name, as typed in a line-up.
    about : str
        What it does, in a player's words.
    decisions : mapping of str to function
        One function ``(view) -> int`` for each kind of decision it takes; what is left out takes the game's documented default.
        Ordinary Python that Numba can compile.
    parameters : mapping of str to Parameter
        Read in the functions as ``view.parameters[i]``, in this order.
    source : str
        Where the idea comes from.
    memory : int
        Words of scratch memory a seat needs (``memory(view)``), zeroed at the start of each unit.
    tables : function, optional
        ``(rules, values) -> array``, computed once before play and reached through ``table(view, dtype)``.
    check : function, optional
        ``(rules, values)``: raises UsageError for rules or parameter values with which the strategy makes no sense.
    origin : str
        Where it was found: ``built in``, a file, or a package.
    """

    game: str
    name: str
    about: str
    decisions: Mapping[str, Callable[..., Any]]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    source: str = ""
    memory: int = 0
    tables: Callable[[Rules, Mapping[str, float]], Any] | None = None
    check: Callable[[Rules, Mapping[str, float]], None] | None = None
    origin: str = "built in"

    def __post_init__(self) -> None:
        if not self.name or set(self.name) & set(":,=/\\") or len(self.name.split()) != 1:
            raise UsageError(f"'{self.name}' is no name for a strategy: it must have no blank and none of : , = / \\")
        for name, parameter in self.parameters.items():
            if not isinstance(parameter, Parameter):
                kind = type(parameter).__name__
                raise UsageError(f"strategy {self.name}: parameter {name} is of type {kind}, not a Parameter")
        if len(self.parameters) > MAX_PARAMETERS:
            raise UsageError(f"strategy {self.name}: {len(self.parameters)} parameters, but a view has room for {MAX_PARAMETERS}")
        if not self.decisions:
            raise UsageError(f"strategy {self.name} decides nothing: give at least one decision function")
        if self.memory < 0:
            raise UsageError(f"strategy {self.name}: memory is {self.memory} words, which cannot be")

    @property
    def summary(self) -> str:
        """The first sentence of ``about``."""
        text = inspect.cleandoc(self.about)
        return text.split("\n\n")[0].replace("\n", " ")


@dataclass(frozen=True, eq=False)
class Player:
    """A strategy with its parameters set: one entry of a line-up."""

    strategy: Strategy
    values: Mapping[str, float]
    prefix: str = ""  # path of the file it was loaded from, as it was typed

    @property
    def label(self) -> str:
        """The text that names this player on the command line: ``tips:dont_feed=0`` (only what differs from the defaults)."""
        parts = [self.prefix] if self.prefix else []
        parts.append(self.strategy.name)
        for name, parameter in self.strategy.parameters.items():
            if self.values[name] != parameter.default:
                parts.append(f"{name}={_number_text(self.values[name])}")
        return ":".join(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Player) and other.strategy is self.strategy and dict(other.values) == dict(self.values)

    def __hash__(self) -> int:
        return hash((id(self.strategy), tuple(sorted(self.values.items()))))

    def check(self, rules: Rules) -> None:
        """Refuse rules with which this player makes no sense (UsageError)."""
        if self.strategy.check is not None:
            with mending(f"strategy {self.label}: its check"):
                self.strategy.check(rules, self.values)


@contextlib.contextmanager
def mending(what: str) -> Iterator[None]:
    """Turn whatever a strategy's own Python raises before play into a UsageError that says where it was raised."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise UsageError(f"{what} raised {text} ({frame.filename}, line {frame.lineno})") from error


def _number_text(value: float) -> str:
    """A number in as few digits as give it back."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def set_parameters(strategy: Strategy, settings: Mapping[str, str | float], prefix: str = "") -> Player:
    """A player from a strategy and ``name=value`` settings.

    Raises
    ------
    UsageError
        For an unknown parameter (with the nearest right one), a value that is no number or is out of range.
    """
    values = {name: parameter.default for name, parameter in strategy.parameters.items()}
    for name, given in settings.items():
        if name not in strategy.parameters:
            known = list(strategy.parameters)
            has = f"its parameters are {', '.join(known)}" if known else "it has no parameters"
            raise UsageError(f"strategy {strategy.name} has no parameter '{name}'{nearest(name, known)}; {has}")
        parameter = strategy.parameters[name]
        try:
            value = float(given)
        except ValueError:
            raise UsageError(f"strategy {strategy.name}: {name}='{given}' is not a number ({parameter.span})") from None
        if not parameter.low <= value <= parameter.high or (parameter.whole and not value.is_integer()):
            raise UsageError(f"strategy {strategy.name}: {name}={given} is out of range; allowed: {parameter.span}")
        values[name] = value
    return Player(strategy, values, prefix)
