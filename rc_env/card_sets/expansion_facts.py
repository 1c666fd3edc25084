"""The printed and deduced facts about the second box, its promos and its solo card, one row per fact.

Sources: "expansion" is the text of the second box with its promos, with the chapter; "promo" is that of a promo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rc_env.card_sets.fact import (
    PRINTED,
    WEAK,
    Fact,
    Look,
    Tables,
    cards_of,
    deduced,
    has_card,
    in_words,
    printed,
    value_at,
    weak,
)
from rc_env.card_sets.facts import in_file_words
from rc_env.rules.printed.sizes import CITY_NAMES

COMMON = ["lumber", "brick", "stone"]
ACTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "jewelers": (
        {"buy_diamonds": 1, "price": 1},
        {"buy_diamonds": 2, "price": 3},
        {"pay_any": 3, "diamonds": 2},
        {"pay": {"diamond": 1}, "permits": 2},
    ),
    "artisans": (
        {"activate_workshop": 1},
        {"activate_other_workshop": 1, "price": 1},
        {"activate_same_twice": True, "price": 2},
        {"activate_two_different": True, "price": 2},
    ),
    "foremen": (
        {"foreman": 2, "per_banner": "recognition"},
        {"foreman": 2, "per_banner": "rubles"},
        {"foreman": 2, "per_banner": "recognition", "of_other": True},
        {"foreman": 2, "per_banner": "rubles", "of_other": True},
    ),
    "contractors": (
        {"die": "black"},
        {"per_contractor": "permits"},
        {"per_contractor": "rubles"},
        {"per_contractor": "rubles", "of_other": True},
    ),
    "wholesalers": (
        {"market_actions": 1, "price": 1},
        {"market_actions": 1, "any_material": 1, "price": 2},
        {"market_actions": 2, "same": True, "price": 3},
        {"market_actions": 2, "same": False, "price": 4},
    ),
    "managers": (
        {"gain_one_of": COMMON},
        {"pay_one_of": COMMON, "recognition": 1},
        {"rubles": 1},
        {"pay": {"gold": 1}, "rubles": 3},
        {"gain_one_of": ["green_gem", "purple_gem"]},
        {"pay": {"green_gem": 1, "purple_gem": 1}, "prestige": 1, "rubles": 2},
    ),
    "lawyers": (
        {"permits": 1},
        {"deliver": 1, "price_permits": 1},
        {"prestige": 1, "price_permits": 2},
        {"any_material": 1, "price_permits": 1},
    ),
    "archivists": (
        {"draw_contracts": 3, "keep": 1, "price": 2},
        {"space_times_dice": 1, "price_recognition": 1},
        {"other_guild_action": 1, "price_recognition": 1},
        {"resource_tile": 1, "price_recognition": 1},
    ),
    "master_builders": (
        {"draw_cards": 1, "materials": 2, "price": 2},
        {"draw_cards": 2, "materials": 2, "resource_of_other": 1, "price": 3},
        {"section_rubles": 1, "price_recognition": 1},
        {"section_recognition_divisor": 2, "price": 1},
    ),
    "brickmakers": (
        {"reinforcement": 1, "pay": {"brick": 2}},
        {"deliver": 1, "pay": {"brick": 1}},
        {"pay": {"brick": 1}, "rubles": 2},
        {"pay": {"brick": 1}, "recognition": 1},
    ),
    "thieves": (
        {"any_die": 1, "price": 1},
        {"exchange_with_player": 1},
        {"rubles_to_player": 3, "prestige_from_player": 1},
        {"exchange_workshop_tile": 1},
    ),
}
"""The printed actions of the guilds of the second box and of the promo, in the order of their text."""
CONTRACTS: list[dict[str, Any]] = [
    {"return": {"lumber": 2}, "prestige": 2},
    {"return": {"stone": 2}, "prestige": 2},
    {"return": {"brick": 2}, "prestige": 2},
    {"return": {"rubles": 4}, "prestige": 2},
    {"return": {"any_gem": 1, "gold": 1}, "prestige": 3},
    {"sections_claimed_in_one_tower": 3, "prestige": 3},
    {"face_up_workshop_tiles": 6, "prestige": 3},
    {"each": "tower_without_presence", "prestige": 2, "prestige_two_players": 4},
    {"each": "ornament_not_built", "prestige": 2},
    {"one_of_each_type_completed": True, "prestige": 2},
    {"each": "ornament_on_others_sections", "prestige": 1},
    {"all_ornaments_built": True, "prestige": 2},
    {"own_ornaments_in_one_tower": 3, "prestige": 3},
    {"each": "ornament_on_own_sections", "prestige": 1},
    {"each": "tower_with_presence", "prestige": 1, "prestige_two_players": 2},
]
REINFORCEMENTS = {
    "rubles": {"rubles": 5},
    "guild": {"guild_action": 1},
    "workshop": {"activate_workshop": 1},
    "deliver": {"deliver": 1},
    "recognition": {"recognition": 3},
    "free": {"free_placement": 1},
    "materials": {"any_material": 2},
    "die": {"any_die": 1},
}
SPECIAL_TILES = {
    "diamond": {"diamonds": 1},
    "material": {"rubles": 1, "any_material": 1},
    "die": {"any_die": 1},
    "guild": {"guild_visit": 1},
}
EFFECTS = (
    "gain",
    "pay for prestige",
    "pay for recognition",
    "activate",
    "discard_ornament",
    "spend_rubles",
    "any_material",
    "resource_tile",
    "claim",
)
"""The kinds of specialists."""
NEEDS_MODULE = ("die", "per_contractor", "permits", "price_permits")
"""Keys of actions that name permits, contractors or the black die."""


def effect_of(tile: Mapping[str, Any]) -> str:
    """The kind of a specialist, out of EFFECTS."""
    if "pay" in tile:
        return "pay for prestige" if "prestige" in tile else "pay for recognition"
    return next(kind for kind in EFFECTS if kind in tile)


def cards_with_module(guilds: Mapping[str, Any]) -> dict[str, list[int]]:
    """The cards of each guild, counted from 1, that name permits, contractors or the black die."""
    needed = {
        guild: [i for i, card in enumerate(cards, 1) if any(key in action for action in card for key in NEEDS_MODULE)]
        for guild, cards in guilds.items()
    }
    return {guild: cards for guild, cards in needed.items() if cards}


def _specialists(tables: Tables) -> Any:
    return value_at(tables, "specialists.tiles")


def _every_effect(tables: Tables) -> str | None:
    found = Counter(effect_of(tile) for tile in _specialists(tables))
    missing = [kind for kind in EFFECTS if not found[kind]]
    return f"none of {', '.join(missing)}" if missing else None


def _amounts(kind: str, expected: Mapping[str, Any]) -> Look:
    """A check that each specialist of a kind has these numbers."""

    def look(tables: Tables) -> str | None:
        for i, tile in enumerate(_specialists(tables), 1):
            if effect_of(tile) == kind and any(tile.get(key) != value for key, value in expected.items()):
                return f"{in_words(tile)} as tile {i}"
        return None

    return look


def _tools(tables: Tables) -> str | None:
    found = Counter(tile["tool"] for tile in _specialists(tables))
    wrong = [f"{found[tool]} with {tool}" for tool in value_at(tables, "tools.names") if found[tool] != 4]
    return ", ".join(wrong) or None


def _ring(tables: Tables) -> str | None:
    """A check of the ring of cities: Moscow has all slots, every other city two neighbouring ones, each slot two
    cities."""
    if (moscow := value_at(tables, "cities.moscow")) != [0, 1, 2, 3, 4]:
        return f"moscow = {in_words(moscow)}"
    pairs = []
    for city in CITY_NAMES[1:]:
        slots = value_at(tables, f"cities.{city}")
        if len(slots) != 2 or (slots[1] - slots[0]) % 5 not in (1, 4):
            return f"{city} = {in_words(slots)}"
        pairs.append(tuple(sorted(slots)))
    return None if len(set(pairs)) == len(pairs) else "two cities with the same slots"


def _third_bonus(tables: Tables) -> str | None:
    bonus = value_at(tables, "hire.bonus")
    return None if bonus[2] == {"any_material": 1} else in_words(bonus[2])


def _removed(tables: Tables) -> str | None:
    count = sum(tile["count"] for tile in value_at(tables, "workshop.remove"))
    return None if count == 2 else str(count)


def _added(tables: Tables) -> str | None:
    tiles = value_at(tables, "workshop.add")
    wrong = [in_words(tile) for tile in tiles if "permits" in tile and tile["permits"] != 1]
    if not any("permits" in tile for tile in tiles):
        return "no tile of permits"
    return wrong[0] if wrong else None


def _six_plans(tables: Tables) -> str | None:
    count = sum(len(plans) for plans in tables["plans"].values())
    return None if count == 6 else str(count)


def _two_plans(tables: Tables) -> str | None:
    wrong = [f"{len(plans)} for {players} players" for players, plans in tables["plans"].items() if len(plans) != 2]
    return ", ".join(wrong) or None


def _three_cards_high(tables: Tables) -> str | None:
    return None if any(3 in plan for plans in tables["plans"].values() for plan in plans) else "no tower of 3 cards"


def _contracts(tables: Tables) -> str | None:
    """A check that the contracts are the printed ones, in any order."""
    found = list(value_at(tables, "contracts.cards"))
    for card in CONTRACTS:
        if card not in found:
            return f"no contract {in_words(card)}"
        found.remove(card)
    return f"{in_words(found[0])} besides" if found else None


def _guild_names(tables: Tables) -> str | None:
    found = list(tables["guilds"])
    return None if sorted(found) == sorted(ACTIONS) else ", ".join(found)


def _with_module(tables: Tables) -> str | None:
    found = {guild: sorted(cards) for guild, cards in tables["guilds_with_contractors_only"].items() if cards}
    for guild, cards in cards_with_module(tables["guilds"]).items():
        if missing := [card for card in cards if card not in found.get(guild, [])]:
            return f"not card {missing[0]} of the {guild}"
    return None


def _indicated(tables: Tables) -> str | None:
    """A check of the materials in those managers' actions that name "indicated" materials."""
    actions = [action for card in tables["guilds"].get("managers", ()) for action in card]
    found = [action["pay_one_of"] for action in actions if "pay_one_of" in action]
    found += [
        action["gain_one_of"]
        for action in actions
        if not any("gem" in one for one in action.get("gain_one_of", ["gem"]))
    ]
    wrong = [shown for shown in found if sorted(shown) != sorted(COMMON)]
    return in_words(wrong[0]) if wrong else None


