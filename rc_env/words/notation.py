"""Components, deals and rolls in words: the names of the game record, both ways.

Cards are `base/3`, guild cards `craftsmen/2`, tiles `die:red` or `lumber:1`, sections `3.2` (tower.level, from 1), dice
and slots are colours, `white`, `white1` and `white2`. Everything returned here can be written as JSON as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from rc_env import checks
from rc_env.arguments import ONE_GAME, one_game
from rc_env.ruleset import Ruleset

from ..rules.printed.sizes import (
    ALL_DIE_NAMES,
    CITY_NAMES,
    CONTRACTS,
    KINDS,
    MATERIAL_NAMES,
    PRINTED_TILES,
    QUADRANTS,
    SPACES,
    SPECIAL_NAMES,
    SPECIALIST_SLOTS,
    SPECIALISTS,
    WHITE_BANNER,
    WHITE_SLOTS,
)
from ..rules.solo import events as ivan_events
from ..rules.solo import ivan
from . import expansion_notation as expansion
from .expansion_notation import DIAMOND_NAME

PARTS = ("market", "guilds", "dice", "towers")  # of a deal; others come with solo, the archivists and the module


class Names(NamedTuple):
    """Names for the numbers in a GAME record; `names.cards.index("base/3")` converts back."""

    cards: tuple[str, ...]  # by GAME.number
    tiles: tuple[str, ...]  # workshop tiles by kind: GAME.tile, GAME.slot_tile
    market: tuple[str, ...]  # market tiles: GAME.market
    guild_cards: tuple[str, ...]  # by GAME.influence


def names(ruleset: Ruleset) -> Names:
    """The names of all components."""
    tables = ruleset.tables
    guilds, tiles = dict(tables["guilds"]), [_tile_name(tile) for tile in tables["workshop"]["tile"]]
    if ruleset.expansion_file is not None:
        guilds |= ruleset.expansion_file.tables["guilds"]
        tiles += [""] * (PRINTED_TILES - len(tiles)) + [f"special:{name}" for name in SPECIAL_NAMES]
    return Names(
        tuple(f"{kind}/{i}" for kind in KINDS for i in range(1, len(tables["cards"][kind]) + 1)),
        tuple(tiles),
        tuple(_tile_name(tile) for tile in tables["market"]["tile"]),
        tuple(f"{guild}/{i}" for guild, cards in guilds.items() for i in range(1, len(cards) + 1)),
    )


def _tile_name(tile: Mapping[str, Any]) -> str:
    return next(f"{effect}:{value}" for effect, value in tile.items() if effect != "count")


def section_name(tower: int, level: int) -> str:
    """`3.2` for the third tower's second level; both are given from 0."""
    return f"{tower + 1}.{level + 1}"


def fields(game: Any) -> dict[str, Any]:
    """A GAME record, one of `Engine.games` or of a clone, as plain integers and lists by field."""
    return {field: game[field].tolist() for field in game.dtype.names}


def amounts(counts: Any) -> dict[str, int]:
    """Counts by material, without those that are 0."""
    return {material: count for material, count in zip(MATERIAL_NAMES, counts, strict=False) if count}


# --- the deal


def deal_to_dict(ruleset: Ruleset, game: Any) -> dict[str, Any]:
    """The deal of a fresh game, as the first line of its record has it: "market", "guilds", "dice", "towers".

    In the solo game also "ivan", and the deal is that before Ivan's first claim (R-30); in a game with contracts also
    "contracts", the deck from the top; with the module Contractors also "cities", that over each tower, and
    "specialists", that on each slot.

    Raises:
        ValueError: no GAME record of the ruleset, or decisions were taken, so that the deal can no longer be seen.
    """
    g = fields(one_game(ruleset, game))
    if g["decisions"]:
        _refuse("game", f"must be a game just dealt, not one of {g['decisions']} decisions")
    with checks.reading("game", ONE_GAME):
        return _deal(ruleset, g)


