"""Training: from settings to a run's folder, on from a checkpoint, and that it learns."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import json
import os
import re
import signal
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import agents
from agents import net
from agents.base import Position
from agents.net import NetBot
from rc_env import Engine, Ruleset
from training import checkpoint, cli, match, settings
from training.network import FrozenBot, Network, draw, log_policy
from training.pool import OpponentPool
from training.ppo import PPO
from training.settings import PRESETS, Settings
from training.train import Run, settings_of, train

TINY = Settings(
    imitation=512,
    teacher="greedy",
    decisions=768,
    envs=16,
    steps=16,
    batch=64,
    epochs=1,
    trunk=32,
    layers=1,
    heads=16,
    object=8,
    turn_limit=20,
    snapshot_every=1,
    snapshots=2,
    opponents={"self": 1, "past": 1, "greedy": 1},
    threads=1,
    precision="float32",
    device="cpu",
    anchors=("random",),
    evaluate_every=2,
    evaluation_games=4,
)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Tests run side by side: threads would only wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A tiny run and what it told."""
    rows = []
    return train(TINY, tmp_path_factory.mktemp("run"), rows.append), rows


def positions(games: int = 64, **ruleset) -> Position:
    engine = Engine(Ruleset(**ruleset), games, 5)
    engine.play_random(30)
    return Position.of(engine)


def weights(one: Run) -> torch.Tensor:
    return torch.cat([tensor.flatten() for tensor in one.network.state_dict().values()])


# --- a run and its folder


def test_a_run_leaves_its_settings_its_curve_and_its_networks(run):
    done, rows = run
    assert done.finished and done.decisions == 512 + 768
    assert settings.read(done.folder / "config.json") == TINY
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


@pytest.mark.parametrize("learner", ["ppo", "sb3"])
@pytest.mark.parametrize("stop_after", [1, 2, 4])
def test_a_run_that_goes_on_is_the_same_run(learner, stop_after, tmp_path):
    chosen = dataclasses.replace(TINY, learner=learner)
    whole = train(chosen, tmp_path / "whole")
    rows = []

    def tell(row):
        rows.append(row)
        if len(rows) == stop_after:
            os.kill(os.getpid(), signal.SIGINT)

    part = train(chosen, tmp_path / "part", tell)
    assert not part.finished and len(rows) == stop_after
    rest = train(chosen, tmp_path / "part", resume=True)
    assert rest.finished and torch.equal(weights(rest), weights(whole))
    told = [
        [{name: row[name] for name in row if not name.startswith(("share", "seconds", "decisions_per"))} for row in log]
        for log in map(checkpoint.read_log, (tmp_path / "whole", tmp_path / "part"))
    ]
    assert told[0] == told[1]


def test_a_run_killed_between_checkpoints_goes_on_from_the_last_one(run, tmp_path):
    whole, _ = run
    killed = Run(TINY, tmp_path)
    for _ in range(3):  # the checkpoint is that after the second: the third is lost
        killed.iterate()
    killed.log.close()
    rest = train(TINY, tmp_path, resume=True)
    assert torch.equal(weights(rest), weights(whole))
    assert len(checkpoint.read_log(tmp_path)) == 5


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
        monkeypatch.setattr("training.train.evaluate", lambda *args, score=score: [score])
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
    with pytest.raises(OSError, match=r"checkpoint.pt cannot be written: No space left on device; the one written"):
        one.save()
    assert (tmp_path / checkpoint.FILE).read_bytes() == kept and not list(tmp_path.glob("*.tmp"))


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
    with pytest.raises(ValueError, match=r"resume: no file .*checkpoint.pt"):
        train(TINY, tmp_path, resume=True)
    (tmp_path / checkpoint.FILE).write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"checkpoint.pt found, expected a file that `rc train` wrote"):
        checkpoint.load(tmp_path)


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
    assert cli.main(["curve", str(folder), str(folder), "--out", str(picture)]) == 0
    assert "2 run(s)" in capsys.readouterr().out and picture.read_text().startswith("<svg")
    longer = tmp_path / "longer"
    longer.mkdir()
    rows = checkpoint.read_log(folder)
    (longer / checkpoint.LOG).write_text("".join(json.dumps(row) + "\n" for row in [*rows, rows[-1]]))
    for other, told in ((longer, "expected the settings and the length of"), (tmp_path, "in which games were played")):
        assert cli.main(["curve", str(folder), str(other), "--out", str(tmp_path / "none.svg")]) == 2
        assert f"runs: {other} found" in (error := capsys.readouterr().err) and told in error
    assert not (tmp_path / "none.svg").exists()


