"""A game as text for a terminal: the whole board in the words of the game record, at most 100 columns wide.

Plain ASCII, so that it goes through any pipe; colour, where it is asked for, only repeats what the words say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any, NamedTuple, TextIO

from rc_env import checks
from rc_env.arguments import ONE_GAME
from rc_env.render.contractors import bonus_text, city_text, has_module, next_bonus, specialist_words, tools_text
from rc_env.render.expansion import has_contracts
from rc_env.render.view import View, count, die_letter, listed, missing, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN
from rc_env.ruleset import Ruleset

WIDTH = 100
_RING = 52  # columns of the market ring, the guild cards stand to its right
# Where each space stands in the ring: clockwise from the top, as on the board. Row of its tile, and column.
_PLACES = ((0, 33), (3, 34), (6, 34), (9, 33), (9, 13), (6, 0), (3, 0), (0, 13))
_QUADRANTS = ((4, 25), (5, 25), (5, 14), (4, 14))  # of the guild names in the middle

_STYLES = {
    "red": "97;41", "blue": "97;44", "yellow": "30;43", "green": "97;42", "white": "30;107", "black": "97;40",
    "title": "1;4", "strong": "1", "faint": "2", "landing": "1;35",
}  # fmt: skip


class Piece(NamedTuple):
    """Words that stay together on a line, in a style."""

    text: str
    style: str = ""


Words = str | Piece


def has_colour(stream: TextIO | None = None) -> bool:
    """Whether a stream (standard output by default) is a terminal that shows colour, and NO_COLOR is not set."""
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def board_text(ruleset: Ruleset, game: Any, *, colour: bool = False, width: int = WIDTH) -> str:
    """Describe the whole board of one GAME record: about 50 lines for two players, 80 for four, at most 100 columns.

    Args:
        ruleset: the variant.
        game: one of `Engine.games` or of a clone.
        colour: with ANSI colours.
        width: columns of the longest line, 1 to 10,000; at least 76 are used.

    Raises:
        ValueError: no GAME record of the ruleset, or a width that is out of range.
    """
    checks.flag("colour", colour)
    width = max(checks.whole_number("width", width, 1, 10_000), _RING + 24)
    shown = view(ruleset, game)
    with checks.reading("game", ONE_GAME):
        return _board(shown, colour, width)


def _board(shown: View, colour: bool, width: int) -> str:
    lines: list[Sequence[Words]] = [[Piece(shown["words"], "strong")], []]
    lines += _beside(_ring(shown), _guild_lines(shown, width))
    lines.append(["Supply: ", listed(shown["supply"])])
    lines += [*_moscow(shown), *_stocks(shown)]
    for number, tower in enumerate(shown["towers"]):
        lines += _tower(number, tower, shown.get("foreman") == number)
    lines.append([])
    for seat in range(shown["players"]):
        lines += _seat(shown, seat)
    if shown["solo"]:
        lines += _ivan(shown)
    return "\n".join(row for line in lines for row in _laid_out(line, colour, width)) + "\n"


# --- the market


def _ring(shown: View) -> list[list[Words]]:
    rows: list[list[tuple[int, Words]]] = [[] for _ in range(11)]
    for space, (row, column) in enumerate(_PLACES):
        here = shown["market"][space]
        name = f"{space} {here['tile']}"
        landed = shown["landing"] == space
        rows[row].append((column, Piece(f"{name}<" if landed else name, "landing" if landed else "")))
        column += 2
        for die, value in here["on"]:
            rows[row + 1].append((column, Piece(f"{die_letter(die)}{value}", die)))
            column += 3
        if not here["on"]:
            rows[row + 1].append((column, Piece(".", "faint")))
    for quadrant, (row, column) in enumerate(_QUADRANTS):
        rows[row].append((column - 2, Piece(shown["guilds"][quadrant]["name"], "faint")))
    lines: list[list[Words]] = [[Piece("Market", "title")]]
    for cells in rows:
        line: list[Words] = []
        for column, words in sorted(cells):
            line += [" " * (column - _width(line)), words]
        lines.append(line)
    for die, at in shown["dice"].items():
        goal = f"{at['target']} for {at['yields']}" if at["yields"] else f"{at['target']}, which is full"
        lines.append([Piece(f"{die_letter(die)}{at['value']}", die), f" {die:<6} on {at['space']}, leads to {goal}"])
    return lines


def _guild_lines(shown: View, width: int) -> list[list[Words]]:
    lines: list[list[Words]] = [[Piece("Guilds", "title")]]
    for quadrant, card in enumerate(shown["guilds"]):
        name = f"{card['name']} {card['card']}"
        lines.append([Piece(name, "strong"), f"  at spaces {2 * quadrant} and {2 * quadrant + 1}"])
        for number, words in enumerate(card["words"], 1):
            used = card["used"] == number
            rows = wrap(words + (" (used)" if used else ""), width - _RING - 5)
            lines += [[Piece(f"  {'  ' if i else f'{number} '}{row}")] for i, row in enumerate(rows)]
    return lines


def _beside(left: list[list[Words]], right: list[list[Words]]) -> list[list[Words]]:
    lines = []
    for i in range(max(len(left), len(right))):
        line = list(left[i]) if i < len(left) else []
        if i < len(right):
            line += [" " * (_RING - _width(line)), *right[i]]
        lines.append(line)
    return lines


def _moscow(shown: View) -> list[list[Words]]:
    """The lines of the module Contractors: the cities, and the specialists on the slots between them."""
    if not has_module(shown):
        return []
    lines: list[list[Words]] = [[Piece("Cities", "title")]]
    for city in shown["cities"]:
        tower = "no tower" if city["tower"] is None else f"tower {city['tower'] + 1}"
        line: list[Words] = [f"  {city['name'].capitalize():<9} {tower:<8} "]
        line.append(Piece(city_text(city), "" if city["open"] else "faint"))
        if shown["marker"] is not None and shown["marker"] == city["tower"]:
            line += [", ", Piece("Ivan's marker", "strong")]
        lines.append([*line, "; contractors", *_by_seat(city["sent"])] if any(city["sent"]) else line)
    price = count(shown["hire_price"], "ruble")
    lines.append([Piece("Specialists", "title"), f"  engaged for {price}, or dismissed; {shown['bag']} in the bag"])
    for slot, tile in enumerate(shown["offer"]):
        near = [city["name"].capitalize() for city in shown["cities"][1:] if slot in city["slots"]]
        lines.append([f"  {slot} at {' and '.join(near):<20} {'-' if tile is None else specialist_words(tile)}"])
    return lines


def _stocks(shown: View) -> list[list[Words]]:
    """The lines of the full game with the reinforcement tiles that are left, the decks and the drawn cards."""
    lines: list[list[Words]] = []
    if shown.get("reinforcements") is not None:
        lines.append(["Reinforcement tiles: ", ", ".join(shown["reinforcements"]) or "-"])
    if has_contracts(shown):
        deck = shown["contracts"]
        lines.append([f"Contract deck: {count(deck['deck'], 'card')}"])
        if deck["drawn"] or deck["hidden"]:
            lines[-1] += ["; drawn: ", *_contracts(deck["drawn"], deck["hidden"])]
    if shown.get("builders"):
        deck = shown["builders"]
        lines.append([f"Builders' deck: {count(deck['deck'], 'card')}"])
        lines[-1].append(f"; discarded: {', '.join(deck['discards']) or '-'}")
        for card in deck["drawn"]:
            pays = listed((("rubles", card["rubles"]), ("recognition", card["recognition"])))
            lines[-1].append(f"; drawn: {card['name']} ({listed(card['cost'])}; pays {pays})")
    return lines


def _contracts(seen: Sequence[tuple[int, str]], hidden: int) -> list[Words]:
    """A seat's contracts in words, and the number of those that are hidden."""
    words = [f"{number} ({text})" for number, text in seen] + ([f"{hidden} hidden"] if hidden else [])
    return [Piece(word + (", " if i < len(words) - 1 else "")) for i, word in enumerate(words)] or ["-"]


