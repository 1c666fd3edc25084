"""The promo's four special workshop tiles: chosen before the first turn, placed instead of another tile (R-84)."""

from __future__ import annotations

from ...jit import rule
from .. import goods
from ..points import (
    NO_EFFECT,
    POINT,
    WAY,
    Point,
    push,
)
from ..printed.expansion_vocabulary import ANY_DIE, BY_TILE
from ..printed.sizes import ANY, SPECIAL_KIND, SPECIAL_NAMES, SPECIAL_TILES
from ..verbs import Verb, offer
from . import resources

NONE = -1
DIAMOND, MATERIAL, DIE, GUILD = range(SPECIAL_TILES)
assert SPECIAL_NAMES == ("diamond", "material", "die", "guild")


# --- the choice before the first turn


@rule
def legal_choice(c, g, menu, n):
    """List the tiles that nobody has chosen yet."""
    for tile in range(SPECIAL_TILES):
        free = True
        for seat in range(c.players):
            free &= g.special[seat] != tile
        if free:
            n = offer(c, menu, n, Verb.SPECIAL, tile, 0, 0)
    return n


# --- its effect


@rule
def is_open(g):
    """Whether the guild tile is being carried out: then it has no effect (R-65)."""
    for i in range(g.depth):
        if g.stack[i, POINT] == Point.INFLUENCE and g.stack[i, WAY] == BY_TILE:
            return True
    return False


@rule
def has_effect(c, g, seat, kind):
    """Whether the tile would give something now; `GAME.guild_tile_works` says it of the guild tile."""
    tile = kind - SPECIAL_KIND
    if tile == DIAMOND:
        return g.diamond_supply > 0 and goods.room(c, g, seat) > 0
    if tile == MATERIAL:
        return True
    if tile == DIE:
        return resources.any_space(c, g, seat, ANY_DIE)
    return g.guild_tile_works != 0


@rule
def activate(c, g, seat, kind, placed):
    """The benefit of the tile. `placed` is 1 if it has just been placed: then its choices may be declined."""
    tile = kind - SPECIAL_KIND
    if tile == DIAMOND:
        goods.receive_diamonds(c, g, seat, c.special_amount[DIAMOND])
    elif tile == MATERIAL:
        g.rubles[seat] += c.special_amount[MATERIAL]
        if goods.most_of(c, g, seat, ANY, 1) > 0:
            push(g, Point.TAKE, NO_EFFECT, ANY, 1, 1)
    elif tile == DIE:
        push(g, Point.RESOURCE, NO_EFFECT, ANY_DIE, 0, placed)
    else:
        push(g, Point.INFLUENCE, NO_EFFECT, BY_TILE, 0, placed)
