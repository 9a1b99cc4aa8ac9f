"""How far a run is, as bytes: the sums of its segments, the ranges they count, the frame files that are finished."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any, NamedTuple

from sim.errors import UsageError
from sim.plan import Plan, Totals
from sim.runner import Outcome, empty_outcome, join, missing
from sim.wholefiles import digest_of

FORMAT = 1

FRAME_FILE = re.compile(r"hands-\d{5,12}\.(parquet|csv)")


class State(NamedTuple):
    """What a checkpoint holds."""

    outcome: Outcome
    frames: dict[str, str]


def encode(experiment: str, outcome: Outcome, frames: dict[str, str]) -> bytes:
    """A checkpoint of an experiment (its digest): whole numbers and times, with a digest over everything."""
    state = {
        "experiment": experiment,
        "ranges": outcome.ranges,
        "segments": [asdict(segment) for segment in outcome.segments],
        "frames": frames,
        "seconds": outcome.seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "compile_seconds": outcome.compile_seconds,
    }
    text = json.dumps(state, separators=(",", ":"))
    return f'{{"format":{FORMAT},"sha256":"{digest_of(text.encode())}","state":{text}}}\n'.encode()


def decode(data: bytes, experiment: str, plan: Plan, units: int) -> State:
    """The state of a run of ``units`` units of a plan.

    Raises
    ------
    UsageError
        When the checkpoint is damaged or belongs to another experiment.
    """
    try:
        found = json.loads(data)
        state, version = found["state"], found["format"]
        whole = found["sha256"] == digest_of(json.dumps(state, separators=(",", ":")).encode())
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError("is damaged") from None
    if version != FORMAT:
        raise UsageError(f"has format {version}, and this version reads format {FORMAT}")
    if not whole:
        raise UsageError("is damaged")
    if state["experiment"] != experiment:
        raise UsageError("belongs to another experiment")
    try:
        read = _read(state, plan, units)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError("is damaged") from None
    if _shape(read.outcome.segments) != _shape(empty_outcome(plan, units).segments):
        raise UsageError("belongs to another experiment")
    return read


def _read(state: Any, plan: Plan, units: int) -> State:
    """The state from plain data; ValueError and the like when it does not hold together."""
    outcome = empty_outcome(plan, units)
    outcome.segments = [Totals(**segment) for segment in state["segments"]]
    outcome.ranges = join([(int(first), int(count)) for first, count in state["ranges"]])
    outcome.seconds, outcome.cpu_seconds, outcome.compile_seconds = (
        float(state[name]) for name in ("seconds", "cpu_seconds", "compile_seconds")
    )
    counted = units - sum(count for _, count in missing(outcome.ranges, units))
    if not sum(count for _, count in outcome.ranges) == counted == outcome.units:
        raise ValueError("the sums count other units than the ranges say")
    frames = {name: str(known) for name, known in state["frames"].items()}
    if not all(FRAME_FILE.fullmatch(name) for name in frames):
        raise ValueError("no names of frame files")
    return State(outcome, frames)


def _shape(segments: list[Totals]) -> list[Any]:
    return [(len(s.sums), len(s.products), len(s.game_squares), [len(b) for b in s.bins]) for s in segments]
