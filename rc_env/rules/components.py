"""RULES: the printed numbers of one variant, as constant arrays that the compiled rules read.

One record, built from a checked data file for a number of players and a workshop side. Nothing here is a number of the
game: those are in the data file. `Verb` names what an action does; where the catalogue puts each verb's actions is
filled in by `layout/actions.py`, so that the rules can offer actions by their number.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rc_env.rules import data_file
from rc_env.rules.state import ANY, RECOGNITION, RUBLES, SEATS, SLOTS, TOWERS

TRACK, PLANS, CARDS, TILES, INFLUENCES, ACTIONS = 256, 16, 40, 16, 32, 512
ORNAMENTS = ("door", "arch", "cross")
BASE, MIDDLE, DOME = 0, 1, 2
REWARDS = ("win", "margin", "score", "first")


class Verb(enum.IntEnum):
    """What an action does. The arguments in brackets are those of `RULES.argument`."""

    DONE = 0
    RUBLES = 1  # prestige for rubles
    REROLL = 2  # [space]
    MOVE = 3  # [die as seen by the mover, extra steps]
    CLAIM = 4  # [tower, source of the banner]
    PLACE = 5  # [slot as seen by the mover, 1 face up]
    TAKE = 6  # [amount]
    GAIN = 7  # [material]
    OBTAIN = 8
    GUILD = 9  # [0 or 1]
    WORKSHOP = 10  # [slot as seen by the mover]
    PAY = 11  # [material]
    SWAP = 12  # [space, space]
    DELIVER = 13  # [material, tower, level]
    ADORN = 14  # [tower, level]
    GEMS = 15  # [green, purple]
    IVAN_CLAIM = 16  # [tower]; solo, as the next one
    IVAN_ADORN = 17  # [tower, level]


class Guild(enum.IntEnum):
    """What an action of an influence card does."""

    SELL = 0  # price received for a material of `guild_allows`
    BUY = 1
    DELIVER = 2
    RUBLES = 3
    SWAP = 4
    EXCHANGE_EQUAL = 5  # `guild_amount` of one material for `guild_gain` others
    EXCHANGE_ANY = 6  # one material for one other
    ACTIVATE = 7
    RECOGNITION = 8
    DISCARD = 9  # `guild_amount` different materials for `guild_gain` prestige
    PRESTIGE = 10
    EACH_TYPE = 11  # `guild_gain` recognition with a base, a middle and a dome finished


# Sources of a banner, in the order of the claim actions.
INVENTORY, SPARE, WHITE1, WHITE2 = 0, 1, 2, 3

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
        ("levels", np.int32),  # the tallest tower of any plan
        ("sections", np.int32),
        ("plan", np.int8, (PLANS, TOWERS)),
        ("cards", np.int32),
        ("first_card", np.int32, (3,)),  # first base, middle, dome among all cathedral cards
        ("card", np.int8, (CARDS, 8)),  # cost by material, then rubles and recognition paid
        ("tile_kinds", np.int32),
        ("tile_count", np.int32),  # tiles shuffled at this player count
        ("tiles", np.int8, (2 * TILES,)),  # kind of each of them
        ("market_kind", np.int8, (8,)),  # resource of each market tile
        ("market_amount", np.int8, (8,)),
        ("recognition_tile", np.int32),  # the tile on whose space the first die is laid
        ("supply", np.int8, (6,)),
        ("starting_rubles", np.int16, (SEATS,)),
        ("inventory_spaces", np.int32),
        ("banners_inventory", np.int32),
        ("banners_spare", np.int32),
        ("ornaments", np.int8, (3,)),
        # --- workshop
        ("tile_die", np.int8, (TILES,)),  # die of a die tile, else -1
        ("tile_resource", np.int8, (TILES,)),  # resource of another tile, or ANY
        ("tile_amount", np.int8, (TILES,)),
        ("slot_price", np.int8, (SEATS, SLOTS)),
        ("slot_ornament", np.int8, (SEATS, SLOTS)),
        ("seen", np.int8, (SEATS, SLOTS)),  # colour, die or slot that a seat sees in each place: own first, white last
        ("seen_as", np.int8, (SEATS, SLOTS)),  # its inverse
        # --- market, build
        ("dice", np.int32),
        ("dice_per_space", np.int32),
        ("rubles_per_step", np.int32),
        ("deliveries", np.int32),
        ("ornament_material", np.int8, (3,)),
        ("gem_prestige", np.int8, (3, 3)),  # by green and purple gems set
        # --- guilds
        ("first_influence", np.int32, (5,)),  # first card of each guild, and the end
        ("guild_verb", np.int8, (INFLUENCES, 2)),
        ("guild_price", np.int8, (INFLUENCES, 2)),
        ("guild_amount", np.int8, (INFLUENCES, 2)),
        ("guild_gain", np.int8, (INFLUENCES, 2)),
        ("guild_unlimited", np.int8, (INFLUENCES, 2)),
        ("guild_allows", np.int8, (INFLUENCES, 2, 6)),
        # --- ending
        ("sections_to_end", np.int32),
        ("ending_prestige", np.int32),
        ("goods_per_prestige", np.int32),
        ("worth_section", np.int32),
        ("worth_ornament", np.int32),
        ("share_divisor", np.int32),
        ("share_divisor_two", np.int32),
        # --- Ivan
        ("ivan_recognition", np.int32),
        ("ivan_materials", np.int32),
        ("ivan_prestige", np.int32),
        ("ivan_ornament", np.int8, (4,)),  # kinds, in the order in which he places them
        # --- the action catalogue (layout/actions.py)
        ("actions", np.int32),
        ("start", np.int16, (len(Verb),)),  # first action of each verb
        ("move_start", np.int16, (5,)),  # first action of each die as seen by the mover
        ("gems_start", np.int16, (3, 3)),
        ("swap_start", np.int16, (8, 8)),
        ("verb", np.int8, (ACTIONS,)),
        ("argument", np.int8, (ACTIONS, 3)),
    ],
    align=True,
)


def seats_of(players: int) -> int:
    """How many seats own sections: in the solo game the player's and Ivan's."""
    return max(players, 2)


def seats_first(players: int, seat: int) -> list[int]:
    """The four colours as `seat` sees them: its own, those of the next seats in order, those that nobody plays."""
    return [(seat + i) % players for i in range(players)] + list(range(players, 4))


def build(
    data: data_file.DataFile, players: int, workshop: str, turn_limit: int, reward: str
) -> np.recarray[Any, np.dtype[np.void]]:
    """RULES of a variant, an array of one record, without the catalogue."""
    rules = np.zeros(1, RULES).view(np.recarray)
    c, tables = rules[0], data.tables
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
    c.plans, c.towers, c.levels = len(heights), len(heights[0]), max(map(max, heights))
    c.sections = sum(heights[0])
    for plan, row in zip(c.plan, heights, strict=False):
        plan[: len(row)] = row
    number = 0
    for kind, deck in enumerate(("base", "middle", "dome")):
        c.first_card[kind] = number
        for face in cards[deck]:
            for material, count in face["cost"].items():
                c.card[number, data_file.MATERIALS.index(material)] = count
            c.card[number, RUBLES], c.card[number, RECOGNITION] = face["rubles"], face["recognition"]
            number += 1
    c.cards = number


def _resource(tile: Mapping[str, Any]) -> tuple[int, int]:
    """The resource and the amount that a tile names."""
    names = (*data_file.RESOURCES, "any_material")
    return next((names.index(key), value) for key, value in tile.items() if key in names)


def _market(c: Any, market: Mapping[str, Any], supply: Mapping[str, Any]) -> None:
    for i, tile in enumerate(market["tile"]):
        c.market_kind[i], c.market_amount[i] = _resource(tile)
    c.recognition_tile = list(c.market_kind).index(RECOGNITION)
    c.dice, c.dice_per_space = len(data_file.DICE), market["dice_per_space"]
    c.rubles_per_step = market["rubles_per_extra_step"]
    c.supply[:] = [supply[material] for material in data_file.MATERIALS]


def _boards(c: Any, player: Mapping[str, Any], workshop: Mapping[str, Any], players: int) -> None:
    c.starting_rubles[:] = player["starting_rubles"]
    c.inventory_spaces = player["inventory_spaces"]
    c.banners_inventory, c.banners_spare = player["banners_in_inventory"], player["banners_spare"]
    c.ornaments[:] = [player["doors"], player["arches"], player["crosses"]]
    around = ("own", "next1", "next2", "next3")
    for seat in range(SEATS):
        c.seen[seat, :4] = seats_first(players, seat) if seat < players else range(4)
        c.seen[seat, 4:] = (4, 5)
        c.seen_as[seat, c.seen[seat]] = range(SLOTS)
        for slot in range(SLOTS):
            key = around[(slot - seat) % 4] if slot < 4 else f"white{slot - 3}"
            basic = not c.advanced
            c.slot_price[seat, slot] = workshop["basic"]["price"][key] if basic else workshop["advanced"]["price"]
            kept = not basic and slot < 4
            c.slot_ornament[seat, slot] = ORNAMENTS.index(workshop["advanced"]["ornament"][key]) if kept else -1
    copies: list[int] = []
    for kind, tile in enumerate(workshop["tile"]):
        if "die" in tile:
            c.tile_die[kind], c.tile_resource[kind], c.tile_amount[kind] = data_file.DICE.index(tile["die"]), -1, 1
        else:
            c.tile_die[kind] = -1
            c.tile_resource[kind], c.tile_amount[kind] = _resource(tile)
        copies += [kind] * (tile["count"] if players > 2 else 1)
    c.tile_kinds, c.tile_count = len(workshop["tile"]), len(copies)
    c.tiles[: len(copies)] = copies


def _ornaments(c: Any, ornament: Mapping[str, Any], build_table: Mapping[str, Any]) -> None:
    c.ornament_material[:] = [data_file.MATERIALS.index(ornament[name]) for name in ORNAMENTS]
    c.gem_prestige[0, 1] = c.gem_prestige[1, 0] = ornament["prestige_one_gem"]
    c.gem_prestige[0, 2] = c.gem_prestige[2, 0] = ornament["prestige_two_equal_gems"]
    c.gem_prestige[1, 1] = ornament["prestige_two_different_gems"]
    c.deliveries = build_table["deliveries"]


def _allowed(materials: str | Sequence[str]) -> list[int]:
    return [int(materials == "any" or material in materials) for material in data_file.MATERIALS]


def _guilds(c: Any, guilds: Mapping[str, Any]) -> None:
    number = 0
    for guild, name in enumerate(data_file.GUILDS):
        c.first_influence[guild] = number
        for card in guilds[name]:
            for side, action in enumerate(card):
                _guild_action(c, number, side, action)
            number += 1
    c.first_influence[len(data_file.GUILDS)] = number


def _guild_action(c: Any, number: int, side: int, action: Mapping[str, Any]) -> None:
    verb, amount, gain, allows = _guild_verb(action)
    c.guild_verb[number, side], c.guild_price[number, side] = verb, action.get("price", 0)
    c.guild_amount[number, side], c.guild_gain[number, side] = amount, gain
    c.guild_unlimited[number, side] = action.get("unlimited", False)
    c.guild_allows[number, side] = _allowed(allows)


def _guild_verb(action: Mapping[str, Any]) -> tuple[Guild, int, int, str | Sequence[str]]:
    """What an action does, how much it takes, how much it gives, and the materials it speaks of."""
    if "sell" in action:
        return Guild.SELL, 1, 0, action["sell"]
    if "buy" in action:
        return Guild.BUY, 0, 1, action["buy"]
    if "deliver" in action:
        return Guild.DELIVER, action["deliver"], 0, ()
    if "swap_market_tiles" in action:
        return Guild.SWAP, 0, 0, ()
    if "exchange_equal" in action:
        return Guild.EXCHANGE_EQUAL, action["exchange_equal"], action["for_any"], "any"
    if "exchange_any" in action:
        return Guild.EXCHANGE_ANY, action["exchange_any"], action["for_other"], "any"
    if "activate_workshop" in action:
        return Guild.ACTIVATE, action["activate_workshop"], 0, ()
    if "discard_different" in action:
        return Guild.DISCARD, action["discard_different"], action["prestige"], "any"
    if "each_type_completed" in action:
        return Guild.EACH_TYPE, 0, action["recognition"], ()
    if "recognition" in action:
        return Guild.RECOGNITION, 0, action["recognition"], ()
    if "prestige" in action:
        return Guild.PRESTIGE, 0, action["prestige"], ()
    return Guild.RUBLES, 0, action["rubles"], ()


def _ending(c: Any, ending: Mapping[str, Any]) -> None:
    c.sections_to_end, c.ending_prestige = ending["sections_to_end"], ending["prestige_for_ending"]
    c.goods_per_prestige = ending["goods_per_prestige"]
    c.worth_section, c.worth_ornament = ending["tower_value_per_section"], ending["tower_value_per_ornament"]
    c.share_divisor, c.share_divisor_two = ending["share_divisor"], ending["two_player_share_divisor"]


def _solo(c: Any, solo: Mapping[str, Any]) -> None:
    """Ivan's numbers (R-30); where he plays nobody is paid for ending (R-31)."""
    c.ivan_recognition, c.ivan_materials = solo["recognition"], solo["materials"]
    c.ivan_prestige = solo["ornament_prestige"]
    c.ivan_ornament[:] = [ORNAMENTS.index(kind) for kind in solo["ornament_order"]]
    if c.seats > c.players:
        c.ending_prestige = 0


assert len(data_file.RESOURCES) == ANY
