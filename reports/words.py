"""Results in words: names of rows, amounts with their errors."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.estimates import Difference, Estimate
from analysis.rounding import NOT_AVAILABLE, show, show_p
from reports.runs import Measure, Reading, Run


def plural(word: str) -> str:
    """Several of them: hands, matches."""
    return word + ("es" if word.endswith(("ch", "s", "sh", "x")) else "s")


def counted(number: int, word: str) -> str:
    """A number of things: '1 hand', '20,000 hands'."""
    return f"{number:,} {word if number == 1 else plural(word)}"


def amount(measure: Measure, estimate: Estimate) -> str:
    """A level with its error, and its unit where the measure's name does not say it: '28.15 ± 0.28 %', '14.41 ± 0.05'."""
    said = unit(measure)
    return _with_unit(figures(measure, estimate), "" if said in measure.label.split() else said)


def change(measure: Measure, difference: Difference) -> str:
    """The size of a difference with its error and unit: '1.2 ± 0.2 percentage points'."""
    size = None if difference.value is None else abs(difference.value)
    text = show(size, difference.half_width, percent=measure.share)
    return _with_unit(text, difference_unit(measure))


def figures(measure: Measure, estimate: Estimate, *, signed: bool = False) -> str:
    """An estimate with its error, without a unit; with a plus sign where a difference is positive and ``signed`` asks for it."""
    text = show(estimate.value, estimate.half_width, percent=measure.share)
    if text.startswith("-"):
        return f"−{text[1:]}"
    return f"+{text}" if signed and (estimate.value or 0.0) > 0 and text[0].isdigit() else text


def half(measure: Measure, estimate: Estimate) -> str:
    """Half an interval: '± 0.28 percentage points'."""
    return f"± {size(measure, estimate.half_width or 0.0)}"


def size(measure: Measure, number: float) -> str:
    """An amount of difference with two digits: '0.28 percentage points'."""
    return f"{number * (100 if measure.share else 1):.2g} {difference_unit(measure)}".rstrip()


def unit(measure: Measure) -> str:
    """What stands in the heading of a column of levels: '%', 'turns'."""
    return "%" if measure.share else measure.unit


def difference_unit(measure: Measure) -> str:
    """What a difference is counted in."""
    return "percentage points" if measure.share else measure.unit


def heading(measure: Measure) -> str:
    """The name of a measure with its unit, where the name does not say it already."""
    said = unit(measure)
    return measure.label if not said or said in measure.label.split() else f"{measure.label} ({said})"


def surely(difference: Difference | None) -> str:
    """Whether a difference is clear, with its p-value."""
    if difference is None:
        return ""
    if difference.se == 0:
        return "no spread" if difference.value else "the same in every deal"
    if difference.low is None:
        return "too few deals"
    return f"{'yes' if clear(difference) else 'not shown'}, p {p_text(difference.p)}"


def p_text(p: float | None) -> str:
    """A p-value with its relation: '= 0.0312', '< 0.0001'."""
    text = show_p(p)
    if text == NOT_AVAILABLE:
        return text
    return f"< {text[1:]}" if text.startswith("<") else f"= {text}"


def clear(difference: Difference | None) -> bool:
    """Whether the interval leaves zero out."""
    if difference is None or difference.low is None or difference.high is None:
        return False
    return not difference.low <= 0 <= difference.high


def even_share(players: int) -> str:
    """What each of equals would have, in percent: '25 %', '33.3 %'."""
    return f"{100 / players:.3g} %"


def who(run: Run, reading: Reading) -> str:
    """Whose an estimate is, as short as it stays clear: 'seat 1', 'outs in seat 2', 'outs', 'greedy (player 3)'."""
    if reading.seat is not None and reading.player is not None:
        return f"{_player(run, reading)} in seat {reading.seat}"
    if reading.player is not None:
        return _player(run, reading)
    if reading.seat is None:
        return reading.strategy
    seated = reading.variant.lineup if reading.variant is not None else run.lineup
    return f"seat {reading.seat}" if len(set(seated)) == 1 else f"{reading.strategy} in seat {reading.seat}"


def _player(run: Run, reading: Reading) -> str:
    return reading.strategy if run.lineup.count(reading.strategy) == 1 else f"{reading.strategy} (player {reading.player})"


def subject(reading: Reading) -> str:
    """What was estimated: 'turns', 'win rate of seat 2'."""
    return reading.measure.label if reading.seat is None else f"{reading.measure.label} of seat {reading.seat}"


def with_intervals(text: str, estimates: Iterable[Estimate]) -> str:
    """A label, with the intervals named where there are any."""
    return f"{text}, with 95 % intervals" if any(e.low is not None for e in estimates) else text


def readable(run: Run, text: str) -> str:
    """A sentence with the names of measures in words and a full stop at its end."""
    for measure in sorted(run.measures.values(), key=lambda m: -len(m.name)):
        if "_" in measure.name:
            text = text.replace(measure.name, measure.label)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _with_unit(text: str, said: str) -> str:
    """'25 %' and '25 % (no error estimate)'."""
    if not said or text == NOT_AVAILABLE:
        return text
    head, opening, tail = text.partition(" (")
    return f"{head} {said}{opening}{tail}"
