"""The second build of `rc_env.rules`, `rc_env.layout` and `rc_env.kernels`: for games with a switch of the expansion.

Its modules are loaded from the files of the base build, under the name `rc_env.full`, and find another `edition` there.
They import each other relatively, so that each build refers to its own modules. `Ruleset.build` is
the build that a game is played with; nothing but `build.in_build` imports from here.
"""

from pathlib import Path

_HERE = Path(__file__).parent
__path__ = [str(_HERE), str(_HERE.parent)]  # `edition` is found here, everything else beside this folder
