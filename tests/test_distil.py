"""Tests of bench/distil.py: what a search found is kept as it was, and a network is fitted to it where it can be."""

from __future__ import annotations

from pathlib import Path

import distil
import numpy as np
import pytest
import torch

from rc_env import Engine, Ruleset
from rc_env.agents import net
from rc_env.agents.playout_search import PlayoutSearch
from rc_env.bot import Position
from rc_env.training.network import Network

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> distil.Lessons:
    """Some decisions."""
    torch.set_num_threads(1)
    return distil.play(0, seed=3, games=16, apart=8)


def test_the_worth_is_that_of_the_search() -> None:
    engine = Engine(Ruleset(2), num_games=4, seed=5)
    network = net.load(net.shipped(engine.ruleset))
    thoughts = PlayoutSearch(distil.SETTINGS, 5).think(Position.of(engine), network)
    worth, tried = distil.worth_of(thoughts), thoughts.visit_counts > 0
    np.testing.assert_array_equal(np.isfinite(worth), tried)
    scale = (
        (distil.SETTINGS.visit_offset + thoughts.visit_counts.max(1, keepdims=True)) * distil.SETTINGS.value_scale / 2
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        again = np.log(thoughts.prior) - np.log(thoughts.policy) + scale * np.where(tried, worth, np.nan)
    spread = np.nanmax(again, 1) - np.nanmin(again, 1)  # equal but for a constant of each position
    assert spread.max() < 1e-3


def test_decisions_that_were_searched_are_kept(lessons: distil.Lessons) -> None:
    assert len(lessons) >= 3 and lessons.numbers.dtype == np.uint8
    tried = np.isfinite(lessons.worth)
    assert (tried.sum(1) >= 2).all() and (tried.sum(1) <= 3).all() and not (tried & ~lessons.masks).any()
    mean, error, differ = distil.gain(distil.start(), lessons)
    assert (mean, error, differ) == (0, 0, 0), "the packaged network chooses as the prior does"


@pytest.mark.parametrize("kind", ["linear", "improved"])
def test_both_losses_raise_the_worth_of_what_is_learned(lessons: distil.Lessons, kind: str) -> None:
    network = distil.start()
    before = expected(network, lessons)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    for _ in range(150):
        optimiser.zero_grad()
        distil.loss_of(network, lessons, kind, 50).backward()
        optimiser.step()
    possible = float(np.nanmax(lessons.worth.astype(np.float64), 1).mean())
    assert expected(network, lessons) > (before + possible) / 2 > before


def expected(network: Network, lessons: distil.Lessons) -> float:
    """The mean worth of what the network's policy plays, among the actions that were tried."""
    logits = network(network.encode(lessons.numbers))[0]
    policy = distil.log_policy(logits, torch.from_numpy(lessons.masks)).exp().detach().numpy()
    tried = np.isfinite(lessons.worth)
    policy = np.where(tried, policy, 0)
    return float(((policy * np.nan_to_num(lessons.worth)).sum(1) / policy.sum(1)).mean())


def test_the_commands_play_fit_and_write_a_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lessons: distil.Lessons
) -> None:
    monkeypatch.setattr(distil, "play", lambda seconds, seed: lessons)
    folder, network = tmp_path / "found", tmp_path / "taught.npz"
    assert distil.main(["play", "--out", str(folder), "--minutes", "0"]) == 0
    assert distil.main(["fit", "--out", str(folder), "--net", str(network), "--passes", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{len(lessons)} decisions" and out[1] == "9 decisions to learn from, 2 held out"
    assert out[2].startswith("step 0: +0.00000 ± 0.00000 a decision, 0.0%")
    assert net.load(network).layers.keys() == net.load(net.shipped(Ruleset(2))).layers.keys()
    with pytest.raises(SystemExit):
        distil.main(["fit", "--out", str(tmp_path / "none")])
    assert "holds no decisions" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        distil.main(["fit", "--out", str(folder), "--part", "0"])
    assert "there are 0 decisions, fewer than 10" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["cut", "another", "shape", "kind"])
def test_a_file_of_another_form_is_refused(tmp_path: Path, change: str, lessons: distil.Lessons) -> None:
    path, arrays = tmp_path / "found.npz", dict(vars(lessons))
    if change == "another":
        arrays["seconds"] = arrays.pop("worth")
    if change == "shape":
        arrays["worth"] = lessons.worth[:, 1:]
    if change == "kind":
        arrays["masks"] = lessons.masks.astype(np.int8)
    np.savez_compressed(path, **arrays)
    if change == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"found\.npz (is no file that|has an array of)"):
        distil.read(path)


def test_a_file_is_read_as_it_was_written(tmp_path: Path, lessons: distil.Lessons) -> None:
    np.savez_compressed(tmp_path / "found.npz", **vars(lessons))
    found = distil.read(tmp_path / "found.npz")
    for name, array in vars(lessons).items():
        np.testing.assert_array_equal(getattr(found, name), array)
