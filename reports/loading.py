"""Reading a run folder: ``manifest.json`` (what was asked, how it ran) and ``result.json`` (what came out)."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from analysis.estimates import Difference, Estimate
from reports.runs import Asked, Distribution, Measure, Reading, ReportError, Rule, Run, Settling, Variant

FORMAT = 1
"""The format of ``result.json`` that is read here."""

Data = Mapping[str, Any]
T = TypeVar("T")
E = TypeVar("E", Estimate, Difference)


def load_run(folder: str | Path) -> Run:
    """Read a finished run.

    Parameters
    ----------
    folder : str or Path

    Raises
    ------
    ReportError
        If it is no run folder, the run is not finished, or a file is damaged.
    """
    path = Path(folder)
    if not (path / "manifest.json").is_file():
        raise ReportError(f"'{path}' is no run folder: it has no manifest.json")
    manifest = _read(path / "manifest.json")
    try:
        unfinished = _unfinished(manifest)
        if unfinished or not (path / "result.json").is_file():
            raise ReportError(
                f"the run '{path}' is not finished{unfinished}; complete it with: {shlex.join(['tresdos', 'resume', str(path)])}"
            )
        stored = _read(path / "result.json", manifest["files"].get("result.json"))
        if stored["format"] != FORMAT:
            raise ReportError(f"'{path / 'result.json'}' has format {stored['format']!r}; this version reads format {FORMAT}")
        return _run(path, manifest, stored)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, ReportError):
            raise
        raise ReportError(f"the files of the run '{path}' are damaged or of another version ({_what(error)})") from error


def in_memory(question: Data, stored: Data) -> Run:
    """A run that was never kept, from its question and its stored result: charts can be drawn of it."""
    manifest = {"version": "", "source_digest": "", "question": question, "machine": {}, "timing": {}}
    return _run(Path(), manifest, stored)


def _what(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else " ".join(str(error).split())


def _read(path: Path, known: str | None = None) -> Data:
    """The JSON object in a file; ``known`` is the SHA-256 of its bytes, where that was written down."""
    try:
        raw = path.read_bytes()
        data = json.loads(raw)
    except OSError as error:
        raise ReportError(f"cannot read '{path}': {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"'{path}' is damaged: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise ReportError(f"'{path}' is damaged: it holds no JSON object")
    if known is not None and hashlib.sha256(raw).hexdigest() != known:
        raise ReportError(f"'{path}' is damaged: it is not what the run wrote")
    return data


def _unfinished(manifest: Data) -> str:
    """How far a run got that is not finished; nothing when it is."""
    status, deals = manifest["status"], manifest["deals"]
    return "" if status == "finished" else f" ({status}, {deals['done']:,} of {deals['asked']:,} deals done)"


def _run(folder: Path, manifest: Data, stored: Data) -> Run:
    result: Data = stored["result"]
    kind = str(stored["kind"])
    measures = {name: _measure(name, about) for name, about in stored["measures"].items()}
    readings = {"simulate": _simulation, "compare": _comparison, "variants": _variants}
    if kind not in readings:
        raise ReportError(f"the run '{folder}' answers a question of the kind '{kind}', which this version cannot report")
    parts = readings[kind](result, measures, stored["details"])
    return Run(
        folder=folder,
        kind=kind,
        game=str(result["game"]),
        game_title=str(stored["game_title"]),
        unit=str(result["unit"]),
        unit_help=str(stored["unit_help"]),
        deals=int(result["deals"]),
        seed=int(result["seed"]),
        version=str(manifest["version"]),
        source_digest=str(manifest["source_digest"]),
        question=_asked(manifest["question"]),
        machine=dict(manifest["machine"]),
        timing=dict(manifest["timing"]),
        charts=tuple(map(str, manifest.get("charts") or ())),
        measures=measures,
        rules=tuple(_rule(rule) for rule in stored["rules"]),
        **parts,
    )


def _asked(question: Data) -> Asked:
    return Asked(
        strategy=_text(question.get("strategy")),
        preset=_text(question.get("preset")),
        unit=_text(question.get("unit")),
        lineup=_texts(question.get("lineup", ())),
        field=_texts(question.get("field", ())),
        candidates=_texts(question.get("candidates", ())),
        measures=_texts(question.get("measures", ())),
        rules={str(name): value_text(value) for name, value in dict(question.get("rules", {})).items()},
        vary={str(name): _texts(values) for name, values in dict(question.get("vary", {})).items()},
        rotate=bool(question.get("rotate", False)),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _texts(listed: Any) -> tuple[str, ...]:
    if not isinstance(listed, (list, tuple)):
        raise TypeError(f"{listed!r} is no list")
    return tuple(map(str, listed))


def _measure(name: str, about: Data) -> Measure:
    if about["kind"] not in ("share", "mean"):
        raise ValueError(f"measure {name} is of an unknown kind, {about['kind']!r}")
    return Measure(
        name,
        str(about["help"]),
        bool(about["per_seat"]),
        about["kind"] == "share",
        str(about["unit"]),
        bool(about["low_is_good"]),
        bool(about["fair"]),
    )


def _rule(rule: Data) -> Rule:
    return Rule(
        str(rule["name"]),
        value_text(rule["value"]),
        value_text(rule["default"]),
        str(rule["help"]),
        str(rule["source"]),
        bool(rule["changed"]),
    )


def value_text(value: Any) -> str:
    """A rule's value as it is typed on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return "+".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


