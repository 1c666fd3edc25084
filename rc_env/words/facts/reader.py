"""Access to an observation by the names of pieces and entries, shared by the modules that read vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from rc_env.ruleset import Ruleset

from ...layout.pieces import UNUSED
from ...rules.printed.sizes import COLOURS, MATERIAL_NAMES, RESOURCE_NAMES, WHITE_SLOTS

_PLAIN = ("point", "decision")  # pieces of which `ivan` and `own` in an entry name no seat


class Reader:
    """The whole numbers of a vector by the names of pieces and entries, with absolute colours in the names."""

    def __init__(self, ruleset: Ruleset, vector: np.ndarray, seat: int) -> None:
        layout, names = ruleset.observations, ruleset.build.actions
        self.players, self.seats, self.solo = ruleset.players, ruleset.seats, ruleset.solo
        self.dice = names.absolute_colours(self.players, seat)
        colours = dict(zip(names.relative_colours(self.players), self.dice, strict=True))
        relative = re.compile(r"\b(own|next\d|ivan|unplayed\d)\b")
        self.numbers = {name: piece.tolist() for name, piece in layout.numbers(vector).items()}
        self.divisors = {piece.name: dict(zip(piece.entries, piece.divisors, strict=True)) for piece in layout.pieces}
        self.entries = {
            piece.name: [relative.sub(lambda m: colours[m[0]], entry) for entry in piece.entries]
            for piece in layout.pieces
            if piece.name not in _PLAIN
        }
        self.entries |= {piece.name: [*piece.entries] for piece in layout.pieces if piece.name in _PLAIN}
        self.seen = [(seat + i) % self.seats for i in range(self.seats)]  # the seat behind each row of a piece
        self.slots = (*self.dice[: len(COLOURS)], *WHITE_SLOTS)

    def row(self, piece: str, *index: int) -> dict[str, int]:
        """The entries of one row of a piece, without the unused ones."""
        numbers = self.numbers[piece]
        for i in index:
            numbers = numbers[i]
        return {entry: n for entry, n in zip(self.entries[piece], numbers, strict=True) if entry != UNUSED}


def chosen(row: Mapping[str, int], prefix: str = "") -> str | None:
    """The entry of a one-hot that is set, among those that begin with `prefix`."""
    return next((entry.removeprefix(prefix) for entry, n in row.items() if n and entry.startswith(prefix)), None)


def number(word: str | None) -> int | None:
    return None if word is None else int(word)


def seat_of(colour: str | None) -> int | None:
    return None if colour is None else COLOURS.index(colour)


def counts(row: Mapping[str, int], prefix: str = "") -> dict[str, int]:
    """A count of each material."""
    return {material: row[prefix + material] for material in MATERIAL_NAMES}


def positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {material: count for material, count in counts.items() if count}


def tile_in(row: Mapping[str, int]) -> str | None:
    """The tile whose amount a row gives."""
    for entry, amount in row.items():
        if amount and entry.startswith("die:"):
            return entry
        if amount and entry in (*RESOURCE_NAMES, "permits", "any_material"):
            return f"{entry}:{amount}"
    return None


def permits(read: Reader, piece: str, entry: str) -> str | None:
    """The permits that an entry gives, as a tile: these have a piece of their own in the full game."""
    amount = read.row(piece)[entry] if piece in read.numbers else 0
    return f"permits:{amount}" if amount else None
