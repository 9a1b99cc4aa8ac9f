"""Tracing: one unit played again step by step, with everything that happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim import bulk, hot
from sim.arm import Arm
from sim.events import drain, new_log
from sim.game import Event, Unit
from sim.hot import lay_out
from sim.keys import engine_keys
from sim.seats import compile_lineup
from sim.view import records

STEPS = 1
"""Steps between two looks at the log: after each, the position stands as it was when the next decision is asked."""


@dataclass
class Trace:
    """A traced unit.

    Attributes
    ----------
    names : list of str
        The strategy in each chair.
    events : list of Event
    outcome : list of int, or None
        The outcome columns, when the unit came to its end.
    fault : str
        What went wrong, in words, with the view of the seat that was asked; empty when nothing did.
    fault_view : list of str
    """

    names: list[str]
    events: list[Event] = field(default_factory=list)
    outcome: list[int] | None = None
    fault: str = ""
    fault_view: list[str] = field(default_factory=list)


class Table:
    """One table at which a unit is played with a log: the engine's functions, step by step, from Python."""

    def __init__(self, arm: Arm, unit: Unit, seed: int, deal: int, replay: int = 0) -> None:
        game = arm.game
        self.arm, self.unit, self.deal = arm, unit, deal
        self.engine = game.engine
        orders = arm.orders()
        self.order = orders[replay][deal % orders.shape[1]].copy()
        self.names = [arm.lineup[entry].label for entry in self.order]
        self.seats = compile_lineup(arm)
        block = lay_out(game.position_dtype, game.view_dtype, arm.rules.to_record())
        self.positions, self.views, self.rules = (array.view(np.recarray) for array in (block.positions, block.views, block.rules))
        self.deciders, self.status = block.deciders, block.status
        self.keys = engine_keys(seed, game.name)
        self.scratch = np.zeros(max(1, sum(self.seats.words)), np.uint64)
        ends = np.cumsum(self.seats.words) - np.array(self.seats.words)
        memory = np.array(
            [[self.scratch.ctypes.data + 8 * int(at), words] for at, words in zip(ends, self.seats.words, strict=True)], np.uint64
        )
        self.log = new_log()
        bulk.seat_players(
            self.views, self.deciders, self.keys, self.seats.decisions, self.order, self.seats.parameters, memory, self.seats.tables
        )
        for seat in range(arm.players):
            self.views[seat].random_unit = np.uint64(deal)
            self.engine.introduce(self.views[seat], self.rules[0], unit.match)

    def begin(self) -> None:
        """Set up the unit."""
        with np.errstate(over="ignore"):
            self.engine.begin(self.positions[0], self.rules[0], self.keys, np.uint64(self.deal), self.unit.match)

    def deal_hand(self) -> None:
        """Deal the unit's next hand."""
        with np.errstate(over="ignore"):
            self.engine.deal(self.positions[0], self.rules[0], self.keys, self.log)

    def play(self, steps: int = 0) -> int:
        """Play the hand on, for so many steps (0: to its end); returns the engine's code."""
        with np.errstate(over="ignore"):
            code: int = self.engine.play(
                self.positions[0], self.views, self.deciders, self.rules[0], self.keys, self.status, self.log, steps
            )
        return code

    def settle(self) -> bool:
        """Score the finished hand; whether the unit goes on."""
        with np.errstate(over="ignore"):
            return bool(self.engine.settle(self.positions[0], self.rules[0], self.keys, self.log))

    def outcome(self) -> list[int]:
        """The outcome columns of the finished unit."""
        out = np.zeros(self.unit.width(self.arm.players), np.int64)
        with np.errstate(over="ignore"):
            self.engine.record(self.positions[0], self.rules[0], out, 0, 1)
        return [int(x) for x in out]

    def events(self) -> list[Event]:
        """What happened since the last look, told."""
        told: list[Event] = self.arm.game.narrator.narrate(drain(self.log), self.names, self.arm.rules)
        return told

    def asked_view(self) -> Any:
        """What the seat that was asked last could know: written anew, as a strategy may have scribbled on its view."""
        seat = int(self.status[hot.ASKED])
        view = records(self.arm.game.view_dtype, 1)[0]
        view.seat = seat
        view.players = self.arm.players
        view.random_used = self.views[seat].random_used
        with np.errstate(over="ignore"):
            self.arm.game.knowledge.write_view(self.positions[0], view, seat, self.rules[0])
        return view


def trace(arm: Arm, unit: Unit, seed: int, deal: int, replay: int = 0) -> Trace:
    """Play one unit with a log.

    Parameters
    ----------
    arm : Arm
    unit : Unit
    seed, deal : int
        Which unit of which run.
    replay : int
        Which of the arm's rotations.

    Returns
    -------
    Trace
        With ``fault`` set when a strategy raised or acted illegally.
    """
    table = Table(arm, unit, seed, deal, replay)
    told = Trace(table.names)
    table.begin()
    more = True
    while more:
        table.deal_hand()
        if not _play_hand(table, told):
            return told
        more = table.settle()
        told.events += table.events()
    told.outcome = table.outcome()
    return told


def _play_hand(table: Table, told: Trace) -> bool:
    """Play a hand to its end; False when a strategy fails."""
    code = bulk.PAUSED
    while code == bulk.PAUSED:
        try:
            code = table.play(STEPS)
        except Exception as error:  # whatever a strategy raises
            told.events += table.events()
            told.fault = f"raised {type(error).__name__}: {error}"
            told.fault_view = _asked(table)
            return False
        told.events += table.events()
    if code == bulk.ILLEGAL:
        view = table.asked_view()
        kind = table.arm.game.narrator.asked_kind(view, table.arm.rules)
        told.fault = table.arm.game.narrator.describe_answer(kind, int(table.status[hot.ANSWER]), view, table.arm.rules)
        told.fault_view = _asked(table)
        return False
    return True


def _asked(table: Table) -> list[str]:
    """Who was asked what, and what he knew."""
    seat = int(table.status[hot.ASKED])
    view = table.asked_view()
    narrator = table.arm.game.narrator
    decision = table.arm.game.decisions[narrator.asked_kind(view, table.arm.rules)].name
    return [f"asked for {decision}: {table.names[seat]}", *narrator.describe_view(view, table.arm.rules)]
