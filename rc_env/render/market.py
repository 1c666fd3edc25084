"""Drawings of the market: the ring of spaces with dice, the guild cards within it, the supply, the score track."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from rc_env.render.amounts import amounts_words, tile_words
from rc_env.render.contractors import has_module
from rc_env.render.drawing import (
    NARROW,
    PIECE,
    WIDE,
    Panel,
    Part,
    at,
    die_square,
    el,
    frame,
    label,
    named_group,
    put,
    square,
    write,
    write_fact,
)
from rc_env.render.guild_icons import Icon, guild_icons
from rc_env.render.view import View
from rc_env.rules.printed.sizes import COLOURS

_CARD = 104.0  # height of a guild card, and its width within the ring
_RIGHT, _LOW = (0, 1), (1, 2)  # the quadrants on the right, and those below


def market(shown: View) -> Panel:
    """The ring with the guild cards within it."""
    rim, hub = 274.0, 164.0  # radii: outer and inner of the spaces
    rows = 2 if has_module(shown) else 1
    columns = -(-len(shown["supply"]) // rows)
    height = 2 * rim + 42 + 34 * rows
    x, y = WIDE / 2, rim + 14
    parts = [Part("market", "", frame, (WIDE, height)), *_ring(shown, x, y, rim, hub)]
    for quadrant, card in enumerate(shown["guilds"]):
        left = x + (8 if quadrant in _RIGHT else -8 - _CARD)
        top = y + (8 if quadrant in _LOW else -8 - _CARD)
        parts.append(Part(f"guild{quadrant}", at(left, top), _guild, _guild_facts(card, _CARD)))
    parts.append(Part("supply", at(0, 2 * rim + 46), _supply, (WIDE, columns, tuple(shown["supply"].items()))))
    return Panel("market", "The market", WIDE, height, parts)


def narrow_market(shown: View) -> Panel:
    """The ring, and below it the guild cards, each on the colour of its quadrant and where the quadrant lies."""
    rim, hub, edge, gap = 184.0, 72.0, 5.0, 8.0
    x, y = NARROW / 2, rim + 12
    width, height = (NARROW - 24 - gap) / 2, _CARD + 2 * edge
    cards, supply = y + rim + 12, y + rim + 12 + 2 * (height + gap) + 20
    columns = 3
    total = supply + 34 * -(-len(shown["supply"]) // columns)
    parts = [Part("market", "", frame, (NARROW, total)), *_ring(shown, x, y, rim, hub)]
    for quadrant, card in enumerate(shown["guilds"]):
        left = 12 + (width + gap if quadrant in _RIGHT else 0)
        top = cards + (height + gap if quadrant in _LOW else 0)
        parts.append(Part(f"under{quadrant}", at(left, top), _under, (quadrant, width, height)))
        facts = _guild_facts(card, width - 2 * edge)
        parts.append(Part(f"guild{quadrant}", at(left + edge, top + edge), _guild, facts))
    parts.append(Part("supply", at(0, supply), _supply, (NARROW, columns, tuple(shown["supply"].items()))))
    return Panel("market", "The market", NARROW, total, parts)


def _ring(shown: View, x: float, y: float, rim: float, hub: float) -> list[Part]:
    """The spaces around (x, y), and the quadrants within them."""
    middle, parts = at(x, y), []
    for space, here in enumerate(shown["market"]):
        landed = shown["moved"] if shown["landing"] == space else None
        facts = (space, here["tile"], tuple(here["on"]), landed, rim, hub)
        parts.append(Part(f"space{space}", middle, _space, facts))
    for quadrant in range(len(shown["guilds"])):
        parts.append(Part(f"season{quadrant}", middle, _season, (quadrant, hub - 7)))
    return parts


def _guild_facts(card: View, width: float) -> tuple[Any, ...]:
    return card["name"], card["card"], card["actions"], card["words"], card["used"], width


def on_circle(angle: float, radius: float) -> tuple[float, float]:
    """A point at an angle clockwise from the top."""
    return radius * math.sin(math.radians(angle)), -radius * math.cos(math.radians(angle))


def sector(start: float, end: float, inner: float, outer: float) -> str:
    (ax, ay), (bx, by) = on_circle(start, outer), on_circle(end, outer)
    (cx, cy), (dx, dy) = on_circle(end, inner), on_circle(start, inner)
    far, near = f"A{outer:g} {outer:g} 0 0 1", f"A{inner:g} {inner:g} 0 0 0"
    return f"M{ax:.1f} {ay:.1f}{far} {bx:.1f} {by:.1f}L{cx:.1f} {cy:.1f}{near} {dx:.1f} {dy:.1f}Z"


def _space(
    parent: Element, space: int, tile: str, dice: Iterable[tuple[str, int]], landed: str | None, rim: float, hub: float
) -> None:
    dice = list(dice)
    lying = ", ".join(f"{die} {value}" for die, value in dice) or "no die"
    label(parent, f"Space {space}: {tile_words(tile)}; {lying}" + (f"; the {landed} die moved here" if landed else ""))
    angle = 45 * space + 22.5
    el(parent, "path", d=sector(angle - 21.6, angle + 21.6, hub, rim), class_="well")
    if landed:
        el(parent, "path", d=sector(angle - 20.6, angle + 20.6, hub + 3, rim - 3), class_="accent", stroke_width=4)
    x, y = on_circle(angle - 17, rim - 15)
    write(parent, x, y + 5, str(space), 14, "muted", bold=True)
    x, y = on_circle(angle, rim - 36)
    name, amount = tile.split(":")
    el(parent, "rect", x=x - 26, y=y - 18, width=52, height=36, rx=7, class_="tile", stroke_width=1.2)
    put(parent, name, x - 10, y, 1.25)
    write(parent, x + 14, y + 7, amount, 20, "i4", bold=True)
    row = hub + 21  # the radius of the middles of the dice
    pitch = min(35.0, (2 * row * math.tan(math.radians(22.5)) - 6) / max(1, len(dice)))
    for i, (die, value) in enumerate(dice):
        side = pitch * (i - (len(dice) - 1) / 2)
        (x, y), (dx, dy) = on_circle(angle, row), on_circle(angle + 90, side)
        _die(named_group(parent, die), x + dx, y + dy, die, value, min(1, pitch / 30), die == landed)


def _die(parent: Element, x: float, y: float, die: str, value: int, scale: float, moved: bool) -> None:
    number = die_square(parent, x, y, 27 * scale, die, 1.2)
    put(parent, f"pips{value}", x, y, 1.25 * scale, f"i{number}")
    if moved:
        square(parent, x, y, 33 * scale, "accent", stroke_width=2.5)


def _season(parent: Element, quadrant: int, radius: float) -> None:
    """The ground of a quarter of the ring."""
    start = 90.0 * quadrant
    el(parent, "path", d=sector(start + 1.2, start + 88.8, 3, radius), class_=f"season{quadrant}")


def _under(parent: Element, quadrant: int, width: float, height: float) -> None:
    """The ground of a guild card that lies outside of its quarter of the ring."""
    el(parent, "rect", width=width, height=height, rx=11, class_=f"season{quadrant}")


def _guild(
    parent: Element, name: str, card: int, actions: list[Mapping[str, Any]], words: list[str], used: int | None,
    width: float,
) -> None:  # fmt: skip
    shown = "; ".join(f"{i}: {line}{' (used)' if i == used else ''}" for i, line in enumerate(words, 1))
    label(parent, f"{name.capitalize()}, card {card}. {shown}")
    el(parent, "rect", width=width, height=_CARD, rx=8, class_="tile")
    title = f"{name.capitalize()} {card}"
    write(parent, width / 2, 17, title, min(13, round((width - 8) / (0.58 * len(title)), 1)), "i4", bold=True)
    for i, action in enumerate(actions):
        y = 43.0 + 40 * i
        row = el(parent, "rect", x=2, y=y - 18, width=width - 4, height=36, fill="none")
        row.set(PIECE, str(i + 1))
        if used == i + 1:
            el(parent, "rect", x=2, y=y - 18, width=width - 4, height=36, rx=6, class_="accent", stroke_width=2.5)
        if i:
            el(parent, "path", d=f"M8 {y - 20:g}H{width - 8:g}", class_="line", stroke_dasharray="2 3")
        put_icons(parent, width / 2, y, guild_icons(action), width - 6)


def put_icons(parent: Element, x: float, y: float, icons: list[Icon], most: float) -> None:
    """Draw a row of pieces and numbers around (x, y), scaled down if it is wider than `most`."""
    gap = 1.5
    width = sum(w + gap for _, w in icons) - gap
    scale = min(1.2, most / width)
    at = x - width * scale / 2
    for name, w in icons:
        middle = at + w * scale / 2
        if name[0].isdigit():
            write(parent, middle, y + 5 * scale, name, 15 * scale, "i4", bold=True)
        else:
            put(parent, name, middle, y, 0.9 * scale)
        at += (w + gap) * scale


def _supply(parent: Element, width: float, columns: int, supply: tuple[tuple[str, int], ...]) -> None:
    label(parent, f"Supply: {amounts_words(supply)}")
    pitch = (width - 24) / columns
    for i, (material, number) in enumerate(supply):
        x, y = 12 + pitch * (i % columns), 34.0 * (i // columns)
        there = named_group(parent, material)
        put(there, material, x + 14, y, 1.05)
        write_fact(there, x + 29, y - 1, number, f"supply {material}", 16, "start")
        name = material.replace("_", " ")
        if len(name) * 6 > pitch - 29:
            write(there, x + 27, y + 12, name, 10.5, "muted", "start")
        else:
            write(there, x + 29, y + 12, name, 12, "muted", "start")


# --- the score track


class _Rows(NamedTuple):
    """The layout of the score track in rows, each of which runs from left to right."""

    width: float  # of the panel
    spaces: int  # of a row

    @property
    def pitch(self) -> float:
        return (self.width - 28) / self.spaces

    def place(self, space: int) -> tuple[float, float]:
        """The top left corner of a space."""
        return 14 + self.pitch * (space % self.spaces), 22 + 34.0 * (space // self.spaces)


def track(shown: View, narrow: bool = False) -> Panel:
    """The score track with a marker for each seat."""
    rows = _Rows(NARROW, 20) if narrow else _Rows(WIDE, 40)
    height = 34.0 * math.ceil(shown["lap"] / rows.spaces) + 26
    seats = tuple(row["track"] for row in shown["seats"])
    parts = [
        Part("track", "", _track_spaces, (rows, height, shown["lap"], tuple(shown["prestige_spaces"]))),
        Part("markers", "", _markers, (rows, shown["lap"], seats, tuple(row["prestige"] for row in shown["seats"]))),
    ]
    return Panel("track", "The score track", rows.width, height, parts)


def _track_spaces(parent: Element, rows: _Rows, height: float, lap: int, prestige: tuple[int, ...]) -> None:
    marks = {space: i for i, space in enumerate(prestige, 1)}
    again = f"; a marker that comes round to the first space has {marks[lap]}" if lap in marks else ""
    label(parent, f"Score track: each golden space is worth one prestige more{again}")
    frame(parent, rows.width, height)
    pitch = rows.pitch
    for space in range(lap):
        x, y = rows.place(space)
        mark = marks.get(space, marks.get(space + lap))
        el(parent, "rect", x=x, y=y, width=pitch - 0.8, height=15, rx=2, class_="crowned" if mark else "well")
        if mark and (mark % 5 == 0 or mark == 1):
            write(parent, x + pitch / 2, y + 26, str(mark), 12, "muted")


def _markers(parent: Element, rows: _Rows, lap: int, track: tuple[int, ...], prestige: tuple[int, ...]) -> None:
    both = zip(track, prestige, strict=True)
    label(parent, "Score track: " + ", ".join(f"{COLOURS[i]} at {at}, {p} prestige" for i, (at, p) in enumerate(both)))
    places = [at % lap for at in track]
    for seat, place in enumerate(places):
        x, y = rows.place(place)
        together = [s for s, other in enumerate(places) if other == place]
        scale = 1.05 if len(together) == 1 else 0.72  # side by side
        x += rows.pitch / 2 + 15.0 * scale * (together.index(seat) - (len(together) - 1) / 2)
        put(parent, "pin", x, y + 2, scale, f"c{seat}")
        if track[seat] >= lap:
            write(parent, x, y + 2, "+" * (track[seat] // lap), 11, f"i{seat}", bold=True)
