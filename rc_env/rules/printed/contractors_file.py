"""The tables of an expansion's data file that the module Contractors uses: their check, and what they change in the
tables of the base game (R-42 to R-44).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import checks
from ..expansion.hire import BONUS
from . import sizes, specialist_vocabulary, vocabulary
from .data_file import (
    AMOUNT,
    TILE_COPIES,
    TILE_KINDS,
    check_integer,
    check_keys,
    check_list,
    check_plans,
    check_tile,
    check_word,
    refuse,
    shown,
)
from .sizes import (
    ALL_NEUTRAL_DICE,
    CITY_NAMES,
    CONTRACTORS,
    PLAYERS,
    RESOURCE_NAMES,
    SPECIALIST_SLOTS,
    SPECIALISTS,
    TOOLS,
)

PERMITS_MOST = 6  # that a player may have place for
ADDED = ("permits", "die")
"""What the workshop tiles that come in may do."""
PRESTIGE = (0, 20)  # of a group of tools


def check(tables: Mapping[str, Any]) -> None:
    """Check the tables of the module; raises `DataError` for the first fault met."""
    _market(tables["market"])
    _workshop(tables["workshop"])
    _numbers(tables["optional"], "optional", {"prestige_per_permit": (1, 9)})
    most = {"permits": (0, PERMITS_MOST), "permits_most": (1, PERMITS_MOST), "contractors": (CONTRACTORS, CONTRACTORS)}
    _numbers(tables["player"], "player", most)
    if tables["player"]["permits"] > tables["player"]["permits_most"]:
        refuse("player.permits", f"must be at most player.permits_most, not {tables['player']['permits']}")
    if max(PLAYERS) * tables["player"]["permits"] > tables["supply"]["permits"]:
        refuse("supply.permits", f"{tables['supply']['permits']} are too few for what four players begin with")
    _hire(tables["hire"])
    _cities(tables["cities"])
    _tools(tables["tools"])
    _specialists(tables["specialists"], tables["tools"]["names"])
    check_plans(tables["plans"])
    solo = {"start_prestige": (1, 9), "contractors_placed": (0, CONTRACTORS), "prestige_in_moscow": (0, 9)}
    _numbers(tables["solo"], "solo", solo)


def merged(base: Mapping[str, Any], expansion: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of the base game as the module changes them: market, workshop tiles and plans.

    Raises:
        DataError: the two files do not fit each other.
    """
    tiles = [_replaced(tile, expansion["market"]) for tile in base["market"]["tile"]]
    gone = {_resource(tile) for tile in expansion["workshop"]["remove"]}
    kept = [tile for tile in base["workshop"]["tile"] if _resource(tile) not in gone]
    kept += expansion["workshop"]["add"]
    if not TILE_KINDS[0] <= len(kept) <= TILE_KINDS[1]:
        refuse(
            "workshop.add", f"with the base file's there must be {_range(TILE_KINDS)} kinds of tile, not {len(kept)}"
        )
    plans = {players: [*rows, *expansion["plans"][players]] for players, rows in base["plans"].items()}
    for players, rows in plans.items():
        if len(rows) > sizes.PLANS:
            refuse(
                f"plans.{players}", f"with the base file's there may be at most {sizes.PLANS} plans, not {len(rows)}"
            )
    first = expansion["solo"]["start_prestige"]
    if first > len(base["track"]["prestige"]):
        refuse(
            "solo.start_prestige", f"must be at most {len(base['track']['prestige'])}, the prestige spaces, not {first}"
        )
    return {
        **base,
        "market": {**base["market"], "tile": tiles},
        "workshop": {**base["workshop"], "tile": kept},
        "plans": plans,
    }


def _range(limits: Sequence[int]) -> str:
    return f"{limits[0]} to {limits[1]}"


def _resource(tile: Mapping[str, Any]) -> str:
    return next(key for key in tile if key != "count")


def _replaced(tile: Mapping[str, Any], market: Mapping[str, Any]) -> Mapping[str, Any]:
    """The market tile, or the one that takes its place."""
    return market["add"] if _resource(tile) == _resource(market["remove"]) else tile


def _numbers(table: Any, where: str, ranges: Mapping[str, tuple[int, int]]) -> None:
    check_keys(table, where, ranges)
    for key, limits in ranges.items():
        check_integer(table[key], f"{where}.{key}", limits)


def _market(table: Any) -> None:
    check_keys(table, "market", ("remove", "add", "dice"))
    check_keys(table["remove"], "market.remove", ("recognition",))
    check_integer(table["remove"]["recognition"], "market.remove.recognition", AMOUNT)
    check_keys(table["add"], "market.add", ("permits",))
    check_integer(table["add"]["permits"], "market.add.permits", AMOUNT)
    if table["dice"] != list(ALL_NEUTRAL_DICE[1:]):
        refuse("market.dice", f"must be {list(ALL_NEUTRAL_DICE[1:])}, not {shown(table['dice'])}")


