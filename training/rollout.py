"""A rollout: the learner's decisions in a number of steps of many games, with rewards, advantages and returns.

Shape letters: T steps, B games, P seats, A actions, I inputs of the network; N of the T x B decisions; K of the B games
that wait for the learner in a step.

A step is one decision in each game, of the learner or of an opponent. Where the learner plays several seats of a game,
each seat is a trajectory of its own: the successor of a decision is the next decision of the same seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env.training.games import SelfPlayGames
from rc_env.training.network import Network


@dataclass(frozen=True)
class Samples:
    """N decisions to learn from, on the network's device.

    Attributes:
        inputs: (N, I) uint8, encoded observations.
        masks: (N, A) bool, True for each legal action.
        actions: (N,) int64, drawn from the network's policy.
        taught: (N,) int64, the teacher's actions, or zeros without a teacher.
        log_probs: (N,) float32, log-probabilities of `actions` when they were drawn.
        advantages: (N,) float32.
        returns: (N,) float32, the value targets.
    """

    inputs: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    taught: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor

    def __len__(self) -> int:
        return len(self.actions)

    def batches(self, count: int) -> Iterator[Samples]:
        """All samples in random order, in `count` batches whose sizes differ by one at most."""
        order = torch.randperm(len(self)).to(self.actions.device)
        for chosen in order.tensor_split(count):
            yield self.take(chosen)

    def take(self, chosen: torch.Tensor) -> Samples:
        """The samples of these numbers, (K,) int64; `index_select` copies rows several times as fast as indexing."""
        return Samples(*(getattr(self, field.name).index_select(0, chosen) for field in fields(self)))


@dataclass(frozen=True)
class Decisions:
    """K decisions of the learner in one step, on the network's device but for the values.

    Attributes:
        inputs: (K, I) uint8, encoded observations.
        masks: (K, A) bool, True for each legal action.
        actions: (K,) int64, drawn from the network's policy.
        log_probs: (K,) float32, log-probabilities of `actions`.
        values: (K,) float32, the network's values.
        taught: (K,) int64, the teacher's actions, or zeros without a teacher.
    """

    inputs: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    values: NDArray[np.float32]
    taught: torch.Tensor


class Rollout:
    """T x B decisions, written step by step.

    Args:
        network: the network that decides; tensors are kept on its device.
        games: B of them.
        steps: T, at least 2.

    Attributes:
        bonus: (A,) float32, what each action of the learner brings on top of the game's rewards; zeros at first.
    """

    def __init__(self, network: Network, games: SelfPlayGames, steps: int) -> None:
        engine = games.engine
        shape = (steps, engine.num_games)
        device = network.device
        self.inputs = torch.zeros((*shape, network.inputs.size), dtype=torch.uint8, device=device)
        self.masks = torch.zeros((*shape, engine.num_actions), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.taught = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(shape, device=device)
        self._values = np.zeros(shape, np.float32)
        self.bonus = np.zeros(engine.num_actions, np.float32)
        self._bonuses = np.zeros(shape, np.float32)
        self._mine = np.zeros(shape, np.bool_)
        self._seats = np.zeros(shape, np.int64)
        self._rewards = np.zeros((*shape, engine.num_players), np.float32)
        self._dones = np.zeros(shape, np.bool_)

    def note_decisions(self, t: int, mine: NDArray[np.bool_], seats: NDArray[np.int8], decided: Decisions) -> None:
        """Write the learner's decisions of step t.

        Args:
            t: the step, from 0.
            mine: (B,) bool, the K games in which the learner decided.
            seats: (B,) int8, the seat that decided in each game.
            decided: the K decisions.
        """
        rows = torch.from_numpy(np.flatnonzero(mine)).to(decided.inputs.device)
        for name in ("inputs", "masks", "actions", "taught", "log_probs"):
            getattr(self, name)[t, rows] = getattr(decided, name)
        self._mine[t], self._seats[t] = mine, seats
        self._values[t, mine] = decided.values
        self._bonuses[t, mine] = self.bonus[decided.actions.cpu().numpy()]

    def note_outcome(self, t: int, rewards: NDArray[np.float32], dones: NDArray[np.bool_]) -> None:
        """Write the rewards of every seat after step t, (B, P), and which games ended, (B,)."""
        self._rewards[t], self._dones[t] = rewards, dones

    def value_last(self, network: Network) -> None:
        """Write the network's values of the last decision of each seat in each game, from which `samples` bootstraps.

        With a lambda of 1 no other value has an influence on the returns.
        """
        steps, games = self._mine.shape
        last = np.full((games, self._rewards.shape[2]), -1)
        for t in range(steps):
            rows = np.flatnonzero(self._mine[t])
            last[rows, self._seats[t, rows]] = t
        game, seat = np.nonzero(last >= 0)
        at = last[game, seat]
        inputs = self.inputs[torch.from_numpy(at), torch.from_numpy(game)]
        self._values[at, game] = network(inputs)[1].cpu().numpy()

    def samples(self, gamma: float, gae_lambda: float) -> Samples:
        """The decisions with their advantages and returns: generalised advantage estimation, one trajectory per seat.

        The last decision of a seat in an unfinished game has no successor yet: its value bootstraps the decision
        before it, and it is no sample itself.
        """
        steps, games = self._values.shape
        every = np.arange(games)
        shape = self._rewards.shape[1:]
        reward, value, advantage = (np.zeros(shape, np.float32) for _ in range(3))  # of the successor
        known = np.zeros(shape, np.bool_)  # whether there is a successor: a decision, or the end of the game
        advantages, counted = np.zeros_like(self._values), np.zeros((steps, games), np.bool_)
        for t in reversed(range(steps)):
            over = self._dones[t]
            reward[over], value[over], advantage[over], known[over] = self._rewards[t][over], 0, 0, True
            rows = every[self._mine[t]]
            seat, now = self._seats[t, rows], self._values[t, rows]
            error = self._bonuses[t, rows] + reward[rows, seat] + gamma * value[rows, seat] - now
            follows = known[rows, seat]
            gain = np.where(follows, error + gamma * gae_lambda * advantage[rows, seat], 0)
            advantages[t, rows], counted[t, rows] = gain, follows
            reward[rows, seat], value[rows, seat], advantage[rows, seat], known[rows, seat] = 0, now, gain, True
        gains = torch.from_numpy(advantages).to(self.inputs.device)
        returns = torch.from_numpy(advantages + self._values).to(self.inputs.device)
        parts = (self.inputs, self.masks, self.actions, self.taught, self.log_probs, gains, returns)
        chosen = torch.from_numpy(np.flatnonzero(counted)).to(self.inputs.device)
        return Samples(*(part.flatten(0, 1) for part in parts)).take(chosen)
