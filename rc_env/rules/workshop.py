"""Workshop tiles: what they give, when they are placed and when they are activated (R-14, R-22)."""

from __future__ import annotations

from rc_env.jit import rule
from rc_env.rules import track
from rc_env.rules.components import Verb
from rc_env.rules.state import (
    ANY,
    MATERIALS,
    RECOGNITION,
    RUBLES,
    SLOTS,
    TAKE,
    WHITE_DIE,
    WHITE_SLOT,
    pop,
    push,
    receivable,
    receive,
    room,
)

WORKSHOP, TAKE_ACTION, GAIN_ACTION = int(Verb.WORKSHOP), int(Verb.TAKE), int(Verb.GAIN)


@rule
def resource_of(c, g, kind):
    """The resource a tile gives: for a die tile that of the space where the die lies now."""
    die = c.tile_die[kind]
    if die >= 0:
        return c.market_kind[g.market[g.die_space[die]]]
    return c.tile_resource[kind]


@rule
def amount_of(c, g, kind):
    """How much a tile gives: for a die tile what the space shows, once (R-22)."""
    die = c.tile_die[kind]
    if die >= 0:
        return c.market_amount[g.market[g.die_space[die]]]
    return c.tile_amount[kind]


@rule
def most_of(c, g, seat, resource, amount):
    """How much of a resource the seat can really have: materials need room and supply (R-21)."""
    if resource == ANY:
        if room(c, g, seat) > 0:
            for material in range(MATERIALS):
                if g.supply[material] > 0:
                    return 1
        return 0
    if resource >= RUBLES:
        return amount
    limit = receivable(c, g, seat, resource)
    return amount if amount < limit else limit


@rule
def grant(c, g, seat, resource, amount, placed):
    """Give a resource: rubles and recognition at once, materials as a decision on how many (R-21)."""
    if resource == RUBLES:
        g.rubles[seat] += amount
    elif resource == RECOGNITION:
        track.gain_recognition(g, seat, amount)
    else:
        most = most_of(c, g, seat, resource, amount)
        if most > 0:
            push(g, TAKE, resource, most, placed)


@rule
def activate(c, g, seat, slot, placed):
    """The benefit of a face-up tile."""
    kind = g.slot_tile[seat, slot]
    grant(c, g, seat, resource_of(c, g, kind), amount_of(c, g, kind), placed)


@rule
def has_effect(c, g, seat, slot):
    """Whether the slot holds a face-up tile that would give something now (R-23)."""
    if not g.slot_up[seat, slot]:
        return False
    kind = g.slot_tile[seat, slot]
    return most_of(c, g, seat, resource_of(c, g, kind), amount_of(c, g, kind)) > 0


@rule
def any_effect(c, g, seat):
    """Whether any of the seat's tiles would give something now."""
    for slot in range(SLOTS):
        if has_effect(c, g, seat, slot):
            return True
    return False


@rule
def legal_workshop(c, g, seat, menu, n):
    """The market action: the tile in the slot of the moved die's colour, one of the two for the white die (R-22)."""
    if g.worked:
        return n
    first = g.die
    last = WHITE_SLOT + 1 if g.die == WHITE_DIE else g.die
    for slot in range(first, last + 1):
        if has_effect(c, g, seat, slot):
            menu.action[n] = c.start[WORKSHOP] + c.seen_as[seat, slot]
            n += 1
    return n


@rule
def legal_tile(c, g, seat, menu, n):
    """A guild action: any face-up tile with an effect, whatever die moved (R-22)."""
    for slot in range(SLOTS):
        if has_effect(c, g, seat, slot):
            menu.action[n] = c.start[WORKSHOP] + c.seen_as[seat, slot]
            n += 1
    return n


@rule
def legal_take(c, g, seat, menu, n):
    """How many of the material that waits, or which one of them all."""
    f = g.stack[g.depth - 1]
    if f[1] == ANY:
        for material in range(MATERIALS):
            if receivable(c, g, seat, material) > 0:
                menu.action[n] = c.start[GAIN_ACTION] + material
                n += 1
        if f[3]:
            menu.action[n] = c.start[TAKE_ACTION]
            n += 1
        return n
    for count in range(1 - f[3], f[2] + 1):
        menu.action[n] = c.start[TAKE_ACTION] + count
        n += 1
    return n


@rule
def take(g, seat, count):
    """Take that many of the material that waits."""
    material = g.stack[g.depth - 1, 1]
    pop(g)
    if count > 0:
        receive(g, seat, material, count)


@rule
def take_any(g, seat, material):
    """Take one of a material of one's choice."""
    pop(g)
    receive(g, seat, material, 1)
