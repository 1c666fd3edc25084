"""Decorators that compile the rules, in one place, so that the cache can never be stale.

Only the few `kernel` functions are cached (`compile_cache.py`), in a folder named after a hash of every compiled source
file, and of those beside the kernel where it lies in another folder (bots), and after a hash of the options they are
compiled with and of the versions. With ``NUMBA_DISABLE_JIT=1`` the same code runs as plain Python, in a debugger.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numba.extending
import numpy as np
from numba import types
from numba.core import config as _config
from numba.np.arrayobj import np_cfarray

from rc_env.compile_cache import VERSIONS, KernelCache
from rc_env.linking import Part, Whole

from .edition import FULL

P = ParamSpec("P")
R = TypeVar("R")

settings: Any = _config  # Numba sets its options by name, which type checkers cannot see
SOLO_FIELD = "solo"
"""The field that RULES of the solo game have, and others do not."""
_ROOT = Path(__file__).resolve().parent
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_SETTINGS = [  # what the environment (NUMBA_OPT, NUMBA_BOUNDSCHECK ...) changes in compiled code
    "BOUNDSCHECK", "CPU_FEATURES", "CPU_NAME", "DEBUG_ARRAY_OPT_RUNTIME", "DEBUG_NRT", "DEBUGINFO_DEFAULT",
    "DISABLE_INTEL_SVML", "ENABLE_AVX", "ENABLE_PROFILING", "EXTEND_VARIABLE_LIFETIMES", "JIT_COVERAGE",
    "LLVM_REFPRUNE_FLAGS", "LLVM_REFPRUNE_PASS", "LOOP_VECTORIZE", "NRT_STATS", "OPT", "SLP_VECTORIZE",
]  # fmt: skip


def sources_hash(home: Path = _ROOT) -> str:
    """First 16 hex digits of a SHA-256 over the contents of `sources(home)`."""
    digest = hashlib.sha256(str(FULL).encode())
    for path in sources(home):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def sources(home: Path = _ROOT) -> list[Path]:
    """Every file that a kernel in the folder `home` may be compiled from, in a fixed order.

    These are this package's kernels, rules and layout, for a kernel in another folder all files beside it, and for
    records the words that they are written with. Only the names of files count, so that the hash is the same whether
    bots are installed in this package's folder or linked to.
    """
    shared = [path for name in ("rules", "layout") for path in (_ROOT / name).rglob("*.py")]
    folders = [] if home == _ROOT else [home]
    if home == _ROOT / "record":
        folders.append(_ROOT / "words")  # the words that records are written with
    beside = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return [*(_ROOT / name for name in ("edition.py", "jit.py", "kernels.py", "linking.py")), *sorted(shared), *beside]


def options_hash() -> str:
    """First 8 hex digits of a SHA-256 over the options of compilation, Numba's settings, and the versions used."""
    chosen = {name: str(getattr(settings, name, None)) for name in _SETTINGS}
    return hashlib.sha256(repr((sorted(_OPTIONS.items()), chosen, VERSIONS)).encode()).hexdigest()[:8]


@cache
def cache_name(home: Path = _ROOT) -> str:
    """The folder's name in the cache of compiled kernels: hashes of their sources, and of options and versions."""
    return f"{sources_hash(home)}-{options_hash()}"


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a function of the rules: compiled as part of the kernel that calls it, never cached by itself."""
    return _as_part(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a rule whose code is always put in place of its call: the compiler does not choose."""
    return _as_part(function, forceinline=True)


