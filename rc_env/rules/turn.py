"""The turn machine: which actions are legal at the point that waits, and what an action does (R-9 to R-11).

Every interruption, be it a benefit inside a guild action inside the market, is a frame on `GAME.stack`. `legal` asks
the frame on top, `apply` acts on it, `settle` plays points with a single legal action.
"""

from __future__ import annotations

import numpy as np

from rc_env.jit import rule
from rc_env.rules import build, chance, claim, guilds, ivan, market, track, workshop
from rc_env.rules.components import Verb
from rc_env.rules.state import (
    BUILD,
    END,
    GAIN,
    GEMS,
    MARKET,
    PAY,
    PLACE,
    PLAYING,
    SPACES,
    START,
    SWAP,
    TAKE,
    TERMINATED,
    TILE,
    TRUNCATED,
    count_turn,
    pop,
    push,
)

DONE, RUBLES, REROLL, MOVE, CLAIM = int(Verb.DONE), int(Verb.RUBLES), int(Verb.REROLL), int(Verb.MOVE), int(Verb.CLAIM)
PLACE_ACTION, TAKE_ACTION, GAIN_ACTION = int(Verb.PLACE), int(Verb.TAKE), int(Verb.GAIN)
OBTAIN, GUILD, WORKSHOP, PAY_ACTION = int(Verb.OBTAIN), int(Verb.GUILD), int(Verb.WORKSHOP), int(Verb.PAY)
SWAP_ACTION, DELIVER, ADORN = int(Verb.SWAP), int(Verb.DELIVER), int(Verb.ADORN)
GEMS_ACTION, IVAN_CLAIM = int(Verb.GEMS), int(Verb.IVAN_CLAIM)


@rule
def begin_turn(g, seat):
    """A turn begins."""
    count_turn(g)
    g.seat = seat
    push(g, START, 0, 0, 0)


@rule
def end_turn(c, g):
    """The next seat's turn, be it Ivan's, unless the game is over."""
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
    """The player's turn, unless the game is over."""
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
    """Prestige for rubles at any time; a re-roll once a turn, of a space with dice (R-3, R-10)."""
    if track.can_lose_prestige(c, g, seat, 1):
        menu.action[n] = c.start[RUBLES]
        n += 1
    if not g.rerolled and track.can_lose_prestige(c, g, seat, c.prestige_per_reroll):
        for space in range(SPACES):
            menu.action[n] = c.start[REROLL] + space
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
    point = g.stack[g.depth - 1, 0]
    if point == START:
        n = market.legal_move(c, g, seat, menu, 0)
        n = claim.legal_claim(c, g, seat, menu, n)
        n = build.legal_deliver(c, g, seat, menu, n)
        n = build.legal_adorn(c, g, seat, menu, n)
    elif point == MARKET:
        n = market.legal_market(c, g, seat, menu, 0)
    elif point == END:
        menu.action[0] = c.start[DONE]
        n = 1
    elif point == PLACE:
        n = claim.legal_place(c, g, seat, menu, 0)
    elif point == BUILD:
        n = build.legal_deliver(c, g, seat, menu, 0)
        n = build.legal_adorn(c, g, seat, menu, n)
        if g.stack[g.depth - 1, 2]:  # the action may end early after the first delivery
            menu.action[n] = c.start[DONE]
            n += 1
    elif point == TAKE:
        return workshop.legal_take(c, g, seat, menu, 0)
    elif point == PAY:
        return guilds.legal_pay(c, g, seat, menu, 0)
    elif point == GAIN:
        return guilds.legal_gain(c, g, seat, menu, 0)
    elif point == TILE:
        return workshop.legal_tile(c, g, seat, menu, 0)
    elif point == SWAP:
        return guilds.legal_swap(c, g, seat, menu, 0)
    elif point == GEMS:
        return build.legal_gems(c, g, seat, menu, 0)
    else:  # IVAN
        return ivan.legal(c, g, menu, 0)
    return legal_optional(c, g, seat, menu, n)


@rule
def apply(c, g, action, menu):
    """Play a legal action. `menu` is scratch."""
    seat = np.uint64(g.seat)  # unsigned: as an index it needs no check for counting from the end
    point = g.stack[g.depth - 1, 0]
    number = np.uint64(action)  # likewise
    verb = c.verb[number]
    x, y, z = c.argument[number, 0], c.argument[number, 1], c.argument[number, 2]
    if verb == DONE:
        if point == END:
            end_turn(c, g)
        elif point == MARKET:
            market.finish(g)
        else:  # BUILD
            pop(g)
    elif verb == MOVE:
        market.move(c, g, seat, x, y)
    elif verb == OBTAIN:
        market.obtain(c, g, seat)
    elif verb == TAKE_ACTION:
        workshop.take(g, seat, x)
    elif verb == GUILD:
        guilds.use(c, g, seat, x)
    elif verb == WORKSHOP:
        slot = c.seen[seat, x]
        if point == TILE:
            pop(g)
            workshop.activate(c, g, seat, slot, 0)
        else:
            market.use_workshop(c, g, seat, slot)
    elif verb == GAIN_ACTION:
        if point == TAKE:
            workshop.take_any(g, seat, x)
        else:
            guilds.gain(c, g, seat, x, menu)
    elif verb == PAY_ACTION:
        guilds.pay(c, g, seat, x)
    elif verb == DELIVER:
        build.deliver(c, g, seat, x, g.first[y] + z)
    elif verb == CLAIM:
        claim.claim(g, seat, x, y)
    elif verb == PLACE_ACTION:
        claim.place(c, g, seat, c.seen[seat, x], y)
    elif verb == ADORN:
        build.adorn(c, g, seat, g.first[x] + y)
    elif verb == SWAP_ACTION:
        guilds.swap(g, x, y)
    elif verb == RUBLES:
        prestige_for_rubles(c, g, seat)
    elif verb == REROLL:
        reroll(c, g, seat, x)
    elif verb == GEMS_ACTION:
        build.set_gems(c, g, seat, x, y)
    elif verb == IVAN_CLAIM:
        ivan.claim(c, g, x)
        end_ivans_turn(c, g)
    elif ivan.adorn(c, g, g.first[x] + y):  # IVAN_ADORN
        end_ivans_turn(c, g)


@rule
def settle(c, g, menu):
    """Play every point with a single legal action (R-9); return the number of legal actions at the one that waits."""
    while g.status == PLAYING:
        n = legal(c, g, menu)
        if n != 1:
            return n
        apply(c, g, menu.action[0], menu)
    return 0
