"""Random valid data files, with every number anywhere in its range and every choice of words, written as TOML."""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.rules.printed import data_file, sizes, vocabulary
from rc_env.rules.printed.vocabulary import Range


class _Draw:
    """Draws from a generator, in the words of the ranges of `data_file`."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def number(self, limits: Range) -> int:
        """Return a number of a range; each of its ends is more likely than the other numbers."""
        low, high = limits
        if self.rng.random() < 0.25:
            return int(self.rng.choice([low, high]))
        return int(self.rng.integers(low, high + 1))

    def one(self, words: Any) -> Any:
        return words[int(self.rng.integers(len(words)))]

    def some(self, words: Any, most: int | None = None) -> list[Any]:
        """Return at least one of the words, each once, in their order."""
        count = int(self.rng.integers(1, (most or len(words)) + 1))
        return [words[i] for i in sorted(self.rng.choice(len(words), count, replace=False))]

    def table(self, ranges: dict[str, Range]) -> dict[str, Any]:
        return {key: self.number(limits) for key, limits in ranges.items()}


def random_tables(rng: np.random.Generator) -> dict[str, Any]:
    """Return a tree that `data_file.check` accepts."""
    draw = _Draw(rng)
    supply = draw.table(dict.fromkeys(sizes.MATERIAL_NAMES, data_file.SUPPLY))
    length = draw.number(data_file.TRACK_LENGTH)
    optional = draw.table({"rubles_per_prestige": data_file.OPTIONAL, "prestige_per_reroll": vocabulary.AMOUNT})
    ornaments = [draw.one(sizes.ORNAMENT_NAMES) for _ in range(4)]
    tables: dict[str, Any] = {
        "supply": supply,
        "track": {
            "start": draw.number((0, length - 1)),
            "length": length,
            "prestige": draw.some(range(1, length + 1)),
        },
        "optional": optional,
        "market": {
            "spaces": sizes.SPACES,
            "dice_per_space": sizes.DICE_PER_SPACE,
            "spaces_per_quadrant": sizes.SPACES_PER_QUADRANT,
            "rubles_per_extra_step": draw.number(vocabulary.PRICE),
            "tile": _market_tiles(draw),
        },
        "build": {"deliveries": draw.number(data_file.DELIVERIES)},
        "player": {
            "banners_in_inventory": sizes.INVENTORY_BANNERS,
            "banners_spare": sizes.SPARE_BANNERS,
            "inventory_spaces": draw.number((sizes.INVENTORY_BANNERS + 1, sizes.INVENTORY_SPACES)),
            "starting_rubles": [draw.number(data_file.STARTING_RUBLES) for _ in range(sizes.SEATS)],
            **{key: ornaments.count(kind) for kind, key in data_file.ORNAMENTS.items()},
        },
        "workshop": _workshop(draw, ornaments),
        "ornament": {
            **draw.table(
                dict.fromkeys(
                    ("prestige_one_gem", "prestige_two_equal_gems", "prestige_two_different_gems"), data_file.GEMS
                )
            ),
            **{kind: draw.one(sizes.MATERIAL_NAMES) for kind in sizes.ORNAMENT_NAMES},
        },
        "plans": {str(players): _plans(draw, players) for players in sizes.PLAYERS},
        "cards": {kind: [_card(draw, supply) for _ in range(count)] for kind, count in sizes.CARDS.items()},
        "guilds": _guilds(draw, optional["rubles_per_prestige"]),
        "ending": {
            "sections_to_end": sizes.SECTIONS_PER_PLAYER,
            **draw.table(
                {
                    "prestige_for_ending": data_file.POINTS,
                    "goods_per_prestige": data_file.GOODS,
                    "tower_value_per_section": data_file.VALUE,
                    "tower_value_per_ornament": data_file.VALUE,
                    "share_divisor": data_file.DIVISOR,
                    "two_player_share_divisor": data_file.DIVISOR,
                }
            ),
        },
        "solo": {
            **draw.table(
                {"recognition": data_file.POINTS, "materials": data_file.POINTS, "ornament_prestige": data_file.GEMS}
            ),
            "ornament_order": [ornaments[i] for i in rng.permutation(4)],
            "construction": draw.one(data_file.CONSTRUCTION),
        },
    }
    data_file.check(tables)
    return tables


def _market_tiles(draw: _Draw) -> list[dict[str, int]]:
    others = [name for name in sizes.RESOURCE_NAMES if name != "recognition"]
    names = [draw.one(others) for _ in range(sizes.SPACES)]
    names[draw.number((0, sizes.SPACES - 1))] = "recognition"
    return [{name: draw.number(vocabulary.AMOUNT)} for name in names]


def _workshop(draw: _Draw, ornaments: list[str]) -> dict[str, Any]:
    tiles: list[dict[str, Any]] = [{"die": die} for die in sizes.BASE_DIE_NAMES]
    while len(tiles) < data_file.TILE_KINDS[0] or (len(tiles) < data_file.TILE_KINDS[1] and draw.rng.random() < 0.5):
        effect = draw.one(vocabulary.TILES)
        if effect == "die":
            tiles.append({"die": draw.one(sizes.BASE_DIE_NAMES)})
        else:
            tiles.append({effect: 1 if effect == "any_material" else draw.number(vocabulary.AMOUNT)})
    slots = data_file.SLOT_KEYS
    return {
        "basic": {"price": draw.table(dict.fromkeys(slots, vocabulary.PRICE))},
        "advanced": {
            "price": draw.number(vocabulary.PRICE),
            "ornament": dict(zip(slots[: sizes.SEATS], ornaments, strict=True)),
        },
        "tile": [tiles[i] | {"count": data_file.TILE_COPIES} for i in draw.rng.permutation(len(tiles))],
    }


def _plans(draw: _Draw, players: int) -> list[list[int]]:
    plans: list[list[int]] = []
    low, high = data_file.HEIGHT
    for _ in range(draw.number((1, sizes.PLANS))):
        plan = [low] * (players + 2)
        while sum(plan) < sizes.SECTIONS_PER_PLAYER * players:
            tower = draw.number((0, len(plan) - 1))
            plan[tower] += plan[tower] < high
        plans.append(plan)
    return plans


def _card(draw: _Draw, supply: dict[str, int]) -> dict[str, Any]:
    cost: dict[str, int] = {}
    for _ in range(draw.number(data_file.COST)):
        material = draw.one(sizes.MATERIAL_NAMES)
        if cost.get(material, 0) < supply[material]:
            cost[material] = cost.get(material, 0) + 1
    return {"cost": cost, "recognition": draw.number(data_file.POINTS), "rubles": draw.number(data_file.POINTS)}


def _guilds(draw: _Draw, rate: int) -> dict[str, Any]:
    """Return at least four guilds with at least one card each, and at most 64 cards in all."""
    guilds: dict[str, Any] = {}
    left = sizes.INFLUENCES
    for i in range(draw.number((sizes.QUADRANTS, sizes.GUILDS))):
        cards = draw.number((1, min(sizes.GUILD_CARDS, left // (sizes.GUILDS - i))))
        left -= cards
        guilds[f"guild_{chr(ord('a') + i)}"] = [[_action(draw, rate) for _ in range(sizes.SIDES)] for _ in range(cards)]
    return guilds


def _action(draw: _Draw, rate: int) -> dict[str, Any]:
    row = vocabulary.ACTIONS[draw.one(tuple(vocabulary.ACTIONS))]
    action: dict[str, Any] = {row.verb: True} if row.flag else {}
    if row.materials:
        action[row.verb] = "any" if draw.rng.random() < 0.3 else draw.some(sizes.MATERIAL_NAMES)
    action |= draw.table(dict(row.numbers))
    if row.fewer:
        less, more = row.fewer
        action[less] = min(action[less], action[more] - 1)
    if row.priced or draw.rng.random() < 0.5:
        action["price"] = draw.number(vocabulary.PRICE)
    if row.repeatable is not None and draw.rng.random() < 0.5:
        enough = action.get("price", 0) >= row.repeatable
        if row.verb == "prestige":  # else the action would pay for itself
            enough = action["price"] > rate * action["prestige"]
        action["unlimited"] = enough
    return action


def toml(tables: dict[str, Any]) -> str:
    """Return a tree as the text of a TOML file."""
    lines = []
    for name, table in tables.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {_value(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case dict():
            return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    raise TypeError(f"{value!r} found, expected a value of TOML")
