"""A result as it is stored in a run folder: everything that a report needs, and nothing that differs between two runs of a question."""

from __future__ import annotations

from typing import Any

from analysis.run import Finished, Result

FORMAT = 1


def stored_result(kind: str, result: Result) -> dict[str, Any]:
    """A result with what explains it, ready for JSON; times are left out.

    Returns
    -------
    dict
        ``format``, ``kind``, ``game_title``, ``unit_help``, ``result`` (as ``to_dict``), ``details`` (distributions and convergence),
        ``measures`` and ``rules`` of the first arm with their explanations.
    """
    plan = result.finished.plan
    numbers = result.to_dict()
    del numbers["timing"]
    return {
        "format": FORMAT,
        "kind": kind,
        "game_title": plan.game.title,
        "unit_help": plan.unit.help,
        "result": numbers,
        "details": result.details(),
        "measures": _measures(result.finished),
        "rules": _rules(result.finished),
    }


def _measures(finished: Finished) -> dict[str, Any]:
    return {
        m.name: {
            "help": m.help,
            "per_seat": m.per_seat,
            "kind": m.kind,
            "unit": m.digits_unit,
            "low_is_good": m.low_is_good,
            "fair": m.fair,
        }
        for m in finished.plan.unit.measures
    }


def _rules(finished: Finished) -> list[dict[str, Any]]:
    rules = finished.plan.arms[0].rules
    values, defaults = rules.to_dict(), type(rules)().to_dict()
    return [
        {
            "name": name,
            "value": values[name],
            "default": defaults[name],
            "help": about.help,
            "source": about.source,
            "changed": values[name] != defaults[name],
        }
        for name, about, _ in rules.options()
    ]