def test_a_card_tells_how_to_train_the_network_again(run, tmp_path, capsys):
    assert (
        cli.main(["card", str(run[0].folder), "--against", "random", "--games", "5", "--out", f"{tmp_path}/a.md"]) == 0
    )
    assert "a.md: 5 games against each of random" in capsys.readouterr().out
    text = (tmp_path / "a.md").read_text()
    assert "512 decisions of imitation of `greedy`, then" in text and "| random | 6 |" in text
    parser = argparse.ArgumentParser()
    settings.add_arguments(parser)
    words = re.search(r"`rc train --preset (\w+) (.*)`", text)
    assert words
    given = settings.given(parser.parse_args(words[2].split()))
    assert settings.from_dict(given, PRESETS[words[1]]) == TINY
    assert cli.main(["card", str(run[0].folder), "--out", f"{tmp_path}/none/a.md"]) == 2
    assert "none/a.md found, expected a file in a folder that is there" in capsys.readouterr().err


def test_a_solo_card_tells_of_ivan_alone(tmp_path, capsys):
    solo = train(dataclasses.replace(TINY, players=1, imitation=256, decisions=256), tmp_path)
    assert cli.main(["card", str(solo.folder), "--games", "3", "--out", f"{tmp_path}/a.md"]) == 0
    assert "3 games against each of Ivan" in capsys.readouterr().out
    text = (tmp_path / "a.md").read_text()
    assert "# A network for the solo game" in text and "| Ivan | 3 |" in text and "seatings" not in text


def test_a_network_of_other_layers_is_not_exported(run, tmp_path, capsys):
    with np.load(run[0].folder / net.BEST) as archive:
        arrays = {name: archive[name] for name in archive.files if not name.startswith("objects.claims.1")}
    np.savez(tmp_path / "other.npz", **arrays)
    assert cli.main(["export", str(tmp_path / "other.npz"), "--onnx", str(tmp_path / "a.onnx")]) == 2
    assert "export: a network of other layers found" in capsys.readouterr().err


# --- the learner


def test_advantages_follow_each_seat():
    """Against a plain reckoning, decision by decision, of every seat's own stream."""
    chosen = dataclasses.replace(TINY, opponents={"self": 3, "random": 1}, players=3, steps=40, turn_limit=6)
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), OpponentPool(chosen.opponents), 3)
    learner.play()
    rollout = learner._rollout
    gamma, gae_lambda = 0.9, 0.8
    samples = rollout.samples(gamma, gae_lambda)
    gains = []
    for t in range(40):
        for row in np.flatnonzero(rollout._mine[t]):
            seat = rollout._seats[t, row]
            stream, outcome, ended = [t], 0.0, False
            for later in range(t, 40):
                if later > t and rollout._mine[later, row] and rollout._seats[later, row] == seat:
                    stream.append(later)
                if rollout._dones[later, row]:
                    outcome, ended = rollout._rewards[later, row, seat], True
                    break
            if len(stream) == 1 and not ended:
                continue
            values = [rollout._values[step, row] for step in stream]
            paid = [0.0] * (len(stream) - 1) + [outcome]
            after = [*values[1:], 0.0]
            errors = [paid[k] + gamma * after[k] - values[k] for k in range(len(stream) - (not ended))]
            gains.append(sum((gamma * gae_lambda) ** k * error for k, error in enumerate(errors)))
    np.testing.assert_allclose(samples.advantages.numpy(), gains, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("imitation", "progress", "holds"), [(512, 0.0, True), (512, 0.9, False), (0, 0.0, False)])
def test_ppo_holds_on_to_the_teacher_for_a_while_after_a_warm_start(imitation, progress, holds):
    chosen = dataclasses.replace(TINY, imitation=imitation, teacher_weight=100.0, teacher_until=0.5, learning_rate=0.01)
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), OpponentPool({"self": 1}), 3)
    position = positions(512)
    labels = torch.from_numpy(agents.make("greedy").act(position))[:, None]

    def likely() -> float:
        with torch.no_grad():
            logits = learner.network(learner.network.encode(position.observation))[0]
            return float(log_policy(logits, torch.from_numpy(position.mask) == 1).gather(1, labels).mean())

    before = likely()
    for _ in range(12):
        learner.iterate(progress)
    assert (likely() > before + 0.25) is holds


