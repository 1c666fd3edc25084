"""What an effect asks for, gives and opens: the primitives behind every guild action (R-18, R-20, R-23, R-24).

An effect is a row of RULES' columns `effect_…` (`vocabulary.py`). Its price is paid when it is chosen, then its
payments, one decision each; then what it gives is received, and what it opens is decided. The frames on the stack
carry its number, so that an effect works in the same way wherever it is used from.
"""

from __future__ import annotations

import numpy as np

from rc_env.jit import rule
from rc_env.rules import build, track, workshop
from rc_env.rules.goods import give_back, receive, room
from rc_env.rules.points import EFFECT, NO_POINT, A, B, Point, pop, push
from rc_env.rules.sizes import MATERIALS, SPACES
from rc_env.rules.verbs import Verb, number
from rc_env.rules.vocabulary import EACH_TYPE, NO_CONDITION


@rule
def possible(c, g, seat, effect, menu, n):
    """Whether the effect can be paid for and its first step has an effect (R-23). `menu` from n on is scratch."""
    if g.rubles[seat] < c.effect_price[effect] or not fulfilled(c, g, seat, c.effect_condition[effect]):
        return False
    first = c.effect_first[effect]
    if first == Point.PAY:
        return payable(c, g, seat, effect, c.effect_payments[effect], 0, menu, n) > n
    if first == Point.GAIN:
        return gainable(c, g, seat, effect, -1, menu, n) > n
    if first == Point.BUILD:
        return build.can_deliver(c, g, seat, menu, n)
    if first == Point.TILE:
        return workshop.any_effect(c, g, seat)
    return True


@rule
def fulfilled(c, g, seat, condition):
    """Whether the seat meets the condition of an effect."""
    if condition == NO_CONDITION:
        return True
    if condition == EACH_TYPE:
        kinds = 0
        for section in range(c.sections):
            if g.finished[section] and g.owner[section] == seat:
                kinds |= 1 << g.kind[section]
        return kinds == 7
    return False


@rule
def use(c, g, seat, effect):
    """Choose an effect: its price is paid now; its payments, or what it gives, follow."""
    g.rubles[seat] -= c.effect_price[effect]
    if c.effect_first[effect] == Point.PAY:
        push(g, Point.PAY, effect, c.effect_payments[effect], 0, 0)
    else:
        give(c, g, seat, effect, -1)


@rule
def give(c, g, seat, effect, paid):
    """Give what the effect gives and open what it opens. `paid` is a material that is not received in turn, or -1."""
    g.rubles[seat] += c.effect_rubles[effect]
    track.gain_recognition(g, seat, c.effect_recognition[effect])
    track.gain_prestige(c, g, seat, c.effect_prestige[effect])
    opens = c.effect_opens[effect]
    if opens != NO_POINT:
        push(g, opens, effect, c.effect_count[effect], paid if opens == Point.GAIN else 0, 0)


# --- payments


@rule
def can_pay(c, g, seat, effect, material, each, trade):
    """Whether one payment can be made in that material, and, of a trade, anything received for it (R-23)."""
    if g.goods[seat, material] < each or not c.effect_pay_from[effect, material]:
        return False
    if trade:
        for other in range(MATERIALS):
            if other != material and g.supply[other] > 0 and c.effect_gain_from[effect, other]:
                return True
    return not trade


@rule
def payable(c, g, seat, effect, left, lowest, menu, n):
    """The materials that may be paid. `left` payments are due; sets of different ones are named upwards."""
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
    """What may be given at this payment."""
    f = g.stack[g.depth - 1]
    return payable(c, g, seat, np.uint64(f[EFFECT]), f[A], f[B], menu, n)


@rule
def pay(c, g, seat, material):
    """Give what the effect asks for; after the last payment what it gives follows."""
    f = g.stack[g.depth - 1]
    effect = np.uint64(f[EFFECT])
    give_back(g, seat, material, c.effect_each[effect])
    f[A] -= 1
    f[B] = material + 1
    if f[A] == 0:
        pop(g)
        give(c, g, seat, effect, material)


# --- gains


@rule
def gainable(c, g, seat, effect, excluded, menu, n):
    """The materials that may be received: never the one paid (R-23)."""
    if room(c, g, seat) == 0:
        return n
    for material in range(MATERIALS):
        menu.action[n] = number(c, Verb.GAIN, material, 0, 0)
        n += (material != excluded) & (g.supply[material] > 0) & (c.effect_gain_from[effect, material] > 0)
    return n


@rule
def legal_gain(c, g, seat, menu, n):
    """What may be received."""
    f = g.stack[g.depth - 1]
    return gainable(c, g, seat, np.uint64(f[EFFECT]), f[B], menu, n)


@rule
def gain(c, g, seat, material, menu):
    """Receive one; where two are due but only one is possible, one is received. `menu` is scratch."""
    receive(g, seat, material, 1)
    f = g.stack[g.depth - 1]
    f[A] -= 1
    if f[A] == 0 or gainable(c, g, seat, np.uint64(f[EFFECT]), f[B], menu, 0) == 0:
        pop(g)


# --- swaps


@rule
def legal_swap(c, g, seat, menu, n):
    """Any two different spaces (R-24)."""
    for low in range(SPACES):
        for high in range(low + 1, SPACES):
            menu.action[n] = number(c, Verb.SWAP, low, high, 0)
            n += 1
    return n


@rule
def swap(g, low, high):
    """Swap the market tiles of two spaces; the dice stay (R-24)."""
    g.market[low], g.market[high] = g.market[high], g.market[low]
    g.version += 1
    pop(g)
