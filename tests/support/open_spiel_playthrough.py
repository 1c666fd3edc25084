"""Writes OpenSpiel's playthrough of a short game anew, after a change of rules or layouts: run it from the root."""

from __future__ import annotations

from pathlib import Path

from open_spiel.python.algorithms import generate_playthrough

import rc_env.envs.open_spiel  # noqa: F401 - registers the game
from rc_env import files

PLAYTHROUGH = Path(__file__).parents[1] / "golden" / "open_spiel_playthrough.txt"
GAME = "red_cathedral(players=2,turn_limit=2,deals=4)"


def playthrough() -> str:
    """Return OpenSpiel's text of everything that it reads from the game, at each of the game's states."""
    return str(generate_playthrough.playthrough(GAME, action_sequence=None, seed=1))


if __name__ == "__main__":
    files.write(PLAYTHROUGH, playthrough())
