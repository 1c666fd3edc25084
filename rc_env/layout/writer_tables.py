"""VIEW, the tables of the compiled writer: places of the pieces of a layout, and words of a data file's components.

The layout is a function of the number of players alone; what depends on the data file is all here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rc_env.layout.observation import RULES_ENTRIES, ObservationLayout
from rc_env.layout.writer import (
    EFFECT_WORDS,
    FACE_DOWN,
    GAP_CUT,
    MOST_WORDS,
    PIECES,
    PRESTIGE_CUT,
    RULES_WORDS,
    TILE_FACE_DOWN,
    TILE_PRICE,
    TILE_WORDS,
    TRACK_TABLE,
    VIEW,
)
from rc_env.rules.sizes import (
    DICE,
    EFFECTS,
    RECOGNITION,
    RUBLES,
    SEATS,
    SLOTS,
    SPACES,
    TILE_EFFECT,
    WORD,
    WORDS_OF_RESOURCES,
)

Rules = np.recarray[Any, np.dtype[np.void]]


def tables(layout: ObservationLayout, rules: Rules) -> Rules:
    """VIEW of a layout and the RULES record of a variant: an array of one record."""
    names = [piece.name for piece in layout.pieces]
    assert names == [name for name in PIECES if layout.solo or not name.startswith("ivan")]
    assert layout.size <= WORD * MOST_WORDS
    view = np.zeros(1, VIEW).view(np.recarray)
    v, c = view[0], rules[0]
    for piece in layout.pieces:
        setattr(v, piece.name, piece.offset // WORD)
    v.words, v.moment_words = layout.size // WORD, v.market
    v.section_words = next(piece for piece in layout.pieces if piece.name == "section").shape[-1] // WORD
    v.scale[: layout.size] = np.float32(1) / layout.divisors.astype(np.float32)
    _track(v, c)
    for tile in range(SPACES):
        row = [0] * (WORD * WORDS_OF_RESOURCES)
        row[int(c.market_kind[tile])] = int(c.market_amount[tile])
        v.market_word[tile] = _words(row, WORDS_OF_RESOURCES)
    for effect in range(EFFECTS):
        v.effect_word[effect] = _words(_effect(c, effect), EFFECT_WORDS)
    _owners(v, layout)
    _tiles(v, c)
    v.rules_word[:] = _words(_rules(c), RULES_WORDS)
    v.ivan_word = _words([0] * 5 + [int(c.ivan_recognition), int(c.ivan_materials), int(c.ivan_prestige)], 1)[0]
    return view


def _words(numbers: Iterable[int], words: int) -> np.ndarray:
    """Numbers from 0 to 255 as (words,) uint64, eight a word, filled up with 0."""
    told = [int(number) for number in numbers]
    return np.array([*told, *([0] * (WORD * words - len(told)))], np.uint8).view("<u8").astype(np.uint64)


def _track(v: Any, c: Any) -> None:
    length = int(c.track_length)
    for position in range(TRACK_TABLE):
        lap, around = divmod(position, length)
        prestige = lap * int(c.lap_prestige) + int(c.prestige_at[around])
        past = int(c.past[around]) if prestige else position
        v.track_word[position] = _words([0, min(prestige, PRESTIGE_CUT), min(past, GAP_CUT)], 1)[0]
        v.track_prestige[position] = prestige
        gaps, gone = [], 0
        for _ in range(WORD):
            gone += int(c.ahead[(around + gone) % length])
            gaps.append(min(gone, GAP_CUT))
        v.ahead_word[position] = _words(gaps, 1)[0]


def _effect(c: Any, effect: int) -> list[int]:
    """The entries of `guild` of one action."""
    return [
        c.effect_price[effect],
        c.effect_payments[effect],
        c.effect_each[effect],
        *c.effect_pay_from[effect],
        c.effect_condition[effect],
        c.effect_rubles[effect],
        c.effect_recognition[effect],
        c.effect_prestige[effect],
        c.effect_gains[effect],
        *c.effect_gain_from[effect],
        c.effect_deliveries[effect],
        c.effect_tiles[effect],
        c.effect_swaps[effect],
        c.effect_unlimited[effect],
    ]


def _owners(v: Any, layout: ObservationLayout) -> None:
    """Banners and ornaments of a section, by the seat that sees and the seat whose they are."""
    narrow = v.section_words == 1
    for seat in range(layout.players):
        for other in range(layout.seats):
            place = (other - seat) % layout.seats
            v.banner_word[seat, other + 1] = 1 << WORD * (place + (4 if narrow else 0))
            v.ornament_word[seat, other + 1] = 1 << WORD * (place + (6 if narrow else SEATS))


def _tiles(v: Any, c: Any) -> None:
    """Workshop tiles as each seat sees them: the amount in the place of what they give; prices of the slots."""
    for seat in range(int(c.players)):
        for kind in range(int(c.tile_kinds)):
            effect = TILE_EFFECT + kind
            row = [0] * (WORD * TILE_WORDS)
            if c.effect_die[effect] >= 0:
                row[int(c.die_seen_as[seat, c.effect_die[effect]])] = 1
            elif c.effect_resource[effect] >= 0:
                row[DICE + int(c.effect_resource[effect])] = int(c.effect_amount[effect])
            else:
                row[DICE + RUBLES] = int(c.effect_rubles[effect])
                row[DICE + RECOGNITION] = int(c.effect_recognition[effect])
            v.tile_word[seat, kind + 1] = _words(row, TILE_WORDS)
        v.tile_word[seat, FACE_DOWN] = _words([0] * TILE_FACE_DOWN + [1], TILE_WORDS)
        for slot in range(SLOTS):
            v.price_word[seat, slot] = _words([0] * TILE_PRICE + [int(c.slot_price[seat, slot])], TILE_WORDS)


def _rules(c: Any) -> list[int]:
    """The entries of the piece `rules`."""
    numbers = [
        c.rubles_per_prestige,
        c.prestige_per_reroll,
        c.rubles_per_step,
        c.deliveries,
        c.gem_prestige[0, 1],
        c.gem_prestige[0, 2],
        c.gem_prestige[1, 1],
        c.ending_prestige,
        c.goods_per_prestige,
        c.worth_section,
        c.worth_ornament,
        c.share_divisor,
        c.share_divisor_two,
        *(material + 1 for material in c.ornament_material),
    ]
    assert len(numbers) == len(RULES_ENTRIES)
    return numbers