def test_actions_are_drawn_by_their_probabilities():
    torch.manual_seed(0)
    masks = torch.tensor([[True, False, True, True, False]]).repeat(20_000, 1)
    log_probs = log_policy(torch.tensor([[1.0, 9.0, 0.0, -1.0, 9.0]]).repeat(20_000, 1), masks)
    share = torch.bincount(draw(log_probs), minlength=5) / 20_000
    torch.testing.assert_close(share, log_probs[0].exp(), atol=0.015, rtol=0)
    assert share[1] == share[4] == 0


# --- networks as bots


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (4, "basic")])
def test_numpy_plays_as_pytorch(players, workshop):
    chosen = dataclasses.replace(TINY, players=players, workshop=workshop)
    torch.manual_seed(1)
    network = Network(chosen)
    with torch.no_grad():
        for tensor in network.parameters():
            tensor += 0.05 * torch.randn_like(tensor)
    position = positions(players=players, workshop=workshop)
    logits, values = (tensor.detach().numpy() for tensor in network(network.encode(position.observation)))
    twin = net.Net(network.layers(), net.describe(chosen.ruleset))
    np.testing.assert_allclose(twin.logits(position.observation), logits, atol=1e-5)
    np.testing.assert_allclose(twin.value(position.observation), values, atol=1e-5)


def test_a_net_is_a_bot_by_name(run):
    folder = run[0].folder
    position = positions()
    bots = [agents.make("net", path=folder), agents.from_text(f"net:{folder}"), NetBot(folder / net.BEST)]
    first, *others = (bot.act(position) for bot in bots)
    assert first.dtype == np.int64 and (position.mask[np.arange(64), first] == 1).all()
    for other in others:
        np.testing.assert_array_equal(first, other)
    drawing = agents.from_text(f"net:{folder},sample=True,seed=4")
    drawn = drawing.act(position)
    drawing.reset(4)
    np.testing.assert_array_equal(drawing.act(position), drawn)
    assert not np.array_equal(drawn, first)


def test_shipped_weights_are_those_of_the_game(run, tmp_path, monkeypatch):
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    (tmp_path / "2p-basic.npz").write_bytes((run[0].folder / net.BEST).read_bytes())
    position = positions()
    np.testing.assert_array_equal(agents.make("net").act(position), NetBot(run[0].folder).act(position))
    assert cli.main(["evaluate", "net", "--against", "random", "--games", "2"]) == 0
    with pytest.raises(ValueError, match=r"no weights for 3 players, basic, .*\(2p-basic\).*net:PATH"):
        agents.make("net", path="shipped").act(positions(players=3))


