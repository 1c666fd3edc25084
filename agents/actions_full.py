"""The points that a plan gives to actions that only the full game has, and to choices with another meaning there.

A diamond is a joker: it has a value while any material is missing, and spending it costs that value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import rule
from ..rules.build import prestige_of_diamonds
from ..rules.expansion import cities, hire, players, reinforcements, resources
from ..rules.goods import room
from ..rules.guilds import effect_of
from ..rules.points import (
    EFFECT,
    PLACE_FREE,
    POINT,
    WAY,
    Point,
)
from ..rules.printed import expansion_vocabulary
from ..rules.printed.build_sizes import SPECIALIST_EFFECT
from ..rules.printed.expansion_vocabulary import GIVEN_TILE
from ..rules.printed.sizes import (
    ANY,
    BLACK_DIE,
    CITIES,
    MATERIALS,
    QUADRANTS,
    RUBLES,
    SIDES,
    SLOTS,
    SPECIAL_KIND,
    SPECIALIST_SLOTS,
)
from ..rules.verbs import DIAMOND_GEMS, Verb
from . import hiring
from .actions import (
    points_of_choice,
    points_of_delivery,
    points_of_effect,
    points_of_move,
    points_of_ornament,
    points_of_slot,
    points_of_specialist,
)
from .values import (
    NEVER,
    best_space,
    cost,
    deliverable,
    furthest_other,
    missing_in_all,
    price_of_diamond,
    price_of_permits,
    worth,
    worth_of_kind,
    worth_of_recognition,
)
from .values_full import (
    gain_of_tool,
    open_score,
    short,
    worth_of_city,
    worth_of_contract,
    worth_of_drawn,
    worth_of_foreman,
    worth_of_section,
    worth_of_spending,
    worth_of_tiles,
    worth_of_tool,
)


@rule
def points_of_full(c: Any, g: Any, w: Any, seat: Any, s: Any, verb: Any, x: Any, y: Any) -> Any:
    """Points of a legal action that only the full game has, with its arguments."""
    lack = s.lack
    if verb == Verb.DELIVER_DIAMOND:
        section = g.first[x] + y
        needed = short(c, g, seat, section) - g.card_diamonds[section]
        if needed <= 0:  # what is in hand is enough
            return NEVER / 2
        price = 1.0 if needed <= g.diamonds[seat] else price_of_diamond(c, g, w, seat, lack)
        return points_of_delivery(c, g, w, seat, section) - price
    if verb == Verb.ADORN_DIAMOND:
        points = points_of_ornament(c, g, w, seat, x, g.first[x] + y)
        return points - price_of_diamond(c, g, w, seat, lack)
    if verb == Verb.GEMS_DIAMOND:
        _, _, count = DIAMOND_GEMS[x]
        prestige = prestige_of_diamonds(c, x)
        return max(w.prestige, 0.5 * w.contract) * prestige - count * price_of_diamond(c, g, w, seat, lack)
    if verb == Verb.PAY_DIAMOND:
        return -1.5 if missing_in_all(lack) > 0 else -0.5
    if verb == Verb.GAIN_DIAMOND:
        return 1.5 if missing_in_all(lack) > 0 else 0.5
    if verb == Verb.GAIN_RUBLES:
        return 1.0 if g.rubles[seat] < w.enough else 0.2
    if verb == Verb.GAIN_RECOGNITION:
        return 0.5
    if verb == Verb.RESOURCE:
        tile = g.market[x]
        amount = resources.amount(c, g, x, g.stack[g.depth - 1, WAY])
        return 1.0 + worth(c, g, w, seat, lack, c.market_kind[tile], amount)
    if verb == Verb.GUILD_AT:
        return points_of_choice(c, g, w, seat, lack, effect_of(g.influence[x], y), 0.0, 0.0)
    if verb == Verb.PLAYER:
        return points_of_player(c, g, seat, lack, players.seat_of(c, seat, x))
    if verb == Verb.BORROW:
        kind = g.slot_tile[players.seat_of(c, seat, x), c.slot_seen[seat, y]]
        return 1.0 + worth_of_kind(c, g, w, seat, lack, kind)
    if verb == Verb.SECTION:
        return points_of_section(c, g, w, seat, lack, g.first[x] + y)
    if verb == Verb.FOREMAN:
        return worth_of_foreman(c, g, w, seat, lack, g.stack[g.depth - 1, EFFECT], x + 1)
    if verb == Verb.CARD:
        return worth_of_drawn(c, g, lack, x)
    if verb == Verb.CONTRACT:
        value = worth_of_contract(c, g, w, seat, x)
        return value if g.stack[g.depth - 1, POINT] == Point.KEEP else -value
    if verb == Verb.REINFORCE:
        if g.stack[g.depth - 1, POINT] == Point.REINFORCEMENT:
            return benefit_of_tile(c, g, w, seat, s, x)
        return benefit_of_tile(c, g, w, seat, s, x) - (0.0 if g.ending >= 0 else w.reinforcement)
    if verb == Verb.SPECIAL:
        return worth_of_kind(c, g, w, seat, lack, SPECIAL_KIND + x)
    if verb == Verb.PLACE_SPECIAL:
        return points_of_special(c, g, w, seat, lack, c.slot_seen[seat, x])
    if verb == Verb.MOVE_BLACK:
        return points_of_move(c, g, w, seat, lack, BLACK_DIE, x)
    if verb == Verb.HIRE:
        return points_of_hire(c, g, w, seat, lack, x)
    if verb == Verb.ENGAGE:
        return points_of_engage(c, g, w, seat, lack, x)
    if verb == Verb.DISMISS:
        return points_of_dismiss(c, g, w, seat, x)
    if verb == Verb.PERMIT:
        return points_of_permit(c, g, w, seat, lack)
    if verb == Verb.SPECIALIST:
        return points_of_specialist(c, g, w, seat, lack)
    if verb == Verb.SPEND:
        return worth_of_spending(c, g, w, seat, g.stack[g.depth - 1, EFFECT], x + 1)
    if verb == Verb.DISCARD:
        return -1.0 * adornable(c, g, x)
    if verb == Verb.PASS:
        return 0.0
    return NEVER  # there is no other verb: a test holds this list to `Verb`


# --- players, sections and tiles


@rule
def points_of_player(c: Any, g: Any, seat: Any, lack: Any, who: Any) -> Any:
    """Points of choosing a player: to count banners, to receive rubles for prestige, or to exchange a material."""
    f = g.stack[g.depth - 1]
    if f[WAY] == expansion_vocabulary.BANNERS:
        return 1.0 * players.banners(g, who)
    if f[WAY] == expansion_vocabulary.RUBLES:
        return 1.0 * open_score(c, g, who)
    if f[WAY] == expansion_vocabulary.CONTRACTORS:
        return 1.0 * cities.contractors(g, who)
    best = 0.5 if g.diamonds[who] > 0 else 0.0
    for material in range(MATERIALS):
        if g.goods[who, material] > 0:
            best = max(best, 1.0 * lack[material])
    return best


@rule
def points_of_section(c: Any, g: Any, w: Any, seat: Any, lack: Any, section: Any) -> Any:
    """Points of choosing a section: for its tile in exchange for an own one, or for its rubles or recognition."""
    f = g.stack[g.depth - 1]
    if f[WAY] == expansion_vocabulary.FALSE_PLANS:
        return worth_of_kind(c, g, w, seat, lack, g.tile[section])
    return worth_of_section(c, g, w, seat, lack, f[EFFECT], section)


@rule
def is_giving(c: Any, g: Any) -> Any:
    """Whether the choice of a workshop tile is the one of a tile that is given for another (full game)."""
    f = g.stack[g.depth - 1]
    return f[POINT] == Point.TILE and f[EFFECT] >= 0 and c.effect_mode[f[EFFECT]] == GIVEN_TILE


@rule
def points_of_given(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """Points of giving a tile for another one: highest for the one that yields least, preferably a face-up one."""
    return 30.0 * g.slot_up[seat, slot] - worth_of_kind(c, g, w, seat, lack, g.slot_tile[seat, slot])


@rule
def points_of_special(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """The special tile in place of the section's one: a tile face up whose price is the number of empty slots."""
    empty = 0
    for other in range(SLOTS):
        empty += g.slot_tile[seat, other] < 0
    price = 0 if g.stack[g.depth - 1, PLACE_FREE] else empty
    points = w.up + w.up_ornament * (g.slot_ornament[seat, slot] >= 0) - cost(c, g, w, seat, price)
    points += 0.7 * worth_of_kind(c, g, w, seat, lack, SPECIAL_KIND + g.special[seat])
    return points


