"""The numbers of the data file that matter all game long, in the observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit import rule
from ...rules.printed import data_file
from ...rules.printed.sizes import MATERIALS, ORNAMENT_NAMES, WORD, whole_words
from ..packing import U, as_words
from ..pieces import AMOUNT, DELIVERIES, POINTS, PRICE, Part, Piece, Seating, each, piece

_ENTRIES = (
    ("rubles a prestige", data_file.OPTIONAL[1]),
    ("prestige a re-roll", AMOUNT),
    ("rubles a step", PRICE),
    ("deliveries", DELIVERIES),
    *each(("one gem", "two equal gems", "two different gems"), data_file.GEMS[1]),
    ("ending prestige", POINTS),
    ("goods a prestige", data_file.GOODS[1]),
    *each(("section value", "ornament value"), data_file.VALUE[1]),
    *each(("share divisor", "share divisor of two"), data_file.DIVISOR[1]),
    *each((f"{kind} material" for kind in ORNAMENT_NAMES), MATERIALS),
)
_WORDS = whole_words(len(_ENTRIES)) // WORD


def _pieces(seating: Seating) -> list[Piece]:
    return [
        piece(
            "rules",
            (),
            _ENTRIES,
            "numbers of the data file that matter all game long: rubles for a prestige and prestige for a re-roll "
            "(R-10), rubles for a further step of a die, deliveries of a build action, prestige for gems (R-17), "
            "prestige for the ending, materials and rubles for a prestige at the end, what a section and an "
            "ornament add to a tower, by what a share is divided for the next place and with two players, and the "
            "material of each kind of ornament, counted from 1",
        )
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
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
    assert len(numbers) == len(_ENTRIES)
    v.rules_word[:] = as_words(numbers, _WORDS)


@rule
def _write(c, v, g, words, me, seen):
    for i in range(U(_WORDS)):
        seen.word[v.rules + i] = v.rules_word[i]


PRINTED_PART = Part(_pieces, _write, (("rules_word", np.uint64, (_WORDS,)),), _fill)
