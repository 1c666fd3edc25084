"""The mean of networks: `rc average`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rc_env import Ruleset
from rc_env.agents import net
from rc_env.apps.cli import rc
from rc_env.training.averaging import mean_network
from rc_env.training.card import training_section


def varied(kept: net.Net, seed: int, scale: float = 0.01) -> tuple[dict[str, np.ndarray], dict]:
    """Layers of the network with noise, and its description with another seed."""
    random = np.random.default_rng(seed)
    layers = {
        name: array + np.float32(scale) * random.standard_normal(array.shape, np.float32)
        for name, array in kept.arrays().items()
    }
    return layers, {**kept.about, "settings": {**kept.about["settings"], "seed": seed}}


def test_each_weight_is_the_mean_of_those_of_all_networks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = net.load(net.shipped(Ruleset()))
    files = [tmp_path / f"{seed}.npz" for seed in (4, 5, 6)]
    for seed, path in zip((4, 5, 6), files, strict=True):
        with path.open("wb") as file:
            net.save(*varied(kept, seed), file)
    assert rc.main(["average", *map(str, files), "--out", str(tmp_path / "mean.npz")]) == 0
    assert "the mean of 3 networks" in capsys.readouterr().out
    mean, parts = net.load(tmp_path / "mean.npz"), [net.load(path) for path in files]
    for name, pair in mean.layers.items():
        for i in range(2):
            expected = sum(one.layers[name][i] for one in parts) / 3
            np.testing.assert_allclose(pair[i], expected, rtol=1e-3, atol=1e-4)  # float16
    assert not np.array_equal(mean.layers["trunk.0"][0], parts[0].layers["trunk.0"][0])
    assert mean.about["averaged"] == [4, 5, 6] and mean.about["decisions"] == kept.about["decisions"]
    assert "the mean of the weights of 3 such runs, with the seeds 4, 5, 6 (`rc average`)" in training_section(mean)
    mean.about["value"] = {"games": 1500, "seed": 9, "layer": "value.1"}
    assert "| value | its last layer fitted to 1,500 games of the network with itself, seed 9" in training_section(mean)


def test_the_mean_names_the_cards_that_all_were_trained_on() -> None:
    kept = net.load(net.shipped(Ruleset(fourth_guild="random", special_tiles=True, contractors=True)))
    about = {**kept.about, "expansion_data": "sample-v1:0-3"}
    mean = mean_network([net.Net(varied(kept, seed)[0], about) for seed in (1, 2)])
    assert mean.about["expansion_data"] == "sample-v1:0-3" and mean.about["data"] == kept.about["data"]


def test_rewards_that_fell_to_nothing_may_differ() -> None:
    kept = net.load(net.shipped(Ruleset()))
    about = {**kept.about, "settings": {**kept.about["settings"], "bonus": {"hire": 0.3}}}
    mean = mean_network([kept, net.Net(varied(kept, 1)[0], about)])
    assert mean.about["settings"] == kept.about["settings"]


def test_networks_that_do_not_fit_are_refused() -> None:
    kept = net.load(net.shipped(Ruleset()))
    with pytest.raises(ValueError, match="an average needs at least two networks; got 1"):
        mean_network([kept])
    with pytest.raises(ValueError, match=r"networks\[1\] is for another game, cards or reward than the first"):
        mean_network([kept, net.load(net.shipped(Ruleset(workshop="advanced")))])
    with pytest.raises(ValueError, match=r"networks\[1\] is for another game, cards or reward than the first"):
        about = {**kept.about, "settings": {**kept.about["settings"], "reward": "first"}}
        mean_network([kept, net.Net(varied(kept, 1)[0], about)])
    with pytest.raises(ValueError, match=r"networks\[1\] is for another game, cards or reward than the first"):
        about = {**kept.about, "settings": {**kept.about["settings"], "reward_scale": 10.0}}
        mean_network([kept, net.Net(varied(kept, 1)[0], about)])
    with pytest.raises(ValueError, match=r"networks\[1\] is for another game, cards or reward than the first"):
        about = {**kept.about, "expansion_data": "sample-v1:0-3"}
        mean_network([kept, net.Net(varied(kept, 1)[0], about)])
    layers, about = varied(kept, 1)
    hidden = layers["value.0.weight"].shape[1]
    layers["value.0.weight"], layers["value.0.bias"] = layers["value.0.weight"][:, 1:], layers["value.0.bias"][1:]
    layers["value.1.weight"] = layers["value.1.weight"][1:]
    assert hidden == len(layers["value.1.weight"]) + 1
    with pytest.raises(ValueError, match=r"networks\[1\] has layers of other sizes than the first"):
        mean_network([kept, net.Net(layers, about)])
    without = {name: value for name, value in kept.about.items() if name != "settings"}
    with pytest.raises(ValueError, match=r"networks\[1\] has no settings"):
        mean_network([kept, net.Net(varied(kept, 1)[0], without)])


def test_the_command_refuses_a_file_that_is_no_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["average", str(net.shipped(Ruleset())), str(tmp_path / "none.npz"), "--out", str(tmp_path / "mean.npz")]
    assert rc.main(words) == 2
    assert "none.npz" in capsys.readouterr().err and not (tmp_path / "mean.npz").exists()


def test_the_command_counts_no_network_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = net.shipped(Ruleset())
    copied = tmp_path / "link.npz"
    copied.symlink_to(shipped)
    assert rc.main(["average", str(shipped), str(copied), "--out", str(tmp_path / "mean.npz")]) == 2
    assert f"{shipped} and {copied} are the same network: name each one once" in capsys.readouterr().err
    assert not (tmp_path / "mean.npz").exists()