# --- reinforcement tiles


@rule
def benefit_of_tile(c: Any, g: Any, w: Any, seat: Any, s: Any, tile: Any) -> Any:
    """Points for what a reinforcement tile would bring now."""
    lack = s.lack
    amount = c.reinforcement_amount[tile]
    if tile == reinforcements.RUBLES:
        return worth(c, g, w, seat, lack, RUBLES, amount)
    if tile == reinforcements.RECOGNITION:
        return max(worth_of_recognition(c, g, w, seat, amount), 2.5 * amount)
    if tile == reinforcements.GUILD:
        best = 0.0
        for quadrant in range(QUADRANTS):
            for side in range(SIDES):
                effect = effect_of(g.influence[quadrant], side)
                best = max(best, points_of_effect(c, g, w, seat, lack, effect))
        return best
    if tile == reinforcements.WORKSHOP:
        return worth_of_tiles(c, g, w, seat, lack, expansion_vocabulary.OWN_TILE)
    if tile == reinforcements.DELIVER:
        return w.delivered * min(np.int64(amount), deliverable(c, g, seat))
    if tile == reinforcements.FREE:
        return benefit_of_free(c, g, w, seat, lack)
    if tile == reinforcements.MATERIALS_OF_CHOICE:
        one = worth(c, g, w, seat, lack, ANY, 1)
        return one * min(np.int64(amount), room(c, g, seat))
    return best_space(c, g, w, seat, lack, expansion_vocabulary.ANY_DIE)


