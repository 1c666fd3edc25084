"""The names that the game record uses."""

from collections.abc import Generator
from typing import Any

MATERIALS = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
GOODS = (*MATERIALS, "diamond")
COLOURS = ("red", "blue", "yellow", "green")
SLOTS = (*COLOURS, "white1", "white2")
ORNAMENT = {"base": "door", "middle": "arch", "dome": "cross"}
IVANS_CARDS = ("recognition", "inventory", "transport", "claim", "construction")
CRAFTS = ("craftsmen", "teamsters", "merchants")  # guilds of every game; the fourth guild varies

Play = Generator[tuple[str, frozenset[str]], str | None, Any]  # it yields (point, legal actions), and is sent an action
