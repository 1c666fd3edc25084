"""The costs, gains and decisions of an effect: the primitives behind every guild action (R-18, R-20, R-23, R-24).

An effect is a row of RULES' columns `effect_…` (`vocabulary.py`). Its price is paid when it is chosen, then its
payments, one decision each; then what it gives is received, and what it opens is decided. The frames on the stack
carry its number, so that an effect works in the same way wherever it is used from.
"""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from . import build, payments, track, workshop
from .expansion import (
    diamonds,
    extra,
    permits,
    players,
    special_tiles,
    specialists,
    tiles,
)
from .expansion import (
    effects as expansion_effects,
)
from .goods import give_back, receive, receive_diamonds, room
from .points import (
    EFFECT,
    GAIN_EXCEPT,
    GAIN_FROM,
    GAIN_LEFT,
    NO_POINT,
    PAY_FROM,
    PAY_LEFT,
    Point,
    pop,
    push,
)
from .printed.build_sizes import SPECIALIST_EFFECT
from .printed.expansion_vocabulary import EXCHANGE, OWN_TILE
from .printed.sizes import MATERIALS, QUADRANTS, SIDES, SPACES
from .printed.vocabulary import EACH_TYPE, NO_CONDITION
from .verbs import Verb, number, offer


@rule
def possible(c, g, seat, effect, menu, n):
    """Whether the effect can be paid for and its first step has an effect (R-23). `menu` from n on is scratch."""
    if FULL:
        return judge(c, g, seat, effect, menu, n)
    if g.rubles[seat] < c.effect_price[effect] or not fulfilled(c, g, seat, c.effect_condition[effect]):
        return False
    return begins(c, g, seat, effect, menu, n)


@rule
def begins(c, g, seat, effect, menu, n):
    """Whether the first step of an effect that can be paid for has an effect."""
    first = c.effect_first[effect]
    if first == Point.PAY:
        if FULL and c.effect_diamonds[effect] > 0 and g.diamond_supply == 0:
            return False
        return payments.payable(c, g, seat, effect, c.effect_payments[effect], 0, menu, n) > n
    if first == Point.GAIN:
        return gainable(c, g, seat, effect, -1, menu, n) > n
    if first == Point.BUILD:
        return build.can_deliver(c, g, seat, menu, n)
    if FULL and first >= Point.RESOURCE:
        return expansion_effects.begins(c, g, seat, effect, first, menu, n)
    if first == Point.TILE:
        if FULL and c.effect_mode[effect] != OWN_TILE:
            return tiles.any_choice(c, g, seat, c.effect_mode[effect])
        return workshop.any_effect(c, g, seat)
    if FULL:
        return expansion_effects.simply_gives(c, g, seat, effect)
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
    """Choose an effect: its price is paid now; its payments, or what it gives, follow (R-60)."""
    pay_price(c, g, seat, effect)
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
    if FULL:
        receive_diamonds(c, g, seat, c.effect_diamonds[effect])
        permits.receive(c, g, seat, c.effect_permits[effect])
        if opens >= Point.RESOURCE:
            expansion_effects.open_choice(c, g, seat, effect, paid)
            return
        if c.effect_contractors[effect] > 0:
            players.gain_for_contractors(c, g, seat, effect, seat)
        if expansion_effects.yields_resource(c, effect):
            workshop.receive_from(c, g, seat, effect, 0)
    if opens != NO_POINT:
        push(g, opens, effect, c.effect_count[effect], paid if opens == Point.GAIN else 0, 0)


@rule
def pay_price(c, g, seat, effect):
    """Pay what an effect costs at once; return the diamonds that stood for materials, for `take_price_back`."""
    g.rubles[seat] -= c.effect_price[effect]
    if FULL:
        g.track[seat] -= c.effect_price_recognition[effect]
        permits.pay(g, seat, c.effect_price_permits[effect])
        return diamonds.pay_fixed(c, g, seat, effect)
    return 0


# --- payments: `payments.py` says what may be given


