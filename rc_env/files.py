"""Writes files atomically: whole or not at all, so that no fault, full disk or interrupt leaves a partial file.

`write` replaces a file at once; `append` adds a line to a log, and `whole_lines` reads back the lines that are whole.
Nothing in the package writes files in another way, which `tests/test_files.py` holds.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rc_env import checks

MOST_BYTES = 2**30
"""The most bytes that are read of a file, where its reader names no other limit."""
MOST_TABLES = 2_000_000
"""The most bytes of a file of tables or settings."""
MOST_DOTS = 100
_PART = 2**24  # bytes of one read


def write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Replace a file by this content, text as UTF-8: afterwards either the old file or the whole new one is there.

    A link leads to the file that is replaced. What is no plain file, such as a pipe, is written to as it is.

    Raises:
        OSError: it cannot be written; the old one is kept.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    place = Path(os.path.realpath(path))
    try:
        mode = _mode(place)
        if mode is not None and not stat.S_ISREG(mode):
            with open(place, "wb") as file:
                file.write(raw)
            return
        temporary = place.parent / _temporary()
        try:
            with open(temporary, "xb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, place)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        kept = "; the one written before is kept" if place.is_file() else ""
        raise _refused(path, error, kept) from None


def append(path: str | os.PathLike[str], line: str) -> None:
    """Append a line to a file, which is created if necessary: the whole line or nothing.

    Only a process that is killed on the way leaves a part of a line, which `whole_lines` leaves out.

    Raises:
        OSError: it cannot be written; the lines before are kept.
    """
    try:
        with open(path, "ab", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                rest = memoryview(f"{line}\n".encode())
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except BaseException:
                with contextlib.suppress(OSError):
                    file.truncate(before)
                raise
    except OSError as error:
        raise _refused(path, error, "; the lines before are kept") from None


def read(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The content of a plain file of at most `most` bytes.

    A pipe or a device has no end that could be known beforehand, and may never be written to: it is not waited for.

    Raises:
        OSError: there is no such file, it is too long, or it cannot be read.
    """
    name = checks.cut(os.fspath(path))
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with contextlib.ExitStack() as opened:
        opened.callback(os.close, descriptor)
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a plain file", name)
        parts, size = [], found.st_size
        while size <= most and (part := os.read(descriptor, _PART)):
            parts.append(part)
            size = max(size, sum(map(len, parts)))
        if size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes, the most that are read", name)
        return b"".join(parts)


def toml(content: bytes) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        ValueError: the content is not UTF-8, or not TOML; or a line has more dots than any key needs, since the time
            and memory that a key takes grow with the square of its parts.
    """
    text = content.decode("utf-8-sig")  # some editors put a byte order mark in front
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has {line.count('.'):,} dots, but no key needs more than {MOST_DOTS}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


def whole_lines(path: str | os.PathLike[str], most: int = MOST_BYTES) -> list[str]:
    """The lines of a file without a last one that has no end; none if there is no file.

    Raises:
        OSError: it has more than `most` bytes, or cannot be read.
    """
    try:
        lines = read(path, most).split(b"\n")
    except FileNotFoundError:
        return []
    return [line.decode("utf-8", "replace") for line in lines[:-1]]


def check(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written, before hours are spent on its content.

    Raises:
        OSError: its folder is missing or cannot be written to, or a folder has its name.
    """
    place = Path(os.path.realpath(path))
    try:
        mode = _mode(place)
        if mode is None or stat.S_ISREG(mode):
            _try(place.parent)
        else:
            with open(place, "ab"):
                pass
    except OSError as error:
        raise _refused(path, error) from None


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Create a folder and its parents where missing, and check that files can be written in it.

    Raises:
        OSError: it cannot be made or written to.
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try(folder)
    except (FileExistsError, NotADirectoryError):
        wrong = next(one for one in (folder, *folder.parents) if one.exists())
        raise OSError(f"{wrong} is a file; choose a folder, or a name that is free") from None
    except OSError as error:
        raise _refused(f"folder {folder}", error) from None
    return folder


@contextlib.contextmanager
def without_empty(path: str | os.PathLike[str]) -> Iterator[None]:
    """Context that may make a folder, and its parents: where it ends with an error, those still empty are removed."""
    folder = Path(path)
    new = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    try:
        yield
    except BaseException:
        for one in new:  # the innermost first
            with contextlib.suppress(OSError):
                one.rmdir()
        raise


def _try(folder: Path) -> None:
    """Make a file in a folder, and remove it."""
    temporary = folder / _temporary()
    with open(temporary, "xb"):
        temporary.unlink()


def _temporary() -> str:
    """A name for a temporary file: of one length, since the name of the file itself may be as long as is allowed."""
    return f".rc-{uuid.uuid4().hex}.tmp"


def _mode(place: Path) -> int | None:
    """The file's type and permissions as in `st_mode`; None if it does not exist."""
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return None


def _refused(path: str | os.PathLike[str], error: OSError, kept: str = "") -> OSError:
    return OSError(f"{os.fspath(path)} cannot be written: {error.strerror or error}{kept}")
