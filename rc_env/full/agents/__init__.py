"""The compiled modules of the bots, once more, for games with a switch of the expansion: see `rc_env.full`.

They are loaded from the files of `rc_env.agents`, whose own `__init__` (names of bots and their classes) is loaded once
and not again here. `rc_env.agents.build.build_of` says which build a game is played with.
"""

from pathlib import Path

__path__ = [str(Path(__file__).parents[2] / "agents")]
