"""Lines of text in styles: abbreviations of materials and amounts, cropping and folding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import NamedTuple

from rc_env.render.expansion import GOODS
from rc_env.rules.printed.sizes import COLOURS, MATERIAL_NAMES


class Piece(NamedTuple):
    """Words that stay together on a line, in a style."""

    text: str
    style: str = ""


Line = list[Piece]
SHORT = {material: material[:2] for material in GOODS}
LEGEND = (
    ", ".join(f"{SHORT[material]} {material.replace('_', ' ')}" for material in MATERIAL_NAMES)
    + ", any: any material, r rubles, rec recognition; lu2: two lumber"
)
"""The legend of the abbreviations, in one line."""
_OTHER = {"any_material": "any", "recognition": "rec", "rubles": "r", "permits": "p", "prestige": "prest"}
_COUNTED = ("rubles", "recognition", "permits", "prestige")  # written with the number first, as `3r`


def amounts(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """Abbreviated amounts, such as `lu2 br 3r 4rec`; `-` for nothing."""
    pairs = counts.items() if isinstance(counts, Mapping) else counts
    return " ".join(_amount(name, number) for name, number in pairs if number) or "-"


def shortened(text: str) -> str:
    """A text with materials and amounts abbreviated: `sell lumber or brick for 2 rubles` is `sell lu/br for 2r`."""
    text = re.sub(r"\b([a-z_]+):(\d+)", lambda m: _amount(m[1], int(m[2])) if _is_good(m[1]) else m[0], text)
    text = re.sub(rf"\b({'|'.join(MATERIAL_NAMES)})\b", lambda m: SHORT[m[1]], text)
    text = re.sub(r"\b(\w\w)(?: or )(?=\w\w\b)", r"\1/", text)
    text = re.sub(r"\b(\d+) rubles?\b", r"\1r", text)
    text = text.replace("a base, a middle and a dome", "base, middle, dome").replace("recognition", "rec")
    return text.replace("unlimited", "repeat")


def crop(line: Line, width: int) -> Line:
    """The line cropped to `width` columns; a cropped line ends in `..`."""
    if length(line) <= width:
        return line
    kept: Line = []
    for piece in line:
        room = max(width - 2, 0) - length(kept)
        kept.append(Piece(piece.text[:room], piece.style))
        if len(piece.text) >= room:
            break
    return [*kept, Piece(".."[:width])]


def fold(line: Line, width: int, indent: int) -> list[Line]:
    """The line in as many rows as it needs, all but the first indented: broken between its pieces, or within one that
    is longer than a row."""
    rows: list[Line] = [[]]
    for piece in line:
        if length(rows[-1]) + len(piece.text) <= width:
            rows[-1].append(piece)
            continue
        text = piece.text.lstrip(" ;,") if rows[-1] else piece.text
        for part in wrap(text, max(width - indent, 1)):
            if rows[-1]:
                rows.append([Piece(" " * indent)])
            rows[-1].append(Piece(part, piece.style))
    return rows


def length(line: Iterable[Piece]) -> int:
    """The number of columns of a line."""
    return sum(len(piece.text) for piece in line)


def _is_good(name: str) -> bool:
    return name in SHORT or name in _OTHER


def _amount(name: str, number: int) -> str:
    if name in _COUNTED:
        return f"{number}{_OTHER[name]}"
    return f"{SHORT.get(name) or _OTHER.get(name, name)}{number if number > 1 else ''}"


def tile_name(name: str) -> str:
    """The short name of a tile: `red` for `die:red`, `lu` for `lumber:1`, and a special tile with a star, `*guild`."""
    kind, _, value = name.partition(":")
    if kind == "special":
        return f"*{value}"
    return value if kind == "die" else _amount(kind, int(value))


def by_seat(numbers: Iterable[int], letters: bool) -> Line:
    pieces: Line = []
    for seat, n in enumerate(numbers):
        if n:
            colour = COLOURS[seat]
            text = f"{colour[0].upper()}{n}" if letters else f"{colour} {n}"
            pieces += [Piece(" " if letters and pieces else ", " if pieces else ""), Piece(text, colour)]
    return pieces
