"""``tresdos compare``: which strategy is better."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from sim.errors import UsageError
from tresdos.answering import answer
from tresdos.keeping import Keeping, keep_options
from tresdos.options import deals_option, read_list, read_rules, run_options, table_options
from tresdos.questions import DEALS
from tresdos.render import Table, cell, footer, headline, print_json, print_tables, tidy_table
from tresdos.session import Running, choose_seed

if TYPE_CHECKING:
    from analysis.comparison import Comparison
    from analysis.estimates import Difference


@click.command("compare")
@click.argument("game")
@click.argument("candidates", nargs=-1)
@click.option("--field", default=None, metavar="F", help="who sits in the other seats: one strategy, or one for each, parted by commas")
@click.option("--measure", default=None, help="what to compare; the first measure of a seat when not given")
@deals_option(DEALS["compare"])
@table_options
@keep_options
@run_options
def command(
    game: str,
    candidates: tuple[str, ...],
    field: str | None,
    measure: str | None,
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
    """Compare strategies: each plays the same deals, in every seat, against the same field.

    Differences are to the first candidate and (step) to the one listed before; their 95 % intervals hold for all of them at once.
    vrf says how many independent games one game of this design is worth.

    \b
    tresdos compare tres-y-dos greedy outs guarded --players 4
    tresdos compare tres-y-dos tips tips:dont_feed=0 tips:count_cards=0 --field greedy --deals 200000
    tresdos compare tres-y-dos greedy path/to/mine.py:careful --field greedy
    """
    if len(candidates) < 2:
        raise UsageError("compare needs two or more strategies, as in: tresdos compare tres-y-dos greedy outs")
    from analysis.question import Question

    asked = Question(
        "compare",
        game,
        deals,
        choose_seed(seed),
        unit,
        preset,
        read_rules(rule_texts, players),
        candidates=candidates,
        field=read_list(field),
        measures=() if measure is None else (measure,),
    )
    return answer(asked, Running(jobs, patience, quiet, scheduler), style, keeping)


def show(result: Comparison, style: str) -> None:
    """Print a comparison."""
    if style == "json":
        print_json(result.to_dict())
        return
    if style == "csv":
        print_tables([tidy_table(result)], style)
        return
    print_tables(tables(result), style)
    field = ", ".join(dict.fromkeys(result.field))
    games = result.finished.games
    print(f"\nfield: {field}; every candidate in every seat on the same deals, {games:,} games in all")
    print(footer(result.finished))
    print(f"\n{result.verdict}")
    sys.stdout.flush()


def tables(result: Comparison) -> list[Table]:
    """A comparison as a table for people."""
    from analysis.rounding import show_p

    three = len(result.candidates) > 2
    columns = ["strategy", result.measure.name, "difference to the first", "p"]
    if three:
        columns += ["step from the one before", "p"]
    columns += ["vrf", "ess"]
    rows = []
    for candidate in result.candidates:
        row = [candidate.strategy, cell(result.measure, candidate.level)]
        for difference in (candidate.difference, candidate.step)[: 2 if three else 1]:
            row += ["", ""] if difference is None else [cell(result.measure, difference), _p(difference, show_p(difference.p))]
        rows.append([*row, *_worth(candidate.difference)])
    return [Table(headline(result.finished), columns, rows)]


def _p(difference: Difference, text: str) -> str:
    return "no spread" if difference.se == 0 else text


def _worth(difference: Difference | None) -> list[str]:
    if difference is None or difference.vrf is None or difference.ess is None:
        return ["", ""]
    return [f"{difference.vrf:.2f}", f"{difference.ess:,.0f}"]
