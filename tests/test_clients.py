"""Tests of what users of other people's learners meet: policies without masks, autoreset, wrappers, seeds, options."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from choices import choose
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, red_cathedral_v0
from rc_env.engine_group import EngineGroup

ID = "rc_env:RedCathedral-v0"
BOTH = pytest.mark.parametrize("kind", [OneSeatVectorEnv, RedCathedralVectorEnv])
MODES = list(AutoresetMode)


def wrong(mask: np.ndarray) -> Any:
    """Return an illegal action for each mask."""
    return mask.argmin(-1)


# --- a policy without masks


@pytest.mark.parametrize("observation", ["box", "dict"])
def test_a_favourite_action_that_is_refused_ends_the_episode(observation: str) -> None:
    env = OneSeatEnv(illegal_limit=5, observation=observation)
    for seed in (1, 2):
        _, info = env.reset(seed=seed)
        action, steps, over = wrong(info["action_mask"]), 0, False
        while not over:
            shown, reward, terminated, truncated, info = env.step(action)
            steps, over = steps + 1, truncated
            assert info["illegal"] and not terminated and info["illegal_limit"] == over
            assert reward == (-1 if over else 0) and info["action_mask"].any() == (not over)
        assert steps == 5 and env.observation_space.contains(shown)
        again = env.step(action)
        assert again[1:4] == (0, False, True) and again[4]["illegal"] and not again[4]["illegal_limit"]
        assert not env.action_masks().any()


def test_legal_actions_begin_the_count_anew() -> None:
    env = OneSeatEnv(illegal_limit=3)
    _, info = env.reset(seed=0)
    for _ in range(10):
        for _ in range(2):
            *_, truncated, info = env.step(wrong(info["action_mask"]))
            assert info["illegal"] and not truncated
        *_, info = env.step(info["action_mask"].argmax())
        assert not info["illegal"]


@BOTH
def test_legal_actions_begin_the_count_anew_in_batches(kind: Any) -> None:
    env = kind(3, illegal_limit=2)
    _, infos = env.reset(seed=0)
    for step in range(12):  # rows 0 and 1 in turns, both of them never
        actions = infos["action_mask"].argmax(1)
        if step % 3 < 2:
            actions[step % 3] = -1
        *_, truncated, infos = env.step(actions)
        assert infos["illegal"].tolist() == [step % 3 == row for row in range(3)][:2] + [False]
        assert not truncated.any() and not infos["illegal_limit"].any()


def test_without_a_limit_a_game_waits() -> None:
    env = OneSeatEnv(illegal_limit=None)
    env.reset(seed=0)
    assert not any(env.step(-1)[3] for _ in range(1500))
    env = OneSeatEnv()
    env.reset(seed=0)
    assert sum(not env.step(-1)[3] for _ in range(1000)) == 999


@pytest.mark.slow
def test_an_evaluation_without_masks_ends() -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    env = Monitor(gymnasium.make(ID, turn_limit=20, illegal_limit=50))
    model = sb3.PPO("MlpPolicy", env, n_steps=8, device="cpu", seed=1)
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=2, return_episode_rewards=True)
    assert rewards == [-1, -1] and all(length >= 50 for length in lengths)


@BOTH
@pytest.mark.parametrize("mode", MODES)
def test_limits_in_batches(kind: Any, mode: AutoresetMode) -> None:
    env = kind(3, illegal_limit=2, illegal_reward=-0.5, autoreset_mode=mode)
    _, infos = env.reset(seed=1)
    actions = infos["action_mask"].argmax(1)
    actions[1] = -1
    _, rewards, terminated, truncated, infos = env.step(actions)
    assert (
        infos["illegal"].tolist() == [False, True, False] and not (terminated | truncated).any() and not rewards.any()
    )
    actions = infos["action_mask"].argmax(1)
    actions[1] = -1
    seat = infos["seat"][1]
    shown, rewards, terminated, truncated, infos = env.step(actions)
    assert infos["illegal_limit"].tolist() == truncated.tolist() == [False, True, False] and not terminated.any()
    assert rewards.tolist() == [0, -0.5, 0]
    assert infos["final_info"]["rewards"][1, seat] == -0.5 and infos["_final_info"].tolist() == [False, True, False]
    if kind is RedCathedralVectorEnv:
        assert infos["rewards"][1, seat] == -0.5 and infos["acted"][1] == seat
    assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP)
    assert infos["action_mask"].any(1).tolist() == [True, mode is AutoresetMode.SAME_STEP, True]
    assert env.observation_space.contains(shown)


# --- autoreset


def steps_of(env: Any, seed: int, steps: int) -> list[Any]:
    """Play the first legal action everywhere, and return what each step gave."""
    _, infos = env.reset(seed=seed)
    found = []
    for _ in range(steps):
        found.append(env.step(infos["action_mask"].argmax(1)))
        infos = found[-1][4]
    return found


@BOTH
def test_next_step_plays_the_games_of_same_step_a_step_later(kind: Any) -> None:
    same = steps_of(kind(1, turn_limit=6, seat=0) if kind is OneSeatVectorEnv else kind(1, turn_limit=6), 3, 120)
    env = kind(1, turn_limit=6, autoreset_mode="NextStep", **({"seat": 0} if kind is OneSeatVectorEnv else {}))
    assert env.autoreset_mode is env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    later = iter(steps_of(env, 3, 160))
    ends = 0
    for observations, rewards, terminated, truncated, infos in same:
        shown, paid, over, cut, told = next(later)
        assert paid == rewards and over == terminated and cut == truncated
        if terminated[0] or truncated[0]:
            assert np.array_equal(shown[0], infos["final_obs"][0]) and not told["action_mask"].any()
            assert np.array_equal(told["final_info"]["place"], infos["final_info"]["place"])
            shown, paid, over, cut, told = next(later)  # which deals the next game
            assert not (paid.any() or over.any() or cut.any() or told["illegal"].any()) and "final_info" not in told
            ends += 1
        assert np.array_equal(shown, observations) and np.array_equal(told["action_mask"], infos["action_mask"])
        assert np.array_equal(told["seat"], infos["seat"])
    assert ends > 3


@BOTH
@pytest.mark.parametrize("fresh_arrays", [True, False])
def test_disabled_games_stay_over_until_they_are_reset(kind: Any, fresh_arrays: bool) -> None:
    env = kind(6, turn_limit=8, autoreset_mode=AutoresetMode.DISABLED, copy=fresh_arrays, num_players=3)
    _, infos = env.reset(seed=5)
    over, kept, resets = np.zeros(6, bool), np.zeros((6, env.engine.num_features), np.float32), 0
    rng = np.random.default_rng(1)
    for _ in range(150):
        shown, rewards, terminated, truncated, infos = env.step(
            choose(infos["action_mask"] | ~infos["action_mask"].any(1, keepdims=True), rng)
        )
        assert not rewards[over].any() and infos["illegal"][over].all() and not infos["illegal"][~over].any()
        assert np.array_equal(shown[over], kept[over])
        now = terminated | truncated
        assert now[over].all() and np.array_equal(~infos["action_mask"].any(1), now)
        fresh = now & ~over
        assert np.array_equal(infos.get("_final_info", np.zeros(6, bool)), fresh)
        kept[fresh], over = shown[fresh], now
        if over.sum() > 3:
            shown, infos = env.reset(options={"reset_mask": over})
            resets += 1
            assert infos["action_mask"].any(1).all()
            over = np.zeros(6, bool)
    assert resets > 2


WRAPPERS = {
    "NormalizeObservation": wrappers.NormalizeObservation,
    "FlattenObservation": wrappers.FlattenObservation,
    "TransformObservation": lambda env: wrappers.TransformObservation(
        env, lambda seen: seen[:, :100], single_observation_space=gymnasium.spaces.Box(0, 1, (100,))
    ),
    "RescaleObservation": lambda env: wrappers.RescaleObservation(env, np.float32(-1), np.float32(1)),
    "DtypeObservation": lambda env: wrappers.DtypeObservation(env, np.float16),
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "NormalizeReward": wrappers.NormalizeReward,
}


@BOTH
@pytest.mark.parametrize("name", WRAPPERS)
def test_wrappers_of_gymnasium(name: str, kind: Any) -> None:
    env = WRAPPERS[name](kind(4, turn_limit=6, autoreset_mode="NextStep"))
    shown, infos = env.reset(seed=1)
    for _ in range(60):
        assert shown.shape == env.observation_space.shape and shown.dtype == env.observation_space.dtype
        shown, _, _, _, infos = env.step(infos["action_mask"].argmax(1))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_recorded_lengths(mode: AutoresetMode) -> None:
    if mode is AutoresetMode.SAME_STEP and gymnasium.__version__ < "1.3":
        pytest.skip("one step short in Gymnasium 1.2, as docs/frameworks.md says")
    env = wrappers.RecordEpisodeStatistics(OneSeatVectorEnv(1, turn_limit=6, autoreset_mode=mode))
    _, infos = env.reset(seed=1)
    length, seen, dealt = 0, 0, False
    while seen < 5:
        _, _, terminated, truncated, infos = env.step(infos["action_mask"].argmax(1))
        length, dealt = length + (not dealt), False
        if terminated[0] or truncated[0]:
            assert infos["episode"]["l"][0] == length
            length, seen, dealt = 0, seen + 1, mode is AutoresetMode.NEXT_STEP


@BOTH
def test_copies_play_on_by_themselves(kind: Any) -> None:
    env = kind(2, turn_limit=6, autoreset_mode="Disabled")
    _, infos = env.reset(seed=1)
    for _ in range(3):
        *_, infos = env.step(infos["action_mask"].argmax(1))
    twin = copy.deepcopy(env)
    for _ in range(60):
        actions = infos["action_mask"].argmax(1)
        mine, theirs = env.step(actions), twin.step(actions)
        assert all(np.array_equal(one, other) for one, other in zip(mine[:4], theirs[:4], strict=True))
        infos = mine[4]
        assert np.array_equal(infos["seat"], theirs[4]["seat"])


# --- make_vec as make


@pytest.mark.parametrize("mode", MODES)
@BOTH
def test_dicts_in_batches(kind: Any, mode: AutoresetMode) -> None:
    settings: dict[str, Any] = {"turn_limit": 6, "autoreset_mode": mode}
    plain, both = kind(3, **settings), kind(3, observation="dict", **settings)
    vectors, infos = plain.reset(seed=4)
    shown, same = both.reset(seed=4)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60):
        assert both.observation_space.contains(shown)
        assert np.array_equal(shown["observation"], vectors)
        assert np.array_equal(shown["action_mask"], infos["action_mask"])
        assert np.array_equal(both.action_masks(), infos["action_mask"])
        actions = choose(infos["action_mask"] | ~infos["action_mask"].any(1, keepdims=True), rng)
        vectors, _, terminated, truncated, infos = plain.step(actions)
        shown, _, _, _, same = both.step(actions)
        for row in np.flatnonzero(terminated | truncated):
            ends += 1
            if mode is AutoresetMode.SAME_STEP:
                last = same["final_obs"][row]
                assert both.single_observation_space.contains(last) and not last["action_mask"].any()
                assert np.array_equal(last["observation"], infos["final_obs"][row])
    assert ends


@pytest.mark.parametrize("vectorization", ["vector_entry_point", "sync"])
def test_make_vec_takes_what_make_takes(vectorization: str) -> None:
    for settings in ({"observation": "dict"}, {"max_episode_steps": 7}, {"illegal_limit": 3}, {"data": "sample:1"}):
        gymnasium.make(ID, **settings).reset(seed=1)
        env = gymnasium.make_vec(ID, num_envs=2, vectorization_mode=vectorization, **settings)
        _, infos = env.reset(seed=[1, 2])
        ends = []
        for step in range(1, 9):
            _, _, _, truncated, infos = env.step(infos["action_mask"].argmax(1))
            ends += [step] * int(truncated.sum())
        assert ends == ([7, 7] if "max_episode_steps" in settings else [])
        assert [mask.shape for mask in env.call("action_masks")] == [(263,)] * 2
        assert len(env.get_attr("render_mode")) == 2
        env.close()


@BOTH
def test_a_seed_for_each_row(kind: Any) -> None:
    env = kind(4, opponents="greedy", seat=0) if kind is OneSeatVectorEnv else kind(4)
    shown, infos = env.reset(seed=[7, 8, 7, 2**64 - 1])
    assert np.array_equal(shown[0], shown[2]) and len(np.unique(shown, axis=0)) == 3
    assert np.array_equal(shown[1], Engine(num_games=1, seed=8).observe()[0])
    for _ in range(30):
        shown, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
        assert np.array_equal(shown[0], shown[2])
    again, _ = env.reset(seed=np.array([7, 8, 7, 9]), options={"reset_mask": np.array([False, True, True, False])})
    assert not np.array_equal(again[0], again[2]) and np.array_equal(again[3], shown[3])
    for seeds in ([1, 2], [1, 2, 3, -1], ["a"] * 4, [True] * 4, "1234"):
        before = env.engine.clone(same_future=True).tobytes()
        with pytest.raises(ValueError, match=r"seed: .* found, expected"):
            env.reset(seed=seeds)
        assert env.engine.clone(same_future=True).tobytes() == before


def test_call_and_attributes() -> None:
    env = RedCathedralVectorEnv(2, render_mode="ansi")
    env.reset(seed=1)
    assert np.array_equal(env.call("action_masks"), env.action_masks()) and len(env.call("render")) == 2
    assert env.get_attr("autoreset_mode") == (AutoresetMode.SAME_STEP,) * 2
    for name in ("no_such_thing", "reset"):
        with pytest.raises(ValueError, match=f"name: '{name}' found, expected action_masks, render, or an attribute"):
            env.call(name)


def test_masks_behind_wrappers() -> None:
    env = gymnasium.make(ID)
    _, info = env.reset(seed=1)
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), info["action_mask"])


@pytest.mark.parametrize("make", [OneSeatEnv, RedCathedralVectorEnv, OneSeatVectorEnv, red_cathedral_v0.env])
def test_unknown_options_are_named_once(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    name = f"dael of {make.__name__}"
    for _ in range(3):
        make().reset(options={name: 1, "deal": None})
    assert [name in line and "found, which is ignored, expected deal" in line for line in caplog.messages] == [True]


@pytest.mark.parametrize("form", MODES + ["SameStep", "NextStep", "Disabled"])
def test_names_of_modes(form: Any) -> None:
    assert RedCathedralVectorEnv(autoreset_mode=form).autoreset_mode is AutoresetMode(form)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"autoreset_mode": "same"}, "autoreset_mode: 'same' found, expected one of "),
        ({"illegal_limit": 0}, "illegal_limit: 0 found, expected a whole number of at least 1"),
        ({"illegal_reward": float("nan")}, "illegal_reward: nan found, expected a number"),
        ({"max_episode_steps": 0}, "max_episode_steps: 0 found"),
        ({"observation": "vector"}, "observation: 'vector' found, expected one of dict, box"),
        ({"num_envs": 3, "data": "sample:0-3"}, "num_envs: 3 found, expected a whole number of at least 4"),
    ],
)
def test_settings_out_of_range(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RedCathedralVectorEnv(**settings)


# --- several sets of cards


@BOTH
def test_several_sets_of_cards(kind: Any) -> None:
    env = kind(7, data="sample:0-2", turn_limit=6)
    assert isinstance(env.engine, EngineGroup)
    assert [one.ruleset.data for one in env.engine.engines] == ["sample-v1:0", "sample-v1:1", "sample-v1:2"]
    shown, infos = env.reset(seed=2)
    rng, ends = np.random.default_rng(0), np.zeros(7)
    for _ in range(60):
        assert env.observation_space.contains(shown)
        shown, _, terminated, truncated, infos = env.step(choose(infos["action_mask"], rng))
        assert not infos["illegal"].any()
        ends += terminated | truncated
    assert ends.all()
    alone = kind(3, data="sample:2", turn_limit=6)
    first, last = env.reset(seed=[1, 2, 3, 4, 5, 6, 7])[0][4:], alone.reset(seed=[5, 6, 7])[0]
    if kind is RedCathedralVectorEnv:  # else bots have drawn other moves
        assert np.array_equal(first, last)
    with pytest.raises(ValueError, match=r"deals: .* expected none with several sets of cards"):
        env.reset(options={"deal": env.engine.ruleset.build.setup.open_deal()})


def test_bots_that_look_ahead_meet_their_own_set_of_cards() -> None:
    env = OneSeatVectorEnv(4, data="sample:0-1", opponents="search:simulations=2,depth=1", seat=1)
    _, infos = env.reset(seed=1)
    for _ in range(3):
        *_, infos = env.step(infos["action_mask"].argmax(1))
        assert not infos["illegal"].any()


# --- PettingZoo


@pytest.mark.parametrize("make", [red_cathedral_v0.raw_env, red_cathedral_v0.env])
def test_last_after_the_end(make: Any) -> None:
    env = make(turn_limit=2)
    env.reset(seed=1)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    with pytest.raises(ValueError, match=r"last: no game is being played, expected reset\(\) first"):
        env.last()


# --- other libraries


def test_a_base_that_skrl_looks_for() -> None:
    assert gymnasium.vector.VectorEnv in OneSeatVectorEnv.__bases__


@pytest.mark.slow
def test_masks_are_left_alone_by_vec_normalize_if_it_is_told_so() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import VecNormalize

    made = make_vec_env(ID, 2, seed=1, env_kwargs={"observation": "dict"})
    envs = VecNormalize(made, norm_obs_keys=["observation"])
    envs.reset()
    for _ in range(30):
        shown, *_ = envs.step([int(mask.argmax()) for mask in envs.env_method("action_masks")])
    assert set(np.unique(shown["action_mask"])) == {0, 1}
    assert np.array_equal(shown["action_mask"], envs.env_method("action_masks"))
