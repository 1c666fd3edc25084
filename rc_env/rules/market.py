"""Acquire resources from the market: move a die, use the space, roll (R-19 to R-21)."""

from __future__ import annotations

from rc_env.jit import rule
from rc_env.rules import chance, guilds, workshop
from rc_env.rules.components import Verb
from rc_env.rules.state import END, MARKET, SPACES, WHITE_DIE, pop, push

DONE, OBTAIN = int(Verb.DONE), int(Verb.OBTAIN)
EXTRA_STEPS = 7  # more would repeat a space


@rule
def full_space(c, g):
    """The space that holds as many dice as a space can, or -1: of five dice there is one such space at most."""
    for space in range(SPACES):
        if g.crowd[space] >= c.dice_per_space:
            return space
    return -1


@rule
def legal_move(c, g, seat, menu, n):
    """Each die by its value, the own and the white one further for rubles, onto a space that is not full (R-19)."""
    full = full_space(c, g)
    for seen in range(c.dice):
        die = c.seen[seat, seen]
        space = g.die_space[die]
        blocked = full if space != full else -1  # of a full space's own dice two others stay
        target = space + g.die_value[die]
        steps = 0
        if seen == 0 or die == WHITE_DIE:
            steps = g.rubles[seat] // c.rubles_per_step if c.rubles_per_step > 0 else EXTRA_STEPS
            steps = steps if steps < EXTRA_STEPS else EXTRA_STEPS
        action = c.move_start[seen]
        for extra in range(steps + 1):
            menu.action[n] = action + extra
            n += (target + extra) % SPACES != blocked
    return n


@rule
def move(c, g, seat, seen, extra):
    """Move the die and pay for extra steps; the market actions follow."""
    die = c.seen[seat, seen]
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
    push(g, MARKET, 0, 0, 0)


@rule
def legal_market(c, g, seat, menu, n):
    """Obtain, guild, workshop, in any order and each at most once, then done (R-20)."""
    menu.action[n] = c.start[DONE]
    n += 1
    tile = g.market[g.space]
    if not g.obtained and workshop.most_of(c, g, seat, c.market_kind[tile], c.market_amount[tile]) > 0:
        menu.action[n] = c.start[OBTAIN]
        n += 1
    n = guilds.legal_guild(c, g, seat, menu, n)
    return workshop.legal_workshop(c, g, seat, menu, n)


@rule
def obtain(c, g, seat):
    """The tile of the space times the dice on it (R-21)."""
    tile = g.market[g.space]
    g.obtained = 1
    g.influence_open = 0
    workshop.grant(c, g, seat, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space], 0)


@rule
def use_workshop(c, g, seat, slot):
    """Activate the tile that belongs to the moved die (R-22)."""
    g.worked = 1
    g.influence_open = 0
    workshop.activate(c, g, seat, slot, 0)


@rule
def finish(g):
    """Leave the market: roll all dice on the landing space (R-20)."""
    pop(g)
    chance.roll_space(g, g.space)
    push(g, END, 0, 0, 0)
