"""A fact about the components: a sentence, its source, and a check of the tables of a data file.

A fact does not say whether a file can be played, which `rules.printed.data_file.check` does before; it says whether
the file can be the printed game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

Tables = Mapping[str, Any]
Look = Callable[[Tables], str | None]
"""A check of a data file's tables: returns in a few words what they say instead, or None where they agree."""

PRINTED = "printed"
DEDUCED = "deduced"
WEAK = "deduced, with less certainty"


@dataclass(frozen=True)
class Fact:
    """A row of the list of facts.

    Attributes:
        name: a short, unique name.
        kind: PRINTED, DEDUCED or WEAK.
        where: the table or key that the fact is about.
        sentence: the fact, in words that follow "expected".
        source: where the fact is printed, or what it is deduced from.
        look: the check; see `Look`.
    """

    name: str
    kind: str
    where: str
    sentence: str
    source: str
    look: Look

    def contradiction(self, tables: Tables) -> str | None:
        """A sentence that says how a data file contradicts this fact; None if it does not."""
        found = self.look(tables)
        if found is None:
            return None
        return f"{self.where}: {found}, but {self.kind} is {self.sentence} ({self.source})"


def fact(kind: str, name: str, where: str, sentence: str, source: str, look: Any) -> Fact:
    """A row of the list. Instead of a check, `look` may be the value at `where`, or values of keys of that table."""
    if not callable(look):
        look = each_equal(where, look) if isinstance(look, Mapping) else equal(where, look)
    return Fact(name, kind, where, sentence, source, look)


printed, deduced, weak = (partial(fact, kind) for kind in (PRINTED, DEDUCED, WEAK))


def contradictions(facts: Iterable[Fact], tables: Tables) -> list[str]:
    """A sentence for each fact that a checked data file contradicts, in the order of the facts."""
    return [sentence for fact in facts if (sentence := fact.contradiction(tables)) is not None]


# --- building blocks of checks


def value_at(tables: Tables, path: str) -> Any:
    """The value at a path such as "workshop.basic.price.next3"."""
    value: Any = tables
    for key in path.split("."):
        value = value[key]
    return value


def equal(path: str, expected: Any) -> Look:
    """A check that the value at a path equals `value`."""

    def look(tables: Tables) -> str | None:
        found = value_at(tables, path)
        return None if found == expected else in_words(found)

    return look


def each_equal(path: str, expected: Mapping[str, Any]) -> Look:
    """A check that keys of a table have the given values; it names those that do not."""

    def look(tables: Tables) -> str | None:
        table = value_at(tables, path)
        wrong = [f"{key} = {in_words(table[key])}" for key, value in expected.items() if table[key] != value]
        return ", ".join(wrong) or None

    return look


def in_words(value: Any) -> str:
    """A value of a data file in one short line, as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {in_words(one)}" for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(in_words(one) for one in value) + "]"
    return str(value)


Action = Mapping[str, Any]


def unmarked(action: Action) -> dict[str, Any]:
    """An action of a guild card without its mark of repetition, which no source gives."""
    return {key: value for key, value in action.items() if key != "unlimited" and not (key == "price" and value == 0)}


def indicated(action: Action) -> dict[str, Any]:
    """An action without the mark of repetition and without the materials that the card shows."""
    return {key: "indicated" if isinstance(value, list) else value for key, value in unmarked(action).items()}


def cards_of(guild: str, count: int, actions: Iterable[Action]) -> Look:
    """A check that a guild has `count` cards with two different actions out of `actions` each, and that all are
    used."""
    known = [indicated(action) for action in actions]

    def look(tables: Tables) -> str | None:
        cards = tables["guilds"].get(guild)
        if cards is None:
            return f"no guild {guild}"
        if len(cards) != count:
            return f"{len(cards)} cards"
        shown = [[indicated(action) for action in card] for card in cards]
        for i, card in enumerate(shown, 1):
            for action in card:
                if action not in known:
                    return f"{in_words(action)} on card {i}"
            if card[0] == card[1]:
                return f"{in_words(card[0])} twice on card {i}"
        missing = [action for action in known if not any(action in card for card in shown)]
        return f"{in_words(missing[0])} on no card" if missing else None

    return look


def has_card(guild: str, *actions: Action) -> Look:
    """A check that some card of the guild has exactly these two actions, in either order."""

    def look(tables: Tables) -> str | None:
        for card in tables["guilds"].get(guild, ()):
            shown = [indicated(action) for action in card]
            if all(indicated(action) in shown for action in actions):
                return None
        return "no such card"

    return look


def covers(path: str, least: tuple[int, ...]) -> Look:
    """A check that some building plan has towers of at least these heights, from left to right."""

    def look(tables: Tables) -> str | None:
        plans = value_at(tables, path)
        if any(all(height >= low for height, low in zip(plan, least, strict=True)) for plan in plans):
            return None
        return in_words(plans)

    return look
