"""The vocabulary of specialists: a form for each kind, with its columns and its words (R-52).

The tile has one of these forms, and the name of its tool beside it. The columns are those of guild actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..points import Point
from . import expansion_vocabulary, vocabulary
from .expansion_vocabulary import ANY_TWO_TILES, TILE_ONCE, Action, Columns, Form, form, permits
from .sizes import MATERIAL_NAMES, MOST_SPENT, RESOURCE_NAMES
from .vocabulary import AMOUNT, rubles

GAINS = (*RESOURCE_NAMES, "permits")
"""What a tile can give: exactly one of them."""
PAID = 3
"""The most pieces of a material that a tile can ask for."""


def _gain(action: Action) -> Columns:
    ((resource, amount),) = action["gain"].items()
    return {"resource": vocabulary.AMOUNTS.index(resource), "amount": amount}


def _gain_words(action: Action) -> str:
    ((resource, amount),) = action["gain"].items()
    counted = {"rubles": rubles(amount), "permits": permits(amount)}
    return "gain " + counted.get(resource, f"{amount} {resource.replace('_', ' ')}")


def _pay(action: Action) -> Columns:
    fixed = [action["pay"].get(material, 0) for material in MATERIAL_NAMES]
    return {"fixed": fixed, **{name: action.get(name, 0) for name in ("recognition", "prestige")}}


def _pay_words(action: Action) -> str:
    paid = [f"{count} {material.replace('_', ' ')}" for material, count in action["pay"].items()]
    gained = [f"{action[name]} {name}" for name in ("recognition", "prestige") if name in action]
    return f"{' and '.join(paid)}: gain {' and '.join(gained)}"


def _opens(point: Point, count: int = 1, **more: int) -> Columns:
    return {"opens": point, "count": count, **more}


FORMS: dict[str, Form] = {
    "gain": form({"gain": dict}, _gain, _gain_words),
    "activate": form(
        {"activate": (2, 2)},
        lambda a: {"tiles": a["activate"], "mode": ANY_TWO_TILES},
        "activate two workshop tiles, or one twice",
    ),
    "discard_ornament": form(
        {"discard_ornament": (1, 1), "prestige": AMOUNT},
        lambda a: _opens(Point.DISCARD, worth=a["prestige"]),
        "discard an ornament, gain {prestige} prestige",
    ),
    "spend_rubles": form(
        {"spend_rubles": (1, MOST_SPENT), "recognition": AMOUNT},
        lambda a: _opens(Point.SPEND, a["spend_rubles"], worth=a["recognition"]),
        lambda a: f"spend up to {rubles(a['spend_rubles'])}, gain {a['recognition']} recognition for each",
    ),
    "any_material": form(
        {"any_material": (1, 1), "deliver": (1, 1)}, _opens(Point.BOTH), "gain any material and deliver 1"
    ),
    "resource_tile": form({"resource_tile": (1, 1)}, _opens(Point.RESOURCE, mode=TILE_ONCE), "gain a market tile once"),
    "claim": form({"claim": (1, 1)}, _opens(Point.CLAIM), "claim a section"),
    "pay": form({"pay": dict}, _pay, _pay_words, {"recognition": AMOUNT, "prestige": AMOUNT}),
}
"""By the key that tells a form from all others."""
KINDS = tuple(FORMS)


def form_of(tile: Mapping[str, Any]) -> tuple[str, Form]:
    """The form of a specialist, with its key.

    Raises:
        KeyError: it has the key of no form.
    """
    return expansion_vocabulary.form_of(tile, FORMS)


def columns(tile: Mapping[str, Any]) -> Columns:
    """The columns of a specialist, as a checked data file has it."""
    return vocabulary.empty() | expansion_vocabulary.NOTHING | form_of(tile)[1].columns(tile)


def words(tile: Mapping[str, Any]) -> str:
    """A specialist's effect in words: `1 gold: gain 2 prestige`."""
    return form_of(tile)[1].words(tile)
