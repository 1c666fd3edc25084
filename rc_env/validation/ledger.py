"""Helpers of all checks of games: refusing a game, and finding its current decision point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env.rules.points import POINT
from rc_env.rules.state import PLAYING


class ImpossibleGame(ValueError):
    """An impossible game: the sentence says which one, and what is wrong with it."""


def hold(holds: NDArray[np.bool_], what: str) -> None:
    """Refuse the first game for which something does not hold.

    Args:
        holds: (N, ...) bool, whether the condition holds, by game.
        what: what is wrong where it does not, in words.

    Raises:
        ImpossibleGame: there is one.
    """
    if not holds.all():
        row = int(np.argmin(holds.reshape(len(holds), -1).all(1)))
        raise ImpossibleGame(f"states: game {row} of {len(holds)} is impossible: {what}")


def current_frame(games: np.ndarray) -> NDArray[np.int16]:
    """(N, FRAME) int16, the frame of the current decision point; of a game that is over, any."""
    frames: NDArray[np.int16] = games["stack"][np.arange(len(games)), games["depth"] - 1]
    return frames


def at_point(games: np.ndarray, point: int) -> NDArray[np.bool_]:
    """(N,) bool, whether the game is played and its current decision point is this one."""
    found: NDArray[np.bool_] = (games["status"] == PLAYING) & (current_frame(games)[:, POINT] == point)
    return found
