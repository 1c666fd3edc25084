"""The position from which a game begins that does not begin with its deal: every field of the game, as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env import validation
from rc_env.record import form
from rc_env.ruleset import Ruleset
from rc_env.words.notation import fields

_KEY = "key"
"""The field that follows from the seed of the first line."""
_NOWHERE = {"ivan_tower": -1, "ivan_refill": -1}
"""The fields of Ivan's that are not 0 in a game without him."""


def position_to_dict(game: Any) -> dict[str, Any]:
    """A GAME record as the first line has it under "position": all fields by name, but for the key of chance."""
    return {name: value for name, value in fields(game).items() if name != _KEY}


def dict_to_position(ruleset: Ruleset, found: Any, key: int = 0) -> np.ndarray:
    """(1,) GAME, the position of a first line; `key` is that of its game.

    Numbers that the rules overwrite before they are read, such as the log of the last roll, need only be in their
    ranges.

    Raises:
        Refusal: it is none that the box could hold, or has something of Ivan's in a game without him.
    """
    layout: np.dtype[Any] = ruleset.build.state.GAME
    names = [name for name in layout.names or () if name != _KEY]
    form.members("position", found, names)
    games = np.zeros(1, layout)
    for name in names:
        games[name][0] = _numbers(name, found[name], layout[name])
    games[_KEY] = key
    for name in names if not ruleset.solo else ():
        if name.startswith("ivan_") and (games[name] != _NOWHERE.get(name, 0)).any():
            form.refuse(f"position: {name}: something of Ivan's, who does not play in this game")
    try:
        validation.check(ruleset, games)
    except validation.ImpossibleGame as error:
        form.refuse(f"position: {str(error).removeprefix('states: ')}")
    return games


def _numbers(name: str, found: Any, kind: np.dtype[Any]) -> np.ndarray:
    """The numbers of a field, of its shape and in the range of its type."""
    shape: tuple[int, ...] = kind.shape
    limits = np.iinfo(kind.base)

    def flat(value: Any, depth: int) -> list[int]:
        if depth == len(shape):
            return [form.integer(f"position.{name}", value, int(limits.min), int(limits.max))]
        inner = form.list_of(f"position.{name}", value, "numbers", shape[depth])
        return [one for part in inner for one in flat(part, depth + 1)]

    return np.array(flat(found, 0), kind.base).reshape(shape)
