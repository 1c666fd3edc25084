"""Shared by the examples: command-line options, a shaped reward, and the evaluation of a policy."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import torch

import rc_env
from rc_env.bot import Position

SCALE = 0.05  # reward for a point of prestige more than the best opponent; winning is worth 1, losing -1


def arguments() -> argparse.Namespace:
    """Parse the options of all examples; also set the seed of PyTorch, and one thread."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300, help="seconds of learning")
    parser.add_argument("--deals", type=int, default=500, help="deals against each bot, every deal from both seats")
    parser.add_argument("--games", type=int, default=10_000, help="games in the data set of minari_imitation.py")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    return parser.parse_args()


def lead(prestige: np.ndarray, seat: np.ndarray) -> np.ndarray:
    """(B,) the lead of each row's seat over the best other seat in prestige, from (B, S) prestige and (B,) seats."""
    mine = np.arange(prestige.shape[1]) == np.asarray(seat)[:, None]
    return np.where(mine, prestige, 0).sum(1) - np.where(mine, -1000, prestige).max(1)


class LeadReward(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Adds a shaped reward: the growth of the lead in prestige since the learner's last decision."""

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(**options)
        self._lead = lead(info["prestige"][None], np.array([info["seat"]]))[0]
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        before, self._lead = self._lead, lead(info["prestige"][None], np.array([info["seat"]]))[0]
        return observation, float(reward + SCALE * (self._lead - before)), terminated, truncated, info


def one_game(**settings: Any) -> gymnasium.Env[Any, Any]:
    """The environment that most examples learn in: one seat against `greedy`, with the reward above."""
    return LeadReward(gymnasium.make("rc_env:RedCathedral-v0", **{"opponents": "greedy", **settings}))


class LeadRewards(gymnasium.vector.VectorWrapper):
    """The same shaped reward for many games at once; in the last step of a game it counts the lead at its end."""

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        observations, infos = self.env.reset(**options)
        self._seat = infos["seat"]
        self._lead = lead(self.env.engine.results().prestige, self._seat)
        return observations, infos

    def step(self, actions: Any) -> tuple[Any, ...]:
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over, prestige = terminated | truncated, self.env.engine.results().prestige
        final = infos["final_info"]["prestige"] if over.any() else prestige
        grown = lead(np.where(over[:, None], final, prestige), self._seat) - self._lead
        self._seat = infos["seat"]
        self._lead = lead(prestige, self._seat)
        return observations, (rewards + SCALE * grown).astype(np.float32), terminated, truncated, infos


BOTS = ("random", "greedy", "rush", "majority", "all_rounder")


def mixed_games(opponent: str, count: int, rows: int = 100) -> Iterator[dict[str, Any]]:
    """Games of each of `BOTS` against one opponent.

    Yields:
        A game as lists by name: observations and infos of the bot's seat, including those at the end, and its actions
        and rewards.
    """
    envs = rc_env.OneSeatVectorEnv(rows, opponents=opponent, observation_dtype="uint8")
    bots = [rc_env.make_bot(name) for name in BOTS]
    (shown, infos), running = envs.reset(seed=BOTS.index(opponent)), [[] for _ in range(rows)]
    names = ("observations", "action_mask", "seat", "prestige", "winners")
    while count > 0:
        now, actions = envs.engine.results(), np.zeros(rows, np.int64)
        seen = (shown, infos["action_mask"], infos["seat"], now.prestige, now.winners)
        for k, bot in enumerate(bots):
            mine = np.arange(k, rows, len(bots))
            actions[mine] = bot.act(Position.of(envs.engine, mine))
        shown, rewards, terminated, truncated, infos = envs.step(actions)
        for row, steps in enumerate(running):
            steps.append([part[row] for part in (*seen, actions, rewards, terminated, truncated)])
            if (terminated[row] or truncated[row]) and count > 0:
                end, mask = infos["final_info"], np.zeros_like(seen[1][row])
                last = (infos["final_obs"][row], mask, seen[2][row], end["prestige"][row], end["winners"][row])
                before, after = zip(*((one[:5], one[5:]) for one in steps), strict=True)
                game = {name: np.stack(part) for name, part in zip(names, zip(*before, last), strict=True)}
                ends = ("actions", "rewards", "terminations", "truncations")
                yield game | {name: list(part) for name, part in zip(ends, zip(*after, strict=True), strict=True)}
                running[row], count = [], count - 1


def legal(logits: torch.Tensor, mask: Any) -> torch.Tensor:
    """Logits with which no illegal action is ever drawn: -1e9 where the mask is 0."""
    return logits.masked_fill(torch.as_tensor(mask) == 0, -1e9)


class PolicyBot:
    """A policy as a bot: `choose` gives the (N,) actions of N positions, see `rc_env.bot.Position`."""

    name = "policy"

    def __init__(self, choose: Callable[[Position], Any]) -> None:
        self.choose = choose

    def act(self, position: Position) -> np.ndarray:
        with torch.no_grad():
            return np.asarray(self.choose(position), np.int64)

    def reset(self, seed: int) -> None:
        """Do nothing: the policy makes no random choices."""


class Clock:
    """Measures the time of an example: `over` says whether its seconds are up, `report` prints the results."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.begin, self.processor = seconds, time.perf_counter(), time.process_time()

    @property
    def share(self) -> float:
        """The share of the seconds that has passed, from 0 to 1."""
        return min(1.0, (time.perf_counter() - self.begin) / self.seconds)

    @property
    def over(self) -> bool:
        return self.share >= 1

    def report(self, decisions: int, choose: Callable[[Position], Any], deals: int) -> None:
        """Print the speed, then the results of the policy against two bots, on deals that were not used for
        training."""
        wall, cpu = time.perf_counter() - self.begin, time.process_time() - self.processor
        print(f"{decisions:,} decisions in {wall:.0f} s ({cpu:.0f} s of processor time):", end=" ")
        print(f"{decisions / wall:,.0f} a second ({decisions / cpu:,.0f} a second of processor time)")
        for opponent in ("random", "greedy"):
            share = rc_env.play_match([PolicyBot(choose), opponent], deals=deals, seed=920_001).share(0)
            print(f"against {opponent}: {share.mean:.1%} of {share.games} games ({share.low:.1%} to {share.high:.1%})")
