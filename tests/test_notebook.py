"""The tutorial notebook runs from the top, and its numbers are those that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


def _said(cell: Any) -> str:
    """What a cell printed or answered, as text; pictures and times left out."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", "") or output.get("data", {}).get("text/plain", ""))
    lines = "".join(texts).splitlines()
    return "\n".join(line for line in lines if " hands in " not in line and "Figure" not in line)


def test_the_tutorial_runs_and_shows_its_own_numbers() -> None:
    """K5-024, K5-025, K5-026: an overview that anybody can run, with numbers that are never stale."""
    shown = nbformat.read(NOTEBOOK, as_version=4)
    played = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(played, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    for before, now in zip(shown.cells, played.cells, strict=True):
        assert _said(now) == _said(before), before["source"]
