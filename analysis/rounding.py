"""Numbers for people: round the error first, then the value to the same place.

How many digits an error keeps follows the Particle Data Group: if its three leading digits lie in 100 to 354 it keeps
two digits, in 355 to 949 one, and from 950 it is rounded up to 1000 and keeps two. Full precision belongs into CSV and
JSON, not here.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal

NOT_AVAILABLE = "n/a"

# A value that stands without an error shows this many significant digits.
_BARE_DIGITS = 6

# Smaller and larger numbers than these read better with a power of ten.
_SMALLEST_WRITTEN_OUT = Decimal("1e-6")
_LARGEST_WRITTEN_OUT = Decimal("1e15")

# Enough digits to write out any float64, however small its error.
_WIDE = Context(prec=1000)

_SMALLEST_P = 0.0001


def round_error(error: float) -> int:
    """Return to how many decimals an error, and the value it belongs to, are rounded.

    Parameters
    ----------
    error : float
        A positive error: a standard error or half an interval.

    Returns
    -------
    int
        Digits after the decimal point; negative for tens, hundreds and so on.

    Raises
    ------
    ValueError
        If the error is not a positive finite number.
    """
    if not (error > 0 and math.isfinite(error)):
        raise ValueError(f"only a positive finite error can be rounded, got {error!r}")
    return _decimals(Decimal(repr(float(error))))


def show(value: float | None, error: float | None, percent: bool = False) -> str:
    """Return a value with its error, such as '28.15 ± 0.09'.

    Parameters
    ----------
    value : float or None
        The estimate.
    error : float or None
        What stands after the plus-minus sign: half the interval. Zero is said, and so is a missing error (None, or not
        a finite number).
    percent : bool
        Show both in percent. The sign is left to the heading of the column.

    Returns
    -------
    str
        'n/a' if there is no value.

    Raises
    ------
    ValueError
        If the error is negative.
    """
    if value is None or not math.isfinite(value):
        return NOT_AVAILABLE
    factor = 100 if percent else 1
    number = _exact(value) * factor
    if error is None or not math.isfinite(error):
        return f"{_bare(number)} (no error estimate)"
    if error < 0:
        raise ValueError(f"an error must not be negative, got {error!r}")
    if error == 0:
        return _without_spread(number)
    return _with_error(number, _exact(error) * factor)


def show_p(p: float | None) -> str:
    """Return a p-value with four decimals; '<0.0001' below that, never zero.

    Parameters
    ----------
    p : float or None
        A p-value.

    Returns
    -------
    str
        'n/a' if there is none (None or not a number).

    Raises
    ------
    ValueError
        If it lies outside [0, 1].
    """
    if p is None or math.isnan(p):
        return NOT_AVAILABLE
    if not 0 <= p <= 1:
        raise ValueError(f"a p-value must lie in [0, 1], got {p!r}")
    return f"<{_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.4f}"


def _exact(number: float) -> Decimal:
    """Return a number as it is written: whole numbers of any size, floats by their shortest decimal form."""
    return Decimal(number) if isinstance(number, int) else Decimal(repr(float(number)))


def _decimals(error: Decimal) -> int:
    digits, exponent = f"{error:.2e}".split("e")
    power = int(exponent)
    return 1 - power if int(digits.replace(".", "")) <= 354 else -power


def _with_error(number: Decimal, error: Decimal) -> str:
    decimals = _decimals(error)
    largest = max(abs(number), error)
    if _SMALLEST_WRITTEN_OUT <= largest < _LARGEST_WRITTEN_OUT:
        return f"{_fixed(number, decimals)} ± {_fixed(error, decimals)}"
    power = largest.adjusted()
    mantissas = (_fixed(part.scaleb(-power), decimals + power) for part in (number, error))
    return f"({' ± '.join(mantissas)})e{power:+d}"


def _without_spread(number: Decimal) -> str:
    """Say that the error is zero; 'exactly' only where the digits shown are all there are."""
    shown = _bare(number)
    return f"exactly {shown}" if Decimal(shown.replace(",", "")) == number else f"{shown} (error 0)"


def _bare(number: Decimal) -> str:
    """Return a number without an error: whole ones in full, others with six significant digits."""
    size = abs(number)
    if size and not _SMALLEST_WRITTEN_OUT <= size < _LARGEST_WRITTEN_OUT:
        mantissa, power = f"{number:.{_BARE_DIGITS - 1}e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(power):+d}"
    if number == number.to_integral_value():
        return _fixed(number, 0)
    text = _fixed(number, max(_BARE_DIGITS - 1 - size.adjusted(), 0))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fixed(number: Decimal, decimals: int) -> str:
    """Return a number rounded to a decimal place, with a comma between thousands and no negative zero."""
    rounded = number.quantize(Decimal(1).scaleb(-decimals), context=_WIDE)
    if rounded == 0:
        rounded = abs(rounded)
    return f"{rounded:,.{max(decimals, 0)}f}"
