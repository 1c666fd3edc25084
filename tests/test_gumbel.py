"""Tests of what results of a search say about a policy: completed Q-values, the improved policy, and noise."""

from __future__ import annotations

import numpy as np

from rc_env.agents import gumbel


def test_completed_q_values_by_hand() -> None:
    prior = np.array([[0.5, 0.25, 0.25]])
    visits, q = np.array([[2, 1, 0]], np.int32), np.array([[0.6, 0.0, np.nan]])
    found = gumbel.completed_qvalues(prior, np.array([-0.2]), visits, q)
    weighted = (0.5 * 0.6 + 0.25 * 0.0) / 0.75
    np.testing.assert_allclose(found, [[0.6, 0.0, (-0.2 + 3 * weighted) / 4]])
    nothing = gumbel.completed_qvalues(prior, np.array([0.3]), np.zeros((1, 3), np.int32), np.full((1, 3), np.nan))
    np.testing.assert_allclose(nothing, 0.3)


def test_exact_q_values_improve_a_policy() -> None:
    """In expectation the improved policy is better than the prior, whichever actions were visited."""
    rng = np.random.default_rng(1)
    q, logits = rng.uniform(-1, 1, (500, 6)), rng.normal(size=(500, 6))
    visits = rng.integers(0, 3, (500, 6)).astype(np.int32)
    prior = gumbel.softmax(logits)
    value = (prior * q).sum(1)
    complete = gumbel.completed_qvalues(prior, value, visits, q)
    policy = gumbel.softmax(logits + gumbel.sigma(complete, visits, 50, 1))
    better = (policy * q).sum(1) - value
    assert better.mean() > 0.2 and (better > -0.05).mean() > 0.85


def test_noise_is_gumbels() -> None:
    noise = gumbel.gumbel_noise(np.arange(400, dtype=np.uint64), 50)
    assert abs(noise.mean() - 0.5772) < 0.03 and abs(noise.var() - np.pi**2 / 6) < 0.06
    np.testing.assert_array_equal(noise[7], gumbel.gumbel_noise(np.array([7], np.uint64), 50)[0])


def test_equal_rows_have_equal_identities_and_one_byte_makes_another() -> None:
    rows = np.random.default_rng(2).integers(0, 256, (500, 48), np.uint8)
    rows[1] = rows[0]
    rows[2] = rows[0]
    rows[2, 47] ^= 1
    found = gumbel.identities(rows)
    assert found[0] == found[1] and len(set(found.tolist())) == 499
    np.testing.assert_array_equal(gumbel.identities(rows[7:8]), found[7:8])
