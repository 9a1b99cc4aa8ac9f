"""The one way in which this house compiles its kernels.

``kernel`` is Numba's ``njit`` with the cache on, the GIL released, and reference counting off: kernels allocate nothing, and the
atomic counts that Numba keeps for array arguments cost a third of a hand of Tres y Dos when they stay on.
No signature is given, so importing a module compiles nothing.
"""

from collections.abc import Callable
from typing import Any

import numba

from sim.cache import cache_folder


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on first use, keeping the machine code in this version's cache folder."""
    folder = cache_folder()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)  # read while decorating; other users of Numba are left alone
    try:
        return numba.njit(cache=folder is not None, nogil=True, _nrt=False)(function)
    finally:
        numba.config.CACHE_DIR = before
