"""The turn machine: which actions are legal at the current decision point, and what an action does (R-9 to R-11).

Every interruption, be it a benefit inside a guild action inside the market, is a frame on `GAME.stack`. `legal` asks
the frame on top, `apply` acts on it, `settle` plays points with a single legal action; `decide` is a whole decision.
"""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from . import build, chance, claim, effects, guilds, market, payments, track, workshop
from .expansion import builders, extra, hire, reinforcements, specialists, tiles
from .expansion import turn as expansion_turn
from .points import BUILD_BEGUN, ENDS_EARLY, OPTIONAL, POINT, TAKE_MATERIAL, Point, begin_turn, pop
from .printed.sizes import SPACES
from .solo import ivan
from .state import PLAYING, TERMINATED, TRUNCATED
from .verbs import Verb, number, offer


@rule
def end_turn(c, g):
    """End the turn: begin that of the next seat, Ivan included, unless the game is over."""
    pop(g)
    following = (g.seat + 1) % c.seats
    if over_before(c, g, following):
        return
    if following < c.players:
        begin_turn(g, following)
    elif ivan.take_turn(c, g):
        end_ivans_turn(c, g)


@rule
def end_ivans_turn(c, g):
    """End Ivan's turn: begin the player's, unless the game is over."""
    g.ivan_turns += 1
    if not over_before(c, g, 0):
        begin_turn(g, 0)


@rule
def over_before(c, g, following):
    """Whether the game ends here: the ending has come round to that seat, or the turn limit is reached (R-25, R-29)."""
    if following == g.ending:
        g.status = TERMINATED
    elif g.turn >= c.turn_limit:
        g.status = TRUNCATED
    return g.status != PLAYING


@rule
def legal_optional(c, g, seat, menu, n):
    """List the optional actions: prestige for rubles at any time, a re-roll of a space with dice once a turn (R-3,
    R-10)."""
    if track.can_lose_prestige(c, g, seat, 1):
        n = offer(c, menu, n, Verb.RUBLES, 0, 0, 0)
    if not g.rerolled and track.can_lose_prestige(c, g, seat, c.prestige_per_reroll):
        action = number(c, Verb.REROLL, 0, 0, 0)
        for space in range(SPACES):
            menu.action[n] = action + space
            n += g.crowd[space] > 0
    return n


@rule
def prestige_for_rubles(c, g, seat):
    """Give up 1 prestige for rubles (R-10)."""
    track.lose_prestige(c, g, seat, 1)
    g.rubles[seat] += c.rubles_per_prestige


@rule
def reroll(c, g, seat, space):
    """Give up prestige to roll all dice on a space (R-10)."""
    track.lose_prestige(c, g, seat, c.prestige_per_reroll)
    g.rerolled = 1
    chance.roll_space(g, space)


@rule
def legal(c, g, menu):
    """Write the legal actions to `menu` and return their number: the points of the game, one by one."""
    seat = np.uint64(g.seat)  # unsigned: as an index it needs no check for counting from the end
    f = g.stack[g.depth - 1]
    point = f[POINT]
    n = 0
    if FULL:
        effects.set_tile(c, g, seat, menu, 0)
        if point == Point.MARKET or point == Point.EXTRA:
            effects.set_specialist(c, g, seat, menu, 0)
    if point == Point.START:
        n = market.legal_move(c, g, seat, menu, n)
        n = claim.legal_claim(c, g, seat, menu, n)
        n = build.legal_deliver(c, g, seat, menu, n)
        n = build.legal_adorn(c, g, seat, menu, n)
        if FULL:
            n = hire.legal_hire(c, g, seat, menu, n)
            if n == 0:  # with six dice each of them can be blocked
                n = offer(c, menu, n, Verb.PASS, 0, 0, 0)
    elif point == Point.MARKET:
        n = market.legal_market(c, g, seat, menu, n)
    elif point == Point.END:
        n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    elif point == Point.PLACE:
        n = claim.legal_place(c, g, seat, menu, n)
    elif point == Point.BUILD:
        n = build.legal_deliver(c, g, seat, menu, n)
        n = build.legal_adorn(c, g, seat, menu, n)
        if f[BUILD_BEGUN] or (FULL and n == 0):  # the action may end early after the first delivery
            n = offer(c, menu, n, Verb.DONE, 0, 0, 0)
    elif point == Point.TAKE:
        n = workshop.legal_take(c, g, seat, menu, n)
    elif point == Point.PAY:
        n = payments.legal_pay(c, g, seat, menu, n)
    elif point == Point.GAIN:
        n = effects.legal_gain(c, g, seat, menu, n)
    elif point == Point.TILE:
        if FULL:
            n = tiles.legal(c, g, seat, menu, n)
        else:
            n = workshop.legal_tile(c, g, seat, menu, n)
    elif point == Point.SWAP:
        n = effects.legal_swap(c, g, seat, menu, n)
    elif point == Point.GEMS:
        n = build.legal_gems(c, g, seat, menu, n)
    elif point == Point.IVAN:
        n = ivan.legal(c, g, menu, n)
    if FULL:
        n = expansion_turn.legal(c, g, seat, point, menu, n)
    if OPTIONAL[point]:
        n = legal_optional(c, g, seat, menu, n)
        if FULL:
            n = hire.legal_permit(c, g, seat, menu, n)
            n = reinforcements.legal(c, g, seat, menu, n)
    if FULL:
        g.guild_tile_works = 0
        g.specialist_works = 0
    return n


