"""Writes the parts of pages in this folder that come from schemas and vocabularies: `python docs/generated.py`.

Such a part stands between two markers, `<!-- NAME: begin … -->` and `<!-- NAME: end -->`, on a page that is otherwise
prose. Tests hold pages and parts equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any

from rc_env import files
from rc_env.apps.table.topics import TOPICS, TOUR
from rc_env.card_sets.ranges import BASE, EXPANSION, Unknown
from rc_env.layout import actions, observation
from rc_env.layout.pieces import UNUSED, Piece
from rc_env.rules.printed import sizes, specialist_vocabulary
from rc_env.rules.printed.expansion_vocabulary import COLUMNS, FORMS, MATERIAL_COLUMNS, PRICES, Form
from rc_env.rules.printed.vocabulary import ACTIONS, AMOUNT, PRICE, PRIMITIVES, Range, Row
from rc_env.ruleset import Ruleset

FOLDER = Path(__file__).parent
COMMAND = "python docs/generated.py"
PLAYERS = (1, 2, 3, 4)

# Versions and what each of them changed, newest last.
OBSERVATION_VERSIONS = {
    1: "the first layout",
    2: "whole numbers of at most a byte, also as uint8; a function of the number of players alone: 5 levels for every "
    "number of players, and divisors that no data file changes; `guild` says what the actions of the guild cards do, "
    "in place of `influence`, which said which cards they are; `prestige_ahead`, the next eight prestige spaces, in "
    "place of the next one in `numbers`; `rules`, the numbers of the data file that matter all game long, and Ivan's "
    "in `ivan_turn`; the level of `waiting_place` is one number",
}
ACTION_VERSIONS = {
    1: "the first catalogue",
    2: "a function of the number of players alone: towers have 5 levels for every number of players",
}


def with_block(page: str, name: str, block: str) -> str:
    """The page with the part of that name written anew.

    Raises:
        ValueError: the page lacks one of its markers.
    """
    marked = re.compile(rf"(<!-- {name}: begin[^\n]*-->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"the page has no part {name}, or only one of its markers")
    return marked.sub(lambda found: f"{found[1]}\n{block.strip()}\n\n{found[2]}", page)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


# --- the layouts


def pieces(full: bool) -> str:
    """The version of the observation, the size for each number of players, and one table of all pieces.

    A piece has one row, with its entries for the most players that have it, and a further one where its last axis or
    its meaning is another for fewer.
    """
    layouts = {players: Ruleset(players=players, special_tiles=full).observations for players in PLAYERS}
    sizes_of = [(str(players), f"{layout.size:,}", f"`{layout.hash}`") for players, layout in layouts.items()]
    rows: dict[tuple[str, int, str], dict[int, Piece]] = {}
    order = [piece.name for players in reversed(PLAYERS) for piece in layouts[players].pieces]
    for players, layout in reversed(layouts.items()):
        for piece in layout.pieces:
            meaning = re.sub(SLOT, "", piece.meaning)
            rows.setdefault((piece.name, piece.shape[-1], meaning), {})[players] = piece
    lines = []
    for (name, _, _), found in sorted(rows.items(), key=lambda row: order.index(row[0][0])):
        most = found[max(found)]
        places = (_place(found.get(players)) for players in PLAYERS)
        lines.append((f"`{name}`", *places, _entries(most), most.meaning))
    head = ("piece", "1 player", *(f"{players} players" for players in PLAYERS[1:]), "entries ÷ divisor", "meaning")
    parts = [f"Version {observation.VERSION}.", table(("players", "entries", "hash"), sizes_of), "## Pieces", NAMES]
    parts.append(table(head, lines))
    return "\n\n".join(parts if full else (*parts, _versions(OBSERVATION_VERSIONS)))


SLOT = r"slot (own|ivan|(next|unplayed)\d)(, )?"
"""What the words of a meaning name otherwise for each number of players."""
NAMES = fill(
    "For each number of players the table says where a piece lies, and its shape where that has several axes. "
    "Entries are those of the most players that have the piece. With fewer, the dice and slots of a colour that "
    "nobody plays are `unplayed1` and `unplayed2` in the place of the last of `next1`, `next2` and `next3`; what "
    "belongs to a seat or tower that is not there is unused; and in the solo game `ivan` stands for `next1`. "
    "`layout.pieces` has the exact names of each.",
    120,
    break_on_hyphens=False,
)


def _place(piece: Piece | None) -> str:
    """Offsets and shape of a piece."""
    if piece is None:
        return "–"
    place = f"{piece.offset}-{piece.offset + piece.size - 1}"
    return f"{place}: {_shape(piece.shape)}" if len(piece.shape) > 1 else place


def catalogue(full: bool) -> str:
    """The version of the actions, and their catalogue for each number of players."""
    parts = [f"Version {actions.VERSION}."]
    for players in PLAYERS:
        layout = Ruleset(players=players, special_tiles=full).actions
        rows = [
            (verb, _numbers(first, count), str(count), f"`{words}`".replace(" … ", "` … `"), meaning)
            for verb, first, count, words, meaning in layout.table()
        ]
        parts.append(f"## {players} player{'s' * (players > 1)}\n{layout.size} actions, hash `{layout.hash}`.")
        parts.append(table(("verb", "numbers", "count", "words", "meaning"), rows))
    return "\n\n".join(parts if full else (*parts, _versions(ACTION_VERSIONS)))


def _numbers(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))


def _entries(piece: Piece) -> str:
    """Neighbours with one divisor together: `lumber` `brick` ÷ 20; 2 unused; of a plain count its two ends."""
    told = []
    pairs = zip(piece.entries, piece.divisors, strict=True)
    for divisor, group in groupby(pairs, lambda pair: None if pair[0] == UNUSED else pair[1]):
        words: list[str] = []
        for _, count in groupby((f"`{entry}`" for entry, _ in group), lambda word: re.sub(r"\d+", "#", word)):
            run = list(count)
            words += [run[0], "…", run[-1]] if len(run) > 4 and divisor is not None else run
        told.append(f"{len(words)} unused" if divisor is None else f"{' '.join(words)} ÷ {divisor}")
    return "; ".join(told)


def _versions(history: dict[int, str]) -> str:
    rows = [(str(version), change) for version, change in history.items()]
    return "## Versions\n" + table(("version", "change"), rows)


# --- the words of data files


def guild_actions() -> str:
    """The block: the ranges of guilds, a row for each action and for each primitive, and what may be unlimited."""
    rows = [(f"`{_example(row)}`", row.meaning, _amounts(row), _repeatable(row)) for row in ACTIONS.values()]
    head = ("action", "what it does", "numbers", "may be unlimited")
    named = "1 to 24 of the letters a to z, with underscores between them; not `random`"
    guilds = f"{sizes.QUADRANTS} to {sizes.GUILDS} guilds with names of the file's own ({named})"
    cards = f"1 to {sizes.GUILD_CARDS} cards each, at most {sizes.INFLUENCES} in all"
    paragraphs = (
        f"A file has {guilds}, {cards}, and {sizes.SIDES} actions a card. {sizes.QUADRANTS} guilds are dealt in each "
        "game, with one card each.",
        table(head, rows),
        f"`price` ({_range(PRICE)} rubles) may be added to any action; a price is paid when the action is chosen, that "
        'of `sell` is received. `M` is `"any"` or a list of materials, such as `["lumber", "stone"]`: those that the '
        "card shows. Only actions that use something up may have `unlimited = true`, or a turn might never end. "
        "`prestige` may only for more rubles than the prestige can be sold for again.",
        "Each action is made of primitives. These are all that the rules, the observation and the bots know of it:",
        table(("primitive", "meaning"), [(f"`{name}`", meaning) for name, meaning in PRIMITIVES.items()]),
    )
    return _block(paragraphs)


def expansion_actions() -> str:
    """The block of the expansion: a row for each form, what may be paid, and the columns beside the base game's."""
    rows = [
        (f"`{form_example(form)}`", form.words(form_values(form)), _keys(form), "yes" if form.repeatable else "no")
        for form in FORMS.values()
    ]
    columns = [(f"`{name}`", meaning) for name, meaning in (COLUMNS | MATERIAL_COLUMNS).items()]
    prices = ("price", "price_recognition", "price_permits")
    price, recognition, permits = (_range(PRICES[key]) for key in prices)  # type: ignore[arg-type]
    paragraphs = (
        f"A file has at least one guild, 1 to {sizes.GUILD_CARDS} cards each, {sizes.SIDES} actions a card; with the "
        f"guilds of the base file at most {sizes.GUILDS} guilds and {sizes.INFLUENCES} cards. An action has the keys "
        "of one of these forms; the first key of a row tells the form.",
        table(("action", "what it says", "keys", "may be unlimited"), rows),
        f"To any action may be added `price` ({price} rubles), `price_recognition` ({recognition}), `price_permits` "
        f"({permits}) and `pay`, a table of fixed materials (1 to 6 of each, `diamond` among them); all are paid when "
        "the action is chosen. Where `market_actions` is 2, `same` has to be there; `pay_one_of` needs something that "
        "is gained. `any_material`, `rubles`, `prestige` and `recognition` may be unlimited with `pay` or "
        "`price_permits` alone, or a turn might never end. `die`, `per_contractor`, `permits` and `price_permits` "
        "stand only on cards that `guilds_with_contractors_only` names.",
        "Beside the primitives of the base game an action of the full game is made of these:",
        table(("primitive", "meaning"), columns),
    )
    return _block(paragraphs)


