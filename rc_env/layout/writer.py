"""The compiled writer of observations: from a game's record to the numbers that one seat sees.

It assembles the numbers of the schema (`layout/observation.py`) in words of 64 bits, eight entries each, most of them
from tables (`layout/writer_tables.py`), and then hands them out in one pass: as bytes, or as floats from 0 to 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.jit import rule
from rc_env.rules import ivan, track
from rc_env.rules.points import POINT, A, B, C, Point
from rc_env.rules.sizes import (
    ADORNED,
    ANY,
    BANNERS_INVENTORY,
    DICE,
    EFFECTS,
    IVAN_CARDS,
    LEVELS,
    MATERIALS,
    QUADRANTS,
    RESOURCES,
    SEATS,
    SIDES,
    SLOTS,
    SPACES,
    TILE_KINDS,
    TOWERS,
    WORD,
    WORDS_OF_RESOURCES,
    whole_words,
)
from rc_env.rules.state import GAME

# Where numbers are cut: these are also their divisors in the schema.
RUBLES_CUT, PRESTIGE_CUT, SCORE_CUT, GOODS_CUT, TOWERS_CUT, GAP_CUT, TURN_WHEEL = 100, 120, 200, 40, 120, 60, 100
TRACK_TABLE = 256  # positions on the score track whose numbers are looked up
MOST_WORDS = 512

# A tile is shown by its amount in the place of what it gives: a die as the seat sees it, or a resource, or ANY. In a
# workshop slot two entries follow: a face-down tile, and the price of the slot.
TILE_FACE_DOWN = DICE + RESOURCES + 1
TILE_PRICE = TILE_FACE_DOWN + 1
TILE_WORDS = whole_words(TILE_PRICE + 1) // WORD
WAITING_WORDS = whole_words(MATERIALS + 2) // WORD  # materials, any material, whether nothing may be taken
FACE_DOWN = TILE_KINDS + 1  # the row of `tile_word` of a tile that lies face down
PLACE_WORDS = whole_words(TOWERS + 1) // WORD  # towers, and the level in the last entry
DIE_WORDS = whole_words(DICE) // WORD
IVAN_TILE_WORDS = whole_words(DICE + 2) // WORD  # dice, face up, next
EFFECT_WORDS = whole_words(12 + 2 * MATERIALS) // WORD  # what an action of a guild card does: see `observation.py`
RULES_WORDS = 2

PIECES = (
    # What any decision may change.
    *("point", "turn", "moved_die", "landing", "waiting_material", "waiting_count", "seats", "waiting_tile"),
    *("waiting_place", "crowd", "supply", "die_space", "die_value", "die_yield", "goods", "works", "numbers"),
    *("prestige_ahead", "ivan_turn", "ivan_tile", "ivan_goods"),
    # The board, which fewer decisions change.
    *("market", "guild", "standing", "worth", "workshop", "slot_ornament", "card", "section", "section_tile", "rules"),
    "ivan_card",
)
"""The pieces of an observation, in their order; those that begin with `ivan` are in the solo game alone."""

VIEW = np.dtype(
    [(name, np.uint64) for name in PIECES]  # the first word of each piece
    + [
        ("words", np.uint64),
        ("moment_words", np.uint64),  # words that any decision may change: those before `market`
        ("section_words", np.uint64),
        ("scale", np.float32, (WORD * MOST_WORDS,)),  # one over the divisors
        ("track_word", np.uint64, (TRACK_TABLE,)),  # `track_numbers` by position
        ("track_prestige", np.uint8, (TRACK_TABLE,)),
        ("ahead_word", np.uint64, (TRACK_TABLE,)),  # spaces to the next prestige spaces, by position
        ("market_word", np.uint64, (SPACES, WORDS_OF_RESOURCES)),  # by market tile
        ("effect_word", np.uint64, (EFFECTS, EFFECT_WORDS)),  # by effect
        # by the seat that sees, and the seat whose it is, one up: row 0 is nobody
        ("banner_word", np.uint64, (SEATS, SEATS + 1)),
        ("ornament_word", np.uint64, (SEATS, SEATS + 1)),
        # by the seat that sees and the kind of tile, one up: row 0 is no tile, the last row a tile that lies face down
        ("tile_word", np.uint64, (SEATS, FACE_DOWN + 1, TILE_WORDS)),
        ("price_word", np.uint64, (SEATS, SLOTS, TILE_WORDS)),  # by the seat whose slot it is
        ("rules_word", np.uint64, (RULES_WORDS,)),
        ("ivan_word", np.uint64),  # Ivan's numbers, in their places among those of `ivan_turn`
    ],
    align=True,
)
"""What the writer needs of the schema and the data file, made by `writer_tables.tables`: places and tables of words."""

SEEN = np.dtype(
    {
        "names": ["word", "number", "version", "ivan"],
        "formats": [(np.uint64, (MOST_WORDS,)), (np.uint8, (WORD * MOST_WORDS,)), np.int64, np.int64],
        "offsets": [0, 0, WORD * MOST_WORDS, WORD * MOST_WORDS + 8],
    }
)
"""Scratch: the numbers of one observation, eight a word, and the same memory a number each.

