"""Many contrasts at once: simultaneous intervals from their covariance, and adjusted p-values.

The contrasts of one experiment are played on the same deals, so their estimates are correlated. The largest of their
|t| has a distribution that depends on that correlation alone; its quantile serves every contrast. All differences to
one baseline give Dunnett's test, all pairwise ones Tukey's (Hothorn, Bretz and Westfall 2008; Holm 1979; Benjamini and
Hochberg 1995).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from analysis.estimates import critical_value

DEFAULT_DRAWS = 20_000
DEFAULT_SEED = 0x7E5D05
"""Key of the fixed random stream: the same contrasts give the same intervals in every run."""

# Fewer exceeding draws than this say too little about a tail; the Bonferroni bound is tight out there.
_FEWEST_EXCEEDING = 20

# Draws are made in blocks of this many, so that memory does not grow with their number.
_BLOCK = 4096

# What rounding may leave of a zero, relative to the largest number of its kind.
_ROUNDING = 1e-9
_NULL_EIGENVALUE = 1e-13

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SimultaneousIntervals:
    """Intervals that all hold at once with the stated coverage, and p-values that agree with them.

    Attributes
    ----------
    critical : float or None
        The number of standard errors to each side; None if every contrast has a standard error of zero.
    se : ndarray of float64, shape (k,)
        Standard errors of the contrasts.
    low, high : ndarray of float64, shape (k,)
        Ends of the intervals; both equal to the value where the standard error is zero.
    p : tuple of (float or None), length k
        Adjusted two-sided p-values of "the contrast is zero", never zero; None where the standard error is zero.
    """

    critical: float | None
    se: FloatArray
    low: FloatArray
    high: FloatArray
    p: tuple[float | None, ...]


def max_t(
    values: ArrayLike,
    covariance: ArrayLike,
    n: int | None,
    level: float = 0.95,
    draws: int = DEFAULT_DRAWS,
    seed: int = DEFAULT_SEED,
) -> SimultaneousIntervals:
    """Return simultaneous intervals and adjusted p-values of k correlated contrasts.

    The critical value is the quantile of max |t| under the multivariate t distribution with the contrasts' correlation,
    found from random draws. It is kept between two exact bounds, Student's t for one contrast and Bonferroni's for all
    (copies of a contrast, as identical arms make them, count once), and so is each p-value: hence a single contrast is
    exact, and an interval excludes zero just when p < 1 - level. Where fewer than 20 draws exceed a contrast, its
    p-value is the Bonferroni bound, capped at the p-value of 20 draws.

    Parameters
    ----------
    values : array_like of float, shape (k,)
        The estimated contrasts.
    covariance : array_like of float, shape (k, k)
        Covariance of the estimates (already divided by the number of units). It may be singular.
    n : int or None
        Number of units; the degrees of freedom are n - 1. None for the normal limit.
    level : float
        Simultaneous coverage, strictly between 0 and 1.
    draws : int
        Number of random draws.
    seed : int
        Key of the Philox stream that the draws come from.

    Returns
    -------
    SimultaneousIntervals
        Contrasts with zero variance take no part in the maximum.

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is not finite, the matrix is no covariance matrix, n is below 2, or there
        are too few draws for the level.
    """
    estimates, matrix = _checked_contrasts(values, covariance)
    if n is not None and n < 2:
        raise ValueError(f"contrasts need at least 2 units, got {n!r}")
    degrees = None if n is None else float(n - 1)
    alone = critical_value(level, degrees)
    rank = _quantile_rank(level, draws)
    se = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    live = np.flatnonzero(se)
    low, high = estimates.copy(), estimates.copy()
    p: list[float | None] = [None] * len(estimates)
    if not len(live):
        return SimultaneousIntervals(None, se, low, high, tuple(p))
    factor = _factor(matrix[np.ix_(live, live)], se[live])
    maxima = _sorted_maxima(factor, degrees, draws, seed)
    contrasts = _distinct(factor)
    # Dividing by one contrast must give back the very same level, so that the two bounds meet.
    bonferroni = alone if contrasts == 1 else critical_value(1.0 - (1.0 - level) / contrasts, degrees)
    critical = max(alone, min(float(maxima[draws - rank]), bonferroni))
    low[live] -= critical * se[live]
    high[live] += critical * se[live]
    adjusted = _adjusted(np.abs(estimates[live]) / se[live], maxima, degrees, contrasts)
    for contrast, probability in zip(live, adjusted, strict=True):
        p[contrast] = float(probability)
    return SimultaneousIntervals(critical, se, low, high, tuple(p))


def holm(p: ArrayLike) -> FloatArray:
    """Return Holm's step-down adjusted p-values, which control the chance of any false finding.

    Parameters
    ----------
    p : array_like of float, shape (k,)
        p-values in any order.

    Returns
    -------
    ndarray of float64, shape (k,)
        Adjusted p-values in the order given.

    Raises
    ------
    ValueError
        If one is not a number in [0, 1].
    """
    raw = _checked_p(p)
    order = np.argsort(raw, kind="stable")
    stepped = raw[order] * np.arange(len(raw), 0, -1)
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Return Benjamini and Hochberg's adjusted p-values, which control the share of false ones among the findings.

    Parameters
    ----------
    p : array_like of float, shape (k,)
        p-values in any order.

    Returns
    -------
    ndarray of float64, shape (k,)
        Adjusted p-values in the order given.

    Raises
    ------
    ValueError
        If one is not a number in [0, 1].
    """
    raw = _checked_p(p)
    order = np.argsort(raw, kind="stable")[::-1]
    stepped = raw[order] * (len(raw) / np.arange(len(raw), 0, -1))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(np.minimum.accumulate(stepped), 1.0)
    return adjusted


