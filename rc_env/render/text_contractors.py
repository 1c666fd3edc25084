"""The module Contractors as text: cities, slots, and each seat's components; see `text`."""

from __future__ import annotations

from rc_env.render.abbreviations import Line, Piece, amounts, by_seat, fold, shortened
from rc_env.render.contractors import bonus_text, has_module, next_bonus, specialist_words, tools_text
from rc_env.render.view import View, count

MODULE_LEGEND = (
    "p permits, c contractors, Vologda/2: the city over tower 2, R2 after it: two contractors of red, ^ Ivan's marker, "
    "K the black die (B is the blue one); tools by their first two letters"
)
"""The legend of the abbreviations."""


def city_lines(shown: View, width: int, short: bool, full: bool) -> list[Line]:
    """The cities and the specialists on their slots: in words, `short` to one line each, or `full` with all numbers."""
    if not has_module(shown):
        return []
    cities: Line = [Piece("cities ", "faint")]
    for city in shown["cities"]:
        name = city["name"][:3].capitalize() if short else city["name"].capitalize()
        tower = "" if city["tower"] is None else f"/{city['tower'] + 1}"
        price = f"{city['price']}p" if city["open"] else "-" if short else "closed"
        marker = "^" if shown["marker"] is not None and shown["marker"] == city["tower"] else ""
        cities.append(Piece(f"{marker}{name}{tower} {price}", "" if city["open"] else "faint"))
        if any(city["sent"]):
            cities += [Piece(" "), *by_seat(city["sent"], True)]
        cities.append(Piece("; "))
    cities.pop()
    slots: Line = [Piece("slots ", "faint")]
    for slot, tile in enumerate(shown["offer"]):
        letters = 3 if full else 1
        near = "+".join(city["name"][:letters].capitalize() for city in shown["cities"][1:] if slot in city["slots"])
        brief = "-" if tile is None else f"{_brief(tile)} {tile['tool'][:2]}"
        words = "-" if tile is None else specialist_words(tile) if full else _specialist(tile)
        slots += [Piece(f"{slot} {brief}" if short else f"{slot} {near}: {words}"), Piece("; ")]
    slots[-1] = Piece(f"; bag {shown['bag']}" if short else f"; {shown['bag']} in the bag")
    return [cities, slots] if short else [*fold(cities, width, 2), *fold(slots, width, 2)]


def seat_line(shown: View, s: View, full: bool = False) -> Line:
    """The permits, contractors, specialist and tools of a seat in a line; an empty one without the module."""
    if not has_module(shown):
        return []
    bonus = next_bonus(shown, s["contractors"])
    most = f" of {shown['permits_most']}" if full else ""
    line: Line = [Piece(f"   {count(s['permits'], 'permit')}{most}, {count(s['contractors'], 'contractor')}")]
    line += [Piece(f" (next brings {shortened(bonus_text(bonus))})")] if bonus else []
    specialist = specialist_words if full else _specialist
    line += [Piece(f"; specialist {specialist(s['specialist'])}")] if s["specialist"] else []
    tools = tools_text(s["tools"]) if full else tools_in_short(s)
    return [*line, *([Piece(f"; tools {tools} for {s['tools_prestige']}")] if s["tools"] else [])]


def tools_in_short(s: View) -> str:
    """The groups of tools of a seat by the first two letters of each: `ha+sa, ha`."""
    return ", ".join("+".join(tool[:2] for tool in group) for group in s["tools"]) or "-"


def _specialist(tile: View) -> str:
    """A specialist with its tool: `gain 3 lu (hammer)`."""
    return f"{shortened(tile['words'])} ({tile['tool']})"


def _brief(tile: View) -> str:
    """The shortest form of a specialist's effect: `lu3`, `st>3rec`.

    Raises:
        ValueError: its form is not one of `specialist_vocabulary.FORMS`.
    """
    printed = tile["printed"]
    gained = amounts({name: printed.get(name, 0) for name in ("recognition", "prestige")})
    match tile["kind"]:
        case "gain":
            return amounts(printed["gain"])
        case "pay":
            return f"{amounts(printed['pay'])}>{gained}"
        case "activate":
            return f"{printed['activate']} tiles"
        case "discard_ornament":
            return f"orn>{gained}"
        case "spend_rubles":
            return f"{printed['spend_rubles']}r>rec"
        case "any_material":
            return "any+deliver"
        case "resource_tile":
            return "a space"
        case "claim":
            return "claim"
    raise ValueError(f"specialist must be one of specialist_vocabulary.FORMS, not {tile['kind']!r}")
