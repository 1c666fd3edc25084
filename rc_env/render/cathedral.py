"""Drawings of the cathedral: towers of sections, as cards with their costs or as walls in the owners' colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from rc_env.render.amounts import amounts_words, tile_words
from rc_env.render.contractors import has_module
from rc_env.render.drawing import DARK, NARROW, WIDE, Panel, Part, at, el, label, put, workshop_tile, write, write_fact
from rc_env.render.expansion import DIAMOND
from rc_env.render.pieces import CROSS_HEIGHT, HEIGHTS, SHAPES, SPREAD
from rc_env.render.view import View
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN

_FOOT = 66.0  # below the towers: number, value, shares
_CITY = 34.0  # above each tower with the module Contractors: the tile of its city
_AIR = 6.0  # between neighbouring towers, as large as a section is drawn


def cathedral(shown: View, height: float) -> Panel:
    """All towers side by side in a panel of a given height."""
    towers = shown["towers"]
    column = (WIDE - 16) / len(towers)
    above = _above(shown)
    scale = min(column / (SPREAD + _AIR), (height - _FOOT - 14 - above) / (_highest(towers) + CROSS_HEIGHT), 1.5)
    parts = [Part("ground", "", _ground, (WIDE, height)), *_row(shown, towers, 0, column, scale, height)]
    return Panel("cathedral", "The cathedral", WIDE, height, parts)


def narrow_cathedral(shown: View) -> list[Panel]:
    """A panel for each row of at most four towers, as high as its towers need."""
    towers = shown["towers"]
    rows = -(-len(towers) // _MOST_NARROW)
    each = -(-len(towers) // rows)
    column = (NARROW - 16) / each
    scale = min(column / (SPREAD + _AIR), 0.85)
    panels = []
    for first in range(0, len(towers), each):
        here = towers[first : first + each]
        height = (_highest(here) + CROSS_HEIGHT) * scale + _FOOT + 14 + _above(shown)
        parts = [Part("ground", "", _ground, (NARROW, height)), *_row(shown, here, first, column, scale, height)]
        label = f"The cathedral, towers {first + 1} to {first + len(here)}"
        panels.append(Panel("cathedral", label, NARROW, height, parts))
    return panels


_MOST_NARROW = 4


def _above(shown: View) -> float:
    """The height of the space above the towers for their cities' tiles and, in the solo game, Ivan's city marker."""
    return 0 if not has_module(shown) else _CITY if shown["marker"] is None else _CITY + 16


def _highest(towers: Sequence[View]) -> float:
    return max(sum(HEIGHTS[s["kind"]] for s in tower["sections"]) for tower in towers)


def _row(shown: View, towers: Sequence[View], first: int, column: float, scale: float, height: float) -> list[Part]:
    """Draw towers side by side; `first` is the number of the leftmost tower, from 0."""
    parts = []
    for t, tower in enumerate(towers, first):
        x, y = 8 + column * (t - first + 0.5), height - _FOOT
        for level, s in enumerate(tower["sections"]):
            section = _section_facts(f"{t + 1}.{level + 1}", s)
            parts.append(Part(f"section{section.number}", at(x, y, scale), _section, (section,)))
            y -= HEIGHTS[s["kind"]] * scale
        if has_module(shown):
            facts = (tower["city"]["name"], tower["city"]["open"], shown["marker"] == t, min(column - 4, 100.0))
            parts.append(Part(f"city over {t + 1}", at(x, y - CROSS_HEIGHT * scale - _CITY + 4), _city, facts))
        foot = (t, tower["value"], tuple(tower["presence"]), tuple(tower["shares"]), column)
        foreman = scale if shown.get("foreman") == t else 0
        parts.append(Part(f"tower{t + 1}", at(x, height - _FOOT), _foot, (*foot, foreman)))
    return parts


def _city(parent: Element, name: str, open_: bool, marker: bool, wide: float) -> None:
    """Draw the tile of a tower's city, and Ivan's city marker if it is there."""
    words = f"{name.capitalize()}, {'open' if open_ else 'closed'}"
    label(parent, words + ("; Ivan's marker is here" if marker else ""))
    el(parent, "path", d=f"M{-wide / 2:g} 26V9L0 0L{wide / 2:g} 9V26Z", class_="tile" if open_ else "back",
       stroke_width=1.4, stroke_linejoin="round")  # fmt: skip
    size = min(14, round((wide - 8) / (0.62 * len(name)), 1))
    write(parent, 0, 22, name.capitalize(), size, "i4" if open_ else "ink", bold=open_)
    if not open_:
        el(parent, "path", d=f"M{-wide / 2 + 5:g} 17.5H{wide / 2 - 5:g}", class_="offer", stroke_width=1.4)
    if marker:
        put(parent, "pin", 0, -8, 1.3, f"c{IVAN}")


class _Section(NamedTuple):
    """The facts that the drawing of a section depends on."""

    number: str  # numbers of the tower and of the section in it, from 1
    kind: str
    owner: int | None
    finished: bool
    cost: Mapping[str, int]
    delivered: Mapping[str, int]
    rubles: int
    recognition: int
    tile: str | None
    ornament: str | None
    ornament_owner: int | None
    on_offer: bool
    missing: Mapping[str, int] | None  # of a section of Ivan's, who may deliver any material


def _section_facts(number: str, s: View) -> _Section:
    return _Section(
        number,
        s["kind"],
        s["owner"],
        s["finished"],
        s["cost"],
        s["delivered"],
        s["rubles"],
        s["recognition"],
        s["tile"],
        s["ornament"],
        s["ornament_owner"],
        s["on_offer"],
        s["missing"] if "misses" in s else None,
    )


def _ground(parent: Element, width: float, height: float) -> None:
    el(parent, "rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=12, class_="sky")
    el(parent, "circle", cx=width - 62, cy=58, r=32, class_="sun")
    y = height - _FOOT
    hills = f"M1 {y:g}V{y - 110:g}Q{width / 4:g} {y - 190:g} {width / 2:g} {y - 100:g}T{width - 1:g} {y - 90:g}V{y:g}Z"
    el(parent, "path", d=hills, class_="hill")
    el(
        parent,
        "path",
        d=f"M1 {y:g}H{width - 1:g}V{height - 12:g}Q{width - 1:g} {height - 1:g} {width - 13:g} {height - 1:g}"
        f"H13Q1 {height - 1:g} 1 {height - 12:g}Z",
        class_="plinth",
    )
    el(parent, "path", d=f"M1 {y:g}H{width - 1:g}", class_="line", stroke_width=2.5)


def _foot(
    parent: Element, t: int, value: int, presence: tuple[int, ...], shares: tuple[int, ...], column: float,
    foreman: float,
) -> None:  # fmt: skip
    """Draw the figures below a tower, and the foreman before it if he is there."""
    shown = [f"{COLOURS[s]} {n} there, {shares[s]} prestige now" for s, n in enumerate(presence) if n]
    here_too = "; the foreman is here" if foreman else ""
    label(parent, f"Tower {t + 1}: value {value}; {'; '.join(shown) or 'nobody there'}{here_too}")
    if foreman:
        put(parent, "foreman", -39 * foreman, -12, max(1.15, 1.3 * foreman))
    write(parent, -4, 22, f"Tower {t + 1}:", 14, "muted", "end" if column < 60 else "middle")
    write_fact(parent, 37, 22, value, f"tower {t + 1} value", 16)
    here = [s for s, n in enumerate(presence) if n]
    pitch = min(30.0, (column - 4) / max(1, len(here)))
    for i, seat in enumerate(here):
        x = pitch * (i - (len(here) - 1) / 2)
        el(
            parent,
            "circle",
            cx=x,
            cy=43,
            r=min(12, pitch / 2 - 0.6),
            class_=f"c{seat}",
            stroke=DARK,
            stroke_opacity=0.4,
        )
        write(parent, x, 48, str(shares[seat]), 14, f"i{seat}", bold=True)


def _section(parent: Element, s: _Section) -> None:
    """Draw a finished section as a wall in its owner's colour, any other section as a card."""
    label(parent, _section_words(s))
    if s.finished:
        assert s.owner is not None
        _built(parent, s.kind, s.owner)
        if s.ornament:
            assert s.ornament_owner is not None
            _ornament(parent, s.kind, s.ornament_owner)
        return
    free = s.owner is None
    dashes = {"stroke_dasharray": "5 4"} if free and not s.on_offer else {}
    edge = f"s{s.owner}" if not free else "offer" if s.on_offer else "line"
    el(parent, "path", d=SHAPES[s.kind], class_="paper")
    width = 1.6 if free else 4
    el(parent, "path", d=SHAPES[s.kind], class_=edge, stroke_width=width, stroke_linejoin="round", **dashes)
    _costs(parent, s.kind, {**s.delivered, **s.missing} if s.missing else s.cost, s.delivered)
    _rewards(parent, -42 if s.kind == "dome" else -51, s.rubles, s.recognition)
    y = -92.0 if s.kind == "dome" else -22.0
    if not free:
        put(parent, "banner", -16 if s.tile else 0, y, 1.2, f"c{s.owner}")
    if s.tile:
        workshop_tile(parent, 0 if free else 16, y, s.tile, 0.95)


