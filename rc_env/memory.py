"""The memory of a batch of games, which compiled code writes to.

Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.jit import records
from rc_env.ruleset import Ruleset


@dataclass(frozen=True)
class Memory:
    """The arrays that kernels write to for B games: an engine's own, or slices of arrays that several engines share.

    Compiled code trusts them: callers get sealed views (`rc_env.sealing`) of games and mask.

    Attributes:
        games: (B,) GAME records.
        rewards: (B, P) float32.
        illegal: (B,) bool.
        mask: (B, A) int8.
    """

    games: np.ndarray
    rewards: NDArray[np.float32]
    illegal: NDArray[np.bool_]
    mask: NDArray[np.int8]

    @classmethod
    def of(cls, ruleset: Ruleset, num_games: int) -> Memory:
        """Allocate memory for `num_games` games of a ruleset.

        Raises:
            ValueError: there is too little memory for so many.
        """
        game: np.dtype[Any] = ruleset.build.state.GAME
        try:
            return cls(
                np.zeros(num_games, game),
                np.zeros((num_games, ruleset.players), np.float32),
                np.zeros(num_games, np.bool_),
                np.zeros((num_games, ruleset.actions.size), np.int8),
            )
        except (MemoryError, ValueError):
            checks.refuse("num_games", num_games, f"so many games of {game.itemsize} bytes that memory holds them")

    def part(self, low: int, high: int) -> Memory:
        """The slice of this memory for the games from `low` to below `high`."""
        return Memory(*(getattr(self, name)[low:high] for name in ("games", "rewards", "illegal", "mask")))


def scratch(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Working memory of one thread: `scratch` of the kernels."""
    build = ruleset.build
    return records(np.zeros(1, build.verbs.MENU)), records(np.zeros(ruleset.players, build.packing.SEEN))
