"""Tests of the engine's API: what its methods return and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.rules import setup


def finished(games: int = 8) -> Engine:
    """Return games that are all over."""
    engine = Engine(Ruleset(turn_limit=30), games, seed=1)
    rng = np.random.default_rng(0)
    while (engine.seat >= 0).any():
        mask = engine.legal_mask()
        engine.step((rng.random(mask.shape) * mask).argmax(1))
    return engine


def test_returns_stand_whatever_is_tried_after_the_end() -> None:
    engine = finished()
    returns = engine.returns()
    assert returns.any() and np.allclose(returns.sum(1), 0)
    engine.step(np.zeros(8, np.int64))
    assert engine.illegal.all() and not engine.rewards.any()
    assert np.array_equal(engine.returns(), returns)
    engine.restore(engine.clone())
    assert np.array_equal(engine.returns(), returns)
    engine.reset([0])
    assert not engine.returns()[0].any() and np.array_equal(engine.returns()[1:], returns[1:])


def test_auto_reset_keeps_the_results_and_deals_anew() -> None:
    engine = Engine(Ruleset(turn_limit=3), 16, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        mask = engine.legal_mask()
        before = engine.games.turn.copy()
        engine.step((rng.random(mask.shape) * mask).argmax(1), auto_reset=True)
        assert (engine.seat >= 0).all() and engine.legal_mask().any(1).all()
        if len(engine.ended):
            assert engine.final is not None and len(engine.final.prestige) == len(engine.ended)
            assert (before[engine.ended] == 3).all() and (engine.games.turn[engine.ended] == 1).all()
            best = engine.final.place == 0
            assert (engine.rewards[engine.ended][best] >= 0).all()
            return
    pytest.fail("no game ended")


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
@pytest.mark.parametrize("auto_reset", [False, True])
def test_a_step_writes_what_observe_then_shows(dtype: type, auto_reset: bool) -> None:
    """This also holds for rows that ended, and for those whose action was refused."""
    engine = Engine(Ruleset(players=3, turn_limit=6), 24, seed=5)
    rng = np.random.default_rng(1)
    ended = refused = 0
    for _ in range(80):
        rows = np.flatnonzero(rng.random(24) < 0.7)
        mask = engine.legal_mask()[rows]
        actions = np.where(rng.random(len(rows)) < 0.1, -1, (rng.random(mask.shape) * mask).argmax(1))
        out = np.zeros((len(rows), engine.num_features), dtype)
        engine.step(actions, rows, auto_reset=auto_reset, observations=out)
        assert np.array_equal(out, engine.observe(rows, dtype=dtype))
        if not auto_reset:
            over = (engine.terminated | engine.truncated) & ~engine.illegal
            assert np.array_equal(engine.ended, rows[over[rows]])
        ended += len(engine.ended)
        refused += int(engine.illegal[rows].sum())
    assert ended and refused


def test_forced_dice_end_at_the_first_0() -> None:
    engine = Engine(num_games=2, seed=3)
    engine.restore(engine.clone([0, 0], same_future=True))
    die = engine.text_to_action("move red")
    engine.step([die, die], dice=[[6, 6, 6, 6], [0, 6, 6, 6]])
    drawn, other = Engine(num_games=1, seed=3), engine
    drawn.step([die])
    while not other.games.rolled_count[0]:
        assert np.array_equal(other.games.rolled_count, [0, 0])
        done = other.text_to_action("done")
        other.step([done, done], dice=[[6, 6, 6, 6], [0, 6, 6, 6]])
        drawn.step([done])
    assert (other.games.rolled[0, : other.games.rolled_count[0]] % 10 == 6).all()
    assert np.array_equal(other.games.rolled[1], drawn.games.rolled[0])


@pytest.mark.parametrize(
    ("part", "value", "sentence"),
    [
        ("plan", 77, r"deals\.plan must be 0 to 2, or -1 first for a draw, not 77"),
        ("number", 99, r"deals\.number must be 0 to 39, or -1 first for a draw, not 99"),
        ("tile", 30, r"deals\.tile must be 0 to 13, or -1 first for a draw, not 30"),
        ("market", 8, r"deals\.market must be 0 to 7, or -1 first for a draw, not 8"),
        ("guild", 4, r"deals\.guild must be 0 to 3, or -1 first for a draw, not 4"),
        ("influence", 12, r"deals\.influence must be 0 to 11, or -1 first for a draw, not 12"),
        ("influence", 0, r"deals\.influence has a card that is not of its quadrant's guild: fix the guild and its"),
        ("die_space", 8, r"deals\.die_space must be 0 to 7, or -1 first for a draw, not 8"),
        ("die_space", 1, "deals: die_space and die_value can only be fixed together"),
    ],
)
def test_impossible_deals_are_refused(part: str, value: int, sentence: str) -> None:
    engine = Engine(num_games=2)
    before = engine.clone(same_future=True).tobytes()
    deal = setup.open_deal()
    deal[part] = value
    with pytest.raises(ValueError, match=sentence):
        engine.reset(deals=deal)
    assert engine.clone(same_future=True).tobytes() == before


def test_a_crowd_of_dice_is_refused() -> None:
    deal = setup.open_deal()
    deal.die_space, deal.die_value = 2, 1
    with pytest.raises(ValueError, match="5 dice on one space, but at most 3 may be there"):
        Engine().reset(deals=deal)
    with pytest.raises(ValueError, match=r"deals must be rules\.setup\.DEAL.*, not "):
        Engine().reset(deals=np.zeros(1))


def test_a_ruleset_takes_two_arguments_by_place() -> None:
    assert Ruleset(3, "advanced") == Ruleset(players=3, workshop="advanced")
    with pytest.raises(TypeError, match="positional"):
        Ruleset(3, "advanced", "base")  # type: ignore[misc]
