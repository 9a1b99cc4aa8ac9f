"""Distributions in numbers: shares of units with their intervals, quantiles with theirs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from statistics import NormalDist

from analysis.estimates import Estimate, share_estimate
from reports.runs import Distribution

_CRITICAL = NormalDist().inv_cdf(0.975)
_NOTHING_BELOW = (0, 1)
"""Where a distribution begins whose first bin holds nothing but its own value."""


@dataclass(frozen=True)
class Share:
    """The units with one value, and with at most that value. ``beyond``: -1 or 1 when values below or above are counted here too."""

    value: int
    count: int
    share: Estimate
    so_far: Estimate
    beyond: int = 0

    @property
    def text(self) -> str:
        """The value in words: '12', '100 or more'."""
        return f"{self.value:,}" + {0: "", 1: " or more", -1: " or fewer"}[self.beyond]


def total(distribution: Distribution) -> int:
    """Units counted."""
    return sum(distribution.counts)


def shares(distribution: Distribution) -> tuple[Share, ...]:
    """Every value from the first to the last that was met."""
    return _shares(distribution.low, distribution.counts)


@lru_cache(maxsize=256)
def _shares(low: int, counts: tuple[int, ...]) -> tuple[Share, ...]:
    n = sum(counts)
    met = [i for i, count in enumerate(counts) if count]
    if not met:
        return ()
    so_far = list(accumulate(counts))
    return tuple(
        Share(
            low + i,
            counts[i],
            share_estimate(n, counts[i], counts[i], 1),
            share_estimate(n, so_far[i], so_far[i], 1),
            1 if i == len(counts) - 1 else -1 if i == 0 and low not in _NOTHING_BELOW else 0,
        )
        for i in range(met[0], met[-1] + 1)
    )


def median(distribution: Distribution) -> int:
    """The value that half of the units do not exceed."""
    return _reached(distribution, total(distribution) / 2).value


def quantile(distribution: Distribution, part: float) -> str:
    """The value that so large a part of the units does not exceed, as a range where the sample leaves more than one: '12', '12 to 13'."""
    n = total(distribution)
    give = _CRITICAL * (part * (1 - part) / n) ** 0.5
    low, high = (_reached(distribution, n * min(max(p, 0.0), 1.0)) for p in (part - give, part + give))
    return low.text if low.value == high.value else f"{low.value:,} to {high.text}"


def _reached(distribution: Distribution, units: float) -> Share:
    """The first value up to which so many units are counted."""
    so_far = 0
    listed = shares(distribution)
    for one in listed:
        so_far += one.count
        if so_far >= units:
            return one
    return listed[-1]