def _deal(ruleset: Ruleset, g: Mapping[str, Any]) -> dict[str, Any]:
    name = names(ruleset)
    kinds = [g["ivan_dealt"] if kind < 0 else kind for kind in g["tile"]]
    deal = {
        "market": [name.market[tile] for tile in g["market"]],
        "guilds": [_guild_card(name.guild_cards[card]) for card in g["influence"]],
        "dice": _dice(ruleset, g),
        "towers": [
            [{"card": name.cards[g["number"][s]], "tile": name.tiles[kinds[s]]} for s in sections]
            for sections in towers(g)
        ],
    }
    if ruleset.solo:
        deal["ivan"] = {"cards": ivan_cards(g), "tiles": ivan_tiles(g)}
    if ruleset.contractors:
        deal["cities"] = [CITY_NAMES[city] for city in g["city_over"] if city >= 0]
        deal["specialists"] = [tile + 1 for tile in g["offer"]]
    if expansion.brought(ruleset, g) & expansion.CONTRACTS:
        deal["contracts"] = expansion.contracts(g["contract_deck"])
    return deal


def dict_to_deal(ruleset: Ruleset, deal: Mapping[str, Any]) -> np.recarray[Any, np.dtype[np.void]]:
    """A deal in words as `Engine.reset(deals=…)` takes it.

    Args:
        ruleset: the variant.
        deal: any of the parts "market", "guilds", "dice", "towers", solo "ivan", in the full game "contracts", with the
            module Contractors "cities" and "specialists", as `deal_to_dict` writes them. What is left out is drawn: a
            whole part, the "card" of all four guilds, the "card" or the "tile" of all sections, Ivan's "cards" or
            "tiles".

    Returns:
        An array of one `rules.setup.DEAL`.

    Raises:
        ValueError: a component is unknown or missing, or occurs more often than it exists.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    _keys("deal", deal, parts(ruleset))
    fixed: np.recarray[Any, np.dtype[np.void]] = ruleset.build.setup.open_deal()
    if "market" in deal:
        _fix_market(ruleset, deal["market"], fixed[0])
    if "guilds" in deal:
        _fix_guilds(ruleset, deal["guilds"], fixed[0])
    if "dice" in deal:
        _fix_dice(ruleset, deal["dice"], fixed[0])
    if "towers" in deal:
        _fix_towers(ruleset, deal["towers"], fixed[0])
    if "ivan" in deal:
        _fix_ivan(ruleset, deal["ivan"], fixed[0])
    if "contracts" in deal:
        _fix_contracts(deal["contracts"], fixed[0])
    if "cities" in deal:
        towers = int(ruleset.rules[0].towers)
        _list("deal.cities", deal["cities"], "cities", towers)
        cities = _Pool("city", CITY_NAMES, range(len(CITY_NAMES)))
        fixed[0].city[:towers] = [cities.take(f"deal.cities, tower {i}", c) for i, c in enumerate(deal["cities"], 1)]
    if "specialists" in deal:
        numbers = _different("deal.specialists", deal["specialists"], SPECIALIST_SLOTS, SPECIALISTS)
        fixed[0].offer[:] = [number - 1 for number in numbers]
    return fixed


def parts(ruleset: Ruleset) -> tuple[str, ...]:
    """The parts that a deal may have."""
    more = ["ivan"] if ruleset.solo else []
    more += ["contracts"] if ruleset.full else []
    return (*PARTS, *more, *(["cities", "specialists"] if ruleset.contractors else []))


def _fix_market(ruleset: Ruleset, market: Any, fixed: Any) -> None:
    _list("deal.market", market, "tiles", SPACES)
    pool = _Pool("market tile", names(ruleset).market, range(SPACES))
    fixed.market[:] = [pool.take(f"deal.market, space {space}", word) for space, word in enumerate(market)]


def _fix_guilds(ruleset: Ruleset, guilds: Any, fixed: Any) -> None:
    _list("deal.guilds", guilds, "guilds", QUADRANTS)
    c = ruleset.rules[0]
    guilds_there = expansion.guild_names(ruleset)
    dealt = [i for i in range(len(guilds_there)) if not ruleset.full or not _fourth(c, i) or c.guild_allowed[i]]
    pool = _Pool("guild", guilds_there, dealt)
    known = names(ruleset).guild_cards
    named = [_given(f"deal.guilds, quadrant {q}", entry, ("guild",), ("card",)) for q, entry in enumerate(guilds)]
    with_card = _all_or_none("deal.guilds", named, "card")
    for quadrant, entry in enumerate(named):
        where = f"deal.guilds, quadrant {quadrant}"
        fixed.guild[quadrant] = pool.take(where, entry["guild"])
        if with_card:
            card = f"{entry['guild']}/{entry['card']}"
            if type(entry["card"]) is not int or card not in known:
                count = sum(other.startswith(f"{entry['guild']}/") for other in known)
                _refuse(where, f"the guild {entry['guild']} has the cards 1 to {count}, not {entry['card']!r}")
            fixed.influence[quadrant] = known.index(card)
            if ruleset.full and _fourth(c, fixed.guild[quadrant]) and not c.card_allowed[fixed.influence[quadrant]]:
                _refuse(where, f"card {entry['card']} of the {entry['guild']} cannot be in this game")
    fourth = [guilds_there[guild] for guild in fixed.guild if ruleset.full and _fourth(c, guild)]
    if len(fourth) > 1:
        _refuse("deal.guilds", f"{' and '.join(fourth)} cannot be together: the fourth guild is one of them")


def _fourth(c: Any, guild: int) -> bool:
    """Whether the guild of that number is the clergy or one that may take their place (R-40)."""
    return bool(guild == c.replaced_guild or guild >= c.dealt_guilds)


def _fix_dice(ruleset: Ruleset, dice: Any, fixed: Any) -> None:
    known = die_names(ruleset)
    _given("deal.dice", dice, known)
    for i, die in enumerate(known):
        entry = _given(f"deal.dice.{die}", dice[die], ("space", "value"))
        fixed.die_space[i] = _integer(f"deal.dice.{die}.space", entry["space"], 0, SPACES - 1)
        fixed.die_value[i] = _integer(f"deal.dice.{die}.value", entry["value"], 1, 6)
    most = int(ruleset.rules[0].dice_per_space)
    space, count = Counter(fixed.die_space[: len(known)].tolist()).most_common(1)[0]
    if count > most:
        _refuse("deal.dice", f"there are {count} dice on space {space}, but a space holds at most {most}")


def _fix_towers(ruleset: Ruleset, towers: Any, fixed: Any) -> None:
    plans = [list(plan) for plan in ruleset.tables["plans"][str(ruleset.seats)]]
    _list("deal.towers", towers, "towers", len(plans[0]))
    for i, tower in enumerate(towers, 1):
        _list(f"deal.towers, tower {i}", tower, "sections")
    heights = [len(tower) for tower in towers]
    if heights not in plans:
        _refuse("deal.towers", f"the heights {heights} are no plan; the plans are {', '.join(map(str, plans))}")
    fixed.plan = plans.index(heights)
    sections = [
        (tower, level, _given(f"deal.towers, section {section_name(tower, level)}", entry, (), ("card", "tile")))
        for tower, column in enumerate(towers)
        for level, entry in enumerate(column)
    ]
    entries = [entry for _, _, entry in sections]
    known = names(ruleset)
    if _all_or_none("deal.towers", entries, "card"):
        cards = _Pool("card", known.cards, range(len(known.cards)))
        for i, (tower, level, entry) in enumerate(sections):
            where = f"deal.towers, section {section_name(tower, level)}"
            kind = KINDS[0] if level == 0 else KINDS[2] if level == heights[tower] - 1 else KINDS[1]
            fixed.number[i] = cards.take(where, entry["card"])
            if not entry["card"].startswith(kind):
                _refuse(where, f"must be a {kind} card, not {entry['card']}")
    if _all_or_none("deal.towers", entries, "tile"):
        c = ruleset.rules[0]
        tiles = _Pool("workshop tile", known.tiles, c.tiles[: c.tile_count].tolist())
        for i, (tower, level, entry) in enumerate(sections):
            fixed.tile[i] = tiles.take(f"deal.towers, section {section_name(tower, level)}", entry["tile"])


def _fix_ivan(ruleset: Ruleset, dealt: Any, fixed: Any) -> None:
    count = ruleset.ivan_cards
    dice = die_names(ruleset)[:count]  # of his tiles, one on each of his cards
    entry = _given("deal.ivan", dealt, (), ("cards", "tiles"))
    if "cards" in entry:
        _list("deal.ivan.cards", entry["cards"], "cards", len(dice))
        cards = _Pool("card of Ivan's", ivan.CARDS, range(len(dice)))
        fixed.ivan_card[: len(dice)] = [cards.take("deal.ivan.cards", word) for word in entry["cards"]]
    if "tiles" in entry:
        _list("deal.ivan.tiles", entry["tiles"], "tiles", len(dice))
        tiles = _Pool("tile of Ivan's", [f"die:{die}" for die in dice], range(len(dice)))
        fixed.ivan_tile[: len(dice)] = [tiles.take("deal.ivan.tiles", word) for word in entry["tiles"]]


def _fix_contracts(dealt: Any, fixed: Any) -> None:
    numbers = _different("deal.contracts", dealt, CONTRACTS, CONTRACTS)
    fixed.contracts[:] = [number - 1 for number in numbers]


def _different(where: str, given: Any, count: int, most: int) -> list[int]:
    """Check a list of different numbers from 1 to `most`."""
    _list(where, given, "numbers", count)
    numbers = [_integer(where, number, 1, most) for number in given]
    if len(set(numbers)) < count:
        _refuse(
            where,
            f"the numbers must be {f'1 to {most}, each once' if count == most else 'different ones'}, not {numbers}",
        )
    return numbers


class _Pool:
    """Components that are there to be dealt, each as often as it is in the game."""

    def __init__(self, noun: str, words: Collection[str], numbers: Collection[int]) -> None:
        self.noun = noun
        self.words = tuple(words)
        self.left: dict[str, list[int]] = {}  # two kinds may read alike, in a file of the user's own
        for number in numbers:
            self.left.setdefault(self.words[number], []).append(number)
        self.copies = {word: len(numbers) for word, numbers in self.left.items()}

    def take(self, where: str, word: Any) -> int:
        """The number of the component, which is then gone."""
        if not isinstance(word, str) or word not in self.left:
            _refuse(where, checks.unknown(self.noun, word, self.left))
        if not self.left[word]:
            _refuse(where, f"{self.noun} {word} occurs more than {_times(self.copies[word])}")
        return self.left[word].pop(0)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


# --- positions and rolls


def towers(g: Mapping[str, Any]) -> list[range]:
    """The sections of each tower, from base to dome, of a game given as `fields`."""
    return [range(first, first + height) for first, height in zip(g["first"], g["height"], strict=True) if height]


def delivered(ruleset: Ruleset, g: Mapping[str, Any], section: int, cost: Mapping[str, int]) -> dict[str, int]:
    """The materials that lie on an unfinished section, of a game given as `fields`; `cost` is that of its card."""
    if of_ivan(ruleset, g, section):
        return amounts(g["card"][section])
    missing = amounts(g["card"][section])
    there = {m: cost[m] - missing.get(m, 0) for m in MATERIAL_NAMES if cost.get(m, 0) > missing.get(m, 0)}
    return there | _diamonds(g, "card_diamonds", section)


def _diamonds(g: Mapping[str, Any], field: str, place: int) -> dict[str, int]:
    """Diamonds in a place of a field of the full game, left out if there are none."""
    return {DIAMOND_NAME: g[field][place]} if field in g and g[field][place] else {}


def of_ivan(ruleset: Ruleset, g: Any, section: int) -> bool:
    """Whether Ivan has claimed the section, in a GAME record or `fields`: any kind of material serves him (R-30)."""
    return bool(ruleset.solo and g["owner"][section] == ivan.SEAT)


def ivan_cards(g: Mapping[str, Any]) -> list[str]:
    """Ivan's cards from left to right, of a game given as `fields`."""
    return [ivan.CARDS[card] for card in g["ivan_card"] if card >= 0]


