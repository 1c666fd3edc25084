"""Ivan, the opponent of the solo game, in the observation: these pieces exist there alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import rule, solo_rule
from ...rules.points import (
    IVAN_CHOICE,
    POINT,
    Point,
)
from ...rules.printed import data_file
from ...rules.printed.build_sizes import DICE, IVAN_CARDS
from ...rules.printed.sizes import ADORNED, ORNAMENT_NAMES, WIDTH, WORD, whole_words
from ...rules.solo import ivan
from ..packing import OF_RESOURCES, ONE, TWO, U, as_words, byte, first_word, put
from ..pieces import POINTS, SUPPLY, Part, Piece, Seating, each, materials, piece

_GOODS = first_word("ivan_goods")
_UP_ENTRY, _NEXT_ENTRY = DICE, DICE + 1  # of `ivan_tile`, behind the dice
_OF_TILE = U(whole_words(DICE + 2) // WORD)


def _turn_pieces(seating: Seating) -> list[Piece]:
    if not seating.solo:
        return []
    numbers = [("card recognition", POINTS), ("card materials", POINTS), ("ornament prestige", data_file.GEMS[1])]
    return [
        piece(
            "ivan_turn",
            (),
            [*each(("claim", "adorn", *ORNAMENT_NAMES)), *numbers],
            "what is to be chosen for Ivan; his next ornament; what his Recognition card, his Inventory card and "
            "an ornament give him",
        ),
        *(_city_pieces(seating) if FULL else []),
        piece(
            "ivan_tile",
            (IVAN_CARDS,),
            each([*(f"die {die}" for die in seating.dice), "face up", "next"]),
            "the tile on each of his cards from left to right: its die, whether it is face up, and whether it is "
            "the one for his next turn",
        ),
        piece(
            "ivan_goods",
            (2,),
            materials("", SUPPLY),
            "materials on his Inventory and his Construction card",
            WIDTH // WORD,
        ),
    ]


def _city_pieces(seating: Seating) -> list[Piece]:
    towers = each(f"tower {i + 1}" for i in range(seating.towers))
    return [piece("ivan_city", (), towers, "the tower at which Ivan's city marker stands, one-hot (R-82)")]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    v.ivan_word = as_words([0] * 5 + [int(c.ivan_recognition), int(c.ivan_materials), int(c.ivan_prestige)], 1)[0]


@solo_rule
def _write_turn(c, v, g, words, me, seen):
    if c.seats > c.players:
        if FULL and c.module:
            seen.word[v.ivan_city] = byte(1, g.ivan_tower)
        now = version(g)
        if seen.ivan != now:
            seen.ivan = now
            _write_tiles(c, v, g, words, me, seen)


@rule
def version(g):
    """A number that changes whenever something on Ivan's cards does: between two of the player's turns nothing does."""
    depth = U(g.depth)
    choosing = 0
    if depth > U(0) and g.stack[depth - ONE, POINT] == Point.IVAN:
        choosing = np.int64(g.stack[depth - ONE, IVAN_CHOICE]) + 1
    return (np.int64(g.ivan_turns) << 2) + choosing


@rule
def _write_tiles(c, v, g, words, me, seen):
    """Write the tiles on Ivan's cards, what lies on two of them, and what is to be chosen for him."""
    f = g.stack[U(g.depth - 1) if g.depth > 0 else U(0)]
    choosing = g.depth > 0 and f[POINT] == Point.IVAN
    turn = (
        v.ivan_word
        | byte(choosing and f[IVAN_CHOICE] == ivan.CLAIMS, 0)
        | byte(choosing and f[IVAN_CHOICE] == ivan.ADORNS, 1)
    )
    if g.works[ivan.SEAT, ADORNED] < len(c.ivan_ornament):
        turn |= byte(1, 2 + c.ivan_ornament[U(g.works[ivan.SEAT, ADORNED])])
    seen.word[v.ivan_turn] = turn
    due = U(1)
    for i in range(U(c.ivan_cards)):
        up = U(g.ivan_up[i])
        at = v.ivan_tile + i * _OF_TILE
        for k in range(_OF_TILE):
            seen.word[at + k] = 0
        put(seen, at, c.die_seen_as[me, U(g.ivan_tile[i])], 1)
        put(seen, at, _UP_ENTRY, up)
        put(seen, at, _NEXT_ENTRY, up & due)
        due &= ONE - up
    for i in range(TWO * OF_RESOURCES):
        seen.word[v.ivan_goods + i] = words.word[_GOODS + i]


TURN_PART = Part(_turn_pieces, _write_turn, (("ivan_word", np.uint64),), _fill)
"""`ivan_word` has the numbers of the data file in their places among the entries of `ivan_turn`."""


def _card_pieces(seating: Seating) -> list[Piece]:
    return [
        piece("ivan_card", (IVAN_CARDS,), each(ivan.CARDS[:IVAN_CARDS]), "Ivan's cards from left to right")
    ] * seating.solo


@solo_rule
def _write_cards(c, v, g, words, me, seen):
    if c.seats > c.players:
        for i in range(U(c.ivan_cards)):
            seen.word[v.ivan_card + i] = byte(1, g.ivan_card[i])


CARDS_PART = Part(_card_pieces, _write_cards)
