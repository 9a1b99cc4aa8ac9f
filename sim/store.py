"""The run folder: what was asked, how far it is, what came out.

    manifest.json   the question, what played it (version, sources, plug-ins, machine), status, times, digests of finished files
    plugins/        copies of the users' files that take part
    checkpoint/     how far an unfinished run is
    result.json     the result, once it is finished
    frames/         rows of single deals, when asked for

A run that is killed at any moment leaves a folder from which it can be completed to the same bytes; only the manifest tells times.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from sim.cache import source_digest
from sim.errors import UsageError
from sim.keys import SCHEME
from sim.version import __version__
from sim.wholefiles import digest, digest_of, write_whole

FORMAT = 1
"""Format of the folder, and of its result."""

PROGRAM = "tresdos"
"""Written into the manifest: a folder without it is somebody else's."""

MANIFEST, RESULT, CHECKPOINT, FRAMES, PLUGINS = "manifest.json", "result.json", "checkpoint", "frames", "plugins"

WRITTEN = (RESULT, CHECKPOINT, FRAMES, PLUGINS, "tables", "charts", "report.html", "report.md", MANIFEST)
"""Everything the toolkit puts into a run folder: what is removed when a run is replaced, the manifest last."""

LIBRARIES = ("numba", "numpy", "scipy", "pandas", "pyarrow")

RUNNING, INTERRUPTED, FAILED, FINISHED = "running", "interrupted", "failed", "finished"


@dataclass(frozen=True)
class Plugin:
    """A user's file that takes part in a run.

    Parameters
    ----------
    typed : str
        The path of the strategy file, as it was typed; the files beside it that it imports have the same.
    path : Path
        This file.
    inside : str
        Its place below the folder of the strategy file, with forward slashes.
    """

    typed: str
    path: Path
    inside: str


@dataclass(frozen=True)
class Asked:
    """What makes an experiment: whatever could change its result.

    Parameters
    ----------
    question : mapping
        Plain data, as in JSON.
    deals : int
        Units asked for.
    hands : str, optional
        ``parquet`` or ``csv`` when rows of single deals are wanted.
    plugins : sequence of Plugin
    packages : mapping of str to str
        Versions of the packages from which strategies come.
    charts : sequence of str
        Kinds of charts wanted in the report.
    rows : mapping
        What the columns of the rows mean (``sim.frames.Layout.dictionary``).
    """

    question: Mapping[str, Any]
    deals: int
    hands: str | None = None
    plugins: Sequence[Plugin] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    charts: Sequence[str] = ()
    rows: Mapping[str, Any] = field(default_factory=dict)


