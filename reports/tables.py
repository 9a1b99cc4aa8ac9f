"""Tables: for people, every number with its error and rounded by it; for programs, at full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.estimates import Difference, Estimate
from reports.runs import Measure, Run
from reports.shares import shares
from reports.words import amount, difference_unit, figures, heading, plural, surely, who

_SETTLING_ROWS = 8
_SMALL = 24


@dataclass(frozen=True)
class Table:
    """A table for people. ``wide`` when it has more columns than a phone has room for."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def wide(self) -> bool:
        """Whether its rows are better read one below the other on a phone."""
        return len(self.columns) > 3

    @property
    def small(self) -> bool:
        """Whether it can stand open on a page without being in the way."""
        return len(self.columns) * len(self.rows) <= _SMALL


def results(run: Run, measure: Measure | None = None) -> Table:
    """The main table; of a sweep that of one measure."""
    if run.kind == "simulate":
        return _seats(run)
    if run.kind == "compare":
        return _candidates(run)
    return _variants(run, measure or run.readings[0].measure)


def _seats(run: Run) -> Table:
    measures = list(dict.fromkeys(r.measure for r in run.readings))
    rows: dict[str, list[str]] = {}
    for reading in run.readings:
        rows.setdefault(who(run, reading), []).append(figures(reading.measure, reading.estimate))
    alike = len(set(run.lineup)) == 1
    first = "player" if run.rotate else f"seat (all {run.lineup[0]})" if alike else "seat"
    return Table("", (first, *map(heading, measures)), tuple((name, *cells) for name, cells in rows.items()))


def of_the_table(run: Run) -> Table:
    """The measures of the whole table of a simulation."""
    rows = tuple((r.measure.label, amount(r.measure, r.estimate), r.measure.help) for r in run.table)
    return Table("The whole table", ("measure", "estimate", "what it is"), rows)


def _candidates(run: Run) -> Table:
    measure = run.readings[0].measure
    names = [r.strategy for r in run.readings]
    columns = ["strategy", heading(measure), _difference_heading(f"difference to {names[0]}", measure), "surely different"]
    steps = len(names) > 2
    if steps:
        columns += [_difference_heading("step from the one before", measure), "surely different"]
    rows = []
    for reading in run.readings:
        cells = [reading.strategy, figures(measure, reading.estimate), *_difference_cells(measure, reading.difference)]
        rows.append((*cells, *_difference_cells(measure, reading.step)) if steps else tuple(cells))
    return Table("", tuple(columns), tuple(rows))


def _variants(run: Run, measure: Measure) -> Table:
    readings = [r for r in run.readings if r.measure is measure]
    seats = any(r.seat is not None for r in readings)
    columns = (
        "variant",
        *(("seat",) if seats else ()),
        heading(measure),
        _difference_heading("difference to the base", measure),
        "surely different",
    )
    rows = tuple(
        (
            r.variant.label if r.variant is not None else "",
            *((who(run, r).removeprefix("seat "),) if seats else ()),
            figures(measure, r.estimate),
            *(("base", "") if r.variant is not None and r.variant.base else _difference_cells(measure, r.difference)),
        )
        for r in readings
    )
    return Table("", columns, rows)


def _difference_heading(text: str, measure: Measure) -> str:
    said = difference_unit(measure)
    return f"{text} ({said})" if said else text


def _difference_cells(measure: Measure, difference: Difference | None) -> tuple[str, str]:
    return ("", "") if difference is None else (figures(measure, difference, signed=True), surely(difference))


# --- what a chart shows ----------------------------------------------------------------------------------------------


def behind(run: Run, kind: str, measure: Measure) -> Table:
    """The numbers that a chart is drawn from."""
    make = {
        "rates": _levels,
        "sweep": _variants,
        "differences": _differences,
        "heatmap": _by_seat,
        "distribution": _distribution,
        "ecdf": _distribution,
        "convergence": _settling,
    }
    return make[kind](run, measure)


def _levels(run: Run, measure: Measure) -> Table:
    rows = tuple((who(run, r), figures(measure, r.estimate)) for r in run.readings if r.measure is measure)
    return Table("", ("strategy" if run.kind == "compare" else "player" if run.rotate else "seat", heading(measure)), rows)


def _differences(run: Run, measure: Measure) -> Table:
    if run.kind == "compare":
        return _candidates(run)
    return _variants(run, measure)


def _by_seat(run: Run, measure: Measure) -> Table:
    cells = [r for r in run.chairs if r.measure is measure]
    seats = sorted({r.seat or 0 for r in cells})
    rows: dict[str, dict[int, str]] = {}
    for r in cells:
        rows.setdefault(who(run, r).rpartition(" in seat ")[0], {})[r.seat or 0] = figures(measure, r.estimate)
    return Table(
        f"{heading(measure)} by seat",
        ("player", *(f"seat {seat}" for seat in seats)),
        tuple((name, *(found.get(seat, "") for seat in seats)) for name, found in rows.items()),
    )


