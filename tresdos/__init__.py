"""tresdos: Monte Carlo strategy analysis for card games.

Names are imported when they are first used, so that ``import tresdos`` alone loads no compiler, no pandas and no
Matplotlib.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

PUBLIC = {
    # questions
    "simulate": "tresdos.api:simulate",
    "compare": "tresdos.api:compare",
    "variants": "tresdos.api:variants",
    "trace": "tresdos.api:trace",
    "Answer": "tresdos.api:Answer",
    # strategies of one's own
    "Strategy": "sim.strategy:Strategy",
    "Parameter": "sim.strategy:Parameter",
    "memory": "sim.view:memory",
    "table": "sim.view:table",
    "random_below": "sim.rng:view_below",
    "random_word": "sim.rng:view_word",
    # counted ranks: four bits a rank
    "count_of": "sim.bits:count_of",
    "rank_bit": "sim.bits:rank_bit",
    "rank_of": "sim.bits:rank_of",
    "total": "sim.bits:total",
    "at_least_1": "sim.bits:at_least_1",
    "exactly_1": "sim.bits:exactly_1",
    "exactly_2": "sim.bits:exactly_2",
    "exactly_3": "sim.bits:exactly_3",
    "exactly_4": "sim.bits:exactly_4",
    # bits of a word
    "popcount": "sim.bits:popcount",
    "lowest": "sim.bits:lowest",
    "highest": "sim.bits:highest",
    "lowest_bit": "sim.bits:lowest_bit",
    # what a game's views mean
    "tres_y_dos": "sim.games.tres_y_dos.view",
    "pusoy_dos": "sim.games.pusoy_dos.plays",
    # by name
    "find_game": "sim.game:find_game",
    "load_player": "strategies.loader:load_player",
    "load_lineup": "strategies.loader:load_lineup",
    # errors
    "UsageError": "sim.errors:UsageError",
    "RunError": "sim.errors:RunError",
    "__version__": "sim.version:__version__",
}
"""Where each public name lives: ``module:attribute``, or a module."""

PACKAGES = ("sim", "strategies", "analysis", "reports")
"""The packages beside this one that it is made of."""

__all__ = sorted(PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        from sim.rules import nearest

        raise AttributeError(f"module 'tresdos' has no attribute '{name}'{nearest(name, list(PUBLIC))}")
    module, _, attribute = PUBLIC[name].partition(":")
    value: Any = importlib.import_module(module)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})


def _refuse_hidden_packages() -> None:
    """Raise ImportError when somebody else's module or folder stands in the way of one of our packages."""
    home = Path(__file__).resolve().parent.parent
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise ImportError(f"tresdos needs its package '{package}', which should lie in {home} and does not: install tresdos anew")
        place = Path(spec.origin) if spec.origin is not None else Path(next(iter(spec.submodule_search_locations or ()), ""))
        folder = place.parent if spec.submodule_search_locations is not None and spec.origin is not None else place
        if folder.resolve() != home / package:
            raise ImportError(f"{place} hides the package '{package}' that tresdos needs: rename it, or keep it out of Python's path")


_refuse_hidden_packages()
