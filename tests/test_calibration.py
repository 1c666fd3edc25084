"""Tests of the calibration of a network's value, compared with known values and results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rc_env import Ruleset
from rc_env.agents import net
from rc_env.agents.net import Net, NetBot
from rc_env.apps.cli import rc
from rc_env.arena import match
from rc_env.arena.studies.calibration import BINS, calibration
from rc_env.training.card import training_section

pytestmark = pytest.mark.slow


def always(monkeypatch: pytest.MonkeyPatch, value: float) -> None:
    """Let every network give every position this value."""
    monkeypatch.setattr(Net, "value", lambda one, numbers: np.full(len(numbers), value, np.float32))


@pytest.mark.parametrize(("players", "value"), [(2, 0.0), (2, 0.5), (2, -0.75), (3, 0.25)])
def test_a_value_that_is_always_the_same(
    players: int, value: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever wins, the seats of a game have on average half the points between first and last place."""
    always(monkeypatch, value)
    found = calibration(trained_for("win", players, tmp_path), Ruleset(players, turn_limit=30), 12, 5)
    share = (1 + value) / 2
    only = min(int(share * BINS), BINS - 1)
    assert found.count[only] == found.count.sum() > 100 * players and found.count[only] % players == 0
    assert found.predicted[only] == pytest.approx(share)
    assert found.observed.mean[only] == pytest.approx(0.5)
    assert found.error.mean == pytest.approx(abs(share - 0.5)) and found.error.low == pytest.approx(found.error.high)
    assert np.isnan(np.delete(found.predicted, only)).all() and np.isnan(np.delete(found.observed.mean, only)).all()


VALUE = {f"value.{number}.{part}" for number in (0, 1) for part in ("weight", "bias")}


def trained_for(reward: str, players: int, folder: Path) -> NetBot:
    """Save the network that the package ships in a file that names another reward."""
    kept = net.load(net.shipped(Ruleset(players)))
    about = {**kept.about, "settings": {**kept.about["settings"], "reward": reward}}
    with (folder / "other.npz").open("wb") as file:
        net.save(kept.arrays(), about, file)
    return NetBot(folder / "other.npz")


def test_the_reward_first_is_the_share_of_a_win(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    always(monkeypatch, 0.0)
    found = calibration(trained_for("first", 3, tmp_path), Ruleset(3, turn_limit=30), 6, 5)
    only = int(BINS / 3)
    assert (found.predicted[only], found.observed.mean[only]) == pytest.approx((1 / 3, 1 / 3))
    assert found.count[only] == found.count.sum() > 0


def test_against_a_plain_count() -> None:
    """The figures equal those computed directly from every value and every result of some games."""
    rules, games = Ruleset(turn_limit=40), 8
    bot = NetBot()

    class Watch:
        values: list = []
        results = np.zeros((games, 2))

        def before(self, engine, rows, actions, numbers):
            for seat in range(2):
                values = bot.net.value(engine.observe(rows, seat=seat, dtype=np.uint8))
                shares = np.clip((1 + values) / 2, 0, 1)  # a network may value a position above the reward of a win
                self.values += [(number, seat, share) for number, share in zip(numbers, shares, strict=True)]

        def after(self, engine, rows, numbers):
            for row, number in zip(rows, numbers, strict=True):
                if engine.terminated[row] or engine.truncated[row]:
                    self.results[number] = engine.rewards[row]

    watch = Watch()
    match.play_match([bot] * 2, games, rules, seed=9, rotate=False, watcher=watch)
    found = calibration(bot, rules, games, 9)
    error = 0.0
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        inside = [(g, s, v) for g, s, v in watch.values if low <= v < high or (v >= 1 and high == 1)]
        assert found.count[number] == len(inside)
        if inside:
            predicted = np.mean([value for *_, value in inside])
            observed = np.mean([(1 + watch.results[g, s]) / 2 for g, s, _ in inside])
            assert found.predicted[number] == pytest.approx(predicted, abs=1e-6)
            assert found.observed.mean[number] == pytest.approx(observed)
            error += abs(predicted - observed) * len(inside) / len(watch.values)
    assert found.error.mean == pytest.approx(error, abs=1e-6) and found.error.low <= found.error.high
    assert np.unique(watch.results).tolist() == [-1, 1] or 0 in watch.results


def test_the_command(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["calibration", "shipped", "--games", "4", "--turn-limit", "20", "--out", f"{tmp_path}/a.svg"]) == 0
    out = capsys.readouterr().out
    assert "4 games with itself" in out and "Calibration error" in out and "games won" in out
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_a_fitted_value_predicts_better_and_leaves_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A value that is far too high is found to be so; all logits stay the same."""
    kept = net.load(net.shipped(Ruleset()))
    layers = kept.arrays()
    layers["value.1.bias"] = layers["value.1.bias"] + np.float32(0.5)
    elsewhere = {"device": "cuda", "anchors": ["net:runs/gone"], "opponents": {"net:runs/gone": 1.0}, "start": "gone"}
    about = {**kept.about, "settings": {**kept.about["settings"], **elsewhere}}
    with (tmp_path / "high.npz").open("wb") as file:
        net.save(layers, about, file)
    before = calibration(NetBot(tmp_path / "high.npz"), None, 200, 3)  # of fewer games the error is mostly chance
    words = ["calibration", str(tmp_path / "high.npz"), "--fit", str(tmp_path / "fitted.npz"), "--games", "60"]
    assert rc.main(words) == 0
    assert "fitted to 60 games, seed 0" in capsys.readouterr().out
    fitted = net.load(tmp_path / "fitted.npz")
    after = calibration(NetBot(tmp_path / "fitted.npz"), None, 200, 3)
    assert after.error.mean < 0.6 * before.error.mean
    assert {name for name in layers if not np.array_equal(layers[name], fitted.arrays()[name])} <= VALUE
    assert fitted.about == {**about, "value": {"games": 60, "seed": 0}}
    assert "| value | fitted to 60 games of the network with itself, seed 0" in training_section(fitted)


def test_networks_without_a_win_to_predict_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^bot: a network for the reward score found, expected one for win or first$"):
        calibration(trained_for("score", 2, tmp_path), None, 2)
    with pytest.raises(ValueError, match=r"^ruleset: none found, expected one"):
        calibration(NetBot(), None, 2)
