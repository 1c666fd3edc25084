"""Diamonds: the seventh material, which may stand for any other one in a payment (R-66, R-67).

They are counted apart from the six materials, since no rule that names a material, or lets a player choose any, means
them. In numbers of materials on the stack `DIAMOND` follows the six.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from ..printed.sizes import DIAMOND, MATERIALS


@rule
def give_back(g, seat, count):
    """Move diamonds from a seat to the supply."""
    g.diamonds[seat] -= count
    g.diamond_supply += count


@rule
def hand_over(g, giver, receiver, material):
    """Move one material, or a diamond, from one seat to another."""
    if material == DIAMOND:
        g.diamonds[giver] -= 1
        g.diamonds[receiver] += 1
    else:
        g.goods[giver, material] -= 1
        g.goods[receiver, material] += 1


# --- payments whose materials are fixed: pieces of the kind go first, diamonds for the rest (R-67d)


@rule
def can_pay_fixed(c, g, seat, effect):
    """Whether the fixed materials of an effect can be paid."""
    due = int(c.effect_fixed_diamonds[effect])
    for material in range(MATERIALS):
        missing = c.effect_fixed[effect, material] - g.goods[seat, material]
        if missing > 0:
            due += missing
    return due <= g.diamonds[seat]


@rule
def pay_fixed(c, g, seat, effect):
    """Pay them; return how many diamonds stood for each material, three bits each, for `take_back`."""
    stood = 0
    for material in range(MATERIALS):
        count = np.int64(c.effect_fixed[effect, material])  # plain Python would shift within the narrow type
        missing = count - g.goods[seat, material]
        if missing < 0:
            missing = 0
        g.goods[seat, material] -= count - missing
        g.supply[material] += count - missing
        give_back(g, seat, missing)
        stood |= missing << (3 * material)
    give_back(g, seat, c.effect_fixed_diamonds[effect])
    return stood


@rule
def take_back(c, g, seat, effect, stood):
    """Undo `pay_fixed`."""
    for material in range(MATERIALS):
        missing = (stood >> (3 * material)) & 7
        paid = c.effect_fixed[effect, material] - missing
        g.goods[seat, material] += paid
        g.supply[material] -= paid
        give_back(g, seat, -missing)
    give_back(g, seat, -c.effect_fixed_diamonds[effect])
