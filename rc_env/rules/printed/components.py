"""RULES: the printed numbers of one variant, as constant arrays that the compiled rules read.

One record, built from a checked data file for a number of players and a workshop side. Nothing here is a number of the
game: those are in the data file. What guild actions and workshop tiles do is a row of columns each (`vocabulary.py`);
the catalogue of actions is filled in by `layout/actions.py`, so that the rules can offer actions by their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import SOLO_FIELD
from ..expansion import contracts, hire
from ..points import NO_POINT, Point
from ..verbs import ARGUMENTS, PLACES
from . import data_file, expansion_vocabulary, specialist_vocabulary, vocabulary
from .build_sizes import DICE, EFFECTS, IVAN_CARDS, SPECIALIST_EFFECT, TILE_KINDS
from .sizes import (
    CITIES,
    CITY_NAMES,
    COLOURS,
    CONTRACTORS,
    CONTRACTS,
    GUILDS,
    INFLUENCES,
    IVAN_CARDS_BASE,
    KINDS,
    MATERIAL_NAMES,
    MATERIALS,
    ORNAMENT_NAMES,
    PERMITS,
    PLANS,
    RECOGNITION,
    REINFORCEMENT_NAMES,
    REINFORCEMENTS,
    RESOURCE_NAMES,
    RUBLES,
    SEATS,
    SIDES,
    SLOTS,
    SPACES,
    SPECIAL_KIND,
    SPECIAL_NAMES,
    SPECIAL_TILES,
    SPECIALIST_SLOTS,
    SPECIALISTS,
    TILE_EFFECT,
    TOOLS,
    TOWERS,
    WHITE_DIE,
    WHITE_SLOT,
    WIDTH,
)

TRACK = 256  # spaces of a lap for which there is room
CARDS = sum(data_file.CARDS.values())
BASE, MIDDLE, DOME = 0, 1, 2
OPENS = {"gains": Point.GAIN, "deliveries": Point.BUILD, "tiles": Point.TILE, "swaps": Point.SWAP}
"""The decision point that a column of an effect opens."""
REWARDS = ("win", "margin", "score", "first")

_FULL: list[Any] = [
    ("replaced_guild", np.int32),  # the one whose place the fourth guild takes: the clergy
    ("guild_allowed", np.int8, (GUILDS,)),  # 1 for each guild that may be drawn as the fourth one
    ("card_allowed", np.int8, (INFLUENCES,)),  # 1 for each card that may be drawn of it
    ("card_named", np.int32),  # 1 if the caller has named a card
    ("foremen", np.int32),  # the number of that guild
    ("foreman_start", np.int32),
    ("foreman_recognition", np.int32),
    ("foreman_penalty", np.int32),  # recognition for each finished section
    ("diamond_supply", np.int32),
    ("contract_kind", np.int8, (CONTRACTS,)),  # what it asks for: see `contracts.py`
    ("contract_least", np.int8, (CONTRACTS,)),
    ("contract_prestige", np.int8, (CONTRACTS,)),
    ("contract_prestige_two", np.int8, (CONTRACTS,)),  # with two players
    ("contract_return", np.int8, (CONTRACTS, WIDTH)),  # goods that are returned: materials, then rubles
    ("contract_jewels", np.int8, (CONTRACTS,)),  # gems of either colour that are returned
    ("reinforcement_amount", np.int8, (REINFORCEMENTS,)),
    ("special_tiles", np.int32),  # 1 if the players choose special tiles
    ("special_amount", np.int8, (SPECIAL_TILES,)),
    # --- the module Contractors; all but `module` is 0 where it is not played
    ("module", np.int32),  # 1 if it is played
    ("permit_supply", np.int32),
    ("starting_permits", np.int32),
    ("permits_most", np.int32),  # that a seat can hold
    ("prestige_per_permit", np.int32),
    ("contractors", np.int32),  # of a seat
    ("hire_rubles", np.int32),  # for engaging a specialist
    ("bonus", np.int8, (CONTRACTORS, len(hire.BONUS))),  # of each place in the row of contractors
    ("city_slot", np.int8, (CITIES, SPECIALIST_SLOTS)),  # 1 for each slot that a city touches
    ("tool", np.int8, (SPECIALISTS,)),
    ("specialist_kind", np.int8, (SPECIALISTS,)),  # row of specialist_vocabulary.FORMS, for observations and statistics
    ("tools_prestige", np.int8, (TOOLS + 1,)),  # of a group of so many different tools
    ("ivan_contractors", np.int32),  # that stand in a city from the start
    ("ivan_moscow", np.int32),  # prestige for a contractor in Moscow
    *((f"effect_{name}", np.int8, (EFFECTS,)) for name in expansion_vocabulary.COLUMNS),
    *((f"effect_{name}", np.int8, (EFFECTS, MATERIALS)) for name in expansion_vocabulary.MATERIAL_COLUMNS),
]

RULES = np.dtype(
    [
        # --- the variant
        ("players", np.int32),  # seats that decide: 1 in the solo game
        ("seats", np.int32),  # seats that own sections: Ivan's too
        ("advanced", np.int32),
        ("turn_limit", np.int32),
        ("reward", np.int32),
        # --- score track, by space of a lap
        ("track_start", np.int32),
        ("track_length", np.int32),
        ("lap_prestige", np.int32),
        ("first_prestige", np.int32),
        ("prestige_at", np.int16, (TRACK,)),  # prestige spaces at or behind
        ("ahead", np.int16, (TRACK,)),  # spaces to the next prestige space
        ("behind", np.int16, (TRACK,)),  # spaces to the one before
        ("past", np.int16, (TRACK,)),  # spaces since the last prestige space at or behind
        ("rubles_per_prestige", np.int32),
        ("prestige_per_reroll", np.int32),
        # --- setup
        ("plans", np.int32),
        ("towers", np.int32),
        ("sections", np.int32),
        ("plan", np.int8, (PLANS, TOWERS)),
        ("cards", np.int32),
        ("first_card", np.int32, (3,)),  # first base, middle, dome among all cathedral cards
        ("card", np.int8, (CARDS, WIDTH)),  # cost by material, then rubles and recognition paid
        ("tile_kinds", np.int32),
        ("tile_count", np.int32),  # tiles shuffled at this player count
        ("tiles", np.int8, (data_file.TILE_COPIES * TILE_KINDS,)),  # kind of each of them
        ("market_kind", np.int8, (SPACES,)),  # resource of each market tile
        ("market_amount", np.int8, (SPACES,)),
        ("start_tile", np.int32),  # the tile on whose space the first die is laid
        ("supply", np.int8, (MATERIALS,)),
        ("starting_rubles", np.int16, (SEATS,)),
        ("inventory_spaces", np.int32),
        ("banners_inventory", np.int32),
        ("banners_spare", np.int32),
        ("ornaments", np.int8, (3,)),
        # --- workshop
        ("slot_price", np.int8, (SEATS, SLOTS)),
        ("slot_ornament", np.int8, (SEATS, SLOTS)),
        # the slot that a seat sees in each place: own colour first, then the next seats', unplayed ones, white last
        ("slot_seen", np.int8, (SEATS, SLOTS)),
        ("slot_seen_as", np.int8, (SEATS, SLOTS)),  # its inverse
        ("first_slot", np.int8, (DICE,)),  # the slots whose tiles a die activates: of its colour, or the white ones
        ("end_slot", np.int8, (DICE,)),
        # --- market, build
        ("dice", np.int32),
        ("die_seen", np.int8, (SEATS, DICE)),  # the die that a seat sees in each place: as for slots, neutral ones last
        ("die_seen_as", np.int8, (SEATS, DICE)),  # its inverse
        ("die_extends", np.int8, (DICE,)),  # by place as seen: 1 if it moves further for rubles
        ("dice_per_space", np.int32),
        ("rubles_per_step", np.int32),
        ("deliveries", np.int32),
        ("ornament_material", np.int8, (3,)),
        ("gem_prestige", np.int8, (3, 3)),  # by green and purple gems set
        *(_FULL if FULL else []),
        # --- guilds
        ("guilds", np.int32),  # in the data file
        ("dealt_guilds", np.int32),  # those of the base game: one is dealt for each quadrant
        ("first_influence", np.int32, (GUILDS + 1,)),  # first card of each guild, and the end
        # --- effects: card and action of a guild at SIDES * card + action, kinds of workshop tile from TILE_EFFECT on
        *((f"effect_{name}", np.int8, (EFFECTS,)) for name in vocabulary.COLUMNS),
        *((f"effect_{name}", np.int8, (EFFECTS, MATERIALS)) for name in vocabulary.MATERIAL_COLUMNS),
        ("effect_first", np.int8, (EFFECTS,)),  # the point that it opens first, or NO_POINT
        ("effect_opens", np.int8, (EFFECTS,)),  # the point that it opens after its payments, or NO_POINT
        ("effect_count", np.int8, (EFFECTS,)),  # for how many of what is decided there
        ("effect_action", np.int8, (EFFECTS,)),  # row of vocabulary.ACTIONS: for statistics, no rule asks for it
        # --- ending
        ("sections_to_end", np.int32),
        ("ending_prestige", np.int32),
        ("goods_per_prestige", np.int32),
        ("worth_section", np.int32),
        ("worth_ornament", np.int32),
        ("share_divisor", np.int32),
        ("share_divisor_two", np.int32),
        # --- Ivan
        ("ivan_cards", np.int32),  # how many cards, and tiles, he has: one more with the module Contractors
        ("ivan_start", np.int32),  # where his marker starts
        ("ivan_recognition", np.int32),
        ("ivan_materials", np.int32),
        ("ivan_prestige", np.int32),
        ("ivan_ornament", np.int8, (4,)),  # kinds, in the order in which he places them
        ("ivan_by_towers", np.int32),  # 1 if Construction goes tower by tower, 0 if level by level
        # --- the action catalogue (layout/actions.py)
        ("actions", np.int32),
        ("number", np.int16, (PLACES,)),  # of each combination of a verb and its arguments (`verbs.place`), or -1
        ("verb", np.int8, (PLACES,)),  # by number
        ("argument", np.int8, (PLACES, ARGUMENTS)),
    ],
    align=True,
)
SOLO_RULES = np.dtype([(SOLO_FIELD, np.int64), *((name, RULES[name]) for name in RULES.names or ())], align=True)
"""RULES of the solo game, a type of its own: what that game alone has is compiled for this type only. The field more
comes first, since Numba takes a record with fields more at its end for one of the other type as well."""


def seats_of(players: int) -> int:
    """The number of seats that own sections: in the solo game the player's and Ivan's."""
    return max(players, 2)


def seats_first(players: int, seat: int) -> list[int]:
    """The four colours as `seat` sees them: its own, those of the next seats in order, those that nobody plays."""
    return [(seat + i) % players for i in range(players)] + list(range(players, 4))


def build(
    tables: Mapping[str, Any], players: int, workshop: str, turn_limit: int, reward: str
) -> np.recarray[Any, np.dtype[np.void]]:
    """RULES of a variant, an array of one record, without the catalogue, from the tables of a checked data file."""
    rules = np.zeros(1, SOLO_RULES if players == 1 else RULES).view(np.recarray)
    c = rules[0]
    c.players, c.seats, c.advanced, c.turn_limit = players, seats_of(players), workshop == "advanced", turn_limit
    c.reward = REWARDS.index(reward)
    _track(c, tables["track"], tables["optional"])
    _cathedral(c, tables["plans"], tables["cards"], seats_of(players))
    _market(c, tables["market"], tables["supply"])
    _boards(c, tables["player"], tables["workshop"], players)
    _ornaments(c, tables["ornament"], tables["build"])
    _guilds(c, tables["guilds"])
    _ending(c, tables["ending"])
    _solo(c, tables["solo"])
    return rules


def _track(c: Any, track: Mapping[str, Any], optional: Mapping[str, Any]) -> None:
    spaces, length = track["prestige"], track["length"]
    c.track_start, c.track_length = track["start"], length
    c.lap_prestige, c.first_prestige = len(spaces), spaces[0]
    around = [s - length for s in spaces] + list(spaces) + [s + length for s in spaces]
    for x in range(length):
        c.prestige_at[x] = sum(s <= x for s in spaces)
        c.ahead[x] = min(s for s in around if s > x) - x
        c.behind[x] = x - max(s for s in around if s < x)
        c.past[x] = x - max(s for s in around if s <= x)
    c.rubles_per_prestige, c.prestige_per_reroll = optional["rubles_per_prestige"], optional["prestige_per_reroll"]


def _cathedral(c: Any, plans: Mapping[str, Any], cards: Mapping[str, Any], seats: int) -> None:
    heights = plans[str(seats)]
    c.plans, c.towers = len(heights), len(heights[0])
    c.sections = sum(heights[0])
    for plan, row in zip(c.plan, heights, strict=False):
        plan[: len(row)] = row
    number = 0
    for kind, deck in enumerate(KINDS):
        c.first_card[kind] = number
        for face in cards[deck]:
            for material, count in face["cost"].items():
                c.card[number, MATERIAL_NAMES.index(material)] = count
            c.card[number, RUBLES], c.card[number, RECOGNITION] = face["rubles"], face["recognition"]
            number += 1
    c.cards = number


def _market(c: Any, market: Mapping[str, Any], supply: Mapping[str, Any]) -> None:
    for i, tile in enumerate(market["tile"]):
        ((name, c.market_amount[i]),) = tile.items()
        c.market_kind[i] = vocabulary.AMOUNTS.index(name)
        if c.market_kind[i] in (RECOGNITION, PERMITS):
            c.start_tile = i
    c.dice, c.dice_per_space = DICE, market["dice_per_space"]
    c.rubles_per_step = market["rubles_per_extra_step"]
    c.supply[:] = [supply[material] for material in MATERIAL_NAMES]


def _boards(c: Any, player: Mapping[str, Any], workshop: Mapping[str, Any], players: int) -> None:
    c.starting_rubles[:] = player["starting_rubles"]
    c.inventory_spaces = player["inventory_spaces"]
    c.banners_inventory, c.banners_spare = player["banners_in_inventory"], player["banners_spare"]
    c.ornaments[:] = [player["doors"], player["arches"], player["crosses"]]
    for seat in range(SEATS):
        colours = seats_first(players, seat) if seat < players else list(range(len(COLOURS)))
        c.slot_seen[seat] = [*colours, *range(len(COLOURS), SLOTS)]
        c.slot_seen_as[seat, c.slot_seen[seat]] = range(SLOTS)
        c.die_seen[seat] = [*colours, *range(len(COLOURS), DICE)]
        c.die_seen_as[seat, c.die_seen[seat]] = range(DICE)
        for slot in range(SLOTS):
            white = slot >= WHITE_SLOT
            key = data_file.SLOT_KEYS[slot if white else (slot - seat) % len(COLOURS)]
            basic = not c.advanced
            c.slot_price[seat, slot] = workshop["basic"]["price"][key] if basic else workshop["advanced"]["price"]
            kept = not basic and not white
            c.slot_ornament[seat, slot] = ORNAMENT_NAMES.index(workshop["advanced"]["ornament"][key]) if kept else -1
    for die in range(DICE):
        first, end = (die, die + 1) if die < len(COLOURS) else (WHITE_SLOT, SLOTS) if die == WHITE_DIE else (0, 0)
        c.first_slot[die], c.end_slot[die] = first, end
        c.die_extends[die] = die == 0 or die >= len(COLOURS)  # seen first is the own one
    copies: list[int] = []
    for kind, tile in enumerate(workshop["tile"]):
        _effect(c, TILE_EFFECT + kind, vocabulary.tile_columns(tile))
        copies += [kind] * (tile["count"] if players > 2 else 1)
    c.tile_kinds, c.tile_count = len(workshop["tile"]), len(copies)
    c.tiles[: len(copies)] = copies


def _ornaments(c: Any, ornament: Mapping[str, Any], build_table: Mapping[str, Any]) -> None:
    c.ornament_material[:] = [MATERIAL_NAMES.index(ornament[name]) for name in ORNAMENT_NAMES]
    c.gem_prestige[0, 1] = c.gem_prestige[1, 0] = ornament["prestige_one_gem"]
    c.gem_prestige[0, 2] = c.gem_prestige[2, 0] = ornament["prestige_two_equal_gems"]
    c.gem_prestige[1, 1] = ornament["prestige_two_different_gems"]
    c.deliveries = build_table["deliveries"]


def _guilds(c: Any, guilds: Mapping[str, Any]) -> None:
    actions = list(vocabulary.ACTIONS)
    number = 0
    for guild, cards in enumerate(guilds.values()):
        c.first_influence[guild] = number
        for card in cards:
            for side, action in enumerate(card):
                effect = SIDES * number + side
                _effect(c, effect, vocabulary.action_columns(action))
                c.effect_action[effect] = actions.index(vocabulary.row_of(action).verb)
            number += 1
    c.guilds = c.dealt_guilds = len(guilds)
    c.first_influence[len(guilds) :] = number


def _effect(c: Any, effect: int, columns: Mapping[str, Any]) -> None:
    """Write the columns of an effect.

    Raises:
        ValueError: it opens more than one decision beside its payments, which no rule plays.
    """
    opened = [name for name in ("gains", "deliveries", "tiles", "swaps", "amount") if columns[name]]
    if columns["die"] >= 0:
        opened.append("die")
    if len(opened) > 1:
        raise ValueError(f"an effect opens at most one of {' and '.join(opened)}")
    for name, value in columns.items():
        c[f"effect_{name}"][effect] = value
    c.effect_opens[effect], c.effect_count[effect] = columns.get("opens", NO_POINT), columns.get("count", 0)
    for name, point in OPENS.items():
        if columns[name]:
            c.effect_opens[effect], c.effect_count[effect] = point, columns[name]
    c.effect_first[effect] = Point.PAY if columns["payments"] else c.effect_opens[effect]


def _ending(c: Any, ending: Mapping[str, Any]) -> None:
    c.sections_to_end, c.ending_prestige = ending["sections_to_end"], ending["prestige_for_ending"]
    c.goods_per_prestige = ending["goods_per_prestige"]
    c.worth_section, c.worth_ornament = ending["tower_value_per_section"], ending["tower_value_per_ornament"]
    c.share_divisor, c.share_divisor_two = ending["share_divisor"], ending["two_player_share_divisor"]


def _solo(c: Any, solo: Mapping[str, Any]) -> None:
    """Ivan's numbers (R-30); where he plays nobody is paid for ending (R-31)."""
    c.ivan_cards, c.ivan_start = IVAN_CARDS_BASE, c.track_start
    c.ivan_recognition, c.ivan_materials = solo["recognition"], solo["materials"]
    c.ivan_prestige = solo["ornament_prestige"]
    c.ivan_by_towers = solo.get("construction", data_file.CONSTRUCTION[0]) == "towers"
    c.ivan_ornament[:] = [ORNAMENT_NAMES.index(kind) for kind in solo["ornament_order"]]
    if c.seats > c.players:
        c.ending_prestige = 0


