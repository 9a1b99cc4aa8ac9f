"""Rows of single deals in files: one row for each unit, arm and replay, cut at fixed multiples of 2^20 units.

Ranges of units come in any order and in any sizes; the files must come out the same. So each file's units first go to a spool, a plain
file in which every unit has its own place, and the file is written from it, in order, once all its units are there. A unit that is
written again after a kill writes the same bytes into the same place. Little is in memory at a time, however long the run.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.errors import UsageError
from sim.executors import Done
from sim.plan import Plan
from sim.wholefiles import UNFINISHED, digest, publish, sync
from sim.worker import Outcomes

FILE_UNITS = 1 << 20
"""Units of a file: a constant of the result format."""

GROUP_ROWS = 1 << 16
"""Rows written at a time (a row group of Parquet): a constant of the result format."""

STYLES = ("parquet", "csv")

ABSENT = -1
"""In place of a cell: this arm has no such seat."""

Units = npt.NDArray[np.int64]
"""Units as the spool holds them: int64 array of shape (units, 1 + cells). First a check word, then the outcome columns of each arm and
replay in turn."""


class Damaged(UsageError):
    """What a run has left behind is not what it wrote."""


class Layout:
    """Where everything stands: the columns of a row, and the cells of a unit in the spool.

    Parameters
    ----------
    plan : Plan
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.games = [(a, replay) for a, arm in enumerate(plan.arms) for replay in range(arm.replays)]
        self.widths = [plan.unit.width(plan.arms[a].players) for a, _ in self.games]
        self.starts = [1 + sum(self.widths[:i]) for i in range(len(self.games))]
        self.cells = 1 + sum(self.widths)
        self.seats = max(arm.players for arm in plan.arms)
        odd = np.random.Generator(np.random.Philox(0)).integers(0, 1 << 63, self.cells, np.uint64)
        self._weights = odd * np.uint64(2) + np.uint64(1)
        self.group = max(1, GROUP_ROWS // len(self.games))

    def pack(self, first: int, outcomes: Outcomes) -> Units:
        """The outcome columns of a chunk of units as the spool holds them."""
        count = outcomes[0][0].shape[1]
        units = np.empty((count, self.cells), np.int64)
        for (a, replay), start, width in zip(self.games, self.starts, self.widths, strict=True):
            units[:, start : start + width] = outcomes[a][replay].T
        units[:, 0] = self.check_words(first, units)
        return units

    def check_words(self, first: int, units: Units) -> npt.NDArray[np.int64]:
        """A word for each unit made of its number and all its cells: odd weights, so that no single changed cell leaves it the same."""
        numbers = np.arange(first + 1, first + 1 + len(units), dtype=np.uint64) * self._weights[0]
        sums: npt.NDArray[np.uint64] = units.view(np.uint64)[:, 1:] @ self._weights[1:]
        words: npt.NDArray[np.int64] = (numbers + sums).view(np.int64)
        return words

    def keys(self) -> dict[str, str]:
        """The columns that say which game a row is, with what they mean."""
        found = {"deal": "number of the deal, from 0"}
        if len(self.plan.arms) > 1:
            found["arm"] = "which of the arms, from 1"
        if any(arm.rotate for arm in self.plan.arms):
            found["replay"] = "which rotation of the line-up, from 1"
        return found

    def columns(self) -> list[tuple[str, list[int]]]:
        """The outcome columns of a row: name, and its cell for each game of a unit (ABSENT where the arm has no such seat)."""
        found = []
        for column in self.plan.unit.columns:
            for seat in range(self.seats if column.per_seat else 1):
                name = f"{column.name}_{seat + 1}" if column.per_seat else column.name
                found.append((name, [self._cell(game, column.name, seat) for game in range(len(self.games))]))
        return found

    def _cell(self, game: int, column: str, seat: int) -> int:
        players = self.plan.arms[self.games[game][0]].players
        return ABSENT if seat >= players else self.starts[game] + self.plan.unit.place(column, players) + seat

    def dictionary(self) -> dict[str, Any]:
        """What the columns mean and who sat where, ready for JSON; places counted from 1 but for deals, which begin with 0."""
        arms = [
            {
                "label": arm.label,
                "rules": arm.rules.to_dict(),
                "lineup": [player.label for player in arm.lineup],
                # By replay and by (deal modulo the number of classes): the line-up entry in each seat.
                "seatings": (arm.orders() + 1).tolist(),
            }
            for arm in self.plan.arms
        ]
        columns: dict[str, Any] = {name: {"help": text} for name, text in self.keys().items()}
        for column in self.plan.unit.columns:
            measures = [m for m in self.plan.unit.measures if m.column == column.name]
            about: dict[str, Any] = {"measures": [m.name for m in measures], "over": measures[0].denominator if measures else 1}
            for seat in range(self.seats if column.per_seat else 1):
                name = f"{column.name}_{seat + 1}" if column.per_seat else column.name
                columns[name] = {**about, "seat": seat + 1} if column.per_seat else about
        return {
            "game": self.plan.game.name,
            "unit": self.plan.unit.name,
            "seed": self.plan.seed,
            "columns": columns,
            "arms": arms,
        }


class Frames:
    """The files of a run, from finished ranges.

    Parameters
    ----------
    plan : Plan
    units : int
        Units asked for.
    folder, spool : Path
        Where the files go, and where units wait for theirs to be complete.
    style : str
        ``parquet`` or ``csv``.
    finished : dict of str to str
        Files that an earlier run has finished: name to digest.
    ranges : iterable of (int, int)
        (first, count) of the units that an earlier run has kept.

    Attributes
    ----------
    finished : dict of str to str
        Name to digest of every finished file. Its units stay in the spool until ``release``: when a finished file is known to the
        checkpoint they are not needed any more.
    """

    def __init__(
        self, plan: Plan, units: int, folder: Path, spool: Path, style: str, finished: dict[str, str], ranges: Iterable[tuple[int, int]]
    ) -> None:
        self.layout = Layout(plan)
        self.units, self.folder, self.spool, self.style = units, folder, spool, style
        self.finished = dict(finished)
        self._present: dict[int, int] = {}
        self._unsynced: set[int] = set()
        self._released = set(finished)
        self._ranges = list(ranges)
        for first, count in self._ranges:
            for number, _, n in self._parts(first, count):
                self._present[number] = self._present.get(number, 0) + n

    @property
    def unreleased(self) -> bool:
        """Whether a file was finished since the last ``release``."""
        return len(self.finished) > len(self._released)

    def begin(self) -> None:
        """Make the folders, clear away what no checkpoint knows of, check what it does know of, and finish files that are complete.

        Raises
        ------
        Damaged
            When a finished file or the spool is not what was written.
        """
        self.folder.mkdir(exist_ok=True)
        self.spool.mkdir(exist_ok=True)
        for name, known in self.finished.items():
            path = self.folder / name
            if not path.is_file() or digest(path) != known:
                raise Damaged(f"{path} is damaged: it is not what the run wrote" if path.is_file() else f"{path} is missing")
        for path in self.folder.glob("hands-*"):
            if path.name not in self.finished:
                path.unlink()
        for name in self.finished:
            self._spool(self._number(name)).unlink(missing_ok=True)
        for first, count in self._ranges:
            for number, start, n in self._parts(first, count):
                if self._name(number) not in self.finished:
                    self._check(number, start, n)
        self._finish(list(self._present))

    def keep(self, done: Done) -> None:
        """Take the outcome columns of a finished range."""
        touched = set()
        for first, count, outcomes in done.outcomes:
            units = self.layout.pack(first, outcomes)
            for number, start, n in self._parts(first, count):
                self._present[number] = self._present.get(number, 0) + n
                touched.add(number)
                if self._name(number) not in self.finished:
                    self._put(number, start, units[start - first : start - first + n])
        self._finish(sorted(touched))

    def sync(self) -> None:
        """Bring the spool to the disk: before a checkpoint that counts its units."""
        for number in self._unsynced:
            if self._name(number) not in self.finished:
                sync(self._spool(number))
        self._unsynced.clear()

    def release(self) -> None:
        """Remove the spool of finished files: after a checkpoint that knows the files."""
        for name in self.finished.keys() - self._released:
            self._spool(self._number(name)).unlink(missing_ok=True)
        self._released = set(self.finished)

    def _parts(self, first: int, count: int) -> Iterator[tuple[int, int, int]]:
        """A range of units cut at the borders of files: (number of the file, first, count)."""
        while count > 0:
            number = first // FILE_UNITS
            n = min(count, (number + 1) * FILE_UNITS - first)
            yield number, first, n
            first, count = first + n, count - n

    def _name(self, number: int) -> str:
        return f"hands-{number:05d}.{self.style}"

    @staticmethod
    def _number(name: str) -> int:
        return int(name.partition(".")[0].rpartition("-")[2])

    def _spool(self, number: int) -> Path:
        return self.spool / f"hands-{number:05d}.units"

    def _size(self, number: int) -> int:
        return min(FILE_UNITS, self.units - number * FILE_UNITS)

    def _put(self, number: int, first: int, units: Units) -> None:
        """Write units to their places in the spool."""
        descriptor = os.open(self._spool(number), os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        with open(descriptor, "r+b") as file:
            file.seek((first - number * FILE_UNITS) * units.itemsize * self.layout.cells)
            file.write(units.data)
        self._unsynced.add(number)

    def _blocks(self, number: int, first: int, count: int) -> Iterator[tuple[int, Units]]:
        """Units from the spool, some at a time: (first, units)."""
        path = self._spool(number)
        if not path.is_file():
            raise Damaged(f"{path} is missing")
        with path.open("rb") as file:
            file.seek((first - number * FILE_UNITS) * 8 * self.layout.cells)
            for at in range(first, first + count, self.layout.group):
                n = min(self.layout.group, first + count - at)
                words = np.fromfile(file, np.int64, n * self.layout.cells)
                units = words.reshape(-1, self.layout.cells) if words.size == n * self.layout.cells else None
                if units is None or (units[:, 0] != self.layout.check_words(at, units)).any():
                    raise Damaged(f"{path} is damaged: deals {at} to {at + n - 1} are not what the run wrote")
                yield at, units

    def _check(self, number: int, first: int, count: int) -> None:
        for _ in self._blocks(number, first, count):
            pass

    def _finish(self, numbers: list[int]) -> None:
        """Write those of the files of which every unit is there."""
        for number in numbers:
            name = self._name(number)
            if self._present[number] < self._size(number) or name in self.finished:
                continue
            path = self.folder / name
            part = path.with_name(name + UNFINISHED)
            with _sink(part, self.style, self.layout) as write:
                for first, units in self._blocks(number, number * FILE_UNITS, self._size(number)):
                    write(first, units)
            publish(part, path)
            self.finished[name] = digest(path)


def _array(values: npt.NDArray[Any], present: npt.NDArray[np.bool_] | None = None) -> Any:
    """Arrow's array of whole numbers. Made from its memory, because ``pyarrow.array`` loads pandas to look at what it is given."""
    import pyarrow as pa

    valid = None if present is None else pa.py_buffer(np.packbits(present, bitorder="little"))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, pa.py_buffer(values)])


