"""Joins the oracle to the engine: the same deal, and the engine's position in the same words."""

from __future__ import annotations

from typing import Any

from positions import state_to_dict

from rc_env import Engine
from rc_env.words import notation

from .game import Game


class Oracle(Game):
    """The oracle's game of the deal in an engine's only row."""

    def __init__(self, engine: Engine) -> None:
        rules = engine.ruleset
        about = {"players": rules.players, "workshop": rules.workshop, "turn_limit": rules.turn_limit}
        super().__init__(notation.deal_to_dict(rules, engine.games[0]) | about, rules.data_file.tables)

    def state(self) -> dict[str, Any]:
        """The position, in the form that `engine_state` gives for an engine."""
        return super().state() | ({"events": list(self.events)} if self.solo else {})


def engine_state(engine: Engine) -> dict[str, Any]:
    """Return the position in the engine's only row."""
    state = state_to_dict(engine.ruleset, engine.games[0])
    return state | ({"events": notation.ivan_turn(engine.games[0])["events"]} if engine.ruleset.solo else {})
