"""PPO (Schulman and others 2017) with masked actions, over the engine's arrays.

Unlike `rc_env.training.sb3_learner`, which is MaskablePPO itself, it learns from the decisions of all seats
that the learner plays in a game, computes in bfloat16 where that is faster, and copies less. After a warm start the
loss contains the teacher's actions with a weight that falls to 0 (kickstarting, Schmitt and others 2018): until the
value function fits the games of self-play, its errors would undo what imitation learned.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rc_env.training.learner import RolloutLearner
from rc_env.training.network import Network, entropy_of, log_policy
from rc_env.training.pool import OpponentPool
from rc_env.training.rollout import Samples
from rc_env.training.settings import TrainingSettings


class PPO(RolloutLearner):
    """A stage of training: `iterate` collects a rollout of `steps` decisions in each game and learns from it.

    Args:
        settings: see `TrainingSettings`.
        network: the network that is trained.
        pool: the opponents.
        seed: of the deals.
    """

    def __init__(self, settings: TrainingSettings, network: Network, pool: OpponentPool, seed: int = 0) -> None:
        super().__init__(settings, network, pool, settings.learning_rate, seed)
        if settings.guide != "none":  # it leads in the games that are dealt first, too
            self.games.lead(settings.guide, settings.guide_share, settings.guide_turns)
            self.games.reset(seed)
        self._teacher_weight = 0.0
        actions = settings.ruleset.actions.actions
        bonus = settings.by_verb(settings.bonus)
        self._bonus = np.array([bonus.get(action.verb, 0) for action in actions], np.float32)

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect a rollout and learn from it.

        Args:
            progress: how much of the stage is done, from 0 to 1.

        Returns:
            Means by name: the losses, "entropy", "kl", "clipped", "explained" (variance of returns), "samples", and of
            games that ended "won" and "unfinished".
        """
        if self.settings.imitation:
            self._teacher_weight = self.settings.teacher_weight * max(0.0, 1 - progress / self.settings.teacher_until)
            self.teacher.reset(int(torch.randint(2**62, ())))
        self.explore(progress)
        self.collect()
        with self.clock("optimiser"):
            measured = self.learn(self._rollout.samples(self.settings.gamma, self.settings.gae_lambda), progress)
        return measured | self.results()

    def explore(self, progress: float) -> None:
        """Reward actions and lead seats, from now on, as the settings say for this progress, from 0 to 1.

        `TrainingSettings.bonus` falls in a line to 0, and so does `guide_turns`.
        """
        s = self.settings
        if s.guide != "none":
            most = round(s.guide_turns * max(0.0, 1 - progress / s.guide_until))
            self.games.lead(s.guide, s.guide_share, most)
        self._rollout.bonus = self._bonus * np.float32(s.reward_scale * max(0.0, 1 - progress / s.bonus_until))

    def teach(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Like `RolloutLearner.teach` while the teacher's loss has a weight; zeros afterwards."""
        if self._teacher_weight and len(rows):
            return super().teach(rows)
        return np.zeros(len(rows), np.int64)

    def learn(self, samples: Samples, progress: float) -> dict[str, float]:
        """`epochs` passes over the samples in batches; returns means of losses and the like, by name."""
        s = self.settings
        if not (count := self.batch_count(samples, s.batch)):  # too few samples, when few games have hardly begun
            return {"samples": float(len(samples))}
        rate = s.learning_rate_at(progress)
        entropy_weight = s.entropy_at(progress)
        measured = []
        for _ in range(s.epochs):
            for batch in samples.batches(count):
                logits, values = self.network(batch.inputs)
                log_probs = log_policy(logits, batch.masks)
                log_ratio = log_probs.gather(1, batch.actions[:, None])[:, 0] - batch.log_probs
                ratio = log_ratio.exp()
                advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - s.clip, 1 + s.clip)
                policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
                value_loss = functional.mse_loss(values, batch.returns)
                entropy = entropy_of(log_probs).mean()
                loss = policy_loss + s.value_weight * value_loss - entropy_weight * entropy
                if self._teacher_weight:
                    loss = loss + self._teacher_weight * functional.nll_loss(log_probs, batch.taught)
                self.descend(loss, rate)
                with torch.no_grad():
                    cut = ((ratio - 1).abs() > s.clip).float().mean()
                    measured.append(
                        torch.stack((policy_loss, value_loss, entropy, ((ratio - 1) - log_ratio).mean(), cut)).detach()
                    )
        means = torch.stack(measured).mean(0).tolist()
        explained = 1 - float(samples.advantages.var()) / max(1e-8, float(samples.returns.var()))
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
        return {**dict(zip(names, means, strict=True)), "explained": explained, "samples": float(len(samples))}
