"""Choosing a guild action anywhere on the board: the archivists, a reinforcement, the guild tile (R-63, R-65, R-84).

The way of the frame says which guilds: any, the others than the archivists, or any by the guild tile. The frame of the
guild tile stays until its action is over, with the effect that was chosen; it may be refused if the tile has just been
placed.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import effects
from ..guilds import effect_of
from ..points import (
    EFFECT,
    INFLUENCE_CHOSEN,
    REFUSABLE,
    WAY,
    pop,
)
from ..printed.expansion_vocabulary import BY_TILE, OTHER_GUILDS
from ..printed.sizes import QUADRANTS, SIDES
from ..verbs import Verb, offer


@rule
def any_action(c, g, seat, menu, n):
    """Whether any action of the four guilds is legal."""
    for quadrant in range(QUADRANTS):
        for side in range(SIDES):
            if effects.possible(c, g, seat, effect_of(g.influence[quadrant], side), menu, n):
                return True
    return False


@rule
def legal(c, g, seat, menu, n):
    """List the guild actions that may be chosen, and ending the guild tile where that is allowed."""
    f = g.stack[g.depth - 1]
    own = f[EFFECT] // SIDES  # the card of the archivists, where they ask
    found = 0
    for quadrant in range(QUADRANTS):
        card = g.influence[quadrant]
        if f[WAY] == OTHER_GUILDS and card == own:
            continue
        for side in range(SIDES):
            effect = effect_of(card, side)
            if (
                f[WAY] == BY_TILE
                and f[INFLUENCE_CHOSEN] > 0
                and (np.int64(effect) != f[INFLUENCE_CHOSEN] - 1 or not c.effect_unlimited[effect])
            ):
                continue
            if effects.possible(c, g, seat, effect, menu, n):
                n = offer(c, menu, n, Verb.GUILD_AT, quadrant, side, 0)
                found += 1
    if f[WAY] == BY_TILE and (f[INFLUENCE_CHOSEN] > 0 or f[REFUSABLE] or found == 0):
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    return n


@rule
def choose(c, g, seat, quadrant, side):
    """Use the action, once; it counts as no use of the market action."""
    f = g.stack[g.depth - 1]
    effect = effect_of(g.influence[quadrant], side)
    if f[WAY] == BY_TILE:
        f[INFLUENCE_CHOSEN] = 1 + np.int64(effect)
    else:
        pop(g)
    effects.use(c, g, seat, effect)
