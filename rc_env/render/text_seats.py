"""The seats as text: what each has and scores, its workshop, and Ivan's cards; see `text`."""

from __future__ import annotations

from collections.abc import Sequence

from rc_env.render.abbreviations import Line, Piece, amounts, fold, shortened, tile_name
from rc_env.render.contractors import has_module
from rc_env.render.expansion import has_contracts
from rc_env.render.text_contractors import seat_line, tools_in_short
from rc_env.render.view import View, count, die_letter
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN


def seat_lines(
    shown: View, width: int, names: Sequence[str], you: int | None, *, workshops: bool, full: bool
) -> list[Line]:
    """The seats, each with its name, the reader's in more detail, and Ivan's.

    Args:
        shown: the view of the game.
        width: columns; no line is longer.
        names: the name of each seat, or none.
        you: the reader's seat, or None.
        workshops: whether the other seats have a line for their workshops.
        full: whether all seats are shown like the reader's, with every number.
    """
    lines: list[Line] = []
    for seat in range(shown["players"]):
        name = names[seat] if names else ""
        if seat == you or full:
            lines += [row for line in _own(shown, seat, name, full) for row in fold(line, width, 6)]
            continue
        lines.append(_other(shown, seat, name))
        if workshops:
            lines += fold(_workshop(shown["seats"][seat]), width, 6)
            lines += fold(seat_line(shown, shown["seats"][seat]), width, 6) if has_module(shown) else []
    if shown["solo"]:
        lines += [row for line in _ivan(shown, full) for row in fold(line, width, 6)]
    return lines


def _head(shown: View, seat: int, name: str) -> Line:
    mark = ">" if shown["to_move"] == seat else "!" if seat in shown["winners"] else " "
    return [Piece(mark), Piece(COLOURS[seat].capitalize(), COLOURS[seat]), Piece(f" {name[:24]}: " if name else ": ")]


def _own(shown: View, seat: int, name: str, full: bool) -> list[Line]:
    s = shown["seats"][seat]
    first = [
        *_head(shown, seat, name),
        Piece(f"{_prestige(s, full)} (next in {s['ahead']})", "strong"),
        Piece(f", score {s['score']}", "strong"),
        Piece("" if shown["over"] else " now"),
        *([Piece(f", {_scored(shown, s)}")] if full else []),
        Piece(f"; {count(s['rubles'], 'ruble')}"),
        *([] if full else _ornaments(s)),
    ]
    white = f"banners on {' and '.join(s['white_banners'])}" if s["white_banners"] else "none on white slots"
    spare = (
        f"{_banners(shown, seat) - s['inventory_banners']} on white slots"
        if shown["advanced"]
        else (f"{s['spare_banners']} spare")
    )
    second = [
        Piece("   inventory "),
        Piece(amounts(s["materials"]) if s["materials"] else "no materials", "strong"),
        Piece(f", {count(s['inventory_banners'], 'banner')}, room for {s['room']}"),
        Piece(f"; {white if full and shown['advanced'] else spare}"),
        Piece(f"; {s['finished']} done, {s['claimed']} begun"),
        *(_ornaments(s) if full else []),
    ]
    extras = _extras(shown, s, in_words=True, full=full)
    module = seat_line(shown, s, full)
    return [first, second, _workshop(s), *([extras] if extras else []), *([module] if module else [])]


def _prestige(s: View, full: bool) -> str:
    return f"{s['prestige']} prestige" + (f" at space {s['track']}" if full else "")


def _scored(shown: View, s: View) -> str:
    """What a seat's score holds beside its prestige."""
    parts = {"goods": s["goods_prestige"]}
    parts |= {"contracts": s["contract_prestige"]} if has_contracts(shown) else {}
    parts |= {"tools": s["tools_prestige"]} if has_module(shown) else {}
    return ", ".join(f"{n} for {name}" for name, n in (parts | {"towers": s["tower_prestige"]}).items())


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


def _extras(shown: View, s: View, *, in_words: bool, full: bool = False) -> Line:
    """A seat's contracts (in words, or their number), reinforcement tiles and special tile, in the full game."""
    parts: list[str] = []
    if has_contracts(shown) and in_words:
        parts += [f"contract {number} {text if full else shortened(text)}" for number, text in s["hand"]]
        parts += [f"{count(s['hidden'], 'contract')} hidden"] if s["hidden"] else []
        parts = parts or ["no contracts"]
    elif has_contracts(shown):
        parts.append(count(len(s["hand"]) + s["hidden"], "contract"))
    parts += [f"reinforcement {' '.join(s['reinforcements'])}"] if s.get("reinforcements") else []
    parts += [f"special tile {s['special']}"] if s.get("special") else []
    if in_words:
        return [Piece(f"{'; ' if i else '   '}{part}") for i, part in enumerate(parts)]
    return [Piece(f", {part}") for part in parts]


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


def _ivan(shown: View, full: bool) -> list[Line]:
    """Ivan's score and goods, and his row of cards with their die tiles (in brackets: face down); `>` is next."""
    ivan, s = shown["ivan"], shown["seats"][IVAN]
    tools = f", {s['tools_prestige']} for tools" if has_module(shown) else ""
    first = [
        *_head(shown, IVAN, "Ivan"),
        Piece(f"{_prestige(s, full)}, score {s['score']}", "strong"),
        *([Piece(f"{tools}, {s['tower_prestige']} for towers")] if full else []),
        Piece(f", {s['finished']} done"),
        Piece(f", {s['claimed']} begun" if full else ""),
        Piece(f", inventory {amounts(ivan['inventory'])}"),
        Piece(f", construction {amounts(ivan['construction'])}"),
        Piece(f", {count(s['spare_banners'], 'banner')}"),
        *([*_ornaments(s), Piece(f", next {ivan['ornament'] or '-'}")] if full else []),
    ]
    row: Line = [Piece("   cards")]
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        row.append(Piece(f"{',' if place else ''} {'>' if place == ivan['next'] else ''}{card} "))
        letter = die_letter(tile["die"])
        row.append(Piece(letter, tile["die"]) if tile["up"] else Piece(f"({letter})", "faint"))
    if has_module(shown):
        row.append(Piece(f"; {count(s['contractors'], 'contractor')}, tools {tools_in_short(s)}"))
    last = [[Piece(f"   last turn: {', '.join(shown['last'])}")]] if full and shown["last"] else []
    return [first, row, *last]
