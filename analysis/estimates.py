"""Estimates with their standard errors and intervals, from exact integer sums over independent units.

The unit (a hand, a match, a session: whatever one deal number addresses) is the unit of error. Everything that one unit
was played for, under every seating, is summed into one value first; the functions here see sums over units only. The
sums are integers of any size: variances are formed as integers and divided last, so nothing cancels.

Sources of the formulas: Wilson (1927), Clopper and Pearson (1934), Brown, Cai and DasGupta (2001) for Jeffreys,
Newcombe (1998, method 10), McNemar (1947) in its exact form, Fieller (1954), Liang and Zeger (1986) for clusters.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

SMALLEST_INTERVAL_UNITS = 30
"""Below this number of units an interval is not given: the normal approximation behind it is not to be relied on."""

# Below five standard errors from zero the denominator of a ratio may be near zero, where the delta method breaks down.
_FIELLER_STANDARD_ERRORS = 5

# Whole numbers above this are not all representable in a float64, so a float that large may be a rounded sum.
_LARGEST_EXACT_FLOAT = 2**53

ProportionMethod = Literal["wilson", "clopper-pearson", "jeffreys"]


@dataclass(frozen=True)
class Estimate:
    """A number, how uncertain it is, and the interval that says so.

    Attributes
    ----------
    value : float or None
        The estimate; None when there is nothing to estimate it from.
    se : float or None
        Standard error; None with fewer than two units. Zero means that the units did not differ at all.
    low, high : float or None
        Ends of the interval (pointwise, 95 % unless another level was asked for); None when not given.
    """

    value: float | None
    se: float | None
    low: float | None
    high: float | None

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval: the number printed after the plus-minus sign."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, float | None]:
        """Return the fields by name, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Difference(Estimate):
    """A difference between two arms played on the same units.

    Attributes
    ----------
    p : float or None
        Two-sided p-value of "no difference", adjusted for the other differences of its table; None if se is zero.
    vrf : float or None
        Variance of independent games over the variance of this design, for the same number of games.
    ess : float or None
        The number of independent games that would be worth as much.
    """

    p: float | None
    vrf: float | None
    ess: float | None


@dataclass(frozen=True)
class ClusteredMean:
    """A mean over raw records that come in clusters (the records of one deal belong together).

    Attributes
    ----------
    value : float
        Mean over all records, each counted once.
    se_iid : float or None
        Standard error if every record were independent; None with one record.
    se_cr0, se_cr1 : float or None
        Cluster-robust standard errors, without and with the factor G / (G - 1); None with one deal.
    low, high : float or None
        t interval from `se_cr1` with G - 1 degrees of freedom; None with one deal. It is given for few deals too:
        `deals` says how far to rely on it.
    vrf, ess : float or None
        (se_iid / se_cr1)^2, and that times the number of records; None if se_cr1 is zero or unknown.
    records, deals : int
        Number of records N and of deals G.
    """

    value: float
    se_iid: float | None
    se_cr0: float | None
    se_cr1: float | None
    low: float | None
    high: float | None
    vrf: float | None
    ess: float | None
    records: int
    deals: int


# --- quantiles and tails ---------------------------------------------------------------------------------------------


def critical_value(level: float, degrees_of_freedom: float | None = None) -> float:
    """Return the two-sided critical value of Student's t, or of the normal distribution.

    Parameters
    ----------
    level : float
        Coverage, strictly between 0 and 1.
    degrees_of_freedom : float, optional
        Degrees of freedom of t; None for the normal distribution.

    Raises
    ------
    ValueError
        If `level` is not strictly between 0 and 1, or `degrees_of_freedom` is not positive.
    """
    tail = (1.0 - _checked_level(level)) / 2
    # The lower tail keeps full precision where 1 - tail would round to one.
    if degrees_of_freedom is None:
        return -float(special.ndtri(tail))
    if not degrees_of_freedom > 0:
        raise ValueError(f"degrees of freedom must be positive, got {degrees_of_freedom!r}")
    return -float(special.stdtrit(degrees_of_freedom, tail))


