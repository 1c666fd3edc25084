"""Tests of the PettingZoo API: conformance, and the same game as the engine's."""

import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from variants import every_variant

import rc_env
from rc_env import Engine, Ruleset, red_cathedral_v0
from rc_env.red_cathedral_v0 import raw_env
from rc_env.rules import setup
from rc_env.ruleset import FULL_GAME


def mask_of(env: Any) -> np.ndarray:
    return env.infos[env.agent_selection]["action_mask"]


def choose(env: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask_of(env))))


def play_out(env: Any, rng: np.random.Generator) -> None:
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(choose(env, rng))


# --- conformance


@pytest.mark.parametrize("observation", ["dict", "box"])
@every_variant
def test_api(players: int, workshop: str, observation: str) -> None:
    settings: dict[str, Any] = dict(num_players=players, workshop=workshop, observation=observation, turn_limit=12)
    with warnings.catch_warnings():
        # PettingZoo warns about dict observations, unless the environment is on its own list of names.
        warnings.simplefilter("error" if observation == "box" else "ignore")
        api_test(red_cathedral_v0.env(**settings), num_cycles=300)
        api_test(raw_env(**settings), num_cycles=300)


@pytest.mark.parametrize(
    ("observation", "players", "switches"),
    [
        *((observation, players, {}) for observation in ("dict", "box") for players in (1, 2, 3, 4)),
        *(("box", players, FULL_GAME) for players in (1, 2, 4)),
        ("dict", 3, {"contractors": True}),
    ],
)
def test_api_with_bytes(observation: str, players: int, switches: dict[str, Any]) -> None:
    settings: dict[str, Any] = dict(num_players=players, observation=observation, turn_limit=12)
    settings |= {"observation_dtype": "uint8", **switches}
    with warnings.catch_warnings():
        warnings.simplefilter("error" if observation == "box" else "ignore")
        api_test(red_cathedral_v0.env(**settings), num_cycles=300)
        api_test(raw_env(**settings), num_cycles=300)
        seed_test(lambda: red_cathedral_v0.env(**settings), num_cycles=100)
    env = raw_env(**settings)
    check_state_space(env)
    check_state(red_cathedral_v0.env(turn_limit=5, observation_dtype="uint8"), num_cycles=3)


def test_the_state_as_bytes() -> None:
    one, other = raw_env(turn_limit=8), raw_env(turn_limit=8, observation_dtype="uint8")
    divisors = other.ruleset.observations.divisors
    assert other.state_space == other.observation_space("player_0")["observation"]
    rng = np.random.default_rng(0)
    one.reset(seed=1)
    other.reset(seed=1)
    while not any(one.truncations.values()):
        assert np.array_equal(np.rint(one.state() * divisors), other.state())
        for agent in one.agents:  # the observations of seats that are not to move, too
            floats, numbers = one.observe(agent)["observation"], other.observe(agent)["observation"]
            assert numbers.dtype == np.uint8 and np.array_equal(np.rint(floats * divisors), numbers)
        action = choose(one, rng)
        one.step(action)
        other.step(action)
    assert pickle.loads(pickle.dumps(other)).state_space.dtype == np.uint8


@pytest.mark.parametrize("observation", ["dict", "box"])
def test_equal_seeds_agree(observation: str) -> None:
    seed_test(lambda: red_cathedral_v0.env(observation=observation), num_cycles=200)


def test_state() -> None:
    env = raw_env(turn_limit=5)
    check_state_space(env)
    # PettingZoo's own test draws actions without a mask, so illegal ones have to end the game instead of raising.
    check_state(red_cathedral_v0.env(turn_limit=5), num_cycles=3)


def test_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(red_cathedral_v0.env)
    render_test(raw_env)
    assert "Tower 1" in capsys.readouterr().out
    with pytest.warns(UserWarning, match="render_mode"):
        env = raw_env()
        env.reset(seed=0)
        env.render()


def test_metadata() -> None:
    assert raw_env.metadata["name"] == str(raw_env()) == "red_cathedral_v0"
    assert raw_env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert raw_env.metadata["is_parallelizable"] is False
    assert raw_env(num_players=3).possible_agents == ["player_0", "player_1", "player_2"]


