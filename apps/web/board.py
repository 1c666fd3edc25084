"""The board for a page that updates it part by part: its panels, and the drawing of each part."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple
from xml.etree.ElementTree import tostring

from rc_env.render.drawing import Part
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import View

LAYOUTS = {"wide": panels, "narrow": narrow_panels}
"""The two layouts of the board, by name, as the replay page has them."""
_MOST = 20_000
"""The number of cached drawings, some 20 MB."""
_drawings: OrderedDict[tuple[Any, str], str] = OrderedDict()
_busy = Lock()


class DrawnBoard(NamedTuple):
    """All parts of the board in one layout.

    Attributes:
        panels: each with "name", "label", "width", "height" and "parts", the name and the place of each part.
        drawings: of each part, through all panels, as SVG.
    """

    panels: list[dict[str, Any]]
    drawings: list[str]

    @property
    def parts(self) -> list[str]:
        """The name of each part, in the order of `drawings`."""
        return [name for panel in self.panels for name, _ in panel["parts"]]

    def changes(self, before: DrawnBoard | None) -> list[tuple[int, str]]:
        """The parts that changed: number and drawing."""
        known = [""] * len(self.drawings) if before is None else before.drawings
        return [(i, one) for i, one in enumerate(self.drawings) if one != known[i]]


def draw(shown: View, layout: str) -> DrawnBoard:
    """Draw the board of a position in one of `LAYOUTS`, using cached drawings of parts."""
    laid = LAYOUTS[layout](shown)
    return DrawnBoard([panel.shape() for panel in laid], [_drawing(part) for panel in laid for part in panel.parts])


def certain(views: Sequence[View], before: DrawnBoard, layout: str) -> list[tuple[int, str]]:
    """The parts that are alike in all views of possible positions and differ from the board before: number and
    drawing."""
    boards = [[part for panel in LAYOUTS[layout](shown) for part in panel.parts] for shown in views]
    alike = [(i, parts[0]) for i, parts in enumerate(zip(*boards, strict=True)) if len(set(map(_key, parts))) == 1]
    drawn = [(i, _drawing(part)) for i, part in alike]
    return [(i, one) for i, one in drawn if one != before.drawings[i]]


def _key(part: Part) -> tuple[Any, str]:
    return part.draw, repr(part.facts)


def _drawing(part: Part) -> str:
    key = _key(part)
    with _busy:
        if key in _drawings:
            _drawings.move_to_end(key)
            return _drawings[key]
    made = "".join(tostring(child, encoding="unicode") for child in part.element())
    with _busy:
        _drawings[key] = made
        if len(_drawings) > _MOST:
            _drawings.popitem(last=False)
    return made
