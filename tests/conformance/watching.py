"""Strategies under watch: they decide as ever, and leave in their scratch memory the views that they were shown."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim.game import Game
from sim.strategy import Strategy
from sim.view import memory


@intrinsic
def _copy_words(typingctx, view, words, target):
    def codegen(context, builder, sig, args):
        data = context.make_array(sig.args[2])(context, builder, args[2]).data
        source = builder.bitcast(args[0], data.type)
        cgutils.raw_memcpy(builder, data, source, args[1], 8)
        return context.get_dummy_value()

    return types.void(view, types.int64, target), codegen


def copy_view(view, words, target):
    """Copy the ``words`` words of a view to a uint64 array."""
    target[:words] = np.frombuffer(view.tobytes(), np.uint64)


@overload(copy_view)
def _copy_view(view, words, target):
    return lambda view, words, target: _copy_words(view, np.int64(words), target)


@cache
def watched(game: Game, strategy: Strategy, room: int = 1) -> Strategy:
    """The same strategy, keeping the first ``room`` views that it is shown in a unit: see :func:`views_kept`.

    They are kept behind the words that the strategy has asked for itself.
    """
    words = game.view_dtype.itemsize // 8
    known: dict[str, Any] = {**game.knowledge.DEFAULTS, **strategy.decisions}
    decisions = {kind: _watched(decision, strategy.memory, words, room) for kind, decision in known.items()}
    memory_words = strategy.memory + 1 + room * words
    return dataclasses.replace(strategy, decisions=decisions, memory=memory_words)


def _watched(decision, own, words, room):
    @numba.njit(nogil=True)
    def asked(view):
        kept = memory(view)[own:]
        count = kept[0]
        if count < np.uint64(room):
            copy_view(view, words, kept[1 + np.int64(count) * words :])
            kept[0] = count + np.uint64(1)
        return decision(view)

    return asked


def _kept(game: Game, scratch: Any, seats: int, room: int) -> Any:
    """By seat, the words in which views are kept: how many, then the views."""
    words = 1 + room * (game.view_dtype.itemsize // 8)
    return scratch.reshape(seats, -1)[:, -words:]


def views_kept(game: Game, scratch: Any, seats: int, room: int = 1) -> list[Any]:
    """By seat, the views kept in the scratch memory of a table of equal watched strategies, oldest first."""
    found = []
    for words in _kept(game, scratch, seats, room):
        views = np.frombuffer(words[1:].tobytes(), game.view_dtype)
        found.append(views[: int(words[0])])
    return found


def forget(game: Game, scratch: Any, seats: int, room: int = 1) -> None:
    """Make room for the next views."""
    _kept(game, scratch, seats, room)[:, 0] = 0
