"""Rules as data: one frozen dataclass per game, each field with its help text, range, default and source.

The command line, the documentation, the validation, the variant sweeps and the record that an engine reads are all generated from it.
Rules never become compile-time constants, so a variant costs no recompile.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from sim.errors import UsageError


@dataclass(frozen=True)
class Option:
    """What is known of one rule: how it is described, read and checked."""

    help: str
    source: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False  # may be 'none'
    many: bool = False  # a set of the choices
    free: bool = False  # text checked by the game itself
    relabels: bool = False  # changes names and traces, never a result

    def describe(self, kind: type) -> str:
        """The values allowed, in words."""
        if self.choices:
            words = " | ".join(self.choices)
            return f"any of {words}, parted by +, or none" if self.many else words
        if kind is bool:
            return "true | false"
        if self.free:
            return "text"
        low = "" if self.low is None else f"{self.low:g}"
        high = "" if self.high is None else f"{self.high:g}"
        span = f"{low} to {high}" if low and high else f"{low} or more" if low else f"at most {high}" if high else "any number"
        return f"{'whole number' if kind is int else 'number'}, {span}" + (", or none" if self.optional else "")


def option(
    default: Any,
    help: str,
    source: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
    optional: bool = False,
    many: bool = False,
    free: bool = False,
    relabels: bool = False,
) -> Any:
    """Declare one rule of a game (a dataclass field). ``source`` names the numbered rule or ambiguity it comes from."""
    about = Option(help, source, choices, low, high, optional, many, free, relabels)
    return field(default=default, metadata={"option": about})


def nearest(word: str, known: list[str]) -> str:
    """' (did you mean …?)' when some known word is close to the one given, else ''."""
    close = difflib.get_close_matches(word, known, 1)
    return f" (did you mean {close[0]}?)" if close else ""


@dataclass(frozen=True)
class Rules:
    """Base of every game's rules. A game adds fields made by ``option`` and, in ``check``, the combinations it does not define."""

    game: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for name, about, kind in self.options():
            object.__setattr__(self, name, _checked(name, getattr(self, name), about, kind))
        self.check()

    def check(self) -> None:
        """Refuse combinations that the rules do not define (UsageError says why)."""

    @classmethod
    def options(cls) -> Iterator[tuple[str, Option, type]]:
        """Name, description and type of each rule, in order."""
        for item in dataclasses.fields(cls):
            default = item.default
            kind = type(default) if default is not None else int
            yield item.name, item.metadata["option"], kind

    @classmethod
    def names(cls) -> list[str]:
        """The names of the rules."""
        return [name for name, _, _ in cls.options()]

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Name to default value."""
        return {item.name: item.default for item in dataclasses.fields(cls)}

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Rules from names and values (text is read as on the command line).

        Raises
        ------
        UsageError
            For an unknown name (with the nearest right one), a value outside its range, an undefined combination.
        """
        known = cls.names()
        for name in values:
            if name not in known:
                raise UsageError(f"{cls.game} has no rule '{name}'{nearest(name, known)}; its rules are {', '.join(known)}")
        return cls(**{name: _read(name, values[name], about, kind) for name, about, kind in cls.options() if name in values})

    def with_changes(self, changes: Mapping[str, Any]) -> Self:
        """These rules with some values changed."""
        return type(self).from_mapping({**self.to_dict(), **changes})

    def to_dict(self) -> dict[str, Any]:
        """Every rule, default or not, as JSON-ready values."""
        return {name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name, _, _ in self.options()}

    def changed(self) -> dict[str, Any]:
        """The rules that differ from their defaults."""
        defaults = self.defaults()
        return {name: value for name, value in self.to_dict().items() if getattr(self, name) != defaults[name]}

    def to_record(self) -> Any:
        """The rules as a record array of length 1, one int64 or float64 field a rule, as the engine reads them.

        A choice is its place in the list of choices, a set of choices a bit mask, true and false 1 and 0, none -1.
        """
        import numpy as np

        cells: list[tuple[str, str]] = []
        values: list[float] = []
        extra = self.extra_record()
        for name, about, kind in self.options():
            if about.free:
                continue
            cells.append((name, "f8" if kind is float else "i8"))
            values.append(extra.pop(name) if name in extra else _encoded(getattr(self, name), about))
        for name, value in extra.items():
            cells.append((name, "i8"))
            values.append(value)
        return np.array([tuple(values)], dtype=np.dtype(cells, align=True)).view(np.recarray)

    def extra_record(self) -> dict[str, int]:
        """Further integers that the engine wants, or others in place of a rule's own (for free text and derived values)."""
        return {}


def value_text(value: Any) -> str:
    """A rule's value as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, (tuple, list)):
        return "+".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _encoded(value: Any, about: Option) -> float:
    if about.many:
        return sum(1 << about.choices.index(item) for item in value)
    if about.choices:
        return about.choices.index(value)
    return -1 if value is None else value


def _read(name: str, value: Any, about: Option, kind: type) -> Any:
    """A value from text, or a value that is already of the right kind."""
    if not isinstance(value, str):
        return tuple(value) if about.many and isinstance(value, (list, tuple)) else value
    text = value.strip()
    if about.many:
        return () if text in ("", "none") else tuple(text.split("+"))
    if about.choices or about.free:
        return text
    if about.optional and text == "none":
        return None
    if kind is bool:
        words = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False, "on": True, "off": False}
        if text.lower() not in words:
            raise UsageError(f"rule {name}: '{text}' is neither true nor false")
        return words[text.lower()]
    try:
        return int(text) if kind is int else float(text)
    except ValueError:
        raise UsageError(f"rule {name}: '{text}' is not a {'whole number' if kind is int else 'number'} ({about.describe(kind)})") from None


def _checked(name: str, value: Any, about: Option, kind: type) -> Any:
    """The value, if it is one the rule allows."""
    allowed = about.describe(kind)
    if about.many:
        if not isinstance(value, (tuple, list)):
            raise UsageError(f"rule {name}: {value!r} is no list; allowed: {allowed}")
        for item in value:
            if item not in about.choices:
                raise UsageError(f"rule {name}: no '{item}'{nearest(str(item), list(about.choices))}; allowed: {allowed}")
        return tuple(choice for choice in about.choices if choice in value)
    if about.choices:
        if value not in about.choices:
            raise UsageError(f"rule {name}: no '{value}'{nearest(str(value), list(about.choices))}; allowed: {allowed}")
        return value
    if about.free:
        if not isinstance(value, str):
            raise UsageError(f"rule {name}: {value!r} is not text")
        return value
    if value is None and about.optional:
        return None
    if kind is bool:
        if not isinstance(value, bool):
            raise UsageError(f"rule {name}: {value!r} is neither true nor false")
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, kind) or value != value:
        raise UsageError(f"rule {name}: {value!r} is not a {allowed}")
    number: Any = value
    if (about.low is not None and number < about.low) or (about.high is not None and number > about.high):
        raise UsageError(f"rule {name}: {value_text(value)} is out of range; allowed: {allowed}")
    return value