@rule
def pay(c, g, seat, material):
    """Give what the effect asks for; after the last payment what it gives follows."""
    f = g.stack[g.depth - 1]
    effect = np.uint64(f[EFFECT])
    if FULL:
        if c.effect_opens[effect] == Point.PLAYER:  # an exchange: it changes hands with the last choice
            pop(g)
            push(g, Point.PLAYER, f[EFFECT], EXCHANGE, material, 0)
            return
        payments.pay_material(c, g, seat, material, c.effect_each[effect])
    else:
        give_back(g, seat, material, c.effect_each[effect])
    f[PAY_LEFT] -= 1
    f[PAY_FROM] = material + 1
    if FULL and c.effect_ordered[effect]:
        f[PAY_FROM] = material  # equal ones are allowed
    if f[PAY_LEFT] == 0:
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
    """List the materials that may be received."""
    f = g.stack[g.depth - 1]
    if FULL and f[GAIN_FROM] > 0:
        return players.legal_return(c, g, f[GAIN_FROM] - 1, f[GAIN_EXCEPT], menu, n)
    return gainable(c, g, seat, np.uint64(f[EFFECT]), f[GAIN_EXCEPT], menu, n)


@rule
def gain(c, g, seat, material, menu):
    """Receive one; where two are due but only one is possible, one is received. `menu` is scratch."""
    if FULL and g.stack[g.depth - 1, GAIN_FROM] > 0:
        f = g.stack[g.depth - 1]
        pop(g)
        players.exchange(g, seat, f[GAIN_FROM] - 1, f[GAIN_EXCEPT], material)
        return
    receive(g, seat, material, 1)
    f = g.stack[g.depth - 1]
    f[GAIN_LEFT] -= 1
    if f[GAIN_LEFT] == 0 or gainable(c, g, seat, np.uint64(f[EFFECT]), f[GAIN_EXCEPT], menu, 0) == 0:
        pop(g)


# --- swaps


@rule
def legal_swap(c, g, seat, menu, n):
    """List the pairs of different spaces (R-24)."""
    for low in range(SPACES):
        for high in range(low + 1, SPACES):
            n = offer(c, menu, n, Verb.SWAP, low, high, 0)
    return n


@rule
def swap(g, low, high):
    """Swap the market tiles of two spaces; the dice stay (R-24)."""
    g.market[low], g.market[high] = g.market[high], g.market[low]
    g.version += 1
    pop(g)


# --- legality in the full game, where choices are judged within others


@rule
def affordable(c, g, seat, effect):
    """Whether the price and the fixed materials can be paid, and the condition is fulfilled (R-60)."""
    return (
        g.rubles[seat] >= c.effect_price[effect]
        and g.track[seat] >= c.effect_price_recognition[effect]
        and g.permits[seat] >= c.effect_price_permits[effect]
        and diamonds.can_pay_fixed(c, g, seat, effect)
        and fulfilled(c, g, seat, c.effect_condition[effect])
    )


@rule
def take_price_back(c, g, seat, effect, stood):
    """Undo `pay_price`, of which `stood` is the result."""
    g.rubles[seat] += c.effect_price[effect]
    g.track[seat] += c.effect_price_recognition[effect]
    permits.pay(g, seat, -c.effect_price_permits[effect])
    diamonds.take_back(c, g, seat, effect, stood)


@rule
def judge(c, g, seat, effect, menu, n):
    """Whether an effect is legal, judged with its price paid (R-60). `menu` from n on is scratch.

    The archivists ask for any action of other guilds, the guild tile for any of all, the wholesalers for the own
    specialist, and a specialist for own tiles: these choices are judged one within the other. The levels are written
    out, since neither the guild tile (R-65) nor a specialist, which is turned over first, is used within itself.
    """
    if c.effect_opens[effect] != Point.INFLUENCE:
        return judge_with_tile(c, g, seat, effect, menu, n)
    if not affordable(c, g, seat, effect):
        return False
    stood = pay_price(c, g, seat, effect)
    found = False
    for quadrant in range(QUADRANTS):
        for side in range(SIDES):
            other = np.uint64(SIDES * np.int64(g.influence[quadrant]) + side)
            if not found and other // np.uint64(SIDES) != np.uint64(effect) // np.uint64(SIDES):
                found = judge_with_tile(c, g, seat, other, menu, n)
    take_price_back(c, g, seat, effect, stood)
    return found


