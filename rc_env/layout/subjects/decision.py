"""The subject of the current decision point in the full game, and stocks that change with any decision.

These pieces exist in the full build alone. Some entries of base pieces mean more there: `point` has the new decision
points; `any_material` of `waiting_material` stands for a diamond where a material is given or received in turn.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from ...rules.expansion.builders import CARD_PIECES, FROM_CARD
from ...rules.expansion.specialists import DELIVERY_LEFT, MATERIAL_LEFT
from ...rules.points import (
    BOTH_BEGUN,
    BOTH_LEFT,
    EFFECT,
    EXTRA_LEFT,
    EXTRA_USED,
    GAIN_FROM,
    HIRE_CITY,
    INFLUENCE_CHOSEN,
    PLACE_FREE,
    PLAYER_GIVEN,
    POINT,
    REFUSABLE,
    SECTION_SLOT,
    TAKE_MATERIAL,
    TAKE_PIECES,
    TILE_LEFT,
    TILE_USED,
    WAY,
    Point,
)
from ...rules.printed.expansion_vocabulary import BY_TILE, EXCHANGE, FALSE_PLANS
from ...rules.printed.sizes import (
    CARDS_DRAWN,
    CARDS_IN_ALL,
    CITY_NAMES,
    CONTRACTORS,
    CONTRACTS,
    INVENTORY_SPACES,
    QUADRANTS,
    SEATS,
    SIDES,
    SLOTS,
    TILE_EFFECT,
    WHITE_SLOTS,
    WORD,
    whole_words,
)
from ..packing import U, put, seen_from
from ..pieces import SUPPLY, Part, Piece, Seating, each, piece

MODES = {
    Point.RESOURCE: ("any die", "times dice", "tile once"),
    Point.INFLUENCE: ("any guild", "other guilds", "by the guild tile"),
    Point.PLAYER: ("banners", "rubles", "exchange", "contractors"),
    Point.SECTION: ("section rubles", "section recognition", "false plans"),
    Point.TILE: ("own tile", "another's tile", "same tile", "two tiles", "given tile", "any two tiles"),
    Point.EXTRA: ("one action", "same action", "two actions"),
}
"""The ways in which a decision point may be meant, by point, in the order of the modes of effects."""
_MODE_NAMES = tuple(name for names in MODES.values() for name in names)
_FIRST_MODE = np.zeros(len(Point), np.int64)
for _point, _names in MODES.items():
    _FIRST_MODE[_point] = _MODE_NAMES.index(_names[0])
_OTHERS = (
    ("used before", 2),
    ("left", 3),
    *each(("free placement", "may refuse")),
    ("card pieces", 2),
    *each(("card resource", "reinforced", "chosen", "material due", "delivery due")),
)
_USED, _LEFT, _FREE, _REFUSE, _PIECES, _RESOURCE, _REINFORCED, _CHOSEN, _MATERIAL, _DELIVERY = range(
    len(_MODE_NAMES), len(_MODE_NAMES) + len(_OTHERS)
)
_DECISION_WORDS = whole_words(len(_MODE_NAMES) + len(_OTHERS)) // WORD
_ABOUT = 4  # words of the pieces behind `decision`, one each: slot, player, action of a guild card, city
_DECK, _DISCARDS, _CONTRACT_DECK = 5, 6, 7  # entries of `stocks`, behind the diamonds
_ROW, _SUPPLY = SEATS, 2 * SEATS  # entries of `permits`, behind those held
_PERMITS_MOST = 6


def slot_entries(seating: Seating) -> list[str]:
    """Names of the workshop slots as a seat sees them."""
    colours = seating.dice[: SLOTS - len(WHITE_SLOTS)]
    return [*(f"slot {name}" for name in colours), *(f"slot {name}" for name in WHITE_SLOTS)]


def _pieces(seating: Seating) -> list[Piece]:
    stocks = [("diamonds", SUPPLY), *seating.by_seat("diamonds", INVENTORY_SPACES)]
    stocks += [("builders' deck", CARDS_IN_ALL), ("builders' discards", CARDS_IN_ALL), ("contract deck", CONTRACTS)]
    held = [*seating.by_seat("permits", _PERMITS_MOST), *seating.by_seat("contractors", CONTRACTORS)]
    return [
        piece(
            "decision",
            (),
            [*each(_MODE_NAMES), *_OTHERS],
            "in which way the current decision point is meant, one-hot; what was used before (1 obtain, 2 workshop), "
            "activations or actions that are left; whether the placement is free, whether the choice may be refused, "
            "how many pieces of a drawn card may be taken and whether they are any resource; whether a reinforcement "
            "tile was used in this turn; whether the guild tile has chosen its action; which parts of a specialist's "
            "material and delivery are left; the material that is exchanged stands in `waiting_material`, where "
            "`any_material` is a diamond",
        ),
        piece(
            "decision_slot", (), each(slot_entries(seating)), "the workshop slot that was used, or whose tile is given"
        ),
        piece("decision_player", (), seating.by_seat("exchange"), "whose material is received in an exchange"),
        piece(
            "decision_guild",
            (),
            each(f"quadrant {q} action {k + 1}" for q in range(QUADRANTS) for k in range(SIDES)),
            "the action of a guild card that the current decision point serves, one-hot",
        ),
        piece("decision_city", (), each(CITY_NAMES), "the city to which a contractor was sent, one-hot"),
        piece(
            "stocks",
            (),
            stocks,
            "diamonds in the supply and with each seat; cards in the master builders' deck, discarded, and in the "
            "contract deck",
        ),
        piece(
            "permits",
            (),
            [*held, ("supply", SUPPLY)],
            "permits that each seat holds, contractors that each still has in the row, permits in the supply",
        ),
    ]


@rule
def clear(seen, place, words):
    """Set consecutive words to 0, so that entries can be put there."""
    for i in range(words):
        seen.word[place + U(i)] = U(0)


@rule
def _write(c, v, g, words, me, seen):
    clear(seen, v.decision, _DECISION_WORDS + _ABOUT)
    if g.depth > 0:
        _write_decision(c, v, g, me, seen)
    put(seen, v.decision, _REINFORCED, g.reinforced)
    clear(seen, v.stocks, 3)  # with the permits behind them
    put(seen, v.stocks, 0, g.diamond_supply)
    drawn = np.int64(0)
    for i in range(CARDS_DRAWN):
        drawn += g.drawn_card[i] >= 0
    put(seen, v.stocks, _DECK, c.cards - c.sections - g.discards - drawn)
    put(seen, v.stocks, _DISCARDS, g.discards)
    put(seen, v.stocks, _CONTRACT_DECK, g.contracts_left)
    put(seen, v.permits, _SUPPLY, g.permit_supply)
    for seat in range(c.seats):
        place = seen_from(c, me, seat)
        put(seen, v.stocks, 1 + place, g.diamonds[seat])
        put(seen, v.permits, place, g.permits[seat])
        put(seen, v.permits, _ROW + place, g.contractors[seat])


@rule
def _write_decision(c, v, g, me, seen):
    """Write in which way the current decision point is meant."""
    f = g.stack[U(g.depth - 1)]
    point = f[POINT]
    slot = -1
    if point == Point.TILE or point == Point.EXTRA:
        mode = np.int64(c.effect_mode[U(f[EFFECT])]) if f[EFFECT] >= 0 else 0
        put(seen, v.decision, _FIRST_MODE[point] + mode, 1)
        if point == Point.EXTRA:
            put(seen, v.decision, _LEFT, f[EXTRA_LEFT])
            put(seen, v.decision, _USED, f[EXTRA_USED])
        else:
            put(seen, v.decision, _LEFT, f[TILE_LEFT])
            slot = f[TILE_USED] - 1
    elif point == Point.RESOURCE or point == Point.INFLUENCE or point == Point.PLAYER or point == Point.SECTION:
        put(seen, v.decision, _FIRST_MODE[point] + f[WAY], 1)
        put(seen, v.decision, _REFUSE, f[REFUSABLE] > 0 and point != Point.SECTION)
        if point == Point.INFLUENCE:
            put(seen, v.decision, _CHOSEN, f[WAY] == BY_TILE and f[INFLUENCE_CHOSEN] > 0)
        elif point == Point.SECTION and f[WAY] == FALSE_PLANS:
            slot = f[SECTION_SLOT]
        elif point == Point.PLAYER and f[WAY] == EXCHANGE:
            put(
                seen, v.waiting_material, f[PLAYER_GIVEN], 1
            )  # a diamond follows the materials: it stands as any material
    elif point == Point.PLACE:
        put(seen, v.decision, _FREE, f[PLACE_FREE])
    elif point == Point.TAKE and f[TAKE_MATERIAL] == FROM_CARD:
        put(seen, v.decision, _PIECES, f[TAKE_PIECES] - CARD_PIECES if f[TAKE_PIECES] > CARD_PIECES else f[TAKE_PIECES])
        put(seen, v.decision, _RESOURCE, f[TAKE_PIECES] <= CARD_PIECES)
    elif point == Point.GAIN and f[GAIN_FROM] > 0:
        put(seen, v.decision_player, seen_from(c, me, f[GAIN_FROM] - 1), 1)
    elif point == Point.HIRE:
        put(seen, v.decision_city, f[HIRE_CITY], 1)
    elif point == Point.BOTH:
        put(seen, v.decision, _MATERIAL, f[BOTH_LEFT] & MATERIAL_LEFT > 0)
        put(seen, v.decision, _DELIVERY, f[BOTH_LEFT] & DELIVERY_LEFT > 0)
        put(seen, v.decision, _REFUSE, f[BOTH_BEGUN])
    if slot >= 0:
        put(seen, v.decision_slot, c.slot_seen_as[me, U(slot)], 1)
    effect = f[EFFECT]
    if point == Point.INFLUENCE and f[WAY] == BY_TILE:
        effect = f[INFLUENCE_CHOSEN] - 1  # the action that the guild tile has chosen
    if 0 <= effect < TILE_EFFECT:
        for quadrant in range(QUADRANTS):
            if g.influence[quadrant] == effect // SIDES:
                put(seen, v.decision_guild, SIDES * quadrant + effect % SIDES, 1)


DECISION_PART = Part(_pieces, _write)
assert SLOTS < WORD and 2 * SEATS == WORD
