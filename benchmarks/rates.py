"""Rates through the public runner: strategies by name, full views, history and legality checks on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from analysis.question import Question
from benchmarks import yardstick
from sim.runner import run


@dataclass(frozen=True)
class Rate:
    """Hands per CPU second and per second of one run."""

    cpu: float
    wall: float


def measure(game: str, strategy: str, players: int, hands: int, seed: int, jobs: int = 1) -> Rate:
    """Play so many hands with one strategy everywhere."""
    plan = Question("simulate", game, hands, seed, rules={"players": players}, strategy=strategy).prepare().plan
    outcome = run(plan, hands, jobs=jobs)
    return Rate(hands / outcome.cpu_seconds, hands / outcome.seconds)


@dataclass(frozen=True)
class Ratio:
    """The toolkit against C: medians over alternating pairs."""

    ours: float
    c: float
    ratio: float
    low: float
    high: float


def against_c(stick: yardstick.Yardstick, program: Path, players: int, hands: int, pairs: int) -> Ratio:
    """Run the toolkit and the C program in turn; the ratio of each pair, its median and its range."""
    measure(stick.game, stick.strategy, players, 1024, 1)  # compiled and loaded before the clock starts
    mine, theirs = [], []
    for pair in range(pairs):
        mine.append(measure(stick.game, stick.strategy, players, hands, pair + 1).cpu)
        theirs.append(yardstick.rate(program, players, hands, pair + 1))
    ratios = [a / b for a, b in zip(mine, theirs, strict=True)]
    return Ratio(statistics.median(mine), statistics.median(theirs), statistics.median(ratios), min(ratios), max(ratios))


def two_threads(game: str, strategy: str, players: int, hands: int, pairs: int) -> Ratio:
    """Two threads against one, hands per second, in turn."""
    measure(game, strategy, players, 1024, 1)
    two, one = [], []
    for pair in range(pairs):
        two.append(measure(game, strategy, players, 2 * hands, pair + 1, jobs=2).wall)
        one.append(measure(game, strategy, players, hands, pair + 1, jobs=1).wall)
    ratios = [a / b for a, b in zip(two, one, strict=True)]
    return Ratio(statistics.median(two), statistics.median(one), statistics.median(ratios), min(ratios), max(ratios))
