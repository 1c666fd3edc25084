"""Wrong values by class. Each is made anew from a correct value, since a call may write to what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

Wrong = tuple[str, str, Callable[[Any], Any]]
"""The class of an attack, a name for the value, and a function that makes the value from a correct one."""


class Hostile(Exception):
    """Raised by the objects below: an exception of the caller's own, which may come out as it is."""


class RaisesArray:
    """An object whose conversion to an array raises an exception."""

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise Hostile("__array__")


class RaisesIndex:
    """An object whose conversion to a number raises an exception."""

    def __index__(self) -> int:
        raise Hostile("__index__")

    __int__ = __float__ = __index__  # type: ignore[assignment]


class RaisesIteration:
    """A sequence that raises an exception when it is read."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, at: Any) -> Any:
        raise Hostile("__getitem__")

    __iter__ = __getitem__  # type: ignore[assignment]


class RaisesComparison:
    """An object that raises an exception in every comparison."""

    def __eq__(self, other: object) -> bool:
        raise Hostile("__eq__")

    __lt__ = __gt__ = __le__ = __ge__ = __ne__ = __eq__  # type: ignore[assignment]
    __hash__ = object.__hash__


class RaisesRepr:
    """An object whose `repr` raises an exception, so that no message can show it."""

    def __repr__(self) -> str:
        raise Hostile("__repr__")


class LiesAboutLength:
    """A sequence that claims to be long, and is empty."""

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, at: Any) -> Any:
        raise IndexError(at)


def _function() -> None:
    pass


def _of(group: str, **values: Any) -> Iterator[Wrong]:
    for name, value in values.items():
        yield group, " ".join(name.replace("_", " ").split()), value


FEW: tuple[Wrong, ...] = (
    *_of(
        "wrong type",
        None_=lambda good: None,
        True_=lambda good: True,
        text=lambda good: "text",
        bytes_=lambda good: b"bytes",
        an_empty_list=lambda good: [],
        a_dictionary=lambda good: {"a": 1},
        an_object=lambda good: object(),
        a_class=lambda good: int,
        a_complex_number=lambda good: 1j,
    ),
    *_of(
        "wrong number",
        minus_one=lambda good: -1,
        zero=lambda good: 0,
        a_fraction=lambda good: 1.5,
        not_a_number=lambda good: float("nan"),
        infinity=lambda good: float("inf"),
        huge=lambda good: 10**40,
    ),
    *_of(
        "hostile object",
        __array___raises=lambda good: RaisesArray(),
        __index___raises=lambda good: RaisesIndex(),
        __getitem___raises=lambda good: RaisesIteration(),
    ),
)
"""Wrong values for arguments of the outer layers."""
ALWAYS = ("None", "text", "minus one", "huge", "not a number", "a little too small", "a little too large")
"""The values that every argument is attacked with, also where only a part of the attacks is tried."""

SCALARS: tuple[Wrong, ...] = (
    *FEW,
    *_of(
        "wrong type",
        False_=lambda good: False,
        an_empty_text=lambda good: "",
        a_tuple=lambda good: (1, 2),
        a_ragged_list=lambda good: [[1], [2, 3]],
        a_set=lambda good: {1, 2},
        a_function=lambda good: _function,
        a_generator=lambda good: (i for i in (1, 2)),
        a_list_of_texts=lambda good: ["a", "b"],
        a_list_of_None=lambda good: [None],
    ),
    *_of(
        "wrong number",
        two_to_31=lambda good: 2**31,
        two_to_63=lambda good: 2**63,
        two_to_64=lambda good: 2**64,
        minus_two_to_63=lambda good: -(2**63),
        minus_two_to_63_and_less=lambda good: -(2**63) - 1,
        minus_infinity=lambda good: float("-inf"),
        a_whole_float=lambda good: 2.0,
        a_NumPy_float=lambda good: np.float64(1),
        a_NumPy_bool=lambda good: np.bool_(True),
        a_small_NumPy_integer=lambda good: np.int8(-1),
        as_int32=lambda good: np.int32(good),
        as_uint8=lambda good: np.uint8(good),
        a_large_NumPy_integer=lambda good: np.uint64(2**64 - 1),
        a_rational_number=lambda good: Fraction(1, 2),
        a_decimal_number=lambda good: Decimal("NaN"),
        a_number_in_words=lambda good: "1",
        zero_dimensions=lambda good: np.array(1.5),
    ),
    *_of(
        "hostile object",
        __eq___raises=lambda good: RaisesComparison(),
        __repr___raises=lambda good: RaisesRepr(),
        length_lies=lambda good: LiesAboutLength(),
    ),
    *_of(
        "wrong dtype",
        an_array_of_objects=lambda good: np.array([object(), None]),
        an_array_of_texts=lambda good: np.array(["a", "b"]),
        an_array_of_dates=lambda good: np.array(["2026-01-01"], "datetime64[D]"),
        a_structured_array=lambda good: np.zeros(2, [("a", "i4")]),
    ),
)
"""Wrong values for arguments of the engine and the environments."""

TEXTS: tuple[Wrong, ...] = tuple(
    _of(
        "wrong text",
        empty=lambda good: "",
        of_spaces=lambda good: "   ",
        with_a_zero=lambda good: "a\0b",
        that_is_no_Unicode=lambda good: "\ud800",
        with_a_line_end=lambda good: "a\nb",
        of_a_thousand_letters=lambda good: "a" * 1000,
        that_leads_out=lambda good: "../out/of/the/folder",
        with_other_signs=lambda good: ":,=;{}%s%n",
    )
)
"""Wrong values for names and paths."""


class Own(np.ndarray):
    """A subclass of NumPy's arrays, as a caller may have."""


