"""Drawings of Ivan's side in the solo game: his row of cards with tiles and goods, banners, ornaments, score."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from rc_env.render.amounts import amounts_words
from rc_env.render.contractors_seats import ivan_height, ivan_parts, module_head
from rc_env.render.drawing import NARROW, WIDE, Panel, Part, at, die_square, el, label, put, square, write, write_fact
from rc_env.render.seats import HEIGHT, seat_head
from rc_env.render.view import View, count
from rc_env.rules.printed.sizes import COLOURS, MATERIAL_NAMES
from rc_env.rules.solo.ivan import SEAT

_CARD = 92.0  # height of a card


def ivan_board(shown: View, narrow: bool = False) -> Panel:
    """Draw Ivan's cards from left to right, in a narrow panel in rows of three; the one for his next turn is framed."""
    s, ivan = shown["seats"][SEAT], shown["ivan"]
    columns = 3 if narrow else len(ivan["cards"])
    rows = -(-len(ivan["cards"]) // columns)
    down = module_head(shown)
    top = (100 if narrow else 84) + down
    width, height = (NARROW, top - down + (_CARD + 6) * rows + 8) if narrow else (WIDE, HEIGHT)
    below = top + (_CARD + 6) * rows + 2
    height += ivan_height(shown)
    pitch = (width - 26) / columns
    parts = [
        *seat_head(shown, SEAT, (False, SEAT in shown["winners"], bool(shown["over"])), width, height, narrow),
        Part(
            "ivan.hand",
            at(16, (58 if narrow else 42) + down),
            _hand,
            (s["spare_banners"], s["ornaments"], ivan["ornament"], width - 190),
        ),
    ]
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        goods = ivan.get(card, {})  # of the Inventory and the Construction card
        facts = (card, tile["die"], tile["up"], place == ivan["next"], goods, pitch - 6)
        lies = at(16 + pitch * (place % columns), top + (_CARD + 6) * (place // columns))
        parts.append(Part(f"ivan.{place}", lies, _card, facts))
    parts += ivan_parts(shown, below, narrow)
    return Panel(f"seat{SEAT}", f"Ivan's cards, {COLOURS[SEAT]}", width, height, parts)


def _hand(parent: Element, banners: int, ornaments: Mapping[str, int], following: str | None, room: float) -> None:
    left = f"{count(banners, 'banner')} left; {amounts_words(ornaments, 'no ornaments')}"
    label(parent, f"Ivan: {left}" + (f"; the next is a {following}" if following else ""))
    write(parent, 0, 20, "Ivan Yakovlevich", 15, "muted", "start")
    beside = [piece for piece, number in (("banner", banners), *ornaments.items()) for _ in range(number)]
    pitch = min(28.0, room / max(1, len(beside)))
    for i, piece in enumerate(beside):
        put(parent, piece, 150 + pitch * i, 16, 1.05, f"c{SEAT}")


def _card(
    parent: Element, card: str, die: str, up: bool, following: bool, goods: Mapping[str, int], wide: float
) -> None:
    lying = f"; on it {amounts_words(goods)}" if goods else ""
    label(parent, f"{card}: the {die} die, face {'up' if up else 'down'}{', next' if following else ''}{lying}")
    el(parent, "rect", width=wide, height=_CARD, rx=8, class_="well")
    if following:
        el(parent, "rect", x=1, y=1, width=wide - 2, height=_CARD - 2, rx=7, class_="accent", stroke_width=2.5)
    size = min(14, round((wide - 6) / (0.58 * len(card)), 1))
    write(parent, wide / 2, 18, card.capitalize(), size, bold=following)
    square(parent, wide / 2, 43, 30, "tile" if up else "back", stroke_width=1.2)
    die_square(parent, wide / 2, 43, 17, die, 1)
    if not up:
        el(parent, "path", d=f"M{wide / 2 - 14:g} 57l28 -28m-28 0l28 28", class_="line", stroke_width=2)
    there = [(material, goods[material]) for material in MATERIAL_NAMES if goods.get(material)]
    pitch = min(34.0, (wide - 8) / max(1, len(there)))
    for i, (material, number) in enumerate(there):
        x = wide / 2 + pitch * (i - (len(there) - 1) / 2)
        scale = min(0.8, pitch / 34)
        put(parent, material, x - pitch / 5, 77, scale)
        write_fact(parent, x + pitch / 4, 82, number, f"{card} {material}", 14 * max(0.7, scale))
