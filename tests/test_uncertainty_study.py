"""Tests of the study of unknown numbers: the features of sets, and how well they predict the results."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Ruleset
from rc_env.arena.studies import uncertainty

SETS = [Ruleset(data=f"sample:{seed}") for seed in range(150)]


def test_every_set_has_the_same_features_and_every_group_varies() -> None:
    inputs, of_group = uncertainty.features(SETS)
    assert inputs.shape == (150, len(of_group)) and np.isfinite(inputs).all()
    varies = inputs.std(0) > 0
    assert {int(group) for group in of_group[varies]} == set(range(len(uncertainty.GROUPS)))
    four, _ = uncertainty.features([Ruleset(4, data="sample:1")])
    two, _ = uncertainty.features([Ruleset(2, data="sample:1")])
    assert (four != two).any()  # the building plans depend on the number of players


def test_features_are_what_they_are_called() -> None:
    tables = Ruleset(data="base").data_file.tables
    assert uncertainty._market(tables, 2) == {"stone": 2, "gold": 1, "green_gem": 1}
    assert uncertainty._track(tables, 2) == {"gaps of 4": 4, "gaps of 3": 6, "gaps of 2": 12}
    assert uncertainty._craftsmen(tables, 2) == {"common 2": 3, "precious 2": 0, "common 3": 3, "precious 3": 0}
    assert uncertainty._third_cards(tables, 2)["teamsters 1"] == 0
    assert sum(uncertainty._marks(tables, 2).values()) == 7
    assert uncertainty._plans(tables, 2)["without middle"] == 1


def test_what_follows_from_a_group_is_predicted_from_it() -> None:
    inputs, of_group = uncertainty.features(SETS)
    names = list(uncertainty.GROUPS)
    market = np.flatnonzero(of_group == names.index("market amounts"))
    signal = inputs[:, market[0]] - inputs[:, market[1]]
    noise = np.random.default_rng(1).standard_normal(len(SETS))
    figure = 0.5 + 0.02 * signal + 0.005 * noise
    found = uncertainty.predict(inputs, of_group, figure).as_json()
    ceiling = 1 - 0.005**2 / figure.var()
    assert found["all"][0] == pytest.approx(ceiling, abs=0.1)
    groups = found["groups"]
    assert groups["market amounts"]["alone"][0] == pytest.approx(ceiling, abs=0.05)
    assert groups["market amounts"]["lost"][1] > 0.4
    for name in names:
        if name != "market amounts":
            assert groups[name]["alone"][0] < 0.15 and abs(groups[name]["lost"][0]) < 0.05, name
    low, high = found["all"][1:]
    assert low < found["all"][0] < high


def test_noise_is_not_predicted() -> None:
    inputs, of_group = uncertainty.features(SETS)
    figure = np.random.default_rng(2).standard_normal(len(SETS))
    assert uncertainty.predict(inputs, of_group, figure).r2[0, 0] < 0.08


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="rulesets must be drawn sets, such as sample:0-511, not 'base'"):
        uncertainty.features([Ruleset()])
    inputs, of_group = uncertainty.features(SETS[:20])
    with pytest.raises(
        ValueError, match="at least 30 sets are needed, of which a tenth is predicted at a time; got 20"
    ):
        uncertainty.predict(inputs, of_group, np.zeros(20))
    with pytest.raises(ValueError, match=r"inputs must be \(K, F\) features with \(F,\) groups and \(K,\) figures,"):
        uncertainty.predict(inputs, of_group, np.zeros(19))
