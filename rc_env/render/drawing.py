"""Building blocks of drawings: elements, text and pieces in their places, and parts that make up panels."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from rc_env.rules.printed.sizes import ALL_DIE_NAMES

WIDE, NARROW = 582.0, 388.0  # widths of panels, for two side by side and for a telephone
GAP = 12.0
DARK = "#1d1710"  # edges of pieces, in both themes
_RIM = "#d9d2c4"  # the edge of the black die, which stands out on both themes


class Part(NamedTuple):
    """A group of a panel: where it lies, and a drawing that depends on `facts` alone."""

    name: str
    place: str  # an SVG transform
    draw: Callable[..., None]
    facts: tuple[Any, ...]

    def element(self) -> Element:
        """The drawing, not yet in its place."""
        group = Element("g")
        self.draw(group, *self.facts)
        return group


class Panel(NamedTuple):
    """A part of the table with its own frame; a page arranges panels according to its width."""

    name: str
    label: str
    width: float
    height: float
    parts: list[Part]

    def shape(self) -> dict[str, Any]:
        """The panel without its drawings, as pages are told of it: the name and the place of each part."""
        parts = [[part.name, part.place] for part in self.parts]
        return {**self._asdict(), "parts": parts}


def el(parent: Element, tag: str, text: str | None = None, **attributes: str | float) -> Element:
    """Add a child element: `class_` stands for class, an underscore for a hyphen; numbers are rounded to hundredths."""
    named = {name.rstrip("_").replace("_", "-"): _written(value) for name, value in attributes.items()}
    child = SubElement(parent, tag, named)
    child.text = text
    return child


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def write(
    parent: Element, x: float, y: float, words: str, size: float = 14, class_: str = "ink", anchor: str = "middle",
    bold: bool = False,
) -> Element:  # fmt: skip
    """Write words at a place."""
    extra: dict[str, str] = {}
    if anchor != "start":
        extra["text_anchor"] = anchor
    if bold:
        extra["font_weight"] = "bold"
    return el(parent, "text", words, x=x, y=y, font_size=size, class_=class_, **extra)


def write_fact(
    parent: Element, x: float, y: float, value: int, name: str, size: float = 14, anchor: str = "middle"
) -> None:
    """Write a number with a name, by which a program that reads the picture finds it."""
    write(parent, x, y, str(value), size, anchor=anchor, bold=True).set("data-fact", name)


def put(parent: Element, piece: str, x: float, y: float, scale: float = 1.0, class_: str = "") -> Element:
    """Place a piece with its middle at (x, y)."""
    extra = {"class_": class_} if class_ else {}
    if scale == 1:
        return el(parent, "use", href=f"#rc-{piece}", x=x, y=y, **extra)
    place = f"translate({_written(x)} {_written(y)}) scale({_written(scale)})"
    return el(parent, "use", href=f"#rc-{piece}", transform=place, **extra)


def frame(parent: Element, width: float, height: float) -> None:
    """Draw the ground of a panel."""
    el(parent, "rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=12, class_="panel")


def at(x: float, y: float, scale: float = 1) -> str:
    """A place as an SVG transform."""
    return f"translate({x:.4g} {y:.4g})" + ("" if scale == 1 else f" scale({scale:.3g})")


PIECE = "data-piece"
"""The attribute that names one of several things of a part, by which the pages of `rc serve` find it."""


def named_group(parent: Element, name: str) -> Element:
    """Add a group for one of several things of a part."""
    group = el(parent, "g")
    group.set(PIECE, name)
    return group


def label(parent: Element, words: str) -> None:
    """Add words for screen readers, which also appear where the pointer rests on the part."""
    el(parent, "title", words.replace("_", " "))


def square(parent: Element, x: float, y: float, side: float, class_: str, **attributes: str | float) -> None:
    """Draw a rounded square with its middle at (x, y)."""
    corner = {"x": x - side / 2, "y": y - side / 2, "rx": round(side / 5, 1)}
    named: dict[str, Any] = {**corner, "width": side, "height": side, "class_": class_, **attributes}
    el(parent, "rect", **named)


def die_square(parent: Element, x: float, y: float, side: float, die: str, width: float) -> int:
    """Draw a die without pips, with an edge of that width, light around the black die; returns its number."""
    number = ALL_DIE_NAMES.index(die)
    square(parent, x, y, side, f"c{number}", stroke=_RIM if die == "black" else DARK, stroke_width=width)
    return number


_SPECIAL = {
    "diamond": ("diamond",),
    "material": ("rubles", "any_material"),
    "die": ("any_die",),
    "guild": ("guild",),
}
"""The icons on each special workshop tile."""


def workshop_tile(parent: Element, x: float, y: float, tile: str, scale: float = 1) -> None:
    """Draw a workshop tile, face up."""
    square(parent, x, y, 30 * scale, "tile", stroke_width=1.2)
    what, amount = tile.split(":")
    if what == "die":
        number = die_square(parent, x, y, 17 * scale, amount, 1)
        el(parent, "circle", cx=x, cy=y, r=3 * scale, class_=f"i{number}")
    elif what == "special":
        pieces = _SPECIAL[amount]
        size = scale if len(pieces) == 1 else 0.65 * scale
        for i, piece in enumerate(pieces):
            put(parent, piece, x + 14 * scale * (i - (len(pieces) - 1) / 2), y, size)
    elif amount == "1":
        put(parent, what, x, y, scale)
    else:
        put(parent, what, x - 5 * scale, y, 0.75 * scale)
        write(parent, x + 8 * scale, y + 5 * scale, amount, 14 * scale, "i4", bold=True)


def static(name: str) -> str:
    """A file of the folder `static`, as text."""
    return resources.files("rc_env.render").joinpath("static", name).read_text("utf-8")
