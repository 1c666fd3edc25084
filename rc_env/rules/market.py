"""Acquire resources from the market: move a die, use the space, roll (R-19 to R-21)."""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from . import chance, effects, goods, guilds, workshop
from .expansion import specialists
from .points import NO_EFFECT, Point, pop, push
from .printed.sizes import BLACK_DIE, EXTRA_STEPS, SPACES
from .verbs import Verb, number, offer


@rule
def legal_move(c, g, seat, menu, n):
    """List the moves: each die by its value, own and neutral dice further for rubles, to a space that is not full
    (R-19)."""
    most = c.dice_per_space
    affordable = g.rubles[seat] // c.rubles_per_step if c.rubles_per_step > 0 else EXTRA_STEPS
    affordable = affordable if affordable < EXTRA_STEPS else EXTRA_STEPS
    for seen in range(c.dice):
        die = c.die_seen[seat, seen]
        space = np.int64(g.die_space[die])
        if FULL and seen == BLACK_DIE:
            action = number(c, Verb.MOVE_BLACK, 0, 0, 0)
        else:
            action = number(c, Verb.MOVE, seen, 0, 0)  # further steps follow it in the catalogue
        target = space + g.die_value[die]
        for extra in range(affordable + 1 if c.die_extends[seen] else 1):
            landing = (target + extra) % SPACES
            menu.action[n] = action + extra
            n += (g.crowd[landing] < most) | (landing == space)  # on its own space two others stay
    return n


@rule
def move(c, g, seat, seen, extra):
    """Move the die and pay for extra steps; the market actions follow."""
    die = c.die_seen[seat, seen]
    space = (g.die_space[die] + g.die_value[die] + extra) % SPACES
    g.rubles[seat] -= extra * c.rubles_per_step
    g.crowd[g.die_space[die]] -= 1
    g.crowd[space] += 1
    g.die_space[die] = space
    g.die = die
    g.space = space
    g.obtained = 0
    g.worked = 0
    g.influenced = -1
    g.influence_open = 0
    pop(g)
    push(g, Point.MARKET, NO_EFFECT, 0, 0, 0)


@rule
def legal_market(c, g, seat, menu, n):
    """List the market actions: obtain, guild, workshop, in any order and each at most once, then done (R-20)."""
    n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    tile = g.market[g.space]
    if not g.obtained and goods.most_of(c, g, seat, c.market_kind[tile], c.market_amount[tile]) > 0:
        n = offer(c, menu, n, Verb.OBTAIN, 0, 0, 0)
    n = guilds.legal_guild(c, g, seat, menu, n)
    if FULL and g.die == BLACK_DIE and not g.worked and g.specialist_works:
        n = offer(c, menu, n, Verb.SPECIALIST, 0, 0, 0)
    return workshop.legal_workshop(c, g, seat, menu, n)


@rule
def obtain(c, g, seat):
    """Obtain the tile of the space times the dice on it (R-21)."""
    tile = g.market[g.space]
    g.obtained = 1
    g.influence_open = 0
    goods.grant(c, g, seat, NO_EFFECT, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space], 0)


@rule
def use_workshop(c, g, seat, slot):
    """Activate the tile that belongs to the moved die (R-22)."""
    g.worked = 1
    g.influence_open = 0
    workshop.activate(c, g, seat, slot, 0)


@rule
def use_specialist(c, g, seat):
    """Use the own specialist, after the black die in the place of a workshop tile (R-52)."""
    g.worked = 1
    g.influence_open = 0
    effects.use(c, g, seat, specialists.turn_over(g, seat))


@rule
def finish(g):
    """Leave the market: roll all dice on the landing space (R-20)."""
    pop(g)
    chance.roll_space(g, g.space)
    push(g, Point.END, NO_EFFECT, 0, 0, 0)
