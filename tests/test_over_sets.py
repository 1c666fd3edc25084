"""Tests of figures over many sets of cards: the spread of the sets, separated from the sampling error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rc_env.arena.over_sets import OverSets, errors_of, over_sets
from rc_env.arena.seeds import part_seed


def test_spread_and_mean_are_found_apart_from_the_error() -> None:
    """In 400 invented studies of 60 sets, 95 % of the intervals contain the true mean; spread and range are right."""
    generator = np.random.default_rng(1)
    covered, spreads, lows = 0, [], []
    for _ in range(400):
        errors = generator.uniform(0.01, 0.04, 60)
        values = 0.52 + 0.02 * generator.standard_normal(60) + errors * generator.standard_normal(60)
        found = over_sets(values, errors)
        covered += found.mean_low <= 0.52 <= found.mean_high
        spreads.append(found.spread)
        lows.append(found.low)
    assert 0.92 <= covered / 400 <= 0.98
    assert np.mean(spreads) == pytest.approx(0.02, abs=0.001)
    assert np.mean(lows) == pytest.approx(0.52 - 1.645 * 0.02, abs=0.002)


def test_sets_that_do_not_differ_have_no_spread() -> None:
    found = over_sets([0.5, 0.51, 0.49, 0.5], [0.05] * 4)
    assert found.spread == 0 and found.low == found.mean == found.high
    assert found.mean_low < 0.5 < found.mean_high
    assert found.share_above(0.4) > 0.95 and found.share_above(0.6) < 0.05


def test_known_values() -> None:
    """Without sampling error, the spread is the standard deviation, and the interval is Student's."""
    values = [1.0, 2.0, 3.0, 4.0]
    found = over_sets(values, [0.0] * 4)
    assert found.spread == pytest.approx(np.std(values, ddof=1), rel=1e-6)
    assert found.mean_high - found.mean == pytest.approx(3.182446 * np.std(values, ddof=1) / 2, rel=1e-5)
    assert found.share_above(found.mean) == pytest.approx(0.5)
    assert found.as_json()["sets"] == 4


def test_the_share_above_a_threshold_is_that_of_new_sets() -> None:
    generator = np.random.default_rng(3)
    shares, true = [], []
    for _ in range(200):
        values = 0.52 + 0.02 * generator.standard_normal(64)
        shares.append(over_sets(values + 0.01 * generator.standard_normal(64), [0.01] * 64).share_above(0.5))
        true.append(0.52 + 0.02 * generator.standard_normal() > 0.5)
    assert np.mean(shares) == pytest.approx(0.841, abs=0.01)
    assert np.mean(true) == pytest.approx(np.mean(shares), abs=0.08)


def test_errors_come_from_intervals() -> None:
    np.testing.assert_allclose(errors_of([0.0], [3.919928]), [1.0], rtol=1e-6)


def test_sets_have_seeds_of_their_own() -> None:
    assert len({part_seed(seed, place) for seed in range(3) for place in range(50)}) == 150


@pytest.mark.parametrize(
    ("values", "errors"),
    [([1.0], [1.0]), ([1.0, 2.0], [1.0]), ([1.0, np.nan], [1.0, 1.0]), ([1.0, 2.0], [1.0, -1.0]), (["a", "b"], [1, 1])],
)
def test_what_is_no_figures_is_refused(values: Any, errors: Any) -> None:
    with pytest.raises(ValueError, match="must be at least two finite numbers"):
        over_sets(values, errors)
    assert OverSets(2, 1, 1, 1, 0, 1, 1, 0).share_above(0.5) == 1
