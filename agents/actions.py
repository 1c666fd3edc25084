"""The points that a plan gives to actions of the base game: market, claims, tiles, deliveries, ornaments.

Behind `if FULL` they take into account what the full game changes about them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..edition import FULL
from ..jit import rule
from ..rules import ending, workshop
from ..rules.expansion import builders
from ..rules.goods import room
from ..rules.guilds import card_of, effect_of
from ..rules.points import (
    BUILD_LEFT,
    PLACE_SECTION,
    POINT,
    TAKE_MATERIAL,
    Point,
)
from ..rules.printed import expansion_vocabulary
from ..rules.printed.build_sizes import SPECIALIST_EFFECT
from ..rules.printed.sizes import (
    ANY,
    BLACK_DIE,
    CLAIMED,
    FINISHED,
    GREEN,
    MATERIALS,
    PURPLE,
    QUADRANTS,
    RECOGNITION,
    RUBLES,
    SIDES,
    SLOTS,
    SPACES,
    WHITE_SLOT,
)
from ..rules.verbs import INVENTORY
from .values import (
    NEVER,
    cost,
    deliverable,
    furthest_other,
    lead_in_towers,
    worth,
    worth_of_recognition,
    worth_of_tile,
    worth_of_yield,
)
from .values_full import (
    best_gems,
    city_of,
    lead_in_city,
    more_of_effect,
    open_score,
    payable_beside_rubles,
    short,
    worth_of_tiles,
    worth_of_tool,
)

# --- the market


@rule
def points_of_activation(c: Any, g: Any, w: Any, seat: Any, lack: Any, die: Any) -> Any:
    """Points of the workshop tile that a die activates, or of the black die's specialist; NEVER if there is neither."""
    activated = NEVER
    for slot in range(c.first_slot[die], c.end_slot[die]):
        activated = max(activated, worth_of_tile(c, g, w, seat, lack, slot))
    if FULL and die == BLACK_DIE and g.specialist[seat] >= 0:
        activated = max(points_of_specialist(c, g, w, seat, lack), 0.0)
    return activated


@rule
def points_of_move(c: Any, g: Any, w: Any, seat: Any, lack: Any, die: Any, extra: Any) -> Any:
    """Points of a move: the landing space's tile, the better guild action, the workshop tile of the die."""
    space = (g.die_space[die] + g.die_value[die] + extra) % SPACES
    dice = g.crowd[space] + (space != g.die_space[die])
    tile = g.market[space]
    obtained = worth(c, g, w, seat, lack, c.market_kind[tile], c.market_amount[tile] * dice)
    activated = points_of_activation(c, g, w, seat, lack, die)
    card, best = card_of(g, space), 0.0
    for side in range(SIDES):
        effect = effect_of(card, side)
        if FULL:
            used = max(activated, 0.0)
            best = max(best, points_of_choice(c, g, w, seat, lack, effect, obtained, used))
        else:
            best = max(best, points_of_effect(c, g, w, seat, lack, effect))
    points = obtained + w.guild * best
    if activated > NEVER:
        points += w.workshop * activated
    return points - cost(c, g, w, seat, extra * c.rubles_per_step)


@rule
def points_of_effect(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any) -> Any:
    """Points of an effect; below 0 if it would only cost. Conditions are ignored."""
    if g.rubles[seat] < c.effect_price[effect]:
        return -1.0
    if FULL and not payable_beside_rubles(c, g, seat, effect):
        return -1.0
    points = -cost(c, g, w, seat, c.effect_price[effect])
    factor = w.last if g.ending >= 0 else 1.0
    payments, gains = c.effect_payments[effect], c.effect_gains[effect]
    # The material wanted most, and the ones that are given away most easily.
    wanted, most_spare, spare_kinds = 0.0, 0, 0
    if payments > 0 or gains > 0:
        for material in range(MATERIALS):
            if c.effect_gain_from[effect, material] and g.supply[material] > 0 and lack[material] > 0:
                wanted = max(wanted, w.missing[material])
            if c.effect_pay_from[effect, material]:
                most_spare = max(most_spare, -lack[material])
                spare_kinds += lack[material] < 0
    if payments > 0:
        spare = spare_kinds >= payments if payments > 1 else most_spare >= c.effect_each[effect]
        if not spare or (gains > 0 and wanted <= 0):
            return points - 1.0
        points += factor * (wanted - w.spare[0]) * gains
    elif gains > 0 and room(c, g, seat) > 0:
        points += factor * wanted * gains
    if c.effect_rubles[effect] > 0:
        points += worth(c, g, w, seat, lack, RUBLES, c.effect_rubles[effect])
    if c.effect_recognition[effect] > 0:
        points += worth_of_recognition(c, g, w, seat, c.effect_recognition[effect])
    points += w.prestige * c.effect_prestige[effect]
    if c.effect_deliveries[effect] > 0:
        points += w.delivered * min(c.effect_deliveries[effect], deliverable(c, g, seat))
    if c.effect_tiles[effect] > 0:
        best = 0.0
        if FULL:
            best = worth_of_tiles(c, g, w, seat, lack, c.effect_mode[effect])
        else:
            for slot in range(SLOTS):
                best = max(best, worth_of_tile(c, g, w, seat, lack, slot))
        points += best
    if c.effect_swaps[effect] > 0:
        points -= 1.0
    if FULL:
        points += more_of_effect(c, g, w, seat, lack, effect)
    return points


