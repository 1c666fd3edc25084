"""Runners of pieces of work: processes of this machine, or a cluster through `ray_runner`."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from rc_env import checks

MOST_WORKERS = 1000
RAY, CLIENT = "ray", "ray://"
"""The names of a Ray cluster: the one that Ray finds by itself, or the beginning of an address."""
WORDS = f"0 to {MOST_WORKERS}, {RAY}, or {CLIENT}HOST:PORT"
"""The values that workers may have, in words."""
Work = TypeVar("Work")
Found = TypeVar("Found")
Given = TypeVar("Given", covariant=True)


class ProcessDied(Exception):
    """A process died from a piece of work, and would die again."""


class Waiting(Protocol[Given]):
    """The pending result of a piece of work that was submitted to a runner."""

    def result(self) -> Given:
        """Wait for the result and return it.

        Raises:
            ProcessDied: the process died over this piece.
            BrokenProcessPool: a process died over one of those that ran together.
            Exception: what the function raised.
        """
        ...


class Runner(Protocol):
    """Does pieces of work, as many at once as it has processes."""

    @property
    def size(self) -> int:
        """The number of pieces that are done at once."""
        ...

    def submit(self, function: Callable[[Work], Found], work: Work) -> Waiting[Found]:
        """Start a piece of work, or queue it for a process."""
        ...

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        ...


def checked_workers(name: str, workers: object) -> int | str:
    """A number of processes, or the words for a Ray cluster.

    Raises:
        ValueError: it is neither.
    """
    try:
        if not isinstance(workers, str):
            return checks.whole_number(name, workers, 0, MOST_WORKERS)
        if workers == RAY:
            return workers
        parts = urlsplit(workers)
        whole = parts.hostname and parts.port and workers.startswith(CLIENT) and not parts.username
        if whole and workers.isprintable() and workers == f"{CLIENT}{parts.netloc}":
            return workers
    except ValueError:
        pass
    checks.refuse(name, workers, WORDS)


class ProcessRunner:
    """Processes of this machine, started when the first piece of work is there."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, function: Callable[[Work], Found], work: Work) -> Future[Found]:
        """See `Runner.submit`; `result` raises BrokenProcessPool for all pieces that ran when a process died."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # a fork would copy threads and locks in whatever state
            self._pool = ProcessPoolExecutor(self.size, context, begin_worker)
        try:
            with quiet_start():
                return self._pool.submit(function, work)
        except BrokenProcessPool as error:
            future: Future[Found] = Future()
            future.set_exception(error)
            return future

    def close(self) -> None:
        """See `Runner.close`."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()  # a bot may never return
            self._pool.shutdown()
            self._pool = None


@contextmanager
def quiet_start() -> Iterator[None]:
    """Context in which started processes ignore Ctrl-C from their first line; this process handles it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepare a worker process, which ends when its parent does, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
