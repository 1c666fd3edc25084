"""What the database keeps of games and studies, read again: each column of a row, and each field of its JSON.

A stranger may have written it, a disk may have damaged it, an earlier version may have kept something else. Each
function reads one kind, and raises a ValueError that says what is damaged, whatever is wrong with it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from rc_env import checks
from rc_env.apps.table import own_box
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.budgets import MOST_DECISIONS
from rc_env.apps.web.teaching import LEVELS
from rc_env.arena.studies.analysis import MISTAKES, Judgement
from rc_env.rules.printed.sizes import COLOURS

GOES_ON, OVER, RESIGNED = "goes on", "over", "resigned"
_WRITTEN = "as this server has written it"
_LATEST = 2.0**36
"""The latest time of a change, in seconds: dates have four digits of the year."""
_MOST = 10**9
_NUMBERS = [float]
_JUDGEMENT: dict[str, Any] = {
    "seat": int, "best": str, "policy": {str: float}, "value": _NUMBERS, "actions": {str: (int, _NUMBERS)},
    "line": [(int, str)], "turn": int, "start": _NUMBERS, "start_errors": _NUMBERS,
    "loss": {"lost": float, "error": float, "prestige": float, "changes": _NUMBERS, "regained": float,
             "best": _NUMBERS, "played": _NUMBERS, "pairs": int, "certain": bool},
    "roll": {"rolled": [{str: int}], "expected": _NUMBERS, "chances": _NUMBERS, "errors": _NUMBERS, "exact": bool,
             "chance_errors": _NUMBERS},
    "phrases": {str: str}, "places": {str: [str]}, "told": [(int, str)],
}  # fmt: skip
"""The form of a judgement: a type of a value, one form in a list for each of its entries, several for a list of so many
entries, a form by `str` for each value of an object, and a form by each name of one."""
_REQUIRED = {"seat", "best", "policy", "value", "actions", "line", "phrases", "places", "told"}


class Kept(NamedTuple):
    """A row of the games.

    Attributes:
        variant: in words, for people.
        seats: who plays each seat, as JSON.
        state: `GOES_ON`, `OVER` or `RESIGNED`.
        result: who won, in words; "" while the game goes on.
        hidden: why the record may not be read, if it shows what is hidden from a person who can play on; else "".
        keys: those of the seats of a game of several people, as JSON; else "".
        entered: whether it is played at a real table, and entered here.
        coach, so_far: what `Teaching.kept` and `SoFar.kept` give, as JSON; "" for nothing.
        study: the id of the study of which it is a variation; "" for a game.
        branch: the `Branch`, as JSON; "" for a game.
    """

    id: str
    changed: float
    variant: str
    seats: str
    seed: str
    decisions: int
    new_dice: bool
    state: str
    result: str
    hidden: str
    record: str
    keys: str
    entered: bool
    coach: str
    so_far: str
    study: str
    branch: str


def kept_row(columns: Sequence[Any]) -> Kept:
    """A row of the games as the database gives it.

    Raises:
        ValueError: a column is damaged.
    """
    row = Kept(*columns)
    with checks.reading("what is kept of this game", _WRITTEN):
        for name, value in row._asdict().items():
            if name not in ("changed", "decisions", "new_dice", "entered"):
                checks.instance(name, value, str, "a text")
        kept_time(row.changed)
        kept_seed(row)
        checks.whole_number("decisions", row.decisions, 0, _MOST)
        for name in ("new_dice", "entered"):
            checks.whole_number(name, getattr(row, name), 0, 1)
        checks.one_of("state", row.state, (GOES_ON, OVER, RESIGNED))
    return row


def kept_time(changed: Any) -> float:
    """When a row was changed, in seconds.

    Raises:
        ValueError: it is damaged.
    """
    return checks.number("changed", changed, 0, _LATEST)


def kept_seed(row: Kept) -> int:
    """The seed of a kept game.

    Raises:
        ValueError: it is damaged.
    """
    if not (row.seed.isascii() and row.seed.isdecimal() and len(row.seed) <= 20):
        raise ValueError(f"seed must be a whole number, not {checks.shown(row.seed)}")
    return checks.seed("seed", int(row.seed))


def kept_seats(row: Kept) -> list[str]:
    """Who plays each seat of a kept game.

    Raises:
        ValueError: it is damaged.
    """
    with checks.reading("what is kept of the seats", _WRITTEN):
        found: list[str] = _json(row.seats, list)
        if not 0 < len(found) <= len(COLOURS) or not all(isinstance(one, str) and one.isprintable() for one in found):
            checks.refuse("seats", found, "one name for each seat")
        return found


def kept_keys(row: Kept) -> dict[int, str]:
    """The keys of a kept game by seat.

    Raises:
        ValueError: they are damaged.
    """
    if not row.keys:
        return {}
    seats = kept_seats(row)
    with checks.reading("what is kept of the keys of the seats", _WRITTEN):
        found = {_seat(seat, seats): key for seat, key in _json(row.keys, dict).items()}
        if not found or not all(isinstance(key, str) and key.isprintable() and key for key in found.values()):
            raise ValueError("a seat without a key")
        return found


def kept_coach(row: Kept) -> dict[str, dict[str, Any]]:
    """What is kept of the coach of a game, see `Teaching.kept`.

    Raises:
        ValueError: it is damaged.
    """
    if not row.coach:
        return {}
    seats, found = kept_seats(row), {}
    with checks.reading("what is kept of the coach", _WRITTEN):
        for seat, one in _json(row.coach, dict).items():
            counts = {
                name: checks.whole_number(name, one.get(name, 0), 0, _MOST)
                for name in ("looked", "mistakes", "taken_back")
            }
            numbers = checks.sequence("open", one.get("open", []), "a list of numbers")
            at = [checks.whole_number("open", number, 0, MOST_DECISIONS) for number in numbers]
            if len(set(at)) < len(at):
                raise ValueError("a decision that is looked at twice")
            level = checks.one_of("level", one["level"], tuple(LEVELS))
            found[str(_seat(seat, seats))] = {"level": level, **counts, "open": at}
    return found


def kept_levels(row: Kept) -> dict[int, str]:
    """How the coach of a game is set, by seat, as far as it was ever on.

    Raises:
        ValueError: it is damaged.
    """
    return {int(seat): one["level"] for seat, one in kept_coach(row).items()}


def kept_so_far(row: Kept) -> list[dict[str, Any] | None]:
    """What is kept of the judgements of a game that is entered, see `SoFar.kept`.

    Raises:
        ValueError: it is damaged.
    """
    if not row.so_far:
        return []
    seats = kept_seats(row)
    with checks.reading("what is kept of the luck so far", _WRITTEN):
        found: list[dict[str, Any] | None] = _json(row.so_far, list)
        form = {"seat": int, "lost": float, "error": float, "size": str}
        for one in found:
            if one is None:
                continue
            rolled = one["luck"] is not None
            _check(one, form | ({"luck": _NUMBERS, "luck_errors": _NUMBERS} if rolled else {}))
            _seat(str(one["seat"]), seats)
            checks.one_of("size", one["size"], ("", *MISTAKES))
            if rolled and not len(one["luck"]) == len(one["luck_errors"]) == len(seats):
                raise ValueError("luck that is not one number for each seat")
        return found


def kept_branch(row: Kept) -> Branch | None:
    """What a kept game is a variation of; None for a game.

    Raises:
        ValueError: it is damaged.
    """
    if not row.branch and not row.study:
        return None
    return branch_of(row.branch, row.study)


def branch_of(text: Any, study: Any) -> Branch:
    """A variation of a study, as it is kept.

    Raises:
        ValueError: it is damaged.
    """
    with checks.reading("what is kept of this variation", _WRITTEN):
        found = _json(text, dict)
        branch = Branch(study, checks.whole_number("at", found["at"], 0, MOST_DECISIONS))
        if found["study"] != study:
            raise ValueError("it is one of another study")
        branch.describe(found["name"], found["comment"])
        return branch


def kept_judgements(text: Any, decisions: int) -> dict[str, dict[str, Any]]:
    """The judgements of a study by the number of their decision, in the order in which they were made.

    Args:
        text: as they are kept.
        decisions: how many there are at most.

    Returns:
        None of them where they are damaged, or come from an earlier version: then the study is analysed anew.
    """
    try:
        with checks.reading("judgements", _WRITTEN):
            found: dict[str, dict[str, Any]] = _json(text, dict)
            for number, one in found.items():
                if not (number.isascii() and number.isdecimal() and len(number) < 6 and int(number) < decisions):
                    raise ValueError("a judgement of no decision")
                _check(one, {name: form for name, form in _JUDGEMENT.items() if name in _REQUIRED or one.get(name)})
                Judgement.from_json(one)
            return found
    except ValueError:
        return {}


def kept_setup(text: Any) -> dict[str, Any]:
    """What lies on a real table, as it is kept: "variant" and "setup".

    Raises:
        ValueError: it is damaged.
    """
    with checks.reading("what is kept of this table", _WRITTEN):
        found: dict[str, Any] = _json(text, dict)
        _check(found, {"variant": dict, "setup": dict})
        return found


def kept_box(text: Any) -> dict[str, Any]:
    """The owner's box, as it is kept.

    Raises:
        ValueError: it is damaged.
    """
    with checks.reading("what is kept of your cards", _WRITTEN):
        return own_box.box_of(_json(text, dict))


# --- JSON, and what it may hold


def _json(text: Any, kind: type[Any]) -> Any:
    found = json.loads(checks.instance("it", text, str, "a text"))
    text.encode()
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()  # every text in it can be sent
    return checks.instance("it", found, kind, "of another type")


def _seat(found: str, seats: Sequence[str]) -> int:
    """A seat by its number, a key of JSON."""
    if found not in map(str, range(len(seats))):
        raise ValueError(f"a seat must be 0 to {len(seats) - 1}, not {checks.shown(found)}")
    return int(found)


def _check(found: Any, form: Any) -> None:
    """Check that a value of JSON has a form, see `_JUDGEMENT`.

    Raises:
        ValueError: it has another one.
    """
    inner: list[tuple[Any, Any]] = []
    if isinstance(form, dict):
        fits = isinstance(found, dict) and (str in form or set(form) <= set(found))
        names = (found if str in form else form) if fits else ()
        inner = [(found[name], form[str if str in form else name]) for name in names]
    elif isinstance(form, list):
        fits = isinstance(found, list)
        inner = [(one, form[0]) for one in found] if fits else []
    elif isinstance(form, tuple):
        fits = isinstance(found, list) and len(found) == len(form)
        inner = list(zip(found, form, strict=True)) if fits else []
    elif form is float:
        fits = type(found) in (int, float) and math.isfinite(found)
    else:
        fits = type(found) is form
    if not fits:
        raise ValueError(f"a value that does not belong there, {checks.shown(found)}")
    for one, its_form in inner:
        _check(one, its_form)