`version` is the `GAME.version` of the board that is in it, 0 for none; `ivan` is `moment_of_ivan` of what is in it."""

_FIELDS: Any = GAME.fields
_CARD, _GOODS, _WORKS, _CROWD, _SUPPLY, _IVAN_GOODS = (  # first words of these fields
    np.uint64(_FIELDS[name][1] // WORD) for name in ("card", "goods", "works", "crowd", "supply", "ivan_goods")
)

U = np.uint64
"""Words are found at unsigned places: those need no check for counting from the end, which would cost as much again."""
ONE, TWO = U(1), U(2)
EACH_BYTE = U(0x0101_0101_0101_0101)  # a product with it adds the bytes of a word up, in the highest one
OF_RESOURCES, OF_TILE, OF_EFFECT = U(WORDS_OF_RESOURCES), U(TILE_WORDS), U(EFFECT_WORDS)
# The bytes of each word of a row of resources that are materials.
MATERIAL_MASKS = np.array(
    [
        int.from_bytes(bytes(255 if WORD * word + i < MATERIALS else 0 for i in range(WORD)), "little")
        for word in range(WORDS_OF_RESOURCES)
    ],
    np.uint64,
)
PLACE_LEVEL = WORD * PLACE_WORDS - 1


@rule
def byte(value, place):
    """A number in one of the eight places of a word."""
    return U(value) << U(WORD * place)


@rule
def cut(value, most):
    """The number, or `most` if it is more."""
    return value if value < most else most


@rule
def put(seen, piece, entry, value):
    """Write a number into an entry of the piece that begins with that word; the entry was 0."""
    seen.word[piece + U(entry >> 3)] |= byte(value, entry & 7)


@rule
def assemble(c, v, g, w, me, seen):
    """Write all that seat `me`, unsigned, sees to `seen`, a SEEN record. `w` is the game's record as `state.WORDS`."""
    seen.ivan = -1
    write_moment(c, v, g, w, me, seen)
    write_board(c, v, g, w, me, seen)


@rule
def to_floats(v, seen, count, out):
    """Hand out the numbers of the first `count` words, over their divisors: out (F,) float32."""
    for i in range(U(WORD) * count):
        out[i] = np.float32(seen.number[i]) * v.scale[i]


@rule
def to_bytes(seen, count, out):
    """Hand out the numbers of the first `count` words: out (F,) uint8."""
    for i in range(U(WORD) * count):
        out[i] = seen.number[i]


@rule
def write_moment(c, v, g, w, me, seen):
    """What any decision may change: the turn, the dice, goods and scores."""
    write_turn(c, v, g, me, seen)
    write_dice(c, v, g, w, me, seen)
    for i in range(c.seats):
        write_seat(c, v, g, w, me, U(i), seen)
    if c.seats > c.players:
        seen.word[v.numbers + ONE] &= ~byte(255, 3)  # Ivan has no inventory, so no room in it
        moment = moment_of_ivan(g)
        if seen.ivan != moment:
            seen.ivan = moment
            write_ivan(c, v, g, w, me, seen)


