"""What learners decided in a number of steps of many games, and what came of it.

Shape letters: T steps, B games, P seats, A actions, I inputs of the network; N of the T x B decisions.

A step is one decision of a learner in each game. Where several seats of a game learn, each has a stream of decisions of
its own: what follows a decision is the next one of the same seat.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.games import Games
from training.network import Network


@dataclass(frozen=True)
class Samples:
    """N decisions to learn from, on the network's device.

    Attributes:
        inputs: (N, I), encoded observations.
        masks: (N, A) bool.
        actions: (N,) int64.
        log_probs: (N,) float32, of the actions when they were drawn.
        advantages: (N,) float32.
        returns: (N,) float32, what the value should have been.
    """

    inputs: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor

    def __len__(self) -> int:
        return len(self.actions)


class Rollout:
    """T x B decisions, written step by step.

    Args:
        network: whose decisions they are; it decides type and device of what is kept.
        games: B of them.
        steps: T, at least 2.
    """

    def __init__(self, network: Network, games: Games, steps: int) -> None:
        engine = games.engine
        shape = (steps, engine.num_games)
        device = network.device
        self.inputs = torch.zeros((*shape, network.inputs.size), dtype=network.precision, device=device)
        self.masks = torch.zeros((*shape, engine.num_actions), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(shape, device=device)
        self._values = np.zeros(shape, np.float32)
        self._seats = np.zeros(shape, np.int64)
        self._rewards = np.zeros((*shape, engine.num_players), np.float32)
        self._dones = np.zeros(shape, np.bool_)

    def note_decision(
        self, t: int, inputs: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor, log_probs: torch.Tensor
    ) -> None:
        """What the learners saw, were allowed and decided in step t."""
        self.inputs[t], self.masks[t], self.actions[t], self.log_probs[t] = inputs, masks, actions, log_probs

    def note_outcome(
        self,
        t: int,
        seats: NDArray[np.int8],
        values: torch.Tensor,
        rewards: NDArray[np.float32],
        dones: NDArray[np.bool_],
    ) -> None:
        """Who decided in step t, what they expected, what every seat was then paid, and which games were over."""
        self._seats[t], self._values[t] = seats, values.cpu().numpy()
        self._rewards[t], self._dones[t] = rewards, dones

    def samples(self, gamma: float, gae_lambda: float) -> Samples:
        """The decisions with their advantages and returns (generalised advantage estimation, a stream a seat).

        The last decision of a seat in a game that goes on has nothing behind it yet: its value stands for the rest of
        the game, and it is no sample itself.
        """
        steps, games = self._values.shape
        every = np.arange(games)
        shape = self._rewards.shape[1:]
        paid, value, advantage = (np.zeros(shape, np.float32) for _ in range(3))  # of the decision that follows
        known = np.zeros(shape, np.bool_)  # whether anything follows: a decision, or the end
        advantages, counted = np.zeros_like(self._values), np.zeros((steps, games), np.bool_)
        for t in reversed(range(steps)):
            over, seat = self._dones[t], self._seats[t]
            paid[over], value[over], advantage[over], known[over] = self._rewards[t][over], 0, 0, True
            now, follows = self._values[t], known[every, seat]
            error = paid[every, seat] + gamma * value[every, seat] - now
            gain = np.where(follows, error + gamma * gae_lambda * advantage[every, seat], 0)
            advantages[t], counted[t] = gain, follows
            paid[every, seat], value[every, seat], advantage[every, seat] = 0, now, gain
            known[every, seat] = True
        chosen = torch.from_numpy(np.flatnonzero(counted)).to(self.inputs.device)

        def of(array: torch.Tensor) -> torch.Tensor:
            return array.flatten(0, 1)[chosen]

        gains = torch.from_numpy(advantages).to(self.inputs.device)
        returns = torch.from_numpy(advantages + self._values).to(self.inputs.device)
        return Samples(of(self.inputs), of(self.masks), of(self.actions), of(self.log_probs), of(gains), of(returns))