class RunFolder:
    """A run folder on disk, and its manifest.

    Made by ``create`` or ``open_run``. Whoever plays into it holds its lock until ``close``.
    """

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path, self.manifest = path, manifest
        self._lock: IO[str] | None = None

    @property
    def status(self) -> str:
        """``running``, ``interrupted``, ``failed`` or ``finished``; ``killed`` when nobody plays what should be running."""
        status = str(self.manifest["status"])
        return "killed" if status == RUNNING and not is_locked(self.path) else status

    @property
    def experiment(self) -> str:
        """Digest of everything that could change the result."""
        return str(self.manifest["experiment"])

    @property
    def state_file(self) -> Path:
        """Where the checkpoint is."""
        return self.path / CHECKPOINT / "state.json"

    def save(self) -> None:
        """Write the manifest."""
        write_whole(self.path / MANIFEST, to_json(self.manifest))

    def lock(self) -> None:
        """Take the folder for playing.

        Raises
        ------
        UsageError
            When another process has it, or part of it is a link to elsewhere.
        """
        for name in WRITTEN:
            if (self.path / name).is_symlink():
                raise UsageError(f"{self.path / name} is a link: a run is played into its own folder only")
        (self.path / CHECKPOINT).mkdir(exist_ok=True)
        file = (self.path / CHECKPOINT / "lock").open("w")
        if not _take(file):
            file.close()
            raise UsageError(f"{self.path} is being played by another process")
        self._lock = file

    def close(self) -> None:
        """Let go of the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def progress(self, status: str, done: int, timing: Mapping[str, Any]) -> None:
        """Write down how far the run is and what it took."""
        self.manifest["status"] = status
        self.manifest["deals"]["done"] = done
        self.manifest["timing"] = dict(timing)
        self.manifest["changed"] = _now()
        self.save()

    def finish(self, result: Mapping[str, Any], frames: Mapping[str, str], done: int, timing: Mapping[str, Any]) -> None:
        """Write the result and say that the run is finished; the checkpoint is not needed any more."""
        data = to_json(result)
        write_whole(self.path / RESULT, data)
        self.manifest["files"] = {RESULT: digest_of(data), **{f"{FRAMES}/{name}": known for name, known in sorted(frames.items())}}
        self.progress(FINISHED, done, timing)
        self.close()
        self.clear_checkpoint()

    def begin_again(self) -> RunFolder:
        """Go on with a run that was cut short."""
        self.manifest["status"] = RUNNING
        self.save()
        return self

    def clear_checkpoint(self) -> None:
        """Remove what a finished run does not need any more."""
        shutil.rmtree(self.path / CHECKPOINT, ignore_errors=True)

    @property
    def is_of_other_source(self) -> bool:
        """Whether something else than this version and these sources has played the run."""
        return any(self.manifest[name] != mine for name, mine in _source().items())

    def check_source(self) -> None:
        """Refuse a run that was begun by something else.

        Raises
        ------
        UsageError
            Saying by what.
        """
        words = {"version": "version", "source_digest": "sources", "scheme": "random stream scheme"}
        for name, mine in _source().items():
            if self.manifest[name] != mine:
                begun = f"{words[name]} {self.manifest[name]}"
                raise UsageError(f"{self.path} was begun with {begun}, this is {mine}: only that can complete it")
        for name, begun in self.manifest["packages"].items():
            if package_version(name) != begun:
                raise UsageError(f"{self.path} was begun with {name} {begun}, here is {package_version(name)}: only that can complete it")

    def check_files(self) -> None:
        """Refuse files that are not what the run wrote.

        Raises
        ------
        UsageError
            Naming the file.
        """
        for name, known in self.manifest["files"].items():
            _check(self.path / name, known)

    def plugin_paths(self) -> dict[str, Path]:
        """Where the strategy files of the run can be loaded from, by the path that was typed.

        The user's own file, as long as it and what it imports from its folder are as they were; else the copy in the folder.

        Raises
        ------
        UsageError
            When a copy is missing or damaged.
        """
        same: dict[str, bool] = {}
        found: dict[str, tuple[Path, Path]] = {}
        for item in self.manifest["plugins"]:
            copy = (self.path / item["copy"]).resolve()
            if not copy.is_relative_to((self.path / PLUGINS).resolve()):
                raise UsageError(f"{self.path / MANIFEST} is damaged: {item['copy']} lies outside of {PLUGINS}/")
            _check(copy, item["sha256"])
            own = Path(item["path"])
            same[item["typed"]] = same.get(item["typed"], True) and own.is_file() and digest(own) == item["sha256"]
            found.setdefault(item["typed"], (own, copy))  # the strategy file itself comes first
        return {typed: own if same[typed] else copy for typed, (own, copy) in found.items()}


def create(path: Path, asked: Asked, replace: bool = False) -> RunFolder:
    """Make the folder of a new run, with its manifest and the copies of the users' files, and take its lock.

    The folder gets its name when its manifest is in it, so there is none without.

    Parameters
    ----------
    path : Path
        A place that ``check_free`` has found free.
    asked : Asked
    replace : bool
        Remove the run that is there.
    """
    final = path.resolve()
    final.parent.mkdir(parents=True, exist_ok=True)
    new = final.with_name(f".{final.name}-{secrets.token_hex(4)}")
    new.mkdir()
    try:
        folder = RunFolder(new, _new_manifest(new, asked))
        folder.save()
        if replace and (final / MANIFEST).exists():
            remove_run(path)
        if final.exists():
            final.rmdir()
        new.rename(final)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    folder.path = path
    folder.lock()
    return folder


def _new_manifest(path: Path, asked: Asked) -> dict[str, Any]:
    """The manifest of a run that begins; copies the users' files into its folder."""
    plugins = []
    numbers = {typed: i for i, typed in enumerate(dict.fromkeys(p.typed for p in asked.plugins), 1)}
    for plugin in asked.plugins:
        copy = path / PLUGINS / str(numbers[plugin.typed]) / plugin.inside
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(plugin.path, copy)
        place = copy.relative_to(path).as_posix()
        plugins.append({"typed": plugin.typed, "path": str(plugin.path), "sha256": digest(copy), "copy": place})
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "program": PROGRAM,
        **_source(),
        "experiment": "",
        "question": dict(asked.question),
        "hands": asked.hands,
        "rows": dict(asked.rows),
        "charts": list(asked.charts),
        "plugins": plugins,
        "packages": dict(asked.packages),
        "machine": machine(),
        "status": RUNNING,
        "created": _now(),
        "changed": _now(),
        "deals": {"asked": asked.deals, "done": 0},
        "timing": {},
        "files": {},
    }
    manifest["experiment"] = experiment_digest(manifest)
    return manifest


