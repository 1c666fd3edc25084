"""The open games of a server: by id, each with its owner, and what opens and closes them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from rc_env.apps.table.game import YOU
from rc_env.apps.web.board import LAYOUTS
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.budgets import MOST_OPEN, Clients, Refused, address, object_of
from rc_env.apps.web.compiling import Builds
from rc_env.apps.web.kept import (
    GOES_ON,
    Kept,
    kept_branch,
    kept_coach,
    kept_keys,
    kept_levels,
    kept_seats,
    kept_seed,
    kept_so_far,
)
from rc_env.apps.web.live import GRACE, Closed, Connection, Owner
from rc_env.apps.web.store import Damaged, Gone, Store, kept_game, read_kept, unreadable
from rc_env.apps.web.table import Table
from rc_env.apps.web.workers import WorkerPool, check
from rc_env.arena import jobs
from rc_env.record import Record
from rc_env.ruleset import Ruleset

T = TypeVar("T")
CLOSE_SECONDS = 5.0
"""How long a game that is to be closed may take to be kept."""


class Tables:
    """All games of a server. Its methods run in the server's event loop, and only between two awaits change anything.

    Args:
        store: where games are kept.
        workers: where bots think.
        builds: the compiled rules.
        allow: refuses a bot that a page may not name, by a `Refused`; tells whether it may take as long as it wants.
        clients: what each client may open.
        grace: seconds for which a game stays open without a tab.

    Attributes:
        owners: the open games by id; the one that was shown last is the last.
    """

    def __init__(
        self, store: Store, workers: WorkerPool, builds: Builds, allow: Callable[[str], bool], clients: Clients,
        grace: float = GRACE,
    ) -> None:  # fmt: skip
        self.owners: OrderedDict[str, Owner] = OrderedDict()
        self._store, self._workers, self._builds, self._allow = store, workers, builds, allow
        self._clients, self._grace = clients, grace
        self._client_of: dict[str, str] = {}  # who began or opened each open game
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._checked: OrderedDict[tuple[str, jobs.Variant], None] = OrderedDict()

    # --- games

    async def create(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None, *,
        keys: Mapping[int, str] | None = None, new_dice: bool = False, client: str = "",
        deal: Mapping[str, Any] | None = None, entered: bool = False, coach: Mapping[int, str] | None = None,
        branch: Branch | None = None,
    ) -> str:  # fmt: skip
        """Deal a game for a client, or go on from a record; returns its id. A game of several people has `keys`.

        With `deal` and `entered` it is one at a real table, see `Game`. `coach` has how the coach is set, by seat;
        `branch` what it is a variation of.

        Raises:
            Refused: too many games are open, or a bot cannot be made, or not play this variant.
            OSError: the game cannot be kept.
        """
        await self._builds.ready(ruleset.full)
        for name in dict.fromkeys(seats):
            if name != YOU:
                await self.check(name, ruleset)
        more: dict[str, Any] = {"new_dice": new_dice, "deal": deal, "entered": entered, "branch": branch}
        table = await anyio.to_thread.run_sync(lambda: Table(ruleset, seats, seed, begun, keys, **more))
        for seat, level in (coach or {}).items():
            table.teaching.set(seat, level)
        name = secrets.token_hex(8)
        await self._store.keep(kept_game(name, table), ruleset)
        await self._make_room(client)
        self._own(name, table, client)
        return name

    async def check(self, name: str, ruleset: Ruleset) -> None:
        """Check that a bot is allowed, and can play a variant.

        Raises:
            Refused: it cannot.
        """
        free, variant = self._allow(name), jobs.variant_of(ruleset)
        if (name, variant) not in self._checked:
            await self._workers.work(f"bot {name}", check, name, variant, free)
            self._checked[name, variant] = None
            if len(self._checked) > 1000:
                self._checked.popitem(last=False)

    async def again(self, name: str, seed: int | None, client: str, keys: Sequence[str] = ()) -> str:
        """Deal a game to the players of another one, with its deal if no seed is given; returns its id.

        The keys of its people stay as they are, and tabs that show the other game are told.

        Raises:
            Gone: there is no such game.
            Refused: no key of a game of several people is given; see `create` for more.
        """
        row = await self.kept(name)
        seats, record = kept_seats(row), await self._record(row)
        if row.entered:
            raise Refused("This game was played at a real table: set up what lies there now.")
        if row.study:
            raise Refused("This is a variation of a study: begin another one there.")
        if "somebody" in seats:
            raise Refused("It is not known who played this game: begin a new one.")
        _check_key(row, keys)
        same = {seat: key for seat, key in kept_keys(row).items() if seats[seat] == YOU}
        seed = kept_seed(row) if seed is None else seed
        made = await self.create(record.ruleset, seats, seed, keys=same, client=client, coach=kept_levels(row))
        if name in self.owners:
            await self.owners[name].again(made)
        return made

    async def find(self, name: str, client: str = "") -> Owner:
        """The owner of an open game, or of the kept one, which is opened for a client.

        Raises:
            Gone: there is none.
            Refused: too many games are open.
        """
        lock = self._opening.setdefault(name, asyncio.Lock())
        async with lock:  # tabs that open it together get the same owner
            if name not in self.owners:
                table = await self._table(await self._store.find(name))
                await self._make_room(client)
                self._own(name, table, client)
            return self.owners[name]

    async def kept(self, name: str) -> Kept:
        """A game as it is kept, or would be now. It opens none.

        Raises:
            Gone: there is none.
        """
        while name in self.owners:
            with suppress(Closed):
                return await self.owners[name].ask(lambda table: kept_game(name, table))
        return await self._store.find(name)

    async def record(self, name: str) -> str:
        """The record of a game, open or kept. It opens none.

        Raises:
            Gone: there is none.
            Refused: the record shows what is hidden from a person who can play on.
            OSError: the game is over, but that cannot be kept: opened again it would go on.
        """
        row = await self.kept(name)
        if row.hidden:
            raise Refused(row.hidden)
        if row.state != GOES_ON and name in self.owners:
            await self._store.keep(row, self.owners[name].table.game.ruleset)
        return row.record

    async def look(self, name: str, question: Callable[[Table], T]) -> T:
        """An answer about a game, open or kept. It opens none.

        Raises:
            Gone: there is none.
        """
        while name in self.owners:
            with suppress(Closed):
                return await self.owners[name].ask(question)
        return question(await self._table(await self._store.find(name)))

    async def delete(self, name: str, keys: Sequence[str] = ()) -> None:
        """Delete a game, and tell the tabs that show it. One that is damaged is anybody's.

        Raises:
            Gone: there is none.
            Refused: several people are playing it, and none of their keys is given.
        """
        try:
            row = await self.kept(name)
            if row.state == GOES_ON:
                _check_key(row, keys)
        except ValueError as error:
            if isinstance(error, Refused) and not isinstance(error, Damaged):
                raise
        while True:
            if name in self.owners:
                await self.owners[name].close("This game was deleted.", forget=True)
            await self._store.delete(name)
            if name not in self.owners:
                return  # no tab has opened it again in the meantime

    async def close(self) -> None:
        """Close all games, each kept as it is now."""
        with anyio.move_on_after(CLOSE_SECONDS):
            async with anyio.create_task_group() as group:
                for owner in list(self.owners.values()):
                    group.start_soon(owner.close)
        for task in self._tasks:
            task.cancel()

    async def _record(self, row: Kept) -> Record:
        return await anyio.to_thread.run_sync(lambda: read_kept(row, self._store.folder))

    async def _table(self, row: Kept) -> Table:
        record = await self._record(row)
        await self._builds.ready(record.ruleset.full)

        def made() -> Table:
            try:
                seats, so_far, branch = kept_seats(row), kept_so_far(row), kept_branch(row)
                if len(seats) != record.ruleset.players:
                    raise ValueError(f"it has {record.ruleset.players} seats, but {len(seats)} are kept")
                if max(len(so_far), 0 if branch is None else branch.at) > len(record.decisions):
                    raise ValueError("what is kept with it is about decisions that it has not")
                kept: dict[str, Any] = {"coach": kept_coach(row), "so_far": so_far, "branch": branch}
                entered = bool(row.entered)
                return Table(record.ruleset, seats, kept_seed(row), record, kept_keys(row), entered=entered, **kept)
            except ValueError as error:
                raise Gone(unreadable(error)) from None

        return await anyio.to_thread.run_sync(made)

    def _own(self, name: str, table: Table, client: str) -> None:
        owner = Owner(name, table, self._store, self._workers, self.check, self._grace)
        self.owners[name], self._client_of[name] = owner, client

        def closed() -> None:
            del self.owners[name], self._client_of[name]

        async def run() -> None:
            try:
                await owner.run(closed)
            except Exception:
                logging.getLogger(__name__).exception("game %s was closed", name)

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make_room(self, client: str) -> None:
        """Close games that no tab shows, those that were shown long ago first, until there is room for one more.

        Raises:
            Refused: tabs show all of them.
        """
        for most, names in (
            (self._clients.most_games, [name for name in self.owners if self._client_of[name] == client]),
            (MOST_OPEN, list(self.owners)),
        ):
            idle = [self.owners[name] for name in names if name in self.owners and not self.owners[name].connections]
            more = sum(name in self.owners for name in names) - most + 1
            if more > len(idle):
                raise Refused(f"{len(names)} games are open, which is the limit of this server: close some.")
            with anyio.move_on_after(CLOSE_SECONDS):
                for owner in idle[: max(more, 0)]:
                    await owner.close("This game was closed for another one.")

    # --- tabs

    async def serve(self, socket: WebSocket, name: str) -> None:
        """Serve a game to a tab until one of them ends it."""
        await socket.accept()
        client, query = address(socket), socket.query_params
        layout, seen = query.get("layout", "wide"), query.get("after", "")
        number = int(seen) if seen.isascii() and seen.isdecimal() and len(seen) < 20 else None
        keys = query.getlist("key")
        connection = Connection(socket, layout if layout in LAYOUTS else "wide", number, keys, query.get("pace", ""))
        try:
            self._clients.enter(client)
        except Refused as refusal:
            connection.put({"type": "gone", "sentence": str(refusal)})
            connection.end()
            await connection.send()
            return
        try:
            async with anyio.create_task_group() as group:

                async def send() -> None:
                    await connection.send()
                    group.cancel_scope.cancel()

                group.start_soon(send)
                await self._receive(socket, connection, name, client)
        finally:
            self._clients.leave(client)
            connection.close()

    async def _receive(self, socket: WebSocket, connection: Connection, name: str, client: str) -> None:
        """Hand on what a tab asks for, until it is closed."""
        owner: Owner | None = None
        try:
            owner = await self._enter(connection, name, client)
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                try:
                    asked = object_of(message.get("text") or message.get("bytes") or b"")
                except Refused as refusal:
                    connection.put({"type": "refused", "sentence": str(refusal)})
                else:
                    await owner.receive(connection, asked or {})
        except (Refused, OSError) as refusal:
            connection.put({"type": "gone", "sentence": str(refusal)})
        except (WebSocketDisconnect, RuntimeError, Closed):  # the tab or the game is closed
            pass
        finally:
            connection.end()
            if owner is not None:
                with anyio.CancelScope(shield=True):
                    await owner.leave(connection)

    async def _enter(self, connection: Connection, name: str, client: str) -> Owner:
        while True:
            owner = await self.find(name, client)
            with suppress(Closed):
                await owner.enter(connection)
                if name in self.owners:
                    self.owners.move_to_end(name)
                return owner


def _check_key(row: Kept, keys: Sequence[str]) -> None:
    """Refuse what only the people of a game may do.

    Raises:
        Refused: it is a game of several people, and none of their keys is given.
    """
    if row.keys and not set(keys) & set(kept_keys(row).values()):
        raise Refused("Several people play this game: only they can do that, at the address of a seat.")
