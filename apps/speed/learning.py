"""`rc bench --training`: how fast training is, beside the bare cost of the network at the same sizes."""

from __future__ import annotations

import dataclasses
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rc_env.training.clock import Clock
from rc_env.training.games import SelfPlayGames
from rc_env.training.network import FrozenBot, Network, log_policy
from rc_env.training.pool import SELF, OpponentPool
from rc_env.training.ppo import PPO
from rc_env.training.settings import PRESETS, TrainingSettings

WARM = 4  # iterations before measuring: games have spread over their length, and the pool has its snapshots


class _Nothing:
    """A stand-in for games that costs nothing: the same arrays at every step, with the learner to decide everywhere."""

    def __init__(self, games: SelfPlayGames) -> None:
        self.engine = self
        self.clock = Clock()
        self._numbers, self._mask = games.engine.observe(dtype=np.uint8), games.engine.legal_mask().copy()
        self.mine = np.ones(len(self._mask), np.bool_)
        self.seat = games.seat.copy()
        self.rewards, self.dones = np.zeros_like(games.rewards), np.zeros_like(games.dones)

    def rotate(self, steps: int) -> None:
        pass

    def observe(self, rows: Any, dtype: Any) -> np.ndarray:
        return self._numbers

    def legal_mask(self) -> np.ndarray:
        return self._mask

    def step(self, actions: np.ndarray, mine: np.ndarray) -> None:
        pass


def measure(runs: int, chosen: TrainingSettings | None = None) -> dict[str, Any]:
    """Decisions a second of everything that training does, as medians of several runs.

    Returns:
        "forward" and "update": the bare network, at the size of a step and of a gradient step (with Adam).
        "rollout" and "idle_rollout": self-play against itself alone, over the engine and over games that do nothing;
        "rollout_share": their ratio.
        "training": whole iterations with the preset's opponents, whose decisions count, too; "shares": of their time,
        by part; "learned": of those the learner's alone, which are learned from.
        "sb3": whole iterations of MaskablePPO with the same settings, the learner's decisions alone.
    """
    chosen = PRESETS["quick"] if chosen is None else chosen
    threads = torch.get_num_threads()
    torch.set_num_threads(chosen.threads or os.cpu_count() or 1)
    try:
        return _measure(runs, chosen)
    finally:
        torch.set_num_threads(threads)


def _measure(runs: int, s: TrainingSettings) -> dict[str, Any]:
    torch.manual_seed(0)
    network = Network(s)
    alone = PPO(s, network, OpponentPool({SELF: 1}))
    for _ in range(WARM):
        alone.collect()
    each = s.envs * s.steps
    results: dict[str, Any] = {
        "device": str(network.device),
        "precision": str(network.precision).removeprefix("torch."),
        "threads": torch.get_num_threads(),
        "envs": s.envs,
        "batch": s.batch,
        "weights": sum(tensor.numel() for tensor in network.parameters()),
    }
    inputs = network.encode(alone.games.engine.observe(dtype=np.uint8))
    results["forward"] = _rate(lambda: _forward(network, inputs, s.steps), each, runs)
    samples = alone._rollout.samples(s.gamma, s.gae_lambda)
    batch = slice(0, min(s.batch, len(samples)))
    count = batch.stop

    def update() -> None:
        for _ in range(8):
            logits, values = network(samples.inputs[batch])
            log_probs = log_policy(logits, samples.masks[batch])
            alone.optimizer.zero_grad()
            (log_probs.gather(1, samples.actions[batch, None]).mean() + values.mean()).backward()
            alone.optimizer.step()

    results["update"] = _rate(update, 8 * count, runs)
    # In turns, so that whatever else the machine does disturbs both alike.
    rates: dict[str, list[float]] = {"rollout": [], "idle_rollout": []}
    real, idle = alone.games, _Nothing(alone.games)
    for _ in range(runs + 1):
        for name, games in (("rollout", real), ("idle_rollout", idle)):
            alone.games = games  # type: ignore[assignment]
            alone.clock = games.clock
            rates[name].append(each / _seconds(alone.collect))
    for name, values in rates.items():
        results[name] = round(statistics.median(values[1:]))
    results["rollout_share"] = round(results["rollout"] / results["idle_rollout"], 3)

    for name in ("ppo", "sb3"):
        learner = _learner(dataclasses.replace(s, learner=name))
        for _ in range(WARM):
            learner.iterate(0.0)
        learner.clock.take()
        rows: list[dict[str, float]] = []
        seconds = [_seconds(lambda: rows.append(learner.iterate(0.0))) for _ in range(runs)]  # noqa: B023 - called here
        learned = [row["samples"] / spent for row, spent in zip(rows, seconds, strict=True)]
        results["learned" if name == "ppo" else name] = round(statistics.median(learned))
        shares = {part: round(spent / sum(seconds), 3) for part, spent in learner.clock.take().items()}
        if name == "ppo":
            results["training"], results["shares"] = round(each / statistics.median(seconds)), shares
    return results


def _learner(s: TrainingSettings) -> Any:
    network, pool = Network(s), s.pool()
    learner: Any
    if s.learner == "sb3":
        from rc_env.training.sb3_learner import StableBaselines

        learner = StableBaselines(s, network, pool)
    else:
        learner = PPO(s, network, pool)
    for _ in range(s.snapshots):
        pool.add(FrozenBot(network), np.unique(learner.games.players).tolist())
    return learner


@torch.inference_mode()
def _forward(network: Network, inputs: torch.Tensor, times: int) -> None:
    for _ in range(times):
        network(inputs)


def _seconds(work: Callable[[], Any]) -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    begin = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def _rate(work: Callable[[], Any], count: int, runs: int) -> int:
    work()
    return round(count / statistics.median(_seconds(work) for _ in range(runs)))


def table(results: dict[str, Any]) -> str:
    """The results as a text table."""
    r = results
    lines = [
        f"{r['weights']:,} weights, {r['precision']} on {r['device']}, {r['threads']} thread(s)",
        f"network alone, forward, {r['envs']:,} at once {r['forward']:>14,} decisions/s",
        f"network alone, gradient step of {r['batch']:,} {r['update']:>14,} samples/s",
        f"rollout, games that do nothing {r['idle_rollout']:>19,} decisions/s",
        f"rollout, games of the engine {r['rollout']:>21,} decisions/s ({r['rollout_share']:.0%} of that)",
        f"training {r['training']:>41,} decisions/s, opponents' included",
        *(f"  of which {part} {share:>34.1%}" for part, share in sorted(r["shares"].items())),
        f"learned from {r['learned']:>37,} decisions/s",
        f"learned from by MaskablePPO {r['sb3']:>22,} decisions/s",
    ]
    return "\n".join(lines)
