"""Positions of games that a person changes by hand: shown, judged, and played on from."""

from __future__ import annotations

from typing import Any, NamedTuple

import anyio.to_thread
import numpy as np

from rc_env import Ruleset
from rc_env.apps.table import editing, editing_cathedral
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.hints import CHANCES
from rc_env.apps.web.kept import kept_levels, kept_seats, kept_seed
from rc_env.apps.web.store import Store, read_kept
from rc_env.apps.web.table import GONE_ON, Snapshot, Table
from rc_env.apps.web.tables import Tables
from rc_env.apps.web.workers import WorkerPool, advise
from rc_env.arena.jobs import variant_of
from rc_env.render import board_svg


class _Found(NamedTuple):
    at: str
    ruleset: Ruleset
    game: np.ndarray
    seats: tuple[str, ...]


class Positions:
    """Changed positions of the games of a server; the games themselves stay as they are.

    Args:
        store: where games are kept.
        tables: the games.
        workers: where positions are judged.
    """

    def __init__(self, store: Store, tables: Tables, workers: WorkerPool) -> None:
        self._store, self._tables, self._workers = store, tables, workers

    async def _game(self, name: str, at: str | None) -> _Found:
        """The present position of a game, which is the one that `at` stands for unless that is None.

        Raises:
            Refused: there is none, it is over, the game has gone on, or it shows what is hidden from a person who can
                play on.
        """

        def look(table: Table) -> _Found:
            if table.hides:
                raise Refused(table.hides)
            if table.over:
                raise Refused("The game is over: nothing can be played on from its end.")
            game = np.array(table.game.engine.clone(same_future=True))
            mark = editing.mark_of(game[0])
            if at not in (None, mark):
                raise Refused(GONE_ON)
            return _Found(mark, table.game.ruleset, game, tuple(table.game.seats))

        return await self._tables.look(name, look)

    async def show(self, name: str, at: str | None, changes: Any, theme: str) -> dict[str, Any]:
        """A position with changes, for the page: "at", the "fields" that can be changed, what can lie in the "slots" of
        a workshop, and the "board" as SVG.

        Args:
            name: the id of the game.
            at: what the position that was changed was given with; None for that of now.
            changes: as `editing.edited` takes them.
            theme: of the board.

        Raises:
            ValueError: a change is none, or the box does not hold what would lie there; or the game has gone on.
        """
        found = await self._game(name, at)

        def drawn() -> dict[str, Any]:
            game = editing.edited(found.ruleset, found.game, changes)
            board = board_svg(found.ruleset, game[0], theme)
            return {
                "at": found.at,
                "fields": editing.editable(found.ruleset, game[0]),
                "slots": editing_cathedral.choices(found.ruleset),
                "board": board,
            }

        return await anyio.to_thread.run_sync(drawn)

    async def chances(self, name: str, at: str, changes: Any) -> dict[str, Any]:
        """Who is winning in a position with changes, in a "sentence".

        Raises:
            ValueError: as `show`.
        """
        found = await self._game(name, at)
        game = await anyio.to_thread.run_sync(editing.edited, found.ruleset, found.game, changes)
        snapshot = Snapshot(variant_of(found.ruleset), found.seats, game, int(game["seat"][0]), 0)
        hint = await self._workers.work("the chances", advise, snapshot, CHANCES)
        return {"sentence": hint["sentence"]}

    async def play(self, name: str, at: str, changes: Any, client: str) -> str:
        """Begin a game from a position with changes, for the same players; returns its id.

        Raises:
            ValueError: as `show`.
            OSError: it cannot be kept.
        """
        found, row = await self._game(name, at), await self._tables.kept(name)

        def begun() -> Any:
            record = read_kept(row, self._store.folder)
            return editing.begun_with(record, editing.edited(found.ruleset, found.game, changes))

        record = await anyio.to_thread.run_sync(begun)
        return await self._tables.create(
            record.ruleset, kept_seats(row), kept_seed(row), record, client=client, entered=bool(row.entered),
            coach=kept_levels(row),
        )  # fmt: skip
