"""A game as SVG: market ring, cathedral, score track and a board for each seat, drawn as parts.

A part is a small group that depends on a few facts only (one market space, one section, one seat's goods). `board_svg`
lays all parts out as one picture; the replay page keeps a drawing of each part and changes those that differ. There are
two sets of panels: `panels` for pages on which two lie side by side, and `narrow_panels` for telephones.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, tostring

from rc_env import checks
from rc_env.arguments import ONE_GAME
from rc_env.render.cathedral import cathedral, narrow_cathedral
from rc_env.render.contractors import has_module
from rc_env.render.drawing import GAP, Panel, el, put, write
from rc_env.render.ivan import ivan_board
from rc_env.render.market import market, narrow_market, track
from rc_env.render.moscow import moscow
from rc_env.render.pieces import NAMESPACE, THEMES, definitions, style
from rc_env.render.seats import seat_board
from rc_env.render.stocks import stocks
from rc_env.render.view import View, is_full, view
from rc_env.ruleset import Ruleset

WIDTH = 1200
HEAD = 64.0  # above the panels: whose turn it is


def board_svg(ruleset: Ruleset, game: Any, theme: str = "light") -> str:
    """Draw the whole board of one GAME record as an SVG picture.

    Args:
        ruleset: the variant.
        game: one of `Engine.games` or of a clone.
        theme: "light", "dark", or "auto" as the reader's system is.

    Raises:
        ValueError: no GAME record of the ruleset, or another theme.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.render import board_svg
        >>> engine = Engine(seed=1)
        >>> board_svg(engine.ruleset, engine.games[0])[:4]
        '<svg'
    """
    checks.one_of("theme", theme, THEMES)
    shown = view(ruleset, game)
    with checks.reading("game", ONE_GAME):
        return view_svg(shown, theme)


def view_svg(shown: View, theme: str = "light") -> str:
    """Like `board_svg`, from a view."""
    checks.one_of("theme", theme, THEMES)
    laid, height = _layout(panels(shown))
    root = Element("svg", {"xmlns": NAMESPACE, "viewBox": f"0 0 {WIDTH} {height:g}", "class": f"rc rc-{theme}"})
    root.set("role", "img")
    el(root, "title", shown["words"])
    el(root, "style", style(theme, f".rc-{theme}", len(shown["dice"])))
    definitions(root, is_full(shown), has_module(shown))
    el(root, "rect", width=WIDTH, height=height, class_="ground")
    head(el(root, "g"), shown)
    for panel, x, y in laid:
        group = el(root, "g", transform=f"translate({x:g} {y:g})")
        for part in panel.parts:
            drawing = part.element()
            if part.place:
                drawing.set("transform", part.place)
            group.append(drawing)
    return tostring(root, encoding="unicode")


def _layout(shown: list[Panel]) -> tuple[list[tuple[Panel, float, float]], float]:
    """The place of each panel, and the height of the picture."""
    ring, strip, building, *seats = shown
    beside = []
    while seats[0].name in ("moscow", "stocks"):
        beside.append(seats.pop(0))
    x, y = GAP, HEAD
    laid = [(ring, x, y), (strip, x, y + ring.height + GAP), (building, x + ring.width + GAP, y)]
    y += building.height + GAP
    for panel in beside:
        laid.append((panel, GAP, y))
        y += panel.height + GAP
    for i, panel in enumerate(seats):
        alone = i == len(seats) - 1 and i % 2 == 0
        at = (WIDTH - panel.width) / 2 if alone else GAP + (panel.width + GAP) * (i % 2)
        laid.append((panel, at, y + (panel.height + GAP) * (i // 2)))
    rows = (len(seats) + 1) // 2
    return laid, y + rows * (seats[0].height + GAP)


def head(parent: Element, shown: View) -> None:
    """Draw the headline in two lines: whose turn it is, and the current decision."""
    first, *rest = shown["words"].split("; ", 1)
    seat = shown["to_move"] if shown["to_move"] is not None else (shown["winners"] or [0])[0]
    put(parent, "banner", 32, 30, 1.4, f"c{seat}")
    write(parent, 54, 30 if rest else 40, first, 21, anchor="start", bold=True)
    if rest:
        write(parent, 54, 52, rest[0], 15, "muted", "start")


def panels(shown: View) -> list[Panel]:
    """The panels: market, score track, cathedral, Moscow and decks if any, the players' boards, and Ivan's cards."""
    ring, strip = market(shown), track(shown)
    building = cathedral(shown, ring.height + GAP + strip.height)
    boards = [seat_board(shown, seat) for seat in range(shown["players"])]
    return [
        ring,
        strip,
        building,
        *moscow(shown),
        *stocks(shown),
        *boards,
        *([ivan_board(shown)] if shown["solo"] else []),
    ]


def narrow_panels(shown: View) -> list[Panel]:
    """Like `panels`, for a telephone: text and pieces of the same size in panels one above the other."""
    boards = [seat_board(shown, seat, narrow=True) for seat in range(shown["players"])]
    ivan = [ivan_board(shown, narrow=True)] if shown["solo"] else []
    return [
        narrow_market(shown),
        track(shown, narrow=True),
        *narrow_cathedral(shown),
        *moscow(shown, narrow=True),
        *stocks(shown, narrow=True),
        *boards,
        *ivan,
    ]