# --- proportions of independent games ---------------------------------------------------------------------------------


def proportion_interval(
    successes: SupportsIndex | float,
    n: SupportsIndex | float,
    method: ProportionMethod = "wilson",
    level: float = 0.95,
) -> tuple[float, float]:
    """Return an interval for a proportion of independent trials.

    Parameters
    ----------
    successes, n : int
        Number of successes and of trials.
    method : {'wilson', 'clopper-pearson', 'jeffreys'}
        Wilson's score interval; the exact interval of Clopper and Pearson, which never covers too little; the
        equal-tailed interval under Jeffreys' prior, whose ends are not snapped to 0 and 1.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Low and high end, finite and inside [0, 1] for every possible count.

    Raises
    ------
    ValueError
        If the counts are not whole, `n` is not positive, `successes` is outside 0..n, `level` is not strictly between 0
        and 1, or `method` is unknown.
    """
    x, trials = _checked_counts(successes, n)
    tail = (1.0 - _checked_level(level)) / 2
    failures = trials - x
    if method == "wilson":
        return _wilson(x / trials, failures / trials, trials, critical_value(level))
    if method == "clopper-pearson":
        low = float(special.betaincinv(x, failures + 1, tail)) if x else 0.0
        high = float(special.betainccinv(x + 1, failures, tail)) if failures else 1.0
        return low, high
    if method == "jeffreys":
        low = float(special.betaincinv(x + 0.5, failures + 0.5, tail))
        high = float(special.betainccinv(x + 0.5, failures + 0.5, tail))
        return low, high
    raise ValueError(f"method must be 'wilson', 'clopper-pearson' or 'jeffreys', got {method!r}")


