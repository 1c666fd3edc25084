"""Use influence: the two actions of the guild's card where the die has landed (R-20, R-23)."""

from __future__ import annotations

import numpy as np

from ..jit import rule
from . import effects
from .printed.sizes import SIDES, SPACES_PER_QUADRANT
from .verbs import Verb, offer


@rule
def card_of(g, space):
    """The influence card of the quadrant of a space."""
    return g.influence[space // SPACES_PER_QUADRANT]


@rule
def effect_of(card, side):
    """The effect of an action of a card."""
    return np.uint64(SIDES * np.int64(card) + side)


@rule
def legal_guild(c, g, seat, menu, n):
    """List the guild actions: one of the two per visit; a repeatable one again while it is open (R-20)."""
    card = card_of(g, g.space)
    for side in range(SIDES):
        if g.influenced < 0 or (g.influenced == side and g.influence_open):
            if effects.possible(c, g, seat, effect_of(card, side), menu, n):
                n = offer(c, menu, n, Verb.GUILD, side, 0, 0)
    return n


@rule
def use(c, g, seat, side):
    """Choose an action of the card."""
    effect = effect_of(card_of(g, g.space), side)
    g.influenced = side
    g.influence_open = c.effect_unlimited[effect]
    effects.use(c, g, seat, effect)