@rule
def benefit_of_free(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points for a free placement: where a dear slot is the one to use, as much as placing there, else its price."""
    if g.stack[g.depth - 1, POINT] != Point.PLACE:
        return 1.2 * w.reinforcement
    best, free = NEVER, NEVER
    for slot in range(SLOTS):
        if g.slot_tile[seat, slot] < 0:
            points = points_of_slot(c, g, w, seat, lack, slot, 1)
            price = c.slot_price[seat, slot]
            free = max(free, points - w.up_price * price)
            if g.rubles[seat] >= price:
                best = max(best, points)
    saved = free - max(best, 0.0)
    return free + w.reinforcement + 1.0 if saved >= 0.5 * w.reinforcement else NEVER


# --- the module Contractors


@rule
def points_of_hire(c: Any, g: Any, w: Any, seat: Any, lack: Any, city: Any) -> Any:
    """Points of sending a contractor to a city: its tower, the bonus of its place, and the best specialist there."""
    place = hiring.sent(c, g, seat)
    points = worth_of_city(c, g, w, seat, city) - price_of_permits(c, g, w, seat, cities.there(c, g, city) + 1)
    if g.ending < 0:
        points += w.hire + w.hire_late * furthest_other(c, g, seat)
    points += worth_of_place(c, g, w, seat, lack, place)
    further = hiring.wanted(c, g, w, seat) - 1
    for later in range(place + 1, place + 1 + further):
        points += w.next_places * worth_of_place(c, g, w, seat, lack, later) / further
    rubles = c.bonus[place, hire.RUBLES]
    best = 0.0
    for slot in range(SPECIALIST_SLOTS):
        if g.rubles[seat] + rubles >= c.hire_rubles and hire.may_take(c, g, city, slot):
            best = max(best, points_of_engage(c, g, w, seat, lack, slot))
    if best > 0:
        points += best + w.behind * hiring.behind(c, g, w, seat)
    return points


@rule
def worth_of_place(c: Any, g: Any, w: Any, seat: Any, lack: Any, place: Any) -> Any:
    """Points of the bonus of a contractor's place in the row."""
    points = worth(c, g, w, seat, lack, RUBLES, c.bonus[place, hire.RUBLES])
    permits = np.int64(c.bonus[place, hire.PERMITS])
    points += w.permit * permits + w.permit_wanted * min(permits, hiring.permits_wanted(c, g, w, seat))
    points += worth_of_recognition(c, g, w, seat, c.bonus[place, hire.RECOGNITION])
    points += w.prestige * c.bonus[place, hire.PRESTIGE]
    if c.bonus[place, hire.MATERIAL] > 0:
        points += worth(c, g, w, seat, lack, ANY, 1)
    return points


@rule
def points_of_engage(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """Points of engaging a specialist: its effect and its tool later, minus those of the specialist that it replaces.

    After the ending has come only the tool of the one that is turned over counts.
    """
    tile, held = np.int64(g.offer[slot]), np.int64(g.specialist[seat])
    if g.ending >= 0:
        return worth_of_tool(c, g, w, seat, held) - 1.0 if held >= 0 else -1.0
    effect = points_of_effect(c, g, w, seat, lack, np.uint64(SPECIALIST_EFFECT + tile))
    points = w.engage + w.engage_effect * max(effect, 0.0) - cost(c, g, w, seat, c.hire_rubles)
    if held >= 0:
        points -= w.replaced
    return points + worth_of_tool(c, g, w, seat, tile)


@rule
def points_of_dismiss(c: Any, g: Any, w: Any, seat: Any, slot: Any) -> Any:
    """Points of dismissing a specialist: the most that its tool would add to another seat's."""
    most = 0
    for other in range(c.seats):
        if other != seat:
            most = max(most, gain_of_tool(c, g, other, np.int64(g.offer[slot])))
    return w.dismiss_tool * most


@rule
def points_of_permit(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points of giving up prestige for a permit at the start of a turn: those of the best hire that lacks one
    permit."""
    best = NEVER
    if g.stack[g.depth - 1, POINT] == Point.START and g.contractors[seat] > 0:
        for city in range(CITIES):
            if g.city_open[city] and cities.there(c, g, city) == g.permits[seat]:
                best = max(best, points_of_hire(c, g, w, seat, lack, city) - w.prestige_for_permit)
    return best


@rule
def adornable(c: Any, g: Any, kind: Any) -> Any:
    """The number of finished sections that could still take an ornament of that kind."""
    count = 0
    for section in range(c.sections):
        count += g.finished[section] == 1 and g.kind[section] == kind and g.ornament[section] < 0
    return count
