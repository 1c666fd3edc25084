"""What learners decided in a number of steps of many games, and what came of it.

Shape letters: T steps, B games, P seats, A actions, I inputs of the network; N of the T x B decisions; K of the B games
that wait for the learner in a step.

A step is one decision in each game, of a learner or of an opponent. Where several seats of a game learn, each has a
stream of decisions of its own: what follows a decision is the next one of the same seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env.training.learning.games import SelfPlayGames
from rc_env.training.learning.network import Network


@dataclass(frozen=True)
class Samples:
    """N decisions to learn from, on the network's device.

    Attributes:
        inputs: (N, I) uint8, encoded observations.
        masks: (N, A) bool.
        actions: (N,) int64.
        taught: (N,) int64, what the teacher would have done.
        log_probs: (N,) float32, of the actions when they were drawn.
        advantages: (N,) float32.
        returns: (N,) float32, what the value should have been.
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

    def batches(self, size: int) -> Iterator[Samples]:
        """All samples in random order, in equal parts of `size` or a little more."""
        order = torch.randperm(len(self)).to(self.actions.device)
        for chosen in order.tensor_split(max(1, len(self) // size)):
            yield self.take(chosen)

    def take(self, chosen: torch.Tensor) -> Samples:
        """Those of these numbers, (K,) int64; `index_select` copies rows several times as quickly as indexing does."""
        return Samples(*(getattr(self, field.name).index_select(0, chosen) for field in fields(self)))


class Rollout:
    """T x B decisions, written step by step.

    Args:
        network: whose decisions they are; what is kept lies on its device.
        games: B of them.
        steps: T, at least 2.
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
        self._mine = np.zeros(shape, np.bool_)
        self._seats = np.zeros(shape, np.int64)
        self._rewards = np.zeros((*shape, engine.num_players), np.float32)
        self._dones = np.zeros(shape, np.bool_)

    def note_decision(
        self,
        t: int,
        mine: NDArray[np.bool_],
        seats: NDArray[np.int8],
        inputs: torch.Tensor,
        masks: torch.Tensor,
        actions: torch.Tensor,
        taught: torch.Tensor,
        log_probs: torch.Tensor,
        values: torch.Tensor,
    ) -> None:
        """What learners saw, were allowed, decided, were taught and expected in step t.

        All are (K, …), but mine and seats, which are (B,).
        """
        rows = torch.from_numpy(np.flatnonzero(mine)).to(inputs.device)
        self.inputs[t, rows], self.masks[t, rows] = inputs, masks
        self.actions[t, rows], self.taught[t, rows], self.log_probs[t, rows] = actions, taught, log_probs
        self._mine[t], self._seats[t] = mine, seats
        self._values[t, mine] = values.cpu().numpy()

    def note_outcome(self, t: int, rewards: NDArray[np.float32], dones: NDArray[np.bool_]) -> None:
        """(B, P), the reward of every seat after step t, and (B,), which games were over."""
        self._rewards[t], self._dones[t] = rewards, dones

    def samples(self, gamma: float, gae_lambda: float) -> Samples:
        """The decisions with their advantages and returns (generalised advantage estimation, a stream a seat).

        The last decision of a seat in a game that goes on has nothing behind it yet: its value stands for the rest of
        the game, and it is no sample itself.
        """
        steps, games = self._values.shape
        every = np.arange(games)
        shape = self._rewards.shape[1:]
        reward, value, advantage = (np.zeros(shape, np.float32) for _ in range(3))  # of the decision that follows
        known = np.zeros(shape, np.bool_)  # whether anything follows: a decision, or the end
        advantages, counted = np.zeros_like(self._values), np.zeros((steps, games), np.bool_)
        for t in reversed(range(steps)):
            over = self._dones[t]
            reward[over], value[over], advantage[over], known[over] = self._rewards[t][over], 0, 0, True
            rows = every[self._mine[t]]
            seat, now = self._seats[t, rows], self._values[t, rows]
            error = reward[rows, seat] + gamma * value[rows, seat] - now
            follows = known[rows, seat]
            gain = np.where(follows, error + gamma * gae_lambda * advantage[rows, seat], 0)
            advantages[t, rows], counted[t, rows] = gain, follows
            reward[rows, seat], value[rows, seat], advantage[rows, seat], known[rows, seat] = 0, now, gain, True
        gains = torch.from_numpy(advantages).to(self.inputs.device)
        returns = torch.from_numpy(advantages + self._values).to(self.inputs.device)
        parts = (self.inputs, self.masks, self.actions, self.taught, self.log_probs, gains, returns)
        chosen = torch.from_numpy(np.flatnonzero(counted)).to(self.inputs.device)
        return Samples(*(part.flatten(0, 1) for part in parts)).take(chosen)
