"""The values that a plan gives to components of the full game: foreman, contracts, drawn cards, others' goods.

A contract is valued by its current score and by how near it is to more; what other seats hold is never used,
since no seat sees it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import rule
from ..rules import track
from ..rules.build import prestige_of_diamonds
from ..rules.expansion import builders, cities, contracts, diamonds, players, tools
from ..rules.expansion import effects as expansion_effects
from ..rules.goods import room
from ..rules.points import Point
from ..rules.printed import expansion_vocabulary
from ..rules.printed.sizes import ANY, GREEN, HAND, MATERIALS, PURPLE, RUBLES, SLOTS, SPECIAL_KIND
from ..rules.verbs import DIAMOND_GEMS
from . import hiring
from .values import (
    best_space,
    cost,
    deliverable,
    missing_in_all,
    price_of_diamond,
    price_of_permits,
    worth,
    worth_of_diamonds,
    worth_of_kind,
    worth_of_permits,
    worth_of_recognition,
    worth_of_tile,
    worth_of_yield,
)

# --- diamonds in deliveries and ornaments


@rule
def short(c: Any, g: Any, seat: Any, section: Any) -> Any:
    """How many materials a section misses that are not in hand."""
    count = 0
    for material in range(MATERIALS):
        count += max(0, g.card[section, material] - g.goods[seat, material])
    return count


@rule
def best_gems(c: Any, g: Any, seat: Any, left: Any) -> Any:
    """The most prestige from gems, diamonds included, with the given number of deliveries left."""
    prestige = 0
    for choice in range(len(DIAMOND_GEMS)):
        green, purple, count = DIAMOND_GEMS[choice]
        fits = green <= g.goods[seat, GREEN] and purple <= g.goods[seat, PURPLE] and count <= g.diamonds[seat]
        if fits and green + purple + count <= left:
            prestige = max(prestige, prestige_of_diamonds(c, choice))
    return prestige


@rule
def open_score(c: Any, g: Any, seat: Any) -> Any:
    """The public part of a seat's current score: everything but its contracts."""
    goods = int(g.rubles[seat]) + g.diamonds[seat] + g.permits[seat]
    for material in range(MATERIALS):
        goods += g.goods[seat, material]
    held = goods // c.goods_per_prestige + tools.prestige(c, g, seat)
    return track.prestige(c, g, seat) + held + g.towers[seat]


# --- effects


@rule
def payable_beside_rubles(c: Any, g: Any, seat: Any, effect: Any) -> Any:
    """Whether the recognition, the permits and the fixed materials that an effect costs can be paid."""
    if g.permits[seat] < c.effect_price_permits[effect] or g.track[seat] < c.effect_price_recognition[effect]:
        return False
    return diamonds.can_pay_fixed(c, g, seat, effect)