# --- the cathedral


def _tower(number: int, tower: View, foreman: bool) -> list[list[Words]]:
    line: list[Words] = [Piece(f"Tower {number + 1}", "title"), f"  value {tower['value']}"]
    if "city" in tower:
        line.append(f"  {tower['city']['name'].capitalize()}, {'open' if tower['city']['open'] else 'closed'}")
    line += ["  ", Piece("the foreman is here", "strong")] if foreman else []
    for title, numbers in (("presence", tower["presence"]), ("prestige", tower["shares"])):
        if any(numbers):
            line += [f"  {title}", *_by_seat(numbers)]
    return [line, *(_section(number, level, s) for level, s in reversed(list(enumerate(tower["sections"]))))]


def _by_seat(numbers: Iterable[int]) -> list[Words]:
    words: list[Words] = []
    for seat, n in enumerate(numbers):
        if n:
            words += [" ", Piece(f"{COLOURS[seat]} {n}", COLOURS[seat])]
    return words


def _section(tower: int, level: int, s: View) -> list[Words]:
    line: list[Words] = [f"  {tower + 1}.{level + 1} {s['kind']:<6} "]
    if s["owner"] is None:
        owner = Piece("on offer" if s["on_offer"] else "unclaimed", "" if s["on_offer"] else "faint")
    else:
        owner = Piece(COLOURS[s["owner"]], COLOURS[s["owner"]])
    line += [owner, " " * (10 - len(owner.text))]
    if s["finished"]:
        line.append(Piece("finished", "strong"))
        if s["ornament"]:
            line += [", with the ", s["ornament"], " of ", _seat_name(s["ornament_owner"])]
        return line
    pays = listed((("rubles", s["rubles"]), ("recognition", s["recognition"])))
    line += [f"misses {missing(s)}", f"; pays {pays}"]
    if s["delivered"]:
        line.append(Piece(f"; has {listed(s['delivered'])}"))
    if s["tile"]:
        line.append(Piece(f"; tile {s['tile']}"))
    return line


