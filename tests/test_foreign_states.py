"""Tests of games from outside: altered games are refused or can be played on, and saved files keep their content.

`make attack` does the same with far more games and with every index of the compiled code checked.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.engine_group import EngineGroup
from rc_env.record.recorder import state_to_dict
from rc_env.render import board_svg, board_text
from rc_env.rules.solo.events import EVENT
from rc_env.validation import ImpossibleGame
from rc_env.words import facts

BASE = [Ruleset(2), Ruleset(4, "advanced"), Ruleset(1)]
FULL = [
    Ruleset(3, fourth_guild="random", special_tiles=True, promos=True, contractors=True),
    Ruleset(1, fourth_guild="archivists", contractors=True),
    Ruleset(2, "advanced", fourth_guild="master_builders", special_tiles=True),
]
GAMES = 16


def words(ruleset: Ruleset) -> str:
    return f"{ruleset.players}-{ruleset.workshop}-{ruleset.fourth_guild}"


each_build = pytest.mark.parametrize(
    "ruleset", [*BASE, *(pytest.param(one, marks=pytest.mark.full) for one in FULL)], ids=words
)


def played(ruleset: Ruleset, decisions: int, seed: int = 3) -> Engine:
    engine = Engine(ruleset, GAMES, seed)
    engine.play_random(decisions, seed)
    return engine


@pytest.mark.parametrize("event", ["adorn", "complete", "move", "blocked", "card", "claim", "hire", "specialist"])
def test_an_event_of_ivans_with_something_that_is_not_in_the_game_is_refused(event: str) -> None:
    engine = played(Ruleset(1), 40)
    games = np.array(engine.clone(same_future=True))
    row = int(games["ivan_events"].argmax())
    assert games["ivan_events"][row] > 0
    games["ivan_event"][row, 0] = EVENT.index(event), 0
    engine.restore(games)
    games["ivan_event"][row, 0, 1] = 100
    with pytest.raises(ValueError, match=f"game {row} of 16 is impossible: ivan_event: an event found with something"):
        engine.restore(games)


def altered(games: np.ndarray, rng: np.random.Generator, whole_fields: bool) -> np.ndarray:
    """Return copies in each of which some bytes, or the entries of one field, are changed."""
    memory = np.frombuffer(bytearray(games.tobytes()), np.uint8).reshape(len(games), -1)
    for game in memory:
        if whole_fields:
            field = str(rng.choice(games.dtype.names or ()))
            at, size = games.dtype.fields[field][1], games.dtype[field].itemsize  # type: ignore[index]
            places = at + rng.integers(0, size, 1 + size // 4)
        else:
            places = rng.integers(0, len(game), rng.integers(1, 4))
        near = rng.integers(-2, 3, len(places))
        game[places] = np.where(rng.random(len(places)) < 0.6, game[places] + near, rng.integers(0, 256, len(places)))
    return memory.reshape(-1).view(games.dtype)


@each_build
def test_an_altered_game_is_refused_or_played_to_its_end(ruleset: Ruleset) -> None:
    rng = np.random.default_rng(5)
    engine, other = played(ruleset, 1), Engine(ruleset, 1, 1)
    refused = accepted = 0
    for turn in range(12):
        engine.play_random(13, turn)
        for game in altered(engine.games.view(np.ndarray), rng, turn % 2 == 1):
            before = other.games.tobytes(), other.legal_mask().tobytes()
            try:
                other.restore(np.array([game]))
            except ImpossibleGame as error:
                refused += 1
                assert str(error).startswith("states: game 0 of 1 is impossible: ") and "\n" not in str(error)
                assert (other.games.tobytes(), other.legal_mask().tobytes()) == before
                continue
            accepted += 1
            other.observe()
            assert other.play_random(400, turn, masks=True)["stuck"] == 0
    assert refused > 60 and accepted > 5


@each_build
def test_random_bytes_are_refused(ruleset: Ruleset) -> None:
    engine = Engine(ruleset, 4)
    rng = np.random.default_rng(2)
    for _ in range(30):
        noise = rng.integers(0, 256, engine.games.nbytes).astype(np.uint8).view(engine.games.dtype)
        with pytest.raises(ImpossibleGame):
            engine.restore(noise)


@each_build
def test_copies_are_taken_as_they_are_and_cannot_be_altered(ruleset: Ruleset) -> None:
    engine, other = played(ruleset, 40), Engine(ruleset, 8)
    copies = engine.clone(same_future=True)
    for change in (
        lambda: copies.__setitem__(0, copies[1]),
        lambda: copies.setflags(write=True),
        lambda: copies[2:3]["rubles"].fill(1),
        lambda: copies.view(np.uint8).__setitem__(0, 1),
        lambda: engine.games.__setitem__(0, copies[1]),
        lambda: engine.games.setflags(write=True),
        lambda: engine.legal_mask().fill(1),
    ):
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE"):
            change()
    other.restore(copies[::2])
    assert np.array_equal(other.games, engine.games[::2])


def test_only_whole_unaltered_copies_are_trusted() -> None:
    """Each of these is checked field by field, though its memory is that of a trusted copy."""
    engine = played(Ruleset(), 30)
    size = engine.games.dtype.itemsize
    copies = engine.clone(same_future=True)
    shifted = copies.view(np.uint8)[size // 2 : size // 2 + 8 * size].view(copies.dtype)
    with pytest.raises(ImpossibleGame):
        Engine(num_games=8).restore(shifted)
    altered = copies.copy()
    altered["depth"] = 99
    altered.flags.writeable = False
    with pytest.raises(ImpossibleGame, match="depth"):
        Engine(num_games=GAMES).restore(altered)


def test_games_of_another_ruleset_are_refused() -> None:
    for one, other in ((4, 2), (2, 3), (3, 4), (2, 1), (1, 2)):
        games = played(Ruleset(one), 40).clone()
        with pytest.raises(ValueError, match=r"^states: "):
            Engine(Ruleset(other), GAMES).restore(games)
    games = played(Ruleset(), 40).clone()
    with pytest.raises(ImpossibleGame, match="spare banners of another side"):
        Engine(Ruleset(workshop="advanced"), GAMES).restore(games)
    with pytest.raises(ValueError, match=r"^states must be \(16,\) of this ruleset's rules.state.GAME, not .*"):
        Engine(Ruleset(fourth_guild="thieves", promos=True), GAMES).restore(games)


def test_an_equal_ruleset_takes_copies_and_a_longer_game_takes_them_once_checked() -> None:
    engine = played(Ruleset(), 40)
    for ruleset in (Ruleset(), Ruleset(turn_limit=900), Ruleset(reward="margin")):
        other = Engine(ruleset, GAMES)
        other.restore(engine.clone(same_future=True))
        assert other.games.tobytes() == engine.games.tobytes()
    with pytest.raises(ImpossibleGame, match="turn: a value found that is not from 0 to 1"):
        Engine(Ruleset(turn_limit=1), GAMES).restore(engine.clone())


# --- games on disk


@each_build
def test_saved_games_go_on_as_they_would_have(ruleset: Ruleset, tmp_path: Path) -> None:
    engine = played(ruleset, 50)
    engine.save(tmp_path / "games.npz")
    engine.save(tmp_path / "two.npz", [3, 5])
    loaded, two = Engine.load(tmp_path / "games.npz"), Engine.load(tmp_path / "two.npz", ruleset, threads=2)
    assert loaded.ruleset == ruleset and loaded.games.tobytes() == engine.games.tobytes()
    assert (loaded.legal_mask() == engine.legal_mask()).all()
    assert np.array_equal(two.games, engine.games[[3, 5]]) and two.threads == 2
    engine.play_random(200, 9)
    loaded.play_random(200, 9)
    assert loaded.games.tobytes() == engine.games.tobytes()


def save_again(path: Path, change: Any) -> None:
    """Write the file again with another header or other games, and with the digest that belongs to them."""
    with np.load(path) as arrays:
        header, games = json.loads(arrays["header"].tobytes()), arrays["games"].copy()
    header, games = change(header, games)
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8), games=games)


CHANGES: dict[str, tuple[Any, str]] = {
    "another format": (lambda header, games: (header | {"format": "rc_env games/9"}, games), "format 'rc_env games/9'"),
    "other rules": (lambda header, games: (header | {"rules": 99}, games), "rules version 99"),
    "another data file": (lambda header, games: (header | {"files": {"data": "0"}}, games), "another data file"),
    "other fields": (lambda header, games: (header | {"record": "0"}, games), "other fields of a game"),
    "a number of games": (lambda header, games: (header | {"games": 3}, games), "another number of games"),
    "a byte": (lambda header, games: (header, np.where(np.arange(len(games)) == 7, 9, games)), "another digest"),
    "a game too little": (lambda header, games: (header, games[:-944]), "damaged"),
    "no whole game": (lambda header, games: (header, games[:-1]), "damaged"),
    "a ruleset of nobody": (
        lambda header, games: (header | {"ruleset": {"players": 2}}, games),
        "the fields of a Ruleset",
    ),
    "nine players": (
        lambda header, games: (header | {"ruleset": header["ruleset"] | {"players": 9}}, games),
        "players must be .*, not 9",
    ),
    "a list": (lambda header, games: ([1], games), "format"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_does_not_fit_is_refused_in_a_sentence(change: str, tmp_path: Path) -> None:
    played(Ruleset(), 20).save(tmp_path / "games.npz")
    alter, expected = CHANGES[change]
    save_again(tmp_path / "games.npz", alter)
    with pytest.raises(ValueError, match=expected) as refused:
        Engine.load(tmp_path / "games.npz")
    assert "games.npz" in str(refused.value) and "\n" not in str(refused.value)


def test_another_ruleset_than_the_file_names_is_refused(tmp_path: Path) -> None:
    played(Ruleset(), 20).save(tmp_path / "games.npz")
    with pytest.raises(ValueError, match=r"ruleset has players=3, but the games of .* are played with 2"):
        Engine.load(tmp_path / "games.npz", Ruleset(3))
    with pytest.raises(ValueError, match=r"ruleset must be a Ruleset.*, not 'two'"):
        Engine.load(tmp_path / "games.npz", "two")  # type: ignore[arg-type]


def test_damaged_files_are_refused_in_a_sentence_and_nothing_of_them_runs(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    played(Ruleset(), 20).save(path)
    sound, rng = path.read_bytes(), np.random.default_rng(4)
    for number in range(150):
        damaged = bytearray(sound)
        if number % 3 == 0:
            del damaged[rng.integers(0, len(sound)) :]
        for place in rng.integers(0, max(1, len(damaged)), 3) if damaged else ():
            damaged[place] ^= 1 << rng.integers(0, 8)
        path.write_bytes(damaged)
        try:
            assert len(Engine.load(path).games) == GAMES  # a harmless change, such as that of a date
        except ValueError as error:
            assert "\n" not in str(error) and "games.npz" in str(error)
    planted = np.array([Planted(tmp_path / "ran")], object)
    np.savez(path, header=planted, games=planted)
    with pytest.raises(ValueError, match="damaged"):
        Engine.load(path)
    assert not (tmp_path / "ran").exists()


class Planted:
    """An object whose pickle creates a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_an_archive_that_is_small_and_holds_very_much_is_not_read(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "games.npz", header=np.zeros(2_000_000, np.uint8), games=np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="does not hold the two arrays"):
        Engine.load(tmp_path / "games.npz")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nothing\.npz"):
        Engine.load(tmp_path / "nothing.npz")
    with pytest.raises(OSError, match="no_folder"):
        played(Ruleset(), 1).save(tmp_path / "no_folder" / "games.npz")


