"""Where compiled kernels are kept between runs.

Numba does not notice edits in functions that a cached function calls, so the folder is keyed by a digest of the package's sources:
an edit anywhere starts an empty folder. A folder that cannot be written (a read-only install, no home) is replaced by one for
temporary files, and if that fails too, nothing is kept and every process compiles anew.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

KEPT_SECONDS = 30 * 24 * 3600
"""Folders of other versions that nobody used for so long are removed."""

_PACKAGES = ("sim", "strategies")


@cache
def source_digest() -> str:
    """Digest of the sources that decide what is compiled and what comes out: 16 hex digits."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.blake2b(digest_size=8)
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _candidates() -> list[Path]:
    """Folders to try, best first."""
    folders = []
    if os.environ.get("NUMBA_CACHE_DIR"):
        folders.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    if os.environ.get("XDG_CACHE_HOME"):
        folders.append(Path(os.environ["XDG_CACHE_HOME"]) / "tresdos")
    home = os.path.expanduser("~")
    if home != "~":
        folders.append(Path(home) / ".cache" / "tresdos")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folders.append(Path(tempfile.gettempdir()) / f"tresdos-{user}")
    return folders


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels for these sources and this way of compiling, or None when nothing can be kept."""
    import numba

    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    name = f"{source_digest()}-numba{numba.__version__}-py{sys.version_info.major}{sys.version_info.minor}{checked}"
    for parent in _candidates():
        if _writable(parent / name):
            os.utime(parent / name)
            _prune(parent, name)
            return parent / name
    print("tresdos: no folder to keep compiled code in; every run compiles anew (set NUMBA_CACHE_DIR to one)", file=sys.stderr)
    return None


def is_cold() -> bool:
    """Whether this version has not been compiled yet (by the number of files kept)."""
    folder = cache_folder()
    return folder is None or not any(folder.iterdir())


def _prune(parent: Path, keep: str) -> None:
    """Remove folders of other versions that were not used for long."""
    oldest = time.time() - KEPT_SECONDS
    for folder in parent.glob("*-numba*-py*"):
        try:
            if folder.name != keep and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # somebody else is removing it
