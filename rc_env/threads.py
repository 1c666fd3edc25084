"""The thread that uses an engine, and those that share a call of it.

Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable
from functools import partial, wraps
from queue import SimpleQueue
from threading import Lock, get_ident
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakSet, finalize

import numpy as np

from rc_env.compile_cache import leave_compiler
from rc_env.memory import scratch
from rc_env.ruleset import Ruleset

SMALL = 256  # the fewest rows for a thread of its own: below that, starting it costs more than it gains
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Mark:
    """Which thread is in a call of an engine.

    Attributes:
        thread: its number, or None.
    """

    __slots__ = ("__weakref__", "thread")

    def __init__(self) -> None:
        self.thread: int | None = None
        _MARKS.add(self)


def owned(
    method: Callable[Concatenate[Any, _Arguments], _Result],
) -> Callable[Concatenate[Any, _Arguments], _Result]:
    """Decorates a public call of an object with a `_mark`: a second thread that makes one meanwhile is refused.

    Calls that the same thread makes within it, such as those of a recorder, are part of it.
    """

    # Neither another thread nor a signal comes in between reading and setting an attribute: Python looks for them after
    # calls, and when it jumps back. A lock, which is called, could be left locked by a signal.
    @wraps(method)
    def call(self: Any, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        mark, me = self._mark, get_ident()
        if mark.thread is not None:
            if mark.thread == me:
                return method(self, *args, **kwargs)
            raise RuntimeError(
                "engine: a call from a second thread found while it works, expected one thread at a time: give each "
                "thread an engine of its own, or raise Engine.threads"
            )
        mark.thread = me
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            leave_compiler()
            raise
        finally:
            mark.thread = None

    return call


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
        _THREADS.add(self)

    def forget(self) -> None:
        """Drop the threads and their working memory; they are made again when needed."""
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._started = 0
        finalize(self, _end, self._tasks, self.count).atexit = False
        self._scratch: list[tuple[np.ndarray, np.ndarray]] = []
        self._busy: list[Lock] = []
        """One for each thread, which holds it while it works."""

    def share(self, count: int, work: Callable[..., int | None], *arguments: Any) -> int:
        """Call `work(scratch, low, high, *arguments)` over slices of `count` rows, one slice a thread.

        When this returns or raises, no thread works any more: after an interrupt some slices may be left undone.

        Returns:
            The sum of what the calls returned, or 0.
        """
        if self._scratch and (count < 2 * SMALL or self.count == 1):
            return work(self._scratch[0], 0, count, *arguments) or 0
        parts = max(1, min(self.count, count // SMALL))
        while len(self._scratch) < parts:
            self._scratch.append(scratch(self._ruleset))
        if parts == 1:
            return work(self._scratch[0], 0, count, *arguments) or 0
        return self._share_out(parts, count, work, arguments)

    def _share_out(self, parts: int, count: int, work: Callable[..., int | None], arguments: tuple[Any, ...]) -> int:
        while len(self._busy) < parts:
            self._busy.append(Lock())
        while self._started < parts - 1:
            start_new_thread(_serve, (self._tasks,))  # `Thread.start` breaks when a signal interrupts it
            self._started += 1
        leave_compiler()
        left = deque((count * i // parts, count * (i + 1) // parts) for i in range(parts))
        failed: list[BaseException] = []
        results: list[int | None] = []

        def run(place: int) -> None:
            with self._busy[place]:
                while left and not failed:
                    try:
                        low, high = left.popleft()
                    except IndexError:  # another thread was faster
                        return
                    try:
                        results.append(work(self._scratch[place], low, high, *arguments))
                    except BaseException as error:
                        failed.append(error)

        try:
            for place in range(1, parts):
                self._tasks.put(partial(run, place))
            run(0)
        finally:
            left.clear()
            self._wait(parts)
        if failed:
            raise failed[0]
        return sum(filter(None, results))

    def _wait(self, parts: int) -> None:
        """Return when the other threads have done their slices; what a signal raises meanwhile is raised then."""
        interrupted: BaseException | None = None
        waiting = True
        while waiting:
            try:
                for busy in self._busy[1:parts]:
                    with busy:
                        pass
                waiting = False
            except BaseException as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted


def _serve(tasks: SimpleQueue[Callable[[], None] | None]) -> None:
    """Run tasks, one after the other, until there comes None."""
    while (task := tasks.get()) is not None:
        task()
        del task  # it leads to the engine, which may be given up while this waits


def _end(tasks: SimpleQueue[Callable[[], None] | None], count: int) -> None:
    for _ in range(count):
        tasks.put(None)


_MARKS: WeakSet[Mark] = WeakSet()
_THREADS: WeakSet[Threads] = WeakSet()
"""Those of all engines of this process: a forked process has none of their threads, and no call is going on there."""


def _forget_all() -> None:
    for threads in _THREADS:
        threads.forget()
    for mark in _MARKS:
        mark.thread = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
