"""Argument checks: each refuses a wrong value in one sentence that names it, the value, and what it has to be.

Every check raises ValueError, whether the type or the value is wrong, and returns the value in the form that the caller
goes on with.
"""

from __future__ import annotations

import difflib
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

SEEDS = "2^64 - 1"
_LONGEST = 160  # the most characters of a value that a sentence quotes
_Kind = TypeVar("_Kind")


def shown(value: object) -> str:
    """A value in one short line: an array as its dtype, shape and extremes; anything else as its repr."""
    if isinstance(value, np.ndarray) and value.ndim:
        dtype = str(value.dtype) if value.dtype.names is None else "record"
        words = f"{'an' if dtype[0] in 'io' else 'a'} {dtype} array of shape {value.shape}"
        return f"{words} with {value.min()} to {value.max()}" if value.size and value.dtype.kind in "iu" else words
    if isinstance(value, np.void) and value.dtype.names is not None:
        return f"a record of {value.itemsize} bytes"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST:
        return f"a whole number of {value.bit_length()} bits"
    try:
        words = repr(value)
    except Exception as error:  # a class of a caller's own, or a list that holds one
        if by_signal(error):
            raise
        words = f"an object of {type(value).__name__}"
    return cut(" ".join(words.split()))


def cut(words: str) -> str:
    """Words of a sentence, cut off where they are too many to read."""
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} …"


def spelled_out(text: str) -> str:
    """The text in one line: each character that cannot be printed is spelled out, as in a string of Python."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def by_signal(error: BaseException) -> bool:
    """Whether the handler of a signal raised this exception, as a time limit does: no value is to blame for it.

    Python runs handlers between any two steps, so that whoever catches every exception of a value, a file or a bot
    catches theirs as well, and has to ask.
    """
    handlers = set()
    for number in signal.valid_signals():
        handler: Any = signal.getsignal(number)
        while hasattr(handler, "func"):  # functools.partial
            handler = handler.func
        if callable(handler):
            handlers.add(getattr(handler, "__code__", None) or getattr(type(handler).__call__, "__code__", None))
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code in handlers:
            return True
        trace = trace.tb_next
    return False


def refuse(name: str, value: object, expected: str) -> NoReturn:
    """Raise the ValueError for a wrong value.

    Raises:
        ValueError: always.
    """
    what, colon, why = expected.partition(": ")
    raise ValueError(f"{name} must be {what}, not {shown(value)}{colon}{why}")


@contextmanager
def reading(name: str, expected: str) -> Iterator[None]:
    """Context manager for reading a value that may hold anything: every exception becomes a refusal of that value.

    Raises:
        ValueError: the value cannot be read.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # numbers that do not fit together lead anywhere
        if by_signal(error):
            raise
        why = f"{type(error).__name__}: {shown(str(error))}"
        raise ValueError(f"{name} does not hold together ({why}): it must be {expected}") from error


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return a whole number of Python or NumPy (bools excluded) from `low` to `high` as an int.

    Raises:
        ValueError: it is not a whole number, or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low or _above(value, high):
        refuse(
            name, value, f"a whole number of at least {low}" if high is None else f"a whole number {_range(low, high)}"
        )
    return int(value)


def _above(value: int | np.integer[Any], high: int | None) -> bool:
    return high is not None and int(value) > high


def _range(low: int, high: int) -> str:
    return f"from {low} to {SEEDS if high == 2**64 - 1 else high}"


def seed(name: str, value: object) -> int:
    """Return a seed, a whole number from 0 to 2^64 - 1, as an int.

    Raises:
        ValueError: it is not a whole number, or out of range.
    """
    return whole_number(name, value, 0, 2**64 - 1)


def number(name: str, value: object, low: float, high: float) -> float:
    """Return a finite number of Python or NumPy (bools excluded) from `low` to `high` as a float.

    Raises:
        ValueError: it is not a finite number, or out of range.
    """
    numeric = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not numeric or not low <= value <= high or not isfinite(value):  # type: ignore[operator, arg-type]
        refuse(name, value, f"a number from {low:.10g} to {high:.10g}")
    return float(value)  # type: ignore[arg-type]


def flag(name: str, value: object) -> bool:
    """Return True or False of Python or NumPy as a bool.

    Raises:
        ValueError: it is not a bool.
    """
    if not isinstance(value, bool | np.bool_):
        refuse(name, value, "True or False")
    return bool(value)


def repeated(values: Iterable[Any]) -> Any:
    """The first value that equals an earlier one, in one pass; None if there is none."""
    seen = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def choice(known: Iterable[object]) -> str:
    """Several words, of which one is to be chosen: "a", "a or b", "a, b or c"."""
    *others, last = map(str, known)
    return f"{', '.join(others)} or {last}" if others else last


def unknown(
    name: str, value: object, known: Iterable[object], more: str = "", show: Callable[[Any], str] = shown
) -> str:
    """The sentence about a word that is none of those that are known, with the one that was perhaps meant.

    Args:
        name: what the word stands for.
        value: the word, or anything else.
        known: the words.
        more: what else may stand there, after the words.
        show: a function that quotes the value.

    Example:
        >>> from rc_env import checks
        >>> checks.unknown("die", "wite", ["red", "blue", "white"])
        "unknown die 'wite': did you mean white? Otherwise choose red, blue or white"
    """
    words = list(map(str, known))
    near = difflib.get_close_matches(value[:_LONGEST], words, 1) if isinstance(value, str) else []
    meant = f"did you mean {near[0]}? Otherwise " if near and len(words) > 2 else ""
    return f"unknown {name} {show(value)}: {meant}choose {choice(words)}{more}"


