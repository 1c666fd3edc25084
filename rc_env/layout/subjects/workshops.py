"""The workshops in the observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import rule
from ...rules.printed.sizes import COLOURS, ORNAMENT_NAMES, SEATS, SLOTS, WHITE_SLOTS, WORD
from ..packing import U, as_words, seat_after
from ..pieces import PRICE, UNUSED, Part, Piece, Seating, each, piece
from ..tiles import FACE_DOWN, OF_TILE, PRICE_ENTRY, TILE_WORDS, tile_entries


def _pieces(seating: Seating) -> list[Piece]:
    colours = seating.dice[: len(COLOURS)]
    slots = (*(f"slot {name}" for name in colours), *(f"slot {name}" for name in WHITE_SLOTS))
    coloured = [*slots[: len(COLOURS)], *([UNUSED] * (SLOTS - len(COLOURS)))]
    return [
        piece(
            "workshop",
            (seating.players, SLOTS),
            [*tile_entries(seating), *([] if FULL else [("face down", 1), ("price", PRICE)])],
            "each workshop slot, "
            + ", ".join(slots)
            + ": amount of a face-up tile"
            + ("" if FULL else ", a face-down tile, its price"),
            TILE_WORDS,
        ),
        piece(
            "slot_ornament",
            (seating.players,),
            each(coloured, len(ORNAMENT_NAMES)),
            "ornament still on each coloured slot (advanced): 1 door, 2 arch, 3 cross",
        ),
        *(_full_pieces(seating, slots) if FULL else []),
    ]


def _full_pieces(seating: Seating, slots: Sequence[str]) -> list[Piece]:
    return [
        piece("slot_face_down", (seating.players,), each(slots), "whether a face-down tile lies in each slot"),
        piece("slot_price", (seating.players,), each(slots, PRICE), "rubles for placing a tile face up in each slot"),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    for seat in range(seating.players):
        if FULL:
            for other in range(seating.players):
                prices = [int(c.slot_price[other, slot]) for slot in c.slot_seen[seat]]
                v.prices_word[seat, other] = as_words(prices, 1)[0]
        else:
            for slot in range(SLOTS):
                v.price_word[seat, slot] = as_words([0] * PRICE_ENTRY + [int(c.slot_price[seat, slot])], TILE_WORDS)


@rule
def _write(c, v, g, words, me, seen):
    for i in range(c.players):
        _write_workshop(c, v, g, me, U(i), seen)


@rule
def _write_workshop(c, v, g, me, i, seen):
    """Write the workshop of the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    ornaments, face_down = U(0), U(0)
    place = v.workshop + U(SLOTS) * OF_TILE * i
    for nth in range(U(SLOTS)):
        slot = U(c.slot_seen[me, nth])
        tile = g.slot_tile[seat, slot]
        up = g.slot_up[seat, slot]
        kind = U(tile + 1 if up or tile < 0 else FACE_DOWN)
        for k in range(OF_TILE):
            seen.word[place + k] = v.tile_word[me, kind, k] | (U(0) if FULL else v.price_word[seat, slot, k])
        if FULL:
            face_down |= U(kind == FACE_DOWN) << (U(WORD) * nth)
        place += OF_TILE
        ornaments |= U(g.slot_ornament[seat, slot] + 1) << (U(WORD) * nth)
    seen.word[v.slot_ornament + i] = ornaments
    if FULL:
        seen.word[v.slot_face_down + i] = face_down
        seen.word[v.slot_price + i] = v.prices_word[me, seat]


WORKSHOPS_PART = Part(
    _pieces,
    _write,
    # by the seat whose slot it is; in the full build all slots of a seat, by the seat that sees
    (("prices_word", np.uint64, (SEATS, SEATS)) if FULL else ("price_word", np.uint64, (SEATS, SLOTS, TILE_WORDS)),),
    _fill,
)
