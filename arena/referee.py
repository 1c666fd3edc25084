"""Calls a bot for its actions, within a time limit if there is one, and describes a failure in one sentence."""

from __future__ import annotations

import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numba.core import event
from numpy.typing import NDArray

from rc_env import checks
from rc_env.bot import Bot, CannotPlay, Position, checked_bot

LONGEST = 86_400
"""The largest time limit in seconds per decision, a day. Without a limit no clock runs."""


MOST_WORDS = 600
"""The most characters of a bot's own error that are repeated."""


class BotError(ValueError):
    """A bot raised an exception, chose an illegal action, or exceeded its time limit.

    Attributes:
        bot: the bot that failed.
        what: the sentence without the bot's name.
    """

    def __init__(self, bot: Bot, what: str) -> None:
        super().__init__(f"bot {bot.name}: {what}")
        self.bot, self.what = bot, what


def check_limit(limit: float | None) -> None:
    """Check a time limit.

    Raises:
        ValueError: it is not above 0, or more than a day.
    """
    if limit is None:
        return
    known = isinstance(limit, int | float | np.integer | np.floating) and not isinstance(limit, bool)
    if not known or not 0 < limit <= LONGEST:
        checks.refuse("limit", limit, f"more than 0, and at most {LONGEST} seconds")


def start_over(bot: Bot, seed: int) -> None:
    """`bot.reset(seed)`.

    Raises:
        BotError: it raised an exception.
        ValueError: `bot` is not a bot.
    """
    checked_bot("bot", bot)
    _guarded(bot, lambda: bot.reset(seed))


def ask(bot: Bot, position: Position, limit: float | None = None) -> NDArray[np.integer[Any]]:
    """Ask a bot for its action in each of N games: (N,) whole numbers, which may still be illegal.

    Args:
        bot: the bot that is asked.
        position: N games.
        limit: seconds a decision, up to a day: N games have N times that. Time in which Numba compiles does
            not count.

    Raises:
        BotError: it raised an exception, was late, or returned something else than N whole numbers.
        ValueError: an argument does not fit.
    """
    count = len(Position.checked(position))
    try:
        if limit is None:
            actions = _guarded(bot, lambda: np.asarray(bot.act(position)))
        else:
            with _clock(limit * count):
                actions = _guarded(bot, lambda: np.asarray(bot.act(position)))
    except _Late:
        raise BotError(bot, f"it took more than {limit:g} s a decision, which is the limit") from None
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        raise BotError(
            bot, f"it answered {checks.shown(actions)} instead of whole numbers of shape ({count},), its actions"
        )
    return actions


def _guarded(bot: Bot, call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (Exception, SystemExit) as error:
        words = " ".join(str(error).split())
        if len(words) > MOST_WORDS:
            words = f"{words[:MOST_WORDS]} …"
        if isinstance(error, CannotPlay):
            raise BotError(bot, words) from error
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"at {Path(last.filename).name}, line {last.lineno}"
        raise BotError(bot, f"{type(error).__name__} raised{f' ({words})' if words else ''} {where}") from error


# --- the clock


class _Late(BaseException):
    """Raised to interrupt a bot; not an Exception, so that the bot's own `except Exception` does not catch it."""


class _Compiling(event.Listener):
    """Counts the seconds that Numba spent compiling or loading compiled code in this process."""

    def __init__(self) -> None:
        self.depth, self._begin, self._seconds = 0, 0.0, 0.0

    def on_start(self, event: event.Event) -> None:
        """Note that a compilation begins, possibly within another one."""
        if self.depth == 0:
            self._begin = time.monotonic()
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        """Note that a compilation ends."""
        self.depth -= 1
        if self.depth == 0:
            self._seconds += time.monotonic() - self._begin

    def seconds(self) -> float:
        """The seconds so far."""
        return self._seconds + (time.monotonic() - self._begin if self.depth else 0.0)


_COMPILING = _Compiling()
event.register("numba:compiler_lock", _COMPILING)


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    """Context that raises `_Late` if its block takes longer than the limit.

    Python code is interrupted, in the main thread of a process where the system has alarms; elsewhere, and in compiled
    code, the lateness is found when it comes back.
    """
    begin, over = time.monotonic() - _COMPILING.seconds(), False

    def late() -> bool:
        return time.monotonic() - _COMPILING.seconds() - begin > seconds

    def interrupt(number: int, frame: FrameType | None) -> None:
        if late() and not _COMPILING.depth and not over:
            raise _Late

    alarm = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGALRM) if alarm else None
    try:
        try:
            if alarm:
                signal.signal(signal.SIGALRM, interrupt)
                signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # again each second: compiling is to be made up for
            yield
        finally:
            over = True  # an alarm that comes before this line ends the clock all the same
    finally:
        if alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if late():
        raise _Late
