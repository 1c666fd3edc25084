"""The PettingZoo module: `red_cathedral_v0.env()` and `red_cathedral_v0.raw_env()`."""

from rc_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
