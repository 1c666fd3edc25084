"""The encoding of a workshop tile in the observation: its amount, in the entry of what it gives.

Entries: a die as the seat that sees it calls it, a resource, or any material; in the full build also permits. In a
workshop slot two more follow in the base build: a tile that lies face down, and the price of the slot. The full build
has pieces for these, so that a tile takes no more words there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..edition import FULL
from ..jit import rule
from ..rules.printed import vocabulary
from ..rules.printed.build_sizes import DICE, TILE_KINDS
from ..rules.printed.sizes import RECOGNITION, RUBLES, SEATS, TILE_EFFECT, WORD, whole_words
from .packing import U, as_words
from .pieces import AMOUNT, Seating, each

_TILE_ENTRIES = DICE + len(vocabulary.AMOUNTS)
PRICE_ENTRY = _TILE_ENTRIES + 1
TILE_WORDS = whole_words(_TILE_ENTRIES if FULL else PRICE_ENTRY + 1) // WORD
OF_TILE = U(TILE_WORDS)
FACE_DOWN = TILE_KINDS + 1  # the row of `tile_word` of a tile that lies face down

TABLES = (
    # by the seat that sees and the kind of tile plus one: row 0 is no tile, the last row a tile that lies face down
    ("tile_word", np.uint64, (SEATS, FACE_DOWN + 1, TILE_WORDS)),
)


def tile_entries(seating: Seating) -> list[tuple[str, int]]:
    """The things that a tile may give, each with its largest amount."""
    amounts = [(name, 1 if name == "any_material" else AMOUNT) for name in vocabulary.AMOUNTS]
    return [*each(f"die:{die}" for die in seating.dice), *amounts]


def fill(v: Any, c: Any, seating: Seating) -> None:
    """Fill `tile_word`."""
    for seat in range(seating.players):
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
            v.tile_word[seat, kind + 1] = as_words(row, TILE_WORDS)
        if not FULL:
            v.tile_word[seat, FACE_DOWN] = as_words([0] * _TILE_ENTRIES + [1], TILE_WORDS)


@rule
def write_tile(v, me, kind, place, seen):
    """Write a tile of a kind (plus one; 0 is no tile) to the words from `place` on."""
    for k in range(OF_TILE):
        seen.word[place + k] = v.tile_word[me, kind, k]
