"""Games in progress on disk: what `Engine.save` writes and `Engine.load` reads.

The file is an `.npz` archive of two arrays, `header` (JSON in UTF-8 bytes) and `games` (the bytes of the records), and
nothing of it is ever executed. The header binds the games to what they mean: version of the format and of the rules,
the ruleset, the SHA-256 digests of its data files, and a digest of the record's fields. A digest of the games finds
damage; whether they are possible is checked when the engine takes them (`rc_env.validation`).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import archives, checks, files
from rc_env.ruleset import Ruleset

FORMAT = "rc_env games/1"
MOST_BYTES = 2**36
"""The most bytes of games in a file; a sixth of the machine's memory is a limit too, since there are three copies of
them while an engine checks them."""
_HEADER_BYTES = 100_000


def header_of(ruleset: Ruleset, games: np.ndarray) -> dict[str, Any]:
    """The header that ties saved games to their ruleset, versions and data files."""
    sources = {"data": ruleset.data_file, "expansion_data": ruleset.expansion_file}
    return {
        "format": FORMAT,
        "rules": ruleset.rules_version,
        "ruleset": {field.name: _plain(getattr(ruleset, field.name)) for field in fields(ruleset)},
        "files": {name: file.sha256 for name, file in sources.items() if file is not None},
        "record": hashlib.sha256(repr(games.dtype.descr).encode()).hexdigest(),
        "games": len(games),
        "sha256": hashlib.sha256(np.ascontiguousarray(games).view(np.uint8).data).hexdigest(),
    }


def _plain(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def write_games(path: str, ruleset: Ruleset, games: np.ndarray) -> None:
    """Write games to a file, which is replaced once the new one is complete.

    Raises:
        OSError: the file cannot be written.
    """
    header = np.frombuffer(json.dumps(header_of(ruleset, games)).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, header=header, games=games.view(np.uint8))
    files.write(path, buffer.getvalue())


def read_games(path: str, ruleset: Ruleset | None) -> tuple[Ruleset, np.ndarray]:
    """The ruleset and the games of a file. That the games are possible is left to the caller to check.

    Raises:
        ValueError: the file is damaged, or does not fit the ruleset or this version of rc_env.
        OSError: the file cannot be read.
    """
    header, content = _read_arrays(path)
    expected = {"format", "rules", "ruleset", "files", "record", "games", "sha256"}
    if not isinstance(header, dict) or header.get("format") != FORMAT or set(header) != expected:
        found = header.get("format") if isinstance(header, dict) else header
        raise ValueError(
            f"{path} has the format {checks.shown(found)}, but this version of rc_env reads {FORMAT!r}: save the "
            "games anew"
        )
    ruleset = _ruleset(path, header["ruleset"], ruleset)
    if header["rules"] != ruleset.rules_version:
        why = f": they differ in {ruleset.rulings}" if ruleset.rulings and header["rules"] == 1 else ""
        raise ValueError(
            f"{path} was saved with rules version {checks.shown(header['rules'])}, but this version of rc_env plays "
            f"{ruleset.rules_version}{why}"
        )
    game = ruleset.build.state.GAME
    games = np.frombuffer(content, game) if len(content) % game.itemsize == 0 else np.zeros(0, game)
    own = header_of(ruleset, games)
    if isinstance(header["files"], dict) and header["files"].get("data") in ruleset.data_digests:
        own["files"]["data"] = header["files"]["data"]
    for key, what in (
        ("files", "another data file; give the `ruleset` with the one that the games were played with"),
        ("record", "other fields of a game: save the games anew with this version of rc_env"),
        ("games", "another number of games: the file is damaged"),
        ("sha256", "another digest of the games: the file is damaged"),
    ):
        if header[key] != own[key]:
            raise ValueError(f"{path}: {key} is {checks.shown(header[key])}, but must be {own[key]}: {what}")
    if not len(games):
        raise ValueError(f"{path} holds no games")
    return ruleset, games


def _read_arrays(path: str) -> tuple[Any, NDArray[np.uint8]]:
    """The header and the bytes of the games, read without ever unpickling anything."""
    try:
        found = archives.read_arrays(path, min(MOST_BYTES, archives.memory() // 6))
        if set(found) != {"header", "games"} or found["header"].nbytes > _HEADER_BYTES:
            raise ValueError("it does not hold the two arrays of saved games")
        header, games = found["header"], found["games"]
        if header.dtype != np.uint8 or games.dtype != np.uint8 or header.ndim != 1 or games.ndim != 1:
            raise ValueError("its arrays are not bytes")
        return json.loads(header.tobytes().decode()), games
    except OSError:
        raise
    except Exception as error:  # a damaged archive can fail in any way
        if checks.by_signal(error):
            raise
        raise ValueError(f"{path} is damaged, or was not saved by rc_env ({checks.shown(str(error))})") from error


def _ruleset(path: str, named: Any, given: Ruleset | None) -> Ruleset:
    """The ruleset that the file names, or the given one if it is the same but for where its data files lie."""
    known = {field.name for field in fields(Ruleset)}
    if not isinstance(named, dict) or set(named) != known:
        raise ValueError(f"{path}: ruleset {checks.shown(named)} does not have the fields of a Ruleset")
    if given is None:
        try:
            return Ruleset(**named)
        except Exception as error:  # the file may name anything
            if checks.by_signal(error):
                raise
            raise ValueError(f"{path}: a ruleset that cannot be made: {error}") from error
    checks.instance("ruleset", given, Ruleset, "a Ruleset, or None for the one that the file names")
    for name in sorted(known - {"data", "expansion_data"}):
        if getattr(given, name) != named[name]:
            raise ValueError(
                f"ruleset has {name}={checks.shown(getattr(given, name))}, but the games of {path} are played with "
                f"{checks.shown(named[name])}"
            )
    return given
