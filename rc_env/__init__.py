"""The Red Cathedral as a reinforcement-learning environment.

`Engine` plays many games at once; `red_cathedral_v0` is the PettingZoo API, `RedCathedralVectorEnv` the vector
environment of Gymnasium, and `gymnasium.make("rc_env:RedCathedral-v0")` one seat against given bots. `make_bot` makes a
bot from its name, `play_match` plays bots against each other; both are loaded when they are first used, so that
importing the environment imports no bot.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import gymnasium
import pettingzoo

from rc_env import moved, red_cathedral_v0
from rc_env.batch import Results
from rc_env.engine import Engine
from rc_env.envs.gym import OneSeatEnv, OneSeatVectorEnv
from rc_env.envs.vector import RedCathedralVectorEnv
from rc_env.rules.printed.data_file import DataError
from rc_env.ruleset import RULES_VERSION, Ruleset
from rc_env.warming_up import warmup

if TYPE_CHECKING:
    from rc_env.agents.registry import from_text as make_bot
    from rc_env.arena.match import play_match

__version__ = "0.4.0.dev0"

__all__ = [
    "RULES_VERSION",
    "DataError",
    "Engine",
    "OneSeatEnv",
    "OneSeatVectorEnv",
    "RedCathedralVectorEnv",
    "Results",
    "Ruleset",
    "make_bot",
    "play_match",
    "red_cathedral_v0",
    "warmup",
]

_LAZY = {
    "make_bot": ("rc_env.agents.registry", "from_text"),
    "play_match": ("rc_env.arena.match", "play_match"),
}
"""Names that are loaded when they are first used: the module of each, and its name there."""


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LAZY[name]
    found = getattr(importlib.import_module(module), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


moved.refuse_old_names()
gymnasium.register(
    "RedCathedral-v0",
    entry_point="rc_env.envs.gym:OneSeatEnv",
    vector_entry_point="rc_env.envs.gym:OneSeatVectorEnv",
)
pettingzoo.register("aec", "red_cathedral/red_cathedral-v0", "rc_env.envs.aec:env")
