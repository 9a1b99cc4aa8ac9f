"""``tresdos run``: a question from a file."""

from __future__ import annotations

from pathlib import Path

import click

from tresdos.keeping import Keeping, keep_options
from tresdos.options import jobs_option, patience_option, quiet_option, scheduler_option
from tresdos.questions import STYLES, read_question
from tresdos.session import Running


@click.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@keep_options
@click.option("--format", "style", type=click.Choice(STYLES), default=None, help="how to print the result")
@jobs_option
@scheduler_option
@patience_option
@quiet_option
def command(file: Path, keeping: Keeping, style: str | None, jobs: int | None, scheduler: str | None, patience: float, quiet: bool) -> int:
    """Answer the question in a TOML file, as written by --print-config of simulate, compare and variants.

    Flags go before what the file says. Strategy files that it names are Python code of whoever wrote them, and are named before they run.

    \b
    tresdos compare tres-y-dos greedy outs --print-config > question.toml
    tresdos run question.toml --out runs/ladder
    """
    asked, wishes = read_question(file)

    from analysis.plugins import strategy_files
    from tresdos.answering import answer, name_code

    for path in strategy_files(asked.strategies()):
        name_code(path)
    merged = Keeping(keeping.out or wishes.out, keeping.force, keeping.hands or wishes.hands, keeping.print_config)
    return answer(asked, Running(jobs, patience, quiet, scheduler), style or wishes.style, merged, wishes.charts)
