"""Tests of the calibration of a network's value, compared with known values and results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from rc_env import Engine, Ruleset
from rc_env.agents import net
from rc_env.agents.net import Net, NetBot
from rc_env.apps.cli import rc
from rc_env.arena import match
from rc_env.arena.studies import foresight
from rc_env.arena.studies.calibration import BINS, calibration
from rc_env.training import playout_values
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


@pytest.mark.long
def test_a_fitted_value_predicts_better_and_leaves_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that prefers what is bad learns better from few positions; all logits stay the same."""
    monkeypatch.setattr(playout_values, "GAMES", 16)
    kept = net.load(net.shipped(Ruleset()))
    layers = kept.arrays()
    layers["value.1.weight"] = -layers["value.1.weight"]
    elsewhere = {"device": "cuda", "anchors": ["net:runs/gone"], "opponents": {"net:runs/gone": 1.0}, "start": "gone"}
    about = {**kept.about, "settings": {**kept.about["settings"], **elsewhere}}
    with (tmp_path / "bad.npz").open("wb") as file:
        net.save(layers, about, file)
    folder = tmp_path / "positions"
    words = f"calibration {tmp_path}/bad.npz --fit {tmp_path}/fitted.npz --positions {folder} --games 60 --seed 3"
    assert rc.main(words.split()) == 0
    out = capsys.readouterr().out
    before, after = (float(out.split(word)[0].split()[-1]) for word in (" before", " after"))
    assert "60 games, seed 3" in out and before < 0 and after > 0.2
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"00000{number}.npz" for number in range(4)]
    fitted = net.load(tmp_path / "fitted.npz")
    arrays = fitted.arrays()
    assert all(np.array_equal(layers[name], arrays[name]) for name in layers)
    assert set(arrays) - set(layers) == {f"value_net.{i}.{part}" for i in range(4) for part in ("weight", "bias")}
    positions = sum(len(playout_values.read(file, fitted, 3)["seat"]) for file in files[:3])
    assert fitted.about == {**about, "value": {"positions": positions, "playouts": 4, "seed": 3}}
    assert f"| value | fitted to {positions} positions of games of the network with itself, seed 3" in training_section(
        fitted
    )
    # A file that is not there follows from the seed and its number; the others are not written again.
    old = playout_values.read(files[1], fitted, 3)
    files[1].unlink()
    times = [file.stat().st_mtime_ns for file in (files[0], files[2])]
    assert playout_values.collect(fitted, folder, 4, 3) == files
    for name, column in playout_values.read(files[1], fitted, 3).items():
        np.testing.assert_array_equal(column, old[name])
    assert times == [file.stat().st_mtime_ns for file in (files[0], files[2])]
    with pytest.raises(ValueError, match="holds those of another network"):
        playout_values.read(files[0], net.load(net.shipped(Ruleset(3))), 3)
    with pytest.raises(ValueError, match=r"holds those of seed 3, not 7: name a folder for each seed"):
        playout_values.collect(fitted, folder, 4, 7)