def test_registry() -> None:
    env = pettingzoo.make("aec", "red_cathedral/red_cathedral-v0", num_players=3)
    env.reset(seed=1)
    assert str(env) == "red_cathedral_v0" and env.num_agents == 3
    assert rc_env.red_cathedral_v0 is red_cathedral_v0


def test_ids_are_there_after_importing_the_package() -> None:
    code = (
        "import rc_env, gymnasium, pettingzoo; gymnasium.spec('RedCathedral-v0'); "
        "pettingzoo.spec('aec', 'red_cathedral/red_cathedral-v0')"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# --- the engine's game


@every_variant
def test_same_game_as_the_engine(players: int, workshop: str) -> None:
    env = raw_env(num_players=players, workshop=workshop, turn_limit=20)
    env.reset(seed=11)
    engine = Engine(Ruleset(players, workshop, turn_limit=20), 1, seed=11)
    rng = np.random.default_rng(players)
    over = False
    while not over:
        seat = int(engine.seat[0])
        observation, reward, terminated, truncated, info = env.last()
        assert env.agent_selection == f"player_{seat}" and not terminated and not truncated
        assert reward == 0 and not any(env.rewards.values())
        assert np.array_equal(observation["observation"], engine.observe()[0])
        assert np.array_equal(observation["action_mask"], engine.legal_mask()[0])
        assert observation["action_mask"] is info["action_mask"]
        for other, agent in enumerate(env.agents):
            seen = env.observe(agent)
            assert np.array_equal(seen["observation"], engine.observe(seat=other)[0])
            assert seen["action_mask"].any() == (other == seat)
            assert seen["action_mask"] is env.infos[agent]["action_mask"]
        assert np.array_equal(env.state(), engine.observe(seat=0)[0])
        action = choose(env, rng)
        env.step(action)
        engine.step([action])
        over = len(engine.ended) > 0
    results = engine.results()
    for seat, agent in enumerate(env.possible_agents):
        assert env.rewards[agent] == engine.rewards[0, seat]
        assert env.infos[agent]["prestige"] == results.prestige[0, seat]
        assert env.infos[agent]["place"] == results.place[0, seat]
        assert not env.infos[agent]["action_mask"].any()
        assert (env.terminations[agent], env.truncations[agent]) == (engine.terminated[0], engine.truncated[0])


def test_truncation_is_no_termination() -> None:
    rng = np.random.default_rng(0)
    env = raw_env(turn_limit=4)
    env.reset(seed=0)
    play_out(env, rng)
    assert set(env.truncations.values()) == {True} and set(env.terminations.values()) == {False}
    env = raw_env()
    env.reset(seed=0)
    play_out(env, rng)
    assert set(env.truncations.values()) == {False} and set(env.terminations.values()) == {True}


def test_everybody_sees_its_reward_through_last() -> None:
    env = red_cathedral_v0.env()
    rng = np.random.default_rng(1)
    for seed in range(3):
        env.reset(seed=seed)
        seen: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, _ = env.last()
            seen[agent] += reward
            env.step(None if terminated or truncated else choose(env, rng))
        assert sum(seen.values()) == 0 and min(seen.values()) <= 0 <= max(seen.values())
        if max(seen.values()) > 0:
            assert sorted(seen.values()) == [-1, 1]
        assert env.agents == [] and env.rewards == {} and env.infos == {}


def test_rewards_by_setting() -> None:
    rng = np.random.default_rng(3)
    env = raw_env(num_players=3, turn_limit=30, reward="score")
    env.reset(seed=3)
    play_out(env, rng)
    assert env.rewards == {agent: env.infos[agent]["prestige"] for agent in env.agents}
    env = raw_env(num_players=3, turn_limit=30, reward="margin")
    env.reset(seed=3)
    play_out(env, rng)
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-6)


# --- seeds and deals


def deal_of(env: Any) -> bytes:
    return env.observe("player_0")["observation"].tobytes()


def test_different_seeds_differ_and_games_go_on() -> None:
    env, other = raw_env(), raw_env()
    deals = set()
    for seed in range(5):
        env.reset(seed=seed)
        deals.add(deal_of(env))
    assert len(deals) == 5
    env.reset(seed=3)
    other.reset(seed=3)
    for _ in range(3):
        env.reset()
        other.reset()
        assert deal_of(env) == deal_of(other)
        deals.add(deal_of(env))
    assert len(deals) == 8
    unseeded = [raw_env(), raw_env()]
    for one in unseeded:
        one.reset()
    assert deal_of(unseeded[0]) != deal_of(unseeded[1])


