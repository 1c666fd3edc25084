"""Drawings of a seat's board: score, inventory, rubles, ornaments and workshop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from rc_env.render.amounts import amounts_words, tile_words
from rc_env.render.contractors import has_module
from rc_env.render.contractors_seats import module_head, module_height, module_parts
from rc_env.render.drawing import (
    NARROW,
    PIECE,
    WIDE,
    Panel,
    Part,
    at,
    el,
    label,
    put,
    square,
    workshop_tile,
    write,
    write_fact,
)
from rc_env.render.expansion import GOODS, has_contracts
from rc_env.render.stocks import extras_height, seat_extras
from rc_env.render.view import View, count
from rc_env.rules.printed.sizes import COLOURS, WHITE_DIE

HEIGHT = 190.0  # of a wide board
_EDGE = 16.0  # between the edge of a board and what lies on it


def seat_board(shown: View, seat: int, narrow: bool = False) -> Panel:
    """Draw name, score, goods and workshop; in a narrow panel the rubles and what follows have their own row."""
    s = shown["seats"][seat]
    width, height = (NARROW, 248.0) if narrow else (WIDE, HEIGHT)
    down = module_head(shown)
    top = height - 6 + down
    below = extras_height(shown, narrow)
    height += below + module_height(shown, narrow)
    moves, wins = shown["to_move"] == seat, seat in shown["winners"]
    goods = _Goods(
        seat,
        s["rubles"],
        s["materials"],
        s["room"],
        s["inventory_banners"],
        s["spare_banners"],
        s["ornaments"],
        s.get("special"),
    )
    parts = [
        *seat_head(shown, seat, (moves, wins, bool(shown["over"])), width, height, narrow),
        Part(f"seat{seat}.goods", at(_EDGE, (58 if narrow else 42) + down), _goods, (goods, narrow)),
    ]
    pitch = (width - 2 * _EDGE + 4) / len(s["workshop"])
    for i, (name, slot) in enumerate(s["workshop"].items()):
        shown_slot = _Slot(seat, name, slot["tile"], slot["price"], slot["ornament"], name in s["white_banners"])
        place = at(_EDGE + pitch * i, (140 if narrow else 96) + down)
        parts.append(Part(f"seat{seat}.{name}", place, _slot, (shown_slot, pitch - 4, narrow)))
    parts += [*seat_extras(shown, seat, top, narrow), *module_parts(shown, seat, top + below, narrow)]
    return Panel(f"seat{seat}", f"The board of {COLOURS[seat]}", width, height, parts)


def seat_head(
    shown: View, seat: int, state: tuple[bool, bool, bool], width: float, height: float, narrow: bool
) -> list[Part]:
    """Draw the background and the header of a board; in a narrow panel the header has two lines.

    `state` says whether the seat is to move, whether it has won, and whether the game is over.
    """
    s, (moves, wins, over) = shown["seats"][seat], state
    contracts = s.get("contract_prestige") if has_contracts(shown) else None
    tools = s["tools_prestige"] if has_module(shown) else None
    score = _Score(seat, s["prestige"], s["goods_prestige"], contracts, tools, s["tower_prestige"], s["score"], over)
    done = (s["finished"], s["claimed"], s["adorned"], 14 if contracts is None else 12)
    return [
        Part(f"seat{seat}", "", _frame, (seat, moves, wins, width, height)),
        Part(f"seat{seat}.score", at(width - _EDGE, 30), _score, (score, narrow)),
        Part(f"seat{seat}.sections", at(22, 50) if narrow else at(172, 27), _sections, done),
    ]


def _frame(parent: Element, seat: int, moves: bool, wins: bool, width: float, height: float) -> None:
    """The ground of a board, with a band in the seat's colour, its name, and whether it moves or has won."""
    right, low = width - 1, height - 1
    el(parent, "path", d=f"M13 1Q1 1 1 13V{low - 12:g}Q1 {low:g} 13 {low:g}Z", class_=f"c{seat}")
    rest = f"Q{right:g} 1 {right:g} 13V{low - 12:g}Q{right:g} {low:g} {right - 12:g} {low:g}H9Z"
    el(parent, "path", d=f"M9 1H{right - 12:g}{rest}", class_="panel")
    if moves or wins:
        el(parent, "rect", x=1.5, y=1.5, width=width - 3, height=height - 3, rx=11, class_=f"s{seat}", stroke_width=3)
    write(parent, 22, 27, COLOURS[seat].capitalize(), 20, anchor="start", bold=True)
    if moves or wins:
        write(parent, 100, 27, "to move" if moves else "wins", 14, "muted", "start")


class _Score(NamedTuple):
    """A seat's score, final or as if the game ended now, and the parts that it consists of."""

    seat: int
    track: int
    goods: int
    contracts: int | None  # None in a game without contracts
    tools: int | None  # None in a game without the module Contractors
    towers: int
    score: int
    over: bool