@rule
def apply(c, g, action, menu):
    """Do what a legal action says. `menu` is scratch."""
    seat = np.uint64(g.seat)  # unsigned: as an index it needs no check for counting from the end
    point = g.stack[g.depth - 1, POINT]
    at = np.uint64(action)  # likewise
    verb = c.verb[at]
    x, y, z = c.argument[at, 0], c.argument[at, 1], c.argument[at, 2]
    if FULL and point == Point.BOTH and specialists.is_delivery(verb):
        specialists.begin_delivery(g)
    if verb == Verb.DONE:
        if point == Point.END:
            end_turn(c, g)
        elif point == Point.MARKET:
            market.finish(g)
        elif ENDS_EARLY[point]:
            pop(g)
    elif verb == Verb.MOVE:
        market.move(c, g, seat, x, y)
    elif verb == Verb.OBTAIN:
        if point == Point.MARKET:
            market.obtain(c, g, seat)
        elif FULL and point == Point.EXTRA:
            extra.obtain(c, g, seat)
    elif verb == Verb.TAKE:
        workshop.take(g, seat, x)
    elif verb == Verb.GUILD:
        guilds.use(c, g, seat, x)
    elif verb == Verb.WORKSHOP:
        slot = c.slot_seen[seat, x]
        if FULL and point == Point.EXTRA:
            extra.activate(c, g, seat, slot)
        elif FULL and point == Point.TILE:
            tiles.activate(c, g, seat, slot)
        elif point == Point.TILE:
            pop(g)
            workshop.activate(c, g, seat, slot, 0)
        elif point == Point.MARKET:
            market.use_workshop(c, g, seat, slot)
    elif verb == Verb.GAIN:
        if FULL and point == Point.TAKE and g.stack[g.depth - 1, TAKE_MATERIAL] == builders.FROM_CARD:
            builders.take(g, seat, x)
        elif point == Point.TAKE:
            workshop.take_any(g, seat, x)
        elif point == Point.GAIN:
            effects.gain(c, g, seat, x, menu)
        elif FULL and point == Point.BOTH:
            specialists.gain(g, seat, x)
    elif verb == Verb.PAY:
        effects.pay(c, g, seat, x)
    elif verb == Verb.DELIVER:
        build.deliver(c, g, seat, x, g.first[y] + z)
    elif verb == Verb.CLAIM:
        claim.claim(c, g, seat, x, y)
    elif verb == Verb.PLACE:
        claim.place(c, g, seat, c.slot_seen[seat, x], y)
    elif verb == Verb.ADORN:
        build.adorn(c, g, seat, g.first[x] + y, 0)
    elif verb == Verb.SWAP:
        effects.swap(g, x, y)
    elif verb == Verb.RUBLES:
        prestige_for_rubles(c, g, seat)
    elif verb == Verb.REROLL:
        reroll(c, g, seat, x)
    elif verb == Verb.GEMS:
        build.set_gems(c, g, seat, x, y)
    elif verb == Verb.IVAN_CLAIM:
        ivan.claim(c, g, x)
        end_ivans_turn(c, g)
    elif verb == Verb.IVAN_ADORN:
        if ivan.adorn(c, g, g.first[x] + y):
            end_ivans_turn(c, g)
    if FULL:
        expansion_turn.apply(c, g, seat, point, verb, x, y, menu)


@rule
def settle(c, g, menu):
    """Play every point with a single legal action (R-9); return the number of legal actions at the one after them."""
    while g.status == PLAYING:
        n = legal(c, g, menu)
        if n != 1:
            return n
        apply(c, g, menu.action[0], menu)
    return 0


@rule
def decide(c, g, action, menu):
    """Play a decision and all that follows of itself; return the number of legal actions at the next one, 0 at the end.

    The log of rolled dice begins anew; `menu` then holds the legal actions.
    """
    g.decisions += 1
    g.rolled_count = 0
    if FULL:
        expansion_turn.forget_draws(g)
    apply(c, g, action, menu)
    return settle(c, g, menu)
