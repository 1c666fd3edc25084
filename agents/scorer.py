"""What a plan thinks of an action: points by plain rules, compiled, with every number taken from its weights.

A plan looks at the board as it lies and plays nothing out. `pick` gives every legal action points and takes the best;
of equal ones the one with the lowest number. So plans are quick enough to fill a search with their games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.jit import rule
from rc_env.rules import ending, track
from rc_env.rules.goods import receivable, room
from rc_env.rules.guilds import card_of, effect_of
from rc_env.rules.points import POINT, A, Point
from rc_env.rules.sizes import (
    ANY,
    CLAIMED,
    FINISHED,
    GREEN,
    MATERIALS,
    PURPLE,
    RECOGNITION,
    RUBLES,
    SIDES,
    SLOTS,
    SPACES,
    WHITE_SLOT,
)
from rc_env.rules.verbs import INVENTORY, Verb
from rc_env.rules.workshop import amount_of, resource_of

NEVER = -1000.0  # nothing a plan does is worth so little

WEIGHTS = np.dtype(
    [
        # --- what is received
        ("missing", np.float64, (MATERIALS,)),  # a material that own sections and ornaments still miss
        ("spare", np.float64, (MATERIALS,)),  # one that they do not
        ("ruble", np.float64),  # a ruble, up to `enough`
        ("enough", np.float64),
        ("ruble_more", np.float64),  # each further one
        ("recognition", np.float64),  # a space of the score track
        ("prestige", np.float64),  # prestige gained as such
        ("reached", np.float64),  # a prestige space that recognition reaches, on top
        # --- the market
        ("guild", np.float64),  # times the points of the better guild action where the die lands
        ("workshop", np.float64),  # times the points of the die's workshop tile
        # --- claims
        ("open", np.float64, (4,)),  # with no, one, two, more sections open
        ("claim_recognition", np.float64),  # times what the section pays
        ("claim_rubles", np.float64),
        ("claim_missing", np.float64, (MATERIALS,)),  # for each material it costs that is not in hand
        ("claim_tower", np.float64),  # times what the tower would bring if all that is claimed were finished
        ("claim_below", np.float64),  # for each unfinished section of others below it
        ("claim_inventory", np.float64),  # a banner that opens an inventory space
        ("claim_late", np.float64),  # times the sections that the furthest other player has finished
        # --- tiles
        ("up", np.float64),  # a tile placed face up
        ("up_price", np.float64),  # for each ruble that costs
        ("up_ornament", np.float64),  # where it frees an ornament
        ("up_tile", np.float64),  # times the points of what it gives at once
        ("up_own", np.float64),  # on the slot of the own die, or a white one
        ("down_price", np.float64),  # face down: for each ruble that the slot would cost
        ("down_ornament", np.float64),  # where it loses an ornament
        # --- deliveries
        ("delivered", np.float64),  # a material that the action will bring
        ("misses", np.float64),  # for each material the section still misses
        ("complete", np.float64),  # an action that completes the section
        ("complete_recognition", np.float64),  # times what it pays
        ("complete_rubles", np.float64),
        ("complete_tower", np.float64),  # times what it changes in the tower
        ("urgent", np.float64),  # times the sections that the furthest other player has finished
        ("end", np.float64),  # completing the section that brings the ending about
        ("end_lead", np.float64),  # times the own lead then
        # --- ornaments
        ("adorn", np.float64),  # where presence is equal or one behind
        ("adorn_tower", np.float64),  # times what it changes in the tower
        # --- the last turn
        ("last", np.float64),  # times what is received, once the ending has come
        ("last_claim", np.float64),  # a claim then
    ],
    align=True,
)
"""What a plan weighs: float64 throughout, so an array of it is also a plain vector (`weights.view(np.float64)`)."""

SCRATCH = np.dtype([("lack", np.int64, (MATERIALS,)), ("undo", np.int8, (8,))])
"""What `pick` works in. lack: how many of each material the seat could deliver beyond what it has."""


@rule
def pick(c: Any, g: Any, w: Any, s: Any, menu: Any, n: Any) -> Any:
    """The action with most points among the first `n` of the menu. `g` is written to and put back."""
    missing(c, g, g.seat, s.lack)
    best, chosen = 2 * NEVER, np.int64(menu.action[0])
    for i in range(n):
        action = np.int64(menu.action[i])
        points = points_of(c, g, w, g.seat, s, action)
        if points > best or (points == best and action < chosen):
            best, chosen = points, action
    return chosen


@rule
def missing(c: Any, g: Any, seat: Any, lack: Any) -> None:
    """How many of each material the seat could deliver beyond what it has; below 0 where it has too many."""
    for material in range(MATERIALS):
        lack[material] = -g.goods[seat, material]
    for section in range(c.sections):
        if g.owner[section] == seat and not g.finished[section]:
            for material in range(MATERIALS):
                lack[material] += g.card[section, material]
    adornable = 0
    for kind in range(3):
        if g.works[seat, kind] > 0:
            for section in range(c.sections):
                if g.finished[section] and g.kind[section] == kind and g.ornament[section] < 0:
                    lack[c.ornament_material[kind]] += 1
                    adornable += 1
                    break
    lack[GREEN] += adornable
    lack[PURPLE] += adornable


@rule
def points_of(c: Any, g: Any, w: Any, seat: Any, s: Any, action: Any) -> Any:
    """Points of a legal action."""
    verb = c.verb[action]
    x, y, z = c.argument[action, 0], c.argument[action, 1], c.argument[action, 2]
    if verb == Verb.MOVE:
        return points_of_move(c, g, w, seat, s.lack, c.die_seen[seat, x], y)
    if verb == Verb.CLAIM:
        return points_of_claim(c, g, w, seat, s, x, y)
    if verb == Verb.DELIVER:
        return points_of_delivery(c, g, w, seat, g.first[y] + z)
    if verb == Verb.ADORN:
        return points_of_ornament(c, g, w, seat, x, g.first[x] + y)
    if verb == Verb.GEMS:
        return w.prestige * c.gem_prestige[x, y]
    if verb == Verb.PLACE:
        return points_of_slot(c, g, w, seat, s.lack, c.slot_seen[seat, x], y)
    if verb == Verb.TAKE:
        return points_of_take(c, g, seat, s.lack, x)
    if verb == Verb.GAIN:
        return 1.0 * s.lack[x]
    if verb == Verb.PAY:
        return -1.0 * s.lack[x]
    if verb == Verb.OBTAIN:
        tile = g.market[g.space]
        return 1.0 + worth(c, g, w, seat, s.lack, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space])
    if verb == Verb.WORKSHOP:
        return 1.0 + worth_of_tile(c, g, w, seat, s.lack, c.slot_seen[seat, x])
    if verb == Verb.GUILD:
        return points_of_effect(c, g, w, seat, s.lack, effect_of(card_of(g, g.space), x))
    if verb == Verb.RUBLES or verb == Verb.REROLL:
        return NEVER
    if verb == Verb.IVAN_CLAIM:  # what pays him least
        return -1.0 * g.card[g.first[x] + g.claimed[x], RECOGNITION]
    if verb == Verb.DONE or verb == Verb.SWAP or verb == Verb.IVAN_ADORN:
        return 0.0
    return NEVER  # there is no other verb: a test holds this list to `Verb`


# --- what things are worth


@rule
def worth(c: Any, g: Any, w: Any, seat: Any, lack: Any, resource: Any, amount: Any) -> Any:
    """Points for receiving so much of a resource."""
    if resource == RECOGNITION:
        return worth_of_recognition(c, g, w, seat, amount)
    factor = w.last if g.ending >= 0 else 1.0
    if resource == RUBLES:
        scarce = min(1.0 * amount, max(0.0, w.enough - g.rubles[seat]))
        return factor * (w.ruble_more * amount + (w.ruble - w.ruble_more) * scarce)
    if resource == ANY:
        best = 0.0
        for material in range(MATERIALS):
            best = max(best, worth_of_material(c, g, w, seat, lack, material, 1))
        return factor * best
    return factor * worth_of_material(c, g, w, seat, lack, resource, amount)


@rule
def worth_of_recognition(c: Any, g: Any, w: Any, seat: Any, spaces: Any) -> Any:
    """Points for so many spaces of the score track."""
    position = g.track[seat]
    reached = track.prestige_of(c, position + spaces) - track.prestige_of(c, position)
    return w.recognition * spaces + w.reached * reached


@rule
def worth_of_material(c: Any, g: Any, w: Any, seat: Any, lack: Any, material: Any, amount: Any) -> Any:
    """Points for receiving so many of a material, as far as room and supply reach."""
    count = min(amount, receivable(c, g, seat, material))
    useful = min(count, max(lack[material], 0))
    return w.missing[material] * useful + w.spare[material] * (count - useful)


@rule
def worth_of_tile(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """Points for activating the tile in a workshop slot."""
    if not g.slot_up[seat, slot]:
        return 0.0
    kind = g.slot_tile[seat, slot]
    return worth(c, g, w, seat, lack, resource_of(c, g, kind), amount_of(c, g, kind))


@rule
def cost(g: Any, w: Any, seat: Any, price: Any) -> Any:
    """Points that so many rubles cost."""
    return price * (w.ruble if g.rubles[seat] <= w.enough else w.ruble_more)


@rule
def furthest_other(c: Any, g: Any, seat: Any) -> Any:
    """The most sections that another player has finished."""
    most = 0
    for other in range(c.seats):
        if other != seat:
            most = max(most, g.works[other, FINISHED])
    return most


@rule
def lead_in_towers(c: Any, g: Any, seat: Any) -> Any:
    """What the seat's towers bring less what the best other's do."""
    best = 0
    for other in range(c.seats):
        if other != seat:
            best = max(best, g.towers[other])
    return g.towers[seat] - best


# --- the market


@rule
def points_of_move(c: Any, g: Any, w: Any, seat: Any, lack: Any, die: Any, extra: Any) -> Any:
    """What the landing space yields: its tile, the better guild action, the workshop tile of the die."""
    space = (g.die_space[die] + g.die_value[die] + extra) % SPACES
    dice = g.crowd[space] + (space != g.die_space[die])
    tile = g.market[space]
    points = worth(c, g, w, seat, lack, c.market_kind[tile], c.market_amount[tile] * dice)
    card, best = card_of(g, space), 0.0
    for side in range(SIDES):
        best = max(best, points_of_effect(c, g, w, seat, lack, effect_of(card, side)))
    points += w.guild * best
    best = NEVER
    for slot in range(c.first_slot[die], c.end_slot[die]):
        best = max(best, worth_of_tile(c, g, w, seat, lack, slot))
    if best > NEVER:
        points += w.workshop * best
    return points - cost(g, w, seat, extra)


@rule
def points_of_effect(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any) -> Any:
    """What an effect is good for; below 0 when it would only cost. Conditions are not looked at."""
    if g.rubles[seat] < c.effect_price[effect]:
        return -1.0
    points = -cost(g, w, seat, c.effect_price[effect])
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
        for slot in range(SLOTS):
            best = max(best, worth_of_tile(c, g, w, seat, lack, slot))
        points += best
    if c.effect_swaps[effect] > 0:
        points -= 1.0
    return points


@rule
def points_of_take(c: Any, g: Any, seat: Any, lack: Any, count: Any) -> Any:
    """What is missing, and some to spare while there is plenty of room."""
    material = g.stack[g.depth - 1, A]
    if material == ANY:
        return -1.0
    useful = max(lack[material], 0) + max(0, room(c, g, seat) - 3)
    return 1.0 * count if count <= useful else -1.0 * count


# --- claims and tiles


@rule
def points_of_claim(c: Any, g: Any, w: Any, seat: Any, s: Any, tower: Any, source: Any) -> Any:
    """A section while few are open: one that pays well, misses little that is not in hand, and counts in its tower."""
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
    return points + w.last_claim if g.ending >= 0 else points


@rule
def claim_changes(c: Any, g: Any, seat: Any, undo: Any, section: Any) -> Any:
    """By how much the lead in towers would change with this section, if all that is claimed in its tower were done."""
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
    """Face up where it is cheap, or where it frees an ornament; face down where it would be dear."""
    price = c.slot_price[seat, slot]
    ornament = g.slot_ornament[seat, slot] >= 0
    if not up:
        return w.down_price * price + w.down_ornament * ornament
    kind = g.tile[g.stack[g.depth - 1, A]]
    points = w.up + w.up_price * price + w.up_ornament * ornament
    points += w.up_tile * worth(c, g, w, seat, lack, resource_of(c, g, kind), amount_of(c, g, kind))
    return points + w.up_own * (slot == seat or slot >= WHITE_SLOT)


# --- deliveries and ornaments


@rule
def deliverable(c: Any, g: Any, seat: Any) -> Any:
    """How many materials in hand the seat's sections miss."""
    count = 0
    for material in range(MATERIALS):
        total = 0
        for section in range(c.sections):
            if g.owner[section] == seat and not g.finished[section]:
                total += g.card[section, material]
        count += min(total, g.goods[seat, material])
    return count


