"""Kinds of arguments: the values that each is attacked with, and the reasons for which some may be accepted.

What a kind does not allow has to be refused; what it allows may be refused all the same.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import LambdaType
from typing import Any

import numpy as np
from attacks import Call, Reason
from wrong import ARRAYS, FEW, SCALARS, TEXTS, Wrong


@dataclass(frozen=True)
class Kind:
    """The values that an argument is attacked with, and may accept.

    Attributes:
        values: the wrong values that the argument is attacked with.
        reason: a function of the value and the finished call: why the value may be accepted, None where it may not.
        good: a correct value, made from the place where it is given; None where the default is the correct value.
        most: a number above which a correct value may take hours: what is made up is smaller.
    """

    values: tuple[Wrong, ...]
    reason: Callable[[Any, Call], Reason]
    good: Callable[[Any], Any] | None = None
    most: float = math.inf

    def of(self, good: Any) -> Kind:
        """Return the same kind with a correct value, or a lambda that makes one."""
        return replace(self, good=good if isinstance(good, LambdaType) else lambda at: good)

    def or_none(self, why: str = "None stands for the default") -> Kind:
        """Return the same kind with None allowed."""
        return replace(self, reason=lambda value, call: why if value is None else self.reason(value, call))

    def up_to(self, most: float) -> Kind:
        """Return the same kind, with no number above `most` among the values that are made up."""
        return replace(self, most=most)

    def without(self, *names: str) -> Kind:
        """Return the same kind without the values of these names."""
        return replace(self, values=tuple(one for one in self.values if one[1] not in names))


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number and no bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _beside(below: float, above: float | None) -> tuple[Wrong, ...]:
    """Return the values beside a range: one that is just too small, and one that is just too large, if there is one."""
    beside: tuple[Wrong, ...] = (("wrong number", "a little too small", lambda good: below),)
    return beside if above is None else (*beside, ("wrong number", "a little too large", lambda good: above))


def whole(low: int, high: int = 2**64, values: tuple[Wrong, ...] = SCALARS, sharp: bool = True) -> Kind:
    """Return the kind of a whole number from `low` to `high`, above which others may be accepted if it is not sharp."""
    return Kind(
        (*_beside(low - 1, high + 1 if sharp else None), *values),
        lambda value, call: "a whole number in range" if is_whole(value) and low <= value <= high else None,
        most=math.inf if sharp else high,
    )


def number(low: float, high: float, values: tuple[Wrong, ...] = SCALARS) -> Kind:
    """Return the kind of a number from `low` to `high`."""

    def reason(value: Any, call: Call) -> Reason:
        known = is_whole(value) or isinstance(value, float | np.floating)
        return "a number in range" if known and low <= value <= high else None

    return Kind((*_beside(math.nextafter(low, -math.inf), math.nextafter(high, math.inf)), *values), reason)


def flag(values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of a switch that may be anything with a truth value, which is all that Python checks."""
    return Kind(values, lambda value, call: "a switch takes whatever is true or false, as `if` does")


def strict_flag() -> Kind:
    """Return the kind of a switch that takes True and False alone."""
    return Kind(SCALARS, lambda value, call: "True or False" if isinstance(value, bool | np.bool_) else None)


def word(*known: str, values: tuple[Wrong, ...] = (*FEW, *TEXTS)) -> Kind:
    """Return the kind of an argument that is one of some words."""
    return Kind(values, lambda value, call: "one of the words" if isinstance(value, str) and value in known else None)


def text(why: str = "any text will do", values: tuple[Wrong, ...] = (*FEW, *TEXTS)) -> Kind:
    """Return the kind of an argument that takes any text."""
    return Kind(values, lambda value, call: why if isinstance(value, str) else None)


def source(*known: str) -> Kind:
    """Return the kind of a file to read; none of the attacking values names a readable file."""
    return Kind((*FEW, *TEXTS), lambda value, call: "the name of what is shipped" if value in known else None)


def to_write() -> Kind:
    """Return the kind of a file or folder to write: whatever names one will do."""

    def reason(value: Any, call: Call) -> Reason:
        named = isinstance(value, str | os.PathLike) and bool(str(value))
        return "a file or folder of that name can be made" if named else None

    return Kind((*FEW, *TEXTS), reason)