def specialists() -> str:
    """The block of the specialists: a row for each form."""
    rows = [
        (f"`{form_example(form)}`", form.words(form_values(form)), _keys(form))
        for form in specialist_vocabulary.FORMS.values()
    ]
    paragraphs = (
        f"A file has {sizes.SPECIALISTS} specialists. Each has a `tool`, one of the file's {sizes.TOOLS}, and beside "
        "it the keys of one of these forms:",
        table(("specialist", "what it does", "keys"), rows),
        f"`gain` is a table of exactly one resource, `permits` among them ({_range(AMOUNT)}); `pay` is a table of "
        f"materials (1 to {specialist_vocabulary.PAID} of each) and needs `recognition` or `prestige` beside it. No "
        f"tool stands on more than {sizes.TOOLS} tiles. What a specialist does is made of the primitives above.",
    )
    return _block(paragraphs)


def _block(paragraphs: Iterable[str]) -> str:
    wrapped = [text if text.startswith("|") else fill(text, 120, break_on_hyphens=False) for text in paragraphs]
    return "\n" + "\n\n".join(wrapped) + "\n\n"


def form_values(form: Form) -> dict[str, Any]:
    """An action of that form with the lowest numbers, the first words, and a list of one material."""
    values = {key: _lowest(kind) for key, kind in form.keys.items()}
    return values | ({"recognition": 1} if values.keys() & {"pay_one_of", "pay"} else {})