@contextlib.contextmanager
def _sink(path: Path, style: str, layout: Layout) -> Iterator[Callable[[int, Units], None]]:
    """A file to write units to, in order."""
    import pyarrow as pa

    columns = layout.columns()
    keys = list(layout.keys())
    types = [(name, pa.int64() if name == "deal" else pa.int16()) for name in keys]
    about = json.dumps(layout.dictionary(), ensure_ascii=False)
    schema = pa.schema([*types, *((name, pa.int64()) for name, _ in columns)], {"tresdos": about})

    def batch(first: int, units: Units) -> Any:
        games = len(layout.games)
        given: dict[str, npt.NDArray[Any]] = {
            "deal": np.repeat(np.arange(first, first + len(units), dtype=np.int64), games),
            "arm": np.tile(np.array([a + 1 for a, _ in layout.games], np.int16), len(units)),
            "replay": np.tile(np.array([replay + 1 for _, replay in layout.games], np.int16), len(units)),
        }
        arrays = [_array(given[name]) for name in keys]
        for _, cells in columns:
            absent = np.array(cells) == ABSENT
            arrays.append(_array(units[:, cells].ravel(), np.tile(~absent, len(units)) if absent.any() else None))
        return pa.record_batch(arrays, schema)

    if style == "csv":
        import pyarrow.csv

        with path.open("wb") as file:
            file.write((",".join(schema.names) + "\n").encode())
            with pyarrow.csv.CSVWriter(file, schema, write_options=pyarrow.csv.WriteOptions(include_header=False)) as writer:
                yield lambda first, units: writer.write_batch(batch(first, units))
        return
    import pyarrow.parquet

    named = [name for name in schema.names if name != "deal"]
    with pyarrow.parquet.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=named, column_encoding={"deal": "DELTA_BINARY_PACKED"}
    ) as writer:
        yield lambda first, units: writer.write_batch(batch(first, units), row_group_size=len(units) * len(layout.games))
