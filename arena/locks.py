"""Locks that keep two commands of this package from writing to the same files.

A command holds the lock of the place that it writes to, a folder or a single file; another one is refused in a sentence
at once. The system ends a lock with the process that holds it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rc_env import files

if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX = ".unfinished.jsonl"
"""How the name of a file with the unfinished work of a command ends (`rc_env.arena.journal`)."""
LOCK = ".rc.lock"
"""The file that is locked while a command writes to its folder; it is removed at the end."""
OF_FOLDERS = (
    *("results.json", "report.*", "first-player*", "uncertainty*", "*.rcr", f"*{SUFFIX}", ".*", "games.sqlite*"),
    *("config.json", "checkpoint.pt", "progress.jsonl", "events.out.*", "last.npz", "best.npz"),
)
"""Names of files that commands with a folder write there; `*.svg` is one more where they keep a journal. In a folder
where such a command works another may write any other file."""


@contextmanager
def alone(folder: Path, option: str = "--out") -> Iterator[None]:
    """Context in which no other command of this package writes to a folder; the system ends it with the process, too.

    Raises:
        ValueError: another command is at work there; the sentence names `option`.
        OSError: the folder cannot be written to.
    """
    lock = acquire(folder / LOCK, option)
    try:
        yield
    finally:
        release(lock)


@contextmanager
def to_file(path: Path, option: str) -> Iterator[None]:
    """Context in which no other command of this package writes to a file, nor one to whose folder it belongs.

    Raises:
        ValueError: another command is at work there; the sentence names `option`.
        OSError: the file cannot be written.
    """
    files.check(path)
    place = Path(os.path.realpath(path))
    if (place.exists() and not place.is_file()) or find_spec("filelock") is None:  # without it no command has a lock
        yield
        return
    lock = acquire(of_file(place), option)
    try:
        yield
    finally:
        release(lock)


def of_file(place: Path) -> Path:
    """The path of the lock of a single file, beside it."""
    name = f".{place.name}.lock"
    return place.with_name(name if len(os.fsencode(name)) < 256 else f".{sha256(name.encode()).hexdigest()}.lock")


def acquire(path: Path, option: str) -> BaseFileLock:
    """The lock of a folder or a file, where no command is at work that would write to the same files."""
    lock = _taken(path, option)
    try:
        for other in _others(path):
            if other.exists():  # held, or left by a command that was killed
                release(_taken(other, option))
    except BaseException:
        release(lock)
        raise
    return lock


def release(lock: BaseFileLock) -> None:
    """Remove the file of a lock while it is held: whoever has opened it then sees that it is gone, and tries again."""
    with suppress(OSError):  # Windows removes no open file
        os.unlink(lock.lock_file)
    lock.release()


def _others(path: Path) -> list[Path]:
    """Of a folder's lock those of the files there that such commands write; of such a file's lock the folder's."""
    plots = ("*.svg",) if any(path.parent.glob(f"*{SUFFIX}")) else ()

    def belongs(lock: Path) -> bool:
        return any(Path(lock.name[1:-5]).match(one) for one in (*OF_FOLDERS, *plots))

    if path.name == LOCK:
        return [one for one in path.parent.glob(".*.lock") if one.name != LOCK and belongs(one)]
    return [path.with_name(LOCK)] if belongs(path) else []


def _taken(path: Path, option: str) -> BaseFileLock:
    from filelock import FileLock, Timeout  # of the extra `arena`, which not every command needs

    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        place = path.parent if path.name == LOCK else path.with_name(path.name[1:-5])
        raise ValueError(f"{option}: another command is at work in {place}: name another place, or wait") from None
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}") from None
    return lock
