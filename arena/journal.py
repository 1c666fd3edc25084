"""A journal of the work that a long command has done, kept beside its results, so that `--resume` can continue it.

A journal is a file of lines in the folder of the results. The first line is the command; each further one is a piece of
work that is done, with its outcome. A piece that is in the journal is not done again, so that a command that was
stopped at any moment ends in the same bytes as one that was not. The journal is removed when the results are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import rc_env
from rc_env import files
from rc_env.ruleset import Ruleset

SUFFIX = ".unfinished.jsonl"
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
    """

    def __init__(self, path: Path, command: str, done: dict[str, Any]) -> None:
        self.path, self.command, self.done = path, command, done

    @property
    def advice(self) -> str:
        """A sentence that says how to resume."""
        place = self.path.parent
        if PLACES[self.command].endswith("FILE"):
            place = self.path.with_name(self.path.name.removesuffix(SUFFIX))
        return f"`rc {self.command} --resume {place}` goes on with what is done"

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


def begin(path: Path, command: str, words: Sequence[str], ruleset: Ruleset) -> Journal:
    """Create a journal for `rc COMMAND WORDS`.

    Raises:
        ValueError: a journal with finished work exists already.
        OSError: it cannot be written.
    """
    if len(_read(path)) > 1:
        found = Journal(path, command, {})
        raise ValueError(
            f"{_option(command)}: {path} found, which an unfinished `rc {command}` has left, expected none: "
            f"{found.advice}; to begin anew, remove it"
        )
    head = {"command": command, "words": list(words), "versions": _versions(ruleset)}
    files.write(path, f"{_line(head)}\n")
    return Journal(path, command, {})


def resume(path: Path, ruleset: Ruleset) -> Journal:
    """Open the journal of a command that was stopped; a last line that was cut off is dropped and written again later.

    Raises:
        ValueError: the file is damaged, or the command was begun with other rules.
        OSError: it cannot be written.
    """
    head, *pieces = _read(path)
    if head["versions"] != (now := _versions(ruleset)):
        differ = [f"{name} {head['versions'].get(name)}" for name in now if head["versions"].get(name) != now[name]]
        raise ValueError(
            f"--resume: {path} found, begun with {', '.join(differ)}, expected those of now: begin anew elsewhere"
        )
    files.write(path, "".join(f"{_line(one)}\n" for one in (head, *pieces)))
    return Journal(path, head["command"], dict(pieces))


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


def _option(command: str) -> str:
    return PLACES[command].split()[0]


def _line(entry: Any) -> str:
    """An entry as a line: a digest, and JSON."""
    text = json.dumps(entry)
    return f"{sha256(text.encode()).hexdigest()[:16]} {text}"


def _read(path: Path) -> list[Any]:
    """The entries of a journal; none if there is no file, or nothing whole in it."""
    entries = []
    for number, line in enumerate(files.whole_lines(path), 1):
        digest, _, text = line.partition(" ")
        if sha256(text.encode()).hexdigest()[:16] != digest:
            raise ValueError(f"--resume: {path}, line {number}: a damaged line found: remove the file, and begin anew")
        entries.append(json.loads(text))
    return entries


def _versions(ruleset: Ruleset) -> dict[str, Any]:
    """Versions that the pieces of work depend on, in addition to the command's words."""
    expansion = ruleset.expansion_file
    return {
        "rc_env": rc_env.__version__,
        "rules": ruleset.rules_version,
        "data": ruleset.data_file.sha256,
        "expansion": None if expansion is None else expansion.sha256,
    }
