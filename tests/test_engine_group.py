"""Tests of engines of several sets of cards as one batch: `EngineGroup` returns what its engines would return alone."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.batch import Results
from rc_env.engine_group import EngineGroup, _seed_of

SETS = [Ruleset(3, turn_limit=30, data=f"sample:{seed}") for seed in range(3)]
GAMES = 8  # the three engines have 2, 3 and 3 games


def group(seed: int = 1) -> EngineGroup:
    """Return a group of three engines with eight games."""
    return EngineGroup(SETS, GAMES, seed)


def alone(seed: int = 1) -> list[Engine]:
    """Return the same engines by themselves."""
    return [
        Engine(ruleset, count, _seed_of(seed, place))
        for place, (ruleset, count) in enumerate(zip(SETS, (2, 3, 3), strict=True))
    ]


def raw(games: np.ndarray) -> np.ndarray:
    """Return (N, bytes) of N games, including the bytes between their fields."""
    return np.frombuffer(games.tobytes(), np.uint8).reshape(len(games), -1)


def chosen(mask: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return a random legal action for each row that has one."""
    return (generator.random(mask.shape) * mask).argmax(1)


def joined(engines: list[Engine], show: Any) -> np.ndarray:
    """Return the values of each engine, concatenated."""
    return np.concatenate([show(engine) for engine in engines])


def same(together: EngineGroup, engines: list[Engine]) -> None:
    """Check that the group and the engines hold the same games."""
    assert together.games.tobytes() == b"".join(engine.games.tobytes() for engine in engines)
    for name in ("rewards", "illegal", "seat", "terminated", "truncated"):
        np.testing.assert_array_equal(
            getattr(together, name), joined(engines, lambda one, name=name: getattr(one, name))
        )
    np.testing.assert_array_equal(together.legal_mask(), joined(engines, lambda one: one.legal_mask()))
    for dtype in (np.float32, np.uint8):
        np.testing.assert_array_equal(
            together.observe(dtype=dtype), joined(engines, lambda one, dtype=dtype: one.observe(dtype=dtype))
        )
    for field in fields(Results):
        np.testing.assert_array_equal(
            getattr(together.results(), field.name),
            joined(engines, lambda one, field=field: getattr(one.results(), field.name)),
        )


def test_a_group_plays_what_its_engines_play() -> None:
    together, engines, generator = group(), alone(), np.random.default_rng(1)
    assert (together.num_games, together.num_players, together.ruleset) == (GAMES, 3, SETS[0])
    same(together, engines)
    ends = 0
    for _ in range(250):
        actions = chosen(together.legal_mask(), generator)
        seen = np.empty((GAMES, together.num_features), np.uint8)
        together.step(actions, auto_reset=True, observations=seen)
        first = 0
        over = []
        for engine in engines:
            engine.step(actions[first : first + engine.num_games], auto_reset=True)
            over += (engine.ended + first).tolist()
            first += engine.num_games
        assert together.ended.tolist() == over
        if over:
            ends += len(over)
            want = [engine.final.prestige for engine in engines if engine.final is not None]
            np.testing.assert_array_equal(together.final.prestige, np.concatenate(want))
        np.testing.assert_array_equal(seen, together.observe(dtype=np.uint8))
    same(together, engines)
    assert ends > 5


def test_some_rows_in_any_order() -> None:
    together, other, generator = group(), group(), np.random.default_rng(2)
    for rows in ([7, 0, 3, 2, 5], [1, 4, 6], [6, 1]):
        actions = chosen(together.legal_mask()[rows], generator)
        seats = [int(together.seat[row]) for row in rows]
        np.testing.assert_array_equal(together.observe(rows, seat=seats), together.observe()[rows])
        np.testing.assert_array_equal(together.results(rows).track, together.results().track[rows])
        seen = np.empty((len(rows), together.num_features), np.float32)
        together.step(actions, rows, observations=seen)
        order = np.argsort(rows)
        other.step(actions[order], np.array(rows)[order])
        np.testing.assert_array_equal(seen, other.observe(rows))
    assert together.games.tobytes() == other.games.tobytes()


def test_the_sets_differ_and_so_do_the_deals() -> None:
    together = group()
    tables = [engine.ruleset.data_file.sha256 for engine in together.engines]
    assert len(set(tables)) == 3
    keys = together.games["key"]
    assert len(set(keys.tolist())) == GAMES
    together.reset(seed=5)
    again = EngineGroup(SETS, GAMES, 5)
    assert together.games.tobytes() == again.games.tobytes()
    together.reset([2])
    assert (together.games["key"] != again.games["key"]).tolist() == [row == 2 for row in range(GAMES)]


def test_games_are_copied_and_put_back() -> None:
    together, generator = group(), np.random.default_rng(3)
    for _ in range(30):
        together.step(chosen(together.legal_mask(), generator), auto_reset=True)
    kept, before = together.clone(same_future=True), together.games.tobytes()
    actions = [chosen(together.legal_mask(), np.random.default_rng(4))]
    together.step(actions[0])
    after = together.games.tobytes()
    together.restore(kept)
    assert together.games.tobytes() == before
    together.step(actions[0])
    assert together.games.tobytes() == after
    fresh = together.clone([7, 0], seat=[1, 0])
    assert fresh["key"].tolist() != together.games["key"][[7, 0]].tolist()


def test_an_exchanged_set_leaves_the_others_as_they_are() -> None:
    together = group()
    before = raw(together.games)
    ruleset = Ruleset(3, turn_limit=30, data="sample:9")
    together.exchange(1, ruleset, 11)
    rows = together.rows_of(1)
    assert rows.tolist() == [2, 3, 4]
    others = np.setdiff1d(np.arange(GAMES), rows)
    np.testing.assert_array_equal(raw(together.games)[others], before[others])
    np.testing.assert_array_equal(raw(together.games)[rows], raw(Engine(ruleset, 3, 11).games))
    assert together.engines[1].ruleset == ruleset
    np.testing.assert_array_equal(together.legal_mask()[rows], Engine(ruleset, 3, 11).legal_mask())


def test_nobody_writes_to_the_games() -> None:
    together = group()
    for array in (together.games, together.legal_mask(), together.engines[0].games):
        with pytest.raises(ValueError):
            array.flags.writeable = True


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: EngineGroup([], 4), "rulesets must be .*; got none"),
        (lambda: EngineGroup([SETS[0], Ruleset(2)], 4), "differ in nothing but data"),
        (lambda: group().exchange(0, Ruleset(2), 1), "differ in nothing but data"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_a_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
