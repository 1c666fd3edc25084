"""Composes a screen of given size from the board, the events, the legal actions and a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from rc_env.apps.table.actions import LegalAction
from rc_env.render.abbreviations import Line, Piece, crop, length, shortened
from rc_env.render.text import FORMS, board_lines, head_lines
from rc_env.render.view import View

FEWEST = 3
"""The fewest rows for a list of actions that does not fit as a whole; with fewer the board is left out."""


class Scene(NamedTuple):
    """Everything that the screen shows.

    Attributes:
        shown: the position, made by `render.view.view`.
        names: the name of each seat.
        you: the seat of the person, or None.
        log: event lines, the latest last.
        actions: the legal actions of the person; none while others play.
        message: a text for the person, or "".
        page: of the actions, from 0, where they do not fit as a whole.
    """

    shown: View
    names: Sequence[str]
    you: int | None
    log: Sequence[str]
    actions: Sequence[LegalAction]
    message: str = ""
    page: int = 0


def compose(scene: Scene, width: int, height: int) -> tuple[list[Line], int]:
    """At most `height` lines of at most `width` columns, in the roomiest form of the board that leaves enough room.

    Returns:
        The lines, and how many pages the actions have: 1 if all are shown.
    """
    head = [crop(line, width) for line in head_lines(scene.shown, width)]
    message = [[Piece(row, "strong")] for row in wrap(scene.message, max(width, 1))]
    tops: list[list[Line]] = []
    for form in FORMS:
        gap: list[Line] = [[]] if form.gaps else []
        log = [] if message else _log(scene.log, width, form.log)  # a message takes its place
        top = head + gap + board_lines(scene.shown, width, form, scene.names, scene.you)
        top += (gap + log if log else []) + (gap if scene.actions else [])
        room = height - len(top) - len(message)
        for rows in _layouts(scene.actions, width):
            if len(rows) <= room and (form.all or not tops):
                return top + rows + message, 1
        if room >= FEWEST:
            tops.append(top)
    if tops:
        top = tops[0]
    else:
        top = head + [[Piece(row)] for row in wrap("The board needs more rows or columns; `board` shows it.", width)]
    room = max(height - len(top) - len(message), 1)
    rows = _flow(scene.actions, width)
    pages = max(1, -(-len(rows) // room))
    first = scene.page % pages * room
    return (top + rows[first : first + room] + message)[:height], pages


def _log(events: Sequence[str], width: int, most: int) -> list[Line]:
    """The latest events in at most `most` lines; omitted ones are marked by `..`."""
    rows = [row for event in events for row in wrap(shortened(event), max(width - 2, 8), subsequent_indent="  ")]
    cut = len(rows) > most
    rows = rows[-most:] if most else []
    marks = [".." if cut and i == 0 else "  " for i in range(len(rows))]
    return [crop([Piece(mark + row, "faint")], width) for mark, row in zip(marks, rows, strict=True)]


def _layouts(actions: Sequence[LegalAction], width: int) -> Iterator[list[Line]]:
    """The list of actions, from the roomiest form to the tightest."""
    if not actions:
        yield []
        return
    for form in (str, shortened):
        cells = _explained(actions, form)
        if max(map(length, cells)) <= width:
            yield _columns(cells, width)
    cells = [_cell(number, action.words) for number, action in enumerate(actions, 1)]
    if max(map(length, cells)) <= width:
        yield _columns(cells, width)
    yield _flow(actions, width, goals=True)
    yield _flow(actions, width)


def _cell(number: int, words: str) -> Line:
    return [Piece(f"{number:>2}) ", "strong"), Piece(words)]


def _explained(actions: Sequence[LegalAction], form: Callable[[str], str]) -> list[Line]:
    widest = max(len(action.words) for action in actions)
    return [
        [*_cell(number, f"{action.words:<{widest}}"), Piece(f"  {form(action.meaning)}", "faint")]
        for number, action in enumerate(actions, 1)
    ]


def _columns(cells: Sequence[Line], width: int) -> list[Line]:
    """Cells of at most `width` columns side by side, read downwards."""
    widest = max(map(length, cells)) + 2
    height = -(-len(cells) // max(1, (width + 2) // widest))
    rows: list[Line] = []
    for first in range(height):
        row: Line = []
        for column, cell in enumerate(cells[first::height]):
            row += [Piece(" " * (column * widest - length(row))), *cell]
        rows.append(row)
    return rows


def _flow(actions: Sequence[LegalAction], width: int, *, goals: bool = False) -> list[Line]:
    """Actions in flowing rows; within a row, words that an action shares with the one before it are left out.

    Args:
        actions: the legal actions.
        width: columns of a row.
        goals: whether moves say where they lead.
    """
    rows: list[Line] = []
    before: list[str] = []
    for number, action in enumerate(actions, 1):
        words = action.words.split()
        shared = 0
        while shared < min(len(words) - 1, len(before)) and words[shared] == before[shared]:
            shared += 1
        to = re.match(r"to space (\d+): (\S+\b)", shortened(action.meaning)) if goals else None
        goal = f" >{to[1]} {to[2]}" if to else ""
        cell: Line = [Piece("  "), Piece(f"{number}) ", "strong"), Piece(" ".join(words[shared:]) + goal)]
        if not rows or length(rows[-1]) + length(cell) > width:
            rows.append([])
            cell = crop(_cell(number, action.words + goal), width)
        rows[-1] += cell
        before = words
    return rows