# --- read-only attributes


@pytest.mark.parametrize(
    "name",
    ["ruleset", "num_games", "num_players", "num_seats", "num_actions", "num_features", "games", "rewards", "illegal"],
)
def test_what_compiled_code_trusts_of_an_engine_cannot_be_set(name: str) -> None:
    engine = played(Ruleset(2), 20)
    with pytest.raises(AttributeError, match=name):
        setattr(engine, name, getattr(Engine(Ruleset(4), 100), name))
    for one in (engine, EngineGroup([Ruleset(2)], 20)):
        for array in (one.rewards, one.illegal):
            assert not isinstance(array.base.base, np.ndarray)  # which kernels would take with the shape it has by then
            array.base.shape = array.shape = (-1, 1)
            array.flags.writeable = False
        one.step(one.legal_mask().argmax(1))


def test_the_numbers_of_a_ruleset_cannot_be_written_to_by_way_of_a_copy_either() -> None:
    ruleset = Ruleset(2)
    engine = Engine(ruleset, 2)
    for one in (
        ruleset,
        engine.ruleset,
        copy.copy(ruleset),
        copy.deepcopy(ruleset),
        pickle.loads(pickle.dumps(ruleset)),
    ):
        assert one == ruleset
        for array in (one.rules, one.writer_tables):
            with pytest.raises(ValueError, match="read-only"):
                array["players" if array is one.rules else "scale"] = 9
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
    assert engine.ruleset.rules[0].players == 2


