"""Tests of a training run and its folder: it is killed, resumed, drawn, and described in a card."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import hashlib
import json
import os
import pickle
import re
import signal
from importlib import resources
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tiny import TINY, positions

from rc_env.agents import net
from rc_env.agents.net import NetBot
from rc_env.apps.cli import options, rc
from rc_env.ruleset import OLD_BASE, Ruleset
from rc_env.training import card, checkpoint, settings
from rc_env.training.games import SelfPlayGames
from rc_env.training.run import Run, settings_of, train
from rc_env.training.settings import PRESETS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


draw_from = SelfPlayGames.draw_from


def weights(one: Run) -> torch.Tensor:
    """The weights that are trained, then their running means."""
    networks = (one.network, one.averaged)
    return torch.cat([tensor.flatten() for each in networks for tensor in each.state_dict().values()])


def test_a_run_leaves_its_settings_its_curve_and_its_networks(run):
    done, rows = run
    assert done.finished and done.decisions == 512 + 768
    assert settings.read_settings(done.folder / "config.json") == TINY
    assert [row["stage"] for row in rows] == ["imitation"] * 2 + ["ppo"] * 3
    assert [row["decisions"] for row in rows] == [256, 512, 768, 1024, 1280]
    assert [("won/random" in row) for row in rows] == [False, True, False, True, True]
    assert {"agreement", "policy_loss", "value_loss", "share/engine", "share/network", "share/optimiser"} <= set(
        rows[0]
    )
    assert {"entropy", "kl", "clipped", "explained", "decisions_per_s"} <= set(rows[-1])
    assert checkpoint.read_log(done.folder) == rows
    assert list(done.folder.glob("events.out.tfevents.*"))
    for name in (net.BEST, net.LAST):
        assert (done.folder / name).stat().st_size < 3_000_000
    assert not list(done.folder.glob("*.tmp"))


@pytest.fixture(scope="module")
def run_by_sb3(tmp_path_factory, one_thread):
    """Train a tiny run with MaskablePPO; return it."""
    return train(dataclasses.replace(TINY, learner="sb3"), tmp_path_factory.mktemp("sb3"))


# The stage of imitation, which ends with the second iteration, is the same with both learners.
@pytest.mark.parametrize(("learner", "stop_after"), [("ppo", 1), ("ppo", 2), ("ppo", 4), ("sb3", 2), ("sb3", 4)])
def test_a_run_that_goes_on_is_the_same_run(learner, stop_after, run, run_by_sb3, tmp_path):
    chosen = dataclasses.replace(TINY, learner=learner)
    whole = run[0] if learner == "ppo" else run_by_sb3
    rows = []

    def tell(row):
        rows.append(row)
        if len(rows) == stop_after:
            os.kill(os.getpid(), signal.SIGINT)

    part = train(chosen, tmp_path / "part", tell)
    assert not part.finished and len(rows) == stop_after
    rest = train(chosen, tmp_path / "part", resume=True)
    assert rest.finished and torch.equal(weights(rest), weights(whole))
    seen = [
        [{name: row[name] for name in row if not name.startswith(("share", "seconds", "decisions_per"))} for row in log]
        for log in map(checkpoint.read_log, (whole.folder, tmp_path / "part"))
    ]
    assert seen[0] == seen[1]


@pytest.mark.long  # its two threads wait for each other where another process has a core
def test_equal_seeds_give_equal_weights_with_the_settings_of_strong(tmp_path):
    """Two threads, bfloat16 where that is faster: the same bits again, and others with another seed."""
    small = {name: getattr(TINY, name) for name in ("envs", "steps", "batch", "trunk", "heads", "object", "anchors")}
    chosen = dataclasses.replace(
        PRESETS["strong"], imitation=256, decisions=512, evaluate_every=9, evaluation_games=4, turn_limit=20, **small
    )
    one, again, other = (
        weights(train(dataclasses.replace(chosen, seed=seed), tmp_path / name))
        for name, seed in (("one", 3), ("again", 3), ("other", 4))
    )
    assert chosen.threads == 2 and torch.equal(one, again) and not torch.equal(one, other)


@pytest.mark.parametrize("averaging", [0.0, 0.75])
def test_the_network_that_is_exported_has_the_mean_weights(averaging, tmp_path):
    one = Run(dataclasses.replace(TINY, averaging=averaging), tmp_path)
    mean: dict[str, np.ndarray] = {}
    while not one.finished:
        one.iterate()
        now = one.network.layers()
        mean = {name: averaging * mean.get(name, now[name]) + (1 - averaging) * now[name] for name in now}
    one.close()
    exported = NetBot(str(tmp_path / net.LAST)).net_for(one.ruleset).layers
    moved = 0.0
    for name, (weight, bias) in exported.items():
        np.testing.assert_allclose(weight, mean[f"{name}.weight"], rtol=1e-3, atol=1e-5)  # written in half precision
        np.testing.assert_allclose(bias, mean[f"{name}.bias"], rtol=1e-3, atol=1e-5)
        moved += np.abs(mean[f"{name}.weight"] - now[f"{name}.weight"]).max()
    assert (moved > 1e-3) == bool(averaging)


def test_deals_and_iterations_have_seeds_of_their_own(tmp_path, monkeypatch):
    one, drawn = Run(TINY, tmp_path), []
    monkeypatch.setattr(SelfPlayGames, "draw_from", lambda games, seed: drawn.append(seed) or draw_from(games, seed))
    while not one.finished:
        one.iterate()
    one.log.close()
    assert len(set(drawn)) == len(drawn) == 2 + 5  # the seeds of the deals of two stages, and of five iterations


def test_a_run_killed_between_checkpoints_goes_on_from_the_last_one(run, tmp_path):
    whole, _ = run
    killed = Run(TINY, tmp_path)
    for _ in range(3):  # the checkpoint was written after the second iteration: the third is lost
        killed.iterate()
    killed.log.close()
    rest = train(TINY, tmp_path, resume=True)
    assert torch.equal(weights(rest), weights(whole))
    assert len(checkpoint.read_log(tmp_path)) == 5


def test_tensorboard_shows_each_number_of_the_log_once_also_after_a_kill(tmp_path):
    killed = Run(TINY, tmp_path)
    for _ in range(3):  # the third iteration is logged, and lost with the process
        killed.iterate()
    killed.log.close()
    train(TINY, tmp_path, resume=True)
    board = EventAccumulator(str(tmp_path)).Reload()
    rows = checkpoint.read_log(tmp_path)
    names = {name for row in rows for name in row} - {"decisions", "stage"}
    assert set(board.Tags()["scalars"]) == names
    for name in names:
        shown = [(event.step, event.value) for event in board.Scalars(name)]
        assert shown == [(row["decisions"], np.float32(row[name])) for row in rows if name in row]


def test_a_run_killed_at_once_can_go_on_and_takes_the_place_of_an_older_one(run, tmp_path):
    whole, _ = run
    older = train(dataclasses.replace(TINY, seed=5, trunk=16, imitation=256, decisions=256), tmp_path)
    assert older.finished and (tmp_path / net.BEST).exists()

    def kill(row):
        raise MemoryError

    with pytest.raises(MemoryError):
        train(TINY, tmp_path, kill)
    assert not (tmp_path / net.BEST).exists()
    assert settings_of(tmp_path) == TINY
    rest = train(TINY, tmp_path, resume=True)
    assert torch.equal(weights(rest), weights(whole))


def test_the_best_network_is_the_newest_that_is_not_clearly_worse(tmp_path, monkeypatch):
    one = Run(dataclasses.replace(TINY, evaluation_games=100), tmp_path)  # a standard error of 5 %
    kept: list[str] = []
    monkeypatch.setattr(one, "export", kept.append)
    for mean, keeps in ((0.5, True), (0.46, True), (0.44, False), (0.6, True), (0.56, True), (0.54, False)):
        score = SimpleNamespace(opponent="random", share=SimpleNamespace(mean=mean), prestige=20.0)
        monkeypatch.setattr("rc_env.training.run.evaluate", lambda *args, score=score: [score])
        kept.clear()
        assert one.evaluate() == {"won/random": mean, "prestige/random": 20.0}
        assert kept == [net.BEST] * keeps
    one.log.close()


def test_a_run_of_few_games_hardly_begun_learns_nothing_and_goes_on(tmp_path):
    few = dataclasses.replace(TINY, envs=1, steps=2, batch=2, imitation=8, decisions=8, evaluate_every=2)
    rows = []
    assert train(few, tmp_path, rows.append).finished
    assert len(rows) == 8 and min(row["samples"] for row in rows) < 2
    assert all(np.isfinite(value) for row in rows for value in row.values() if not isinstance(value, str))


def test_seeds_decide(run, tmp_path):
    whole, _ = run
    again = train(TINY, tmp_path / "again")
    other = train(dataclasses.replace(TINY, seed=1), tmp_path / "other")
    assert torch.equal(weights(again), weights(whole)) and not torch.equal(weights(other), weights(whole))


def test_a_full_disk_is_one_sentence_and_keeps_the_last_checkpoint(tmp_path, monkeypatch):
    one = Run(TINY, tmp_path)
    one.iterate()
    one.save()
    kept = (tmp_path / checkpoint.FILE).read_bytes()

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"last.npz cannot be written: No space left on device; the one written"):
        one.save()
    assert (tmp_path / checkpoint.FILE).read_bytes() == kept and not list(tmp_path.glob("*.tmp"))


def test_a_full_disk_at_the_very_end_leaves_a_run_that_goes_on_to_the_same_network(run, tmp_path, monkeypatch):
    export = Run.export

    def full(one, name):
        if one.finished and name == net.LAST:
            raise OSError(errno.ENOSPC, "No space left on device")
        export(one, name)

    monkeypatch.setattr(Run, "export", full)
    with pytest.raises(OSError, match="No space left on device"):
        train(TINY, tmp_path)
    monkeypatch.undo()
    assert train(TINY, tmp_path, resume=True).finished
    assert (tmp_path / net.LAST).read_bytes() == (run[0].folder / net.LAST).read_bytes()


def test_a_full_disk_is_one_sentence_wherever_the_log_meets_it(tmp_path, monkeypatch):
    log = checkpoint.Log(tmp_path)

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(log._board, "add_scalar", full)
    with pytest.raises(
        OSError, match=r"progress.jsonl cannot be written: No space left on device; checkpoints are kept"
    ):
        log.add({"decisions": 1, "loss": 0.5})


def test_what_is_no_checkpoint_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match=r"resume: there is no file '.*checkpoint.pt': name the folder of a run that `rc train`"
    ):
        train(TINY, tmp_path, resume=True)
    for write in (
        lambda path: path.write_bytes(b"nothing"),
        lambda path: torch.save({"settings": Planted(tmp_path / "ran")}, path),
        lambda path: path.write_bytes(pickle.dumps(Planted(tmp_path / "ran"))),
    ):
        write(tmp_path / checkpoint.FILE)
        with pytest.raises(ValueError, match=r"checkpoint.pt is not a file that `rc train` wrote"):
            checkpoint.load(tmp_path)
    np.savez(tmp_path / "a.npz", about=np.array([Planted(tmp_path / "ran")], object))
    with pytest.raises(ValueError, match=r"a.npz is not a (file|network) that `rc train` wrote"):
        net.load(tmp_path / "a.npz")
    assert not (tmp_path / "ran").exists()


class Planted:
    """An object whose pickle makes a file when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_checkpoint_with_one_byte_altered_is_refused(run, tmp_path):
    """PyTorch alone would read it, and the training would continue with another weight."""
    one, _ = run
    file = (one.folder / checkpoint.FILE).read_bytes()
    layer = max(one.network.state_dict().values(), key=torch.numel).numpy().tobytes()
    place = file.index(layer) + len(layer) // 2
    (tmp_path / checkpoint.FILE).write_bytes(file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :])
    with pytest.raises(ValueError, match=r"checkpoint.pt is not a file that `rc train` wrote"):
        checkpoint.load(tmp_path)


