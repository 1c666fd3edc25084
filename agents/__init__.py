"""Bots: `make("greedy")` makes one, `register` adds a bot of your own, `names()` lists all."""

if __name__ != "rc_env.agents":
    raise ImportError(f"{__name__} is no package of its own: write `from rc_env import agents`")

from functools import partial

from rc_env.agents.net import NetBot
from rc_env.agents.plan import PlanBot, packaged_plans
from rc_env.agents.random import RandomBot
from rc_env.agents.registry import about, from_text, installed, make, names, of_file, register, weight_files
from rc_env.agents.search import SearchBot
from rc_env.bot import Bot, Position

ALL_ROUNDER = "all_rounder"
"""The strongest of the plans; its weights are tuned."""


def _of_plan(plan: str) -> PlanBot:
    return PlanBot(plan)


register("random", RandomBot, "uniformly random legal actions")
for _plan, _about in (
    ("greedy", "takes what its open sections miss, and delivers it; the baseline"),
    ("rush", "ends the game fast: cheap sections, quick deliveries, no ornaments"),
    ("majority", "leads in towers: sections and ornaments where they decide"),
    ("guilds", "an engine of face-up workshop tiles and guild actions"),
    (ALL_ROUNDER, "a bit of all plans, with weights tuned by games"),
):
    register(_plan, partial(_of_plan, _plan), _about)
register(
    "net", NetBot, "a trained network, from a file or a run's folder, or the one that is shipped", words=["shipped"]
)
register(
    "plan",
    PlanBot,
    "a packaged plan by name, also builder and contractor, for games with contractors; or a file of weights",
    words=packaged_plans(),
)
register(
    "search",
    SearchBot,
    "looks ahead: games played out with a plan in a tree of decisions, or by a network",
    words=["shipped", *packaged_plans()],
)

__all__ = [
    "ALL_ROUNDER",
    "Bot",
    "Position",
    "about",
    "from_text",
    "installed",
    "make",
    "names",
    "of_file",
    "register",
    "weight_files",
]
