"""The answer in a sentence, and what belongs beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from reports.runs import Measure, Reading, Run
from reports.words import amount, change, clear, even_share, readable, size, subject, who

FEW = "Too few deals for an answer: intervals need 30 or more."
_MISS = 0.05


@dataclass(frozen=True)
class Answer:
    """A headline, sentences that belong below it, and a sentence for each variant of a sweep."""

    headline: str
    more: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()


def answer(run: Run) -> Answer:
    """The answer of a run."""
    return {"simulate": _simulation, "compare": _comparison, "variants": _variants}[run.kind](run)


def main_measure(run: Run) -> Measure:
    """The measure that the answer is about: the first that was read."""
    return run.readings[0].measure


# --- simulate --------------------------------------------------------------------------------------------------------


def _simulation(run: Run) -> Answer:
    measure = main_measure(run)
    rows = ranked(measure, [r for r in run.readings if r.measure is measure])
    if any(r.estimate.low is None for r in rows):
        return Answer(FEW)
    return Answer(_best_and_last(run, rows), (*_confounded(run), *_seat_effect(run, measure)))


def levels_finding(run: Run, measure: Measure) -> str:
    """What the levels of a measure show: who has most, or from where to where they run."""
    rows = ranked(measure, [r for r in run.readings if r.measure is measure])
    if any(r.estimate.low is None for r in rows):
        return FEW
    if run.kind == "simulate":
        return _best_and_last(run, rows)
    low, high = sorted((rows[0], rows[-1]), key=lambda r: r.estimate.value or 0.0)
    return (
        f"{measure.label.capitalize()}: from {amount(measure, low.estimate)} ({who(run, low)}) "
        f"to {amount(measure, high.estimate)} ({who(run, high)})."
    )


def ranked(measure: Measure, rows: Sequence[Reading]) -> list[Reading]:
    """Best first; the order given where they are equal."""
    sign = 1.0 if measure.low_is_good else -1.0
    return sorted(rows, key=lambda r: sign * (r.estimate.value if r.estimate.value is not None else math.nan))


def apart(left: Reading, right: Reading, pairs: int) -> bool:
    """Whether two levels surely differ, with one of so many pairs looked at.

    How they vary together is not stored, so the largest standard error that their difference can have is taken: the sum of both.
    """
    a, b = left.estimate, right.estimate
    if a.value is None or b.value is None or a.se is None or b.se is None:
        return False
    critical = NormalDist().inv_cdf(1 - _MISS / (2 * pairs))
    return abs(a.value - b.value) > critical * (a.se + b.se)


def _best_and_last(run: Run, rows: Sequence[Reading]) -> str:
    """From rows of one measure, best first."""
    best, last, measure = rows[0], rows[-1], rows[0].measure
    pairs = max(1, len(rows) * (len(rows) - 1) // 2)
    extreme = "lowest" if measure.low_is_good else "highest"
    even = f" An even share is {even_share(best.players)}." if measure.fair else ""
    if len(rows) == 1:
        return f"The {measure.label} of {who(run, best)} is {amount(measure, best.estimate)}.{even}"
    if not apart(best, last, pairs):
        low, high = sorted((best, last), key=lambda r: r.estimate.value or 0.0)
        return (
            f"No {_kind_of_row(run)} is surely ahead: the {measure.label} lies between {amount(measure, low.estimate)} ({who(run, low)}) "
            f"and {amount(measure, high.estimate)} ({who(run, high)}).{even}"
        )
    others = [who(run, row) for row in rows[1:] if not apart(best, row, pairs)]
    if others:
        beside = " and ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others)
        return (
            f"{_capital(who(run, best))} has the {extreme} {measure.label}, {amount(measure, best.estimate)}, but {beside} cannot be told "
            f"from it; {who(run, last)} has {amount(measure, last.estimate)}.{even}"
        )
    return (
        f"{_capital(who(run, best))} has the {extreme} {measure.label}, {amount(measure, best.estimate)}; "
        f"{who(run, last)} has {amount(measure, last.estimate)}.{even}"
    )


def _kind_of_row(run: Run) -> str:
    return "player" if run.rotate else "seat"


def _capital(text: str) -> str:
    """Seats may begin a sentence in capitals; a strategy's name stays as typed."""
    return f"Seat{text[4:]}" if text.startswith("seat ") else text


