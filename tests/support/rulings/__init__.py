"""The rulings R-40 to R-85 as positions: data in the words of the game record, for every implementation of the rules.

A `Case` names a variant, what differs from the plain deal of `oracle.deal.plain_deal`, a position, and steps: an action
and what is expected after it. Modules of this package hold the cases by subject; `all.ALL` has them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

OPTIONAL = ("rubles", "permit", "reroll", "reinforce")  # actions of R-9, left out where all legal actions are listed
PARTIAL = ("dice", "cities", "supply", "sections", "ivan")  # only the named parts of these keys are compared


class Step(NamedTuple):
    """An action, and the expected position after it and all automatic actions; "" stands for the position before the
    first action.
    """

    action: str
    expect: Mapping[str, Any]
    # The keys are "point", "seat" and other keys of the state, and "sections" by name for its "towers"; "legal": all
    # legal actions without the optional ones; "has", "lacks": some legal and some illegal actions; "events": Ivan's
    # last turn; "result": parts of the breakdown by seat.
    draws: list[dict[str, Any]] | None = None  # the outcomes of draws, if they matter; dice show 1


class Case(NamedTuple):
    """A ruling with the position that shows it."""

    name: str
    variant: Mapping[str, Any]  # players, workshop, guild, contractors, turn_limit; special: the tiles chosen, by seat
    position: Mapping[str, Any]  # changes at the first `start`, in the form of `oracle.arrange.arrange`
    steps: tuple[Step, ...]
    deal: Mapping[str, Any] = {}  # differences from the plain deal


def case(
    name: str, variant: Mapping[str, Any], position: Mapping[str, Any], *steps: tuple, deal: Mapping[str, Any] = {}
) -> Case:
    """Return a case; the variant is two players on the basic board unless it says otherwise."""
    full = {"players": 2, "workshop": "basic", "guild": "clergy:1", "contractors": False, "special": None}
    return Case(name, full | {"turn_limit": 1000} | dict(variant), position, tuple(Step(*s) for s in steps), deal)


def up(**tiles: str) -> dict[str, dict[str, Any]]:
    """Return a workshop with these tiles face up."""
    return {slot: {"tile": tile, "up": True} for slot, tile in tiles.items()}


def down(**tiles: str) -> dict[str, dict[str, Any]]:
    """Return a workshop with these tiles face down."""
    return {slot: {"tile": tile, "up": False} for slot, tile in tiles.items()}


def hand(**materials: int) -> dict[str, Any]:
    """Return a position in which the first player has these goods."""
    return {"materials": [materials, {}]}


def gains(*materials: str, more: str = "") -> set[str]:
    """Return `gain M` for each of these materials, and one more action."""
    return {f"gain {m}" for m in materials} | ({more} if more else set())


SIX = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
