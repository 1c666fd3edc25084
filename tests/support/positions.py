"""A position in words, as the record has it, in plain Python: `rc_env.record` is compared with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env import Ruleset
from rc_env.rules.expansion.reinforcements import LEFT
from rc_env.rules.points import POINT
from rc_env.rules.printed.sizes import (
    ALL_DIE_NAMES,
    ARCH,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CITY_NAMES,
    CROSS,
    DOOR,
    KINDS,
    MATERIAL_NAMES,
    ORNAMENT_NAMES,
    REINFORCEMENT_NAMES,
    SLOT_NAMES,
    SPECIAL_NAMES,
    SPECIALISTS,
)
from rc_env.rules.solo import ivan
from rc_env.rules.state import PLAYING
from rc_env.words import expansion_notation as expansion
from rc_env.words.expansion_notation import DIAMOND_NAME
from rc_env.words.notation import (
    amounts,
    delivered,
    die_names,
    fields,
    ivan_cards,
    names,
    towers,
    white_banners,
)


def state_to_dict(ruleset: Ruleset, game: Any, *, view: int | None = None) -> dict[str, Any]:
    """Return a position as a record has it after each decision; with `view` as that seat may know it."""
    return _state(ruleset, fields(game), view)


def _state(ruleset: Ruleset, g: Mapping[str, Any], view: int | None) -> dict[str, Any]:
    name, seats = names(ruleset), range(ruleset.seats)
    cost = [card["cost"] for kind in KINDS for card in ruleset.data_file.tables["cards"][kind]]
    playing = g["status"] == PLAYING
    points = ruleset.build.points.POINTS

    def section(s: int) -> dict[str, Any]:
        return {
            "owner": _none(g["owner"][s]),
            "done": bool(g["finished"][s]),
            "delivered": {} if g["finished"][s] else delivered(ruleset, g, s, cost[g["number"][s]]),
            "tile": name.tiles[g["tile"][s]] if g["tile"][s] >= 0 else None,
            "ornament": ORNAMENT_NAMES[g["kind"][s]] if g["ornament"][s] >= 0 else None,
            "ornament_owner": _none(g["ornament"][s]),
        }

    def workshop(seat: int) -> dict[str, Any]:
        placed = zip(SLOT_NAMES, g["slot_tile"][seat], g["slot_up"][seat], strict=True)
        return {slot: {"tile": name.tiles[tile], "up": bool(up)} for slot, tile, up in placed if tile >= 0}

    state = {
        "seat": g["seat"] if playing else None,
        "point": points[g["stack"][g["depth"] - 1][POINT]] if playing else "over",
        "turn": g["turn"],
        "track": g["track"][: len(seats)],
        "rubles": g["rubles"][: len(seats)],
        "materials": [_materials(g, s) for s in seats],
        "inventory_banners": [g["goods"][s][BANNERS_INVENTORY] for s in seats],
        "spare_banners": [g["goods"][s][BANNERS_SPARE] for s in seats],
        "white_banners": [white_banners(g, s) for s in seats],
        "doors": [g["works"][s][DOOR] for s in seats],
        "arches": [g["works"][s][ARCH] for s in seats],
        "crosses": [g["works"][s][CROSS] for s in seats],
        "workshops": [workshop(s) for s in seats],
        "market": [name.market[tile] for tile in g["market"]],
        "dice": {d: {"space": g["die_space"][i], "value": g["die_value"][i]} for i, d in enumerate(die_names(ruleset))},
        "supply": dict(zip(MATERIAL_NAMES, g["supply"], strict=False)),
    }
    if expansion.brought(ruleset, g) & expansion.DIAMONDS:
        state["supply"][DIAMOND_NAME] = g["diamond_supply"]
    if ruleset.contractors:
        state["supply"]["permits"] = g["permit_supply"]
    if ruleset.solo:
        state["ivan"] = {
            "inventory": amounts(g["ivan_goods"][ivan.INVENTORY]),
            "construction": amounts(g["ivan_goods"][ivan.CONSTRUCTION]),
            "cards": ivan_cards(g),
            "tiles": [
                {"die": ALL_DIE_NAMES[d], "up": bool(up)}
                for d, up in zip(g["ivan_tile"], g["ivan_up"], strict=True)
                if d >= 0
            ],
            **({"tower": g["ivan_tower"] + 1} if ruleset.contractors else {}),
        }
    state |= _expansion_state(ruleset, g, name.cards, view)
    return state | {"towers": [[section(s) for s in sections] for sections in towers(g)]}


def _materials(g: Mapping[str, Any], seat: int) -> dict[str, int]:
    diamonds = g["diamonds"][seat] if "diamonds" in g else 0
    return amounts(g["goods"][seat]) | ({DIAMOND_NAME: diamonds} if diamonds else {})


def _none(number: int) -> int | None:
    return None if number < 0 else number


def _expansion_state(
    ruleset: Ruleset, g: Mapping[str, Any], cards: Sequence[str], view: int | None = None
) -> dict[str, Any]:
    """The keys of a position that the base game does not have.

    Args:
        ruleset: the variant.
        g: the game as `notation.fields` gives it.
        cards: names of the cathedral cards, by GAME.number.
        view: the seat for which contracts are written as it may know them; by default all are shown.
    """
    bits = expansion.brought(ruleset, g)
    state: dict[str, Any] = {}

    def seen(held: Sequence[int], owner: int | None) -> list[int] | int:
        known = expansion.contracts(held)
        return known if view is None or owner == view else len(known)

    if bits & expansion.MODULE:
        state |= _module_state(ruleset, g)
    if bits & expansion.FOREMAN:
        state["foreman"] = g["foreman"] + 1
    if bits & expansion.CONTRACTS:
        state["contracts"] = [seen(g["hand"][seat], seat) for seat in range(ruleset.seats)]
        state["contract_deck"] = seen(g["contract_deck"], None)
        if g["drawn_contract"][0] >= 0:
            state["drawn_contracts"] = seen(g["drawn_contract"], g["seat"])
    if bits & expansion.CARDS:
        state["card_discard"] = [cards[card] for card in g["discard"] if card >= 0]
        if g["drawn_card"][0] >= 0:
            state["drawn_cards"] = [cards[card] for card in g["drawn_card"] if card >= 0]
    if bits & expansion.REINFORCEMENTS:
        tiles = list(zip(REINFORCEMENT_NAMES, g["reinforcement"], strict=True))
        state["reinforcements"] = [name for name, place in tiles if place == LEFT]
        held = [[name for name, place in tiles if place == seat] for seat in range(ruleset.seats)]
        state["reinforcements_held"] = held
    if bits & expansion.SPECIAL:
        state["special"] = [SPECIAL_NAMES[tile] if tile >= 0 else None for tile in g["special"][: ruleset.seats]]
    return state


def _module_state(ruleset: Ruleset, g: Mapping[str, Any]) -> dict[str, Any]:
    seats = range(ruleset.seats)
    return {
        "permits": g["permits"][: ruleset.seats],
        "contractors": g["contractors"][: ruleset.seats],
        "cities": {
            name: {"open": bool(g["city_open"][city]), "contractors": g["sent"][city][: ruleset.seats]}
            for city, name in enumerate(CITY_NAMES)
        },
        "specialists": [_tile(tile) for tile in g["offer"]],
        "bag": _tiles(g["bag"]),
        "specialist": [_tile(g["specialist"][seat]) for seat in seats],
        "tools": [_tiles(g["tools"][seat]) for seat in seats],
    }


def _tiles(bits: int) -> list[int]:
    """The specialists of a set of bits, ascending."""
    return [tile + 1 for tile in range(SPECIALISTS) if bits >> tile & 1]


def _tile(tile: int) -> int | None:
    """A specialist by its number in words, None where there is none."""
    return int(tile) + 1 if tile >= 0 else None
