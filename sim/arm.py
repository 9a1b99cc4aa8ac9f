"""Arm: a game, its rules, strategies in seats. Every question is a set of arms played on the same deals."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.errors import UsageError
from sim.game import Game
from sim.rules import Rules
from sim.strategy import Player

CLASS_SHUFFLE = 20260101
"""Seed of the fixed shuffle of cyclic orders (part of the result format)."""


@dataclass(frozen=True, eq=False)
class Arm:
    """One way to play a unit.

    Parameters
    ----------
    game : Game
    rules : Rules
    lineup : tuple of Player
        As many as the rules have players; entry i sits in seat i before any rotation.
    rotate : bool
        Play each unit once for every rotation of the line-up, so that each entry sits in each seat once.
    label : str
        How the arm is called in results.
    """

    game: Game
    rules: Rules
    lineup: tuple[Player, ...]
    rotate: bool = False
    label: str = ""

    def __post_init__(self) -> None:
        players = self.players
        if len(self.lineup) != players:
            raise UsageError(f"{len(self.lineup)} strategies for {players} players: a line-up names one strategy for each seat")
        for player in self.lineup:
            player.check(self.rules)

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(getattr(self.rules, "players"))  # noqa: B009 - every game's rules have this field

    @property
    def replays(self) -> int:
        """Games played for each unit."""
        return self.players if self.rotate else 1

    def orders(self) -> npt.NDArray[np.int64]:
        """Seatings: int64 array of shape (replays, classes, players), the line-up entry in each seat.

        Rotation keeps who-follows-whom fixed. With three or more different strategies at a table that is not neutral, so the cyclic
        order changes from unit to unit: unit u takes class ``u % classes`` of a fixed shuffled list of all cyclic orders.
        Without rotation everybody stays where he was put.
        """
        players = self.players
        if not self.rotate:
            return np.arange(players, dtype=np.int64).reshape(1, 1, players)
        if len(set(self.lineup)) < 3:
            classes = np.arange(players, dtype=np.int64).reshape(1, players)
        else:
            rest = list(itertools.permutations(range(1, players)))
            shuffled = np.random.Generator(np.random.Philox(CLASS_SHUFFLE)).permutation(len(rest))
            classes = np.array([(0, *rest[i]) for i in shuffled], dtype=np.int64)
        return np.stack([np.roll(classes, shift, axis=1) for shift in range(players)])
