"""Specialists: bag, slots, the one on a player's board, its use after the black die (R-45, R-52).

What a specialist does is an effect, as guild actions and workshop tiles are: the one of number 0 has the effect
`SPECIALIST_EFFECT`. `effects.py` says whether it is legal and carries it out; the decision points that only specialists
open are here.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import build, chance, goods, track
from ..points import (
    BOTH_BEGUN,
    BOTH_LEFT,
    EFFECT,
    Point,
    pop,
    push,
)
from ..printed.build_sizes import SPECIALIST_EFFECT
from ..printed.sizes import ANY, BLACK_DIE, MATERIALS, ORNAMENT_NAMES, SLOTS, SPECIALISTS, SPECIALISTS_FORCED
from ..verbs import Verb, number, offer

NONE = -1
MATERIAL_LEFT, DELIVERY_LEFT = 1, 2  # bits of BOTH_LEFT


# --- bag and slots


@rule
def in_bag(g, tile):
    """Whether the bag holds the tile."""
    return (np.int64(g.bag) >> tile) & 1


@rule
def bag_size(g):
    """The number of tiles in the bag."""
    count = 0
    for tile in range(SPECIALISTS):
        count += in_bag(g, tile)
    return count


@rule
def draw(g):
    """Draw a uniformly random tile from the bag, or the forced one; -1 from an empty bag (R-45)."""
    count = bag_size(g)
    if count == 0:
        return NONE
    place = chance.below(g.key, chance.BAG, g.bag_draws, count)
    g.bag_draws += 1
    found = np.int64(NONE)
    for tile in range(SPECIALISTS):
        if in_bag(g, tile):
            if place == 0:
                found = np.int64(tile)
            place -= 1
    if g.forced_specialists > 0:
        forced = np.int64(g.forced_specialist[SPECIALISTS_FORCED - g.forced_specialists])
        g.forced_specialists -= 1
        if forced >= 0 and in_bag(g, forced):
            found = forced
    g.bag = np.int64(g.bag) & ~(1 << found)
    return found


@rule
def refill(g, slot):
    """Refill a slot that has just been emptied; return the tile, -1 where the bag is empty (R-45)."""
    tile = draw(g)
    g.offer[slot] = tile
    g.version += 1
    return tile


@rule
def turn_over(g, seat):
    """Turn the seat's specialist over, and keep its tool; return the effect that it had."""
    tile = np.int64(g.specialist[seat])
    g.specialist[seat] = NONE
    keep_tool(g, seat, tile)
    g.version += 1
    return np.uint64(SPECIALIST_EFFECT + tile)


@rule
def keep_tool(g, seat, tile):
    """Lay a tile among those that the seat has turned over."""
    g.tools[seat] = np.int64(g.tools[seat]) | (1 << np.int64(tile))


@rule
def may_be_used(g, seat):
    """Whether the seat has a specialist, and the black die moved in this turn (R-52)."""
    return g.specialist[seat] >= 0 and g.die == BLACK_DIE


# --- material and delivery, in either order (R-52 f)


@rule
def can_do_both(c, g, seat, menu, n):
    """Whether a material can be had or a delivery is possible. `menu` from n on is scratch."""
    return goods.most_of(c, g, seat, ANY, 1) > 0 or build.can_deliver(c, g, seat, menu, n)


@rule
def legal_both(c, g, seat, menu, n):
    """List the material and the delivery that are left; after the first one the second may be declined."""
    f = g.stack[g.depth - 1]
    if f[BOTH_LEFT] & MATERIAL_LEFT and goods.room(c, g, seat) > 0:
        for material in range(MATERIALS):
            menu.action[n] = number(c, Verb.GAIN, material, 0, 0)
            n += g.supply[material] > 0
    if f[BOTH_LEFT] & DELIVERY_LEFT:
        n = build.legal_deliver(c, g, seat, menu, n)
        n = build.legal_adorn(c, g, seat, menu, n)
    if f[BOTH_BEGUN]:
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    return n


@rule
def gain(g, seat, material):
    """The material of choice."""
    use_part(g, MATERIAL_LEFT)
    goods.receive(g, seat, material, 1)


@rule
def is_delivery(verb):
    """Whether the action is a delivery."""
    ornament = verb == Verb.ADORN or verb == Verb.ADORN_DIAMOND
    return ornament or verb == Verb.DELIVER or verb == Verb.DELIVER_DIAMOND


@rule
def begin_delivery(g):
    """Open the one delivery: an ornament then takes no gem (R-18)."""
    effect = g.stack[g.depth - 1, EFFECT]
    use_part(g, DELIVERY_LEFT)
    push(g, Point.BUILD, effect, 1, 0, 0)


@rule
def use_part(g, part):
    """One of the two is used up; with none left the effect is over."""
    f = g.stack[g.depth - 1]
    f[BOTH_LEFT] -= part
    f[BOTH_BEGUN] = 1
    if f[BOTH_LEFT] == 0:
        pop(g)


# --- spend rubles, discard an ornament (R-52 d, e)


@rule
def legal_spend(c, g, seat, menu, n):
    """List the numbers of rubles to spend, from 1 to the specialist's limit, as far as the seat has them."""
    for count in range(c.effect_count[g.stack[g.depth - 1, EFFECT]]):
        if count < g.rubles[seat]:
            n = offer(c, menu, n, Verb.SPEND, count, 0, 0)
    return n


@rule
def spend(c, g, seat, rubles):
    """Recognition for each ruble."""
    effect = g.stack[g.depth - 1, EFFECT]
    pop(g)
    g.rubles[seat] -= rubles
    track.gain_recognition(g, seat, rubles * c.effect_worth[effect])


@rule
def slot_of(g, seat, kind):
    """The seat's first slot that still holds an ornament of the kind, -1 if there is none (R-52 d)."""
    for slot in range(SLOTS):
        if g.slot_ornament[seat, slot] == kind:
            return slot
    return NONE


@rule
def has_ornament(g, seat, kind):
    """Whether an ornament of the kind is available or still on a slot, so that it can be discarded (R-52 d)."""
    return g.works[seat, kind] > 0 or slot_of(g, seat, kind) >= 0


@rule
def any_ornament(g, seat):
    """Whether the seat has an ornament that is not on the cathedral, and not out of the game."""
    found = False
    for kind in range(len(ORNAMENT_NAMES)):
        found |= has_ornament(g, seat, kind)
    return found


@rule
def legal_discard(c, g, seat, menu, n):
    """List the kinds of ornaments that are available, or still on a slot."""
    for kind in range(len(ORNAMENT_NAMES)):
        if has_ornament(g, seat, kind):
            n = offer(c, menu, n, Verb.DISCARD, kind, 0, 0)
    return n


@rule
def discard(c, g, seat, kind):
    """An available ornament of the kind, else that of the first slot with one, leaves the game, for prestige."""
    effect = g.stack[g.depth - 1, EFFECT]
    pop(g)
    if g.works[seat, kind] > 0:
        g.works[seat, kind] -= 1
    else:
        g.slot_ornament[seat, slot_of(g, seat, kind)] = NONE
        g.version += 1
    track.gain_prestige(c, g, seat, c.effect_worth[effect])
