"""Tests of what older versions of the rules left behind: records, saved games and networks of games that have changed
are refused in a sentence that names the rulings, and those of games that have not are as good as ever.
"""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.agents import net
from rc_env.bot import Position
from rc_env.record import Record, Recorder, RecordError, parse, replay
from rc_env.ruleset import FULL_GAME, OLD_BASE, RULES_VERSION

BASE = resources.files("rc_env").joinpath("data", "base.toml").read_text(encoding="utf-8")
ORDER = 'construction = "levels"'
WEIGHTS = Path(net.__file__).parent / "weights"


def played(ruleset: Ruleset, seed: int = 0) -> str:
    """Return the record of a random game as text."""
    texts: dict[int, str] = {}
    engine = Engine(ruleset, 1, seed)
    Recorder(texts.__setitem__).attach(engine)
    rng = np.random.default_rng(seed)
    while engine.seat[0] >= 0:
        engine.step([rng.choice(np.flatnonzero(engine.legal_mask()[0]))])
    return texts[0]


def with_header(text: str, beside: Path = Path(), **changes: Any) -> Record:
    """Return the record with other values in its first line."""
    first, rest = text.split("\n", 1)
    return parse(json.dumps(json.loads(first) | changes) + "\n" + rest, beside=beside)


def line_with(key: str) -> str:
    """Return the line of the packaged data file that begins with this key."""
    return next(line for line in BASE.splitlines() if line.startswith(key))


def test_the_version_rose_for_the_games_that_changed() -> None:
    assert RULES_VERSION == 2
    assert [Ruleset(players).rules_version for players in (1, 2, 3, 4)] == [2, 1, 1, 1]
    assert [Ruleset(players, **FULL_GAME).rules_version for players in (1, 2, 3, 4)] == [2] * 4
    assert Ruleset(2).rulings == "" and Ruleset(1).rulings.startswith("R-30c ")
    assert "R-52d" in Ruleset(2, special_tiles=True).rulings and "R-30c" not in Ruleset(2, special_tiles=True).rulings
    assert all(ruling in Ruleset(1, **FULL_GAME).rulings for ruling in ("R-30c", "R-52d", "R-69"))


# --- records


@pytest.mark.parametrize("players", [2, 4])
def test_records_of_the_base_game_are_replayed_as_ever(players: int) -> None:
    record = played(Ruleset(players, turn_limit=30))
    old = with_header(record, data_sha256=OLD_BASE)
    assert replay(old).games.tobytes() == replay(parse(record)).games.tobytes()
    with pytest.raises(RecordError, match="record, line 1: data_sha256 is"):
        with_header(record, data_sha256="0" * 64)


def test_a_solo_record_of_version_1_is_refused_in_a_sentence_that_names_the_ruling() -> None:
    record = played(Ruleset(1, turn_limit=30))
    with pytest.raises(RecordError, match="record, line 1: data_sha256 is"):
        with_header(record, data_sha256=OLD_BASE)


@pytest.mark.full
@pytest.mark.parametrize("players", [1, 3])
def test_a_record_of_the_second_box_of_version_1_is_refused_too(players: int) -> None:
    record = played(Ruleset(players, turn_limit=30, contractors=True))
    with pytest.raises(RecordError, match=r"line 1: data_sha256 is .* R-52d .* and R-69 ") as refused:
        with_header(record, data_sha256=OLD_BASE)
    assert ("R-30c" in str(refused.value)) == (players == 1)


def test_with_a_data_file_of_ones_own_the_first_difference_names_the_ruling(tmp_path: Path) -> None:
    """A file without the key is of either version; where Ivan built tower by tower, the record does not fit."""
    towers, silent = tmp_path / "towers.toml", tmp_path / "silent.toml"
    towers.write_text(BASE.replace(ORDER, 'construction = "towers"'), encoding="utf-8")
    silent.write_text(BASE.replace(line_with("construction") + "\n", ""), encoding="utf-8")
    plain = Ruleset(1, data=str(silent))
    named = {"data": silent.name, "data_sha256": plain.data_file.sha256}
    refused = 0
    for seed in range(40):
        old = with_header(played(Ruleset(1, data=str(towers)), seed), tmp_path, **named)
        try:
            replay(old)
        except RecordError as error:
            assert " (a game by version 1 of the rules may differ in R-30c (the order of" in str(error)
            refused += 1
    assert refused > 5
    replay(with_header(played(plain), tmp_path, **named))


# --- saved games


def save_as_version_1(engine: Engine, path: Path) -> None:
    """Save games as they were saved before the data file had the order of Ivan's Construction."""
    engine.save(path)
    with np.load(path) as arrays:
        header, games = json.loads(arrays["header"].tobytes()), arrays["games"].copy()
    header = header | {"rules": 1, "files": header["files"] | {"data": OLD_BASE}}
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8), games=games)


def test_saved_games_of_version_1(tmp_path: Path) -> None:
    engine = Engine(Ruleset(3), 4, seed=2)
    engine.play_random(50, 1)
    save_as_version_1(engine, tmp_path / "three.npz")
    assert Engine.load(tmp_path / "three.npz").games.tobytes() == engine.games.tobytes()
    save_as_version_1(Engine(Ruleset(1), 4, seed=2), tmp_path / "solo.npz")
    with pytest.raises(
        ValueError,
        match=r"solo.npz was saved with rules version 1, but this version of rc_env plays 2: they differ in R-30c ",
    ):
        Engine.load(tmp_path / "solo.npz")


# --- networks


def as_version_1(name: str, folder: Path) -> Path:
    """Copy a network that comes with the package as one that was trained on rules version 1."""
    with np.load(WEIGHTS / f"{name}.npz") as archive:
        arrays = {key: archive[key] for key in archive.files}
    about = json.loads(str(arrays.pop("about"))) | {"rules_version": 1}
    np.savez(folder / f"{name}.npz", about=np.array(json.dumps(about)), **arrays)
    return folder / f"{name}.npz"


def test_networks_of_version_1(tmp_path: Path) -> None:
    position = Position.of(Engine(Ruleset(2), 3, seed=1))
    old = net.NetBot(as_version_1("2p-basic", tmp_path))
    assert (old.act(position) == net.NetBot(WEIGHTS / "2p-basic.npz").act(position)).all()
    with pytest.raises(
        ValueError, match=r"trained on rules 1, .*; this version has rules 2, .*, which differ in R-30c .*anew"
    ):
        net.NetBot(as_version_1("1p-basic", tmp_path))
    with pytest.raises(ValueError, match=r"which differ in R-52d .* and R-69 .*: train it anew"):
        net.NetBot(as_version_1("2p-basic-full", tmp_path))
