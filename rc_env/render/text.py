"""A game as text for a terminal: the board in lines, in full for reading, or in as few as a screen has room for.

Materials are written by the first two letters of their names with their number (`lu2 br st`: two lumber, one brick, one
stone), rubles as `3r`, recognition as `4rec`. Plain ASCII, so that it goes through any pipe; colour, where it is asked
for, only repeats what the words say. A line is a list of `Piece`s. `board_text` lays the board out in the form `FULL`,
which holds every fact; a screen chooses among `FORMS`, from the most spacious to the most compact.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple, TextIO, TypeVar

from rc_env import checks
from rc_env.arguments import ONE_GAME
from rc_env.render.abbreviations import (
    LEGEND,
    Line,
    Piece,
    amounts,
    by_seat,
    crop,
    fold,
    length,
    shortened,
    tile_name,
)
from rc_env.render.contractors import has_module
from rc_env.render.expansion import has_contracts
from rc_env.render.text_contractors import MODULE_LEGEND, city_lines
from rc_env.render.text_seats import seat_lines
from rc_env.render.view import View, die_letter, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

WIDTH, LEAST_WIDTH = 100, 76
_STYLES = {
    "red": "97;41", "blue": "97;44", "yellow": "30;43", "green": "97;42", "white": "30;107", "black": "97;40",
    "title": "1;4", "strong": "1", "faint": "2", "landing": "1;35",
}  # fmt: skip
_FULL_LEGEND = (
    f"{LEGEND}; R2=5: red's presence in a tower, and its prestige there; +st: a stone is delivered; (2r): a free slot, "
    "and its price"
)
T = TypeVar("T")
_NAMES = {"green_gem": "green", "purple_gem": "purple", "recognition": "recog", "permits": "permit"}
TILE_ROOM, OWNER_ROOM, KIND_ROOM = 31, 37, 43
"""The least width of a tower, in columns, at which its sections show tile, kind, and the owner in full."""


class BoardForm(NamedTuple):
    """A layout of the board.

    Attributes:
        gaps: an empty line between the parts.
        guilds: "wrap" to show all cards in as many lines as they need, "crop" in one line each, "here" only the card
            where the die has landed.
        column: least number of columns for a tower; the towers stand side by side.
        seats: whether the other seats have a line for their workshops.
        log: largest number of lines for past actions.
        all: whether to show also finished sections, and sections that nobody can claim yet.
        full: whether to show everything: where dice lead, the supply, what is delivered, the prestige of each seat in
            each tower, and all seats like the reader's.
    """

    gaps: bool
    guilds: str
    column: int
    seats: bool
    log: int
    all: bool = True
    full: bool = False


FULL = BoardForm(True, "wrap", 49, True, 0, full=True)
FORMS = (
    BoardForm(True, "wrap", 44, True, 8),
    BoardForm(True, "wrap", 38, False, 4),
    BoardForm(False, "wrap", 38, False, 3),
    BoardForm(False, "wrap", 32, False, 2),
    BoardForm(False, "crop", 26, False, 1),
    BoardForm(False, "here", 26, False, 1),
    BoardForm(False, "here", 26, False, 1, False),
)


def has_colour(stream: TextIO | None = None) -> bool:
    """Whether a stream (standard output by default) is a terminal that shows colour, and NO_COLOR is not set."""
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def board_text(ruleset: Ruleset, game: Any, *, colour: bool = False, width: int = WIDTH) -> str:
    """The whole board of one GAME record: about 40 lines for two players, 55 for four, at most 100 columns.

    Args:
        ruleset: the variant.
        game: one of `Engine.games` or of a clone.
        colour: with ANSI colours.
        width: columns of the longest line, 1 to 10,000; at least 76 are used.

    Raises:
        ValueError: no GAME record of the ruleset, or a width that is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.render import board_text
        >>> engine = Engine(seed=1)
        >>> "red" in board_text(engine.ruleset, engine.games[0])
        True
    """
    checks.flag("colour", colour)
    width = max(checks.whole_number("width", width, 1, 10_000), LEAST_WIDTH)
    shown = view(ruleset, game)
    legend = _FULL_LEGEND
    legend += "; -1di: a diamond lies there in place of one of them" if "diamond" in shown["supply"] else ""
    legend += f"; {MODULE_LEGEND}" if has_module(shown) else ""
    with checks.reading("game", ONE_GAME):
        lines = [*head_lines(shown, width), [], *board_lines(shown, width, FULL), []]
        lines += [[Piece(row, "faint")] for row in wrap(legend, width)]
        return "\n".join("".join(_painted(piece, colour) for piece in line).rstrip(" ") for line in lines) + "\n"


def _painted(piece: Piece, colour: bool) -> str:
    if not colour or not piece.style:
        return piece.text
    return f"\x1b[{_STYLES[piece.style]}m{piece.text}\x1b[0m"


def board_lines(
    shown: View, width: int, form: BoardForm, names: Sequence[str] = (), you: int | None = None
) -> list[Line]:
    """The board in one form.

    Args:
        shown: the view of the game, made by `render.view.view`.
        width: columns; no line is longer.
        form: `FULL`, or one of `FORMS`.
        names: the name of each seat, shown with its colour; by default none is.
        you: the seat of the reader, which is shown in more detail; None to show all seats alike.

    Raises:
        ValueError: an argument is of another type, or the width is not from 1 to 10,000.
    """
    checks.instance("shown", shown, dict, "what `view` gives")
    checks.instance("form", form, BoardForm, "FULL, or one of FORMS")
    width = checks.whole_number("width", width, 1, 10_000)
    names = checks.sequence("names", names, "a word a seat")
    if 0 < len(names) < shown["players"] or not all(isinstance(name, str) for name in names):
        checks.refuse("names", names, f"{shown['players']} words, one per seat")
    if you is not None:
        checks.whole_number("you", you, 0, shown["players"] - 1)
    parts = [
        [*_market(shown, width), *(_dice(shown, width) if form.full else [])],
        [*_guilds(shown, width, form), *city_lines(shown, width, form.guilds != "wrap", form.full)],
        _stocks(shown, width, form),
        _towers(shown, width, form),
        seat_lines(shown, width, names, you, workshops=form.seats, full=form.full),
    ]
    lines: list[Line] = []
    for part in parts:
        lines += [[]] if form.gaps and part and lines else []
        lines += part
    return [crop(line, width) for line in lines]


def head_lines(shown: View, width: int) -> list[Line]:
    """The lines that say whose turn it is, which decision is due, and what was done in the turn so far."""
    checks.instance("shown", shown, dict, "what `view` gives")
    width = checks.whole_number("width", width, 1, 10_000)
    return [[Piece(row, "strong")] for row in wrap(shown["words"], width)]


# --- the market and the guilds


def _market(shown: View, width: int) -> list[Line]:
    """Two lines: the market's spaces with their tiles, and the dice there. A star marks where the die has landed."""
    each = width // len(shown["market"])
    gap = " " if each > 10 else ""
    tiles: Line = []
    dice: Line = []
    for space, here in enumerate(shown["market"]):
        resource, number = here["tile"].split(":")
        landed = shown["landing"] == space
        text = f"{space}{'*' if landed else ' '}{_NAMES.get(resource, resource)}{gap}{number}"
        tiles.append(Piece(f"{text:<{each}}", "landing" if landed else ""))
        used = 1
        dice.append(Piece(" "))
        for die, value in here["on"]:
            dice += [Piece(f"{die_letter(die)}{value}", die), Piece(gap)]
            used += 2 + len(gap)
        dice.append(Piece(" " * max(each - used, 0)))
    return [tiles, dice]