@rule
def points_of_specialist(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points of using the own specialist: its effect, and the tool of the turned-over tile."""
    tile = np.int64(g.specialist[seat])
    points = points_of_effect(c, g, w, seat, lack, np.uint64(SPECIALIST_EFFECT + tile))
    return points + worth_of_tool(c, g, w, seat, tile)


@rule
def points_of_choice(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any, obtained: Any, activated: Any) -> Any:
    """Points of an effect that may contain further market actions or actions of other guilds.

    `obtained` and `activated` are the points of the two market actions of the visit, 0 where there is none.
    """
    points = points_of_effect(c, g, w, seat, lack, effect)
    if c.effect_opens[effect] == Point.EXTRA:
        mode = c.effect_mode[effect]
        if mode == expansion_vocabulary.TWO_ACTIONS:
            points += obtained + activated
        else:
            points += max(obtained, activated) * (1.7 if mode == expansion_vocabulary.SAME_ACTION else 1.0)
        if c.effect_then_material[effect]:
            points += worth(c, g, w, seat, lack, ANY, 1)
    if c.effect_opens[effect] == Point.INFLUENCE:
        best = 0.0
        for quadrant in range(QUADRANTS):
            for side in range(SIDES):
                other = effect_of(g.influence[quadrant], side)
                if other // np.uint64(SIDES) != effect // np.uint64(SIDES):
                    best = max(best, points_of_effect(c, g, w, seat, lack, other))
        points += best
    return points


@rule
def points_of_visit(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any) -> Any:
    """Points of an action of the guild card where the die has landed."""
    tile = g.market[g.space]
    obtained = worth(c, g, w, seat, lack, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space])
    activated = points_of_activation(c, g, w, seat, lack, g.die)
    return points_of_choice(c, g, w, seat, lack, effect, obtained, max(activated, 0.0))


@rule
def points_of_take(c: Any, g: Any, seat: Any, lack: Any, count: Any) -> Any:
    """Points of taking materials: those that are missing, and some spare ones while there is plenty of room."""
    material = g.stack[g.depth - 1, TAKE_MATERIAL]
    if material == ANY or (FULL and material == builders.FROM_CARD):
        return -1.0
    useful = max(lack[material], 0) + max(0, room(c, g, seat) - 3)
    return 1.0 * count if count <= useful else -1.0 * count


# --- claims and tiles


@rule
def points_of_claim(c: Any, g: Any, w: Any, seat: Any, s: Any, tower: Any, source: Any) -> Any:
    """Points of a claim: high while few sections are open, for a good reward, few missing materials, and tower
    value."""
    section = g.first[tower] + g.claimed[tower]
    points = w.open[min(g.works[seat, CLAIMED], 3)]
    points += w.claim_recognition * g.card[section, RECOGNITION] + w.claim_rubles * g.card[section, RUBLES]
    for material in range(MATERIALS):
        points -= w.claim_missing[material] * max(0, g.card[section, material] - g.goods[seat, material])
    for below in range(g.first[tower], section):
        points += w.claim_below * (not g.finished[below] and g.owner[below] != seat)
    if w.claim_tower != 0:
        points += w.claim_tower * claim_changes(c, g, seat, s.undo, section)
    points += w.claim_late * furthest_other(c, g, seat)
    if source == INVENTORY:
        points += w.claim_inventory
    if FULL and c.module:
        points += w.claim_city * g.sent[city_of(g, tower), seat]
    return points + w.last_claim if g.ending >= 0 else points


@rule
def claim_changes(c: Any, g: Any, seat: Any, undo: Any, section: Any) -> Any:
    """The change of the lead in towers by this section if everything claimed in its tower were finished."""
    tower = g.tower[section]
    first = g.first[tower]
    for other in range(first, section):
        undo[other - first] = g.finished[other]
        g.finished[other] = 1
    ending.standing(c, g, tower)
    before = lead_in_towers(c, g, seat)
    g.owner[section] = seat
    g.finished[section] = 1
    ending.standing(c, g, tower)
    change = lead_in_towers(c, g, seat) - before
    g.owner[section] = -1
    g.finished[section] = 0
    for other in range(first, section):
        g.finished[other] = undo[other - first]
    ending.standing(c, g, tower)
    return change


@rule
def points_of_slot(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any, up: Any) -> Any:
    """Points of a workshop slot: face up where that is cheap or frees an ornament, face down where it is expensive."""
    price = c.slot_price[seat, slot]
    ornament = g.slot_ornament[seat, slot] >= 0
    if not up:
        return w.down_price * price + w.down_ornament * ornament
    kind = g.tile[g.stack[g.depth - 1, PLACE_SECTION]]
    points = w.up + w.up_price * price + w.up_ornament * ornament
    points += w.up_tile * worth_of_yield(c, g, w, seat, lack, workshop.effect_of(kind))
    return points + w.up_own * (slot == seat or slot >= WHITE_SLOT)


# --- deliveries and ornaments


@rule
def deliveries_left(c: Any, g: Any) -> Any:
    """The number of deliveries left in the current action; a specialist's has one."""
    f = g.stack[g.depth - 1]
    if f[POINT] == Point.START:
        return np.int64(c.deliveries)
    if FULL and f[POINT] == Point.BOTH:
        return np.int64(1)
    return np.int64(f[BUILD_LEFT])


@rule
def points_of_delivery(c: Any, g: Any, w: Any, seat: Any, section: Any) -> Any:
    """Points of a delivery: high if it completes a section; at the start of a turn, if the whole action is well
    used."""
    left = deliveries_left(c, g)
    misses = 0
    ready = True
    for material in range(MATERIALS):
        misses += g.card[section, material]
        if g.card[section, material] > g.goods[seat, material]:
            ready = False
    if FULL:  # diamonds that lie there, or are at hand, stand for what is missing
        misses -= g.card_diamonds[section]
        ready = short(c, g, seat, section) <= g.card_diamonds[section] + g.diamonds[seat]
    points = w.delivered * min(left, deliverable(c, g, seat)) + w.misses * misses
    points += w.urgent * furthest_other(c, g, seat)
    if ready and misses <= left:
        points += w.complete + w.complete_recognition * g.card[section, RECOGNITION]
        points += w.complete_rubles * g.card[section, RUBLES]
        if w.complete_tower != 0:
            points += w.complete_tower * completion_changes(c, g, seat, section)
        if FULL and c.module:
            points += w.complete_city * lead_in_city(c, g, seat, section)
        if g.ending < 0 and g.works[seat, FINISHED] + 1 >= c.sections_to_end:
            points += w.end + w.end_lead * lead(c, g, seat)
    return points


@rule
def completion_changes(c: Any, g: Any, seat: Any, section: Any) -> Any:
    """The change of the lead in towers when this section is finished."""
    before = lead_in_towers(c, g, seat)
    g.finished[section] = 1
    ending.standing(c, g, g.tower[section])
    change = lead_in_towers(c, g, seat) - before
    g.finished[section] = 0
    ending.standing(c, g, g.tower[section])
    return change


@rule
def lead(c: Any, g: Any, seat: Any) -> Any:
    """The seat's current score minus the best other seat's."""
    best = -1000
    for other in range(c.seats):
        if other != seat:
            if FULL:
                best = max(best, open_score(c, g, other))
            else:
                best = max(best, ending.score(c, g, other))
    return ending.score(c, g, seat) - best


@rule
def points_of_ornament(c: Any, g: Any, w: Any, seat: Any, tower: Any, section: Any) -> Any:
    """Points of an ornament: higher with gems, and in contested towers."""
    left = deliveries_left(c, g) - 1
    prestige = 0
    for green in range(min(2, g.goods[seat, GREEN]) + 1):
        for purple in range(min(2 - green, g.goods[seat, PURPLE]) + 1):
            if green + purple <= left:
                prestige = max(prestige, c.gem_prestige[green, purple])
    if FULL:
        prestige = max(prestige, best_gems(c, g, seat, left))
    others = 0
    for other in range(c.seats):
        if other != seat:
            others = max(others, g.presence[tower, other])
    behind = others - g.presence[tower, seat]
    points = w.prestige * prestige + w.adorn * (behind == 0 or behind == 1)
    if w.adorn_tower != 0:
        points += w.adorn_tower * ornament_changes(c, g, seat, tower, section)
    return points


@rule
def ornament_changes(c: Any, g: Any, seat: Any, tower: Any, section: Any) -> Any:
    """The change of the lead in towers by the seat's ornament on the section."""
    before = lead_in_towers(c, g, seat)
    g.ornament[section] = seat
    ending.standing(c, g, tower)
    change = lead_in_towers(c, g, seat) - before
    g.ornament[section] = -1
    ending.standing(c, g, tower)
    return change
