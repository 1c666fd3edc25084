"""The games and studies of a server, in one SQLite database, which one thread uses."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from rc_env import checks, files
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.web.branches import MOST_BRANCHES, Branch
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.kept import (
    GOES_ON,
    OVER,
    RESIGNED,
    Kept,
    branch_of,
    kept_box,
    kept_judgements,
    kept_row,
    kept_seats,
    kept_setup,
    kept_time,
)
from rc_env.apps.web.opponents import TITLES
from rc_env.apps.web.table import HIDDEN, Table
from rc_env.record import SUFFIX, Record, keep_data, parse, read
from rc_env.render.view import count
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

FILE = "games.sqlite"
MOST_LISTED = 200
"""The most games that are listed, the latest first."""
MOST_STUDIES = 200
"""The most studies that are kept, so that links to them stay valid; the one looked at longest ago is removed first."""
MOST_LAID_OUT = 100
"""The most setups of real tables that are kept; a further one is refused until one of them is deleted."""
UNREADABLE = "(cannot be read)"
"""The name of something that is damaged, in a list."""
UNPLAYED_SECONDS = 86_400.0
"""How long a game is kept in which nothing was ever played."""
_VERSION = 4
_TABLES = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, changed REAL NOT NULL, variant TEXT NOT NULL, seats TEXT NOT NULL, seed TEXT NOT NULL,
    decisions INTEGER NOT NULL, new_dice INTEGER NOT NULL, state TEXT NOT NULL, result TEXT NOT NULL,
    hidden TEXT NOT NULL, record TEXT NOT NULL, keys TEXT NOT NULL, entered INTEGER NOT NULL,
    coach TEXT NOT NULL, so_far TEXT NOT NULL, study TEXT NOT NULL, branch TEXT NOT NULL
);
CREATE INDEX games_by_time ON games (changed);
CREATE TABLE studies (id TEXT PRIMARY KEY, changed REAL NOT NULL, record TEXT NOT NULL, judgements TEXT NOT NULL);
"""
_LAID_OUT = """
CREATE TABLE laid_out (id TEXT PRIMARY KEY, changed REAL NOT NULL, title TEXT NOT NULL, setup TEXT NOT NULL);
CREATE TABLE box (version INTEGER NOT NULL, known TEXT NOT NULL);
INSERT INTO box VALUES (0, '{}');
"""
_TABLES += _LAID_OUT
_LATER = {
    1: f"""
ALTER TABLE games ADD COLUMN keys TEXT NOT NULL DEFAULT '';
UPDATE games SET hidden = CASE hidden WHEN 0 THEN '' ELSE '{HIDDEN}' END;
""",
    2: f"ALTER TABLE games ADD COLUMN entered INTEGER NOT NULL DEFAULT 0;{_LAID_OUT}",
    3: """
ALTER TABLE games ADD COLUMN coach TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN so_far TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN study TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN branch TEXT NOT NULL DEFAULT '';
""",
}
"""What brings a database of an earlier version to the next one."""
T = TypeVar("T")


class Gone(Refused):
    """The game does not exist, or cannot be continued."""


class Damaged(Gone):
    """What is kept of the game is damaged."""


def kept_game(name: str, table: Table) -> Kept:
    """An open game as a row."""
    game = table.game
    state = RESIGNED if table.resigned else OVER if game.over else GOES_ON
    return Kept(
        name,
        time.time(),
        variant_words(game.ruleset),
        json.dumps(game.seats),
        str(table.seed),
        game.played,
        game.has_new_dice,
        state,
        _result(game) if game.over else ("broken off" if game.entered else "you resigned") if table.resigned else "",
        table.hides,
        game.record(),
        json.dumps(table.keys) if table.keys else "",
        game.entered,
        json.dumps(table.teaching.kept()) if table.teaching.pupils else "",
        json.dumps(table.so_far.kept()) if table.so_far.judged else "",
        table.branch.study if table.branch else "",
        json.dumps(asdict(table.branch)) if table.branch else "",
    )


