"""What both ways to the facts share."""

from __future__ import annotations

from typing import Any

from rc_env.ruleset import Ruleset

Facts = dict[str, Any]


def cut(number: int, most: int) -> int | str:
    """A number of a piece that is cut at `most`: from there on the vector cannot tell numbers apart."""
    return number if number < most else f"{most}+"


def check_seat(ruleset: Ruleset, seat: int) -> None:
    """Check that the seat may observe.

    Raises:
        ValueError: it is not one of the players'.
    """
    if not 0 <= seat < ruleset.players:
        raise ValueError(f"seat: {seat!r} found, expected 0 to {ruleset.players - 1}")