@rule
def judge_with_tile(c, g, seat, effect, menu, n):
    """Like `judge`, for an effect without other guilds' actions, where the guild tile may be used."""
    if not affordable(c, g, seat, effect):
        return False
    stood = pay_price(c, g, seat, effect)
    tile_before, specialist_before = g.guild_tile_works, g.specialist_works
    set_tile(c, g, seat, menu, n)
    if c.effect_opens[effect] == Point.EXTRA:
        set_specialist(c, g, seat, menu, n)
    found = begins(c, g, seat, effect, menu, n)
    g.guild_tile_works, g.specialist_works = tile_before, specialist_before
    take_price_back(c, g, seat, effect, stood)
    return found


@rule
def set_tile(c, g, seat, menu, n):
    """Note whether the guild tile would have an effect: any guild action with which it is not itself used."""
    g.guild_tile_works = 0
    if g.guild_tile < 0 or special_tiles.is_open(g):
        return
    works = False
    for quadrant in range(QUADRANTS):
        for side in range(SIDES):
            effect = np.uint64(SIDES * np.int64(g.influence[quadrant]) + side)
            if not works:
                works = judge_without_tile(c, g, seat, effect, menu, n)
    g.guild_tile_works = works


@rule
def set_specialist(c, g, seat, menu, n):
    """Store whether the specialist would have an effect, judged with its tile turned over (R-52)."""
    g.specialist_works = 0
    if specialists.may_be_used(g, seat) and extra.is_visiting(g):
        held = np.int64(g.specialist[seat])
        before = g.guild_tile_works
        g.specialist[seat] = specialists.NONE
        set_tile(c, g, seat, menu, n)
        works = judge_plain(c, g, seat, np.uint64(SPECIALIST_EFFECT + held), menu, n)
        g.specialist[seat] = held
        g.guild_tile_works, g.specialist_works = before, works


@rule
def set_specialist_without_tile(c, g, seat, menu, n):
    """Store whether the specialist would have an effect, as `set_specialist` does, where the guild tile has none."""
    g.specialist_works = 0
    if specialists.may_be_used(g, seat) and extra.is_visiting(g):
        effect = np.uint64(SPECIALIST_EFFECT + np.int64(g.specialist[seat]))
        g.specialist_works = judge_plain(c, g, seat, effect, menu, n)


@rule
def judge_without_tile(c, g, seat, effect, menu, n):
    """What `judge` answers where the guild tile has no effect."""
    if c.effect_opens[effect] != Point.INFLUENCE:
        return judge_alone(c, g, seat, effect, menu, n)
    if not affordable(c, g, seat, effect):
        return False
    stood = pay_price(c, g, seat, effect)
    found = False
    for quadrant in range(QUADRANTS):
        for side in range(SIDES):
            other = np.uint64(SIDES * np.int64(g.influence[quadrant]) + side)
            if not found and other // np.uint64(SIDES) != np.uint64(effect) // np.uint64(SIDES):
                found = judge_alone(c, g, seat, other, menu, n)
    take_price_back(c, g, seat, effect, stood)
    return found


@rule
def judge_alone(c, g, seat, effect, menu, n):
    """Like `judge`, for an effect without other guilds' actions."""
    if not affordable(c, g, seat, effect):
        return False
    stood = pay_price(c, g, seat, effect)
    before = g.specialist_works
    if c.effect_opens[effect] == Point.EXTRA:
        set_specialist_without_tile(c, g, seat, menu, n)
    found = begins(c, g, seat, effect, menu, n)
    g.specialist_works = before
    take_price_back(c, g, seat, effect, stood)
    return found


@rule
def judge_plain(c, g, seat, effect, menu, n):
    """Like `judge_alone`, for an effect without market actions: of a specialist."""
    if not affordable(c, g, seat, effect):
        return False
    stood = pay_price(c, g, seat, effect)
    found = begins(c, g, seat, effect, menu, n)
    take_price_back(c, g, seat, effect, stood)
    return found
