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
        refuse("the file begins with a byte order mark; save it as plain UTF-8")
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_constant)
    except Refusal:
        raise
    except UnicodeDecodeError as error:
        refuse(f"byte 0x{raw[error.start]:02x} is not UTF-8")
    except json.JSONDecodeError as error:
        refuse(f"the line is not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        refuse("brackets are nested too deeply for a line of a game record")
    except ValueError:  # Python's limit on the length of integers
        refuse("the line holds a number of thousands of digits")
    if not isinstance(value, dict):
        refuse(f"a line must be a JSON object, not {show(value)}")
    return value


def check_characters(raw: bytes) -> None:
    """Refuse a line of JSON with half a character in a text, which JSON can spell and nothing can write."""
    try:
        if b"\\u" in raw:
            json.dumps(json.loads(raw), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        refuse(f"a text holds half a character, {show(error.object[error.start])}")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    one = dict(pairs)
    if len(one) != len(pairs):
        refuse(f"the key {show(checks.repeated(key for key, _ in pairs))} occurs twice")
    return one


def _constant(word: str) -> NoReturn:
    refuse(f"JSON knows no number {word}")


def members(where: str, value: Any, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Refuse what is not an object with all of the required keys and, beside them, none but the optional ones."""
    if not isinstance(value, dict):
        refuse(f"{where} must be an object, not {show(value)}")
    known = (*required, *optional)
    for key in value:
        if key not in known:
            refuse(f"{where}: {checks.unknown('key', key, known, show=show)}")
    for key in required:
        if key not in value:
            refuse(f"{where} has no {show(key)}; needed are {', '.join(required)}")


def equal(where: str, found: Any, expected: Any) -> None:
    """Refuse what is not this value."""
    if type(found) is not type(expected) or found != expected:
        refuse(f"{where} is {show(found)}, but must be {show(expected)}")


def integer(where: str, value: Any, low: int, high: int) -> int:
    """The value, if it is a whole number in this range."""
    if type(value) is not int or not low <= value <= high:  # a bool is no number here
        refuse(f"{where} must be a whole number from {low} to {high}, not {show(value)}")
    return value


def number(where: str, value: Any) -> float:
    """The value, if it is a finite number."""
    if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
        refuse(f"{where} must be a number, not {show(value)}")
    return float(value)


def list_of(where: str, value: Any, noun: str, length: int | None = None) -> list[Any]:
    """The value, if it is a list, of this length if one is given."""
    if not isinstance(value, list) or length not in (None, len(value)):
        count = "" if length is None else f"{length} "
        refuse(f"{where} must be a list of {count}{noun}, not {show(value)}")
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
