"""Measures training decisions per second on many sets of cards, in turns with one set: the cost of the sets.

`python bench/sets.py` prints both and their ratio. Iterations of both alternate, the one that comes first changing, so
that what else the machine does meets both.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace

import torch

from rc_env import checks
from rc_env.training.clock import CLOCKS
from rc_env.training.network import Network
from rc_env.training.ppo import PPO
from rc_env.training.settings import PRESETS, TrainingSettings

ONE, MANY = "sample:0", "sample:0-255"


def compare(
    settings: TrainingSettings, rounds: int, one: str = ONE, many: str = MANY, clock: str = "wall"
) -> dict[str, float]:
    """Training decisions a second by name of the sets, the median of the rounds after the first, which warms up.

    Args:
        settings: the settings of both runs, apart from their sets.
        rounds: iterations of each, at least 2.
        one: the sets of the first run.
        many: the sets of the second run.
        clock: one of CLOCKS.

    Raises:
        ValueError: an argument does not fit.
    """
    checks.instance("settings", settings, TrainingSettings, "TrainingSettings")
    rounds = checks.whole_number("rounds", rounds, 2, 10**6)
    now = CLOCKS[checks.one_of("clock", clock, CLOCKS)]
    learners = {}
    for data in (one, many):
        chosen = replace(settings, data=data)
        torch.manual_seed(0)
        learners[data] = PPO(chosen, Network(chosen), chosen.pool(), 1)
    spent: dict[str, list[float]] = {data: [] for data in learners}
    for number in range(rounds):
        for data in (one, many) if number % 2 else (many, one):
            learners[data].games.draw_from(number)
            begin = now()
            learners[data].iterate(number / rounds)
            spent[data].append(now() - begin)
    each = settings.envs * settings.steps
    return {data: each / statistics.median(seconds[1:]) for data, seconds in spent.items()}


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Compare the speed of training on many sets with that on one.")
    parser.add_argument("--rounds", type=int, default=8, help="iterations of each (default: 8)")
    parser.add_argument("--preset", choices=list(PRESETS), default="quick", help="settings (default: quick)")
    parser.add_argument("--many", default=MANY, help=f"the sets (default: {MANY})")
    parser.add_argument("--threads", type=int, default=1, help="of the network (default: 1)")
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall", help="what is measured (default: wall)")
    args = parser.parse_args(words)
    torch.set_num_threads(max(1, args.threads))
    try:
        speed = compare(replace(PRESETS[args.preset], threads=args.threads), args.rounds, ONE, args.many, args.clock)
    except ValueError as error:
        parser.exit(2, f"sets: {error}\n")
    for data, decisions in speed.items():
        print(f"{data}: {decisions:,.0f} training decisions a second of {args.clock} time")
    print(f"{args.many} at {speed[args.many] / speed[ONE]:.1%} of the speed of {ONE}")


if __name__ == "__main__":
    main()