@rule
def points_of_delivery(c: Any, g: Any, w: Any, seat: Any, section: Any) -> Any:
    """What completes a section first; at the start of a turn only if the action is used well."""
    f = g.stack[g.depth - 1]
    left = c.deliveries if f[POINT] == Point.START else f[A]
    misses = 0
    ready = True
    for material in range(MATERIALS):
        misses += g.card[section, material]
        if g.card[section, material] > g.goods[seat, material]:
            ready = False
    points = w.delivered * min(left, deliverable(c, g, seat)) + w.misses * misses
    points += w.urgent * furthest_other(c, g, seat)
    if ready and misses <= left:
        points += w.complete + w.complete_recognition * g.card[section, RECOGNITION]
        points += w.complete_rubles * g.card[section, RUBLES]
        if w.complete_tower != 0:
            points += w.complete_tower * completion_changes(c, g, seat, section)
        if g.ending < 0 and g.works[seat, FINISHED] + 1 >= c.sections_to_end:
            points += w.end + w.end_lead * lead(c, g, seat)
    return points


@rule
def completion_changes(c: Any, g: Any, seat: Any, section: Any) -> Any:
    """By how much the lead in towers changes with this section finished."""
    before = lead_in_towers(c, g, seat)
    g.finished[section] = 1
    ending.standing(c, g, g.tower[section])
    change = lead_in_towers(c, g, seat) - before
    g.finished[section] = 0
    ending.standing(c, g, g.tower[section])
    return change


@rule
def lead(c: Any, g: Any, seat: Any) -> Any:
    """The seat's score as it stands less the best other's."""
    best = -1000
    for other in range(c.seats):
        if other != seat:
            best = max(best, ending.score(c, g, other))
    return ending.score(c, g, seat) - best


@rule
def points_of_ornament(c: Any, g: Any, w: Any, seat: Any, tower: Any, section: Any) -> Any:
    """With gems if there are any; rather where the tower is contested."""
    f = g.stack[g.depth - 1]
    left = (c.deliveries if f[POINT] == Point.START else f[A]) - 1
    prestige = 0
    for green in range(min(2, g.goods[seat, GREEN]) + 1):
        for purple in range(min(2 - green, g.goods[seat, PURPLE]) + 1):
            if green + purple <= left:
                prestige = max(prestige, c.gem_prestige[green, purple])
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
    """By how much the lead in towers changes with the seat's ornament on the section."""
    before = lead_in_towers(c, g, seat)
    g.ornament[section] = seat
    ending.standing(c, g, tower)
    change = lead_in_towers(c, g, seat) - before
    g.ornament[section] = -1
    ending.standing(c, g, tower)
    return change