def _score(parent: Element, s: _Score, narrow: bool) -> None:
    """The score, and its parts before it or, in a narrow panel, below."""
    words = f"{COLOURS[s.seat].capitalize()}: {s.track} prestige, {s.goods} for goods, "
    words += "" if s.contracts is None else f"{s.contracts} for contracts, "
    words += ("" if s.tools is None else f"{s.tools} for tools, ") + f"{s.towers} for towers"
    label(
        parent,
        f"{words}: score {s.score}{'' if s.over else ' if the game ended now, towers as they stand'}",
    )
    write_fact(parent, 0, 0, s.score, f"score {s.seat}", 26, "end")
    more, size = ("", 14) if s.contracts is None else (f" + {s.contracts} contracts", 12)
    more += "" if s.tools is None else f" + {s.tools} tools"
    parts = f"{s.track} track + {s.goods} goods{more} + {s.towers} towers"
    if s.tools is not None:  # in a line of its own
        write(parent, 0, 39 if narrow else 20, parts, size, "muted", "end")
    elif narrow:
        write(parent, 0, 20, parts, size, "muted", "end")
    else:
        write(parent, -17 * len(str(s.score)) - 10, -3, f"{parts} =", size, "muted", "end")


def _sections(parent: Element, finished: int, claimed: int, adorned: int, size: float) -> None:
    """The number of sections built and begun, in words."""
    label(parent, f"Sections: {finished} finished, {claimed} under way; {count(adorned, 'ornament')} placed")
    write(parent, 0, 0, f"{finished} built, {claimed} begun", size, "muted", "start")


class _Goods(NamedTuple):
    """A seat's goods, without its workshop."""

    seat: int
    rubles: int
    materials: Mapping[str, int]
    room: int  # free spaces of the inventory
    banners: int  # in the inventory
    spare: int
    ornaments: Mapping[str, int]
    special: str | None  # the special tile that is still to be placed


def _goods(parent: Element, s: _Goods, narrow: bool) -> None:
    """The inventory (materials, free spaces, spaces still under banners), then rubles, spare banners and ornaments."""
    hand = f"{count(s.rubles, 'ruble')}, {amounts_words(s.materials)}, room for {s.room}"
    kept = f"banners: {s.banners} there, {s.spare} spare; {amounts_words(s.ornaments, 'no ornaments')} left"
    kept += f"; special tile: {tile_words(f'special:{s.special}')}" if s.special else ""
    label(parent, f"{COLOURS[s.seat].capitalize()}: {hand}; {kept}")
    lying = [m for m in GOODS for _ in range(s.materials.get(m, 0))]
    spaces = [*lying, *[""] * s.room, *["banner"] * s.banners]
    pitch = min(34.0, 340 / max(1, len(spaces)))
    for i, piece in enumerate(spaces):
        x, class_ = pitch * i, f"c{s.seat}" if piece == "banner" else ""
        space = el(parent, "rect", x=x, y=0, width=pitch - 3, height=40, rx=5, class_="well")
        if piece:
            space.set(PIECE, piece)
            put(parent, piece, x + (pitch - 3) / 2, 20, min(1.15, pitch / 30), class_)
    x, y, right = (13.0, 61.0, NARROW - 2 * _EDGE) if narrow else (365.0, 20.0, WIDE - 2 * _EDGE)
    put(parent, "rubles", x, y, 1.35)
    write_fact(parent, x + 17, y + 7, s.rubles, f"rubles {s.seat}", 20, "start")
    beside = [piece for piece, number in (("spare", s.spare), *s.ornaments.items()) for _ in range(number)]
    x += 60 + 11 * max(0, len(str(s.rubles)) - 2)
    pitch = min(24.0, (right - x - (36 if s.special else 0)) / max(1, len(beside)))
    for i, piece in enumerate(beside):
        drawn = "banner" if piece == "spare" else piece
        put(parent, drawn, x + pitch * i, y, 1.05, f"c{s.seat}").set(PIECE, piece)
    if s.special:
        workshop_tile(parent, right - 16, y, f"special:{s.special}")


class _Slot(NamedTuple):
    """A place of a seat's workshop."""

    seat: int
    name: str
    tile: str | None
    price: int  # rubles that a tile costs here
    ornament: str | None
    banner: bool


def _slot(parent: Element, s: _Slot, wide: float, narrow: bool) -> None:
    """A place of the workshop; in a narrow panel a banner or an ornament lies below the tile."""
    kept = "".join(f", with {what}" for what in (s.ornament, s.banner and "a banner") if what)
    tile = tile_words(s.tile) if s.tile else f"empty, a tile costs {count(s.price, 'ruble')} here"
    label(parent, f"Workshop, {s.name}: {tile}{kept}")
    die = COLOURS.index(s.name) if s.name in COLOURS else WHITE_DIE
    el(parent, "rect", width=wide, height=96 if narrow else 80, rx=8, class_="well")
    el(parent, "path", d=f"M0 20V8Q0 0 8 0H{wide - 8:g}Q{wide:g} 0 {wide:g} 8V20Z", class_=f"c{die}")
    write(parent, wide / 2, 15, s.name, 13, f"i{die}", bold=True)
    middle = wide / 2 - (16 if (s.ornament or s.banner) and not narrow else 0)
    if s.tile == "face down":
        square(parent, middle, 49, 34, "back", stroke_width=1.2)
        el(parent, "path", d=f"M{middle - 9:g} 57l18 -16m-18 0l18 16", class_="line")
    elif s.tile:
        workshop_tile(parent, middle, 50, s.tile, 1.25)
    else:
        put(parent, "rubles", middle - 9, 50, 0.8)
        write(parent, middle + 8, 55, str(s.price), 15, "muted")
    if s.ornament or s.banner:
        x, y = (wide / 2, 81) if narrow else (wide / 2 + 22, 50)
        put(parent, s.ornament or "banner", x, y, 1.1, f"c{s.seat}")
