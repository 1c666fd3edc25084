"""The memory of an engine's games, for tests that alter them; users get `Engine.games`, which is read-only."""

from __future__ import annotations

import numpy as np

from rc_env import Engine


def writeable(engine: Engine) -> np.recarray:
    """Return (B,) GAME, the memory of the engine's games itself."""
    return engine._loops.raw.view(engine.games.dtype).view(np.recarray)