@pytest.mark.parametrize("variant", [{}, {"contractors": True}], ids=["base", "full"])
def test_a_ruleset_never_changes(variant: dict[str, Any]) -> None:
    """Neither by what it hands out nor by a pickle that holds other tables, or what follows from them."""
    ruleset = Ruleset(2, **variant)
    before = ruleset.rules.tobytes()
    for name in ("rules", "writer_tables"):
        array = getattr(ruleset, name)
        held = array.tobytes()
        array.__setstate__((1, (1,), array.dtype, False, bytes(array.nbytes)))
        array.shape = (1, 1)
        assert getattr(ruleset, name).shape == (1,) and getattr(ruleset, name).tobytes() == held
    for tables in (ruleset.tables, ruleset.data_file.tables):
        for table in (
            tables,
            tables["track"],
            tables["track"]["prestige"],
            copy.copy(ruleset).tables["track"]["prestige"],
        ):
            with pytest.raises(TypeError, match="the tables of a ruleset cannot be changed"):
                table[0] = 99  # type: ignore[index]
            copy.deepcopy(table).clear()
    for layout in (ruleset.actions, ruleset.observations):
        with pytest.raises(AttributeError):
            layout.players = 4
    state = ruleset.__getstate__()
    again = pickle.loads(pickle.dumps(ruleset))
    assert again.rules.tobytes() == before and {ruleset: "a key"}[again]
    file = state["data_file"]
    other = replace(file, tables={**file.tables, "track": {**file.tables["track"], "prestige": [10**6] * 60}})
    for wrong in (
        {**state, "actions": Ruleset(4).actions},
        {**state, "players": 9},
        {**state, "turn_limit": -5},
        {**state, "data_file": other},
        {**state, "data_file": ruleset},
        {**state, "data_file": replace(file, name=5)},
        {},
        None,
    ):
        with pytest.raises(ValueError, match=r"must be|track|cannot|but"):
            Ruleset.__new__(Ruleset).__setstate__(wrong)  # type: ignore[arg-type]


