"""Tests of bytes in rollouts and buffers, and of the layer that scales them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from tiny import TINY, positions

from rc_env.training.network import Network
from rc_env.training.pool import OpponentPool
from rc_env.training.ppo import PPO
from rc_env.training.sb3_learner import Scaled, StableBaselines
from rc_env.training.sb3_vec_env import SelfPlayVecEnv
from rc_env.training.scaling import Scale

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


def test_it_makes_the_observation_in_float32_of_the_one_in_bytes():
    position = positions()
    layer = Scale(position.ruleset.observations.divisors)
    for numbers in (torch.from_numpy(position.numbers), torch.from_numpy(position.numbers).float()):
        kept = numbers.clone()
        np.testing.assert_array_equal(layer(numbers).numpy(), position.observation)
        assert torch.equal(numbers, kept)  # the layer does not work in place
    assert not layer.state_dict() and not list(layer.parameters())


def test_it_scales_as_the_network_of_numpy_does():
    network = Network(TINY)
    inputs, x = network.inputs, network.encode(positions().numbers)
    assert x.dtype == torch.uint8 and inputs.zero.any()
    expected = (x.numpy().astype(np.float32) - inputs.zero) * inputs.scale
    np.testing.assert_array_equal(network.scale(x).numpy(), expected)


def test_every_number_of_a_byte_is_exact_in_bfloat16():
    numbers = torch.arange(256, dtype=torch.uint8)[None].repeat(2, 1)
    layer = Scale(np.ones(256), np.full(256, 64), torch.bfloat16)
    assert torch.equal(layer(numbers).float(), numbers.float() - 64)
    assert layer(numbers).dtype == torch.bfloat16


def test_divisors_that_make_no_sense_are_refused():
    for divisors in (np.zeros(3), np.ones((2, 2))):
        with pytest.raises(ValueError, match=r"divisors must be a row of finite numbers above 0, not "):
            Scale(divisors)
    with pytest.raises(ValueError, match=r"zero must have the shape of the divisors, \(3,\), not \(2,\)"):
        Scale(np.ones(3), np.ones(2))


def test_rollouts_and_samples_store_bytes():
    learner = PPO(TINY, Network(TINY), OpponentPool({"self": 1}), 3)
    learner.iterate(0.0)
    rollout = learner._rollout
    assert rollout.inputs.dtype == torch.uint8 and rollout.inputs.any()
    samples = rollout.samples(1.0, 0.95)
    assert samples.inputs.dtype == torch.uint8 and samples.take(torch.tensor([1, 2])).inputs.dtype == torch.uint8


def test_our_maskable_ppo_stores_bytes():
    learner = StableBaselines(TINY, Network(TINY), OpponentPool({"greedy": 1}), 3)
    learner.iterate(0.0)
    buffer = learner.model.rollout_buffer
    assert buffer.observations.dtype == np.uint8
    divisors = TINY.ruleset.observations.divisors
    assert buffer.observations.any() and (buffer.observations <= divisors).all()


def test_a_policy_of_stable_baselines_learns_from_scaled_bytes():
    pool = OpponentPool({"greedy": 1})
    envs = [SelfPlayVecEnv(TINY.ruleset, 4, pool, seed=3, observation_dtype=name) for name in ("uint8", "float32")]
    assert envs[0].observation_space.dtype == np.uint8
    np.testing.assert_array_equal(envs[0].observation_space.high, TINY.ruleset.observations.divisors)
    learned = []
    for env, extractor in zip(envs, ({"features_extractor_class": Scaled}, {}), strict=True):
        policy = {"net_arch": [16], **extractor}
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=5, device="cpu", policy_kwargs=policy
        )
        model.learn(64)
        assert model.rollout_buffer.observations.dtype == env.observation_space.dtype
        learned.append(torch.cat([tensor.flatten() for tensor in model.policy.parameters()]))
    assert torch.equal(learned[0], learned[1])  # the same numbers, so the same policy


def test_streams_of_bytes_are_those_of_floats():
    divisors = TINY.ruleset.observations.divisors
    streams = []
    for name in ("uint8", "float32"):
        env = SelfPlayVecEnv(
            dataclasses.replace(TINY, turn_limit=4).ruleset, 3, OpponentPool({"random": 1}), observation_dtype=name
        )
        seen = [env.reset()]
        for _ in range(30):
            observation, _, _, infos = env.step(env.action_masks().argmax(1))
            seen.append(observation)
            seen += [info["terminal_observation"][None] for info in infos if info]
        assert all(one.dtype == env.observation_space.dtype for one in seen)
        streams.append(np.concatenate(seen))
    np.testing.assert_array_equal(streams[0], np.rint(streams[1] * divisors))
    assert len(streams[0]) > 3 * 31  # some games ended, too
