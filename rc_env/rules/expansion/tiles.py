"""The choice of a workshop tile by the guilds of the expansion: artisans and false plans (R-70, R-85).

The mode of the effect says which tiles: one's own, another player's, the same twice, two different ones, any two, or
one that is given for another. The frame has how many activations are left, and the slot that was used.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import workshop
from ..points import (
    EFFECT,
    SECTION_SLOT,
    TILE_LEFT,
    TILE_USED,
    WAY,
    Point,
    pop,
    push,
)
from ..printed.expansion_vocabulary import (
    ANOTHERS_TILE,
    ANY_TWO_TILES,
    FALSE_PLANS,
    GIVEN_TILE,
    OWN_TILE,
    SAME_TILE,
    TWO_TILES,
)
from ..printed.sizes import SLOTS, SPECIAL_KIND, TILE_EFFECT
from ..verbs import Verb, offer
from . import builders
from .players import seat_of


@rule
def mode_of(c, g):
    """The mode of the TILE frame on top: an effect's, or one's own tile for what is no effect."""
    effect = g.stack[g.depth - 1, EFFECT]
    return np.int64(c.effect_mode[effect]) if effect >= 0 else OWN_TILE


@rule
def any_choice(c, g, seat, mode):
    """Whether any tile can be chosen."""
    if mode == ANOTHERS_TILE:
        for other in range(c.players - 1):
            for slot in range(SLOTS):
                if can_borrow(c, g, seat, seat_of(c, seat, other), slot):
                    return True
        return False
    if mode == GIVEN_TILE:
        for slot in range(SLOTS):
            if can_give(c, g, seat, slot):
                return True
        return False
    return workshop.any_effect(c, g, seat)


@rule
def can_borrow(c, g, seat, owner, slot):
    """Whether another player's slot holds a face-up tile that would give the acting seat something."""
    return g.slot_up[owner, slot] == 1 and workshop.kind_has_effect(c, g, seat, g.slot_tile[owner, slot])


@rule
def legal(c, g, seat, menu, n):
    """List the tiles that may be chosen; a second activation may be declined."""
    f = g.stack[g.depth - 1]
    mode, used = mode_of(c, g), f[TILE_USED] - 1
    if mode == ANOTHERS_TILE:
        for other in range(c.players - 1):
            for slot in range(SLOTS):
                if can_borrow(c, g, seat, seat_of(c, seat, other), slot):
                    n = offer(c, menu, n, Verb.BORROW, other, c.slot_seen_as[seat, slot], 0)
        return n
    for slot in range(SLOTS):
        if used >= 0 and mode != ANY_TWO_TILES and (slot == used) != (mode == SAME_TILE):
            continue
        if can_give(c, g, seat, slot) if mode == GIVEN_TILE else workshop.has_effect(c, g, seat, slot):
            n = offer(c, menu, n, Verb.WORKSHOP, c.slot_seen_as[seat, slot], 0, 0)
    if used >= 0:
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    return n


@rule
def activate(c, g, seat, slot):
    """Activate an own tile, or name the one that is given; the frame stays while a second activation is left."""
    f = g.stack[g.depth - 1]
    mode = mode_of(c, g)
    if mode == GIVEN_TILE:
        effect = f[EFFECT]
        pop(g)
        push(g, Point.SECTION, effect, FALSE_PLANS, slot, 0)
        return
    f[TILE_LEFT] -= 1
    f[TILE_USED] = slot + 1
    if f[TILE_LEFT] == 0 or (mode != SAME_TILE and mode != TWO_TILES and mode != ANY_TWO_TILES):
        pop(g)
    workshop.activate(c, g, seat, slot, 0)


@rule
def borrow(c, g, seat, other, slot):
    """Activate another player's tile as if it lay in the own workshop."""
    pop(g)
    workshop.activate_kind(c, g, seat, g.slot_tile[seat_of(c, seat, other), slot], 0)


# --- false plans: an own tile for a different one that still lies on a section


@rule
def differ(c, kind, other):
    """Whether two kinds of tile show something else."""
    one, two = np.uint64(TILE_EFFECT + np.int64(kind)), np.uint64(TILE_EFFECT + np.int64(other))
    return (
        c.effect_die[one] != c.effect_die[two]
        or c.effect_resource[one] != c.effect_resource[two]
        or c.effect_amount[one] != c.effect_amount[two]
    )


@rule
def can_give(c, g, seat, slot):
    """Whether the slot holds a tile, not a special one, for which a different one lies on a section."""
    kind = g.slot_tile[seat, slot]
    if kind < 0 or kind >= SPECIAL_KIND:
        return False
    for section in range(c.sections):
        if g.tile[section] >= 0 and differ(c, kind, g.tile[section]):
            return True
    return False


@rule
def legal_section(c, g, seat, menu, n):
    """List the sections that may be chosen: with a different tile for false plans, else own ones that give
    something."""
    f = g.stack[g.depth - 1]
    if f[WAY] != FALSE_PLANS:
        return builders.legal_section(c, g, seat, f[EFFECT], menu, n)
    slot = f[SECTION_SLOT]
    kind = g.slot_tile[seat, slot]
    for section in range(c.sections):
        if g.tile[section] >= 0 and differ(c, kind, g.tile[section]):
            n = offer(c, menu, n, Verb.SECTION, g.tower[section], g.level[section], 0)
    return n


@rule
def choose_section(c, g, seat, section):
    """Exchange the tiles, of which the new one lies as the old one lay, without a benefit; or gain what it gives."""
    f = g.stack[g.depth - 1]
    if f[WAY] != FALSE_PLANS:
        builders.gain_of_section(c, g, seat, section)
        return
    slot = f[SECTION_SLOT]
    pop(g)
    g.slot_tile[seat, slot], g.tile[section] = g.tile[section], g.slot_tile[seat, slot]
    g.version += 1
