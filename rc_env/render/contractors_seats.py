"""Drawings of a board's parts from the module Contractors: permits, the row of contractors, specialist, tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from xml.etree.ElementTree import Element

from rc_env.render.contractors import bonus_text, has_module, specialist_words, tools_text
from rc_env.render.contractors_pieces import put_tool, specialist_icons
from rc_env.render.drawing import NARROW, WIDE, Part, at, el, label, put, write
from rc_env.render.market import put_icons
from rc_env.render.view import View, count
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN

_LEFT = 16.0
_ROW = 48.0
_HIGH = _ROW - 6
_PERMIT = 28.0  # between permits
_TOOLS = 184.0  # width of the place for tools in a wide board
HEAD = 17.0  # additional height of a head in which the score has a line of its own


def module_height(shown: View, narrow: bool) -> float:
    """The additional height of a seat's board with the module."""
    return (_ROW * (4 if narrow else 2) + 2 if has_module(shown) else 0) + module_head(shown)


def module_head(shown: View) -> float:
    """The part of the additional height that lies at the top of the board."""
    return HEAD if has_module(shown) else 0


def module_parts(shown: View, seat: int, top: float, narrow: bool) -> list[Part]:
    """Draw a seat's parts of the module, from `top` of its board on; nothing in a game without the module."""
    if not has_module(shown):
        return []
    s, room = shown["seats"][seat], (NARROW if narrow else WIDE) - 2 * _LEFT
    permits = (seat, s["permits"], shown["permits_most"], narrow)
    beside = 0.0 if narrow else _PERMIT * shown["permits_most"] + 12
    row = (seat, s["contractors"], tuple(shown["row"]), room - beside)
    tools = (tuple(map(tuple, s["tools"])), tuple(shown["tools_prestige"]), room if narrow else _TOOLS)
    places = [(0, 0), (0, 1), (0, 2), (0, 3)] if narrow else [(0, 0), (beside, 0), (0, 1), (room - _TOOLS, 1)]
    held = (s["specialist"], room if narrow else room - _TOOLS - 6)
    lies = [at(_LEFT + x, top + _ROW * line) for x, line in places]
    return [
        Part(f"seat{seat}.permits", lies[0], _permits, permits),
        Part(f"seat{seat}.row", lies[1], _contractors, row),
        Part(f"seat{seat}.specialist", lies[2], _specialist, held),
        Part(f"seat{seat}.tools", lies[3], _tools, tools),
    ]


def ivan_height(shown: View) -> float:
    """The additional height of Ivan's board with the module."""
    return (_ROW * 2 + 2 if has_module(shown) else 0) + module_head(shown)


def ivan_parts(shown: View, top: float, narrow: bool) -> list[Part]:
    """Draw Ivan's contractors and tools, from `top` of his board on."""
    if not has_module(shown):
        return []
    s, room = shown["seats"][IVAN], (NARROW if narrow else WIDE) - 2 * _LEFT
    tools = (tuple(map(tuple, s["tools"])), tuple(shown["tools_prestige"]), room)
    return [
        Part("ivan.row", at(_LEFT, top), _ivans_row, (s["contractors"], len(shown["row"]))),
        Part("ivan.tools", at(_LEFT, top + _ROW), _tools, tools),
    ]


def _permits(parent: Element, seat: int, held: int, most: int, narrow: bool) -> None:
    """Draw the places for permits, with the permits that the seat holds."""
    label(parent, f"{COLOURS[seat].capitalize()}: {count(held, 'permit')} of {most}")
    for i in range(most):
        el(parent, "rect", x=_PERMIT * i, y=0, width=_PERMIT - 3, height=_HIGH, rx=5, class_="well")
        if i < held:
            put(parent, "permits", _PERMIT * i + (_PERMIT - 3) / 2, _HIGH / 2, 0.9)
    if narrow:
        write(parent, _PERMIT * most + 10, 28, count(held, "permit"), 14, "muted", "start")


