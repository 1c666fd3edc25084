"""Attacks run in worker processes: each tries many attacks, and is replaced when it crashes or hangs."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from attacks import Attack
from enclosure import enclose
from judge import CRASHES, HANGS, judge

from rc_env.compile_cache import private_folder
from rc_env.jit import cache_name

SECONDS, FRESH_SECONDS, CONTROL_SECONDS = 60, 120, 600
"""The time limits of an attack, of one in a new worker, which loads compiled code first, and of a correct call, which
may have to compile it."""
MEMORY = 12 * 1024**3
"""The address space of a worker: a call that needs more gets a MemoryError, and does not exhaust the machine."""


class Verdict(NamedTuple):
    """The outcome of an attack."""

    target: str
    group: str
    what: str
    outcome: str
    wording: str
    seconds: float


class _Worker:
    """A forked process that tries the attacks it is given, and answers each with a line of JSON."""

    def __init__(self) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is read when the process has ended
        ours, theirs = os.pipe(), os.pipe()
        self.folder = tempfile.TemporaryDirectory(prefix="rc_env-attacks-", ignore_cleanup_errors=True)
        sys.stdout.flush()
        self.process = os.fork()
        if not self.process:
            os.close(ours[1])
            os.close(theirs[0])
            self._work(ours[0], theirs[1])
        os.close(ours[0])
        os.close(theirs[1])
        self.asks, self.answers = ours[1], theirs[0]
        self.known: dict[int, Attack] = {}
        self.buffer = b""

    def _work(self, asks: int, answers: int) -> NoReturn:
        """Run the worker's loop: read lines with the number of an attack, write lines with its outcome."""
        try:
            os.setsid()
            os.chdir(self.folder.name)
            tempfile.tempdir = self.folder.name
            enclose([Path(self.folder.name), *CACHE])
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(self.errors.fileno(), 1)
            os.dup2(self.errors.fileno(), 2)
            faulthandler.enable(self.errors)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            with os.fdopen(asks) as lines:
                for line in lines:
                    # A folder of its own: no attack finds files that another one has written.
                    place = Path(self.folder.name, line.strip())
                    place.mkdir()
                    os.chdir(place)
                    with contextlib.redirect_stdout(io.StringIO()):
                        outcome, wording = judge(CATALOGUE[int(line)])
                    shutil.rmtree(place, ignore_errors=True)
                    answer = json.dumps({"outcome": outcome, "wording": wording}) + "\n"
                    os.write(answers, answer.encode())
        finally:
            os._exit(0)

    def ask(self, number: int, seconds: float) -> dict[str, str] | None:
        """Return the answer, or None if none comes in time or the process ends."""
        try:
            os.write(self.asks, f"{number}\n".encode())
        except OSError:
            return None
        until = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                return None
            some = os.read(self.answers, 65536)
            if not some:
                return None
            self.buffer += some
        line, _, self.buffer = self.buffer.partition(b"\n")
        answer: dict[str, str] = json.loads(line)
        return answer

    def end(self) -> str:
        """End the process and its children; return how it had ended before, if it had."""
        done, status = 0, 0
        for _ in range(20):
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done or self.asks < 0:
                break
            time.sleep(0.01)
        with contextlib.suppress(OSError):
            os.killpg(self.process, signal.SIGKILL)
        if not done:
            os.waitpid(self.process, 0)
        os.close(self.asks)
        os.close(self.answers)
        self.folder.cleanup()
        if not done:
            return ""
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip().splitlines()
        fault = next((line for line in words if line.startswith("Fatal")), words[-1] if words else "")
        code = os.waitstatus_to_exitcode(status)
        return f"{signal.Signals(-code).name if code < 0 else f'exit code {code}'} {fault}"[:300]


_FOLDER = private_folder(cache_name())
CACHE = [_FOLDER.parent] if _FOLDER else []
"""The folder of compiled code: correct calls may have to compile."""
CATALOGUE: list[Attack] = []
"""The attacks by their numbers, which workers receive: they are forked from this process and share the list."""


def run(attacks: Iterable[Attack]) -> Iterator[Verdict]:
    """Try attacks in this order, each within its time limit."""
    CATALOGUE[:] = attacks
    worker: _Worker | None = None
    for number, attack in enumerate(CATALOGUE):
        begin = time.monotonic()
        answer, ended = None, ""
        for _ in range(2):  # an earlier attack may have caused a crash, so a new worker tries the attack again
            fresh = worker is None
            worker = worker or _Worker()
            answer = worker.ask(number, CONTROL_SECONDS if attack.control else FRESH_SECONDS if fresh else SECONDS)
            if answer is not None:
                break
            ended, worker = worker.end(), None
            if not ended or fresh:
                break
        if answer is None:
            answer = (
                {"outcome": CRASHES, "wording": ended} if ended else {"outcome": HANGS, "wording": "no answer in time"}
            )
        seconds = time.monotonic() - begin
        yield Verdict(attack.target, attack.group, attack.what, answer["outcome"], answer["wording"], seconds)
    if worker is not None:
        worker.end()
