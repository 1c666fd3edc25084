"""The tables of docs/data.md that come from the vocabularies: guild actions, the primitives that they are made of, and
specialists.

The page is prose with three blocks, each between two markers; `python -m rc_env.words.data_page` writes them anew:
from `vocabulary.ACTIONS` and `vocabulary.PRIMITIVES`, from `expansion_vocabulary.FORMS`, and from
`specialist_vocabulary.FORMS`. A test holds page and rows equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Any

from ..rules.printed import sizes, specialist_vocabulary
from ..rules.printed.expansion_vocabulary import COLUMNS, FORMS, MATERIAL_COLUMNS, PRICES, Form
from ..rules.printed.vocabulary import ACTIONS, AMOUNT, PRICE, PRIMITIVES, Range, Row

COMMAND = "python -m rc_env.words.data_page"
PAGE = Path(__file__).parents[2] / "docs" / "data.md"
BEGIN = "<!-- guild actions: begin; written from rc_env/rules/printed/vocabulary.py -->"
END = "<!-- guild actions: end -->"
FORMS_BEGIN = "<!-- expansion actions: begin; written from rc_env/rules/printed/expansion_vocabulary.py -->"
FORMS_END = "<!-- expansion actions: end -->"
SPECIALISTS_BEGIN = "<!-- specialists: begin; written from rc_env/rules/printed/specialist_vocabulary.py -->"
SPECIALISTS_END = "<!-- specialists: end -->"


def data_page(page: str) -> str:
    """The page with its blocks written anew.

    Raises:
        ValueError: the page lacks one of the markers.
    """
    page = _with_block(page, BEGIN, guild_actions(), END)
    page = _with_block(page, FORMS_BEGIN, expansion_actions(), FORMS_END)
    return _with_block(page, SPECIALISTS_BEGIN, specialists(), SPECIALISTS_END)


def _with_block(page: str, begin: str, block: str, end: str) -> str:
    head, begins, rest = page.partition(begin)
    _, ends, tail = rest.partition(end)
    if not begins or not ends:
        raise ValueError(f"page: no {end if begins else begin} found, expected both markers")
    return f"{head}{begin}\n{block}{end}{tail}"


def guild_actions() -> str:
    """The block: the ranges of guilds, a row for each action and for each primitive, and what may be unlimited."""
    rows = [(f"`{_example(row)}`", row.meaning, _numbers(row), _repeatable(row)) for row in ACTIONS.values()]
    head = ("action", "what it does", "numbers", "may be unlimited")
    guilds = (
        f"{sizes.QUADRANTS} to {sizes.GUILDS} guilds with names of the file's own (lower-case letters and underscores)"
    )
    cards = f"1 to {sizes.GUILD_CARDS} cards each, at most {sizes.INFLUENCES} in all"
    paragraphs = (
        f"A file has {guilds}, {cards}, and {sizes.SIDES} actions a card. {sizes.QUADRANTS} guilds are dealt in each "
        "game, with one card each.",
        _table(head, rows),
        f"`price` ({_range(PRICE)} rubles) may be added to any action; a price is paid when the action is chosen, that "
        'of `sell` is received. `M` is `"any"` or a list of materials, such as `["lumber", "stone"]`: those that the '
        "card shows. Only actions that use something up may have `unlimited = true`, or a turn might never end. "
        "`prestige` may only for more rubles than the prestige can be sold for again.",
        "Each action is made of primitives. These are all that the rules, the observation and the bots know of it:",
        _table(("primitive", "meaning"), [(f"`{name}`", meaning) for name, meaning in PRIMITIVES.items()]),
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
        _table(("action", "what it says", "keys", "may be unlimited"), rows),
        f"To any action may be added `price` ({price} rubles), `price_recognition` ({recognition}), `price_permits` "
        f"({permits}) and `pay`, a table of fixed materials (1 to 6 of each, `diamond` among them); all are paid when "
        "the action is chosen. Where `market_actions` is 2, `same` has to be there; `pay_one_of` needs something that "
        "is gained. `any_material`, `rubles`, `prestige` and `recognition` may be unlimited with `pay` or "
        "`price_permits` alone, or a turn might never end. `die`, `per_contractor`, `permits` and `price_permits` "
        "stand only on cards that `guilds_with_contractors_only` names.",
        "Beside the primitives of the base game an action of the full game is made of these:",
        _table(("primitive", "meaning"), columns),
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
        _table(("specialist", "what it does", "keys"), rows),
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


def _numbers(row: Row) -> str:
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


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def main(path: Path = PAGE) -> None:
    """Write the block of the page anew."""
    path.write_text(data_page(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