# --- the full game


@dataclass(frozen=True)
class FourthGuild:
    """Which guild takes the place of the clergy.

    Attributes:
        guilds: those that may be drawn, by name; the clergy may be one of them.
        card: the card that is named, from 1, or None where it is drawn.
        special_tiles: whether the players choose special tiles.
        contractors: whether the module Contractors is played.
    """

    guilds: tuple[str, ...]
    card: int | None
    special_tiles: bool
    contractors: bool


def extend(c: Any, base: Mapping[str, Any], tables: Mapping[str, Any], fourth: FourthGuild) -> None:
    """Write what the full game adds into RULES that `build` has made, from both data files and the switches."""
    names = [*base["guilds"], *tables["guilds"]]
    actions = list(vocabulary.ACTIONS) + list(expansion_vocabulary.FORMS)
    c.replaced_guild = list(base["guilds"]).index(REPLACED)
    number = int(c.first_influence[c.dealt_guilds])
    for guild, cards in tables["guilds"].items():
        c.first_influence[names.index(guild)] = number
        with_module = tables["guilds_with_contractors_only"].get(guild, []) if not fourth.contractors else []
        for i, card in enumerate(cards, 1):
            for side, action in enumerate(() if i in with_module else card):
                effect = SIDES * number + side
                columns = expansion_vocabulary.form_columns(action, vocabulary.empty() | expansion_vocabulary.NOTHING)
                _effect(c, effect, columns)
                c.effect_action[effect] = actions.index(expansion_vocabulary.form_of(action)[0])
            allowed = guild in fourth.guilds and fourth.card in (None, i)
            c.card_allowed[number] = allowed and i not in with_module
            number += 1
    c.guilds = len(names)
    c.first_influence[len(names) :] = number
    first = c.first_influence[c.replaced_guild]
    for i in range(len(base["guilds"][REPLACED])):
        c.card_allowed[first + i] = REPLACED in fourth.guilds and fourth.card in (None, i + 1)
    for guild in range(len(names)):
        cards = c.card_allowed[c.first_influence[guild] : c.first_influence[guild + 1]]
        c.guild_allowed[guild] = bool(cards.any())
    c.card_named = fourth.card is not None
    c.foremen = names.index("foremen") if "foremen" in names else -1
    foreman = tables["foreman"]
    c.foreman_start, c.foreman_recognition = foreman["start_tower"] - 1, foreman["recognition_for_section"]
    c.foreman_penalty, c.diamond_supply = foreman["penalty_per_section"], tables["supply"]["diamond"]
    _contracts(c, tables["contracts"])
    for i, name in enumerate(REINFORCEMENT_NAMES):
        (c.reinforcement_amount[i],) = tables["reinforcements"][name].values()
    c.effect_die[TILE_EFFECT + SPECIAL_KIND :] = c.effect_resource[TILE_EFFECT + SPECIAL_KIND :] = -1
    c.special_tiles = fourth.special_tiles
    for i, name in enumerate(SPECIAL_NAMES):
        c.special_amount[i] = next(iter(tables["special_tiles"][name].values()))
    c.dice = DICE - 1
    if fourth.contractors:
        _module(c, base, tables)


