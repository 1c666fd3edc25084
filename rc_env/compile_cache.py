"""The on-disk cache of compiled kernels, and the fallback where nothing can be kept.

Numba's own cache knows a source file by its path and time of change, keeps an index that two processes may overwrite,
and unpickles whatever it finds. Here every compiled signature of a kernel is one file. Its name says everything that it
depends on beside the folder's hashes of sources, options and versions, so that all environments of a user with the same
sources and versions share one cache, wherever they are installed. A file is written whole or not at all, and begins
with the SHA-256 digest of the rest: a damaged one is deleted, and the kernel is compiled anew.

Compiled code is kept as pickles, which can run anything. So a folder is used only if it and every folder above it
belong to this user (or to root, who can do anything already) and nobody else can put something else in its place, as
OpenSSH demands of the files with its keys. They are opened one below the other, and a file is read in the folder that
was opened: what is exchanged between the check and the reading is not read.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps

from rc_env import checks, files

log = logging.getLogger("rc_env")
"""Messages go to standard error unless the program sets logging up otherwise."""
VERSIONS = (
    platform.python_implementation(),
    platform.python_version(),
    numba.__version__,
    llvmlite.__version__,
    np.__version__,
)
"""The versions that compiled code depends on, in addition to the sources and the options of compilation."""
_DIGEST = hashlib.sha256().digest_size
_UNREADABLE = (pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError)
"""What Python says that it raises where a pickle cannot be read."""
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_announced: set[str] = set()


def private_folder(name: str) -> Path | None:
    """The folder `name` of the cache, made with mode 700 if need be; None where there is no private one.

    The candidates are ``$RC_ENV_CACHE``, else ``$XDG_CACHE_HOME/rc_env``, else ``~/.cache/rc_env``; then, because a
    home that cannot be written must not keep anybody from playing, a folder of this user among the temporary ones.
    """
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rc_env"
    except RuntimeError:  # a user without a home
        home = None
    chosen = Path(os.environ["RC_ENV_CACHE"]) if os.environ.get("RC_ENV_CACHE") else home
    mine = Path(tempfile.gettempdir()) / f"rc_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    if chosen is not None and _make(chosen, parents=True) and _make(chosen / name) and is_private(chosen / name):
        return chosen / name
    if _make(mine) and not mine.is_symlink() and is_private(mine) and _make(mine / name) and is_private(mine / name):
        return mine / name
    return None


def _make(folder: Path, parents: bool = False) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=parents, exist_ok=True)
    except OSError as error:
        if checks.by_signal(error):
            raise
        return False
    return True


def is_private(folder: Path) -> bool:
    """Whether nobody but this user and root can have put files into a folder, or another folder in its place."""
    with _opened(folder) as found:
        return found is not None


@contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """The descriptor of a private folder; None where it is not private, or not there.

    The system decides where users have no numbers: the descriptor is then -1.
    """
    if not hasattr(os, "getuid") or os.open not in os.supports_dir_fd:
        yield -1 if folder.is_dir() else None
        return
    parts = Path(os.path.realpath(folder)).parts  # links are followed here alone, and what they lead to is checked
    opened = None
    try:
        for number, part in enumerate(parts):
            outer, opened = opened, None
            try:
                opened = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=outer)
            except OSError as error:
                if checks.by_signal(error):
                    raise
            finally:
                if outer is not None:
                    os.close(outer)
            if opened is None or not _belongs(os.fstat(opened), last=number == len(parts) - 1):
                break
        else:
            yield opened
            return
        yield None
    finally:
        if opened is not None:
            os.close(opened)


def _belongs(found: os.stat_result, last: bool) -> bool:
    """Whether a folder, or a file, belongs to this user or root, and nobody else can exchange what it holds.

    In a folder with the sticky bit, such as that for temporary files, others can add files, which is why the last
    folder must not be such a one; those of this user and of root stay.
    """
    if found.st_uid not in (os.getuid(), 0):
        return False
    return not found.st_mode & _OTHERS or (not last and bool(found.st_mode & stat.S_ISVTX))


class KernelCache:
    """The cache of one kernel's compiled signatures on disk, with the interface that Numba's dispatcher expects.

    Args:
        function: the kernel.
        name: the folder's name, a hash of sources, options and versions.
        what: what is compiled and how long that takes, for the log message.
    """

    def __init__(self, function: Callable[..., Any], name: str, what: str) -> None:
        self._function = function
        self._name = name
        self._what = what

    @property
    def cache_path(self) -> str:
        """The folder, or "" where there is none."""
        return str(private_folder(self._name) or "")

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled code for a signature; None where it has to be compiled, which is announced."""
        target.refresh()
        found = self._read(self._file(signature, target.codegen()))
        if found is not None:
            try:
                return CompileResult._rebuild(target, *found)
            except Exception as wrong:  # the file is as it was written, so it stays until another is written
                if checks.by_signal(wrong):
                    raise
                log.warning("rc_env: a kernel of the cache cannot be used (%s)", wrong)
                _announced.discard(self._what)
        self._announce()
        return None

    def _read(self, file: str) -> Any:
        """What a file of the cache holds; None where there is none, or a damaged one, which is deleted."""
        folder = private_folder(self._name)
        if folder is None:
            return None
        with _opened(folder) as place:
            if place is None:
                return None
            content = _content(folder, place, file)
            if not content:
                return None
            if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
                wrong: object = "the digest differs"
            else:
                try:
                    return pickle.loads(content[_DIGEST:])
                except _UNREADABLE as error:
                    if checks.by_signal(error):
                        raise
                    wrong = error
            log.warning("rc_env: deleted %s, which is damaged (%s)", folder / file, wrong)
            _announced.discard(self._what)
            try:
                os.unlink(folder / file) if place < 0 else os.unlink(file, dir_fd=place)
            except OSError as error:
                if checks.by_signal(error):
                    raise
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the compiled code for a signature, unless the folder cannot be written."""
        folder = private_folder(self._name)
        if folder is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        content = dumps(compiled._reduce())
        try:
            files.write(folder / self._file(signature, compiled.codegen), hashlib.sha256(content).digest() + content)
        except OSError as error:
            if checks.by_signal(error):
                raise

    def flush(self) -> None:
        """Do nothing, since no file is kept open; `Dispatcher.recompile` calls this."""

    def _file(self, signature: Any, codegen: Any) -> str:
        """The name of the file for a signature."""
        function = f"{self._function.__module__}.{self._function.__qualname__}"
        depends = repr((function, signature, codegen.magic_tuple()))
        return f"{function}-{hashlib.sha256(depends.encode()).hexdigest()[:16]}.kernel"

    def _announce(self) -> None:
        if self._what in _announced:
            return
        _announced.add(self._what)
        folder = private_folder(self._name)
        if folder is None:
            kept = (
                "it is not kept: set RC_ENV_CACHE to a folder of your own, in which, and in those above it, nobody "
                "else can write"
            )
        elif os.access(folder, os.W_OK):
            kept = f"it is kept in {folder}"
        else:
            kept = f"it is not kept, since {folder} can only be read"
        log.warning("rc_env: compiling %s; %s", self._what, kept)


def leave_compiler() -> None:
    """Let other threads compile and load kernels, after an interrupt that left Numba's lock with this thread."""
    lock: Any = global_compiler_lock._lock
    while lock._is_owned():
        lock.release()


def _content(folder: Path, place: int, file: str) -> bytes:
    """The bytes of a file of this user, or of root, in an opened folder; none where there is no such file."""
    opened = None
    try:
        if place < 0:
            return (folder / file).read_bytes()
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place)
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or not _belongs(found, last=True):
            return b""
        with open(opened, "rb", closefd=False) as stream:
            return stream.read()
    except OSError as error:
        if checks.by_signal(error):
            raise
        return b""
    finally:
        if opened is not None:
            os.close(opened)
