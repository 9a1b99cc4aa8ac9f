"""The command line: a thin group whose commands are imported when they are used, so that ``--help`` answers at once."""

from __future__ import annotations

import importlib
import os
import sys
from typing import NoReturn

import click

from sim.errors import RunError, UsageError
from sim.version import __version__

COMMANDS = {
    "games": "the games, or one game's rules, options, measures and sources",
    "strategies": "the strategies, their parameters, where each comes from",
    "simulate": "play as seated: what each seat and strategy gets",
    "compare": "which strategy is better, by how much, how sure",
    "variants": "what a rule, a number of players or a parameter changes",
    "trace": "one hand, move by move, in words",
    "run": "answer a question from a file",
    "runs": "the runs that are kept in a folder",
    "resume": "complete a run that was cut short",
    "repeat": "play a run again: is the result the same?",
    "report": "a finished run as a page, with charts and tables",
    "chart": "one chart of a finished run",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"tresdos.commands.{cmd_name}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS:
            from sim.rules import nearest

            raise click.UsageError(f"no command '{name}'{nearest(name, list(COMMANDS))}; commands: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tresdos")
def cli() -> None:
    """Monte Carlo strategy analysis for card games.

    Which strategy is better, by how much, how sure is that, and what does a change of rules do?

    \b
    tresdos compare tres-y-dos greedy outs --players 4
    tresdos simulate tres-y-dos --strategy greedy --players 4 --deals 1000000
    tresdos trace tres-y-dos --seed 1 --deal 3
    """


def main() -> NoReturn:
    """Run the command line. Exit 0 done, 1 the run failed, 2 bad usage, 130 interrupted."""
    try:
        code = cli.main(prog_name="tresdos", standalone_mode=False)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "tresdos"
        code = complain(f"{one_line(error.format_message())} (see {command} --help)", 2)
    except click.ClickException as error:
        code = complain(one_line(error.format_message()), 2)
    except UsageError as error:
        code = complain(one_line(str(error)), 2)
    except RunError as error:
        code = complain(str(error), 1)
    except (click.Abort, KeyboardInterrupt):
        code = complain("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has had enough; do not complain into the closed pipe while Python flushes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = complain(one_line(str(error)), 1)
    sys.exit(code if isinstance(code, int) else 0)


def one_line(text: str) -> str:
    """A message on a single line."""
    return " ".join(text.split())


def complain(text: str, code: int) -> int:
    """Say what is wrong on stderr, and with which code the program ends."""
    print(f"tresdos: {text}", file=sys.stderr)
    return code
