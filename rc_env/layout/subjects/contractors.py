"""The module Contractors in the observation: cities, specialists, tools. These pieces exist in the full build alone.

A specialist is shown by what it does, and by its tool: which of the data file's tiles it is does not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit import rule
from ...rules.expansion import tools
from ...rules.expansion.hire import BONUS
from ...rules.printed import specialist_vocabulary
from ...rules.printed.build_sizes import SPECIALIST_EFFECT
from ...rules.printed.contractors_file import PRESTIGE
from ...rules.printed.expansion_vocabulary import PERMITS
from ...rules.printed.sizes import (
    CITIES,
    CITY_NAMES,
    CONTRACTORS,
    MOST_SPENT,
    RESOURCE_NAMES,
    RESOURCES,
    SEATS,
    SPACES,
    SPECIALIST_SLOTS,
    SPECIALISTS,
    TOOLS,
    TOWERS,
    WORD,
    whole_words,
)
from ...rules.printed.sizes import PERMITS as PERMITS_RESOURCE
from ..packing import ONE, U, as_words, put, seen_from
from ..pieces import AMOUNT, PRICE, Part, Piece, Seating, each, materials, piece
from .decision import clear

_TOOL_NAMES = tuple(f"tool {i + 1}" for i in range(TOOLS))
_OPENED = ("activate", "discard_ornament", "any_material", "resource_tile", "claim")
"""Kinds of specialists that are shown by an entry of their own."""
_SPECIALIST = [
    *each((f"gain {name}" for name in (*RESOURCE_NAMES, "permits")), AMOUNT),
    *materials("pay ", specialist_vocabulary.PAID),
    *each(("recognition", "prestige"), AMOUNT),
    *each(_OPENED),
    ("rubles to spend", MOST_SPENT),
    *each(_TOOL_NAMES),
]
_SPECIALIST_WORDS = whole_words(len(_SPECIALIST)) // WORD
_OF_SPECIALIST = U(_SPECIALIST_WORDS)
_OPEN, _SENT, _SLOT = 0, 1, 1 + SEATS  # entries of `cities`
_TOWER = _SLOT + SPECIALIST_SLOTS
_CITY_WORDS = whole_words(_TOWER + TOWERS) // WORD
_OF_CITY = U(_CITY_WORDS)
_PRESTIGE_ENTRY = TOOLS  # of `tools`, behind the numbers of tiles
_BAG_WORDS = whole_words(TOOLS + len(specialist_vocabulary.KINDS)) // WORD
_NUMBERS = [
    ("module", 1),
    ("hire rubles", PRICE),
    ("prestige a permit", AMOUNT),
    ("most permits", PERMITS[1]),
    *each((f"prestige of {i + 1} tools" for i in range(TOOLS)), PRESTIGE[1]),
    ("prestige in moscow", AMOUNT),
]
_BONUS = [(f"place {i + 1} {name}", AMOUNT) for i in range(CONTRACTORS) for name in BONUS]
_NUMBERS_WORDS, _BONUS_WORDS = whole_words(len(_NUMBERS)) // WORD, whole_words(len(_BONUS)) // WORD


def _pieces(seating: Seating) -> list[Piece]:
    towers = each(f"tower {i + 1}" for i in range(seating.towers))
    city = [("open", 1), *seating.by_seat("contractors", CONTRACTORS)]
    city += [*each(f"slot {i}" for i in range(SPECIALIST_SLOTS)), *towers]
    own_tools = [*each(_TOOL_NAMES, SPECIALISTS), ("prestige", TOOLS * PRESTIGE[1])]
    bag = each((*_TOOL_NAMES, *(f"{kind} tiles" for kind in specialist_vocabulary.KINDS)), SPECIALISTS)
    return [
        piece("market_permits", (), each((f"space {i}" for i in range(SPACES)), AMOUNT), "permits of each market tile"),
        piece(
            "cities",
            (CITIES,),
            city,
            f"the cities, {', '.join(CITY_NAMES)}: whether it is open, contractors of each seat, the slots that it "
            "touches, the tower that it lies over",
            _CITY_WORDS,
        ),
        piece(
            "offer",
            (SPECIALIST_SLOTS,),
            _SPECIALIST,
            "the specialist on each slot: what it gives, the materials that it asks for and what is gained for them, "
            "whether it activates two tiles, discards an ornament, gives a material and a delivery, a market tile or a "
            "claim; recognition or prestige are also what each ruble or the ornament gives; its tool. All 0 where "
            "there is none",
        ),
        piece("specialist", (seating.players,), _SPECIALIST, "the specialist that lies face up on each seat's board"),
        piece(
            "tools",
            (seating.seats,),
            own_tools,
            "tiles that each seat has turned over, by tool; their prestige as it stands",
        ),
        piece("bag", (), bag, "tiles in the bag, by tool and by what they do", _BAG_WORDS),
        piece(
            "module_rules",
            (),
            _NUMBERS,
            "whether the module Contractors is played, and its numbers that matter all game long: rubles for engaging "
            "a specialist, prestige for a permit, the most permits, prestige of groups of tools, and of Ivan in Moscow",
        ),
        piece("hire_bonus", (), _BONUS, "what each place in the row of contractors gives"),
    ]


def _specialist(c: Any, tile: int) -> list[int]:
    """The entries of a specialist."""
    effect = SPECIALIST_EFFECT + tile
    row = [0] * (RESOURCES + 1)
    if c.effect_amount[effect] > 0:
        resource = int(c.effect_resource[effect])
        row[RESOURCES if resource == PERMITS_RESOURCE else resource] = int(c.effect_amount[effect])
    kind = specialist_vocabulary.KINDS[c.specialist_kind[tile]]
    worth = int(c.effect_worth[effect])
    spends = kind == "spend_rubles"
    return [
        *row,
        *c.effect_fixed[effect],
        int(c.effect_recognition[effect]) + worth * spends,
        int(c.effect_prestige[effect]) + worth * (kind == "discard_ornament"),
        *(int(kind == name) for name in _OPENED),
        int(c.effect_count[effect]) * spends,
        *(int(c.tool[tile] == tool) for tool in range(TOOLS)),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    if not c.module:
        return
    for tile in range(SPECIALISTS):
        v.specialist_word[tile + 1] = as_words(_specialist(c, tile), _SPECIALIST_WORDS)
    for tile in range(SPACES):
        v.permits_of_tile[tile] = int(c.market_amount[tile]) * (int(c.market_kind[tile]) == PERMITS_RESOURCE)
    for city in range(CITIES):
        row = [0] * _SLOT + [int(there) for there in c.city_slot[city]]
        v.city_word[city] = as_words(row, _CITY_WORDS)
    numbers = [c.module, c.hire_rubles, c.prestige_per_permit, c.permits_most, *c.tools_prestige[1:], c.ivan_moscow]
    v.module_word[:] = as_words(numbers, _NUMBERS_WORDS)
    v.bonus_word[:] = as_words(c.bonus.ravel(), _BONUS_WORDS)


@rule
def _write(c, v, g, words, me, seen):
    if c.module:  # without it the words are 0 from the start
        _write_cities(c, v, g, me, seen)
        _write_specialists(c, v, g, me, seen)
        _write_tools(c, v, g, me, seen)
        for i in range(_NUMBERS_WORDS):
            seen.word[v.module_rules + U(i)] = v.module_word[i]
        for i in range(_BONUS_WORDS):
            seen.word[v.hire_bonus + U(i)] = v.bonus_word[i]


@rule
def _write_cities(c, v, g, me, seen):
    """Write the cities, and the permits that market tiles give."""
    clear(seen, v.market_permits, 1)
    for space in range(SPACES):
        put(seen, v.market_permits, space, v.permits_of_tile[g.market[space]])
    for city in range(U(CITIES)):
        place = v.cities + city * _OF_CITY
        for k in range(_OF_CITY):
            seen.word[place + k] = v.city_word[city, k]
        put(seen, place, _OPEN, g.city_open[city])
        for seat in range(c.seats):
            put(seen, place, _SENT + seen_from(c, me, seat), g.sent[city, seat])
    for tower in range(c.towers):
        put(seen, v.cities + U(g.city_over[tower]) * _OF_CITY, _TOWER + tower, 1)


@rule
def _write_specialists(c, v, g, me, seen):
    """Write the specialists on the slots and on the boards of the players."""
    place = v.offer
    for slot in range(SPECIALIST_SLOTS):
        for k in range(_OF_SPECIALIST):
            seen.word[place] = v.specialist_word[U(g.offer[slot] + 1), k]
            place += ONE
    for seat in range(c.players):
        place = v.specialist + U(seen_from(c, me, seat)) * _OF_SPECIALIST
        for k in range(_OF_SPECIALIST):
            seen.word[place + k] = v.specialist_word[U(g.specialist[seat] + 1), k]


@rule
def _write_tools(c, v, g, me, seen):
    """Write the tools of the seats, and what is in the bag."""
    clear(seen, v.tools, c.seats)
    clear(seen, v.bag, _BAG_WORDS)
    for seat in range(c.seats):
        if g.tools[seat] != 0:
            place = v.tools + U(seen_from(c, me, seat))
            for tile in range(SPECIALISTS):
                seen.word[place] += ((U(g.tools[seat]) >> U(tile)) & ONE) << U(WORD * c.tool[tile])
            put(seen, place, _PRESTIGE_ENTRY, tools.prestige(c, g, seat))
    for tile in range(SPECIALISTS):
        if (U(g.bag) >> U(tile)) & ONE:
            seen.word[v.bag] += ONE << U(WORD * c.tool[tile])
            entry = TOOLS + c.specialist_kind[tile]
            seen.word[v.bag + U(entry >> 3)] += ONE << U(WORD * (entry & 7))


CONTRACTORS_PART = Part(
    _pieces,
    _write,
    (
        ("specialist_word", np.uint64, (SPECIALISTS + 1, _SPECIALIST_WORDS)),  # by specialist plus one: row 0 is none
        ("permits_of_tile", np.uint8, (SPACES,)),  # by market tile
        ("city_word", np.uint64, (CITIES, _CITY_WORDS)),
        ("module_word", np.uint64, (_NUMBERS_WORDS,)),
        ("bonus_word", np.uint64, (_BONUS_WORDS,)),
    ),
    _fill,
)

assert _TOWER < 2 * WORD and _SENT + SEATS <= WORD and TOOLS < WORD
