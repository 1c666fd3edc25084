"""Ivan's sixth card, `hire`: contractors go to the city at which his marker stands (R-82, R-83)."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import track
from ..expansion import specialists
from ..printed.build_sizes import SPECIALIST_EFFECT
from ..printed.sizes import MOSCOW, RECOGNITION, SPECIALIST_SLOTS, SPECIALISTS
from .events import GAINED, HIRE, PRESTIGE, RETURN, SEAT, SPECIALIST, log


@rule
def set_up(c, g):
    """Contractors of his stand in the city of his first claim from the start: no tile, no prestige (R-82)."""
    g.sent[g.city_over[g.ivan_tower], SEAT] += c.ivan_contractors
    g.contractors[SEAT] -= c.ivan_contractors


@rule
def send(c, g):
    """Send a contractor without permits and bonus: prestige in Moscow, elsewhere every tile of the city (R-83)."""
    city = g.city_over[g.ivan_tower]
    if g.contractors[SEAT] == 0 or not g.city_open[city]:
        return
    g.contractors[SEAT] -= 1
    g.sent[city, SEAT] += 1
    g.version += 1
    log(g, HIRE, city)
    if city == MOSCOW:
        track.gain_prestige(c, g, SEAT, c.ivan_moscow)
        log(g, PRESTIGE, c.ivan_moscow)
    else:
        take_tiles(c, g, city)


@rule
def take_tiles(c, g, city):
    """Take the tiles of the city, the slot of lower number first, then refill the slots in the same order."""
    recognition = 0
    for slot in range(SPECIALIST_SLOTS):
        if c.city_slot[city, slot] and g.offer[slot] >= 0:
            log(g, SPECIALIST, g.offer[slot])
            recognition += given(c, g.offer[slot])
    if recognition > 0:
        track.gain_recognition(g, SEAT, recognition)
        log(g, GAINED, recognition)
    emptied = 0
    for slot in range(SPECIALIST_SLOTS):
        if c.city_slot[city, slot] and g.offer[slot] >= 0:
            keep_or_return(c, g, np.int64(g.offer[slot]))
            g.offer[slot] = specialists.NONE
            g.ivan_refill[emptied, 0] = slot
            emptied += 1
    for i in range(emptied):
        g.ivan_refill[i, 1] = specialists.refill(g, g.ivan_refill[i, 0])


@rule
def given(c, tile):
    """The recognition that a tile gives without payment."""
    effect = SPECIALIST_EFFECT + np.int64(tile)
    return c.effect_amount[effect] if c.effect_resource[effect] == RECOGNITION else 0


@rule
def keep_or_return(c, g, tile):
    """Keep a tile with a tool that he has not; else it goes back to the bag together with the one of that tool."""
    for other in range(SPECIALISTS):
        if (np.int64(g.tools[SEAT]) >> other) & 1 and c.tool[other] == c.tool[tile]:
            g.tools[SEAT] = np.int64(g.tools[SEAT]) & ~(1 << other)
            g.bag = np.int64(g.bag) | (1 << other) | (1 << tile)
            log(g, RETURN, other)
            log(g, RETURN, tile)
            return
    specialists.keep_tool(g, SEAT, tile)
