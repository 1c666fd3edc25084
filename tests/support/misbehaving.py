"""Bots that fail, each in its own way, after some decisions. Worker processes import them by name."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from types import SimpleNamespace

import numpy as np

from rc_env.arena import referee


def pass_an_hour() -> None:
    """Move the referee's clock on by an hour, so that tests can use limits too long for a busy machine to reach."""
    before = referee.time.monotonic
    referee.time = SimpleNamespace(monotonic=lambda: before() + 3600)


class First:
    """A bot that plays the first legal action; each subclass fails in its own way after some decisions."""

    name = "first"

    def __init__(self, after: int = 0) -> None:
        self.after = self.left = after

    def reset(self, seed: int) -> None:
        self.left = self.after

    def act(self, position):
        self.left -= 1
        return position.mask.argmax(1) if self.left >= 0 else self.fail(position)

    def fail(self, position):
        return position.mask.argmax(1)


class Raises(First):
    name = "raises"

    def fail(self, position):
        raise KeyError("lost\nits way")


class Later(Raises):
    name = "later"

    def __init__(self) -> None:
        super().__init__(3)


class Illegal(First):
    name = "illegal"

    def fail(self, position):
        return position.mask.argmin(1)


class Shape(First):
    name = "shape"

    def fail(self, position):
        return np.zeros((len(position), 2))


class Slow(First):
    name = "slow"

    def fail(self, position):
        time.sleep(0.06 * len(position))
        return position.mask.argmax(1)


class SlowByAnHour(First):
    """A bot that takes an hour to answer by the referee's clock."""

    name = "slow by an hour"

    def fail(self, position):
        pass_an_hour()
        return position.mask.argmax(1)


class Hangs(First):
    """A bot that never answers and ignores every exception."""

    name = "hangs"

    def fail(self, position):
        while True:
            try:
                time.sleep(10)
            except Exception:
                continue


class HangsForHours(Hangs):
    """A bot that hangs for an hour by the referee's clock, and whose alarm rings at once."""

    name = "hangs for hours"

    def fail(self, position):
        pass_an_hour()
        signal.setitimer(signal.ITIMER_REAL, 0.01, 1.0)
        super().fail(position)


class Exits(First):
    name = "exits"

    def fail(self, position):
        raise SystemExit(3)


class Dies(First):
    name = "dies"

    def fail(self, position):
        os._exit(3)


class Segfaults(First):
    name = "segfaults"

    def fail(self, position):
        ctypes.string_at(0)


class Killed(First):
    name = "killed"

    def fail(self, position):
        os.kill(os.getpid(), signal.SIGKILL)


class Sleeps(First):
    """A bot that sleeps for longer than any limit allows, and then plays on."""

    name = "sleeps"

    def fail(self, position):
        time.sleep(5)
        return position.mask.argmax(1)


class Unmade(First):
    def __init__(self) -> None:
        raise RuntimeError("no weights")


class Stops(First):
    """A bot that stops the command like Ctrl-C, once several games are played at once."""

    name = "stops"

    def act(self, position):
        if len(position) > 4:
            raise KeyboardInterrupt
        return super().act(position)