def _distribution(run: Run, measure: Measure) -> Table:
    """Shares by value, a column for each variant."""
    chosen = [d for d in run.distributions if d.measure is measure]
    names = [d.variant.label if d.variant is not None else f"share of {plural(run.unit)} (%)" for d in chosen]
    listed = [{one.value: one for one in shares(d)} for d in chosen]
    share = Measure("share", "", False, True, "", False, False)
    values = sorted({value for one in listed for value in one})
    texts = {value: one[value].text for one in listed for value in one}
    rows = tuple((texts[v], *(figures(share, one[v].share) if v in one else "none" for one in listed)) for v in values)
    title = "" if chosen[0].variant is None else f"Share of {plural(run.unit)} (%)"
    return Table(title, (measure.unit or measure.label, *names), rows)


def _settling(run: Run, measure: Measure) -> Table:
    """The estimates after some of the parts of the run."""
    chosen = [s for s in run.settling if s.measure is measure and s.points]
    names = [s.name if s.variant is None else _of_variant(s.variant.label, s.name) for s in chosen]
    rows = tuple(
        (f"{points[0][0]:,}", *(figures(measure, e) for _, e in points))
        for points in (tuple(s.points[i] for s in chosen) for i in _some(min(len(s.points) for s in chosen)))
    )
    return Table(f"{heading(measure)} after so many {plural(run.unit)}", (plural(run.unit), *names), rows)


def _of_variant(label: str, name: str) -> str:
    seat = name.partition(" of ")[2]
    return f"{label}, {seat}" if seat else label


def _some(count: int) -> list[int]:
    """Places among so many points, each about twice as far as the one before, the last included."""
    places = [count - 1]
    while places[-1] > 0 and len(places) < _SETTLING_ROWS:
        places.append((places[-1] + 1) // 2 - 1)
    return places[::-1]


def rules(run: Run) -> tuple[Table, Table]:
    """The rules that differ from the defaults, and the others."""
    changed = tuple((r.name, r.value, r.default, r.help, r.source) for r in run.rules if r.changed)
    others = tuple((r.name, r.value, r.help, r.source) for r in run.rules if not r.changed)
    return (
        Table("Changed", ("rule", "value", "default", "what it does", "source"), changed),
        Table("As by default", ("rule", "value", "what it does", "source"), others),
    )


# --- at full precision -----------------------------------------------------------------------------------------------


def csv_files(run: Run) -> dict[str, str]:
    """CSV files by name, numbers at full precision."""
    files = {"estimates.csv": _estimates_csv(run), "rules.csv": _rules_csv(run)}
    if run.distributions:
        files["distributions.csv"] = _distributions_csv(run)
    if run.settling:
        files["convergence.csv"] = _settling_csv(run)
    return files


def _estimates_csv(run: Run) -> str:
    head = [run.game, run.unit, str(run.seed), str(run.deals)]
    columns = ["game", "unit", "seed", "deals", *run.varied, "base", "measure", "seat", "player", "strategy", "value", "se", "low", "high"]
    for name in ("difference", "step"):
        columns += [name, *(f"{name}_{part}" for part in ("se", "low", "high", "p", "vrf", "ess"))]
    rows = []
    for r in (*run.readings, *run.chairs, *run.table):
        setting = [] if r.variant is None else [r.variant.setting[name] for name in run.varied]
        base = "" if r.variant is None else str(r.variant.base).lower()
        rows.append([*head, *setting, base, r.measure.name, _place(r.seat), _place(r.player), r.strategy, *_parts(r.estimate)])
        rows[-1] += [*_difference_parts(r.difference), *_difference_parts(r.step)]
    return _csv(columns, rows)


def _rules_csv(run: Run) -> str:
    columns = ["rule", "value", "default", "changed", "help", "source"]
    return _csv(columns, [[r.name, r.value, r.default, str(r.changed).lower(), r.help, r.source] for r in run.rules])


def _distributions_csv(run: Run) -> str:
    rows = [
        ["" if d.variant is None else d.variant.label, d.measure.name, str(s.value), _BEYOND[s.beyond], str(s.count), *_parts(s.share)]
        for d in run.distributions
        for s in shares(d)
    ]
    return _csv(["variant", "measure", "value", "counts_also", "count", "share", "se", "low", "high"], rows)


_BEYOND = {0: "", 1: "above", -1: "below"}


def _settling_csv(run: Run) -> str:
    rows = [
        ["" if s.variant is None else s.variant.label, s.name, s.measure.name, str(deals), *_parts(estimate)]
        for s in run.settling
        for deals, estimate in s.points
    ]
    return _csv(["variant", "row", "measure", "deals", "value", "se", "low", "high"], rows)


def _place(place: int | None) -> str:
    return "" if place is None else str(place)


def _parts(estimate: Estimate) -> list[str]:
    return [_full(part) for part in (estimate.value, estimate.se, estimate.low, estimate.high)]


def _difference_parts(difference: Difference | None) -> list[str]:
    if difference is None:
        return [""] * 7
    return [*_parts(difference), *(_full(part) for part in (difference.p, difference.vrf, difference.ess))]


def _full(number: float | None) -> str:
    return "" if number is None else repr(number)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
