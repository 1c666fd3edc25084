"""Shared by the examples: command-line options, a shaped reward, the evaluation of a policy, and runs that go on."""

from __future__ import annotations

import argparse
import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch

import rc_env
from rc_env import files
from rc_env.bot import Position
from rc_env.training.baseline import ANCHORS, FINAL, scored, write_final
from rc_env.training.checkpoint import FILE, LOG
from rc_env.training.evaluation import evaluate
from rc_env.training.run import EVALUATION_SEED

SCALE = 0.05  # reward for a point of prestige more than the best opponent; winning is worth 1, losing -1


def arguments(*more: str) -> argparse.Namespace:
    """Parse the options of all examples, and those that only some have; also set the seed of PyTorch, and one thread.

    Args:
        more: which of the latter: `games`, `imitation`, or `baseline` for those of `Training`.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300, help="seconds of learning")
    parser.add_argument("--deals", type=int, default=500, help="deals against each bot, every deal from both seats")
    parser.add_argument("--seed", type=int, default=1, help="seed of weights, batches and environments")
    if "games" in more:
        parser.add_argument("--games", type=int, default=10_000, help="games in the data set")
    if "imitation" in more:
        parser.add_argument("--imitation", type=float, default=0.6, help="share of the time that imitates; 0: none")
    if "baseline" in more:
        parser.add_argument("--decisions", type=int, default=0, help="decisions to learn from, instead of seconds")
        parser.add_argument("--out", type=Path, help="folder of a run that goes on where it stopped: baselines")
        parser.add_argument("--every", type=int, default=1_000_000, help="with --out: decisions between evaluations")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    return args


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


class Training(Clock):
    """A clock of a baseline: its budget is in decisions, and its folder holds what it needs to go on after a stop.

    The folder gets `progress.jsonl`, a line for each evaluation as `rc train` writes it (`rc curve` draws it),
    `checkpoint.pt`, and at the end `final.json`. A run that goes on begins new games, so it is not the same run bit for
    bit as one that was never stopped. Without `--out` and `--decisions` it is the clock alone.

    Args:
        args: those of `arguments("baseline")`.
        choose: the policy, as `PolicyBot` takes it.
        parts: what has a `state_dict`, by name: networks, optimisers. They are restored at once.
    """

    def __init__(self, args: argparse.Namespace, choose: Callable[[Position], Any], **parts: Any) -> None:
        super().__init__(args.seconds)
        self.args, self.bot, self.parts = args, PolicyBot(choose), parts
        self.decisions, self.spent, self.logged, self.due = 0, 0.0, 0.0, args.every
        if args.out is None:
            return
        files.make_folder(args.out)
        if (args.out / FILE).is_file():
            state = torch.load(args.out / FILE, weights_only=True)
            for name, part in parts.items():
                part.load_state_dict(state[name])
            self.decisions, self.spent, self.due = state["decisions"], state["spent"], state["due"]
            self.logged = self.spent
        log = args.out / LOG
        kept = [row for row in files.whole_lines(log) if json.loads(row)["decisions"] <= self.decisions]
        files.write(log, "".join(row + "\n" for row in kept))

    @property
    def share(self) -> float:
        return min(1.0, self.decisions / self.args.decisions) if self.args.decisions else super().share

    @property
    def seconds_of_processor(self) -> float:
        """Those of this run, also before it was stopped."""
        return self.spent + time.process_time() - self.processor

    def count(self, decisions: int) -> None:
        """Note that so many decisions were learned from; evaluate the policy and keep it where that is due."""
        self.decisions += decisions
        if self.args.out is None or not (self.decisions >= self.due or self.over):
            return
        self.due += self.args.every
        scores = evaluate(self.bot, scored(rc_env.Ruleset()), ANCHORS, 400, EVALUATION_SEED)
        won = {f"won/{one.opponent}": one.share.mean for one in scores}
        spent, before = self.seconds_of_processor, self.logged
        self.logged = spent
        row = {"decisions": self.decisions, **won, "seconds_of_processor": spent - before}
        files.append(self.args.out / LOG, json.dumps(row))
        state = {"decisions": self.decisions, "spent": spent, "due": self.due}
        buffer = io.BytesIO()
        torch.save(state | {name: part.state_dict() for name, part in self.parts.items()}, buffer)
        files.write(self.args.out / FILE, buffer.getvalue())

    def finish(self) -> None:
        """Print the results, as `report` does; with `--out` write those of `--deals` deals against each anchor, as
        `rc_env.training.baseline` says."""
        if self.args.out is None:
            return self.report(self.decisions, self.bot.choose, self.args.deals)
        write_final(
            self.args.out,
            self.bot,
            rc_env.Ruleset(),
            self.decisions,
            self.seconds_of_processor,
            games=2 * self.args.deals,
        )
        print(f"results: {self.args.out / FINAL}")
