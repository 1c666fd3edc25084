"""A game as pixels: the SVG picture where the extra `viz` is installed, else squares drawn with NumPy alone.

In the picture of squares there are the market ring and guilds, towers, a row for each seat, and with the module
Contractors two rows for cities, specialists, permits and contractors. A square in a
material's colour is that material; in a seat's colour, a banner, a die or a slot. Sections: pale while unclaimed,
framed in the owner's colour once claimed, filled with it once finished.
"""

from __future__ import annotations

import colorsys
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arguments import ONE_GAME
from rc_env.render.pieces import THEMES
from rc_env.render.svg import board_svg
from rc_env.render.view import View, view
from rc_env.rules.printed.components import tile_parts
from rc_env.rules.printed.sizes import (
    ALL_DIE_NAMES,
    ANY,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    COLOURS,
    GUILDS,
    LEVELS,
    MATERIAL_NAMES,
    PERMITS,
    RECOGNITION,
    RESOURCE_NAMES,
    RUBLES,
    SPACES,
    WHITE_BANNER,
    WHITE_DIE,
    WHITE_SLOTS,
)
from rc_env.rules.solo.ivan import SEAT as IVAN
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

Colour = tuple[int, int, int]
Picture = NDArray[np.uint8]

TABLE, PAPER, INK, SHADE = (58, 46, 40), (238, 228, 205), (30, 26, 24), (150, 138, 122)
_COLOURS: dict[str, Colour] = {
    "red": (205, 50, 45), "blue": (45, 95, 195), "yellow": (235, 190, 40), "green": (55, 150, 70),
    "white": (250, 250, 250), "black": (38, 34, 43),
    "lumber": (140, 90, 45), "brick": (190, 85, 55), "stone": (130, 135, 140), "gold": (225, 175, 30),
    "green_gem": (40, 175, 120), "purple_gem": (145, 75, 180), "rubles": (190, 190, 205), "recognition": (90, 170, 225),
}  # fmt: skip


def _hue(number: int) -> Colour:
    """The colour of a number: far apart from those of its neighbours."""
    red, green, blue = colorsys.hsv_to_rgb(0.08 + 0.382 * number, 0.5, 0.75)
    return round(255 * red), round(255 * green), round(255 * blue)


def _colours(names: Sequence[str]) -> list[Colour]:
    """The colour of each name; a name without one gets a colour by its number."""
    return [_COLOURS.get(name, _hue(number)) for number, name in enumerate(names)]


SEATS = _colours(ALL_DIE_NAMES)  # seats and neutral dice
SLOTS = [*SEATS[: len(COLOURS)], *[SEATS[WHITE_DIE]] * len(WHITE_SLOTS)]
RESOURCES = _colours(RESOURCE_NAMES)
ANY_MATERIAL, PERMIT = (225, 130, 185), (47, 143, 134)
GUILD_COLOURS = [_hue(guild) for guild in range(GUILDS)]
RING = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))  # column, row of spaces 0-7, clockwise

MARGIN, CELL, WIDE, HIGH, ROW = 16, 84, 76, 46, 58


def _glyph(rows: str) -> NDArray[np.bool_]:
    """A digit of 5 x 3 pixels from five numbers of 0-7, a row each."""
    return np.array([[int(row) >> bit & 1 for bit in (2, 1, 0)] for row in rows], np.bool_)


_GLYPHS = [
    _glyph(rows) for rows in ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717")
]