def _adjusted(t: FloatArray, maxima: FloatArray, degrees: float | None, contrasts: int) -> FloatArray:
    """Return the p-value of each |t|, falling in |t| and below 1 - level just beyond the critical value."""
    draws = len(maxima)
    exceeding = draws - np.searchsorted(maxima, t, side="left")
    drawn = (np.maximum(exceeding, _FEWEST_EXCEEDING) + 1) / (draws + 1)
    alone = _two_sided_tail(t, degrees)
    probability = np.maximum(alone, np.minimum(drawn, contrasts * alone))
    return np.maximum(probability, np.finfo(np.float64).tiny)


def _two_sided_tail(t: FloatArray, degrees: float | None) -> FloatArray:
    tail = special.ndtr(-t) if degrees is None else special.stdtr(degrees, -t)
    return np.asarray(2 * tail, dtype=np.float64)


def _quantile_rank(level: float, draws: int) -> int:
    """Return which of the largest maxima is the critical value: the first whose own p-value is not below 1 - level."""
    rank = math.ceil((1.0 - level) * (draws + 1)) - 1
    if rank <= _FEWEST_EXCEEDING:
        needed = math.ceil((_FEWEST_EXCEEDING + 1) / (1.0 - level))
        raise ValueError(f"{draws} draws are too few for level {level}: more than {needed} are needed")
    return rank


def _factor(covariance: FloatArray, se: FloatArray) -> FloatArray:
    """Return rows of length one whose products are the correlations; singular matrices have fewer columns."""
    correlation = covariance / np.outer(se, se)
    eigenvalues, vectors = np.linalg.eigh((correlation + correlation.T) / 2)
    kept = eigenvalues > _NULL_EIGENVALUE * eigenvalues[-1]
    factor = vectors[:, kept] * np.sqrt(eigenvalues[kept])
    return np.asarray(factor / np.linalg.norm(factor, axis=1, keepdims=True), dtype=np.float64)


def _distinct(factor: FloatArray) -> int:
    """Count the contrasts that are not the same as, or the opposite of, an earlier one."""
    copies = np.triu(np.abs(factor @ factor.T) > 1.0 - _ROUNDING, k=1)
    return int(np.count_nonzero(~copies.any(axis=0)))


def _sorted_maxima(factor: FloatArray, degrees: float | None, draws: int, seed: int) -> FloatArray:
    """Draw max |t| of contrasts with these correlations, in rising order.

    Raw Philox words are turned into normal and chi-square variates through the quantile functions, because numpy
    promises the words of a bit generator for good, but not its variates.
    """
    columns = factor.shape[1]
    words = np.random.Philox(key=seed)
    maxima = np.empty(draws, dtype=np.float64)
    for start in range(0, draws, _BLOCK):
        rows = min(_BLOCK, draws - start)
        raw = words.random_raw(rows * (columns + 1)).reshape(rows, columns + 1)
        uniform = ((raw >> np.uint64(12)) + 0.5) * 2.0**-52
        largest = np.abs(special.ndtri(uniform[:, :columns]) @ factor.T).max(axis=1)
        if degrees is not None:
            largest /= np.sqrt(special.gammaincinv(degrees / 2, uniform[:, columns]) * (2 / degrees))
        maxima[start : start + rows] = largest
    maxima.sort()
    return maxima


def _checked_contrasts(values: ArrayLike, covariance: ArrayLike) -> tuple[FloatArray, FloatArray]:
    estimates = np.asarray(values, dtype=np.float64)
    matrix = np.asarray(covariance, dtype=np.float64)
    if estimates.ndim != 1 or matrix.shape != (len(estimates), len(estimates)):
        raise ValueError(f"k values need a k x k covariance, got shapes {estimates.shape} and {matrix.shape}")
    if not (np.isfinite(estimates).all() and np.isfinite(matrix).all()):
        raise ValueError("values and covariance must be finite numbers")
    scale = float(np.abs(matrix).max(initial=0.0))
    if np.abs(matrix - matrix.T).max(initial=0.0) > _ROUNDING * scale:
        raise ValueError("not a covariance matrix: it is not symmetric")
    if len(matrix) and np.linalg.eigvalsh(matrix)[0] < -_ROUNDING * scale:
        raise ValueError("not a covariance matrix: it has a negative eigenvalue")
    return estimates, matrix


def _checked_p(p: ArrayLike) -> FloatArray:
    raw = np.asarray(p, dtype=np.float64)
    if raw.ndim != 1 or not ((raw >= 0) & (raw <= 1)).all():
        raise ValueError(f"p-values must be a list of numbers in [0, 1], got {p!r}")
    return raw
