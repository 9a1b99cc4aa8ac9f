"""The Python face: answers with frames, single deals, summaries, charts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tresdos as td

ROOT = Path(__file__).resolve().parent.parent


def test_importing_loads_nothing_heavy() -> None:
    """K4-031: names are imported when they are used."""
    code = "import sys, tresdos; print([m for m in ('numba', 'pandas', 'matplotlib') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert told.stdout.strip() == "[]"


def test_a_simulation_is_a_tidy_frame() -> None:
    """One row for each estimate, with all that is needed to read it."""
    answer = td.simulate("tres-y-dos", strategy="greedy", players=3, deals=3000, seed=1)
    wins = answer.frame[answer.frame["measure"] == "win_rate"]
    assert list(wins["seat"]) == [1, 2, 3]
    assert set(answer.frame["seed"]) == {1}
    assert answer.to_dict()["results"][0]["win_rate"]["value"] == wins["value"].iloc[0]
    assert "seat" in answer.summary()


def test_kept_deals_are_those_that_were_counted() -> None:
    """Single deals average to the estimates, and say who sat where."""
    answer = td.compare("tres-y-dos", ["greedy", "outs"], deals=400, seed=2, hands=True)
    hands = answer.hands
    assert len(hands) == 400 * 2 * 4 * 4
    mine = hands[(hands["arm"] == "outs") & (hands["strategy"] == "outs")]
    assert mine.groupby("deal").size().eq(4).all()
    assert mine["won"].mean() == pytest.approx(answer.frame["value"].iloc[1])
    assert hands.groupby(["deal", "arm", "replay"])["marbles"].sum().abs().max() < 1e-12


def test_deals_not_kept_and_too_many_deals_are_said() -> None:
    """Asking for what is not there is a clear error, not an empty frame."""
    with pytest.raises(td.UsageError, match="hands=True"):
        _ = td.simulate("tres-y-dos", deals=50, seed=1).hands
    with pytest.raises(td.UsageError, match="--hands"):
        td.simulate("tres-y-dos", deals=100_000_000, seed=1, hands=True)


def test_variants_and_verdicts() -> None:
    """A sweep over values of any kind; the verdict in words."""
    answer = td.variants("tres-y-dos", {"players": range(2, 4)}, strategy="greedy", measures="first_seat_win_rate", deals=3000, seed=1)
    assert list(answer.frame["players"]) == ["2", "3"]
    assert "players=3" in answer.verdict
    assert "<strong>" in answer._repr_html_()


def test_two_calls_in_one_session_are_independent() -> None:
    """K3-014: without a seed every call has luck of its own, and tells it."""
    one = td.simulate("tres-y-dos", deals=300)
    two = td.simulate("tres-y-dos", deals=300)
    assert one.question.seed != two.question.seed


def test_plots_are_figures() -> None:
    """Charts of the kinds that make sense, and the nearest right one for those that do not exist."""
    answer = td.simulate("pusoy-dos", strategy="dumper", deals=300, seed=1)
    assert answer.plot("rates").axes
    with pytest.raises(Exception, match="rates"):
        answer.plot("rats")


def test_a_trace_is_events() -> None:
    """Words and data of one deal."""
    told = td.trace("pusoy-dos", seed=1, deal=1, strategy="dumper")
    assert told.events[0].data["event"] == "hand"
    assert told.outcome is not None
    assert np.sum(told.outcome[:4]) == 840


def test_mistakes_are_usage_errors() -> None:
    """The same clear lines as on the command line."""
    with pytest.raises(td.UsageError, match="greedy"):
        td.simulate("tres-y-dos", strategy="gredy", deals=10)
    with pytest.raises(td.UsageError, match="contradicts"):
        td.simulate("tres-y-dos", players=3, rules={"players": 4}, deals=10)
    with pytest.raises(AttributeError, match="simulate"):
        _ = td.simulte