# --- the three kinds of questions ------------------------------------------------------------------------------------


def _simulation(result: Data, measures: Mapping[str, Measure], details: Data) -> dict[str, Any]:
    lineup = _some(_texts(result["lineup"]), "line-up")
    rotate = bool(result["rotate"])
    convergence: Data = details["convergence"]
    first = next((m for m in measures.values() if m.per_seat), None)
    if convergence and first is None:
        raise ValueError("convergence is given, but no measure of a seat")
    return {
        "games": int(result["deals"]) * (len(lineup) if rotate else 1),
        "lineup": lineup,
        "rotate": rotate,
        "readings": _some(_rows(result["results"], measures, len(lineup)), "results"),
        "chairs": _rows(result.get("by_seat", ()), measures, len(lineup)),
        "table": tuple(Reading(measures[name], _estimate(estimate), len(lineup)) for name, estimate in result["table"].items()),
        "distributions": _distributions(details["distributions"], measures, None),
        "settling": tuple(Settling(None, name, first, _points(points)) for name, points in convergence.items() if first is not None),
    }


def _rows(rows: Sequence[Data], measures: Mapping[str, Measure], players: int) -> tuple[Reading, ...]:
    return tuple(
        Reading(measures[name], _estimate(row[name]), players, str(row["strategy"]), _place(row, "seat"), _place(row, "player"))
        for row in rows
        for name in measures
        if name in row
    )


def _comparison(result: Data, measures: Mapping[str, Measure], details: Data) -> dict[str, Any]:
    measure = measures[result["measure"]]
    players = len(_some(result["arms"][0]["lineup"], "line-up"))
    if len(result["results"]) < 2:
        raise ValueError("fewer than two candidates")
    return {
        "games": int(result["design"]["games"]),
        "field": tuple(map(str, result["field"])),
        "rotate": True,
        "verdict": str(result["verdict"]),
        "readings": tuple(
            Reading(
                measure,
                _estimate(row[measure.name]),
                players,
                str(row["strategy"]),
                difference=_difference(row["difference"]),
                step=_difference(row["step"]),
            )
            for row in result["results"]
        ),
        "settling": tuple(Settling(None, name, measure, _points(points)) for name, points in details["convergence"].items()),
    }


