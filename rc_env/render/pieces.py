"""Building blocks of the pictures: colours of both themes, and the game's pieces as small vector shapes.

A piece is drawn once, in `static/pieces.svg`, around the origin and about 20 units wide, and used wherever it lies.
Pieces look the same in both themes and have no CSS classes inside, since browsers do not apply the page's rules within
a `use`; the things under them (paper, lines, ink) have classes that a theme colours.
"""

from __future__ import annotations

from functools import cache
from xml.etree.ElementTree import Element, fromstring

from rc_env.render.drawing import DARK, el, static
from rc_env.rules.printed.sizes import MATERIAL_NAMES

THEMES = ("light", "dark", "auto")
NAMESPACE = "http://www.w3.org/2000/svg"

# By class, the property that a theme sets, and its light and dark values.
_THEMED = {
    "ground": ("fill:#efe6d4", "fill:#17151b"),
    "panel": ("fill:#fbf6ea;stroke:#d8c9a9", "fill:#24212b;stroke:#3d3846"),
    "paper": ("fill:#fffdf6", "fill:#322e3a"),
    "well": ("fill:#e9dec6;stroke:#cdbd98", "fill:#1b1920;stroke:#46404f"),
    "tile": ("fill:#fffaf0;stroke:#8d7a58", "fill:#efe4cd;stroke:#0d0c10"),
    "back": ("fill:#b7a27c;stroke:#8d7a58", "fill:#5c5263;stroke:#0d0c10"),
    "ink": ("fill:#2e251b", "fill:#f3ebdc"),
    "muted": ("fill:#6b5d49", "fill:#b3a897"),
    "line": ("fill:none;stroke:#9b8a6b", "fill:none;stroke:#6f667b"),
    "offer": ("fill:none;stroke:#2e251b", "fill:none;stroke:#f3ebdc"),
    "accent": ("fill:none;stroke:#d2691e", "fill:none;stroke:#ffa94d"),
    "sky": ("fill:#e4edf0;stroke:#d8c9a9", "fill:#1c2130;stroke:#3d3846"),
    "hill": ("fill:#cfdcc6", "fill:#262f33"),
    "plinth": ("fill:#fbf6ea", "fill:#24212b"),
    "sun": ("fill:#fbe3a3", "fill:#39405a"),
    "season0": ("fill:#d5e2bd", "fill:#34422e"),
    "season1": ("fill:#f4e0a6", "fill:#4a4024"),
    "season2": ("fill:#efcaa6", "fill:#4b3326"),
    "season3": ("fill:#cddfe8", "fill:#2b3c48"),
    "crowned": ("fill:#f1d58a;stroke:#cdbd98", "fill:#6b5523;stroke:#46404f"),
}
# Colours of the seats and dice, and what is written on them.
_SEATS = (
    ("#c23b2e", "#ffffff"),
    ("#2c68b0", "#ffffff"),
    ("#e5ad1f", "#2b2110"),
    ("#3b8d50", "#ffffff"),
    ("#f7f4ec", "#2b2110"),
)
_MORE = (("#26222b", "#ffffff"), ("#8a5aa8", "#ffffff"), ("#c97a4a", "#2b2110"))  # black, and dice of a toy build
FONT = "'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif"


def style(theme: str, within: str, dice: int) -> str:
    """CSS of a theme ("auto" follows the reader's system) for what lies within an element that `within` selects.

    `dice` is the number of dice: 5 in the base game, 6 with the black die.
    """
    light, dark = ("".join(f"{within} .{name}{{{both[i]}}}" for name, both in _THEMED.items()) for i in range(2))
    fixed = f"{within} text{{font-family:{FONT}}}"
    fixed += "".join(f"{within} .{name}{{{rule}}}" for name, rule in _fixed(dice).items())
    if theme == "auto":
        return f"{fixed}{light}@media(prefers-color-scheme:dark){{{dark}}}"
    return fixed + (light if theme == "light" else dark)


def _fixed(dice: int) -> dict[str, str]:
    """CSS that is the same in both themes: colours of the dice, of lines, and of text on them."""
    known = (*_SEATS, *_MORE * (-(-dice // len(_MORE))))[:dice]
    return {
        **{f"c{i}": f"fill:{fill}" for i, (fill, _) in enumerate(known)},
        **{f"s{i}": f"fill:none;stroke:{fill}" for i, (fill, _) in enumerate(known)},
        **{f"i{i}": f"fill:{ink}" for i, (_, ink) in enumerate(known)},
    }


# --- the pieces

# Sections, from the middle of their foot upwards.
SHAPES = {
    "base": "M-50 0V-11H-46V-95H-50V-104H50V-95H46V-11H50V0Z",
    "middle": "M-43 0V-95H-47V-104H47V-95H43V0Z",
    "dome": "M-32 0V-15H-36C-58 -33 -54 -82 -17 -105C-7 -111 -2 -120 0 -134C2 -120 7 -111 17 -105"
    "C54 -82 58 -33 36 -15H32V0Z",
}
SPREAD = 104.0  # of the widest section, with its edge
HEIGHTS = {"base": 104.0, "middle": 104.0, "dome": 134.0}
CROSS_HEIGHT = 28.0


def definitions(parent: Element, full: bool = False, module: bool = False) -> None:
    """Every piece, for `put`; with `full` also those of the full game, with `module` those of the module."""
    groups = _drawn()
    defs = el(parent, "defs")
    defs.extend(groups["base"])
    for i, material in enumerate(MATERIAL_NAMES):
        if defs.find(f"g[@id='rc-{material}']") is None:  # of a build with more materials
            disc = el(el(defs, "g", id=f"rc-{material}"), "circle", r=8.5, fill=f"hsl({137 * i % 360},45%,55%)")
            disc.set("stroke", DARK)
    defs.extend(groups["full"] if full else ())
    if module:
        el(parent, "defs").extend(groups["module"])


@cache
def _drawn() -> dict[str, Element]:
    """The pieces that `static/pieces.svg` draws, by the part of the game that they belong to.

    A piece without a colour takes that of the class with which it is used.
    """
    root = fromstring(static("pieces.svg"))
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]  # the name space is that of the picture
        element.text = element.tail = None
    return {group.get("id", ""): group for group in root}
