"""Answers in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.estimates import Difference
from analysis.rounding import show
from sim.game import Measure

if TYPE_CHECKING:
    from analysis.comparison import Candidate
    from analysis.variants import Reading

FEW = "too few deals for an answer: intervals need 30 or more"


def amount(measure: Measure, difference: Difference) -> str:
    """A difference with its error, without sign: '1.2 ± 0.2 points'."""
    value = abs(difference.value or 0.0)
    return f"{show(value, difference.half_width, percent=measure.kind == 'share')} {unit_of(measure)}".rstrip()


def unit_of(measure: Measure) -> str:
    """The unit of a difference; none where the measure has the name of its unit."""
    return "" if measure.digits_unit == measure.name else measure.digits_unit


def bound(measure: Measure, differences: Sequence[Difference]) -> str:
    """The largest difference that the intervals leave possible: '0.3 points'."""
    largest = max(max(abs(d.low or 0.0), abs(d.high or 0.0)) for d in differences)
    scaled = 100 * largest if measure.kind == "share" else largest
    return f"{scaled:.2g} {unit_of(measure)}".rstrip()


def clear(difference: Difference) -> bool:
    """Whether the interval leaves zero out."""
    return difference.low is not None and difference.high is not None and (difference.low > 0 or difference.high < 0)


def comparison_verdict(measure: Measure, rows: Sequence[Candidate]) -> str:
    """Which candidate is better than the first, by how much; or how small any difference must be."""
    differences = [row.difference for row in rows[1:] if row.difference is not None]
    if any(d.low is None for d in differences):
        return FEW
    if all(d.se == 0 for d in differences):
        return f"no difference at all: {' and '.join(row.strategy for row in rows)} scored the same in every deal"
    sign = -1.0 if measure.low_is_good else 1.0
    best = max(rows, key=lambda row: sign * (row.level.value or 0.0))
    what = "" if measure.name == "win_rate" else f" in {measure.name}"
    if not any(clear(d) for d in differences):
        return f"no difference to {rows[0].strategy}{what} larger than {bound(measure, differences)}"
    if best is rows[0]:
        nearest = min((row for row in rows[1:]), key=lambda row: abs(row.difference.value or 0.0) if row.difference else 0.0)
        gap = nearest.difference
        assert gap is not None
        if clear(gap):
            return f"{best.strategy} is best{what}: it beats {nearest.strategy}, the nearest, by {amount(measure, gap)}"
        return f"{best.strategy} scores highest{what}, but {nearest.strategy} is within {bound(measure, [gap])}"
    gap = best.difference
    assert gap is not None
    if not clear(gap):
        return f"no candidate beats {rows[0].strategy}{what}; {best.strategy} differs by at most {bound(measure, [gap])}"
    sentence = f"{best.strategy} beats {rows[0].strategy} by {amount(measure, gap)}{what}"
    place = list(rows).index(best)
    step = best.step
    if place > 1 and step is not None:
        before = rows[place - 1].strategy
        if clear(step):
            return f"{sentence}, and {before} by {amount(measure, step)}"
        return f"{sentence}; it cannot be told from {before} (within {bound(measure, [step])})"
    return sentence


def variant_verdict(label: str, readings: Sequence[Reading]) -> str:
    """What a variant changes, measure by measure: 'with reshuffle=keep_top: turns up by 0.4 ± 0.1; win_rate …'."""
    told = []
    for measure in dict.fromkeys(reading.measure for reading in readings):
        mine = [r for r in readings if r.measure is measure and r.difference is not None]
        if not mine:
            told.append(f"{measure.name}: no counterpart in the base")
            continue
        told.append(_change(measure, mine))
    return f"with {label}: " + "; ".join(told)


def _change(measure: Measure, readings: Sequence[Reading]) -> str:
    differences = [r.difference for r in readings if r.difference is not None]
    if any(d.low is None for d in differences):
        return f"{measure.name}: {FEW}"
    if all(d.se == 0 and d.value == 0 for d in differences):
        return f"{measure.name} the same in every deal"
    changed = [r for r in readings if r.difference is not None and clear(r.difference)]
    if not changed:
        return f"no change in {measure.name} larger than {bound(measure, differences)}"
    parts = []
    for reading in changed:
        assert reading.difference is not None
        who = "" if reading.seat is None else f" of seat {reading.seat + 1}"
        way = "up" if (reading.difference.value or 0.0) > 0 else "down"
        parts.append(f"{measure.name}{who} {way} by {amount(measure, reading.difference)}")
    return ", ".join(parts)
