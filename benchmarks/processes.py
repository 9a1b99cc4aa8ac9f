"""Whole commands as a user starts them: seconds from start to end, and peak memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

STARTER = """
import json, os, resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(json.dumps([code, time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))
"""
"""Starts a command and tells what it cost. A process begins with the memory of the one that starts it, so that one must be small."""


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
            command = [sys.executable, "-c", STARTER, sys.executable, "-m", "tresdos", *arguments]
            told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
            code, taken, most = json.loads(told)
            if code != 0:
                raise RuntimeError(f"tresdos {' '.join(arguments)} ended with code {code}")
            seconds.append(taken)
            peak = max(peak, _megabytes(most))
    return Cost(statistics.median(seconds), peak)


def _megabytes(most: int) -> float:
    # Linux counts in kilobytes, macOS in bytes.
    return most / (1024 if sys.platform != "darwin" else 1024 * 1024)
