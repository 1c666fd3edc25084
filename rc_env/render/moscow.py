"""Drawings of the board of the module Contractors: five cities in a ring around Moscow, with the specialists' slots."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from rc_env.render.contractors import city_text, has_module, specialist_words
from rc_env.render.contractors_pieces import put_contractors, put_tool, specialist_icons
from rc_env.render.drawing import NARROW, Panel, Part, at, el, frame, label, put, square, write, write_fact
from rc_env.render.market import on_circle, put_icons, sector
from rc_env.render.stocks import WIDEST
from rc_env.render.view import View, count
from rc_env.rules.points import HIRE_CITY, Point
from rc_env.rules.printed.sizes import CITY_NAMES, COLOURS, MOSCOW
from rc_env.rules.solo.ivan import SEAT as IVAN

_MOST_ICONS = 4  # of a specialist in a row of the ring
_ROWS = (71.0, 62.0)  # between specialists in the list, in a wide and in a narrow panel


class _Ring(NamedTuple):
    """The radii of the board and of the things on it."""

    rim: float
    hub: float
    tiles: float  # the middles of the specialists
    cities: float  # the middles of the text of a city
    side: float  # of a specialist
    towers: bool  # whether there is space for the numbers of towers


_LARGE, _SMALL = _Ring(222, 76, 154, 159, 66, True), _Ring(182, 64, 128, 137, 56, False)


def moscow(shown: View, narrow: bool = False) -> list[Panel]:
    """The board with its cities, and beside it or, in a narrow panel, below it what the specialists do."""
    if not has_module(shown):
        return []
    ring = _SMALL if narrow else _LARGE
    width, x, y = (NARROW, NARROW / 2, ring.rim + 12) if narrow else (WIDEST, 14 + ring.rim, ring.rim + 14)
    row = _ROWS[narrow]
    left, top = (14.0, 2 * ring.rim + 24) if narrow else (2 * ring.rim + 44, 14.0)
    height = top + 36 + row * len(shown["offer"]) + 46 if narrow else 2 * ring.rim + 28
    parts = [Part("moscow", "", frame, (width, height))]
    chosen = _hired(shown)
    for number, city in enumerate(shown["cities"]):
        facts = _City(number, city["name"], city["open"], city["price"], tuple(city["sent"]), city["tower"],
                      shown["marker"] is not None and shown["marker"] == city["tower"], number == chosen)  # fmt: skip
        parts.append(Part(f"city{number}", at(x, y), _city, (facts, ring)))
    beside = [[city["name"] for city in shown["cities"][1:] if slot in city["slots"]] for slot in _slots(shown)]
    for slot, tile in enumerate(shown["offer"]):
        offered = chosen is not None and slot in shown["cities"][chosen]["slots"]
        angle, lies = 360 / len(shown["offer"]) * slot, at(x, y)
        parts.append(Part(f"slot{slot}", lies, _slot, (slot, tile, tuple(beside[slot]), offered, angle, ring)))
        place = at(left, top + 36 + row * slot)
        room = width - left - 14
        parts.append(Part(f"offer{slot}", place, _offer, (slot, tile, tuple(beside[slot]), offered, room, narrow)))
    parts.append(Part("offers", at(left, top), _offers, (shown["hire_price"],)))
    foot = (shown["bag"], tuple(shown["tools_prestige"]), width - left - 14, narrow)
    parts.append(Part("bag", at(left, top + 36 + row * len(shown["offer"])), _foot, foot))
    return [Panel("moscow", "The board of Moscow", width, height, parts)]


def _slots(shown: View) -> range:
    return range(len(shown["offer"]))


def _hired(shown: View) -> int | None:
    """The city to which a contractor was just sent."""
    decision = shown["decision"]
    return decision["frame"][HIRE_CITY] if decision["point"] == Point.HIRE else None


class _City(NamedTuple):
    """The facts that the drawing of a city depends on."""

    number: int
    name: str
    open: bool
    price: int  # permits that the next contractor costs
    sent: tuple[int, ...]  # contractors there, by seat
    tower: int | None
    marker: bool  # whether Ivan's city marker is at its tower
    chosen: bool  # whether a contractor was just sent there


def _city(parent: Element, city: _City, ring: _Ring) -> None:
    """Draw a city: Moscow in the middle, each other city around it between two slots."""
    here = [f"{COLOURS[seat]} {n}" for seat, n in enumerate(city.sent) if n]
    words = f"{city.name.capitalize()}: {city_text(city._asdict())}; contractors {', '.join(here) or 'none'}"
    words += f"; over tower {city.tower + 1}" if city.tower is not None else "; over no tower"
    label(parent, words + ("; Ivan's marker is here" if city.marker else ""))
    if city.number == MOSCOW:
        ground: dict[str, Any] = {"r": ring.hub - 6}
        tag, x, y = "circle", 0.0, 2.0
    else:
        each = 360 / (len(CITY_NAMES) - 1)
        angle = each * (city.number - 0.5)
        ground = {"d": sector(angle - each / 2 + 0.9, angle + each / 2 - 0.9, ring.hub, ring.rim)}
        tag, (x, y) = "path", on_circle(angle, ring.cities)
    el(parent, tag, **ground, class_=f"season{city.number % 4}" if city.open else "well")
    if city.chosen:
        el(parent, tag, **ground, class_="accent", stroke_width=4)
    write(parent, x, y - 21, city.name.capitalize(), 16, "ink" if city.open else "muted", bold=True)
    if city.marker:
        put(parent, "pin", x, y - 43, 1.15, f"c{IVAN}")
    left = x - 40 if ring.towers else x - 10
    if city.open:
        put(parent, "permits", left, y - 4, 1.05)
        write_fact(parent, left + 20, y + 2, city.price, f"permits {city.name}", 17)
    else:
        put(parent, "locked", left + 7, y - 5, 0.95)
    if ring.towers:
        tower = "no tower" if city.tower is None else f"tower {city.tower + 1}"
        write(parent, left + (31 if city.open else 19), y + 1, tower, 13, "muted", "start")
    there = [(seat, n) for seat, n in enumerate(city.sent) if n]
    pitch = min(0.45 * ring.side, (ring.side + 40) / max(1, len(there)))
    for i, (seat, n) in enumerate(there):
        along = x + pitch * (i - (len(there) - 1) / 2)
        put_contractors(parent, along, y + 24, seat, f"{COLOURS[seat][0].upper()}{n}", min(1.0, pitch / 27))


def _slot(
    parent: Element, slot: int, tile: View | None, beside: Sequence[str], offered: bool, angle: float, ring: _Ring
) -> None:
    """Draw a slot between two cities, with its specialist as a square of icons above a tool."""
    x, y = on_circle(angle, ring.tiles)
    label(parent, _slot_words(slot, tile, beside))
    if tile is None:
        square(parent, x, y, ring.side, "well", stroke_dasharray="5 4")
    else:
        square(parent, x, y, ring.side, "tile", stroke_width=1.4)
        icons = specialist_icons(tile)
        breaks = [i for i, (name, _) in enumerate(icons) if name == "arrow"] if len(icons) > _MOST_ICONS else []
        rows = [icons[: breaks[0]], icons[breaks[0] :]] if breaks else [icons]
        for i, row in enumerate(rows):
            put_icons(parent, x, y - ring.side / 4.6 + ring.side / 3 * (i - (len(rows) - 1) / 2), row, ring.side - 6)
        put_tool(parent, tile["tool"], x + ring.side * 0.27, y + ring.side * 0.27, ring.side / 80)
    if offered:
        square(parent, x, y, ring.side + 6, "accent", stroke_width=3)
    write(parent, x - ring.side * 0.27, y + ring.side * 0.36, str(slot), 16, "i4" if tile else "muted", bold=True)


def _slot_words(slot: int, tile: View | None, beside: Sequence[str]) -> str:
    near = " and ".join(name.capitalize() for name in beside)
    return f"Slot {slot} at {near}: {'empty' if tile is None else specialist_words(tile)}"


def _offers(parent: Element, price: int) -> None:
    write(parent, 0, 16, "Specialists", 17, anchor="start", bold=True)
    write(parent, 122, 16, f"engage for {count(price, 'ruble')}, or dismiss", 13.5, "muted", "start")


def _offer(
    parent: Element, slot: int, tile: View | None, beside: Sequence[str], offered: bool, room: float, narrow: bool
) -> None:
    """Draw a specialist in icons and words, with its tool and its neighbouring cities."""
    label(parent, _slot_words(slot, tile, beside))
    high = _ROWS[narrow] - 8
    el(parent, "rect", width=room, height=high, rx=8, class_="well")
    if offered:
        el(parent, "rect", x=1, y=1, width=room - 2, height=high - 2, rx=7, class_="accent", stroke_width=3)
    write(parent, 15, high / 2 + 7, str(slot), 19, bold=True)
    near = " · ".join(name.capitalize() for name in beside)
    left = 130.0 if narrow else 196.0
    if tile is None:
        write(parent, left, high / 2 + 5, f"no specialist ({near})", 14, "muted", "start")
        return
    wide = 88.0 if narrow else 150.0
    el(parent, "rect", x=32, y=6, width=wide, height=high - 12, rx=6, class_="tile", stroke_width=1.2)
    put_icons(parent, 32 + wide / 2, high / 2, specialist_icons(tile), wide - 8)
    put_tool(parent, tile["tool"], room - 24, high / 2, 1.25)
    if narrow:
        rows = wrap(tile["words"], 27)
        for i, row in enumerate((*rows, f"{tile['tool']}; {near}")):
            last = i == len(rows)
            write(parent, left, high / 2 + 4 + 15 * (i - len(rows) / 2), row, 11 if last else 12,
                  "muted" if last else "ink", "start")  # fmt: skip
        return
    write(parent, left, high / 2 - 3, tile["words"].capitalize(), 16, anchor="start")
    write(parent, left, high / 2 + 17, near, 13, "muted", "start")
    write(parent, room - 46, high / 2 + 17, tile["tool"], 13, "muted", "end")


def _foot(parent: Element, bag: int, prestige: Sequence[int], room: float, narrow: bool) -> None:
    """Draw the number of specialists in the bag, and the scores of groups of tools."""
    scored = ", ".join(f"{n} for {i}" for i, n in enumerate(prestige, 1))
    label(parent, f"{count(bag, 'specialist')} in the bag; prestige for groups of different tools: {scored}")
    put(parent, "bag", 13, 20, 1.25)
    write_fact(parent, 32, 27, bag, "bag", 19, "start")
    write(parent, 64, 26, "in the bag" if narrow else "specialists in the bag", 14, "muted", "start")
    pitch = 34.0 if narrow else 50.0
    x = room + 4 - pitch * len(prestige)
    if not narrow:
        write(parent, x - 12, 26, "different tools score", 14, "muted", "end")
    for i, n in enumerate(prestige):
        el(parent, "rect", x=x + pitch * i, y=2, width=pitch - 4, height=36, rx=6, class_="well")
        write(parent, x + pitch * (i + 0.5) - 2, 16, f"{i + 1}", 11, "muted")
        write(parent, x + pitch * (i + 0.5) - 2, 32, str(n), 15, bold=True)
