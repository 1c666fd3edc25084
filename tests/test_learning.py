"""Training: from settings to a model in a file, and that it learns."""

from __future__ import annotations

import dataclasses
import json
import zipfile

import numpy as np
import pytest
import torch
from stable_baselines3.common.vec_env import VecEnv

import agents
from agents.base import Position
from rc_env import Engine, Ruleset
from training import cli, match
from training.learned import PolicyBot, load
from training.train import PRESETS, Settings, train

TINY = Settings(
    decisions=512,
    envs=16,
    steps=16,
    batch=128,
    epochs=1,
    trunk=32,
    heads=16,
    turn_limit=20,
    snapshot_every=1,
    opponents={"latest": 1, "past": 1, "greedy": 1},
)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """The networks here are tiny, and tests run side by side: threads would only wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A tiny run: (folder, model, what was told)."""
    folder = tmp_path_factory.mktemp("run")
    told = []
    model = train(TINY, folder, lambda decisions, scores: told.append((decisions, scores)))
    return folder, model, told


def positions(**ruleset) -> Position:
    engine = Engine(Ruleset(**ruleset), 64, 5)
    engine.play_random(60)
    return Position.of(engine)


def test_a_run_leaves_its_settings_and_its_model(run):
    folder, model, told = run
    assert Settings(**json.loads((folder / "config.json").read_text())) == TINY
    assert model.num_timesteps == 512
    assert told[-1][0] == 512 and set(told[-1][1]) == {"won", "unfinished"}
    assert isinstance(model.env, VecEnv)


def test_a_model_plays_on_as_it_was_saved(run):
    folder, model, _ = run
    loaded, ruleset = load(folder)
    assert (ruleset.players, ruleset.workshop, ruleset.turn_limit) == (2, "basic", 1000)
    position = positions()
    for sample in (False, True):
        one, other = (PolicyBot(m.policy, sample=sample, seed=3).act(position) for m in (model, loaded))
        np.testing.assert_array_equal(one, other)
        assert one.dtype == np.int64 and (position.mask[np.arange(64), one] == 1).all()


def test_a_policy_bot_draws_by_the_networks_probabilities(run):
    _, model, _ = run
    engine = Engine(Ruleset(), 512)
    engine.reset(deal_seeds=np.full(512, 3))
    position = Position.of(engine)
    bot = PolicyBot(model.policy, seed=1)
    drawn = np.mean([np.bincount(bot.act(position), minlength=engine.num_actions) / 512 for _ in range(40)], axis=0)
    observation = model.policy.obs_to_tensor(position.observation[:1])[0]
    expected = model.policy.get_distribution(observation, action_masks=position.mask[:1]).distribution.probs
    np.testing.assert_allclose(drawn, expected.detach().numpy()[0], atol=0.02)


def test_a_policy_bot_is_frozen_and_repeats(run):
    _, model, _ = run
    position = positions()
    bot = PolicyBot(model.policy, seed=1)
    first = bot.act(position)
    weights = model.policy.action_net.weight.data
    kept = weights.clone()
    weights += torch.randn_like(weights)
    bot.reset(1)
    np.testing.assert_array_equal(bot.act(position), first)
    weights[:] = kept
    bot.reset(2)
    assert not np.array_equal(bot.act(position), first)


def test_equal_seeds_train_equal_models(run, tmp_path):
    _, model, _ = run
    for seed, same in ((0, True), (1, False)):
        other = train(dataclasses.replace(TINY, seed=seed), tmp_path / str(seed))
        pairs = zip(model.policy.parameters(), other.policy.parameters(), strict=True)
        assert all(bool((one == two).all()) for one, two in pairs) == same


@pytest.mark.parametrize(("players", "workshop"), [(3, "advanced"), (4, "basic")])
def test_every_variant_trains(players, workshop, tmp_path):
    settings = dataclasses.replace(TINY, players=players, workshop=workshop, decisions=256)
    train(settings, tmp_path)
    model, ruleset = load(tmp_path / "model.zip")
    assert (ruleset.players, ruleset.workshop) == (players, workshop)
    actions = PolicyBot(model.policy).act(positions(players=players, workshop=workshop))
    assert len(actions) == 64


# --- models that cannot be loaded


def rewritten(folder, tmp_path, **changes):
    """A copy of a model that says something else of what it was made for."""
    with zipfile.ZipFile(folder / "model.zip") as source, zipfile.ZipFile(tmp_path / "model.zip", "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "data":
                data = json.loads(content)
                data["made_for"] = {**data["made_for"], **changes}
                content = json.dumps(data).encode()
            target.writestr(name, content)
    return tmp_path / "model.zip"


def test_a_model_of_another_layout_is_refused(run, tmp_path):
    path = rewritten(run[0], tmp_path, layout_hash="abc-def")
    with pytest.raises(ValueError, match=r"trained on layout abc-def, expected .*, that of this version: train it"):
        load(path)


def test_a_model_of_another_game_is_refused(run, tmp_path):
    path = rewritten(run[0], tmp_path, players=3)
    with pytest.raises(ValueError, match="trained on layout"):
        load(path)


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no file .*nothing, expected one that `rc train` wrote"):
        load(tmp_path / "nothing")
    (tmp_path / "model.zip").write_text("not a zip")
    with pytest.raises(ValueError, match="expected a file that `rc train` wrote"):
        load(tmp_path)
    with zipfile.ZipFile(tmp_path / "model.zip", "w") as archive:
        archive.writestr("data", "{}")
    with pytest.raises(ValueError, match="expected a file that `rc train` wrote"):
        load(tmp_path)


# --- the command line


def test_train_and_evaluate_on_the_command_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", TINY)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["train", "--seed", "7", "--decisions", "256", "--games", "10"]) == 0
    folder = tmp_path / "runs" / "quick-2p-basic-seed7"
    assert json.loads((folder / "config.json").read_text())["seed"] == 7
    out = capsys.readouterr().out
    assert "Compiling" in out and "random" in out and "greedy" in out and "95 %" in out
    assert cli.main(["evaluate", str(folder), "--against", "random", "--games", "5"]) == 0
    assert "greedy" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["train", "--preset", "fast"], "argument --preset: invalid choice: 'fast'"),
        (["train", "--players", "7"], "players: 7 found, expected a whole number from 1 to 4"),
        (["train", "--workshop", "big"], "workshop: 'big' found, expected one of basic, advanced"),
        (["train", "--decisions", "many"], "argument --decisions: invalid int value: 'many'"),
        (["train", "--decisions", "0"], "decisions: 0 found, expected at least 1"),
        (["train", "--seed", "-1"], "seed: -1 found, expected at least 0"),
        (["train", "--games", "0"], "games: 0 found, expected at least 1"),
        (["train", "--out", "/dev/null/x"], "Not a directory: '/dev/null/x'"),
        (["evaluate", "nothing.zip"], "model: no file nothing.zip, expected one that `rc train` wrote"),
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


@pytest.mark.slow
def test_a_minute_of_training_beats_random(tmp_path):
    """About a minute on 2 cores."""
    settings = dataclasses.replace(PRESETS["quick"], decisions=400_000)
    bot = PolicyBot(train(settings, tmp_path).policy)
    share = match.play([bot, agents.make("random")], 250, Ruleset(), seed=1).share(0)
    assert share.low > 0.6, f"won {share.mean:.1%}, {share.low:.1%} to {share.high:.1%}"