def fused(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a rule of sums of products, where a product and its sum may be one step, and are rounded once."""
    return _as_part(function, fastmath={"contract"})


def solo_rule(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a rule of the solo game, which takes RULES first. It is compiled for those of the solo game only; with
    those of other games, in which nothing calls it, it would return 0."""
    return _as_part(function, solo=True)


def _as_part(function: Callable[P, R], solo: bool = False, **options: Any) -> Any:
    """A rule for compiled callers, who take it as a part of their own code, and for Python, which tests do.

    Whole numbers of every width, and those written in the code, are handed to it as 64 bits. Numba compiles a function
    anew for each combination of the types of its arguments, and a number that is written in a call is a type of its
    own: there were 28 copies of `points.push`, which took a quarter of the time of compilation.
    """
    whole: Any = numba.njit(pipeline_class=Whole, **options, **_OPTIONS)(function)
    if settings.DISABLE_JIT:
        return whole
    apart: dict[str, Any] = {**_OPTIONS, **options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    as_part: Any = numba.njit(pipeline_class=Part, **apart)
    part, nothing = as_part(function), as_part(lambda *_: 0)

    def chosen(args: Any) -> Any:
        rules: Any = args[0]
        fields = rules.fields if isinstance(rules, types.Record) else rules[0].fields  # `nothing` takes a tuple of all
        return part if SOLO_FIELD in fields else nothing

    whole.get_call_template = lambda args, kws: (chosen(args) if solo else part).get_call_template(
        tuple(map(_wide, args)), kws
    )
    whole.get_overload = lambda args: (chosen(args) if solo else part).get_overload(args)
    return whole


def _wide(kind: Any) -> Any:
    """The type of 64 bits in the place of a type of whole numbers; any other as it is."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.IntEnumMember):
        return types.int64
    if isinstance(kind, types.Integer):
        return types.uint64 if kind in types.unsigned_domain else types.int64
    return kind


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates an entry point, called from Python with whole batches: compiled once, cached on disk."""
    dispatcher = numba.njit(pipeline_class=Whole, **_OPTIONS)(function)
    if not settings.DISABLE_JIT:
        home = Path(function.__code__.co_filename).resolve().parent
        rules = "the rules of the full game (about a minute)" if FULL else "the rules of the base game (half a minute)"
        what = rules if home == _ROOT else f"the code of {home.name} (less than a minute)"
        dispatcher._cache = KernelCache(function, cache_name(home), what)
    return dispatcher


if settings.DISABLE_JIT:

    def at(address: Any, shape: Any, dtype: Any) -> np.ndarray:
        """The array of this shape and dtype, C-contiguous, at an address in memory."""
        if not address:
            shape = 0
        found: np.ndarray = numba.carray(ctypes.c_void_p(int(address) or 1), shape, dtype)
        return found.view(np.recarray) if found.dtype.names else found

else:

    @numba.extending.intrinsic
    def at(_: Any, address: Any, shape: Any, dtype: Any) -> Any:
        """The array of this shape and dtype, C-contiguous, at an address in memory."""
        dimensions = 1 if isinstance(shape, types.Integer) else len(shape)
        found = types.Array(dtype.dtype, dimensions, "C")

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], context.get_value_type(types.voidptr))
            return np_cfarray(context, builder, found(types.voidptr, shape), (pointer, args[1]))

        return found(address, shape, dtype), code


class Direct:
    """A kernel for arguments of the same types in every call: they are looked at in the first one alone.

    Attributes:
        kernel: as decorated.
        call: calls it. Arrays have to be C-contiguous, and of the dtypes and dimensions of the first call: nothing
            looks at them again.
    """

    __slots__ = ("call", "kernel")

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self.kernel: Any = kernel
        self.call: Callable[..., Any] = kernel if settings.DISABLE_JIT else self._first

    def _first(self, *args: Any) -> Any:
        self.call = self.kernel.compile(tuple(map(numba.typeof, args)))
        return self.call(*args)


_KNOWN: dict[tuple[Any, ...], np.dtype[Any]] = {}


def records(array: np.ndarray) -> np.ndarray:
    """A record array as the kernels take it: plain when compiled (faster to hand over), by attribute when not.

    One that is read-only is copied, since that is a type of its own to Numba, for which all would be compiled anew.
    Numba knows a type again by its dtype object, so equal ones are made the same: else it compares them field by field,
    on every call.
    """
    if settings.DISABLE_JIT:
        return array.view(np.recarray)
    plain = array.view(np.ndarray)
    if not plain.flags.writeable:
        bytes_alone = np.dtype((np.void, plain.dtype.itemsize))  # a record is copied field by field, bytes are not
        plain = plain.view(bytes_alone).copy().view(plain.dtype)
    return plain.view(_known(plain.dtype))


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray:
    """An array of records as `records` gives it, for kernels to write all of it."""
    if settings.DISABLE_JIT:  # plain Python copies a record field by field: what lies between is 0 in all of them
        return np.zeros(count, dtype).view(np.recarray)
    return np.ndarray(count, _known(dtype), np.empty(count * dtype.itemsize, np.uint8))  # much faster than np.empty


def _known(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The one of the equal dtypes of records that kernels are called with."""
    return _KNOWN.setdefault((dtype.names, dtype.itemsize), dtype)  # both builds have records of the same names
