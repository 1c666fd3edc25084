"""The values that a plan gives to resources, materials, recognition, workshop tiles and rubles, and its weights.

Points are computed from the current board. Code behind `if FULL` is for diamonds and special workshop tiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..edition import FULL
from ..jit import rule
from ..rules import goods, track, workshop
from ..rules.expansion import permits, resources
from ..rules.expansion.special_tiles import DIAMOND, DIE, MATERIAL
from ..rules.goods import room
from ..rules.printed import expansion_vocabulary
from ..rules.printed.sizes import ANY, FINISHED, MATERIALS, PERMITS, RECOGNITION, RUBLES, SPACES, SPECIAL_KIND
from . import hiring

NEVER = -1000.0  # below the points of any action

DEFAULT_WEIGHTS = {
    "diamond": 13.0,
    "diamond_spare": 4.0,
    "contract": 9.0,
    "contract_near": 3.0,
    "reinforcement": 8.0,
    "guild_tile": 12.0,
    "rival": 8.0,
    "permit": 2.0,
    "permits_enough": 3.0,
    "permit_more": 0.0,
    "prestige_for_permit": 40.0,
    "hire": 0.0,
    "hire_late": 0.0,
    "city": 3.0,
    "city_open": 0.0,
    "city_unfinished": 0.0,
    "claim_city": 2.0,
    "complete_city": 3.0,
    "engage": 0.0,
    "engage_effect": 0.8,
    "replaced": 10.0,
    "tool": 8.0,
    "dismiss_tool": 0.5,
    "claim_free": 25.0,
    "ornament": 15.0,
    "contractors": 0.0,
    "contractors_a_section": 1.5,
    "by": 12.0,
    "behind": 10.0,
    "next_places": 0.5,
    "tools": 6.0,
    "tool_share": 4.0,
    "permit_wanted": 8.0,
    "rubles_a_contractor": 2.0,
}
"""The weights that only the full game has, as plans weigh them that do not name them.

diamond: a diamond while materials are missing; diamond_spare: each further one. contract: times the prestige that a
contract would score now; contract_near: times what it could score beyond that. reinforcement: a reinforcement tile that
is kept; it is used for what is worth more. guild_tile: activating the guild tile. rival: times the prestige that
another player loses.

The others act with the module Contractors alone. permit: a permit, up to `permits_enough` held while a contractor is
left; permit_more: each further one; prestige_for_permit: what giving up prestige for a permit costs.
hire: sending a contractor; hire_late: times the sections that the furthest other player has finished. city: times the
own banners in the tower of the city; city_open: times the sections nobody has claimed there, shared among the seats;
city_unfinished: times the sections that are not finished there. claim_city: claiming in a tower, times the own
contractors in its city; complete_city: completing a tower, times the recognition that its city then gives more than to
the best other seat. engage: a specialist engaged; engage_effect: times the points of its effect as the board lies;
replaced: a specialist that is turned over unused. tool: times the prestige that a tool adds; dismiss_tool: dismissing a
specialist, times the most prestige that its tool would add to another seat's. claim_free: a claim by a specialist;
ornament: an ornament that is discarded.

The last nine commit a plan to hiring (see `hiring.py`). contractors: how many it wants to send in all, none at 0, which
turns the other eight off; contractors_a_section: no more of them than so many for each section that the furthest player
has still to finish; by: its own turn by which it wants to have sent them all; behind: sending one with a specialist to
engage, for each that it is behind. next_places: times the mean points of the bonuses of the places that it wants to
fill after this one. tools: how many different tools it wants; tool_share: times the share of a new tool in the prestige
of that group. permit_wanted: a permit that these contractors will cost, on top; rubles_a_contractor: so much higher is
`enough` for each of them.
"""

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
        *((name, np.float64) for name in (DEFAULT_WEIGHTS if FULL else ())),
    ],
    align=True,
)
"""The weights of a plan, all float64, so that an array of them is also a plain vector (`weights.view(np.float64)`)."""


@rule
def worth(c: Any, g: Any, w: Any, seat: Any, lack: Any, resource: Any, amount: Any) -> Any:
    """Points for receiving an amount of a resource."""
    if resource == RECOGNITION:
        return worth_of_recognition(c, g, w, seat, amount)
    if FULL and resource == PERMITS:
        return worth_of_permits(c, g, w, seat, amount)
    factor = w.last if g.ending >= 0 else 1.0
    if resource == RUBLES:
        scarce = min(1.0 * amount, max(0.0, enough(c, g, w, seat) - g.rubles[seat]))
        return factor * (w.ruble_more * amount + (w.ruble - w.ruble_more) * scarce)
    if resource == ANY:
        best = 0.0
        for material in range(MATERIALS):
            best = max(best, worth_of_material(c, g, w, seat, lack, material, 1))
        return factor * best
    return factor * worth_of_material(c, g, w, seat, lack, resource, amount)


@rule
def worth_of_recognition(c: Any, g: Any, w: Any, seat: Any, spaces: Any) -> Any:
    """Points for a number of spaces on the score track."""
    position = g.track[seat]
    reached = track.prestige_of(c, position + spaces) - track.prestige_of(c, position)
    return w.recognition * spaces + w.reached * reached


@rule
def worth_of_material(c: Any, g: Any, w: Any, seat: Any, lack: Any, material: Any, amount: Any) -> Any:
    """Points for receiving a number of a material, as far as room and supply reach."""
    count = min(amount, goods.receivable(c, g, seat, material))
    useful = min(count, max(lack[material], 0))
    return w.missing[material] * useful + w.spare[material] * (count - useful)


@rule
def worth_of_tile(c: Any, g: Any, w: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """Points for activating the tile in a workshop slot."""
    if not g.slot_up[seat, slot]:
        return 0.0
    kind = g.slot_tile[seat, slot]
    if FULL and kind >= SPECIAL_KIND:
        return worth_of_kind(c, g, w, seat, lack, kind)
    return worth_of_yield(c, g, w, seat, lack, workshop.effect_of(kind))


@rule
def worth_of_yield(c: Any, g: Any, w: Any, seat: Any, lack: Any, effect: Any) -> Any:
    """Points for the resource that an effect gives."""
    return worth(c, g, w, seat, lack, workshop.resource_of(c, g, effect), workshop.amount_of(c, g, effect))


@rule
def enough(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """The rubles that the plan wants to hold."""
    if FULL:
        return w.enough + hiring.rubles_wanted(c, g, w, seat)
    return w.enough


@rule
def cost(c: Any, g: Any, w: Any, seat: Any, price: Any) -> Any:
    """The points that a number of rubles costs."""
    return price * (w.ruble if g.rubles[seat] <= enough(c, g, w, seat) else w.ruble_more)


@rule
def furthest_other(c: Any, g: Any, seat: Any) -> Any:
    """The most sections that another player has finished."""
    most = 0
    for other in range(c.seats):
        if other != seat:
            most = max(most, g.works[other, FINISHED])
    return most


@rule
def deliverable(c: Any, g: Any, seat: Any) -> Any:
    """The number of materials in the inventory that the seat's sections miss."""
    count, lacking = 0, 0
    for material in range(MATERIALS):
        total = 0
        for section in range(c.sections):
            if g.owner[section] == seat and not g.finished[section]:
                total += g.card[section, material]
        count += min(total, g.goods[seat, material])
        if total > g.goods[seat, material]:
            lacking += total - g.goods[seat, material]
    if FULL:
        diamonds: Any = np.int64(g.diamonds[seat])
        count += diamonds if diamonds < lacking else lacking
    return count


