"""Live games: the connections that show a game, their requests, and the pace of the bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from rc_env.apps.web.board import LAYOUTS, DrawnBoard
from rc_env.apps.web.budgets import Clients, Refused, address
from rc_env.apps.web.store import Tables
from rc_env.apps.web.table import Table

GRACE = 60.0
"""Seconds for which a game stays open without a connected tab, so that a page can be reloaded."""
SLOWEST = 10.0
"""Seconds between two decisions of bots, at most."""
_THREADS = 64
T = TypeVar("T")


class Connection:
    """A tab that shows a game, and the state that it shows."""

    def __init__(self, socket: WebSocket, layout: str) -> None:
        self.socket, self.layout = socket, layout
        self._board: DrawnBoard | None = None
        self._events: list[tuple[int, int, str, int]] = []

    def relay(self, layout: str) -> None:
        """Show the board in another layout from now on."""
        self.layout, self._board = layout, None

    def update(self, table: Table) -> dict[str, Any]:
        """A message with the position, and the parts of the board and events that the tab does not show yet."""
        board, before = table.board(self.layout), self._board
        anew = before is None or before.panels != board.panels
        message = {"type": "position", **table.message(), "layout": self.layout}
        if anew:
            message["panels"] = board.panels
        message["parts"] = board.changes(None if anew else before)
        events = table.events
        same = 0
        while same < min(len(events), len(self._events)) and events[same] == self._events[same]:
            same += 1
        message["events"] = {"from": same, "lines": events[same:]}
        self._board, self._events = board, events
        return message


class Room:
    """A game and the tabs that show it."""

    def __init__(self, table: Table, limiter: anyio.CapacityLimiter) -> None:
        self.table = table
        self.connections: set[Connection] = set()
        self.pace, self.stepping, self.steps = 0.7, False, 0
        self.closing: asyncio.TimerHandle | None = None
        self._unkept = ""
        self._lock, self._wake = asyncio.Lock(), asyncio.Event()
        self._limiter = limiter
        self._driver: asyncio.Task[None] | None = None

    async def enter(self, connection: Connection) -> None:
        """Add a tab."""
        if self.closing is not None:
            self.closing.cancel()
            self.closing = None
        self.connections.add(connection)
        async with self._lock:
            await self._show(connection)
        if self._driver is None:
            self._driver = asyncio.create_task(self._drive())

    def leave(self, connection: Connection) -> None:
        """Remove a closed tab; without any tab the bots pause."""
        self.connections.discard(connection)
        if not self.connections and self._driver is not None:
            self._driver.cancel()
            self._driver = None

    async def receive(self, connection: Connection, asked: Mapping[str, Any]) -> None:
        """Carry out a tab's request, or send a sentence that says why it is refused."""
        table = self.table
        try:
            match asked:
                case {"do": "play", "action": int(action), "at": int(at)}:
                    await self._change(lambda: table.play(action, at))
                case {"do": "undo" | "redo" | "new_dice" | "resign" as name}:
                    await self._change(getattr(table, name))
                case {"do": "preview", "action": int(action)}:
                    async with self._lock:
                        found = await self._run(lambda: table.preview(action, connection.layout))
                        at = table.game.played
                    await _send(connection, {"type": "preview", "action": action, "at": at, **found})
                case {"do": "hint", "level": 1 | 2 | 3 as level}:
                    async with self._lock:
                        hint = await self._run(lambda: table.hint(level))
                        at = table.game.played
                    await _send(connection, {"type": "hint", "at": at, **hint})
                case {"do": "pace", "seconds": int(seconds) | float(seconds)} if 0 <= seconds <= SLOWEST:
                    self.pace, self.stepping = seconds, False
                    self._wake.set()
                case {"do": "pause"}:
                    self.stepping, self.steps = True, 0
                case {"do": "step"}:
                    self.stepping, self.steps = True, 1
                    self._wake.set()
                case {"do": "layout", "layout": str(layout)} if layout in LAYOUTS:
                    async with self._lock:
                        connection.relay(layout)
                        await self._show(connection)
                case _:
                    raise Refused("This server does not know the page's request: reload the page.")
        except ValueError as refusal:  # a Refused, or a bot that has failed
            await _send(connection, {"type": "refused", "sentence": str(refusal)})

    async def _change(self, do: Callable[[], object]) -> None:
        async with self._lock:
            await self._run(do)
            await self._tell()
            await self._keep()
        self._wake.set()

    async def _drive(self) -> None:
        """Let the bots play at their pace."""
        while True:
            if not self.table.waits_for_bot or (self.stepping and not self.steps):
                await self._wake.wait()
                self._wake.clear()
                continue
            if not self.stepping and self.pace:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), self.pace)
                    self._wake.clear()
                    continue  # something else has changed
            self.steps = 0
            async with self._lock:
                if self.table.waits_for_bot:
                    await self._run(self.table.play_bot)
                    await self._tell()
                    if not self.table.waits_for_bot:
                        await self._keep()

    async def _keep(self) -> None:
        """Save the game, and tell the tabs once where that is not possible."""
        before, self._unkept = self._unkept, await self._run(self.table.keep)
        if self._unkept and not before:
            for connection in list(self.connections):
                await _send(connection, {"type": "refused", "sentence": self._unkept})

    async def _tell(self) -> None:
        for connection in list(self.connections):
            await self._show(connection)

    async def _show(self, connection: Connection) -> None:
        await _send(connection, await self._run(lambda: connection.update(self.table)))

    async def _run(self, do: Callable[[], T]) -> T:
        """Run a function in a thread, so that the engine and the bots do not hold up other games."""
        return await anyio.to_thread.run_sync(do, limiter=self._limiter)


