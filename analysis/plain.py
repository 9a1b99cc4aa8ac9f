"""Plain data from files that anybody may have written, read strictly: each reader gives a value of the right kind or says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sim.errors import UsageError
from sim.rules import nearest

LONGEST_TEXT = 4096
MOST = 10_000
"""Characters of a text, and entries of a list: more is nobody's question."""

LARGEST_NUMBER = 2**63 - 1

Reader = Callable[[str, Any], Any]
"""Takes the name of a value, for messages, and the value."""


def keys(what: str, data: Mapping[str, Any], known: list[str]) -> None:
    """Refuse keys that are not known, with the nearest right one."""
    for key in data:
        if key not in known:
            raise UsageError(f"{what} has no key '{key}'{nearest(str(key), known)}; its keys are {', '.join(known)}")


def text(name: str, value: Any) -> str:
    """A text on one line that is not empty."""
    if not isinstance(value, str):
        raise UsageError(f"{name}: {_shown(value)} is not text")
    if not value.strip():
        raise UsageError(f"{name} is empty")
    if len(value) > LONGEST_TEXT or not value.isprintable():
        raise UsageError(f"{name}: {_shown(value)} is no single line of readable text")
    return value


def truth(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"{name}: {_shown(value)} is neither true nor false")
    return value


def whole(low: int, high: int) -> Reader:
    """A whole number in a range."""

    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise UsageError(f"{name}: {_shown(value)} is not a whole number")
        if not low <= value <= high:
            raise UsageError(f"{name}: {_shown(value)} is out of range; allowed: {low} to {high}")
        return value

    return read


def one_of(*choices: str) -> Reader:
    """One of some words."""

    def read(name: str, value: Any) -> str:
        word = text(name, value)
        if word not in choices:
            raise UsageError(f"{name}: no '{word}'{nearest(word, list(choices))}; allowed: {', '.join(choices)}")
        return word

    return read


def several(reader: Reader) -> Reader:
    """A list that is not empty, as a tuple."""

    def read(name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise UsageError(f"{name}: {_shown(value)} is not a list")
        if not 0 < len(value) <= MOST:
            raise UsageError(f"{name}: a list of {len(value)} entries")
        return tuple(reader(name, item) for item in value)

    return read


def table(reader: Reader) -> Reader:
    """Named values that are not empty."""

    def read(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise UsageError(f"{name}: {_shown(value)} is not a table of names and values")
        if not 0 < len(value) <= MOST:
            raise UsageError(f"{name}: a table of {len(value)} entries")
        return {text(f"a name in {name}", key): reader(f"{name}.{key}", item) for key, item in value.items()}

    return read


def rule_value(name: str, value: Any) -> Any:
    """A rule's value: text, a number, a truth, or a list of texts."""
    if isinstance(value, (list, tuple)):
        return [text(name, item) for item in value]
    return scalar(name, value)


def scalar(name: str, value: Any) -> str | int | float | bool:
    """A text, a number or a truth."""
    if isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        if abs(value) > LARGEST_NUMBER:
            raise UsageError(f"{name}: {_shown(value)} is out of range; numbers have at most 63 bits")
        return value
    if isinstance(value, str):
        return text(name, value)
    raise UsageError(f"{name}: {_shown(value)} is neither text nor a number nor true or false")


def _shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return "a huge number"
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}…"
