"""The tables of docs/data.md that come from the vocabulary: guild actions, and the primitives that they are made of.

The page is prose with a block between two markers; `python -m rc_env.layout.data_page` writes the block anew from
`vocabulary.ACTIONS` and `vocabulary.PRIMITIVES`, and a test holds page and rows equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill

from ..rules import sizes
from ..rules.vocabulary import ACTIONS, PRICE, PRIMITIVES, Range, Row

COMMAND = "python -m rc_env.layout.data_page"
PAGE = Path(__file__).parents[2] / "docs" / "data.md"
BEGIN = "<!-- guild actions: begin; written from rc_env/rules/vocabulary.py -->"
END = "<!-- guild actions: end -->"


def data_page(page: str) -> str:
    """The page with its block written anew.

    Raises:
        ValueError: the page lacks one of the markers.
    """
    head, begins, rest = page.partition(BEGIN)
    _, ends, tail = rest.partition(END)
    if not begins or not ends:
        raise ValueError(f"page: no {END if begins else BEGIN} found, expected both markers")
    return f"{head}{BEGIN}\n{guild_actions()}{END}{tail}"


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
    wrapped = [text if text.startswith("|") else fill(text, 120, break_on_hyphens=False) for text in paragraphs]
    return "\n" + "\n\n".join(wrapped) + "\n\n"


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