def test_options() -> None:
    env = raw_env()
    deal = setup.open_deal()
    deal.market = np.arange(8)[::-1]
    for seed in range(3):
        env.reset(seed=seed, options={"deal": deal, "unknown": 1})
        assert env.engine.games.market[0].tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    env.reset()
    assert env.ruleset == Ruleset()
    with pytest.raises(ValueError, match="deals"):
        env.reset(options={"deal": np.zeros(3)})


# --- what is refused


def test_illegal_actions_change_nothing() -> None:
    env = raw_env()
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.reset(seed=0)
    before = env.engine.clone(same_future=True).tobytes()
    mask = mask_of(env)
    wrong = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(ValueError) as caught:
        env.step(wrong)
    message = str(caught.value)
    assert str(wrong) in message and env.engine.action_to_text(wrong) in message and "not legal" in message
    for action in (-1, len(mask), None, 0.5, "move red", np.zeros(2, np.int64)):
        with pytest.raises(ValueError, match="must be a whole number from 0 to"):
            env.step(action)
    assert env.engine.clone(same_future=True).tobytes() == before
    assert mask_of(env) is mask and env.agent_selection == "player_0"
    for action in (np.int32(np.flatnonzero(mask)[0]), np.array(np.flatnonzero(mask_of(env))[0])):
        env.reset(seed=0)
        env.step(action)
    assert env.engine.games.decisions[0] == 1


def test_wrapped_illegal_action_loses() -> None:
    env = red_cathedral_v0.env()
    env.reset(seed=0)
    wrong = int(np.flatnonzero(mask_of(env) == 0)[0])
    env.step(wrong)
    assert env.rewards == {"player_0": -1, "player_1": 0}
    assert all(env.terminations.values())
    for _ in range(2):
        env.step(None)
    assert env.agents == []
    env.reset(seed=0)
    with pytest.raises(AssertionError):
        env.step(100_000)


# --- returned arrays do not change, copies are exact


def test_what_is_handed_out_is_not_overwritten() -> None:
    env = raw_env()
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    kept = []
    for _ in range(60):
        observation, _, _, _, info = env.last()
        kept.append((observation, info, observation["observation"].copy(), observation["action_mask"].copy()))
        env.step(choose(env, rng))
    for observation, info, vector, mask in kept:
        assert np.array_equal(observation["observation"], vector)
        assert np.array_equal(observation["action_mask"], mask) and info["action_mask"] is observation["action_mask"]


def test_state_of_a_game_in_progress() -> None:
    env, other = raw_env(turn_limit=30), raw_env(turn_limit=30)
    env.reset(seed=9)
    rng = np.random.default_rng(9)
    for _ in range(40):
        env.step(choose(env, rng))
    state = pickle.loads(pickle.dumps(env.get_state()))
    actions, line = [], []
    while not any(env.truncations.values()):
        actions.append(choose(env, rng))
        env.step(actions[-1])
        line.append((env.agent_selection, env.observe("player_1")["observation"].tobytes(), dict(env.rewards)))
    end = env.get_state()
    for replay in (env, other):
        for _ in range(2):
            replay.set_state(state)
            again = []
            for action in actions:
                replay.step(action)
                again.append(
                    (replay.agent_selection, replay.observe("player_1")["observation"].tobytes(), dict(replay.rewards))
                )
            assert again == line
    other.set_state(end)
    for agent in other.agent_iter():
        _, reward, terminated, truncated, _ = other.last()
        assert truncated and not terminated and reward == end["rewards"][agent]
        other.step(None)
    with pytest.raises(ValueError, match="state"):
        raw_env(turn_limit=31).set_state(state)


def test_pickle_keeps_the_settings() -> None:
    env = raw_env(num_players=3, workshop="advanced", observation="box", turn_limit=50, reward="margin", **FULL_GAME)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.ruleset == env.ruleset and copy.ruleset.contractors and copy.possible_agents == env.possible_agents
    env.reset(seed=2)
    copy.reset(seed=2)
    assert np.array_equal(env.observe("player_0"), copy.observe("player_0"))
