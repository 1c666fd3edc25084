"""Payments for an effect: sets of equal materials, different ones, or diamonds in their place (R-23, R-67)."""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from .expansion import diamonds, players
from .goods import give_back
from .points import (
    EFFECT,
    PAY_FROM,
    PAY_LEFT,
    Point,
)
from .printed.sizes import DIAMOND, MATERIALS
from .verbs import Verb, number, offer


@rule
def can_pay(c, g, seat, effect, material, each, trade):
    """Whether one payment can be made in that material, and, of a trade, anything received for it (R-23)."""
    held = g.goods[seat, material]
    if FULL and 0 < held < each:
        held = min(each, held + g.diamonds[seat])  # diamonds for the rest (R-67c)
    if held < each or not c.effect_pay_from[effect, material]:
        return False
    if trade:
        for other in range(MATERIALS):
            if other != material and g.supply[other] > 0 and c.effect_gain_from[effect, other]:
                return True
    return not trade


@rule
def payable(c, g, seat, effect, left, lowest, menu, n):
    """The materials that may be paid. `left` payments are due; sets of different ones are named upwards."""
    if FULL:
        return payable_full(c, g, seat, effect, left, lowest, menu, n)
    each, trade = c.effect_each[effect], c.effect_gains[effect] > 0
    kinds = left  # that can be paid from here upwards: counted where several payments are due
    if left > 1:
        kinds = 0
        for material in range(lowest, MATERIALS):
            kinds += can_pay(c, g, seat, effect, material, each, trade)
    for material in range(lowest, MATERIALS):
        if can_pay(c, g, seat, effect, material, each, trade):
            menu.action[n] = number(c, Verb.PAY, material, 0, 0)
            n += kinds >= left
            kinds -= left > 1
    return n


@rule
def legal_pay(c, g, seat, menu, n):
    """List the materials that may be given at this payment."""
    f = g.stack[g.depth - 1]
    return payable(c, g, seat, np.uint64(f[EFFECT]), f[PAY_LEFT], f[PAY_FROM], menu, n)


@rule
def payable_full(c, g, seat, effect, left, lowest, menu, n):
    """Like `payable`, with diamonds, which come last, in place of any material (R-66, R-67c)."""
    each, trade = c.effect_each[effect], c.effect_gains[effect] > 0
    if c.effect_opens[effect] == Point.PLAYER:
        return players.legal_exchange(c, g, seat, menu, n)
    if c.effect_ordered[effect]:  # so many of any kind, equal ones allowed, diamonds not
        held = 0
        for material in range(lowest, MATERIALS):
            held += g.goods[seat, material]
        for material in range(lowest, MATERIALS):
            if g.goods[seat, material] > 0 and held >= left:
                n = offer(c, menu, n, Verb.PAY, material, 0, 0)
            held -= g.goods[seat, material]
        return n
    spare = g.diamonds[seat] if left > 1 else 0  # that can be paid after those that are named
    kinds = 0
    for material in range(lowest, MATERIALS):
        kinds += can_pay(c, g, seat, effect, material, each, trade)
    for material in range(lowest, MATERIALS):
        if can_pay(c, g, seat, effect, material, each, trade):
            if kinds + spare >= left:
                n = offer(c, menu, n, Verb.PAY, material, 0, 0)
            kinds -= 1
    if g.diamonds[seat] >= each * left and (not trade or can_receive(c, g, effect)):
        n = offer(c, menu, n, Verb.PAY_DIAMOND, 0, 0, 0)
    return n


@rule
def can_receive(c, g, effect):
    """Whether any material that the effect may give is in the supply."""
    for material in range(MATERIALS):
        if g.supply[material] > 0 and c.effect_gain_from[effect, material]:
            return True
    return False


@rule
def pay_material(c, g, seat, material, each):
    """Pay a material, with diamonds for what is missing of it; or diamonds alone."""
    held = each if material != DIAMOND else 0
    if material != DIAMOND:
        held = min(each, g.goods[seat, material])
        give_back(g, seat, material, held)
    diamonds.give_back(g, seat, each - held)
