"""The games of a server: open ones by id, and saved ones in files."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from rc_env import files
from rc_env.apps.table.game import seated_in
from rc_env.apps.web.table import Refused, Table
from rc_env.bot import Bot
from rc_env.record import SUFFIX, Record, RecordError, read
from rc_env.render.view import count
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

MOST_OPEN = 400
"""The most games that are open at once."""
MOST_LISTED = 30
"""The most saved games that are listed, the latest first."""
_ID = re.compile(r"[0-9a-f]{16}")


class Gone(Refused):
    """The game does not exist, or cannot be continued."""


class Tables:
    """All games of a server.

    Args:
        folder: where games of persons are kept, a record each.
        make: makes a bot from one word.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path, make: Callable[[str], Bot]) -> None:
        self.folder = files.make_folder(folder)
        self._make = make
        self._open: dict[str, Table] = {}
        self._busy = Lock()

    def create(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None, *, new_dice: bool = False
    ) -> str:
        """Deal a game, or go on from a record; returns its id.

        Raises:
            Refused: too many games are open.
            ValueError: a bot cannot be made, or not play this variant.
        """
        with self._busy:
            if len(self._open) >= MOST_OPEN:
                raise Refused(f"{len(self._open)} games are open, which is the limit of this server: close some.")
        name = secrets.token_hex(8)
        table = Table(ruleset, seats, seed, self._file(name), begun, new_dice=new_dice, make=self._make)
        table.keep()
        with self._busy:
            self._open[name] = table
        return name

    def find(self, name: str) -> Table:
        """The open game of an id, or the kept one, which is opened.

        Raises:
            Gone: there is none, or it is over.
        """
        with self._busy:
            if name in self._open:
                return self._open[name]
        record = self.kept(name)
        if record.unfinished is None:
            raise Gone("This game is over: it can be studied.")
        try:
            table = Table(
                record.ruleset, seated_in(record), record.header["seed"], self._file(name), record, make=self._make
            )
        except ValueError as error:
            raise Gone(f"This game cannot be continued: {error}.") from None
        with self._busy:
            return self._open.setdefault(name, table)

    def kept(self, name: str) -> Record:
        """The record of a kept game.

        Raises:
            Gone: there is none, or the file does not hold a record any more.
        """
        if not _ID.fullmatch(name) or not self._file(name).is_file():
            raise Gone("There is no such game any more: begin a new one.")
        try:
            return read(self._file(name), unfinished=True)
        except RecordError as error:
            raise Gone(f"This game cannot be read: {error}.") from None

    def is_over(self, name: str) -> bool:
        """Whether a game is not open and its file holds a result."""
        with self._busy:
            if name in self._open:
                return False
        return self.kept(name).unfinished is None

    def drop(self, name: str) -> None:
        """Close an open game; its file stays."""
        with self._busy:
            self._open.pop(name, None)

    @property
    def open(self) -> int:
        """The number of open games."""
        return len(self._open)

    def listed(self) -> list[dict[str, Any]]:
        """The kept games, the latest first: id, time of the last change, variant and players."""
        found = []
        files_by_time = sorted(
            ((path.stat().st_mtime, path) for path in self.folder.glob(f"*{SUFFIX}") if _ID.fullmatch(path.stem)),
            reverse=True,
        )
        for changed, path in files_by_time[:MOST_LISTED]:
            try:
                words, unfinished = _described(path, changed)
            except RecordError:
                continue
            found.append({"id": path.stem, "changed": _when(changed), "words": words, "unfinished": unfinished})
        return found

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}{SUFFIX}"


@lru_cache(maxsize=4 * MOST_LISTED)
def _described(path: Path, changed: float) -> tuple[str, bool]:
    """A kept game in words, and whether it is unfinished; `changed` is a key of the cache."""
    record = read(path, unfinished=True)
    ruleset, about = record.ruleset, record.unfinished
    players = "solo" if ruleset.solo else f"{ruleset.players} players"
    words = f"{players}, seed {record.header['seed']}, {count(len(record.decisions), 'decision')}"
    if about is not None:
        against = ", ".join(about["bots"]) or "Ivan"
        return f"{words}; you are {COLOURS[about['seat']]}, against {against}", True
    winners = " and ".join(COLOURS[seat] for seat in record.result["winners"])
    return f"{words}; {winners} won", False


def _when(changed: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))
