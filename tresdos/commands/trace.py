"""``tresdos trace``: one unit, move by move."""

from __future__ import annotations

import click

from sim.errors import UsageError
from tresdos.cli import complain
from tresdos.options import Count, quiet_option, read_list, read_rules, seed_option, table_options
from tresdos.render import print_json
from tresdos.session import Notes, choose_seed


@click.command("trace")
@click.argument("game")
@seed_option
@click.option("--deal", type=Count(0, 10**15), default=0, show_default=True, help="which deal of the seed, counted from 0")
@click.option("--lineup", default=None, metavar="A,B,C…", help="one strategy for each seat")
@click.option("--strategy", default=None, help="one strategy in every seat")
@click.option(
    "--seating", type=Count(1, 64), default=None, help="which rotation of the line-up, as --rotate and compare play it; 1 is as given"
)
@table_options
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True, help="in words, or as data")
@quiet_option
def command(
    game: str,
    seed: int | None,
    deal: int,
    lineup: str | None,
    strategy: str | None,
    seating: int | None,
    players: int | None,
    rule_texts: tuple[str, ...],
    preset: str | None,
    unit: str | None,
    style: str,
    quiet: bool,
) -> int:
    """Tell one deal move by move, as a person would, or as data with --format json.

    The same seed, deal, rules and line-up give the same hand as in simulate and compare.

    \b
    tresdos trace tres-y-dos --seed 1 --deal 3
    tresdos trace tres-y-dos --seed 1 --deal 3 --lineup outs,greedy,greedy,greedy --format json
    """
    from analysis.question import Question
    from sim.tracing import trace

    number = choose_seed(seed)
    rules_set = read_rules(rule_texts, players)
    asked = Question("simulate", game, 1, number, unit, preset, rules_set, strategy, read_list(lineup), rotate=seating is not None)
    plan = asked.prepare().plan
    arm, chosen, played = plan.arms[0], plan.game, plan.unit
    if seating is not None and seating > arm.replays:
        raise UsageError(f"--seating {seating}: {arm.players} players have {arm.replays} rotations")
    with Notes(quiet).playing(1, 60.0):
        told = trace(arm, played, number, deal, (seating or 1) - 1)
    if style == "json":
        print_json(
            {
                "game": chosen.name,
                "rules": arm.rules.to_dict(),
                "lineup": told.names,
                "seed": number,
                "deal": deal,
                "unit": played.name,
                "events": [dict(event.data) for event in told.events],
                "outcome": None if told.outcome is None else outcome_dict(played, told.outcome, arm.players),
                "fault": told.fault or None,
            }
        )
    else:
        print(f"{chosen.title}, seed {number}, deal {deal}")
        for event in told.events:
            print(event.text)
    if told.fault:
        code = complain(told.fault, 1)
        for line in told.fault_view:
            click.echo(f"  {line}", err=True)
        return code
    return 0


def outcome_dict(unit, outcome: list[int], players: int) -> dict[str, object]:  # type: ignore[no-untyped-def]
    """The outcome columns by name; a list by seat where there is one for each."""
    found: dict[str, object] = {}
    at = 0
    for column in unit.columns:
        if column.per_seat:
            found[column.name] = outcome[at : at + players]
            at += players
        else:
            found[column.name] = outcome[at]
            at += 1
    return found
