"""Training by self-play: MaskablePPO over `SelfPlayVecEnv`, from a preset to a model in a folder."""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from tqdm import tqdm

import rc_env
from rc_env.rules.components import Verb
from rc_env.ruleset import Ruleset
from training.evaluate import GAMES, evaluate, show
from training.learned import FILE, PolicyBot, save
from training.selfplay import LATEST, PAST, OpponentPool, SelfPlayVecEnv


@dataclass(frozen=True)
class Settings:
    """All that decides a training run. The budget is in decisions: on one machine a seed always gives one model."""

    # --- the game
    players: int = 2
    workshop: str = "basic"
    data: str = "base"
    reward: str = "win"
    reward_scale: float = 1.0
    turn_limit: int = 100  # sensible games take about 50 turns; early ones would otherwise take hundreds
    # --- the budget
    seed: int = 0
    decisions: int = 2_000_000
    # --- opponents, drawn for each game
    opponents: Mapping[str, float] = field(default_factory=lambda: {LATEST: 0.6, PAST: 0.4})
    snapshot_every: int = 64  # rollouts
    snapshots: int = 6
    # --- PPO; many small updates learn faster here than few large ones
    envs: int = 256
    steps: int = 16
    batch: int = 1024
    epochs: int = 3
    learning_rate: float = 7e-4
    last_learning_rate: float = 2e-4
    entropy: float = 0.015
    last_entropy: float = 0.002
    rare: float = 4.0  # how much less likely optional actions are at first, as a power of e
    gamma: float = 1.0  # the result counts, not when it comes
    gae_lambda: float = 0.95
    # --- the network
    trunk: int = 256
    heads: int = 128

    def __post_init__(self) -> None:
        for name, least in (("decisions", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)} found, expected at least {least}")
        _ = self.ruleset

    @property
    def ruleset(self) -> Ruleset:
        """The variant that is trained on."""
        return Ruleset(self.players, self.workshop, self.data, self.turn_limit, self.reward)


PRESETS = {
    # A weak learner never wins against greedy: the margin tells it what is better, and such games are short. Long
    # stretches and a high lambda carry the result back over the many decisions of a game.
    "quick": Settings(
        reward="margin",
        reward_scale=8.0,
        opponents={LATEST: 0.5, PAST: 0.2, "greedy": 0.3},
        snapshot_every=16,
        envs=128,
        steps=64,
        gae_lambda=0.98,
        last_entropy=0.003,
        decisions=1_600_000,
    ),
}


