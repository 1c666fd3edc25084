"""The compiled writer of observations: from a game's record to the vector that one seat sees.

It assembles the numbers of the schema (`layout/observation.py`) eight at a time, in words of 64 bits, and turns them
into floats in one pass: a few hundred table look-ups and stores instead of a thousand, one after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.jit import rule
from rc_env.rules import ivan, track
from rc_env.rules.points import POINT, A, B, C, Point
from rc_env.rules.sizes import ADORNED, ANY, INFLUENCES, IVAN_CARDS, LEVELS, SEATS, SLOTS, SPACES
from rc_env.rules.state import GAME

# Where numbers are cut: also their divisors in the schema.
RUBLES_CUT, PRESTIGE_CUT, SCORE_CUT, GOODS_CUT, TOWERS_CUT, GAP_CUT, TURN_WHEEL = 40, 80, 120, 20, 80, 10, 100
TRACK_TABLE = 256  # positions on the score track whose numbers are looked up
MOST_WORDS = 512

PIECES = (
    # What any decision may change.
    *("point", "turn", "moved_die", "landing", "waiting_material", "waiting_count", "seats", "waiting_tile"),
    *("waiting_place", "crowd", "supply", "die_space", "die_value", "die_yield", "goods", "works", "numbers"),
    *("ivan_turn", "ivan_tile", "ivan_goods"),
    # The board, which fewer decisions change.
    *("market", "influence", "standing", "worth", "workshop", "slot_ornament", "card", "section", "section_tile"),
    "ivan_card",
)
"""The pieces of an observation, in their order; those that begin with `ivan` are in the solo game alone."""

VIEW = np.dtype(
    [(name, np.uint64) for name in PIECES]  # the first word of each piece
    + [
        ("words", np.uint64),
        ("moment_words", np.uint64),  # words that any decision may change: those before `market`
        ("influence_words", np.uint64),
        ("section_words", np.uint64),
        ("scale", np.float32, (8 * MOST_WORDS,)),  # one over the divisors
        ("track_word", np.uint64, (TRACK_TABLE,)),  # `track_numbers` by position
        ("track_prestige", np.uint8, (TRACK_TABLE,)),
        ("market_word", np.uint64, (SPACES,)),  # by market tile
        ("influence_word", np.uint64, (INFLUENCES, 2)),  # by influence card
        # by the seat that sees, and the seat whose it is, one up: row 0 is nobody
        ("banner_word", np.uint64, (SEATS, SEATS + 1)),
        ("ornament_word", np.uint64, (SEATS, SEATS + 1)),
        # by the seat that sees and the kind of tile, one up: row 0 is no tile
        ("tile_word", np.uint64, (SEATS, 17, 2)),
    ],
    align=True,
)
"""What the writer needs of the schema, filled in by `ObservationLayout.tables`: places and tables of words."""

SEEN = np.dtype(
    {
        "names": ["word", "number", "version", "ivan"],
        "formats": [(np.uint64, (MOST_WORDS,)), (np.uint8, (8 * MOST_WORDS,)), np.int64, np.int64],
        "offsets": [0, 0, 8 * MOST_WORDS, 8 * MOST_WORDS + 8],
    }
)
"""Scratch: the numbers of one observation, eight a word, and the same memory a number each.

