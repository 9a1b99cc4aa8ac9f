"""A small set of outcomes of every game, to be had in another process: ``python -m tests.conformance.sample``."""

from __future__ import annotations

import json
import sys
from typing import Any

import numba
import numpy as np

from sim.decide import COMPILED
from sim.game import all_games
from sim.plan import Plan
from sim.tracing import trace
from sim.worker import Outcomes, Worker
from tests.conformance.settings import mixed_arm, packed_settings

SEED = 20
UNITS = 6


def sample() -> dict[str, Any]:
    """Outcomes of some units with every value of every rule, and a told unit, of every game; how they were compiled."""
    outcomes: dict[str, Any] = {}
    for game in all_games().values():
        for setting in packed_settings(game, game.rules.defaults()["players"]):
            arm = mixed_arm(setting)
            kept: list[list[list[int]]] = []

            def keep(first: int, count: int, columns: Outcomes, kept: list[list[list[int]]] = kept) -> None:
                kept.append(columns[0][0].tolist())

            Worker(Plan((arm,), game.units[0], SEED, (), ())).play(0, UNITS, keep)
            outcomes[str(setting)] = kept
        outcomes[game.name] = [event.text for event in trace(arm, game.units[-1], SEED, 1).events]
    return {"outcomes": outcomes, "compiled": COMPILED, "checked": _is_checked()}


def _is_checked() -> bool:
    """Whether a kernel refuses to read past the end of an array."""
    last = numba.njit(lambda words, at: words[at])
    try:
        last(np.zeros(3, np.uint64), np.uint64(3))
    except IndexError:
        return True
    return False


if __name__ == "__main__":
    json.dump(sample(), sys.stdout)