class Trunk(BaseFeaturesExtractor):
    """The first layer, shared by policy and value: most of the work lies there."""

    def __init__(self, space: gymnasium.spaces.Box, width: int) -> None:
        super().__init__(space, width)
        self.layer = torch.nn.Linear(space.shape[0], width)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(N, width) from (N, F)."""
        return torch.relu(self.layer(observations))


class Schedule(BaseCallback):
    """Anneals the entropy bonus, adds snapshots to the pool, and tells how it goes."""

    model: MaskablePPO

    def __init__(self, settings: Settings, env: SelfPlayVecEnv, tell: Callable[[int, dict[str, float]], None]) -> None:
        super().__init__()
        self._settings = settings
        self._env = env
        self._tell = tell
        self._rollouts = 0
        self._won: deque[bool] = deque(maxlen=500)
        self._turns_out: deque[bool] = deque(maxlen=500)

    def _on_rollout_start(self) -> None:
        first, last = self._settings.entropy, self._settings.last_entropy
        self.model.ent_coef = last + (first - last) * self.model._current_progress_remaining
        if self._rollouts and self._rollouts % self._settings.snapshot_every == 0:
            bot = PolicyBot(self.model.policy, "self", seed=self._settings.seed + self._rollouts)
            self._env.pool.add(bot, np.unique(self._env.opponents).tolist())
        self._rollouts += 1

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self._won.append(info["place"] == 0)
                self._turns_out.append(info["truncated"])
        return True

    def _on_rollout_end(self) -> None:
        if self._won:
            self._tell(
                self.num_timesteps,
                {"won": float(np.mean(self._won)), "unfinished": float(np.mean(self._turns_out))},
            )


def build(settings: Settings, env: SelfPlayVecEnv) -> MaskablePPO:
    """The learner, untrained."""
    torch.distributions.Distribution.set_default_validate_args(False)  # they cost a tenth of the time
    first, last = settings.learning_rate, settings.last_learning_rate
    heads = [settings.heads]
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=lambda remaining: last + (first - last) * remaining,
        n_steps=settings.steps,
        batch_size=settings.batch,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.entropy,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"width": settings.trunk},
            "net_arch": {"pi": heads, "vf": heads},
            "activation_fn": torch.nn.ReLU,
        },
        seed=settings.seed,
        device="cpu",
    )
    # Giving up prestige is legal at nearly every decision: played at random, it leaves no prestige worth playing for,
    # and the learner settles on selling it early.
    optional = [
        number
        for number, action in enumerate(settings.ruleset.actions.actions)
        if action.verb in (Verb.RUBLES, Verb.REROLL)
    ]
    with torch.no_grad():
        model.policy.action_net.bias[optional] -= settings.rare
    return model


def train(
    settings: Settings, folder: Path, tell: Callable[[int, dict[str, float]], None] = lambda decisions, scores: None
) -> MaskablePPO:
    """Train, and leave `config.json` and `model.zip` in the folder.

    Args:
        settings: see `Settings`.
        folder: is made if there is none.
        tell: called after each rollout with the decisions so far and shares of the last 500 games: "won" by the
            learner, and "unfinished" at the turn limit.

    Raises:
        ValueError: a setting is out of range.
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(dataclasses.asdict(settings), indent=2) + "\n")
    pool = OpponentPool(settings.opponents, settings.snapshots)
    env = SelfPlayVecEnv(settings.ruleset, settings.envs, pool, seed=settings.seed, scale=settings.reward_scale)
    model = build(settings, env)
    model.learn(settings.decisions, callback=Schedule(settings, env, tell), log_interval=10**9)
    save(model, settings.ruleset, folder)
    return model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc train`. Those left out are the preset's."""
    parser.add_argument("--preset", choices=sorted(PRESETS), default="quick", help="default: quick")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for config.json and model.zip (default: in runs/)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"against each bot at the end (default: {GAMES})")
    for name, kind, text in (
        ("seed", int, "of everything that is drawn"),
        ("decisions", int, "the budget"),
        ("players", int, "2, 3 or 4, or 1 for the solo game"),
        ("workshop", str, "basic or advanced"),
    ):
        parser.add_argument(f"--{name}", type=kind, help=text)


def main(args: argparse.Namespace) -> int:
    """`rc train`: train, then play the result against the bots."""
    start = time.monotonic()
    settings = PRESETS[args.preset]
    given = {name: getattr(args, name) for name in ("seed", "decisions", "players", "workshop")}
    settings = dataclasses.replace(settings, **{name: value for name, value in given.items() if value is not None})
    ruleset = settings.ruleset
    name = f"{args.preset}-{ruleset.players}p-{ruleset.workshop}-seed{settings.seed}"
    folder = args.out or Path("runs") / name
    if args.games < 1:
        raise ValueError(f"games: {args.games} found, expected at least 1")
    folder.mkdir(parents=True, exist_ok=True)  # what cannot be written is told now, not after the training

    print("Compiling the rules (up to a minute the first time; kept for later) ...", flush=True)
    rc_env.warmup((ruleset.players,))
    print(f"Training {name}: {settings.decisions:,} decisions ...", flush=True)
    with tqdm(total=settings.decisions, unit=" decisions", unit_scale=True, desc="Training") as bar:

        def tell(decisions: int, scores: dict[str, float]) -> None:
            bar.update(decisions - bar.n)
            bar.set_postfix({label: f"{share:.0%}" for label, share in scores.items()}, refresh=False)

        model = train(settings, folder, tell)
    trained = time.monotonic()
    print(f"Trained in {trained - start:.0f} s. Playing {args.games:,} games against each bot ...", flush=True)
    scores = evaluate(PolicyBot(model.policy), dataclasses.replace(ruleset, turn_limit=1000), games=args.games)
    show(name, scores, ruleset, 0)
    print(f"{folder}/{FILE}: rc evaluate {folder} plays it again. {time.monotonic() - start:.0f} s in all.")
    return 0
