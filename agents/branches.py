"""Copies of games that a search plays on, each in a branch of its own: the compiled loops of the engine do it.

A branch is like a row of an engine, but nothing is checked: the search hands in legal actions alone. The keys of
chance are the search's own, so that a branch rolls other dice than the game that it was copied from. Like the rules,
this module is loaded once for each build: `in_build(Branches, ruleset.full)`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.loops import Loops, as_targets
from rc_env.memory import Memory
from rc_env.ruleset import Ruleset

from ..jit import kernel, records
from ..rules import hidden
from ..rules.printed.sizes import SEATS
from ..rules.state import PLAYING
from . import simulation


class Branches:
    """L branches. Shape letters: K of the L branches, A actions, F features of an observation, P players.

    Args:
        ruleset: the variant that is played.
        count: L.
        reward: the reward at the end of a game, whatever that of the ruleset is: see `Ruleset`.

    Attributes:
        masks: (L, A) int8, 1 for each action that is legal in a branch; all 0 where its game is over.
        rewards: (L, P) float32, from -1 to 1, what the end is worth to each seat in a branch whose game is over.
    """

    def __init__(self, ruleset: Ruleset, count: int, reward: str = "win") -> None:
        memory = Memory.of(ruleset, count)
        self.ruleset = ruleset
        self.masks, self.rewards = memory.mask, memory.rewards
        self._games = memory.games
        self._loops = Loops(replace(ruleset, reward=reward), memory, 1)
        self._to_move = np.full(count, -1, np.int8)
        self._work = records(np.zeros(1, simulation.WORK))

    def begin(
        self,
        branches: NDArray[np.int64],
        games: np.ndarray,
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
        rows: NDArray[np.int64],
        keys: NDArray[np.uint64],
    ) -> None:
        """Copy games into branches, with the keys given; what the seat of each cannot see is drawn anew from its key.

        Args:
            branches: (K,) int64.
            games: (N,) GAME, as `jit.records` gives them.
            masks: (N, A) int8, the legal actions of the games.
            seats: (N,) int8, for whom a copy of each game is made.
            rows: (K,) int64, which of the N games each branch begins with.
            keys: (K,) uint64.
        """
        begin_rows(self._loops.rules, (games, masks, seats), rows, (self._loops.games, self.masks), branches, keys)

    def step(
        self, branches: NDArray[np.int64], actions: NDArray[np.int64], keys: NDArray[np.uint64], out: NDArray[np.uint8]
    ) -> None:
        """Play a legal action in each of K branches, with other dice to come: those of the keys.

        Args:
            branches: (K,) int64, each once.
            actions: (K,) int64.
            keys: (K,) uint64.
            out: (K, F) uint8, where the numbers that the seat to move then sees are written.
        """
        self._games["key"][branches] = keys
        self._loops.decide(branches, actions, as_targets(out))

    def observe(self, branches: NDArray[np.int64], seats: NDArray[np.int8] | None = None) -> NDArray[np.uint8]:
        """(K, F) uint8, the numbers that a seat sees of each of K branches; by default the seat to move."""
        out = np.empty((len(branches), self.ruleset.observations.size), np.uint8)
        seen = self._to_move[: len(branches)] if seats is None else seats
        self._loops.observe(branches, seen, as_targets(out))
        return out

    def play_out(self, branches: NDArray[np.int64], weights: np.ndarray) -> NDArray[np.float64]:
        """(K, P) float64, from -1 to 1: values of the ends of K games when a plan plays on in every seat.

        Half of a value is the place among the seats, half the margin in prestige. The branches stay as they are.

        Args:
            branches: (K,) int64.
            weights: (1,) WEIGHTS of the plan.
        """
        values = np.zeros((len(branches), SEATS))
        simulation.play_out(self._loops.rules, records(weights), self._loops.games, branches, self._work, values)
        return values[:, : self.ruleset.players]

    def at(self, branches: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.bool_]]:
        """The seat to move, the turns begun by any seat, and whether the game is over, for K branches."""
        games = self._games
        return games["seat"][branches], games["turn"][branches], games["status"][branches] != PLAYING


@kernel
def begin_rows(cs: Any, roots: Any, rows: Any, copies: Any, branches: Any, keys: Any) -> None:
    """Copy games with their masks into branches; draw anew, from the key of each copy, what its seat cannot see.

    Args:
        cs: (1,) RULES.
        roots: games (N,) GAME, masks (N, A) int8, seats (N,) int8.
        rows: (K,) int64, which of them.
        copies: games (L,) GAME, masks (L, A) int8, which are written.
        branches: (K,) int64, where in the copies.
        keys: (K,) uint64.
    """
    games, masks, seats = roots
    to, to_masks = copies
    for i in range(branches.shape[0]):
        branch, row = branches[i], rows[i]
        to[branch] = games[row]
        to[branch].key = keys[i]
        to_masks[branch] = masks[row]
        hidden.redraw(cs[0], to[branch], seats[row])
