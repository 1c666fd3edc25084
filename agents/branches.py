"""Copies of games that a search plays on, each in a lane of its own: the compiled loops of the engine do it.

A lane is like a row of an engine, but nothing is checked: the search hands in legal actions alone. The keys of
chance are the search's own, so that a lane rolls other dice than the game that it was copied from. Like the rules, this
module is loaded once for each build: `Ruleset.module("agents.branches")`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.ruleset import Ruleset

from .. import kernels
from ..jit import kernel, records
from ..layout.packing import SEEN, WORDS
from ..rules import hidden
from ..rules.printed.sizes import SEATS
from ..rules.state import GAME, PLAYING
from ..rules.verbs import MENU
from . import simulation

_NO_BYTES = np.zeros((0, 0), np.int8)
_NO_FLOATS = np.zeros((0, 0), np.float32)
_NO_NUMBERS = np.zeros((0, 0), np.uint8)


class Branches:
    """L lanes. Shape letters: K of the L lanes, A actions, F features of an observation, P players.

    Args:
        ruleset: the variant that is played.
        lanes: L.
        reward: the reward at the end of a game, whatever that of the ruleset is: see `Ruleset`.

    Attributes:
        masks: (L, A) int8, 1 for each action that is legal in a lane; all 0 where its game is over.
        rewards: (L, P) float32, from -1 to 1, what the end is worth to each seat in a lane whose game is over.
    """

    def __init__(self, ruleset: Ruleset, lanes: int, reward: str = "win") -> None:
        rules = replace(ruleset, reward=reward).rules
        rows = np.zeros(lanes, GAME)
        self.ruleset = ruleset
        self.masks = np.zeros((lanes, ruleset.actions.size), np.int8)
        self.rewards = np.zeros((lanes, ruleset.players), np.float32)
        self._games = rows
        self._records = records(rows)
        self._rules = records(rules)
        self._table = (self._rules, records(ruleset.writer_tables), self._records, records(rows.view(WORDS)))
        self._scratch = (records(np.zeros(1, MENU)), records(np.zeros(ruleset.players, SEEN)))
        self._illegal, self._ended = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
        self._to_move = np.full(lanes, -1, np.int8)
        self._work = records(np.zeros(1, simulation.WORK))

    def begin(
        self,
        lanes: NDArray[np.int64],
        games: np.ndarray,
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
        rows: NDArray[np.int64],
        keys: NDArray[np.uint64],
    ) -> None:
        """Copy games into lanes, with the keys given; what the seat of each cannot see is drawn anew from its key.

        Args:
            lanes: (K,) int64.
            games: (N,) GAME, as `jit.records` gives them.
            masks: (N, A) int8, the legal actions of the games.
            seats: (N,) int8, for whom a copy of each game is made.
            rows: (K,) int64, which of the N games each lane begins with.
            keys: (K,) uint64.
        """
        begin_rows(self._rules, (games, masks, seats), rows, (self._records, self.masks), lanes, keys)

    def step(
        self, lanes: NDArray[np.int64], actions: NDArray[np.int64], keys: NDArray[np.uint64], out: NDArray[np.uint8]
    ) -> None:
        """Play a legal action in each of K lanes, with other dice to come: those of the keys.

        Args:
            lanes: (K,) int64, each once.
            actions: (K,) int64.
            keys: (K,) uint64.
            out: (K, F) uint8, where the numbers that the seat to move then sees are written.
        """
        self._games["key"][lanes] = keys
        outcome = (self.masks, self.rewards, self._illegal, self._ended)
        given, targets = (actions, _NO_BYTES, _NO_BYTES, _NO_BYTES, _NO_BYTES), (_NO_FLOATS, out)
        kernels.step_rows(self._table, self._scratch, lanes, 0, len(lanes), given, outcome, targets)

    def observe(self, lanes: NDArray[np.int64], seats: NDArray[np.int8] | None = None) -> NDArray[np.uint8]:
        """(K, F) uint8, the numbers that a seat sees of each of K lanes; by default the seat to move."""
        out = np.empty((len(lanes), self.ruleset.observations.size), np.uint8)
        seen = self._to_move[: len(lanes)] if seats is None else seats
        kernels.observe_rows(self._table, self._scratch, lanes, 0, len(lanes), seen, (_NO_FLOATS, out))
        return out

    def play_out(self, lanes: NDArray[np.int64], weights: np.ndarray) -> NDArray[np.float64]:
        """(K, P) float64, from -1 to 1: values of the ends of K games when a plan plays on in every seat.

        Half of a value is the place among the seats, half the margin in prestige. The lanes stay as they are.

        Args:
            lanes: (K,) int64.
            weights: (1,) WEIGHTS of the plan.
        """
        values = np.zeros((len(lanes), SEATS))
        simulation.play_out(self._rules, records(weights), self._records, lanes, self._work, values)
        return values[:, : self.ruleset.players]

    def at(self, lanes: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.bool_]]:
        """The seat to move, the turns begun by any seat, and whether the game is over, for K lanes."""
        games = self._games
        return games["seat"][lanes], games["turn"][lanes], games["status"][lanes] != PLAYING


@kernel
def begin_rows(cs: Any, roots: Any, rows: Any, copies: Any, lanes: Any, keys: Any) -> None:
    """Copy games with their masks into lanes; draw anew, from the key of each copy, what its seat cannot see.

    Args:
        cs: (1,) RULES.
        roots: games (N,) GAME, masks (N, A) int8, seats (N,) int8.
        rows: (K,) int64, which of them.
        copies: games (L,) GAME, masks (L, A) int8, which are written.
        lanes: (K,) int64, where in the copies.
        keys: (K,) uint64.
    """
    games, masks, seats = roots
    to, to_masks = copies
    for i in range(lanes.shape[0]):
        lane, row = lanes[i], rows[i]
        to[lane] = games[row]
        to[lane].key = keys[i]
        to_masks[lane] = masks[row]
        hidden.redraw(cs[0], to[lane], seats[row])
