"""What imitation and PPO have in common: games, what came of them, a teacher and an optimiser."""

from __future__ import annotations

from typing import Any

import torch

from rc_env import agents
from rc_env.training.learning.games import RowsCall, SelfPlayGames
from rc_env.training.learning.network import Network
from rc_env.training.learning.pool import OpponentPool
from rc_env.training.learning.rollout import Rollout
from rc_env.training.learning.settings import TrainingSettings


class Learner:
    """Games of a network that learns from them.

    Args:
        settings: see `TrainingSettings`.
        network: what learns.
        pool: who plays with it.
        rate: the learning rate at first.
        seed: of the deals.
        over: see `SelfPlayGames`.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        network: Network,
        pool: OpponentPool,
        rate: float,
        seed: int,
        over: RowsCall = lambda rows: None,
    ) -> None:
        self.settings = settings
        self.network = network
        self.games = SelfPlayGames(settings.ruleset, settings.envs, pool, over=over)
        self.games.reset(seed)
        self.clock = self.games.clock
        self.optimizer = torch.optim.Adam(network.parameters(), lr=rate, eps=1e-5, fused=True)
        self.teacher = agents.from_text(settings.teacher)
        self._rollout = Rollout(network, self.games, settings.steps)

    def state(self) -> dict[str, Any]:
        """All that `restore` needs to go on exactly, apart from the network and the pool."""
        return {"optimizer": self.optimizer.state_dict(), "games": self.games.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.optimizer.load_state_dict(state["optimizer"])
        self.games.restore(state["games"])

    def descend(self, loss: torch.Tensor, rate: float) -> None:
        """One step of the optimiser."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.gradient_norm)
        self.optimizer.step()