def test_a_net_of_another_game_or_layout_is_refused(run, tmp_path):
    file = run[0].folder / net.BEST
    with pytest.raises(ValueError, match="4 players, basic, found, expected 2 players, basic, for which it was"):
        NetBot(file).act(positions(players=4))
    with np.load(file) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = {**json.loads(str(arrays.pop("about"))), "layout_hash": "abc-def"}
    np.savez(tmp_path / "old.npz", about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(ValueError, match=r"trained on rules 1, layout abc-def, expected .*: train it anew"):
        NetBot(tmp_path / "old.npz")
    with pytest.raises(ValueError, match=r"net: no file .*, expected one that `rc train` wrote"):
        NetBot(tmp_path / "none.npz")
    for content in (b"no archive", b""):
        (tmp_path / "bad.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"bad.npz found, expected a file that `rc train` wrote"):
            NetBot(tmp_path / "bad.npz")


def test_a_frozen_bot_does_not_learn(run):
    network = Network(TINY)
    position = positions()
    bot = FrozenBot(network, seed=1)
    first = bot.act(position)
    with torch.no_grad():
        network.trunk[0].weight += 1
    bot.reset(1)
    np.testing.assert_array_equal(bot.act(position), first)


def test_onnx_plays_as_the_bot(run, tmp_path, capsys):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    assert cli.main(["export", str(run[0].folder), "--onnx", str(tmp_path / "net.onnx")]) == 0
    assert "ONNX Runtime differs" in capsys.readouterr().out
    import onnxruntime

    session = onnxruntime.InferenceSession(tmp_path / "net.onnx", providers=["CPUExecutionProvider"])
    trained = NetBot(run[0].folder).net
    position = positions(7)  # not the number of games it was exported with
    logits, value = session.run(["logits", "value"], {"inputs": trained.inputs(position.observation)})
    np.testing.assert_allclose(logits, trained.logits(position.observation), atol=1e-4)
    np.testing.assert_allclose(value, trained.value(position.observation), atol=1e-4)


# --- settings


def test_settings_come_from_preset_file_and_command_line(tmp_path):
    parser = argparse.ArgumentParser()
    settings.add_arguments(parser)
    words = ["--players", "3", "--opponents", "self=0.5,greedy=0.5", "--anchors", "random,greedy", "--entropy", "0.1"]
    given = settings.given(parser.parse_args(words))
    (tmp_path / "a.toml").write_text('players = 4\nlearning_rate = 1\nanchors = ["random"]\n[opponents]\npast = 1\n')
    read = settings.read(tmp_path / "a.toml", PRESETS["quick"])
    assert (read.players, read.learning_rate, read.anchors, read.opponents) == (4, 1, ("random",), {"past": 1})
    chosen = settings.from_dict(given, read)
    assert (chosen.players, chosen.entropy, chosen.learning_rate) == (3, 0.1, 1)
    assert chosen.opponents == {"self": 0.5, "greedy": 0.5}
    for preset in PRESETS.values():
        (tmp_path / "b.json").write_text(settings.to_json(preset))
        assert settings.read(tmp_path / "b.json") == preset


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"player": 2}', "player: no such setting, expected one of players"),
        ('{"players": "2"}', "players: '2' found, expected a whole number"),
        ('{"learner": "dqn"}', "learner: 'dqn' found, expected one of ppo, sb3"),
        ('{"entropy": NaN}', "entropy: nan found, expected a number from 0 to 1000"),
        ('{"clip": -1}', "clip: -1 found, expected a number from 1e-09 to 1000"),
        ('{"learning_rate": 0}', "learning_rate: 0 found, expected a number from 1e-09 to 1"),
        ('{"seed": 18446744073709551616}', "seed: 18446744073709551616 found, expected a whole number from 0 to"),
        ('{"trunk": 1000000000000}', "trunk: 1000000000000 found, expected a whole number from 1 to 100000"),
        ('{"anchors": []}', "anchors: none found, expected the name of a bot"),
        ('{"anchors": [1]}', "anchors: 1 found, expected the name of a bot"),
        ('{"anchors": {"greedy": 1}}', "anchors: .* found, expected a list of names"),
        ('{"opponents": ["self"]}', r"opponents: \['self'\] found, expected shares by name"),
        ('{"opponents": {"self": "a"}}', "shares: {'self': 'a'} found, expected numbers of at least 0"),
        ('{"opponents": {"self": NaN}}', "shares: {'self': nan} found, expected numbers of at least 0"),
        ("[1]", "expected settings by name"),
        ("{", r"cannot be read \(.*\), expected JSON or TOML"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, words, tmp_path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        settings.read(tmp_path / "a.json")


# --- the command line


def test_train_and_evaluate_on_the_command_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", TINY)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["train", "--seed", "7", "--decisions", "256", "--games", "10"]) == 0
    folder = tmp_path / "runs" / "quick-2p-basic-seed7"
    assert json.loads((folder / "config.json").read_text())["seed"] == 7
    out = capsys.readouterr().out
    assert "Compiling" in out and "random" in out and "95 %" in out
    for model in (str(folder), "runs/quick-2p-basic-seed7", f"net:{folder}", "random", "random:3"):
        assert cli.main(["evaluate", model, "--against", "greedy", "--games", "5"]) == 0
        assert "greedy" in (out := capsys.readouterr().out) and "2 players" in out
    assert cli.main(["evaluate", "greedy", "--players", "3", "--workshop", "advanced", "--games", "3"]) == 0
    assert "3 players, advanced" in capsys.readouterr().out
    assert cli.main(["evaluate", str(folder), "--players", "3", "--games", "3"]) == 2
    assert "a game of 3 players, basic, found, expected 2 players" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["train", "--help"])
    assert "--gae-lambda" in capsys.readouterr().out


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory")])
def test_too_little_memory_is_told_in_one_sentence(error, monkeypatch, tmp_path, capsys):
    def full(*args, **kwargs):
        raise error

    monkeypatch.setattr("training.train.train", full)
    assert cli.main(["train", "--envs", "5000", "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "memory: too little for 5000 games of 128 decisions, layers of 256, expected a smaller --envs" in told
    monkeypatch.setattr(error, "args", ("else",))
    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError, match="else"):
            cli.main(["train", "--out", str(tmp_path / "run")])


def test_an_unfinished_run_is_not_written_over(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", TINY)
    one = Run(TINY, tmp_path / "run")
    one.iterate()
    one.save()
    one.log.close()
    assert cli.main(["train", "--out", str(tmp_path / "run")]) == 2
    assert "stopped after 256 decisions" in capsys.readouterr().err
    assert cli.main(["train", "--resume", str(tmp_path / "run"), "--seed", "3"]) == 2
    assert "expected none: a run goes on with its own" in capsys.readouterr().err
    assert cli.main(["train", "--resume", str(tmp_path / "run"), "--games", "4"]) == 0
    assert "Its bot is net:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["train", "--preset", "fast"], "argument --preset: invalid choice: 'fast'"),
        (["train", "--players", "7"], "players: 7 found, expected a whole number from 1 to 4"),
        (["train", "--workshop", "big"], "workshop: 'big' found, expected one of basic, advanced"),
        (["train", "--decisions", "many"], "argument --decisions: invalid int value: 'many'"),
        (["train", "--decisions", "-1"], "decisions: -1 found, expected a whole number from 0"),
        (["train", "--seed", "-1"], "seed: -1 found, expected a whole number from 0"),
        (["train", "--opponents", "greedy"], "argument --opponents: 'greedy' found, expected NAME=SHARE"),
        (["train", "--opponents", "self=x"], "argument --opponents: 'x' found as the share of self, expected a number"),
        (["evaluate", "net:nothing,sample=no"], "sample: 'no' found, expected True or False"),
        (["evaluate", "gredy:3"], "bot: 'gredy:3' found, expected one of"),
        (["evaluate", "greedy", "--players", "7"], "players: 7 found, expected a whole number from 1 to 4"),
        (["curve", "nothing", "--out", "a.svg"], "runs: nothing found, expected a folder with a progress.jsonl"),
        (["card", "nothing", "--out", "a.md"], "net: no file nothing, expected one that `rc train` wrote"),
        (["export", "nothing", "--onnx", "a.onnx"], "net: no file nothing, expected one that `rc train` wrote"),
        (["train", "--teacher", "gredy"], "bot: 'gredy' found"),
        (["train", "--games", "0"], "games: 0 found, expected at least 1"),
        (["train", "--out", "/dev/null/x"], "Not a directory: '/dev/null/x'"),
        (["train", "--resume", "nothing"], "resume: no file nothing/checkpoint.pt"),
        (["evaluate", "nothing.npz"], "net: no file nothing.npz, expected one that `rc train` wrote"),
        (["dance"], "argument COMMAND: invalid choice: 'dance'"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_bad_input_is_told_in_one_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    try:
        code = cli.main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    told = capsys.readouterr()
    assert code == 2
    assert sentence in told.err and told.err.startswith("rc") and told.err.count("\n") == 1
    assert not list(tmp_path.iterdir()), "nothing should have been written"


# --- learning

MINUTE = dataclasses.replace(
    PRESETS["quick"], imitation=500_000, decisions=200_000, envs=128, evaluate_every=1000, threads=1
)


@pytest.mark.slow
def test_self_play_learns_from_nothing(tmp_path):
    """About a minute of one core; without a teacher, so that only PPO can have learned it."""
    chosen = dataclasses.replace(MINUTE, imitation=0, decisions=400_000, entropy=0.02, learning_rate=5e-4)
    run = train(dataclasses.replace(chosen, opponents={"self": 1}), tmp_path)
    assert run.finished
    share = match.play([FrozenBot(run.network), agents.make("random")], 250, Ruleset(), seed=1).share(0)
    assert share.low > 0.6, f"won {share.mean:.1%}, {share.low:.1%} to {share.high:.1%}"


@pytest.mark.slow
def test_a_minute_of_training_beats_random_and_wins_games_against_greedy(tmp_path):
    """About a minute of one core, as users train: imitation, then self-play."""
    assert train(MINUTE, tmp_path).finished
    bot = NetBot(tmp_path / net.LAST)
    for name, least in (("random", 0.95), ("greedy", 0.1)):
        share = match.play([bot, agents.make(name)], 250, Ruleset(), seed=1).share(0)
        assert share.low > least, f"won {share.mean:.1%} against {name}, {share.low:.1%} to {share.high:.1%}"
