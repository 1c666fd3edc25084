"""Writes a game as one HTML page that needs no server or network: board, scrubber, decisions in words, charts.

The page holds each drawing of each part of the board once, and for every decision the parts that change; a script puts
them in place. So the picture is drawn by `svg.py` alone, and a page stays below a megabyte or so. The files of `static`
are also those of the pages that `rc serve` serves; here they are put into one file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, tostring

from rc_env import checks
from rc_env.record import Record, positions
from rc_env.render.drawing import Part, static
from rc_env.render.expansion import draws_text
from rc_env.render.pieces import definitions, style
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset
from rc_env.words.additions import additions


class Moment(NamedTuple):
    """A decision and the position after it."""

    game: Any  # GAME record
    seat: int
    action: str
    rolls: Sequence[Mapping[str, int]] = ()
    policy: Mapping[str, float] | None = None
    """The bot's policy before the decision: a probability by action in words."""
    value: Sequence[float] | None = None
    """The bot's value estimate, one number per seat."""
    after: str = ""
    """Events before the next decision: draws, and Ivan's turn in the solo game."""


def replay_html(ruleset: Ruleset, start: Any, moments: Iterable[Moment], title: str = "The Red Cathedral") -> str:
    """Return the HTML page of a game.

    Args:
        ruleset: the variant.
        start: GAME record of the deal.
        moments: every decision in order, each with the position after it.
        title: heads the page.

    Raises:
        ValueError: an argument is of another type.
    """
    checks.instance("title", title, str, "a line of text")
    moments = checks.sequence("moments", moments, "Moments")
    for moment in moments:
        checks.instance("moments", moment, Moment, "a Moment")
    data = replay_data(ruleset, start, moments, title)
    # Inside a script element only "<" could end it or open another one.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    filled = {
        "title": escape(title),
        "style": static("base.css") + board_style(len(view(ruleset, start)["dice"])),
        "pieces": board_pieces(ruleset.full, bool(ruleset.contractors)),
        "data": text,
        "script": _one_script("replay.js"),
    }
    head, *rest = static("replay.html").split("{{")
    for piece in rest:
        name, after = piece.split("}}", 1)
        head += filled[name] + after
    return head


def replay_data(ruleset: Ruleset, start: Any, moments: Sequence[Moment], title: str) -> dict[str, Any]:
    """The content of a game's page as data for JSON; the arguments are those of `replay_html`."""
    shown = [view(ruleset, start), *(view(ruleset, moment.game) for moment in moments)]
    drawings, shape, steps = _drawings(shown)
    return {
        "title": title,
        "colours": COLOURS[: ruleset.seats],
        "panels": shape,  # wide and narrow
        "drawings": drawings,
        "steps": steps,
        "words": [one["words"] for one in shown],
        "turns": [one["turn"] for one in shown],
        "movers": [one["to_move"] for one in shown],
        "moves": [[moment.seat, moment.action, rolls_text(moment.rolls), moment.after] for moment in moments],
        "score": [[seat["score"] for seat in one["seats"]] for one in shown],
        "goods": [[seat["rubles"] + sum(seat["materials"].values()) for seat in one["seats"]] for one in shown],
        "policies": [moment.policy and sorted(moment.policy.items(), key=lambda pair: -pair[1]) for moment in moments],
        "values": [moment.value and list(moment.value) for moment in moments],
    }


def record_html(record: Record, title: str | None = None) -> str:
    """Return the HTML page of a recorded game, which is replayed and checked.

    Args:
        record: the game; a "policy" and a "value" that its decisions carry are shown.
        title: heads the page; by default what the record is called, and whose cards they are if not the packaged ones.

    Raises:
        RecordError: the record is not a game by the rules.
        ValueError: an argument is of another type.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse
        >>> from rc_env.render.html import record_html
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> record_html(parse(texts[0]), title="A game")[:15]
        '<!DOCTYPE html>'
    """
    if title is not None:
        checks.instance("title", title, str, "a line of text")
    start, moments = _played(record)
    named = f"{Path(record.name).name}{additions(record.ruleset)}" if title is None else title
    return replay_html(record.ruleset, start, moments, named)


def record_data(record: Record) -> dict[str, Any]:
    """The content of a recorded game's page as data for JSON, for pages with their own scripts.

    Raises:
        RecordError: the record is not a game by the rules.
        ValueError: `record` is not a record.
    """
    start, moments = _played(record)
    return replay_data(record.ruleset, start, moments, Path(record.name).name)


