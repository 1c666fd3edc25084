"""Compiling before it is needed, or loading what is compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rc_env import checks
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset


def warmup(players: Sequence[int] = (2,), *, full: bool = False) -> None:
    """Compile every kernel, or load it from the cache: call once before processes fork or clocks start.

    Args:
        players: numbers of players whose games are tried out here. What is compiled serves every variant of two to four
            players; the solo game has code of its own.
        full: compile the build that games with a switch of the expansion are played with (`Ruleset.full`), instead of
            that of the base game.

    Raises:
        ValueError: these are no numbers of players.

    Example:
        >>> from rc_env import warmup
        >>> warmup(players=(2, 3))
    """
    checks.flag("full", full)
    expected = "a list of numbers of players, from 1 to 4"
    counts = checks.array("players", players, expected)
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or not np.isin(counts, (1, 2, 3, 4)).all():
        checks.refuse("players", players, expected)
    for count in counts.tolist():
        engine = Engine(Ruleset(players=count, special_tiles=full), 2)
        engine.step([-1, -1], dice=[[1], [1]])
        engine.observe()
        engine.play_random(1, masks=True, observations=np.empty((2, engine.num_features), np.float32))
        engine.results()
        engine.returns()
        engine.restore(engine.clone())
