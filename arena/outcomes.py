"""Outcomes of jobs as JSON, for the journal of a command that may be stopped."""

from __future__ import annotations

import base64
import math
import zlib
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from rc_env import checks
from rc_env.arena.journal import key_of
from rc_env.arena.match import Match
from rc_env.arena.metrics import Tally, counted
from rc_env.ruleset import Ruleset


def key(job: Any) -> str:
    """The key of a job in a journal: a digest of all its values."""
    return key_of(asdict(job))


def packed(played: Match, tally: Tally | None) -> dict[str, Any]:
    """A match, and its metrics if there are any, as values for JSON."""
    return {"match": _fields(played), "tally": None if tally is None else _fields(tally)}


def unpacked(entry: dict[str, Any], ruleset: Ruleset) -> tuple[Match, Tally | None]:
    """The inverse of `packed`, for a match of the given ruleset.

    Raises:
        ValueError: the entry does not hold an outcome.
    """
    with checks.reading("journal", "outcomes that this version of rc_env wrote: remove it, and begin anew"):
        played = {name: _value(value) for name, value in entry["match"].items()}
        played["names"] = tuple(played["names"])
        found = Match(**played)
        shape = found.entrant.shape
        arrays: list[tuple[np.ndarray, tuple[int, ...]]]
        arrays = [(found.prestige, shape), (found.place, shape), (found.turns, shape[:1])]
        if found.luck is not None:
            arrays.append((found.luck, (shape[0], ruleset.players)))
        for array, expected in arrays:
            if array.shape != expected:
                raise ValueError(f"an array of shape {array.shape}")
        if entry["tally"] is None:
            return found, None
        return found, Tally(counted(ruleset), **{name: _value(one) for name, one in entry["tally"].items()})


def _fields(one: Match | Tally) -> dict[str, Any]:
    found = {field.name: getattr(one, field.name) for field in fields(one) if field.name != "counted"}
    return {name: _array(value) if isinstance(value, np.ndarray) else value for name, value in found.items()}


def _array(array: np.ndarray) -> dict[str, Any]:
    data = base64.b85encode(zlib.compress(np.ascontiguousarray(array).tobytes())).decode()
    return {"dtype": array.dtype.str, "shape": array.shape, "data": data}


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    dtype = np.dtype(value["dtype"])
    size = math.prod(value["shape"]) * dtype.itemsize
    raw = zlib.decompressobj().decompress(base64.b85decode(value["data"]), size + 1)  # and not all that it unpacks to
    return np.frombuffer(raw, dtype).reshape(value["shape"]).copy()
