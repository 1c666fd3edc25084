"""Reads facts of the module Contractors from a GAME record, using its fields and the expansion's data file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.ruleset import Ruleset

from ...rules.printed import specialist_vocabulary
from ...rules.printed.sizes import CITY_NAMES, SPECIALISTS, TOOLS
from .common import Facts


def add_contractors(ruleset: Ruleset, g: Mapping[str, Any], facts: Facts) -> None:
    """Add the module's facts to those of the full game."""
    assert ruleset.expansion_file is not None
    tables = ruleset.expansion_file.tables
    tiles = [_specialist(tile, tables["tools"]["names"]) for tile in tables["specialists"]["tiles"]]
    bag = [tiles[i] for i in range(SPECIALISTS) if g["bag"] >> i & 1]
    towers = {g["city_over"][tower]: tower + 1 for tower in range(len(facts["towers"]))}
    facts["full"]["module"] = {
        "permits": g["permit_supply"],
        "cities": {
            name: {
                "open": bool(g["city_open"][city]),
                "contractors": g["sent"][city][: ruleset.seats],
                "slots": sorted(tables["cities"][name]),
                "tower": towers.get(city),
            }
            for city, name in enumerate(CITY_NAMES)
        },
        "offer": [tiles[i] if i >= 0 else None for i in g["offer"]],
        "bag": {
            "tools": _tools(bag),
            "kinds": {kind: sum(tile["kind"] == kind for tile in bag) for kind in specialist_vocabulary.KINDS},
        },
        "hire_bonus": [dict(bonus) for bonus in tables["hire"]["bonus"]],
        "rules": {
            "hire rubles": tables["hire"]["rubles"],
            "prestige a permit": tables["optional"]["prestige_per_permit"],
            "most permits": tables["player"]["permits_most"],
            **{f"prestige of {i} tools": prestige for i, prestige in enumerate(tables["tools"]["prestige"], 1)},
            "prestige in moscow": tables["solo"]["prestige_in_moscow"],
        },
    }
    for seat, row in enumerate(facts["seats"]):
        row["permits"], row["contractors"] = g["permits"][seat], g["contractors"][seat]
        row["specialist"] = tiles[g["specialist"][seat]] if g["specialist"][seat] >= 0 else None
        row["tools"] = _tools([tiles[i] for i in range(SPECIALISTS) if g["tools"][seat] >> i & 1])
        row["tool_prestige"] = _prestige(row["tools"], tables["tools"]["prestige"])
    if ruleset.solo:
        facts["ivan"]["city_tower"] = g["ivan_tower"] + 1


def _specialist(tile: Mapping[str, Any], tools: Sequence[str]) -> Facts:
    """A specialist's effect, and its tool by number from 1; the facts do not say which of the file's tiles it is."""
    kind = specialist_vocabulary.form_of(tile)[0]
    known = {key: tile[key] for key in ("gain", "pay", "recognition", "prestige") if key in tile}
    known |= {"spend_rubles": tile["spend_rubles"]} if kind == "spend_rubles" else {}
    return {"kind": kind, "tool": tools.index(tile["tool"]) + 1, **known}


def _tools(tiles: Sequence[Facts]) -> list[int]:
    """The number of tiles with each tool."""
    return [sum(tile["tool"] == tool for tile in tiles) for tool in range(1, TOOLS + 1)]


def _prestige(counts: Sequence[int], prestige: Sequence[int]) -> int:
    """The prestige of tools in groups of different ones, each group as large as possible in turn."""
    sizes = [sum(count > group for count in counts) for group in range(max(counts))]
    return sum(prestige[size - 1] for size in sizes)
