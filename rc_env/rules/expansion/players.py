"""Choosing another player: whose banners are counted, who receives rubles, who gives a material back (R-62, R-85)."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import track
from ..points import (
    EFFECT,
    NO_EFFECT,
    PLAYER_GIVEN,
    WAY,
    Point,
    pop,
    push,
)
from ..printed.expansion_vocabulary import BANNERS, CONTRACTORS, EXCHANGE, PER_PERMITS, PER_RECOGNITION, RUBLES
from ..printed.sizes import DIAMOND, MATERIALS
from ..verbs import Verb, offer
from . import cities, diamonds, permits


@rule
def seat_of(c, seat, other):
    """The seat that `seat` sees as its next one (other 0), the one after it (1), and so on."""
    return (np.int64(seat) + 1 + other) % c.seats


@rule
def can_be_chosen(c, g, seat, effect, who, why, given):
    """Whether that seat can be chosen: it has what the effect needs (R-62)."""
    if why == BANNERS:
        return banners(g, who) > 0
    if why == RUBLES:
        return track.can_lose_prestige(c, g, who, c.effect_from_player[effect])
    if why == CONTRACTORS:
        return cities.contractors(g, who) > 0
    return has_other_kind(g, who, given)


@rule
def has_other_kind(g, who, given):
    """Whether the seat has a material of another kind than the one that is given, diamonds being a kind."""
    if given != DIAMOND and g.diamonds[who] > 0:
        return True
    for material in range(MATERIALS):
        if material != given and g.goods[who, material] > 0:
            return True
    return False


@rule
def any_choice(c, g, seat, effect, why, given):
    """Whether any other player can be chosen."""
    for other in range(c.seats - 1):
        if can_be_chosen(c, g, seat, effect, seat_of(c, seat, other), why, given):
            return True
    return False


@rule
def legal(c, g, seat, menu, n):
    """List the other players that can be chosen."""
    f = g.stack[g.depth - 1]
    for other in range(c.seats - 1):
        if can_be_chosen(c, g, seat, f[EFFECT], seat_of(c, seat, other), f[WAY], f[PLAYER_GIVEN]):
            n = offer(c, menu, n, Verb.PLAYER, other, 0, 0)
    return n


@rule
def choose(c, g, seat, other):
    """Carry out what the player was chosen for; of an exchange the material in return is still to be named."""
    f = g.stack[g.depth - 1]
    who = seat_of(c, seat, other)
    effect, why, given = f[EFFECT], f[WAY], f[PLAYER_GIVEN]
    pop(g)
    if why == BANNERS:
        gain_for_banners(c, g, seat, effect, who)
    elif why == CONTRACTORS:
        gain_for_contractors(c, g, seat, effect, who)
    elif why == RUBLES:
        g.rubles[seat] -= c.effect_to_player[effect]
        if who < c.players:  # Ivan has no use for them
            g.rubles[who] += c.effect_to_player[effect]
        track.lose_prestige(c, g, who, c.effect_from_player[effect])
        track.gain_prestige(c, g, seat, c.effect_from_player[effect])
    else:
        push(g, Point.GAIN, effect, 1, given, who + 1)


# --- the foreman's tower


@rule
def banners(g, seat):
    """How many sections of the foreman's tower the seat has claimed, finished or not."""
    first = g.first[g.foreman]
    found = 0
    for section in range(first, first + g.claimed[g.foreman]):
        found += g.owner[section] == seat
    return found


@rule
def gain_for_banners(c, g, seat, effect, counted):
    """Gain 1 recognition or 1 ruble for each banner of the seat `counted`."""
    found = banners(g, counted)
    if c.effect_mode[effect] & PER_RECOGNITION:
        track.gain_recognition(g, seat, found)
    else:
        g.rubles[seat] += found


# --- contractors in the cities


@rule
def gain_for_contractors(c, g, seat, effect, counted):
    """Gain 1 permit or 1 ruble for each contractor of the seat `counted`."""
    if c.effect_contractors[effect] == PER_PERMITS:
        permits.receive(c, g, seat, cities.contractors(g, counted))
    else:
        g.rubles[seat] += cities.contractors(g, counted)


# --- the exchange: both materials change hands with the last choice


@rule
def legal_exchange(c, g, seat, menu, n):
    """List the materials that may be given: those for which some other player has one of another kind."""
    for material in range(MATERIALS):
        if g.goods[seat, material] > 0 and any_choice(c, g, seat, NO_EFFECT, EXCHANGE, material):
            n = offer(c, menu, n, Verb.PAY, material, 0, 0)
    if g.diamonds[seat] > 0 and any_choice(c, g, seat, NO_EFFECT, EXCHANGE, DIAMOND):
        n = offer(c, menu, n, Verb.PAY_DIAMOND, 0, 0, 0)
    return n


@rule
def legal_return(c, g, who, given, menu, n):
    """List the materials that may be received: the other player's, of another kind than the one given."""
    for material in range(MATERIALS):
        if material != given and g.goods[who, material] > 0:
            n = offer(c, menu, n, Verb.GAIN, material, 0, 0)
    if given != DIAMOND and g.diamonds[who] > 0:
        n = offer(c, menu, n, Verb.GAIN_DIAMOND, 0, 0, 0)
    return n


@rule
def exchange(g, seat, who, given, received):
    """Each gives one material to the other."""
    diamonds.hand_over(g, seat, who, given)
    diamonds.hand_over(g, who, seat, received)