`version` is the `GAME.version` of the board that is in it, 0 for none; `ivan` is `moment_of_ivan` of what is in it."""

_FIELDS: Any = GAME.fields
_CARD, _GOODS, _WORKS, _CROWD, _SUPPLY, _IVAN_GOODS = (  # first words of these fields
    np.uint64(_FIELDS[name][1] // 8) for name in ("card", "goods", "works", "crowd", "supply", "ivan_goods")
)

U = np.uint64
"""Words are found at unsigned places: those need no check for counting from the end, which would cost as much again."""
ONE, TWO = U(1), U(2)
MATERIALS_ONLY = U(0x0000_FFFF_FFFF_FFFF)
EACH_BYTE = U(0x0101_0101_0101_0101)  # a product with it adds the bytes of a word up, in the highest one


@rule
def byte(value, place):
    """A number in one of the eight places of a word."""
    return U(value) << U(8 * place)


@rule
def cut(value, most):
    """The number, or `most` if it is more."""
    return value if value < most else most


@rule
def observe(c, v, g, w, me, seen, out):
    """Write what seat `me`, unsigned, sees to `out` (F,) float32.

    `w` is the game's record as `state.WORDS`; `seen` is a SEEN record to work in.
    """
    seen.ivan = -1
    write_moment(c, v, g, w, me, seen)
    write_board(c, v, g, w, me, seen)
    to_floats(v, seen, v.words, out)


@rule
def to_floats(v, seen, count, out):
    """Turn the numbers of the first `count` words into the vector."""
    for i in range(U(8) * count):
        out[i] = np.float32(seen.number[i]) * v.scale[i]


@rule
def write_moment(c, v, g, w, me, seen):
    """What any decision may change: the turn, the dice, goods and scores."""
    write_turn(c, v, g, me, seen)
    write_dice(c, v, g, w, me, seen)
    for i in range(c.seats):
        write_seat(c, v, g, w, me, U(i), seen)
    if c.seats > c.players:
        seen.word[v.numbers + ONE] &= ~byte(255, 4)  # he has no inventory, so no room in it
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
    if c.seats > c.players:
        for i in range(U(IVAN_CARDS)):
            seen.word[v.ivan_card + i] = byte(1, g.ivan_card[i])


@rule
def seen_from(c, me, seat):
    """How far round the table a seat sits from `me`: 0 is `me`."""
    return (np.int64(seat) - np.int64(me) + c.seats) % c.seats


@rule
def seat_after(c, me, i):
    """The i-th seat from `me` on, unsigned."""
    seat = me + i
    return seat - U(c.seats) if seat >= U(c.seats) else seat


@rule
def write_turn(c, v, g, me, seen):
    """The turn and the decision point that waits."""
    for i in range(v.crowd):
        seen.word[i] = 0
    if g.depth == 0:
        return
    depth = U(g.depth)
    f = g.stack[depth - ONE]
    point = f[POINT]
    seen.word[v.point + U(point >> 3)] = byte(1, point & 7)
    turn = byte(g.rerolled, 0) | byte(g.obtained, 1) | byte(g.worked, 2) | byte(g.influence_open, 3)
    turn |= byte(U(g.seat) == me, 6)
    if g.influenced >= 0:
        turn |= byte(1, 4 + g.influenced)
    seen.word[v.turn] = turn
    if g.die >= 0:
        seen.word[v.moved_die] = byte(1, c.die_seen_as[me, U(g.die)])
        seen.word[v.landing] = byte(1, g.space)
    counts = byte(g.turn // TURN_WHEEL, 6) | byte(g.turn % TURN_WHEEL, 7)
    if point != Point.START:
        if point == Point.TAKE:
            seen.word[v.waiting_material] = byte(1, 6 if f[A] == ANY else f[A]) | byte(f[C], 7)
            counts |= byte(f[B], 2)
        elif point == Point.BUILD:
            counts |= byte(f[A], 0) | byte(f[B], 1)
        elif point == Point.GEMS:
            counts |= byte(g.stack[depth - TWO, A], 0) | byte(1, 1)
            write_place(c, v, g, U(f[A]), seen)
        elif point == Point.PLACE:
            section = U(f[A])
            write_place(c, v, g, section, seen)
            kind = U(g.tile[section] + 1)
            seen.word[v.waiting_tile] = v.tile_word[me, kind, 0]
            seen.word[v.waiting_tile + ONE] = v.tile_word[me, kind, 1]
        elif point == Point.PAY:
            counts |= byte(f[A], 3)
            seen.word[v.waiting_material] = byte(1, f[B])
        elif point == Point.GAIN:
            counts |= byte(f[A], 4)
            if f[B] >= 0:
                seen.word[v.waiting_material] = byte(1, f[B])
    seen.word[v.waiting_count] = counts
    seats = byte(1, seen_from(c, me, g.seat))
    if g.ending >= 0:
        seats |= byte(1, SEATS + seen_from(c, me, g.ending))
    seen.word[v.seats] = seats


@rule
def write_place(c, v, g, section, seen):
    """The section that the decision is about: its tower, and behind the towers its level."""
    for entry in (np.int64(g.tower[section]), np.int64(c.towers + g.level[section])):
        seen.word[v.waiting_place + U(entry >> 3)] |= byte(1, entry & 7)


@rule
def write_dice(c, v, g, w, me, seen):
    """The dice, where they lie and what they would yield; the supply."""
    seen.word[v.crowd] = w.word[_CROWD]
    seen.word[v.supply] = w.word[_SUPPLY]
    at_space, at_value, at_yield = v.die_space, v.die_value, v.die_yield
    most = c.dice_per_space
    for nth in range(U(c.dice)):
        die = U(c.die_seen[me, nth])
        space, value = g.die_space[die], g.die_value[die]
        target = U((space + value) & (SPACES - 1))
        there = g.crowd[target]
        full = there >= most
        seen.word[at_space + nth] = byte(1, space)
        seen.word[at_value + nth] = byte(1, value - 1) | byte(full, 6)
        seen.word[at_yield + nth] = v.market_word[U(g.market[target])] * U(0 if full else there + 1)


@rule
def write_seat(c, v, g, w, me, i, seen):
    """Goods, works and numbers of the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    goods = w.word[_GOODS + seat]
    seen.word[v.goods + i] = goods
    seen.word[v.works + i] = w.word[_WORKS + seat]
    held = np.int64(((goods & MATERIALS_ONLY) * EACH_BYTE) >> U(56))
    space = c.inventory_spaces - np.int64((goods >> U(48)) & U(255)) - held
    rubles = np.int64(g.rubles[seat])
    worth = np.int64(U(rubles + held) // U(c.goods_per_prestige))
    position = g.track[seat]
    if position < TRACK_TABLE:
        prestige = np.int64(v.track_prestige[U(position)])
        word = v.track_word[U(position)]
    else:
        prestige = track.prestige_of(c, position)
        word = track_numbers(c, position)
    towers = np.int64(g.towers[seat])
    seen.word[v.numbers + i] = (
        word
        | byte(cut(rubles, RUBLES_CUT), 0)
        | byte(space, 4)
        | byte(cut(worth, GOODS_CUT), 5)
        | byte(cut(towers, TOWERS_CUT), 6)
        | byte(cut(prestige + worth + towers, SCORE_CUT), 7)
    )


@rule
def track_numbers(c, position):
    """Prestige, spaces past its prestige space and to the next one, in their places among a seat's numbers."""
    prestige = track.prestige_of(c, position)
    around = track.around(c, position)
    # Before the first prestige space the start of the track counts.
    past = position if prestige == 0 else np.int64(c.past[around])
    return byte(cut(prestige, PRESTIGE_CUT), 1) | byte(cut(past, GAP_CUT), 2) | byte(cut(c.ahead[around], GAP_CUT), 3)


@rule
def moment_of_ivan(g):
    """A number that changes whenever something on Ivan's cards does: between two of the player's turns nothing does."""
    depth = U(g.depth)
    choosing = (
        np.int64(g.stack[depth - ONE, A]) + 1 if depth > U(0) and g.stack[depth - ONE, POINT] == Point.IVAN else 0
    )
    return (np.int64(g.ivan_turns) << 2) + choosing


@rule
def write_ivan(c, v, g, w, me, seen):
    """The tiles on Ivan's cards, what lies on two of them, and what is to be chosen for him."""
    f = g.stack[U(g.depth - 1) if g.depth > 0 else U(0)]
    choosing = g.depth > 0 and f[POINT] == Point.IVAN
    turn = byte(choosing and f[A] == ivan.CLAIMS, 0) | byte(choosing and f[A] == ivan.ADORNS, 1)
    if g.works[ivan.SEAT, ADORNED] < len(c.ivan_ornament):
        turn |= byte(1, 2 + c.ivan_ornament[U(g.works[ivan.SEAT, ADORNED])])
    seen.word[v.ivan_turn] = turn
    due = U(1)
    for i in range(U(IVAN_CARDS)):
        up = U(g.ivan_up[i])
        seen.word[v.ivan_tile + i] = byte(1, c.die_seen_as[me, U(g.ivan_tile[i])]) | byte(up, 5) | byte(up & due, 6)
        due &= ONE - up
    for i in range(TWO):
        seen.word[v.ivan_goods + i] = w.word[_IVAN_GOODS + i]


@rule
def write_market(v, g, seen):
    """Market tiles and guild cards."""
    for space in range(U(SPACES)):
        seen.word[v.market + space] = v.market_word[U(g.market[space])]
    place = v.influence
    for quadrant in range(U(4)):
        card = U(g.influence[quadrant])
        for word in range(v.influence_words):
            seen.word[place] = v.influence_word[card, word]
            place += ONE


@rule
def write_towers(c, v, g, me, seen):
    """Tower standings, own first."""
    worth = U(0)
    for tower in range(U(c.towers)):
        worth |= U(g.worth[tower]) << (U(8) * tower)
        word = U(0)
        for i in range(U(c.seats)):
            seat = seat_after(c, me, i)
            word |= byte(g.presence[tower, seat] | (np.int64(g.share[tower, seat]) << 32), 0) << (U(8) * i)
        seen.word[v.standing + tower] = word
    seen.word[v.worth] = worth


@rule
def write_workshop(c, v, g, me, i, seen):
    """Workshop of the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    ornaments = U(0)
    place = v.workshop + U(2 * SLOTS) * i
    for nth in range(U(SLOTS)):
        slot = U(c.slot_seen[me, nth])
        tile = g.slot_tile[seat, slot]
        up = g.slot_up[seat, slot]
        kind = U(tile + 1 if up else 0)
        seen.word[place] = v.tile_word[me, kind, 0]
        seen.word[place + ONE] = (
            v.tile_word[me, kind, 1] | byte((tile >= 0) & (not up), 6) | byte(c.slot_price[seat, slot], 7)
        )
        place += TWO
        ornaments |= U(g.slot_ornament[seat, slot] + 1) << (U(8) * nth)
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
            tile0, tile1 = v.tile_word[me, kind, 0], v.tile_word[me, kind, 1]
            who = v.banner_word[me, U(g.owner[section] + 1)]
            who |= v.ornament_word[me, U(g.ornament[section] + 1)]
            word = byte(1, g.kind[section]) | byte(g.finished[section], 3)
            seen.word[card] = w.word[_CARD + section]
            if wide:
                seen.word[flag] = word | byte(level == claimed, 4)
                flag += ONE
                seen.word[flag] = who
            else:
                seen.word[flag] = word | who
            seen.word[tile] = tile0
            seen.word[tile + ONE] = tile1
            card += ONE
            flag += ONE
            tile += TWO
            section += ONE
        for _ in range(LEVELS - height):
            seen.word[card] = 0
            seen.word[flag] = 0
            seen.word[tile] = 0
            seen.word[tile + ONE] = 0
            if wide:
                flag += ONE
                seen.word[flag] = 0
            card += ONE
            flag += ONE
            tile += TWO
