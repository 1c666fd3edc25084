"""Starts the command `rc`: what has to be settled before the package is imported, which takes a second or two.

Until a command begins, Ctrl-C ends the process at once and in one line. As an exception it would come up in whichever
module is being imported, and show that, or be lost there. It stands beside the package, since what stands inside of it
is only reached once the package is imported.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # that of `typing`, which takes longer to import than all that stands here
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn


LEAST_MEGABYTES, LEAST_FOR_TRAINING = 1024, 1536
"""With less, NumPy, SciPy and LLVM, and PyTorch beside them, cannot be relied on: OpenBLAS tries forever to get memory
that it is refused, or LLVM aborts the process."""


def main() -> int:
    """Run `rc` with the words of the command line; returns the exit code."""
    hears = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not where a shell has it ignored
    if hears:
        signal.signal(signal.SIGINT, lambda *_: leave("stopped", 130))
    try:
        os.getcwd()  # PettingZoo asks for it when it is imported
    except FileNotFoundError:
        leave("the current folder has been deleted: change to another one", 2)
    least = LEAST_FOR_TRAINING if sys.argv[1:2] == ["train"] else LEAST_MEGABYTES
    if (found := address_space()) < least:
        leave(f"there are {found} MB of address space (ulimit -v), but at least {least} are needed", 2)
    import rc_env

    if not hasattr(rc_env, "__version__"):
        leave(f"{rc_env} was found instead of the package rc_env: change to another folder", 2)
    from rc_env.apps.cli import rc

    def begin() -> None:
        if hears:
            signal.signal(signal.SIGINT, interrupt)

    return rc.main(begin=begin)


def address_space() -> float:
    """The limit of this process's address space in MB; infinity where there is none."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return float("inf")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return float("inf") if limit == resource.RLIM_INFINITY else limit // 2**20


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; a moment later where Python's own import is at work, in which it can be lost."""
    import threading  # loaded by now

    if frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        threading.Timer(0.01, signal.raise_signal, [number]).start()
    else:
        signal.default_int_handler(number, frame)


def leave(sentence: str, code: int) -> NoReturn:
    """End the process with one line on stderr that names the sub-command."""
    command = [word for word in sys.argv[1:2] if word[0:1].isalpha() and word.isprintable()]
    try:
        os.write(2, f"{' '.join(['rc', *command])}: {sentence}\n".encode(errors="replace"))
    finally:
        os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
