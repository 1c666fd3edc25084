"""The turn and the current decision point in the observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import rule
from ...rules.expansion.builders import FROM_CARD
from ...rules.points import (
    BUILD_BEGUN,
    BUILD_LEFT,
    GAIN_EXCEPT,
    GAIN_LEFT,
    GEMS_SECTION,
    PAY_FROM,
    PAY_LEFT,
    PLACE_SECTION,
    POINT,
    POINTS,
    REFUSABLE,
    TAKE_MATERIAL,
    TAKE_MOST,
    Point,
)
from ...rules.printed.sizes import ANY, INVENTORY_SPACES, LEVELS, MATERIALS, SEATS, SPACES, TOWERS, WORD, whole_words
from ..packing import ONE, TWO, U, byte, put, seen_from
from ..pieces import DELIVERIES, GAINS, PAYMENTS, UNUSED, Part, Piece, Seating, each, materials, piece
from ..tiles import TILE_WORDS, tile_entries, write_tile

TURN_WHEEL = 100  # a turn's number is shown as hundreds and the rest
_LEVEL_ENTRY = whole_words(TOWERS + 1) - 1  # of `waiting_place`: behind the towers, the last entry of its word


def _pieces(seating: Seating) -> list[Piece]:
    flags = ("rerolled", "obtained", "worked", "influence open", "influence 1", "influence 2", "to move")
    counts = [
        ("deliveries left", DELIVERIES),
        ("delivered", 1),
        ("most to take", INVENTORY_SPACES),
        ("payments left", PAYMENTS),
        ("gains left", GAINS),
        (UNUSED, 1),
        ("hundreds", TURN_WHEEL),
        ("turns", TURN_WHEEL),
    ]
    towers = [f"tower {i + 1}" for i in range(seating.towers)]
    gap = [UNUSED] * (_LEVEL_ENTRY - seating.towers)
    return [
        piece("point", (), each(POINTS), "the current decision point, one-hot"),
        piece(
            "turn",
            (),
            each(flags),
            "this turn: re-roll used, resources obtained, workshop used, the guild action may be repeated, which "
            "of its two actions is in use; whether the seat that sees is the one to move",
        ),
        piece("moved_die", (), each(seating.dice), "the die moved this turn, one-hot"),
        piece("landing", (), each(f"space {i}" for i in range(SPACES)), "the space it landed on, one-hot"),
        piece(
            "waiting_material",
            (),
            [*materials(""), ("any_material", 1), ("may refuse", 1)],
            "take: the material that is offered; gain: the one that is not given; pay: the first that may still be "
            "paid; one-hot, and whether nothing may be taken",
        ),
        piece(
            "waiting_count",
            (),
            counts,
            "what is left to do at the decision points, and the turn's number as hundreds and the rest",
        ),
        piece(
            "seats",
            (),
            [*seating.by_seat("turn"), *seating.by_seat("ending")],
            "whose turn it is, and who triggered the ending, one-hot each",
        ),
        piece("waiting_tile", (), tile_entries(seating), "the tile that is to be placed: its amount", TILE_WORDS),
        piece(
            "waiting_place",
            (),
            [*each([*towers, *gap]), ("level", LEVELS)],
            "the section in question: its tower, one-hot, and its level, from 1; 0 where there is none",
        ),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    v.turn_end = v.point + sum(one.size for one in _pieces(seating)) // WORD


@rule
def _write(c, v, g, words, me, seen):
    for i in range(v.point, v.turn_end):
        seen.word[i] = 0
    if g.depth == 0:  # the game is over
        return
    turn = byte(g.rerolled, 0) | byte(g.obtained, 1) | byte(g.worked, 2) | byte(g.influence_open, 3)
    turn |= byte(U(g.seat) == me, 6)
    if g.influenced >= 0:
        turn |= byte(1, 4 + g.influenced)
    seen.word[v.turn] = turn
    if g.die >= 0:
        put(seen, v.moved_die, c.die_seen_as[me, U(g.die)], 1)
        seen.word[v.landing] = byte(1, g.space)
    counts = _write_point(v, g, me, seen)
    seen.word[v.waiting_count] = counts | byte(g.turn // TURN_WHEEL, 6) | byte(g.turn % TURN_WHEEL, 7)
    seats = byte(1, seen_from(c, me, g.seat))
    if g.ending >= 0:
        seats |= byte(1, SEATS + seen_from(c, me, g.ending))
    seen.word[v.seats] = seats


@rule
def _write_point(v, g, me, seen):
    """Write the current decision point and what it is about; return what is left to do as a word of counts."""
    depth = U(g.depth)
    f = g.stack[depth - ONE]
    point = f[POINT]
    put(seen, v.point, point, 1)
    counts = U(0)
    if point != Point.START:
        if FULL and point == Point.TAKE and f[TAKE_MATERIAL] == FROM_CARD:
            put(seen, v.waiting_material, MATERIALS + 1, 1)  # the rest stands in `decision`
        elif point == Point.TAKE:
            put(seen, v.waiting_material, MATERIALS if f[TAKE_MATERIAL] == ANY else f[TAKE_MATERIAL], 1)
            put(seen, v.waiting_material, MATERIALS + 1, f[REFUSABLE])
            counts = byte(f[TAKE_MOST], 2)
        elif point == Point.BUILD:
            counts = byte(f[BUILD_LEFT], 0) | byte(f[BUILD_BEGUN], 1)
        elif point == Point.GEMS:
            counts = byte(g.stack[depth - TWO, BUILD_LEFT], 0) | byte(1, 1)
            _write_place(v, g, U(f[GEMS_SECTION]), seen)
        elif point == Point.PLACE:
            section = U(f[PLACE_SECTION])
            _write_place(v, g, section, seen)
            write_tile(v, me, U(g.tile[section] + 1), v.waiting_tile, seen)
        elif point == Point.PAY:
            counts = byte(f[PAY_LEFT], 3)
            put(seen, v.waiting_material, f[PAY_FROM] if not FULL or f[PAY_FROM] < MATERIALS else MATERIALS, 1)
        elif point == Point.GAIN:
            counts = byte(f[GAIN_LEFT], 4)
            if f[GAIN_EXCEPT] >= 0:
                put(seen, v.waiting_material, f[GAIN_EXCEPT], 1)
    return counts


@rule
def _write_place(v, g, section, seen):
    """Write the section that the decision is about: its tower and its level."""
    put(seen, v.waiting_place, g.tower[section], 1)
    put(seen, v.waiting_place, _LEVEL_ENTRY, g.level[section] + 1)


TURN_PART = Part(_pieces, _write, (("turn_end", np.uint64),), _fill)
"""`turn_end` is the first word behind these pieces."""
