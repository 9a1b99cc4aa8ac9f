"""Who plays the units: processes of a Dask cluster, on this machine or on many.

Ranges are cut to take seconds, not fractions of one. Results are whole numbers, so they are the same bytes as on one thread; a range
that is played twice, because a worker was lost or to check on it, must come out the same or the run ends.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sim.cache import source_digest
from sim.cluster_local import end_local, one_line, start_local
from sim.cluster_worker import TOPIC, Job, Reply, SourceFile, plan_digest
from sim.errors import RunError, UsageError
from sim.executors import Done, Portions
from sim.plan import BLOCK, Plan
from sim.version import __version__

PORTIONS = Portions(first=64, largest=4096 * BLOCK, seconds=4.0, ahead=4)
"""Ranges of seconds, because the scheduler needs about a millisecond for each and a result a journey; cautious ones at first."""

KEEP_BYTES = 16 * 2**20
"""Outcome columns of one range at most, when they are wanted back: they wait in a worker's memory until they are fetched."""

CONNECT_SECONDS = 4.0
WORKERS_SECONDS = 60.0
"""How long to wait for the scheduler, and then for its first worker."""

FETCH_SECONDS = 30.0
"""How long to wait for a result that is said to be there."""

COUNT_SECONDS = 2.0
"""Time between two looks at how many workers there are."""

SILENT_SECONDS = 10.0
"""A worker that was not heard for so long says nothing about where it is; busy ones are heard every second."""

VERIFY = 0.01
"""Share of the ranges that are played again, on another worker where there is one."""

MOST_LOCAL = 1024

SERVE = "__import__('sim.cluster_worker').cluster_worker.serve(order)"
"""What a worker evaluates."""


@dataclass(frozen=True)
class Place:
    """Where the work is done: at a scheduler's address, or by so many processes of this machine."""

    address: str = ""
    local: int = 0


def read_scheduler(text: str) -> Place:
    """``tcp://host:port`` or ``local:N``.

    Raises
    ------
    UsageError
        For anything else.
    """
    local = re.fullmatch(r"local:(\d+)", text.strip())
    if local and 1 <= int(local[1]) <= MOST_LOCAL:
        return Place(local=int(local[1]))
    if re.fullmatch(r"tcp://([^\s/:\[\]]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}", text.strip()):
        return Place(address=text.strip())
    raise UsageError(f"scheduler '{text}': write tcp://host:port, a Dask scheduler's address, or local:N, N processes (1 to {MOST_LOCAL})")


def need_dask() -> None:
    """UsageError where Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UsageError("a scheduler needs Dask, which is not installed: pip install tresdos[cluster]") from None


def on_cluster(
    scheduler: str,
    rebuild: str,
    pack: Callable[[Plan], tuple[Mapping[str, Any], tuple[SourceFile, ...]]],
    verify: float = VERIFY,
) -> Callable[[Plan, int, bool], Cluster]:
    """What ``sim.runner.run`` takes as ``start`` to play on a cluster.

    Parameters
    ----------
    scheduler : str
        As in ``read_scheduler``.
    rebuild : str
        ``module:function``, by which a worker makes the plan; see ``Job``.
    pack : function
        Gives the data and the users' files from which it does.
    verify : float
        As in ``Cluster``.

    Raises
    ------
    UsageError
        For a text that is no scheduler, or when Dask is missing.
    """
    place = read_scheduler(scheduler)
    need_dask()

    def start(plan: Plan, jobs: int, keep: bool) -> Cluster:
        data, files = pack(plan)
        job = Job(rebuild, data, files, plan_digest(plan), keep, __version__, source_digest())
        return Cluster(place, job, portions_of(plan, keep), verify)

    return start


def portions_of(plan: Plan, keep: bool) -> Portions:
    """How to cut a plan; outcome columns that are wanted back fit into ``KEEP_BYTES``."""
    if not keep:
        return PORTIONS
    unit = 8 * sum(plan.unit.width(arm.players) * arm.replays for arm in plan.arms)
    return replace(PORTIONS, largest=max(1, min(PORTIONS.largest, KEEP_BYTES // unit)))


class Ledger:
    """What each range gave, by digest: whoever plays it again must get the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[str, str]] = {}

    def enter(self, first: int, count: int, digest: str, worker: str) -> None:
        """Note a result.

        Raises
        ------
        RunError
            When the same range has given something else before.
        """
        before, earlier = self._known.setdefault((first, count), (digest, worker))
        if before != digest:
            who = f"by {earlier} and by {worker}" if earlier != worker else f"both times by {worker}"
            raise RunError(
                f"deals {first} to {first + count - 1} were played twice, {who}, and did not come out the same: "
                "a strategy that depends on more than its view, or a machine that computes otherwise"
            )


