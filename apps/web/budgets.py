"""What one client, and all of them together, may ask of a server, so that it goes on for the others.

A client is an address. Requests of one that has as many at work as it may have wait for these; those of others do not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio

from rc_env.agents.search import SearchBot
from rc_env.bot import Bot

REQUEST_SECONDS = 600.0
"""The longest that a request takes; the first of a full game compiles it, which takes minutes."""
AT_ONCE = 8
"""The most requests of one client that are at work at once."""
MOST_OPEN = 400
"""The most games that are open at once; the one that no tab has shown for the longest time is closed for a new one."""
MOST_OF_CLIENT = 50
"""The most open games that one client has begun or opened; likewise."""
MOST_TABS = 100
"""The most tabs of one client that show games."""
MOST_SIMULATIONS = 5_000
MOST_MILLISECONDS = 10_000
"""The most simulations, or the most time, for a decision of a bot that a page names; what `--bots` offers is free."""
MOST_DECISIONS = 10_000
"""The most decisions of a record that is studied; people take a few hundred in a game."""
T = TypeVar("T")


class Refused(ValueError):
    """A request that cannot be carried out now; the message is one sentence for the person."""


def object_of(text: bytes | str) -> dict[str, Any] | None:
    """The JSON object of a request; None if it is none.

    Raises:
        Refused: it holds half a character, which nothing could send or keep.
    """
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused("A text of the request holds half a character: type it again.") from None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def check_bot(name: str, bot: Bot) -> None:
    """Refuse a bot that would hold up the server.

    Raises:
        Refused: a decision of it takes too many simulations, or too long.
    """
    if not isinstance(bot, SearchBot):
        return
    if bot.milliseconds > MOST_MILLISECONDS or (not bot.milliseconds and bot.simulations > MOST_SIMULATIONS):
        raise Refused(
            f"bot {name} thinks too long for this server, where a decision may take {MOST_SIMULATIONS:,} simulations "
            f"or {MOST_MILLISECONDS:,} milliseconds; `rc serve --bots` offers others"
        )


class Clients:
    """The requests and tabs of each client.

    Args:
        alone: whether there is only one client, all of whose requests come from this machine.
    """

    def __init__(self, alone: bool) -> None:
        self.most_games = MOST_OPEN if alone else MOST_OF_CLIENT
        self._most_tabs = MOST_OPEN if alone else MOST_TABS
        self._at_once = 4 * AT_ONCE if alone else AT_ONCE
        self._working: dict[str, anyio.CapacityLimiter] = {}
        self._tabs: Counter[str] = Counter()

    async def run(self, client: str, do: Callable[[], Awaitable[T]]) -> T:
        """Do something when it is this client's turn.

        Raises:
            TimeoutError: it takes too long; it was ended, with the worker process that was busy with it.
        """
        limiter = self._working.setdefault(client, anyio.CapacityLimiter(self._at_once))
        try:
            with anyio.fail_after(REQUEST_SECONDS):
                async with limiter:
                    return await do()
        finally:
            if not limiter.borrowed_tokens and not limiter.statistics().tasks_waiting:
                self._working.pop(client, None)

    def enter(self, client: str) -> None:
        """Count a tab.

        Raises:
            Refused: there are too many.
        """
        if self._tabs[client] >= self._most_tabs:
            raise Refused(f"{self._tabs[client]} tabs show games, which is the limit of this server: close some.")
        self._tabs[client] += 1

    def leave(self, client: str) -> None:
        """Count a tab that is closed."""
        self._tabs[client] -= 1
        self._tabs += Counter()  # without those that have none


def address(connection: Any) -> str:
    """The client of a request or WebSocket."""
    return connection.client.host if connection.client else ""
