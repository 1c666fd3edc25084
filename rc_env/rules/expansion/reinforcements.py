"""The brickmakers' reinforcement tiles: taken openly, used once at a moment of the optional actions (R-79, R-80)."""

from __future__ import annotations

from ...jit import rule
from .. import build, goods, track, workshop
from ..points import (
    NO_EFFECT,
    PLACE_FREE,
    POINT,
    Point,
    pop,
    push,
)
from ..printed.expansion_vocabulary import ANY_DIE, ANY_GUILD
from ..printed.sizes import ANY, REINFORCEMENT_NAMES, REINFORCEMENTS
from ..verbs import Verb, offer
from . import influence, resources

LEFT, GONE = -1, -2
"""Where a tile is, in GAME.reinforcement, if no seat holds it: left to take, or out of the game."""
RUBLES, GUILD, WORKSHOP, DELIVER, RECOGNITION, FREE, MATERIALS_OF_CHOICE, DIE = range(REINFORCEMENTS)
assert REINFORCEMENT_NAMES[FREE] == "free" and REINFORCEMENT_NAMES[DIE] == "die"


@rule
def legal_choice(c, g, menu, n):
    """List the tiles that are left."""
    for tile in range(REINFORCEMENTS):
        if g.reinforcement[tile] == LEFT:
            n = offer(c, menu, n, Verb.REINFORCE, tile, 0, 0)
    return n


@rule
def choose(g, seat, tile):
    """Take one, for later."""
    g.version += 1
    pop(g)
    g.reinforcement[tile] = seat


@rule
def has_effect(c, g, seat, tile, menu, n):
    """Whether using the tile would have an effect at the current decision point."""
    if tile == RUBLES or tile == RECOGNITION:
        return True
    if tile == GUILD:
        return influence.any_action(c, g, seat, menu, n)
    if tile == WORKSHOP:
        return workshop.any_effect(c, g, seat)
    if tile == DELIVER:
        return build.can_deliver(c, g, seat, menu, n)
    if tile == FREE:
        f = g.stack[g.depth - 1]
        return f[POINT] == Point.PLACE and not f[PLACE_FREE]
    if tile == MATERIALS_OF_CHOICE:
        return goods.most_of(c, g, seat, ANY, 1) > 0
    return resources.any_space(c, g, seat, ANY_DIE)


@rule
def legal(c, g, seat, menu, n):
    """List the seat's tiles that would have an effect; one may be used per turn."""
    if g.reinforced:
        return n
    for tile in range(REINFORCEMENTS):
        if g.reinforcement[tile] == seat and has_effect(c, g, seat, tile, menu, n):
            n = offer(c, menu, n, Verb.REINFORCE, tile, 0, 0)
    return n


@rule
def use(c, g, seat, tile):
    """Use a tile; it leaves the game, and the point that it interrupts is asked again afterwards."""
    g.version += 1
    g.reinforcement[tile] = GONE
    g.reinforced = 1
    amount = c.reinforcement_amount[tile]
    if tile == RUBLES:
        g.rubles[seat] += amount
    elif tile == RECOGNITION:
        track.gain_recognition(g, seat, amount)
    elif tile == GUILD:
        push(g, Point.INFLUENCE, NO_EFFECT, ANY_GUILD, 0, 0)
    elif tile == WORKSHOP:
        push(g, Point.TILE, NO_EFFECT, 1, 0, 0)
    elif tile == DELIVER:
        push(g, Point.BUILD, NO_EFFECT, amount, 0, 0)
    elif tile == FREE:
        g.stack[g.depth - 1, PLACE_FREE] = 1
    elif tile == MATERIALS_OF_CHOICE:
        push(g, Point.TAKE, NO_EFFECT, ANY, amount, 0)
    elif tile == DIE:
        push(g, Point.RESOURCE, NO_EFFECT, ANY_DIE, 0, 0)