def instance(*classes: type, values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of an object of these classes."""
    return Kind(values, lambda value, call: "an object of the class" if isinstance(value, classes) else None)


def anything(why: str, values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of an argument that takes any value as it is."""
    return Kind(values, lambda value, call: why)


def function() -> Kind:
    """Return the kind of an argument that is called."""
    return Kind(
        FEW, lambda value, call: "it is called, and what it does is the caller's own" if callable(value) else None
    )


def mapping(why: str = "other options are ignored, as Gymnasium and PettingZoo ask for") -> Kind:
    """Return the kind of an argument that is a dictionary."""
    return Kind(FEW, lambda value, call: why if isinstance(value, Mapping) else None).or_none()


def _as_array(value: Any) -> np.ndarray | None:
    try:
        return np.asarray(value)
    except Exception:
        return None


def _kinds(value: Any, kinds: str, shapes: Iterable[tuple[int, ...]]) -> np.ndarray | None:
    """Return the value as an array of one of these kinds of numbers and shapes, or None if it is no such array."""
    found = _as_array(value)
    return found if found is not None and found.dtype.kind in kinds and found.shape in set(shapes) else None


def numbers(
    shape: Callable[[Call], Iterable[tuple[int, ...]]], low: int | None = None, high: int | None = None
) -> Kind:
    """Return the kind of an array of whole numbers, or of what NumPy turns into one; it is copied, so any memory will
    do.
    """

    def reason(value: Any, call: Call) -> Reason:
        found = _kinds(value, "iu", shape(call))
        if found is None:
            return None
        fits = all((low is None or int(one) >= low) and (high is None or int(one) <= high) for one in found.ravel())
        return "whole numbers that fit, in any memory: they are copied" if fits else None

    return Kind((*SCALARS, *ARRAYS), reason)


def rows(games: int, repeats: bool = False) -> Kind:
    """Return the kind of an argument that holds rows of an engine of so many games."""

    def reason(value: Any, call: Call) -> Reason:
        if value is None:
            return "None stands for all rows"
        found = _as_array(value)
        if found is None or found.ndim > 1:
            return None
        if found.dtype == np.bool_:
            return "a bool a row" if found.shape == (games,) else None
        if not found.size:
            return "no rows"
        if found.dtype.kind not in "iu" or int(found.min()) < 0 or int(found.max()) >= games:
            return None
        once = repeats or len(np.unique(found)) == found.size
        return "rows that are there, each once" if once else None

    return Kind((*SCALARS, *ARRAYS), reason)


def target(shape: Callable[[Call], tuple[int, ...]], *dtypes: Any) -> Kind:
    """Return the kind of an array that the call writes to."""

    def reason(value: Any, call: Call) -> Reason:
        fits = (
            isinstance(value, np.ndarray)
            and value.shape == shape(call)
            and value.dtype in dtypes
            and value.dtype.isnative
            and value.flags.c_contiguous
            and value.flags.writeable
            and value.flags.aligned
        )
        return "an array that can be written to" if fits else None

    return Kind((*FEW, *ARRAYS), reason).or_none()


def array(why: str, fits: Callable[[np.ndarray], bool]) -> Kind:
    """Return the kind of an array that the call reads, and that has to fit."""
    return Kind(
        (*FEW, *ARRAYS), lambda value, call: why if isinstance(value, np.ndarray) and bool(fits(value)) else None
    )


def only(value_allowed: Any, why: str, values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of an argument that takes a single value, of its own type."""

    def reason(value: Any, call: Call) -> Reason:
        return why if type(value) is type(value_allowed) and value == value_allowed else None

    return Kind(values, reason)


def empty(why: str, values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of an argument that takes only an empty collection."""

    def reason(value: Any, call: Call) -> Reason:
        return why if isinstance(value, list | tuple | dict | set | str | bytes) and not value else None

    return Kind(values, reason)


def several(each: Kind, values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of a collection, maybe an empty one, of what a kind may be."""

    def reason(value: Any, call: Call) -> Reason:
        held = isinstance(value, list | tuple | dict | set) and all(each.reason(one, call) for one in value)
        return "a collection of what is allowed" if held else None

    return Kind(values, reason)


def nothing(values: tuple[Wrong, ...] = FEW) -> Kind:
    """Return the kind of an argument that takes none of the wrong values."""
    return Kind(values, lambda value, call: None)
