"""The foremen's guild: the foreman goes round the towers, and banners there are counted (R-69)."""

from __future__ import annotations

from ...jit import rule
from ..points import EFFECT, Point, pop, push
from ..printed.expansion_vocabulary import OF_OTHER
from ..verbs import Verb, offer
from . import players


@rule
def legal(c, g, menu, n):
    """List the steps to the right, up to as many as the effect allows."""
    effect = g.stack[g.depth - 1, EFFECT]
    for steps in range(c.effect_count[effect]):
        n = offer(c, menu, n, Verb.FOREMAN, steps, 0, 0)
    return n


@rule
def move(c, g, seat, steps):
    """Move him to the right, from the last tower to the first; then banners of the new tower are counted."""
    effect = g.stack[g.depth - 1, EFFECT]
    pop(g)
    g.foreman = (g.foreman + steps) % c.towers
    g.version += 1
    if c.effect_mode[effect] & OF_OTHER:
        if players.any_choice(c, g, seat, effect, players.BANNERS, 0):
            push(g, Point.PLAYER, effect, players.BANNERS, 0, 0)
    else:
        players.gain_for_banners(c, g, seat, effect, seat)
