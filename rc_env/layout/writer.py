"""The compiled writer of observations: from a game's record to the numbers that one seat sees.

Each subject (`layout/subjects/`) writes its pieces in words of 64 bits, eight entries each, most of them from tables in
VIEW; then all numbers are copied to the output in one pass, as bytes or as floats from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..jit import inlined, rule
from ..rules.printed.sizes import WORD
from . import tiles
from .observation import ObservationLayout
from .packing import MOST_WORDS, U
from .subjects import BOARD, MOMENT

VIEW = np.dtype(
    [(piece.name, np.uint64) for piece in ObservationLayout(1).pieces]  # first words; the solo game has every piece
    + [
        ("words", np.uint64),  # of the observation
        ("moment_words", np.uint64),  # words that any decision may change
        ("scale", np.float32, (WORD * MOST_WORDS,)),  # one over the divisors
        *tiles.TABLES,
        *(field for part in (*MOMENT, *BOARD) for field in part.tables),
    ],
    align=True,
)
"""What the writer needs of a layout and a data file, made by `tables`: places of pieces, and tables of words."""

Rules = np.recarray[Any, np.dtype[np.void]]


def tables(layout: ObservationLayout, rules: Rules) -> Rules:
    """VIEW of a layout and the RULES record of a variant: an array of one record."""
    assert layout.size <= WORD * MOST_WORDS
    view = np.zeros(1, VIEW).view(np.recarray)
    v, c = view[0], rules[0]
    for piece in layout.pieces:
        setattr(v, piece.name, piece.offset // WORD)
    v.words, v.moment_words = layout.size // WORD, layout.moment // WORD
    v.scale[: layout.size] = np.float32(1) / layout.divisors.astype(np.float32)
    tiles.fill(v, c, layout.seating)
    for part in (*MOMENT, *BOARD):
        if part.fill is not None:
            part.fill(v, c, layout.seating)
    return view


def _all_of(writers: Sequence[Callable[..., None]]) -> Callable[..., None]:
    """A rule that calls each of the writers in order. Compiled code cannot loop over functions: each calls the next."""
    first, *others = writers
    if not others:
        return first
    rest = _all_of(others)

    @inlined
    def write(c, v, g, words, me, seen):
        first(c, v, g, words, me, seen)
        rest(c, v, g, words, me, seen)

    return write


write_moment = _all_of([part.write for part in MOMENT])
"""`write_moment(c, v, g, words, me, seen)` writes what any decision may change: see `Part.write`."""
write_board = _all_of([part.write for part in BOARD])
"""`write_board(c, v, g, words, me, seen)` writes what fewer decisions change."""


@rule
def assemble(c, v, g, words, me, seen):
    """Write all that seat `me`, unsigned, sees to `seen`, a SEEN record. `words` is the game's record as WORDS."""
    seen.ivan = -1
    write_moment(c, v, g, words, me, seen)
    write_board(c, v, g, words, me, seen)


@rule
def to_floats(v, seen, count, out):
    """Copy the numbers of the first `count` words, over their divisors, to out (F,) float32."""
    for i in range(U(WORD) * count):
        out[i] = np.float32(seen.number[i]) * v.scale[i]


@rule
def to_bytes(seen, count, out):
    """Copy the numbers of the first `count` words to out (F,) uint8."""
    for i in range(U(WORD) * count):
        out[i] = seen.number[i]
