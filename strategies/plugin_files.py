"""A user's own file as a module: under a private name, with what lies beside it, loaded anew when it has changed.

Each file is an island: it and what it imports from its own folder get names that nobody else uses, so two plug-ins may
both have a ``helpers.py``, a file called ``random.py`` hides nothing from anybody, and ``sys.path`` stays as it is.
What lies beside a file is found first, as for a script; but the standard library and the packages of this house always
come from their usual place.
"""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import importlib
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from sim.errors import UsageError
from sim.rules import nearest

PREFIX = "tresdos_plugin_"
"""How the private names of users' modules begin."""

HOUSE = frozenset({"sim", "strategies", "analysis", "reports", "tresdos"})


@dataclass(frozen=True)
class _Loaded:
    module: ModuleType
    digests: Mapping[Path, str]  # of the file and of the modules beside it that it imported


_FILES: dict[Path, _Loaded] = {}


def load_module(path: Path, typed: str) -> ModuleType:
    """The module of a user's file: the same object as before as long as it and what it imports beside it are unchanged.

    Parameters
    ----------
    path : Path
        The file.
    typed : str
        How the user wrote it, for messages.

    Raises
    ------
    UsageError
        When there is no such file, it is not Python, or it cannot be imported; with the line at fault.
    """
    if path.suffix.lower() != ".py":
        raise UsageError(f"{typed} is not a Python file: its name must end in .py")
    if not path.is_file():
        known = [other.name for other in path.parent.glob("*.py")] if path.parent.is_dir() else []
        what = "is a folder, not a file" if path.is_dir() else f"does not exist{nearest(path.name, known)}"
        raise UsageError(f"{typed} {what}")
    path = path.resolve()
    kept = _FILES.get(path)
    if kept is not None and all(_digest(file) == digest for file, digest in kept.digests.items()):
        return kept.module
    island = PREFIX + hashlib.blake2b(str(path).encode(), digest_size=6).hexdigest()
    _forget(island)
    _FILES.pop(path, None)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            module = _import_file(path, island)
    except (Exception, SystemExit) as error:
        _forget(island)
        raise UsageError(_import_failure(error, path, typed)) from error
    files = {Path(file) for m in _island_modules(island) if (file := getattr(m, "__file__", None)) is not None}
    _FILES[path] = _Loaded(module, {file: _digest(file) for file in files})
    return module


def _digest(file: Path) -> str:
    try:
        return hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def _island_modules(island: str) -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith(island + ".")]


def _forget(island: str) -> None:
    for name in [name for name in sys.modules if name == island or name.startswith(island + ".")]:
        del sys.modules[name]


def _import_file(path: Path, island: str) -> ModuleType:
    """Import a file as a module of a private package whose folder is the file's."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    package = ModuleType(island)
    package.__path__ = [str(path.parent)]
    sys.modules[island] = package
    stem = "".join(c if c.isalnum() or c == "_" else "_" for c in path.stem)
    name = f"{island}.{stem}"
    spec = spec_from_file_location(name, path, loader=_Loader(name, str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(f"no way to load {path}")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class _Finder:
    """Finds what a user's file imports from its own folder; knows no other names."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of a private module, with a loader that lets it import its neighbours in turn."""
        if not name.startswith(PREFIX):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Loads a private module from its source."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source, always: a bytecode file of the same second and size would be taken for the new source."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with an ``import`` of its own."""
        island = module.__name__.partition(".")[0]
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _Import(island)}
        super().exec_module(module)


class _Import:
    """``import`` as the modules of one island see it: their own folder first."""

    def __init__(self, island: str) -> None:
        self.island = island
        self.folder = Path(sys.modules[island].__path__[0])

    def __call__(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        top = name.partition(".")[0]
        if level != 0 or not self._is_neighbour(top):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        private = f"{self.island}.{name}"
        if fromlist:
            return builtins.__import__(private, globals, locals, fromlist, 0)
        importlib.import_module(private)
        return sys.modules[f"{self.island}.{top}"]

    def _is_neighbour(self, top: str) -> bool:
        """Whether a name is meant for a module beside the file."""
        if top in HOUSE or top in sys.stdlib_module_names or self.folder.name in ("site-packages", "dist-packages"):
            return False
        return (self.folder / f"{top}.py").is_file() or (self.folder / top / "__init__.py").is_file()


def _import_failure(error: BaseException, path: Path, typed: str) -> str:
    """What went wrong at an import, on one line, with the place in the user's files."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{_place(error.filename, path, typed)}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    where = typed
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename).parent.is_relative_to(path.parent) and "site-packages" not in frame.filename:
            where = f"{_place(frame.filename, path, typed)}, line {frame.lineno}"
    return f"{where}: {one_line(error)}"


def _place(filename: str, path: Path, typed: str) -> str:
    """A file's name for a message: the user's own words for his file."""
    return typed if Path(filename) == path else filename


def one_line(error: BaseException) -> str:
    """An exception on one line, a usage error without the name of its type."""
    text = " ".join(str(error).split())
    if isinstance(error, UsageError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
