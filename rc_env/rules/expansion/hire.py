"""Hire, the fourth main action: a contractor goes to a city, where a specialist is engaged or dismissed (R-53 to R-56).

Here are also the permits that an optional action gives (R-49), and the setup of the module Contractors.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import goods, track
from ..points import (
    HIRE_CITY,
    NO_EFFECT,
    Point,
    pop,
    push,
)
from ..printed.sizes import ANY, CITIES, SPECIALIST_SLOTS, SPECIALISTS
from ..verbs import Verb, number, offer
from . import cities, permits, specialists

NONE = -1
BONUS = ("rubles", "permits", "recognition", "prestige", "any_material")
"""Columns of RULES.bonus, in the order in which they are received."""
RUBLES, PERMITS, RECOGNITION, PRESTIGE, MATERIAL = range(len(BONUS))


# --- setup


@rule
def set_up(c, g, fixed, scratch):
    """Permits, contractors, cities over the towers, specialists in the bag and on the slots (R-45 to R-47)."""
    g.permits[:] = 0
    g.permit_supply = c.permit_supply
    g.contractors[:] = 0
    for seat in range(c.seats):
        g.contractors[seat] = c.contractors
    for seat in range(c.players):
        permits.receive(c, g, seat, c.starting_permits)
    g.tools[:] = 0
    g.specialist[:] = NONE
    g.specialist_works = 0
    g.offer[:] = NONE
    g.forced_specialist[:] = NONE
    g.forced_specialists = 0
    g.log_refill[:] = NONE
    g.ivan_refill[:] = NONE
    g.ivan_tower = NONE
    g.bag = 0
    g.bag_draws = 0
    g.city_over[:] = NONE
    g.city_open[:] = 0
    g.sent[:] = 0
    if c.module:
        cities.set_up(c, g, fixed, scratch)
        offers(g, fixed)


@rule
def offers(g, fixed):
    """A specialist on each slot, drawn from the bag (R-45)."""
    for tile in range(SPECIALISTS):
        g.bag |= 1 << tile
    for slot in range(SPECIALIST_SLOTS):
        if fixed.offer[0] >= 0:
            g.offer[slot] = fixed.offer[slot]
            g.bag = np.int64(g.bag) & ~(1 << np.int64(fixed.offer[slot]))
            g.bag_draws += 1  # the draws to come are those of a game in which these were drawn
        else:
            g.offer[slot] = specialists.draw(g)


# --- the main action


@rule
def legal_hire(c, g, seat, menu, n):
    """List the hires: open cities for which the seat has enough permits, if a contractor is left (R-53)."""
    if c.module and g.contractors[seat] > 0:
        for city in range(CITIES):
            if g.city_open[city] and g.permits[seat] > cities.there(c, g, city):
                n = offer(c, menu, n, Verb.HIRE, city, 0, 0)
    return n


@rule
def send(c, g, seat, city):
    """Send the row's next contractor and pay; then the bonus of its place, then a tile of the city (R-53 to R-55)."""
    price = cities.there(c, g, city) + 1
    place = c.contractors - g.contractors[seat]
    g.contractors[seat] -= 1
    g.sent[city, seat] += 1
    g.version += 1
    permits.pay(g, seat, price)
    pop(g)
    push(g, Point.END, NO_EFFECT, 0, 0, 0)
    if any_offer(c, g, city):
        push(g, Point.HIRE, NO_EFFECT, city, 0, 0)
    g.rubles[seat] += c.bonus[place, RUBLES]
    permits.receive(c, g, seat, c.bonus[place, PERMITS])
    track.gain_recognition(g, seat, c.bonus[place, RECOGNITION])
    track.gain_prestige(c, g, seat, c.bonus[place, PRESTIGE])
    if c.bonus[place, MATERIAL] > 0 and goods.most_of(c, g, seat, ANY, 1) > 0:
        push(g, Point.TAKE, NO_EFFECT, ANY, c.bonus[place, MATERIAL], 0)


@rule
def may_take(c, g, city, slot):
    """Whether a tile lies on that slot of the city."""
    return c.city_slot[city, slot] == 1 and g.offer[slot] >= 0


@rule
def any_offer(c, g, city):
    """Whether a tile lies on any slot of the city."""
    found = False
    for slot in range(SPECIALIST_SLOTS):
        found |= may_take(c, g, city, slot)
    return found


@rule
def legal(c, g, seat, menu, n):
    """List engaging a tile of the city for rubles and dismissing one for nothing; one of the two is due (R-55)."""
    city = g.stack[g.depth - 1, HIRE_CITY]
    if g.rubles[seat] >= c.hire_rubles:
        for slot in range(SPECIALIST_SLOTS):
            menu.action[n] = number(c, Verb.ENGAGE, slot, 0, 0)
            n += may_take(c, g, city, slot)
    for slot in range(SPECIALIST_SLOTS):
        menu.action[n] = number(c, Verb.DISMISS, slot, 0, 0)
        n += may_take(c, g, city, slot)
    return n


@rule
def engage(c, g, seat, slot):
    """Pay, and lay the tile on the own board; a specialist that lies there is turned over without effect (R-55)."""
    tile = g.offer[slot]
    g.rubles[seat] -= c.hire_rubles
    if g.specialist[seat] >= 0:
        specialists.turn_over(g, seat)
    g.specialist[seat] = tile
    refill(g, slot)


@rule
def refill(g, slot):
    """The slot is refilled, and the action is over; a tile that was dismissed has left the game (R-55)."""
    pop(g)
    g.log_refill[0] = slot
    g.log_refill[1] = specialists.refill(g, slot)


# --- the optional action


@rule
def legal_permit(c, g, seat, menu, n):
    """List giving up prestige for a permit, below the cap (R-49)."""
    if permits.receivable(c, g, seat) > 0 and track.can_lose_prestige(c, g, seat, c.prestige_per_permit):
        n = offer(c, menu, n, Verb.PERMIT, 0, 0, 0)
    return n


@rule
def permit(c, g, seat):
    """Give up prestige for a permit (R-49)."""
    track.lose_prestige(c, g, seat, c.prestige_per_permit)
    permits.receive(c, g, seat, 1)
