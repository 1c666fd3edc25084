"""The wholesalers' market actions: on top of the ordinary ones, for the die moved and the space of the visit (R-72)."""

from __future__ import annotations

from ...jit import rule
from .. import goods, workshop
from ..points import (
    EFFECT,
    EXTRA_LEFT,
    EXTRA_USED,
    NO_EFFECT,
    POINT,
    Point,
    pop,
)
from ..printed.expansion_vocabulary import ONE_ACTION, SAME_ACTION
from ..printed.sizes import ANY, BLACK_DIE
from ..verbs import Verb, offer

OBTAINED, ACTIVATED = 1, 2  # EXTRA_USED of the frame


@rule
def is_visiting(g):
    """Whether a market visit is running: from the move of a die to `done` at `market`."""
    for i in range(g.depth):
        if g.stack[i, POINT] == Point.MARKET:
            return True
    return False


@rule
def can_obtain(c, g, seat):
    """Whether the space of the visit yields anything."""
    tile = g.market[g.space]
    return goods.most_of(c, g, seat, c.market_kind[tile], c.market_amount[tile]) > 0


@rule
def can_activate(c, g, seat):
    """Whether a workshop tile of the die moved has an effect, or after the black die the own specialist."""
    if g.die == BLACK_DIE:
        return g.specialist_works != 0
    for slot in range(c.first_slot[g.die], c.end_slot[g.die]):
        if workshop.has_effect(c, g, seat, slot):
            return True
    return False


@rule
def any_action(c, g, seat):
    """Whether any market action is possible."""
    return is_visiting(g) and (can_obtain(c, g, seat) or can_activate(c, g, seat))


@rule
def begins(c, g, seat, then_material):
    """Whether the effect would do something: a market action, or the material that comes after it."""
    if not is_visiting(g):
        return False
    return any_action(c, g, seat) or (then_material and goods.most_of(c, g, seat, ANY, 1) > 0)


@rule
def legal(c, g, seat, menu, n):
    """List obtaining and tiles of the moved die; the second action may be declined, an impossible one is skipped."""
    first = n
    f = g.stack[g.depth - 1]
    mode, used = c.effect_mode[f[EFFECT]], f[EXTRA_USED]
    if (used == 0 or (used == OBTAINED) == (mode == SAME_ACTION)) and can_obtain(c, g, seat):
        n = offer(c, menu, n, Verb.OBTAIN, 0, 0, 0)
    if used == 0 or (used == ACTIVATED) == (mode == SAME_ACTION):
        if g.die == BLACK_DIE and can_activate(c, g, seat):
            n = offer(c, menu, n, Verb.SPECIALIST, 0, 0, 0)
        n = workshop.legal_slots(c, g, seat, c.first_slot[g.die], c.end_slot[g.die], menu, n)
    if used != 0 or n == first:
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    return n


@rule
def count_down(c, g, used):
    """One action less is left; what was used decides about the second one."""
    f = g.stack[g.depth - 1]
    f[EXTRA_LEFT] -= 1
    f[EXTRA_USED] = used
    if f[EXTRA_LEFT] == 0 or c.effect_mode[f[EFFECT]] == ONE_ACTION:
        pop(g)


@rule
def obtain(c, g, seat):
    """The tile of the space times the dice on it; the ordinary market action stays unused."""
    count_down(c, g, OBTAINED)
    tile = g.market[g.space]
    goods.grant(c, g, seat, NO_EFFECT, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space], 0)


@rule
def activate(c, g, seat, slot):
    """The tile of the die moved; the ordinary market action stays unused."""
    count_down(c, g, ACTIVATED)
    workshop.activate(c, g, seat, slot, 0)
