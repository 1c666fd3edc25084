"""Measures the processor time of each level of opponents for a decision, one game at a time, as `rc serve` asks them:
`python tests/support/web_levels.py [--decisions 200]`. The games have two players, basic workshops, and a level on both
seats; decisions with a single legal action are not counted, since the engine makes them."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

from rc_env import Ruleset
from rc_env.apps.web import workers
from rc_env.apps.web.opponents import LEVELS
from rc_env.apps.web.table import Table


def measure(bot: str, decisions: int) -> np.ndarray:
    """The milliseconds of each decision, (N,), after a game that loads the code and is not counted."""
    took: list[float] = []
    seed = 0
    while seed == 0 or len(took) < decisions:
        table = Table(Ruleset(), [bot, bot], seed)
        for _ in range(40 if seed == 0 else 10**6):
            if table.over:
                break
            position, begun = table.snapshot(), time.process_time()
            action, _ = workers.decide(bot, position, workers.DECISION_SECONDS)
            if seed:
                took.append(time.process_time() - begun)
            table.play_bot(action)
        seed += 1
    return 1000 * np.array(took)


def main(words: Sequence[str] | None = None) -> int:
    """Measure all levels and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=200, help="at least so many of each level, in whole games")
    args = parser.parse_args(words)
    for number, level in enumerate(LEVELS, 1):
        took = measure(level.bot, args.decisions)
        print(
            f"{number} {level.title}: {len(took)} decisions, mean {took.mean():.2f} ms, median {np.median(took):.2f}, "
            f"95th percentile {np.percentile(took, 95):.2f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
