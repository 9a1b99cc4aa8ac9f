"""Whole commands as a user starts them: seconds from start to end, and peak memory."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Median seconds and largest peak memory (MB) of several runs of a command."""

    seconds: float
    megabytes: float


def cost(arguments: list[str], runs: int, cache: str | None = None) -> Cost:
    """Run ``tresdos ARGUMENTS`` so many times.

    Parameters
    ----------
    arguments : list of str
    runs : int
    cache : str, optional
        ``cold``: an empty folder of compiled code for each run.
    """
    seconds = []
    peak = 0.0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **({"NUMBA_CACHE_DIR": folder} if cache == "cold" else {})}
            start = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-m", "tresdos", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
            )
            _, status, used = os.wait4(process.pid, 0)
            seconds.append(time.perf_counter() - start)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                raise RuntimeError(f"tresdos {' '.join(arguments)} ended with code {process.returncode}")
            peak = max(peak, _megabytes(used))
    return Cost(statistics.median(seconds), peak)


def _megabytes(used: resource.struct_rusage) -> float:
    # Linux counts in kilobytes, macOS in bytes.
    return used.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