def test_a_run_goes_on_with_its_own_settings_alone(run):
    one, _ = run
    with pytest.raises(ValueError, match=r"^resume: .* was begun with other settings than those given"):
        train(dataclasses.replace(TINY, seed=5), one.folder, resume=True)


def test_a_folder_is_for_one_training_at_a_time(tmp_path):
    refused = []

    def tell(row):
        for resume in (False, True):
            with pytest.raises(ValueError, match=r"^out: another command is at work in .*run") as error:
                train(TINY, tmp_path / "run", resume=resume)
            refused.append(error)

    whole = train(TINY, tmp_path / "run", tell)
    assert refused and whole.finished and checkpoint.load(tmp_path / "run")["finished"]
    assert train(TINY, tmp_path / "run", resume=True).finished


def test_a_training_that_diverges_keeps_its_last_checkpoint(tmp_path):
    one = Run(TINY, tmp_path)
    one.iterate()
    one.save()
    kept = {name: (tmp_path / name).read_bytes() for name in (checkpoint.FILE, net.LAST)}
    learner = one._learner

    def diverging(progress):
        with torch.no_grad():
            next(one.network.parameters()).fill_(torch.nan)
        return {}

    learner.iterate = diverging
    with pytest.raises(ValueError, match=r"^the weights are no longer finite after [\d,]+ decisions"):
        one.iterate()
    one.close()
    assert {name: (tmp_path / name).read_bytes() for name in kept} == kept
    assert train(TINY, tmp_path, resume=True).finished