def _confounded(run: Run) -> list[str]:
    if run.rotate or len(set(run.lineup)) == 1:
        return []
    return ["Every strategy sat in its own seat throughout, so part of this is the seat; rotation would take it out."]


def _seat_effect(run: Run, measure: Measure) -> list[str]:
    """How much the seat matters to the best player of a rotated line-up."""
    first = ranked(measure, [r for r in run.readings if r.measure is measure])[0]
    mine = ranked(measure, [r for r in run.chairs if r.measure is measure and r.player == first.player])
    if len(mine) < 2 or any(r.estimate.low is None for r in mine):
        return []
    best, worst = mine[0], mine[-1]
    pairs = len(mine) * (len(mine) - 1) // 2
    name = who(run, first)
    if not apart(best, worst, pairs):
        return [f"The seat makes no sure difference to {name}."]
    return [
        f"The seat matters: {name} gets {amount(measure, best.estimate)} in seat {best.seat} "
        f"and {amount(measure, worst.estimate)} in seat {worst.seat}."
    ]


def seats_finding(run: Run, measure: Measure) -> str:
    """What the seat does to the best player of a rotated line-up."""
    return " ".join(_seat_effect(run, measure)) or levels_finding(run, measure)


# --- compare and variants --------------------------------------------------------------------------------------------


def _comparison(run: Run) -> Answer:
    verdict = readable(run, run.verdict)
    # A sentence may begin with a strategy's name, which stays as typed.
    named = any(verdict.startswith(r.strategy) for r in run.readings)
    return Answer(verdict if named else verdict[:1].upper() + verdict[1:])


def _variants(run: Run) -> Answer:
    verdicts = tuple(readable(run, _capital_with(variant.verdict)) for variant in run.variants if variant.verdict)
    if len(verdicts) == 1:
        return Answer(verdicts[0])
    findings = [changes_finding(run, measure) for measure in dict.fromkeys(r.measure for r in run.readings)]
    return Answer(findings[0], tuple(findings[1:]), verdicts)


def _capital_with(text: str) -> str:
    return f"With{text[4:]}" if text.startswith("with ") else text


def changes_finding(run: Run, measure: Measure) -> str:
    """Where a measure changes most."""
    mine = [(r, d) for r in run.readings if r.measure is measure and (d := r.difference) is not None]
    if not mine:
        return f"{measure.label.capitalize()} has no counterpart in the base."
    if any(d.low is None for _, d in mine):
        return FEW
    sure = [(r, d) for r, d in mine if clear(d)]
    if not sure:
        largest = max(max(abs(d.low or 0.0), abs(d.high or 0.0)) for _, d in mine)
        if largest == 0:
            return f"No variant changes {measure.label} in any deal."
        return f"No variant changes {measure.label} by more than {size(measure, largest)}."
    most, difference = max(sure, key=lambda pair: abs(pair[1].value or 0.0))
    base = base_of(run, most)
    assert most.variant is not None and base.variant is not None
    way = "up" if (difference.value or 0.0) > 0 else "down"
    return (
        f"Largest change in {subject(most)}: from {amount(measure, base.estimate)} ({base.variant.label}) "
        f"to {amount(measure, most.estimate)} ({most.variant.label}), {way} by {change(measure, difference)}."
    )


def base_of(run: Run, reading: Reading) -> Reading:
    """The same measure and seat in the base."""
    return next(
        r for r in run.readings if r.measure is reading.measure and r.seat == reading.seat and r.variant is not None and r.variant.base
    )
