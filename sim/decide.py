"""How an engine calls a strategy: by the address of its compiled code.

A decision is any Numba function (view record) -> int64. An engine gets a uint64 array of addresses ``[strategy, decision]``, so it is
compiled once for all line-ups, an address can travel inside a view (that is how a search strategy receives its inner policies), and
exceptions reach Python. Its answer comes in a register (``sim.answers``). With ``NUMBA_DISABLE_JIT=1`` the same source runs as plain
Python on lists of functions.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from functools import cache

import numpy as np
from llvmlite import ir
from numba import config, from_dtype, jit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim.answers import AnswerCompiler, entry_type

COMPILED = not config.DISABLE_JIT
"""Whether decisions are addresses of machine code (or, without the compiler, plain functions)."""


@intrinsic
def _call(typingctx, address, view):
    def codegen(context, builder, sig, args):
        kind = entry_type(context, sig.args[1])
        function = builder.inttoptr(args[0], kind.as_pointer())
        with builder.goto_entry_block():
            exception = builder.alloca(kind.args[1].pointee)
        both = builder.call(function, [builder.bitcast(args[1], kind.args[0]), exception])
        parts = [builder.extract_value(both, 0), builder.extract_value(both, 1), builder.ptrtoint(exception, ir.IntType(64))]
        return context.make_tuple(builder, sig.return_type, parts)

    return types.Tuple((types.int64, types.int32, types.uint64))(types.uint64, view), codegen


@intrinsic
def _propagate(typingctx, code, exception):
    def codegen(context, builder, sig, args):
        code, place = args
        with cgutils.if_unlikely(builder, builder.icmp_unsigned("!=", code, ir.Constant(code.type, 0))):
            exception = builder.load(builder.inttoptr(place, context.call_conv.get_function_type(types.int64, ()).args[1]))
            status = context.call_conv._get_return_status(builder, code, exception)
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.void(types.int32, types.uint64), codegen


def ask(decision, view):
    """Ask one decision of one strategy, showing it its view.

    Returns
    -------
    answer : int64
        Illegal in every game when the strategy raised.
    code, exception
        For raise_fault(), which is to be called before an answer is called illegal.
    """
    return decision(view), 0, 0


@overload(ask)
def _ask(decision, view):
    return lambda decision, view: _call(decision, view)


def raise_fault(code, exception):
    """Go on with the exception that a decision raised, if it did. Plain Python did so at once."""


@overload(raise_fault)
def _raise_fault(code, exception):
    return lambda code, exception: _propagate(code, exception)


def decide(decision, view):
    """Ask one decision of one strategy, showing it its view; whatever it raises is raised here. Returns int64."""
    return decision(view)


@overload(decide)
def _decide(decision, view):
    def asked(decision, view):
        answer, code, exception = _call(decision, view)
        _propagate(code, exception)
        return answer

    return asked


@cache
def record_type(dtype: np.dtype):
    """The Numba record type of a view dtype."""
    return from_dtype(dtype)


@cache
def _with_entry(dispatcher):
    """A dispatcher whose code has an entry for engines: itself, or a copy when Numba's own compiler would make it without."""
    if dispatcher._compiler.pipeline_class is AnswerCompiler:
        return dispatcher
    return jit(**dispatcher.targetoptions, pipeline_class=AnswerCompiler)(dispatcher.py_func)


def address(dispatcher, view_dtype: np.dtype) -> int:
    """Compile a decision function on choice, not on import, and give the address of its machine code.

    The dispatcher must be kept alive as long as the address is used; addresses differ from process to process.
    """
    record = record_type(view_dtype)
    dispatcher = _with_entry(dispatcher)
    dispatcher.compile(types.int64(record))
    compiled = dispatcher.overloads[(record,)]
    place: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
    assert place != 0, f"{dispatcher.__name__} was compiled without an entry for engines"
    return place
