"""Gains and decisions of the expansion's effects: the part of `effects.py` for the full game only (R-60, R-61)."""

from __future__ import annotations

from ...jit import rule
from .. import claim, workshop
from ..goods import room
from ..points import Point, push
from ..printed.expansion_vocabulary import PER_PERMITS
from ..printed.sizes import ANY, REINFORCEMENTS
from . import builders, cities, contracts, extra, permits, players, resources, specialists


@rule
def yields_resource(c, effect):
    """Whether the effect gives a resource, or that of the space where a die lies."""
    return c.effect_die[effect] >= 0 or c.effect_amount[effect] > 0


@rule
def simply_gives(c, g, seat, effect):
    """Whether any part of what simply arrives would do so, as far as cap, room and supply reach (R-61)."""
    if c.effect_rubles[effect] + c.effect_recognition[effect] + c.effect_prestige[effect] > 0:
        return True
    if c.effect_diamonds[effect] > 0:
        return g.diamond_supply > 0 and room(c, g, seat) > 0
    if c.effect_permits[effect] > 0:
        return permits.receivable(c, g, seat) > 0
    if c.effect_contractors[effect] > 0:
        wanted = c.effect_contractors[effect] != PER_PERMITS or permits.receivable(c, g, seat) > 0
        return wanted and cities.contractors(g, seat) > 0
    if yields_resource(c, effect):
        return workshop.gives(c, g, seat, effect)
    return True


@rule
def begins(c, g, seat, effect, first, menu, n):
    """Whether a choice of the expansion, opened with the price paid, has an effect."""
    mode = c.effect_mode[effect]
    if first == Point.RESOURCE:
        return resources.any_space(c, g, seat, mode)
    if first == Point.PLAYER:
        return g.rubles[seat] >= c.effect_to_player[effect] and players.any_choice(c, g, seat, effect, mode, 0)
    if first == Point.EXTRA:
        return extra.begins(c, g, seat, c.effect_then_material[effect])
    if first == Point.CARD:
        return room(c, g, seat) > 0 and builders.enough(g, c.effect_count[effect])
    if first == Point.SECTION:
        return builders.any_section(c, g, seat, effect)
    if first == Point.REINFORCEMENT:
        for tile in range(REINFORCEMENTS):
            if g.reinforcement[tile] == -1:
                return True
        return False
    if first == Point.BOTH:
        return specialists.can_do_both(c, g, seat, menu, n)
    if first == Point.SPEND:
        return g.rubles[seat] > 0
    if first == Point.DISCARD:
        return specialists.any_ornament(g, seat)
    if first == Point.CLAIM:
        return claim.legal_claim(c, g, seat, menu, n) > n
    return True  # the foreman moves, contracts are drawn


@rule
def open_choice(c, g, seat, effect, paid):
    """Open what the effect opens, where that is a choice of the expansion."""
    opens, mode, count = c.effect_opens[effect], c.effect_mode[effect], c.effect_count[effect]
    if opens == Point.KEEP:
        contracts.draw(g, effect)
    elif opens == Point.CARD:
        builders.draw(c, g, effect, count)
    elif opens == Point.EXTRA:
        if c.effect_then_material[effect]:
            push(g, Point.TAKE, effect, ANY, 1, 1)
        push(g, Point.EXTRA, effect, count, 0, 0)
    elif opens == Point.BOTH:
        push(g, Point.BOTH, effect, specialists.MATERIAL_LEFT | specialists.DELIVERY_LEFT, 0, 0)
    else:
        push(g, opens, effect, mode, 0, 0)