def _lowest(kind: Any) -> Any:
    if kind is True or kind is bool:
        return True
    if kind is dict:
        return {sizes.MATERIAL_NAMES[0]: 1}
    return [sizes.MATERIAL_NAMES[0]] if kind is list else kind[0]


def form_example(form: Form) -> str:
    """The same as TOML: `{ foreman = 1, per_banner = "recognition" }`."""
    return _toml(form_values(form))


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _keys(form: Form) -> str:
    said = [f"`{key}` {_kind(kind)}" for key, kind in form.keys.items()]
    return "; ".join(said + [f"`{key}` {_kind(kind)}, or left out" for key, kind in form.optional.items()])


def _kind(kind: Any) -> str:
    if kind is True:
        return "true"
    if kind is bool:
        return "true or false"
    if kind is list:
        return "a list of materials"
    if kind is dict:
        return "a table"
    return " or ".join(kind) if isinstance(kind[0], str) else _range(kind)


def _example(row: Row) -> str:
    """`{ exchange_any = 1, for_other = 1, price = 1 }`: the lowest numbers, and a price where there has to be one."""
    values = {row.verb: "M" if row.materials else "true" if row.flag else str(row.numbers[row.verb][0])}
    values |= {key: str(limits[0]) for key, limits in row.numbers.items()}
    if row.priced:
        values["price"] = "1"
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"


