"""``tresdos simulate``: play as seated."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tresdos.answering import answer
from tresdos.keeping import Keeping, keep_options
from tresdos.options import deals_option, read_list, read_rules, run_options, table_options
from tresdos.questions import DEALS
from tresdos.render import Table, cell, footer, headline, print_json, print_tables, tidy_table
from tresdos.session import Running, choose_seed

if TYPE_CHECKING:
    from analysis.simulation import Row, Simulation


@click.command("simulate")
@click.argument("game")
@click.option("--lineup", default=None, metavar="A,B,C…", help="one strategy for each seat; seat 1 is left of the dealer")
@click.option("--strategy", default=None, help="one strategy in every seat")
@click.option("--rotate", is_flag=True, help="play every deal once for each rotation of the line-up")
@deals_option(DEALS["simulate"])
@table_options
@keep_options
@run_options
def command(
    game: str,
    lineup: str | None,
    strategy: str | None,
    rotate: bool,
    deals: int,
    players: int | None,
    rule_texts: tuple[str, ...],
    preset: str | None,
    unit: str | None,
    keeping: Keeping,
    seed: int | None,
    jobs: int | None,
    scheduler: str | None,
    patience: float,
    style: str,
    quiet: bool,
) -> int:
    """Play a line-up as seated and report what each seat and strategy gets, with intervals.

    \b
    tresdos simulate tres-y-dos --strategy greedy --players 4 --deals 1000000
    tresdos simulate tres-y-dos --lineup outs,greedy,greedy,random --rotate
    tresdos simulate tres-y-dos --strategy greedy --rule reshuffle=keep_top --unit match
    """
    from analysis.question import Question

    asked = Question(
        "simulate",
        game,
        deals,
        choose_seed(seed),
        unit,
        preset,
        read_rules(rule_texts, players),
        strategy,
        read_list(lineup),
        rotate,
    )
    return answer(asked, Running(jobs, patience, quiet, scheduler), style, keeping)


def show(result: Simulation, style: str) -> None:
    """Print a simulation."""
    if style == "json":
        print_json(result.to_dict())
        return
    print_tables([tidy_table(result)] if style == "csv" else tables(result), style)
    if style != "csv":
        print(f"\n{footer(result.finished)}")
    sys.stdout.flush()


def tables(result: Simulation) -> list[Table]:
    """A simulation as tables for people."""
    unit = result.finished.plan.unit
    per_seat = [m for m in unit.measures if m.per_seat]
    place = "player" if result.chairs else "seat"
    rows = [[_place(row), row.strategy, *(cell(m, row.estimates[m.name]) for m in per_seat)] for row in result.rows]
    tables = [Table(headline(result.finished), [place, "strategy", *(m.name for m in per_seat)], rows)]
    if result.chairs:
        tables.append(_chair_table(result))
    whole = [m for m in unit.measures if not m.per_seat]
    tables.append(Table("", ["table", "estimate", "what it is"], [[m.name, cell(m, result.table[m.name]), m.help] for m in whole]))
    return tables


def _place(row: Row) -> str:
    place = row.seat if row.seat is not None else row.entry
    return str((place or 0) + 1)


def _chair_table(result: Simulation) -> Table:
    """The first measure by strategy and chair."""
    first = result.finished.plan.unit.measures[0]
    seats = len(result.rows)
    rows = []
    for i, row in enumerate(result.rows):
        found = {r.seat: r.estimates[first.name] for r in result.chairs if r.entry == i}
        rows.append([str(i + 1), row.strategy, *(cell(first, found[s]) for s in range(seats))])
    return Table(f"{first.name} by seat", ["player", "strategy", *(f"seat {s + 1}" for s in range(seats))], rows)
