"""The features of an observation of the full game, in addition to those that `features.py` computes for every game.

Cities with what lies on their slots and how far their towers are, what the tool of each specialist would add, the
workshops slot by slot, and what the actions of the fourth guild ask for where a die would land. A game without the
module Contractors has zeros for what belongs to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.jit import rule
from rc_env.layout.pieces import Piece
from rc_env.rules.printed.sizes import (
    BLACK_DIE,
    CITIES,
    CONTRACTORS,
    SIDES,
    SLOTS,
    SPACES,
    SPACES_PER_QUADRANT,
    SPECIAL_TILES,
    SPECIALIST_SLOTS,
    TOOLS,
)

Notes = tuple[tuple[str, float], ...]
"""The names of features, in their order, and the size that each usually has, squared."""

OFFERED = 29  # entries of a specialist that are in use
GUILD_MORE = 31  # of an action of a guild card: what only the full game has
BONUS = 5  # of a place in the row of contractors

SLOT: Notes = (("ornament", 1), ("face down", 1), ("price", 3), *((("special", 1),) * SPECIAL_TILES))
CITY: Notes = (
    ("contractors", 3), ("permits missing", 3), ("can hire", 1), ("banners", 2), ("banners of another", 2),
    ("unclaimed", 3), ("unfinished", 4), ("tool", 4), *((("offered", 3),) * OFFERED),
)  # fmt: skip
OFFER: Notes = (("tool", 4), ("tool for another", 4))
TOWER_MORE: Notes = (("contractors", 1), ("contractors of another", 1), ("unclaimed", 3), ("unfinished", 4))
HAND_MORE: Notes = (("tool", 4), *((("bonus", 4),) * BONUS))
HERE: Notes = (("guild", 1),) * GUILD_MORE
MOVE_MORE: Notes = (("permits", 2), ("permits of the tile", 2), ("black", 1), *(HERE * SIDES))
SLOT_SIZE, CITY_SIZE, OFFER_SIZE, TOWER_MORE_SIZE = len(SLOT), len(CITY), len(OFFER), len(TOWER_MORE)
MOVE_MORE_SIZE = len(MOVE_MORE)
CITY_OFFERED = CITY_SIZE - OFFERED  # where the entries of what is offered begin among the notes of a city

_FROM = (
    "landing", "crowd", "guild_more", "cities", "offer", "specialist", "tools", "module_rules", "hire_bonus", "permits",
    "section", "market_permits", "workshop", "slot_ornament", "slot_face_down", "slot_price", "special_tile",
)  # fmt: skip
AT = np.dtype(
    [
        (name, np.int64)
        for name in (
            *_FROM,
            *(f"{name}_width" for name in _FROM),
            *("tool", "prestige", "contractors", "sent", "slot", "over", "tile_permits", "finished", "banners"),
            *("players", "seats", "towers", "levels"),
            *("slots", "city_notes", "offers", "tower_more", "hand_more", "here", "moves_more"),
        )
    ]
)
"""As `features.AT`, of what is read and written here."""


def places(pieces: dict[str, Piece], seats: int, begin: dict[str, int]) -> dict[str, int]:
    """The values of AT: pieces by name, the number of seats, and where what is worked out begins."""

    def entry(piece: str, name: str) -> int:
        return pieces[piece].entries.index(name)

    assert entry("offer", "tool 6") == OFFERED - 1 and pieces["guild_more"].entries[GUILD_MORE - 1] == "black die"
    return {
        **{name: pieces[name].offset for name in _FROM},
        **{f"{name}_width": pieces[name].shape[-1] for name in _FROM},
        "tool": entry("offer", "tool 1"),
        "prestige": pieces["module_rules"].offset + entry("module_rules", "prestige of 1 tools"),
        "contractors": pieces["permits"].offset + entry("permits", "contractors own"),
        "sent": entry("cities", "contractors own"),
        "slot": entry("cities", "slot 0"),
        "over": entry("cities", "tower 1"),
        "tile_permits": entry("workshop", "permits"),
        "finished": entry("section", "finished"),
        "banners": entry("section", "banner own"),
        "players": pieces["workshop"].shape[0],
        "seats": seats,
        "towers": pieces["card"].shape[0],
        "levels": pieces["card"].shape[1],
        **{name: begin[name] for name in ("slots", "city_notes", "offers", "tower_more", "hand_more", "here")},
        "moves_more": begin["moves_more"],
    }


@rule
def number(o: Any, place: Any) -> Any:
    """The number in a place, to reckon with: bytes would be added up as bytes."""
    return np.int64(o[place])


@rule
def write_full(o: Any, at: Any, y: Any) -> None:
    """Write what is worked out of the full game for all actions; `write_move_more` does it for a move."""
    write_slots(o, at, y)
    write_tower_more(o, at, y)
    write_offers(o, at, y)
    write_cities(o, at, y)
    write_hand_more(o, at, y)
    for space in range(SPACES):
        if o[at.landing + space] > 0:
            write_here(o, at, space, y, at.here)


@rule
def write_slots(o: Any, at: Any, y: Any) -> None:
    """Write for each slot of each player's workshop: ornament, face down, price, special tile."""
    for k in range(at.players):
        for slot in range(SLOTS):
            p = at.slots + (k * SLOTS + slot) * SLOT_SIZE
            y[p] = o[at.slot_ornament + k * at.slot_ornament_width + slot]
            y[p + 1] = o[at.slot_face_down + k * at.slot_face_down_width + slot]
            y[p + 2] = o[at.slot_price + k * at.slot_price_width + slot]
            for kind in range(SPECIAL_TILES):
                y[p + 3 + kind] = o[at.special_tile + (k * SPECIAL_TILES + kind) * at.special_tile_width + slot]