@rule
def write_board(c, v, g, w, me, seen):
    """What fewer decisions change (`GAME.version` counts them): market tiles, guild cards, workshops, the cathedral."""
    write_market(v, g, seen)
    write_towers(c, v, g, me, seen)
    for i in range(c.players):
        write_workshop(c, v, g, me, U(i), seen)
    write_sections(c, v, g, w, me, seen)
    for i in range(U(RULES_WORDS)):
        seen.word[v.rules + i] = v.rules_word[i]
    if c.seats > c.players:
        for i in range(U(IVAN_CARDS)):
            seen.word[v.ivan_card + i] = byte(1, g.ivan_card[i])


@rule
def seen_from(c, me, seat):
    """How far round the table a seat sits from `me`: 0 is `me`."""
    places = np.int64(seat) - np.int64(me)
    return places if places >= 0 else places + c.seats


@rule
def seat_after(c, me, i):
    """The i-th seat from `me` on, unsigned."""
    seat = me + i
    return seat - U(c.seats) if seat >= U(c.seats) else seat


@rule
def write_turn(c, v, g, me, seen):
    """The turn and the current decision point."""
    for i in range(v.crowd):
        seen.word[i] = 0
    if g.depth == 0:
        return
    depth = U(g.depth)
    f = g.stack[depth - ONE]
    point = f[POINT]
    put(seen, v.point, point, 1)
    turn = byte(g.rerolled, 0) | byte(g.obtained, 1) | byte(g.worked, 2) | byte(g.influence_open, 3)
    turn |= byte(U(g.seat) == me, 6)
    if g.influenced >= 0:
        turn |= byte(1, 4 + g.influenced)
    seen.word[v.turn] = turn
    if g.die >= 0:
        put(seen, v.moved_die, c.die_seen_as[me, U(g.die)], 1)
        seen.word[v.landing] = byte(1, g.space)
    counts = byte(g.turn // TURN_WHEEL, 6) | byte(g.turn % TURN_WHEEL, 7)
    if point != Point.START:
        if point == Point.TAKE:
            put(seen, v.waiting_material, MATERIALS if f[A] == ANY else f[A], 1)
            put(seen, v.waiting_material, MATERIALS + 1, f[C])
            counts |= byte(f[B], 2)
        elif point == Point.BUILD:
            counts |= byte(f[A], 0) | byte(f[B], 1)
        elif point == Point.GEMS:
            counts |= byte(g.stack[depth - TWO, A], 0) | byte(1, 1)
            write_place(v, g, U(f[A]), seen)
        elif point == Point.PLACE:
            section = U(f[A])
            write_place(v, g, section, seen)
            kind = U(g.tile[section] + 1)
            for k in range(OF_TILE):
                seen.word[v.waiting_tile + k] = v.tile_word[me, kind, k]
        elif point == Point.PAY:
            counts |= byte(f[A], 3)
            put(seen, v.waiting_material, f[B], 1)
        elif point == Point.GAIN:
            counts |= byte(f[A], 4)
            if f[B] >= 0:
                put(seen, v.waiting_material, f[B], 1)
    seen.word[v.waiting_count] = counts
    seats = byte(1, seen_from(c, me, g.seat))
    if g.ending >= 0:
        seats |= byte(1, SEATS + seen_from(c, me, g.ending))
    seen.word[v.seats] = seats


@rule
def write_place(v, g, section, seen):
    """The section that the decision is about: its tower, and its level in the last entry."""
    put(seen, v.waiting_place, g.tower[section], 1)
    put(seen, v.waiting_place, PLACE_LEVEL, g.level[section] + 1)


@rule
def write_dice(c, v, g, w, me, seen):
    """The dice, where they lie and what they would yield; the supply."""
    seen.word[v.crowd] = w.word[_CROWD]
    for k in range(OF_RESOURCES):
        seen.word[v.supply + k] = w.word[_SUPPLY + k]
    at_space, at_value, at_yield = v.die_space, v.die_value, v.die_yield
    most = c.dice_per_space
    for nth in range(U(DICE)):
        die = U(c.die_seen[me, nth])
        space, value = g.die_space[die], g.die_value[die]
        target = U((space + value) & (SPACES - 1))
        there = g.crowd[target]
        full = there >= most
        seen.word[at_space + nth] = byte(1, space)
        seen.word[at_value + nth] = byte(1, value - 1) | byte(full, 6)
        tile, times = U(g.market[target]), U(0 if full else there + 1)
        for k in range(OF_RESOURCES):
            seen.word[at_yield + nth * OF_RESOURCES + k] = v.market_word[tile, k] * times


@rule
def write_seat(c, v, g, w, me, i, seen):
    """Goods, works, numbers and the prestige spaces ahead of the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    held = np.int64(0)
    for k in range(OF_RESOURCES):
        goods = w.word[_GOODS + seat * OF_RESOURCES + k]
        seen.word[v.goods + i * OF_RESOURCES + k] = goods
        held += np.int64(((goods & MATERIAL_MASKS[k]) * EACH_BYTE) >> U(56))
    seen.word[v.works + i] = w.word[_WORKS + seat]
    space = c.inventory_spaces - g.goods[seat, BANNERS_INVENTORY] - held
    rubles = np.int64(g.rubles[seat])
    worth = np.int64(U(rubles + held) // U(c.goods_per_prestige))
    position = g.track[seat]
    if position < TRACK_TABLE:
        prestige = np.int64(v.track_prestige[U(position)])
        word = v.track_word[U(position)]
        ahead = v.ahead_word[U(position)]
    else:
        prestige = track.prestige_of(c, position)
        word = track_numbers(c, position)
        ahead = v.ahead_word[U(track.around(c, position))]
    towers = np.int64(g.towers[seat])
    seen.word[v.numbers + i] = (
        word
        | byte(cut(rubles, RUBLES_CUT), 0)
        | byte(space, 3)
        | byte(cut(worth, GOODS_CUT), 4)
        | byte(cut(towers, TOWERS_CUT), 5)
        | byte(cut(prestige + worth + towers, SCORE_CUT), 6)
    )
    seen.word[v.prestige_ahead + i] = ahead


@rule
def track_numbers(c, position):
    """Prestige and spaces past its prestige space, in their places among a seat's numbers."""
    prestige = track.prestige_of(c, position)
    # Before the first prestige space the start of the track counts.
    past = position if prestige == 0 else np.int64(c.past[track.around(c, position)])
    return byte(cut(prestige, PRESTIGE_CUT), 1) | byte(cut(past, GAP_CUT), 2)


@rule
def moment_of_ivan(g):
    """A number that changes whenever something on Ivan's cards does: between two of the player's turns nothing does."""
    depth = U(g.depth)
    choosing = 0
    if depth > U(0) and g.stack[depth - ONE, POINT] == Point.IVAN:
        choosing = np.int64(g.stack[depth - ONE, A]) + 1
    return (np.int64(g.ivan_turns) << 2) + choosing


@rule
def write_ivan(c, v, g, w, me, seen):
    """The tiles on Ivan's cards, what lies on two of them, and what is to be chosen for him."""
    f = g.stack[U(g.depth - 1) if g.depth > 0 else U(0)]
    choosing = g.depth > 0 and f[POINT] == Point.IVAN
    turn = v.ivan_word | byte(choosing and f[A] == ivan.CLAIMS, 0) | byte(choosing and f[A] == ivan.ADORNS, 1)
    if g.works[ivan.SEAT, ADORNED] < len(c.ivan_ornament):
        turn |= byte(1, 2 + c.ivan_ornament[U(g.works[ivan.SEAT, ADORNED])])
    seen.word[v.ivan_turn] = turn
    due = U(1)
    for i in range(U(IVAN_CARDS)):
        up = U(g.ivan_up[i])
        at = v.ivan_tile + i * U(IVAN_TILE_WORDS)
        for k in range(U(IVAN_TILE_WORDS)):
            seen.word[at + k] = 0
        put(seen, at, c.die_seen_as[me, U(g.ivan_tile[i])], 1)
        put(seen, at, DICE, up)
        put(seen, at, DICE + 1, up & due)
        due &= ONE - up
    for i in range(TWO * OF_RESOURCES):
        seen.word[v.ivan_goods + i] = w.word[_IVAN_GOODS + i]


@rule
def write_market(v, g, seen):
    """Market tiles, and what the actions of the guild cards do."""
    place = v.market
    for space in range(U(SPACES)):
        tile = U(g.market[space])
        for k in range(OF_RESOURCES):
            seen.word[place] = v.market_word[tile, k]
            place += ONE
    place = v.guild
    for quadrant in range(U(QUADRANTS)):
        effect = U(SIDES * g.influence[quadrant])
        for _ in range(U(SIDES)):
            for k in range(OF_EFFECT):
                seen.word[place] = v.effect_word[effect, k]
                place += ONE
            effect += ONE


@rule
def write_towers(c, v, g, me, seen):
    """Tower standings, own first."""
    worth = U(0)
    for tower in range(U(c.towers)):
        worth |= U(g.worth[tower]) << (U(WORD) * tower)
        word = U(0)
        for i in range(U(c.seats)):
            seat = seat_after(c, me, i)
            word |= byte(g.presence[tower, seat] | (np.int64(g.share[tower, seat]) << 32), 0) << (U(WORD) * i)
        seen.word[v.standing + tower] = word
    seen.word[v.worth] = worth


@rule
def write_workshop(c, v, g, me, i, seen):
    """Workshop of the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    ornaments = U(0)
    place = v.workshop + U(SLOTS) * OF_TILE * i
    for nth in range(U(SLOTS)):
        slot = U(c.slot_seen[me, nth])
        tile = g.slot_tile[seat, slot]
        up = g.slot_up[seat, slot]
        kind = U(tile + 1 if up or tile < 0 else FACE_DOWN)
        for k in range(OF_TILE):
            seen.word[place + k] = v.tile_word[me, kind, k] | v.price_word[seat, slot, k]
        place += OF_TILE
        ornaments |= U(g.slot_ornament[seat, slot] + 1) << (U(WORD) * nth)
    seen.word[v.slot_ornament + i] = ornaments


@rule
def write_sections(c, v, g, w, me, seen):
    """The cathedral, tower by tower, each from base to dome."""
    wide = v.section_words > ONE
    card, flag, tile = v.card, v.section, v.section_tile
    section = U(0)
    for tower in range(c.towers):
        height = np.int64(g.height[tower])
        claimed = np.int64(g.claimed[tower])
        for level in range(height):
            kind = U(g.tile[section] + 1)
            who = v.banner_word[me, U(g.owner[section] + 1)]
            who |= v.ornament_word[me, U(g.ornament[section] + 1)]
            word = byte(1, g.kind[section]) | byte(g.finished[section], 3)
            for k in range(OF_RESOURCES):
                seen.word[card + k] = w.word[_CARD + section * OF_RESOURCES + k]
            if wide:
                seen.word[flag] = word | byte(level == claimed, 4)
                flag += ONE
                seen.word[flag] = who
            else:
                seen.word[flag] = word | who
            for k in range(OF_TILE):
                seen.word[tile + k] = v.tile_word[me, kind, k]
            card += OF_RESOURCES
            flag += ONE
            tile += OF_TILE
            section += ONE
        for _ in range(LEVELS - height):
            for k in range(OF_RESOURCES):
                seen.word[card + k] = 0
            seen.word[flag] = 0
            for k in range(OF_TILE):
                seen.word[tile + k] = 0
            if wide:
                flag += ONE
                seen.word[flag] = 0
            card += OF_RESOURCES
            flag += ONE
            tile += OF_TILE
