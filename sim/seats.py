"""From players to what the block loop reads: addresses of decisions, parameters, scratch memory, tables."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.arm import Arm
from sim.cache import cache_folder
from sim.decide import COMPILED, address
from sim.errors import UsageError
from sim.game import Game
from sim.jit import scalar_loops
from sim.rules import Rules
from sim.strategy import MAX_PARAMETERS, Player, mending


@dataclass(frozen=True, eq=False)
class Seats:
    """The line-up of an arm, ready to be seated.

    ``decisions`` has shape (entries, kinds): uint64 addresses, or functions where the compiler is off. ``keep`` holds what must
    outlive the addresses. ``words`` is the scratch memory each entry asks for.
    """

    decisions: Any
    parameters: npt.NDArray[np.float64]
    words: tuple[int, ...]
    tables: npt.NDArray[np.uint64]
    keep: tuple[Any, ...]


def compile_lineup(arm: Arm) -> Seats:
    """Compile the decisions of everybody in a line-up (once for each function) and make their tables."""
    game = arm.game
    functions = [[_decision(game, player, kind.name) for kind in game.decisions] for player in arm.lineup]
    if COMPILED:
        with scalar_loops():
            decisions: Any = np.array([[address(f, game.view_dtype) for f in row] for row in functions], np.uint64)
    else:
        decisions = np.empty((len(functions), len(game.decisions)), object)
        for i, row in enumerate(functions):
            decisions[i, :] = row
    parameters = np.zeros((len(arm.lineup), MAX_PARAMETERS))
    for i, player in enumerate(arm.lineup):
        parameters[i, : len(player.values)] = list(player.values.values())
    tables = [_tables(player, arm.rules) for player in arm.lineup]
    places = np.array([[0, 0] if t is None else [t.ctypes.data, t.size] for t in tables], np.uint64)
    words = tuple(player.strategy.memory for player in arm.lineup)
    return Seats(decisions, parameters, words, places, (functions, tables))


def _decision(game: Game, player: Player, kind: str) -> Any:
    """The function that takes one kind of decision: the strategy's own or the game's default."""
    known = [decision.name for decision in game.decisions]
    for name in player.strategy.decisions:
        if name not in known:
            raise UsageError(f"strategy {player.label}: {game.name} has no decision '{name}'; its decisions are {', '.join(known)}")
    chosen = player.strategy.decisions.get(kind)
    return game.knowledge.DEFAULTS[kind] if chosen is None else chosen


def _tables(player: Player, rules: Rules) -> npt.NDArray[Any] | None:
    """A strategy's tables for these rules, one-dimensional and read-only; kept on disk between runs."""
    make = player.strategy.tables
    if make is None:
        return None
    folder = cache_folder()
    key = f"{player.strategy.game}|{player.label}|{sorted(player.values.items())}|{sorted(rules.to_dict().items())}"
    path = None
    # The folder's name is a digest of our sources, so only what is made by them may be kept there.
    if folder is not None and (make.__module__ or "").startswith("strategies."):
        path = folder / f"table-{hashlib.blake2b(key.encode(), digest_size=12).hexdigest()}.npy"
        kept = _load(path)
        if kept is not None:
            return kept
    with mending(f"strategy {player.label}: its tables function"):
        table = np.ascontiguousarray(make(rules, player.values)).ravel()
    if table.dtype.hasobject or table.dtype.kind not in "biufV":
        raise UsageError(f"strategy {player.label}: its tables function must give an array of numbers, not {table.dtype}")
    if path is not None:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npy", delete=False) as file:
            np.save(file, table)
        Path(file.name).replace(path)
    table.flags.writeable = False
    return table


def _load(path: Path) -> npt.NDArray[Any] | None:
    """A kept table, or None when there is none or it is damaged."""
    try:
        table: npt.NDArray[Any] = np.load(path)
    except (OSError, ValueError, EOFError):
        return None
    table.flags.writeable = False
    return table
