"""The games of a server: open ones by id, and saved ones in files."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from rc_env import files
from rc_env.apps.table.game import seated_in
from rc_env.apps.web.budgets import MOST_OPEN, Refused
from rc_env.apps.web.table import HIDDEN, Table
from rc_env.bot import Bot
from rc_env.record import SUFFIX, Record, RecordError, read
from rc_env.render.view import count
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

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
        most_of_client: the most open games of one client.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path, make: Callable[[str], Bot], most_of_client: int = MOST_OPEN) -> None:
        self.folder = files.make_folder(folder)
        self._make, self._most_of_client = make, most_of_client
        self._open: dict[str, Table] = {}  # the one that was shown last is the last
        self._clients: dict[str, str] = {}  # who began or opened each
        self._shown: set[str] = set()  # those that a tab shows
        self._busy = Lock()

    def create(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None, *,
        new_dice: bool = False, client: str = "",
    ) -> str:  # fmt: skip
        """Deal a game for a client, or go on from a record; returns its id.

        Raises:
            Refused: too many games are open.
            ValueError: a bot cannot be made, or not play this variant.
        """
        with self._busy:
            self._make_room(client)
        name = secrets.token_hex(8)
        table = Table(ruleset, seats, seed, self._file(name), begun, new_dice=new_dice, make=self._make)
        table.keep()
        self._add(name, table, client)
        return name

    def _add(self, name: str, table: Table, client: str) -> Table:
        with self._busy:
            if name not in self._open:
                self._make_room(client)
                self._open[name], self._clients[name] = table, client
            return self._open[name]

    def _make_room(self, client: str) -> None:
        """Close games that no tab shows, those that were shown long ago first, until there is room for one more.

        Raises:
            Refused: tabs show all of them.
        """
        for names, most in (
            ([name for name in self._open if self._clients[name] == client], self._most_of_client),
            (list(self._open), MOST_OPEN),
        ):
            idle = [name for name in names if name not in self._shown and name in self._open]
            more = sum(name in self._open for name in names) - most + 1
            if more > len(idle):
                raise Refused(f"{len(names)} games are open, which is the limit of this server: close some.")
            for name in idle[: max(more, 0)]:
                self._forget(name)

    def _forget(self, name: str) -> None:
        self._open.pop(name, None)
        self._clients.pop(name, None)
        self._shown.discard(name)

    def show(self, name: str, shown: bool) -> None:
        """Note whether a tab shows an open game."""
        with self._busy:
            if name not in self._open:
                return
            self._open[name] = self._open.pop(name)
            (self._shown.add if shown else self._shown.discard)(name)

    def find(self, name: str, client: str = "") -> Table:
        """The open game of an id, or the kept one, which is opened for a client.

        Raises:
            Gone: there is none, or it is over.
            Refused: too many games are open.
        """
        return self._add(name, self.look(name), client)

    def look(self, name: str) -> Table:
        """The open game of an id, or the kept one, which is not opened: nobody can play it.

        Raises:
            Gone: there is none, or it is over.
        """
        with self._busy:
            if name in self._open:
                return self._open[name]
        record = self.kept(name)
        if record.unfinished is None:
            raise Gone("This game is over: it can be studied.")
        if record.unfinished.get("resigned"):
            raise Gone("You have resigned this game: it can be studied.")
        try:
            table = Table(
                record.ruleset, seated_in(record), record.header["seed"], self._file(name), record, make=self._make
            )
        except ValueError as error:
            raise Gone(f"This game cannot be continued: {error}.") from None
        return table

    def record(self, name: str) -> str:
        """The record of a game, open or kept. It opens none.

        Raises:
            Gone: there is none.
            Refused: the record shows what is hidden from a person who can play on.
        """
        with self._busy:
            table = self._open.get(name)
        if table is not None:
            with table.busy:
                return table.record()
        record = self.kept(name)
        if record.unfinished is not None and record.ruleset.full and not record.unfinished.get("resigned"):
            raise Refused(HIDDEN)
        return record.text()

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

    def drop(self, name: str) -> None:
        """Close an open game; its file stays."""
        with self._busy:
            self._forget(name)

    @property
    def open(self) -> int:
        """The number of open games."""
        return len(self._open)

    def listed(self) -> list[dict[str, Any]]:
        """The kept games, the latest first: id, time of the last change, variant and players."""
        found, times = [], []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):  # removed meanwhile, or a link that leads nowhere
                if _ID.fullmatch(path.stem):
                    times.append((path.stat().st_mtime, path))
        for changed, path in sorted(times, reverse=True)[:MOST_LISTED]:
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
        if about.get("resigned"):
            return f"{words}; you were {COLOURS[about['seat']]}, against {against}, and resigned", False
        return f"{words}; you are {COLOURS[about['seat']]}, against {against}", True
    winners = " and ".join(COLOURS[seat] for seat in record.result["winners"])
    return f"{words}; {winners} won", False


def _when(changed: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed))
