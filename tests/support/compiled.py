"""Compiles the kernels of a build, or loads them from the cache: `python tests/support/compiled.py base|full [bots]`.

`tests/conftest.py` runs it before several processes need them at once.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from rc_env import Engine, Ruleset, agents
from rc_env.arena import match
from rc_env.bot import Position
from rc_env.record import Recorder


def use(ruleset: Ruleset) -> None:
    """Use every kernel of the engine and of records once."""
    engine = Engine(ruleset, 2)
    engine.step([-1, -1], dice=[[1], [1]])
    for dtype in (np.float32, np.uint8):
        engine.observe(dtype=dtype)
        engine.play_random(1, masks=True, observations=np.empty((2, engine.num_features), dtype))
    engine.results()
    engine.returns()
    engine.restore(engine.clone(seat=0))
    engine.conceal(engine.clone(), 0)
    match.play_match(["random"] * ruleset.players, 1, ruleset, recorder=Recorder(lambda number, text: None))


def main(build: str, bots: bool) -> None:
    """Use every kernel of the engine and of records once; with `bots` also those of the bots."""
    ruleset = Ruleset(turn_limit=2, fourth_guild={"base": "clergy", "full": "archivists"}[build])
    use(ruleset)
    use(replace(ruleset, players=1))
    if bots:
        position = Position.of(Engine(ruleset))
        searches = (
            "simulations=1",
            "simulations=4,net=shipped,sure=1",
        )
        for name in ("greedy", *(f"search:{settings}" for settings in searches)):
            agents.from_text(name).act(position)


if __name__ == "__main__":
    main(sys.argv[1], "bots" in sys.argv)