def ivan_tiles(g: Mapping[str, Any]) -> list[str]:
    """The tiles on Ivan's cards from left to right, of a game given as `fields`: `die:red`."""
    return [f"die:{ALL_DIE_NAMES[die]}" for die in g["ivan_tile"] if die >= 0]


def die_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The dice of a variant: the black one comes with the module Contractors."""
    return ALL_DIE_NAMES[: int(ruleset.rules[0].dice)]


def white_banners(g: Mapping[str, Any], seat: int) -> list[str]:
    """The white slots on which the seat still has a banner (advanced), of a game given as `fields`."""
    return [slot for slot, banner in zip(WHITE_SLOTS, g["works"][seat][WHITE_BANNER:], strict=True) if banner]


def rolls_to_list(game: Any) -> list[dict[str, int]]:
    """The rolls since the last decision, in order: `[{"white": 3, "red": 6}]`."""
    return _rolls(game["rolled"][: game["rolled_count"]])


def _rolls(log: Any) -> list[dict[str, int]]:
    rolls: list[dict[str, int]] = []
    for entry in log.tolist():
        opens, rest = divmod(entry, 60)  # 10 x die + value stays below 60
        die, value = divmod(rest, 10)
        if opens:
            rolls.append({})
        rolls[-1][ALL_DIE_NAMES[die]] = value
    return rolls


def ivan_turn(game: Any, *, expanded: bool = False) -> dict[str, Any]:
    """Ivan's last turn as the record has it, without seat and point: "events", a list of words, and "rolls".

    While the player chooses for him: that turn as far as it has gone. With `expanded` as a record of the full game has
    it: the recognition of his move in one event, and none of what he gains otherwise.
    """
    g, events, gained = fields(game), [], 0
    pending: list[str] = []  # specialists, or a pair of them, that one event names
    log = g["ivan_event"][: g["ivan_events"]]
    for i, (number, value) in enumerate(log):
        word = ivan_events.EVENT[number]
        if expanded and word == "recognition":
            gained += value
            continue
        if word in ("specialist", "return"):
            pending.append(str(value + 1))
            if len(pending) < 2 and i + 1 < len(log) and ivan_events.EVENT[log[i + 1][0]] == word:
                continue
            events.append(" ".join(("specialists" if word == "specialist" else word, *pending)))
            pending = []
            continue
        if expanded and word == "card":
            events += [f"recognition {gained}"] if gained else []
        match word:
            case "shuffle":
                what = " ".join(ALL_DIE_NAMES[die] for die in g["ivan_tile"] if die >= 0)
            case "adorn" | "complete":
                what = section_name(g["tower"][value], g["level"][value])
            case "move" | "blocked":
                what = ALL_DIE_NAMES[value]
            case "card":
                what = ivan.CARDS[value]
            case "claim":
                what = str(value + 1)
            case "recognition" | "prestige":
                what = str(value)
            case "gain":
                word, what = "recognition", str(value)
            case "hire":
                what = CITY_NAMES[value]
            case _:
                raise ValueError(f"unknown event {checks.shown(word)}: choose {', '.join(ivan_events.EVENT)}")
        events.append(f"{word} {what}")
    turn = {"events": events, "rolls": _rolls(game["ivan_rolled"][: game["ivan_rolled_count"]])}
    refills = [expansion.refill(slot, tile) for slot, tile in g.get("ivan_refill", ()) if slot >= 0]
    return turn | ({"draws": refills} if refills else {})


def _dice(ruleset: Ruleset, g: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    return {d: {"space": g["die_space"][i], "value": g["die_value"][i]} for i, d in enumerate(die_names(ruleset))}


def _guild_card(name: str) -> dict[str, Any]:
    guild, card = name.split("/")
    return {"guild": guild, "card": int(card)}


# --- what the checks are made of


def _refuse(where: str, sentence: str) -> NoReturn:
    raise ValueError(f"{where}{'' if sentence.startswith('must ') else ':'} {sentence}")


def _integer(where: str, value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _refuse(where, f"must be a whole number from {low} to {high}, not {checks.shown(value)}")
    return value


def _list(where: str, value: Any, noun: str, length: int | None = None) -> None:
    if not isinstance(value, list | tuple):
        _refuse(where, f"must be a list of {noun}, not {type(value).__name__}")
    if length is not None and len(value) != length:
        _refuse(where, f"there must be {length} {noun}, not {len(value)}")


def _keys(where: str, value: Any, known: Collection[str]) -> None:
    if not isinstance(value, Mapping):
        _refuse(where, f"must be a mapping with {', '.join(known)}, not {type(value).__name__}")
    for key in value:
        if key not in known:
            _refuse(where, checks.unknown("key", key, known))


def _given(where: str, value: Any, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, Any]:
    _keys(where, value, (*required, *optional))
    for key in required:
        if key not in value:
            _refuse(where, f"{key} is missing; needed are {', '.join(required)}")
    return value


def _all_or_none(where: str, entries: Collection[Mapping[str, Any]], key: str) -> bool:
    count = sum(key in entry for entry in entries)
    if 0 < count < len(entries):
        _refuse(where, f"{count} of {len(entries)} entries have a {key}; either all of them have it or none")
    return count > 0
