"""Let each write of each command fail as on a full disk: `python tests/faults/full_disk.py`.

The first write, new file or rename of a command fails, and all that follow it; then the second, and so on until the
command works undisturbed. Each time the command prints one line and ends with exit code 2, every file in its folder is
complete, and the same command, run again with room on the disk, writes the same bytes.
"""

from __future__ import annotations

import _io
import argparse
import builtins
import contextlib
import errno
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kill import begun
from long_commands import difference, written

from rc_env.apps.cli import rc

MOST = 400
"""The most writes of a command that are tried, one after the other."""


class Disk:
    """Counts the operations on files below a folder, and fails from a given number on."""

    def __init__(self, folder: Path, room: int) -> None:
        self.folder, self.room, self.count = str(folder), room, 0
        self.open = builtins.open

    def concerns(self, path: Any) -> bool:
        """Return whether a path lies in the folder."""
        return isinstance(path, str | os.PathLike) and os.path.abspath(path).startswith(self.folder)

    def take(self, path: Any) -> None:
        """Count one more operation on a file; fail if there is no room."""
        self.count += 1
        if self.count > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), os.fspath(path) if self.concerns(path) else None)

    def opened(self, file: Any, mode: str = "r", *arguments: Any, **settings: Any) -> Any:
        """Open a file in place of the built-in `open`."""
        writes = any(letter in mode for letter in "wax+")
        if writes and self.concerns(file):
            self.take(file)
        made = self.open(file, mode, *arguments, **settings)
        return _Writer(made, self, file) if writes and self.concerns(file) else made

    def guarded(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function of `os` that changes files and takes a path as its first argument."""

        def guard(path: Any, *arguments: Any, **settings: Any) -> Any:
            if self.concerns(path):
                self.take(path)
            return function(path, *arguments, **settings)

        return guard


class _Writer:
    """A file whose writes are counted."""

    def __init__(self, file: Any, disk: Disk, path: Any) -> None:
        self._file, self._disk, self._path = file, disk, path

    def write(self, content: Any) -> int:
        """Write to the file; without room on the disk write only a part, as a real disk does, and fail."""
        try:
            self._disk.take(None)
        except OSError:
            self._file.write(content[: len(content) // 2])
            raise
        return int(self._file.write(content))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __iter__(self) -> Any:
        return iter(self._file)


@contextlib.contextmanager
def disk(folder: Path, room: int) -> Any:
    """Let Python write to files through a disk with room for so many operations."""
    made = Disk(folder, room)
    kept = [(owner, name, getattr(owner, name)) for owner in (builtins, io, _io) for name in ("open",)]
    kept += [(os, name, getattr(os, name)) for name in ("replace", "rename", "mkdir", "link")]
    for owner, name, function in kept:
        setattr(owner, name, made.opened if name == "open" else made.guarded(function))
    try:
        yield made
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)


_QUICK = "--turn-limit 12 --workers 1 --seed 3"
LINES = (
    "record --games 3 --bots random --turn-limit 12 --seed 3 --state --out OUT",
    "replay GAME --html OUT/page.html",
    f"arena random greedy --games 4 {_QUICK} --out OUT",
    f"first-player --bots random --games 4 {_QUICK} --out OUT",
    f"stats random --games 4 {_QUICK} --out OUT",
    "guilds --bot random --games 1 --workers 1 --seed 3 --out OUT",
    "benchmark random --games 10 --workers 1 --json OUT/results.json",
    "tune --rounds 1 --generations 2 --population 4 --games 1 --turn-limit 12 --workers 1 --seed 3 --out OUT/plan.toml",
    "train --players 2 --decisions 128 --imitation 0 --envs 4 --steps 4 --batch 16 --epochs 1 --trunk 8 --layers 1 "
    "--heads 8 --object 4 --threads 1 --device cpu --precision float32 --anchors random --evaluation-games 2 --games 2 "
    "--turn-limit 12 --seed 3 --opponents self=1 --out OUT",
)


FILES = {"tune": "plan.toml", "benchmark": "results.json"}
"""The file beside which a command keeps its journal, for commands that write no folder."""


def run(words: list[str]) -> tuple[int, str]:
    """Run `rc` in this process; return its exit code and what it wrote to stderr."""
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        try:
            code = rc.main(words)
        except SystemExit as error:
            code = int(error.code or 0)
    return code, err.getvalue()


def resumed(words: list[str], out: Path) -> list[str]:
    """Return the words with which a command is resumed."""
    more = ["--games", "2"] if words[0] == "train" else []
    return [words[0], "--resume", str(out / FILES.get(words[0], "")), *more]


def game(folder: Path) -> Path:
    """Return the file of a record to replay."""
    words = f"record --games 1 --bots random --turn-limit 12 --seed 3 --out {folder}"
    assert run(words.split()) == (0, "")
    return next(folder.glob("*.rcr"))


def check(line: str, room: int, place: Path, expected: dict[str, Any] | None) -> bool:
    """Run a command with so much room on the disk; return whether it was enough."""
    out = place / "out"
    out.mkdir()
    words = line.replace("OUT", str(out)).replace("GAME", str(place / "games" / "game.rcr")).split()
    with disk(out, room) as there:
        code, err = run(words)
    if there.count <= room:
        assert code == 0, err
        return True
    wording = [one for one in err.splitlines() if one.strip() and not one.startswith("Training: ")]  # the progress bar
    assert code in (1, 2), f"exit code {code}"
    assert len(wording) == 1 and wording[0].startswith(f"rc {words[0]}: "), f"the command says {err[-300:]!r}"
    assert "No space left" in wording[0] and not re.search(r"\[Errno \d+\]", wording[0]), (
        f"the command says {wording[0]!r}"
    )
    written(out, temporary=True)  # raises if a file is incomplete
    code, err = run(resumed(words, out) if begun(out) else words)
    assert code == 0, f"with room on the disk the command ends with {code}: {err[-300:]!r}"
    if expected is not None:
        differs = difference(written(out), expected)
        assert not differs, f"with room on the disk these files differ: {differs}"
    return False


def main() -> int:
    """Try all commands; return 1 if a command loses something."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="COMMAND", help="try this command alone")
    options = parser.parse_args()
    failed = 0
    for line in LINES:
        if options.only not in line.split()[0]:
            continue
        with tempfile.TemporaryDirectory(prefix="rc_env-disk-") as place:
            (Path(place) / "games").mkdir()
            game(Path(place) / "games").rename(Path(place) / "games" / "game.rcr")
            out = Path(place) / "out"
            out.mkdir()
            words = line.replace("OUT", str(out)).replace("GAME", str(Path(place) / "games" / "game.rcr")).split()
            code, err = run(words)
            assert code == 0, err
            expected = written(out)
        tried = lost = 0
        for room in range(MOST):
            with tempfile.TemporaryDirectory(prefix="rc_env-disk-") as folder:
                (Path(folder) / "games").mkdir()
                game(Path(folder) / "games").rename(Path(folder) / "games" / "game.rcr")
                try:
                    if check(line, room, Path(folder), expected):
                        break
                except AssertionError as error:
                    lost += 1
                    print(f"rc {words[0]}, write {room + 1}: {error}", flush=True)
                tried += 1
        failed += lost
        print(f"rc {words[0]}: {tried} writes failed, one after the other; {lost} not as promised", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
