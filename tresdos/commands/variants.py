"""``tresdos variants``: what a rule changes."""

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
    from analysis.variants import Reading, Variants


@click.command("variants")
@click.argument("game")
@click.option(
    "--vary",
    "vary_texts",
    multiple=True,
    required=True,
    metavar="NAME=V1,V2…",
    help="a rule, players=2..7, or strategy:parameter=v1,v2 (repeatable: all combinations)",
)
@click.option("--lineup", default=None, metavar="A,B,C…", help="one strategy for each seat")
@click.option("--strategy", default=None, help="one strategy in every seat")
@click.option("--measure", "measures", multiple=True, help="what to look at (repeatable); see tresdos games GAME")
@deals_option(DEALS["variants"])
@table_options
@keep_options
@run_options
def command(
    game: str,
    vary_texts: tuple[str, ...],
    lineup: str | None,
    strategy: str | None,
    measures: tuple[str, ...],
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
    """What a rule, a number of players or a parameter changes: all variants on the same deals, each against the base.

    The base is the rules as given, added as a variant if it is not listed; where the command fixes nothing, the first value listed.

    \b
    tresdos variants tres-y-dos --vary players=2..7 --strategy greedy --measure first_seat_win_rate
    tresdos variants tres-y-dos --vary reshuffle=lazy_all,eager_all,keep_top --measure turns --measure win_rate
    tresdos variants tres-y-dos --vary tips:dont_feed=1,0 --lineup tips,greedy,greedy,greedy
    """
    from analysis.question import Question
    from analysis.variants import read_vary

    vary = {name: tuple(values) for name, values in read_vary(vary_texts).items()}
    asked = Question(
        "variants",
        game,
        deals,
        choose_seed(seed),
        unit,
        preset,
        read_rules(rule_texts, players),
        strategy,
        read_list(lineup),
        measures=measures,
        vary=vary,
    )
    return answer(asked, Running(jobs, patience, quiet, scheduler), style, keeping)


def show(result: Variants, style: str) -> None:
    """Print a sweep."""
    if style == "json":
        print_json(result.to_dict())
        return
    if style == "csv":
        print_tables([tidy_table(result)], style)
        return
    print_tables(tables(result), style)
    print(f"\nbase: {result.rows[0].variant.label}; all variants on the same deals, {result.finished.games:,} games in all")
    print(footer(result.finished))
    for row in result.rows:
        if row.verdict:
            print(f"\n{row.verdict}")
    sys.stdout.flush()


def tables(result: Variants) -> list[Table]:
    """A sweep as a table for people."""
    from analysis.rounding import show_p

    rows = []
    for row in result.rows:
        for reading in row.readings:
            d = reading.difference
            change = ["base" if row.base else "", ""]
            if d is not None:
                change = [cell(reading.measure, d), "no spread" if d.se == 0 else show_p(d.p)]
            rows.append([row.variant.label, _what(reading), cell(reading.measure, reading.level), *change])
    return [Table(headline(result.finished), ["variant", "measure", "estimate", "difference to the base", "p"], rows)]


def _what(reading: Reading) -> str:
    return reading.measure.name if reading.seat is None else f"{reading.measure.name} of seat {reading.seat + 1} ({reading.strategy})"
