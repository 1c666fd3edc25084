"""Reads facts of the full game from an observation: additions of the guilds and promos to each part."""

from __future__ import annotations

from collections.abc import Mapping

from ...layout.subjects.decision import MODES
from ...rules.printed.sizes import CARDS_DRAWN, COLOURS, REINFORCEMENT_NAMES, SPECIAL_NAMES
from .common import Facts
from .contractors_from_vector import add_contractors
from .full import OPENED, way
from .reader import Reader, chosen, counts, positive, seat_of

_WAYS = tuple(name for names in MODES.values() for name in names)


def add_full(read: Reader, facts: Facts) -> None:
    """Add the facts of the full game to those of the base game."""
    stocks = read.row("stocks")
    tower = chosen(read.row("foreman"), "tower ")
    facts["full"] = {
        "decision": _decision(read),
        "diamonds": stocks["diamonds"],
        "foreman": int(tower) if tower else None,
        "builders": {"deck": stocks["builders' deck"], "discards": stocks["builders' discards"]},
        "contract_deck": stocks["contract deck"],
        "contracts": _contracts(read.row("own_contracts")),
        "drawn_contracts": _contracts(read.row("drawn_contracts")),
        "drawn_cards": [card for i in range(CARDS_DRAWN) if (card := _card(read.row("drawn_cards", i)))],
        "drawn_left": positive(counts(read.row("drawn_left"))),
        "reinforcements": _set(read.row("reinforcements", 0)),
        "rules": read.row("expansion_rules"),
    }
    for place, column in enumerate(facts["towers"]):
        lying = list(read.row("section_diamonds", place).values())
        for section, diamonds in zip(column["sections"], lying, strict=False):
            section["diamonds"] = diamonds
    held = read.row("contract_counts")
    for i, seat in enumerate(read.seen):
        colour, row = COLOURS[seat], facts["seats"][seat]
        row["diamonds"], row["contracts"] = stocks[f"diamonds {colour}"], held[f"contracts {colour}"]
        row["reinforcements"] = _set(read.row("reinforcements", 1 + i))
        row["special"] = _special(read, i, row["workshop"]) if i < read.players else None
    add_contractors(read, facts)


def more_columns(row: Mapping[str, int], activates: bool) -> Facts:
    """The columns of a guild action that the base game does not have and that are not 0.

    `activates` says whether it activates a workshop tile: then as well it is said how many and in which way.
    """
    opened = next((name for name in OPENED if row[name]), None)
    fixed = {entry.removeprefix("fixed "): number for entry, number in row.items() if entry.startswith("fixed ")}
    found: Facts = {
        "price_recognition": row["price recognition"],
        "fixed": {material.removesuffix("s"): number for material, number in fixed.items() if number},
        "in_order": bool(row["in order"]),
        "diamonds": row["diamonds"],
        "opens": opened,
        "then_material": bool(row["then material"]),
        "to_player": row["to player"],
        "from_player": row["from player"],
    }
    if opened or activates:
        found |= {"way": way(opened or "tile", row["mode"]), "count": row["count"]}
    if row["divisor"] > 1:
        found["divisor"] = row["divisor"]
    found |= {
        "price_permits": row["price permits"],
        "permits": row["permits"],
        "per_contractor": next((unit for unit in ("rubles", "permits") if row[f"{unit} a contractor"]), None),
        "die": "black" if row["black die"] else None,
    }
    return {name: value for name, value in found.items() if value}


def _decision(read: Reader) -> Facts:
    row = read.row("decision")
    guild = chosen(read.row("decision_guild"))
    return {
        "way": next((name for name in _WAYS if row[name]), None),
        "used": row["used before"],
        "left": row["left"],
        "free": bool(row["free placement"]),
        "may_refuse": bool(row["may refuse"]),
        "pieces": row["card pieces"],
        "resource": bool(row["card resource"]),
        "reinforced": bool(row["reinforced"]),
        "chosen": bool(row["chosen"]),
        "material_due": bool(row["material due"]),
        "delivery_due": bool(row["delivery due"]),
        "city": chosen(read.row("decision_city")),
        "slot": chosen(read.row("decision_slot"), "slot "),
        "player": seat_of(chosen(read.row("decision_player"), "exchange ")),
        "serves": [int(word) for word in guild.split()[1::2]] if guild else None,
    }


def _contracts(row: Mapping[str, int]) -> list[int]:
    return [int(entry.removeprefix("contract ")) for entry, held in row.items() if held]


def _card(row: Mapping[str, int]) -> Facts | None:
    cost = positive(counts(row, "cost "))
    return {"cost": cost, "rubles": row["rubles"], "recognition": row["recognition"]} if cost else None


def _set(row: Mapping[str, int]) -> list[str]:
    return [name for name in REINFORCEMENT_NAMES if row[name]]


def _special(read: Reader, i: int, workshop: Facts) -> str | None:
    """The special tile that the i-th seat has still to place; those in its workshop are shown there."""
    waiting = None
    for k, name in enumerate(SPECIAL_NAMES):
        row = read.row("special_tile", i, k)
        slot = chosen(row, "slot ")
        if slot:
            workshop[slot]["tile"] = f"special:{name}"
        if row["to place"]:
            waiting = name
    return waiting
