"""The on-disk cache of compiled kernels, and the fallback where nothing can be kept.

Numba's own cache knows a source file by its path and time of change, keeps an index that two processes may overwrite,
and unpickles whatever it finds. Here every compiled signature of a kernel is one file. Its name says everything that it
depends on beside the folder's hashes of sources, options and versions, so that all environments of a user with the same
sources and versions share one cache, wherever they are installed. A file is written whole or not at all, and begins
with the SHA-256 digest of the rest: a damaged one is deleted, and the kernel is compiled anew.

Compiled code is kept as pickles, which can run anything. So a folder is used only if it belongs to this user (or to
root, who can do anything already) and nobody else can write to it.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import platform
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from rc_env import files

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
_announced: set[str] = set()


@cache
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
    if chosen is not None and _make(chosen, parents=True) and _make(chosen / name) and _private(chosen / name):
        return chosen / name
    if _make(mine) and _private(mine) and _make(mine / name) and _private(mine / name):
        return mine / name
    return None


def _make(folder: Path, parents: bool = False) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=parents, exist_ok=True)
    except OSError:
        return False
    return True


def _private(folder: Path) -> bool:
    """Whether only this user, or root, can have put files there; the system decides where users have no numbers."""
    found = folder.lstat()
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid in (os.getuid(), 0) and not found.st_mode & 0o022


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
        path = self._path(signature, target.codegen())
        try:
            found = path.read_bytes() if path else b""
        except OSError:
            found = b""
        if path and found:
            try:
                if hashlib.sha256(found[_DIGEST:]).digest() != found[:_DIGEST]:
                    raise ValueError("the digest differs")
                return CompileResult._rebuild(target, *pickle.loads(found[_DIGEST:]))
            except Exception as wrong:  # whatever cannot be loaded is as good as damaged
                log.warning("rc_env: deleted %s, which is damaged (%s)", path, wrong)
                _remove(path)
                _announced.discard(self._what)
        self._announce()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the compiled code for a signature, unless the folder cannot be written."""
        path = self._path(signature, compiled.codegen)
        if path is None or compiled.lifted or compiled.library.has_dynamic_globals:
            return
        content = dumps(compiled._reduce())
        with contextlib.suppress(OSError):
            files.write(path, hashlib.sha256(content).digest() + content)

    def flush(self) -> None:
        """Do nothing, since no file is kept open; `Dispatcher.recompile` calls this."""

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = private_folder(self._name)
        if folder is None:
            return None
        function = f"{self._function.__module__}.{self._function.__qualname__}"
        depends = repr((function, signature, codegen.magic_tuple()))
        return folder / f"{function}-{hashlib.sha256(depends.encode()).hexdigest()[:16]}.kernel"

    def _announce(self) -> None:
        if self._what in _announced:
            return
        _announced.add(self._what)
        folder = private_folder(self._name)
        kept = f"it is kept in {folder}" if folder else "it is not kept: set RC_ENV_CACHE to a folder of your own"
        log.warning("rc_env: compiling %s; %s", self._what, kept)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
