"""Reads facts from an observation, using only the names of the layout's pieces and entries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rc_env import checks
from rc_env.ruleset import Ruleset

from ...layout.subjects.turn import TURN_WHEEL
from ...rules.printed.sizes import (
    COLOURS,
    KINDS,
    MATERIAL_NAMES,
    ORNAMENT_NAMES,
    QUADRANTS,
    SIDES,
    SLOT_NAMES,
    SPACES,
    WHITE_SLOTS,
)
from ...rules.printed.vocabulary import CONDITIONS
from ...rules.solo.ivan import CONSTRUCTION, INVENTORY
from ...rules.solo.ivan import SEAT as IVANS_SEAT
from ..notation import die_names
from .common import Facts, check_seat, cut
from .full_from_vector import add_full, more_columns
from .reader import Reader, chosen, counts, number, permits, positive, seat_of, tile_in

_CUT = ("rubles", "prestige", "past", "goods_prestige", "tower_prestige", "score")
_PLURALS = {"door": "doors", "arch": "arches", "cross": "crosses"}


def observation_facts(ruleset: Ruleset, vector: np.ndarray, seat: int) -> Facts:
    """Read the facts from an observation.

    Args:
        ruleset: the variant.
        vector: (F,) float32 or uint8 as `Engine.observe` writes it.
        seat: the seat that saw it.

    Raises:
        ValueError: the vector is not an observation of the ruleset, or the seat is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.words.facts.from_vector import observation_facts
        >>> engine = Engine(seed=1)
        >>> facts = observation_facts(engine.ruleset, engine.observe()[0], seat=0)
        >>> sorted(facts["supply"])
        ['brick', 'gold', 'green_gem', 'lumber', 'purple_gem', 'stone']
    """
    seat = check_seat(ruleset, seat)
    expected = f"an observation of {ruleset.observations.size} numbers, as Engine.observe writes it"
    known = isinstance(vector, np.ndarray) and (vector.dtype.kind == "f" or vector.dtype == np.uint8)
    if not known or vector.shape != (ruleset.observations.size,):
        checks.refuse("vector", vector, expected)
    highest = 1 if vector.dtype.kind == "f" else ruleset.observations.divisors
    if not ((vector >= 0) & (vector <= highest)).all():
        raise ValueError(f"vector holds a number that its place cannot hold: it must be {expected}")
    with checks.reading("vector", expected):
        return _facts(ruleset, np.asarray(vector), seat)


def _facts(ruleset: Ruleset, vector: np.ndarray, seat: int) -> Facts:
    read = Reader(ruleset, vector, seat)
    facts = {
        "seat": seat,
        **_turn(read),
        "waiting": _waiting(read),
        "market": _market(read),
        "guild_actions": _guild_actions(read),
        "dice": _dice(ruleset, read),
        "supply": counts(read.row("supply")),
        "towers": [_tower(read, tower) for tower in range(len(read.numbers["section"]))],
        "seats": _seats(read),
        "rules": _rules(read),
    }
    if ruleset.solo:
        facts["ivan"] = _ivan(ruleset, read)
    if ruleset.full:
        add_full(read, facts)
    return facts


# --- the turn


def _turn(read: Reader) -> Facts:
    row, count, seats = read.row("turn"), read.row("waiting_count"), read.row("seats")
    return {
        "point": chosen(read.row("point")) or "over",
        "to_move": seat_of(chosen(seats, "turn ")),
        "own_turn": bool(row["to move"]),
        "ending": seat_of(chosen(seats, "ending ")),
        "turn": count["hundreds"] * TURN_WHEEL + count["turns"] or None,
        "rerolled": bool(row["rerolled"]),
        "moved": chosen(read.row("moved_die")),
        "landing": number(chosen(read.row("landing"), "space ")),
        "obtained": bool(row["obtained"]),
        "worked": bool(row["worked"]),
        "guild": 1 if row["influence 1"] else 2 if row["influence 2"] else None,
        "guild_open": bool(row["influence open"]),
    }


def _waiting(read: Reader) -> Facts:
    count, material, place = read.row("waiting_count"), read.row("waiting_material"), read.row("waiting_place")
    tower = chosen(place, "tower ")
    return {
        "section": f"{tower}.{place['level']}" if tower else None,
        "tile": tile_in(read.row("waiting_tile")),
        "deliveries": count["deliveries left"],
        "delivered": bool(count["delivered"]),
        "material": _material(read, chosen({m: material[m] for m in (*MATERIAL_NAMES, "any_material")})),
        "may_refuse": bool(material["may refuse"]),
        "most": count["most to take"],
        "payments": count["payments left"],
        "gains": count["gains left"],
    }


def _material(read: Reader, word: str | None) -> str | None:
    """Any material is offered at `take` alone; where a material is given or received in turn it is a diamond."""
    offered = chosen(read.row("point")) == "take"
    return "diamond" if word == "any_material" and not offered else word


# --- the market


def _market(read: Reader) -> list[Facts]:
    crowd = read.row("crowd")
    tiles = (tile_in(read.row("market", s)) or permits(read, "market_permits", f"space {s}") for s in range(SPACES))
    return [{"tile": tile, "dice": crowd[f"space {s}"]} for s, tile in enumerate(tiles)]


def _dice(ruleset: Ruleset, read: Reader) -> Facts:
    dice, known = {}, die_names(ruleset)
    for i, die in enumerate(read.dice[: len(known)]):
        value = read.row("die_value", i)
        dice[die] = {
            "space": number(chosen(read.row("die_space", i), "space ")),
            "value": next(n for n in range(1, 7) if value[str(n)]),
            "blocked": bool(value["blocked"]),
            "yields": tile_in(read.row("die_yield", i)) or permits(read, "die_permits", die),
        }
    return {die: dice[die] for die in known}


def _guild_actions(read: Reader) -> list[list[Facts]]:
    return [[_guild_action(read, q, side) for side in range(SIDES)] for q in range(QUADRANTS)]


def _guild_action(read: Reader, quadrant: int, side: int) -> Facts:
    """The columns of an effect that are not 0; of those that are an entry a material, a list of the materials."""
    action: Facts = {}
    for entry, value in read.row("guild", quadrant, side).items():
        column, _, material = entry.partition(" ")
        if value and material:
            action.setdefault(column, []).append(material)
        elif value:
            action[column] = value
    if "unlimited" in action:
        action["unlimited"] = True
    if "condition" in action:
        action["condition"] = CONDITIONS[action["condition"]]
    if "guild_more" in read.numbers:
        action |= more_columns(read.row("guild_more", quadrant, side), "tiles" in action)
    return action


def _rules(read: Reader) -> Facts:
    """Numbers as they are, but the materials of ornaments by their words."""
    material = {f"{kind} material" for kind in ORNAMENT_NAMES}
    row = read.row("rules")
    return {entry: MATERIAL_NAMES[n - 1] if entry in material else n for entry, n in row.items()}


def _ivan(ruleset: Ruleset, read: Reader) -> Facts:
    places = range(len(die_names(ruleset)))  # he has as many cards and tiles as there are dice
    turn, rows = read.row("ivan_turn"), [read.row("ivan_tile", place) for place in places]
    goods = [read.row("ivan_goods", card) for card in (INVENTORY, CONSTRUCTION)]
    inventory, construction = map(positive, goods)
    return {
        "cards": [chosen(read.row("ivan_card", place)) for place in places],
        "tiles": [{"die": chosen(row, "die "), "up": bool(row["face up"])} for row in rows],
        "next": next((place for place, row in enumerate(rows) if row["next"]), None),
        "inventory": inventory,
        "construction": construction,
        "ornament": next((kind for kind in ORNAMENT_NAMES if turn[kind]), None),
        "choosing": next((choice for choice in ("claim", "adorn") if turn[choice]), None),
        "card_recognition": turn["card recognition"],
        "card_materials": turn["card materials"],
        "ornament_prestige": turn["ornament prestige"],
    }


# --- the cathedral


def _tower(read: Reader, tower: int) -> Facts:
    colours, standing = COLOURS[: read.seats], read.row("standing", tower)
    sections: list[Facts] = []
    for level in range(len(read.numbers["section"][tower])):
        below = all(section["owner"] is not None for section in sections)
        section = _section(read, tower, level, below)
        if section is None:  # the plan has no section here
            break
        sections.append(section)
    return {
        "value": read.row("worth")[f"tower {tower + 1}"],
        "presence": [standing[f"presence {colour}"] for colour in colours],
        "shares": [standing[f"share {colour}"] for colour in colours],
        "sections": sections,
    }


def _section(read: Reader, tower: int, level: int, below: bool) -> Facts | None:
    """A section, or None where the plan has none; `below` says whether all sections below it are claimed."""
    row, card = read.row("section", tower, level), read.row("card", tower, level)
    kind = next((k for k in KINDS if row[k]), None)
    if kind is None:
        return None
    owner, ornament = seat_of(chosen(row, "banner ")), seat_of(chosen(row, "ornament "))
    materials = positive(counts(card, "missing "))
    ivans = read.solo and owner == IVANS_SEAT
    return ({"laid": materials, "misses": card["rubles"]} if ivans else {}) | {
        "kind": kind,
        "owner": owner,
        "finished": bool(row["finished"]),
        "missing": {} if ivans else materials,
        "rubles": 0 if ivans else card["rubles"],
        "recognition": card["recognition"],
        "tile": tile_in(read.row("section_tile", tower, level)),
        "ornament": None if ornament is None else ORNAMENT_NAMES[KINDS.index(kind)],
        "ornament_owner": ornament,
        "on_offer": bool(row.get("on offer", below and owner is None)),  # two players: left to conclude
    }


# --- the seats


def _seats(read: Reader) -> list[Facts]:
    seats: list[Facts] = [{}] * read.seats
    for i, seat in enumerate(read.seen):
        seats[seat] = _seat(read, i)
    return seats


def _seat(read: Reader, i: int) -> Facts:
    """The i-th seat from the one that sees."""
    goods, works, numbers = read.row("goods", i), read.row("works", i), read.row("numbers", i)
    ahead, divisors = read.row("prestige_ahead", i), read.divisors["prestige_ahead"]
    workshop = _workshop(read, i) if i < read.players else {}
    return {
        **{name: cut(numbers[name], read.divisors["numbers"][name]) for name in _CUT},
        "prestige_ahead": [cut(number, divisors[entry]) for entry, number in ahead.items()],
        "materials": positive(counts(goods)),
        "room": numbers["room"],
        "inventory_banners": goods["inventory banners"],
        "spare_banners": goods["spare banners"],
        "white_banners": [slot for slot in WHITE_SLOTS if works[f"{slot} banner"]],
        "ornaments": {kind: works[_PLURALS[kind]] for kind in ORNAMENT_NAMES},
        "claimed": works["claimed"],
        "finished": works["finished"],
        "adorned": works["adorned"],
        "workshop": {slot: workshop[slot] for slot in SLOT_NAMES if slot in workshop},
    }


def _workshop(read: Reader, i: int) -> Facts:
    ornament, workshop = read.row("slot_ornament", i), {}
    for k, slot in enumerate(read.slots):
        row = read.row("workshop", i, k)
        kept = ornament.get(f"slot {slot}", 0)
        workshop[slot] = {
            "tile": "face down" if _of_slot(read, row, i, slot, "face down") else tile_in(row),
            "price": _of_slot(read, row, i, slot, "price"),
            "ornament": ORNAMENT_NAMES[kept - 1] if kept else None,
        }
    return workshop


def _of_slot(read: Reader, row: Mapping[str, int], i: int, slot: str, entry: str) -> int:
    """An entry of a workshop slot that is a piece of its own in the full game."""
    piece = f"slot_{entry.replace(' ', '_')}"
    return read.row(piece, i)[f"slot {slot}"] if piece in read.numbers else row[entry]
