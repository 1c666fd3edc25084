"""Gymnasium spaces of observations, used by every API."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict

from rc_env import checks
from rc_env.ruleset import Ruleset

DTYPES = ("float32", "uint8")
FORMS = ("dict", "box")
"""What `observation` chooses from: the vector beside the mask of legal actions, or the vector alone."""


def observation_box(ruleset: Ruleset, dtype: str) -> Box:
    """The space of one observation: (F,) float32 in [0, 1], or (F,) uint8 from 0 to `ruleset.observations.divisors`.

    Raises:
        ValueError: another dtype, or no ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    checks.one_of("observation_dtype", dtype, DTYPES)
    layout = ruleset.observations
    if dtype == "uint8":
        return Box(np.zeros(layout.size, np.uint8), layout.divisors.copy(), dtype=np.uint8)
    return Box(0.0, 1.0, (layout.size,), np.float32)


def observation_dict(ruleset: Ruleset, dtype: str) -> Dict:
    """The space of an observation with its mask: "observation", as in `observation_box`, and "action_mask" (A,) int8.

    Raises:
        ValueError: another dtype, or no ruleset.
    """
    vector = observation_box(ruleset, dtype)
    return Dict({"observation": vector, "action_mask": Box(0, 1, (ruleset.actions.size,), np.int8)})
