"""Files that are whole or not there at all, whenever the program that writes them is killed; and digests by which damage is noticed."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

UNFINISHED = ".part"
"""Ending of a file that is being written; whoever finds one may remove it."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: until it is whole, the old one (or none) stands."""
    part = path.with_name(path.name + UNFINISHED)
    part.write_bytes(data)
    publish(part, path)


def publish(part: Path, path: Path) -> None:
    """Give a finished file its name, after it has reached the disk."""
    sync(part)
    os.replace(part, path)
    if hasattr(os, "O_DIRECTORY"):  # where a folder can be opened, its new entry is brought to the disk too
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def sync(path: Path) -> None:
    """Bring what was written to a file to the disk."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def digest(path: Path) -> str:
    """SHA-256 of a file's content, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(data: bytes) -> str:
    """SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()