def _seat_name(seat: int) -> Piece:
    return Piece(COLOURS[seat], COLOURS[seat])


# --- the seats


def _head(shown: View, seat: int, name: str = "") -> list[Words]:
    s = shown["seats"][seat]
    mark = " to move" if shown["to_move"] == seat else " wins" if seat in shown["winners"] else ""
    goods = "" if name else f"{s['goods_prestige']} for goods, "  # Ivan's do not count
    goods += f"{s['contract_prestige']} for contracts, " if has_contracts(shown) and not name else ""
    goods += f"{s['tools_prestige']} for tools, " if has_module(shown) else ""
    return [
        Piece(COLOURS[seat].capitalize(), COLOURS[seat]),
        Piece(f"{name}{mark}: ", "strong"),
        Piece(f"{s['prestige']} prestige at space {s['track']}", "strong"),
        Piece(f", {goods}{s['tower_prestige']} for towers: "),
        Piece(f"score {s['score']}{'' if shown['over'] else ' now'}", "strong"),
        Piece(f"; next prestige in {s['ahead']}"),
    ]


def _ivan(shown: View) -> list[list[Words]]:
    """Ivan's row of cards with their tiles (in brackets: face down), the goods on two of them, and his last turn."""
    ivan, s = shown["ivan"], shown["seats"][IVAN]
    row: list[Words] = ["  row:"]
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        up = f" {tile['die']}" if tile["up"] else f" ({tile['die']})"
        row += [" ", Piece(f"{card}{' <next>' if place == ivan['next'] else ''}", "strong" if tile["up"] else "faint")]
        row += [Piece(up, tile["die"] if tile["up"] else ""), "," if place < len(ivan["cards"]) - 1 else ""]
    goods: list[Words] = [
        Piece(f"  inventory {listed(ivan['inventory'])}; construction {listed(ivan['construction'])}"),
        Piece(f"; {count(s['spare_banners'], 'banner')} left"),
        Piece(f"; ornaments {listed(s['ornaments'])}, next {ivan['ornament'] or '-'}"),
        Piece(f"; sections finished {s['finished']}, begun {s['claimed']}"),
    ]
    lines = [_head(shown, IVAN, ", Ivan"), row, goods]
    if has_module(shown):
        lines.append([f"  {count(s['contractors'], 'contractor')} left; tools {tools_text(s['tools'])}"])
    if shown["last"]:
        lines.append([f"  last turn: {', '.join(shown['last'])}"])
    return lines


