"""What a process of a cluster does: it rebuilds a plan from plain data, once, and plays ranges of its units.

A plan cannot travel, it holds compiled things. A job does: the data from which a named function makes the plan, with the users' files
that it needs. All of this runs in a Dask worker; ``sim.cluster`` is the other end.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import pickle
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sim import cache, hot
from sim.errors import RunError, UsageError
from sim.plan import Plan, Totals
from sim.seats import Seats
from sim.version import __version__
from sim.worker import Outcomes, StrategyFault, Worker, compile_arms

TOPIC = "tresdos"
"""Dask topic under which workers tell how far they are and what they have finished."""

PULSE_SECONDS = 1.0
"""How often a busy thread tells where it is."""

KEPT_JOBS = 4
"""Jobs whose plans a process keeps: several runs may share a cluster."""


@dataclass(frozen=True)
class SourceFile:
    """A user's file, to be written elsewhere. ``path`` is relative, with forward slashes; ``sha256`` is that of its content."""

    path: str
    content: bytes
    sha256: str

    @classmethod
    def of(cls, path: str, file: Path) -> SourceFile:
        """A file of this machine, to be called ``path`` elsewhere."""
        content = file.read_bytes()
        return cls(path, content, hashlib.sha256(content).hexdigest())


@dataclass(frozen=True)
class Job:
    """A plan as it travels.

    Parameters
    ----------
    rebuild : str
        ``module:function``; called as ``function(data, folder)`` it gives the plan, ``folder`` being where ``files`` were written.
    data : mapping
        Plain data, as in JSON.
    files : tuple of SourceFile
    plan : str
        Digest of the plan that must come out (``plan_digest``).
    keep : bool
        Whether outcome columns are wanted back.
    version, sources : str
        Version and digest of the sources on the side that asks.
    """

    rebuild: str
    data: Mapping[str, Any]
    files: tuple[SourceFile, ...]
    plan: str
    keep: bool
    version: str
    sources: str

    @cached_property
    def key(self) -> str:
        """A short name: the same for the same job."""
        return hashlib.blake2b(json.dumps(asdict(self), sort_keys=True, default=str).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What a worker sends back for a range: totals and outcomes with their digest, or an error."""

    worker: str
    seconds: float
    cpu_seconds: float
    totals: Totals | None = None
    outcomes: tuple[tuple[int, int, Outcomes], ...] = ()
    digest: str = ""
    error: RunError | None = None


def plan_digest(plan: Plan) -> str:
    """Digest of everything that decides what a plan's totals are, users' code included: 16 hex digits."""
    code: dict[str, str] = {}
    for arm in plan.arms:
        for player in arm.lineup:
            for function in player.strategy.decisions.values():
                file = getattr(function, "py_func", function).__code__.co_filename
                code.setdefault(file, _file_digest(Path(file)))
    arms = [
        {
            "rules": arm.rules.to_dict(),
            "rotate": arm.rotate,
            "lineup": [[p.strategy.name, p.strategy.memory, sorted(p.values.items())] for p in arm.lineup],
        }
        for arm in plan.arms
    ]
    told = {
        "game": plan.game.name,
        "unit": plan.unit.name,
        "seed": plan.seed,
        "arms": arms,
        "values": [asdict(value) for value in plan.values],
        "pairs": [list(pair) for pair in plan.pairs],
        "histograms": [asdict(histogram) for histogram in plan.histograms],
        "code": sorted(code.values()),
    }
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest()


def _file_digest(file: Path) -> str:
    """Digest of a source file; of nothing when it cannot be read (typed at a prompt)."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def result_digest(totals: Totals, outcomes: tuple[tuple[int, int, Outcomes], ...]) -> str:
    """Digest of what a range gave: 32 hex digits."""
    digest = hashlib.blake2b(json.dumps(asdict(totals)).encode(), digest_size=16)
    for first, count, arms in outcomes:
        for a, replays in enumerate(arms):
            for replay, columns in enumerate(replays):
                digest.update(f"{first},{count},{a},{replay},{columns.shape}".encode())
                digest.update(np.ascontiguousarray(columns).data)
    return digest.hexdigest()


def serve(order: bytes) -> bytes:
    """Do what the other side asks: a pickled (name of a function, arguments), answered by its pickled result.

    Orders travel closed and are opened here. Dask opens what it is given itself while it reads messages, and a worker that fails at
    that, because it has no tresdos or another version, shuts down.
    """
    name, arguments = pickle.loads(order)
    served: dict[str, Callable[..., Any]] = {"prepare": prepare, "play": play}
    return pickle.dumps(served[name](*arguments))


def prepare(job: Job) -> str:
    """Check this process against the job and compile everything, so that the first range does not have to.

    Returns
    -------
    str
        What makes this worker unfit for the job, naming the worker; empty when nothing does.
    """
    from distributed import get_worker

    try:
        _bench(job)
    except BaseException as error:  # handed to the one who asked
        return str(_portable(error, get_worker().address))
    return ""


def play(job: Job, first: int, count: int, send: bool = True) -> Reply:
    """Play units ``first`` … ``first + count - 1`` of a job; with ``send`` off only the digest goes back.

    Never raises: an error is part of the reply.
    """
    from distributed import get_worker

    here = get_worker()
    outcomes: list[tuple[int, int, Outcomes]] = []
    start, cpu = time.perf_counter(), time.thread_time()
    try:
        with _pulse(here, job.key, first) as watched, _bench(job).worker() as worker:
            watched.append(worker)
            start, cpu = time.perf_counter(), time.thread_time()
            totals = worker.play(first, count, (lambda *chunk: outcomes.append(chunk)) if job.keep else None)
        seconds, cpu_seconds = time.perf_counter() - start, time.thread_time() - cpu
    except BaseException as error:  # handed to the one who asked
        return Reply(here.address, time.perf_counter() - start, time.thread_time() - cpu, error=_portable(error, here.address))
    found = tuple(outcomes)
    digest = result_digest(totals, found)
    here.log_event(TOPIC, {"job": job.key, "first": first, "count": count, "worker": here.address, "digest": digest})
    return Reply(here.address, seconds, cpu_seconds, totals if send else None, found if send else (), digest)


class Bench:
    """A job's plan, compiled, and the workers that play it: one for each thread that is playing."""

    def __init__(self, job: Job, plan: Plan) -> None:
        self._plan = plan
        self._seats: list[Seats] = compile_arms(plan)
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        with self.worker() as worker:
            worker.warm()

    @contextlib.contextmanager
    def worker(self) -> Iterator[Worker]:
        """A worker that nobody else uses meanwhile."""
        try:
            worker = self._idle.get_nowait()
        except queue.Empty:
            worker = Worker(self._plan, self._seats)
        try:
            yield worker
        finally:
            self._idle.put(worker)


_BENCHES: OrderedDict[str, Bench] = OrderedDict()
_LOCK = threading.Lock()


def _bench(job: Job) -> Bench:
    """The bench of a job, made on first use."""
    with _LOCK:
        if job.key not in _BENCHES:
            _BENCHES[job.key] = _make_bench(job)
            while len(_BENCHES) > KEPT_JOBS:
                _BENCHES.popitem(last=False)
        _BENCHES.move_to_end(job.key)
        return _BENCHES[job.key]


def _make_bench(job: Job) -> Bench:
    from distributed import get_worker

    here = get_worker()
    if (job.version, job.sources) != (__version__, cache.source_digest()):
        raise RunError(
            f"worker {here.address} has tresdos {__version__} (sources {cache.source_digest()}), but the run is by tresdos {job.version} "
            f"(sources {job.sources}): install the same on both sides and restart the worker"
        )
    folder = Path(here.local_directory) / f"tresdos-{job.key}"
    try:
        write_files(job.files, folder)
        module, _, function = job.rebuild.partition(":")
        plan = getattr(importlib.import_module(module), function)(job.data, folder)
    except UsageError as error:
        raise RunError(f"worker {here.address} cannot play this: {error}") from error
    if plan_digest(plan) != job.plan:
        raise RunError(f"worker {here.address} made another plan of the same question: an installed strategy or a game differs there")
    return Bench(job, plan)


def write_files(files: tuple[SourceFile, ...], folder: Path) -> None:
    """Write users' files below a folder; RunError for one that is not what its sha256 says."""
    for file in files:
        if hashlib.sha256(file.content).hexdigest() != file.sha256:
            raise RunError(f"{file.path} was damaged on its way: its sha256 is not {file.sha256}")
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


@contextlib.contextmanager
def _pulse(here: Any, key: str, first: int) -> Iterator[list[Worker]]:
    """While a range is played, tell where its worker is, once it has been put into the list that this gives."""
    over = threading.Event()
    watched: list[Worker] = []

    def tell() -> None:
        while not over.wait(PULSE_SECONDS):
            here.log_event(TOPIC, {"job": key, "first": first, "worker": here.address, "mark": _mark(watched[0]) if watched else None})

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        over.set()
        thread.join()


def _mark(worker: Worker) -> list[int]:
    """Where a worker is: [units done, unit in hand, hands begun, seat asked]."""
    return [worker.done, *(int(worker.status[word]) for word in (hot.UNIT, hot.HANDS, hot.ASKED))]


def _portable(error: BaseException, worker: str) -> RunError:
    """An error that can be sent: what a strategy raised may be of a class that only this process has."""
    if isinstance(error, StrategyFault):
        cause = error.cause
        if cause is not None and type(cause).__module__ != "builtins":
            cause = named_error(type(cause).__name__, str(cause))
        error = StrategyFault(error.arm, error.replay, error.unit, error.seat, cause)
    if isinstance(error, RunError) and _survives(error):
        return error
    return RunError(f"worker {worker}: {type(error).__name__}: {' '.join(str(error).split())}")


def _survives(error: BaseException) -> bool:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its class does
        return False
    return True


def named_error(name: str, text: str) -> Exception:
    """An exception that is called and says the same as one whose class cannot travel."""
    kind = type(name, (Exception,), {"__reduce__": lambda self: (named_error, (name, text))})
    error: Exception = kind(text)
    return error
