"""A Dask cluster of processes of this machine, started and ended by this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import queue
import signal
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from typing import Any

from sim.errors import RunError

GRACE_SECONDS = 0.5
"""How long a process that is playing may take to end."""

UNOBSERVED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}
"""Dask's watching of its own processes serves a dashboard that we have not, and costs a tenth of a processor."""


def start_local(processes: int) -> Any:
    """A cluster of processes on this machine, each with one thread.

    It is started by a thread in which Ctrl-C is blocked, because its processes inherit that: Ctrl-C is for this process alone.
    """
    started: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def start() -> None:
        import dask
        from distributed import LocalCluster

        try:
            with dask.config.set(UNOBSERVED):
                cluster = LocalCluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    processes=True,
                    scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                    env={"NUMBA_NUM_THREADS": "1"},
                )
        except Exception as error:  # handed to the thread that waits
            started.put(error)
        else:
            started.put(cluster)

    others = multiprocessing.active_children()
    thread = threading.Thread(target=start, daemon=True)
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # started later, it would let interrupts through again
    with _interrupts_blocked():
        thread.start()
    try:
        found = started.get()
    except KeyboardInterrupt:
        for process in multiprocessing.active_children():
            if process not in others:
                process.kill()
        raise
    if isinstance(found, Exception):
        raise RunError(f"could not start {processes} processes: {one_line(found)}") from found
    return found


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Threads and processes begun meanwhile do not get Ctrl-C (where the system has such a thing)."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_local(cluster: Any) -> None:
    """End processes of our own without waiting for what they play."""

    async def end() -> None:
        await asyncio.gather(*(nanny.close(timeout=GRACE_SECONDS) for nanny in cluster.workers.values()), return_exceptions=True)

    with contextlib.suppress(Exception):
        cluster.sync(end)
    with contextlib.suppress(Exception):
        cluster.close()


def one_line(error: BaseException) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())