def check_free(path: Path) -> RunFolder | None:
    """Whether a new run can have a place: None when it is free, the run that is there otherwise.

    Raises
    ------
    UsageError
        When there is something else.
    """
    if path.is_dir():
        if (path / MANIFEST).exists():
            return open_run(path)
        if any(path.iterdir()):
            raise UsageError(f"{path} is not empty and not a run folder: choose another place")
    elif path.exists() or path.is_symlink():
        raise UsageError(f"{path} is not a folder")
    return None


def open_run(path: Path) -> RunFolder:
    """A run folder that is there.

    Raises
    ------
    UsageError
        When it is none, is of another format, or its manifest is damaged.
    """
    if not path.is_dir():
        raise UsageError(f"{path} is not a run folder: there is no such folder")
    try:
        manifest = json.loads((path / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{path} is not a run folder: it has no {MANIFEST}") from None
    except (OSError, ValueError, RecursionError):
        raise UsageError(f"{path / MANIFEST} is damaged") from None
    if not isinstance(manifest, dict) or manifest.get("program") != PROGRAM:
        raise UsageError(f"{path / MANIFEST} is not the manifest of a run")
    if manifest.get("format") != FORMAT:
        raise UsageError(f"{path} has format {manifest.get('format')}, and this version reads format {FORMAT}")
    if not _well_formed(manifest):
        raise UsageError(f"{path / MANIFEST} is damaged")
    if manifest["experiment"] != experiment_digest(manifest):
        raise UsageError(f"{path / MANIFEST} was changed: it describes another experiment than the one that was begun")
    return RunFolder(path, manifest)


def remove_run(path: Path) -> None:
    """Remove a run from its folder, which is empty then.

    Raises
    ------
    UsageError
        When there is no run, somebody is playing it, or there is something that the toolkit did not write.
    """
    open_run(path)
    if is_locked(path):
        raise UsageError(f"{path} is being played by another process")
    others = sorted(item.name for item in path.iterdir() if item.name not in WRITTEN)
    if others:
        raise UsageError(f"{path} holds more than a run ({', '.join(others[:3])}): choose another place, or take that away")
    for name in WRITTEN:
        item = path / name
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink(missing_ok=True)


def experiment_digest(manifest: Mapping[str, Any]) -> str:
    """Digest of what could change the result of a run: its question, what plays it, and which rows are kept."""
    names = ("format", "version", "source_digest", "scheme", "question", "hands", "packages")
    facts = {name: manifest[name] for name in names}
    facts["deals"] = manifest["deals"]["asked"]
    facts["plugins"] = [[p["typed"], p["copy"], p["sha256"]] for p in manifest["plugins"]]
    return digest_of(json.dumps(facts, sort_keys=True).encode())


def is_locked(path: Path) -> bool:
    """Whether a process is playing into a folder."""
    try:
        with (path / CHECKPOINT / "lock").open("r+") as file:
            return not _take(file)
    except OSError:
        return False


def to_json(data: Mapping[str, Any]) -> bytes:
    """JSON for people and programs: UTF-8, indented."""
    return (json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _source() -> dict[str, Any]:
    """What this is: its version, its sources, its way of addressing random numbers."""
    return {"version": __version__, "source_digest": source_digest(), "scheme": SCHEME}


def machine() -> dict[str, Any]:
    """What the run is played on."""
    libraries = {name: package_version(name) for name in LIBRARIES}
    return {"python": platform.python_version(), **libraries, "platform": platform.platform(), "cpu_count": os.cpu_count()}


def package_version(name: str) -> str | None:
    """The installed version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _take(file: IO[str]) -> bool:
    """Lock a file until it is closed or the process ends; False when another has it. Where files cannot be locked, nobody has."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _check(path: Path, known: str) -> None:
    if not path.is_file():
        raise UsageError(f"{path} is missing")
    if digest(path) != known:
        raise UsageError(f"{path} is damaged: it is not what the run wrote")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_SHAPE: dict[str, Any] = {
    "version": str,
    "source_digest": str,
    "scheme": int,
    "experiment": str,
    "question": dict,
    "hands": (str, type(None)),
    "rows": dict,
    "charts": list,
    "plugins": list,
    "packages": dict,
    "machine": dict,
    "status": str,
    "created": str,
    "changed": str,
    "deals": dict,
    "timing": dict,
    "files": dict,
}


def _well_formed(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has everything that is read from it, of the right kind."""
    if not all(name in manifest and isinstance(manifest[name], kind) for name, kind in _SHAPE.items()):
        return False
    deals, plugins, files = manifest["deals"], manifest["plugins"], manifest["files"]
    return (
        all(isinstance(deals.get(name), int) for name in ("asked", "done"))
        and all(isinstance(p, dict) and all(isinstance(p.get(k), str) for k in ("typed", "path", "sha256", "copy")) for p in plugins)
        and all(isinstance(known, str) for known in files.values())
        and all(isinstance(known, str) for known in manifest["packages"].values())
    )
