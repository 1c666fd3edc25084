"""The vocabulary of guild actions and workshop tiles: a row for each action, made of a few primitives.

An effect is a row of columns in RULES (`COLUMNS`): what it asks for (rubles, payments in materials, a condition), what
is received (rubles, recognition, prestige, materials) and what it opens (deliveries, a workshop tile, a swap). The
rules branch on these primitives alone (`effects.py`). Everything else is read from the rows below: how the data file
writes an action and what it may contain, the columns, the words, and the table in docs/data.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...edition import FULL
from .build_sizes import DIE_NAMES
from .sizes import MATERIAL_NAMES, RESOURCE_NAMES

Range = tuple[int, int]
"""The lowest and the highest value allowed, both included."""

PRICE: Range = (0, 20)
AMOUNT: Range = (1, 9)  # of a tile or of a guild action
DELIVERIES: Range = (1, 3)

PRIMITIVES = {
    "price": "rubles that are paid when the effect is chosen",
    "payments": "materials, or sets of equal ones, that are then given, each other than those before",
    "each": "materials in one payment, all of the same kind",
    "pay_from": "the materials that a payment may be made in",
    "condition": "what is needed: a base, a middle and a dome finished, or nothing",
    "rubles": "rubles received",
    "recognition": "recognition received",
    "prestige": "prestige received",
    "gains": "materials received one by one, each of the player's choice, never the one given",
    "gain_from": "the materials that may be received",
    "deliveries": "deliveries to sections that follow",
    "tiles": "own face-up workshop tiles that are activated",
    "swaps": "pairs of market tiles that are swapped",
    "unlimited": "whether the action may be used again at once",
}
"""What a guild action is made of, by column of an effect."""

OF_TILES = {
    "die": "the die whose space gives its resource once, or -1",
    "resource": "a material, or ANY, or -1",
    "amount": "of that resource",
}
"""The columns that only workshop tiles use; tiles of rubles and recognition use the columns of those names."""

MATERIAL_COLUMNS = ("pay_from", "gain_from")
"""Columns that hold a 1 for each material; all others hold a number."""
COLUMNS = tuple(name for name in (*PRIMITIVES, *OF_TILES) if name not in MATERIAL_COLUMNS)
NO_CONDITION, EACH_TYPE = 0, 1
CONDITIONS = {EACH_TYPE: "a base, a middle and a dome finished"}
NONE = {"die": -1, "resource": -1}  # columns that are not 0 where nothing is said


@dataclass(frozen=True)
class Row:
    """One action of a guild card.

    Attributes:
        verb: the key by which the data file names it.
        words: what it says, without a price that is paid and without the mark of repetition.
        meaning: what it does, for the documentation.
        columns: by column, a number or the key that holds it; for `pay_from` and `gain_from` the key that holds the
            materials, or "any".
        numbers: the keys that hold whole numbers, with their ranges.
        materials: whether the verb's own value is a list of materials, or "any".
        priced: whether there has to be a price.
        repeatable: the lowest price at which it may be unlimited, or None. An unlimited action has to use something up
            each time, or a turn might never end: materials or room for them, else rubles.
        fewer: two keys of which the first has to hold less than the second.
    """

    verb: str
    words: str
    meaning: str
    columns: Mapping[str, int | str]
    numbers: Mapping[str, Range] = field(default_factory=dict)
    materials: bool = False
    priced: bool = False
    repeatable: int | None = None
    fewer: tuple[str, str] | None = None

    @property
    def flag(self) -> bool:
        """Whether the verb's own value is just true."""
        return not self.materials and self.verb not in self.numbers

    @property
    def pays_price(self) -> bool:
        """Whether the price is paid; else the columns say what it is."""
        return "price" not in self.columns.values()


