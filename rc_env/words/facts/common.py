"""Helpers for reading facts from a game and from a vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rc_env import checks
from rc_env.ruleset import Ruleset

from ...rules.printed.sizes import MATERIAL_NAMES
from ...rules.printed.vocabulary import CONDITIONS, OF_TILES

Facts = dict[str, Any]


def cut(number: int, most: int) -> int | str:
    """A number of a piece that is cut at `most`: from there on the vector cannot tell numbers apart."""
    return number if number < most else f"{most}+"


def check_seat(ruleset: Ruleset, seat: int) -> int:
    """The seat, found to be one that may observe.

    Raises:
        ValueError: it is not one of the players', or there is no ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    return checks.whole_number("seat", seat, 0, ruleset.players - 1)


def guild_action(columns: Facts) -> Facts:
    """The columns of a guild action of the base game that are not 0, of its columns from the data file."""
    action = {name: value for name, value in columns.items() if name not in (*OF_TILES, "pay_from", "gain_from")}
    action["unlimited"] = bool(action["unlimited"])
    action["condition"] = CONDITIONS.get(action["condition"])
    for name in ("pay", "gain"):
        action[name] = [m for m, chosen in zip(MATERIAL_NAMES, columns[f"{name}_from"], strict=True) if chosen]
    return {name: value for name, value in action.items() if value}


def joined(words: Iterable[str | None], between: str = ", ") -> str:
    """The nonempty words, joined."""
    return between.join(word for word in words if word)


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name in words, without those that are 0."""
    return joined(f"{name} {count}" for name, count in counts.items() if count)