def _variants(result: Data, measures: Mapping[str, Measure], details: Data) -> dict[str, Any]:
    rows: Sequence[Data] = result["results"]
    asked = [measures[name] for name in result["measures"]]
    variants = {row["label"]: _variant(row, result["vary"]) for row in rows}
    if [variant.base for variant in variants.values()] != [True, *[False] * (len(rows) - 1)]:
        raise ValueError("one variant, the first, must be the base")
    _some(asked, "measures")
    settling = [
        Settling(variants[label], name, measures[name.partition(" of seat ")[0]], _points(points))
        for label, series in details["convergence"].items()
        for name, points in series.items()
    ]
    distributions = [d for label, found in details["distributions"].items() for d in _distributions(found, measures, variants[label])]
    return {
        "games": int(result["design"]["games"]),
        "verdict": str(result["verdict"]),
        "varied": tuple(map(str, result["vary"])),
        "variants": tuple(variants.values()),
        "lineup": tuple(map(str, rows[0]["lineup"])),
        "readings": tuple(reading for row in rows for reading in _readings(row, variants[row["label"]], asked)),
        "distributions": tuple(distributions),
        "settling": tuple(settling),
    }


def _variant(row: Data, varied: Sequence[str]) -> Variant:
    setting = {name: str(row["variant"][name]) for name in varied}
    return Variant(str(row["label"]), setting, bool(row["base"]), _some(_texts(row["lineup"]), "line-up"), str(row["verdict"]))


def _readings(row: Data, variant: Variant, measures: Sequence[Measure]) -> list[Reading]:
    """Measure by measure as asked for, those of seats seat by seat."""
    players = len(variant.lineup)
    found = []
    for measure in measures:
        for place in row["seats"] if measure.per_seat else [row]:
            found.append(
                Reading(
                    measure,
                    _estimate(place[measure.name]),
                    players,
                    str(place["strategy"]) if measure.per_seat else "",
                    int(place["seat"]) if measure.per_seat else None,
                    variant=variant,
                    difference=_difference(place["differences"][measure.name]),
                )
            )
    return found


# --- the small parts -------------------------------------------------------------------------------------------------


def _estimate(data: Data) -> Estimate:
    return _checked(Estimate(*(_number(data[part]) for part in ("value", "se", "low", "high"))))


def _difference(data: Data | None) -> Difference | None:
    if data is None:
        return None
    found = Difference(*(_number(data[part]) for part in ("value", "se", "low", "high", "p", "vrf", "ess")))
    if found.p is not None and not 0 <= found.p <= 1:
        raise ValueError(f"a p-value of {found.p}")
    return _checked(found)


def _checked(estimate: E) -> E:
    """An estimate whose interval has its ends in order and whose error is not negative."""
    if estimate.low is not None and estimate.high is not None and not estimate.low <= estimate.high:
        raise ValueError(f"an interval from {estimate.low} to {estimate.high}")
    if estimate.se is not None and not estimate.se >= 0:
        raise ValueError(f"a standard error of {estimate.se}")
    return estimate


def _some(found: Sequence[T], what: str) -> tuple[T, ...]:
    """At least one of them."""
    if not found:
        raise ValueError(f"no {what}")
    return tuple(found)


def _place(row: Data, name: str) -> int | None:
    """A seat or a player, from 1."""
    place = row.get(name)
    if place is not None and (isinstance(place, bool) or not isinstance(place, int) or place < 1):
        raise ValueError(f"{name} {place!r}")
    return place


def _number(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _points(points: Sequence[Data]) -> tuple[tuple[int, Estimate], ...]:
    return tuple((int(point["deals"]), _estimate(point)) for point in points)


def _distributions(found: Data, measures: Mapping[str, Measure], variant: Variant | None) -> tuple[Distribution, ...]:
    return tuple(Distribution(variant, measures[name], int(one["low"]), _counts(one["counts"])) for name, one in found.items())


def _counts(counts: Sequence[Any]) -> tuple[int, ...]:
    if any(count < 0 for count in counts):
        raise ValueError("a negative count")
    return tuple(map(int, counts))
