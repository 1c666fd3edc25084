"""The observation: whole numbers of at most a byte, seen by one seat, made of named pieces.

It is a function of the number of players alone: neither the data file nor the side of the workshop boards changes what
an entry means. Every entry has a constant divisor, the largest number that it can hold; as bytes an observation is the
numbers themselves, as floats `number / divisor`, from 0 to 1. The schema (`ObservationLayout.pieces`) says for each
piece where it lies, its shape, what it means and what its divisors are; offsets, named views, the documentation and the
hash come from it. The pieces are defined in `layout/subjects/`, each beside the compiled rule that writes it.

The compiled writer (`layout/writer.py`) handles eight entries at a time, so each piece is a multiple of eight long.
Entries called `-` are always 0.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rc_env import checks

from .pieces import Piece, Seating
from .subjects import BOARD, MOMENT

VERSION = 2
"""Version of the layout; it rises when the meaning of an entry changes."""


class ObservationLayout:
    """The schema of the observations of a number of players: 2, 3 or 4, or 1 for the solo game.

    Attributes:
        players: the number of players.
        seats: the number of seats that own sections; in the solo game Ivan has one too.
        towers: the number of towers.
        solo: whether this is the solo game.
        size: F, the number of entries.
        moment: how many entries any decision may change; those behind them change with `GAME.version`.
        pieces: every piece, in order.
        hash: 16 hex digits that change with the meaning of any entry.
    """

    def __init__(self, players: int) -> None:
        self.seating = Seating(players)
        self.players, self.seats = players, self.seating.seats
        self.towers, self.solo = self.seating.towers, self.seating.solo
        self.size = self.moment = 0
        placed: list[Piece] = []
        for parts in (MOMENT, BOARD):
            self.moment = self.size
            for part in parts:
                for piece in part.pieces(self.seating):
                    placed.append(replace(piece, offset=self.size))
                    self.size += piece.size
        self.pieces = tuple(placed)
        divisors = [np.broadcast_to(np.array(piece.divisors, np.uint8), piece.shape).ravel() for piece in self.pieces]
        self._bytes = np.concatenate(divisors).tobytes()  # which stay read-only, and here
        self._divisors = np.frombuffer(self._bytes, np.uint8).view()  # no view that is handed out leads to this one
        schema = "\n".join(f"{p.name} {p.shape} {p.entries} {p.divisors} {p.meaning}" for p in self.pieces)
        self.hash = hashlib.sha256(f"observation/{VERSION}\n{schema}".encode()).hexdigest()[:16]

    def __setattr__(self, name: str, value: object) -> None:
        if "hash" in vars(self):  # the last one: compiled code trusts all of them
            raise AttributeError(f"{name}: a layout cannot be changed")
        super().__setattr__(name, value)

    @property
    def divisors(self) -> NDArray[np.uint8]:
        """(F,) uint8, the largest number of each entry, and what it is divided by where floats are asked for."""
        return self._divisors.view()

    def views(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of a vector (F,) or a batch (…, F): each piece by name, in its shape, of the vector's dtype.

        Raises:
            ValueError: the vector is no array of numbers, or its last axis is not F long.
        """
        fits = isinstance(vector, np.ndarray) and vector.ndim > 0 and vector.shape[-1] == self.size
        if not fits or vector.dtype.kind not in "iuf":
            checks.refuse("vector", vector, f"an array of numbers whose last axis has {self.size} entries")
        vector = np.asarray(vector)  # a matrix would not take the shapes of the pieces
        lead = vector.shape[:-1]
        return {p.name: vector[..., p.offset : p.offset + p.size].reshape(*lead, *p.shape) for p in self.pieces}

    def numbers(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """The whole numbers of a vector (F,) or a batch (…, F), of float32 or uint8: each piece by name, int16.

        Raises:
            ValueError: as `views`.
        """
        self.views(vector)
        vector = np.asarray(vector)
        whole = vector if vector.dtype == np.uint8 else np.rint(vector * self.divisors)
        return self.views(whole.astype(np.int16))
