"""Use influence: the actions of the guilds' cards (R-18, R-20, R-23, R-24)."""

from __future__ import annotations

from rc_env.jit import rule
from rc_env.rules import build, track, workshop
from rc_env.rules.components import Guild, Verb
from rc_env.rules.state import (
    BUILD,
    GAIN,
    MATERIALS,
    PAY,
    SPACES,
    SWAP,
    TILE,
    give_back,
    pop,
    push,
    receive,
    room,
)

SELL, BUY, DELIVER, RUBLES_VERB = int(Guild.SELL), int(Guild.BUY), int(Guild.DELIVER), int(Guild.RUBLES)
SWAP_VERB, EQUAL, ANY_OTHER = int(Guild.SWAP), int(Guild.EXCHANGE_EQUAL), int(Guild.EXCHANGE_ANY)
ACTIVATE, RECOGNITION_VERB, DISCARD = int(Guild.ACTIVATE), int(Guild.RECOGNITION), int(Guild.DISCARD)
PRESTIGE, EACH_TYPE = int(Guild.PRESTIGE), int(Guild.EACH_TYPE)
GUILD, PAY_ACTION, GAIN_ACTION = int(Verb.GUILD), int(Verb.PAY), int(Verb.GAIN)


@rule
def card_here(g):
    """The influence card of the quadrant in which the die landed."""
    return g.influence[g.space // 2]


@rule
def legal_guild(c, g, seat, menu, n):
    """One of the two actions a visit; a repeatable one again while it is open (R-20)."""
    card = card_here(g)
    for side in range(2):
        if g.influenced < 0 or (g.influenced == side and g.influence_open):
            if c.guild_verb[card, side] != SELL and g.rubles[seat] < c.guild_price[card, side]:
                continue
            if possible(c, g, seat, card, side, menu, n):
                menu.action[n] = c.start[GUILD] + side
                n += 1
    return n


@rule
def possible(c, g, seat, card, side, menu, n):
    """Whether the action would have an effect (R-23). `menu` from n on is scratch."""
    verb = c.guild_verb[card, side]
    if verb == SELL or verb == EQUAL or verb == ANY_OTHER or verb == DISCARD:
        return pays(c, g, seat, card, side, c.guild_amount[card, side], 0, menu, n) > n
    if verb == BUY:
        return gains(c, g, seat, card, side, -1, menu, n) > n
    if verb == DELIVER:
        return build.can_deliver(c, g, seat, menu, n)
    if verb == ACTIVATE:
        return workshop.any_effect(c, g, seat)
    if verb == EACH_TYPE:
        return each_type(c, g, seat)
    return True


@rule
def each_type(c, g, seat):
    """Whether the seat has finished a base, a middle and a dome."""
    kinds = 0
    for section in range(c.sections):
        if g.finished[section] and g.owner[section] == seat:
            kinds |= 1 << g.kind[section]
    return kinds == 7


@rule
def supply_beside(g, material):
    """Whether the supply holds any other material, so that something can be received for this one (R-23)."""
    for other in range(MATERIALS):
        if other != material and g.supply[other] > 0:
            return True
    return False


@rule
def pays(c, g, seat, card, side, left, lowest, menu, n):
    """The materials that may be paid. `left` payments are due; sets of different ones are named upwards."""
    verb = c.guild_verb[card, side]
    goods = g.goods[seat]
    if verb == DISCARD:
        kinds = 0
        for material in range(lowest, MATERIALS):
            kinds += goods[material] > 0
        for material in range(lowest, MATERIALS):
            menu.action[n] = c.start[PAY_ACTION] + material
            n += (goods[material] > 0) & (kinds >= left)
            kinds -= goods[material] > 0
        return n
    trade, amount = verb != SELL, c.guild_amount[card, side]
    for material in range(lowest, MATERIALS):
        menu.action[n] = c.start[PAY_ACTION] + material
        if (goods[material] >= amount) & (c.guild_allows[card, side, material] > 0):
            n += not trade or supply_beside(g, material)
    return n


@rule
def gains(c, g, seat, card, side, excluded, menu, n):
    """The materials that may be received: never the one paid (R-23)."""
    if room(c, g, seat) == 0:
        return n
    for material in range(MATERIALS):
        menu.action[n] = c.start[GAIN_ACTION] + material
        n += (material != excluded) & (g.supply[material] > 0) & (c.guild_allows[card, side, material] > 0)
    return n


@rule
def use(c, g, seat, side):
    """Choose an action of the card: its price is paid now, except that of a sale, which is received (R-23)."""
    card = card_here(g)
    verb, amount, gain = c.guild_verb[card, side], c.guild_amount[card, side], c.guild_gain[card, side]
    g.influenced = side
    g.influence_open = c.guild_unlimited[card, side]
    if verb != SELL:
        g.rubles[seat] -= c.guild_price[card, side]
    if verb == SELL or verb == EQUAL or verb == ANY_OTHER:
        push(g, PAY, side, 1, 0)
    elif verb == DISCARD:
        push(g, PAY, side, amount, 0)
    elif verb == BUY:
        push(g, GAIN, side, gain, -1)
    elif verb == DELIVER:
        push(g, BUILD, amount, 0, 0)
    elif verb == SWAP_VERB:
        push(g, SWAP, 0, 0, 0)
    elif verb == ACTIVATE:
        push(g, TILE, 0, 0, 0)
    elif verb == RUBLES_VERB:
        g.rubles[seat] += gain
    elif verb == PRESTIGE:
        track.gain_prestige(c, g, seat, gain)
    else:  # RECOGNITION_VERB, EACH_TYPE
        track.gain_recognition(g, seat, gain)


@rule
def legal_pay(c, g, seat, menu, n):
    """What may be given at this payment."""
    f = g.stack[g.depth - 1]
    return pays(c, g, seat, card_here(g), f[1], f[2], f[3], menu, n)


@rule
def pay(c, g, seat, material):
    """Give what the action asks for; what it gives follows."""
    f = g.stack[g.depth - 1]
    card, side = card_here(g), f[1]
    verb, gain = c.guild_verb[card, side], c.guild_gain[card, side]
    if verb == SELL:
        give_back(g, seat, material, 1)
        g.rubles[seat] += c.guild_price[card, side]
        pop(g)
    elif verb == DISCARD:
        give_back(g, seat, material, 1)
        f[2] -= 1
        f[3] = material + 1
        if f[2] == 0:
            pop(g)
            track.gain_prestige(c, g, seat, gain)
    else:
        give_back(g, seat, material, c.guild_amount[card, side])
        pop(g)
        push(g, GAIN, side, gain, material)


@rule
def legal_gain(c, g, seat, menu, n):
    """What may be received."""
    f = g.stack[g.depth - 1]
    return gains(c, g, seat, card_here(g), f[1], f[3], menu, n)


@rule
def gain(c, g, seat, material, menu):
    """Receive one; where two are due but only one is possible, one is received. `menu` is scratch."""
    receive(g, seat, material, 1)
    f = g.stack[g.depth - 1]
    f[2] -= 1
    if f[2] == 0 or gains(c, g, seat, card_here(g), f[1], f[3], menu, 0) == 0:
        pop(g)


@rule
def legal_swap(c, g, seat, menu, n):
    """Any two different spaces (R-24)."""
    for low in range(SPACES):
        for high in range(low + 1, SPACES):
            menu.action[n] = c.swap_start[low, high]
            n += 1
    return n


@rule
def swap(g, low, high):
    """Swap the market tiles of two spaces; the dice stay (R-24)."""
    g.market[low], g.market[high] = g.market[high], g.market[low]
    g.version += 1
    pop(g)