def _section_words(s: _Section) -> str:
    words = f"Section {s.number}, {s.kind}"
    if s.owner is not None:
        words += f" of {COLOURS[s.owner]}"
    if s.finished:
        words += ", finished" + (f", with the {s.ornament} of {COLOURS[s.ornament_owner or 0]}" if s.ornament else "")
    else:
        missing = s.missing or {m: n - s.delivered.get(m, 0) for m, n in s.cost.items()}
        pays = amounts_words((("rubles", s.rubles), ("recognition", s.recognition)))
        diamonds = s.delivered.get(DIAMOND, 0)
        misses = (
            f"{sum(missing.values()) - diamonds} of {amounts_words(missing)}" if diamonds else amounts_words(missing)
        )
        words += f"; misses {misses}; pays {pays}" + (f"; its tile: {tile_words(s.tile)}" if s.tile else "")
    return words + ("; on offer" if s.on_offer else "")


def _costs(parent: Element, kind: str, cost: Mapping[str, int], delivered: Mapping[str, int]) -> None:
    """Draw the cost of a card, with delivered materials ticked off."""
    wanted = [(m, i < delivered.get(m, 0)) for m, n in cost.items() for i in range(n)]
    wanted += [(DIAMOND, True)] * delivered.get(DIAMOND, 0)  # in place of any that is not there
    pitch = min(22.0, 82 / len(wanted))
    for i, (material, there) in enumerate(wanted):
        x, y = pitch * (i - (len(wanted) - 1) / 2), -66.0 if kind == "dome" else -78.0
        if there:
            el(parent, "rect", x=x - pitch / 2 + 0.5, y=y - 11, width=pitch - 1, height=22, rx=4, class_="crowned")
        put(parent, material, x, y, pitch / 22 * 0.95)
        if there:
            el(parent, "path", d=f"M{x - 4:g} {y + 3:g}l3.5 4l6 -8", stroke="#ffffff", stroke_width=4.5, fill="none")
            el(parent, "path", d=f"M{x - 4:g} {y + 3:g}l3.5 4l6 -8", stroke="#1c6b36", stroke_width=2.4, fill="none")


