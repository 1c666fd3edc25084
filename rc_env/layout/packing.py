"""Observations in words of 64 bits, eight entries each: the scratch record, and compiled helpers that write into it."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..jit import rule
from ..rules.printed.sizes import WORD, WORDS_OF_RESOURCES
from ..rules.state import GAME

MOST_WORDS = 512  # of an observation

SEEN = np.dtype(
    {
        "names": ["word", "number", "version", "ivan"],
        "formats": [(np.uint64, (MOST_WORDS,)), (np.uint8, (WORD * MOST_WORDS,)), np.int64, np.int64],
        "offsets": [0, 0, WORD * MOST_WORDS, WORD * MOST_WORDS + 8],
    }
)
"""Scratch: `word` holds the numbers of one observation, eight a word; `number` is the same memory, one number each.

`version` is the `GAME.version` of the board that was written last, 0 for none; `ivan` is `ivan.version` of Ivan's
pieces that were written last, -1 for none."""

WORDS = np.dtype([("word", np.uint64, (GAME.itemsize // WORD,))])
"""The memory of a GAME record in words of eight entries."""

U = np.uint64
"""Words are found at unsigned places: those need no check for counting from the end, which would cost as much again."""
ONE, TWO = U(1), U(2)
OF_RESOURCES = U(WORDS_OF_RESOURCES)


def first_word(field: str) -> np.uint64:
    """The place of the first word of a field of GAME among its WORDS."""
    fields: Any = GAME.fields
    return np.uint64(fields[field][1] // WORD)


def effects_of(c: Any) -> SimpleNamespace:
    """The columns of RULES that describe effects as lists, which Python reads faster than the fields of a record."""
    return SimpleNamespace(**{name: c[name].tolist() for name in c.dtype.names if name.startswith("effect_")})


def as_words(numbers: Iterable[int], words: int) -> np.ndarray:
    """Numbers from 0 to 255 as (words,) uint64, eight a word, filled up with 0."""
    found = [int(number) for number in numbers]
    return np.array([*found, *([0] * (WORD * words - len(found)))], np.uint8).view("<u8").astype(np.uint64)


@rule
def byte(value, place):
    """A number in one of the eight places of a word."""
    return U(value) << U(WORD * place)


@rule
def cut(value, most):
    """The number, or `most` if it is more."""
    return value if value < most else most


@rule
def put(seen, piece, entry, value):
    """Write a number into an entry of the piece that begins with that word; the entry was 0."""
    seen.word[piece + U(entry >> 3)] |= byte(value, entry & 7)


@rule
def seen_from(c, me, seat):
    """How far round the table a seat sits from `me`: 0 is `me`."""
    places = np.int64(seat) - np.int64(me)
    return places if places >= 0 else places + c.seats


@rule
def seat_after(c, me, i):
    """The i-th seat from `me` on, unsigned."""
    seat = me + i
    return seat - U(c.seats) if seat >= U(c.seats) else seat
