"""``tresdos resume``: complete a run that was cut short."""

from __future__ import annotations

from pathlib import Path

import click

from tresdos.options import format_option, jobs_option, patience_option, quiet_option, scheduler_option
from tresdos.session import Running


@click.command("resume")
@click.argument("run", type=click.Path(path_type=Path))
@jobs_option
@scheduler_option
@patience_option
@format_option
@quiet_option
def command(run: Path, jobs: int | None, scheduler: str | None, patience: float, style: str, quiet: bool) -> int:
    """Complete a run that was interrupted, killed or failed: what is finished is not played again.

    The result is the same, byte for byte, as if it had never stopped. Only the version that began a run can complete it.

    \b
    tresdos resume runs/ladder
    """
    from tresdos.answering import resume

    return resume(run, Running(jobs, patience, quiet, scheduler), style)
