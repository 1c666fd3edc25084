"""Facts from an observation: by the names of the layout's pieces and entries alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from rc_env.ruleset import Ruleset

from ...rules.ivan import CONSTRUCTION, INVENTORY
from ...rules.ivan import SEAT as IVANS_SEAT
from ...rules.sizes import (
    COLOURS,
    DIE_NAMES,
    IVAN_CARDS,
    MATERIAL_NAMES,
    QUADRANTS,
    RESOURCE_NAMES,
    SIDES,
    SPACES,
    WHITE_SLOTS,
)
from ...rules.vocabulary import CONDITIONS
from ..actions import absolute_colours, relative_colours
from ..notation import KINDS, ORNAMENTS, SLOTS
from ..pieces import UNUSED
from ..subjects.turn import TURN_WHEEL
from .common import Facts, check_seat, cut

_CUT = ("rubles", "prestige", "past", "goods_prestige", "tower_prestige", "score")
_PLURALS = {"door": "doors", "arch": "arches", "cross": "crosses"}


def observation_facts(ruleset: Ruleset, vector: np.ndarray, seat: int) -> Facts:
    """What an observation says.

    Args:
        ruleset: the variant.
        vector: (F,) float32 or uint8 as `Engine.observe` writes it.
        seat: the seat that saw it.

    Raises:
        ValueError: the vector's shape is not that of the ruleset's observations, or the seat is out of range.
    """
    check_seat(ruleset, seat)
    if np.shape(vector) != (ruleset.observations.size,):
        raise ValueError(f"vector: shape {np.shape(vector)} found, expected ({ruleset.observations.size},)")
    read = _Reader(ruleset, vector, seat)
    facts = {
        "seat": seat,
        **_turn(read),
        "waiting": _waiting(read),
        "market": _market(read),
        "guild_actions": _guild_actions(read),
        "dice": _dice(read),
        "supply": _counts(read.row("supply")),
        "towers": [_tower(read, tower) for tower in range(len(read.numbers["section"]))],
        "seats": _seats(read),
        "rules": _rules(read),
    }
    return facts | {"ivan": _ivan(read)} if ruleset.solo else facts


class _Reader:
    """The whole numbers of a vector by the names of pieces and entries, with absolute colours in the names."""

    def __init__(self, ruleset: Ruleset, vector: np.ndarray, seat: int) -> None:
        layout = ruleset.observations
        self.players, self.seats, self.solo = ruleset.players, ruleset.seats, ruleset.solo
        self.dice = absolute_colours(self.players, seat)
        colours = dict(zip(relative_colours(self.players), self.dice, strict=True))
        relative = re.compile(r"\b(own|next\d|ivan|unplayed\d)\b")
        self.numbers = {name: piece.tolist() for name, piece in layout.numbers(vector).items()}
        self.divisors = {piece.name: dict(zip(piece.entries, piece.divisors, strict=True)) for piece in layout.pieces}
        self.entries = {
            piece.name: [relative.sub(lambda m: colours[m[0]], entry) for entry in piece.entries]
            for piece in layout.pieces
            if piece.name != "point"  # one of them is called ivan
        }
        self.entries["point"] = [*next(piece.entries for piece in layout.pieces if piece.name == "point")]
        self.seen = [(seat + i) % self.seats for i in range(self.seats)]  # the seat behind each row of a piece
        self.slots = (*self.dice[: len(COLOURS)], *WHITE_SLOTS)

    def row(self, piece: str, *index: int) -> dict[str, int]:
        """The entries of one row of a piece, without the unused ones."""
        numbers = self.numbers[piece]
        for i in index:
            numbers = numbers[i]
        return {entry: n for entry, n in zip(self.entries[piece], numbers, strict=True) if entry != UNUSED}


def _chosen(row: Mapping[str, int], prefix: str = "") -> str | None:
    """The entry of a one-hot that is set, among those that begin with `prefix`."""
    return next((entry.removeprefix(prefix) for entry, n in row.items() if n and entry.startswith(prefix)), None)


def _number(word: str | None) -> int | None:
    return None if word is None else int(word)


def _seat_of(colour: str | None) -> int | None:
    return None if colour is None else COLOURS.index(colour)


def _counts(row: Mapping[str, int], prefix: str = "") -> dict[str, int]:
    """A count of each material."""
    return {material: row[prefix + material] for material in MATERIAL_NAMES}


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {material: count for material, count in counts.items() if count}


def _tile(row: Mapping[str, int]) -> str | None:
    """The tile whose amount a row gives."""
    for entry, amount in row.items():
        if amount and entry.startswith("die:"):
            return entry
        if amount and entry in (*RESOURCE_NAMES, "any_material"):
            return f"{entry}:{amount}"
    return None


# --- the turn


def _turn(read: _Reader) -> Facts:
    row, count, seats = read.row("turn"), read.row("waiting_count"), read.row("seats")
    return {
        "point": _chosen(read.row("point")) or "over",
        "to_move": _seat_of(_chosen(seats, "turn ")),
        "own_turn": bool(row["to move"]),
        "ending": _seat_of(_chosen(seats, "ending ")),
        "turn": count["hundreds"] * TURN_WHEEL + count["turns"] or None,
        "rerolled": bool(row["rerolled"]),
        "moved": _chosen(read.row("moved_die")),
        "landing": _number(_chosen(read.row("landing"), "space ")),
        "obtained": bool(row["obtained"]),
        "worked": bool(row["worked"]),
        "guild": 1 if row["influence 1"] else 2 if row["influence 2"] else None,
        "guild_open": bool(row["influence open"]),
    }


def _waiting(read: _Reader) -> Facts:
    count, material, place = read.row("waiting_count"), read.row("waiting_material"), read.row("waiting_place")
    tower = _chosen(place, "tower ")
    return {
        "section": f"{tower}.{place['level']}" if tower else None,
        "tile": _tile(read.row("waiting_tile")),
        "deliveries": count["deliveries left"],
        "delivered": bool(count["delivered"]),
        "material": _chosen({m: material[m] for m in (*MATERIAL_NAMES, "any_material")}),
        "may_refuse": bool(material["may refuse"]),
        "most": count["most to take"],
        "payments": count["payments left"],
        "gains": count["gains left"],
    }


# --- the market


def _market(read: _Reader) -> list[Facts]:
    crowd = read.row("crowd")
    return [{"tile": _tile(read.row("market", s)), "dice": crowd[f"space {s}"]} for s in range(SPACES)]


def _dice(read: _Reader) -> Facts:
    dice = {}
    for i, die in enumerate(read.dice):
        value = read.row("die_value", i)
        dice[die] = {
            "space": _number(_chosen(read.row("die_space", i), "space ")),
            "value": next(n for n in range(1, 7) if value[str(n)]),
            "blocked": bool(value["blocked"]),
            "yields": _tile(read.row("die_yield", i)),
        }
    return {die: dice[die] for die in DIE_NAMES}


def _guild_actions(read: _Reader) -> list[list[Facts]]:
    return [[_guild_action(read.row("guild", q, side)) for side in range(SIDES)] for q in range(QUADRANTS)]


def _guild_action(row: Mapping[str, int]) -> Facts:
    """The columns of an effect that are not 0; of those that are an entry a material, a list of the materials."""
    action: Facts = {}
    for entry, number in row.items():
        column, _, material = entry.partition(" ")
        if number and material:
            action.setdefault(column, []).append(material)
        elif number:
            action[column] = number
    if "unlimited" in action:
        action["unlimited"] = True
    if "condition" in action:
        action["condition"] = CONDITIONS[action["condition"]]
    return action


def _rules(read: _Reader) -> Facts:
    """Numbers as they are, but the materials of ornaments by their words."""
    material = {f"{kind} material" for kind in ORNAMENTS}
    row = read.row("rules")
    return {entry: MATERIAL_NAMES[n - 1] if entry in material else n for entry, n in row.items()}


def _ivan(read: _Reader) -> Facts:
    turn, rows = read.row("ivan_turn"), [read.row("ivan_tile", place) for place in range(IVAN_CARDS)]
    goods = [read.row("ivan_goods", card) for card in (INVENTORY, CONSTRUCTION)]
    inventory, construction = map(_positive, goods)
    return {
        "cards": [_chosen(read.row("ivan_card", place)) for place in range(IVAN_CARDS)],
        "tiles": [{"die": _chosen(row, "die "), "up": bool(row["face up"])} for row in rows],
        "next": next((place for place, row in enumerate(rows) if row["next"]), None),
        "inventory": inventory,
        "construction": construction,
        "ornament": next((kind for kind in ORNAMENTS if turn[kind]), None),
        "choosing": next((choice for choice in ("claim", "adorn") if turn[choice]), None),
        "card_recognition": turn["card recognition"],
        "card_materials": turn["card materials"],
        "ornament_prestige": turn["ornament prestige"],
    }


# --- the cathedral


def _tower(read: _Reader, tower: int) -> Facts:
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


def _section(read: _Reader, tower: int, level: int, below: bool) -> Facts | None:
    """A section, or None where the plan has none; `below` says whether all sections below it are claimed."""
    row, card = read.row("section", tower, level), read.row("card", tower, level)
    kind = next((k for k in KINDS if row[k]), None)
    if kind is None:
        return None
    owner, ornament = _seat_of(_chosen(row, "banner ")), _seat_of(_chosen(row, "ornament "))
    materials = _positive(_counts(card, "missing "))
    ivans = read.solo and owner == IVANS_SEAT
    return ({"laid": materials, "misses": card["rubles"]} if ivans else {}) | {
        "kind": kind,
        "owner": owner,
        "finished": bool(row["finished"]),
        "missing": {} if ivans else materials,
        "rubles": 0 if ivans else card["rubles"],
        "recognition": card["recognition"],
        "tile": _tile(read.row("section_tile", tower, level)),
        "ornament": None if ornament is None else ORNAMENTS[KINDS.index(kind)],
        "ornament_owner": ornament,
        "on_offer": bool(row.get("on offer", below and owner is None)),  # two players: left to conclude
    }


# --- the seats


def _seats(read: _Reader) -> list[Facts]:
    seats: list[Facts] = [{}] * read.seats
    for i, seat in enumerate(read.seen):
        seats[seat] = _seat(read, i)
    return seats


def _seat(read: _Reader, i: int) -> Facts:
    """The i-th seat from the one that sees."""
    goods, works, numbers = read.row("goods", i), read.row("works", i), read.row("numbers", i)
    ahead, divisors = read.row("prestige_ahead", i), read.divisors["prestige_ahead"]
    workshop = _workshop(read, i) if i < read.players else {}
    return {
        **{name: cut(numbers[name], read.divisors["numbers"][name]) for name in _CUT},
        "prestige_ahead": [cut(number, divisors[entry]) for entry, number in ahead.items()],
        "materials": _positive(_counts(goods)),
        "room": numbers["room"],
        "inventory_banners": goods["inventory banners"],
        "spare_banners": goods["spare banners"],
        "white_banners": [slot for slot in WHITE_SLOTS if works[f"{slot} banner"]],
        "ornaments": {kind: works[_PLURALS[kind]] for kind in ORNAMENTS},
        "claimed": works["claimed"],
        "finished": works["finished"],
        "adorned": works["adorned"],
        "workshop": {slot: workshop[slot] for slot in SLOTS if slot in workshop},
    }


def _workshop(read: _Reader, i: int) -> Facts:
    ornament, workshop = read.row("slot_ornament", i), {}
    for k, slot in enumerate(read.slots):
        row = read.row("workshop", i, k)
        kept = ornament.get(f"slot {slot}", 0)
        workshop[slot] = {
            "tile": "face down" if row["face down"] else _tile(row),
            "price": row["price"],
            "ornament": ORNAMENTS[kept - 1] if kept else None,
        }
    return workshop
