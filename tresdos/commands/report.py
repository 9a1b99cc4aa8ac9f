"""``tresdos report``: a finished run as a page."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sim.errors import UsageError
from tresdos.options import quiet_option


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@quiet_option
def command(run: Path, quiet: bool) -> None:
    """Write report.html, report.md, tables and charts into the folder of a finished run, and print their paths.

    report.html is one file that needs nothing else: send it, print it, read it on a phone.

    \b
    tresdos report runs/seats
    """
    from reports.report import write_report
    from reports.runs import ReportError

    try:
        written = write_report(run)
    except ReportError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"cannot write into '{run}': {error.strerror}") from error
    for path in written:
        print(path)
    sys.stdout.flush()
    if not quiet:
        print(f"tresdos: open {written[0]} in a browser", file=sys.stderr)
