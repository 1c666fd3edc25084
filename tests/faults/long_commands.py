"""Commands that run long, with little work: what they write, and whether two runs have written the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rc_env import record
from rc_env.agents import net
from rc_env.apps.cli import rc
from rc_env.arena import journal

HOME = Path(rc.__file__).parents[3] if (Path(rc.__file__).parents[3] / "tests").is_dir() else Path(__file__).parents[2]
OF_THE_CLOCK = ("seconds", "time", "per_s", "pace", "share/")
"""Parts of the keys of results that differ from run to run because they are times."""


@dataclass(frozen=True)
class LongCommand:
    """A command that writes as it goes on.

    Attributes:
        words: the words after `rc`, with OUT for the folder that it writes to.
        resume: the words that resume it after it was killed, if it can be resumed.
    """

    words: str
    resume: str

    @property
    def name(self) -> str:
        """The name of the sub-command."""
        return self.words.split()[0]

    def line(self, out: Path, *, resume: bool = False) -> list[str]:
        """Return the words of the command for a folder; results may lie there if a kill came too late."""
        known = resume and can_resume(self.name)
        words = self.resume if known else self.words + " --overwrite" * (self.name in journal.PLACES)
        return [word.replace("OUT", str(out)) for word in words.split()]


_RECORD = "record --games 384 --bots random --seed 3 --state --out OUT"
_ARENA = "arena random greedy --games 600 --workers 2 --seed 3 --out OUT"
_FIRST = "first-player --bots random --games 400 --workers 2 --seed 3 --out OUT"
_TUNE = (
    "tune --rounds 1 --generations 6 --population 4 --games 20 --workers 2 --seed 3 --turn-limit 60 --out OUT/plan.toml"
)
_BENCHMARK = "benchmark random --games 8 --workers 2 --json OUT/benchmark.json"
_TRAIN = (
    "train --players 2 --decisions 3000 --imitation 1000 --envs 16 --steps 16 --batch 64 --epochs 1 --trunk 32 "
    "--layers 1 --heads 16 --object 8 --threads 1 --device cpu --precision float32 --anchors random --evaluate-every 4 "
    "--evaluation-games 4 --games 4 --turn-limit 20 --snapshot-every 4 --snapshots 2 --seed 3 --out OUT"
)
LONG = (
    LongCommand(_RECORD, "record --resume OUT"),
    LongCommand(_ARENA, "arena --resume OUT"),
    LongCommand(_FIRST, "first-player --resume OUT"),
    LongCommand(_TUNE, "tune --resume OUT/plan.toml"),
    LongCommand(_BENCHMARK, "benchmark --resume OUT/benchmark.json"),
    LongCommand(_TRAIN, "train --resume OUT --games 4"),
)


@cache
def can_resume(name: str) -> bool:
    """Return whether a sub-command has the option `--resume`."""
    parser = rc.build_parser([name])
    found = next(action for action in parser._actions if hasattr(action, "choices") and action.choices)
    commands: Any = found.choices
    return any("--resume" in action.option_strings for action in commands[name]._actions)


def start(words: list[str], program: str = "", **options: Any) -> subprocess.Popen[bytes]:
    """Start `rc` with these words, or a program that calls it, in a process and a session of its own."""
    path = os.pathsep.join([str(HOME), str(HOME / "tests" / "support")])
    environment = os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    what = ["-c", program] if program else ["-m", "rc_env_start"]
    command = [sys.executable, *what, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)


def finished(words: list[str], seconds: float = 600, **options: Any) -> tuple[int, str, str]:
    """Run a command to its end; return its exit code and what it printed."""
    process = start(words, **options)
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


# --- the files that a command has written


def _json(path: Path) -> Any:
    return _without_clock(json.loads(path.read_text()))


def _without_clock(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _without_clock(value) for key, value in tree.items() if not any(w in key for w in OF_THE_CLOCK)}
    return [_without_clock(one) for one in tree] if isinstance(tree, list) else tree


def _lines(path: Path) -> Any:
    return [_without_clock(json.loads(line)) for line in path.read_text().splitlines()]


_READ: set[bytes] = set()
"""Records that were read before: a resumed run writes the same ones again."""


def _record(path: Path) -> Any:
    content = path.read_bytes()
    if content not in _READ:
        record.read(path)
        _READ.add(content)
    return content


def _network(path: Path) -> Any:
    net.load(path)
    return path.read_bytes()


def _page(path: Path) -> Any:
    text = path.read_text()
    assert text.rstrip().endswith("</html>"), "the page is cut off"
    return text


def _picture(path: Path) -> Any:
    text = path.read_text()
    assert text.rstrip().endswith("</svg>"), "the picture is cut off"
    return text


READERS: dict[str, Callable[[Path], Any]] = {
    ".rcr": _record,
    ".json": _json,
    ".jsonl": _lines,
    ".npz": _network,
    ".toml": lambda path: tomllib.loads(path.read_text()) and path.read_bytes(),
    ".html": _page,
    ".svg": _picture,
    ".md": lambda path: path.read_text(),
    ".pt": lambda path: None,  # it holds times, which differ; runs resumed from it are compared instead
}
"""Functions by file type: each reads a complete file, or raises; and returns what two runs have in common."""


def written(folder: Path, *, temporary: bool = False) -> dict[str, Any]:
    """Return the content of a folder's files by name; raise an error if a file is incomplete.

    Args:
        folder: the folder that the command has written to.
        temporary: leave out the files that a command keeps only until it has finished.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        reader = READERS.get(path.suffix)
        if path.is_dir() or path.name.startswith("events.out") or path.name.endswith(".tmp"):
            continue  # a process that is killed while it writes leaves a temporary file
        if temporary and path.name.endswith((journal.SUFFIX, ".lock")):
            continue
        if reader is None:
            raise AssertionError(f"{path.name}: an unexpected file")
        try:
            found[str(path.relative_to(folder))] = reader(path)
        except Exception as error:
            raise AssertionError(f"{path.name} is incomplete: {type(error).__name__}: {error}") from error
    return found


def difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Return the difference between two folders in words, or "" if they are equal."""
    names = [
        name for name in sorted({*one, *other}) if name not in one or name not in other or one[name] != other[name]
    ]
    return ", ".join(names[:5])
