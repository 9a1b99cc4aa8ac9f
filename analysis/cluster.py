"""A question on a cluster: what of it travels, and how a worker makes its plan again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.plugins import loaded_plugins
from analysis.question import Question
from sim.cluster import Cluster, on_cluster
from sim.cluster_worker import SourceFile
from sim.plan import Plan


def open_executor(scheduler: str, question: Question) -> Callable[[Plan, int, bool], Cluster]:
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
    return on_cluster(scheduler, "analysis.cluster:rebuild_plan", lambda plan: pack(question, plan))


def pack(question: Question, plan: Plan) -> tuple[dict[str, Any], tuple[SourceFile, ...]]:
    """What of a question and its plan travels.

    Returns
    -------
    dict
        Plain data: ``question``, and ``moved``, which of the files each strategy file is, by its path as typed.
    tuple of SourceFile
        The users' files that take part.
    """
    plugins = loaded_plugins(plan, question.found_at)
    folders = {typed: number for number, typed in enumerate(dict.fromkeys(plugin.typed for plugin in plugins))}
    files = tuple(SourceFile.of(f"{folders[plugin.typed]}/{plugin.inside}", plugin.path) for plugin in plugins)
    moved: dict[str, str] = {}
    for plugin, file in zip(plugins, files, strict=True):
        moved.setdefault(plugin.typed, file.path)  # a strategy file comes before what lies beside it
    return {"question": question.to_dict(), "moved": moved}, files


def rebuild_plan(data: Mapping[str, Any], folder: Path) -> Plan:
    """The plan of a question that has travelled; its users' files were written into a folder."""
    found_at = {typed: str(folder / path) for typed, path in data["moved"].items()}
    return dataclasses.replace(Question.from_dict(data["question"]), found_at=found_at).prepare().plan