class Store:
    """The database of a server. Every call is made in its one thread, and takes effect as a whole or not at all.

    A game is kept as its record, the form in which games are exchanged, beside what the list of games says about it. In
    a folder that has none yet, games and studies are taken over from the files of earlier versions, which stay there.

    Args:
        folder: of the database, and of the data files of games that are not played with the package's.

    Raises:
        OSError: the folder cannot be made or written to, or holds a database that cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = files.make_folder(folder)
        self._thread = ThreadPoolExecutor(1, "store")
        self._thread.submit(self._open).result()

    def _open(self) -> None:
        try:
            self._db = sqlite3.connect(self.folder / FILE, isolation_level=None)
            self._db.text_factory = partial(str, encoding="utf-8", errors="replace")  # one damaged text hides no other
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if not 0 <= version <= _VERSION:
                raise OSError(
                    f"{self.folder / FILE} has version {version}, but this version of rc_env reads {_VERSION}"
                )
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                if version == 0:
                    for sentence in filter(str.strip, _TABLES.split(";")):
                        self._db.execute(sentence)
                    self._take_over()
                for earlier in range(version or _VERSION, _VERSION):
                    for sentence in filter(str.strip, _LATER[earlier].split(";")):
                        self._db.execute(sentence)
                if version != _VERSION:
                    self._db.execute(f"PRAGMA user_version = {_VERSION}")
                self._db.execute(
                    "DELETE FROM games WHERE decisions = 0 AND changed < ?", (time.time() - UNPLAYED_SECONDS,)
                )
        except sqlite3.Error as error:
            raise OSError(f"{self.folder / FILE} cannot be used: {error}") from None

    def _take_over(self) -> None:
        """Add the records that earlier versions kept as files."""
        for place in ("games", "studies"):
            for path in sorted((self.folder / place).glob(f"*{SUFFIX}")):
                try:
                    record = read(path, unfinished=True)
                    keep_data(record.ruleset, self.folder)
                except (ValueError, OSError):
                    continue  # as before, it is not shown
                row: Sequence[Any] = _from_file(path, record)
                if place == "studies":
                    row = (path.stem, path.stat().st_mtime, record.text(), "[]")
                self._db.execute(f"INSERT INTO {place} VALUES ({', '.join('?' * len(row))})", row)

    async def _run(self, do: Callable[[], T]) -> T:
        def work() -> T:
            try:
                return do()
            except sqlite3.Error as error:
                raise OSError(f"{FILE} cannot be written to: {error}") from None

        return await asyncio.wrap_future(self._thread.submit(work))

    async def close(self) -> None:
        """Close the database; no call may follow."""
        await self._run(lambda: self._db.close())
        self._thread.shutdown()

    # --- games

    async def keep(self, row: Kept, ruleset: Ruleset) -> None:
        """Keep a game, or what has become of it.

        Raises:
            OSError: that is not possible now; the game as it was kept before is still there.
            ValueError: another data file lies where that of the game would have to.
        """

        def do() -> None:
            keep_data(ruleset, self.folder)
            places = ", ".join("?" * len(row))
            self._db.execute(f"INSERT OR REPLACE INTO games VALUES ({places})", row)

        await self._run(do)

    async def find(self, name: str) -> Kept:
        """The game of an id.

        Raises:
            Gone: there is none.
            Damaged: what is kept of it cannot be read.
        """
        found = await self._run(lambda: self._db.execute("SELECT * FROM games WHERE id = ?", (name,)).fetchone())
        if found is None:
            raise Gone("There is no such game any more: begin a new one.")
        try:
            return kept_row(found)
        except ValueError as error:
            raise Damaged(unreadable(error)) from None

    async def delete(self, name: str) -> None:
        """Delete a game, if there is one.

        Raises:
            OSError: that is not possible now.
        """
        await self._run(lambda: self._db.execute("DELETE FROM games WHERE id = ?", (name,)))

    async def listed(self) -> list[dict[str, Any]]:
        """The games in which something was played, the latest first; one that is damaged is a line that says so."""
        columns = ", ".join("''" if name == "record" else name for name in Kept._fields)
        asked = f"SELECT {columns} FROM games WHERE decisions > 0 AND study = '' ORDER BY changed DESC LIMIT ?"
        rows = await self._run(lambda: self._db.execute(asked, (MOST_LISTED,)).fetchall())
        return [_line(row) for row in rows]

    async def export(self) -> bytes:
        """All records as a ZIP archive. Those that show what is hidden from a person are left out, and listed in it."""

        def do() -> bytes:
            content, left_out = BytesIO(), []
            with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, hidden, record in self._db.execute(
                    "SELECT id, hidden, record FROM games WHERE decisions > 0 AND study = ''"
                ):
                    if not isinstance(record, str):
                        left_out.append(f"game-{name}: {UNREADABLE}\n")
                    elif hidden:
                        left_out.append(f"game-{name}: {hidden}\n")
                    else:
                        archive.writestr(f"game-{name}{SUFFIX}", record)
                if left_out:
                    archive.writestr("left-out.txt", "".join(left_out))
            return content.getvalue()

        return await self._run(do)

    # --- studies

    async def add_study(self, name: str, record: str) -> None:
        """Keep the record of a study, unless it is kept already.

        Raises:
            OSError: that is not possible now.
        """

        def do() -> None:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                self._db.execute("INSERT OR IGNORE INTO studies VALUES (?, ?, ?, '[]')", (name, time.time(), record))
                self._db.execute(
                    "DELETE FROM studies WHERE id NOT IN (SELECT id FROM studies ORDER BY changed DESC LIMIT ?) "
                    "AND id NOT IN (SELECT study FROM games)",
                    (MOST_STUDIES,),
                )

        await self._run(do)

    async def study(self, name: str) -> tuple[str, dict[str, Any]]:
        """The record of a study, and the judgements so far by the number of their decision, in the order in which they
        were made. Those that are damaged, or of earlier versions, which had no measured losses, are left out.

        Raises:
            Refused: there is none, or its record is damaged.
        """

        def do() -> Any:
            self._db.execute("UPDATE studies SET changed = ? WHERE id = ?", (time.time(), name))
            return self._db.execute("SELECT record, judgements FROM studies WHERE id = ?", (name,)).fetchone()

        found = await self._run(do)
        if found is None:
            raise Refused("There is no such study any more: open the record again.")
        record, judgements = found
        if not isinstance(record, str):
            raise Refused("This study cannot be read any more: open the record again.")
        return record, kept_judgements(judgements, record.count("\n") - 2)  # all but the first and the last line

    async def judge(self, name: str, judgements: Mapping[str, dict[str, Any]]) -> None:
        """Keep the judgements of a study.

        Raises:
            OSError: that is not possible now.
        """
        values = (json.dumps(judgements), name)
        await self._run(partial(self._db.execute, "UPDATE studies SET judgements = ? WHERE id = ?", values))

    async def branches(self, study: str) -> list[dict[str, Any]]:
        """The variations of a study, in the order of their decisions: "id", the entries of `Branch`, and "decisions".

        `decisions` are those beyond the study's. One that is damaged says so in its name, so that it can be deleted.
        """
        asked = "SELECT id, branch, decisions FROM games WHERE study = ? ORDER BY rowid"
        rows = await self._run(lambda: self._db.execute(asked, (study,)).fetchall())
        found = []
        for name, kept, decisions in rows:
            try:
                branch = branch_of(kept, study)
                played = checks.whole_number("decisions", decisions, branch.at) - branch.at
            except ValueError:
                branch, played = Branch(study, 0, UNREADABLE), 0
            found.append({**asdict(branch), "id": str(name), "decisions": played})
        return sorted(found, key=lambda one: int(one["at"]))

    async def check_branches(self, study: str) -> None:
        """Check that a study may have one more variation.

        Raises:
            Refused: it has as many as may be.
        """
        asked = "SELECT COUNT(*) FROM games WHERE study = ?"
        (count,) = await self._run(lambda: self._db.execute(asked, (study,)).fetchone())
        if count >= MOST_BRANCHES:
            raise Refused(f"This study has {MOST_BRANCHES} variations, as many as may be: delete one of them.")

    # --- real tables

    async def save_setup(self, name: str, title: str, setup: str) -> None:
        """Keep what lies on a real table, under an id and a title; what was kept under this id is replaced.

        Raises:
            Refused: it is a new one, and as many as may be are kept already.
            OSError: that is not possible now.
        """

        def do() -> None:
            self._db.execute("BEGIN IMMEDIATE")
            with self._db:
                (others,) = self._db.execute("SELECT COUNT(*) FROM laid_out WHERE id <> ?", (name,)).fetchone()
                if others >= MOST_LAID_OUT:
                    raise Refused(
                        f"{MOST_LAID_OUT} tables are kept already, as many as may be: delete one that is no longer "
                        "needed, then save this one again."
                    )
                self._db.execute(
                    "INSERT OR REPLACE INTO laid_out VALUES (?, ?, ?, ?)", (name, time.time(), title, setup)
                )

        await self._run(do)

    async def setups(self) -> list[dict[str, Any]]:
        """The setups that are kept, the latest first: "id", "title" and when it was "changed"."""
        asked = "SELECT id, title, changed FROM laid_out ORDER BY changed DESC"
        rows = await self._run(lambda: self._db.execute(asked).fetchall())
        found = []
        for name, title, changed in rows:
            try:
                line = {"title": checks.instance("title", title, str, "a text"), "changed": _day(changed)}
            except ValueError:
                line = {"title": UNREADABLE, "changed": ""}
            found.append({"id": str(name), **line})
        return found

    async def setup(self, name: str) -> tuple[str, dict[str, Any]]:
        """The title of a setup, and what it is, see `kept.kept_setup`.

        Raises:
            Refused: there is none.
            ValueError: what is kept of it is damaged.
        """
        asked = "SELECT title, setup FROM laid_out WHERE id = ?"
        found = await self._run(lambda: self._db.execute(asked, (name,)).fetchone())
        if found is None:
            raise Refused("There is no such table any more: set it up again.")
        return str(found[0]), kept_setup(found[1])

    async def delete_setup(self, name: str) -> None:
        """Delete a setup, if there is one.

        Raises:
            OSError: that is not possible now.
        """
        await self._run(lambda: self._db.execute("DELETE FROM laid_out WHERE id = ?", (name,)))

    async def box(self) -> tuple[int, dict[str, Any]]:
        """The owner's box, see `own_box`, and the number of its version.

        Raises:
            ValueError: what is kept of it is damaged.
        """
        found = await self._run(lambda: self._db.execute("SELECT version, known FROM box").fetchone())
        return found[0], kept_box(found[1])

    async def keep_box(self, version: int, known: dict[str, Any]) -> None:
        """Keep a box that was made from that version of it.

        Raises:
            Refused: it has changed since.
            OSError: that is not possible now.
        """
        values = (json.dumps(known), version)
        asked = "UPDATE box SET version = version + 1, known = ? WHERE version = ?"
        if not await self._run(lambda: self._db.execute(asked, values).rowcount):
            raise Refused("Your cards were changed elsewhere in the meantime: reload the page.")


# --- games in words


def _day(seconds: float) -> str:
    """When something was kept, in words.

    Raises:
        ValueError: it is no time.
    """
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(kept_time(seconds)))


def unreadable(error: ValueError) -> str:
    """A sentence about a game of which something is damaged."""
    return f"This game cannot be read: {error}."


def variant_words(ruleset: Ruleset) -> str:
    """A variant for people, such as `3 players, advanced workshops`."""
    words = ["solo, against Ivan" if ruleset.solo else count(ruleset.players, "player")]
    if ruleset.workshop != "basic":
        words.append(f"{ruleset.workshop} workshops")
    if ruleset.full:
        words.append("expansion")
    if ruleset.turn_limit != Ruleset.turn_limit:
        words.append(f"at most {count(ruleset.turn_limit, 'turn')}")
    return ", ".join(words)


def result_words(seats: Sequence[str], prestige: Sequence[int], winners: Sequence[int]) -> str:
    """Who won a game, and by what, such as `you won, 32 to 26`; the seat after those of the players is Ivan's."""
    alone = seats.count(YOU) == 1
    names = [
        f"{colour} ({TITLES.get(name, name)})" if name != YOU else "you" if alone else colour
        for name, colour in zip(seats, COLOURS, strict=False)
    ]
    names += ["Ivan"]
    points = sorted(prestige, reverse=True)
    level = len(winners) == 1 and points[0] == points[1]
    won = " and ".join(names[seat] for seat in winners)
    return f"{won} won, {' to '.join(map(str, points))}{', by the tie-break' if level else ''}"


