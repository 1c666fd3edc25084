"""A journal of the work that a long command has done, kept beside its results, so that `--resume` can continue it.

A journal is a file of lines in the folder of the results. The first line is the command; each further one is a piece of
work that is done: a digest of all that it depends on, and its outcome. A piece that is in the journal is not done
again, so that a command that was stopped at any moment ends in the same bytes as one that was not. The journal is
removed when the results are written. Meanwhile the command holds the lock of the place that it writes to (`alone`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rc_env
from rc_env import checks, files
from rc_env.ruleset import Ruleset

if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX = ".unfinished.jsonl"
FORMAT = "rc_env journal/2"
MOST_BYTES = 2**32
"""The most bytes of a journal: one game is a few hundred."""
LOCK = ".rc.lock"
"""The file that is locked while a command writes to its folder; it is removed at the end."""
OF_FOLDERS = (
    *("results.json", "report.*", "first-player*", "uncertainty*", "*.rcr", f"*{SUFFIX}", ".*", "games.sqlite*"),
    *("config.json", "checkpoint.pt", "progress.jsonl", "events.out.*", "last.npz", "best.npz"),
)
"""Names of files that commands with a folder write there; `*.svg` is one more where they keep a journal. In a folder
where such a command works another may write any other file."""
PLACES = {
    **dict.fromkeys(("arena", "first-player", "stats", "guilds", "record", "uncertainty"), "--out DIR"),
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
    """

    def __init__(self, path: Path, command: str, done: dict[str, Any], lock: BaseFileLock | None = None) -> None:
        self.path, self.command, self.done, self._lock = path, command, done, lock

    @property
    def advice(self) -> str:
        """A sentence that says how to resume."""
        return f"`rc {self.command} --resume {_place(self.path, self.command)}` goes on with what is done"

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
            _release(self._lock)
            self._lock = None


def key_of(*parts: Any) -> str:
    """The key of a piece of work in a journal: a digest of all that it depends on, values for JSON."""
    return sha256(json.dumps(parts).encode()).hexdigest()


def begin(path: Path, command: str, words: Sequence[str], ruleset: Ruleset, finished: Path | None = None) -> Journal:
    """Create a journal for `rc COMMAND WORDS`, and hold the lock of its place.

    Args:
        path: of the journal.
        command: the sub-command.
        words: after it.
        ruleset: the variant that is played, or one of several.
        finished: the file that shows that such a command has ended here; None where it may be overwritten.

    Raises:
        ValueError: a journal with finished work exists already, or results, or another command is at work there.
        OSError: it cannot be written.
    """
    option = _option(command)
    lock = _acquired(_lock_of(path, command), option)
    try:
        if len(_read(path, option)) > 1:
            found = Journal(path, command, {})
            raise ValueError(
                f"{option}: {path} found, which an unfinished `rc {command}` has left, expected none: "
                f"{found.advice}; to begin anew, remove it"
            )
        if finished is not None and finished.exists():
            raise ValueError(
                f"{option}: {finished} found, expected none: choose another place, or --overwrite replaces it"
            )
        head = {"format": FORMAT, "command": command, "words": list(words), "versions": _versions(ruleset)}
        files.write(path, f"{_line(head)}\n")
    except BaseException:
        _release(lock)
        raise
    return Journal(path, command, {}, lock)


def resume(path: Path, ruleset: Ruleset) -> Journal:
    """Open the journal of a command that was stopped, and hold the lock of its place.

    A last line that was cut off is dropped and written again later.

    Raises:
        ValueError: the file is damaged, the command was begun with other rules, or another one is at work there.
        OSError: it cannot be written.
    """
    lock = None
    try:
        entries = _read(path)
        command = entries[0]["command"] if entries else ""
        if command in PLACES:
            lock = _acquired(_lock_of(path, command), "--resume")
            entries = _read(path)  # as it is now that nobody writes to it
        if not entries:
            raise ValueError(f"--resume: {path} found, expected the journal of a command that was stopped")
        head, *pieces = entries
        if head["versions"] != (now := _versions(ruleset)):
            differ = [f"{name} {head['versions'].get(name)}" for name in now if head["versions"].get(name) != now[name]]
            raise ValueError(
                f"--resume: {path} found, begun with {checks.cut(', '.join(differ))}, expected those of now: begin "
                "anew elsewhere"
            )
        files.write(path, "".join(f"{_line(one)}\n" for one in (head, *pieces)))
    except BaseException:
        if lock is not None:
            _release(lock)
        raise
    return Journal(path, head["command"], dict(pieces), lock)


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
        raise ValueError(f"--resume: {place} found, expected {words}")
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


@contextmanager
def alone(folder: Path, option: str = "--out") -> Iterator[None]:
    """Context in which no other command of this package writes to a folder; the system ends it with the process, too.

    Raises:
        ValueError: another command is at work there; the sentence names `option`.
        OSError: the folder cannot be written to.
    """
    lock = _acquired(folder / LOCK, option)
    try:
        yield
    finally:
        _release(lock)


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
    lock = _acquired(_lock_of_file(place), option)
    try:
        yield
    finally:
        _release(lock)


def _place(path: Path, command: str) -> Path:
    """The folder or file that a command with this journal writes to."""
    named = PLACES[command].endswith("FILE")
    return path.with_name(path.name.removesuffix(SUFFIX)) if named else path.parent


def _lock_of(path: Path, command: str) -> Path:
    """The lock of the place that a command with this journal writes to: of a folder, or of a file beside it."""
    place = Path(os.path.realpath(_place(path, command)))  # a link is another name of one place
    return _lock_of_file(place) if PLACES[command].endswith("FILE") else place / LOCK


def _lock_of_file(place: Path) -> Path:
    name = f".{place.name}.lock"
    return place.with_name(name if len(os.fsencode(name)) < 256 else f".{key_of(place.name)}.lock")


def _acquired(path: Path, option: str) -> BaseFileLock:
    """The lock of a folder or a file, where no command is at work that would write to the same files."""
    lock = _taken(path, option)
    try:
        for other in _others(path):
            if other.exists():  # held, or left by a command that was killed
                _release(_taken(other, option))
    except BaseException:
        _release(lock)
        raise
    return lock


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
        raise ValueError(
            f"{option}: {path.parent} found, in which another command is at work, expected a place for this one alone: "
            "name another one, or wait"
        ) from None
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}") from None
    return lock


def _release(lock: BaseFileLock) -> None:
    """Remove the file of a lock while it is held: whoever has opened it then sees that it is gone, and tries again."""
    with suppress(OSError):  # Windows removes no open file
        os.unlink(lock.lock_file)
    lock.release()


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
            raise ValueError(f"{option}: {path}, line {number}: a damaged line found: remove the file, and begin anew")
        try:
            entries.append(json.loads(text))
        except (ValueError, RecursionError):
            entries.append(None)
        if not (_is_piece if number > 1 else _is_head)(entries[-1]):
            raise ValueError(
                f"{option}: {path}, line {number}: found what is not of {FORMAT}, expected a journal of this version "
                "of rc_env: remove the file, and begin anew"
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


def _versions(ruleset: Ruleset) -> dict[str, Any]:
    """Versions that the pieces of work depend on, in addition to the command's words."""
    expansion = ruleset.expansion_file
    return {
        "rc_env": rc_env.__version__,
        "rules": ruleset.rules_version,
        "data": ruleset.data_file.sha256,
        "expansion": None if expansion is None else expansion.sha256,
    }
