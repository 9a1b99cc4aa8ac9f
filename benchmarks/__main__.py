"""``python -m benchmarks``: prints all measurements as tables."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks import processes, rates, yardstick
from sim.game import all_games
from strategies.loader import built_in

console = Console(width=120, highlight=False)


@click.command()
@click.option("--pairs", type=click.IntRange(1, 99), default=9, show_default=True, help="alternating pairs for each ratio")
@click.option("--hands", type=click.IntRange(1024, 10**9), default=1_000_000, show_default=True, help="hands of a run")
@click.option("--game", default=None, help="only this game")
@click.option("--quick", is_flag=True, help="only the ratios to C")
def main(pairs: int, hands: int, game: str | None, quick: bool) -> None:
    """Measure the compiled core: ratios to C, two threads, every strategy, start-up, memory."""
    for name in all_games() if game is None else [game]:
        ratios_to_c(name, pairs, hands)
        if not quick:
            threads(name, max(3, pairs // 2), hands)
            strategies(name)
    if not quick:
        commands()


def table(title: str, *columns: str) -> Table:
    """An empty table with a title, numbers to the right."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i == 0 else "right")
    return made


def ratios_to_c(game: str, pairs: int, hands: int) -> None:
    """Hands per CPU second against the C program, one thread."""
    for stick in (s for s in yardstick.YARDSTICKS if s.game == game):
        with tempfile.TemporaryDirectory() as folder:
            program = stick.build(Path(folder))
            if program is None:
                console.print(f"{game}: no gcc or no C program here, so no ratio to C")
                return
            made = table(
                f"{game}, {stick.strategy} in every seat, one thread, {pairs} pairs", "players", "hands/CPU s", "C", "ratio", "range"
            )
            for players in stick.players:
                r = rates.against_c(stick, program, players, hands, pairs)
                made.add_row(str(players), f"{r.ours:,.0f}", f"{r.c:,.0f}", f"{r.ratio:.3f}", f"{r.low:.2f}–{r.high:.2f}")
            console.print(made)


def threads(game: str, pairs: int, hands: int) -> None:
    """Two threads against one."""
    chosen = all_games()[game]
    players = int(chosen.make_rules().players)  # type: ignore[attr-defined]
    r = rates.two_threads(game, chosen.default_strategy, players, hands, pairs)
    console.print(f"{game}: two threads play {r.ratio:.2f} times as many hands a second as one ({r.low:.2f}–{r.high:.2f})")


def strategies(game: str) -> None:
    """Every strategy in every seat, and what one decision costs."""
    chosen = all_games()[game]
    players = int(chosen.make_rules().players)  # type: ignore[attr-defined]
    made = table(f"{game}, {players} players, one strategy in every seat, one thread", "strategy", "hands/CPU s", "microseconds a hand")
    for name in built_in(game):
        rates.measure(game, name, players, 64, 1)
        hands = 256
        rate = rates.measure(game, name, players, hands, 1).cpu
        while hands / rate < 0.5 and hands < 4_000_000:
            hands *= 8
            rate = rates.measure(game, name, players, hands, 1).cpu
        made.add_row(name, f"{rate:,.0f}", f"{1e6 / rate:.3f}")
    console.print(made)


def commands() -> None:
    """Whole commands: start-up cold and warm, memory."""
    simulate = ["simulate", "tres-y-dos", "--players", "4", "--strategy", "greedy", "--seed", "1"]
    made = table("whole commands", "command", "seconds", "peak MB")
    for title, arguments, runs, cache in (
        ("tresdos --help", ["--help"], 5, None),
        ("simulate, 1,000 hands, nothing compiled yet", [*simulate, "--deals", "1000"], 1, "cold"),
        ("simulate, 1,000 hands", [*simulate, "--deals", "1000"], 5, None),
        ("simulate, 1,000,000 hands", [*simulate, "--deals", "1000000"], 3, None),
        ("simulate, 2,000,000 hands", [*simulate, "--deals", "2000000"], 1, None),
        ("simulate, 200,000,000 hands", [*simulate, "--deals", "200000000"], 1, None),
    ):
        found = processes.cost(arguments, runs, cache)
        made.add_row(title, f"{found.seconds:.2f}", f"{found.megabytes:.0f}")
    console.print(made)


if __name__ == "__main__":
    main()
