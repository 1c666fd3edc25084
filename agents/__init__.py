"""Who plays: `make("greedy")` gives a bot, `register` adds one's own, `names()` lists them."""

from agents.base import Bot, Position, from_text, make, names, register
from agents.greedy import GreedyBot
from agents.net import NetBot
from agents.random import RandomBot

register("greedy", GreedyBot)
register("net", NetBot)
register("random", RandomBot)

__all__ = ["Bot", "Position", "from_text", "make", "names", "register"]
