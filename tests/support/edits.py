"""Records with an edit, for the tests of what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import reduce
from operator import getitem
from typing import Any

from rc_env.record import Record

Edit = Callable[[list[Any]], object]
"""A function that changes the lines of a record, each a tree of JSON, or bytes that are taken as they are."""


def edited(record: Record, edit: Edit) -> bytes:
    """Return the text of a record after an edit."""
    lines: list[Any] = [json.loads(line) for line in record.text().splitlines()]
    edit(lines)
    return b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)


def change(line: int, *path: Any) -> Edit:
    """Return an edit that replaces the value at the end of the path by the last argument's result for it."""
    *keys, last, made = path

    def do(lines: list[dict[str, Any]]) -> None:
        place = reduce(getitem, keys, lines[line])
        place[last] = made(place.get(last) if isinstance(place, dict) else place[last])

    return do


def put(line: int, *path: Any) -> Edit:
    """Return an edit that sets the value at the end of the path to the last argument."""
    return change(line, *path[:-1], lambda before: path[-1])


def drop(line: int, *path: Any) -> Edit:
    """Return an edit that takes out what is at the end of the path."""
    return lambda lines: reduce(getitem, path[:-1], lines[line]).pop(path[-1])
