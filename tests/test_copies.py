"""Tests of copies: an engine or an environment that is copied or pickled goes on as the original does."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from rc_env import Engine, RedCathedralVectorEnv, Ruleset
from rc_env.envs.aec import env, raw_env
from rc_env.envs.gym import OneSeatEnv, OneSeatVectorEnv

COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, copy.copy, lambda one: pickle.loads(pickle.dumps(one))]
NAMES = ["deepcopy", "copy", "pickle"]


def play_on(engine: Engine, decisions: int = 40) -> list[bytes]:
    """Play each game's first legal action; return the bytes of games, masks, rewards and observations after each."""
    seen = []
    for _ in range(decisions):
        engine.step(engine.legal_mask().argmax(1), auto_reset=True)
        parts = (engine.games, engine.legal_mask(), engine.rewards, engine.illegal, engine.observe(dtype=np.uint8))
        seen.append(b"".join(part.tobytes() for part in parts))
    return seen


@pytest.mark.parametrize("make", COPIES, ids=NAMES)
@pytest.mark.parametrize("players", [1, 2])
def test_an_engine(players: int, make: Callable[[Any], Any]) -> None:
    engine = Engine(Ruleset(players), 300, 5, threads=2)
    engine.play_random(60)
    other = make(engine)
    assert other.games is not engine.games and not np.shares_memory(other.games, engine.games)
    assert (other.threads, other.recorder) == (2, None)
    first, second = play_on(other), play_on(engine)
    assert first == second and len(set(first)) > 1


def test_an_engine_keeps_what_the_last_step_did() -> None:
    engine = Engine(Ruleset(turn_limit=4), 20, 1)
    while not len(engine.ended):
        engine.step(engine.legal_mask().argmax(1), auto_reset=True)
    other = copy.deepcopy(engine)
    assert (other.ended == engine.ended).all() and (other.rewards == engine.rewards).all()
    assert (other.final.prestige == engine.final.prestige).all()


@pytest.mark.parametrize("make", [COPIES[0], COPIES[2]], ids=[NAMES[0], NAMES[2]])
@pytest.mark.parametrize("kind", [raw_env, env])
def test_a_pettingzoo_environment(kind: Callable[[], Any], make: Callable[[Any], Any]) -> None:
    one = kind()
    one.reset(seed=3)
    for _ in range(30):
        one.step(int(np.flatnonzero(one.last()[4]["action_mask"])[0]))
    other = make(one)
    for _ in range(40):
        (mine, reward, ended, cut, info), theirs = one.last(), other.last()
        assert one.agent_selection == other.agent_selection and (reward, ended, cut) == theirs[1:4]
        assert (mine["observation"] == theirs[0]["observation"]).all()
        assert (info["action_mask"] == theirs[4]["action_mask"]).all()
        action = int(np.flatnonzero(info["action_mask"])[-1])
        one.step(action)
        other.step(action)
    assert one.unwrapped.engine.games.tobytes() == other.unwrapped.engine.games.tobytes()


@pytest.mark.parametrize("make", [COPIES[0], COPIES[2]], ids=[NAMES[0], NAMES[2]])
def test_a_fresh_pettingzoo_environment_is_still_to_be_reset(make: Callable[[Any], Any]) -> None:
    other = make(raw_env())
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        other.step(0)


@pytest.mark.parametrize("make", [COPIES[0], COPIES[2]], ids=[NAMES[0], NAMES[2]])
@pytest.mark.parametrize(
    "kind",
    [
        OneSeatEnv,
        lambda: OneSeatVectorEnv(3),
        lambda: RedCathedralVectorEnv(3),
        lambda: RedCathedralVectorEnv(3, copy=False),
        lambda: gymnasium.make("rc_env:RedCathedral-v0"),  # with Gymnasium's own wrappers
        lambda: OneSeatEnv(opponents="search:simulations=2"),
        lambda: OneSeatEnv(opponents="net"),
        lambda: OneSeatEnv(opponents=["greedy", "random"], num_players=3),
    ],
    ids=["one", "many", "all", "buffers", "made", "search", "net", "several"],
)
def test_a_gymnasium_environment(kind: Callable[[], Any], make: Callable[[Any], Any]) -> None:
    one = kind()
    one.reset(seed=7)
    other = make(one)
    for _ in range(60):
        masks = one.unwrapped.engine.legal_mask()
        actions = masks.argmax(1) if len(masks) > 1 else int(masks[0].argmax())
        mine, theirs = one.step(actions), other.step(actions)
        for part, same in zip(mine[:4], theirs[:4], strict=True):
            assert np.array_equal(part, same)
        assert one.unwrapped.engine.games.tobytes() == other.unwrapped.engine.games.tobytes()
        if np.ndim(mine[2]) == 0 and (mine[2] or mine[3]):
            one.reset()
            other.reset()


@pytest.mark.slow
@pytest.mark.parametrize("make", [COPIES[0], COPIES[2]], ids=[NAMES[0], NAMES[2]])
def test_an_environment_of_stable_baselines(make: Callable[[Any], Any]) -> None:
    from rc_env.training.pool import OpponentPool
    from rc_env.training.sb3_vec_env import SelfPlayVecEnv

    one = SelfPlayVecEnv(Ruleset(3, turn_limit=12), 5, OpponentPool({"greedy": 1, "random": 1}), seed=4)
    one.reset()
    other = make(one)
    for _ in range(60):
        actions = one.action_masks().argmax(1)
        for part, same in zip(one.step(actions)[:3], other.step(actions)[:3], strict=True):
            assert np.array_equal(part, same)
        assert one.engine.games.tobytes() == other.engine.games.tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on Unix alone")
def test_a_forked_process_goes_on() -> None:
    engine = Engine(Ruleset(), 600, 1, threads=2)
    engine.play_random(5)
    child = os.fork()
    if child == 0:
        engine.play_random(5)
        os._exit(7)
    engine.play_random(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    engine.play_random(5)
