"""Estimates and intervals against published vectors, independent formulas and properties that any sample must have."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.comparing import variance_reduction
from analysis.estimates import (
    Difference,
    Estimate,
    ProportionMethod,
    clustered_mean,
    critical_value,
    fieller,
    mcnemar_exact,
    mean_estimate,
    newcombe,
    proportion_interval,
    ratio_estimate,
    share_estimate,
)

METHODS: tuple[ProportionMethod, ...] = ("wilson", "clopper-pearson", "jeffreys")

# successes, trials, then low and high of Wilson, Clopper-Pearson and Jeffreys at 95 %
PROPORTIONS = [
    (0, 10, 0.0, 0.277532800, 0.0, 0.308497108, 0.000047890, 0.217196268),
    (1, 10, 0.017876213, 0.404150027, 0.002528579, 0.445016117, 0.011011674, 0.381314771),
    (5, 10, 0.236593091, 0.763406909, 0.187086028, 0.812913972, 0.223528670, 0.776471330),
    (10, 10, 0.722467200, 1.0, 0.691502892, 1.0, 0.782803732, 0.999952110),
    (27, 100, 0.192695841, 0.364321168, 0.186066422, 0.368016273, 0.190423243, 0.362670966),
    (300, 1000, 0.272406842, 0.329123861, 0.271721112, 0.329461679, 0.272206158, 0.328949654),
    (2500, 10000, 0.241610193, 0.258581806, 0.241536876, 0.258608946, 0.241586296, 0.258558395),
]

PAIRED_A = [3, 5, 2, 8, 6, 4, 7, 1]
PAIRED_B = [2, 5, 3, 6, 5, 4, 5, 2]

# 18 records of 6 deals
EQUAL_DEALS = [deal for deal in range(6) for _ in range(3)]
EQUAL_Y = [1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1]
UNEQUAL_DEALS = [0, 0, 0, 1, 2, 2, 3, 3, 3, 3]
UNEQUAL_Y = [1, 2, 4, 3, 0, 1, 5, 5, 4, 6]

# A busy machine must not fail a test: hypothesis times every example otherwise.
unhurried = settings(deadline=None)

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999])


def sums(units: Sequence[int]) -> tuple[int, int, int]:
    return len(units), sum(units), sum(unit * unit for unit in units)


def pair_sums(a: Sequence[int], b: Sequence[int]) -> tuple[int, int, int, int, int, int]:
    products = sum(x * y for x, y in zip(a, b, strict=True))
    return len(a), sum(a), sum(b), sum(x * x for x in a), products, sum(y * y for y in b)


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None and estimate.high is not None
    return estimate.low, estimate.high


class TestProportions:
    @pytest.mark.parametrize("row", PROPORTIONS)
    @pytest.mark.parametrize(("method", "column"), [("wilson", 2), ("clopper-pearson", 4), ("jeffreys", 6)])
    def test_vectors(self, row: tuple[float, ...], method: ProportionMethod, column: int) -> None:
        low, high = proportion_interval(row[0], row[1], method)
        assert (low, high) == pytest.approx(row[column : column + 2], abs=6e-10)

    def test_other_level(self) -> None:
        assert proportion_interval(27, 100, level=0.99) == pytest.approx((0.172648341, 0.395973175), abs=6e-10)

    @pytest.mark.parametrize(
        ("x", "n", "low", "high"),
        [
            (0, 10, 0.0, 0.2775),  # K3-022, K3-024
            (10, 10, 0.7225, 1.0),  # K3-022
            (0, 50, 0.0, 0.0713),  # K3-022
            (19, 20, 0.7639, 0.9911),  # K3-023
            (79, 130, 0.5218, 0.6874),  # K3-027
        ],
    )
    def test_wilson_where_other_intervals_went_wrong(self, x: int, n: int, low: float, high: float) -> None:
        assert proportion_interval(x, n) == pytest.approx((low, high), abs=6e-5)

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("n", [1, 20, 10**3, 10**9, 10**15, 10**30])
    def test_ends_are_finite_when_one_side_wins_all(self, method: ProportionMethod, n: int) -> None:
        """K3-018: 0-20 and 20-0 must neither hang nor leave [0, 1]."""
        low, high = proportion_interval(0, n, method)
        assert 0 <= low < high < 1
        assert (low == 0) == (method != "jeffreys")
        low, high = proportion_interval(n, n, method)
        assert 0 < low <= high <= 1
        if method != "jeffreys":
            assert high == 1

    def test_the_full_interval_is_not_one_standard_error(self) -> None:
        """K3-025 and K3-026: 95 % half-widths, which are about two standard errors."""
        even = share_estimate(10_000, 5_000, 5_000, 1)
        assert even.se == pytest.approx(0.005, abs=1e-6)
        assert even.half_width == pytest.approx(0.0098, abs=5e-5)
        assert share_estimate(300, 165, 165, 1).half_width == pytest.approx(0.056, abs=5e-4)

    @unhurried
    @given(counts, levels)
    def test_agrees_with_scipy(self, count: tuple[int, int], level: float) -> None:
        test = stats.binomtest(*count)
        wilson, exact = test.proportion_ci(level, "wilson"), test.proportion_ci(level, "exact")
        assert proportion_interval(*count, "wilson", level) == pytest.approx(tuple(wilson), rel=1e-6, abs=1e-12)
        assert proportion_interval(*count, "clopper-pearson", level) == pytest.approx(tuple(exact), rel=1e-6)

    def test_rare_successes_keep_their_digits(self) -> None:
        """With no success the upper end is z^2 / (n + z^2), however many trials; the mirror image is as far from 1."""
        z_squared = stats.chi2.isf(0.05, 1)
        for n in (10**6, 10**12, 10**20):
            assert proportion_interval(0, n)[1] == pytest.approx(z_squared / (n + z_squared), rel=1e-12)
        assert proportion_interval(1, 10**12)[0] == pytest.approx(1.76524543e-13, rel=1e-6)
        assert 1 - proportion_interval(10**6, 10**6)[0] == pytest.approx(z_squared / (10**6 + z_squared), rel=1e-9)

    @unhurried
    @given(counts, st.sampled_from(METHODS), levels)
    def test_inside_the_unit_interval_and_symmetric(self, count: tuple[int, int], method: ProportionMethod, level: float) -> None:
        x, n = count
        low, high = proportion_interval(x, n, method, level)
        assert 0 <= low < high <= 1
        if method != "jeffreys":
            assert low <= x / n <= high
        mirrored = proportion_interval(n - x, n, method, level)
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)

    @unhurried
    @given(counts, st.sampled_from(METHODS), st.integers(2, 50))
    def test_more_games_narrow_it(self, count: tuple[int, int], method: ProportionMethod, times: int) -> None:
        x, n = count
        low, high = proportion_interval(x, n, method)
        narrower_low, narrower_high = proportion_interval(x * times, n * times, method)
        assert narrower_high - narrower_low < high - low

    @unhurried
    @given(counts, st.sampled_from(METHODS))
    def test_a_higher_level_widens_it(self, count: tuple[int, int], method: ProportionMethod) -> None:
        low, high = proportion_interval(*count, method, level=0.9)
        wider_low, wider_high = proportion_interval(*count, method, level=0.99)
        assert wider_low <= low and high <= wider_high

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((1, 0), "n must be at least 1"),
            ((0, -3), "n must be at least 1"),
            ((-1, 10), "successes must lie between 0 and n = 10"),
            ((11, 10), "successes must lie between 0 and n = 10"),
            ((2.5, 10), "successes must be a whole number"),
            ((2, math.nan), "n must be a whole number"),
            ((2, math.inf), "n must be a whole number"),
            ((1, 2.0**60), "n must be a whole number"),
            (("2", 10), "successes must be a whole number"),
            ((1, 10, "wald"), "method must be"),
            ((1, 10, "wilson", 1.0), "level must lie strictly between 0 and 1"),
            ((1, 10, "wilson", 95), "level must lie strictly between 0 and 1"),
            ((1, 10, "wilson", math.nan), "level must lie strictly between 0 and 1"),
        ],
    )
    def test_nonsense_is_refused(self, arguments: tuple[object, ...], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            proportion_interval(*arguments)  # type: ignore[arg-type]

    def test_whole_numbers_of_other_types(self) -> None:
        assert proportion_interval(np.int64(27), np.float64(100)) == proportion_interval(27, 100)


class TestTwoProportions:
    def test_newcombe_vector(self) -> None:
        assert newcombe(56, 70, 48, 80) == pytest.approx((0.0524315, 0.3338727), abs=6e-8)

    @unhurried
    @given(counts, counts)
    def test_newcombe_is_antisymmetric_and_contains_the_difference(self, first: tuple[int, int], second: tuple[int, int]) -> None:
        low, high = newcombe(*first, *second)
        assert -1 <= low <= first[0] / first[1] - second[0] / second[1] <= high <= 1
        assert newcombe(*second, *first) == pytest.approx((-high, -low), abs=1e-12)

    def test_newcombe_refuses_nonsense(self) -> None:
        with pytest.raises(ValueError, match="successes must lie"):
            newcombe(1, 10, 12, 10)

    def test_mcnemar_vector(self) -> None:
        assert mcnemar_exact(12, 25) == pytest.approx(0.0470310, abs=6e-8)

    def test_mcnemar_without_discordant_pairs(self) -> None:
        assert mcnemar_exact(0, 0) == 1

    @unhurried
    @given(st.integers(0, 300), st.integers(0, 300))
    def test_mcnemar_is_the_binomial_test(self, b: int, c: int) -> None:
        expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
        assert mcnemar_exact(b, c) == pytest.approx(expected, rel=1e-9)
        assert mcnemar_exact(b, c) == mcnemar_exact(c, b)

    @pytest.mark.parametrize(("b", "c"), [(-1, 3), (3, -1), (0.5, 1)])
    def test_mcnemar_refuses_nonsense(self, b: float, c: float) -> None:
        with pytest.raises(ValueError, match=r"must not be negative|whole number"):
            mcnemar_exact(b, c)


class TestShares:
    def test_binary_units_take_the_number_of_units(self) -> None:
        estimate = share_estimate(100, 27 * 840, 27 * 840**2, 840)
        assert ends(estimate) == proportion_interval(27, 100)
        assert estimate == share_estimate(100, 27 * 840, 27 * 840**2, 840, True)
        assert estimate.se == pytest.approx(math.sqrt(0.27 * 0.73 / 99))

    def test_other_units_take_the_games_they_are_worth(self) -> None:
        units = [0, 1, 1, 2, 4] * 8  # of 4 games each
        estimate = share_estimate(*sums(units), 4)
        p, variance = 0.4, float(np.var(np.array(units) / 4, ddof=1)) / 40
        assert estimate.value == pytest.approx(p)
        assert estimate.se == pytest.approx(math.sqrt(variance))
        n = p * (1 - p) / variance
        z = stats.norm.ppf(0.975)
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        assert ends(estimate) == pytest.approx((centre - half, centre + half))
        assert estimate.half_width == pytest.approx(half)

    def test_rotation_of_equal_strategies_has_no_spread(self) -> None:
        """Every unit gives each strategy exactly its share: the error is zero and the interval Wilson's with n."""
        estimate = share_estimate(1000, 1000, 1000, 4)
        assert (estimate.value, estimate.se) == (0.25, 0.0)
        assert ends(estimate) == pytest.approx(proportion_interval(250, 1000))

    def test_lopsided_match_with_draws(self) -> None:
        """K3-019: 1 win, 292 losses, 3 draws."""
        estimate = share_estimate(*sums([2] + [0] * 292 + [1] * 3), 2)
        low, high = ends(estimate)
        assert 0 < low < 2.5 / 296 < high < 0.05

    @pytest.mark.parametrize("wins", [0, 20])
    def test_lopsided_short_match(self, wins: int) -> None:
        """K3-018: 20 games that one side won all are too few for an interval, and no reason to divide by zero."""
        assert share_estimate(20, wins, wins, 1) == Estimate(wins / 20, 0.0, None, None)

    def test_ties_are_a_share_and_not_a_win(self) -> None:
        """K3-029: no win and a quarter of two-way ties is a share of one eighth; each rate has its own interval."""
        hands = [420] * 100 + [0] * 300
        assert share_estimate(*sums(hands), 840).value == 0.125
        rates = [share_estimate(400, count, count, 1).value for count in (0, 100, 300)]
        assert rates == [0.0, 0.25, 0.75]

    def test_ten_thousand_games_give_half_a_point(self) -> None:
        """K3-028: what ten thousand units can tell, also where a win is most uncertain."""
        quarter, half = share_estimate(10_000, 2_500, 2_500, 1), share_estimate(10_002, 5_001, 5_001, 1)
        assert quarter.se is not None and quarter.se < 0.0044
        assert half.se is not None and half.se < 0.005

    def test_few_units(self) -> None:
        assert share_estimate(0, 0, 0, 840) == Estimate(None, None, None, None)
        assert share_estimate(1, 420, 420**2, 840) == Estimate(0.5, None, None, None)
        few, enough = share_estimate(*sums([0, 1, 2] * 9 + [1, 1]), 2), share_estimate(*sums([0, 1, 2] * 10), 2)
        assert few.se is not None and (few.low, few.high, few.half_width) == (None, None, None)
        assert enough.low is not None and enough.high is not None

    @unhurried
    @given(st.lists(st.integers(0, 840), min_size=30, max_size=60), levels)
    def test_interval_contains_the_share_inside_the_unit_interval(self, units: list[int], level: float) -> None:
        estimate = share_estimate(*sums(units), 840, level=level)
        low, high = ends(estimate)
        assert estimate.value is not None
        assert 0 <= low <= estimate.value <= high <= 1

    @unhurried
    @given(st.lists(st.integers(0, 840), min_size=30, max_size=60), st.integers(2, 20))
    def test_more_units_narrow_it(self, units: list[int], times: int) -> None:
        narrow, wide = share_estimate(*sums(units * times), 840), share_estimate(*sums(units), 840)
        assert narrow.half_width is not None and wide.half_width is not None
        assert narrow.half_width < wide.half_width

    @unhurried
    @given(st.lists(st.integers(0, 60), min_size=2, max_size=60), st.integers(2, 10**30))
    def test_the_denominator_is_only_a_scale(self, units: list[int], factor: int) -> None:
        assert share_estimate(*sums(units), 60) == share_estimate(*sums([u * factor for u in units]), 60 * factor)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((-1, 0, 0, 1), "number of units must not be negative"),
            ((10, 5, 5, 0), "denominator must be at least 1"),
            ((10, 11, 13, 1), "shares outside"),
            ((10, -1, 1, 1), "shares outside"),
            ((10, 5, 6, 1), "shares outside"),
            ((10, 10, 9, 2), "no 10 units have these sums"),
            ((1, 1, 3, 4), "no 1 units have these sums"),
            ((0, 1, 1, 1), "no 0 units have these sums"),
            ((40, 40, 50, 2, True), "not every unit is 0 or 1"),
            ((10, 1.5, 3, 1), "total must be a whole number"),
            ((40, 5, 5, 1, None, 0.0), "level must lie strictly"),
        ],
    )
    def test_impossible_sums_are_refused(self, arguments: tuple[object, ...], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            share_estimate(*arguments)  # type: ignore[arg-type]


class TestMeans:
    def test_paired_vector(self) -> None:
        estimate = mean_estimate(*sums([a - b for a, b in zip(PAIRED_A, PAIRED_B, strict=True)]))
        assert estimate.value == 0.5
        assert estimate.se == pytest.approx(0.42257712736425823, rel=1e-14)
        assert (estimate.low, estimate.high) == (None, None)

    @unhurried
    @given(st.lists(st.integers(-1000, 1000), min_size=30, max_size=60), st.integers(1, 840), levels)
    def test_is_student_t_on_the_units(self, units: list[int], denominator: int, level: float) -> None:
        estimate = mean_estimate(*sums(units), denominator, level)
        values = np.array(units) / denominator
        sem = float(np.std(values, ddof=1)) / math.sqrt(len(units))
        half = stats.t.ppf((1 + level) / 2, len(units) - 1) * sem
        assert estimate.value == pytest.approx(float(values.mean()), abs=1e-9)
        assert estimate.se == pytest.approx(sem, rel=1e-9, abs=1e-12)
        assert estimate.half_width == pytest.approx(half, rel=1e-6, abs=1e-9)

    @unhurried
    @given(st.lists(st.integers(-1000, 1000), min_size=30, max_size=60), st.integers(10**20, 10**40))
    def test_a_huge_offset_cancels_nothing(self, units: list[int], offset: int) -> None:
        near, far = mean_estimate(*sums(units)), mean_estimate(*sums([unit + offset for unit in units]))
        assert far.se == near.se
        assert far.value == float(offset + Fraction(sum(units), len(units)))

    def test_numpy_sums_do_not_overflow(self) -> None:
        big = [np.int64(4_000_000_000), np.int64(2_000_000_000)]
        plain = [int(value) for value in big]
        n, total, squares = sums(plain)
        assert mean_estimate(np.int64(n), np.int64(total), squares) == mean_estimate(n, total, squares)
        million = 1_000_000
        estimate = mean_estimate(np.int64(million), np.int64(3 * 10**12), np.int64(9 * 10**18))
        assert (estimate.value, estimate.se) == (3 * 10**6, 0.0)

    def test_units_that_agree_have_a_single_point(self) -> None:
        assert mean_estimate(50, 150, 450, 2) == Estimate(1.5, 0.0, 1.5, 1.5)

    def test_few_units(self) -> None:
        assert mean_estimate(0, 0, 0) == Estimate(None, None, None, None)
        assert mean_estimate(1, -7, 49, 2) == Estimate(-3.5, None, None, None)
        few, enough = mean_estimate(*sums([0, 1] * 14 + [1])), mean_estimate(*sums([0, 1] * 15))
        assert few.se is not None and few.half_width is None
        assert enough.half_width is not None

    def test_impossible_sums_are_refused(self) -> None:
        with pytest.raises(ValueError, match="no 10 units have these sums"):
            mean_estimate(10, 10, 9)
        with pytest.raises(ValueError, match="denominator must be at least 1"):
            mean_estimate(10, 10, 10, -1)
        with pytest.raises(ValueError, match="level must lie"):
            mean_estimate(5, 10, 20, level=2)


class TestRatios:
    def test_vector(self) -> None:
        estimate = ratio_estimate(*pair_sums(PAIRED_A, PAIRED_B))
        assert estimate.value == 1.125
        assert estimate.se == pytest.approx(0.09595618419734231, rel=1e-13)
        assert (estimate.low, estimate.high) == (None, None)
        interval = fieller(*pair_sums(PAIRED_A, PAIRED_B))
        assert interval == pytest.approx((0.8406599345857725, 1.3261481126670367), rel=1e-13)

    def test_sizes_of_units_weigh(self) -> None:
        """K3-030: a case that cannot occur weighs nothing; averaging the five shares alike would give 40 %."""
        combinations = [6, 6, 0, 6, 6]
        tenths_won = [8 * 6, 8 * 6, 0, 2 * 6, 2 * 6]
        assert ratio_estimate(*pair_sums(tenths_won, combinations), denominator=10).value == 0.5

    @unhurried
    @given(
        st.lists(st.tuples(st.integers(-50, 50), st.integers(20, 40)), min_size=30, max_size=60),
        st.integers(1, 840),
        levels,
    )
    def test_far_from_zero_it_is_the_delta_method(self, units: list[tuple[int, int]], denominator: int, level: float) -> None:
        a, b = np.array(units).T
        estimate = ratio_estimate(*pair_sums(*zip(*units, strict=True)), denominator, level)
        ratio = a.sum() / b.sum()
        sem = np.std(a - ratio * b, ddof=1) / math.sqrt(len(units)) / b.mean() / denominator
        half = stats.t.ppf((1 + level) / 2, len(units) - 1) * sem
        assert estimate.value == pytest.approx(ratio / denominator)
        assert estimate.se == pytest.approx(sem, rel=1e-6, abs=1e-12)
        assert estimate.half_width == pytest.approx(half, rel=1e-6, abs=1e-9)

    def test_a_constant_below_the_line_is_a_mean(self) -> None:
        units = [3, -1, 4, 1, -5, 9] * 6
        ratio, mean = ratio_estimate(*pair_sums(units, [4] * 36)), mean_estimate(*sums(units), 4)
        assert ratio.to_dict() == pytest.approx(mean.to_dict())

    def test_near_zero_it_is_fieller(self) -> None:
        a, b = [5, 7, 6, 4, 8] * 8, [20, -15, 10, -9, 4] * 8
        assert abs(np.mean(b)) < 5 * np.std(b, ddof=1) / math.sqrt(40)
        # Mean b is 1.1 standard errors from zero: unbounded at 95 %, bounded at 50 %.
        unbounded = ratio_estimate(*pair_sums(a, b))
        assert unbounded.se is not None and (unbounded.low, unbounded.high) == (None, None)
        bounded = ratio_estimate(*pair_sums(a, b), level=0.5)
        assert ends(bounded) == fieller(*pair_sums(a, b), level=0.5)
        assert bounded.value is not None and bounded.low is not None and bounded.low < bounded.value
        few = ratio_estimate(*pair_sums(a[:25], b[:25]), level=0.5)
        assert few.se is not None and (few.low, few.high) == (None, None)

    @unhurried
    @given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-5, 40)), min_size=2, max_size=40), levels)
    def test_fieller_ends_are_just_rejected(self, units: list[tuple[int, int]], level: float) -> None:
        """At each end theta the t statistic of mean(a) - theta mean(b) equals the critical value."""
        a, b = (np.array(column, dtype=float) for column in zip(*units, strict=True))
        interval = fieller(*pair_sums(*zip(*units, strict=True)), level=level)
        t = stats.t.ppf((1 + level) / 2, len(units) - 1)
        separation = abs(b.mean()) - t * float(np.std(b, ddof=1)) / math.sqrt(len(units))
        if abs(separation) > 1e-6:
            assert (interval[0] is None) == (separation < 0)
        if interval[0] is not None and separation > 1e-6:
            for theta in interval:
                difference = a - theta * b
                distance = abs(difference.mean()) * math.sqrt(len(units))
                assert distance == pytest.approx(t * float(np.std(difference, ddof=1)), rel=1e-5, abs=1e-5)

    @unhurried
    @given(
        st.lists(st.tuples(st.integers(-50, 50), st.integers(20, 40)), min_size=30, max_size=60),
        st.integers(10**20, 10**30),
    )
    def test_huge_sums_lose_nothing(self, units: list[tuple[int, int]], factor: int) -> None:
        near = ratio_estimate(*pair_sums(*zip(*units, strict=True)))
        far = ratio_estimate(*pair_sums(*zip(*[(a * factor, b * factor) for a, b in units], strict=True)))
        assert far == near

    def test_nothing_below_the_line(self) -> None:
        assert ratio_estimate(*pair_sums([1, 2], [3, -3])) == Estimate(None, None, None, None)
        assert ratio_estimate(0, 0, 0, 0, 0, 0) == Estimate(None, None, None, None)
        assert fieller(*pair_sums([1, 2], [3, -3])) == (None, None)

    def test_one_unit(self) -> None:
        assert ratio_estimate(*pair_sums([7], [2]), denominator=2) == Estimate(1.75, None, None, None)
        with pytest.raises(ValueError, match="at least 2 units"):
            fieller(*pair_sums([7], [2]))

    def test_impossible_sums_are_refused(self) -> None:
        with pytest.raises(ValueError, match="b adds up to 10"):
            ratio_estimate(10, 0, 10, 0, 0, 9)
        with pytest.raises(ValueError, match="product sum 30"):
            ratio_estimate(10, 10, 10, 20, 30, 20)
        with pytest.raises(ValueError, match="denominator must be at least 1"):
            ratio_estimate(*pair_sums(PAIRED_A, PAIRED_B), denominator=0)


