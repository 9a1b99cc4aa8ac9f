"""Plan and totals: what is to be played and added up, and what came out."""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.arm import Arm
from sim.game import Game, Unit

BLOCK = 1024
"""Units of a block: a constant of the result format. Work is one or more blocks, or a part of one."""


@dataclass(frozen=True)
class Value:
    """One number per unit of one arm: an outcome column of the table, of a chair, or of a line-up entry wherever it sits.

    Over the replays of a unit (rotations) the column is summed; with both an entry and a seat, over those in which it sits there.
    """

    arm: int
    column: str
    seat: int | None = None
    entry: int | None = None


@dataclass(frozen=True)
class Histogram:
    """Counts of a value's outcomes, from ``low`` to ``high``; what lies beyond is counted at the ends."""

    value: int
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class Plan:
    """An experiment as the runner sees it: arms played on the same deals, values taken, products and histograms wanted.

    Parameters
    ----------
    arms : tuple of Arm
        All of one game.
    unit : Unit
        What is played and counted as one.
    seed : int
    values : tuple of Value
    pairs : tuple of (int, int)
        Pairs of values whose products are summed; (k, k) for the squares of value k.
    histograms : tuple of Histogram
    """

    arms: tuple[Arm, ...]
    unit: Unit
    seed: int
    values: tuple[Value, ...]
    pairs: tuple[tuple[int, int], ...]
    histograms: tuple[Histogram, ...] = ()

    @property
    def game(self) -> Game:
        """The game played."""
        return self.arms[0].game

    @property
    def games_per_unit(self) -> int:
        """Games played for one unit, over all arms and rotations."""
        return sum(arm.replays for arm in self.arms)


@dataclass
class Totals:
    """Sums over units: whole numbers, so they add up the same in any order.

    Attributes
    ----------
    units, hands : int
        Units counted; hands played for them, over all arms and replays.
    sums, products, game_squares : list of int
        By value: its sum; by pair: the sum of products; by value: the sum of squares of single games.
    bins : list of list of int
        By histogram.
    """

    units: int = 0
    hands: int = 0
    sums: list[int] = field(default_factory=list)
    products: list[int] = field(default_factory=list)
    game_squares: list[int] = field(default_factory=list)
    bins: list[list[int]] = field(default_factory=list)

    @classmethod
    def empty(cls, plan: Plan) -> Totals:
        """Nothing counted yet."""
        return cls(
            0,
            0,
            [0] * len(plan.values),
            [0] * len(plan.pairs),
            [0] * len(plan.values),
            [[0] * (h.high - h.low + 1) for h in plan.histograms],
        )

    def copy(self) -> Totals:
        """The same sums, to be added to."""
        return Totals(self.units, self.hands, list(self.sums), list(self.products), list(self.game_squares), [list(b) for b in self.bins])

    def add(self, other: Totals) -> None:
        """Add the sums of other units of the same plan."""
        self.units += other.units
        self.hands += other.hands
        for mine, more in (
            (self.sums, other.sums),
            (self.products, other.products),
            (self.game_squares, other.game_squares),
            *zip(self.bins, other.bins, strict=True),
        ):
            mine[:] = [a + b for a, b in zip(mine, more, strict=True)]
