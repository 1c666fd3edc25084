"""Legal actions for tests: drawn from a generator, or computed from the legal actions alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.bot import Position


def choose(mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
    """Return a random legal action of a mask (A,), or one per row of (B, A): (B,) int64."""
    return np.where(mask > 0, rng.random(mask.shape), -1).argmax(-1)


def pick(mask: NDArray[np.int8], number: int = 0) -> int:
    """Return a legal action that depends on nothing but the number and the legal actions."""
    legal = np.flatnonzero(mask)
    return int(legal[(number * 7919 + int(legal.sum())) % len(legal)])


class Scripted:
    """A deterministic bot: it plays the action that `pick` returns for its number. Its name is "choices:Scripted"."""

    def __init__(self, number: int = 0) -> None:
        self.name = f"scripted{number}"
        self.number = number

    def reset(self, seed: int) -> None:
        """Do nothing, since this bot draws nothing."""

    def act(self, position: Position) -> NDArray[np.int64]:
        """Return (N,) int64, a legal action for each game."""
        return np.array([pick(mask, self.number) for mask in position.mask])
