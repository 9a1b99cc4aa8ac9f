"""Running a command that plays: notes and progress on stderr, and what becomes of interruptions and faults."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sim.errors import UsageError
from tresdos.cli import complain
from tresdos.options import replay_flags

if TYPE_CHECKING:
    from analysis.question import Question
    from analysis.run import Finished, Result, Settings
    from sim.plan import Plan
    from sim.recording import Recording
    from sim.runner import Executor


@dataclass(frozen=True)
class Running:
    """How to run: threads, patience, whether to say anything on stderr, and where the work is done (threads when nothing is said)."""

    jobs: int | None
    patience: float
    quiet: bool
    scheduler: str | None = None
    start: Callable[[Plan, int, bool], Executor] | None = None

    def for_question(self, asked: Question) -> Running:
        """The same, ready for a question: on a cluster the question is what travels."""
        if self.scheduler is None:
            return self
        if self.jobs is not None:
            raise UsageError("--jobs is a number of threads on this machine; with --scheduler the workers are the cluster's")
        from analysis.cluster import open_executor

        return replace(self, start=open_executor(self.scheduler, asked))


def play(asked: Question, how: Running) -> Result:
    """Play a question and return its result."""
    experiment = asked.prepare()
    return experiment.result(play_plan(experiment.plan, asked.deals, how.for_question(asked)))


def play_plan(plan: Plan, deals: int, how: Running, recording: Recording | None = None) -> Finished:
    """Play a plan, with notes and progress; what is finished goes into a run folder when there is a recording."""
    from analysis.run import execute
    from tresdos.interrupts import Interruptible

    with Notes(how.quiet).playing(how.jobs, how.patience) as settings:

        def start(plan: Plan, jobs: int, keep: bool) -> Executor:
            executor = (how.start or settings.start)(plan, jobs, keep)
            return Interruptible(executor if recording is None else recording.start(executor))

        ready = replace(settings, start=start)
        if recording is not None:
            rows = recording.keep if recording.hands is not None else None
            ready = replace(ready, before=recording.before, checkpoint=recording.checkpoint, keep=rows)
        return execute(plan, deals, ready)


class Notes:
    """What a run says on stderr while it goes: nothing of it when quiet."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet

    def say(self, text: str) -> None:
        """One line."""
        if not self.quiet:
            print(f"tresdos: {text}", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def playing(self, jobs: int | None, patience: float) -> Iterator[Settings]:
        """Settings for a run, with a progress bar on a terminal. What strategies print goes to stderr."""
        from analysis.run import Settings
        from sim.cache import is_cold

        if is_cold():
            self.say("compiling (first run only)")
        with contextlib.redirect_stdout(sys.stderr), contextlib.ExitStack() as stack:
            progress = None if self.quiet or not sys.stderr.isatty() else stack.enter_context(_bar())
            yield Settings(jobs=jobs, progress=progress, patience=patience)


@contextlib.contextmanager
def _bar() -> Iterator[Any]:
    """A progress bar on stderr that goes away when the run ends."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def choose_seed(seed: int | None) -> int:
    """The seed given, or a fresh one."""
    from sim.keys import fresh_seed

    return fresh_seed() if seed is None else seed


def conclude(finished: Finished, resume: str = "") -> int:
    """After the result is printed: say what ended the run early, if anything did, and how to go on. Returns the exit code.

    ``resume`` is the command that completes the run, when it is kept.
    """
    from sim.runner import Stuck
    from sim.worker import StrategyFault

    outcome = finished.outcome
    sys.stdout.flush()
    if outcome.fault is None:
        if not outcome.interrupted:
            return 0
        return complain(f"interrupted: {finished.deals} of {finished.asked} deals played and counted{_go_on(resume)}", 130)
    if isinstance(outcome.fault, StrategyFault):
        explain_fault(finished, outcome.fault)
    elif isinstance(outcome.fault, Stuck):
        explain_stuck(finished, outcome.fault)
    else:
        complain(str(outcome.fault), 1)
    if resume:
        print(f"  they are kept{_go_on(resume)}", file=sys.stderr)
    if isinstance(outcome.fault, Stuck):
        sys.stderr.flush()
        # The thread that never returns cannot be stopped; leave without waiting for it.
        os._exit(1)
    return 1


def _go_on(resume: str) -> str:
    return f"; go on with: {resume}" if resume else ""


def trace_command(finished: Finished, arm: int, replay: int, deal: int) -> str:
    """The command that tells a deal of this run move by move."""
    played = finished.plan.arms[arm]
    flags = replay_flags(played.rules, finished.plan.unit.name, [player.label for player in played.lineup])
    words = [word for flag in flags for word in flag.split(" ", 1)]
    if played.rotate:
        words += ["--seating", str(replay + 1)]
    return shlex.join(["tresdos", "trace", finished.plan.game.name, "--seed", str(finished.plan.seed), "--deal", str(deal), *words])


def explain_fault(finished: Finished, fault: Any) -> None:
    """Name the strategy, the decision, the seed, the deal and the turn, show the view, and how to replay it."""
    from sim.tracing import trace

    arm = finished.plan.arms[fault.arm]
    told = trace(arm, finished.plan.unit, finished.plan.seed, fault.unit, fault.replay)
    name = told.names[fault.seat]
    what = told.fault or str(fault)
    complain(f"strategy {name} in seat {fault.seat + 1}, deal {fault.unit} of seed {finished.plan.seed}: {what}", 1)
    for line in told.fault_view:
        print(f"  {line}", file=sys.stderr)
    if told.events:
        print("  the last moves:", file=sys.stderr)
        for event in told.events[-6:]:
            print(f"    {event.text.strip()}", file=sys.stderr)
    print(f"  replay it: {trace_command(finished, fault.arm, fault.replay, fault.unit)}", file=sys.stderr)
    print(f"  {finished.deals} of {finished.asked} deals were finished and counted before", file=sys.stderr)


def explain_stuck(finished: Finished, fault: Any) -> None:
    """Name the strategies that were asked in the deals in flight."""
    names = sorted({player.label for arm in finished.plan.arms for player in arm.lineup})
    where = "; ".join(f"deal {deal}, seat {seat + 1} was asked" for deal, seat in fault.where)
    complain(f"a decision has not returned for {fault.seconds:g} s and cannot be stopped (seed {finished.plan.seed}: {where})", 1)
    asked = ", ".join(_asked_names(finished, fault.where)) or ", ".join(names)
    print(f"  it is one of: {asked}", file=sys.stderr)
    print(f"  {finished.deals} of {finished.asked} deals were finished and counted before; --patience changes the limit", file=sys.stderr)


def _asked_names(finished: Finished, where: list[tuple[int, int]]) -> list[str]:
    """The strategies that sat in the seats asked: one for certain without rotation, else one for each seating."""
    found: set[str] = set()
    for arm in finished.plan.arms:
        orders = arm.orders()
        for deal, seat in where:
            for replay in orders:
                found.add(arm.lineup[int(replay[deal % orders.shape[1]][seat])].label)
    return sorted(found)
