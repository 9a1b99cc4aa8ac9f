"""The Python face: questions asked from a program or a notebook, answered by objects that can be read, drawn and searched.

>>> import tresdos as td
>>> answer = td.compare("tres-y-dos", ["greedy", "outs"], deals=2000, seed=1)
>>> answer.frame["strategy"].tolist()
['greedy', 'outs']
"""

from __future__ import annotations

import contextlib
import html
import importlib
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.question import Question
from analysis.run import Result, Settings, execute
from analysis.stored import stored_result
from sim.errors import UsageError
from sim.keys import fresh_seed
from sim.worker import Outcomes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from sim.tracing import Trace

Names = str | Sequence[str]


class Answer:
    """The answer to a question.

    Attributes
    ----------
    question : Question
        What was asked; ``question.seed`` brings the same answer back.
    result : Simulation, Comparison or Variants
        The estimates.
    """

    def __init__(self, question: Question, result: Result, chunks: list[tuple[int, int, Outcomes]] | None) -> None:
        self.question, self.result = question, result
        self._chunks = chunks

    @property
    def frame(self) -> pd.DataFrame:
        """Tidy frame of all estimates: one row for each, with its standard error and 95 % interval."""
        from analysis.tidy import frame

        return frame(self.result)

    @property
    def hands(self) -> pd.DataFrame:
        """Tidy frame of single deals, a row for each deal, arm, rotation and seat; kept with ``hands=True``.

        Raises
        ------
        UsageError
            When they were not kept.
        """
        from analysis.tidy import hands_frame

        if self._chunks is None:
            raise UsageError("single deals were not kept: ask with hands=True")
        return hands_frame(self.result.finished.plan, self._chunks)

    @property
    def verdict(self) -> str:
        """The answer in a sentence; empty for a simulation."""
        return str(getattr(self.result, "verdict", ""))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, as ``--format json`` prints it."""
        return self.result.to_dict()

    def summary(self) -> str:
        """The tables and sentences that the command line prints."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self._command().show(self.result, "table")
        return text.getvalue().rstrip()

    def plot(self, kind: str | None = None, measure: str | None = None) -> Figure:
        """A chart: win rates, differences, a sweep … ; the first that makes sense when nothing is said.

        Raises
        ------
        UsageError
            For a kind that does not exist or does not fit (with those that do).
        """
        from reports.charts import available, chart
        from reports.loading import in_memory

        run = in_memory(self.question.to_dict(), stored_result(self.question.kind, self.result))
        return chart(run, kind or available(run)[0], measure)

    def _command(self) -> Any:
        return importlib.import_module(f"tresdos.commands.{self.question.kind}")

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{html.escape(self.verdict)}</strong></p>"] if self.verdict else []
        for table in self._command().tables(self.result):
            head = "".join(f"<th>{html.escape(name)}</th>" for name in table.columns)
            rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
            parts.append(f"<table><caption>{html.escape(table.title)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
        return "\n".join(parts)


def simulate(
    game: str,
    *,
    strategy: str | None = None,
    lineup: Names = (),
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    unit: str | None = None,
    rotate: bool = False,
    deals: int = 100_000,
    seed: int | None = None,
    jobs: int | None = None,
    hands: bool = False,
) -> Answer:
    """Play a line-up as seated, or one strategy everywhere.

    Parameters
    ----------
    game : str
    strategy : str, optional
        One strategy in every seat; the game's default when neither it nor a line-up is given.
    lineup : sequence of str, or str with commas
        One strategy for each seat.
    players : int, optional
        Short for ``rules={"players": n}``.
    rules : mapping, optional
        Rules that differ from the preset or the defaults.
    preset, unit : str, optional
    rotate : bool
        Play every deal once for each rotation of the line-up.
    deals : int
    seed : int, optional
        Drawn afresh when not given; the answer's ``question.seed`` tells it.
    jobs : int, optional
        Threads; changes no result.
    hands : bool
        Keep every single deal.

    Returns
    -------
    Answer

    Raises
    ------
    UsageError
        For anything that does not exist or is not defined.
    RunError
        When a strategy fails while playing.
    """
    asked = Question(
        "simulate",
        game,
        deals,
        _seed(seed),
        unit,
        preset,
        _rules(rules, players),
        strategy,
        _names(lineup),
        rotate,
    )
    return _answer(asked, jobs, hands)


def compare(
    game: str,
    candidates: Names,
    *,
    field: Names = (),
    measure: str | None = None,
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    unit: str | None = None,
    deals: int = 50_000,
    seed: int | None = None,
    jobs: int | None = None,
    hands: bool = False,
) -> Answer:
    """Compare strategies, each in every seat on the same deals against the same field. Parameters as in ``simulate``."""
    asked = Question(
        "compare",
        game,
        deals,
        _seed(seed),
        unit,
        preset,
        _rules(rules, players),
        candidates=_names(candidates),
        field=_names(field),
        measures=() if measure is None else (measure,),
    )
    return _answer(asked, jobs, hands)


def variants(
    game: str,
    vary: Mapping[str, Sequence[Any]],
    *,
    strategy: str | None = None,
    lineup: Names = (),
    measures: Names = (),
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    unit: str | None = None,
    deals: int = 50_000,
    seed: int | None = None,
    jobs: int | None = None,
    hands: bool = False,
) -> Answer:
    """What a rule, a number of players or a parameter changes: ``vary={"players": range(2, 8)}``. Parameters as in ``simulate``."""
    from sim.rules import value_text

    asked = Question(
        "variants",
        game,
        deals,
        _seed(seed),
        unit,
        preset,
        _rules(rules, players),
        strategy,
        _names(lineup),
        measures=_names(measures),
        vary={name: tuple(value if isinstance(value, str) else value_text(value) for value in values) for name, values in vary.items()},
    )
    return _answer(asked, jobs, hands)


def trace(
    game: str,
    *,
    seed: int,
    deal: int = 0,
    strategy: str | None = None,
    lineup: Names = (),
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    unit: str | None = None,
) -> Trace:
    """One deal, move by move: ``.events`` have a ``text`` and ``data`` each."""
    from sim.tracing import trace as traced

    asked = Question("simulate", game, 1, seed, unit, preset, _rules(rules, players), strategy, _names(lineup))
    plan = asked.prepare().plan
    return traced(plan.arms[0], plan.unit, seed, deal)


def _names(given: Names) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(",")) if isinstance(given, str) else tuple(given)


def _rules(rules: Mapping[str, Any] | None, players: int | None) -> dict[str, Any]:
    changes = dict(rules or {})
    if players is not None:
        if changes.get("players", players) != players:
            raise UsageError(f"players={players} contradicts rules['players']={changes['players']!r}")
        changes["players"] = players
    return changes


def _seed(seed: int | None) -> int:
    return fresh_seed() if seed is None else seed


def _answer(asked: Question, jobs: int | None, hands: bool) -> Answer:
    """Play a question; whatever ends the run early is raised."""
    experiment = asked.prepare()
    chunks: list[tuple[int, int, Outcomes]] | None = None
    settings = Settings(jobs=jobs)
    if hands:
        from analysis.tidy import check_hands

        check_hands(experiment.plan, asked.deals)
        kept: list[tuple[int, int, Outcomes]] = []
        chunks = kept
        settings = Settings(jobs=jobs, keep=lambda done: kept.extend(done.outcomes))
    finished = execute(experiment.plan, asked.deals, settings)
    if finished.outcome.fault is not None:
        raise finished.outcome.fault
    if finished.outcome.interrupted:
        raise KeyboardInterrupt
    return Answer(asked, experiment.result(finished), chunks)