def test_a_run_does_not_go_on_with_other_cards(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes((resources.files("rc_env") / "data" / "base.toml").read_bytes())
    chosen = dataclasses.replace(TINY, data=str(file))
    one = Run(chosen, tmp_path / "run")
    one.iterate()
    one.save()
    one.close()
    text = file.read_text()
    assert net.load(tmp_path / "run").about["data_sha256"] == {"data": one.ruleset.data_file.sha256}
    file.write_text(text + "\n# another file, though its cards are the same\n")
    with pytest.raises(ValueError, match=r"^net: .*last.npz was trained with other cards than those in .*mine"):
        net.load(tmp_path / "run")
    with pytest.raises(ValueError, match=r"^resume: .* was begun with other cards than those in .*mine.toml now"):
        train(chosen, tmp_path / "run", resume=True)
    file.unlink()
    with pytest.raises(ValueError, match=r"^net: .* was trained with the cards of '.*mine.toml', which is not there"):
        net.load(tmp_path / "run")
    file.write_text(text)
    assert train(chosen, tmp_path / "run", resume=True).finished


def test_a_run_on_the_packaged_cards_of_version_1_goes_on(tmp_path):
    one = Run(TINY, tmp_path)
    one.iterate()
    one.save()
    one.close()
    state = checkpoint.load(tmp_path)
    state["cards"] = [OLD_BASE]
    checkpoint.save(tmp_path, state)
    assert train(TINY, tmp_path, resume=True).finished


@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (3, "advanced"), (4, "basic")])
def test_every_variant_trains(players, workshop, tmp_path):
    train(dataclasses.replace(TINY, players=players, workshop=workshop, imitation=256, decisions=256), tmp_path)
    bot = NetBot(tmp_path)
    assert (bot.net.ruleset.players, bot.net.ruleset.workshop) == (players, workshop)
    position = positions(players=players, workshop=workshop)
    actions = bot.act(position)
    assert (position.mask[np.arange(64), actions] == 1).all()


