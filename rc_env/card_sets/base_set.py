"""Draws the unknown numbers of the base game: a data file that fits every printed and deduced fact."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

from rc_env.card_sets import facts
from rc_env.card_sets.draws import Draws
from rc_env.card_sets.ranges import BASE, COMMON, PRECIOUS
from rc_env.rules.printed import vocabulary
from rc_env.rules.printed.data_file import HEIGHT, SLOT_KEYS
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, CARDS, MATERIAL_NAMES, PLAYERS, SECTIONS_PER_PLAYER

Tables = dict[str, Any]
Plan = tuple[int, ...]
CLIMB = {"base": -15, "middle": 0, "dome": 15}  # cards of a hundred that take 4 materials, beside those of the middles
MOST_OF_A_KIND = 2
LENGTHS = (4, 3, 2)


def base_tables(name: str) -> Tables:
    """The tables of a data file of the base game; `name` begins the names of the streams that it is drawn from."""
    draws = {table: Draws(f"{name} {table}") for table in ("track", "market", "workshop", "plans", "cards", "guilds")}
    return {
        "supply": dict(facts.SUPPLY),
        "track": {"start": 2, "length": 80, "prestige": _prestige(draws["track"])},
        "optional": {"rubles_per_prestige": 2, "prestige_per_reroll": 1},
        "market": {
            "spaces": 8,
            "dice_per_space": 3,
            "spaces_per_quadrant": 2,
            "rubles_per_extra_step": 1,
            "tile": _market(draws["market"]),
        },
        "build": {"deliveries": 3},
        "player": dict(facts.PLAYER),
        "workshop": _workshop(draws["workshop"]),
        "ornament": dict(facts.ORNAMENT),
        "plans": _plans(draws["plans"]),
        "cards": _cards(draws["cards"]),
        "guilds": _guilds(draws["guilds"]),
        "ending": dict(facts.ENDING),
        "solo": dict(facts.SOLO),
    }


@lru_cache(maxsize=1)
def tracks() -> list[tuple[int, int, int]]:
    """The possible numbers of gaps of 4, 3 and 2: 3a + 2b + c = 36, and prestige 15 at least 2 spaces after 14."""
    found = []
    for fours in range(1, 12):
        for threes in range(1, 18):
            twos = 36 - 3 * fours - 2 * threes
            if twos >= 1 and 15 <= 1 + fours + threes + twos <= 40:
                found.append((fours, threes, twos))
    return found


def _prestige(draws: Draws) -> list[int]:
    gaps = [5]
    for length, count in zip(LENGTHS, draws.one_of(tracks()), strict=True):
        gaps += [length] * count
    gaps += [1] * (40 - len(gaps))
    spaces, here = [], 0
    for gap in gaps:
        here += gap
        spaces.append(here)
    return spaces


def _market(draws: Draws) -> list[dict[str, int]]:
    stone, gold, gems = (draws.weighted(BASE[f"market {name}"].odds) for name in ("stone", "gold", "gems"))
    amounts = {**facts.MARKET, "stone": stone, "gold": gold, "green_gem": gems, "purple_gem": gems}
    return [{name: amounts[name]} for name in (*MATERIAL_NAMES, "rubles", "recognition")]


def _workshop(draws: Draws) -> Tables:
    prices = {
        key: draws.weighted(BASE["slot coloured" if i < 4 else "slot white"].odds) for i, key in enumerate(SLOT_KEYS)
    }
    prices["next3"] = 2
    own, second, third = draws.shuffled(("door", "arch", "cross"))
    kinds = []
    for kind in (*MATERIAL_NAMES, "rubles", "any_material"):
        kept = draws.weighted(BASE["tile kept"].odds)
        instead = draws.weighted(BASE["tile instead"].odds)
        kinds.append(kind if kept else instead)
    tiles: list[dict[str, Any]] = [{"count": 2, "die": die} for die in BASE_DIE_NAMES]
    tiles += [{"count": 2, kind: _amount(draws, kind)} for kind in kinds]
    tiles.append({"count": 2, "recognition": 1})
    return {
        "basic": {"price": prices},
        "advanced": {"price": 3, "ornament": {"own": own, "next1": "arch", "next2": second, "next3": third}},
        "tile": tiles,
    }


def _amount(draws: Draws, kind: str) -> int:
    """Draw the amount that a workshop tile gives."""
    if kind in PRECIOUS or kind == "any_material":
        return 1
    return int(draws.weighted(BASE["tile common" if kind in COMMON else f"tile {kind}"].odds))


# --- plans


@lru_cache(maxsize=8)
def plans_of(players: int, least: Plan = ()) -> list[Plan]:
    """Every building plan for a number of players whose towers have at least the given heights."""
    towers = players + 2
    low = least or (HEIGHT[0],) * towers
    heights = product(*(range(bottom, HEIGHT[1] + 1) for bottom in low))
    return [plan for plan in heights if sum(plan) == SECTIONS_PER_PLAYER * players]


def _plans(draws: Draws) -> dict[str, list[list[int]]]:
    """Three different plans for each number of players; where an example sets bounds, one of them keeps to these."""
    bounds: dict[int, Plan] = {2: facts.PLAN_OF_TWO, 4: facts.PLAN_OF_FOUR}
    chosen = {}
    for players in PLAYERS:
        first = draws.one_of(plans_of(players, bounds.get(players, ())))
        chosen[str(players)] = [list(plan) for plan in draws.shuffled(different(draws, plans_of(players), 3, [first]))]
    return chosen


def different(draws: Draws, plans: list[Plan], count: int, chosen: list[Plan]) -> list[Plan]:
    """Draw from `plans` until there are `count` different ones, including those that are chosen already."""
    chosen = list(chosen)
    while len(chosen) < count:
        plan = draws.one_of(plans)
        if plan not in chosen:
            chosen.append(plan)
    return chosen


# --- cathedral cards


def _cards(draws: Draws) -> dict[str, list[Tables]]:
    """Draw cathedral cards until most of them, but not all, give rubles, and until bases differ in recognition."""
    while True:
        cards = _deck(draws)
        tables = {"cards": cards}
        if all(fact.look(tables) is None for fact in facts.BASE_FACTS if fact.where.startswith("cards")):
            return cards


def _deck(draws: Draws) -> dict[str, list[Tables]]:
    four, precious, gems, generosity, without = (
        draws.weighted(BASE[f"cards {name}"].odds)
        for name in ("four", "precious", "gems", "generosity", "without rubles")
    )
    cards: dict[str, list[Tables]] = {}
    for kind, count in CARDS.items():
        odds = {
            material: weight * (precious if material in PRECIOUS else 1)
            for material, weight in BASE[f"cards {kind}"].odds.items()
            if gems or not material.endswith("gem")
        }
        cards[kind] = []
        for number in range(count):
            of_example = kind == "middle" and number == 0
            size = 4 if draws.below(100) < four + CLIMB[kind] else 3
            cost = _cost(draws, size, odds)
            while of_example and "gold" not in cost:
                cost = _cost(draws, size, odds)
            recognition, rubles = _reward(draws, cost, generosity, without)
            if of_example:
                recognition, rubles = 4, 2
            cards[kind].append({"cost": cost, "recognition": recognition, "rubles": rubles})
    return cards


def _cost(draws: Draws, size: int, odds: dict[str, int]) -> dict[str, int]:
    found = dict.fromkeys(MATERIAL_NAMES, 0)
    while sum(found.values()) < size:
        material = draws.weighted(odds)
        if found[material] < MOST_OF_A_KIND:
            found[material] += 1
    return {material: count for material, count in found.items() if count}


def _reward(draws: Draws, cost: dict[str, int], generosity: int, without: int) -> tuple[int, int]:
    """Draw the recognition and rubles of a card, together worth its cost, give or take a little."""
    value = sum(count * (2 if material in PRECIOUS else 1) for material, count in cost.items())
    some = draws.weighted(BASE["cards rubles"].odds)
    rubles = 0 if draws.below(100) < without else some
    halves = value * generosity // 5 + draws.weighted(BASE["cards spread"].odds)
    return max(1, (halves - rubles) // 2), rubles


# --- guilds


def _guilds(draws: Draws) -> dict[str, list[list[Tables]]]:
    guilds = {"craftsmen": _craftsmen(draws)}
    for guild, actions in facts.ACTIONS.items():
        first, second = list(actions[:2]), list(actions[2:])
        third = [draws.one_of(first), draws.one_of(second)]
        guilds[guild] = [first, second, third]
    return {guild: marked(draws, cards, BASE["unlimited"].odds, repeatable) for guild, cards in guilds.items()}


def _craftsmen(draws: Draws) -> list[list[Tables]]:
    cards = []
    for first, what, price, second, other, dear in facts.CRAFTSMEN:
        cheap, rest = (what, other) if what == "any" else _split(draws)
        cards.append([{first: cheap, "price": price}, {second: rest, "price": dear}])
    return cards


def _split(draws: Draws) -> tuple[list[str], list[str]]:
    """Draw which materials a craftsmen's card trades at price 1, and which at price 2."""
    while True:
        prices = {
            material: draws.weighted(BASE[f"craftsmen {'common' if material in COMMON else 'precious'}"].odds)
            for material in MATERIAL_NAMES
        }
        cheap = [material for material, price in prices.items() if price == 1]
        dear = [material for material, price in prices.items() if price == 2]
        if cheap and dear:
            return cheap, dear


def repeatable(action: Tables) -> bool:
    """Whether an action of the base game may be unlimited, as the check of data files allows."""
    row = vocabulary.row_of(action)
    return row.repeatable is not None and action.get("price", 0) >= row.repeatable


def marked(draws: Draws, cards: list[list[Tables]], odds: Any, may: Any) -> list[list[Tables]]:
    """The cards of a guild with marks of repetition; an action has the same mark on all cards."""
    marks: dict[str, bool] = {}
    done = []
    for card in cards:
        both = []
        for action in card:
            name = repr(facts.indicated(action))
            if name not in marks:
                marks[name] = bool(draws.weighted(odds)) and may(action)
            both.append({**action, "unlimited": True} if marks[name] else dict(action))
        done.append(both)
    return done
