"""Simultaneous intervals against tabulated critical values, exact special cases and their own p-values."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from analysis.estimates import critical_value
from analysis.simultaneous import benjamini_hochberg, holm, max_t

MANY_DRAWS = 200_000

# With 200,000 draws a 95 % quantile of max |t| has a standard error below 0.004 for all the cases here.
TOLERANCE = 0.015

P_VALUES = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]

# A busy machine must not fail a test: hypothesis times every example otherwise.
unhurried = settings(deadline=None)


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def equicorrelated(k: int, rho: float) -> NDArray[np.float64]:
    return np.full((k, k), rho) + (1 - rho) * np.eye(k)


def all_pairs(k: int) -> NDArray[np.float64]:
    """Rows of +1 and -1: every difference of two of k independent means; their covariance is singular for k > 2."""
    identity = np.eye(k)
    return np.array([identity[i] - identity[j] for i in range(k) for j in range(i)])


def random_contrasts(seed: int, k: int, rank: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    generator = np.random.default_rng(seed)
    root = generator.normal(size=(k, rank)) * generator.uniform(0.1, 10, size=(k, 1))
    covariance = root @ root.T
    return generator.normal(size=k) * 2.5 * np.sqrt(np.diag(covariance)), covariance


class TestCriticalValue:
    @pytest.mark.parametrize(
        ("k", "rho", "expected"),
        [(2, 0.5, 2.2121), (4, 0.5, 2.4418), (9, 0.5, 2.6862), (2, 0.0, 2.2365), (4, 0.0, 2.4909), (9, 0.0, 2.7655)],
    )
    def test_equicorrelated_normal(self, k: int, rho: float, expected: float) -> None:
        result = max_t(np.zeros(k), equicorrelated(k, rho), None, draws=MANY_DRAWS)
        assert result.critical == pytest.approx(expected, abs=TOLERANCE)

    @pytest.mark.parametrize(("k", "expected"), [(3, 2.3437), (5, 2.7278), (10, 3.1637)])
    def test_tukey_normal(self, k: int, expected: float) -> None:
        contrasts = all_pairs(k)
        result = max_t(np.zeros(len(contrasts)), contrasts @ contrasts.T, None, draws=MANY_DRAWS)
        assert result.critical == pytest.approx(expected, abs=TOLERANCE)

    @pytest.mark.parametrize(("k", "n"), [(3, 11), (4, 31), (6, 101)])
    def test_tukey_with_few_units(self, k: int, n: int) -> None:
        contrasts = all_pairs(k)
        result = max_t(np.zeros(len(contrasts)), contrasts @ contrasts.T, n, draws=MANY_DRAWS)
        expected = stats.studentized_range.ppf(0.95, k, n - 1) / math.sqrt(2)
        assert result.critical == pytest.approx(expected, abs=2 * TOLERANCE)

    def test_other_level(self) -> None:
        result = max_t(np.zeros(4), np.eye(4), None, level=0.9, draws=MANY_DRAWS)
        assert result.critical == pytest.approx(stats.norm.isf((1 - 0.9**0.25) / 2), abs=TOLERANCE)

    @pytest.mark.parametrize(("k", "expected"), [(5, 2.5758), (10, 2.8070), (45, 3.2608)])
    def test_bonferroni_is_the_upper_bound(self, k: int, expected: float) -> None:
        assert critical_value(1 - 0.05 / k) == pytest.approx(expected, abs=6e-5)
        result = max_t(np.zeros(k), np.eye(k), None)
        assert result.critical is not None
        assert critical_value(0.95) < result.critical <= expected + 6e-5

    @given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 8), st.sampled_from([None, 2, 5, 30, 10**9]))
    @settings(max_examples=30, deadline=None)
    def test_between_one_contrast_and_bonferroni(self, seed: int, k: int, rank: int, n: int | None) -> None:
        values, covariance = random_contrasts(seed, k, rank)
        critical = max_t(values, covariance, n, draws=2_000).critical
        degrees = None if n is None else n - 1
        assert critical is not None
        assert critical_value(0.95, degrees) <= critical
        assert critical <= critical_value(1 - 0.05 / k, degrees) * (1 + 1e-9)

    def test_same_seed_same_draws(self) -> None:
        first, second = (max_t(np.ones(3), np.eye(3), 40) for _ in range(2))
        assert (first.critical, first.p) == (second.critical, second.p)
        assert max_t(np.ones(3), np.eye(3), 40, seed=1).critical != first.critical

    def test_more_contrasts_in_any_order(self) -> None:
        values, covariance = random_contrasts(5, 6, 6)
        order = [3, 1, 5, 0, 4, 2]
        forward = max_t(values, covariance, 200, draws=MANY_DRAWS)
        shuffled = max_t(values[order], covariance[np.ix_(order, order)], 200, draws=MANY_DRAWS)
        assert shuffled.critical == pytest.approx(forward.critical, abs=2 * TOLERANCE)
        assert shuffled.low == pytest.approx(forward.low[order], abs=2 * TOLERANCE * forward.se.max())


class TestIntervals:
    @pytest.mark.parametrize("n", [2, 5, 30, 1000])
    def test_a_single_contrast_is_exactly_t(self, n: int) -> None:
        result = max_t([1.5], [[0.25]], n)
        critical = stats.t.isf(0.025, n - 1)
        assert result.critical == pytest.approx(critical, rel=1e-9)
        assert (result.low[0], result.high[0]) == pytest.approx((1.5 - critical / 2, 1.5 + critical / 2))
        assert result.p[0] == pytest.approx(2 * stats.t.sf(3.0, n - 1))

    def test_copies_and_opposites_count_once(self) -> None:
        """Identical arms against one baseline: their correlation is one, and nothing is paid for the copies."""
        signs = np.array([1.0, 1.0, -1.0, 1.0])
        result = max_t(2.1 * signs, np.outer(signs, signs), 50)
        single = max_t([2.1], [[1.0]], 50)
        assert result.critical == single.critical
        assert result.p == pytest.approx(single.p * 4)
        assert result.low[0] == single.low[0] == -result.high[2]

    def test_a_standard_error_of_zero_is_said(self) -> None:
        values = [0.5, 0.0, 2.0, -1.0]
        covariance = np.zeros((4, 4))
        covariance[0, 0], covariance[3, 3], covariance[0, 3], covariance[3, 0] = 0.04, 0.09, 0.01, 0.01
        result = max_t(values, covariance, 100)
        without = max_t([0.5, -1.0], covariance[np.ix_([0, 3], [0, 3])], 100)
        assert result.critical == without.critical
        assert (result.low[1], result.high[1], result.p[1]) == (0.0, 0.0, None)
        assert (result.low[2], result.high[2], result.p[2]) == (2.0, 2.0, None)
        assert (result.p[0], result.p[3]) == without.p
        assert result.se == pytest.approx([0.2, 0.0, 0.0, 0.3])

    def test_nothing_varies_or_nothing_is_compared(self) -> None:
        still = max_t([0.0, 1.0], np.zeros((2, 2)), 100)
        assert (still.critical, still.p) == (None, (None, None))
        assert still.low.tolist() == still.high.tolist() == [0.0, 1.0]
        empty = max_t([], np.zeros((0, 0)), 100)
        assert (empty.critical, empty.p, len(empty.low)) == (None, (), 0)

    def test_rounding_below_zero_is_zero(self) -> None:
        result = max_t([1.0, 0.0], [[1.0, 0.0], [0.0, -1e-17]], 100)
        assert result.se.tolist() == [1.0, 0.0]
        assert result.p[1] is None

    def test_dust_left_by_rounding_does_not_break_it(self) -> None:
        """Two contrasts whose variance is rounding noise only have impossible correlations; the third is untouched."""
        noise = 1e-17
        covariance = np.array([[1.0, noise, noise], [noise, noise, 5 * noise], [noise, 5 * noise, 2 * noise]])
        result = max_t([2.0, 0.0, 0.0], covariance, 100)
        assert np.isfinite(result.low).all() and np.isfinite(result.high).all()
        assert result.p[0] == pytest.approx(3 * 2 * stats.t.sf(2.0, 99), abs=0.05)

    def test_units_do_not_matter(self) -> None:
        values, covariance = random_contrasts(11, 4, 4)
        tiny = 2.0**-300
        small, plain = max_t(values * tiny, covariance * tiny**2, 60), max_t(values, covariance, 60)
        assert small.p == plain.p
        assert small.low / tiny == pytest.approx(plain.low)


class TestPValues:
    @given(
        st.integers(0, 10**6),
        st.integers(1, 8),
        st.integers(1, 8),
        st.sampled_from([None, 3, 30, 5000]),
        st.sampled_from([0.9, 0.95, 0.98]),
    )
    @settings(max_examples=60, deadline=None)
    def test_an_interval_excludes_zero_just_when_p_is_small(self, seed: int, k: int, rank: int, n: int | None, level: float) -> None:
        values, covariance = random_contrasts(seed, k, rank)
        result = max_t(values, covariance, n, level=level, draws=2_000)
        for low, high, p in zip(result.low, result.high, result.p, strict=True):
            assert p is not None
            assert (low > 0 or high < 0) == (p < 1 - level)

    def test_consistent_at_every_drawn_maximum(self) -> None:
        """Contrasts on a fine grid around the critical value, where a count off by one would show."""
        covariance = np.eye(3)
        critical = max_t(np.zeros(3), covariance, 40, draws=2_000).critical
        assert critical is not None
        for step in np.linspace(-0.05, 0.05, 401):
            result = max_t([critical + step, 0.0, 0.0], covariance, 40, draws=2_000)
            assert result.p[0] is not None
            assert (result.low[0] > 0) == (result.p[0] < 0.05)

    @pytest.mark.parametrize("rho", [0.0, 0.5, 0.9999])
    @pytest.mark.parametrize("n", [None, 10, 1000])
    def test_falling_in_t_and_never_zero(self, rho: float, n: int | None) -> None:
        # Only the first contrast moves, on a grid dense enough to cross the step from counting draws to the bound.
        grid = np.concatenate([np.linspace(0, 8, 81), [20.0, 100.0, 1e6]])
        p = [max_t([t, 0.0, 0.0, 0.0], equicorrelated(4, rho), n, draws=2_000).p[0] for t in grid]
        numbers = [x for x in p if x is not None]
        assert len(numbers) == len(grid)
        assert all(0 < later <= earlier <= 1 for earlier, later in itertools.pairwise(numbers))
        assert numbers[0] == 1.0

    def test_far_out_it_is_the_bonferroni_bound(self) -> None:
        result = max_t([6.0, 0.0, 0.0], np.eye(3), 500)
        assert result.p[0] == pytest.approx(3 * 2 * stats.t.sf(6.0, 499), rel=1e-6)

    def test_a_handful_of_exceeding_draws_is_not_trusted(self) -> None:
        """About five of 2,000 draws exceed 3, too few to count; Bonferroni's 0.0108 is above the cap of 20 draws."""
        result = max_t([3.0, 0.0, 0.0, 0.0], equicorrelated(4, 0.9999), None, draws=2_000)
        assert result.p[0] == 21 / 2001

    def test_independent_normal_contrasts(self) -> None:
        result = max_t([2.0, 2.5, 0.3], np.eye(3), None, draws=MANY_DRAWS)
        expected = [1 - (1 - 2 * stats.norm.sf(t)) ** 3 for t in (2.0, 2.5, 0.3)]
        assert result.p == pytest.approx(expected, abs=0.004)

    def test_coverage_over_repeated_experiments(self) -> None:
        """All three true differences of four correlated arms with 12 deals are covered together in about 95 %."""
        generator = np.random.default_rng(20)
        mixing = generator.normal(size=(4, 4))
        contrasts = np.array([[1, -1, 0, 0], [1, 0, -1, 0], [1, 0, 0, -1]])
        covered = 0
        for _ in range(1500):
            deals = generator.normal(size=(12, 4)) @ mixing
            covariance = contrasts @ np.cov(deals.T, ddof=1) @ contrasts.T / 12
            result = max_t(contrasts @ deals.mean(axis=0), covariance, 12, draws=1_000)
            covered += bool(((result.low <= 0) & (result.high >= 0)).all())
        assert covered / 1500 == pytest.approx(0.95, abs=0.02)


