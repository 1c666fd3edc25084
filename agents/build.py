"""What bots take from the compiled modules of the build that a game is played with: `build_of(ruleset)`.

Like `rc_env.build`, this module is loaded once for each build.
"""

from __future__ import annotations

from rc_env.build import in_build
from rc_env.ruleset import Ruleset

from . import scorer, simulation


class AgentsBuild:
    """The bots of one of the two builds, with a class for each module."""

    class scorer:
        """`scorer`: points for every action by the weights of a plan."""

        WEIGHTS = scorer.WEIGHTS
        SCRATCH = scorer.SCRATCH
        choose = staticmethod(scorer.choose)

    class simulation:
        """`simulation`: the compiled part of the search."""

        TREE = simulation.TREE
        WORK = simulation.WORK
        search = staticmethod(simulation.search)


def build_of(ruleset: Ruleset) -> type[AgentsBuild]:
    """The bots' compiled code and record types of the build that a game is played with.

    Example:
        >>> from rc_env import Ruleset
        >>> len(build_of(Ruleset(contractors=True)).scorer.WEIGHTS) > len(build_of(Ruleset()).scorer.WEIGHTS)
        True
    """
    return in_build(AgentsBuild, ruleset.full)
