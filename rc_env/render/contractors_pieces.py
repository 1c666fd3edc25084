"""Pieces that only games with the module Contractors have, and the icons of specialists and their tools."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from rc_env.render.drawing import put, square, write
from rc_env.render.guild_icons import Icon, count_icons, guild_icons

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
