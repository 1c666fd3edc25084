"""Building blocks of the observation's schema: pieces, their entries, and the parts that define and write them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..rules.printed import data_file, vocabulary
from ..rules.printed.sizes import LEVELS, MATERIAL_NAMES, SEATS, WORD, whole_words
from .actions import relative_colours

UNUSED = "-"

# The ends of the ranges that the check of data files allows: the largest numbers that entries can hold.
AMOUNT, PRICE, POINTS = vocabulary.AMOUNT[1], vocabulary.PRICE[1], data_file.POINTS[1]
SUPPLY, COST, DELIVERIES = data_file.SUPPLY[1], data_file.COST[1], data_file.DELIVERIES[1]
WORTH = LEVELS * 2 * data_file.VALUE[1]  # of a tower as tall as towers get, with an ornament on each section
PRESENCE = LEVELS * 2
PAYMENTS, EACH, GAINS = 4, 6, 9  # of a guild action


@dataclass(frozen=True)
class Piece:
    """A named piece of the observation.

    `shape` ends with `len(entries)`; `divisors` has one value for each of `entries`, the largest number that it can
    hold (1 for an unused one); `offset` is the place of the first entry in the vector, `size` the number of entries.
    """

    name: str
    shape: tuple[int, ...]
    entries: tuple[str, ...]
    divisors: tuple[int, ...]
    meaning: str
    offset: int = 0

    @property
    def size(self) -> int:
        """Entries in all."""
        return math.prod(self.shape)


Entries = Iterable[tuple[str, int]]
"""Names of entries, each with its divisor."""


def piece(name: str, lead: tuple[int, ...], entries: Entries, meaning: str, words: int = 1) -> Piece:
    """A piece whose entries are filled up with unused ones to whole words, at least `words` of them."""
    filled = list(entries)
    filled += [(UNUSED, 1)] * (max(whole_words(len(filled)), WORD * words) - len(filled))
    names, divisors = zip(*filled, strict=True)
    return Piece(name, (*lead, len(filled)), names, divisors, meaning)


def each(names: Iterable[str], divisor: int = 1) -> list[tuple[str, int]]:
    """Entries that share a divisor; unused ones have 1."""
    return [(name, 1 if name == UNUSED else divisor) for name in names]


def materials(prefix: str, divisor: int = 1) -> list[tuple[str, int]]:
    """An entry for each material."""
    return each((f"{prefix}{material}" for material in MATERIAL_NAMES), divisor)


class Seating:
    """The parameters of the schema: the number of players, and the names of seats and dice relative to a seat.

    Attributes:
        players: seats that decide, 1 to 4.
        seats: seats that own sections: in the solo game Ivan's too.
        towers: the number of towers.
        solo: whether this is the solo game.
        dice: names of the dice, the own one first.
        owners: names of the seats, the own one first, filled up with unused ones to four.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.seats = max(players, 2)
        self.towers = self.seats + 2
        self.solo = players == 1
        self.dice = relative_colours(players)
        self.owners = (*self.dice[: self.seats], *([UNUSED] * (SEATS - self.seats)))

    def by_seat(self, prefix: str, divisor: int = 1) -> list[tuple[str, int]]:
        """An entry for each seat, own first; unused ones for the seats that are not there."""
        return each((name if name == UNUSED else f"{prefix} {name}" for name in self.owners), divisor)


@dataclass(frozen=True)
class Part:
    """Consecutive pieces of the observation, with the compiled function that writes them.

    Attributes:
        pieces: the pieces of a number of players, in order; none where the part does not exist.
        write: `write(c, v, g, words, me, seen)`, a `rule` that writes all words of these pieces: from RULES `c`, VIEW
            `v`, GAME `g` and the same memory as WORDS `words`, as the unsigned seat `me` sees them, to SEEN `seen`.
        tables: fields of VIEW, as in a dtype, that `write` looks up beside the first word of each piece.
        fill: `fill(v, c, seating)` writes these fields; called from Python when the first word of each piece is known.
    """

    pieces: Callable[[Seating], list[Piece]]
    write: Callable[..., None]
    tables: tuple[Any, ...] = ()
    fill: Callable[[Any, Any, Seating], None] | None = None