def _module(c: Any, base: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
    """The numbers of the module Contractors (R-43 to R-59, R-81 to R-83)."""
    c.module, c.dice, c.ivan_cards = 1, DICE, IVAN_CARDS
    player, solo, tools = tables["player"], tables["solo"], tables["tools"]
    c.permit_supply, c.starting_permits = tables["supply"]["permits"], player["permits"]
    c.permits_most, c.contractors = player["permits_most"], player["contractors"]
    c.prestige_per_permit, c.hire_rubles = tables["optional"]["prestige_per_permit"], tables["hire"]["rubles"]
    for place, bonus in enumerate(tables["hire"]["bonus"]):
        c.bonus[place] = [bonus.get(name, 0) for name in hire.BONUS]
    for city, name in enumerate(CITY_NAMES):
        c.city_slot[city, tables["cities"][name]] = 1
    for i, tile in enumerate(tables["specialists"]["tiles"]):
        c.tool[i] = tools["names"].index(tile["tool"])
        c.specialist_kind[i] = specialist_vocabulary.KINDS.index(specialist_vocabulary.form_of(tile)[0])
        _effect(c, SPECIALIST_EFFECT + i, specialist_vocabulary.columns(tile))
    c.tools_prestige[1:] = tools["prestige"]
    c.ivan_start = base["track"]["prestige"][solo["start_prestige"] - 1]
    c.ivan_contractors, c.ivan_moscow = solo["contractors_placed"], solo["prestige_in_moscow"]


REPLACED = "clergy"
"""The guild whose place the fourth guild takes (R-40)."""

_CONTRACT_KINDS = {
    "sections_claimed_in_one_tower": contracts.SECTIONS_IN_TOWER,
    "face_up_workshop_tiles": contracts.FACE_UP_TILES,
    "one_of_each_type_completed": contracts.EACH_TYPE,
    "all_ornaments_built": contracts.ALL_BUILT,
    "own_ornaments_in_one_tower": contracts.ORNAMENTS_IN_TOWER,
    "tower_without_presence": contracts.TOWERS_WITHOUT,
    "ornament_not_built": contracts.NOT_BUILT,
    "ornament_on_others_sections": contracts.ON_OTHERS,
    "ornament_on_own_sections": contracts.ON_OWN,
    "tower_with_presence": contracts.TOWERS_WITH,
}


def _contracts(c: Any, table: Mapping[str, Any]) -> None:
    for i, card in enumerate(table["cards"]):
        c.contract_prestige[i] = card["prestige"]
        c.contract_prestige_two[i] = card.get("prestige_two_players", card["prestige"])
        if "return" in card:
            c.contract_kind[i] = contracts.RETURN
            for name, count in card["return"].items():
                if name == "any_gem":
                    c.contract_jewels[i] = count
                else:
                    c.contract_return[i, RESOURCE_NAMES.index(name)] = count
            continue
        key = card.get("each") or next(key for key in _CONTRACT_KINDS if key in card)
        c.contract_kind[i] = _CONTRACT_KINDS[key]
        c.contract_least[i] = int(card.get(key, 0))