# The verb of an action is the first of these that it holds, so that `prestige` and `recognition` as the reward of
# another verb come last.
ACTIONS = {
    row.verb: row
    for row in (
        Row(
            "sell",
            "sell {sell} for {price}",
            "give one material, receive the price",
            {"payments": 1, "each": 1, "pay_from": "sell", "rubles": "price"},
            materials=True,
            priced=True,
            repeatable=0,
        ),
        Row(
            "buy",
            "buy {buy}",
            "pay the price, receive one material",
            {"gains": 1, "gain_from": "buy"},
            materials=True,
            priced=True,
            repeatable=0,
        ),
        Row(
            "deliver",
            "deliver {deliver}",
            "deliver so many materials to sections",
            {"deliveries": "deliver"},
            {"deliver": DELIVERIES},
            repeatable=0,
        ),
        Row("rubles", "gain {rubles}", "receive rubles", {"rubles": "rubles"}, {"rubles": AMOUNT}),
        Row(
            "swap_market_tiles",
            "swap two market tiles",
            "swap two market tiles",
            {"swaps": 1},
            priced=True,
            repeatable=1,
        ),
        Row(
            "exchange_equal",
            "exchange {exchange_equal} of the same for any {for_any}",
            "give so many of one kind, receive so many others, fewer than given",
            {"payments": 1, "each": "exchange_equal", "pay_from": "any", "gains": "for_any", "gain_from": "any"},
            {"exchange_equal": (2, 6), "for_any": (1, 2)},
            repeatable=0,
            fewer=("for_any", "exchange_equal"),
        ),
        Row(
            "exchange_any",
            "exchange any {exchange_any} for {for_other} other",
            "give one material, receive another one",
            {"payments": 1, "each": "exchange_any", "pay_from": "any", "gains": "for_other", "gain_from": "any"},
            {"exchange_any": (1, 1), "for_other": (1, 1)},
            priced=True,
            repeatable=1,
        ),
        Row(
            "activate_workshop",
            "activate a workshop tile",
            "activate one of the own face-up workshop tiles",
            {"tiles": 1},
            {"activate_workshop": (1, 1)},
        ),
        Row(
            "discard_different",
            "discard {discard_different} different for {prestige} prestige",
            "give so many different materials, receive prestige",
            {"payments": "discard_different", "each": 1, "pay_from": "any", "prestige": "prestige"},
            {"discard_different": (2, 4), "prestige": AMOUNT},
            repeatable=0,
        ),
        Row(
            "each_type_completed",
            "{recognition} recognition with " + CONDITIONS[EACH_TYPE],
            f"receive recognition, with {CONDITIONS[EACH_TYPE]}",
            {"condition": EACH_TYPE, "recognition": "recognition"},
            {"recognition": AMOUNT},
        ),
        Row(
            "prestige",
            "gain {prestige} prestige",
            "receive prestige",
            {"prestige": "prestige"},
            {"prestige": AMOUNT},
            priced=True,
            repeatable=1,
        ),
        Row(
            "recognition",
            "gain {recognition} recognition",
            "receive recognition",
            {"recognition": "recognition"},
            {"recognition": AMOUNT},
        ),
    )
}

AMOUNTS = (*RESOURCE_NAMES, "any_material", *(("permits",) if FULL else ()))
"""What a workshop tile can give, by the number of the resource: the places in a row, then ANY, then PERMITS."""
TILES = ("die", *AMOUNTS)
"""What a workshop tile can do, by the key of the data file; a market tile gives one of AMOUNTS, never any material."""


def row_of(action: Mapping[str, Any]) -> Row:
    """The row of a guild action, as the data file has it.

    Raises:
        KeyError: no verb is known.
    """
    verb = next((verb for verb in ACTIONS if verb in action), None)
    if verb is None:
        raise KeyError(f"no known action in {dict(action)}: choose {', '.join(ACTIONS)}")
    return ACTIONS[verb]


def empty() -> dict[str, Any]:
    """The columns of an effect that does nothing."""
    columns: dict[str, Any] = {name: NONE.get(name, 0) for name in COLUMNS}
    return columns | {name: [0] * len(MATERIAL_NAMES) for name in MATERIAL_COLUMNS}


def action_columns(action: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a guild action, as a checked data file has it: a number each, or a list of one per material.

    Raises:
        KeyError: no verb is known, or the row names an unknown column or condition.
    """
    row, columns = row_of(action), empty()
    for name, source in row.columns.items():
        if name not in columns:
            raise KeyError(f"unknown column {name!r} of {row.verb!r}: choose {', '.join(columns)}")
        if name in MATERIAL_COLUMNS:
            chosen = "any" if source == "any" else action[str(source)]
            columns[name] = [int(chosen == "any" or material in chosen) for material in MATERIAL_NAMES]
        else:
            columns[name] = action.get(source, 0) if isinstance(source, str) else source
    if columns["condition"] not in (NO_CONDITION, *CONDITIONS):
        known = ", ".join(map(str, CONDITIONS))
        raise KeyError(f"unknown condition {columns['condition']} of {row.verb!r}: choose {known}")
    if row.pays_price:
        columns["price"] = action.get("price", 0)
    columns["unlimited"] = int(action.get("unlimited", False))
    return columns


def tile_columns(tile: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a workshop tile, as a checked data file has it.

    Raises:
        KeyError: no effect is known.
    """
    columns = empty()
    effect = next((key for key in TILES if key in tile), None)
    if effect is None:
        raise KeyError(f"no known effect in the tile {dict(tile)}: choose {', '.join(TILES)}")
    value = tile[effect]
    if effect == "die":
        return columns | {"die": DIE_NAMES.index(value)}
    return columns | {"resource": AMOUNTS.index(effect), "amount": value}


def action_text(action: Mapping[str, Any]) -> str:
    """A guild action in words: `2 rubles: buy any material, unlimited`."""
    row, price = row_of(action), action.get("price", 0)
    said = {key: _value(key, value) for key, value in action.items()}
    words = row.words.format(**{"price": rubles(0)} | said)
    paid = f"{rubles(price)}: " if row.pays_price and price else ""
    return paid + words + (", unlimited" if action.get("unlimited") else "")


def _value(key: str, value: Any) -> str:
    if key in ("price", "rubles"):
        return rubles(value)
    if isinstance(value, list):
        return " or ".join(value)
    return "any material" if value == "any" else str(value)


def rubles(count: int) -> str:
    """`1 ruble`, `2 rubles`."""
    return f"{count} ruble{'' if count == 1 else 's'}"
