"""Draws the unknown numbers of the second box: a data file that fits every printed and deduced fact."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Any

from rc_env.card_sets import expansion_facts as facts
from rc_env.card_sets.base_set import Tables, different, marked, plans_of
from rc_env.card_sets.draws import Draws
from rc_env.card_sets.ranges import COMMON, EXPANSION, PRECIOUS
from rc_env.rules.printed import expansion_vocabulary
from rc_env.rules.printed.sizes import CITY_NAMES, PLAYERS

TOOLS = ("hammer", "saw", "trowel", "chisel", "plumb", "brush")
FIXED: dict[str, Tables] = {
    "activate": {"activate": 2},
    "discard_ornament": {"discard_ornament": 1, "prestige": 3},
    "spend_rubles": {"spend_rubles": 5, "recognition": 1},
    "any_material": {"any_material": 1, "deliver": 1},
    "resource_tile": {"resource_tile": 1},
    "claim": {"claim": 1},
}
"""Specialists whose numbers are printed."""
WITH_PERMITS = 3  # the place of the jewelers' action that gives permits


def expansion_tables(name: str) -> Tables:
    """The tables of a data file of the expansion; `name` begins the names of the streams that it is drawn from."""
    draws = {
        table: Draws(f"{name} {table}")
        for table in ("supply", "workshop", "hire", "cities", "specialists", "plans", "guilds")
    }
    guilds = _guilds(draws["guilds"])
    leaves = draws["workshop"].weighted(EXPANSION["tiles out"].odds)
    return {
        "supply": {"diamond": 15, "permits": draws["supply"].weighted(EXPANSION["permits"].odds)},
        "market": {"remove": {"recognition": 1}, "add": {"permits": 1}, "dice": ["black"]},
        "workshop": {
            "remove": [{"count": 2, leaves: 2 if leaves == "rubles" else 1}],  # found by its kind of gain
            "add": [{"count": 2, "permits": 1}, {"count": 2, "die": "black"}],
        },
        "optional": {"prestige_per_permit": 1},
        "player": {"permits": 1, "permits_most": 6, "contractors": 6},
        "hire": {"rubles": 2, "slots": 5, "bonus": _bonus(draws["hire"])},
        "cities": _cities(draws["cities"]),
        "tools": {"names": list(TOOLS), "prestige": [1, 2, 4, 7, 11, 16]},
        "specialists": {"tiles": _specialists(draws["specialists"])},
        "plans": _plans(draws["plans"]),
        "guilds": guilds,
        "guilds_with_contractors_only": facts.cards_with_module(guilds),
        "foreman": {"start_tower": 1, "recognition_for_section": 1, "penalty_per_section": 2},
        "contracts": {"most_held": 3, "cards": [_copy(card) for card in facts.CONTRACTS]},
        "reinforcements": {key: dict(value) for key, value in facts.REINFORCEMENTS.items()},
        "special_tiles": {key: dict(value) for key, value in facts.SPECIAL_TILES.items()},
        "solo": {"start_prestige": 3, "contractors_placed": 1, "prestige_in_moscow": 1},
    }


def _copy(table: Tables) -> Tables:
    return {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}


def _bonus(draws: Draws) -> list[dict[str, int]]:
    places: list[dict[str, int]] = []
    for place in range(1, 7):
        if place == 3:
            places.append({"any_material": 1})
            continue
        what, _, amount = draws.weighted(EXPANSION[f"bonus {place}"].odds).partition(" ")
        places.append({} if what == "nothing" else {what: int(amount)})
    return places


def _cities(draws: Draws) -> Tables:
    """A city between two neighbouring slots of the ring, Moscow at all of them."""
    place = {city: slot for slot, city in enumerate(draws.shuffled(CITY_NAMES[1:]))}
    around = {city: [place[city], (place[city] + 1) % 5] for city in CITY_NAMES[1:]}
    return {"names": list(CITY_NAMES), CITY_NAMES[0]: [0, 1, 2, 3, 4], **around}


def _specialists(draws: Draws) -> list[Tables]:
    kinds = [*facts.EFFECTS, *(draws.weighted(EXPANSION["effects"].odds) for _ in range(24 - len(facts.EFFECTS)))]
    number = Counter(kinds)
    resources: list[str] = []
    while len(resources) < number["gain"]:
        resources += draws.shuffled(list(EXPANSION["gain"].odds))
    effects = []
    for kind in facts.EFFECTS:
        for i in range(number[kind]):
            effects.append(
                FIXED[kind] if kind in FIXED else _drawn(draws, kind, resources[i] if kind == "gain" else "")
            )
    tools = draws.shuffled([tool for tool in TOOLS for _ in range(24 // len(TOOLS))])
    tiles = [{"tool": tool, **effect} for tool, effect in zip(tools, effects, strict=True)]
    return sorted(tiles, key=lambda tile: TOOLS.index(tile["tool"]))


def _drawn(draws: Draws, kind: str, resource: str) -> Tables:
    """Draw a specialist that gives a resource, or one that takes a material as payment."""
    if kind == "gain":
        row = "common" if resource in COMMON else "precious" if resource in PRECIOUS else resource
        return {"gain": {resource: draws.weighted(EXPANSION[f"gain {row}"].odds)}}
    if kind == "pay for recognition":
        return {"pay": {draws.weighted(EXPANSION["pay recognition with"].odds): 1}, "recognition": 3}
    material = draws.weighted(EXPANSION["pay prestige with"].odds)
    return {"pay": {material: 1}, "prestige": draws.weighted(EXPANSION["pay prestige"].odds)}


def _plans(draws: Draws) -> dict[str, list[list[int]]]:
    while True:
        plans = {
            str(players): [list(plan) for plan in different(draws, plans_of(players), 2, [])] for players in PLAYERS
        }
        if any(3 in plan for two in plans.values() for plan in two):
            return plans


# --- guilds


@lru_cache(maxsize=1)
def pairings() -> list[tuple[tuple[int, int], ...]]:
    """Three different pairs of four actions that hold all of them."""
    pairs = list(combinations(range(4), 2))
    return [three for three in combinations(pairs, 3) if len({action for pair in three for action in pair}) == 4]


def _guilds(draws: Draws) -> dict[str, list[list[Tables]]]:
    guilds = {}
    for guild, actions in facts.ACTIONS.items():
        if len(actions) == 6:
            cards = [[actions[0], actions[1]], [actions[2], actions[3]], [actions[4], actions[5]]]
        else:
            possible = pairings()
            if guild == "jewelers":
                possible = [three for three in possible if not all(WITH_PERMITS in pair for pair in three)]
            cards = [[actions[a], actions[b]] for a, b in draws.shuffled(draws.one_of(possible))]
        guilds[guild] = marked(
            draws, [[_listed(one) for one in card] for card in cards], EXPANSION["more unlimited"].odds, _repeatable
        )
    return guilds


def _listed(action: Any) -> Tables:
    """A copy of the facts' actions that shares no list with them."""
    return {
        key: list(value) if isinstance(value, list) else dict(value) if isinstance(value, dict) else value
        for key, value in action.items()
    }


def _repeatable(action: Tables) -> bool:
    """Whether an action may be unlimited, as the check of data files allows."""
    key, form = expansion_vocabulary.form_of(action)
    uses = key in ("deliver", "pay_one_of") or bool(action.get("pay")) or bool(action.get("price_permits"))
    return form.repeatable and uses
