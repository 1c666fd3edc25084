"""Measures how long a preset trains until its network reaches a goal, beside the same preset of another checkout.

`python bench/goal.py --against CHECKOUT` trains with both, in turns, once for each seed. After every 131,072 decisions
the network plays against a bot, which is not counted; a run ends as soon as the network has won a larger share of
these games than the goal. Each run is a process of its own that imports its checkout's `rc_env`. With `--clock
processor` the time is the processor time of a run, which other work on the machine hardly changes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rc_env import checks
from rc_env.apps.speed.against import OTHER, THIS, checkout_folder, environment, summary, this_checkout
from rc_env.training.clock import CLOCKS
from rc_env.training.evaluation import check_games
from rc_env.training.settings import PRESETS

EVERY = 131_072  # decisions from one evaluation to the next
SEEDS, GAMES, GOAL = 5, 2000, 0.75

# What a run executes; it has to do with any version of rc_env that has `rc_env.training`.
WORKER = """
import dataclasses, json, sys, tempfile, time
from pathlib import Path
asked = json.loads(sys.argv[1])
from rc_env.training.evaluation import evaluate
from rc_env.training.network import FrozenBot
from rc_env.training.run import Run
from rc_env.training.settings import PRESETS
clock = getattr(time, asked["clock"])
chosen = dataclasses.replace(
    PRESETS[asked["preset"]], seed=asked["seed"], evaluate_every=10**9, evaluation_games=1, **asked["settings"]
)
with tempfile.TemporaryDirectory() as folder:
    run, spent, due = Run(chosen, Path(folder)), 0.0, 0
    while not run.finished:
        begin = clock()
        run.iterate()
        spent += clock() - begin
        if run.decisions >= due or run.finished:
            due += asked["every"]
            network = getattr(run, "averaged", run.network)  # earlier versions export the last weights
            bot = FrozenBot(network, "net", sample=False)
            (score,) = evaluate(bot, run.ruleset, [asked["bot"]], asked["games"], 10**6 + asked["seed"])
            print(json.dumps([run.decisions, spent, score.share.mean]), flush=True)
            if score.share.mean > asked["goal"]:
                break
"""


def evaluations(checkout: Path, asked: Mapping[str, Any]) -> list[tuple[int, float, float]]:
    """The evaluations of one run: decisions so far, seconds so far, the share of games won; the last is at the goal.

    Raises:
        ValueError: its `rc_env` does not run, or the preset ends below the goal.
    """
    words = [sys.executable, "-c", WORKER, json.dumps(dict(asked))]
    run = subprocess.run(words, env=environment(checkout), stdout=subprocess.PIPE, text=True)
    if run.returncode:
        raise ValueError(f"--against: rc_env in {checkout} did not train; its message stands above")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    if rows[-1][2] <= asked["goal"]:
        won, goal = rows[-1][2], asked["goal"]
        raise ValueError(f"--goal {goal:.0%} is not reached: seed {asked['seed']} ended at {won:.1%}")
    return [(int(decisions), float(seconds), float(share)) for decisions, seconds, share in rows]


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare how long training takes until a network reaches a goal.")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout (default: this one alone)")
    parser.add_argument("--preset", choices=list(PRESETS), default="quick", help="settings (default: quick)")
    parser.add_argument("--settings", type=json.loads, default={}, help="settings that replace those of this checkout")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"runs of each, with seeds from 0 (default: {SEEDS})")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--bot", default="greedy", help="the opponent (default: greedy)")
    parser.add_argument("--goal", type=float, default=GOAL, help=f"share of games to exceed (default: {GOAL})")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each evaluation (default: {GAMES})")
    parser.add_argument("--threads", type=int, default=1, help="of the network (default: 1)")
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall", help="what is measured (default: wall)")
    args = parser.parse_args(words)
    try:
        _compare(args)
    except ValueError as error:
        parser.exit(2, f"goal: {error}\n")


def _compare(args: argparse.Namespace) -> None:
    """Train with both in turns, and print the times."""
    seeds = checks.whole_number("seeds", args.seeds, 1, 1000)
    first = checks.seed("first", args.first)
    checks.number("goal", args.goal, 0, 1)
    check_games(args.games)
    sides = {THIS: this_checkout()} | ({OTHER: checkout_folder(args.against)} if args.against else {})
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(first, first + seeds):
        for name in list(sides) if number % 2 else reversed(list(sides)):
            asked = {"preset": args.preset, "seed": number, "bot": args.bot, "goal": args.goal, "games": args.games}
            asked |= {"every": EVERY, "clock": CLOCKS[args.clock].__name__}
            asked["settings"] = {"threads": args.threads} | (args.settings if name == THIS else {})
            decisions, spent, share = evaluations(sides[name], asked)[-1]
            seconds[name].append(spent)
            print(f"seed {number}, {name}: {share:.1%} after {decisions:,} decisions, {spent:.0f} s", flush=True)
    for name, each in seconds.items():
        print(f"{name}: mean {np.mean(each):.0f} s of {args.clock} time, {min(each):.0f} to {max(each):.0f}")
    if len(sides) == 2:
        ratio = summary("seconds to the other's", seconds[THIS], seconds[OTHER])
        means = np.mean(seconds[THIS]) / np.mean(seconds[OTHER])
        print(
            f"means: {means:.2f} of the other's; by seed: median {ratio['median']:.2f} "
            f"({ratio['low']:.2f} to {ratio['high']:.2f})"
        )


if __name__ == "__main__":
    main()
