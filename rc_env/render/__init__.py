"""Pictures of a game as text, SVG and pixels, and the render modes of the environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.engine import Engine
from rc_env.render.image import board_image, need_viz
from rc_env.render.pieces import THEMES
from rc_env.render.svg import board_svg
from rc_env.render.text import board_text, has_colour
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

__all__ = ["FPS", "MODES", "Board", "board_image", "board_svg", "board_text", "check_mode", "frame"]

MODES = ("ansi", "human", "rgb_array")
FPS = 4


class Board:
    """A snapshot of the game in a row of an engine, for display: text when printed, a picture in a notebook.

    Args:
        engine: the engine; the board does not change when the game goes on.
        row: the row of the engine.
        theme: "light", "dark", or "auto" to follow the reader's system.
        seat: the seat that looks: what is hidden from it is not shown. By default, and once the game is over,
            everything is shown.

    Raises:
        ValueError: not an engine, a row or a seat that is not there, or another theme.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.render import Board
        >>> board = Board(Engine(seed=1))
        >>> "rubles" in str(board), board.svg().startswith("<svg")
        (True, True)
    """

    def __init__(self, engine: Engine, row: int = 0, theme: str = "auto", seat: int | None = None) -> None:
        self.ruleset = checks.instance("engine", engine, Engine, "an Engine").ruleset
        row = checks.whole_number("row", row, 0, engine.num_games - 1)
        game = engine.clone([row], same_future=True)
        if seat is not None:
            concealed = engine.conceal(game, checks.whole_number("seat", seat, 0, engine.num_players - 1))
            game = concealed if game["status"][0] == PLAYING else game
        self.game = game[0]
        self.theme = checks.one_of("theme", theme, THEMES)

    def __str__(self) -> str:
        return board_text(self.ruleset, self.game, colour=has_colour())

    def svg(self) -> str:
        """The picture."""
        return board_svg(self.ruleset, self.game, self.theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div style="max-width: 1000px">{self.svg()}</div>'


def check_mode(mode: str | None) -> str | None:
    """Check a render mode and return it.

    Raises:
        ValueError: neither None nor one of MODES.
        ImportError: "rgb_array", and the extra `viz` is not installed.
    """
    if mode is not None and (not isinstance(mode, str) or mode not in MODES):
        checks.refuse("render_mode", mode, f"one of {', '.join(MODES)}, or None")
    if mode == "rgb_array":
        need_viz()
    return mode


def frame(ruleset: Ruleset, game: Any, mode: str) -> str | NDArray[np.uint8] | None:
    """One GAME record in a render mode: text for "ansi", (H, W, 3) uint8 for "rgb_array"; "human" prints the text.

    Raises:
        ValueError: another mode, or no GAME record of the ruleset.
        ImportError: "rgb_array", and the extra `viz` is not installed.
    """
    checks.one_of("mode", mode, MODES)
    if mode == "rgb_array":
        return board_image(ruleset, game)
    text = board_text(ruleset, game, colour=has_colour())
    if mode == "ansi":
        return text
    print(text)
    return None
