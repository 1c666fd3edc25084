"""Pieces that only games with the module Contractors have, and the icons of specialists and their tools."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from rc_env.render.drawing import EDGE, define, el, put, square, write
from rc_env.render.guild_icons import Icon, count_icons, guild_icons

_PAWN = "M-10.5 11C-10.5 2 -7 -0.5 -4 -2.5A5.6 5.6 0 1 1 4 -2.5C7 -0.5 10.5 2 10.5 11Z"
_WOOD, _STEEL, _DARK_STEEL = "#a87340", "#c3cad1", "#8b939b"


def module_definitions(parent: Element) -> None:
    """The pieces that only the module has, for `put`."""
    defs = el(parent, "defs")
    el(define(defs, "contractor"), "path", d=_PAWN, **EDGE)  # takes the colour of the class it is used with
    el(define(defs, "any_contractor"), "path", d=_PAWN, fill="#b9a98c", **EDGE)
    g = define(defs, "permits")
    el(
        g,
        "path",
        d="M-10 -6.5H10V-2.5A2.5 2.5 0 0 0 10 2.5V6.5H-10V2.5A2.5 2.5 0 0 0 -10 -2.5Z",
        fill="#2f8f86",
        **EDGE,
    )
    el(g, "path", d="M-4.5 0.5L-1 3.5L5 -3.5", fill="none", stroke="#ffffff", stroke_width=2.2)
    g = define(defs, "black_die")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3.5, fill="#26222b", stroke="#d9d2c4", stroke_width=1)
    for x, y in ((-3.7, 3.7), (0, 0), (3.7, -3.7)):
        el(g, "circle", cx=x, cy=y, r=1.7, fill="#ffffff")
    g = define(defs, "any_ornament")
    el(g, "path", d="M-9 9V-1A9 9 0 0 1 9 -1V9H4.5V-1A4.5 4.5 0 0 0 -4.5 -1V9Z", fill="#b9a98c", **EDGE)
    el(g, "path", d="M-8 9L8 -9", stroke="#b0362a", stroke_width=2.4)
    g = define(defs, "locked")
    el(g, "path", d="M-4.5 -1V-4A4.5 4.5 0 0 1 4.5 -4V-1", fill="none", stroke="#8d7a58", stroke_width=2.2)
    el(g, "rect", x=-7, y=-1.5, width=14, height=10.5, rx=2, fill="#b7a27c", **EDGE)
    el(g, "path", d="M0 2V5.5", stroke="#4b3d2a", stroke_width=2)
    g = define(defs, "bag")
    el(g, "path", d="M-3.5 -5C-9 -1 -10 9 -6 9.5H6C10 9 9 -1 3.5 -5L5.5 -9.5L0 -8L-5.5 -9.5Z", fill="#a35f4c", **EDGE)
    el(g, "path", d="M-4.5 -5H4.5", stroke="#f4d13d", stroke_width=1.8)
    _tools(defs)


def _tools(defs: Element) -> None:
    g = define(defs, "tool_hammer")
    el(g, "path", d="M-1.5 -3H1.5V10H-1.5Z", fill=_WOOD, **EDGE)
    el(g, "path", d="M-8.5 -8.5H5C7.5 -8.5 9 -6 9.5 -3C7 -4 5.5 -3.5 4 -2.5H-8.5Z", fill=_DARK_STEEL, **EDGE)
    g = define(defs, "tool_saw")
    el(g, "path", d="M-10 3L3 -6V3L1.2 5.2L-0.6 3L-2.4 5.2L-4.2 3L-6 5.2L-7.8 3L-9 4.5Z", fill=_STEEL, **EDGE)
    el(g, "path", d="M3 -7.5H8.5A2 2 0 0 1 10 -5.5V3A2.5 2.5 0 0 1 7.5 5.5H3Z", fill=_WOOD, **EDGE)
    el(g, "rect", x=5, y=-3.5, width=2.6, height=4.5, rx=1.2, fill="#fffaf0")
    g = define(defs, "tool_trowel")
    el(g, "path", d="M0 10L-7 -1.5L0 -4L7 -1.5Z", fill=_STEEL, **EDGE)
    el(g, "path", d="M0 -3.5V-6", stroke="#6b5d49", stroke_width=1.8)
    el(g, "rect", x=-2, y=-10.5, width=4, height=5.5, rx=1.6, fill=_WOOD, **EDGE)
    g = define(defs, "tool_chisel")
    el(g, "path", d="M-2 -1H2L2.6 7L-2.6 10Z", fill=_STEEL, **EDGE)
    el(g, "path", d="M-2.6 -8.5Q0 -11.5 2.6 -8.5L2.2 -1H-2.2Z", fill=_WOOD, **EDGE)
    el(g, "path", d="M-3.4 -8.2H3.4", stroke=_DARK_STEEL, stroke_width=1.8)
    g = define(defs, "tool_plumb")
    el(g, "path", d="M0 -10.5V0", stroke="#6b5d49", stroke_width=1.4)
    el(g, "path", d="M-5.5 -10.5H5.5", stroke="#a87340", stroke_width=2.6, stroke_linecap="round")
    el(g, "path", d="M-4.5 0H4.5L3.6 4.5L0 10.5L-3.6 4.5Z", fill="#cf9b1d", **EDGE)
    g = define(defs, "tool_brush")
    el(g, "rect", x=-1.6, y=-10.5, width=3.2, height=9, rx=1.6, fill=_WOOD, **EDGE)
    el(g, "rect", x=-5, y=-2.5, width=10, height=3.6, rx=1, fill=_DARK_STEEL, **EDGE)
    el(g, "path", d="M-5 1H5L6 9.5L2.5 8L0 10L-2.5 8L-6 9.5Z", fill="#e3bd88", **EDGE)


TOOLS = ("hammer", "saw", "trowel", "chisel", "plumb", "brush")
"""Tools that have a drawing; other tools, from a data file of your own, are shown by their first letters."""


def put_tool(parent: Element, tool: str, x: float, y: float, scale: float = 1) -> None:
    """Draw a tool on its grey ground, with its middle at (x, y)."""
    square(parent, x, y, 24 * scale, "tile", stroke_width=1)
    if tool in TOOLS:
        put(parent, f"tool_{tool}", x, y, 0.86 * scale)
    else:
        write(parent, x, y + 4 * scale, tool[:2], 11 * scale, "i4", bold=True)


def specialist_icons(tile: dict[str, Any]) -> list[Icon]:
    """A specialist's effect as icons and numbers."""
    if "gain" in tile["printed"]:
        return [icon for name, number in tile["printed"]["gain"].items() for icon in count_icons(number, name)]
    return guild_icons(tile["columns"])


def put_contractors(parent: Element, x: float, y: float, seat: int, words: str, scale: float = 1) -> None:
    """Draw contractors of a seat as one pawn with the seat's letter and their number, so that colour is not needed."""
    put(parent, "contractor", x, y, 1.25 * scale, f"c{seat}")
    write(parent, x, y + 11.5 * scale, words, 12 * scale, f"i{seat}", bold=True)
