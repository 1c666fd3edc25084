"""Materials between the supply and the inventories, and how a seat receives any resource (R-21)."""

from __future__ import annotations

from ..edition import FULL
from ..jit import rule
from . import track
from .expansion import permits
from .points import Point, push
from .printed.sizes import ANY, BANNERS_INVENTORY, MATERIALS, PERMITS, RECOGNITION, RUBLES


@rule
def room(c, g, seat):
    """Open inventory spaces without a material: 0 to 10."""
    goods = g.goods[seat]
    free = c.inventory_spaces - goods[BANNERS_INVENTORY]
    for material in range(MATERIALS):
        free -= goods[material]
    if FULL:
        free -= g.diamonds[seat]
    return free


@rule
def receivable(c, g, seat, material):
    """How many of a material the seat can receive: limited by its room and by the supply (R-21)."""
    space = room(c, g, seat)
    left = g.supply[material]
    return space if space < left else left


@rule
def receive(g, seat, material, count):
    """Move materials from the supply to the inventory."""
    g.goods[seat, material] += count
    g.supply[material] -= count


@rule
def give_back(g, seat, material, count):
    """Move materials from the inventory to the supply."""
    g.goods[seat, material] -= count
    g.supply[material] += count


@rule
def receive_diamonds(c, g, seat, count):
    """Diamonds simply arrive, as far as room and supply reach (R-61)."""
    most = min(room(c, g, seat), g.diamond_supply)
    count = min(count, most)
    g.diamonds[seat] += count
    g.diamond_supply -= count


@rule
def most_of(c, g, seat, resource, amount):
    """The amount of a resource that the seat can actually receive: materials need room and supply (R-21)."""
    if resource == ANY:
        if room(c, g, seat) > 0:
            for material in range(MATERIALS):
                if g.supply[material] > 0:
                    return 1
        return 0
    if FULL and resource == PERMITS:
        most = permits.receivable(c, g, seat)
        return amount if amount < most else most
    if resource >= RUBLES:
        return amount
    limit = receivable(c, g, seat, resource)
    return amount if amount < limit else limit


@rule
def grant(c, g, seat, effect, resource, amount, refusable):
    """Give a resource: rubles and recognition at once, materials as a decision on how many (R-21).

    `effect` is what gives it, or -1; `refusable` is 1 if nothing may be taken.
    """
    if resource == RUBLES:
        g.rubles[seat] += amount
    elif resource == RECOGNITION:
        track.gain_recognition(g, seat, amount)
    elif FULL and resource == PERMITS:
        permits.receive(c, g, seat, amount)
    else:
        most = most_of(c, g, seat, resource, amount)
        if most > 0:
            push(g, Point.TAKE, effect, resource, most, refusable)
