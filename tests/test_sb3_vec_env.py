"""Tests of the self-play environment: each stream belongs to one seat and has the values of a plain engine."""

from __future__ import annotations

import numpy as np
import pytest
from choices import Scripted, pick
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from rc_env import Engine, Ruleset
from rc_env.bot import Position
from rc_env.training.pool import OpponentPool
from rc_env.training.sb3_vec_env import SelfPlayVecEnv

pytestmark = pytest.mark.slow

VARIANTS = [(2, "basic"), (3, "advanced"), (4, "basic")]


def environment(envs: int = 12, shares=None, seed: int = 3, **ruleset) -> SelfPlayVecEnv:
    ruleset = {"turn_limit": 16, **ruleset}
    return SelfPlayVecEnv(Ruleset(**ruleset), envs, OpponentPool(shares or {"greedy": 1}, keep=3), seed=seed)


def learners(env: SelfPlayVecEnv, step: int) -> np.ndarray:
    """Return the actions of a scripted learner."""
    return np.array([pick(mask, step + row) for row, mask in enumerate(env.action_masks())])


def plain_stream(env: SelfPlayVecEnv, row: int, seed: int, sat: list[np.ndarray]) -> list[tuple]:
    """Return the expected stream of a learner in a row from a plain engine: (seat, seen, mask, reward, last, done) per
    step.

    The reward and the end are those of the step's own action; `last` is the learner's observation at the end. `sat`
    gives the players of the seats at each step.
    """
    engine = Engine(env.engine.ruleset, env.num_envs, seed)
    players, stream, game = engine.num_players, [], 0

    def others_play(seat: int, step: int) -> float:
        paid = 0.0
        while engine.seat[row] not in (seat, -1):
            bot = env.pool.bots[sat[step][row, engine.seat[row]]]
            engine.step(bot.act(Position.of(engine, [row])), [row])
            paid += float(engine.rewards[row, seat])
        return paid

    for step in range(len(sat)):
        seat = (row + game) % players
        if step == 0 or stream[-1][-1]:
            others_play(seat, step)
        seen, mask = engine.observe([row])[0], engine.legal_mask()[row].copy()
        assert engine.seat[row] == seat
        engine.step([pick(mask, step + row)], [row])
        reward = float(engine.rewards[row, seat]) + others_play(seat, step)
        done = bool(engine.seat[row] < 0)
        if done:
            last = engine.observe([row], seat=seat)[0]
            engine.reset([row])
            game += 1
        stream.append((seat, seen, mask, reward, last if done else None, done))
    return stream


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_a_stream_is_one_seats_and_equals_a_plain_replay(players, workshop):
    env = environment(players=players, workshop=workshop, shares={"greedy": 1, "past": 2})
    for number in range(3):  # the pool keeps three snapshots
        env.pool.add(Scripted(number))
    seen, masks, shown, sat, paid, names = [], [], [], [], [], set()
    observation = env.reset()
    for step in range(90):
        seen.append(observation)
        sat.append(env.opponents.copy())
        masks.append(env.action_masks())
        seats = env.learner.copy()
        observation, rewards, dones, infos = env.step(learners(env, step))
        shown.append((seats, rewards, dones, infos))
    for row in range(env.num_envs):
        length = 0
        for step, (seat, one, mask, reward, last, done) in enumerate(plain_stream(env, row, 3, sat)):
            length += 1
            seats, rewards, dones, infos = shown[step]
            assert seats[row] == seat
            np.testing.assert_array_equal(seen[step][row], one)
            np.testing.assert_array_equal(masks[step][row], mask)
            assert rewards[row] == np.float32(reward) and dones[row] == done
            if done:
                np.testing.assert_array_equal(infos[row]["terminal_observation"], last)
                assert infos[row]["seat"] == seat and len(infos[row]["opponents"]) == players - 1
                assert infos[row]["episode"]["r"] == np.float32(reward) and infos[row]["episode"]["l"] == length
                names |= set(infos[row]["opponents"])
                paid.append(reward)
                length = 0
            else:
                assert infos[row] == {}
    assert len(paid) > 2 * env.num_envs
    assert -1 in paid, "a learner that loses should be notified"
    assert names == {"greedy", "scripted0", "scripted1", "scripted2"}


