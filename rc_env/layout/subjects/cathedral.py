"""The cathedral in the observation: standings of the towers, and the sections."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit import rule
from ...rules.printed.sizes import LEVELS, SEATS, WORD
from ..packing import OF_RESOURCES, ONE, U, byte, first_word, seat_after
from ..pieces import COST, POINTS, PRESENCE, UNUSED, WORTH, Part, Piece, Seating, each, materials, piece
from ..tiles import OF_TILE, TILE_WORDS, tile_entries, write_tile

_CARD = first_word("card")


def _standing_pieces(seating: Seating) -> list[Piece]:
    return [
        piece(
            "standing",
            (seating.towers,),
            [*seating.by_seat("presence", PRESENCE), *seating.by_seat("share", WORTH)],
            "each tower as it would score now: presence and prestige of each seat (R-26, R-27)",
        ),
        piece("worth", (), each((f"tower {i + 1}" for i in range(seating.towers)), WORTH), "value of each tower"),
    ]


@rule
def _write_standings(c, v, g, words, me, seen):
    worth = U(0)
    for tower in range(U(c.towers)):
        worth |= U(g.worth[tower]) << (U(WORD) * tower)
        word = U(0)
        for i in range(U(c.seats)):
            seat = seat_after(c, me, i)
            word |= byte(g.presence[tower, seat] | (np.int64(g.share[tower, seat]) << 32), 0) << (U(WORD) * i)
        seen.word[v.standing + tower] = word
    seen.word[v.worth] = worth


STANDINGS_PART = Part(_standing_pieces, _write_standings)


_IVANS = (
    "; of a section of Ivan's the materials that lie on it, and for rubles, which he is not paid, how many of "
    "any kind it still misses"
)


def _narrow(seating: Seating) -> bool:
    """Whether a section's kind, banner and ornament share one word: with two seats."""
    return seating.seats <= 2


def _section_pieces(seating: Seating) -> list[Piece]:
    owners, ornaments = seating.by_seat("banner"), seating.by_seat("ornament")
    flags = each(("base", "middle", "dome", "finished"))
    if _narrow(seating):
        flags += [*owners[:2], *ornaments[:2]]
    else:
        flags += [("on offer", 1), *([(UNUSED, 1)] * 3), *owners, *ornaments]
    lead = (seating.towers, LEVELS)
    return [
        piece(
            "card",
            lead,
            [*materials("missing ", COST), *each(("rubles", "recognition"), POINTS)],
            "each section, tower by level: materials it still misses, rubles and recognition it will pay; 0 once "
            "it is finished, and where the plan has no section" + (_IVANS if seating.solo else ""),
        ),
        piece("section", lead, flags, "its kind, whether it is finished, whose banner is on it, whose ornament"),
        piece("section_tile", lead, tile_entries(seating), "the workshop tile on it: its amount", TILE_WORDS),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    narrow = _narrow(seating)
    v.section_words = 1 if narrow else 2
    for seat in range(seating.players):
        for other in range(seating.seats):
            place = (other - seat) % seating.seats
            v.banner_word[seat, other + 1] = 1 << WORD * (place + (4 if narrow else 0))
            v.ornament_word[seat, other + 1] = 1 << WORD * (place + (6 if narrow else SEATS))


@rule
def _write_sections(c, v, g, words, me, seen):
    """Write the sections tower by tower, each from base to dome, and 0 where the plan has none."""
    wide = v.section_words > ONE
    card, flag, tile = v.card, v.section, v.section_tile
    section = U(0)
    for tower in range(c.towers):
        height = np.int64(g.height[tower])
        claimed = np.int64(g.claimed[tower])
        for level in range(height):
            who = v.banner_word[me, U(g.owner[section] + 1)]
            who |= v.ornament_word[me, U(g.ornament[section] + 1)]
            word = byte(1, g.kind[section]) | byte(g.finished[section], 3)
            for k in range(OF_RESOURCES):
                seen.word[card + k] = words.word[_CARD + section * OF_RESOURCES + k]
            if wide:
                seen.word[flag] = word | byte(level == claimed, 4)
                flag += ONE
                seen.word[flag] = who
            else:
                seen.word[flag] = word | who
            write_tile(v, me, U(g.tile[section] + 1), tile, seen)
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


SECTIONS_PART = Part(
    _section_pieces,
    _write_sections,
    (
        ("section_words", np.uint64),
        # by the seat that sees, and the seat whose it is plus one: row 0 is nobody
        ("banner_word", np.uint64, (SEATS, SEATS + 1)),
        ("ornament_word", np.uint64, (SEATS, SEATS + 1)),
    ),
    _fill,
)
