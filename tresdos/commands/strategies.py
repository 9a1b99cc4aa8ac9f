"""``tresdos strategies``: who can play."""

from __future__ import annotations

import click

from sim.game import all_games, find_game
from tresdos.options import format_option
from tresdos.render import Table, print_json, print_tables


@click.command("strategies")
@click.argument("game", required=False)
@format_option
def command(game: str | None, style: str) -> None:
    """List the strategies of a game (or of all), their parameters, and where each comes from.

    A strategy of your own is a Python file: name it as path/to/file.py:name wherever a strategy is asked for.

    \b
    tresdos strategies tres-y-dos
    """
    from strategies.loader import describe

    games = list(all_games().values()) if game is None else [find_game(game)]
    if style == "json":
        print_json({"strategies": {g.name: describe(g) for g in games}})
        return
    for i, chosen in enumerate(games):
        found = describe(chosen)
        if style == "md":
            if i:
                print()
            _page(chosen.title, found)
            continue
        rows = [[chosen.name, s["name"], s["summary"], _parameters(s), s["origin"]] for s in found]
        if style == "csv":
            rows = [row for row in rows]
        print_tables([Table("", ["game", "strategy", "what it does", "parameters", "origin"], rows)], style)


def _parameters(strategy: dict[str, object]) -> str:
    found = strategy["parameters"]
    assert isinstance(found, list)
    return ", ".join(f"{p['name']}={p['default']:g} ({p['span']})" for p in found)


def _page(title: str, found: list[dict[str, object]]) -> None:
    """A page about a game's strategies, in Markdown."""
    print(f"# Strategies of {title}")
    for s in found:
        print(f"\n## {s['name']}\n\n{s['about']}")
        if s["source"]:
            print(f"\nSource: {s['source']}")
        parameters = s["parameters"]
        assert isinstance(parameters, list)
        if parameters:
            print()
            rows = [[p["name"], f"{p['default']:g}", p["span"], p["help"]] for p in parameters]
            print_tables([Table("", ["parameter", "default", "allowed", "what it does"], rows)], "md")
