"""The position after a decision, as the record writes it; what only the full game has is in `expansion`.

The tests compare it with `tests/support/positions.py`, which finds the same in another way.
"""

import numpy as np

from ..edition import FULL
from ..jit import rule
from ..rules.points import POINT, POINTS
from ..rules.printed.build_sizes import DIE_NAMES
from ..rules.printed.sizes import (
    ARCH,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CROSS,
    DOOR,
    MATERIAL_NAMES,
    ORNAMENT_NAMES,
    RESOURCE_NAMES,
    SLOT_NAMES,
    SLOTS,
    SPACES,
    SPECIAL_NAMES,
    WHITE_BANNER,
    WHITE_SLOT,
)
from ..rules.solo import ivan
from ..rules.state import PLAYING
from ..words.expansion_notation import DIAMOND_NAME, DIAMONDS, MODULE
from .expansion import put_expansion
from .utf8 import (
    DIAMOND_WORDS,
    DIE_WORDS,
    MATERIAL_WORDS,
    amount,
    entry,
    item,
    number,
    numbers,
    put,
    quoted,
    word,
    words,
)

POINT_WORDS, IVAN_WORDS = words(POINTS), words(ivan.CARDS)
SLOT_WORDS, ORNAMENT_WORDS = words(SLOT_NAMES), words(ORNAMENT_NAMES)
_TILE = max(len(name) for name in (*RESOURCE_NAMES, "any_material", *(f"special:{name}" for name in SPECIAL_NAMES)))
_TILE += len('"": 9, ')
_GOODS = sum(len(f'"{material}": 999, ') for material in (*MATERIAL_NAMES, DIAMOND_NAME))
_DICE = sum(len(f'"{die}": {{"space": 7, "value": 6}}, ') for die in DIE_NAMES)
LONGEST = 500 + SPACES * _TILE + _GOODS + _DICE
LONGEST_SEAT = 200 + _GOODS + SLOTS * (_TILE + len('"white1": {"tile": "", "up": false}, '))
LONGEST_SECTION = 160 + _GOODS
LONGEST_IVAN = 300 + 2 * _GOODS + _DICE
"""Bytes at most: of a position without the following, of each seat, of each section, and of Ivan in the solo game."""
UNWRITTEN = np.array([-1, 0, 0, 0, 0])
"""What `put_position` takes as `written` before the first position."""


@rule
def put_position(c, g, names, shown, written, out, n):
    """A position. names, shown: as in `text.write`.

    Workshops and cathedral seldom change, so they are copied from the position before where they are the same.
    `written` holds the version of the game that was written last, and where these two parts lie in `out`.
    """
    tiles, market, cards = names[0], names[1], names[2]
    bits, view = shown[1], shown[2]
    same = np.int64(g.version) == written[0]
    written[0] = g.version
    n = put_tallies(c, g, out, n)
    begins = n
    n = put(out, n, out[written[1] : written[2]]) if same else put_boards(c, g, tiles, market, out, n)
    written[1], written[2] = begins, n
    n = put_dice(c, g, bits, out, n)
    n = put_ivan(c, g, bits, out, n)
    if FULL:
        n = put_expansion(c, g, cards, bits, view, out, n)
    begins = n
    n = put(out, n, out[written[3] : written[4]]) if same else put_cathedral(c, g, tiles, out, n)
    written[3], written[4] = begins, n
    return n


@rule
def put_moment(g, out, n):
    """The seat that decides, and the decision point."""
    if g.status != PLAYING:
        return put(out, n, b'{"seat": null, "point": "over"')
    n = put(out, n, b'{"seat": ')
    n = number(out, n, g.seat)
    n = put(out, n, b', "point": "')
    n = word(out, n, POINT_WORDS, g.stack[g.depth - 1, POINT])
    return put(out, n, b'"')


@rule
def put_tallies(c, g, out, n):
    """The state of the game, and the goods of each seat."""
    n = put_moment(g, out, n)
    n = put(out, n, b', "turn": ')
    n = number(out, n, g.turn)
    n = numbers(out, n, b', "track": ', g.track, c.seats)
    n = numbers(out, n, b', "rubles": ', g.rubles, c.seats)
    n = put(out, n, b', "materials": [')
    for seat in range(c.seats):
        n = put(out, n, b"{" if seat == 0 else b"}, {")
        first = True
        for material in range(len(MATERIAL_NAMES)):
            n, first = amount(out, n, MATERIAL_WORDS, material, g.goods[seat, material], first)
        if FULL:
            n, first = amount(out, n, DIAMOND_WORDS, 0, g.diamonds[seat], first)
    n = put(out, n, b"}]")
    n = numbers(out, n, b', "inventory_banners": ', g.goods[:, BANNERS_INVENTORY], c.seats)
    n = numbers(out, n, b', "spare_banners": ', g.goods[:, BANNERS_SPARE], c.seats)
    n = put(out, n, b', "white_banners": [')
    for seat in range(c.seats):
        n = put(out, n, b"[" if seat == 0 else b"], [")
        first = True
        for white in range(SLOTS - WHITE_SLOT):
            if g.works[seat, WHITE_BANNER + white]:
                n = item(out, n, first, SLOT_WORDS, WHITE_SLOT + white)
                first = False
    n = put(out, n, b"]]")
    n = numbers(out, n, b', "doors": ', g.works[:, DOOR], c.seats)
    n = numbers(out, n, b', "arches": ', g.works[:, ARCH], c.seats)
    return numbers(out, n, b', "crosses": ', g.works[:, CROSS], c.seats)