async def _send(connection: Connection, message: Mapping[str, Any]) -> None:
    """Send to a tab that may be gone by now."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await connection.socket.send_json(message)


async def _close(connection: Connection, refusal: Refused) -> None:
    """Say why a game is not shown, and close the connection."""
    await _send(connection, {"type": "gone", "sentence": str(refusal)})
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await connection.socket.close()


class Rooms:
    """The rooms of all games with a connected tab."""

    def __init__(self, tables: Tables, clients: Clients, grace: float = GRACE) -> None:
        self._tables, self._clients, self._grace = tables, clients, grace
        self._rooms: dict[str, Room] = {}
        self._limiter: anyio.CapacityLimiter | None = None

    async def serve(self, socket: WebSocket, name: str, layout: str) -> None:
        """Serve a game to a tab until the tab is closed."""
        await socket.accept()
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_THREADS)
        connection = Connection(socket, layout if layout in LAYOUTS else "wide")
        client = address(socket)
        try:
            self._clients.enter(client)
        except Refused as refusal:
            await _close(connection, refusal)
            return
        try:
            await self._show(connection, name, client)
        finally:
            self._clients.leave(client)

    async def _show(self, connection: Connection, name: str, client: str) -> None:
        socket = connection.socket
        assert self._limiter is not None
        try:
            table = await anyio.to_thread.run_sync(lambda: self._tables.find(name, client), limiter=self._limiter)
        except Refused as refusal:
            await _close(connection, refusal)
            return
        room = self._rooms.get(name)
        if room is None or room.table is not table:
            room = self._rooms[name] = Room(table, self._limiter)
        try:
            self._tables.show(name, True)
            await room.enter(connection)
            while True:
                asked = await socket.receive_json()
                await room.receive(connection, asked if isinstance(asked, dict) else {})
        except (WebSocketDisconnect, ValueError, KeyError, RuntimeError):  # closed, or no JSON
            pass
        finally:
            room.leave(connection)
            if not room.connections:
                self._tables.show(name, False)
                loop = asyncio.get_running_loop()
                room.closing = loop.call_later(self._grace, self._free, name, room)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await socket.close()

    def expect(self, name: str) -> None:
        """Close a new game unless a tab connects soon."""
        asyncio.get_running_loop().call_later(self._grace, self._free, name, None)

    def _free(self, name: str, room: Room | None) -> None:
        if self._rooms.get(name) is room and (room is None or not room.connections):
            self._rooms.pop(name, None)
            self._tables.drop(name)
