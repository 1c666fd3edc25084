"""Games of self-play: one engine, learners and members of a pool at the tables.

Shape letters as in `rc_env.engine`: B games, P seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.rules.state import GAME
from rc_env.ruleset import Ruleset
from rc_env.training.learning.clock import Clock
from rc_env.training.learning.pool import LEARNER, OpponentPool

RowsCall = Callable[[NDArray[np.int64]], None]


class SelfPlayGames:
    """B games in which learners and members of a pool decide.

    In each new game one seat is the learner's, the next one each time; the others are drawn from the pool, which may
    name the learner again. Nobody changes before the game is over. Games that end are dealt anew at once. There are two
    ways to play on: `step` plays one decision in each game, whoever has to decide; `step_to_learner` plays the
    learners' actions, then lets the opponents decide until every game waits for its learner again.

    Args:
        ruleset: the variant.
        num_games: B.
        pool: the opponents.
        threads: of the engine.
        over: called with the rows of games that have ended, before they are dealt anew. A game that is dealt and over
            within one `step_to_learner`, before any learner decided, is not reported.

    Attributes:
        clock: the time that the engine took, and the opponents.
        learner: (B,) int64, the seat that is the learner's in any case.
        players: (B, P) int64, the member of the pool on each seat; LEARNER for the learner.
        rewards: (B, P) float32, the reward of each seat for the game that ended in the last step; else zero.
        dones: (B,) bool, whether one did.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        num_games: int,
        pool: OpponentPool,
        *,
        threads: int = 1,
        over: RowsCall = lambda rows: None,
    ) -> None:
        self.engine = Engine(ruleset, num_games, threads=threads)
        self.pool = pool
        self.clock = Clock()
        self.over = over
        self.learner = np.zeros(num_games, np.int64)
        self.players = np.full((num_games, ruleset.players), LEARNER)
        self.rewards = np.zeros((num_games, ruleset.players), np.float32)
        self.dones = np.zeros(num_games, np.bool_)
        self._games = self.engine.games.view(np.ndarray)
        self._all = np.arange(num_games)
        self._dealt = np.zeros(num_games, np.int64)

    @property
    def seat(self) -> NDArray[np.int8]:
        """(B,) int8, the seat that has to decide: a learner's. A view."""
        return self._games["seat"]

    def draw_from(self, seed: int) -> None:
        """Opponents, and what they choose, are drawn from this seed from now on."""
        self._generator = np.random.default_rng(seed)
        self.pool.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Deal every game; with a seed start over from it, without go on to other games."""
        if seed is not None:
            self.draw_from(seed)
            self._dealt[:] = 0
        self.engine.reset(seed=seed)
        self._seat_players(self._all)

    @property
    def mine(self) -> NDArray[np.bool_]:
        """(B,) bool, games that wait for a decision of the learner."""
        return self.players[self._all, self.seat] == LEARNER

    def step(self, actions: NDArray[np.int64], mine: NDArray[np.bool_]) -> None:
        """Play one decision in each game.

        Args:
            actions: (K,), the learner's, in the games that wait for it.
            mine: (B,) bool, which those are.

        Raises:
            ValueError: an action is not legal; the other games have been played on.
        """
        chosen = np.empty(len(mine), np.int64)
        chosen[mine] = actions
        others = np.flatnonzero(~mine)
        if len(others):
            chosen[others] = self._decide(others)
        self._begin()
        self._play(self._all, chosen)

    def step_to_learner(self, actions: NDArray[np.int64] | None = None) -> None:
        """Play the learners' actions, one in each game, and all that opponents decide before their next ones.

        Without actions only the opponents play, where they have to.
        """
        self._begin()
        if actions is not None:
            self._play(self._all, actions)
        while len(rows := np.flatnonzero(~self.mine)):
            self._play(rows, self._decide(rows))

    def _begin(self) -> None:
        self.rewards[:] = 0
        self.dones[:] = False

    def _play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """One decision in each of the rows."""
        with self.clock("engine"):
            self.engine.step(actions, rows)
            if self.engine.illegal[rows].any():
                self._refuse(rows, actions)
            ended = self.engine.ended
            if len(ended):
                # A game that was dealt in this very step can be over before a learner decides: nobody learns then.
                fresh = ended[~self.dones[ended]]
                self.rewards[fresh] = self.engine.rewards[fresh]
                self.dones[fresh] = True
                if len(fresh):
                    self.over(fresh)
                self.engine.reset(ended)
                self._seat_players(ended)

    def _seat_players(self, rows: NDArray[np.int64]) -> None:
        """Who plays the new games."""
        self.learner[rows] = (rows + self._dealt[rows]) % self.engine.num_players
        self._dealt[rows] += 1
        drawn = self.pool.draw(self._generator, (len(rows), self.engine.num_players))
        drawn[np.arange(len(rows)), self.learner[rows]] = LEARNER
        self.players[rows] = drawn

    def _decide(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The opponents' actions, one batch for each member of the pool."""
        who = self.players[rows, self.seat[rows]]
        actions = np.empty(len(rows), np.int64)
        for number in np.unique(who):
            at = np.flatnonzero(who == number)
            with self.clock("engine"):
                position = Position.of(self.engine, rows[at])
            with self.clock("opponents"):
                actions[at] = self.pool.bots[number].act(position)
        return actions

    def _refuse(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """An illegal action is an error of whoever chose it."""
        at = int(np.flatnonzero(self.engine.illegal[rows])[0])
        row, action = int(rows[at]), int(actions[at])
        number = self.players[row, self.seat[row]]
        who = "the learner" if number == LEARNER else f"opponent {self.pool.bots[number].name!r}"
        raise ValueError(f"action: {action} of {who} found in environment {row}, expected one that the mask allows")

    # --- to go on later

    def state(self) -> dict[str, Any]:
        """Where every game stands, as tensors: what `restore` needs. The generators are not in it (`draw_from`)."""
        games = self.engine.clone(same_future=True)
        return {
            "games": torch.from_numpy(games.view(np.uint8).copy()),
            "clones": self.engine._clones,  # the fresh keys of what bots look ahead with go on from here
            "learner": torch.from_numpy(self.learner.copy()),
            "players": torch.from_numpy(self.players.copy()),
            "dealt": torch.from_numpy(self._dealt.copy()),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Put every game where it stood."""
        self.engine.restore(state["games"].numpy().view(GAME))
        self.engine._clones = state["clones"]
        self.learner[:] = state["learner"].numpy()
        self.players[:] = state["players"].numpy()
        self._dealt[:] = state["dealt"].numpy()
