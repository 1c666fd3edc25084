"""The random bot, which plays uniformly random legal actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.bot import Position
from rc_env.jit import kernel


class RandomBot:
    """Plays uniformly random legal actions.

    Args:
        seed: seed of its generator, a whole number from 0 to 2^64 - 1; `reset` sets it.

    Raises:
        ValueError: the seed is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.random import RandomBot
        >>> from rc_env.bot import Position
        >>> engine = Engine(num_games=3, seed=1)
        >>> [engine.action_to_text(action) for action in RandomBot(seed=2).act(Position.of(engine))]
        ['claim 3 from inventory', 'move blue', 'move red +2']
    """

    name = "random"
    observes_only = True
    """The bot uses only a position's mask, so that the games may be of several sets of cards."""

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(checks.seed("seed", seed))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        actions = np.empty(len(Position.checked(position)), np.int64)
        choose(checks.plain(position.mask), self._generator.random(len(position), np.float32), actions)
        return actions


@kernel
def choose(mask: NDArray[np.int8], draws: NDArray[np.float32], actions: NDArray[np.int64]) -> None:
    """The legal action at the place that a draw from [0, 1) falls on."""
    for i in range(mask.shape[0]):
        count = 0
        for action in range(mask.shape[1]):
            count += mask[i, action]
        left = np.int64(draws[i] * np.float64(count))
        for action in range(mask.shape[1]):
            if mask[i, action]:
                actions[i] = action
                if left == 0:
                    break
                left -= 1
