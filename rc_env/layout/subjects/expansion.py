"""The guilds of the expansion and the promos in the observation: these pieces exist in the full build alone.

Special tiles show in `special_tile` alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit import rule
from ...rules.points import Point
from ...rules.printed.build_sizes import EFFECTS
from ...rules.printed.expansion_vocabulary import PER_PERMITS, PER_RUBLES, PERMITS
from ...rules.printed.sizes import (
    BLACK_DIE,
    CARDS_DRAWN,
    CONTRACTS,
    CONTRACTS_DRAWN,
    HAND,
    LEVELS,
    MATERIALS,
    QUADRANTS,
    REINFORCEMENT_NAMES,
    REINFORCEMENTS,
    RESOURCE_NAMES,
    SIDES,
    SLOTS,
    SPECIAL_KIND,
    SPECIAL_NAMES,
    SPECIAL_TILES,
    TOWERS,
    WORD,
    whole_words,
)
from ..packing import ONE, U, as_words, effects_of, put, seen_from
from ..pieces import AMOUNT, COST, POINTS, PRICE, Part, Piece, Seating, each, materials, piece
from .decision import clear, slot_entries

# Points that an action of a guild card opens, in the entries of `guild_more`.
_OPENED = tuple(point for point in Point if Point.RESOURCE <= point <= Point.REINFORCEMENT)
_MORE = [
    ("price recognition", AMOUNT),
    *materials("fixed ", AMOUNT),
    ("fixed diamonds", AMOUNT),
    ("in order", 1),
    ("diamonds", AMOUNT),
    ("then material", 1),
    *each(point.name.lower() for point in _OPENED),
    ("mode", 4),
    ("count", AMOUNT),
    ("divisor", AMOUNT),
    ("to player", PRICE),
    ("from player", AMOUNT),
    *each(("price permits", "permits"), PERMITS[1]),
    *each(("rubles a contractor", "permits a contractor", "black die")),
]
_MORE_WORDS = whole_words(len(_MORE)) // WORD


def _pieces(seating: Seating) -> list[Piece]:
    numbers = each(f"contract {i + 1}" for i in range(CONTRACTS))
    return [
        piece("foreman", (), each(f"tower {i + 1}" for i in range(seating.towers)), "the foreman's tower, one-hot"),
        piece(
            "section_diamonds",
            (seating.towers,),
            each((f"level {i + 1}" for i in range(LEVELS)), COST),
            "diamonds that lie on each section",
        ),
        piece("own_contracts", (), numbers, "the contracts that the seat holds"),
        piece("drawn_contracts", (), numbers, "those it has drawn and not yet chosen from"),
        piece("contract_counts", (), seating.by_seat("contracts", HAND), "how many contracts each seat holds"),
        piece(
            "drawn_cards",
            (CARDS_DRAWN,),
            [*materials("cost ", COST), *each(("rubles", "recognition"), POINTS)],
            "the cathedral cards that are drawn, in order",
        ),
        piece("drawn_left", (), materials("", COST), "materials that may still be taken of the drawn card"),
        piece(
            "reinforcements",
            (1 + seating.seats,),
            each(REINFORCEMENT_NAMES),
            "the reinforcement tiles that are left to take, then those that each seat holds",
        ),
        piece(
            "special_tile",
            (seating.players, SPECIAL_TILES),
            [*each(slot_entries(seating)), ("to place", 1)],
            f"where each special tile of a seat lies, {', '.join(SPECIAL_NAMES)}: its slot, or still to be placed",
        ),
    ]


def _more_pieces(seating: Seating) -> list[Piece]:
    return [
        piece(
            "guild_more",
            (QUADRANTS, SIDES),
            _MORE,
            "each action of the guild card in each quadrant: recognition, materials and diamonds that it costs; "
            "whether payments may be of equal materials; diamonds received; whether a material of choice follows; the "
            "decision point that it opens, one-hot, in which way and how often; by what recognition is divided; rubles "
            "that another player receives and prestige that this player gives; permits that it costs and gives; "
            "rubles or permits for each contractor in a city; whether it gives the tile of the black die's space",
            _MORE_WORDS,
        ),
        piece(
            "expansion_rules",
            (),
            [
                ("foreman recognition", AMOUNT),
                ("foreman penalty", AMOUNT),
                *each((f"reinforcement {name}" for name in ("rubles", "recognition", "deliver", "materials")), AMOUNT),
                ("special diamonds", AMOUNT),
                ("special rubles", POINTS),
            ],
            "numbers of the expansion's data file that matter all game long",
        ),
    ]


def _more(c: Any, effect: int) -> list[int]:
    """The entries of `guild_more` of one action."""
    return [
        c.effect_price_recognition[effect],
        *c.effect_fixed[effect],
        c.effect_fixed_diamonds[effect],
        c.effect_ordered[effect],
        c.effect_diamonds[effect],
        c.effect_then_material[effect],
        *(int(c.effect_opens[effect] == point) for point in _OPENED),
        c.effect_mode[effect],
        max(0, c.effect_count[effect]),
        c.effect_divisor[effect],
        c.effect_to_player[effect],
        c.effect_from_player[effect],
        c.effect_price_permits[effect],
        c.effect_permits[effect],
        int(c.effect_contractors[effect] == PER_RUBLES),
        int(c.effect_contractors[effect] == PER_PERMITS),
        int(c.effect_die[effect] == BLACK_DIE),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    effects = effects_of(c)
    for effect in range(EFFECTS):
        v.more_word[effect] = as_words(_more(effects, effect), _MORE_WORDS)
    amounts = {name: int(c.reinforcement_amount[i]) for i, name in enumerate(REINFORCEMENT_NAMES)}
    numbers = [c.foreman_recognition, c.foreman_penalty]
    numbers += [amounts[name] for name in ("rubles", "recognition", "deliver", "materials")]
    numbers += [c.special_amount[SPECIAL_NAMES.index(name)] for name in ("diamond", "material")]
    v.expansion_word = as_words(numbers, 1)[0]


@rule
def _write(c, v, g, words, me, seen):
    clear(seen, v.foreman, 1)
    if g.foreman >= 0:
        put(seen, v.foreman, g.foreman, 1)
    clear(seen, v.section_diamonds, c.towers)
    for section in range(c.sections):
        if g.card_diamonds[section] > 0:
            put(seen, v.section_diamonds + U(g.tower[section]), g.level[section], g.card_diamonds[section])
    _write_hands(c, v, g, me, seen)
    _write_drawn(c, v, g, seen)
    _write_seats(c, v, g, me, seen)


@rule
def _write_hands(c, v, g, me, seen):
    """Write the contracts that the seat holds or has drawn, and how many the others hold."""
    clear(seen, v.own_contracts, 5)  # with those drawn, and the counts behind them
    for i in range(HAND):
        if g.hand[me, i] >= 0:
            put(seen, v.own_contracts, g.hand[me, i], 1)
    if U(g.seat) == me:
        for i in range(CONTRACTS_DRAWN):
            if g.drawn_contract[i] >= 0:
                put(seen, v.drawn_contracts, g.drawn_contract[i], 1)
    for seat in range(c.seats):
        held = 0
        for i in range(HAND):
            held += g.hand[seat, i] >= 0
        put(seen, v.contract_counts, seen_from(c, me, seat), held)


@rule
def _write_drawn(c, v, g, seen):
    """Write the cathedral cards that are drawn."""
    clear(seen, v.drawn_cards, CARDS_DRAWN + 1)  # with what is left behind them
    for i in range(CARDS_DRAWN):
        if g.drawn_card[i] >= 0:
            for k in range(len(RESOURCE_NAMES)):
                put(seen, v.drawn_cards + U(i), k, c.card[U(g.drawn_card[i]), k])
    for material in range(MATERIALS):
        put(seen, v.drawn_left, material, g.drawn_left[material])


@rule
def _write_seats(c, v, g, me, seen):
    """Write reinforcement tiles and special tiles of the seats."""
    clear(seen, v.reinforcements, 1 + c.seats)
    for tile in range(REINFORCEMENTS):
        if g.reinforcement[tile] >= 0:
            put(seen, v.reinforcements + ONE + U(seen_from(c, me, g.reinforcement[tile])), tile, 1)
        elif g.reinforcement[tile] == -1:
            put(seen, v.reinforcements, tile, 1)
    clear(seen, v.special_tile, c.players * SPECIAL_TILES)
    for seat in range(c.players):
        place = U(seen_from(c, me, seat))
        first = v.special_tile + place * U(SPECIAL_TILES)
        if g.special[seat] >= 0:
            put(seen, first + U(g.special[seat]), SLOTS, 1)
        for slot in range(SLOTS):
            if g.slot_tile[seat, slot] >= SPECIAL_KIND:
                put(seen, first + U(g.slot_tile[seat, slot] - SPECIAL_KIND), c.slot_seen_as[me, slot], 1)


@rule
def _write_more(c, v, g, words, me, seen):
    place = v.guild_more
    for quadrant in range(U(QUADRANTS)):
        effect = U(SIDES * g.influence[quadrant])
        for _ in range(U(SIDES)):
            for k in range(U(_MORE_WORDS)):
                seen.word[place] = v.more_word[effect, k]
                place += ONE
            effect += ONE
    seen.word[v.expansion_rules] = v.expansion_word


COMPONENTS_PART = Part(_pieces, _write)
CARDS_PART = Part(
    _more_pieces,
    _write_more,
    (("more_word", np.uint64, (EFFECTS, _MORE_WORDS)), ("expansion_word", np.uint64)),  # by effect; of the data file
    _fill,
)

assert CONTRACTS <= 2 * WORD and REINFORCEMENTS <= WORD and SLOTS < WORD and TOWERS <= WORD
