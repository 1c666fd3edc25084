"""Shows the board in few lines for a screen that is redrawn: the same facts as `render.text`, abbreviated.

Materials are written by the first two letters of their names with their number (`lu2 br st`: two lumber, one brick, one
stone), rubles as `3r`, recognition as `4rec`. Plain ASCII; colour only repeats what the words say. A line is a list of
`Piece`s; `FORMS` are the ways to lay out the board, from the most spacious to the most compact, from which a screen
chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple, TypeVar

from rc_env import checks
from rc_env.render.abbreviations import Line, amounts, by_seat, crop, fold, length, shortened, tile_name
from rc_env.render.compact_contractors import city_lines, seat_line, tools_in_short
from rc_env.render.contractors import has_module
from rc_env.render.expansion import has_contracts
from rc_env.render.text import Piece
from rc_env.render.view import View, count, die_letter
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN

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
    """

    gaps: bool
    guilds: str
    column: int
    seats: bool
    log: int
    all: bool = True


FORMS = (
    BoardForm(True, "wrap", 44, True, 8),
    BoardForm(True, "wrap", 38, False, 4),
    BoardForm(False, "wrap", 38, False, 3),
    BoardForm(False, "wrap", 32, False, 2),
    BoardForm(False, "crop", 26, False, 1),
    BoardForm(False, "here", 26, False, 1),
    BoardForm(False, "here", 26, False, 1, False),
)


