"""Compiles rules as parts of the kernels that call them: one pass over all the code of a kernel.

Numba makes a library of each function: with entry points for Python and for C, with the code of every function that it
calls, optimised and translated to machine code. What lies deep is so translated again at each level above it, and the
rules have twenty levels. Here a rule is lowered to LLVM's code and kept as such; a kernel takes all those that it leads
to, each once, and is optimised and translated as a whole. That takes about a third of the time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

# Numba numbers functions, and the types of records among their arguments, from 1 in each process. So rules in kernels
# of the cache that come from two processes could have one name, and the code of the first that is loaded ran for both.
FunctionIdentity._unique_ids = iter(lambda: secrets.randbits(63), -1)  # type: ignore[assignment]


class _Part(JITCodeLibrary):
    """The code of one rule. Nothing of it is optimised or translated here."""

    def finalize(self) -> None:
        """Close the library."""
        self._finalized = True


class _Whole(JITCodeLibrary):
    """The code of a kernel, with that of all rules that it leads to."""

    def add_linking_library(self, library: Any) -> None:
        """Take a library, and for a rule all those below it."""
        for one in _below(library, set(self._linking_libraries)):
            super().add_linking_library(one)


def _below(library: Any, known: set[Any]) -> Iterator[Any]:
    """A library and all those that it leads to through rules, without those that are known."""
    if library in known:
        return
    known.add(library)
    yield library
    if isinstance(library, _Part):
        for one in library._linking_libraries:
            yield from _below(one, known)


def _library(state: Any, kind: type[JITCodeLibrary]) -> None:
    state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    """Lowers a rule, for other functions to call."""

    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        """Make the library, and make it known under a builtin method of an object of its own, as no entry point is."""
        _library(state, _Part)
        state.flags.no_compile = True
        super().run_pass(state)
        state["cr"] = state["cr"]._replace(cfunc=object().__sizeof__)
        state.targetctx.insert_user_function(state["cr"].cfunc, state["cr"].fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):
    """Lowers and compiles a kernel."""

    _name = "lower_whole"

    def run_pass(self, state: Any) -> bool:
        """Make the library."""
        _library(state, _Whole)
        found: bool = super().run_pass(state)
        return found


def _with(lowering: type[NativeLowering]) -> type[CompilerBase]:
    """Numba's compiler with another pass for lowering."""

    class Compiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            manager.passes = [
                (lowering, words) if step is NativeLowering else (step, words) for step, words in manager.passes
            ]
            manager.finalize()
            return [manager]

    return Compiler


Part, Whole = _with(_LowerPart), _with(_LowerWhole)
"""The compilers of a rule that others call, and of what Python calls."""