@rule
def more_of_effect(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any) -> Any:
    """Points of those columns of an effect that only the full game has; what it costs there counts against it."""
    points = 0.0
    if c.effect_price_recognition[effect] > 0:
        points -= worth_of_recognition(c, g, w, seat, c.effect_price_recognition[effect])
    for material in range(MATERIALS):
        paid = c.effect_fixed[effect, material]
        if paid > 0:
            spare = min(paid, max(-lack[material], 0))
            points -= w.spare[material] * spare + w.missing[material] * (paid - spare)
    points -= c.effect_fixed_diamonds[effect] * price_of_diamond(c, g, w, seat, lack)
    if c.effect_diamonds[effect] > 0:
        points += worth_of_diamonds(c, g, w, seat, lack, c.effect_diamonds[effect])
    points -= price_of_permits(c, g, w, seat, c.effect_price_permits[effect])
    if c.effect_permits[effect] > 0:
        points += worth_of_permits(c, g, w, seat, c.effect_permits[effect])
    if expansion_effects.yields_resource(c, effect):
        points += worth_of_yield(c, g, w, seat, lack, effect)
    opens, mode = c.effect_opens[effect], c.effect_mode[effect]
    factor = w.last if g.ending >= 0 else 1.0
    if opens == Point.RESOURCE:
        points += best_space(c, g, w, seat, lack, mode)
    elif opens == Point.FOREMAN:
        best = 0.0
        for steps in range(c.effect_count[effect]):
            best = max(best, worth_of_foreman(c, g, w, seat, lack, effect, steps + 1))
        points += best
    elif opens == Point.PLAYER:
        if mode == expansion_vocabulary.RUBLES:
            rubles = c.effect_to_player[effect]
            points -= cost(c, g, w, seat, rubles) if g.rubles[seat] >= rubles else 1000.0
            points += (max(w.prestige, w.rival) + w.rival) * c.effect_from_player[effect]
        elif mode == expansion_vocabulary.CONTRACTORS:
            best = 0.0
            for other in range(c.seats - 1):
                best = max(best, worth_of_contractors(c, g, w, seat, lack, effect, players.seat_of(c, seat, other)))
            points += best
        else:
            points += best_of_others(c, g, w, seat, lack)
    elif opens == Point.CARD:
        best = 0.0
        for material in range(MATERIALS):
            if lack[material] > 0:
                best = max(best, w.missing[material])
        points += factor * (best + 2.0) * min(0.7 * c.effect_count[effect] + 0.3, 1.0 * room(c, g, seat))
    elif opens == Point.SECTION:
        best = 0.0
        for section in range(c.sections):
            best = max(best, worth_of_section(c, g, w, seat, lack, effect, section))
        points += best
    elif opens == Point.KEEP:
        points += worth_of_draw(c, g, w, seat)
    elif opens == Point.REINFORCEMENT:
        points += factor * w.reinforcement * 1.3
    elif opens == Point.BOTH:
        points += worth(c, g, w, seat, lack, ANY, 1) + w.delivered * min(np.int64(1), deliverable(c, g, seat))
    elif opens == Point.SPEND:
        best = 0.0
        for rubles in range(1, min(np.int64(c.effect_count[effect]), np.int64(g.rubles[seat])) + 1):
            best = max(best, worth_of_spending(c, g, w, seat, effect, rubles))
        points += best
    elif opens == Point.DISCARD:
        points += w.prestige * c.effect_worth[effect] - w.ornament
    elif opens == Point.CLAIM:
        points += w.claim_free
    elif c.effect_contractors[effect] > 0:
        points += worth_of_contractors(c, g, w, seat, lack, effect, seat)
    return points


@rule
def worth_of_spending(c: Any, g: Any, w: Any, seat: Any, effect: Any, rubles: Any) -> Any:
    """Points for spending rubles for recognition; after the ending was triggered rubles have no other use."""
    points = worth_of_recognition(c, g, w, seat, rubles * c.effect_worth[effect])
    return points if g.ending >= 0 else points - cost(c, g, w, seat, rubles)


@rule
def worth_of_contractors(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any, counted: Any) -> Any:
    """Points for a ruble or a permit for each contractor that a seat has in the cities."""
    count = cities.contractors(g, counted)
    if c.effect_contractors[effect] == expansion_vocabulary.PER_PERMITS:
        return worth_of_permits(c, g, w, seat, count)
    return worth(c, g, w, seat, lack, RUBLES, count)


@rule
def worth_of_tiles(c: Any, g: Any, w: Any, seat: Any, lack: Any, mode: Any) -> Any:
    """Points for what an effect does with workshop tiles, by its mode."""
    best, second = 0.0, 0.0
    if mode == expansion_vocabulary.GIVEN_TILE:
        return best_exchange(c, g, w, seat, lack)
    if mode == expansion_vocabulary.ANOTHERS_TILE:
        for other in range(c.players - 1):
            who = players.seat_of(c, seat, other)
            for slot in range(SLOTS):
                if g.slot_up[who, slot]:
                    best = max(best, worth_of_kind(c, g, w, seat, lack, g.slot_tile[who, slot]))
        return best
    for slot in range(SLOTS):
        points = worth_of_tile(c, g, w, seat, lack, slot)
        if points > best:
            best, second = points, best
        elif points > second:
            second = points
    if mode == expansion_vocabulary.ANY_TWO_TILES:
        return max(1.7 * best, best + second)
    if mode == expansion_vocabulary.SAME_TILE:
        return 1.7 * best  # the second time less may be missing
    if mode == expansion_vocabulary.TWO_TILES:
        return best + second
    return best


