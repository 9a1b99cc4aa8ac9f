"""``tresdos repeat``: is it reproducible?"""

from __future__ import annotations

from pathlib import Path

import click

from tresdos.keeping import force_option
from tresdos.options import jobs_option, patience_option, quiet_option, scheduler_option
from tresdos.session import Running


@click.command("repeat")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FOLDER", help="keep it here, and compare rows too")
@force_option
@jobs_option
@scheduler_option
@patience_option
@quiet_option
def command(run: Path, out: Path | None, force: bool, jobs: int | None, scheduler: str | None, patience: float, quiet: bool) -> int:
    """Play the question of a finished run again and say whether the result is identical. Exit code 0: it is; 1: it is not.

    \b
    tresdos repeat runs/ladder
    tresdos repeat runs/ladder --out runs/ladder-again
    """
    from tresdos.answering import repeat

    return repeat(run, Running(jobs, patience, quiet, scheduler), out, force)