@rule
def write_tower_more(o: Any, at: Any, y: Any) -> None:
    """Write for each tower: own contractors in its city, the most of another seat; sections unclaimed and
    unfinished."""
    for t in range(at.towers):
        p = at.tower_more + t * TOWER_MORE_SIZE
        for city in range(CITIES):
            c = at.cities + city * at.cities_width
            if o[c + at.over + t] > 0:
                y[p] = o[c + at.sent]
                for k in range(1, at.seats):
                    y[p + 1] = max(y[p + 1], o[c + at.sent + k])
        for level in range(at.levels):
            s = at.section + (t * at.levels + level) * at.section_width
            if o[s] > 0 or o[s + 1] > 0 or o[s + 2] > 0:
                claimed = o[s + at.finished] > 0
                for k in range(at.seats):
                    claimed = claimed or o[s + at.banners + k] > 0
                y[p + 2] += not claimed
                y[p + 3] += o[s + at.finished] == 0


@rule
def gain_of_tool(o: Any, at: Any, k: Any, tool: Any) -> Any:
    """The prestige that a tool adds to those of the k-th seat and to that of its specialist (R-59); Ivan holds none."""
    held = at.specialist + k * at.specialist_width + at.tool
    row, holds = at.tools + k * at.tools_width, np.int64(k < at.players)
    copies = number(o, row + tool) + holds * number(o, held + tool)
    size = 0
    for other in range(TOOLS):
        size += number(o, row + other) + holds * number(o, held + other) > copies
    least = number(o, at.prestige + size - 1) if size > 0 else np.int64(0)
    return number(o, at.prestige + size) - least


@rule
def write_offers(o: Any, at: Any, y: Any) -> None:
    """Write for each specialist on a slot what its tool would add, and the most that it would add to another seat's."""
    for slot in range(SPECIALIST_SLOTS):
        p = at.offers + slot * OFFER_SIZE
        for tool in range(TOOLS):
            if o[at.offer + slot * at.offer_width + at.tool + tool] > 0:
                y[p] = gain_of_tool(o, at, 0, tool)
                for k in range(1, at.seats):
                    y[p + 1] = max(np.int64(y[p + 1]), gain_of_tool(o, at, k, tool))


@rule
def write_cities(o: Any, at: Any, y: Any) -> None:
    """Write for each city: its contractors and whether another can be sent, its tower, and what its slots offer."""
    permits = number(o, at.permits)
    for city in range(CITIES):
        c, p = at.cities + city * at.cities_width, at.city_notes + city * CITY_SIZE
        there = np.int64(0)
        for k in range(at.seats):
            there += number(o, c + at.sent + k)
        y[p] = there
        if o[c] > 0:
            y[p + 1] = max(there + 1 - permits, 0)
            y[p + 2] = there < permits and o[at.contractors] > 0
        for t in range(at.towers):
            if o[c + at.over + t] > 0:
                for k in range(at.seats):
                    banners = 0
                    for level in range(at.levels):
                        s = at.section + (t * at.levels + level) * at.section_width
                        banners += o[s + at.banners + k] > 0
                    if k == 0:
                        y[p + 3] = banners
                    else:
                        y[p + 4] = max(np.int64(y[p + 4]), banners)
                y[p + 5] = y[at.tower_more + t * TOWER_MORE_SIZE + 2]
                y[p + 6] = y[at.tower_more + t * TOWER_MORE_SIZE + 3]
        for slot in range(SPECIALIST_SLOTS):
            if o[c + at.slot + slot] > 0:
                y[p + 7] = max(y[p + 7], y[at.offers + slot * OFFER_SIZE])
                for e in range(OFFERED):
                    q = p + CITY_OFFERED + e
                    y[q] = max(y[q], o[at.offer + slot * at.offer_width + e])


@rule
def write_hand_more(o: Any, at: Any, y: Any) -> None:
    """Write what the tool of the own specialist adds, and the bonus of the contractor that is sent next."""
    for tool in range(TOOLS):
        if o[at.specialist + at.tool + tool] > 0:
            row, copies, size = at.tools, number(o, at.tools + tool), 0
            for other in range(TOOLS):
                size += number(o, row + other) > copies
            least = number(o, at.prestige + size - 1) if size > 0 else np.int64(0)
            y[at.hand_more] = number(o, at.prestige + size) - least
    left = number(o, at.contractors)
    if left > 0:
        place = at.hire_bonus + (CONTRACTORS - left) * BONUS
        for e in range(BONUS):
            y[at.hand_more + 1 + e] = o[place + e]


@rule
def write_here(o: Any, at: Any, space: Any, y: Any, p: Any) -> None:
    """Write the costs and gains of both guild actions at a space that only the full game has."""
    quadrant = space // SPACES_PER_QUADRANT
    for side in range(SIDES):
        row = at.guild_more + (quadrant * SIDES + side) * at.guild_more_width
        for e in range(GUILD_MORE):
            y[p + side * GUILD_MORE + e] = o[row + e]


@rule
def write_move_more(o: Any, at: Any, die: Any, slot: Any, space: Any, dice: Any, y: Any, p: Any) -> None:
    """Write for a move: permits of the space where it ends and of the die's tile, whether the die is black, the
    guild."""
    y[p] = np.uint8(min(number(o, at.market_permits + space) * dice, 255))
    if slot >= 0:
        y[p + 1] = o[at.workshop + at.workshop_width * slot + at.tile_permits]
    y[p + 2] = die == BLACK_DIE
    write_here(o, at, space, y, p + 3)