def test_a_listener_can_hear() -> None:
    with pytest.raises(ValueError, match=r"^recorder must be None, or an object with dealt.*, not "):
        Engine().recorder = object()  # type: ignore[assignment]


SHOWN: dict[str, Callable[[Ruleset, Any], object]] = {
    "state_to_dict": state_to_dict,
    "facts": lambda ruleset, game: facts.facts_text(facts.game_facts(ruleset, game, 0)),
    "text": board_text,
    "svg": board_svg,
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
@each_build
def test_an_altered_game_is_shown_or_refused(ruleset: Ruleset, shown: Callable[[Ruleset, Any], object]) -> None:
    rng = np.random.default_rng(5)
    games = played(ruleset, 30).clone(same_future=True).copy()
    memory = games.view(np.uint8).reshape(GAMES, -1)
    for row in memory[4:]:
        row[rng.integers(len(row), size=int(rng.choice((1, 3, 30))))] = rng.integers(256)
    refused = 0
    for number, game in enumerate(games):
        try:
            shown(ruleset, game)
        except ValueError as error:
            assert number >= 4 and str(error).startswith("game ")
            refused += 1
    assert refused
    other = Ruleset(2) if ruleset.full else Ruleset(2, special_tiles=True)
    with pytest.raises(ValueError, match=r"^game must be a record of rules.state.GAME.*, not a record of .* bytes"):
        shown(other, games[0])


@pytest.mark.full
def test_concealed_games_are_shown() -> None:
    ruleset = FULL[0]
    engine = played(ruleset, 60)
    for seat in range(ruleset.players):
        for game in engine.conceal(engine.clone(same_future=True), seat)[:4]:
            board_text(ruleset, game)
            state_to_dict(ruleset, game, view=seat)


@each_build
def test_an_altered_observation_is_described_or_refused(ruleset: Ruleset) -> None:
    rng = np.random.default_rng(5)
    vectors = played(ruleset, 30).observe(dtype=np.uint8)
    refused = 0
    for vector in vectors[4:]:
        at = rng.integers(len(vector), size=20)
        vector[at] = rng.integers(ruleset.observations.divisors[at] + 1)
    for number, vector in enumerate(vectors):
        try:
            facts.describe(ruleset, vector, 0)
        except ValueError as error:
            assert number >= 4 and str(error).startswith(("vector ", "facts "))
            refused += 1
    assert refused
    with pytest.raises(ValueError, match=r"^vector holds a number that its place cannot hold"):
        facts.describe(ruleset, np.full(ruleset.observations.size, np.nan, np.float32), 0)
