"""A journal of the work that a long command has done, kept beside its results, so that `--resume` can continue it.

A journal is a file of lines in the folder of the results. The first line is the command; each further one is a piece of
work that is done: a digest of all that it depends on, and its outcome. A piece that is in the journal is not done
again, so that a command that was stopped at any moment ends in the same bytes as one that was not. The journal is
removed when the results are written. Meanwhile the command holds the lock of the place that it writes to.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rc_env
from rc_env import checks, files
from rc_env.arena import locks
from rc_env.arena.locks import SUFFIX
from rc_env.ruleset import Ruleset

if TYPE_CHECKING:
    from filelock import BaseFileLock

FORMAT = "rc_env journal/2"
MOST_BYTES = 2**32
"""The most bytes of a journal: one game is a few hundred."""
_OWN = "file "
"""What precedes the name of a user's file among the versions, since it may be any, such as "data"."""
PLACES = {
    **dict.fromkeys(("arena", "first-player", "stats", "guilds", "record", "uncertainty"), "--out DIR"),
    "analyse": "--results DIR",
    "tune": "--out FILE",
    "benchmark": "--json FILE",
}
"""Commands that keep a journal, and the option that says where: a folder of results, or a file beside which it lies."""


class Journal:
    """The pieces of work of one command that are done.

    Args:
        path: the file, whose first line is there.
        command: the sub-command of `rc`.
        done: outcomes by the keys of their pieces, as they stand in the file.
        lock: of the place that the command writes to, which this process holds.
        trust: the words that `--trust` will have to name in order to resume.
    """

    def __init__(
        self,
        path: Path,
        command: str,
        done: dict[str, Any],
        lock: BaseFileLock | None = None,
        trust: Sequence[str] = (),
    ) -> None:
        self.path, self.command, self.done, self._lock, self._trust = path, command, done, lock, tuple(trust)

    @property
    def advice(self) -> str:
        """A sentence that says how to resume."""
        words = ["--resume", str(_place(self.path, self.command)), *(["--trust", *self._trust] if self._trust else [])]
        return f"`rc {self.command} {shlex.join(words)}` goes on with what is done"

    def add(self, key: str, outcome: Any) -> None:
        """Append the outcome of a piece of work, a value for JSON.

        Raises:
            OSError: it cannot be written.
        """
        files.append(self.path, _line([key, outcome]))
        self.done[key] = outcome

    def remove(self) -> None:
        """Delete the journal, after the command has ended and its results are written."""
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Give the lock back, if this process holds it."""
        if self._lock is not None:
            locks.release(self._lock)
            self._lock = None


def key_of(*parts: Any) -> str:
    """The key of a piece of work in a journal: a digest of all that it depends on, values for JSON."""
    return sha256(json.dumps(parts).encode()).hexdigest()


def begin(
    path: Path,
    command: str,
    words: Sequence[str],
    ruleset: Ruleset,
    finished: Path | None = None,
    own: Sequence[Path] = (),
    trust: Sequence[str] = (),
) -> Journal:
    """Create a journal for `rc COMMAND WORDS`, and hold the lock of its place.

    Args:
        path: of the journal.
        command: the sub-command.
        words: after it.
        ruleset: the variant that is played, or one of several.
        finished: the file that shows that such a command has ended here; None where it may be overwritten.
        own: files of the user that the work depends on, such as weights of bots.
        trust: the words that `--trust` will have to name in order to resume.

    Raises:
        ValueError: a journal with finished work exists already, or results, or another command is at work there.
        OSError: it cannot be written.
    """
    option = _option(command)
    lock = locks.acquire(_lock_of(path, command), option)
    try:
        if len(_read(path, option)) > 1:
            found = Journal(path, command, {})
            raise ValueError(
                f"{option}: an unfinished `rc {command}` has left {path}: {found.advice}; to begin anew, remove it"
            )
        if finished is not None and finished.exists():
            raise ValueError(
                f"{option}: {finished} is there already; choose another place, or replace it with --overwrite"
            )
        head = {"format": FORMAT, "command": command, "words": list(words), "versions": _versions(ruleset, own)}
        files.write(path, f"{_line(head)}\n")
    except BaseException:
        locks.release(lock)
        raise
    return Journal(path, command, {}, lock, trust)


def resume(path: Path, ruleset: Ruleset, own: Sequence[Path] = (), trust: Sequence[str] = ()) -> Journal:
    """Open the journal of a command that was stopped, and hold the lock of its place.

    A last line that was cut off is dropped and written again later. `own` and `trust` are as for `begin`.

    Raises:
        ValueError: the file is damaged, the command was begun with other rules or files, or another one is at work
            there.
        OSError: it cannot be written.
    """
    lock = None
    try:
        entries = _read(path)
        command = entries[0]["command"] if entries else ""
        if command in PLACES:
            lock = locks.acquire(_lock_of(path, command), "--resume")
            entries = _read(path)  # as it is now that nobody writes to it
        if not entries:
            raise ValueError(f"--resume: {path} is not the journal of a command that was stopped")
        head, *pieces = entries
        if head["versions"] != (now := _versions(ruleset, own)):
            names = {_OWN + str(file): f"another {file}" for file in own}  # its digest says nothing to anybody
            differ = [
                names.get(name, f"{name} {head['versions'].get(name)}")
                for name in now
                if head["versions"].get(name) != now[name]
            ]
            raise ValueError(
                f"--resume: {path} was begun with {checks.cut(', '.join(differ))}: put back what was there, or begin "
                "anew elsewhere"
            )
        files.write(path, "".join(f"{_line(one)}\n" for one in (head, *pieces)))
    except BaseException:
        if lock is not None:
            locks.release(lock)
        raise
    return Journal(path, head["command"], dict(pieces), lock, trust)


def unfinished(place: Path, command: str) -> list[tuple[Path, list[str]]]:
    """Find the journals of a command in a folder, or beside a results file, each with the words after `rc COMMAND`.

    Raises:
        ValueError: there are none.
    """
    paths = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else [place.with_name(place.name + SUFFIX)]
    heads = [(path, entries[0]) for path in paths if (entries := _read(path))]
    found = [(path, list(head["words"])) for path, head in heads if head["command"] == command]
    if not found:
        words = f"the {_option(command)} of an `rc {command}` that was stopped"
        raise ValueError(f"--resume must be {words}, not {place}")
    return found


@contextmanager
def kept(journal: Journal | None) -> Iterator[Journal | None]:
    """Context that keeps a journal while a command works and writes its results, and removes it at the end.

    An interrupt says how to go on. A command that is refused before anything is done leaves no journal.
    """
    try:
        yield journal
        if journal is not None:
            journal.remove()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(*([] if journal is None else [journal.advice])) from None
    except ValueError:
        if journal is not None and not journal.done:
            journal.remove()
        raise
    finally:
        if journal is not None:
            journal.close()


def _place(path: Path, command: str) -> Path:
    """The folder or file that a command with this journal writes to."""
    named = PLACES[command].endswith("FILE")
    return path.with_name(path.name.removesuffix(SUFFIX)) if named else path.parent


def _lock_of(path: Path, command: str) -> Path:
    """The lock of the place that a command with this journal writes to: of a folder, or of a file beside it."""
    place = Path(os.path.realpath(_place(path, command)))  # a link is another name of one place
    return locks.of_file(place) if PLACES[command].endswith("FILE") else place / locks.LOCK


def _option(command: str) -> str:
    return PLACES[command].split()[0]


def _line(entry: Any) -> str:
    """An entry as a line: a digest, and JSON."""
    text = json.dumps(entry)
    return f"{sha256(text.encode()).hexdigest()[:16]} {text}"


def _read(path: Path, option: str = "--resume") -> list[Any]:
    """The entries of a journal, a head and pairs of key and outcome; none if there is no file, or nothing whole in it.

    Raises:
        ValueError: a line is damaged, or the file is no journal of this version; the sentence names `option`.
    """
    entries = []
    for number, line in enumerate(files.whole_lines(path, MOST_BYTES), 1):
        digest, _, text = line.partition(" ")
        if sha256(text.encode()).hexdigest()[:16] != digest:
            raise ValueError(f"{option}: {path}, line {number}, is damaged: remove the file, and begin anew")
        try:
            entries.append(json.loads(text))
        except (ValueError, RecursionError):
            entries.append(None)
        if not (_is_piece if number > 1 else _is_head)(entries[-1]):
            raise ValueError(
                f"{option}: {path}, line {number}, is not of {FORMAT}, the journals of this version of rc_env: remove "
                "the file, and begin anew"
            )
    return entries


def _is_head(entry: Any) -> bool:
    kinds = {"format": str, "command": str, "words": list, "versions": dict}
    if not isinstance(entry, dict) or set(entry) != set(kinds) or entry["format"] != FORMAT:
        return False
    fits = all(isinstance(entry[name], kind) for name, kind in kinds.items())
    return fits and all(isinstance(word, str) for word in entry["words"])


def _is_piece(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)


def _versions(ruleset: Ruleset, own: Sequence[Path]) -> dict[str, Any]:
    """What the pieces of work depend on besides the command's words: versions, and digests of files."""
    expansion = ruleset.expansion_file
    return {
        "rc_env": rc_env.__version__,
        "rules": ruleset.rules_version,
        "data": ruleset.data_file.sha256,
        "expansion": None if expansion is None else expansion.sha256,
        **{_OWN + str(file): sha256(files.read(file)).hexdigest() for file in own},
    }
