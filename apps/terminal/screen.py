"""The terminal as a redrawn screen, using Rich; `frame` composes its content."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from types import FrameType
from typing import Any

from rich.console import Console
from rich.control import Control
from rich.region import Region
from rich.segment import ControlType
from rich.text import Text

from rc_env.apps.table.actions import LegalAction
from rc_env.apps.table.game import Game
from rc_env.apps.terminal.dialogue import SCREEN_HELP
from rc_env.apps.terminal.frame import Scene, compose
from rc_env.apps.terminal.history import history
from rc_env.render.abbreviations import Line
from rc_env.render.text import board_text

try:
    import readline
except ImportError:  # not on every system: lines are then typed without editing keys
    readline = None  # type: ignore[assignment]

try:
    import termios
    import tty
except ImportError:  # Windows: no single keys
    termios = tty = None  # type: ignore[assignment]

STYLES = {
    "red": "bright_white on red", "blue": "bright_white on blue", "yellow": "black on yellow",
    "green": "bright_white on green", "white": "black on bright_white",
    "black": "bright_white on black",
    "title": "bold underline", "strong": "bold", "faint": "dim", "landing": "bold magenta", "": "",
}  # fmt: skip


class _Resized(Exception):
    """Raised when the terminal is resized while a line is typed."""


class Screen:
    """The alternate screen of a terminal, drawn anew after each event.

    Use it as a context manager, which leaves the terminal as it was.

    Args:
        colour: False for none; by default what the terminal has.
    """

    help = SCREEN_HELP

    def __init__(self, *, colour: bool = True) -> None:
        self._console = Console(highlight=False, no_color=not colour, soft_wrap=False)
        self._asking = False
        self._typed = ""  # what stood in the prompt when the terminal changed its size
        self._scene: Scene | None = None

    def __enter__(self) -> Screen:
        self._console.set_alt_screen(True)
        if hasattr(signal, "SIGWINCH"):
            self._before = signal.signal(signal.SIGWINCH, self._resized)
        return self

    def __exit__(self, *error: object) -> None:
        if hasattr(signal, "SIGWINCH"):
            signal.signal(signal.SIGWINCH, self._before)
        self._console.set_alt_screen(False)

    def _resized(self, number: int, frame: FrameType | None) -> None:
        if self._asking:
            raise _Resized

    # --- the interface of the dialogue

    def position(self, game: Game, actions: Sequence[LegalAction], *, anew: bool) -> None:
        message = "" if self._scene is None else self._scene.message
        self._scene = Scene(game.view, game.seats, game.seat, history(game, game.since), actions, message)

    def happened(self, game: Game) -> None:
        you = None if self._scene is None else self._scene.you
        self._scene = Scene(
            game.view, game.seats, you, history(game, game.since), (), "" if game.is_person else "The others play ..."
        )
        if not game.is_person:
            self.draw()
            self._scene = self._scene._replace(message="")

    def say(self, sentence: str) -> None:
        assert self._scene is not None
        self._scene = self._scene._replace(message=sentence)

    def ask(self) -> str:
        assert self._scene is not None
        while True:
            pages = self.draw()
            page = self._scene.page % pages + 1
            more = f" (page {page} of {pages}: Enter for the next)" if pages > 1 else ""
            line = self._line(f"Your action{more}, or help: ")
            if line is None:
                continue
            if line.strip():
                self._scene = self._scene._replace(message="")
                return line
            self._scene = self._scene._replace(page=page % pages, message="")

    def board(self, game: Game) -> None:
        width = self._console.width
        self.read(board_text(game.ruleset, game.position, colour=True, width=min(width, 100)))

    def read(self, text: str) -> None:
        """Show a text page by page."""
        first = 0
        while True:
            width, rows = self._console.width, max(self._console.height - 1, 1)
            lines = [part for line in text.split("\n") for part in _broken(line, width)]
            while lines and not lines[-1].plain:
                lines.pop()
            last = first + rows >= len(lines)
            self._show(lines[first : first + rows])
            line = self._line("Enter: back to the game " if last else "Enter: next page, q: back to the game ")
            if line is None:
                continue
            if last or line.strip():
                return
            first += rows

    # --- drawing

    def show(self, game: Game, footer: str = "") -> None:
        """Show the position without a player's perspective, the events, and a footer in the last row."""
        self._scene = Scene(game.view, game.seats, None, history(game), ())
        self.draw()
        self._console.print(Text(footer, no_wrap=True, overflow="crop"), end="")

    def end(self, game: Game) -> None:
        """Show the last position until Enter is pressed."""
        while True:
            self.show(game)
            if self._line("The game is over. Enter: leave ") is not None:
                return

    def draw(self) -> int:
        """Draw the scene on all but the last row of the terminal; return how many pages the actions have."""
        assert self._scene is not None
        lines, pages = compose(self._scene, self._console.width, max(self._console.height - 1, 1))
        self._show([_text(line) for line in lines])
        return pages

    def _show(self, lines: Sequence[Text]) -> None:
        width, height = self._console.size
        region = Region(0, 0, width, max(height - 1, 1))
        page = Text("\n", no_wrap=True, overflow="crop", end="").join(lines)
        self._console.update_screen(page, region=region, options=self._console.options.update(no_wrap=True))
        self._console.control(Control.move_to(0, height - 1), Control((ControlType.ERASE_IN_LINE, 2)))

    def _line(self, prompt: str) -> str | None:
        """Read a line in the last row; None if the terminal was resized and has to be redrawn."""
        kept, self._typed = self._typed, ""
        if readline is not None:
            readline.set_startup_hook(lambda: readline.insert_text(kept) if kept else None)
        try:
            self._asking = True
            return input(prompt[: max(self._console.width - 8, 0)])
        except _Resized:
            self._typed = readline.get_line_buffer() if readline is not None else ""
            return None
        finally:
            self._asking = False
            if readline is not None:
                readline.set_startup_hook(None)


def _text(line: Line) -> Text:
    return Text.assemble(*((piece.text, STYLES[piece.style]) for piece in line), no_wrap=True, overflow="crop")


def _broken(line: str, width: int) -> list[Text]:
    """A line of text, perhaps with ANSI colours, in rows of at most `width` columns."""
    text = Text.from_ansi(line)
    if text.cell_len <= width or "\x1b" in line:
        return [text]
    indent = len(line) - len(line.lstrip()) + 2
    return [Text(row) for row in wrap(line, width, subsequent_indent=" " * min(indent, width // 2))]


# --- single keys


class Keys:
    """Keys as they are pressed, without Enter; nothing where the input is no terminal."""

    def __init__(self) -> None:
        self._file: int | None = None
        if termios is not None and sys.stdin.isatty():
            self._file = sys.stdin.fileno()

    def wait(self, seconds: float) -> str:
        """The key that is pressed within the given seconds, or ""."""
        if self._file is None:
            select.select([], [], [], seconds)
            return ""
        ready, _, _ = select.select([self._file], [], [], seconds)
        return os.read(self._file, 1).decode(errors="replace") if ready else ""


@contextmanager
def keys() -> Iterator[Keys]:
    """Context that gives `Keys` and restores the terminal afterwards."""
    pressed = Keys()
    if pressed._file is None:
        yield pressed
        return
    before: list[Any] = termios.tcgetattr(pressed._file)
    try:
        tty.setcbreak(pressed._file)
        yield pressed
    finally:
        termios.tcsetattr(pressed._file, termios.TCSADRAIN, before)