def _workshop(table: Any) -> None:
    check_keys(table, "workshop", ("remove", "add"))
    copies = (TILE_COPIES, TILE_COPIES)
    for name, effects in (("remove", RESOURCE_NAMES), ("add", ADDED)):
        found = []
        for i, tile in enumerate(check_list(table[name], f"workshop.{name}", "kinds of tile", (1, 4)), 1):
            where = f"workshop.{name}[{i}]"
            found.append(check_tile(tile, where, effects, ("count",), ALL_NEUTRAL_DICE))
            check_integer(tile["count"], f"{where}.count", copies)
        if name == "add" and ("die", ALL_NEUTRAL_DICE[1]) not in found:
            refuse("workshop.add", f"there is no tile of the {ALL_NEUTRAL_DICE[1]} die, and each die needs one")


def _hire(table: Any) -> None:
    check_keys(table, "hire", ("rubles", "slots", "bonus"))
    check_integer(table["rubles"], "hire.rubles", vocabulary.PRICE)
    check_integer(table["slots"], "hire.slots", (SPECIALIST_SLOTS, SPECIALIST_SLOTS))
    for i, bonus in enumerate(check_list(table["bonus"], "hire.bonus", "places", (CONTRACTORS, CONTRACTORS)), 1):
        check_keys(bonus, f"hire.bonus[{i}]", (), BONUS, noun="bonus")
        for key, count in bonus.items():
            check_integer(count, f"hire.bonus[{i}].{key}", (1, 3) if key == "any_material" else AMOUNT)


def _cities(table: Any) -> None:
    check_keys(table, "cities", ("names", *CITY_NAMES))
    if table["names"] != list(CITY_NAMES):
        refuse("cities.names", f"must be {', '.join(CITY_NAMES)}, in this order, not {shown(table['names'])}")
    for city in CITY_NAMES:
        slots = check_list(table[city], f"cities.{city}", "slots", (1, SPECIALIST_SLOTS))
        for i, slot in enumerate(slots, 1):
            check_integer(slot, f"cities.{city}[{i}]", (0, SPECIALIST_SLOTS - 1))
        if len(set(slots)) < len(slots):
            refuse(f"cities.{city}", f"a slot is named twice in {slots}; name each at most once")


TOOL_NAME = 24  # letters, so that lines of the board stay short


def _tools(table: Any) -> None:
    check_keys(table, "tools", ("names", "prestige"))
    names = check_list(table["names"], "tools.names", "tools", (TOOLS, TOOLS))
    for i, name in enumerate(names, 1):
        if not isinstance(name, str) or not name.isidentifier() or len(name) > TOOL_NAME:
            refuse(f"tools.names[{i}]", f"must be a word of at most {TOOL_NAME} letters, not {shown(name)}")
        if names.count(name) > 1:
            refuse(f"tools.names[{i}]", f"must be a word that no other tool has, not {shown(name)}")
    for i, prestige in enumerate(check_list(table["prestige"], "tools.prestige", "groups", (TOOLS, TOOLS)), 1):
        check_integer(prestige, f"tools.prestige[{i}]", PRESTIGE)


def _specialists(table: Any, tools: Sequence[str]) -> None:
    check_keys(table, "specialists", ("tiles",))
    tiles = check_list(table["tiles"], "specialists.tiles", "specialists", (SPECIALISTS, SPECIALISTS))
    for i, tile in enumerate(tiles, 1):
        where = f"specialists.tiles[{i}]"
        if not isinstance(tile, dict):
            refuse(where, f"must be a table, not {shown(tile)}")
        try:
            key, form = specialist_vocabulary.form_of(tile)
        except KeyError:
            refuse(where, f"there is no known effect; choose {checks.choice(specialist_vocabulary.FORMS)}")
        check_keys(tile, where, ("tool", *form.keys), form.optional)
        check_word(tile["tool"], f"{where}.tool", "tool", tools)
        for name, value in tile.items():
            kind = {**form.keys, **form.optional}.get(name)
            if kind is dict:
                _goods(value, f"{where}.{name}", name)
            elif kind is not None:
                check_integer(value, f"{where}.{name}", kind)
        if key == "pay" and not {"recognition", "prestige"} & tile.keys():
            refuse(where, "nothing is gained; give recognition or prestige")
    for tool in tools:
        count = sum(tile["tool"] == tool for tile in tiles)
        if count > TOOLS:
            refuse("specialists.tiles", f"{count} tiles have the tool {tool}, but at most {TOOLS} may")


def _goods(value: Any, where: str, key: str) -> None:
    """Check a specialist's gain, a single resource, or the materials that it costs."""
    known = specialist_vocabulary.GAINS if key == "gain" else vocabulary.MATERIAL_NAMES
    check_keys(value, where, (), known, noun="resource")
    if not value or (key == "gain" and len(value) > 1):
        refuse(
            where,
            f"there must be {'exactly one resource' if key == 'gain' else 'at least one resource'}, not {len(value)}",
        )
    for name, amount in value.items():
        check_integer(amount, f"{where}.{name}", AMOUNT if key == "gain" else (1, specialist_vocabulary.PAID))
