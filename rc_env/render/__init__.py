"""Pictures of a game, for people: text, SVG and pixels, and the render modes of the faces."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.render.image import board_image
from rc_env.render.text import board_text, has_colour
from rc_env.ruleset import Ruleset

__all__ = ["FPS", "MODES", "board_image", "board_text", "check_mode", "frame"]

MODES = ("ansi", "human", "rgb_array")
FPS = 4


def check_mode(mode: str | None) -> str | None:
    """The mode as it is.

    Raises:
        ValueError: neither None nor one of MODES.
    """
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode: {mode!r} found, expected one of {', '.join(MODES)}, or None")
    return mode


def frame(ruleset: Ruleset, game: Any, mode: str) -> str | NDArray[np.uint8] | None:
    """One GAME record in a render mode: text for "ansi", (H, W, 3) uint8 for "rgb_array"; "human" prints the text."""
    if mode == "rgb_array":
        return board_image(ruleset, game)
    text = board_text(ruleset, game, colour=has_colour())
    if mode == "ansi":
        return text
    print(text)
    return None
