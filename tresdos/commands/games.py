"""``tresdos games``: what can be played, and by which rules."""

from __future__ import annotations

from typing import Any

import click

from sim.game import Game, all_games, find_game
from sim.rules import value_text
from tresdos.options import format_option
from tresdos.render import Table, print_json, print_tables


@click.command("games")
@click.argument("game", required=False)
@format_option
def command(game: str | None, style: str) -> None:
    """List the games, or tell all about one: rules, options, presets, decisions, measures, units, sources.

    \b
    tresdos games
    tresdos games tres-y-dos
    """
    if game is None:
        _list(style)
        return
    chosen = find_game(game)
    if style == "json":
        print_json(describe(chosen))
    elif style == "csv":
        print_tables([rules_table(chosen)], style)
    else:
        _tell(chosen, style)


def _list(style: str) -> None:
    games = list(all_games().values())
    if style == "json":
        print_json({"games": [{"name": g.name, "title": g.title, "about": g.about} for g in games]})
        return
    print_tables([Table("", ["game", "title", "about"], [[g.name, g.title, g.about] for g in games])], style)


def _tell(game: Game, style: str) -> None:
    title = f"# {game.title} (`{game.name}`)" if style == "md" else f"{game.title} ({game.name})"
    print(f"{title}\n\n{game.about}\n")
    tables = [rules_table(game)]
    if game.presets:
        rows = [[name, ", ".join(f"{k}={value_text(v)}" for k, v in changes.items())] for name, changes in game.presets.items()]
        tables.append(Table("Presets", ["preset", "rules"], rows))
    tables.append(Table("Decisions", ["decision", "answer", "left out"], [[d.name, d.help, d.default] for d in game.decisions]))
    for unit in game.units:
        rows = [[m.name, "seat" if m.per_seat else "table", m.help] for m in unit.measures]
        tables.append(Table(f"Measures of a {unit.name}: {unit.help}", ["measure", "of each", "what it is"], rows))
    print_tables(tables, style)
    print("\nSources\n" if style == "table" else "\n**Sources**\n")
    for source in game.sources:
        print(f"- {source}")


def rules_table(game: Game) -> Table:
    """Every rule of a game: default, what is allowed, what it does, where it comes from."""
    defaults = game.rules.defaults()
    rows = [
        [name, value_text(defaults[name]), about.describe(kind), about.help, about.source] for name, about, kind in game.rules.options()
    ]
    return Table("Rules", ["rule", "default", "allowed", "what it does", "source"], rows)


def describe(game: Game) -> dict[str, Any]:
    """A game as data."""
    defaults = game.rules.defaults()
    return {
        "game": game.name,
        "title": game.title,
        "about": game.about,
        "rules": [
            {
                "name": name,
                "default": list(defaults[name]) if isinstance(defaults[name], tuple) else defaults[name],
                "allowed": about.describe(kind),
                "choices": list(about.choices),
                "help": about.help,
                "source": about.source,
                "relabels_only": about.relabels,
            }
            for name, about, kind in game.rules.options()
        ],
        "presets": {name: dict(changes) for name, changes in game.presets.items()},
        "decisions": [{"name": d.name, "help": d.help, "left_out": d.default} for d in game.decisions],
        "units": [
            {
                "name": unit.name,
                "help": unit.help,
                "measures": [{"name": m.name, "help": m.help, "per_seat": m.per_seat, "low_is_good": m.low_is_good} for m in unit.measures],
            }
            for unit in game.units
        ],
        "sources": list(game.sources),
    }
