"""A server in a thread, and a bot that fails, for the tests of the web pages."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rc_env.bot import Bot, Position

if TYPE_CHECKING:
    from rc_env.apps.web.table import Table

T = TypeVar("T")


class Crashing:
    """A bot that plays the first decisions of a game, then raises an exception."""

    name = "crashing"

    def reset(self, seed: int) -> None:
        """Note whether it is only tried out."""
        self.tried_out = seed == 0

    def act(self, position: Position) -> np.ndarray:
        """Return the first legal action of each game."""
        if not self.tried_out and position.games()["decisions"][0] > 5:
            self.fail()
        return position.mask.argmax(1)

    def fail(self) -> None:
        """Raise."""
        raise RuntimeError("out of ideas <b>now</b>")


class Leaving(Crashing):
    """A bot whose process ends then."""

    name = "leaving"

    def fail(self) -> None:
        """End the process."""
        os._exit(3)


class Hanging(Crashing):
    """A bot that never answers then, not even to an alarm."""

    name = "hanging"

    def fail(self) -> None:
        """Sleep without an end."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        while True:
            time.sleep(60)


class Slow(Crashing):
    """A bot that takes a second for each decision."""

    name = "slow"

    def act(self, position: Position) -> np.ndarray:
        """Return the first legal action of each game, late."""
        time.sleep(0 if self.tried_out else 1)
        return position.mask.argmax(1)


def ask(server: Any, game: str, question: Callable[[Table], T]) -> T:
    """What the owner of an open game answers: it alone uses the table, and works in the thread of the server."""
    loop = next(iter(server.tables._tasks)).get_loop()
    return asyncio.run_coroutine_threadsafe(server.tables.owners[game].ask(question), loop).result(120)


def choice(server: Any, game: str, bot: Bot) -> int:
    """What a bot would play in an open game."""
    return ask(server, game, lambda table: int(bot.act(Position.of(table.game.engine))[0]))


@contextlib.contextmanager
def serving(folder: Path, port: int = 0, **settings: Any) -> Iterator[tuple[str, Any]]:
    """Start a server in a thread; yield its address and the `Server`."""
    import uvicorn

    from rc_env.apps.web.app import Server

    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    made = Server(folder, **settings)
    server = uvicorn.Server(uvicorn.Config(made.app, log_config=None, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", made
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
