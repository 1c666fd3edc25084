"""Drawings of the market: the ring of spaces with dice, the guild cards within it, the supply, the score track."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from rc_env.render.drawing import DARK, MARKET_WIDTH, Panel, Part, at, el, frame, label, put, square, write
from rc_env.render.view import View, listed
from rc_env.rules.data_file import COLOURS, DICE

_RIM, _HUB, _CARD = 274.0, 164.0, 157.0  # radii: outer and inner of the spaces, outer of the guild cards
_CENTRE = MARKET_WIDTH / 2


def market(told: View) -> Panel:
    height = 2 * _RIM + 76
    parts = [Part("market", "", frame, (MARKET_WIDTH, height))]
    middle = at(_CENTRE, _RIM + 14)
    for space, here in enumerate(told["market"]):
        landed = told["moved"] if told["landing"] == space else None
        parts.append(Part(f"space{space}", middle, _space, (space, here["tile"], tuple(here["on"]), landed)))
    for quadrant, card in enumerate(told["guilds"]):
        facts = (quadrant, card["name"], card["card"], card["actions"], card["words"], card["used"])
        parts.append(Part(f"guild{quadrant}", middle, _guild, facts))
    parts.append(Part("supply", at(0, 2 * _RIM + 46), _supply, tuple(told["supply"].items())))
    return Panel("market", "The market", MARKET_WIDTH, height, parts)


def _round(angle: float, radius: float) -> tuple[float, float]:
    """A point at an angle clockwise from the top."""
    return radius * math.sin(math.radians(angle)), -radius * math.cos(math.radians(angle))


def _sector(start: float, end: float, inner: float, outer: float) -> str:
    (ax, ay), (bx, by) = _round(start, outer), _round(end, outer)
    (cx, cy), (dx, dy) = _round(end, inner), _round(start, inner)
    far, near = f"A{outer:g} {outer:g} 0 0 1", f"A{inner:g} {inner:g} 0 0 0"
    return f"M{ax:.1f} {ay:.1f}{far} {bx:.1f} {by:.1f}L{cx:.1f} {cy:.1f}{near} {dx:.1f} {dy:.1f}Z"


def _space(parent: Element, space: int, tile: str, dice: Iterable[tuple[str, int]], landed: str | None) -> None:
    dice = list(dice)
    lying = ", ".join(f"{die} {value}" for die, value in dice) or "no die"
    label(parent, f"Space {space}: {tile}; {lying}" + (f"; the {landed} die moved here" if landed else ""))
    angle = 45 * space + 22.5
    el(parent, "path", d=_sector(angle - 21.6, angle + 21.6, _HUB, _RIM), class_="well")
    if landed:
        el(parent, "path", d=_sector(angle - 20.6, angle + 20.6, _HUB + 3, _RIM - 3), class_="accent", stroke_width=4)
    x, y = _round(angle - 17, _RIM - 15)
    write(parent, x, y + 5, str(space), 14, "muted", bold=True)
    x, y = _round(angle, _RIM - 31)
    name, amount = tile.split(":")
    el(parent, "rect", x=x - 26, y=y - 18, width=52, height=36, rx=7, class_="tile", stroke_width=1.2)
    put(parent, name, x - 10, y, 1.25)
    write(parent, x + 14, y + 7, amount, 20, "i4", bold=True)
    for i, (die, value) in enumerate(dice):
        side = 35.0 * (i - (len(dice) - 1) / 2)
        (x, y), (dx, dy) = _round(angle, _HUB + 23), _round(angle + 90, side)
        _die(parent, x + dx, y + dy, die, value, die == landed)


def _die(parent: Element, x: float, y: float, die: str, value: int, moved: bool = False) -> None:
    seat = DICE.index(die)
    square(parent, x, y, 27, f"c{seat}", stroke=DARK, stroke_width=1.2)
    put(parent, f"pips{value}", x, y, 1.25, f"i{seat}")
    if moved:
        square(parent, x, y, 33, "accent", stroke_width=2.5)


def _guild(
    parent: Element, quadrant: int, name: str, card: int, actions: list[Mapping[str, Any]], words: list[str],
    used: int | None,
) -> None:  # fmt: skip
    told = "; ".join(f"{i}: {line}{' (used)' if i == used else ''}" for i, line in enumerate(words, 1))
    label(parent, f"{name.capitalize()}, card {card}. {told}")
    start = 90.0 * quadrant
    el(parent, "path", d=_sector(start + 1.2, start + 88.8, 3, _CARD), class_=f"season{quadrant}")
    left = 8.0 if quadrant < 2 else -112.0
    top = 8.0 if quadrant in (1, 2) else -112.0
    el(parent, "rect", x=left, y=top, width=104, height=104, rx=8, class_="tile")
    write(parent, left + 52, top + 17, f"{name.capitalize()} {card}", 13, "i4", bold=True)
    for i, action in enumerate(actions):
        y = top + 43 + 40 * i
        if used == i + 1:
            el(parent, "rect", x=left + 2, y=y - 18, width=100, height=36, rx=6, class_="accent", stroke_width=2.5)
        if i:
            el(parent, "path", d=f"M{left + 8:g} {y - 20:g}H{left + 96:g}", class_="line", stroke_dasharray="2 3")
        _icons(parent, left + 52, y, _guild_icons(action), 98)


Icon = tuple[str, float]  # a piece or a word, and its width


def _guild_icons(action: Mapping[str, Any]) -> list[Icon]:
    """An action of a guild card as a row of pieces and numbers."""

    def amount(number: int, piece: str) -> list[Icon]:
        return [(str(number), 9.0), (piece, 19.0)]

    price = amount(action["price"], "rubles") if action.get("price") else []
    arrow: Icon = ("arrow", 13.0)
    end: list[Icon] = [("unlimited", 18.0)] if action.get("unlimited") else []
    match action:
        case {"sell": what}:
            return [*_choice(what), arrow, *price, *end]
        case {"buy": what}:
            return [*price, arrow, *_choice(what), *end]
        case {"deliver": number}:
            row = amount(number, "delivery")
        case {"swap_market_tiles": _}:
            row = [("swap", 22.0)]
        case {"exchange_equal": number, "for_any": gain}:
            return [*amount(number, "same"), arrow, *amount(gain, "any_material"), *end]
        case {"exchange_any": number, "for_other": gain}:
            return [*price, *amount(number, "any_material"), arrow, *amount(gain, "different"), *end]
        case {"activate_workshop": _}:
            row = [("workshop", 18.0)]
        case {"discard_different": number, "prestige": gain}:
            return [*amount(number, "different"), arrow, *amount(gain, "prestige"), *end]
        case {"each_type_completed": _, "recognition": gain}:
            return [("each", 14.0), arrow, *amount(gain, "recognition"), *end]
        case _:
            name = next(key for key in ("rubles", "recognition", "prestige") if key in action)
            row = amount(action[name], name)
    return [*price, arrow, *row, *end] if price else [*row, *end]


def _choice(materials: str | list[str]) -> list[Icon]:
    return [("any_material", 18.0)] if materials == "any" else [(material, 17.0) for material in materials]


def _icons(parent: Element, x: float, y: float, icons: list[Icon], most: float) -> None:
    """A row of pieces and numbers around (x, y), made smaller where it would be wider than `most`."""
    gap = 1.5
    width = sum(w + gap for _, w in icons) - gap
    scale = min(1.2, most / width)
    at = x - width * scale / 2
    for name, w in icons:
        middle = at + w * scale / 2
        if name.isdigit():
            write(parent, middle, y + 5 * scale, name, 15 * scale, "i4", bold=True)
        else:
            put(parent, name, middle, y, 0.9 * scale)
        at += (w + gap) * scale


def _supply(parent: Element, *supply: tuple[str, int]) -> None:
    label(parent, f"Supply: {listed(supply)}")
    pitch = (MARKET_WIDTH - 24) / len(supply)
    for i, (material, number) in enumerate(supply):
        x = 12 + pitch * i
        put(parent, material, x + 14, 0, 1.05)
        write(parent, x + 29, -1, str(number), 16, anchor="start", bold=True, fact=f"supply {material}")
        write(parent, x + 29, 12, material.replace("_", " "), 11.5, "muted", "start")


# --- the score track

_ROW = 40  # spaces of a row


def track(told: View) -> Panel:
    rows = math.ceil(told["lap"] / _ROW)
    height = 34.0 * rows + 26
    seats = tuple(row["track"] for row in told["seats"])
    parts = [
        Part("track", "", _track_spaces, (height, told["lap"], tuple(told["prestige_spaces"]))),
        Part("markers", "", _markers, (told["lap"], seats, tuple(row["prestige"] for row in told["seats"]))),
    ]
    return Panel("track", "The score track", MARKET_WIDTH, height, parts)


def _track_place(space: int) -> tuple[float, float]:
    """Left top corner of a space: rows from left to right, each begins anew at the left."""
    pitch = (MARKET_WIDTH - 28) / _ROW
    return 14 + pitch * (space % _ROW), 22 + 34.0 * (space // _ROW)


def _track_spaces(parent: Element, height: float, lap: int, prestige: tuple[int, ...]) -> None:
    frame(parent, MARKET_WIDTH, height)
    pitch = (MARKET_WIDTH - 28) / _ROW
    marks = {space: i for i, space in enumerate(prestige, 1)}
    for space in range(lap):
        x, y = _track_place(space)
        mark = marks.get(space, marks.get(space + lap))
        el(parent, "rect", x=x, y=y, width=pitch - 0.8, height=15, rx=2, class_="crowned" if mark else "well")
        if mark and (mark % 5 == 0 or mark == 1):
            write(parent, x + pitch / 2, y + 26, str(mark), 11, "muted")


def _markers(parent: Element, lap: int, track: tuple[int, ...], prestige: tuple[int, ...]) -> None:
    both = zip(track, prestige, strict=True)
    label(parent, "Score track: " + ", ".join(f"{COLOURS[i]} at {at}, {p} prestige" for i, (at, p) in enumerate(both)))
    places = [at % lap for at in track]
    for seat, place in enumerate(places):
        x, y = _track_place(place)
        together = [s for s, other in enumerate(places) if other == place]
        x += (MARKET_WIDTH - 28) / _ROW / 2 + 5.0 * (together.index(seat) - (len(together) - 1) / 2)
        put(parent, "pin", x, y + 2, 1.05, f"c{seat}")
        if track[seat] >= lap:
            write(parent, x, y + 2, "+" * (track[seat] // lap), 11, f"i{seat}", bold=True)
