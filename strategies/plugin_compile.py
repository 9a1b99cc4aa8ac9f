"""Other people's decision functions, compiled with every index checked.

Without the check an index past the end of one seat's memory would write into the next seat's. Compiled are copies: the
functions that the user wrote stay the plain Python that his ``tables`` and ``check`` may call.
"""

from __future__ import annotations

import dataclasses
import dis
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from sim.errors import UsageError
from sim.game import Game
from sim.rules import nearest
from sim.strategy import Strategy
from strategies.plugin_files import one_line

LONGEST = 240
"""Characters of a compiler's message worth showing."""

UNSIGNED = (
    "a name that holds an unsigned number, such as a count of cards, at one place and a signed one at another becomes "
    "a fraction: write np.int64(...) around the first"
)

HOUSE = frozenset({"sim", "strategies"})
"""Packages whose compiled functions are known to stay within bounds."""


@dataclass(frozen=True)
class Failure:
    """What is wrong with a decision, and where."""

    reason: str
    file: str
    line: int


def compile_strategy(game: Game, strategy: Strategy, place: str, file: str | None = None) -> Strategy:
    """A strategy whose decisions are compiled for a game's views, with every index checked.

    Parameters
    ----------
    game : Game
    strategy : Strategy
        With plain or jitted decision functions.
    place : str
        The file (as the user typed it) or the package it comes from, for messages and as its origin.
    file : str, optional
        The full path of that file.

    Returns
    -------
    Strategy
        A copy. Where Numba is switched off its functions stay plain.

    Raises
    ------
    UsageError
        For a decision that the game does not have, that is no function of one argument, that cannot be compiled, or
        that does not give a whole number.
    """
    known = [decision.name for decision in game.decisions]
    compilers: dict[str, Compiler] = {}
    decisions = {}
    for kind, function in strategy.decisions.items():
        if kind not in known:
            hint = nearest(kind, known)
            has = f"{game.name} has no decision '{kind}'{hint}; it has {', '.join(known)}"
            raise UsageError(f"{place}: strategy {strategy.name}: {has}")
        plain = getattr(function, "py_func", function)
        if not isinstance(plain, FunctionType):
            wrong = f"decision {kind} is of type {type(plain).__name__}; it must be a plain function (view) -> int"
            raise UsageError(f"{place}: strategy {strategy.name}: {wrong}")
        home = (plain.__module__ or "").partition(".")[0]
        decisions[kind], failure = _compile(game, function, compilers.setdefault(home, Compiler(home)))
        if failure is not None:
            where = place if failure.file == file else f"{place}: {failure.file}"
            what = kind if plain.__name__ == kind else f"{kind} ({plain.__name__})"
            raise UsageError(f"{where}, line {failure.line}: strategy {strategy.name}: {what} {failure.reason}")
    return dataclasses.replace(strategy, decisions=decisions, origin=place)


def _compile(game: Game, function: Any, compiler: Compiler) -> tuple[Any, Failure | None]:
    """Compile one decision now, so that what is wrong with it is said before anything is played."""
    from sim.decide import COMPILED, address, record_type

    plain = getattr(function, "py_func", function)
    here = plain.__code__
    arguments = [parameter.kind for parameter in inspect.signature(plain).parameters.values()]
    if arguments not in ([inspect.Parameter.POSITIONAL_ONLY], [inspect.Parameter.POSITIONAL_OR_KEYWORD]):
        reason = f"must take exactly one argument, the view; it is {plain.__name__}{inspect.signature(plain)}"
        return function, Failure(reason, here.co_filename, here.co_firstlineno)
    if not COMPILED or (compiler.home in HOUSE and function is not plain):
        return function, None
    compiled = compiler.compile(function)
    try:
        address(compiled, game.view_dtype)
        return compiled, _wrong_answer(compiled.overloads[(record_type(game.view_dtype),)], here)
    except Exception as error:  # the compiler also fails with errors that are not its own
        return function, _gist(error, game, [here, *compiler.codes])


