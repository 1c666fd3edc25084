"""The end of the game: tower standings, final scores, placement and reward (R-25 to R-28)."""

from __future__ import annotations

from ..edition import FULL
from ..jit import rule
from . import track
from .expansion import contracts, tools
from .printed.sizes import ADORNED, FINISHED, MATERIALS

WIN, MARGIN, FIRST = 0, 1, 3  # places in components.REWARDS


@rule
def standing(c, g, tower):
    """Value of a tower, presence in it and shares of it as they would score now (R-26, R-27)."""
    worth = 0
    for seat in range(c.seats):
        g.towers[seat] -= g.share[tower, seat]
        g.presence[tower, seat] = 0
        g.share[tower, seat] = 0
    for section in range(g.first[tower], g.first[tower] + g.height[tower]):
        if g.finished[section]:
            worth += c.worth_section
            g.presence[tower, g.owner[section]] += 1
            if g.ornament[section] >= 0:
                worth += c.worth_ornament
                g.presence[tower, g.ornament[section]] += 1
    g.worth[tower] = worth
    if c.seats == 2:
        share_of_two(c, g, tower)
    else:
        share_of_many(c, g, tower)
    for seat in range(c.seats):
        g.towers[seat] += g.share[tower, seat]


@rule
def share_of_two(c, g, tower):
    """More presence takes the whole, the other one a third if present; a tie gives nobody anything (R-27)."""
    for seat in range(2):
        mine, theirs = g.presence[tower, seat], g.presence[tower, 1 - seat]
        if mine > theirs:
            g.share[tower, seat] = g.worth[tower]
        elif 0 < mine < theirs:
            g.share[tower, seat] = g.worth[tower] // c.share_divisor_two


@rule
def share_of_many(c, g, tower):
    """Each place gets half of the place before; ties add up the places they cover and divide them (R-26)."""
    for seat in range(c.seats):
        mine = g.presence[tower, seat]
        if mine == 0:
            continue
        before = 0
        tied = 0
        for other in range(c.seats):
            before += g.presence[tower, other] > mine
            tied += g.presence[tower, other] == mine
        place_share = g.worth[tower]
        total = 0
        for place in range(before + tied):
            if place >= before:
                total += place_share
            place_share //= c.share_divisor
        g.share[tower, seat] = total // tied


@rule
def goods_prestige(c, g, seat):
    """Prestige for materials and rubles in hand, counted together (R-25); what contracts return is gone (R-58)."""
    if FULL:
        return contracts.goods_and_contracts(c, g, seat) & 255
    goods = g.rubles[seat]
    for material in range(MATERIALS):
        goods += g.goods[seat, material]
    return goods // c.goods_per_prestige


@rule
def contracts_prestige(c, g, seat):
    """Prestige for the contracts held, as the game stands (R-77)."""
    return contracts.goods_and_contracts(c, g, seat) >> 8


@rule
def score(c, g, seat):
    """The seat's score if the game ended now: track, goods, contracts, tools, towers (R-25 to R-27, R-58)."""
    if FULL:
        both = contracts.goods_and_contracts(c, g, seat)
        held = (both & 255) + (both >> 8) + tools.prestige(c, g, seat)
        return track.prestige(c, g, seat) + held + g.towers[seat]
    return track.prestige(c, g, seat) + goods_prestige(c, g, seat) + g.towers[seat]


@rule
def better(c, g, seat, other):
    """1 if `seat` is placed before `other`, -1 if behind, 0 if they share a place (R-28)."""
    mine, theirs = score(c, g, seat), score(c, g, other)
    if mine == theirs:
        mine, theirs = g.works[seat, FINISHED], g.works[other, FINISHED]
    if mine == theirs:
        mine, theirs = g.works[seat, ADORNED], g.works[other, ADORNED]
    return int(mine > theirs) - int(mine < theirs)


@rule
def is_first(c, g, seat):
    """1 if nobody is placed before the seat (R-28), else 0."""
    for other in range(c.seats):
        if better(c, g, other, seat) > 0:
            return 0
    return 1


@rule
def rewards(c, g, out):
    """Write each player's reward for a finished game, by the variant's `reward`: out (P,). Ivan has no reward.

    win: evenly spaced places from 1 (first) to -1 (last), tied seats share their places; sums to 0.
    margin: own prestige less the others' mean, over a lap's prestige or the game's widest margin, if that is more;
    in [-1, 1], sums to 0. score: final prestige. first: 1 for the winner, -1 / (seats - 1) for all others, tied winners
    share; sums to 0.
    """
    players, seats = c.players, c.seats
    if c.reward == WIN:
        for seat in range(players):
            balance = 0
            for other in range(seats):
                balance += better(c, g, seat, other)
            out[seat] = balance / (seats - 1)
        return
    if c.reward == FIRST:
        winners = 0
        for seat in range(seats):
            winners += is_first(c, g, seat)
        for seat in range(players):
            out[seat] = (is_first(c, g, seat) * seats / winners - 1) / (seats - 1)
        return
    total = 0
    for seat in range(seats):
        total += score(c, g, seat)
    widest = 1.0 * c.lap_prestige
    for seat in range(players):
        mine = score(c, g, seat)
        out[seat] = mine
        if c.reward == MARGIN:
            out[seat] = mine - (total - mine) / (seats - 1)
            widest = max(widest, abs(out[seat]))
    if c.reward == MARGIN:
        for seat in range(players):
            out[seat] /= widest
