"""The PettingZoo module: `red_cathedral_v0.env()` and `red_cathedral_v0.raw_env()`.

Example:
    >>> from rc_env import red_cathedral_v0
    >>> env = red_cathedral_v0.env()
    >>> env.possible_agents
    ['player_0', 'player_1']
"""

from rc_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