def _dice(shown: View, width: int) -> list[Line]:
    """Where each die leads to, what it brings there, and the supply."""
    dice: Line = [Piece("dice    ", "faint")]
    for die, at in shown["dice"].items():
        goal = shortened(at["yields"]) if at["yields"] else "which is full"
        dice += [Piece(f"{die} {at['value']}", die), Piece(f" to {at['target']}, {goal}; ")]
    dice[-1] = Piece(dice[-1].text.rstrip("; "))
    supply = [Piece("supply  ", "faint"), Piece(amounts(shown["supply"]))]
    return [*fold(dice, width, 8), *fold(supply, width, 8)]


def _guilds(shown: View, width: int, form: BoardForm) -> list[Line]:
    lines: list[Line] = []
    here = None if shown["landing"] is None else shown["landing"] // 2
    most = max(len(card["name"]) for card in shown["guilds"])
    for quadrant, card in enumerate(shown["guilds"]):
        if form.guilds == "here" and quadrant != here:
            continue
        number = f" {card['card']}" if form.full else ""
        name = f"{2 * quadrant}-{2 * quadrant + 1} {card['name']:<{most}}{number}  "
        actions = [f"[{n}] {words}" for n, words in enumerate(card["words"], 1)]
        if card["used"]:
            actions[card["used"] - 1] += " (used)"
        text = "  ".join(actions)
        if len(name) + len(text) > width:
            text = shortened(text)
        rows = wrap(text, max(width - len(name), 20)) if form.guilds == "wrap" else [text]
        style = "landing" if quadrant == here else "faint"
        lines += [[Piece(" " * len(name) if i else name, style), Piece(row)] for i, row in enumerate(rows)]
    return lines


