"""The games of an engine, to be altered by tests; what users get, `Engine.games`, is read-only."""

from __future__ import annotations

import numpy as np

from rc_env import Engine


def writeable(engine: Engine) -> np.recarray:
    """(B,) GAME, the memory of the engine's games itself."""
    return engine._games