def board_image(ruleset: Ruleset, game: Any, theme: str = "light", width: int = 1000) -> Picture:
    """Draw one GAME record as pixels, (H, W, 3) uint8, of the same size for all games of a variant.

    Without the extra `viz` the result is a plain picture of squares, whatever the theme and the width.

    Args:
        ruleset: the variant.
        game: one of `Engine.games` or of a clone.
        theme: "light", "dark", or "auto" as the reader's system is.
        width: pixels from left to right, 16 to 10,000.

    Raises:
        ValueError: no GAME record of the ruleset, another theme, or a width that is out of range.
    """
    checks.one_of("theme", theme, THEMES)
    width = checks.whole_number("width", width, 16, 10_000)
    try:
        import resvg_py  # a self-contained wheel; Cairo would need system libraries
        from PIL import Image
    except ImportError:
        return squares(ruleset, game)
    png = resvg_py.svg_to_bytes(svg_string=board_svg(ruleset, game, theme), width=width)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def squares(ruleset: Ruleset, game: Any) -> Picture:
    """Draw one GAME record as a picture of squares, (H, W, 3) uint8, of the same size for all games of a variant.

    Raises:
        ValueError: no GAME record of the ruleset.
    """
    shown = view(ruleset, game)
    with checks.reading("game", ONE_GAME):
        return _squares(ruleset, game, shown)


def _squares(ruleset: Ruleset, game: Any, shown: View) -> Picture:
    rules, game = ruleset.rules[0], np.asarray(game).reshape(1).view(np.recarray)[0]
    ring = 3 * CELL
    left = 2 * MARGIN + ring
    above = max(ring, LEVELS * HIGH)
    width = max(left + int(rules.towers) * WIDE + MARGIN, 660)
    rows = int(rules.seats) + (2 if ruleset.contractors else 0)
    picture = np.full((above + 2 * MARGIN + rows * ROW + MARGIN, width, 3), TABLE, np.uint8)
    for space in range(SPACES):
        _space(picture, rules, game, space, MARGIN + CELL * RING[space][0], MARGIN + CELL * RING[space][1])
    _guilds(picture, rules, game, MARGIN + CELL, MARGIN + CELL)
    for section in range(rules.sections):
        x = left + WIDE * int(game.tower[section])
        _section(picture, rules, game, section, x, MARGIN + above - HIGH * (int(game.level[section]) + 1))
    for seat in range(rules.players):
        _seat(
            picture,
            rules,
            game,
            shown["seats"][seat],
            seat,
            MARGIN,
            above + 2 * MARGIN + ROW * seat,
            width - 2 * MARGIN,
        )
    if shown["solo"]:
        _ivan(picture, game, shown["seats"][IVAN], MARGIN, above + 2 * MARGIN + ROW * IVAN, width - 2 * MARGIN)
    if ruleset.contractors:
        _cities(picture, shown, MARGIN, above + 2 * MARGIN + ROW * int(rules.seats), width - 2 * MARGIN)
    return picture


def _box(picture: Picture, x: int, y: int, wide: int, high: int, colour: Colour) -> None:
    picture[y : y + high, x : x + wide] = colour


def _framed(picture: Picture, x: int, y: int, wide: int, high: int, frame: Colour, fill: Colour, line: int = 2) -> None:
    _box(picture, x, y, wide, high, frame)
    _box(picture, x + line, y + line, wide - 2 * line, high - 2 * line, fill)


def _number(picture: Picture, x: int, y: int, value: int, colour: Colour = INK, scale: int = 2) -> int:
    """Write a whole number of at least 0; returns the x behind it."""
    for digit in str(value):
        pixels = np.kron(_GLYPHS[int(digit)], np.ones((scale, scale), np.bool_))
        picture[y : y + 5 * scale, x : x + 3 * scale][pixels] = colour
        x += 4 * scale
    return x


def _ink_on(colour: Colour) -> Colour:
    """The colour of figures on a ground: dark on light colours, light on dark ones."""
    return INK if sum(colour) > 380 else PAPER


