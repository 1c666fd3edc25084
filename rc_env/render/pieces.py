"""Building blocks of the pictures: colours of both themes, and the game's pieces as small vector shapes.

A piece is drawn once, around the origin and about 20 units wide, and used wherever it lies. Pieces look the same in
both themes and have no CSS classes inside, since browsers do not apply the page's rules within a `use`; the things
under them (paper, lines, ink) have classes that a theme colours.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from rc_env.render.drawing import EDGE, define, el
from rc_env.render.expansion_pieces import expansion_definitions
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

_PIPS = {
    1: ((0, 0),), 2: ((-5, 5), (5, -5)), 3: ((-5, 5), (0, 0), (5, -5)), 4: ((-5, -5), (5, -5), (-5, 5), (5, 5)),
    5: ((-5, -5), (5, -5), (0, 0), (-5, 5), (5, 5)), 6: ((-5, -5), (5, -5), (-5, 0), (5, 0), (-5, 5), (5, 5)),
}  # fmt: skip

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


def definitions(parent: Element, full: bool = False) -> None:
    """Every piece, for `put`; with `full` also those of the full game."""
    defs = el(parent, "defs")
    _materials(defs)
    _resources(defs)
    _icons(defs)
    _walls(defs)
    _seat_pieces(defs)
    for value, dots in _PIPS.items():
        g = define(defs, f"pips{value}")
        for x, y in dots:
            el(g, "circle", cx=x, cy=y, r=2.1)
    if full:
        expansion_definitions(defs)


def _materials(defs: Element) -> None:
    g = define(defs, "lumber")
    el(g, "rect", x=-9.5, y=0, width=19, height=7.6, rx=3.8, fill="#8f5f32", **EDGE)
    el(g, "rect", x=-9.5, y=-7.6, width=19, height=7.6, rx=3.8, fill="#a87340", **EDGE)
    for y in (3.8, -3.8):
        el(g, "circle", cx=5.7, cy=y, r=2.3, fill="#e3bd88")
    g = define(defs, "brick")
    el(g, "rect", x=-9.5, y=-6.5, width=19, height=13, rx=1.5, fill="#b9533a", **EDGE)
    el(g, "path", d="M-9 0H9M-3 -6V0M3.5 0V6", stroke="#f0c9b4", stroke_width=1.3)
    g = define(defs, "stone")
    el(g, "path", d="M-9.5 3L-6.5 -6L2 -8L9.5 -2.5L8 6L0 8.5L-7 7Z", fill="#8b939b", **EDGE)
    el(g, "path", d="M-6.5 -6L-1 -1L9.5 -2.5M-1 -1L0 8.5", stroke="#c9d0d6", stroke_width=1.1, fill="none")
    g = define(defs, "gold")
    el(g, "path", d="M-6 -6H6L10 6.5H-10Z", fill="#e2a722", **EDGE)
    el(g, "path", d="M-6 -6H6L4.5 -2H-4.5Z", fill="#f9dc83")
    g = define(defs, "green_gem")
    el(g, "path", d="M-5.5 -7.5H5.5L9.8 -2L0 9.5L-9.8 -2Z", fill="#22a06b", **EDGE)
    el(g, "path", d="M-9.8 -2H9.8M-5.5 -7.5L-3 -2L0 9.5L3 -2L5.5 -7.5", stroke="#a5e8c9", stroke_width=0.9, fill="none")
    g = define(defs, "purple_gem")
    el(g, "path", d="M0 -9.5L8.2 -4.7V4.7L0 9.5L-8.2 4.7V-4.7Z", fill="#8848b4", **EDGE)
    el(g, "path", d="M0 -5L4.3 -2.5V2.5L0 5L-4.3 2.5V-2.5Z", fill="#b684dc", stroke="#e3cbf5", stroke_width=0.8)
    drawn = {piece.get("id") for piece in defs}
    for i, material in enumerate(MATERIAL_NAMES):
        if f"rc-{material}" not in drawn:  # of a build with more materials: a disc in a colour of its own
            el(define(defs, material), "circle", r=8.5, fill=f"hsl({137 * i % 360},45%,55%)", **EDGE)


def _resources(defs: Element) -> None:
    """Define the pieces for resources other than materials, and for "any material"."""
    g = define(defs, "rubles")
    el(g, "circle", r=9, fill="#c9ced8", **EDGE)
    el(g, "circle", r=6.2, fill="none", stroke="#868d9b", stroke_width=1)
    el(g, "path", d="M0 -4L3.2 0L0 4L-3.2 0Z", fill="#6d7482")
    g = define(defs, "recognition")
    el(g, "path", d="M0 -10.5L2.8 -2.8L10.5 0L2.8 2.8L0 10.5L-2.8 2.8L-10.5 0L-2.8 -2.8Z", fill="#e8842a", **EDGE)
    g = define(defs, "prestige")
    el(g, "path", d="M-9 6.5L-10 -4L-4.5 0L0 -8L4.5 0L10 -4L9 6.5Z", fill="#cf9b1d", **EDGE)
    el(g, "path", d="M-8 3.5H8", stroke="#fff2c4", stroke_width=1.4)
    g = define(defs, "any_material")
    for turn, colour in zip((0, 90, 180, 270), ("#a87340", "#b9533a", "#22a06b", "#8848b4"), strict=True):
        el(g, "path", d="M0 0V-9A9 9 0 0 1 9 0Z", fill=colour, transform=f"rotate({turn})")
    el(g, "circle", r=9, fill="none", **EDGE)


def _icons(defs: Element) -> None:
    """Define the icons of guild actions, see `guild_icons`."""
    g = define(defs, "same")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3, fill="#d9ccb2", **EDGE)
    el(g, "path", d="M-4.5 -2.5H4.5M-4.5 2.5H4.5", stroke="#4b3d2a", stroke_width=1.8)
    g = define(defs, "different")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3, fill="#d9ccb2", **EDGE)
    el(g, "path", d="M-4.5 -2.5H4.5M-4.5 2.5H4.5M3 -6L-3 6", stroke="#4b3d2a", stroke_width=1.6)
    g = define(defs, "workshop")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3, fill="#fffaf0", **EDGE)
    el(g, "path", d="M-1.5 6V-1H-5V-5H5V-1H1.5V6Z", fill="#7d5a38")
    g = define(defs, "delivery")
    el(g, "path", d="M-8 9V0H8V9ZM-8 0C-8 -4 -3 -5 0 -10C3 -5 8 -4 8 0Z", fill="#c9a27a", **EDGE)
    el(g, "path", d="M0 7V1.5M-3 4L0 1L3 4", stroke="#4b3d2a", stroke_width=1.6, fill="none")
    g = define(defs, "each")
    el(g, "path", d="M-4 9V4H4V9ZM-4 3V-2H4V3ZM-4 -3C-4 -6 -1 -7 0 -10C1 -7 4 -6 4 -3Z", fill="#c9a27a", **EDGE)
    g = define(defs, "swap")
    el(g, "rect", x=-10, y=-5, width=8, height=8, rx=1.5, fill="#fffaf0", **EDGE)
    el(g, "rect", x=2, y=-3, width=8, height=8, rx=1.5, fill="#d9ccb2", **EDGE)
    el(g, "path", d="M-6 -8H5M5 -8L2 -10.5M6 8H-5M-5 8L-2 10.5", stroke="#8d7a58", stroke_width=1.5, fill="none")
    g = define(defs, "unlimited")
    loops = "M0 0C-3 -5 -8 -5 -8 0S-3 5 0 0S8 -5 8 0S3 5 0 0Z"
    el(g, "path", d=loops, fill="none", stroke="#8d7a58", stroke_width=1.8)
    g = define(defs, "arrow")
    el(g, "path", d="M-5 0H4M1 -3L4.5 0L1 3", fill="none", stroke="#8d7a58", stroke_width=1.6)


def _walls(defs: Element) -> None:
    """Define the walls of finished sections: courses of stone, and the ribs of an onion dome."""
    for kind, half, foot in (("base", 46, 11), ("middle", 43, 0)):
        d = ""
        for row, y in enumerate(range(foot, 95, 12)):
            top = min(y + 12, 95)
            d += f"M-{half} -{top}H{half}"
            d += "".join(f"M{x} -{y}V-{top}" for x in ((-30, -10, 10, 30) if row % 2 else (-37, -19, 0, 19, 37)))
        el(
            define(defs, f"wall_{kind}"),
            "path",
            d=d,
            fill="none",
            stroke="#000000",
            stroke_opacity=0.25,
            stroke_width=1.3,
        )
    ribs = (
        "M-35 -15H35M-44 -35C-35 -73 -19 -94 0 -130M-16 -16C-24 -58 -13 -94 0 -130M16 -16C24 -58 13 -94 0 -130"
        "M44 -35C35 -73 19 -94 0 -130"
    )
    g = define(defs, "wall_dome")
    el(g, "path", d=ribs, fill="none", stroke="#ffffff", stroke_opacity=0.3, stroke_width=3)


def _seat_pieces(defs: Element) -> None:
    """Define the pieces that take the colour of the class with which they are used."""
    g = define(defs, "banner")
    el(g, "path", d="M-7 -9.5V10", stroke="#6b4a2b", stroke_width=2, stroke_linecap="round")
    el(g, "path", d="M-6 -9H9L5 -3.5L9 2H-6Z", **EDGE)
    g = define(defs, "door")
    el(g, "path", d="M-7 9V-2A7 7 0 0 1 7 -2V9Z", **EDGE)
    el(g, "path", d="M0 -8.5V9", stroke="#00000066", stroke_width=1)
    g = define(defs, "arch")
    el(g, "path", d="M-9 9V-1A9 9 0 0 1 9 -1V9H4.5V-1A4.5 4.5 0 0 0 -4.5 -1V9Z", **EDGE)
    g = define(defs, "cross")
    el(g, "path", d="M-1.7 10V2.5H-6.5V-1H-1.7V-4H-4.5V-7H-1.7V-10H1.7V-7H4.5V-4H1.7V-1H6.5V2.5H1.7V10Z", **EDGE)
    g = define(defs, "pin")
    el(g, "path", d="M0 9C-8 -1 -7.5 -9 0 -9S8 -1 0 9Z", **EDGE)
