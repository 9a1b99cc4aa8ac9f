"""Printed numbers: the error rounded first, the value to the same place, nothing claimed that is not known."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.estimates import share_estimate
from analysis.rounding import round_error, show, show_p

# A busy machine must not fail a test: hypothesis times every example otherwise.
unhurried = settings(deadline=None)


class TestRoundError:
    @pytest.mark.parametrize(
        ("error", "decimals"),
        [
            (0.100, 2),
            (0.354, 2),
            (0.355, 1),
            (0.949, 1),
            (0.950, 1),  # becomes 1.0
            (0.999, 1),
            (0.9996, 1),  # its three leading digits are 100
            (1.0, 1),
            (0.0912, 2),
            (0.00354, 4),
            (0.0000123, 6),
            (12.3, 0),
            (35.4, 0),
            (35.5, -1),
            (1234, -2),
            (96_000, -4),
        ],
    )
    def test_leading_digits_decide(self, error: float, decimals: int) -> None:
        assert round_error(error) == decimals

    @unhurried
    @given(st.floats(1e-300, 1e300))
    def test_keeps_one_or_two_digits_of_the_error(self, error: float) -> None:
        shown = Decimal(repr(error)).scaleb(round_error(error))
        # In units of the last place kept: 10 to 35 for two digits, 4 to 10 for one (or 1000 from 950).
        assert Decimal("3.54") <= shown <= Decimal("35.5")
        assert round_error(error * 2) <= round_error(error)

    @pytest.mark.parametrize("error", [0, -1, math.nan, math.inf])
    def test_only_errors_have_digits(self, error: float) -> None:
        with pytest.raises(ValueError, match="positive finite error"):
            round_error(error)


class TestShow:
    @pytest.mark.parametrize(
        ("value", "error", "expected"),
        [
            (28.1549, 0.091, "28.15 ± 0.09"),
            (0.827, 0.119, "0.83 ± 0.12"),
            (0.827, 0.367, "0.8 ± 0.4"),
            (14.674, 0.964, "14.7 ± 1.0"),
            (28.1549, 0.0354, "28.155 ± 0.035"),
            (-3.14159, 0.02, "-3.142 ± 0.020"),
            (-0.0004, 0.02, "0.000 ± 0.020"),
            (2.675, 0.06, "2.68 ± 0.06"),
            (123_456.7, 1_234, "123,500 ± 1,200"),
            (123_456.7, 98, "123,460 ± 100"),
            (1_234_567.891, 2.5, "1,234,567.9 ± 2.5"),
            (0.0123, 1e-9, "0.0123000000 ± 0.0000000010"),
            (1.2e-12, 3.4e-13, "(1.20 ± 0.34)e-12"),
            (1.2e18, 3.4e16, "(1.200 ± 0.034)e+18"),
            (0, 40, "0 ± 40"),
            (3, 1e16, "(0.0 ± 1.0)e+16"),
        ],
    )
    def test_value_to_the_place_of_its_error(self, value: float, error: float, expected: str) -> None:
        assert show(value, error) == expected

    def test_percent(self) -> None:
        assert show(0.281549, 0.00091, percent=True) == "28.15 ± 0.09"
        assert show(0.28, 0, percent=True) == "exactly 28"
        assert show(1 / 3, None, percent=True) == "33.3333 (no error estimate)"

    def test_a_default_run_shows_its_error(self) -> None:
        """K3-028: ten thousand hands at one in four."""
        rate = share_estimate(10_000, 2_500, 2_500, 1)
        assert show(rate.value, rate.half_width, percent=True) == "25.0 ± 0.8"

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (0, "exactly 0"),
            (-0.0, "exactly 0"),
            (0.25, "exactly 0.25"),
            (-12, "exactly -12"),
            (1_000_000, "exactly 1,000,000"),
            (1e20, "exactly 1e+20"),
            (1 / 3, "0.333333 (error 0)"),
            (12_345.678901, "12,345.7 (error 0)"),
        ],
    )
    def test_no_spread_is_said(self, value: float, expected: str) -> None:
        assert show(value, 0) == show(value, 0.0) == expected

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (0.5, "0.5"),
            (12_345_678, "12,345,678"),
            (12_345_678_901.5, "12,345,678,902"),
            (0.000012345678, "0.0000123457"),
            (1.5e-9, "1.5e-9"),
            (-6.25e21, "-6.25e+21"),
            (999_999.7, "1,000,000"),
        ],
    )
    @pytest.mark.parametrize("error", [None, math.nan, math.inf])
    def test_no_error_is_said(self, value: float, expected: str, error: float | None) -> None:
        assert show(value, error) == f"{expected} (no error estimate)"

    @pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
    @pytest.mark.parametrize("error", [None, 0.0, 0.1, math.nan])
    def test_no_value(self, value: float | None, error: float | None) -> None:
        assert show(value, error) == "n/a"

    def test_a_negative_error_is_refused(self) -> None:
        with pytest.raises(ValueError, match="must not be negative"):
            show(1.0, -0.1)

    @unhurried
    @given(st.floats(-1e14, 1e14), st.floats(1e-6, 1e14))
    def test_reads_back_within_half_a_place(self, value: float, error: float) -> None:
        shown_value, shown_error = (Decimal(part.replace(",", "")) for part in show(value, error).split(" ± "))
        half_place = Decimal(5).scaleb(-round_error(error) - 1)
        assert abs(shown_value - Decimal(repr(value))) <= half_place
        assert abs(shown_error - Decimal(repr(error))) <= half_place
        assert shown_error > 0

    @unhurried
    @given(st.floats(), st.one_of(st.none(), st.floats(0, allow_nan=False)), st.booleans())
    def test_any_float_can_be_shown(self, value: float, error: float | None, percent: bool) -> None:
        text = show(value, error, percent)
        assert text == "n/a" or any(digit in text for digit in "0123456789")
        assert "nan" not in text and "inf" not in text


class TestShowP:
    @pytest.mark.parametrize(
        ("p", "expected"),
        [
            (0.0, "<0.0001"),
            (1e-300, "<0.0001"),
            (0.00009999, "<0.0001"),
            (0.0001, "0.0001"),
            (0.0470310, "0.0470"),
            (0.5, "0.5000"),
            (1.0, "1.0000"),
            (None, "n/a"),
            (math.nan, "n/a"),
        ],
    )
    def test_never_zero(self, p: float | None, expected: str) -> None:
        assert show_p(p) == expected

    @pytest.mark.parametrize("p", [-0.01, 1.01, math.inf])
    def test_nonsense_is_refused(self, p: float) -> None:
        with pytest.raises(ValueError, match="must lie in"):
            show_p(p)