def board_lines(shown: View, width: int, form: BoardForm, names: Sequence[str], you: int | None = None) -> list[Line]:
    """The board in one form.

    Args:
        shown: the view of the game, made by `render.view.view`.
        width: columns; no line is longer.
        form: one of `FORMS`.
        names: the name of each seat, shown with its colour.
        you: the seat of the reader, which is shown in more detail; None to show all seats alike.

    Raises:
        ValueError: an argument is of another type, or the width is not from 1 to 10,000.
    """
    checks.instance("shown", shown, dict, "what `view` gives")
    checks.instance("form", form, BoardForm, "one of FORMS")
    width = checks.whole_number("width", width, 1, 10_000)
    names = checks.sequence("names", names, "a word a seat")
    if len(names) < shown["players"] or not all(isinstance(name, str) for name in names):
        checks.refuse("names", names, f"{shown['players']} words, one per seat")
    if you is not None:
        checks.whole_number("you", you, 0, shown["players"] - 1)
    parts = [
        _market(shown, width),
        [*_guilds(shown, width, form), *city_lines(shown, width, short=form.guilds != "wrap"), *_stocks(shown, width)],
        _towers(shown, width, form),
        _seats(shown, width, form, names, you),
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


def _guilds(shown: View, width: int, form: BoardForm) -> list[Line]:
    lines: list[Line] = []
    here = None if shown["landing"] is None else shown["landing"] // 2
    most = max(len(card["name"]) for card in shown["guilds"])
    for quadrant, card in enumerate(shown["guilds"]):
        if form.guilds == "here" and quadrant != here:
            continue
        name = f"{2 * quadrant}-{2 * quadrant + 1} {card['name']:<{most}}  "
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


# --- the cathedral


def _towers(shown: View, width: int, form: BoardForm) -> list[Line]:
    """The towers side by side, in as few columns as give the fewest rows; each has its top section first."""
    counted = [range(1 + _sections_shown(tower, form)) for tower in shown["towers"]]
    rows, columns = min(
        (max(map(len, _stacked(counted, columns))), columns)
        for columns in range(1, max(1, min(width // form.column, len(counted))) + 1)
    )
    room = width // columns - 1
    foreman = shown.get("foreman")
    blocks = [_tower(number, tower, room, form, number == foreman) for number, tower in enumerate(shown["towers"])]
    stacks = _stacked(blocks, columns)
    lines: list[Line] = []
    for row in range(rows):
        line: Line = []
        for stack in stacks:
            cell = crop(stack[row], room) if row < len(stack) else []
            line += [*cell, Piece(" " * (room + 1 - length(cell)))]
        lines.append(line)
    if form.gaps:
        kind = "kind " if room >= KIND_ROOM else ""
        lines.insert(0, [Piece(f"    {kind}{'owner':<7}{'misses':<12} {'pays':>7} tile", "faint")])
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


def _sections_shown(tower: View, form: BoardForm) -> int:
    return sum(_is_shown(s, form) for s in tower["sections"])


def _tower(number: int, tower: View, room: int, form: BoardForm, foreman: bool) -> list[Line]:
    head: Line = [Piece(f"Tower {number + 1}", "title"), Piece(f" worth {tower['value']}")]
    if "city" in tower and room >= OWNER_ROOM:
        city = tower["city"]
        head.append(Piece(f" {city['name'].capitalize()}", "" if city["open"] else "faint"))
    head += [Piece(" foreman", "strong")] if foreman else []
    if any(tower["presence"]):
        head += [Piece(": "), *by_seat(tower["presence"], room < OWNER_ROOM)]
    shown = [_section(number, level, s, room) for level, s in enumerate(tower["sections"]) if _is_shown(s, form)]
    left_out = len(tower["sections"]) - len(shown)
    return [[*head, Piece(f" ({left_out} more)", "faint")] if left_out else head, *reversed(shown)]


def _section(tower: int, level: int, s: View, room: int) -> Line:
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
    return line


# --- the seats


def _seats(shown: View, width: int, form: BoardForm, names: Sequence[str], you: int | None) -> list[Line]:
    lines: list[Line] = []
    for seat in range(shown["players"]):
        if seat == you:
            lines += [row for line in _own(shown, seat, names[seat]) for row in fold(line, width, 6)]
            continue
        lines.append(_other(shown, seat, names[seat]))
        if form.seats:
            lines += fold(_workshop(shown["seats"][seat]), width, 6)
            lines += fold(seat_line(shown, shown["seats"][seat]), width, 6) if has_module(shown) else []
    if shown["solo"]:
        lines += [row for line in _ivan(shown) for row in fold(line, width, 6)]
    return lines


def _head(shown: View, seat: int, name: str) -> Line:
    mark = ">" if shown["to_move"] == seat else "!" if seat in shown["winners"] else " "
    return [Piece(mark), Piece(COLOURS[seat].capitalize(), COLOURS[seat]), Piece(f" {name[:24]}: ")]


def _own(shown: View, seat: int, name: str) -> list[Line]:
    s = shown["seats"][seat]
    rest = _banners(shown, seat) - s["inventory_banners"]
    first = [
        *_head(shown, seat, name),
        Piece(f"{s['prestige']} prestige (next in {s['ahead']}), score {s['score']}", "strong"),
        Piece("" if shown["over"] else " now"),
        Piece(f"; {count(s['rubles'], 'ruble')}"),
        *_ornaments(s),
    ]
    second = [
        Piece("   inventory "),
        Piece(amounts(s["materials"]) if s["materials"] else "no materials", "strong"),
        Piece(f", {count(s['inventory_banners'], 'banner')}, room for {s['room']}"),
        Piece(f"; {rest} {'on white slots' if shown['advanced'] else 'spare'}"),
        Piece(f"; {s['finished']} done, {s['claimed']} begun"),
    ]
    extras = _extras(shown, s, in_words=True)
    module = seat_line(shown, s)
    return [first, second, _workshop(s), *([[Piece("  "), *extras]] if extras else []), *([module] if module else [])]


def _other(shown: View, seat: int, name: str) -> Line:
    s = shown["seats"][seat]
    return [
        *_head(shown, seat, name),
        Piece(f"{s['prestige']} prestige, score {s['score']}", "strong"),
        Piece(
            f", {s['finished']} done, {s['rubles']}r, {amounts(s['materials']) if s['materials'] else 'no materials'}"
        ),
        *([Piece(f", {s['permits']}p {s['contractors']}c")] if has_module(shown) else []),
        Piece(f", {count(_banners(shown, seat), 'banner')}"),
        *_ornaments(s),
        *_extras(shown, s, in_words=False),
    ]


def _banners(shown: View, seat: int) -> int:
    s = shown["seats"][seat]
    return int(s["inventory_banners"]) + (len(s["white_banners"]) if shown["advanced"] else int(s["spare_banners"]))


def _ornaments(s: View) -> Line:
    return [Piece(f", {name}{n if n > 1 else ''}") for name, n in s["ornaments"].items() if n]


def _extras(shown: View, s: View, *, in_words: bool) -> Line:
    """A seat's contracts (in words, or their number), reinforcement tiles and special tile, in the full game."""
    line: Line = []
    if has_contracts(shown) and in_words:
        line += [Piece(f" contract {number} {shortened(text)};") for number, text in s["hand"]] or [
            Piece(" no contracts;")
        ]
    elif has_contracts(shown):
        line.append(Piece(f", {count(len(s['hand']) + s['hidden'], 'contract')}"))
    between = " " if in_words else ", "
    line += [Piece(f"{between}reinforcement {' '.join(s['reinforcements'])}")] if s.get("reinforcements") else []
    line += [Piece(f"{between}special tile {s['special']}")] if s.get("special") else []
    return line


def _stocks(shown: View, width: int) -> list[Line]:
    """The reinforcement tiles that are left, the decks and the drawn cards, in the full game."""
    line: Line = []
    if shown.get("reinforcements") is not None:
        line.append(Piece(f"reinforcements: {' '.join(shown['reinforcements']) or '-'}"))
    if has_contracts(shown):
        deck = shown["contracts"]
        line.append(Piece(f"contracts: {deck['deck']} in the deck"))
        line += [Piece(f", drawn {number} {shortened(text)}") for number, text in deck["drawn"]]
        line += [Piece(f", {deck['hidden']} drawn")] if deck["hidden"] else []
    if shown.get("builders"):
        deck = shown["builders"]
        line.append(Piece(f"builders: {deck['deck']} cards, {len(deck['discards'])} discarded"))
        for card in deck["drawn"]:
            pays = (("rubles", card["rubles"]), ("recognition", card["recognition"]))
            line.append(Piece(f", drawn {card['name']} {amounts(card['cost'])} / {amounts(pays)}"))
    return fold(line, width, 2) if line else []


def _workshop(s: View) -> Line:
    """The tile in each slot; for a free slot the price, in brackets, and the ornament on it."""
    line: Line = [Piece("   workshop")]
    for name, slot in s["workshop"].items():
        kept = f" {slot['ornament']}" if slot["ornament"] else ""
        tile = slot["tile"]
        if tile is None:
            words = f"({slot['price']}r{kept})"
        else:
            words = "down" if tile == "face down" else f"{tile_name(tile)}{kept}"
        line += [Piece(" "), Piece(name, name if name in COLOURS else "white"), Piece(f":{words}")]
    return line


def _ivan(shown: View) -> list[Line]:
    """Ivan's score and goods, and his row of cards with their die tiles (in brackets: face down); `>` is next."""
    ivan, s = shown["ivan"], shown["seats"][IVAN]
    first = [
        *_head(shown, IVAN, "Ivan"),
        Piece(f"{s['prestige']} prestige, score {s['score']}", "strong"),
        Piece(f", {s['finished']} done"),
        Piece(f", inventory {amounts(ivan['inventory'])}"),
        Piece(f", construction {amounts(ivan['construction'])}"),
        Piece(f", {count(s['spare_banners'], 'banner')}"),
    ]
    row: Line = [Piece("   cards")]
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        row.append(Piece(f"{',' if place else ''} {'>' if place == ivan['next'] else ''}{card} "))
        letter = die_letter(tile["die"])
        row.append(Piece(letter, tile["die"]) if tile["up"] else Piece(f"({letter})", "faint"))
    if has_module(shown):
        row.append(Piece(f"; {count(s['contractors'], 'contractor')}, tools {tools_in_short(s)}"))
    return [first, row]
