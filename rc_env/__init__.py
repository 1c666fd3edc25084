"""The Red Cathedral as a reinforcement-learning environment.

`Engine` plays many games at once; `red_cathedral_v0` is the PettingZoo face, `RedCathedralVectorEnv` the Gymnasium
vector face, and `gymnasium.make("rc_env:RedCathedral-v0")` one seat against given bots.
"""

from rc_env.engine import Engine, Results, warmup
from rc_env.rules.data_file import DataError
from rc_env.ruleset import RULES_VERSION, Ruleset

__version__ = "0.1.0"

__all__ = ["RULES_VERSION", "DataError", "Engine", "Results", "Ruleset", "warmup"]