def _stocks(shown: View, width: int, form: BoardForm) -> list[Line]:
    """The reinforcement tiles that are left, the decks and the drawn cards, in the full game."""
    line: Line = []
    if shown.get("reinforcements") is not None:
        line.append(Piece(f"reinforcements: {' '.join(shown['reinforcements']) or '-'}"))
    if has_contracts(shown):
        deck = shown["contracts"]
        line.append(Piece(f"contracts: {deck['deck']} in the deck"))
        line += [Piece(f", drawn {number} {text if form.full else shortened(text)}") for number, text in deck["drawn"]]
        line += [Piece(f", {deck['hidden']} drawn")] if deck["hidden"] else []
    if shown.get("builders"):
        deck = shown["builders"]
        discarded = ", ".join(deck["discards"]) if form.full else len(deck["discards"])
        line.append(Piece(f"builders: {deck['deck']} cards, {discarded or 'none'} discarded"))
        for card in deck["drawn"]:
            pays = (("rubles", card["rubles"]), ("recognition", card["recognition"]))
            line.append(Piece(f", drawn {card['name']} {amounts(card['cost'])} / {amounts(pays)}"))
    return fold(line, width, 2) if line else []


# --- the cathedral


def _towers(shown: View, width: int, form: BoardForm) -> list[Line]:
    """The towers side by side, in as few columns as give the fewest rows; each has its top section first."""
    most = max(1, min(width // form.column, len(shown["towers"])))
    laid = [_laid_out(shown, width, form, columns) for columns in range(1, most + 1)]
    lines = min(laid, key=len)
    room = width // (laid.index(lines) + 1) - 1
    if form.gaps:
        kind = "kind " if room >= KIND_ROOM else ""
        lines.insert(0, [Piece(f"    {kind}{'owner':<7}{'misses':<12} {'pays':>7} tile", "faint")])
    return lines


def _laid_out(shown: View, width: int, form: BoardForm, columns: int) -> list[Line]:
    """The towers in so many columns."""
    room = width // columns - 1
    foreman = shown.get("foreman")
    blocks = [_tower(number, tower, room, form, number == foreman) for number, tower in enumerate(shown["towers"])]
    stacks = _stacked(blocks, columns)
    lines: list[Line] = []
    for row in range(max(map(len, stacks))):
        line: Line = []
        for stack in stacks:
            cell = crop(stack[row], room) if row < len(stack) else []
            line += [*cell, Piece(" " * (room + 1 - length(cell)))]
        lines.append(line)
    return lines


def _stacked(blocks: Sequence[Sequence[T]], columns: int) -> list[list[T]]:
    """Arrange blocks in columns from left to right, in order, so that the highest column is as low as possible."""
    for most in range(max(map(len, blocks)), sum(map(len, blocks)) + 1):
        stacks: list[list[T]] = [[]]
        for block in blocks:
            if stacks[-1] and len(stacks[-1]) + len(block) > most:
                stacks.append([])
            stacks[-1] += block
        if len(stacks) <= columns:
            return stacks
    raise AssertionError("one column holds all of them")


def _is_shown(s: View, form: BoardForm) -> bool:
    return bool(form.all or s["on_offer"] or (s["owner"] is not None and not s["finished"]))


def _tower(number: int, tower: View, room: int, form: BoardForm, foreman: bool) -> list[Line]:
    head: Line = [Piece(f"Tower {number + 1}", "title"), Piece(f" worth {tower['value']}")]
    if "city" in tower and room >= OWNER_ROOM:
        city = tower["city"]
        head.append(Piece(f" {city['name'].capitalize()}", "" if city["open"] else "faint"))
    head += [Piece(" foreman", "strong")] if foreman else []
    if any(tower["presence"]) and form.full:
        for seat, (presence, share) in enumerate(zip(tower["presence"], tower["shares"], strict=True)):
            if presence:
                text = f"{COLOURS[seat][0].upper()}{presence}={share}"
                head += [Piece(" "), Piece(text, COLOURS[seat])]
    elif any(tower["presence"]):
        head += [Piece(": "), *by_seat(tower["presence"], room < OWNER_ROOM)]
    shown = [_section(number, level, s, room, form) for level, s in enumerate(tower["sections"]) if _is_shown(s, form)]
    left_out = len(tower["sections"]) - len(shown)
    lines = [[*head, Piece(f" ({left_out} more)", "faint")] if left_out else head, *reversed(shown)]
    return [row for line in lines for row in fold(line, room, 4)] if form.full else lines


def _section(tower: int, level: int, s: View, room: int, form: BoardForm) -> Line:
    line: Line = [Piece(f"{tower + 1}.{level + 1} ")]
    letters = room < OWNER_ROOM
    if room >= KIND_ROOM:
        line.append(Piece(f"{s['kind'].replace('middle', 'mid'):<5}"))
    if s["owner"] is None:
        offer = s["on_offer"]
        owner = Piece(("*" if offer else ".") if letters else "offer" if offer else ".", "" if offer else "faint")
    else:
        colour = COLOURS[s["owner"]]
        owner = Piece(colour[0].upper() if letters else colour, colour)
    line += [owner, Piece(" " * ((2 if letters else 7) - len(owner.text)))]
    if s["finished"]:
        line.append(Piece("done", "strong"))
        if s["ornament"]:
            line += [Piece(f", {s['ornament']} of "), Piece(COLOURS[s["ornament_owner"]], COLOURS[s["ornament_owner"]])]
        return line
    pays = amounts((("rubles", s["rubles"]), ("recognition", s["recognition"])))
    missing = amounts(s["missing"]) + (f" -{s['diamonds']}di" if s.get("diamonds") else "")
    line.append(Piece(f"{missing:<{12 if room >= TILE_ROOM else 11}} {pays:>7}"))
    if s["tile"] and room >= TILE_ROOM:
        tile = tile_name(s["tile"])
        line.append(Piece(f" {tile}", tile if tile in COLOURS else ""))
    if s["delivered"] and form.full:
        line.append(Piece(" +" + amounts(s["delivered"])))
    return line
