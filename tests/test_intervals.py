"""Tests of intervals: exact at the ends, with the right coverage, and drawn by deals in the same way everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env.arena import intervals


def test_bounds_where_every_deal_agrees_are_those_of_clopper_and_pearson() -> None:
    won, lost = intervals.share_interval(np.ones(40), 2), intervals.share_interval(np.zeros(40), 2)
    # If the true share is at the bound, the probability that all these deals are won is 1 in 40.
    assert (won.mean, won.high, won.games, won.deals) == (1, 1, 80, 40) and won.low**40 == pytest.approx(0.025)
    assert (lost.mean, lost.low) == (0, 0) and (1 - lost.high) ** 40 == pytest.approx(0.025)
    scores = intervals.mean_interval(np.ones(40))
    assert scores.low == scores.high == 1, "a score of 1 in every game must not count as a share of games won"


def test_an_interval_of_a_mean_holds_it_in_95_of_100_samples() -> None:
    rng = np.random.default_rng(0)
    samples = rng.integers(0, 3, (400, 100)) / 2
    found = [intervals.share_interval(sample, seed=seed) for seed, sample in enumerate(samples)]
    assert 0.92 < np.mean([one.low <= 0.5 <= one.high for one in found]) < 0.98


def test_both_ways_of_drawing_give_the_same_interval() -> None:
    values = np.random.default_rng(1).integers(10, 60, 500).astype(np.float64)
    mean = intervals.mean_interval(values)
    low, high = intervals.bounds(intervals.resampled_sums(values[:, None], 0, 10_000)[:, 0] / 500)
    assert [low, high] == pytest.approx([mean.low, mean.high], abs=0.1)
    median = intervals.median_interval(values.tolist())
    assert median.low <= median.mean <= median.high and median.deals == 500


def test_resamples_do_not_depend_on_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = np.random.default_rng(2).integers(0, 9, (30, 4)).astype(np.float64)
    whole = intervals.resampled_sums(sums, 3, 50)
    monkeypatch.setattr(intervals, "BLOCK", 100)
    np.testing.assert_array_equal(intervals.resampled_sums(sums, 3, 50), whole)
    assert intervals.resampled_sums(sums[:0], 3, 50).shape == (50, 4)
