"""The range and the odds that each unknown number is drawn from, one row per number or per number on each card.

docs/uncertainty.md is written from these rows. If a row is added, removed or given other odds, the same seeds give
other files, so `source.VERSION` has to rise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Unknown:
    """A number that no source gives.

    Attributes:
        table: the data file's table that holds the number.
        what: the number, in words.
        odds: its values with their weights; empty for a uniform draw from everything that is possible.
        why: the reason for this range.
    """

    table: str
    what: str
    odds: Mapping[Any, int]
    why: str


COMMON = ("lumber", "brick", "stone")
PRECIOUS = ("gold", "green_gem", "purple_gem")

BASE: dict[str, Unknown] = {
    "track": Unknown(
        "track",
        "how many gaps of 4, of 3 and of 2 follow the first gap of 5 before every space counts",
        {},
        "all numbers with at least one gap of each length that lead to 40 prestige at 80, with a gap of at least 2 "
        "between "
        "prestige 14 and 15: reviews say that gaps shrink from about 5 to 4, 3, 2 and 1",
    ),
    "market stone": Unknown(
        "market", "stone a die", {1: 1, 2: 2, 3: 1}, "20 pieces as of lumber and brick, whose tiles give 2"
    ),
    "market gold": Unknown(
        "market", "gold a die", {1: 3, 2: 1}, "15 pieces, fewer than of the materials whose tiles give 2"
    ),
    "market gems": Unknown(
        "market",
        "gems a die, the same of both colours",
        {1: 3, 2: 1},
        "10 pieces of each; the two colours are treated alike by all rules",
    ),
    "slot coloured": Unknown(
        "workshop",
        "price of each coloured slot but the printed one",
        {1: 1, 2: 1, 3: 1},
        "the printed one is 2, and every slot of the advanced side costs 3",
    ),
    "slot white": Unknown(
        "workshop",
        "price of each white slot",
        {1: 1, 2: 1, 3: 1, 4: 1},
        "a white slot serves every player's white die, and may cost more",
    ),
    "slot ornaments": Unknown(
        "workshop",
        "which of door, second arch and cross stands on which of the other three coloured slots",
        {},
        "nothing but the first arch is shown",
    ),
    "tile kept": Unknown(
        "workshop",
        "whether a material, rubles or any material have a pair of tiles of their own, for each of them",
        {True: 3, False: 1},
        "28 tiles are two sets of 14, and 14 are five dice, six materials, rubles, recognition and any material; "
        "where one "
        "has none, a second pair of something else takes its place",
    ),
    "tile instead": Unknown(
        "workshop",
        "what takes its place",
        {**dict.fromkeys((*COMMON, *PRECIOUS, "rubles", "recognition", "any_material"), 1)},
        "resources, recognition and any material are what tiles may show",
    ),
    "tile common": Unknown("workshop", "lumber, brick or stone of a tile", {1: 3, 2: 1}, "market tiles give 2 a die"),
    "tile rubles": Unknown("workshop", "rubles of a tile", {1: 1, 2: 2, 3: 1}, "the market tile gives 2"),
    "tile recognition": Unknown(
        "workshop", "recognition of a second pair of tiles", {1: 2, 2: 1}, "the first pair gives 1"
    ),
    "plans": Unknown(
        "plans",
        "the heights of the towers of each plan, all plans of a number of players different",
        {},
        "all heights from 2 to 5 (five levels are what observations hold) that add up to six sections a player; one "
        "plan for two and one "
        "for four players reach the heights of the rulebook's examples",
    ),
    "cards four": Unknown(
        "cards",
        "how many middles of a hundred take 4 materials; 15 fewer bases, 15 more domes",
        {25: 1, 40: 1, 55: 1, 70: 1},
        "cards take 3 or 4, and higher sections are worth more",
    ),
    "cards precious": Unknown(
        "cards",
        "how often a material of a card is gold or a gem, beside the odds below",
        {1: 1, 2: 1, 3: 1},
        "one middle takes gold; nothing else is known",
    ),
    "cards gems": Unknown(
        "cards", "whether any card takes gems", {True: 3, False: 1}, "no source says whether gems occur in costs"
    ),
    "cards base": Unknown(
        "cards",
        "each material of a base, at most two of a kind",
        {"lumber": 8, "brick": 8, "stone": 8, "gold": 1, "green_gem": 1, "purple_gem": 1},
        "bases are what is built first",
    ),
    "cards middle": Unknown(
        "cards",
        "each material of a middle, at most two of a kind",
        {"lumber": 6, "brick": 6, "stone": 6, "gold": 2, "green_gem": 1, "purple_gem": 1},
        "between the two",
    ),
    "cards dome": Unknown(
        "cards",
        "each material of a dome, at most two of a kind",
        {"lumber": 4, "brick": 4, "stone": 4, "gold": 4, "green_gem": 2, "purple_gem": 2},
        "domes end a tower, and are taken to be the dearest",
    ),
    "cards generosity": Unknown(
        "cards",
        "tenths of a recognition for each point of a card's cost (1 for lumber, brick and stone, 2 for gold and "
        "gems), rubles counted as half a recognition",
        {10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1},
        "the example's middle gives 4 recognition and 2 rubles for 3 or 4 materials with gold",
    ),
    "cards spread": Unknown(
        "cards",
        "halves of a recognition more or less, for each card",
        {-2: 1, -1: 2, 0: 3, 1: 2, 2: 1},
        "cards are not all worth the same",
    ),
    "cards without rubles": Unknown(
        "cards",
        "how many cards of a hundred give no rubles",
        {10: 1, 20: 1, 30: 1, 40: 1},
        "most cards give rubles, but not all",
    ),
    "cards rubles": Unknown(
        "cards", "rubles of a card that gives some", {1: 4, 2: 4, 3: 2, 4: 1}, "the example's middle gives 2"
    ),
    "craftsmen common": Unknown(
        "guilds",
        "whether lumber, brick and stone, each, are bought or sold for 1 on a craftsmen's card, else for 2",
        {1: 5, 2: 1},
        "materials of which there are 20",
    ),
    "craftsmen precious": Unknown(
        "guilds",
        "the same of gold and each gem; each price has at least one material",
        {1: 1, 2: 5},
        "materials of which there are 15 or 10",
    ),
    "third card": Unknown(
        "guilds",
        "which action of the first and which of the second card stand on the third, of merchants, teamsters and clergy",
        {},
        "each guild has four actions for six places",
    ),
    "unlimited": Unknown(
        "guilds",
        "whether an action is unlimited, for each action that uses something up; the same on all cards of a guild",
        {True: 1, False: 1},
        "the marks are shown in pictures alone",
    ),
}
"""The ranges of the base game, by name."""

EXPANSION: dict[str, Unknown] = {
    "permits": Unknown("supply", "permits in the box", {15: 1, 18: 1, 20: 1, 24: 2}, "four players may hold 6 each"),
    "tiles out": Unknown(
        "workshop",
        "which workshop tiles leave",
        {
            "recognition": 3,
            "lumber": 1,
            "brick": 1,
            "stone": 1,
            "gold": 1,
            "green_gem": 1,
            "purple_gem": 1,
            "rubles": 1,
        },
        "they are shown in a picture alone; the market's recognition tile leaves as well",
    ),
    "bonus 1": Unknown(
        "hire",
        "bonus of the first contractor",
        {"nothing": 3, "rubles 1": 1},
        "that only some places have one is printed",
    ),
    "bonus 2": Unknown(
        "hire",
        "bonus of the second contractor",
        {"nothing": 1, "rubles 1": 1, "rubles 2": 1, "permits 1": 1},
        "the third gives any 1 material",
    ),
    "bonus 4": Unknown(
        "hire",
        "bonus of the fourth contractor",
        {"nothing": 1, "permits 1": 1, "permits 2": 1, "rubles 3": 1, "recognition 2": 1},
        "more than the second",
    ),
    "bonus 5": Unknown(
        "hire",
        "bonus of the fifth contractor",
        {"nothing": 1, "recognition 3": 1, "recognition 4": 1, "rubles 4": 1, "prestige 1": 1},
        "more than the fourth",
    ),
    "bonus 6": Unknown(
        "hire",
        "bonus of the sixth contractor",
        {"prestige 1": 1, "prestige 2": 1, "prestige 3": 1, "recognition 5": 1},
        "the most",
    ),
    "cities": Unknown("cities", "the order of the cities round the ring of slots", {}, "no source gives it"),
    "effects": Unknown(
        "specialists",
        "the effects of 15 tiles, beside one of each of the nine kinds",
        {
            "gain": 8,
            "pay for prestige": 2,
            "pay for recognition": 2,
            "activate": 2,
            "any_material": 2,
            "resource_tile": 2,
            "discard_ornament": 1,
            "spend_rubles": 1,
            "claim": 1,
        },
        "tiles with resources are named first, and most resources have one",
    ),
    "gain": Unknown(
        "specialists",
        "what a tile with a resource gives; none twice before all were given once",
        {**dict.fromkeys((*COMMON, *PRECIOUS, "rubles", "recognition", "permits"), 1)},
        "the resources of the game",
    ),
    "gain common": Unknown(
        "specialists",
        "lumber, brick or stone of a tile",
        {2: 1, 3: 2, 4: 1},
        "a turn at the market brings about as much",
    ),
    "gain precious": Unknown("specialists", "gold or gems of a tile", {1: 1, 2: 3}, "worth about twice as much"),
    "gain rubles": Unknown("specialists", "rubles of a tile", {4: 1, 5: 2, 6: 1}, "a tile costs 2"),
    "gain recognition": Unknown(
        "specialists", "recognition of a tile", {3: 1, 4: 2, 5: 1}, "3 is what a tile gives for a material"
    ),
    "gain permits": Unknown("specialists", "permits of a tile", {2: 1, 3: 2, 4: 1}, "6 at most are held"),
    "pay prestige": Unknown(
        "specialists", "prestige for the material that is paid", {1: 1, 2: 2}, "an ornament gives 3"
    ),
    "pay prestige with": Unknown(
        "specialists",
        "which material that is",
        {"gold": 2, "green_gem": 2, "purple_gem": 2, "lumber": 1, "brick": 1, "stone": 1},
        "the text shows no material",
    ),
    "pay recognition with": Unknown(
        "specialists",
        "which material is paid for 3 recognition",
        {"lumber": 2, "brick": 2, "stone": 2, "gold": 1, "green_gem": 1, "purple_gem": 1},
        "the text shows no material",
    ),
    "tools": Unknown("specialists", "which tile has which tool, four of each", {}, "no source gives it"),
    "more plans": Unknown(
        "plans",
        "the heights of the towers of each plan",
        {},
        "as in the base game; some tower has three cards, as in an example",
    ),
    "pairs": Unknown(
        "guilds",
        "which two actions stand on each card: three different pairs that hold each of the four actions",
        {},
        "of the jewelers one card at least can be played without the module; the managers' six actions are in "
        "printed order",
    ),
    "more unlimited": Unknown(
        "guilds",
        "whether an action is unlimited, for each action that uses something up; the same on all cards of a guild",
        {True: 1, False: 1},
        "as in the base game",
    ),
}
"""The ranges of the expansion, by name."""