def _played(record: Record) -> tuple[Any, list[Moment]]:
    """The deal of a record, and its moments."""
    games = [engine.clone(same_future=True)[0] for engine in positions(record)]
    moments = [
        Moment(
            *(game, line["seat"], line["action"], line["rolls"], line.get("policy"), line.get("value")),
            _after(record, line, number),
        )
        for number, (game, line) in enumerate(zip(games[1:], record.decisions, strict=True))
    ]
    return games[0], moments


def _one_script(name: str) -> str:
    """A JavaScript module of `static`, and those that it imports, as one script: each is a function that returns what
    the module exports."""
    parts: dict[str, str] = {}

    def add(module: str) -> None:
        text = static(module)
        for _, needed in _IMPORT.findall(text):
            if needed not in parts:
                add(needed)
        text = _IMPORT.sub(lambda found: f"const {{ {found[1]} }} = {_variable(found[2])};", text)
        exported = ", ".join(found[1] for found in _EXPORT.finditer(text))
        body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
        parts[module] = f"const {_variable(module)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"

    add(name)
    return "".join(parts.values())


_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:const|class) (\w+)", re.MULTILINE)


def _variable(module: str) -> str:
    return module.replace(".", "_")


def board_style(dice: int) -> str:
    """CSS that colours the board in both themes, for a page whose root element names its theme.

    Args:
        dice: how many there are.
    """
    return "\n".join(style(theme, f"[data-theme={theme}] .rc", dice) for theme in ("light", "dark"))


def board_pieces(full: bool, module: bool) -> str:
    """An SVG element with all pieces that drawings of the board refer to, for a page to hold once.

    Args:
        full: whether the full game is played.
        module: whether the module Contractors is.
    """
    pieces = Element("svg", {"class": "rc pieces", "aria-hidden": "true"})
    definitions(pieces, full, module)
    return tostring(pieces, encoding="unicode")


def rolls_text(rolls: Iterable[Mapping[str, int]]) -> str:
    """Rolls in words, such as `white 3, red 6; blue 1`."""
    return "; ".join(", ".join(f"{die} {value}" for die, value in roll.items()) for roll in rolls)


def ivan_text(turn: Mapping[str, Any]) -> str:
    """A turn of Ivan's in words: `Ivan: move red, card transport; rolled red 3`."""
    rolled, drawn = rolls_text(turn["rolls"]), draws_text(turn.get("draws", ()))
    words = f"Ivan: {', '.join(turn['events'])}" + (f"; rolled {rolled}" if rolled else "")
    return words + (f"; drew {drawn}" if drawn else "")


def _after(record: Record, line: Mapping[str, Any], number: int) -> str:
    """The draws of a decision, and Ivan's turn after it, in words."""
    drawn = draws_text(line.get("draws", ()))
    ivan = ivan_text(record.ivan[number]) if number in record.ivan else ""
    return "; ".join(words for words in (drawn and f"drew {drawn}", ivan) if words)


def _drawings(views: Iterable[View]) -> tuple[list[str], dict[str, list[dict[str, Any]]], list[list[int]]]:
    """Every drawing that occurs, the panels of both layouts, and for each position part, drawing, part, drawing …

    Parts are numbered in the order of the panels, first those of the wide layout, then those of the narrow one.
    """
    drawings: dict[str, int] = {}
    seen: dict[tuple[Any, str], int] = {}  # comparing a part's facts is faster than comparing its drawing
    shape: dict[str, list[dict[str, Any]]] = {}
    shown: list[int] = []
    steps = []
    for one in views:
        layouts = {"wide": panels(one), "narrow": narrow_panels(one)}
        shape = shape or {name: [panel.shape() for panel in laid] for name, laid in layouts.items()}
        changes: list[int] = []
        parts = [part for laid in layouts.values() for panel in laid for part in panel.parts]
        shown = shown or [-1] * len(parts)
        for i, part in enumerate(parts):
            key = (part.draw, repr(part.facts))
            if key not in seen:
                seen[key] = drawings.setdefault(_inner(part), len(drawings))
            if shown[i] != seen[key]:
                shown[i] = seen[key]
                changes += [i, shown[i]]
        steps.append(changes)
    return list(drawings), shape, steps


def _inner(part: Part) -> str:
    return "".join(tostring(child, encoding="unicode") for child in part.element())
