"""The rulings R-40 to R-85 as positions: data in the words of the game record, for every implementation of the rules.

A `Case` names a variant, what differs from the plain deal of `oracle.deal.plain_deal`, a position, and steps: an action
and what is expected after it. Modules of this package hold the cases by subject; `all.ALL` has them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

OPTIONAL = ("rubles", "permit", "reroll", "reinforce")  # actions of R-9: left out where all legal actions are listed
PARTIAL = ("dice", "cities", "supply", "sections", "ivan")  # of these keys of the state only what is named is compared


class Step(NamedTuple):
    """An action, and what holds after it and all that follows of itself; "" is the position before the first action."""

    action: str
    expect: Mapping[str, Any]
    # "point", "seat" and other keys of the state, "sections" by name for its "towers"; "legal": all legal actions
    # without the optional ones; "has", "lacks": some that are legal, some that are not; "events": Ivan's last turn;
    # "result": parts of the breakdown by seat
    draws: list[dict[str, Any]] | None = None  # what is drawn, if that matters; dice show 1


class Case(NamedTuple):
    """A ruling in a position."""

    name: str
    variant: Mapping[str, Any]  # players, workshop, guild, contractors, turn_limit; special: the tiles chosen, by seat
    position: Mapping[str, Any]  # what is changed at the first `start`, as `oracle.arrange.arrange` takes it
    steps: tuple[Step, ...]
    deal: Mapping[str, Any] = {}  # what differs in the deal


def case(
    name: str, variant: Mapping[str, Any], position: Mapping[str, Any], *steps: tuple, deal: Mapping[str, Any] = {}
) -> Case:
    """A case; the variant is that of two players on the basic board unless it says otherwise."""
    full = {"players": 2, "workshop": "basic", "guild": "clergy:1", "contractors": False, "special": None}
    return Case(name, full | {"turn_limit": 1000} | dict(variant), position, tuple(Step(*s) for s in steps), deal)


def up(**tiles: str) -> dict[str, dict[str, Any]]:
    """A workshop with these tiles face up."""
    return {slot: {"tile": tile, "up": True} for slot, tile in tiles.items()}


def down(**tiles: str) -> dict[str, dict[str, Any]]:
    """A workshop with these tiles face down."""
    return {slot: {"tile": tile, "up": False} for slot, tile in tiles.items()}


def gains(*materials: str, more: str = "") -> set[str]:
    """`gain M` for each of these, and one action more."""
    return {f"gain {m}" for m in materials} | ({more} if more else set())


SIX = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