class Compiler:
    """Compiles functions of one package together with the functions of that package that they call.

    Parameters
    ----------
    home : str
        The top-level name of the package: what lies outside is left as it is.
    """

    def __init__(self, home: str) -> None:
        self.home = home
        self.codes: list[CodeType] = []  # of all that was compiled
        self._made: dict[int, tuple[Any, Any]] = {}  # by id of the original: (original, compiled)
        self._scopes: dict[int, tuple[Any, ModuleType]] = {}  # by id of a module's dictionary: (dictionary, stand-in)
        self._bound: set[tuple[int, int]] = set()

    def compile(self, function: Any) -> Any:
        """A checked dispatcher for a plain or jitted function."""
        import numba

        from sim.answers import AnswerCompiler

        if id(function) in self._made:
            return self._made[id(function)][1]
        plain = getattr(function, "py_func", function)
        options = dict(getattr(function, "targetoptions", {"nopython": True}))
        scope = self._scope(plain.__globals__)
        cells = tuple(CellType(cell.cell_contents) for cell in plain.__closure__ or ())
        copy = FunctionType(plain.__code__, vars(scope), plain.__name__, plain.__defaults__, cells)
        copy.__kwdefaults__ = plain.__kwdefaults__
        copy.__qualname__ = plain.__qualname__
        compiled = numba.jit(**{**options, "boundscheck": True}, pipeline_class=AnswerCompiler)(copy)
        self._made[id(function)] = (function, compiled)
        self._made[id(compiled)] = (compiled, compiled)
        self.codes.append(plain.__code__)
        for cell in cells:
            cell.cell_contents = self._replaced(cell.cell_contents)
        self._bind(plain.__code__, scope)
        return compiled

    def _scope(self, names: dict[str, Any]) -> ModuleType:
        """A stand-in for a module, in which functions give way to compiled ones as they are needed."""
        if id(names) not in self._scopes:
            stand_in = ModuleType(names.get("__name__", self.home))
            vars(stand_in).update(names)
            self._scopes[id(names)] = (names, stand_in)
            self._scopes[id(vars(stand_in))] = (vars(stand_in), stand_in)
        return self._scopes[id(names)][1]

    def _bind(self, code: CodeType, scope: ModuleType) -> None:
        """Replace what a function's code names by what compiled code can call."""
        if (id(code), id(scope)) in self._bound:
            return
        self._bound.add((id(code), id(scope)))
        for part in _nested(code):
            for name in part.co_names:
                if name in vars(scope):
                    value = vars(scope)[name] = self._replaced(vars(scope)[name])
                    if isinstance(value, ModuleType) and self._is_ours(value.__name__):
                        self._bind(code, value)  # module.function

    def _replaced(self, value: Any) -> Any:
        from numba.extending import is_jitted

        if isinstance(value, ModuleType) and self._is_ours(value.__name__):
            return self._scope(vars(value))
        plain = value.py_func if is_jitted(value) else value
        if isinstance(plain, FunctionType) and self._is_ours(plain.__module__) and not _is_known(value):
            return self.compile(value)
        return value

    def _is_ours(self, module: str | None) -> bool:
        return module is not None and module.partition(".")[0] == self.home


def _is_known(function: Any) -> bool:
    """Whether Numba has been taught a plain function already (by ``overload``)."""
    from numba.core.registry import cpu_target
    from numba.extending import is_jitted

    if is_jitted(function):
        return False
    context = cpu_target.typing_context
    context.refresh()
    try:
        return context.resolve_value_type(function) is not None
    except Exception:  # one of several, depending on the function
        return False


def _nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it (inner functions, comprehensions)."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _wrong_answer(compiled: Any, code: CodeType) -> Failure | None:
    """What is wrong with what a compiled decision returns: the compiler would cut fractions off and say nothing."""
    from numba.core import ir, types

    annotation = compiled.type_annotation
    for block in annotation.blocks.values():
        if not isinstance(block.terminator, ir.Return):
            continue
        for statement in block.body:
            if isinstance(statement, ir.Assign) and statement.target.name == block.terminator.value.name:
                value = statement.value
                if not isinstance(value, ir.Expr) or value.op != "cast":
                    continue
                kind = annotation.typemap[value.value.name]
                if not isinstance(kind, (types.Integer, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)):
                    reason = _returns(str(kind))
                    if isinstance(kind, types.Float) and not value.value.name.startswith("$"):  # a name of the user's
                        reason += f" ({UNSIGNED})"
                    return Failure(reason, code.co_filename, statement.loc.line)
    return None


