"""A question on a cluster: what of it travels, and how a worker makes its plan again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.question import Question
from sim.cluster import Cluster, on_cluster
from sim.cluster_worker import SourceFile
from sim.plan import Plan
from strategies.plugin_files import load_module

Start = Callable[[Plan, int, bool], Cluster]


def open_executor(scheduler: str, question: Question) -> Start:
    """What ``Settings.start`` takes to play a question on a cluster.

    Parameters
    ----------
    scheduler : str
        ``tcp://host:port`` or ``local:N``.
    question : Question
        The question whose plan will be played.

    Raises
    ------
    UsageError
        For a text that is no scheduler, or when Dask is missing. What else can go wrong is a RunError when the run starts.
    """

    def pack(plan: Plan) -> tuple[Mapping[str, Any], tuple[SourceFile, ...]]:
        files, moved = plugin_files(plan)
        return {"question": question.to_dict(), "moved": moved}, files

    return on_cluster(scheduler, "analysis.cluster:rebuild_plan", pack)


def rebuild_plan(data: Mapping[str, Any], folder: Path) -> Plan:
    """The plan of a question that has travelled; its users' files were written into a folder."""
    moved = {typed: (folder / path).as_posix() for typed, path in data["moved"].items()}
    asked = {name: _here(value, moved) for name, value in data["question"].items()}
    return Question(**asked).prepare().plan


def plugin_files(plan: Plan) -> tuple[tuple[SourceFile, ...], dict[str, str]]:
    """The users' files that a plan needs, with the modules beside them that they import.

    Returns
    -------
    tuple of SourceFile
    dict of str to str
        By path as typed: which of the files it is.
    """
    files: list[SourceFile] = []
    moved: dict[str, str] = {}
    for number, typed in enumerate(sorted({player.prefix for arm in plan.arms for player in arm.lineup if player.prefix})):
        path = Path(typed).expanduser().resolve()
        island = load_module(path, typed).__name__.partition(".")[0]
        beside = [module.__file__ for name, module in sorted(sys.modules.items()) if name.startswith(f"{island}.")]
        for file in {Path(one) for one in beside if one is not None}:
            files.append(SourceFile.of(f"{number}/{file.relative_to(path.parent).as_posix()}", file))
        moved[typed] = f"{number}/{path.name}"
    return tuple(sorted(files, key=lambda file: file.path)), moved


def _here(value: Any, moved: Mapping[str, str]) -> Any:
    """A part of a question with the users' files where they are now; lists become tuples again."""
    if isinstance(value, str):
        for typed, path in moved.items():
            if value.strip() == typed or value.strip().startswith(f"{typed}:"):
                return path + value.strip()[len(typed) :]
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_here(one, moved) for one in value)
    if isinstance(value, Mapping):
        return {_here(name, moved): _here(one, moved) for name, one in value.items()}
    return value
