"""Tests of the Gymnasium API: one seat is the learner's, bots play the others; one game or many."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from choices import choose
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from rc_env import OneSeatEnv, OneSeatVectorEnv, agents, red_cathedral_v0
from rc_env.ruleset import FULL_GAME


class Watcher:
    """A bot that plays the first legal action and keeps its observations."""

    name = "watcher"

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.batches: list[int] = []
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, position: agents.Position) -> np.ndarray:
        self.seats += position.seat.tolist()
        self.batches.append(len(position))
        return position.mask.argmax(-1).astype(np.int64)


# --- conformance


@pytest.mark.parametrize("observation", ["box", "dict"])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize(
    ("players", "workshop", "switches"),
    [
        (2, "basic", {}),
        (3, "advanced", {}),
        (4, "basic", {}),
        (2, "advanced", FULL_GAME),
        (1, "basic", {"contractors": True}),
    ],
)
def test_checks_of_gymnasium_and_stable_baselines(
    players: int, workshop: str, switches: dict[str, Any], dtype: str, observation: str
) -> None:
    settings = {"num_players": players, "workshop": workshop, "observation_dtype": dtype, **switches}
    settings["observation"] = observation
    env = gymnasium.make("rc_env:RedCathedral-v0", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    sb3 = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sb3.check_env(env.unwrapped, warn=True)


def test_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = {"ansi": str, "rgb_array": np.ndarray, "human": type(None)}
    for mode, kind in kinds.items():
        env = gymnasium.make("RedCathedral-v0", render_mode=mode)
        env.reset(seed=0)
        assert isinstance(env.render(), kind)
        env.close()
        env.close()
    assert "Tower 1" in capsys.readouterr().out


def test_masks_where_stable_baselines_looks_for_them() -> None:
    contrib = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env = gymnasium.make("RedCathedral-v0")
    _, info = env.reset(seed=0)
    assert contrib.is_masking_supported(env)
    assert np.array_equal(contrib.get_action_masks(env), info["action_mask"])


# --- one game


@pytest.mark.parametrize("reward", ["win", "score"])
def test_episode(reward: str) -> None:
    env = OneSeatEnv(num_players=3, turn_limit=40, reward=reward)
    rng = np.random.default_rng(0)
    seats = set()
    for seed in range(12):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        total, over = 0.0, False
        while not over:
            assert env.observation_space.contains(observation)
            assert env.engine.seat[0] == info["seat"] and not info["illegal"]
            assert np.array_equal(env.action_masks(), info["action_mask"])
            observation, reward_now, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
            total += reward_now
            over = terminated or truncated
            assert over or reward_now == 0
        assert not info["action_mask"].any()
        seat = info["seat"]
        assert total == env.engine.rewards[0, seat]
        assert np.array_equal(info["prestige"], env.engine.results().prestige[0])
        assert info["winners"][seat] == (info["place"][seat] == 0)
        if reward == "score":
            assert total == info["prestige"][seat]
        assert np.array_equal(observation, env.engine.observe(seat=seat)[0])
        after, reward_now, terminated, truncated, info = env.step(0)
        assert info["illegal"] and reward_now == 0 and (terminated or truncated)
        assert np.array_equal(after, observation)
    assert seats == {0, 1, 2}


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_the_mask_beside_the_vector(dtype: str) -> None:
    plain = OneSeatEnv(turn_limit=15, observation_dtype=dtype)
    both = OneSeatEnv(turn_limit=15, observation_dtype=dtype, observation="dict")
    assert both.observation_space["observation"] == plain.observation_space
    rng = np.random.default_rng(0)
    vector, info = plain.reset(seed=5)
    shown, _ = both.reset(seed=5)
    ends = 0
    for _ in range(150):
        assert both.observation_space.contains(shown)
        assert np.array_equal(shown["observation"], vector)
        assert np.array_equal(shown["action_mask"], info["action_mask"])
        kept = shown["action_mask"].copy()
        action = choose(info["action_mask"], rng)
        vector, *_, terminated, truncated, info = plain.step(action)
        after, *_, same = both.step(action)
        assert np.array_equal(shown["action_mask"], kept)  # a returned array is not written to again
        assert np.array_equal(same["action_mask"], after["action_mask"])
        assert after["action_mask"] is not same["action_mask"]
        shown = after
        if terminated or truncated:
            assert not shown["action_mask"].any()
            ends += 1
            vector, info = plain.reset()
            shown, _ = both.reset()
    assert ends


@pytest.mark.parametrize("observation", ["box", "dict"])
@pytest.mark.parametrize(("players", "switches"), [(1, {}), (2, {}), (4, {}), (2, FULL_GAME)])
def test_info_has_the_same_form_at_each_step(players: int, switches: dict[str, Any], observation: str) -> None:
    # Data sets (Minari) and vectors of environments stack infos, so every info needs one form.
    def form(info: dict[str, Any]) -> list[Any]:
        return [(key, type(value), np.shape(value), np.asarray(value).dtype) for key, value in info.items()]

    env = OneSeatEnv(num_players=players, turn_limit=40, observation=observation, **switches)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    first, over, growing = form(info), False, set()
    keys = ["action_mask", "seat", "illegal", "illegal_limit", "prestige", "place", "winners"]
    assert [key for key, *_ in first] == keys
    while not over:
        standings = env.engine.results()
        assert np.array_equal(info["prestige"], standings.prestige[0])
        assert np.array_equal(info["place"], standings.place[0])
        assert np.array_equal(info["winners"], standings.winners[0])
        growing.add(info["prestige"].tobytes())
        *_, illegal = env.step(-1)
        assert form(illegal) == first
        _, _, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
        assert form(info) == first
        over = terminated or truncated
    assert len(growing) > 1
    assert form(env.step(0)[-1]) == form(env.reset()[-1]) == first


def test_seeds_decide_everything() -> None:
    def play(env: OneSeatEnv, seed: int) -> list[bytes]:
        rng = np.random.default_rng(0)
        observation, info = env.reset(seed=seed)
        line = [observation.tobytes()]
        for _ in range(60):
            observation, _, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
            if terminated or truncated:
                observation, info = env.reset()
            line.append(observation.tobytes())
        return line

    one, other = OneSeatEnv(turn_limit=12), OneSeatEnv(turn_limit=12)
    lines = [play(one, 1), play(one, 1), play(other, 1), play(one, 2)]
    assert lines[0] == lines[1] == lines[2] != lines[3]
    assert OneSeatEnv().reset()[0].tobytes() != OneSeatEnv().reset()[0].tobytes()


def test_what_bots_draw_does_not_move_the_dice() -> None:
    raw = red_cathedral_v0.raw_env()
    raw.reset(seed=6)
    env = OneSeatEnv(seat=0)
    env.reset(seed=6)
    fields = ("key", "market", "influence", "die_space", "die_value", "plan")
    for field in fields:  # equal seeds deal equal games, whichever bots play
        assert np.array_equal(env.engine.games[field], raw.engine.games[field]), field


# --- opponents


def test_bots_play_the_other_seats() -> None:
    first, second = Watcher(), Watcher()
    env = OneSeatEnv(num_players=3, seat=1, opponents=[first, second], turn_limit=30)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=0)
    assert info["seat"] == 1 and second.seats and not first.seats  # seat 0 comes second after seat 1, but begins
    for _ in range(30):
        *_, info = env.step(choose(info["action_mask"], rng))
    assert set(first.seats) == {2} and set(second.seats) == {0}
    assert len(first.seeds) == len(second.seeds) == 1 and first.seeds != second.seeds
    env.reset()
    assert len(first.seeds) == 1  # without a seed, bots go on drawing
    everywhere = Watcher()
    env = OneSeatEnv(num_players=3, seat=0, opponents=everywhere)
    _, info = env.reset(seed=0)
    env.step(choose(info["action_mask"], rng))
    for _ in range(40):
        *_, info = env.step(choose(env.action_masks(), rng))
    assert set(everywhere.seats) == {1, 2}


def test_a_bot_that_plays_illegally_is_named() -> None:
    class Broken(Watcher):
        def act(self, position: agents.Position) -> np.ndarray:
            return position.mask.argmin(-1)

    with pytest.raises(ValueError, match="bot watcher chose 0, which is not legal"):
        OneSeatEnv(seat=1, opponents=Broken()).reset(seed=0)


@pytest.mark.parametrize("api", [OneSeatEnv, OneSeatVectorEnv])
def test_bots_are_one_or_one_for_each_other_seat(api: Any) -> None:
    with pytest.raises(ValueError, match=r"opponents must be a bot for all other seats, .*; got a list of 2"):
        api(opponents=["random", "random"])


# --- many games


def test_make_vec() -> None:
    for mode in (None, "vector_entry_point"):
        env = gymnasium.make_vec("rc_env:RedCathedral-v0", num_envs=3, vectorization_mode=mode, num_players=3, seat=2)
        assert isinstance(env, OneSeatVectorEnv) and env.num_envs == 3
        assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        observations, infos = env.reset(seed=0)
        assert env.observation_space.contains(observations) and infos["seat"].tolist() == [2, 2, 2]
        env.close()
    env = gymnasium.make_vec("RedCathedral-v0", num_envs=2, vectorization_mode="sync")
    _, infos = env.reset(seed=0)
    assert infos["action_mask"].shape == (2, env.single_action_space.n)
    _, _, _, _, infos = env.step(infos["action_mask"].argmax(-1))
    assert not infos["illegal"].any()
    env.close()


@pytest.mark.parametrize("copy", [True, False])
def test_many_games(copy: bool) -> None:
    env = OneSeatVectorEnv(16, num_players=3, turn_limit=20, copy=copy)
    rng = np.random.default_rng(0)
    observations, infos = env.reset(seed=0)
    games, drawn, total = 0, set(), 0.0
    for _ in range(150):
        assert env.observation_space.contains(observations)
        assert infos["action_mask"].any(-1).all()
        seats = infos["seat"]
        assert np.array_equal(seats, env.engine.seat)
        assert np.array_equal(observations, env.engine.observe(seat=seats))
        observations, rewards, terminations, truncations, infos = env.step(choose(infos["action_mask"], rng))
        over = terminations | truncations
        assert not rewards[~over].any() and not infos["illegal"].any()
        if over.any():
            assert np.array_equal(infos["_final_obs"], over) and np.array_equal(infos["_final_info"], over)
            final = infos["final_info"]
            rows = np.flatnonzero(over)
            assert np.array_equal(rewards[rows], final["rewards"][rows, seats[rows]])
            assert np.allclose(final["rewards"].sum(-1), 0, atol=1e-6)
            for row in rows:
                shown = env.engine.ruleset.observations.numbers(infos["final_obs"][row])["numbers"][0]
                # The learner's own score, as its seat observed it.
                assert shown[6] == min(200, final["prestige"][row, seats[row]])
            drawn |= set(infos["seat"][rows].tolist())
            games += len(rows)
            total += float(final["rewards"].sum())
    assert games > 16 and drawn == {0, 1, 2}


def test_one_game_is_a_batch_of_one() -> None:
    one, many = OneSeatEnv(turn_limit=15), OneSeatVectorEnv(1, turn_limit=15)
    rng = np.random.default_rng(0)
    observation, info = one.reset(seed=3)
    observations, infos = many.reset(seed=3)
    for _ in range(150):
        assert np.array_equal(observation, observations[0]) and info["seat"] == infos["seat"][0]
        action = choose(info["action_mask"], rng)
        observation, reward, terminated, truncated, info = one.step(action)
        observations, rewards, terminations, truncations, infos = many.step(np.array([action]))
        assert (reward, terminated, truncated) == (rewards[0], terminations[0], truncations[0])
        if terminated or truncated:
            assert np.array_equal(infos["final_obs"][0], observation)
            assert np.array_equal(infos["final_info"]["prestige"][0], info["prestige"])
            observation, info = one.reset()


def test_bots_decide_in_batches() -> None:
    watcher = Watcher()
    env = OneSeatVectorEnv(32, opponents=watcher, seat=1, seed=0)
    env.reset()
    assert watcher.batches[0] == 32
    assert watcher.seeds == [watcher.seeds[0]]


def test_illegal_actions_in_a_batch() -> None:
    env = OneSeatVectorEnv(3)
    observations, infos = env.reset(seed=0)
    actions = choose(infos["action_mask"], np.random.default_rng(0))
    actions[1] = -1
    after, rewards, _, _, infos = env.step(actions)
    assert infos["illegal"].tolist() == [False, True, False] and not rewards.any()
    assert np.array_equal(after[1], observations[1])


def test_partial_reset() -> None:
    env = OneSeatVectorEnv(4)
    observations, _ = env.reset(seed=0)
    mask = np.array([True, False, False, True])
    after, _ = env.reset(options={"reset_mask": mask})
    assert np.array_equal((after == observations).all(-1), ~mask)
