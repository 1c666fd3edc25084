"""The threads that share a call of an engine.

Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any
from weakref import WeakSet

from rc_env.batch import Scratch
from rc_env.ruleset import Ruleset

SMALL = 256  # the fewest rows for a thread of its own: below that, starting it costs more than it gains
_ALL: WeakSet[Threads] = WeakSet()
"""The threads of all engines of this process: a forked process has none of their threads."""


def _forget_all_threads() -> None:
    for threads in _ALL:
        threads.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all_threads)


class Threads:
    """Threads of one engine, each with working memory of its own; they are made when they are first needed.

    Args:
        ruleset: the variant of the engine, which decides the size of the working memory.
        count: how many threads share a call, the calling one included; at least 1.
    """

    def __init__(self, ruleset: Ruleset, count: int) -> None:
        self.count = count
        self._ruleset = ruleset
        self.forget()
        _ALL.add(self)

    def forget(self) -> None:
        """Drop the threads and their working memory; they are made again when needed."""
        self._pool: ThreadPoolExecutor | None = None
        self._scratch: list[Scratch] = []
        self._busy = Lock()

    def share(self, count: int, work: Callable[[int, int, Scratch], Any]) -> None:
        """Call `work(low, high, scratch)` over slices of `count` rows, one slice a thread.

        Raises:
            RuntimeError: another thread is in this method.
        """
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                "engine: a call from a second thread found while it works, expected one thread at a time: give each "
                "thread an engine of its own, or raise Engine.threads"
            )
        try:
            self._share_out(count, work)
        finally:
            self._busy.release()

    def _share_out(self, count: int, work: Callable[[int, int, Scratch], Any]) -> None:
        parts = max(1, min(self.count, count // SMALL))
        while len(self._scratch) < parts:
            self._scratch.append(Scratch(self._ruleset))
        if parts == 1:
            work(0, count, self._scratch[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count, "rc_env")
        slices = [(count * i // parts, count * (i + 1) // parts, self._scratch[i]) for i in range(parts)]
        waiting = [self._pool.submit(work, *part) for part in slices[1:]]
        work(*slices[0])
        for one in waiting:
            one.result()
