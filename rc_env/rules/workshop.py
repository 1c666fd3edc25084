"""Workshop tiles: their benefits when they are placed and when they are activated (R-14, R-22)."""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from .expansion import builders, special_tiles
from .goods import grant, most_of, receivable, receive
from .points import (
    REFUSABLE,
    TAKE_MATERIAL,
    TAKE_MOST,
    pop,
)
from .printed.sizes import ANY, MATERIALS, SLOTS, SPECIAL_KIND, TILE_EFFECT
from .verbs import Verb, offer


@rule
def effect_of(kind):
    """The effect of a kind of workshop tile."""
    return np.uint64(TILE_EFFECT + np.int64(kind))


@rule
def resource_of(c, g, effect):
    """The resource an effect gives: for that of a die tile what the space shows where the die lies now."""
    die = c.effect_die[effect]
    if die >= 0:
        return c.market_kind[g.market[g.die_space[die]]]
    return c.effect_resource[effect]


@rule
def amount_of(c, g, effect):
    """The amount that an effect gives: for a die tile what the space shows, once (R-22)."""
    die = c.effect_die[effect]
    if die >= 0:
        return c.market_amount[g.market[g.die_space[die]]]
    return c.effect_amount[effect]


@rule
def activate(c, g, seat, slot, placed):
    """The benefit of a face-up tile; one that has just been placed may be refused."""
    activate_kind(c, g, seat, g.slot_tile[seat, slot], placed)


@rule
def activate_kind(c, g, seat, kind, placed):
    """The benefit of a tile of that kind for the seat, wherever the tile lies."""
    if FULL and kind >= SPECIAL_KIND:
        special_tiles.activate(c, g, seat, kind, placed)
        return
    receive_from(c, g, seat, effect_of(kind), placed)


@rule
def receive_from(c, g, seat, effect, refusable):
    """Receive the resource of an effect."""
    grant(c, g, seat, effect, resource_of(c, g, effect), amount_of(c, g, effect), refusable)


@rule
def has_effect(c, g, seat, slot):
    """Whether the slot holds a face-up tile that would give something now (R-23)."""
    if not g.slot_up[seat, slot]:
        return False
    return kind_has_effect(c, g, seat, g.slot_tile[seat, slot])


@rule
def kind_has_effect(c, g, seat, kind):
    """Whether a tile of that kind would give the seat something now."""
    if FULL and kind >= SPECIAL_KIND:
        return special_tiles.has_effect(c, g, seat, kind)
    return gives(c, g, seat, effect_of(kind))


@rule
def gives(c, g, seat, effect):
    """Whether the resource of an effect could be received now."""
    return most_of(c, g, seat, resource_of(c, g, effect), amount_of(c, g, effect)) > 0


@rule
def any_effect(c, g, seat):
    """Whether any of the seat's tiles would give something now."""
    for slot in range(SLOTS):
        if has_effect(c, g, seat, slot):
            return True
    return False


@rule
def legal_slots(c, g, seat, first, end, menu, n):
    """The tiles with an effect in some of the slots."""
    for slot in range(first, end):
        if has_effect(c, g, seat, slot):
            n = offer(c, menu, n, Verb.WORKSHOP, c.slot_seen_as[seat, slot], 0, 0)
    return n


@rule
def legal_workshop(c, g, seat, menu, n):
    """The market action: the tile in the slot of the moved die's colour, one of the two for the white die (R-22)."""
    return n if g.worked else legal_slots(c, g, seat, c.first_slot[g.die], c.end_slot[g.die], menu, n)


@rule
def legal_tile(c, g, seat, menu, n):
    """Activated by an effect: any face-up tile that gives something, whatever die moved (R-22)."""
    return legal_slots(c, g, seat, 0, SLOTS, menu, n)


@rule
def legal_take(c, g, seat, menu, n):
    """List the amounts of the material, or the materials to choose from."""
    f = g.stack[g.depth - 1]
    if FULL and f[TAKE_MATERIAL] == builders.FROM_CARD:
        return builders.legal_take(c, g, seat, menu, n)
    if f[TAKE_MATERIAL] == ANY:
        for material in range(MATERIALS):
            if receivable(c, g, seat, material) > 0:
                n = offer(c, menu, n, Verb.GAIN, material, 0, 0)
        if f[REFUSABLE]:
            n = offer(c, menu, n, Verb.TAKE, 0, 0, 0)
        return n
    for count in range(1 - f[REFUSABLE], f[TAKE_MOST] + 1):
        n = offer(c, menu, n, Verb.TAKE, count, 0, 0)
    return n


@rule
def take(g, seat, count):
    """Take that many of the material."""
    if FULL and g.stack[g.depth - 1, TAKE_MATERIAL] == builders.FROM_CARD:
        builders.end_gain(g)
        return
    material = g.stack[g.depth - 1, TAKE_MATERIAL]
    pop(g)
    if count > 0:
        receive(g, seat, material, count)


@rule
def take_any(g, seat, material):
    """Take one of a chosen material; of several pieces the next one may be refused (R-61)."""
    f = g.stack[g.depth - 1]
    if FULL and f[TAKE_MOST] > 1:
        f[TAKE_MOST] -= 1
        f[REFUSABLE] = 1
    else:
        pop(g)
    receive(g, seat, material, 1)
