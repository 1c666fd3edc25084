"""The page "The game in five minutes": topics with pictures of a real position, and a legend of every icon."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from rc_env import agents
from rc_env.apps.table.topics import EXPANSION_ICONS, ICONS, OF_EXPANSION, TOPICS, TOUR
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.render import drawing
from rc_env.render.drawing import Panel, Part
from rc_env.render.html import board_pieces
from rc_env.render.pieces import HEIGHTS
from rc_env.render.svg import panels
from rc_env.render.view import View, view
from rc_env.ruleset import Ruleset

_SEED, _DECISIONS = 8, 61
"""Of the game whose position the pictures show."""


@lru_cache(maxsize=1)
def page(template: Path) -> str:
    """The page, from its template.

    Args:
        template: the file with the places for pieces, topics and icons.
    """
    shown = _position()
    pictures = {**_panels(shown), **_cards(shown)}
    told = "".join(_topic(name, pictures) for name in TOUR)
    others = "".join(_topic(name, pictures) for name in TOPICS if name not in (*TOUR, *OF_EXPANSION))
    filled = {
        "pieces": board_pieces(True, True),
        "topics": told,
        "others": others,
        "further": "".join(_topic(name, pictures) for name in OF_EXPANSION),
        "icons": _legend(ICONS),
        "expansion": _legend(EXPANSION_ICONS),
    }
    text = template.read_text("utf-8")
    for name, part in filled.items():
        text = text.replace(f"<!-- {name} -->", part)
    return text


def _position() -> View:
    """A position in the middle of a game of a bot with itself."""
    ruleset = Ruleset()
    engine, bot = Engine(ruleset, 1, _SEED), agents.make("all_rounder")
    for _ in range(_DECISIONS):
        engine.step(bot.act(Position.of(engine)))
    return view(ruleset, engine.games[0])


def _panels(shown: View) -> dict[str, str]:
    """The whole panels, by topic."""
    topics = {"market": "market", "track": "track", "cathedral": "tower", "seat0": "slot"}
    return {topics[panel.name]: _panel(panel) for panel in panels(shown) if panel.name in topics}


def _panel(panel: Panel) -> str:
    return _drawn(panel.parts, panel.label, f"0 0 {panel.width:g} {panel.height:g}", "panel")


def _cards(shown: View) -> dict[str, str]:
    """Sections, by topic: one on offer, one that is being built, one with an ornament, and one that costs its owner a
    penalty below the one for which it does."""
    parts = {part.name: part for panel in panels(shown) for part in panel.parts}
    towers = [tower["sections"] for tower in shown["towers"]]
    sections = [(f"section{t}.{level}", s) for t, tower in enumerate(towers, 1) for level, s in enumerate(tower, 1)]
    pairs = [
        (f"section{t}.{level}", f"section{t}.{level + 1}", tower[level - 1]["kind"])
        for t, tower in enumerate(towers, 1)
        for level in range(1, len(tower))
        if tower[level]["finished"] and tower[level - 1]["owner"] not in (None, tower[level]["owner"])
        and not tower[level - 1]["finished"]
    ]  # fmt: skip
    examples = {
        "claim": next(name for name, section in sections if section["on_offer"]),
        "build": next(name for name, section in sections if section["delivered"] and not section["finished"]),
        "ornament": next(name for name, section in sections if section["ornament"]),
    }
    drawn = {
        topic: _drawn([parts[name]._replace(place="")], name, "-62 -164 124 170", "card")
        for topic, name in examples.items()
    }
    below, above, kind = pairs[0]
    stacked = [parts[below]._replace(place=""), parts[above]._replace(place=drawing.at(0, -HEIGHTS[kind]))]
    return drawn | {"penalty": _drawn(stacked, "a finished section above one that is not", "-62 -250 124 256", "card")}


def _drawn(parts: list[Part], label: str, box: str, kind: str) -> str:
    """Parts as one picture with a name for screen readers."""
    root = Element("svg", {"class": f"rc {kind}", "viewBox": box, "role": "img", "aria-label": label})
    for part in parts:
        drawn = part.element()
        if part.place:
            drawn.set("transform", part.place)
        root.append(drawn)
    return tostring(root, encoding="unicode")


def _icon(name: str) -> str:
    seat = ' class="c0"' if name in ("banner", "door", "arch", "cross", "pin", "contractor") else ""
    return f'<svg class="rc icon" viewBox="-13 -13 26 26" aria-hidden="true"><use href="#rc-{name}"{seat}/></svg>'


def _topic(name: str, pictures: dict[str, str]) -> str:
    topic = TOPICS[name]
    icons = "".join(_icon(icon) for icon in topic.icons)
    return (
        f'<section id="topic-{name}"><h2>{escape(topic.title)} <span class="icons">{icons}</span></h2>'
        f'<div class="told">{pictures.get(name, "")}<p>{escape(topic.text)}</p></div></section>'
    )


def _legend(icons: dict[str, str]) -> str:
    return "".join(f"<li>{_icon(name)} {escape(words)}</li>" for name, words in icons.items())
