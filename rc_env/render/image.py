"""A game as pixels: the SVG picture, drawn by resvg. Needs the extra `viz`."""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.render.pieces import THEMES
from rc_env.render.svg import board_svg
from rc_env.ruleset import Ruleset


def board_image(ruleset: Ruleset, game: Any, theme: str = "light", width: int = 1000) -> NDArray[np.uint8]:
    """Draw one GAME record as pixels, (H, W, 3) uint8, of the same size for all games of a variant.

    Args:
        ruleset: the variant.
        game: one of `Engine.games` or of a clone.
        theme: "light", "dark", or "auto" as the reader's system is.
        width: pixels from left to right, 16 to 10,000.

    Raises:
        ImportError: the extra `viz` is not installed.
        ValueError: no GAME record of the ruleset, another theme, or a width that is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.render import board_image
        >>> engine = Engine(seed=1)
        >>> board_image(engine.ruleset, engine.games[0], width=500).shape[1:]
        (500, 3)
    """
    checks.one_of("theme", theme, THEMES)
    width = checks.whole_number("width", width, 16, 10_000)
    need_viz()
    import resvg_py  # a self-contained wheel; Cairo would need system libraries
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=board_svg(ruleset, game, theme), width=width)
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def need_viz() -> None:
    """Refuse to draw pixels without the extra `viz`.

    Raises:
        ImportError: it is not installed.
    """
    missing = [name for name, module in (("resvg-py", "resvg_py"), ("Pillow", "PIL")) if find_spec(module) is None]
    if missing:
        raise ImportError(f"Pixels need {' and '.join(missing)}: pip install 'rc-env[viz]'. Text and SVG do not.")
