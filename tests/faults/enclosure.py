"""Keeps attacks in a folder of their own, since whoever runs them may be allowed to write everywhere.

Code that would write, move or remove anything elsewhere gets a PermissionError, as a user without the right to do so
would. An audit hook (`sys.addaudithook`) learns of each operation before it happens, so that not even a path such as
`../../etc/passwd` leads out.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATHS = {
    "os.rename": (0, 1),
    "os.link": (0, 1),
    "os.symlink": (1,),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
    "shutil.copyfile": (1,),
}
"""The numbers of the arguments of each audit event that name the files it changes."""
DEVICES = ("/dev/null", "/dev/full")


def enclose(folders: Sequence[Path]) -> None:
    """Let this process, and those forked from it, write to these folders alone from now on."""
    allowed = tuple(f"{os.path.realpath(folder)}{os.sep}" for folder in folders)

    def outside(path: Any) -> bool:
        if isinstance(path, int):  # the number of a file that is already open
            return False
        try:
            place = os.path.realpath(os.fsdecode(path))
        except (TypeError, ValueError):
            return False  # the operating system refuses such a path itself
        return not f"{place}{os.sep}".startswith(allowed) and place not in DEVICES

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = bool((flags or 0) & WRITES) or (isinstance(mode, str) and any(letter in mode for letter in "wax+"))
            changed = [path] if writes else []
        else:
            changed = [arguments[i] for i in PATHS.get(event, ())]
        for path in changed:
            if path is not None and outside(path):
                raise PermissionError(errno.EACCES, "outside of the folder of the attack", os.fsdecode(path))

    sys.addaudithook(watch)
