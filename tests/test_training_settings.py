"""Tests of the settings of a training run, from a file and from the command line."""

from __future__ import annotations

import argparse
import dataclasses
import json

import numpy as np
import pytest
import torch
from tiny import TINY

from rc_env.agents import net
from rc_env.apps.cli import rc
from rc_env.apps.cli import train as train_command
from rc_env.apps.cli.options import add_variant
from rc_env.training import checkpoint, settings
from rc_env.training.run import Run, train
from rc_env.training.settings import PRESETS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


def test_settings_come_from_preset_file_and_command_line(tmp_path):
    parser = argparse.ArgumentParser()
    add_variant(parser)
    settings.add_arguments(parser)
    words = ["--players", "3", "--opponents", "self=0.5,greedy=0.5", "--anchors", "random,greedy", "--entropy", "0.1"]
    words += ["--contractors", "--special-tiles"]
    given = settings.given(parser.parse_args(words))
    (tmp_path / "a.toml").write_text('players = 4\nlearning_rate = 1\nanchors = ["random"]\n[opponents]\npast = 1\n')
    read = settings.read_settings(tmp_path / "a.toml", PRESETS["quick"])
    assert (read.players, read.learning_rate, read.anchors, read.opponents) == (4, 1, ("random",), {"past": 1})
    chosen = settings.from_dict(given, read)
    assert (chosen.players, chosen.entropy, chosen.learning_rate) == (3, 0.1, 1)
    assert chosen.ruleset.contractors and chosen.ruleset.special_tiles and not read.ruleset.full
    assert settings.from_dict(json.loads(settings.to_json(chosen))) == chosen
    assert chosen.opponents == {"self": 0.5, "greedy": 0.5}
    for preset in PRESETS.values():
        (tmp_path / "b.json").write_text(settings.to_json(preset))
        assert settings.read_settings(tmp_path / "b.json") == preset


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"player": 2}', "there is no setting player: choose players"),
        (
            '{"learner": "sb3", "envs": 13, "steps": 5, "batch": 64}',
            "batch 64 leaves 1 of 65 samples over: choose another size",
        ),
        ('{"anchors": []}', "anchors must name at least one bot"),
        ('{"anchors": [1]}', "anchors must be the name of a bot, not 1"),
        ('{"anchors": {"greedy": 1}}', "anchors must be a list of names, not .*"),
        ('{"opponents": ["self"]}', r"opponents must be numbers by name, not \['self'\]"),
        ('{"opponents": {"self": "a"}}', "shares must be numbers of at least 0, .*, not {'self': 'a'}"),
        ('{"opponents": {"self": 1' + "0" * 400 + "}}", "shares must be numbers of at least 0, one of them above,"),
        ('{"opponents": {"self": NaN}}', "shares must be numbers of at least 0, .*, not {'self': nan}"),
        ('{"bonus": ["hire"]}', r"bonus must be numbers by name, not \['hire'\]"),
        ('{"bonus": {"hire": 0.1}}', "bonus: unknown verb .*hire.*, the verbs of this variant"),
        ('{"bonus": {"move": 2}}', "bonus, move must be a number from -1 to 1, not 2"),
        ('{"bonus": {"move": "a"}}', "bonus, move must be a number from -1 to 1, not 'a'"),
        ('{"bonus": {"move": 0.1}, "learner": "gumbel"}', "bonus is a setting of --learner ppo, not of gumbel"),
        ('{"bonus": {"move": 0.1}, "decisions": 0}', "bonus: is paid in PPO alone, and decisions is 0"),
        (
            '{"learner": "gumbel", "simulations": 1}',
            "simulations must be at least 2 for --learner gumbel: with 1 nothing",
        ),
        (
            '{"learner": "gumbel", "candidates": 1}',
            "candidates must be at least 2 for --learner gumbel: with 1 nothing",
        ),
        ('{"learner": "gumbel", "fast_simulations": 4}', "fast_simulations: all decisions are searched in full with"),
        ('{"guide": 1}', "guide must be a word, not 1"),
        ('{"guide": "gredy"}', "unknown bot 'gredy': did you mean greedy"),
        ('{"guide": "self"}', "unknown bot 'self'"),
        ('{"guide": "greedy", "guide_share": 0}', "guide_share must be a number from 1e-09 to 1, not 0"),
        ('{"guide_share": 0.3}', "guide_share: there is no guide; give one by --guide"),
        ('{"guide_turns": 3}', "guide_turns: there is no guide; give one by --guide"),
        ('{"bonus_until": 0.4}', "bonus_until: there is no bonus; give one by --bonus"),
        ('{"guide": "greedy", "learner": "sb3"}', "guide is a setting of --learner ppo, not of sb3"),
        ('{"guide": "greedy", "decisions": 0}', "guide: plays in PPO alone, and decisions is 0"),
        ('{"raised": {"move": 8}}', "raised changes the network that the training starts from: name one by --start"),
        ("[1]", "must hold settings by name"),
        ("{", r"is neither JSON nor TOML \(.*\)"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, words, tmp_path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        settings.read_settings(tmp_path / "a.json")


@pytest.mark.parametrize("setting", ["teacher", "guide", "anchors"])
def test_a_mistyped_bot_is_refused_with_the_setting_that_names_it(setting):
    named = ("gredy",) if setting == "anchors" else "gredy"
    with pytest.raises(ValueError, match=f"{setting}: unknown bot 'gredy': did you mean greedy"):
        dataclasses.replace(TINY, **{setting: named})


def test_with_a_network_to_start_from_nothing_is_imitated_unless_it_is_named(monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(train_command, "_train", lambda args: seen.append(train_command._chosen(args)[0]))
    (tmp_path / "old.json").write_text('{"imitation": 7}')
    (tmp_path / "new.json").write_text('{"imitation": 7, "start": "shipped"}')
    both, old = (f"--config {tmp_path}/{name}.json" for name in ("new", "old"))
    for words in ("--start shipped", "--start shipped --imitation 5", f"--start shipped {old}", both):
        assert rc.main(["train", "--decisions", "9", *words.split()]) == 2
    assert [chosen.imitation for chosen in seen] == [0, 5, 0, 7]


def test_numbers_by_verb_are_kept_as_numbers_of_python():
    given = {"move": np.float32(0.5), "claim": np.int64(1)}
    chosen = dataclasses.replace(TINY, bonus=given)
    given["hire"] = np.float32(9)
    assert chosen.bonus == {"move": 0.5, "claim": 1.0} and '"move": 0.5' in settings.to_json(chosen)


def test_train_and_evaluate_on_the_command_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", TINY)
    monkeypatch.chdir(tmp_path)
    assert rc.main(["train", "--seed", "7", "--decisions", "256", "--games", "10"]) == 0
    folder = tmp_path / "runs" / "quick-2p-basic-seed7"
    assert json.loads((folder / "config.json").read_text())["seed"] == 7
    out = capsys.readouterr().out
    assert "Compiling" in out and "random" in out and "95 %" in out
    for model in (str(folder), "runs/quick-2p-basic-seed7", f"net:{folder}", "random", "random:3"):
        assert rc.main(["evaluate", model, "--against", "greedy", "--games", "5"]) == 0
        assert "greedy" in (out := capsys.readouterr().out) and "2 players" in out
    assert rc.main(["evaluate", "greedy", "--players", "3", "--workshop", "advanced", "--games", "3"]) == 0
    assert "3 players, advanced" in capsys.readouterr().out
    assert rc.main(["evaluate", str(folder), "--players", "3", "--games", "3"]) == 2
    assert "was trained for 2 players, basic; it cannot play a game of 3 players, basic" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        rc.main(["train", "--help"])
    assert "--gae-lambda" in capsys.readouterr().out


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory")])
def test_too_little_memory_is_refused_in_one_sentence(error, monkeypatch, tmp_path, capsys):
    def full(*args, **kwargs):
        raise error

    monkeypatch.setattr("rc_env.apps.cli.train.train", full)
    assert rc.main(["train", "--envs", "5000", "--out", str(tmp_path / "run")]) == 2
    shown = capsys.readouterr().err.splitlines()[-1]
    assert "there is too little memory for 5000 games of 128 decisions, layers of 256: choose a smaller --envs" in shown
    monkeypatch.setattr(error, "args", ("else",))
    if isinstance(error, RuntimeError):
        assert rc.main(["train", "--out", str(tmp_path / "run")]) == 1
        assert "rc train: RuntimeError (else) in " in capsys.readouterr().err


@pytest.mark.parametrize("error", [MemoryError(), ImportError("x.so: failed to map segment from shared object")])
def test_too_little_memory_for_games_is_refused_in_one_sentence(error, monkeypatch, capsys):
    def full(*args, **kwargs):
        raise error

    monkeypatch.setattr("rc_env.arena.match.play_match", full)
    assert rc.main(["evaluate", "random", "--games", "10"]) == 2
    assert (
        capsys.readouterr().err
        == "rc evaluate: there is too little memory for all that is asked for: ask for smaller numbers\n"
    )


def test_another_import_error_is_a_mistake(monkeypatch, capsys):
    def broken(*args, **kwargs):
        raise ImportError("cannot import name 'x'")

    monkeypatch.setattr("rc_env.arena.match.play_match", broken)
    assert rc.main(["evaluate", "random", "--games", "10"]) == 1
    assert "rc evaluate: ImportError (cannot import name 'x') in " in capsys.readouterr().err


def test_a_finished_run_is_not_written_over(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", dataclasses.replace(TINY, imitation=256, decisions=256))
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert rc.main(["train", "--games", "2"]) == 0
    first, second = (tmp_path / "runs" / f"quick-2p-basic-seed0{end}" for end in ("", "-2"))
    assert f"Its bot is net:{second.relative_to(tmp_path)};" in capsys.readouterr().out
    kept = {file: file.read_bytes() for file in first.iterdir()}
    assert rc.main(["train", "--out", str(first), "--seed", "5"]) == 2
    assert f"--out: {first} holds a finished run; choose another folder" in capsys.readouterr().err
    (second / checkpoint.FILE).write_bytes(b"of long ago")
    assert rc.main(["train", "--out", str(second)]) == 2
    assert f"--out: {second} holds a run of another version; choose another folder" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in first.iterdir()} == kept


def test_what_cannot_begin_neither_blocks_its_folder_nor_changes_an_older_run(run, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", dataclasses.replace(TINY, imitation=256, decisions=256))
    words = ["train", "--out", str(tmp_path / "run"), "--games", "2"]
    # This error is known only at the teacher's first decision.
    with monkeypatch.context() as nothing_packaged:
        nothing_packaged.setattr(net, "SHIPPED", tmp_path)
        assert rc.main([*words, "--teacher", "net:shipped", "--workshop", "advanced", "--special-tiles"]) == 2
    assert "net: the package has no weights for 2 players, advanced, the full game" in capsys.readouterr().err
    assert rc.main(words) == 0
    config = (tmp_path / "run" / settings.FILE).read_bytes()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="device is 'cuda'"):
        train(dataclasses.replace(TINY, device="cuda"), tmp_path / "run")
    assert (tmp_path / "run" / settings.FILE).read_bytes() == config


def test_an_unfinished_run_is_not_written_over(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(PRESETS, "quick", TINY)
    one = Run(TINY, tmp_path / "run")
    one.iterate()
    one.save()
    one.log.close()
    assert rc.main(["train", "--out", str(tmp_path / "run")]) == 2
    assert "stopped after 256 decisions" in capsys.readouterr().err
    assert rc.main(["train", "--resume", str(tmp_path / "run"), "--seed", "3"]) == 2
    assert "--resume takes no other settings: a run goes on with its own" in capsys.readouterr().err
    assert rc.main(["train", "--resume", str(tmp_path / "run"), "--games", "4"]) == 0
    assert "Its bot is net:" in capsys.readouterr().out


def test_a_setting_of_the_search_is_refused_by_learners_that_do_not_search(tmp_path, capsys):
    assert rc.main(["train", "--simulations", "8", "--out", str(tmp_path / "run")]) == 2
    said = "rc train: --simulations is a setting of --learner gumbel; --learner ppo does not search\n"
    assert capsys.readouterr().err == said and not (tmp_path / "run").exists()