@rule
def lead_in_towers(c: Any, g: Any, seat: Any) -> Any:
    """The prestige of the seat's towers minus that of the best other seat's."""
    best = 0
    for other in range(c.seats):
        if other != seat:
            best = max(best, g.towers[other])
    return g.towers[seat] - best


# --- permits, diamonds and special tiles


@rule
def worth_of_permits(c: Any, g: Any, w: Any, seat: Any, amount: Any) -> Any:
    """Points for receiving permits, up to the cap."""
    count = min(amount, permits.receivable(c, g, seat))
    useful = 0.0
    if g.contractors[seat] > 0 and g.ending < 0:
        useful = min(1.0 * count, max(0.0, w.permits_enough - g.permits[seat]))
    wanted = min(1.0 * count, 1.0 * hiring.permits_wanted(c, g, w, seat))
    return w.permit_more * count + (w.permit - w.permit_more) * useful + w.permit_wanted * wanted


@rule
def price_of_permits(c: Any, g: Any, w: Any, seat: Any, count: Any) -> Any:
    """Points that paying a number of permits costs."""
    return w.permit * count + w.permit_wanted * hiring.permits_lost(c, g, w, seat, count)


@rule
def missing_in_all(lack: Any) -> Any:
    """How many materials the seat could deliver beyond what it has, of all kinds together."""
    total = 0
    for material in range(MATERIALS):
        total += max(lack[material], 0)
    return total


@rule
def worth_of_diamonds(c: Any, g: Any, w: Any, seat: Any, lack: Any, amount: Any) -> Any:
    """Points for receiving diamonds, as far as room and supply reach."""
    count = min(amount, min(room(c, g, seat), g.diamond_supply))
    useful = min(count, max(missing_in_all(lack) - g.diamonds[seat], 0))
    factor = w.last if g.ending >= 0 else 1.0
    return factor * (w.diamond * useful + w.diamond_spare * (count - useful))


@rule
def price_of_diamond(c: Any, g: Any, w: Any, seat: Any, lack: Any) -> Any:
    """Points that spending a diamond costs."""
    return w.diamond if missing_in_all(lack) >= g.diamonds[seat] and g.ending < 0 else w.diamond_spare


@rule
def best_space(c: Any, g: Any, w: Any, seat: Any, lack: Any, mode: Any) -> Any:
    """Points of the best market space that could be chosen."""
    best = 0.0
    for space in range(SPACES):
        amount = resources.amount(c, g, space, mode)
        if amount > 0:
            best = max(best, worth(c, g, w, seat, lack, c.market_kind[g.market[space]], amount))
    return best


@rule
def worth_of_kind(c: Any, g: Any, w: Any, seat: Any, lack: Any, kind: Any) -> Any:
    """Points for activating a tile of that kind."""
    if kind < SPECIAL_KIND:
        return worth_of_yield(c, g, w, seat, lack, workshop.effect_of(kind))
    tile = kind - SPECIAL_KIND
    if tile == DIAMOND:
        return worth_of_diamonds(c, g, w, seat, lack, c.special_amount[DIAMOND])
    if tile == MATERIAL:
        rubles = worth(c, g, w, seat, lack, RUBLES, c.special_amount[MATERIAL])
        return rubles + worth(c, g, w, seat, lack, ANY, 1)
    if tile == DIE:
        return best_space(c, g, w, seat, lack, expansion_vocabulary.ANY_DIE)
    return w.guild_tile * (w.last if g.ending >= 0 else 1.0)