@rule
def put_boards(c, g, tiles, market, out, n):
    """Workshops and market tiles."""
    n = put(out, n, b', "workshops": [')
    for seat in range(c.seats):
        n = put(out, n, b"{" if seat == 0 else b"}, {")
        first = True
        for slot in range(SLOTS):
            if g.slot_tile[seat, slot] >= 0:
                n = entry(out, n, first, SLOT_WORDS, slot)
                n = put(out, n, b'{"tile": "')
                n = word(out, n, tiles, g.slot_tile[seat, slot])
                n = put(out, n, b'", "up": true}' if g.slot_up[seat, slot] else b'", "up": false}')
                first = False
    n = put(out, n, b'}], "market": ')
    for space in range(SPACES):
        n = put(out, n, b'["' if space == 0 else b'", "')
        n = word(out, n, market, g.market[space])
    return put(out, n, b'"]')


@rule
def put_dice(c, g, bits, out, n):
    """Dice and supply."""
    n = put(out, n, b', "dice": {')
    for die in range(c.dice):
        n = entry(out, n, die == 0, DIE_WORDS, die)
        n = put(out, n, b'{"space": ')
        n = number(out, n, g.die_space[die])
        n = put(out, n, b', "value": ')
        n = number(out, n, g.die_value[die])
        n = put(out, n, b"}")
    n = put(out, n, b'}, "supply": {')
    for material in range(len(MATERIAL_NAMES)):
        n = entry(out, n, material == 0, MATERIAL_WORDS, material)
        n = number(out, n, g.supply[material])
    if FULL and bits & DIAMONDS:
        n = number(out, entry(out, n, False, DIAMOND_WORDS, 0), g.diamond_supply)
    if FULL and bits & MODULE:
        n = number(out, put(out, n, b', "permits": '), g.permit_supply)
    return put(out, n, b"}")


@rule
def put_ivan(c, g, bits, out, n):
    """Ivan's cards, in the solo game."""
    if c.seats == c.players:
        return n
    for card in range(2):
        n = put(out, n, b', "ivan": {"inventory": {' if card == 0 else b'}, "construction": {')
        first = True
        for material in range(len(MATERIAL_NAMES)):
            n, first = amount(out, n, MATERIAL_WORDS, material, g.ivan_goods[card, material], first)
    n = put(out, n, b'}, "cards": [')
    for place in range(c.ivan_cards):
        n = put(out, n, b'"' if place == 0 else b'", "')
        n = word(out, n, IVAN_WORDS, g.ivan_card[place])
    n = put(out, n, b'"], "tiles": [')
    for place in range(c.ivan_cards):
        n = put(out, n, b'{"die": "' if place == 0 else b', {"die": "')
        n = word(out, n, DIE_WORDS, g.ivan_tile[place])
        n = put(out, n, b'", "up": true}' if g.ivan_up[place] else b'", "up": false}')
    n = put(out, n, b"]")
    if FULL and bits & MODULE:
        n = number(out, put(out, n, b', "tower": '), g.ivan_tower + 1)
    return put(out, n, b"}")


@rule
def put_cathedral(c, g, tiles, out, n):
    """The towers, which end the position."""
    n = put(out, n, b', "towers": [')
    for tower in range(c.towers):
        n = put(out, n, b"[" if tower == 0 else b"], [")
        for level in range(g.height[tower]):
            n = put(out, n, b"{" if level == 0 else b", {")
            n = put_section(c, g, g.first[tower] + level, tiles, out, n)
    return put(out, n, b"]]}")


@rule
def put_section(c, g, s, tiles, out, n):
    """One section of the cathedral, without its opening bracket."""
    n = put(out, n, b'"owner": ')
    n = number(out, n, g.owner[s]) if g.owner[s] >= 0 else put(out, n, b"null")
    n = put(out, n, b', "done": true, "delivered": {' if g.finished[s] else b', "done": false, "delivered": {')
    first = True
    for material in range(len(MATERIAL_NAMES)):
        delivered = c.card[g.number[s], material] - g.card[s, material]
        if g.owner[s] >= c.players:
            delivered = g.card[s, material] + 0  # of a section of Ivan's: what lies on it
        n, first = amount(out, n, MATERIAL_WORDS, material, 0 if g.finished[s] else delivered, first)
    if FULL:
        n, first = amount(out, n, DIAMOND_WORDS, 0, g.card_diamonds[s], first)
    n = put(out, n, b'}, "tile": ')
    n = quoted(out, n, tiles, g.tile[s])
    if g.ornament[s] < 0:
        return put(out, n, b', "ornament": null, "ornament_owner": null}')
    n = put(out, n, b', "ornament": "')
    n = word(out, n, ORNAMENT_WORDS, g.kind[s])
    n = put(out, n, b'", "ornament_owner": ')
    n = number(out, n, g.ornament[s])
    return put(out, n, b"}")
