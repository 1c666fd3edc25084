"""A server in a thread, and a bot that fails, for the tests of the web pages."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rc_env.bot import Position


class Crashing:
    """A bot that plays some decisions, then raises an exception."""

    name = "crashing"

    def __init__(self) -> None:
        self.left = 3

    def reset(self, seed: int) -> None:
        """Do nothing, since this bot draws nothing."""

    def act(self, position: Position) -> np.ndarray:
        """Return the first legal action of each game."""
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("out of ideas <b>now</b>")
        return position.mask.argmax(1)


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