def _result(game: Game) -> str:
    scores = sorted(game.scores(), key=lambda score: score.seat)
    winners = [score.seat for score in scores if score.place == 1]
    return result_words(game.seats, [score.prestige for score in scores], winners)


def _line(columns: Sequence[Any]) -> dict[str, Any]:
    """A game of the list: "words" says all of it in one line."""
    try:
        row = kept_row(columns)
        seats = kept_seats(row)
    except ValueError as error:
        nothing = dict.fromkeys(("changed", "variant", "result", "seed"), "")
        switches = dict.fromkeys(("unfinished", "new_dice", "people", "entered"), False)
        return {"id": str(columns[0]), "words": unreadable(error), "seats": [], **nothing, **switches}
    others = [TITLES.get(name, name) for name in seats if name != YOU]
    people = [colour for name, colour in zip(seats, COLOURS, strict=False) if name == YOU]
    players = ", ".join(others) or "Ivan"
    if row.keys:
        players = f"people ({', '.join(people)}){', '.join(['', *others])}"
    elif row.entered:
        players = "at a real table"
    elif people:
        players = f"you ({people[0]}) against {players}"
    words = [
        row.variant,
        players,
        row.result or f"{row.decisions} decisions",
    ]
    return {
        "id": row.id,
        "changed": _day(row.changed),
        "words": "; ".join([*words, "new dice"] if row.new_dice else words),
        "unfinished": row.state == GOES_ON,
        "variant": row.variant,
        "seats": seats,
        "result": row.result,
        "new_dice": bool(row.new_dice),
        "seed": "" if row.keys and row.state == GOES_ON else row.seed,
        "people": bool(row.keys),
        "entered": bool(row.entered),
    }


def read_kept(row: Kept, folder: Path) -> Record:
    """The record of a kept game.

    Raises:
        Gone: it cannot be read any more.
    """
    try:
        return parse(row.record, "this game", beside=folder, unfinished=True)
    except ValueError as error:
        raise Gone(unreadable(error)) from None


def _from_file(path: Path, record: Record) -> Kept:
    """A game that an earlier version has kept. Of one that is over, the file does not say who played."""
    about, ruleset = record.unfinished, record.ruleset
    seats = record.seated if about is not None else ["somebody"] * ruleset.players
    state = OVER if about is None else RESIGNED if about.get("resigned") else GOES_ON
    result = "you resigned" if state == RESIGNED else ""
    if state == OVER:
        result = result_words(seats, record.result["prestige"], record.result["winners"])
    return Kept(
        path.stem,
        path.stat().st_mtime,
        variant_words(ruleset),
        json.dumps(seats),
        str(record.header["seed"]),
        len(record.decisions),
        bool(record.new_dice),
        state,
        result,
        HIDDEN if state == GOES_ON and ruleset.full else "",
        record.text(),
        "",
        False,
        "",
        "",
        "",
        "",
    )
