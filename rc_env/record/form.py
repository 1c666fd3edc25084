"""The form of single values of a record: each check refuses a wrong one in a sentence.

Whoever calls them knows the number of the line, and raises a `RecordError` with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any, NoReturn

from rc_env import checks


class Refusal(ValueError):
    """The reason why a line is refused; the caller knows the number of the line."""


def refuse(reason: str) -> NoReturn:
    """Raise a `Refusal`."""
    raise Refusal(reason)


def json_line(raw: bytes) -> dict[str, Any]:
    """One line as a JSON object, without doubled keys or numbers that JSON does not know."""
    if raw.startswith(b"\xef\xbb\xbf"):
        refuse("a byte order mark found, expected plain UTF-8 text")
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_constant)
    except Refusal:
        raise
    except UnicodeDecodeError as error:
        refuse(f"byte 0x{raw[error.start]:02x} found, expected UTF-8 text")
    except json.JSONDecodeError as error:
        refuse(f"not JSON ({error.msg} at column {error.colno}), expected a JSON object")
    except RecursionError:
        refuse("brackets nested too deeply found, expected a JSON object of the game record")
    except ValueError:  # Python's limit on the length of integers
        refuse("a number of thousands of digits found, expected a JSON object of the game record")
    if not isinstance(value, dict):
        refuse(f"{show(value)} found, expected a JSON object")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    one = dict(pairs)
    if len(one) != len(pairs):
        refuse(f"key {show(checks.repeated(key for key, _ in pairs))} found twice, expected it once")
    return one


def _constant(word: str) -> NoReturn:
    refuse(f"{word} found, expected a number that JSON knows")


def members(where: str, value: Any, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Refuse what is not an object with all of the required keys and, beside them, none but the optional ones."""
    if not isinstance(value, dict):
        refuse(f"{where}: {show(value)} found, expected an object")
    known = (*required, *optional)
    for key in value:
        if key not in known:
            refuse(f"{where}: unknown key {show(key)} found, expected one of {', '.join(known)}")
    for key in required:
        if key not in value:
            refuse(f"{where}: no {show(key)} found, expected all of {', '.join(required)}")


def equal(where: str, found: Any, expected: Any) -> None:
    """Refuse what is not this value."""
    if type(found) is not type(expected) or found != expected:
        refuse(f"{where}: {show(found)} found, expected {show(expected)}")


def integer(where: str, value: Any, low: int, high: int) -> int:
    """The value, if it is a whole number in this range."""
    if type(value) is not int or not low <= value <= high:  # a bool is no number here
        refuse(f"{where}: {show(value)} found, expected a whole number from {low} to {high}")
    return value


def number(where: str, value: Any) -> float:
    """The value, if it is a finite number."""
    if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
        refuse(f"{where}: {show(value)} found, expected a number")
    return float(value)


def list_of(where: str, value: Any, noun: str, length: int | None = None) -> list[Any]:
    """The value, if it is a list, of this length if one is given."""
    if not isinstance(value, list) or length not in (None, len(value)):
        count = "" if length is None else f"{length} "
        refuse(f"{where}: {show(value)} found, expected a list of {count}{noun}")
    return value


def show(value: Any) -> str:
    """The value as JSON, in one short line, whatever it is."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    try:
        text = json.dumps(value)
    except RecursionError:
        return "something nested deeply"
    return text if len(text) <= 80 else f"{text[:80]}…"


def spelled_out(text: str) -> str:
    """The text with each character that cannot be printed spelled out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
