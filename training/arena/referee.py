"""Asks a bot for its actions, by the clock if need be, and tells in one sentence what was wrong with them."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import event
from numpy.typing import NDArray

from rc_env.bot import Bot, Position

if TYPE_CHECKING:
    from rc_env.training.arena.match import Match


class BotError(ValueError):
    """A bot raised an exception, chose what is not legal, or was late.

    Attributes:
        what: the sentence without the bot's name.
        entrant: which entrant of the match it was.
        match: the deals that were over by then, every rotation of each; None if there were none.
    """

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"bot {name}: {what}")
        self.what = what
        self.entrant = 0
        self.match: Match | None = None


def start_over(bot: Bot, seed: int) -> None:
    """`bot.reset(seed)`.

    Raises:
        BotError: it raised an exception.
    """
    _guarded(bot, lambda: bot.reset(seed))


def ask(bot: Bot, position: Position, limit: float | None = None) -> NDArray[np.integer[Any]]:
    """What the bot chooses in each game: (N,) whole numbers, which may still be illegal.

    Args:
        bot: who is asked.
        position: N games.
        limit: seconds a decision: N games are given N times that. What Numba spends on compiling does not count.

    Raises:
        BotError: it raised an exception, was late, or returned something else than N whole numbers.
    """
    count = len(position)
    try:
        if limit is None:
            actions = _guarded(bot, lambda: np.asarray(bot.act(position)))
        else:
            with _clock(limit * count):
                actions = _guarded(bot, lambda: np.asarray(bot.act(position)))
    except _Late:
        raise BotError(bot.name, f"more than {limit:g} s a decision found, expected at most that") from None
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        found = f"{actions.dtype} array of shape {actions.shape}"
        raise BotError(bot.name, f"{found} found, expected its actions as whole numbers of shape ({count},)")
    return actions


def _guarded(bot: Bot, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (Exception, SystemExit) as error:
        words = " ".join(str(error).split())[:200]
        kind = type(error).__name__
        raise BotError(bot.name, f"{kind} raised{f' ({words})' if words else ''}, expected an answer") from error


# --- the clock


class _Late(BaseException):
    """Raised in the middle of what a bot does; no `except Exception` of its own holds it up."""


class _Compiling(event.Listener):
    """How long Numba has been compiling, or loading what it compiled, in this process."""

    def __init__(self) -> None:
        self.depth, self._begin, self._seconds = 0, 0.0, 0.0

    def on_start(self, event: event.Event) -> None:
        """It begins, perhaps within another compilation."""
        if self.depth == 0:
            self._begin = time.monotonic()
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        """It ends."""
        self.depth -= 1
        if self.depth == 0:
            self._seconds += time.monotonic() - self._begin

    def seconds(self) -> float:
        """So far."""
        return self._seconds + (time.monotonic() - self._begin if self.depth else 0.0)


_COMPILING = _Compiling()
event.register("numba:compiler_lock", _COMPILING)


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    """Raise `_Late` when this has taken longer.

    Python code is interrupted, in the main thread of a process where the system has alarms; elsewhere, and in compiled
    code, the lateness is found when it comes back.
    """
    begin = time.monotonic() - _COMPILING.seconds()

    def late() -> bool:
        return time.monotonic() - _COMPILING.seconds() - begin > seconds

    def interrupt(number: int, frame: FrameType | None) -> None:
        if late() and not _COMPILING.depth:
            raise _Late

    alarm = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if alarm:
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # again each second: the time to compile is to be made up
    try:
        yield
    finally:
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if late():
        raise _Late