@dataclass
class _Range:
    """A range that was asked for and not handed back yet."""

    first: int
    count: int
    future: Any
    reply: Reply | None = None  # while it waits for its second playing


@dataclass
class _Watch:
    """What is known of a range in play: its worker's last mark, since when it stands there, and when it was last told."""

    mark: list[int] | None
    since: float
    told: float


@dataclass
class _Heard:
    """What workers told, written by Dask's thread and read by ours."""

    last: float = field(default_factory=time.monotonic)
    watches: dict[int, _Watch] = field(default_factory=dict)
    failure: RunError | None = None


class Cluster:
    """An executor of the workers of a Dask cluster; see ``sim.executors.Threads`` for what its methods promise.

    Workers may come and go. A range whose worker was lost is played by another one; after as many losses as Dask allows (four) the run
    ends. So it does when a worker has other sources than this side, or gets another result than another worker.

    Parameters
    ----------
    place : Place
    job : Job
        The plan as it travels.
    portions : Portions
    verify : float
        The first range of each worker and this share of all ranges are played a second time, on another worker where there is one.
        0 for none.

    Raises
    ------
    RunError
        When the cluster cannot be reached, has no worker, or a worker is not fit for the job; names it.
    """

    def __init__(self, place: Place, job: Job, portions: Portions = PORTIONS, verify: float = VERIFY) -> None:
        self.portions = portions
        self._job = job
        self._every = round(1 / verify) if verify > 0 else 0
        self._ledger = Ledger()
        self._heard = _Heard()
        self._ranges: dict[str, _Range] = {}  # by key of the future that is waited for
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures
        self._ready: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()  # (key, reply or error)
        self._back: list[Done] = []  # ranges given up by stop()
        self._stopped = False
        self._met: set[str] = set()
        self._taken = 0
        self._threads: dict[str, int] = {}
        self._counted = 0.0
        self._local: Any = None
        self._client: Any = None
        try:
            self._connect(place)
            self._prepare()
            threading.Thread(target=self._fetch, daemon=True).start()
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """Threads of all workers, as far as is known."""
        return max(1, sum(self._threads.values()))

    def submit(self, first: int, count: int) -> None:
        """Ask for a range of units."""
        self._ask(_Range(first, count, None), {})

    def wait(self, seconds: float) -> Done | None:
        """The next range that is finished, or None when none is after so many seconds."""
        deadline = time.monotonic() + seconds
        self._count()
        while True:
            if self._back:
                return self._back.pop()
            if self._heard.failure is not None and self._ranges:
                return self._give_up(self._heard.failure)
            try:
                key, reply = self._ready.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return None
            done = self._take(key, reply)
            if done is not None:
                return done

    def stop(self) -> None:
        """Give up what is not finished: those ranges come back with no units. Workers end the ranges they are playing."""
        self._stopped = True
        unfinished = {key: r for key, r in self._ranges.items() if r.reply is not None or not r.future.done()}
        with contextlib.suppress(Exception):  # a scheduler that is gone has nothing to cancel
            self._client.cancel([r.future for r in unfinished.values()])
        for key, r in unfinished.items():
            del self._ranges[key]
            self._back.append(_done(r, r.reply) if r.reply is not None else _nothing(r))

    def stalled(self, seconds: float) -> list[tuple[int, int]]:
        """(unit, seat asked) of each range in which nothing has moved for so long.

        When there is no worker, or none is heard of any more, the next ``wait`` gives that as an error.
        """
        now = time.monotonic()
        stuck = []
        for watch in list(self._heard.watches.values()):
            if watch.mark is not None and watch.told - watch.since > seconds and now - watch.told < SILENT_SECONDS:
                stuck.append((watch.mark[1], watch.mark[3]))
        if not stuck and self._ranges and now - self._heard.last > max(seconds, SILENT_SECONDS):
            silent = f"none of the {len(self._threads)} workers has been heard of" if self._threads else "there has been no worker"
            self._heard.failure = RunError(f"{silent} for {now - self._heard.last:.0f} s; {len(self._ranges)} ranges of deals are waiting")
        return stuck

    def close(self) -> None:
        """Leave the cluster; processes of our own are ended, whatever they are doing."""
        self._ended.put(None)
        with contextlib.suppress(Exception):
            if self._client is not None:
                self._client.close()
        if self._local is not None:
            end_local(self._local)

    # Connecting

    def _connect(self, place: Place) -> None:
        from distributed import Client

        if place.local:
            self._local = start_local(place.local)
            self._client = Client(self._local, set_as_default=False)
        else:
            _probe(place.address)
            try:
                self._client = Client(place.address, timeout=CONNECT_SECONDS, set_as_default=False)
            except Exception as error:  # whatever answers there
                raise RunError(f"no Dask scheduler answers at {place.address}: {one_line(error)}") from error
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except Exception as error:
            raise RunError(f"no worker has come to {place.address or 'this machine'} within {WORKERS_SECONDS:g} s") from error
        self._client.subscribe_topic(TOPIC, self._hear)

    def _prepare(self) -> None:
        """Have every worker that is there checked and made ready."""
        self._count()
        asked = {address: self._order("prepare", self._job, workers=[address], allow_other_workers=False) for address in self._threads}
        ready = [address for address, future in asked.items() if self._is_ready(address, future)]
        if not ready:
            raise RunError(f"every worker was lost while it made ready for the run: {', '.join(asked)}")
        self._heard.last = time.monotonic()

    def _is_ready(self, address: str, future: Any) -> bool:
        """Wait for a worker to be ready; False when it has left meanwhile.

        Raises
        ------
        RunError
            When it is not fit for the job.
        """
        while True:
            try:
                unfit = pickle.loads(future.result(timeout=COUNT_SECONDS))
            except TimeoutError:
                if address in self._client.nthreads():
                    continue
                return False
            except Exception as error:  # raised before our code was reached: it is not there, or another version of it
                raise RunError(f"worker {address} cannot run tresdos {__version__}: {one_line(error)}; install it there") from error
            if unfit:
                raise RunError(unfit)
            return True

    def _count(self) -> None:
        """Look at which workers there are, every now and then."""
        if time.monotonic() - self._counted < COUNT_SECONDS:
            return
        try:
            self._threads = dict(self._client.nthreads())
        except Exception as error:  # one of several
            self._heard.failure = RunError(f"the scheduler is gone: {one_line(error)}")
        self._counted = time.monotonic()

    def _order(self, name: str, *arguments: Any, **how: Any) -> Any:
        """The future of a function of ``sim.cluster_worker``; see its ``serve`` for why it is not given to Dask as it is."""
        return self._client.submit(eval, SERVE, {"order": pickle.dumps((name, arguments))}, pure=False, **how)

    # Ranges

    def _ask(self, asked: _Range, where: dict[str, Any]) -> None:
        again = asked.reply is not None
        key = f"tresdos-{self._job.key}-{asked.first}-{asked.count}{'-again' if again else ''}-{self._client.id}"
        asked.future = self._order("play", self._job, asked.first, asked.count, not again, key=key, **where)
        self._ranges[key] = asked
        asked.future.add_done_callback(self._ended.put)

    def _fetch(self) -> None:
        """Fetch what has ended, in a thread of its own: a result whose worker is lost meanwhile may be long in coming."""
        while (future := self._ended.get()) is not None:
            try:
                self._ready.put((future.key, pickle.loads(future.result(timeout=FETCH_SECONDS))))
            except TimeoutError:
                self._ended.put(future)
            except BaseException as error:  # handed to the one who waits
                self._ready.put((future.key, error))

    def _take(self, key: str, reply: Any) -> Done | None:
        """What has come for a range: the range, or None when there is nothing to hand over yet."""
        asked = self._ranges.get(key)
        if asked is None:
            return None
        if not isinstance(reply, Reply):
            return self._drop(key, self._lost(asked, reply))
        self._heard.last = time.monotonic()
        self._heard.watches.pop(asked.first, None)
        if reply.error is not None:
            return self._drop(key, reply.error)
        try:
            self._ledger.enter(asked.first, asked.count, reply.digest, reply.worker)
        except RunError as error:
            return self._drop(key, error)
        del self._ranges[key]
        if asked.reply is not None:
            return _done(asked, asked.reply)
        if self._wants_second(reply.worker):
            others = [address for address in self._threads if address != reply.worker]
            self._ask(_Range(asked.first, asked.count, None, reply), {"workers": others, "allow_other_workers": True} if others else {})
            return None
        return _done(asked, reply)

    def _wants_second(self, worker: str) -> bool:
        """Whether a result of this worker shall be played again."""
        if not self._every or self._stopped:
            return False
        self._taken += 1
        new = worker not in self._met
        self._met.add(worker)
        return new or self._taken % self._every == 0

    def _lost(self, asked: _Range, error: BaseException) -> RunError:
        """Why Dask has no result for a range."""
        from distributed.scheduler import KilledWorker

        deals = f"deals {asked.first} to {asked.first + asked.count - 1}"
        if isinstance(error, KilledWorker):
            died = f"{error.allowed_failures + 1} workers" if error.allowed_failures else "a worker"
            return RunError(f"{died} died with {deals} to play, the last of them {error.last_worker.address}")
        if asked.future.cancelled():
            return RunError(f"the scheduler is gone, and {deals} with it: {one_line(error)}")
        return RunError(f"{deals} could not be played: {type(error).__name__}: {one_line(error)}")

    def _drop(self, key: str, error: RunError) -> Done:
        asked = self._ranges.pop(key)
        return Done(asked.first, asked.count, 0.0, None, [], error)

    def _give_up(self, error: RunError) -> Done:
        """Any range of those out, in the name of an error that belongs to none."""
        self._heard.failure = None
        return self._drop(next(iter(self._ranges)), error)

    def _hear(self, event: tuple[float, Any]) -> None:
        """What a worker tells; called by Dask's thread."""
        _, told = event
        if told["job"] != self._job.key:
            return
        now = self._heard.last = time.monotonic()
        if "digest" in told:
            try:
                self._ledger.enter(told["first"], told["count"], told["digest"], told["worker"])
            except RunError as error:
                self._heard.failure = error
            return
        before = self._heard.watches.get(told["first"])
        moved = before is None or told["mark"] is None or told["mark"] != before.mark
        self._heard.watches[told["first"]] = _Watch(told["mark"], now if moved or before is None else before.since, now)


def _done(asked: _Range, reply: Reply) -> Done:
    return Done(asked.first, asked.count, reply.seconds, reply.totals, list(reply.outcomes), cpu_seconds=reply.cpu_seconds)


def _nothing(asked: _Range) -> Done:
    return Done(asked.first, asked.count, 0.0, None, [])


def _probe(address: str) -> None:
    """Find out at once when there is nobody at an address, or somebody who is no Dask scheduler: that one speaks first."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS) as link:
            if not link.recv(1):
                raise RunError(f"whoever answers at {address} is no Dask scheduler")
    except (OSError, OverflowError) as error:
        silent = isinstance(error, TimeoutError)
        raise RunError(f"no Dask scheduler answers at {address}: {'nothing comes back' if silent else one_line(error)}") from error