def newcombe(
    x1: SupportsIndex | float,
    n1: SupportsIndex | float,
    x2: SupportsIndex | float,
    n2: SupportsIndex | float,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return an interval for the difference of two independent proportions, x1 / n1 - x2 / n2.

    Newcombe's method 10: the distances from each proportion to the ends of its Wilson interval, added as squares.

    Parameters
    ----------
    x1, n1, x2, n2 : int
        Successes and trials of the first and of the second group.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    tuple of float
        Low and high end, inside [-1, 1].

    Raises
    ------
    ValueError
        As `proportion_interval`.
    """
    first, first_n = _checked_counts(x1, n1)
    second, second_n = _checked_counts(x2, n2)
    p1, p2 = first / first_n, second / second_n
    low1, high1 = proportion_interval(first, first_n, level=level)
    low2, high2 = proportion_interval(second, second_n, level=level)
    low = p1 - p2 - math.hypot(p1 - low1, high2 - p2)
    high = p1 - p2 + math.hypot(high1 - p1, p2 - low2)
    return max(low, -1.0), min(high, 1.0)


def mcnemar_exact(b: SupportsIndex | float, c: SupportsIndex | float) -> float:
    """Return the two-sided exact p-value of McNemar's test.

    Parameters
    ----------
    b, c : int
        Number of pairs that only the first, and that only the second, side won. Pairs that agree do not count.

    Returns
    -------
    float
        Twice the smaller binomial tail at one half, at most 1; 1 when there is no discordant pair.

    Raises
    ------
    ValueError
        If a count is negative or not whole.
    """
    only_first, only_second = _checked_whole("b", b), _checked_whole("c", c)
    if only_first < 0 or only_second < 0:
        raise ValueError(f"counts of discordant pairs must not be negative, got b={only_first}, c={only_second}")
    fewer, pairs = min(only_first, only_second), only_first + only_second
    return min(1.0, 2 * float(special.bdtr(fewer, pairs, 0.5)))


# --- means, shares and ratios over units ------------------------------------------------------------------------------


def share_estimate(
    n: SupportsIndex | float,
    total: SupportsIndex | float,
    total_squares: SupportsIndex | float,
    denominator: SupportsIndex | float,
    binary: bool | None = None,
    level: float = 0.95,
) -> Estimate:
    """Estimate a mean share in [0, 1] (a win rate, a pot share) from integer sums over units.

    The interval is Wilson's. If each unit is simply won or lost it takes the number of units; otherwise it takes the
    number of independent games worth as much, p (1 - p) / se^2, which keeps it inside [0, 1].

    Parameters
    ----------
    n : int
        Number of independent units.
    total, total_squares : int
        Sum over units of the unit's value and of its square; values are whole multiples of 1 / `denominator`.
    denominator : int
        What a unit counts for when everything in it was won, such as 840 times the games of the unit.
    binary : bool, optional
        Whether every unit is 0 or 1. None: read off the sums, which show it exactly.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    Estimate
        `se` is sd / sqrt(n) with n - 1 in the variance. Below 30 units `low` and `high` are None, below 2 also `se`,
        with none also `value`.

    Raises
    ------
    ValueError
        If no set of units has these sums, or `binary` contradicts them.
    """
    units, total, total_squares, denominator = _checked_sums(n, total, total_squares, denominator)
    everything = units * denominator
    if not 0 <= total <= everything or total_squares > denominator * total:
        raise ValueError(
            f"shares outside [0, 1]: {units} units over {denominator} cannot have the sum {total} with squares {total_squares}"
        )
    # v (denominator - v) is never negative for a share v, so its sum is zero only if every unit is 0 or 1.
    all_or_nothing = total_squares == denominator * total
    if binary and not all_or_nothing:
        raise ValueError(f"not every unit is 0 or 1: sum {total}, squares {total_squares}, denominator {denominator}")
    if binary is None:
        binary = all_or_nothing
    if units == 0:
        return Estimate(None, None, None, None)
    p, q = total / everything, (everything - total) / everything
    se = _standard_error(units, total, total_squares, denominator)
    if units < SMALLEST_INTERVAL_UNITS or se is None:
        return Estimate(p, se, None, None)
    effective = float(units) if binary or se == 0 else p * q / se**2
    low, high = _wilson(p, q, effective, critical_value(level))
    return Estimate(p, se, low, high)


def mean_estimate(
    n: SupportsIndex | float,
    total: SupportsIndex | float,
    total_squares: SupportsIndex | float,
    denominator: SupportsIndex | float = 1,
    level: float = 0.95,
) -> Estimate:
    """Estimate a mean (chips, points, turns, a paired difference) from integer sums over units.

    Parameters
    ----------
    n : int
        Number of independent units.
    total, total_squares : int
        Sum over units of the unit's value and of its square; values are whole multiples of 1 / `denominator`.
    denominator : int
        Common denominator of the values.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    Estimate
        Interval of Student's t on the units' values with n - 1 degrees of freedom; a single point if no two units
        differ. Below 30 units `low` and `high` are None, below 2 also `se`, with none also `value`.

    Raises
    ------
    ValueError
        If no set of units has these sums.
    """
    units, total, total_squares, denominator = _checked_sums(n, total, total_squares, denominator)
    if units == 0:
        return Estimate(None, None, None, None)
    se = _standard_error(units, total, total_squares, denominator)
    return _t_estimate(total / (units * denominator), se, units, level)


def ratio_estimate(
    n: SupportsIndex | float,
    sum_a: SupportsIndex | float,
    sum_b: SupportsIndex | float,
    sum_aa: SupportsIndex | float,
    sum_ab: SupportsIndex | float,
    sum_bb: SupportsIndex | float,
    denominator: SupportsIndex | float = 1,
    level: float = 0.95,
) -> Estimate:
    """Estimate a ratio of sums (points per turn, chips per hand won) from integer sums over units.

    Parameters
    ----------
    n : int
        Number of independent units.
    sum_a, sum_b : int
        Sums over units of the value above and below the line.
    sum_aa, sum_ab, sum_bb : int
        Sums over units of their squares and of their product.
    denominator : int
        Common denominator of the values above the line; those below it are whole.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    Estimate
        sum a / sum b, with the delta-method standard error sd(a - R b) / sqrt(n) / mean(b) and a t interval with n - 1
        degrees of freedom. Where mean(b) is less than five standard errors from zero the interval is Fieller's, and
        None if that is unbounded. Below 30 units `low` and `high` are None, below 2 also `se`. All None if sum b is 0.

    Raises
    ------
    ValueError
        If no set of units has these sums.
    """
    moments = _checked_pair_sums(n, sum_a, sum_b, sum_aa, sum_ab, sum_bb)
    scale = _checked_denominator(denominator)
    if moments.b == 0:
        return Estimate(None, None, None, None)
    units = moments.n
    value = moments.a / (moments.b * scale)
    if units < 2:
        return Estimate(value, None, None, None)
    # n / (n - 1) * sum (a B - b A)^2 / B^4 is the square of the standard error, exactly, as A / B is the ratio.
    se = math.sqrt(units * moments.residual / ((units - 1) * moments.b**4 * scale**2))
    if _FIELLER_STANDARD_ERRORS**2 * moments.spread_b <= (units - 1) * moments.b**2:
        return _t_estimate(value, se, units, level)
    if units < SMALLEST_INTERVAL_UNITS:
        return Estimate(value, se, None, None)
    low, high = _fieller(moments, scale, level)
    return Estimate(value, se, low, high)


def fieller(
    n: SupportsIndex | float,
    sum_a: SupportsIndex | float,
    sum_b: SupportsIndex | float,
    sum_aa: SupportsIndex | float,
    sum_ab: SupportsIndex | float,
    sum_bb: SupportsIndex | float,
    denominator: SupportsIndex | float = 1,
    level: float = 0.95,
) -> tuple[float, float] | tuple[None, None]:
    """Return Fieller's interval for sum a / sum b.

    Parameters
    ----------
    n, sum_a, sum_b, sum_aa, sum_ab, sum_bb, denominator, level
        As for `ratio_estimate`; at least two units.

    Returns
    -------
    tuple
        The ratios that a t test with n - 1 degrees of freedom does not reject; (None, None) where mean(b) itself does
        not differ from zero at this level, because that set is then unbounded.

    Raises
    ------
    ValueError
        If no set of units has these sums, or there are fewer than two units.
    """
    moments = _checked_pair_sums(n, sum_a, sum_b, sum_aa, sum_ab, sum_bb)
    if moments.n < 2:
        raise ValueError(f"Fieller's interval needs at least 2 units, got {moments.n}")
    return _fieller(moments, _checked_denominator(denominator), level)


# --- raw records ------------------------------------------------------------------------------------------------------


def clustered_mean(deal_ids: ArrayLike | Sequence[str], y: ArrayLike, level: float = 0.95) -> ClusteredMean:
    """Estimate a mean from raw records, several of which may belong to one deal.

    With the same number of records for every deal this is Student's t on the means of the deals.

    Parameters
    ----------
    deal_ids : array_like, shape (N,)
        What the records are clustered by; numbers or texts.
    y : array_like of float, shape (N,)
        The value of each record.
    level : float
        Coverage, strictly between 0 and 1.

    Returns
    -------
    ClusteredMean
        The mean with its independent and its cluster-robust errors.

    Raises
    ------
    ValueError
        If there are no records, the two lengths differ, or a value is not finite.
    """
    ids, values = np.asarray(deal_ids), np.asarray(y, dtype=np.float64)
    if ids.ndim != 1 or values.ndim != 1 or len(ids) != len(values):
        raise ValueError(f"deal_ids and y must be two lists of one length, got shapes {ids.shape} and {values.shape}")
    records = len(values)
    if records == 0:
        raise ValueError("there are no records to take a mean of")
    if not np.isfinite(values).all():
        raise ValueError("y must be finite numbers")
    if ids.dtype.kind == "f" and np.isnan(ids).any():
        raise ValueError("deal_ids has gaps: every record must say which deal it belongs to")
    _checked_level(level)
    mean = math.fsum(values) / records
    cluster = np.unique(ids, return_inverse=True)[1]
    sizes = np.bincount(cluster)
    deals = len(sizes)
    residuals = values - mean
    se_iid = math.sqrt(math.fsum(residuals**2) / (records - 1) / records) if records > 1 else None
    if deals < 2:
        return ClusteredMean(mean, se_iid, None, None, None, None, None, None, records, deals)
    cluster_sums = np.bincount(cluster, weights=residuals)
    # Deals that agree exactly must give an error of zero, not the dust that rounding the mean leaves behind.
    dust = 4 * np.finfo(np.float64).eps * float(np.abs(values).max()) * sizes**1.5
    cluster_sums[np.abs(cluster_sums) <= dust] = 0.0
    se_cr0 = math.sqrt(math.fsum(cluster_sums**2)) / records
    se_cr1 = se_cr0 * math.sqrt(deals / (deals - 1))
    factor = critical_value(level, deals - 1)
    low, high = mean - factor * se_cr1, mean + factor * se_cr1
    if se_iid is None or se_cr1 == 0:
        return ClusteredMean(mean, se_iid, se_cr0, se_cr1, low, high, None, None, records, deals)
    vrf = (se_iid / se_cr1) ** 2
    return ClusteredMean(mean, se_iid, se_cr0, se_cr1, low, high, vrf, records * vrf, records, deals)


# --- the arithmetic behind --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _PairSums:
    """Sums of two integer values over units, and the exact integers that their variances are made of."""

    n: int
    a: int
    b: int
    aa: int
    ab: int
    bb: int

    @property
    def spread_b(self) -> int:
        """n sum b^2 - (sum b)^2, which is n^2 (n - 1) times the variance of mean(b)."""
        return self.n * self.bb - self.b**2

    @property
    def spread_ab(self) -> int:
        """As `spread_b`, of the covariance."""
        return self.n * self.ab - self.a * self.b

    @property
    def spread_a(self) -> int:
        """As `spread_b`, of a."""
        return self.n * self.aa - self.a**2

    @property
    def residual(self) -> int:
        """Sum over units of (a B - b A)^2, with A and B the sums of a and b."""
        return self.aa * self.b**2 - 2 * self.a * self.b * self.ab + self.a**2 * self.bb

    @property
    def determinant(self) -> int:
        """Determinant of the matrix of spreads; not negative for any real units."""
        return self.spread_a * self.spread_b - self.spread_ab**2


def _wilson(p: float, q: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval for share p = 1 - q of n (not necessarily whole) trials; 0 and 1 exactly at the ends."""
    if p > q:
        low, high = _wilson(q, p, n, z)
        return min(1.0 - high, p), 1.0 - low
    s = z * z / n
    upper = p + s / 2 + math.sqrt(s * p * q + s * s / 4)
    # The product of the roots gives the lower one, which as a difference would cancel where p is tiny.
    return min(p * p / upper, p), max(upper / (1.0 + s), p)


def _fieller(moments: _PairSums, scale: int, level: float) -> tuple[float, float] | tuple[None, None]:
    """Solve Fieller's quadratic, divided through by the square of sum b so that every term is of moderate size."""
    k = critical_value(level, moments.n - 1) ** 2 / (moments.n - 1)
    b_squared = moments.b**2
    if b_squared <= k * moments.spread_b:
        return None, None
    leading = 1.0 - k * (moments.spread_b / b_squared)
    centre = moments.a / moments.b - k * (moments.spread_ab / b_squared)
    # Exact integers inside: the discriminant written as centre^2 - leading * constant would lose half its digits.
    discriminant = k * (moments.n * moments.residual / moments.b**4) - k**2 * (moments.determinant / moments.b**4)
    root = math.sqrt(max(discriminant, 0.0))
    return (centre - root) / leading / scale, (centre + root) / leading / scale


def _standard_error(units: int, total: int, total_squares: int, denominator: int) -> float | None:
    """Return sd / sqrt(units), formed as integers up to the one division; None with a single unit."""
    if units < 2:
        return None
    spread = units * total_squares - total * total
    return math.sqrt(spread / (units * units * (units - 1) * denominator * denominator))


def _t_estimate(value: float, se: float | None, units: int, level: float) -> Estimate:
    """Put a t interval around a value, unless there are too few units for one."""
    factor = critical_value(level, max(units - 1, 1))
    if se is None or units < SMALLEST_INTERVAL_UNITS:
        return Estimate(value, se, None, None)
    return Estimate(value, se, value - factor * se, value + factor * se)


# --- checks of what was handed in -------------------------------------------------------------------------------------


def _checked_level(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, got {level!r}")
    return level


def _checked_whole(name: str, number: SupportsIndex | float) -> int:
    """Return a whole number as an int of unlimited size; whole floats pass as far as they are exact."""
    if isinstance(number, float):
        if not number.is_integer() or abs(number) > _LARGEST_EXACT_FLOAT:
            raise ValueError(f"{name} must be a whole number (exact, so below 2^53 if a float), got {number!r}")
        return int(number)
    try:
        return operator.index(number)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {number!r}") from None


def _checked_counts(successes: SupportsIndex | float, n: SupportsIndex | float) -> tuple[int, int]:
    x, trials = _checked_whole("successes", successes), _checked_whole("n", n)
    if trials < 1:
        raise ValueError(f"n must be at least 1, got {trials}")
    if not 0 <= x <= trials:
        raise ValueError(f"successes must lie between 0 and n = {trials}, got {x}")
    return x, trials


def _checked_denominator(denominator: SupportsIndex | float) -> int:
    whole = _checked_whole("denominator", denominator)
    if whole < 1:
        raise ValueError(f"denominator must be at least 1, got {whole}")
    return whole


def _checked_units(n: SupportsIndex | float) -> int:
    units = _checked_whole("n", n)
    if units < 0:
        raise ValueError(f"the number of units must not be negative, got {units}")
    return units


def _checked_sums(
    n: SupportsIndex | float,
    total: SupportsIndex | float,
    total_squares: SupportsIndex | float,
    denominator: SupportsIndex | float,
) -> tuple[int, int, int, int]:
    units = _checked_units(n)
    first, second = _checked_whole("total", total), _checked_whole("total_squares", total_squares)
    _check_spread("total", units, first, second)
    return units, first, second, _checked_denominator(denominator)


def _checked_pair_sums(
    n: SupportsIndex | float,
    sum_a: SupportsIndex | float,
    sum_b: SupportsIndex | float,
    sum_aa: SupportsIndex | float,
    sum_ab: SupportsIndex | float,
    sum_bb: SupportsIndex | float,
) -> _PairSums:
    moments = _PairSums(
        _checked_units(n),
        _checked_whole("sum_a", sum_a),
        _checked_whole("sum_b", sum_b),
        _checked_whole("sum_aa", sum_aa),
        _checked_whole("sum_ab", sum_ab),
        _checked_whole("sum_bb", sum_bb),
    )
    _check_spread("a", moments.n, moments.a, moments.aa)
    _check_spread("b", moments.n, moments.b, moments.bb)
    if moments.determinant < 0:
        raise ValueError(f"no units have these sums: the product sum {moments.ab} of a and b is out of reach")
    return moments


def _check_spread(name: str, units: int, total: int, total_squares: int) -> None:
    """Refuse sums that no set of units can have."""
    if units * total_squares < total * total or (units <= 1 and total_squares != total * total):
        raise ValueError(f"no {units} units have these sums: {name} adds up to {total} and its squares to {total_squares}")
