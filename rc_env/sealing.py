"""Sealed memory: arrays that callers read, and cannot make writeable again.

Compiled code trusts games and masks. A read-only view of an array leads back to it, by `base` or by its flags; a sealed
one leads to a `_Seal`, which is no array and exports no memory that can be written to, so NumPy refuses to set its
flag. What a seal stands for is known in this module alone.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rc_env.ruleset import Ruleset


class _Seal:
    """Keeps the memory of a sealed array alive, as its `base`."""

    __slots__ = ("__array_interface__", "__weakref__")

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


_MEMORY: WeakKeyDictionary[_Seal, tuple[np.ndarray, Ruleset | None]] = WeakKeyDictionary()
"""For each seal its array, and for copies of games the ruleset of the engine that made them."""


def sealed(array: np.ndarray, address: int | None = None, ruleset: Ruleset | None = None) -> np.ndarray:
    """The same memory as an array that stays read-only.

    Args:
        array: C-contiguous.
        address: of its memory, where that is known, since asking for it takes longer than the rest.
        ruleset: of games that `unsealed` knows again.
    """
    return _behind_seal(array, array.ctypes.data if address is None else address, ruleset, read_only=True)


def shared(array: np.ndarray) -> np.ndarray:
    """The same memory as a writeable array that does not lead to `array`, whose shape compiled code trusts."""
    return _behind_seal(array, array.ctypes.data, None, read_only=False)


def _behind_seal(array: np.ndarray, address: int, ruleset: Ruleset | None, *, read_only: bool) -> np.ndarray:
    seal = _Seal({"data": (address, read_only), "shape": (array.nbytes,), "typestr": "|u1", "version": 3})
    _MEMORY[seal] = array, ruleset
    return np.ndarray(array.shape, array.dtype, np.asarray(seal))


def unsealed(games: np.ndarray, ruleset: Ruleset) -> np.ndarray | None:
    """The memory of games that an engine of an equal ruleset has sealed, C-contiguous; None of all others.

    What was selected from sealed games in steps is copied; nobody can have written to any of it.
    """
    owner: Any = games
    while isinstance(owner, np.ndarray):
        owner = owner.base
    array, known = _MEMORY.get(owner, (None, None)) if isinstance(owner, _Seal) else (None, None)
    if array is None or known is None or not (known is ruleset or known == ruleset) or games.flags.writeable:
        return None
    if games.ndim != 1 or games.dtype != array.dtype:
        return None
    size = array.itemsize
    if games.shape == array.shape and games.strides == array.strides:
        return array  # as much memory as is sealed: all of it
    begin = games.ctypes.data - array.ctypes.data
    if begin % size or any(stride % size for stride in games.strides):
        return None  # not whole games
    first, step = begin // size, games.strides[0] // size
    if len(games) and not (0 <= first < len(array) and 0 <= first + (len(games) - 1) * step < len(array)):
        return None  # somebody wrote to the seal
    if step == 1:
        return array[first : first + len(games)]
    whole = array.view(np.dtype((np.void, size)))  # a record is copied field by field, without what lies between
    return whole[first + np.arange(len(games)) * step].view(array.dtype)
