"""Pieces that only the full game has, and the icons of its guild actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from rc_env.render.drawing import EDGE, el
from rc_env.rules import expansion_vocabulary as forms
from rc_env.rules.points import NO_POINT, Point
from rc_env.rules.sizes import MATERIAL_NAMES

Icon = tuple[str, float]  # a piece or a word, and its width

# --- the pieces


def expansion_definitions(defs: Element) -> None:
    """The pieces that only the full game has, to be used by `put`."""
    g = _piece(defs, "diamond")
    el(g, "path", d="M-6 -7H6L10 -2L0 9.5L-10 -2Z", fill="#bfe9f5", **EDGE)
    el(g, "path", d="M-10 -2H10M-6 -7L-3.5 -2L0 9.5L3.5 -2L6 -7M-3.5 -2L0 -7L3.5 -2", stroke="#3f8fa8",
       stroke_width=0.9, fill="none")  # fmt: skip
    g = _piece(defs, "foreman")
    el(g, "path", d="M-8 11C-8 2 -5 0 0 0S8 2 8 11Z", fill="#e0762b", **EDGE)
    el(g, "circle", cx=0, cy=-5, r=5, fill="#f0cfa6", **EDGE)
    el(g, "path", d="M-7 -6.5H7M-5 -6.5A5 5 0 0 1 5 -6.5Z", fill="#f4d13d", **EDGE)
    g = _piece(defs, "player")
    el(g, "circle", cx=0, cy=-5, r=4.4, fill="#8d97ab", **EDGE)
    el(g, "path", d="M-7.5 9.5C-7.5 2.5 -4 0.5 0 0.5S7.5 2.5 7.5 9.5Z", fill="#8d97ab", **EDGE)
    g = _piece(defs, "any_banner")
    el(g, "path", d="M-7 -9.5V10", stroke="#6b4a2b", stroke_width=2, stroke_linecap="round")
    el(g, "path", d="M-6 -9H9L5 -3.5L9 2H-6Z", fill="#b9a98c", **EDGE)
    g = _piece(defs, "guild")
    el(g, "path", d="M-8 -8.5H8V0C8 5.5 3.5 8.5 0 10C-3.5 8.5 -8 5.5 -8 0Z", fill="#7c5fa8", **EDGE)
    el(g, "path", d="M-4 -3.5H4M0 -3.5V5", stroke="#f1e6ff", stroke_width=2)
    g = _piece(defs, "contract")
    el(g, "path", d="M-7.5 -9.5H7.5V9.5H-7.5Z", fill="#fff7df", **EDGE)
    el(g, "path", d="M-4.5 -5.5H4.5M-4.5 -1.5H4.5M-4.5 2.5H0", stroke="#6b5d49", stroke_width=1.4)
    el(g, "circle", cx=3.6, cy=5.4, r=2.7, fill="#b0362a")
    g = _piece(defs, "cathedral_card")
    el(g, "path", d="M-7.5 -9.5H7.5V9.5H-7.5Z", fill="#dfe9ec", **EDGE)
    el(g, "path", d="M-4 7V1H4V7ZM-4 1C-4 -3 -1.5 -3.5 0 -7.5C1.5 -3.5 4 -3 4 1Z", fill="#a35f4c")
    g = _piece(defs, "reinforcement")
    el(g, "path", d="M-5.5 -9.5H5.5L10 0L5.5 9.5H-5.5L-10 0Z", fill="#a8c48a", **EDGE)
    el(g, "path", d="M0 -5V5M-5 0H5", stroke="#24401a", stroke_width=2.4)
    g = _piece(defs, "any_die")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3.5, fill="#f7f4ec", **EDGE)
    for colour, x, y in (("#c23b2e", -4, -4), ("#2c68b0", 4, -4), ("#e5ad1f", -4, 4), ("#3b8d50", 4, 4)):
        el(g, "circle", cx=x, cy=y, r=2.3, fill=colour)
    g = _piece(defs, "tile")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3, fill="#f1dfb6", **EDGE)
    el(g, "path", d="M0 0V-6A6 6 0 0 1 6 0ZM0 0V6A6 6 0 0 1 -6 0Z", fill="#a87340")
    g = _piece(defs, "market")
    el(g, "circle", r=6.6, fill="none", stroke="#cf9b5a", stroke_width=5)
    el(g, "path", d="M0 -9V-4M0 9V4M-9 0H-4M9 0H4", stroke="#2b2018", stroke_width=1.2)
    g = _piece(defs, "section")
    el(g, "path", d="M-7 9.5V-3H7V9.5Z", fill="#e9d3b4", **EDGE)
    el(g, "path", d="M-9 -3H9V-8H5V-5.5H2V-8H-2V-5.5H-5V-8H-9Z", fill="#c9a27a", **EDGE)
    for name, d in (("times", "M-3.5 -3.5L3.5 3.5M-3.5 3.5L3.5 -3.5"), ("plus", "M-4 0H4M0 -4V4")):
        el(_piece(defs, name), "path", d=d, stroke="#6b5d49", stroke_width=1.8)
    el(_piece(defs, "unequal"), "path", d="M-4.5 -2H4.5M-4.5 2.5H4.5M2.5 -6L-2.5 6.5", stroke="#6b5d49",
       stroke_width=1.6)  # fmt: skip
    el(_piece(defs, "per"), "path", d="M2.5 -7L-2.5 7", stroke="#6b5d49", stroke_width=1.8)


def _piece(defs: Element, name: str) -> Element:
    return el(defs, "g", id=f"rc-{name}")


# --- guild actions


def more_asked(columns: Mapping[str, Any]) -> list[Icon]:
    """What an action of the expansion asks for, beside what base actions ask for."""
    if "opens" not in columns:  # an action of the base game
        return []
    asked = _count(columns["price_recognition"], "recognition") + _count(columns["to_player"], "rubles")
    for material, number in zip(MATERIAL_NAMES, columns["fixed"], strict=True):
        asked += _count(number, material)
    return asked + _count(columns["fixed_diamonds"], "diamond") + _count(columns["to_player"] and 1, "player")


def more_given(columns: Mapping[str, Any]) -> list[Icon]:
    """What an action of the expansion gives, beside goods and deliveries."""
    if "opens" not in columns:
        return []
    given = _count(columns["diamonds"], "diamond") + _count(columns["from_player"], "prestige")
    if columns["tiles"]:
        return given + _TILES[columns["mode"]]
    if columns["opens"] != NO_POINT:
        given += _opened(Point(columns["opens"]), columns)
    return given


def is_own_tiles(columns: Mapping[str, Any]) -> bool:
    """Whether the workshop tiles that an action activates are drawn by `more_given`."""
    return "opens" in columns and bool(columns["tiles"])


_WORKSHOP, _TIMES, _DIE = ("workshop", 18.0), ("times", 9.0), ("any_die", 18.0)
_TILES: dict[int, list[Icon]] = {
    forms.OWN_TILE: [_WORKSHOP],
    forms.ANOTHERS_TILE: [("player", 15.0), _WORKSHOP],
    forms.SAME_TILE: [("2", 9.0), _TIMES, _WORKSHOP],
    forms.TWO_TILES: [_WORKSHOP, ("unequal", 11.0), _WORKSHOP],
    forms.GIVEN_TILE: [_WORKSHOP, ("swap", 22.0), ("section", 18.0)],
}


def _opened(point: Point, columns: Mapping[str, Any]) -> list[Icon]:
    """The decision point that an action opens.

    Raises:
        ValueError: no action opens it.
    """
    mode, number = columns["mode"], columns["count"]
    match point:
        case Point.FOREMAN:
            unit = "recognition" if mode & forms.PER_RECOGNITION else "rubles"
            whose: list[Icon] = [("player", 15.0)] if mode & forms.OF_OTHER else []
            steps: list[Icon] = [("foreman", 17.0), (str(number), 9.0), ("arrow", 13.0)]
            return [*steps, (unit, 19.0), ("per", 7.0), *whose, ("any_banner", 17.0)]
        case Point.EXTRA:
            market: Icon = ("market", 19.0)
            if mode == forms.ONE_ACTION:
                more: list[Icon] = [("plus", 10.0), ("any_material", 18.0)]
                return [market, *(more if columns["then_material"] else [])]
            return [("2", 9.0), _TIMES, market] if mode == forms.SAME_ACTION else [market, ("unequal", 11.0), market]
        case Point.KEEP:
            return [("3", 9.0), ("contract", 16.0), ("arrow", 13.0), ("1", 9.0), ("contract", 16.0)]
        case Point.RESOURCE:
            if mode == forms.ANY_DIE:
                return [_DIE]
            return [("tile", 18.0), *([_TIMES, _DIE] if mode == forms.TIMES_DICE else [])]
        case Point.INFLUENCE:
            return [("guild", 18.0)]
        case Point.CARD:
            card: list[Icon] = [("cathedral_card", 17.0), ("2", 9.0), ("any_material", 18.0)]
            return [*card, ("plus", 10.0), card[0], ("1", 9.0), card[2]] if number == 2 else card
        case Point.SECTION:
            if mode == forms.SECTION_RUBLES:
                return [("section", 18.0), ("rubles", 19.0)]
            return [("section", 18.0), (f"1/{columns['divisor']}", 22.0), ("recognition", 19.0)]
        case Point.REINFORCEMENT:
            return [("reinforcement", 20.0)]
        case Point.PLAYER:
            return [] if mode == forms.RUBLES else [("player", 15.0), ("different", 18.0)]
    raise ValueError(f"point: {point.name} found, expected one that an action of a guild card opens")


def _count(number: int, piece: str) -> list[Icon]:
    """A number of pieces, if there are any."""
    return [*([(str(number), 9.0)] if number > 1 else []), (piece, 19.0)] if number else []