@rule
def best_exchange(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points of the best exchange of an own tile for one that lies on a section: a part of what it yields more."""
    worst, best = 1000.0, 0.0
    for slot in range(SLOTS):
        kind = g.slot_tile[seat, slot]
        if 0 <= kind < SPECIAL_KIND and g.slot_up[seat, slot]:
            worst = min(worst, worth_of_kind(c, g, w, seat, lack, kind))
    for section in range(c.sections):
        if g.tile[section] >= 0:
            best = max(best, worth_of_kind(c, g, w, seat, lack, g.tile[section]))
    return 0.5 * (best - worst) if best > worst else 0.0


# --- the foreman


@rule
def worth_of_foreman(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any, steps: Any) -> Any:
    """Points for moving the foreman by a number of towers: banners there, and gains and costs of own sections there."""
    tower = (g.foreman + steps) % c.towers
    mode = c.effect_mode[effect]
    found = 0
    first, end = g.first[tower], g.first[tower] + g.claimed[tower]
    for other in range(c.seats):
        if (other != seat) == (mode & expansion_vocabulary.OF_OTHER > 0):
            found = max(found, banners_in(g, other, tower))
    if mode & expansion_vocabulary.PER_RECOGNITION:
        points = worth_of_recognition(c, g, w, seat, found)
    else:
        points = worth(c, g, w, seat, lack, RUBLES, found)
    for section in range(first, end):  # those that are finished while he stands here bring recognition
        if g.owner[section] == seat and not g.finished[section]:
            points += 0.5 * c.foreman_recognition * max(w.recognition, 1.0)
    return points


# --- other players


@rule
def best_of_others(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points of the best exchange of a material with another player."""
    given = -1000.0
    for material in range(MATERIALS):
        if g.goods[seat, material] > 0:
            given = max(given, -w.missing[material] if lack[material] >= 0 else -w.spare[material])
    best = 0.0
    for other in range(c.seats - 1):
        who = players.seat_of(c, seat, other)
        if g.diamonds[who] > 0 and missing_in_all(lack) > g.diamonds[seat]:
            best = max(best, w.diamond)
        for material in range(MATERIALS):
            if g.goods[who, material] > 0 and lack[material] > 0:
                best = max(best, w.missing[material])
    return best + given if best > 0 else -1.0


# --- sections and drawn cards


@rule
def worth_of_section(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any, section: Any) -> Any:
    """Points for the rubles, or a part of the recognition, of an own section."""
    gain = builders.section_gain(c, g, seat, effect, section)
    if c.effect_mode[effect] == expansion_vocabulary.SECTION_RUBLES:
        return worth(c, g, w, seat, lack, RUBLES, gain)
    return worth_of_recognition(c, g, w, seat, gain)


@rule
def worth_of_drawn(c: Any, g: Any, lack: Any, which: Any) -> Any:
    """The number of missing materials among two of a drawn card."""
    useful = 0.0
    for material in range(MATERIALS):
        useful += min(max(lack[material], 0), c.card[g.drawn_card[which], material])
    return min(useful, 2.0)


# --- contracts


@rule
def worth_of_contract(c: Any, g: Any, w: Any, seat: Any, card: Any) -> Any:
    """Points of a contract: what it would score now, and what it could still score."""
    prestige = c.contract_prestige_two[card] if c.seats == 2 else c.contract_prestige[card]
    if c.contract_kind[card] == contracts.RETURN:
        asked, held = 0, 0
        for material in range(MATERIALS):
            asked += c.contract_return[card, material]
            held += min(c.contract_return[card, material], g.goods[seat, material])
        asked += c.contract_return[card, RUBLES] + c.contract_jewels[card]
        held += min(c.contract_return[card, RUBLES], g.rubles[seat])
        held += min(c.contract_jewels[card], g.goods[seat, GREEN] + g.goods[seat, PURPLE])
        now = 1.0 * prestige * held / asked
        return w.contract * now * 0.8 + w.contract_near * (prestige - now)
    now = 1.0 * contracts.worth(c, g, seat, card)
    if c.contract_kind[card] == contracts.TOWERS_WITHOUT or c.contract_kind[card] == contracts.NOT_BUILT:
        return w.contract * 0.4 * now  # what there is of these becomes less
    further = 1.0 * prestige
    if c.contract_kind[card] == contracts.TOWERS_WITH:
        further = 1.0 * prestige * (c.towers - contracts.towers_with(c, g, seat))
    elif c.contract_kind[card] == contracts.SECTIONS_IN_TOWER:
        further *= nearness(contracts.most_in_tower(c, g, seat, 0), c.contract_least[card])
    elif c.contract_kind[card] == contracts.ORNAMENTS_IN_TOWER:
        further *= nearness(contracts.most_in_tower(c, g, seat, 1), c.contract_least[card])
    return w.contract * now + w.contract_near * (further if now == 0 else 0.5 * further)


@rule
def nearness(found: Any, asked: Any) -> Any:
    """A factor for how near a contract is, from 0.3 to 1.5."""
    return 0.3 + 1.2 * min(1.0 * found / asked, 1.0)


@rule
def worth_of_draw(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """Points for drawing contracts: more than the least of those in hand where the hand is full."""
    least = 1000.0
    for i in range(HAND - 1):
        if g.hand[seat, i] < 0:
            return 2.0 * w.contract
        least = min(least, worth_of_contract(c, g, w, seat, g.hand[seat, i]))
    return max(2.5 * w.contract - least, 0.0)


# --- the module Contractors


@rule
def city_of(g: Any, tower: Any) -> Any:
    """The city over a tower."""
    return np.int64(g.city_over[tower])


@rule
def banners_in(g: Any, seat: Any, tower: Any) -> Any:
    """How many sections of a tower the seat has claimed, finished or not."""
    count = 0
    for section in range(g.first[tower], g.first[tower] + g.claimed[tower]):
        count += g.owner[section] == seat
    return count


@rule
def worth_of_city(c: Any, g: Any, w: Any, seat: Any, city: Any) -> Any:
    """Points for a contractor in an open city: the banners that its tower is going to count, and how far it is."""
    points = 0.0
    for tower in range(c.towers):
        if g.city_over[tower] == city and g.ending < 0:
            unfinished = np.int64(g.height[tower])
            for section in range(g.first[tower], g.first[tower] + g.claimed[tower]):
                unfinished -= g.finished[section]
            points += w.city * banners_in(g, seat, tower)
            points += w.city_open * (g.height[tower] - g.claimed[tower]) / c.seats
            points += w.city_unfinished * unfinished
    return points


@rule
def lead_in_city(c: Any, g: Any, seat: Any, section: Any) -> Any:
    """The lead in the city's recognition over the best other seat if the section completes its tower, else 0."""
    tower = np.int64(g.tower[section])
    end = g.first[tower] + g.height[tower]
    for other in range(g.first[tower], end):
        if other != section and not g.finished[other]:
            return 0
    city = city_of(g, tower)
    own, best = 0, 0
    for who in range(c.seats):
        gained = banners_in(g, who, tower) * g.sent[city, who]
        if who == seat:
            own = gained
        else:
            best = max(best, gained)
    return own - best


@rule
def gain_of_tool(c: Any, g: Any, seat: Any, tile: Any) -> Any:
    """The prestige that the tool of a specialist adds to the tools that the seat has, and to that of its specialist."""
    before = np.int64(g.tools[seat])
    held = np.int64(g.specialist[seat])
    if held >= 0 and held != tile:
        g.tools[seat] = before | (1 << held)
    least = tools.prestige(c, g, seat)
    g.tools[seat] = np.int64(g.tools[seat]) | (1 << np.int64(tile))
    most = tools.prestige(c, g, seat)
    g.tools[seat] = before
    return most - least


@rule
def worth_of_tool(c: Any, g: Any, w: Any, seat: Any, tile: Any) -> Any:
    """Points for the tool of a specialist: what it adds, and its share of the group that the plan wants."""
    return w.tool * gain_of_tool(c, g, seat, tile) + w.tool_share * hiring.share_of_tool(c, g, w, seat, tile)