def test_positions_are_of_the_games_with_what_became_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near the end the play-outs end as the position stands; the beginnings of all games are worth the same."""
    monkeypatch.setattr(playout_values, "GAMES", 6)
    ruleset = Ruleset(3, turn_limit=12)
    player = foresight.player_of(net.load(net.shipped(ruleset)), ruleset)
    found = playout_values.played_positions(player, default_rng(1))
    count = len(found["seat"])
    assert count > 60 and (np.bincount(found["number"]) <= playout_values.POSITIONS).all()
    engine = Engine(ruleset, count)
    engine.restore(found["games"].view(engine.games.dtype).reshape(-1).view(np.ndarray))
    np.testing.assert_array_equal(engine.seat, found["seat"])
    rewards, prestige = found["rewards"].astype(np.float64), found["prestige"]
    np.testing.assert_allclose(rewards.sum(2), 0, atol=1e-6)
    total = prestige.sum(3)
    first = total == total.max(2, keepdims=True)
    alone = first.sum(2) == 1  # among equals sections decide
    assert player.reward == "first" and alone.mean() > 0.2
    np.testing.assert_allclose(rewards[alone], np.where(first[alone], 1, -0.5))
    last = found["left"] == 1
    decided = (rewards == rewards[:, :1]).all((1, 2)) & (found["decisions"] == 0).all(1)
    assert last.any() and decided[last].all()


def test_how_well_a_value_foresees(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rules, games = Ruleset(turn_limit=40), 12
    values: list[np.ndarray] = []
    value = Net.value

    def watched(one: Net, numbers: np.ndarray) -> np.ndarray:
        values.append(value(one, numbers))
        return values[-1]

    monkeypatch.setattr(Net, "value", watched)
    found = foresight.foresight(NetBot(), rules, games, 3, 5)
    assert [one.before for one in found] == [16, 32, 64]
    player = foresight.player_of(net.load(net.shipped(rules)), rules)
    played = foresight.self_play(player, games, 5)
    for number, one in enumerate(found):
        chosen = np.flatnonzero(played.left == one.before)
        assert len(chosen) == games
        means = foresight.play_out(player, played, chosen, 3, 5 + one.before).rewards.reshape(games, 3, 2).mean(1)
        each = np.stack(values[2 * number : 2 * number + 2], 1).ravel()
        result = played.rewards[played.games[chosen]].ravel()
        pairs = ((one.playouts, each, means.ravel()), (one.result, each, result), (one.known, means.ravel(), result))
        for got, x, y in pairs:
            assert got.mean == pytest.approx(np.corrcoef(x, y)[0, 1]) and got.low <= got.mean <= got.high
    assert found[0].known.mean > 0.9
    words = "calibration shipped --turn-limit 40 --games 12 --playouts 3 --seed 5"
    assert rc.main(words.split()) == 0
    out = capsys.readouterr().out
    assert "12 games, seed 5, 3 play-outs of each position" in out and f"{found[0].playouts.mean:.2f} (" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("calibration shipped --fit a.npz", "--fit takes no shipped: a file or a run names its own game"),
        (
            "calibration nowhere --fit a.npz --turn-limit 20",
            "--fit takes no --turn-limit: a file or a run names its own game",
        ),
        (
            "calibration nowhere --fit a.npz --turn-limit 0",
            "--fit takes no --turn-limit: a file or a run names its own game",
        ),
        ("calibration nowhere --fit a.npz --games 20", "--fit needs --positions DIR, where the positions are kept"),
        ("calibration nowhere --fit a.npz --positions {0} --games 500", "net: there is no file 'nowhere'"),
        (
            "calibration nowhere --fit a.npz --positions {0} --games 2",
            "games must be a whole number from 256 to 10000000, not 2",
        ),
        ("calibration shipped --games 1 --playouts 2", "games must be a whole number from 2 to 100000, not 1"),
        ("calibration shipped --games 2 --playouts 0", "playouts must be a whole number from 1 to 10000, not 0"),
        ("calibration shipped --games 2 --playouts 2 --out a.svg", "--out has no meaning with --playouts"),
        ("calibration shipped --games 0", "games must be a whole number from 2 to 10000000, not 0"),
        ("calibration nowhere", "net: there is no file 'nowhere'"),
        ("calibration shipped --games 1 --out nowhere/a.svg", "nowhere"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert rc.main(words.format(tmp_path).split()) == 2
    error = capsys.readouterr().err
    assert sentence in error and error.count("\n") == 1


def test_a_variant_without_a_network_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    assert rc.main(["calibration", "shipped", "--players", "3", "--special-tiles", "--games", "2"]) == 2
    error = capsys.readouterr().err
    assert "net: the package has no weights for 3 players, basic, the full game" in error and error.count("\n") == 1


def test_networks_without_a_win_to_predict_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^bot must have a network for the reward win or first, not score$"):
        calibration(trained_for("score", 2, tmp_path), None, 2)
    with pytest.raises(ValueError, match=r"^ruleset is needed with shipped weights"):
        calibration(NetBot(), None, 2)


def test_a_diagram_has_no_name_of_another_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["calibration", "shipped", "--out", f"{tmp_path}/a.png"]) == 2
    assert "a.png would hold an SVG: give a name that ends in .svg" in capsys.readouterr().err
