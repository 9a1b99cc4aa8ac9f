"""The plain C programs: compiled when a compiler is there, run in turn with the toolkit."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent / "yardsticks"


@dataclass(frozen=True)
class Yardstick:
    """A C program that plays one game with one fixed strategy in every seat.

    ``./program PLAYERS HANDS SEED`` prints JSON with ``hands_per_cpu_second``.
    """

    game: str
    strategy: str
    players: tuple[int, ...]

    @property
    def source(self) -> Path:
        """The C file."""
        return HERE / f"{self.game.replace('-', '_')}.c"

    def build(self, folder: Path) -> Path | None:
        """Compile into a folder; None when there is no gcc."""
        compiler = shutil.which("gcc")
        if compiler is None or not self.source.exists():
            return None
        program = folder / self.source.stem
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, self.source], check=True)
        return program


YARDSTICKS = (
    Yardstick("tres-y-dos", "greedy", (2, 3, 4, 5, 6, 7)),
    Yardstick("pusoy-dos", "dumper", (3, 4)),
)


def rate(program: Path, players: int, hands: int, seed: int) -> float:
    """Hands per CPU second of one run."""
    told = subprocess.run([program, str(players), str(hands), str(seed)], check=True, capture_output=True, text=True).stdout
    return float(json.loads(told)["hands_per_cpu_second"])