def test_losers_get_their_reward_whoever_ends_the_game():
    env = environment(64, {"greedy": 1}, turn_limit=1000)
    env.reset()
    ended, episodes = 0, []
    for step in range(250):
        _, rewards, dones, infos = env.step(learners(env, step))
        np.testing.assert_array_equal(rewards[~dones], 0)
        ended += int(dones.sum())
        episodes += [info for info in infos if info]
    assert ended == len(episodes) > 30
    for info in episodes:  # greedy beats a learner that is as weak as random
        assert info["place"] == 1 and info["episode"]["r"] == -1 and not info["truncated"]
    assert min(info["episode"]["l"] for info in episodes) > 20
    assert 0.3 < np.mean([info["seat"] for info in episodes]) < 0.7


def test_both_seats_are_paid_opposite_rewards():
    env = environment(32, {"random": 1}, turn_limit=30, reward="margin")
    env.reset()
    returns = []
    for step in range(150):
        infos = env.step(learners(env, step))[3]
        returns += [info["episode"]["r"] for info in infos if info]
    assert min(returns) < 0 < max(returns)
    assert all(-1 <= value <= 1 for value in returns)


def test_rewards_are_scaled_on_demand():
    pool = OpponentPool({"greedy": 1})
    env = SelfPlayVecEnv(Ruleset(turn_limit=16), 12, pool, seed=3, scale=8)
    np.testing.assert_array_equal(stream(env)[1], 8 * stream(environment())[1])


@pytest.mark.parametrize("players", [2, 4])
def test_opponents_change_only_between_games(players):
    pool = OpponentPool({"latest": 0.5, "past": 0.3, "greedy": 0.2}, keep=2)
    env = SelfPlayVecEnv(Ruleset(players=players, turn_limit=12), 24, pool, seed=1)
    env.reset()
    met, changed = set(), 0
    for step in range(160):
        if step % 20 == 10:  # in the middle of games
            pool.add(Scripted(step), np.unique(env.opponents).tolist())
        before, seats = env.opponents.copy(), env.learner.copy()
        dones = env.step(learners(env, step))[2]
        np.testing.assert_array_equal(env.opponents[~dones], before[~dones])
        np.testing.assert_array_equal(env.learner[~dones], seats[~dones])
        np.testing.assert_array_equal(env.learner[dones], (seats[dones] + 1) % players)
        changed += int((env.opponents[dones] != before[dones]).any(1).sum()) if dones.any() else 0
        met |= set(np.unique(env.opponents).tolist())
    assert changed > 20
    assert len(met - {-1}) >= 6, "snapshots should have been met"
    assert len(pool.bots) < 8, "snapshots that nobody needs should be forgotten"
    rows = np.arange(24)
    np.testing.assert_array_equal(env.opponents[rows, env.learner] == -1, True)
    assert ((env.opponents == -1).sum(1) == 1).all()


def test_the_first_snapshot_takes_the_place_of_random():
    pool = OpponentPool({"past": 1}, keep=3)
    assert {pool.bots[number].name for number in pool.draw(np.random.default_rng(0), (100,))} == {"random"}
    pool.add(Scripted(1))
    pool.add(Scripted(2))
    met = {pool.bots[number].name for number in pool.draw(np.random.default_rng(0), (100,))}
    assert met == {"scripted1", "scripted2"}


def test_the_pool_draws_by_its_shares():
    pool = OpponentPool({"latest": 2, "past": 1, "greedy": 1}, keep=3)
    for number in range(5):
        pool.add(Scripted(number))
    drawn = pool.draw(np.random.default_rng(0), (40_000,))
    share = {pool.bots[number].name: float(np.mean(drawn == number)) for number in np.unique(drawn)}
    expected = {"scripted4": 1 / 2 + 1 / 12, "scripted3": 1 / 12, "scripted2": 1 / 12, "greedy": 1 / 4}
    assert share == pytest.approx(expected, abs=0.01)