def one_of(name: str, value: object, known: Collection[str]) -> str:
    """Return the value if it is one of several words.

    Raises:
        ValueError: it is not one of them.
    """
    if not isinstance(value, str) or value not in known:
        raise ValueError(unknown(name, value, known))
    return value


def path(name: str, value: object, expected: str = "a path") -> str:
    """Return the path of a file or folder as text.

    Raises:
        ValueError: it is not a path, is empty, or holds a null character.
    """
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text:
        refuse(name, value, expected)
    try:
        os.fsencode(text)
    except UnicodeEncodeError:  # a lone surrogate
        refuse(name, value, expected)
    return text


def instance(name: str, value: object, kind: type[_Kind], expected: str) -> _Kind:
    """Return the value if it is an instance of a class; `expected` says in words what that is and how to get one.

    Raises:
        ValueError: it is not an instance of the class.
    """
    if not isinstance(value, kind):
        refuse(name, value, expected)
    return value


def sequence(name: str, values: object, expected: str) -> list[Any]:
    """Return an iterable as a list; text does not count as one.

    Raises:
        ValueError: the value is not iterable, or is text.
    """
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        return list(values)  # type: ignore[call-overload]
    except TypeError:
        refuse(name, values, expected)


def array(name: str, values: object, expected: str) -> NDArray[Any]:
    """Return the value as a NumPy array of any shape and dtype.

    Raises:
        ValueError: it cannot be converted, for instance because its rows have different lengths.
    """
    try:
        return np.asarray(values)
    except Exception as error:  # an object of a caller's own may raise anything
        if by_signal(error):
            raise
        refuse(name, values, expected)


def whole_numbers(
    name: str, values: object, shape: tuple[int, ...], low: int, high: int, what: str = "whole numbers"
) -> NDArray[np.int64]:
    """An array of whole numbers of any width from `low` to `high`, or a list of them, as int64.

    Raises:
        ValueError: it has another shape or type, or one of the numbers is out of range.
    """
    expected = f"{what} from {low} to {high} of shape {shape}"
    found = array(name, values, expected)
    wrong = found.shape != shape or (found.dtype.kind not in "iu" and found.size)  # an empty list is one of floats
    if wrong or (found.size and (int(found.min()) < low or int(found.max()) > high)):
        refuse(name, found, expected)
    return found.astype(np.int64)


def are_numbers(array: np.ndarray) -> bool:
    """Whether an array holds whole numbers, or is empty: an empty list becomes an array of floats."""
    return array.dtype.kind in "iu" or (array.dtype.kind == "f" and not array.size)


def row_numbers(name: str, rows: object, count: int) -> NDArray[np.int64]:
    """Return row numbers of an engine of `count` games as (N,) int64. One pass, since this runs for every bot call.

    Raises:
        ValueError: not whole numbers, or a row that is not there.
    """
    expected = f"row numbers from 0 to {count - 1}"
    which = np.atleast_1d(array(name, rows, expected))
    if which.ndim != 1 or not are_numbers(which):
        refuse(name, which, expected)
    which = np.ascontiguousarray(which, np.int64)
    if which.size and which.view(np.uint64).max() >= count:  # a number below 0 is a very high one there
        wrong = which[(which < 0) | (which >= count)][0]
        raise ValueError(f"{name} holds row {wrong}, but the rows are 0 to {count - 1}")
    return which


def plain(array: np.ndarray) -> np.ndarray:
    """Return an array as compiled code takes it: C-contiguous, aligned, writeable, a plain ndarray; copied if
    necessary.

    Numba compiles a function again for each kind of array that it is called with.
    """
    return np.require(array, requirements=("C", "A", "W", "E"))


def target(name: str, value: object, shape: tuple[int, ...], dtypes: Iterable[np.dtype[Any]]) -> NDArray[Any]:
    """Return an array that compiled code can write to: of this shape and one of these dtypes, C-contiguous.

    Raises:
        ValueError: the array does not fit.
    """
    known = tuple(dtypes)
    fits = isinstance(value, np.ndarray) and value.shape == shape and value.dtype in known
    if fits and value.flags.carray:  # type: ignore[attr-defined]
        return value  # type: ignore[return-value]
    # Said last, since the words for types take longer than a step of one game.
    words = " or ".join(str(dtype) if dtype.names is None else "record" for dtype in known)
    expected = f"a writeable C-contiguous {words} array of shape {shape}"
    if not fits:
        refuse(name, value, expected)
    kinds = (("c_contiguous", "that is not contiguous"), ("aligned", "that is not aligned"), ("writeable", "read-only"))
    wrong = next(wrong for kind, wrong in kinds if not getattr(value.flags, kind))  # type: ignore[attr-defined]
    raise ValueError(f"{name} must be {expected}, not one {wrong}")
