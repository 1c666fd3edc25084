"""Deals at random, in the form of a record's first line (R-5 to R-8, R-41 to R-47, R-76, R-81)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .names import COLOURS, CRAFTS, IVANS_CARDS

Tables = Mapping[str, Any]


def tile_name(tile: Mapping[str, Any]) -> str:
    """Return the words of the record for a tile of a data file: `die:red`, `lumber:1`."""
    return next(f"{key}:{value}" for key, value in tile.items() if key != "count")


def allowed_cards(tables: Tables, x: Tables, module: bool, promos: bool) -> dict[str, list[int]]:
    """Return the cards of each fourth guild that may be in a game (R-41)."""
    base = {guild: cards for guild, cards in tables["guilds"].items() if guild not in CRAFTS}
    with_module = {} if module else x["guilds_with_contractors_only"]
    allowed = {
        guild: [n for n in range(1, len(cards) + 1) if n not in with_module.get(guild, [])]
        for guild, cards in (base | dict(x["guilds"])).items()
    }
    return {guild: cards for guild, cards in allowed.items() if cards and (promos or guild != "thieves")}


def deal(
    rng: random.Random,
    tables: Tables,
    x: Tables,
    *,
    players: int = 2,
    workshop: str = "basic",
    guild: str = "clergy",
    special_tiles: bool = False,
    contractors: bool = False,
    promos: bool = False,
    turn_limit: int = 1000,
) -> dict[str, Any]:
    """Draw a deal; `guild` is a name, a name and card (`jewelers:2`), or `random`."""
    seats = max(2, players)
    name, _, card = guild.partition(":")
    if name == "random":
        allowed = allowed_cards(tables, x, contractors, promos)
        name = rng.choice(sorted(allowed))
    else:
        allowed = allowed_cards(tables, x, contractors, promos=True)
        if name not in allowed or (card and int(card) not in allowed[name]):
            raise ValueError(f"guild: {guild} found, expected one of {', '.join(sorted(allowed))}, and an allowed card")
    cards = {craft: rng.randint(1, len(tables["guilds"][craft])) for craft in CRAFTS}
    cards[name] = int(card) if card else rng.choice(allowed[name])
    market = [tile_name(tile) for tile in tables["market"]["tile"]]
    tiles = tables["workshop"]["tile"]
    plans, dice = list(tables["plans"][str(seats)]), [*COLOURS, "white"]
    if contractors:
        market = [tile for tile in market if tile != tile_name(x["market"]["remove"])]
        market.append(tile_name(x["market"]["add"]))
        gone = [tile_name(tile) for tile in x["workshop"]["remove"]]
        tiles = [tile for tile in tiles if tile_name(tile) not in gone] + list(x["workshop"]["add"])
        plans += x["plans"][str(seats)]
        dice += x["market"]["dice"]
    first = market[-1]
    rng.shuffle(market)
    copies = [tile_name(tile) for tile in tiles for _ in range(tile["count"] if seats > 2 else 1)]
    rng.shuffle(copies)
    decks = {kind: [f"{kind}/{i}" for i in range(1, len(faces) + 1)] for kind, faces in tables["cards"].items()}
    for deck in decks.values():
        rng.shuffle(deck)
    towers = []
    for height in rng.choice(plans):
        kinds = ["base", *["middle"] * (height - 2), "dome"]
        towers.append([{"card": decks[kind].pop(), "tile": copies.pop()} for kind in kinds])
    start = market.index(first)
    row = rng.sample(dice, len(dice))
    dealt = {
        "players": players,
        "workshop": workshop,
        "solo": players == 1,
        "turn_limit": turn_limit,
        "colours": list(COLOURS[:seats]),
        "market": market,
        "guilds": [{"guild": g, "card": cards[g]} for g in rng.sample(sorted(cards), len(cards))],
        "dice": {die: {"space": (start + row.index(die)) % 8, "value": rng.randint(1, 6)} for die in dice},
        "towers": towers,
    }
    if players == 1:
        ivans = [*IVANS_CARDS, *(["hire"] if contractors else [])]
        tokens = [f"die:{die}" for die in dice]
        dealt["ivan"] = {"cards": rng.sample(ivans, len(ivans)), "tiles": rng.sample(tokens, len(tokens))}
    if contractors or special_tiles or name in x["guilds"]:
        dealt |= {"contractors": contractors, "special_tiles": special_tiles}
        if contractors:
            dealt["cities"] = rng.sample(x["cities"]["names"], len(x["cities"]["names"]))[: len(towers)]
            dealt["specialists"] = rng.sample(range(1, len(x["specialists"]["tiles"]) + 1), x["hire"]["slots"])
        if name == "archivists":
            contracts = len(x["contracts"]["cards"])
            dealt["contracts"] = rng.sample(range(1, contracts + 1), contracts)
    return dealt


def plain_deal(
    tables: Tables,
    x: Tables,
    *,
    players: int = 2,
    workshop: str = "basic",
    guild: str = "clergy:1",
    special_tiles: bool = False,
    contractors: bool = False,
) -> dict[str, Any]:
    """A deal that is the same each time, for positions set up by hand.

    - The fourth guild is in quadrant 0, craftsmen, teamsters and merchants (their first cards) follow.
    - Market tiles lie in the order of the data file: lumber on space 0, brick 1, stone 2, gold 3, green gem 4, purple
      gem 5, rubles 6, recognition (with the module: permits) 7.
    - Dice: red on space 7 showing 1, so that `move red` lands alone on space 0; blue on 2 showing 2, yellow on 3
      showing 3, green on 4 showing 4, white on 5 showing 5, black on 6 showing 6.
    - The first plan; cards of each kind in the order of the data file from left to right, tiles likewise (without
      recognition tiles if the module is on).
    - Cities over the towers in the order of the data file (moscow over tower 1), specialists 1 to 5 on slots 0 to 4,
      contracts 1 to 15 from the top.
    - Solo: Ivan's cards recognition, inventory, transport, claim, construction (and hire), his tiles in the order of
      the dice.
    """
    name, _, card = guild.partition(":")
    seats = max(2, players)
    tiles = [tile_name(tile) for tile in tables["workshop"]["tile"]]
    market = [tile_name(tile) for tile in tables["market"]["tile"]]
    dice = {"red": (7, 1), "blue": (2, 2), "yellow": (3, 3), "green": (4, 4), "white": (5, 5)}
    if contractors:
        market[-1] = tile_name(x["market"]["add"])
        tiles = [tile for tile in tiles if tile != "recognition:1"] + [tile_name(t) for t in x["workshop"]["add"]]
        dice["black"] = (6, 6)
    decks = {kind: iter(range(1, len(faces) + 1)) for kind, faces in tables["cards"].items()}
    towers, number = [], 0
    for height in tables["plans"][str(seats)][0]:
        tower = []
        for level in range(height):
            kind = "base" if level == 0 else "dome" if level == height - 1 else "middle"
            tower.append({"card": f"{kind}/{next(decks[kind])}", "tile": tiles[number % len(tiles)]})
            number += 1
        towers.append(tower)
    dealt = {
        "players": players,
        "workshop": workshop,
        "solo": players == 1,
        "turn_limit": 1000,
        "colours": list(COLOURS[:seats]),
        "market": market,
        "guilds": [{"guild": name, "card": int(card or 1)}, *({"guild": craft, "card": 1} for craft in CRAFTS)],
        "dice": {die: {"space": space, "value": value} for die, (space, value) in dice.items()},
        "towers": towers,
        "contractors": contractors,
        "special_tiles": special_tiles,
    }
    if players == 1:
        cards = [*IVANS_CARDS, *(["hire"] if contractors else [])]
        dealt["ivan"] = {"cards": cards, "tiles": [f"die:{die}" for die in dice]}
    if contractors:
        dealt |= {"cities": x["cities"]["names"][: len(towers)], "specialists": [1, 2, 3, 4, 5]}
    if name == "archivists":
        dealt["contracts"] = list(range(1, len(x["contracts"]["cards"]) + 1))
    return dealt