def _contractors(parent: Element, seat: int, left: int, row: Sequence[Mapping[str, int]], room: float) -> None:
    """Draw the row of contractors: each place with its bonus, and with its pawn if it is still there."""
    following = len(row) - left
    bonus = f"; the next brings {bonus_text(row[following])}" if left else ""
    label(parent, f"{COLOURS[seat].capitalize()}: {count(left, 'contractor')} left{bonus}")
    pitch = (room + 4) / len(row)
    for i, given in enumerate(row):
        x, wide = pitch * i, pitch - 4
        el(parent, "rect", x=x, y=0, width=wide, height=_HIGH, rx=6, class_="well")
        if i == following:
            el(parent, "rect", x=x + 1, y=1, width=wide - 2, height=_HIGH - 2, rx=5, class_="accent", stroke_width=2.2)
        icons = [(name, n) for name, n in given.items() if n]
        middle = x + wide / 2 if not icons else x + 14
        if i >= following:
            put(parent, "contractor", middle, _HIGH / 2 + 1, 1.05, f"c{seat}")
        else:
            el(parent, "circle", cx=middle, cy=_HIGH / 2, r=7, class_="line", stroke_dasharray="3 3")
        for name, n in icons:
            size = 0.7 if n > 1 else 0.8
            put(parent, name, x + wide - 12, _HIGH / 2, size)
            if n > 1:
                write(parent, x + wide - 26, _HIGH / 2 + 5, str(n), 14, bold=True)


def _specialist(parent: Element, tile: View | None, room: float) -> None:
    """Draw the face-up specialist: icons, words, and the tool on the back."""
    label(parent, "Specialist: " + ("none" if tile is None else specialist_words(tile)))
    el(parent, "rect", width=room, height=_HIGH, rx=6, class_="well")
    if tile is None:
        write(parent, 12, _HIGH / 2 + 5, "no specialist", 14, "muted", "start")
        return
    wide = 100.0
    el(parent, "rect", x=4, y=4, width=wide, height=_HIGH - 8, rx=5, class_="tile", stroke_width=1.2)
    put_icons(parent, 4 + wide / 2, _HIGH / 2, specialist_icons(tile), wide - 8)
    rows = wrap(tile["words"], 28)
    for i, words in enumerate(rows):
        write(parent, wide + 14, _HIGH / 2 + 4.5 + 14.5 * (i - (len(rows) - 1) / 2), words, 12, anchor="start")
    put_tool(parent, tile["tool"], room - 19, _HIGH / 2, 1.15)


def _tools(parent: Element, groups: Sequence[Sequence[str]], prestige: Sequence[int], room: float) -> None:
    """Draw the tools of turned-over specialists in groups, each with its prestige."""
    scores = [prestige[len(group) - 1] for group in groups]
    label(parent, f"Tools: {tools_text(groups)}; {sum(scores)} prestige")
    el(parent, "rect", width=room, height=_HIGH, rx=6, class_="well")
    if not groups:
        write(parent, 12, _HIGH / 2 + 5, "no tools", 14, "muted", "start")
        return
    tool, digit, crown = 25.0, 10.5, 30.0
    ends = [digit * len(str(n)) + crown for n in scores]
    scale = min(1.0, (room - 4) / (tool * sum(map(len, groups)) + sum(ends)))
    x, y = 5.0, _HIGH / 2
    for group, n, end in zip(groups, scores, ends, strict=True):
        for name in group:
            put_tool(parent, name, x + tool * scale / 2, y, 0.95 * scale)
            x += tool * scale
        write(parent, x + 3 * scale, y + 5.5 * scale, str(n), 16 * scale, anchor="start", bold=True)
        put(parent, "prestige", x + (end - 17) * scale, y, 0.75 * scale)
        x += end * scale


def _ivans_row(parent: Element, left: int, most: int) -> None:
    """Draw Ivan's contractors that are left, in a row without bonuses."""
    label(parent, f"Ivan: {count(left, 'contractor')} left")
    write(parent, 0, 27, "Contractors", 14, "muted", "start")
    for i in range(most):
        x = 102 + 26.0 * i
        if i >= most - left:
            put(parent, "contractor", x, _HIGH / 2 + 1, 1.05, f"c{IVAN}")
        else:
            el(parent, "circle", cx=x, cy=_HIGH / 2, r=6.5, class_="line", stroke_dasharray="3 3")
