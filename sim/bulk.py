"""The block loop: one compiled function that plays units ``[first, first + count)`` of one arm of any game.

It knows games only through six functions, registered for the type of a game's position record and chosen when the loop is compiled
for that type (so there is one cached specialisation for each game and none for each line-up):

``introduce(view, rules, match)``                   write what the view of a seat, just taken, shows through all units to come
``begin(position, rules, keys, unit, match)``       set up a unit
``deal(position, rules, keys, log)``                deal its next hand
``play(position, views, deciders, rules, keys, status, log, budget) -> code``  play the hand on from wherever the position stands
``settle(position, rules, keys, log) -> bool``      score a finished hand; whether the unit goes on
``record(position, rules, out, at, width)``         write the outcome columns of a finished unit, column c to ``out[c * width + at]``

``log`` is ``None`` in bulk play and an array when a hand is traced: Numba prunes the branches of the one or the other, so that the
same source serves both and bulk play does not pay for the log.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from sim.decide import COMPILED, record_type
from sim.hot import CODE, HANDS, UNIT, UNITS_DONE, deciders_behind, rules_behind, status_behind, views_behind
from sim.jit import inlined, kernel, scalar
from sim.view import MAX_PARAMETERS, MAX_SEATS

# Codes that play() returns.
FINISHED, PAUSED, ILLEGAL, STOPPED = 0, 1, 2, 3

INLINED = {"forceinline": True}
"""The engine's functions are reached through functions that only pass their arguments on; a call of them costs nanoseconds a hand."""


class Engine(NamedTuple):
    """The functions of a game's engine (Numba dispatchers, or plain functions without the compiler)."""

    introduce: Callable[..., Any]
    begin: Callable[..., Any]
    deal: Callable[..., Any]
    play: Callable[..., Any]
    settle: Callable[..., Any]
    record: Callable[..., Any]


_ENGINES: dict[np.dtype[Any], Engine] = {}


def introduce(position, view, rules, match):
    return _ENGINES[position.dtype].introduce(view, rules, match)


def begin(position, rules, keys, unit, match):
    return _ENGINES[position.dtype].begin(position, rules, keys, unit, match)


def deal(position, rules, keys, log):
    return _ENGINES[position.dtype].deal(position, rules, keys, log)


def play(position, views, deciders, rules, keys, status, log, budget):
    return _ENGINES[position.dtype].play(position, views, deciders, rules, keys, status, log, budget)


def settle(position, rules, keys, log):
    return _ENGINES[position.dtype].settle(position, rules, keys, log)


def record(position, rules, out, at, width):
    return _ENGINES[position.dtype].record(position, rules, out, at, width)


def register(position_dtype: np.dtype[Any], engine: Engine) -> Engine:
    """Make a game's engine known to the block loop, for its type of position."""
    _ENGINES[np.dtype((np.record, position_dtype))] = engine
    if COMPILED:
        mine = record_type(position_dtype)
        own_introduce, own_begin, own_deal, own_play, own_settle, own_record = engine

        @overload(introduce, jit_options=INLINED)
        def _introduce(position, view, rules, match):
            if position == mine:
                return lambda position, view, rules, match: own_introduce(view, rules, match)

        @overload(begin, jit_options=INLINED)
        def _begin(position, rules, keys, unit, match):
            if position == mine:
                return lambda position, rules, keys, unit, match: own_begin(position, rules, keys, unit, match)

        @overload(deal, jit_options=INLINED)
        def _deal(position, rules, keys, log):
            if position == mine:
                return lambda position, rules, keys, log: own_deal(position, rules, keys, log)

        @overload(play, jit_options=INLINED)
        def _play(position, views, deciders, rules, keys, status, log, budget):
            if position == mine:
                return lambda position, views, deciders, rules, keys, status, log, budget: own_play(
                    position, views, deciders, rules, keys, status, log, budget
                )

        @overload(settle, jit_options=INLINED)
        def _settle(position, rules, keys, log):
            if position == mine:
                return lambda position, rules, keys, log: own_settle(position, rules, keys, log)

        @overload(record, jit_options=INLINED)
        def _record(position, rules, out, at, width):
            if position == mine:
                return lambda position, rules, out, at, width: own_record(position, rules, out, at, width)

    return engine


