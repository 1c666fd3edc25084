"""Choosing a market space for what it yields (R-64): the die of one's choice, a space times its dice, a tile once."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import goods
from ..points import (
    EFFECT,
    REFUSABLE,
    WAY,
    pop,
)
from ..printed.expansion_vocabulary import ANY_DIE, TILE_ONCE
from ..printed.sizes import SPACES
from ..verbs import Verb, offer


@rule
def amount(c, g, space, mode):
    """The amount of its resource that a space yields: 0 where a die is needed and none lies there."""
    tile = np.int64(c.market_amount[g.market[space]])
    if mode == TILE_ONCE:
        return tile
    if mode == ANY_DIE:
        return tile if g.crowd[space] > 0 else 0
    return tile * g.crowd[space]


@rule
def yields(c, g, seat, space, mode):
    """Whether choosing the space would have an effect."""
    most = amount(c, g, space, mode)
    return most > 0 and goods.most_of(c, g, seat, c.market_kind[g.market[space]], most) > 0


@rule
def any_space(c, g, seat, mode):
    """Whether any space yields something."""
    for space in range(SPACES):
        if yields(c, g, seat, space, mode):
            return True
    return False


@rule
def legal(c, g, seat, menu, n):
    """List the spaces that yield something; a tile that has just been placed may be declined."""
    f = g.stack[g.depth - 1]
    for space in range(SPACES):
        if yields(c, g, seat, space, f[WAY]):
            n = offer(c, menu, n, Verb.RESOURCE, space, 0, 0)
    if f[REFUSABLE]:
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    return n


@rule
def choose(c, g, seat, space):
    """Receive what the space yields: of a material at least one is taken (R-61)."""
    f = g.stack[g.depth - 1]
    mode, effect = f[WAY], f[EFFECT]
    pop(g)
    goods.grant(c, g, seat, effect, c.market_kind[g.market[space]], amount(c, g, space, mode), 0)