def test_curves_of_runs_are_drawn_and_others_refused(run, tmp_path, capsys):
    folder, picture = run[0].folder, tmp_path / "curve.svg"
    assert rc.main(["curve", str(folder), str(folder), "--out", str(picture)]) == 0
    assert "2 run(s)" in capsys.readouterr().out and picture.read_text().startswith("<svg")
    longer = tmp_path / "longer"
    longer.mkdir()
    rows = checkpoint.read_log(folder)
    (longer / checkpoint.LOG).write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[-1]]))
    more = tmp_path / "more"  # a folder of anchors
    more.mkdir()
    (more / checkpoint.LOG).write_text(
        "".join(json.dumps(row | {"won/greedy": 0.5} if "won/random" in row else row) + "\n" for row in rows)
    )
    unlike = "in its settings or its length; only the seed may differ"
    for first, other, seen in (
        (folder, longer, unlike),
        (folder, more, unlike),
        (more, folder, unlike),
        (folder, tmp_path, "in which games were played"),
    ):
        assert rc.main(["curve", str(first), str(other), "--out", str(tmp_path / "none.svg")]) == 2
        assert f"runs: {other} " in (error := capsys.readouterr().err) and seen in error
    assert not (tmp_path / "none.svg").exists()


def test_a_card_tells_how_to_train_the_network_again(run, tmp_path, capsys):
    assert (
        rc.main(["card", str(run[0].folder), "--against", "random", "--games", "5", "--out", f"{tmp_path}/a.md"]) == 0
    )
    assert "a.md: 6 games against each of random" in capsys.readouterr().out
    text = (tmp_path / "a.md").read_text()
    assert "512 decisions of imitation of `greedy`, then" in text and "| random | 6 |" in text
    parser = argparse.ArgumentParser()
    settings.add_arguments(parser)
    options.add_variant(parser)
    words = re.search(r"`rc train --preset (\w+) (.*)`", text)
    assert words
    given = settings.given(parser.parse_args(words[2].split()))
    assert settings.from_dict(given, PRESETS[words[1]]) == TINY
    assert rc.main(["card", str(run[0].folder), "--out", f"{tmp_path}/none/a.md"]) == 2
    assert "none/a.md cannot be written: No such file or directory" in capsys.readouterr().err