class TestClusters:
    def test_equal_clusters_vector(self) -> None:
        result = clustered_mean(EQUAL_DEALS, EQUAL_Y)
        assert result.value == 0.5
        assert result.se_iid == pytest.approx(0.12126781251816646, rel=1e-12)
        assert result.se_cr0 == pytest.approx(0.13028932666176185, rel=1e-12)
        assert result.se_cr1 == pytest.approx(0.14272480642961247, rel=1e-12)
        assert (result.low, result.high) == pytest.approx((0.13311420509732885, 0.8668857949026711), rel=1e-12)
        assert result.vrf == pytest.approx(0.7219251336898392, rel=1e-12)
        assert result.ess == pytest.approx(12.994652406417107, rel=1e-12)
        assert (result.records, result.deals) == (18, 6)

    def test_unequal_clusters_vector(self) -> None:
        result = clustered_mean(UNEQUAL_DEALS, UNEQUAL_Y)
        assert result.value == pytest.approx(3.1)
        assert result.se_cr1 == pytest.approx(1.0960535266734617, rel=1e-12)

    def test_paired_vector(self) -> None:
        result = clustered_mean(range(8), np.subtract(PAIRED_A, PAIRED_B))
        assert (result.low, result.high) == pytest.approx((-0.49923612353393787, 1.499236123533938), rel=1e-12)
        assert result.vrf == pytest.approx(1)

    @unhurried
    @given(st.lists(st.lists(st.integers(-20, 20), min_size=3, max_size=3), min_size=30, max_size=50))
    def test_equal_clusters_are_t_on_deal_means(self, deals: list[list[int]]) -> None:
        records = clustered_mean(np.repeat(np.arange(len(deals)), 3), np.ravel(deals))
        units = mean_estimate(*sums([sum(deal) for deal in deals]), 3)
        assert (records.value, records.se_cr1, records.low, records.high) == pytest.approx(
            (units.value, units.se, units.low, units.high), abs=1e-12
        )

    @unhurried
    @given(st.permutations(range(10)))
    def test_order_of_records_does_not_matter(self, order: list[int]) -> None:
        names = np.array(["north", "east", "south", "west"])[UNEQUAL_DEALS]
        shuffled = clustered_mean(names[order], np.array(UNEQUAL_Y)[order])
        assert vars(shuffled) == pytest.approx(vars(clustered_mean(UNEQUAL_DEALS, UNEQUAL_Y)), rel=1e-12)

    def test_deals_that_agree_leave_no_dust(self) -> None:
        """Three rotations of one third each: the mean is not exact in binary, the error is zero all the same."""
        result = clustered_mean(np.repeat(range(50), 3), [1, 0, 0] * 50)
        assert (result.se_cr0, result.se_cr1, result.vrf, result.ess) == (0, 0, None, None)
        assert result.low == result.high == result.value == pytest.approx(1 / 3)

    def test_one_deal_and_one_record(self) -> None:
        one_deal = clustered_mean([4, 4], [1, 3])
        assert (one_deal.value, one_deal.se_iid, one_deal.se_cr1, one_deal.low) == (2, 1, None, None)
        assert clustered_mean([4], [1]).se_iid is None

    @pytest.mark.parametrize(
        ("deals", "y", "message"),
        [
            ([], [], "no records"),
            ([1, 2], [1.0], "two lists of one length"),
            ([[1, 2]], [[1.0, 2.0]], "two lists of one length"),
            ([1, 2], [1.0, math.nan], "finite"),
            ([1, math.nan], [1.0, 2.0], "gaps"),
        ],
    )
    def test_nonsense_is_refused(self, deals: list[float], y: list[float], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            clustered_mean(deals, y)


class TestCriticalValues:
    def test_against_scipy(self) -> None:
        assert critical_value(0.95) == pytest.approx(1.959963984540054)
        assert critical_value(0.99, 7) == pytest.approx(stats.t.isf(0.005, 7))

    @pytest.mark.parametrize("degrees", [0, -1, math.nan])
    def test_nonsense_is_refused(self, degrees: float) -> None:
        with pytest.raises(ValueError, match="degrees of freedom must be positive"):
            critical_value(0.95, degrees)


class TestRecords:
    def test_to_dict_is_ready_for_json(self) -> None:
        assert json.loads(json.dumps(share_estimate(1, 0, 0, 1).to_dict())) == {
            "value": 0.0,
            "se": None,
            "low": None,
            "high": None,
        }
        difference = Difference(0.5, 0.1, 0.3, 0.7, 0.001, 4.5, 450.0)
        assert list(difference.to_dict().items()) == [
            ("value", 0.5),
            ("se", 0.1),
            ("low", 0.3),
            ("high", 0.7),
            ("p", 0.001),
            ("vrf", 4.5),
            ("ess", 450.0),
        ]
        assert difference.half_width == pytest.approx(0.2)


class TestVarianceReduction:
    def test_of_a_paired_difference(self) -> None:
        """Against the plain definition: variance of as many independent games over the variance that was reached."""
        a, b = np.array(PAIRED_A), np.array(PAIRED_B)
        var_a, var_b = float(np.var(a, ddof=1)), float(np.var(b, ddof=1))
        se = float(np.std(a - b, ddof=1)) / math.sqrt(8)
        reduction = variance_reduction(var_a, var_b, 8, se)
        assert reduction.vrf == pytest.approx((var_a / 8 + var_b / 8) / se**2)
        assert reduction.ess == pytest.approx(8 * (var_a + var_b) / 8 / se**2)

    def test_below_one_is_shown(self) -> None:
        assert variance_reduction(1.0, 1.0, 100, 0.2) == pytest.approx((0.5, 50.0))

    @pytest.mark.parametrize("arguments", [(1.0, 1.0, 10, 0.0), (1.0, 1.0, 10, None), (None, 1.0, 10, 0.1), (1.0, None, 10, 0.1)])
    def test_nothing_to_divide_by(self, arguments: tuple[float | None, float | None, int, float | None]) -> None:
        assert variance_reduction(*arguments) == (None, None)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((1.0, 1.0, 0, 0.1), "games must be at least 1"),
            ((-1.0, 1.0, 10, 0.1), "game_var_a must not be negative"),
            ((1.0, math.nan, 10, 0.1), "game_var_b must not be negative"),
            ((1.0, 1.0, 10, -0.1), "se must not be negative"),
        ],
    )
    def test_nonsense_is_refused(self, arguments: tuple[float, float, int, float], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            variance_reduction(*arguments)