def _amounts(row: Row) -> str:
    words = [f"`{key}` {_range(limits)}" for key, limits in row.numbers.items()]
    if row.fewer:
        words.append(f"`{row.fewer[0]}` less than `{row.fewer[1]}`")
    if row.priced:
        words.append("`price` has to be there")
    return "; ".join(words)


def _repeatable(row: Row) -> str:
    if row.repeatable is None:
        return "no"
    return "yes" if row.repeatable == 0 else f"at a price of at least {row.repeatable}"


def _range(limits: Range) -> str:
    low, high = limits
    return str(low) if low == high else f"{low} to {high}"


# --- the game in five minutes


def topics() -> str:
    """The topics of the tour that `rc serve` shows at /learn, in the same words, each with its picture if any."""
    parts = []
    for name in TOUR:
        picture = [f"![{TOPICS[name].title}](game-{name}.svg)"] if (FOLDER / f"game-{name}.svg").is_file() else []
        parts += [f"### {TOPICS[name].title}", fill(TOPICS[name].text, 120, break_on_hyphens=False), *picture]
    return "\n\n".join(parts)


# --- the ranges of unknown numbers


def ranges_text() -> str:
    """A row for each range of the base game, then of the expansion."""
    return f"Base game:\n\n{_rows(BASE)}\n\nExpansion:\n\n{_rows(EXPANSION)}"


def _rows(ranges: Mapping[str, Unknown]) -> str:
    rows = [(f"`{row.table}`", row.what, _odds(row), row.why) for row in ranges.values()]
    return table(("table", "what is drawn", "values and odds", "why"), rows)


def _odds(row: Unknown) -> str:
    """The values with their odds, grouped by equal odds."""
    if not row.odds:
        return "everything possible, uniformly"
    total = sum(row.odds.values())
    together: dict[Fraction, list[str]] = {}
    for value, weight in row.odds.items():
        together.setdefault(Fraction(weight, total), []).append(_word(value))
    each = "each " if len(together) == 1 and total > 1 else ""
    return "; ".join(
        f"{', '.join(values)}: {each or ('each ' if len(values) > 1 else '')}{share}"
        for share, values in together.items()
    )


def _word(value: object) -> str:
    return {"True": "yes", "False": "no"}.get(str(value), str(value).replace("_", " "))


PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "observation.md": {"layout": lambda: pieces(full=False)},
    "actions.md": {"layout": lambda: catalogue(full=False)},
    "observation-full.md": {"layout": lambda: pieces(full=True)},
    "actions-full.md": {"layout": lambda: catalogue(full=True)},
    "data.md": {"guild actions": guild_actions, "expansion actions": expansion_actions, "specialists": specialists},
    "game.md": {"topics": topics},
    "uncertainty.md": {"ranges": ranges_text},
}
"""The parts of each page, by their names."""


def page(name: str, text: str) -> str:
    """A page, of which `text` is given, with its parts written anew."""
    for part, write in PAGES[name].items():
        text = with_block(text, part, write())
    return text


def main(folder: Path = FOLDER) -> None:
    """Write the parts of all pages anew."""
    for name in PAGES:
        files.write(folder / name, page(name, (folder / name).read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
