"""The Red Cathedral as a reinforcement-learning environment.

`Engine` plays many games at once; `red_cathedral_v0` is the PettingZoo face, `RedCathedralVectorEnv` the Gymnasium
vector face, and `gymnasium.make("rc_env:RedCathedral-v0")` one seat against given bots.
"""

import gymnasium
import pettingzoo

from rc_env import red_cathedral_v0
from rc_env.engine import Engine, Results, warmup
from rc_env.gym import OneSeatEnv, OneSeatVectorEnv
from rc_env.rules.data_file import DataError
from rc_env.ruleset import RULES_VERSION, Ruleset
from rc_env.vector import RedCathedralVectorEnv

__version__ = "0.2.0"

__all__ = [
    "RULES_VERSION",
    "DataError",
    "Engine",
    "OneSeatEnv",
    "OneSeatVectorEnv",
    "RedCathedralVectorEnv",
    "Results",
    "Ruleset",
    "red_cathedral_v0",
    "warmup",
]

gymnasium.register(
    "RedCathedral-v0",
    entry_point="rc_env.gym:OneSeatEnv",
    vector_entry_point="rc_env.gym:OneSeatVectorEnv",
)
pettingzoo.register("aec", "red_cathedral/red_cathedral-v0", "rc_env.aec:env")
