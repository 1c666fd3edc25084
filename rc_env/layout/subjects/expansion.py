"""The guilds of the expansion and the promos in the observation: these pieces exist in the full build alone.

Some entries of base pieces mean more there: `point` has the new decision points; `any_material` of `waiting_material`
stands for a diamond where a material is given or received in turn. Special tiles show in `special_tile` alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit import rule
from ...rules.builders import CARD_PIECES, FROM_CARD
from ...rules.expansion_vocabulary import BY_TILE, EXCHANGE, FALSE_PLANS
from ...rules.points import EFFECT, POINT, A, B, C, Point
from ...rules.sizes import (
    CARDS_DRAWN,
    CARDS_IN_ALL,
    CONTRACTS,
    CONTRACTS_DRAWN,
    EFFECTS,
    HAND,
    INVENTORY_SPACES,
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
    TILE_EFFECT,
    TOWERS,
    WHITE_SLOTS,
    WORD,
    whole_words,
)
from ..pieces import AMOUNT, COST, POINTS, PRICE, SUPPLY, Part, Piece, Seating, each, materials, piece
from ..words import ONE, U, as_words, put, seen_from

MODES = {
    Point.RESOURCE: ("any die", "times dice", "tile once"),
    Point.INFLUENCE: ("any guild", "other guilds", "by the guild tile"),
    Point.PLAYER: ("banners", "rubles", "exchange"),
    Point.SECTION: ("section rubles", "section recognition", "false plans"),
    Point.TILE: ("own tile", "another's tile", "same tile", "two tiles", "given tile"),
    Point.EXTRA: ("one action", "same action", "two actions"),
}
"""The ways in which a decision point may be meant, by point, in the order of the modes of effects."""
_MODE_NAMES = tuple(name for names in MODES.values() for name in names)
_FIRST_MODE = np.zeros(len(Point), np.int64)
for _point, _names in MODES.items():
    _FIRST_MODE[_point] = _MODE_NAMES.index(_names[0])
_OTHERS = (
    "used before",
    "left",
    "free placement",
    "may refuse",
    "card pieces",
    "card resource",
    "reinforced",
    "chosen",
)
_USED, _LEFT, _FREE, _REFUSE, _PIECES, _RESOURCE, _REINFORCED, _CHOSEN = range(
    len(_MODE_NAMES), len(_MODE_NAMES) + len(_OTHERS)
)
_DECISION_WORDS = whole_words(len(_MODE_NAMES) + len(_OTHERS)) // WORD
_DECK, _DISCARDS, _CONTRACT_DECK = 5, 6, 7  # entries of `stocks`, behind the diamonds

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
]
_MORE_WORDS = whole_words(len(_MORE)) // WORD


def _pieces(seating: Seating) -> list[Piece]:
    decision = [*each(_MODE_NAMES), ("used before", 2), ("left", 3), *each(("free placement", "may refuse"))]
    decision += [("card pieces", 2), *each(("card resource", "reinforced", "chosen"))]
    slots = [
        *(f"slot {name}" for name in seating.dice[: SLOTS - len(WHITE_SLOTS)]),
        *(f"slot {n}" for n in WHITE_SLOTS),
    ]
    stocks = [("diamonds", SUPPLY), *seating.by_seat("diamonds", INVENTORY_SPACES)]
    stocks += [("builders' deck", CARDS_IN_ALL), ("builders' discards", CARDS_IN_ALL), ("contract deck", CONTRACTS)]
    numbers = each(f"contract {i + 1}" for i in range(CONTRACTS))
    return [
        piece(
            "decision",
            (),
            decision,
            "in which way the current decision point is meant, one-hot; what was used before (1 obtain, 2 workshop), "
            "activations or actions that are left; whether the placement is free, whether the choice may be refused, "
            "how many pieces of a drawn card may be taken and whether they are any resource; whether a reinforcement "
            "tile was used in this turn; whether the guild tile has chosen its action; the material that is exchanged "
            "stands in `waiting_material`, where `any_material` is a diamond",
        ),
        piece("decision_slot", (), each(slots), "the workshop slot that was used, or whose tile is given"),
        piece("decision_player", (), seating.by_seat("exchange"), "whose material is received in an exchange"),
        piece(
            "decision_guild",
            (),
            each(f"quadrant {q} action {k + 1}" for q in range(QUADRANTS) for k in range(SIDES)),
            "the action of a guild card that the current decision point serves, one-hot",
        ),
        piece(
            "stocks",
            (),
            stocks,
            "diamonds in the supply and with each seat; cards in the master builders' deck, discarded, and in the "
            "contract deck",
        ),
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
            [*each(slots), ("to place", 1)],
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
            "that another player receives and prestige that this player gives",
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
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    for effect in range(EFFECTS):
        v.more_word[effect] = as_words(_more(c, effect), _MORE_WORDS)
    amounts = {name: int(c.reinforcement_amount[i]) for i, name in enumerate(REINFORCEMENT_NAMES)}
    numbers = [c.foreman_recognition, c.foreman_penalty]
    numbers += [amounts[name] for name in ("rubles", "recognition", "deliver", "materials")]
    numbers += [c.special_amount[SPECIAL_NAMES.index(name)] for name in ("diamond", "material")]
    v.expansion_word = as_words(numbers, 1)[0]


@rule
def _clear(seen, place, words):
    """Set consecutive words to 0, so that entries can be put there."""
    for i in range(words):
        seen.word[place + U(i)] = U(0)


@rule
def _write(c, v, g, w, me, seen):
    _clear(seen, v.decision, _DECISION_WORDS + 5)  # with the slot, player, action, stocks and foreman behind it
    if g.depth > 0:
        _write_decision(c, v, g, me, seen)
    put(seen, v.decision, _REINFORCED, g.reinforced)
    put(seen, v.stocks, 0, g.diamond_supply)
    cards = U(0)
    for card in range(CARDS_IN_ALL):
        cards += (g.builder_deck >> U(card)) & ONE
    put(seen, v.stocks, _DECK, cards)
    put(seen, v.stocks, _DISCARDS, g.discards)
    put(seen, v.stocks, _CONTRACT_DECK, g.contracts_left)
    if g.foreman >= 0:
        put(seen, v.foreman, g.foreman, 1)
    _clear(seen, v.section_diamonds, c.towers)
    for section in range(c.sections):
        if g.card_diamonds[section] > 0:
            put(seen, v.section_diamonds + U(g.tower[section]), g.level[section], g.card_diamonds[section])
    _write_hands(c, v, g, me, seen)
    _write_drawn(c, v, g, seen)
    _write_seats(c, v, g, me, seen)


@rule
def _write_decision(c, v, g, me, seen):
    """Write in which way the current decision point is meant."""
    f = g.stack[U(g.depth - 1)]
    point = f[POINT]
    slot = -1
    if point == Point.TILE or point == Point.EXTRA:
        mode = np.int64(c.effect_mode[U(f[EFFECT])]) if f[EFFECT] >= 0 else 0
        put(seen, v.decision, _FIRST_MODE[point] + mode, 1)
        put(seen, v.decision, _LEFT, f[A])
        if point == Point.EXTRA:
            put(seen, v.decision, _USED, f[B])
        elif f[B] > 0:
            slot = f[B] - 1
    elif point == Point.RESOURCE or point == Point.INFLUENCE or point == Point.PLAYER or point == Point.SECTION:
        put(seen, v.decision, _FIRST_MODE[point] + f[A], 1)
        put(seen, v.decision, _REFUSE, f[C] > 0 and point != Point.SECTION)
        if point == Point.INFLUENCE:
            put(seen, v.decision, _CHOSEN, f[A] == BY_TILE and f[B] > 0)
        elif point == Point.SECTION and f[A] == FALSE_PLANS:
            slot = f[B]
        elif point == Point.PLAYER and f[A] == EXCHANGE:
            put(seen, v.waiting_material, f[B], 1)  # a diamond follows the materials: it stands as any material
    elif point == Point.PLACE:
        put(seen, v.decision, _FREE, f[B])
    elif point == Point.TAKE and f[A] == FROM_CARD:
        put(seen, v.decision, _PIECES, f[B] - CARD_PIECES if f[B] > CARD_PIECES else f[B])
        put(seen, v.decision, _RESOURCE, f[B] <= CARD_PIECES)
    elif point == Point.GAIN and f[C] > 0:
        put(seen, v.decision_player, seen_from(c, me, f[C] - 1), 1)
    if slot >= 0:
        put(seen, v.decision_slot, c.slot_seen_as[me, U(slot)], 1)
    effect = f[EFFECT]
    if point == Point.INFLUENCE and f[A] == BY_TILE:
        effect = f[B] - 1  # the action that the guild tile has chosen
    if 0 <= effect < TILE_EFFECT:
        for quadrant in range(QUADRANTS):
            if g.influence[quadrant] == effect // SIDES:
                put(seen, v.decision_guild, SIDES * quadrant + effect % SIDES, 1)


@rule
def _write_hands(c, v, g, me, seen):
    """Write the contracts that the seat holds or has drawn, and how many the others hold."""
    _clear(seen, v.own_contracts, 5)  # with those drawn, and the counts behind them
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
    _clear(seen, v.drawn_cards, CARDS_DRAWN + 1)  # with what is left behind them
    for i in range(CARDS_DRAWN):
        if g.drawn_card[i] >= 0:
            for k in range(len(RESOURCE_NAMES)):
                put(seen, v.drawn_cards + U(i), k, c.card[U(g.drawn_card[i]), k])
    for material in range(MATERIALS):
        put(seen, v.drawn_left, material, g.drawn_left[material])


@rule
def _write_seats(c, v, g, me, seen):
    """Write diamonds, reinforcement tiles and special tiles of the seats."""
    _clear(seen, v.reinforcements, 1 + c.seats)
    for tile in range(REINFORCEMENTS):
        if g.reinforcement[tile] >= 0:
            put(seen, v.reinforcements + ONE + U(seen_from(c, me, g.reinforcement[tile])), tile, 1)
        elif g.reinforcement[tile] == -1:
            put(seen, v.reinforcements, tile, 1)
    _clear(seen, v.special_tile, c.players * SPECIAL_TILES)
    for seat in range(c.players):
        place = U(seen_from(c, me, seat))
        put(seen, v.stocks, ONE + place, g.diamonds[seat])
        first = v.special_tile + place * U(SPECIAL_TILES)
        if g.special[seat] >= 0:
            put(seen, first + U(g.special[seat]), SLOTS, 1)
        for slot in range(SLOTS):
            if g.slot_tile[seat, slot] >= SPECIAL_KIND:
                put(seen, first + U(g.slot_tile[seat, slot] - SPECIAL_KIND), c.slot_seen_as[me, slot], 1)


@rule
def _write_more(c, v, g, w, me, seen):
    place = v.guild_more
    for quadrant in range(U(QUADRANTS)):
        effect = U(SIDES * g.influence[quadrant])
        for _ in range(U(SIDES)):
            for k in range(U(_MORE_WORDS)):
                seen.word[place] = v.more_word[effect, k]
                place += ONE
            effect += ONE
    seen.word[v.expansion_rules] = v.expansion_word


GUILDS_PART = Part(_pieces, _write)
CARDS_PART = Part(
    _more_pieces,
    _write_more,
    (("more_word", np.uint64, (EFFECTS, _MORE_WORDS)), ("expansion_word", np.uint64)),  # by effect; of the data file
    _fill,
)

assert CONTRACTS <= 2 * WORD and REINFORCEMENTS <= WORD and SLOTS < WORD and TOWERS <= WORD
