"""Converts facts of the module Contractors to lines of text without losing any."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.printed.sizes import COLOURS
from .common import Facts, counted, joined

_KINDS = {
    "activate": "activate two workshop tiles",
    "discard_ornament": "discard an ornament",
    "any_material": "any material and a delivery",
    "resource_tile": "a market tile once",
    "claim": "claim a section",
}


def contractors_lines(module: Facts) -> list[str]:
    """The lines about cities, specialists and the numbers of the module."""
    offer = [f"{slot} {specialist_text(tile) or 'empty'}" for slot, tile in enumerate(module["offer"])]
    bonus = [f"{place} {counted(gained) or 'nothing'}" for place, gained in enumerate(module["hire_bonus"], 1)]
    return [
        f"permits in the supply {module['permits']}",
        "cities:",
        *(f"  {name}: {_city(city)}" for name, city in module["cities"].items()),
        f"specialists on the slots: {joined(offer, '; ')}",
        f"specialists in the bag: {_tools(module['bag']['tools'])}; {counted(module['bag']['kinds']) or 'none'}",
        f"bonus of each place in the row of contractors: {joined(bonus, '; ')}",
        "rules of the module Contractors: " + joined(f"{name} {number}" for name, number in module["rules"].items()),
    ]


def contractors_seat(seat: Facts) -> str:
    """A seat's components of the module."""
    return (
        f"  permits {seat['permits']}; contractors in the row {seat['contractors']}; specialist: "
        f"{specialist_text(seat['specialist']) or 'none'}; tools turned over: {_tools(seat['tools'])}, "
        f"prestige {seat['tool_prestige']}"
    )


def specialist_text(tile: Facts | None) -> str:
    """A specialist in words: `pay gold 1, receive prestige 2 (tool 3)`; "" where there is none."""
    if tile is None:
        return ""
    each = " for each" if tile["kind"] == "spend_rubles" else ""
    received: dict[str, int] = {name: tile[name] for name in ("recognition", "prestige") if name in tile}
    words = (
        _KINDS.get(tile["kind"], "" if tile["kind"] in tile else tile["kind"]),
        f"pay {counted(tile['pay'])}" if "pay" in tile else "",
        f"spend up to {tile['spend_rubles']} rubles" if "spend_rubles" in tile else "",
        f"receive {counted(tile['gain'])}" if "gain" in tile else "",
        f"receive {counted(received)}{each}" if received else "",
    )
    return f"{joined(words)} (tool {tile['tool']})"


def _city(city: Facts) -> str:
    there = counted(dict(zip(COLOURS, city["contractors"], strict=False)))
    words = (
        "open" if city["open"] else "closed",
        f"over tower {city['tower']}" if city["tower"] else "",
        f"slots {joined(map(str, city['slots']), ' ')}",
        f"contractors {there}" if there else "",
    )
    return joined(words, "; ")


def _tools(counts: Sequence[int]) -> str:
    return counted({f"tool {tool}:": count for tool, count in enumerate(counts, 1)}) or "none"
