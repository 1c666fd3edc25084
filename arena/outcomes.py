"""Outcomes of jobs as JSON, for the journal of a command that may be stopped."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict, fields
from hashlib import sha256
from typing import Any

import numpy as np

from rc_env.arena.match import Match
from rc_env.arena.metrics import Tally, counted
from rc_env.ruleset import Ruleset


def key(job: Any) -> str:
    """The key of a job in a journal: a digest of all its values."""
    return sha256(json.dumps(asdict(job)).encode()).hexdigest()


def packed(played: Match, tally: Tally | None) -> dict[str, Any]:
    """A match, and its metrics if there are any, as values for JSON."""
    return {"match": _fields(played), "tally": None if tally is None else _fields(tally)}


def unpacked(entry: dict[str, Any], ruleset: Ruleset) -> tuple[Match, Tally | None]:
    """The inverse of `packed`, for a match of the given ruleset."""
    played = {name: _value(value) for name, value in entry["match"].items()}
    played["names"] = tuple(played["names"])
    if entry["tally"] is None:
        return Match(**played), None
    return Match(**played), Tally(counted(ruleset), **{name: _value(one) for name, one in entry["tally"].items()})


def _fields(one: Match | Tally) -> dict[str, Any]:
    found = {field.name: getattr(one, field.name) for field in fields(one) if field.name != "counted"}
    return {name: _array(value) if isinstance(value, np.ndarray) else value for name, value in found.items()}


def _array(array: np.ndarray) -> dict[str, Any]:
    data = base64.b85encode(zlib.compress(np.ascontiguousarray(array).tobytes())).decode()
    return {"dtype": array.dtype.str, "shape": array.shape, "data": data}


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    raw = zlib.decompress(base64.b85decode(value["data"]))
    return np.frombuffer(raw, np.dtype(value["dtype"])).reshape(value["shape"]).copy()
