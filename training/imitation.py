"""The warm start: the network learns to predict a scripted bot's actions before self-play begins.

Self-play from random weights spends its first hours on basics that any scripted bot plays, and a scripted bot decides a
million times a second, so its actions are learned first, by classification. To see positions that the teacher alone
would not reach, a few actions are random, and in a growing share of the games the network's own actions are played
while the teacher's are the labels (DAgger, Ross and others 2011). The value function learns the outcome of these games.
PPO starts from this network.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rc_env.training.learner import RolloutLearner
from rc_env.training.network import Network, log_policy
from rc_env.training.pool import SELF, OpponentPool
from rc_env.training.rollout import Samples
from rc_env.training.settings import TrainingSettings


class Imitation(RolloutLearner):
    """A stage of training like `rc_env.training.ppo.PPO`, in whose games the learner plays all seats.

    Args:
        settings: see `TrainingSettings`.
        network: the network that is trained.
        seed: of the deals.
    """

    def __init__(self, settings: TrainingSettings, network: Network, seed: int = 0) -> None:
        super().__init__(settings, network, OpponentPool({SELF: 1}), settings.imitation_learning_rate, seed)

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect a rollout and learn from it; see `PPO.iterate`."""
        self._generator = np.random.default_rng(int(torch.randint(2**62, ())))
        self.teacher.reset(int(self._generator.integers(2**62)))
        # The player changes from one stretch of a game to the next, so that both meet each other's positions.
        self._students = self._generator.random(self.settings.envs) < self.settings.student_share * progress
        self.collect()
        with self.clock("network"), torch.inference_mode():
            self._rollout.value_last(self.network)
        with self.clock("optimiser"):
            # With lambda 1 the value target is the outcome itself: no estimate of the value stands in for it.
            return self.learn(self._rollout.samples(self.settings.gamma, 1.0), progress)

    def over(self, rows: NDArray[np.int64]) -> None:
        """Do nothing, since the results of games between teacher and student are not counted."""

    def decide(
        self, inputs: torch.Tensor, masks: torch.Tensor, rows: NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor, NDArray[np.float32]]:
        """Like `RolloutLearner.decide` in the games that the network plays; zeros in the others, whose actions are the
        teacher's."""
        mine = np.flatnonzero(self._students[rows])
        actions = torch.zeros(len(rows), dtype=torch.int64, device=inputs.device)
        log_probs = torch.zeros(len(rows), device=inputs.device)
        values = np.zeros(len(rows), np.float32)
        if len(mine):
            at = torch.from_numpy(mine).to(inputs.device)
            actions[at], log_probs[at], values[mine] = super().decide(
                inputs.index_select(0, at), masks.index_select(0, at), rows[mine]
            )
        return actions, log_probs, values

    def choose(self, drawn: NDArray[np.int64], taught: NDArray[np.int64], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """The teacher's actions, in a share of the games the network's, and a few random ones."""
        played = np.where(self._students, drawn, taught)
        stray = np.flatnonzero(self._generator.random(len(played)) < self.settings.random_share)
        legal = mask[stray]
        played[stray] = (self._generator.random(legal.shape, np.float32) * legal).argmax(1)
        return played

    def learn(self, samples: Samples, progress: float) -> dict[str, float]:
        """One pass over the samples in batches; returns mean losses and "agreement" with the teacher, by name."""
        s = self.settings
        count = self.batch_count(samples, s.imitation_batch)
        if not count:  # too few samples, when few games have hardly begun
            return {"samples": float(len(samples))}
        measured = []
        for batch in samples.batches(count):
            scaled, z = self.network.features(batch.inputs)
            log_probs = log_policy(self.network.logits(scaled, z), batch.masks)
            policy_loss = functional.nll_loss(log_probs, batch.taught)
            # Only the sum of the other seats' rewards is known here.
            value_loss = functional.mse_loss(self.network.values(z), batch.returns[:, None] * self.network.sharing)
            self.descend(policy_loss + s.value_weight * value_loss, s.imitation_learning_rate * (1 - 0.9 * progress))
            with torch.no_grad():
                agreed = (log_probs.argmax(1) == batch.taught).float().mean()
                measured.append(torch.stack((policy_loss, value_loss, agreed)).detach())
        names = ("policy_loss", "value_loss", "agreement")
        means = torch.stack(measured).mean(0).tolist()
        return {**dict(zip(names, means, strict=True)), "samples": float(len(samples))}