def _token(picture: Picture, x: int, y: int, size: int, colour: Colour, value: int | None = None) -> None:
    """A square with a number on it."""
    _framed(picture, x, y, size, size, INK, colour, 1)
    if value is not None:
        _number(picture, x + (size - 6) // 2, y + (size - 10) // 2, value, _ink_on(colour))


def _tile(picture: Picture, rules: Any, kind: int, x: int, y: int, size: int) -> None:
    """A workshop tile: a die's colour within a white frame, or a resource with its amount."""
    die, resource, amount = tile_parts(rules, kind)
    if die >= 0:
        _framed(picture, x, y, size, size, INK, PAPER, 1)
        _framed(picture, x + 3, y + 3, size - 6, size - 6, INK, SEATS[die], 1)
    else:
        _token(picture, x, y, size, _colour_of(resource), amount)


def _colour_of(resource: int) -> Colour:
    """The colour of a resource by its number."""
    return ANY_MATERIAL if resource == ANY else PERMIT if resource == PERMITS else RESOURCES[resource]


def _space(picture: Picture, rules: Any, game: Any, space: int, x: int, y: int) -> None:
    landed = game.status == PLAYING and game.die >= 0 and game.space == space
    _framed(picture, x, y, CELL - 4, CELL - 4, PAPER if landed else INK, SHADE, 3)
    tile = int(game.market[space])
    _token(picture, x + 8, y + 8, 28, _colour_of(int(rules.market_kind[tile])), int(rules.market_amount[tile]))
    _number(picture, x + CELL - 20, y + 10, space, INK)
    here = [die for die in range(rules.dice) if game.die_space[die] == space]
    for i, die in enumerate(here):
        _token(picture, x + 6 + 24 * i, y + 48, 22, SEATS[die], int(game.die_value[die]))


def _guilds(picture: Picture, rules: Any, game: Any, x: int, y: int) -> None:
    """The guild card of each quadrant in the middle of the ring: the guild by its colour, and the card's number."""
    for quadrant, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        guild = int(game.guild[quadrant])
        number = int(game.influence[quadrant]) - int(rules.first_influence[guild]) + 1
        _token(picture, x + 5 + 36 * column, y + 5 + 36 * row, 34, GUILD_COLOURS[guild], number)


def _section(picture: Picture, rules: Any, game: Any, section: int, x: int, y: int) -> None:
    owner, finished = int(game.owner[section]), bool(game.finished[section])
    wide, high = WIDE - 8, HIGH - 4
    if int(game.level[section]) == int(game.height[int(game.tower[section])]) - 1:  # a dome is narrower at the top
        _box(picture, x + 12, y - 3, wide - 24, 3, PAPER)
    frame = SEATS[owner] if owner >= 0 else SHADE
    _framed(picture, x, y, wide, high, frame, frame if finished else PAPER, 4)
    if not finished:
        card, at = game.card[section], x + 7  # of Ivan's sections: the materials on it
        for material in range(len(MATERIAL_NAMES)):
            for _ in range(int(card[material])):
                _framed(picture, at, y + 7, 10, 10, INK, RESOURCES[material], 1)
                at += 11
        at = _number(picture, x + 7, y + 26, int(card[RECOGNITION]), RESOURCES[RECOGNITION])
        _number(picture, at + 6, y + 26, int(card[RUBLES]), SHADE)  # of Ivan's: how many are missing
    if game.tile[section] >= 0:
        _tile(picture, rules, int(game.tile[section]), x + wide - 25, y + high - 24, 18)
    if game.ornament[section] >= 0:
        _framed(picture, x + wide // 2 - 9, y + high // 2 - 9, 18, 18, INK, SEATS[int(game.ornament[section])], 3)


def _seat(picture: Picture, rules: Any, game: Any, shown: View, seat: int, x: int, y: int, width: int) -> None:
    """Draw a seat's row: colour, turn mark, prestige, score, rubles, materials, banners, ornaments, workshop."""
    colour, goods, works = SEATS[seat], game.goods[seat], game.works[seat]
    _framed(picture, x, y, width, ROW - 6, colour, PAPER, 4)
    _box(picture, x, y, 40, ROW - 6, colour)
    if game.status == PLAYING and game.seat == seat:
        _box(picture, x + 12, y + 18, 16, 16, _ink_on(colour))
    _number(picture, x + 50, y + 10, shown["prestige"], INK, 3)
    _number(picture, x + 50, y + 32, shown["score"], SHADE, 3)
    at = x + 110
    for resource, count in ((RUBLES, int(game.rubles[seat])), *enumerate(int(n) for n in goods[: len(MATERIAL_NAMES)])):
        _framed(picture, at, y + 10, 16, 16, INK, RESOURCES[resource], 1)
        _number(picture, at, y + 32, count)
        at += 30
    white = sum(int(works[WHITE_BANNER + i]) for i in range(2))
    for i in range(int(goods[BANNERS_INVENTORY]) + int(goods[BANNERS_SPARE]) + white):
        _framed(picture, at + 8 + 14 * (i % 3), y + 10 + 16 * (i // 3), 11, 13, INK, colour, 1)
    at += 58
    for kind in range(3):
        at = _number(picture, at, y + 18, int(works[kind])) + 4
    at += 10
    for slot, side in enumerate(SLOTS):
        _framed(picture, at, y + 10, 30, 30, INK, side, 1)
        tile = int(game.slot_tile[seat, slot])
        if tile >= 0:
            if game.slot_up[seat, slot]:
                _tile(picture, rules, tile, at + 5, y + 15, 20)
            else:
                _box(picture, at + 5, y + 15, 20, 20, SHADE)
        at += 34


def _ivan(picture: Picture, game: Any, shown: View, x: int, y: int, width: int) -> None:
    """Draw Ivan's row: prestige, score, banners and, from left to right, each card's number (1-5) on its die, grey once
    its tile is face down; then what lies on Inventory and Construction."""
    colour = SEATS[IVAN]
    _framed(picture, x, y, width, ROW - 6, colour, PAPER, 4)
    _box(picture, x, y, 40, ROW - 6, colour)
    _number(picture, x + 50, y + 10, shown["prestige"], INK, 3)
    _number(picture, x + 50, y + 32, shown["score"], SHADE, 3)
    at = x + 110
    for card, die, up in zip(game.ivan_card, game.ivan_tile, game.ivan_up, strict=True):
        if die < 0:  # without the module he has one card less
            continue
        _framed(picture, at, y + 12, 28, 28, INK if up else SHADE, SEATS[die], 2 if up else 7)
        _number(picture, at + 11, y + 21, int(card) + 1, _ink_on(SEATS[die]))
        at += 34
    for row, goods in enumerate(game.ivan_goods):
        at = x + 300
        for material in range(len(MATERIAL_NAMES)):
            _framed(picture, at, y + 8 + 20 * row, 14, 14, INK, RESOURCES[material], 1)
            _number(picture, at + 17, y + 10 + 20 * row, int(goods[material]))
            at += 42
    for i in range(int(game.goods[IVAN, BANNERS_SPARE])):
        _framed(picture, at + 8 + 14 * (i % 3), y + 10 + 16 * (i // 3), 11, 13, INK, colour, 1)


def _cities(picture: Picture, shown: View, x: int, y: int, width: int) -> None:
    """Draw two rows: each city with the permits it costs (none once it is closed) and contractors; then each
    specialist's number on its slot, and the permits and contractors of each seat."""
    wide = width // len(shown["cities"])
    for i, city in enumerate(shown["cities"]):
        at = x + wide * i
        _framed(picture, at, y, wide - 4, ROW - 6, INK, PAPER if city["open"] else SHADE, 3)
        if city["open"]:
            _token(picture, at + 7, y + 6, 18, PERMIT, city["price"])
        for seat, sent in enumerate(city["sent"]):
            if sent:
                _token(picture, at + 7 + 22 * seat, y + 28, 18, SEATS[seat], sent)
    y += ROW
    for slot, tile in enumerate(shown["offer"]):
        _framed(picture, x + 40 * slot, y, 36, ROW - 6, INK, PAPER if tile else SHADE, 3)
        if tile:
            _number(picture, x + 40 * slot + 8, y + 20, tile["number"])
    for seat, s in enumerate(shown["seats"]):
        at = x + 220 + 100 * seat
        _framed(picture, at, y, 96, ROW - 6, SEATS[seat], PAPER, 3)
        _token(picture, at + 8, y + 8, 18, PERMIT, s["permits"])
        _token(picture, at + 30, y + 8, 18, SEATS[seat], s["contractors"])
        _number(picture, at + 56, y + 12, s["tools_prestige"])
        if s["specialist"]:
            _number(picture, at + 8, y + 33, s["specialist"]["number"], SHADE)
