"""Reads facts of the module Contractors from an observation."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.printed.sizes import CITY_NAMES, COLOURS, SPECIALIST_SLOTS, TOOLS
from .common import Facts
from .reader import Reader, chosen, number, positive

_FLAGS = ("activate", "discard_ornament", "any_material", "resource_tile", "claim")
"""Kinds of specialists that have an entry of their own."""


def add_contractors(read: Reader, facts: Facts) -> None:
    """Add the module's facts to those of the full game, if the module is played."""
    rules = read.row("module_rules")
    if not rules.pop("module"):
        return
    held, bag, bonus = read.row("permits"), read.row("bag"), read.row("hire_bonus")
    facts["full"]["module"] = {
        "permits": held["supply"],
        "cities": {name: _city(read, city) for city, name in enumerate(CITY_NAMES)},
        "offer": [_specialist(read.row("offer", slot)) for slot in range(SPECIALIST_SLOTS)],
        "bag": {
            "tools": _tools(bag),
            "kinds": {entry.removesuffix(" tiles"): n for entry, n in bag.items() if entry.endswith(" tiles")},
        },
        "hire_bonus": [_of_place(bonus, place) for place in sorted({entry.split()[1] for entry in bonus})],
        "rules": rules,
    }
    for i, seat in enumerate(read.seen):
        row, colour, tools = facts["seats"][seat], COLOURS[seat], read.row("tools", i)
        row["permits"], row["contractors"] = held[f"permits {colour}"], held[f"contractors {colour}"]
        row["specialist"] = _specialist(read.row("specialist", i)) if i < read.players else None
        row["tools"], row["tool_prestige"] = _tools(tools), tools["prestige"]
    if read.solo:
        facts["ivan"]["city_tower"] = number(chosen(read.row("ivan_city"), "tower "))


def _city(read: Reader, city: int) -> Facts:
    row = read.row("cities", city)
    return {
        "open": bool(row["open"]),
        "contractors": [row[f"contractors {colour}"] for colour in COLOURS[: read.seats]],
        "slots": [slot for slot in range(SPECIALIST_SLOTS) if row[f"slot {slot}"]],
        "tower": number(chosen(row, "tower ")),
    }


def _specialist(row: Mapping[str, int]) -> Facts | None:
    """A specialist's effect and tool; None where there is none."""
    tool = chosen(row, "tool ")
    if tool is None:
        return None
    gain = {entry.removeprefix("gain "): n for entry, n in row.items() if n and entry.startswith("gain ")}
    pay = positive({entry.removeprefix("pay "): n for entry, n in row.items() if entry.startswith("pay ")})
    found: Facts = {"gain": gain, "pay": pay, "spend_rubles": row["rubles to spend"]}
    kind = next((name for name in _FLAGS if row[name]), None) or next(name for name, n in found.items() if n)
    found |= {name: row[name] for name in ("recognition", "prestige")}
    return {"kind": kind, "tool": int(tool), **{name: n for name, n in found.items() if n}}


def _tools(row: Mapping[str, int]) -> list[int]:
    return [row[f"tool {tool}"] for tool in range(1, TOOLS + 1)]


def _of_place(bonus: Mapping[str, int], place: str) -> Facts:
    prefix = f"place {place} "
    return {entry.removeprefix(prefix): n for entry, n in bonus.items() if n and entry.startswith(prefix)}
