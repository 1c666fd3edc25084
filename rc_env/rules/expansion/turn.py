"""The turn machine of the full game: what is legal at its decision points, and what its verbs do.

`turn.legal` and `turn.apply` call the two functions for what is no part of the base game.
"""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import build, claim, effects, market
from ..points import NO_EFFECT, OPTIONAL, Point, begin_turn, pop, push
from ..printed.sizes import BLACK_DIE, CARDS_DRAWN, CONTRACTS_DRAWN, DIAMOND
from ..verbs import Verb
from . import (
    builders,
    contracts,
    extra,
    foremen,
    hire,
    influence,
    players,
    reinforcements,
    resources,
    special_tiles,
    specialists,
    tiles,
)


@rule
def legal(c, g, seat, point, menu, n):
    """List the legal actions at a point of the full game."""
    if point == Point.SPECIAL:
        n = special_tiles.legal_choice(c, g, menu, n)
    elif point == Point.RESOURCE:
        n = resources.legal(c, g, seat, menu, n)
    elif point == Point.INFLUENCE:
        n = influence.legal(c, g, seat, menu, n)
    elif point == Point.FOREMAN:
        n = foremen.legal(c, g, menu, n)
    elif point == Point.PLAYER:
        n = players.legal(c, g, seat, menu, n)
    elif point == Point.EXTRA:
        n = extra.legal(c, g, seat, menu, n)
    elif point == Point.CARD:
        n = builders.legal_card(c, g, menu, n)
    elif point == Point.SECTION:
        n = tiles.legal_section(c, g, seat, menu, n)
    elif point == Point.KEEP:
        n = contracts.legal_keep(c, g, menu, n)
    elif point == Point.RETURN:
        n = contracts.legal_return(c, g, seat, menu, n)
    elif point == Point.REINFORCEMENT:
        n = reinforcements.legal_choice(c, g, menu, n)
    elif point == Point.HIRE:
        n = hire.legal(c, g, seat, menu, n)
    elif point == Point.BOTH:
        n = specialists.legal_both(c, g, seat, menu, n)
    elif point == Point.SPEND:
        n = specialists.legal_spend(c, g, seat, menu, n)
    elif point == Point.DISCARD:
        n = specialists.legal_discard(c, g, seat, menu, n)
    elif point == Point.CLAIM:
        n = claim.legal_claim(c, g, seat, menu, n)
    return n


@rule
def apply(c, g, seat, point, verb, x, y, menu):
    """Do what an action of the full game says."""
    if verb == Verb.DELIVER_DIAMOND:
        build.deliver(c, g, seat, DIAMOND, g.first[x] + y)
    elif verb == Verb.ADORN_DIAMOND:
        build.adorn(c, g, seat, g.first[x] + y, 1)
    elif verb == Verb.GEMS_DIAMOND:
        build.set_diamonds(c, g, seat, x)
    elif verb == Verb.PAY_DIAMOND:
        effects.pay(c, g, seat, DIAMOND)
    elif verb == Verb.GAIN_DIAMOND:
        effects.gain(c, g, seat, DIAMOND, menu)
    elif verb == Verb.GAIN_RUBLES:
        builders.take_rubles(g, seat)
    elif verb == Verb.GAIN_RECOGNITION:
        builders.take_recognition(g, seat)
    elif verb == Verb.RESOURCE:
        resources.choose(c, g, seat, x)
    elif verb == Verb.GUILD_AT:
        influence.choose(c, g, seat, x, y)
    elif verb == Verb.PLAYER:
        players.choose(c, g, seat, x)
    elif verb == Verb.BORROW:
        tiles.borrow(c, g, seat, x, c.slot_seen[seat, y])
    elif verb == Verb.SECTION:
        tiles.choose_section(c, g, seat, g.first[x] + y)
    elif verb == Verb.FOREMAN:
        foremen.move(c, g, seat, x + 1)
    elif verb == Verb.CARD:
        builders.choose_card(c, g, x)
    elif verb == Verb.CONTRACT:
        if point == Point.KEEP:
            contracts.keep(g, seat, x)
        elif point == Point.RETURN:
            contracts.give_back(g, seat, x)
    elif verb == Verb.REINFORCE:
        if point == Point.REINFORCEMENT:
            reinforcements.choose(g, seat, x)
        elif OPTIONAL[point]:
            reinforcements.use(c, g, seat, x)
    elif verb == Verb.SPECIAL:
        choose_special(c, g, seat, x)
    elif verb == Verb.PLACE_SPECIAL:
        claim.place_special(c, g, seat, c.slot_seen[seat, x])
    elif verb == Verb.HIRE:
        hire.send(c, g, seat, x)
    elif verb == Verb.ENGAGE:
        hire.engage(c, g, seat, x)
    elif verb == Verb.DISMISS:
        hire.refill(g, x)
    elif verb == Verb.PERMIT:
        hire.permit(c, g, seat)
    elif verb == Verb.SPECIALIST:
        if point == Point.MARKET:
            market.use_specialist(c, g, seat)
        elif point == Point.EXTRA:
            extra.count_down(c, g, extra.ACTIVATED)
            effects.use(c, g, seat, specialists.turn_over(g, seat))
    elif verb == Verb.SPEND:
        specialists.spend(c, g, seat, x + 1)
    elif verb == Verb.DISCARD:
        specialists.discard(c, g, seat, x)
    elif verb == Verb.MOVE_BLACK:
        market.move(c, g, seat, BLACK_DIE, x)
    elif verb == Verb.PASS:
        pop(g)
        push(g, Point.END, NO_EFFECT, 0, 0, 0)


@rule
def choose_special(c, g, seat, tile):
    """Take a special tile; the previous seat chooses next, and after seat 0 the first turn begins (R-84)."""
    g.version += 1
    g.special[seat] = tile
    pop(g)
    begin_special(c, g, np.int64(seat) - 1)


@rule
def begin_special(c, g, seat):
    """The choice of a special tile by a seat, or the first turn where every seat has one."""
    if seat < 0:
        begin_turn(g, 0)
    else:
        g.seat = seat
        push(g, Point.SPECIAL, NO_EFFECT, 0, 0, 0)


@rule
def forget_draws(g):
    """Begin the logs of cards, contracts and specialists anew."""
    for i in range(CARDS_DRAWN):
        g.log_card[i] = -1
    for i in range(CONTRACTS_DRAWN):
        g.log_contract[i] = -1
    g.log_refill[0] = -1