def _returns(kind: str) -> str:
    """The words for a decision that does not give a whole number."""
    if kind.startswith("float"):
        return f"returns a number with a fraction ({kind}); it must return a whole number: write int(...)"
    if kind == "none" or kind.startswith("Optional"):
        return "returns None, at least on one of its ways; it must return a whole number on each"
    words = "a tuple" if re.match(r"(Uni)?Tuple", kind) else "text" if "str" in kind or "unicode" in kind else kind
    return f"returns {words}; it must return a whole number or a bool"


def _gist(error: Exception, game: Game, codes: list[CodeType]) -> Failure:
    """The gist of a compiler's message, and the innermost line of the user's own code that it names."""
    from sim.decide import record_type

    names = game.view_dtype.names or ()
    start = (codes[0].co_filename, codes[0].co_firstlineno)
    if isinstance(error, KeyError) and error.args and error.args[0] not in names:  # how the compiler takes an unknown field
        name = str(error.args[0])
        fields = [field for field in names if not field.startswith(("random_", "memory_", "table_"))]
        reason = f"asks for view.{name}, which the view does not have{nearest(name, fields)}"
        return Failure(reason, *(_place_of(name, codes) or start))
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).replace(str(record_type(game.view_dtype)), "view")
    reason = _reason(text) or one_line(error)
    place = _innermost(text, {code.co_filename for code in codes})
    named = re.findall(r"'(\w+)'", reason)
    if place is None and named:
        place = _place_of(named[-1], codes)
    returned = re.search(r"No conversion from (.+?) to int64 for '\$\d+return", text)
    if returned:
        return Failure(_returns(returned[1]), *(place or start))
    if isinstance(error, AttributeError):
        reason = f"AttributeError: {reason}"
    return Failure(f"does not compile: {reason}", *(place or start))


def _reason(text: str) -> str:
    """The one line of a compiler's message that says what is wrong."""
    specific = re.search(r"raised a specific error:\s*\n\s*(.+)", text)
    signature = re.search(r"No implementation of function .+ found for signature:\s*>>> (.+)", text)
    bitwise = re.search(r"All arguments must be Sets, got (.+)", text)
    if bitwise:
        reason = f"there is no &, | or ^ of {bitwise[1].strip()}"
    elif specific:
        reason = specific[1].removeprefix("TypingError: ")
    elif signature:
        reason = f"there is no {signature[1].strip()}"
    elif "(IMPORT_NAME)" in text:
        return "imports inside it: put the import at the top of the file"
    else:
        lines = [line.strip() for line in text.splitlines()]
        reason = next((line for line in lines if line and not line.startswith(("Failed in", "During:", "File "))), "")
    reason = re.sub(r"\.* Raised from .*", "", reason)
    if len(reason) > LONGEST:
        reason = reason[: LONGEST - 1] + "…"
    return f"{reason} ({UNSIGNED})" if "float64" in reason and (bitwise or specific or signature) else reason


def _innermost(text: str, files: set[str]) -> tuple[str, int] | None:
    """The first place in the user's files that a compiler's message names: it begins with the innermost."""
    own = {str(Path(file).resolve()): file for file in files}
    for found in re.finditer(r'File "([^"\n]+)", line (\d+)|(?:at|from) (\S[^\n]*?) \((\d+)\)', text):
        file = own.get(str(Path(found[1] or found[3]).resolve()))
        if file is not None:
            return file, int(found[2] or found[4])
    return None


def _place_of(name: str, codes: list[CodeType]) -> tuple[str, int] | None:
    """The first place at which one of the functions uses a name, as an attribute or by itself."""
    for code in codes:
        for part in _nested(code):
            for instruction in dis.get_instructions(part):
                line = instruction.positions.lineno if instruction.positions is not None else None
                if line is not None and instruction.opname.startswith(("LOAD_", "STORE_")) and instruction.argval == name:
                    return code.co_filename, line
    return None
