"""The seats in the observation: inventory, ornaments and banners, the score marker, and the score as it stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import rule
from ...rules import track
from ...rules.printed.sizes import (
    BANNERS_INVENTORY,
    INVENTORY_SPACES,
    MATERIALS,
    SECTIONS_PER_PLAYER,
    WHITE_SLOTS,
    WORD,
    WORDS_OF_RESOURCES,
)
from ..packing import OF_RESOURCES, ONE, U, as_words, byte, cut, first_word, seat_after
from ..pieces import Part, Piece, Seating, each, materials, piece

# Numbers above these are cut there: they are the divisors of these entries.
RUBLES_CUT, PRESTIGE_CUT, SCORE_CUT, GOODS_CUT, TOWERS_CUT, GAP_CUT = 100, 120, 200, 40, 120, 60
_TRACK_TABLE = 256  # positions on the score track whose numbers are looked up
_ROOM = 3  # the entry of `numbers` with the room in the inventory

_FULL_NUMBERS = "; diamonds and permits are goods, contracts and tools are left out" if FULL else ""

_GOODS, _WORKS = first_word("goods"), first_word("works")
_EACH_BYTE = U(0x0101_0101_0101_0101)  # a product with it adds the bytes of a word up, in the highest one
# The bytes of each word of a row of resources that are materials.
_MATERIAL_MASKS = np.array(
    [
        int.from_bytes(bytes(255 if WORD * word + i < MATERIALS else 0 for i in range(WORD)), "little")
        for word in range(WORDS_OF_RESOURCES)
    ],
    np.uint64,
)


def _pieces(seating: Seating) -> list[Piece]:
    counts = ("doors", "arches", "crosses", "claimed", "finished", "adorned")
    numbers = [
        ("rubles", RUBLES_CUT),
        ("prestige", PRESTIGE_CUT),
        ("past", GAP_CUT),
        ("room", INVENTORY_SPACES),
        ("goods_prestige", GOODS_CUT),
        ("tower_prestige", TOWERS_CUT),
        ("score", SCORE_CUT),
    ]
    banners = each(("inventory banners", "spare banners"), SECTIONS_PER_PLAYER)
    return [
        piece(
            "goods",
            (seating.seats,),
            [*materials("", INVENTORY_SPACES), *banners],
            "inventory of each seat: own, then the next seats in order",
        ),
        piece(
            "works",
            (seating.seats,),
            [*each(counts, SECTIONS_PER_PLAYER), *each(f"{slot} banner" for slot in WHITE_SLOTS)],
            "ornaments to hand, sections unfinished and finished, ornaments placed, banners on white slots",
        ),
        piece(
            "numbers",
            (seating.seats,),
            numbers,
            "rubles; prestige on the track, and spaces past its prestige space; room in the inventory; prestige "
            "for goods and for towers, and all together, if the game ended now" + _FULL_NUMBERS,
        ),
        piece(
            "prestige_ahead",
            (seating.seats,),
            each((f"prestige +{i + 1}" for i in range(WORD)), GAP_CUT),
            "spaces from the marker to each of the next eight prestige spaces",
        ),
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    length, lap_prestige = int(c.track_length), int(c.lap_prestige)
    prestige_at, past_at, ahead = c.prestige_at.tolist(), c.past.tolist(), c.ahead.tolist()
    for position in range(_TRACK_TABLE):
        lap, around = divmod(position, length)
        prestige = lap * lap_prestige + prestige_at[around]
        past = past_at[around] if prestige else position
        v.track_word[position] = as_words([0, min(prestige, PRESTIGE_CUT), min(past, GAP_CUT)], 1)[0]
        v.track_prestige[position] = prestige
        gaps, gone = [], 0
        for _ in range(WORD):
            gone += ahead[(around + gone) % length]
            gaps.append(min(gone, GAP_CUT))
        v.ahead_word[position] = as_words(gaps, 1)[0]


@rule
def _write(c, v, g, words, me, seen):
    for i in range(c.seats):
        _write_seat(c, v, g, words, me, U(i), seen)
    if c.seats > c.players:
        seen.word[v.numbers + ONE] &= ~byte(255, _ROOM)  # Ivan has no inventory, so no room in it


@rule
def _write_seat(c, v, g, words, me, i, seen):
    """Write the i-th seat from `me` on."""
    seat = seat_after(c, me, i)
    held = np.int64(0)
    for k in range(OF_RESOURCES):
        goods = words.word[_GOODS + seat * OF_RESOURCES + k]
        seen.word[v.goods + i * OF_RESOURCES + k] = goods
        held += np.int64(((goods & _MATERIAL_MASKS[k]) * _EACH_BYTE) >> U(56))
    seen.word[v.works + i] = words.word[_WORKS + seat]
    if FULL:
        held += np.int64(g.diamonds[seat])
    room = c.inventory_spaces - g.goods[seat, BANNERS_INVENTORY] - held
    rubles = np.int64(g.rubles[seat])
    if FULL:
        held += np.int64(g.permits[seat])
    worth = np.int64(U(rubles + held) // U(c.goods_per_prestige))
    position = g.track[seat]
    if position < _TRACK_TABLE:
        prestige = np.int64(v.track_prestige[U(position)])
        word = v.track_word[U(position)]
        ahead = v.ahead_word[U(position)]
    else:
        prestige = track.prestige_of(c, position)
        word = _track_numbers(c, position)
        ahead = v.ahead_word[U(track.around(c, position))]
    towers = np.int64(g.towers[seat])
    seen.word[v.numbers + i] = (
        word
        | byte(cut(rubles, RUBLES_CUT), 0)
        | byte(room, _ROOM)
        | byte(cut(worth, GOODS_CUT), 4)
        | byte(cut(towers, TOWERS_CUT), 5)
        | byte(cut(prestige + worth + towers, SCORE_CUT), 6)
    )
    seen.word[v.prestige_ahead + i] = ahead


@rule
def _track_numbers(c, position):
    """Prestige and spaces past its prestige space, in their places among a seat's numbers."""
    prestige = track.prestige_of(c, position)
    # Before the first prestige space the start of the track counts.
    past = position if prestige == 0 else np.int64(c.past[track.around(c, position)])
    return byte(cut(prestige, PRESTIGE_CUT), 1) | byte(cut(past, GAP_CUT), 2)


SEATS_PART = Part(
    _pieces,
    _write,
    (
        ("track_word", np.uint64, (_TRACK_TABLE,)),  # `_track_numbers` by position
        ("track_prestige", np.uint8, (_TRACK_TABLE,)),
        ("ahead_word", np.uint64, (_TRACK_TABLE,)),  # spaces to the next prestige spaces, by position
    ),
    _fill,
)
