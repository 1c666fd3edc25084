"""Tests of Gymnasium's vector API: the engine's games, same-step autoreset, and the arrays that it returns."""

import numpy as np
import pytest
from choices import choose
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from rc_env import Engine, RedCathedralVectorEnv, Ruleset
from rc_env.rules import setup


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (4, "basic")])
def test_spaces(players: int, workshop: str) -> None:
    env = RedCathedralVectorEnv(5, num_players=players, workshop=workshop, turn_limit=20)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert "autoreset_mode" not in RedCathedralVectorEnv.metadata
    rng = np.random.default_rng(0)
    observations, infos = env.reset(seed=1)
    for _ in range(200):
        assert env.observation_space.contains(observations)
        assert infos["action_mask"].dtype == np.int8 and infos["action_mask"].any(-1).all()
        assert all(f"_{key}" in infos for key in infos if not key.startswith("_"))
        actions = choose(infos["action_mask"], rng)
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert rewards.shape == (5,) and rewards.dtype == np.float32
        assert terminations.dtype == truncations.dtype == np.bool_
        assert infos["rewards"].shape == (5, players)
        assert ((infos["seat"] >= 0) & (infos["seat"] < players)).all()
    env.close()


@pytest.mark.parametrize("copy", [True, False])
def test_same_games_as_the_engine(copy: bool) -> None:
    env = RedCathedralVectorEnv(16, num_players=3, turn_limit=25, copy=copy)
    engine = Engine(Ruleset(3, turn_limit=25), 16, seed=4)
    observations, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    games = paid = 0
    for _ in range(400):
        assert np.array_equal(observations, engine.observe())
        assert np.array_equal(infos["action_mask"], engine.legal_mask())
        assert np.array_equal(infos["seat"], engine.seat)
        actions = choose(engine.legal_mask(), rng)
        acted = engine.seat
        engine.step(actions)
        ended = engine.ended
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert np.array_equal(infos["acted"], acted) and not infos["illegal"].any()
        assert np.array_equal(infos["rewards"], engine.rewards)
        assert np.array_equal(rewards, engine.rewards[np.arange(16), acted])
        assert np.array_equal(terminations, engine.terminated) and np.array_equal(truncations, engine.truncated)
        assert ("final_obs" in infos) == (len(ended) > 0)
        if len(ended):
            assert np.array_equal(np.flatnonzero(infos["_final_obs"]), ended)
            results = engine.results(ended)
            shown = engine.observe(ended, seat=acted[ended])
            for k, row in enumerate(ended):
                assert np.array_equal(infos["final_obs"][row], shown[k])
            final = infos["final_info"]
            assert np.array_equal(final["prestige"][ended], results.prestige)
            assert np.array_equal(final["place"][ended], results.place)
            assert np.array_equal(final["winners"][ended], results.winners)
            assert np.array_equal(final["rewards"][ended], engine.rewards[ended])
            assert abs(final["rewards"].sum()) < 1e-5
            paid += int(final["rewards"].any(-1).sum())
            games += len(ended)
            engine.reset(ended)
    assert games >= paid > 16


def test_seeds() -> None:
    one, other = RedCathedralVectorEnv(4, seed=7), RedCathedralVectorEnv(4)
    assert np.array_equal(one.reset()[0], other.reset(seed=7)[0])
    assert np.array_equal(one.reset()[0], other.reset()[0])  # both go on to the same next games
    first = one.reset(seed=7)[0]
    assert len(np.unique(first, axis=0)) == 4
    assert not np.array_equal(first, one.reset(seed=8)[0])
    assert not np.array_equal(RedCathedralVectorEnv(4).reset()[0], RedCathedralVectorEnv(4).reset()[0])


def test_threads_play_the_same_games() -> None:
    envs = [RedCathedralVectorEnv(600, threads=threads) for threads in (1, 2)]
    shown = [env.reset(seed=1) for env in envs]
    rng = np.random.default_rng(0)
    for _ in range(20):
        actions = choose(shown[0][1]["action_mask"], rng)
        steps = [env.step(actions) for env in envs]
        assert np.array_equal(steps[0][0], steps[1][0])
        shown = [(step[0], step[4]) for step in steps]


def test_options() -> None:
    env = RedCathedralVectorEnv(6)
    observations, _ = env.reset(seed=0)
    mask = np.array([True, False, True, False, False, True])
    after, _ = env.reset(options={"reset_mask": mask, "unknown": 1})
    assert np.array_equal((after == observations).all(-1), ~mask)
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.ones(5, np.bool_)})
    deal = setup.open_deal()
    deal.plan = 1
    env.reset(seed=0, options={"deal": deal})
    assert (env.engine.games.plan == 1).all()


def test_copies_stay_and_buffers_do_not() -> None:
    rng = np.random.default_rng(0)
    for copy in (True, False):
        env = RedCathedralVectorEnv(8, copy=copy, turn_limit=15)
        observations, infos = env.reset(seed=0)
        kept = []
        for _ in range(80):
            arrays = [observations, *(infos[key] for key in infos if isinstance(infos[key], np.ndarray))]
            kept.append((arrays, [array.copy() for array in arrays]))
            before, mask = observations, infos["action_mask"]
            observations, _, _, _, infos = env.step(choose(infos["action_mask"], rng))
            assert np.shares_memory(observations, before) == (not copy)
            assert np.shares_memory(infos["action_mask"], mask) == (not copy)
        assert infos["action_mask"].flags.writeable == copy
        for arrays, copies in kept:
            for k, (array, same) in enumerate(zip(arrays, copies, strict=True)):
                if copy or k > 1:  # without copies skip the first two, observation and mask
                    assert all(np.array_equal(a, b) for a, b in zip(array, same, strict=True))


def test_gymnasium_wrappers() -> None:
    env = RecordEpisodeStatistics(RedCathedralVectorEnv(4, turn_limit=6))
    _, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    episodes = 0
    for _ in range(150):
        _, _, terminations, truncations, infos = env.step(choose(infos["action_mask"], rng))
        if "episode" in infos:
            episodes += int(infos["_episode"].sum())
            assert np.array_equal(infos["_episode"], terminations | truncations)
    assert episodes > 4
    listed = DictInfoToList(RedCathedralVectorEnv(2))
    _, rows = listed.reset(seed=0)
    assert rows[1]["action_mask"].shape == (listed.unwrapped.engine.num_actions,)


def test_render() -> None:
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = RedCathedralVectorEnv(2, render_mode=mode)
        env.reset(seed=0)
        frames = env.render()
        assert frames is not None and len(frames) == 2 and isinstance(frames[0], kind)
    env = RedCathedralVectorEnv(2)
    env.reset()
    assert env.render() is None
