"""Draws the pictures of README and `docs/game.md` anew: `python docs/draw.py`, with the extra `viz` (2 minutes)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from PIL import Image

from rc_env import Engine, Ruleset, make_bot
from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.bot import Position
from rc_env.render import board_image
from rc_env.render.drawing import Panel, el
from rc_env.render.pieces import NAMESPACE, definitions, style
from rc_env.render.svg import panels
from rc_env.render.view import view

FOLDER = Path(__file__).parent
PANELS = {"market": "market", "track": "track", "cathedral": "tower", "seat0": "slot"}
"""Panels of the board that have a picture of their own, and the topics that they show."""


def panel_svg(panel: Panel, dice: int) -> str:
    """One panel of the board as an SVG picture by itself, which follows the reader's system in light and dark."""
    box = f"0 0 {panel.width:g} {panel.height:g}"
    root = Element("svg", {"xmlns": NAMESPACE, "viewBox": box, "class": "rc rc-auto", "role": "img"})
    el(root, "title", panel.label)
    el(root, "style", style("auto", ".rc-auto", dice))
    definitions(root, False, False)
    el(root, "rect", width=panel.width, height=panel.height, class_="ground")
    for part in panel.parts:
        drawing = part.element()
        if part.place:
            drawing.set("transform", part.place)
        root.append(drawing)
    return tostring(root, encoding="unicode")


def game_panels() -> dict[str, str]:
    """The pictures of `PANELS`, by topic: a position in the middle of a game of two."""
    engine, bot = Engine(Ruleset(), seed=8), make_bot("all_rounder")
    for _ in range(61):
        engine.step(bot.act(Position.of(engine)))
    shown = view(engine.ruleset, engine.games[0])
    return {PANELS[one.name]: panel_svg(one, len(shown["dice"])) for one in panels(shown) if one.name in PANELS}


def animation(path: Path, width: int = 640, every: int = 6) -> None:
    """A game of the shipped network with itself as a GIF: a picture at every sixth decision, and the end for longer."""
    engine, bot = Engine(Ruleset(), seed=7), make_bot("net")
    pictures, decisions = [], 0
    while not len(engine.ended):
        if decisions % every == 0:
            pictures.append(board_image(engine.ruleset, engine.games[0], width=width))
        engine.step(bot.act(Position.of(engine)))
        decisions += 1
    pictures.append(board_image(engine.ruleset, engine.games[0], width=width))
    palette = Image.fromarray(pictures[len(pictures) // 2]).quantize(128)
    first, *rest = (Image.fromarray(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures)
    durations = [400] * len(rest) + [3000]
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)


def learning() -> str:
    """The evaluations during the training of the notebook, which is that of `make demo`, as a plot."""
    notebook = json.loads((FOLDER.parent / "notebooks" / "04_training.ipynb").read_text(encoding="utf-8"))
    said = "".join("".join(out.get("text", [])) for cell in notebook["cells"] for out in cell.get("outputs", []))
    rows = re.findall(r"([\d,]+) decisions, \w+: \{'won/greedy': '(\d+)%', 'won/all_rounder': '(\d+)%'\}", said)
    shares = [[int(row[bot]) / 100 for row in rows] for bot in (1, 2)]
    series = [
        (bot, [Figure(share, share, share) for share in of])
        for bot, of in zip(("against greedy", "against all_rounder"), shares)
    ]
    millions = [int(row[0].replace(",", "")) / 1e6 for row in rows]
    return plots.lines(millions, series, "million decisions", "games won, %", reference=0.5, percent=True)


def main() -> None:
    """Draw all of them."""
    (FOLDER / "learning.svg").write_text(learning(), encoding="utf-8")
    for topic, picture in game_panels().items():
        (FOLDER / f"game-{topic}.svg").write_text(picture, encoding="utf-8")
    animation(FOLDER / "game.gif")


if __name__ == "__main__":
    main()
