"""The spaces of observations, for every API."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box

from rc_env.ruleset import Ruleset

DTYPES = ("float32", "uint8")


def observation_box(ruleset: Ruleset, dtype: str) -> Box:
    """The space of one observation: (F,) float32 in [0, 1], or (F,) uint8 from 0 to `ruleset.observations.divisors`.

    Raises:
        ValueError: another dtype.
    """
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ValueError(f"observation_dtype: {dtype!r} found, expected one of {', '.join(DTYPES)}")
    layout = ruleset.observations
    if dtype == "uint8":
        return Box(np.zeros(layout.size, np.uint8), layout.divisors.copy(), dtype=np.uint8)
    return Box(0.0, 1.0, (layout.size,), np.float32)
