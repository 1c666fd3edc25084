"""What single calls of an engine cost from Python, beside another checkout: `python bench/engine_calls.py FOLDER`.

Two processes take turns, and the order changes from pair to pair. Each run is the time of the processor that one call
takes, on average over about 0.1 s of them. Printed are the medians of both, and the median of the ratios with its 95%
interval: above 1, this checkout takes longer. The games are of two players.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack, closing
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from rc_env.apps.speed.against import Side, summary, this_checkout

SIZES = (1, 4096)
CALLS = ("clone", "clone(out)", "clone(rows)", "restore", "step", "step, observe", "vector env")
OF_ONE = ("raw_env", "OpenSpiel", "OpenSpiel, no tensor")
"""One decision of one game: through `raw_env` (last, step), and through OpenSpiel if it is installed (tensor, mask,
actions, apply_action, and the dice that are rolled)."""
WORKER = """
import json, sys, time
import numpy as np
from rc_env import Engine, RedCathedralVectorEnv, Ruleset

def calls(size):
    engine, rows = Engine(Ruleset(2), size, 1), np.arange(size)
    engine.play_random(60)
    copies, seen = engine.clone(), np.zeros((size, engine.num_features), np.uint8)
    out = copies.copy()
    def step():
        engine.step(engine.legal_mask().argmax(1), auto_reset=True)
    def step_and_observe():
        step()
        engine.observe(dtype=np.uint8, out=seen)
    env = RedCathedralVectorEnv(size)
    infos = [env.reset(seed=1)[1]]
    def vector():
        infos[0] = env.step(infos[0]["action_mask"].argmax(1))[4]
    return dict(zip(json.loads(sys.argv[1]), (
        engine.clone, lambda: engine.clone(out=out), lambda: engine.clone(rows), lambda: engine.restore(copies), step,
        step_and_observe, vector,
    )))

def of_one():
    from rc_env.envs.aec import raw_env
    env = raw_env()
    env.reset(seed=1)
    def decide():
        _, _, terminated, truncated, info = env.last()
        env.reset() if terminated or truncated else env.step(info["action_mask"].argmax())
    found = {"raw_env": decide}
    try:
        import pyspiel, random, rc_env.envs.open_spiel
    except ImportError:
        return found
    game, choose = pyspiel.load_game("red_cathedral"), random.Random(1).random
    def spiel(tensor):
        at = [game.new_initial_state()]
        def decide():
            while at[0].is_terminal() or at[0].is_chance_node():
                if at[0].is_terminal():
                    at[0] = game.new_initial_state()
                outcomes = at[0].chance_outcomes()
                at[0].apply_action(outcomes[int(choose() * len(outcomes))][0])
            state = at[0]
            if tensor:
                state.observation_tensor()
            state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
        return decide
    return found | {"OpenSpiel": spiel(True), "OpenSpiel, no tensor": spiel(False)}

made = {size: calls(size) for size in json.loads(sys.argv[2])}
made[1] |= of_one()
print(json.dumps(None), flush=True)
for line in sys.stdin:
    name, size = json.loads(line)
    call, count, begin, end = made[size][name], 0, time.process_time(), time.process_time() + 0.1
    while (now := time.process_time()) < end:
        for _ in range(max(1, 200 // size)):
            call()
        count += max(1, 200 // size)
    print(json.dumps((now - begin) / count), flush=True)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the other checkout")
    parser.add_argument("--pairs", type=int, default=31, help="how many runs of each call (default: %(default)s)")
    args = parser.parse_args()
    words = json.dumps(CALLS), json.dumps(SIZES)
    with ExitStack() as opened:
        sides = [
            opened.enter_context(closing(Side(folder, WORKER, *words))) for folder in (this_checkout(), args.folder)
        ]
        for size in SIZES:
            for name in (*CALLS, *(OF_ONE[: None if find_spec("pyspiel") else 1] if size == 1 else ())):
                found: list[list[float]] = [[], []]
                for pair in range(args.pairs + 1):
                    for side in (0, 1) if pair % 2 else (1, 0):
                        found[side].append(sides[side].ask(json.dumps((name, size))) or 0.0)
                own, other = (each[1:] for each in found)  # the first run warms up
                ratio = summary(name, own, other)
                print(
                    f"{size:5} games, {name:20} {1e6 * np.median(own):9.2f} µs here {1e6 * np.median(other):9.2f} µs "
                    f"there, ratio {ratio['median']:.3f} ({ratio['low']:.3f} to {ratio['high']:.3f})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