def test_the_command_of_a_card_names_what_was_imitated_after_a_start_and_the_rewards_for_actions(tmp_path):
    """`rc train` imitates nothing with --start unless it is named, so that also the preset's number has to be."""
    chosen = dataclasses.replace(
        PRESETS["quick"], start="shipped", bonus={"move": 0.25, "claim": -0.5}, bonus_until=0.25, raised={"move": 2.0}
    )
    said = card.training_command(json.loads(settings.to_json(chosen)))
    assert f"--start shipped --imitation {chosen.imitation} " in said
    assert said.endswith("--bonus move=0.25,claim=-0.5 --bonus-until 0.25 --raised move=2")
    assert "--imitation" not in card.training_command(json.loads(settings.to_json(PRESETS["quick"])))
    file = tmp_path / "last.npz"
    one = Run(dataclasses.replace(TINY, bonus={"move": 0.25, "claim": -0.5}, bonus_until=0.25), tmp_path)
    one.export("last.npz")
    rows = card.training_section(net.load(file))
    said = "| reward | win, at the end; 0.25 for `move`, -0.5 for `claim` at first, nothing after 25 % of PPO, "
    assert f"{said}which was not reached: the value counts these rewards |" in rows
    raised = net.load(file)
    raised.about["settings"]["raised"] = {"move": 2.0, "claim": -0.5}
    said = "| raised | `move` by 2, `claim` by -0.5, in the logits of the network that it began with |"
    assert said in card.training_section(raised)


def test_a_card_says_by_its_bytes_which_file_the_training_began_with(tmp_path):
    """A name alone is not enough: weights in the package, or `last.npz` of a run, are replaced by later ones."""
    first = Run(TINY, tmp_path / "first")
    first.export("last.npz")
    expected = hashlib.sha256((tmp_path / "first" / "last.npz").read_bytes()).hexdigest()
    chosen = dataclasses.replace(TINY, start=str(tmp_path / "first"), imitation=0)
    second = Run(chosen, tmp_path / "second")
    second.save()
    (tmp_path / "first" / "last.npz").unlink()  # a run that goes on does not read it again
    resumed = Run(chosen, tmp_path / "second", checkpoint.load(tmp_path / "second"))
    resumed.export("again.npz")
    for name in ("last.npz", "again.npz"):
        rows = card.training_section(net.load(tmp_path / "second" / name))
        assert f"| began with | `{tmp_path / 'first'}`, SHA-256 {expected} |" in rows
    odd = net.load(tmp_path / "second" / "again.npz")
    odd.about["start_sha256"] = "no digest |"
    with pytest.raises(ValueError, match="the network has no settings to write down"):
        card.training_section(odd)


@pytest.mark.parametrize("setting", ["guide", "anchors"])
def test_a_bot_that_cannot_play_the_game_is_refused_before_the_training(setting, tmp_path):
    name = f"net:{net.shipped(Ruleset(3))}"
    chosen = dataclasses.replace(TINY, **{setting: name if setting == "guide" else (name,)})
    with pytest.raises(ValueError, match="was trained for 3 players, basic; it cannot play a game of 2 players"):
        Run(chosen, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_card_over_several_sets_tells_of_all_of_them(run, tmp_path, capsys):
    words = ["card", str(run[0].folder), "--against", "random", "--games", "4", "--out", f"{tmp_path}/a.md"]
    assert rc.main([*words, "--data", "sample:7-9"]) == 0
    assert "a.md: 12 games against each of random" in capsys.readouterr().out
    text = (tmp_path / "a.md").read_text()
    assert "the mean\nover drawn sets of cards (`sample:7-9`)" in text and "| random | 12 |" in text
    assert rc.main([*words, "--data", "sample:7"]) == 2
    assert "rc card: --out:" in capsys.readouterr().err


def test_a_solo_card_tells_of_ivan_alone(tmp_path, capsys):
    solo = train(dataclasses.replace(TINY, players=1, imitation=256, decisions=256), tmp_path)
    assert rc.main(["card", str(solo.folder), "--games", "3", "--out", f"{tmp_path}/a.md"]) == 0
    assert "3 games against each of Ivan" in capsys.readouterr().out
    text = (tmp_path / "a.md").read_text()
    assert "# A network for the solo game" in text and "| Ivan | 3 |" in text and "seatings" not in text


def test_a_network_of_other_layers_is_not_exported(run, tmp_path, capsys):
    with np.load(run[0].folder / net.BEST) as archive:
        arrays = {name: archive[name] for name in archive.files}
    np.savez(tmp_path / "other.npz", **arrays, **{"more.weight": np.zeros((2, 2)), "more.bias": np.zeros(2)})
    assert rc.main(["export", str(tmp_path / "other.npz"), "--onnx", str(tmp_path / "a.onnx")]) == 2
    assert "layers: a network for this game has no 'more.weight'" in capsys.readouterr().err
