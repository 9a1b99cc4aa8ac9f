"""The one way in which this house compiles its kernels.

``kernel`` is Numba's ``njit`` with the cache on, the GIL released, and reference counting off: kernels allocate nothing, and the
atomic counts that Numba keeps for array arguments cost a third of a hand of Tres y Dos when they stay on.
No signature is given, so importing a module compiles nothing.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sim.answers import AnswerCompiler
from sim.cache import cache_folder


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function on first use, keeping the machine code in this version's cache folder."""
    return _compiled(function, forceinline=False)  # said, as it would be taken over from an inlined caller


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that LLVM puts into its callers, however big it thinks it is: for the short functions of a hot loop.

    A call of one compiled function by another costs two or three nanoseconds, as much as many of these functions do.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    folder = cache_folder()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)  # read while decorating; other users of Numba are left alone
    try:
        compiled = numba.njit(cache=folder is not None, nogil=True, _nrt=False, pipeline_class=AnswerCompiler, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    _forgive_damage(compiled)
    return compiled


def _forgive_damage(compiled: Any) -> None:
    """Compile anew what a damaged file of the cache held (cut short by a full disk, say): Numba would end the run."""
    files = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if files is None:
        return
    load_index, load_data = files._load_index, files._load_data

    def index() -> Any:
        try:
            return load_index()
        except Exception:  # whatever unpickling what is no pickle raises
            return {}

    def data(name: str) -> Any:
        try:
            return load_data(name)
        except Exception as error:
            raise OSError(f"{name} is damaged") from error  # which Numba takes for a file that is not there

    files._load_index, files._load_data = index, data


@contextlib.contextmanager
def scalar_loops() -> Iterator[None]:
    """Compile what is compiled here without turning loops into vector code.

    An engine's loops run over a few seats; as vectors they cost more than they save, and hold constants in registers that must be
    loaded again after every call of a strategy. Sums over thousands of units are the opposite case and are compiled outside.
    """
    before = numba.config.LOOP_VECTORIZE
    numba.config.LOOP_VECTORIZE = 0
    try:
        yield
    finally:
        numba.config.LOOP_VECTORIZE = before


def _with_attributes(*names: str) -> Any:
    """What an intrinsic returns that only marks the function in which it is called."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        for name in names:
            builder.function.attributes.add(name)
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def _mark_rare(typingctx: Any) -> Any:
    return _with_attributes("cold", "noinline")


@intrinsic
def _mark_apart(typingctx: Any) -> Any:
    return _with_attributes("noinline")


@intrinsic
def _mark_scalar(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], side_effect=True)
        return context.get_dummy_value()

    return types.void(), codegen


def _nothing() -> None:
    pass


rare = _nothing if numba.config.DISABLE_JIT else _mark_rare
"""Said first in a kernel that is seldom called: it stays a function of its own, and its callers are laid out for the other case."""

apart = _nothing if numba.config.DISABLE_JIT else _mark_apart
"""Said first in a big kernel of which a short one is the usual way round: inlined, it would make that one save registers for nothing."""

scalar = _nothing if numba.config.DISABLE_JIT else _mark_scalar
"""Said in a short loop of a hot function, such as one over seats: it costs nothing, and keeps that loop from becoming vector code."""
