"""Tables played step by step: positions saved on the way, and played on elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from sim import bulk
from sim.arm import Arm
from sim.events import drain
from sim.game import Unit
from sim.tracing import Table
from sim.view import records

Row = tuple[int, int, int, int]


@dataclass(frozen=True)
class Save:
    """A position put aside, with the scratch memory of the seats and the log rows of the unit so far."""

    positions: Any
    scratch: Any
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, table: Table, rows: list[Row]) -> Save:
        """What stands on a table now."""
        return cls(table.positions.copy(), table.scratch.copy(), tuple(rows))


def steps(table: Table, rows: list[Row]) -> Iterator[int]:
    """Play a unit one step at a time, gathering its log in ``rows``; stops at every pause and at the end of each hand.

    Yields
    ------
    int
        PAUSED, or FINISHED when a hand is over (and not yet settled).
    """
    table.begin()
    more = True
    while more:
        table.deal_hand()
        rows += drain(table.log)
        yield bulk.PAUSED
        code = bulk.PAUSED
        while code == bulk.PAUSED:
            code = table.play(steps=1)
            assert code in (bulk.PAUSED, bulk.FINISHED), f"code {code} after {len(rows)} events"
            rows += drain(table.log)
            yield code
        more = table.settle()
        rows += drain(table.log)


def saves(arm: Arm, unit: Unit, seed: int, deal: int, most: int) -> list[Save]:
    """Positions at each of the first pauses of a unit."""
    table = Table(arm, unit, seed, deal)
    rows: list[Row] = []
    return [Save.of(table, rows) for _ in islice(steps(table, rows), most)]


def finish(table: Table, save: Save, logged: bool) -> tuple[list[int], list[Row]]:
    """Play a saved position on at another table, to the end of its unit.

    Parameters
    ----------
    table : Table
        Of the same arm, unit, seed and deal.
    save : Save
    logged : bool
        With a log, or as bulk play does it.

    Returns
    -------
    (outcome, rows)
        The outcome columns; the log of the whole unit (without a log, only of what came before).
    """
    table.positions[:] = save.positions
    table.scratch[:] = save.scratch
    rows = list(save.rows)
    more = True
    while more:
        code = bulk.PAUSED
        while code == bulk.PAUSED:
            code = table.play(steps=200) if logged else bulk_play(table)
            rows += drain(table.log)
        assert code == bulk.FINISHED
        more = table.settle() if logged else bulk_settle(table)
        if more:
            if logged:
                table.deal_hand()
            else:
                bulk_deal(table)
        rows += drain(table.log)
    return table.outcome(), rows


def bulk_play(table: Table) -> int:
    """Play the hand on as bulk play does it: without a log, to its end."""
    with np.errstate(over="ignore"):
        code: int = table.engine.play(table.positions[0], table.views, table.deciders, table.rules[0], table.keys, table.status, None, 0)
    return code


def bulk_settle(table: Table) -> bool:
    """Score the finished hand without a log."""
    with np.errstate(over="ignore"):
        return bool(table.engine.settle(table.positions[0], table.rules[0], table.keys, None))


def bulk_deal(table: Table) -> None:
    """Deal the next hand without a log."""
    with np.errstate(over="ignore"):
        table.engine.deal(table.positions[0], table.rules[0], table.keys, None)


def copies_of_cards(zones: dict[str, list[int]]) -> int:
    """How many times each of the 52 cards lies somewhere: the same number for all of them (AssertionError if not)."""
    counts = Counter(card for cards in zones.values() for card in cards)
    assert set(counts) == set(range(52)), f"missing or no cards: {set(range(52)) ^ set(counts)}"
    (copies,) = set(counts.values())
    return copies


def view_bytes(table: Table, seat: int, positions: Any = None) -> bytes:
    """The whole view of a seat, written afresh from a position (the table's own when none is given)."""
    views = records(table.arm.game.view_dtype, 1)
    position = (table.positions if positions is None else positions)[0]
    with np.errstate(over="ignore"):
        table.arm.game.knowledge.write_view(position, views[0], seat, table.rules[0])
    return bytes(views.tobytes())


def imagined(table: Table, positions: Any, seat: int, luck: tuple[int, int, int, int]) -> Any:
    """A copy of a position in which the cards that a seat cannot see are dealt anew."""
    copy = positions.copy()
    with np.errstate(over="ignore"):
        table.arm.game.knowledge.determinize(copy[0], seat, table.rules[0], *(np.uint64(word) for word in luck))
    return copy