def _array(change: Callable[[np.ndarray], Any]) -> Callable[[Any], Any]:
    return lambda good: change(np.array(good))


def read_only(a: np.ndarray) -> np.ndarray:
    """Return a copy of the array that cannot be written to."""
    a.flags.writeable = False
    return a


def strided(a: np.ndarray) -> np.ndarray:
    """Return the array with other bytes between its entries."""
    wide = np.zeros((*a.shape, 2), a.dtype)
    wide[..., 0] = a
    return wide[..., 0]


def unaligned(a: np.ndarray) -> np.ndarray:
    """Return the array at an odd address."""
    memory = np.zeros(a.nbytes + 1, np.uint8)
    moved = memory[1:].view(a.dtype).reshape(a.shape)
    moved[...] = a
    return moved


def masked(a: np.ndarray) -> Any:
    """Return the array with a mask that hides every entry."""
    return np.ma.masked_array(a, mask=True)


def swapped(a: np.ndarray) -> np.ndarray:
    """Return the array in the other byte order."""
    return a.astype(a.dtype.newbyteorder())


SHAPES: tuple[Wrong, ...] = tuple(
    _of(
        "wrong shape",
        one_axis_more=_array(lambda a: a[None]),
        flat=_array(lambda a: np.concatenate([a.ravel(), a.ravel()])),
        one_row_less=_array(lambda a: a[:-1]),
        one_row_more=_array(lambda a: np.concatenate([a, a[:1]])),
        no_rows=_array(lambda a: a[:0]),
        no_axis=_array(lambda a: a.ravel()[0]),
        turned=_array(lambda a: a[..., None].swapaxes(0, -1)),
        thirty_axes=_array(lambda a: a.reshape((1,) * 30 + a.shape)),
        one_column_less=_array(lambda a: a[..., :-1]),
    )
)
DTYPES: tuple[Wrong, ...] = tuple(
    _of(
        "wrong dtype",
        float64=_array(lambda a: a.astype(np.float64)),
        float16=_array(lambda a: a.astype(np.float16)),
        bool_=_array(lambda a: a.astype(np.bool_)),
        as_objects=_array(lambda a: a.astype(object)),
        as_texts=_array(lambda a: a.astype("U8")),
        complex_=_array(lambda a: a.astype(np.complex128)),
        int8=_array(lambda a: a.astype(np.int8)),
        int16=_array(lambda a: a.astype(np.int16)),
        int32=_array(lambda a: a.astype(np.int32)),
        uint8=_array(lambda a: a.astype(np.uint8)),
        uint32=_array(lambda a: a.astype(np.uint32)),
        uint64=_array(lambda a: a.astype(np.uint64)),
        uint16=_array(lambda a: a.astype(np.uint16)),
        void=_array(lambda a: np.ascontiguousarray(a).view(f"V{a.dtype.itemsize}")),
        times=_array(lambda a: a.astype(np.int64).view("datetime64[s]")),
    )
)
LAYOUTS: tuple[Wrong, ...] = tuple(
    _of(
        "wrong memory",
        read_only=_array(read_only),
        strided=_array(strided),
        turned_round=_array(lambda a: np.array(a[::-1])[::-1]),
        big_endian=_array(swapped),
        unaligned=_array(unaligned),
        Fortran_order=_array(np.asfortranarray),
        repeated=_array(lambda a: np.broadcast_to(a.ravel()[:1], a.shape)),
        masked=_array(masked),
        of_a_class_of_its_own=_array(lambda a: a.view(Own)),
        a_matrix=_array(lambda a: np.matrix(a)),
        a_list=_array(lambda a: a.tolist()),
    )
)


def _filled(value: Any, dtype: Any = None) -> Callable[[Any], Any]:
    return lambda good: np.full(np.shape(good), value, dtype or np.asarray(good).dtype)


ENTRIES: tuple[Wrong, ...] = tuple(
    _of(
        "wrong entries",
        full_of_minus_one=_filled(-1, np.int64),
        full_of_minus_two_to_63=_filled(-(2**63), np.int64),
        full_of_two_to_31=_filled(2**31, np.int64),
        full_of_two_to_63=_filled(2**63, np.uint64),
        full_of_two_to_64_less_one=_filled(2**64 - 1, np.uint64),
        full_of_seven=_filled(7, np.int64),
        full_of_ninety_nine=_filled(99, np.int16),
        full_of_what_is_no_number=_filled(float("nan"), np.float64),
        full_of_infinity=_filled(float("inf"), np.float32),
    )
)
ARRAYS = (*SHAPES, *DTYPES, *LAYOUTS, *ENTRIES)
"""Wrong values for arguments that are arrays, made from a correct array."""
