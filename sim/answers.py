"""How a decision's machine code gives its answer: in a register, with the status beside it.

Numba's functions leave their result in memory and return only a status. An engine, which asks at every turn, would wait for the memory. So
each compiled function of one view gets a second entry that returns both in registers, with the function itself inlined into it. Where the
function raised, the answer is FAULT, which no game allows: an engine that finds an answer illegal looks at the status, and only then. It
takes the place of the entry for C callers, which Numba makes for every function and which nobody here calls.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from llvmlite import ir
from numba import types
from numba.core import lowering
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

FAULT = -(1 << 63)
"""The answer of a function that raised."""

NOT_SHORT = -1
"""What the first part of a decision answers when the second is to be asked; no game's answer. See in_parts()."""


def in_parts(first, second):
    """Mark a function that asks ``first`` and, when that answers NOT_SHORT, ``second``: its entry for engines then jumps to the second.

    A function that calls another must save registers before it knows whether it will. One whose first part is short, and mostly enough,
    spends more on that than on its answer.
    """

    def mark(function):
        function.answer_parts = first, second
        return function

    return mark


def entry_type(context, record):
    """The type of the second entry: (view, place for an exception) -> (answer, status)."""
    plain = context.call_conv.get_function_type(types.int64, (record,))
    _, exception, view = plain.args
    return ir.FunctionType(ir.LiteralStructType([ir.IntType(64), plain.return_type]), [view, exception])


class _Lower(lowering.Lower):
    """Numba's step from types to machine code, but for that second entry."""

    def create_cfunc_wrapper(self):
        described = self.fndesc
        if len(described.argtypes) != 1 or not isinstance(described.argtypes[0], types.Record):
            return
        first, second = described, None
        parts = getattr(self.func_ir.func_id.func, "answer_parts", None)
        if parts is not None:
            first, second = (self.compiled_part(part) for part in parts)
        module = self.context.create_module("answer")
        entry = ir.Function(module, entry_type(self.context, described.argtypes[0]), described.llvm_cfunc_wrapper_name)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        both = self.call_plain(builder, module, entry, first)
        if second is not None:
            rest = ir.Function(module, entry.function_type, second.llvm_cfunc_wrapper_name)
            not_short = ir.Constant(ir.IntType(64), NOT_SHORT)
            with builder.if_then(builder.icmp_signed("==", builder.extract_value(both, 0), not_short)):
                builder.ret(builder.call(rest, entry.args, tail=True))
        builder.ret(both)
        self.library.add_ir_module(module)

    def compiled_part(self, dispatcher):
        """A part of a decision, compiled for the same view and linked with the whole."""
        dispatcher.compile(self.fndesc.argtypes)
        compiled = dispatcher.overloads[self.fndesc.argtypes]
        self.library.add_linking_library(compiled.library)
        return compiled.fndesc

    def call_plain(self, builder, module, entry, described):
        """Call a function in Numba's way, put into this one; the answer and the status."""
        kind = self.context.call_conv.get_function_type(described.restype, described.argtypes)
        plain = ir.Function(module, kind, described.llvm_func_name)
        result = builder.alloca(kind.args[0].pointee)
        status = builder.call(plain, [result, entry.args[1], entry.args[0]], attrs=("alwaysinline",))
        both = ir.Constant(entry.function_type.return_type, (ir.Constant(ir.IntType(64), FAULT), ir.Constant(status.type, 0)))
        if isinstance(described.restype, types.Integer) and described.restype.bitwidth == 64:  # a function that only raises has no answer
            fine = builder.icmp_unsigned("==", status, ir.Constant(status.type, 0))
            answer = builder.select(fine, builder.load(result), ir.Constant(ir.IntType(64), FAULT))
            both = builder.insert_value(both, answer, 0)
        return builder.insert_value(both, status, 1)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):
    _name = "answer_lowering"

    @property
    def lowering_class(self):
        return _Lower


class AnswerCompiler(CompilerBase):
    """Numba's compiler, but for the entry of functions of a view."""

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_Lowering if step is NativeLowering else step, text) for step, text in passes.passes]
        passes._finalized = False
        passes.finalize()
        return [passes]
