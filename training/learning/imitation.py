"""The warm start: the network learns a scripted bot's play before it plays for itself.

From nothing, self-play spends its first hours on what any scripted bot knows. Such a bot decides a million times a
second, so what it would do is learned first, as a classification. Two things keep the student from meeting positions
that its teacher never showed it: a few moves are random, and a growing share of the games is played by the student
itself, while the teacher still says what it would have done (DAgger, Ross and others 2011). The value learns who wins
these games. PPO then goes on from this network.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from rc_env.bot import Position
from rc_env.training.learning.learner import Learner
from rc_env.training.learning.network import Network, draw, log_policy
from rc_env.training.learning.pool import SELF, OpponentPool
from rc_env.training.learning.rollout import Samples
from rc_env.training.learning.settings import TrainingSettings


class Imitation(Learner):
    """A stage of training like `rc_env.training.learning.ppo.PPO`, whose games have learners on all seats.

    Args:
        settings: see `TrainingSettings`.
        network: what learns.
        seed: of the deals.
    """

    def __init__(self, settings: TrainingSettings, network: Network, seed: int = 0) -> None:
        super().__init__(settings, network, OpponentPool({SELF: 1}), settings.imitation_learning_rate, seed)

    def iterate(self, progress: float) -> dict[str, float]:
        """Play and learn once; see `PPO.iterate`."""
        self.play(progress)
        with self.clock("optimiser"):
            # The outcome itself is what the value learns: nothing that it believes so far should stand in for it.
            return self.learn(self._rollout.samples(self.settings.gamma, 1.0), progress)

    @torch.inference_mode()
    def play(self, progress: float) -> None:
        """`steps` decisions in each game, with what the teacher would do as the action to learn."""
        games, engine = self.games, self.games.engine
        mine = games.mine  # all of them
        generator = np.random.default_rng(int(torch.randint(2**62, ())))
        self.teacher.reset(int(generator.integers(2**62)))
        # Who plays changes from one stretch of a game to the next: both see each other's positions.
        students = generator.random(engine.num_games) < self.settings.student_share * progress
        for t in range(self.settings.steps):
            with self.clock("engine"):
                position = Position.of(engine)
                numbers = position.numbers
            with self.clock("opponents"):
                labels = self.teacher.act(position)
            with self.clock("network"):
                inputs = self.network.encode(numbers)
                masks = torch.from_numpy(position.mask.view(np.bool_)).to(inputs.device)
                logits, values = self.network(inputs)
                log_probs = log_policy(logits, masks)
                own = draw(log_probs).cpu().numpy()
                taught = torch.from_numpy(labels).to(inputs.device)
                agreed = log_probs.gather(1, taught[:, None])[:, 0]
                self._rollout.note_decision(t, mine, position.seat, inputs, masks, taught, taught, agreed, values)
            played = np.where(students, own, labels)
            stray = np.flatnonzero(generator.random(engine.num_games) < self.settings.random_share)
            legal = position.mask[stray]
            played[stray] = (generator.random(legal.shape, np.float32) * legal).argmax(1)
            games.step(played, mine)
            self._rollout.note_outcome(t, np.float32(self.settings.reward_scale) * games.rewards, games.dones)

    def learn(self, samples: Samples, progress: float) -> dict[str, float]:
        """One pass over the samples: there are always new ones."""
        s = self.settings
        if len(samples) < 2:  # of few games, hardly begun
            return {"samples": float(len(samples))}
        measured = []
        for batch in samples.batches(s.batch):
            logits, values = self.network(batch.inputs)
            log_probs = log_policy(logits, batch.masks)
            policy_loss = functional.nll_loss(log_probs, batch.taught)
            value_loss = functional.mse_loss(values, batch.returns)
            self.descend(policy_loss + s.value_weight * value_loss, s.imitation_learning_rate * (1 - 0.9 * progress))
            with torch.no_grad():
                agreed = (log_probs.argmax(1) == batch.taught).float().mean()
                measured.append(torch.stack((policy_loss, value_loss, agreed)).detach())
        names = ("policy_loss", "value_loss", "agreement")
        means = torch.stack(measured).mean(0).tolist()
        return {**dict(zip(names, means, strict=True)), "samples": float(len(samples))}
