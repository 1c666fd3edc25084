"""Claim a section of the cathedral, and place its workshop tile (R-12 to R-14)."""

from __future__ import annotations

from ..edition import FULL
from ..jit import rule
from . import workshop
from .expansion import special_tiles
from .points import (
    NO_EFFECT,
    PLACE_BY_SPECIALIST,
    PLACE_FREE,
    PLACE_SECTION,
    POINT,
    Point,
    pop,
    push,
)
from .printed.sizes import BANNERS_INVENTORY, BANNERS_SPARE, CLAIMED, SLOTS, SPECIAL_KIND, WHITE_BANNER, WHITE_SLOT
from .verbs import INVENTORY, SOURCES, SPARE, WHITE1, Verb, number, offer


@rule
def slot_empty(g, seat, slot):
    """Whether a slot has no tile and, on a white slot of the advanced board, no banner (R-13)."""
    if g.slot_tile[seat, slot] >= 0:
        return False
    return slot < WHITE_SLOT or g.works[seat, WHITE_BANNER + slot - WHITE_SLOT] == 0


@rule
def has_banner(g, seat, source):
    """Whether a banner can be taken from there (R-12)."""
    if source == INVENTORY:
        return g.goods[seat, BANNERS_INVENTORY] > 0
    if source == SPARE:
        return g.goods[seat, BANNERS_SPARE] > 0
    return g.works[seat, WHITE_BANNER + source - WHITE1] > 0


@rule
def legal_claim(c, g, seat, menu, n):
    """List the claims: a banner from each source that has one, to the lowest unclaimed section of each tower (R-12)."""
    empty = 0
    for slot in range(SLOTS):
        empty += slot_empty(g, seat, slot)
    for source in range(len(SOURCES)):
        # A banner from a white slot empties that slot for the tile.
        if has_banner(g, seat, source) and empty + (source >= WHITE1) > 0:
            for tower in range(c.towers):
                menu.action[n] = number(c, Verb.CLAIM, tower, source, 0)
                n += g.claimed[tower] < g.height[tower]
    return n


@rule
def claim(c, g, seat, tower, source):
    """Put the banner on the section; its tile is to be placed next."""
    by_specialist = 0  # then the market goes on after the claim (R-52 h)
    if FULL:
        by_specialist = int(g.stack[g.depth - 1, POINT] == Point.CLAIM)
        if c.seats > c.players:
            g.ivan_tower = tower  # his city marker follows each claim
    if source == INVENTORY:
        g.goods[seat, BANNERS_INVENTORY] -= 1
    elif source == SPARE:
        g.goods[seat, BANNERS_SPARE] -= 1
    else:
        g.works[seat, WHITE_BANNER + source - WHITE1] -= 1
    section = g.first[tower] + g.claimed[tower]
    g.claimed[tower] += 1
    g.owner[section] = seat
    g.version += 1
    g.works[seat, CLAIMED] += 1
    pop(g)
    push(g, Point.PLACE, NO_EFFECT, section, 0, by_specialist)


@rule
def legal_place(c, g, seat, menu, n):
    """List the placements: any empty slot, face down for nothing or face up for its price (R-13)."""
    for slot in range(SLOTS):
        if slot_empty(g, seat, slot):
            seen = c.slot_seen_as[seat, slot]
            n = offer(c, menu, n, Verb.PLACE, seen, 0, 0)
            if g.rubles[seat] >= price_of(c, g, seat, slot):
                n = offer(c, menu, n, Verb.PLACE, seen, 1, 0)
    if FULL and g.special[seat] >= 0 and g.rubles[seat] >= special_price(g, seat):
        for slot in range(SLOTS):
            if slot_empty(g, seat, slot):
                n = offer(c, menu, n, Verb.PLACE_SPECIAL, c.slot_seen_as[seat, slot], 0, 0)
    return n


@rule
def price_of(c, g, seat, slot):
    """Rubles for placing a tile face up in the slot: none where a reinforcement tile makes it free (R-80)."""
    if FULL and g.stack[g.depth - 1, PLACE_FREE]:
        return 0
    return c.slot_price[seat, slot]


@rule
def special_price(g, seat):
    """Rubles for placing a special tile: one for each slot that is empty before it lies there, or none (R-84)."""
    if g.stack[g.depth - 1, PLACE_FREE]:
        return 0
    empty = 0
    for slot in range(SLOTS):
        empty += slot_empty(g, seat, slot)
    return empty


@rule
def place(c, g, seat, slot, up):
    """Place the tile; face up it gives its benefit once, and frees the ornament of an advanced slot (R-13, R-14)."""
    section, price = g.stack[g.depth - 1, PLACE_SECTION], price_of(c, g, seat, slot)
    settle_tile(c, g, seat, slot, up, g.tile[section], price)


@rule
def place_special(c, g, seat, slot):
    """Discard the section's tile and place the special tile face up in its stead (R-84)."""
    kind = SPECIAL_KIND + g.special[seat]
    price = special_price(g, seat)
    g.special[seat] = -1
    if kind == SPECIAL_KIND + special_tiles.GUILD:
        g.guild_tile = seat
    settle_tile(c, g, seat, slot, 1, kind, price)


@rule
def settle_tile(c, g, seat, slot, up, kind, price):
    """Lay a tile into the slot; the section is left without one."""
    section, by_specialist = g.stack[g.depth - 1, PLACE_SECTION], g.stack[g.depth - 1, PLACE_BY_SPECIALIST]
    pop(g)
    if not by_specialist:
        push(g, Point.END, NO_EFFECT, 0, 0, 0)
    g.slot_tile[seat, slot] = kind
    g.slot_up[seat, slot] = up
    g.tile[section] = -1
    g.version += 1
    ornament = g.slot_ornament[seat, slot]
    g.slot_ornament[seat, slot] = -1
    if up:
        g.rubles[seat] -= price
        if ornament >= 0:
            g.works[seat, ornament] += 1
        workshop.activate(c, g, seat, slot, 1)
