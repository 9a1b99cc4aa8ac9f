"""Strategies under watch: they decide as ever, and leave in their scratch memory the views that they were shown."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

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
    """The same strategy, keeping the first ``room`` views that it is shown in a unit: see :func:`views_kept`."""
    words = game.view_dtype.itemsize // 8
    known: dict[str, Any] = {**game.knowledge.DEFAULTS, **strategy.decisions}
    decisions = {kind: _watched(decision, words, room) for kind, decision in known.items()}
    return Strategy(game.name, strategy.name, "keeps what it sees", decisions, memory=1 + room * words)


def _watched(decision, words, room):
    @numba.njit(nogil=True)
    def asked(view):
        kept = memory(view)
        count = kept[0]
        if count < np.uint64(room):
            copy_view(view, words, kept[1 + np.int64(count) * words :])
            kept[0] = count + np.uint64(1)
        return decision(view)

    return asked


def views_kept(game: Game, scratch: Any, seats: int) -> list[Any]:
    """By seat, the views kept in the scratch memory of a table of watched strategies: record arrays, oldest first."""
    kept = []
    for words in scratch.reshape(seats, -1):
        views = np.frombuffer(words[1:].tobytes(), game.view_dtype)
        kept.append(views[: int(words[0])])
    return kept