def _seat(shown: View, seat: int) -> list[list[Words]]:
    s = shown["seats"][seat]
    head = _head(shown, seat)
    banners = f"banners: {s['inventory_banners']} in the inventory, "
    if shown["advanced"]:
        banners += f"on {' and '.join(s['white_banners'])}" if s["white_banners"] else "none on white slots"
    else:
        banners += f"{s['spare_banners']} spare"
    hand: list[Words] = [
        Piece(f"  {count(s['rubles'], 'ruble')}; materials {listed(s['materials'])}"),
        Piece(f" (room for {s['room']})"),
    ]
    placed: list[Words] = [
        Piece(f"  {banners}"),
        Piece(f"; ornaments {listed(s['ornaments'])}"),
        Piece(f"; sections finished {s['finished']}, begun {s['claimed']}"),
    ]
    shop: list[Words] = ["  workshop:"]
    for i, (name, slot) in enumerate(s["workshop"].items()):
        words = (slot["tile"] or f"free {slot['price']}r").removeprefix("face ")
        kept = f" with {slot['ornament']}" if slot["ornament"] else ""
        end = "," if i < len(s["workshop"]) - 1 else ""
        colour = name if name in COLOURS else "white"
        shop += [" ", Piece(name, colour), Piece(f" {words}{kept}{end}")]
    return [head, hand, placed, shop, *_extras(shown, s)]


def _extras(shown: View, s: View) -> list[list[Words]]:
    """A seat's contracts, reinforcement tiles and unplaced special tile, in the full game."""
    lines: list[list[Words]] = []
    if has_contracts(shown):
        lines.append(["  contracts: ", *_contracts(s["hand"], s["hidden"])])
    tiles: list[str] = []
    if shown.get("reinforcements") is not None:
        tiles.append(f"reinforcement tiles: {', '.join(s['reinforcements']) or '-'}")
    if shown["special_tiles"]:
        tiles.append(f"special tile to be placed: {s['special'] or '-'}")
    if has_module(shown):
        held = specialist_words(s["specialist"]) if s["specialist"] else "-"
        lines += [_row(shown, s), [f"  specialist: {held}", f"; tools: {tools_text(s['tools'])}"]]
    return [*lines, ["  ", "; ".join(tiles)]] if tiles else lines


def _row(shown: View, s: View) -> list[Words]:
    """A seat's permits, and the contractors that are left in its row."""
    bonus = next_bonus(shown, s["contractors"])
    line: list[Words] = [f"  permits: {s['permits']} of {shown['permits_most']}"]
    line.append(f"; {count(s['contractors'], 'contractor')} left")
    return [*line, *([] if bonus is None else [f", the next brings {bonus_text(bonus)}"])]


# --- lines


def _text(words: Words) -> str:
    return words if isinstance(words, str) else words.text


def _width(line: Iterable[Words]) -> int:
    return sum(len(_text(words)) for words in line)


def _laid_out(line: Sequence[Words], colour: bool, width: int) -> list[str]:
    """A line as rows of at most `width` columns, broken between its pieces, or within one that is longer than a row."""
    rows: list[list[Piece]] = [[]]
    for words in line:
        piece = words if isinstance(words, Piece) else Piece(words)
        if _width(rows[-1]) + len(piece.text) <= width:
            rows[-1].append(piece)
            continue
        parts = wrap(piece.text.lstrip(" ;,"), width - 6) if rows[-1] else wrap(piece.text, width - 6)
        for i, part in enumerate(parts):
            if rows[-1] or i:
                rows.append([Piece("      ")])
            rows[-1].append(Piece(part, piece.style))
    return ["".join(_painted(piece, colour) for piece in row).rstrip(" ") for row in rows]


def _painted(piece: Piece, colour: bool) -> str:
    if not colour or not piece.style:
        return piece.text
    return f"\x1b[{_STYLES[piece.style]}m{piece.text}\x1b[0m"
