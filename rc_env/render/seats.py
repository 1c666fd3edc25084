"""Drawings of a seat's board: score, inventory, rubles, ornaments and workshop."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from rc_env.render.drawing import (
    SEAT_HEIGHT,
    SEAT_WIDTH,
    Panel,
    Part,
    at,
    el,
    label,
    put,
    square,
    workshop_tile,
    write,
)
from rc_env.render.view import View, count, listed
from rc_env.rules.data_file import COLOURS, DICE, MATERIALS
from rc_env.rules.sizes import WHITE_DIE

_SLOT = 92.0


def seat_board(shown: View, seat: int) -> Panel:
    s = shown["seats"][seat]
    moves, wins = shown["to_move"] == seat, seat in shown["winners"]
    numbers = (s["prestige"], s["goods_prestige"], s["tower_prestige"], s["score"], bool(shown["over"]))
    goods = (seat, s["rubles"], s["materials"], s["room"], s["inventory_banners"], s["spare_banners"], s["ornaments"])
    parts = [
        Part(f"seat{seat}", "", seat_frame, (seat, moves, wins)),
        Part(f"seat{seat}.score", "", seat_score, (seat, *numbers)),
        Part(f"seat{seat}.goods", at(16, 42), _goods, goods),
        Part(f"seat{seat}.sections", "", sections_done, (s["finished"], s["claimed"], s["adorned"])),
    ]
    for i, (name, slot) in enumerate(s["workshop"].items()):
        banner = name in s["white_banners"]
        facts = (seat, name, slot["tile"], slot["price"], slot["ornament"], banner)
        parts.append(Part(f"seat{seat}.{name}", at(16 + _SLOT * i, 96), _slot, facts))
    return Panel(f"seat{seat}", f"The board of {COLOURS[seat]}", SEAT_WIDTH, SEAT_HEIGHT, parts)


def seat_frame(parent: Element, seat: int, moves: bool, wins: bool) -> None:
    """The ground of a board, with a band in the seat's colour, its name, and whether it moves or has won."""
    right, low = SEAT_WIDTH - 1, SEAT_HEIGHT - 1
    el(parent, "path", d=f"M13 1Q1 1 1 13V{low - 12:g}Q1 {low:g} 13 {low:g}Z", class_=f"c{seat}")
    rest = f"Q{right:g} 1 {right:g} 13V{low - 12:g}Q{right:g} {low:g} {right - 12:g} {low:g}H9Z"
    el(parent, "path", d=f"M9 1H{right - 12:g}{rest}", class_="panel")
    if moves or wins:
        wide, high = SEAT_WIDTH - 3, SEAT_HEIGHT - 3
        el(parent, "rect", x=1.5, y=1.5, width=wide, height=high, rx=11, class_=f"s{seat}", stroke_width=3)
    write(parent, 22, 27, COLOURS[seat].capitalize(), 20, anchor="start", bold=True)
    if moves or wins:
        write(parent, 100, 27, "to move" if moves else "wins", 14, "muted", "start")


def seat_score(parent: Element, seat: int, prestige: int, goods: int, towers: int, score: int, over: bool) -> None:
    """The score and its parts, in the right upper corner."""
    words = f"{COLOURS[seat].capitalize()}: {prestige} prestige, {goods} for goods, {towers} for towers"
    label(parent, f"{words}: score {score}{'' if over else ' if the game ended now'}")
    x = SEAT_WIDTH - 16
    write(parent, x, 30, str(score), 26, anchor="end", bold=True, fact=f"score {seat}")
    x -= 17 * len(str(score)) + 10
    write(parent, x, 27, f"{prestige} track + {goods} goods + {towers} towers =", 14, "muted", "end")


def sections_done(parent: Element, finished: int, claimed: int, adorned: int) -> None:
    """How many sections are built and begun, beside the name."""
    label(parent, f"Sections: {finished} finished, {claimed} under way; {count(adorned, 'ornament')} placed")
    write(parent, 172, 27, f"{finished} built, {claimed} begun", 14, "muted", "start")


def _goods(
    parent: Element, seat: int, rubles: int, materials: Mapping[str, int], room: int, banners: int, spare: int,
    ornaments: Mapping[str, int],
) -> None:  # fmt: skip
    """The inventory (materials, free spaces, spaces still under banners), then rubles, spare banners and ornaments."""
    hand = f"{count(rubles, 'ruble')}, {listed(materials)}, room for {room}"
    kept = f"{banners} banners in the inventory, {spare} spare; ornaments {listed(ornaments)}"
    label(parent, f"{COLOURS[seat].capitalize()}: {hand}; {kept}")
    lying = [m for m in MATERIALS for _ in range(materials.get(m, 0))]
    spaces = [*lying, *[""] * room, *["banner"] * banners]
    pitch = min(34.0, 340 / max(1, len(spaces)))
    for i, piece in enumerate(spaces):
        x = pitch * i
        el(parent, "rect", x=x, y=0, width=pitch - 3, height=40, rx=5, class_="well")
        if piece:
            put(parent, piece, x + (pitch - 3) / 2, 20, min(1.15, pitch / 30), f"c{seat}" if piece == "banner" else "")
    put(parent, "rubles", 365, 20, 1.35)
    write(parent, 382, 27, str(rubles), 20, anchor="start", bold=True, fact=f"rubles {seat}")
    beside = [piece for piece, number in (("banner", spare), *ornaments.items()) for _ in range(number)]
    x = 425 + 11 * max(0, len(str(rubles)) - 2)
    pitch = min(24.0, (SEAT_WIDTH - 16 - x) / max(1, len(beside)))
    for i, piece in enumerate(beside):
        put(parent, piece, x + pitch * i, 20, 1.05, f"c{seat}")


def _slot(
    parent: Element, seat: int, name: str, tile: str | None, price: int, ornament: str | None, banner: bool
) -> None:
    kept = "".join(f", with {what}" for what in (ornament, banner and "a banner") if what)
    label(parent, f"Workshop {name}: {tile or f'empty, price {price}'}{kept}")
    die = DICE.index(name) if name in DICE else WHITE_DIE
    wide = _SLOT - 6
    el(parent, "rect", width=wide, height=80, rx=8, class_="well")
    el(parent, "path", d=f"M0 20V8Q0 0 8 0H{wide - 8:g}Q{wide:g} 0 {wide:g} 8V20Z", class_=f"c{die}")
    write(parent, wide / 2, 15, name, 13, f"i{die}", bold=True)
    middle = wide / 2 - (16 if ornament or banner else 0)
    if tile == "face down":
        square(parent, middle, 49, 34, "back", stroke_width=1.2)
        el(parent, "path", d=f"M{middle - 9:g} 57l18 -16m-18 0l18 16", class_="line")
    elif tile:
        workshop_tile(parent, middle, 50, tile, 1.25)
    else:
        put(parent, "rubles", middle - 9, 50, 0.8)
        write(parent, middle + 8, 55, str(price), 15, "muted")
    if ornament or banner:
        put(parent, ornament or "banner", wide / 2 + 22, 50, 1.1, f"c{seat}")
