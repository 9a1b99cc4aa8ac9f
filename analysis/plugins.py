"""The users' files that take part in a question: which they are, and where each lies."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from sim.plan import Plan
from sim.store import Plugin, package_version
from strategies.loader import OTHER_FILE, PYTHON_FILE
from strategies.plugin_files import PREFIX


def strategy_files(strategies: Iterable[str]) -> list[str]:
    """Those of some strategies, as typed, that name a file: its path. Nothing is loaded."""
    found = []
    for text in strategies:
        file = PYTHON_FILE.fullmatch(text.strip()) or OTHER_FILE.fullmatch(text.strip())
        first = text.strip().partition(":")[0]
        if file is not None:
            found.append(file["path"])
        else:
            with contextlib.suppress(OSError):  # no name that a file can have
                if Path(first).is_file():
                    found.append(first)
    return list(dict.fromkeys(found))


def loaded_plugins(plan: Plan, found_at: Mapping[str, str]) -> list[Plugin]:
    """The users' files that a plan was made with: each strategy file, and after it the modules beside it that it imported.

    Parameters
    ----------
    plan : Plan
    found_at : mapping of str to str
        Strategy files that were loaded from elsewhere than where they are named.
    """
    plugins = []
    for typed in dict.fromkeys(player.prefix for arm in plan.arms for player in arm.lineup if player.prefix):
        path = Path(found_at.get(typed, typed)).expanduser().resolve()
        files = sorted(_beside(path) - {path})
        plugins += [Plugin(typed, file, file.relative_to(path.parent).as_posix()) for file in (path, *files)]
    return plugins


def strategy_packages(plan: Plan) -> dict[str, str]:
    """The installed packages from which strategies of a plan come, with their versions."""
    origins = {p.strategy.origin for arm in plan.arms for p in arm.lineup if not p.prefix and p.strategy.origin != "built in"}
    return {origin: package_version(origin) or "" for origin in sorted(origins)}


def _beside(path: Path) -> set[Path]:
    """A loaded strategy file and the files that it imported from its folder."""
    loaded = {name: getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith(PREFIX)}
    islands = {name.partition(".")[0] for name, file in loaded.items() if file == str(path)}
    return {Path(file) for name, file in loaded.items() if file is not None and name.partition(".")[0] in islands}