def test_arrays_are_fresh_at_each_step():
    env = environment()
    first = env.reset()
    kept = [(first, first.copy())]
    for step in range(40):
        masks = env.env_method("action_masks")
        observation, rewards, dones, _ = env.step(learners(env, step))
        kept += [(one, one.copy()) for one in (masks, observation, rewards, dones)]
    for one, copy in kept:
        np.testing.assert_array_equal(one, copy)
    assert observation.dtype == np.float32 and rewards.dtype == np.float32 and dones.dtype == np.bool_


@pytest.mark.parametrize("workshop", ["basic", "advanced"])
def test_masks_are_never_empty(workshop):
    env = environment(32, {"random": 1, "greedy": 1}, turn_limit=200, workshop=workshop)
    env.reset()
    for step in range(400):
        masks = env.action_masks()
        assert masks.shape == (32, env.action_space.n) and masks.dtype == np.int8
        assert (masks.sum(1) >= 1).all() and set(np.unique(masks)) <= {0, 1}
        env.step(learners(env, step))


def test_stable_baselines_finds_its_masks():
    env = environment()
    env.reset()
    assert is_masking_supported(env) and env.has_attr("action_masks") and not env.has_attr("nothing")
    np.testing.assert_array_equal(get_action_masks(env), env.action_masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[1, 4]), env.action_masks()[[1, 4]])
    assert env.get_attr("render_mode") == [None] * 12 and env.env_is_wrapped(object) == [False] * 12
    with pytest.raises(AttributeError, match="env_method must be 'action_masks', not 'step_all'"):
        env.env_method("step_all")


def stream(env: SelfPlayVecEnv, steps: int = 60) -> tuple[np.ndarray, np.ndarray]:
    observations, rewards = [env.reset()], []
    for step in range(steps):
        observation, reward, _, _ = env.step(learners(env, step))
        observations.append(observation)
        rewards.append(reward)
    return np.array(observations), np.array(rewards)


def test_streams_repeat_with_their_seed():
    shares = {"random": 1, "greedy": 1}
    first = stream(environment(shares=shares))
    same = stream(environment(shares=shares))
    other = environment(shares=shares, seed=4)
    np.testing.assert_array_equal(first[0], same[0])
    np.testing.assert_array_equal(first[1], same[1])
    assert not np.array_equal(first[0], stream(other)[0])
    assert not np.array_equal(first[0][0], other.reset()), "without a seed the environment deals the next games"
    other.seed(3)
    np.testing.assert_array_equal(stream(other)[0], first[0])


def test_a_game_that_ends_before_the_learner_decides_is_no_episode():
    env = environment(8, {"random": 1}, turn_limit=1)
    env.reset()
    for step in range(60):
        assert (env.learner == 0).all(), "with one turn a game only seat 0 decides"
        _, rewards, dones, infos = env.step(learners(env, step))
        for reward, done, info in zip(rewards, dones, infos, strict=True):
            assert bool(info) == done
            if done:
                assert info["truncated"] and not info["TimeLimit.truncated"] and info["seat"] == 0
                assert info["episode"]["r"] == reward and (reward == -1 if info["place"] else reward in (0, 1))


def test_an_illegal_action_is_refused_by_name():
    env = environment()
    env.reset()
    actions = learners(env, 0)
    actions[7] = env.action_masks()[7].argmin()
    with pytest.raises(ValueError, match=f"{actions[7]} of the learner is not allowed by the mask in environment 7"):
        env.step(actions)


@pytest.mark.parametrize(
    ("shares", "keep", "words"),
    [
        ({}, 3, "must be numbers of at least 0"),
        ({"latest": -1.0}, 3, "must be numbers of at least 0"),
        ({"latest": 0}, 3, "one of them above"),
        ({"latest": 1}, 0, "keep must be .*, not 0"),
        ({"gredy": 1}, 3, "unknown bot 'gredy'"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused(shares, keep, words):
    with pytest.raises(ValueError, match=words):
        OpponentPool(shares, keep)


def test_one_seat_learns_in_each_environment():
    with pytest.raises(ValueError, match="pool must have no share of 'self'"):
        environment(shares={"self": 1e-6, "random": 1})
    environment(shares={"self": 0, "random": 1})