def _rewards(parent: Element, y: float, rubles: int, recognition: int) -> None:
    both = [("recognition", recognition), ("rubles", rubles)]
    both = [(piece, n) for piece, n in both if n]
    for i, (piece, n) in enumerate(both):
        x = 40.0 * (i - (len(both) - 1) / 2)
        put(parent, piece, x - 9, y, 0.85)
        write(parent, x + 9, y + 6, str(n), 17, bold=True)


def _built(parent: Element, kind: str, owner: int) -> None:
    """Draw a finished section in its owner's colour."""
    el(parent, "path", d=SHAPES[kind], class_=f"c{owner}", stroke=DARK, stroke_width=1.6, stroke_linejoin="round")
    put(parent, f"wall_{kind}", 0, 0)
    if kind == "dome":
        el(parent, "circle", cx=0, cy=-135, r=3.6, fill="#e2a722")
        return
    if kind == "base":
        el(parent, "path", d="M-50 -104H50V-95H-50ZM-50 -11H50V0H-50Z", fill="#ffffff", fill_opacity=0.22)
        el(parent, "path", d="M-15 0V-38A15 15 0 0 1 15 -38V0Z", fill=DARK, fill_opacity=0.6)
    else:
        el(parent, "path", d="M-47 -104H47V-95H-47Z", fill="#ffffff", fill_opacity=0.22)
        el(parent, "path", d="M-12 -22V-56A12 12 0 0 1 12 -56V-22Z", fill=DARK, fill_opacity=0.6)


_ORNAMENTS = {
    "base": "M-19 0V-42A19 19 0 0 1 19 -42V0Z",
    "middle": "M-25 -17V-56A25 25 0 0 1 25 -56V-17H14V-56A14 14 0 0 0 -14 -56V-17Z",
    "dome": "M-2.4 -128V-141H-9.5V-146H-2.4V-149.5H-6.5V-153.5H-2.4V-160H2.4V-153.5H6.5V-149.5H2.4V-146H9.5V-141H2.4"
    "V-128Z",
}


def _ornament(parent: Element, kind: str, owner: int) -> None:
    """Draw an ornament in its owner's colour, with two edges so that it stands out on any wall."""
    for edge, width in ((DARK, 6), ("#fff3cf", 3.4)):
        el(parent, "path", d=_ORNAMENTS[kind], fill=edge, stroke=edge, stroke_width=width, stroke_linejoin="round")
    el(parent, "path", d=_ORNAMENTS[kind], class_=f"c{owner}")
    if kind == "base":
        el(parent, "path", d="M0 0V-60M-19 -40H19", stroke="#fff3cf", stroke_width=1.6)
        el(parent, "circle", cx=5, cy=-22, r=2.4, fill="#fff3cf")