@inlined
def put(out, to, step, value):
    """Write a value to a unit's place in a column. Returns its place in the next column of the same seat, or of the table."""
    out[to] = value
    return to + step


@kernel
def seat_players(views, deciders, keys, decisions, order, parameters, memory, tables):
    """Put each strategy of the line-up into its chair: its decisions, parameters, memory and tables.

    ``order[seat]`` is the line-up entry that sits there. ``tables[entry]`` is (address, items) and ``memory[entry]`` (address, words).
    """
    for seat in range(order.size):
        entry = np.uint64(order[seat])
        view = views[np.uint64(seat)]
        view.seat = seat
        view.players = order.size
        view.random_key0 = keys[2]
        view.random_key1 = keys[3]
        for kind in range(decisions.shape[1]):
            deciders[np.uint64(kind * MAX_SEATS + seat)] = decisions[entry, np.uint64(kind)]
        for i in range(MAX_PARAMETERS):
            view.parameters[i] = parameters[entry, i]
        view.memory_address = memory[entry, 0]
        view.memory_words = np.int64(memory[entry, 1])
        view.table_address = tables[entry, 0]
        view.table_items = np.int64(tables[entry, 1])


@kernel
def play_units(
    first,
    count,
    match,
    positions,
    views,
    deciders,
    status,
    rules_array,
    keys,
    decisions,
    orders,
    parameters,
    memory,
    scratch,
    tables,
    out,
    width,
    stop,
):
    """Play units ``first`` … ``first + count - 1`` of one arm.

    Parameters
    ----------
    first, count : int
        Units to play.
    match : int
        0: a unit is one hand; 1: a unit is a match (or game) of the rules' length.
    positions, views, deciders, status, rules_array : arrays
        The hot state, as ``sim.hot.lay_out()`` makes it. The status says how far the loop is and what it is asking.
    keys : uint64 array, shape (6,)
        Stream keys: cards, strategy, table.
    decisions : uint64 array, shape (entries, kinds)
    orders : int64 array, shape (classes, players)
        Seatings; unit u takes row ``u % classes``.
    parameters : float64 array, shape (entries, MAX_PARAMETERS)
    memory : uint64 array, shape (entries, 2); scratch : uint64 array
        Addresses and sizes of the entries' scratch memory; the memory itself, zeroed at each unit.
    tables : uint64 array, shape (entries, 2)
    out : int64 array, shape (columns * width,)
        Outcome columns one behind the other, one unit a place.
    width : int
        Length of a column, at least ``count``.
    stop : int64 array, shape (1,)
        The loop ends before the next deal when this is not zero.

    Returns
    -------
    int
        FINISHED, STOPPED or ILLEGAL; ``status[UNITS_DONE]`` counts the units of this call whose outcome is written.
    """
    position = positions[0]
    views = views_behind(positions, views, views)
    deciders = deciders_behind(positions, views, deciders)
    status = status_behind(positions, views, status)
    rules = rules_behind(positions, views, rules_array)[0]
    classes = np.uint64(orders.shape[0])
    row = np.uint64(0)
    status[UNITS_DONE] = 0
    for at in range(count):
        unit = np.uint64(first + at)
        status[UNIT] = first + at
        if stop[0] != 0:
            status[CODE] = STOPPED
            return STOPPED
        if classes > np.uint64(1):
            row = unit % classes
        if at == 0 or classes > np.uint64(1):
            seat_players(views, deciders, keys, decisions, orders[row], parameters, memory, tables)
            for seat in range(np.uint64(orders.shape[1])):
                introduce(position, views[seat], rules, match)
        for seat in range(np.uint64(orders.shape[1])):
            scalar()
            views[seat].random_unit = unit
        if scratch.size > 0:
            for word in range(scratch.size):
                scratch[word] = np.uint64(0)
        begin(position, rules, keys, unit, match)
        more = True
        while more:
            status[HANDS] += 1
            deal(position, rules, keys, None)
            code = play(position, views, deciders, rules, keys, status, None, 0)
            if code != FINISHED:
                status[CODE] = code
                return code
            more = settle(position, rules, keys, None)
            if more and stop[0] != 0:
                status[CODE] = STOPPED
                return STOPPED
        record(position, rules, out, at, width)
        status[UNITS_DONE] = at + 1
    status[CODE] = FINISHED
    return FINISHED
