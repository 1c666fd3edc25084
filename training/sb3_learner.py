"""MaskablePPO of sb3-contrib as a learner, with the network of `rc_env.training.network`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from rc_env.training.clock import Clock
from rc_env.training.network import Network, draw, entropy_of, log_policy
from rc_env.training.pool import OpponentPool
from rc_env.training.sb3_vec_env import SelfPlayVecEnv
from rc_env.training.scaling import Scale
from rc_env.training.settings import TrainingSettings


class Scaled(BaseFeaturesExtractor):
    """A features extractor that makes numbers from 0 to 1 of observations of `observation_dtype="uint8"`.

    For any policy of Stable-Baselines3: `policy_kwargs={"features_extractor_class": Scaled}`. The buffers of the
    algorithm then hold a byte an entry.

    Args:
        observation_space: (F,) uint8, as the environments have it: its upper ends are the divisors.
    """

    def __init__(self, observation_space: spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        self.scale = Scale(observation_space.high)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Scale (N, F) uint8 observations to (N, F) float32."""
        return self.scale(observations)


class Policy(MaskableActorCriticPolicy):
    """A `Network` as Stable-Baselines3 calls it."""

    def __init__(self, *args: Any, network: Network, clock: Clock, **kwargs: Any) -> None:
        self._given = [network]  # in a list, since PyTorch accepts no submodule before __init__
        self._clock = clock
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        self.network = self._given.pop()
        self.optimizer = self.optimizer_class(self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _evaluate(self, observations: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (N, A) log-probabilities and (N, 1) values."""
        logits, values = self.network(self.network.encode(observations.cpu().numpy()))
        allowed = torch.as_tensor(np.asarray(masks) != 0).to(logits.device).reshape(logits.shape)
        return log_policy(logits, allowed), values[:, None]

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, values and log-probabilities of the actions."""
        with self._clock("network"):
            log_probs, values = self._evaluate(obs, action_masks)
            actions = log_probs.argmax(1) if deterministic else draw(log_probs)
            return actions, values, log_probs.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, log-probabilities of the actions, and entropies."""
        masks = action_masks.cpu() if isinstance(action_masks, torch.Tensor) else action_masks
        log_probs, values = self._evaluate(obs, masks)
        return values, log_probs.gather(1, actions[:, None])[:, 0], entropy_of(log_probs)

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Return (N, 1) values."""
        return self.network(self.network.encode(obs.cpu().numpy()))[1][:, None]


class _Results(BaseCallback):
    """A callback that collects the results of games."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[tuple[float, float]] = []

    def _on_step(self) -> bool:
        self.ended += [(i["won"], float(i["truncated"])) for i in self.locals["infos"] if i]
        return True


class StableBaselines:
    """A learner like `rc_env.training.ppo.PPO`; one seat of each game learns.

    Args:
        settings: see `TrainingSettings`; a share of "self" among the opponents counts as "latest".
        network: the network that is trained.
        pool: the opponents.
        seed: of the deals.
    """

    def __init__(self, settings: TrainingSettings, network: Network, pool: OpponentPool, seed: int = 0) -> None:
        self.settings = settings
        self.env = SelfPlayVecEnv(
            settings.ruleset, settings.envs, pool, seed=seed, scale=settings.reward_scale, observation_dtype="uint8"
        )
        self.games, self.clock = self.env.games, self.env.games.clock
        self._progress = 0.0
        self.model = MaskablePPO(
            Policy,
            self.env,
            learning_rate=lambda _: settings.learning_rate_at(self._progress),
            n_steps=settings.steps,
            batch_size=settings.batch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            vf_coef=settings.value_weight,
            max_grad_norm=settings.gradient_norm,
            policy_kwargs={"network": network, "clock": self.clock, "optimizer_kwargs": {"eps": 1e-5}},
            device=network.device,
        )
        self.model.set_logger(Logger(None, []))
        self._results = _Results()
        _, self._callback = self.model._setup_learn(settings.decisions, self._results)

    def iterate(self, progress: float) -> dict[str, float]:
        """Play and learn once; see `PPO.iterate`."""
        s, model = self.settings, self.model
        self._progress = progress
        model.ent_coef = s.entropy_at(progress)
        self._results.ended = []
        with torch.no_grad():
            model.collect_rollouts(self.env, self._callback, model.rollout_buffer, s.steps)
        with self.clock("optimiser"):
            model.train()
        values = model.logger.name_to_value
        measured = {
            "policy_loss": float(values["train/policy_gradient_loss"]),
            "value_loss": float(values["train/value_loss"]),
            "entropy": -float(values["train/entropy_loss"]),
            "kl": float(values["train/approx_kl"]),
            "clipped": float(values["train/clip_fraction"]),
            "explained": float(values["train/explained_variance"]),
            "samples": float(s.envs * s.steps),
        }
        values.clear()
        if self._results.ended:
            measured |= dict(zip(("won", "unfinished"), np.mean(self._results.ended, 0).tolist(), strict=True))
        return measured

    def state(self) -> dict[str, Any]:
        """All that `restore` needs to go on exactly, apart from the network and the pool."""
        starts: NDArray[np.bool_] = self.model._last_episode_starts  # type: ignore[assignment]
        return {
            "optimizer": self.model.policy.optimizer.state_dict(),
            "games": self.games.state(),
            "starts": torch.from_numpy(np.asarray(starts, np.bool_).copy()),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.policy.optimizer.load_state_dict(state["optimizer"])
        self.games.restore(state["games"])
        self.model._last_obs = self.env.observe()
        self.model._last_episode_starts = state["starts"].numpy()