EXPANSION_FACTS: tuple[Fact, ...] = (
    printed("diamonds", "supply.diamond", "15 diamonds", "expansion, component list", 15),
    printed(
        "module-market",
        "market",
        "a tile of 1 permit in the place of the tile of 1 recognition",
        "expansion, setup",
        {"remove": {"recognition": 1}, "add": {"permits": 1}},
    ),
    printed("module-tiles-out", "workshop.remove", "two workshop tiles that leave", "expansion, setup", _removed),
    printed(
        "module-tiles-in",
        "workshop.add",
        "tiles of 1 permit and of the black die that come in",
        "expansion, setup",
        _added,
    ),
    printed("module-optional", "optional.prestige_per_permit", "1 prestige for a permit", "expansion, permits", 1),
    printed(
        "module-player",
        "player",
        "1 permit at the start, 6 at most, 6 contractors",
        "expansion, setup",
        {"permits": 1, "permits_most": 6, "contractors": 6},
    ),
    printed("hire-rubles", "hire.rubles", "2 rubles for a specialist", "expansion, hiring", 2),
    printed(
        "hire-third",
        "hire.bonus[3]",
        "1 material of choice for the third contractor",
        "expansion, hiring",
        _third_bonus,
    ),
    deduced(
        "cities",
        "cities",
        "five slots in Moscow, and two neighbouring ones of a ring of five in each other city",
        "expansion, cities, and a review on Kai's Castle",
        _ring,
    ),
    printed(
        "tools",
        "tools.prestige",
        "1, 2, 4, 7, 11 and 16 prestige for 1 to 6 different tools",
        "expansion, end of the game",
        [1, 2, 4, 7, 11, 16],
    ),
    weak("tools-even", "specialists.tiles", "4 tiles of each tool", "24 tiles, 6 tools", _tools),
    printed(
        "specialists",
        "specialists.tiles",
        f"each of these effects: {', '.join(EFFECTS)}",
        "expansion, specialists",
        _every_effect,
    ),
    printed(
        "specialists-recognition",
        "specialists.tiles",
        "3 recognition for the material that is paid",
        "expansion, specialists",
        _amounts("pay for recognition", {"recognition": 3}),
    ),
    printed(
        "specialists-ornament",
        "specialists.tiles",
        "3 prestige for an ornament that is discarded",
        "expansion, specialists",
        _amounts("discard_ornament", {"discard_ornament": 1, "prestige": 3}),
    ),
    printed(
        "specialists-rubles",
        "specialists.tiles",
        "up to 5 rubles for as many recognition",
        "expansion, specialists",
        _amounts("spend_rubles", {"spend_rubles": 5, "recognition": 1}),
    ),
    printed("more-plans", "plans", "6 more plans", "expansion, component list", _six_plans),
    weak(
        "more-plans-even",
        "plans",
        "2 more plans for each number of players",
        "6 plans, 3 numbers of players",
        _two_plans,
    ),
    deduced(
        "more-plans-three", "plans", "a tower of 3 cards", "expansion, example of a finished tower", _three_cards_high
    ),
    printed("more-guilds", "guilds", "the ten guilds of the box and the thieves", "expansion, guilds", _guild_names),
    *(
        Fact(
            guild,
            PRINTED if guild != "thieves" else WEAK,
            f"guilds.{guild}",
            f"3 cards with two different ones of these actions, each on one card at least: {in_file_words(actions)}",
            "expansion, guilds" if guild != "thieves" else "promo: the actions are printed, and more than one card is",
            cards_of(guild, 3, actions),
        )
        for guild, actions in ACTIONS.items()
    ),
    *(
        deduced(
            f"managers-{number}",
            "guilds.managers",
            f"a card with {in_file_words(ACTIONS['managers'][2 * number - 2 : 2 * number])}",
            "six actions for six places, in the order of the text",
            has_card("managers", *ACTIONS["managers"][2 * number - 2 : 2 * number]),
        )
        for number in (1, 2, 3)
    ),
    weak(
        "managers-indicated",
        "guilds.managers",
        "lumber, brick and stone as the indicated materials",
        "the expansion calls them basic construction materials",
        _indicated,
    ),
    deduced(
        "cards-with-module",
        "guilds_with_contractors_only",
        "every card that names permits, contractors or the black die",
        "what it names belongs to the module",
        _with_module,
    ),
    printed(
        "foreman",
        "foreman",
        "1 recognition for a section, a penalty of 2",
        "expansion, foremen",
        {"start_tower": 1, "recognition_for_section": 1, "penalty_per_section": 2},
    ),
    printed("contracts", "contracts.cards", "the 15 contracts", "expansion, contracts", _contracts),
    printed(
        "reinforcements",
        "reinforcements",
        "the eight effects with their numbers",
        "expansion, brickmakers",
        REINFORCEMENTS,
    ),
    printed(
        "special-tiles",
        "special_tiles",
        "the four tiles with their numbers",
        "promo, special workshop tiles",
        SPECIAL_TILES,
    ),
    printed(
        "module-solo",
        "solo",
        "Ivan on the third prestige space, 1 contractor placed, 1 prestige in Moscow",
        "expansion, solo play",
        {"start_prestige": 3, "contractors_placed": 1, "prestige_in_moscow": 1},
    ),
)
"""Every printed or deduced fact of the second box and the promos."""