class TestRefusals:
    @pytest.mark.parametrize(
        ("values", "covariance", "n", "message"),
        [
            ([1.0, 2.0], [[1.0]], 10, "k x k covariance"),
            ([[1.0]], [[1.0]], 10, "k x k covariance"),
            ([math.nan], [[1.0]], 10, "finite"),
            ([1.0], [[math.inf]], 10, "finite"),
            ([1.0, 2.0], [[1.0, 0.5], [0.1, 1.0]], 10, "not symmetric"),
            ([1.0, 2.0], [[1.0, 2.0], [2.0, 1.0]], 10, "negative eigenvalue"),
            ([1.0], [[-1.0]], 10, "negative eigenvalue"),
            ([1.0], [[1.0]], 1, "at least 2 units"),
        ],
    )
    def test_nonsense(self, values: list[float], covariance: list[list[float]], n: int, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            max_t(values, covariance, n)

    def test_too_few_draws_for_the_level(self) -> None:
        with pytest.raises(ValueError, match=r"400 draws are too few for level 0\.95: more than 420"):
            max_t([1.0], [[1.0]], 10, draws=400)
        with pytest.raises(ValueError, match="level must lie"):
            max_t([1.0], [[1.0]], 10, level=1.0)


class TestAdjustedP:
    def test_holm_vector(self) -> None:
        assert holm(P_VALUES) == pytest.approx([0.01, 0.072] + [0.312] * 5 + [0.615] * 3)

    def test_benjamini_hochberg_vector(self) -> None:
        expected = [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.1057142857, 0.216, 0.216, 0.216]
        assert benjamini_hochberg(P_VALUES) == pytest.approx(expected)

    @unhurried
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.randoms(use_true_random=False))
    def test_order_does_not_matter(self, p: list[float], random: Random) -> None:
        order = list(range(len(p)))
        random.shuffle(order)
        raw = np.array(p)
        for adjust in (holm, benjamini_hochberg):
            assert adjust(raw[order]) == pytest.approx(adjust(raw)[order], abs=0)

    @unhurried
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_between_the_raw_and_the_bonferroni_value(self, p: list[float]) -> None:
        raw = np.array(p)
        bonferroni = np.minimum(raw * len(p), 1)
        adjusted_bh, adjusted_holm = benjamini_hochberg(raw), holm(raw)
        slack = 1 + 1e-12
        assert (raw <= adjusted_bh * slack).all()
        assert (adjusted_bh <= adjusted_holm * slack).all()
        assert adjusted_holm.max() <= 1
        assert adjusted_holm[raw.argmin()] == pytest.approx(bonferroni.min())
        assert adjusted_bh == pytest.approx(stats.false_discovery_control(raw))

    def test_empty_list(self) -> None:
        assert len(holm([])) == len(benjamini_hochberg([])) == 0

    @pytest.mark.parametrize("p", [[0.1, math.nan], [-0.1], [1.1], [[0.1, 0.2]]])
    def test_nonsense_is_refused(self, p: list[float]) -> None:
        for adjust in (holm, benjamini_hochberg):
            with pytest.raises(ValueError, match="p-values must be"):
                adjust(p)
