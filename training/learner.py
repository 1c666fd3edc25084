"""Base classes of learners: self-play games and an optimiser; for imitation and PPO also a rollout and a teacher."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env import agents
from rc_env.training import parallel
from rc_env.training.games import SelfPlayGames
from rc_env.training.network import Network, draw, log_policy
from rc_env.training.pool import OpponentPool
from rc_env.training.rollout import Decisions, Rollout, Samples
from rc_env.training.settings import TrainingSettings


class Learner:
    """A network that learns from self-play games. A subclass defines `iterate`.

    Args:
        settings: see `TrainingSettings`.
        network: the network that is trained.
        pool: the opponents.
        rate: the learning rate at first.
        seed: of the deals.
        more: modules that are trained with the network without being part of it.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        network: Network,
        pool: OpponentPool,
        rate: float,
        seed: int,
        more: Sequence[torch.nn.Module] = (),
    ) -> None:
        self.settings = settings
        self.network = network
        self.games = SelfPlayGames(settings.rulesets, settings.envs, pool, over=self.over)
        self.games.reset(seed)
        self.clock = self.games.clock
        self._weights = [tensor for module in (network, *more) for tensor in module.parameters()]
        self.optimizer = torch.optim.Adam(self._weights, lr=rate, eps=1e-5, fused=True)
        self._results: list[tuple[float, float]] = []

    def over(self, rows: NDArray[np.int64]) -> None:
        """Note how the games in these rows of the engine have ended: for `results`."""
        unfinished = self.games.engine.truncated[rows]
        self._results += zip(self.games.won(rows).tolist(), unfinished.astype(float).tolist(), strict=True)

    def results(self) -> dict[str, float]:
        """Shares of "won" and "unfinished" games among those that ended since the last call; empty if none ended."""
        found, self._results = self._results, []
        return dict(zip(("won", "unfinished"), np.mean(found, 0).tolist(), strict=True)) if found else {}

    def state(self) -> dict[str, Any]:
        """All that `restore` needs to go on exactly, apart from the network and the pool."""
        return {"optimizer": self.optimizer.state_dict(), "games": self.games.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state that `state` returned."""
        self.optimizer.load_state_dict(state["optimizer"])
        self.games.restore(state["games"])

    def descend(self, loss: torch.Tensor, rate: float) -> None:
        """One step of the optimiser at this learning rate, with the gradient's norm clipped."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        loss.backward()
        parallel.average(self._weights)
        torch.nn.utils.clip_grad_norm_(self._weights, self.settings.gradient_norm)
        self.optimizer.step()


class RolloutLearner(Learner):
    """A learner that learns from rollouts, each once: `iterate` calls `collect` and learns from the rollout's samples.

    A subclass may override `teach`, `decide` and `choose`.

    Args:
        settings: see `TrainingSettings`.
        network: the network that is trained.
        pool: the opponents.
        rate: the learning rate at first.
        seed: of the deals.
    """

    def __init__(
        self, settings: TrainingSettings, network: Network, pool: OpponentPool, rate: float, seed: int
    ) -> None:
        super().__init__(settings, network, pool, rate, seed)
        self.teacher = agents.from_text(settings.teacher)
        self._rollout = Rollout(network, self.games, settings.steps)

    @torch.inference_mode()
    def collect(self) -> None:
        """Fill the rollout: `steps` decisions in each game, of the learner or of an opponent."""
        games, engine, scale = self.games, self.games.engine, np.float32(self.settings.reward_scale)
        games.rotate(self.settings.steps)
        for t in range(self.settings.steps):
            with self.clock("engine"):
                mine, seats = games.mine, games.seat.copy()
                rows = np.flatnonzero(mine)
                numbers, mask = engine.observe(rows, dtype=np.uint8), engine.legal_mask()[mine]
            taught = self.teach(rows)
            with self.clock("network"):
                inputs = self.network.encode(numbers)
                masks = torch.from_numpy(mask.view(np.bool_)).to(inputs.device)
                labels = torch.from_numpy(taught).to(inputs.device)
                decided = Decisions(inputs, masks, *self.decide(inputs, masks, rows), labels)
                self._rollout.note_decisions(t, mine, seats, decided)
                drawn_actions = decided.actions.cpu().numpy()
            games.step(self.choose(drawn_actions, taught, mask), mine)
            self._rollout.note_outcome(t, scale * games.rewards, games.dones)

    def decide(
        self, inputs: torch.Tensor, masks: torch.Tensor, rows: NDArray[np.int64]
    ) -> tuple[torch.Tensor, torch.Tensor, NDArray[np.float32]]:
        """Draw actions from the network's policy in K games, which are in these rows of the engine.

        Args:
            inputs: (K, I) uint8, encoded observations.
            masks: (K, A) bool, True for each legal action.
            rows: (K,) int64, the games.

        Returns:
            (K,) int64 actions, (K,) float32 log-probabilities of them, (K,) float32 values.
        """
        logits, values = self.network(inputs)
        log_probs = log_policy(logits, masks)
        actions = draw(log_probs)
        return actions, log_probs.gather(1, actions[:, None])[:, 0], values.cpu().numpy()

    def batch_count(self, samples: Samples, size: int) -> int:
        """The number of batches of about this size that the samples make, equal in all processes; 0 for too few."""
        return parallel.least(max(1, len(samples) // size) if len(samples) > 1 else 0)

    def teach(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """(K,) int64, the actions that the teacher would choose in K rows of the engine."""
        return self.games.ask(self.teacher, rows)

    def choose(self, drawn: NDArray[np.int64], taught: NDArray[np.int64], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """(K,) int64, the actions that are played where the learner decides.

        Args:
            drawn: (K,) actions drawn from the network's policy.
            taught: (K,) actions of the teacher.
            mask: (K, A) int8, 1 for each legal action.
        """
        return drawn
