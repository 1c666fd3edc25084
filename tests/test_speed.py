"""Tests that `rc bench` prints the measurements that it promises, in the documented form."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from rc_env import Ruleset
from rc_env.apps.cli import bench, rc
from rc_env.apps.speed import against, suite

pytestmark = pytest.mark.slow


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Return a function that runs the command on small batches."""
    monkeypatch.setattr(suite, "BATCH", 64)
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return bench.main(parser.parse_args(words))


def test_engine_and_apis(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(suite, "PLAYERS", (2, 3))
    assert run(monkeypatch, "--only", "engine", "--runs", "1", "--json") == 0
    engine = json.loads(capsys.readouterr().out)
    rows = engine["engine"]
    assert {(row["players"], row["writes"]) for row in rows} == {(p, w) for p in (2, 3) for w in suite.WRITES}
    assert {row["threads"] for row in rows} == set(suite.all_threads())
    assert all(row["batch"] == 64 and row["decisions_per_s"] > row["games_per_s"] > 0 for row in rows)
    assert engine["clone_ns"] > 0 and engine["numba"] and engine["machine"]["cores"] >= 1
    assert "vector_env" not in engine and "cold_compile_s" not in engine

    path = tmp_path / "bench.json"
    assert run(monkeypatch, "--only", "apis", "--runs", "1", "--json", str(path)) == 0
    apis = json.loads(path.read_text(encoding="utf-8"))
    assert {row["players"] for row in apis["vector_env"]} == {2, 3}
    assert apis["raw_env_steps_per_s"]["2"] > apis["env_steps_per_s"]["2"] > 0
    assert set(apis["record_ms"]) == {"greedy", "random"}
    assert "VectorEnv" in capsys.readouterr().out


@pytest.mark.long
def test_another_checkout_is_measured_in_turns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """This checkout is compared with itself, so the code is the same, and every ratio is given."""
    here = str(against.this_checkout())
    monkeypatch.setattr(against, "SECONDS", 0.02)
    assert run(monkeypatch, "--against", here, "--pairs", "2", "--json") == 0
    sentence = json.loads(capsys.readouterr().out)["against"]
    assert sentence["features"]["this"] == sentence["features"]["other"] == 1448 and sentence["batch"] == 64
    assert set(sentence["decisions_per_s"]["this"]) == set(against.WORKLOADS)
    assert [ratio["name"] for ratio in sentence["ratios"]] == [ratio.name for ratio in against.RATIOS]
    for ratio in sentence["ratios"]:
        assert ratio["pairs"] == 2 and 0 < ratio["low"] <= ratio["median"] <= ratio["high"]
    text = against.table(sentence)
    assert all(ratio["name"] in text for ratio in sentence["ratios"]) and "M decisions/s" in text


@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("here",)])
def test_the_full_game_is_measured_against_the_full_or_the_base_game(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = str(against.this_checkout())
    monkeypatch.setattr(against, "SECONDS", 0.02)
    assert run(monkeypatch, "--against", here, "--pairs", "1", "--full", *words, "--json") == 0
    sentence = json.loads(capsys.readouterr().out)["against"]
    full = Ruleset(contractors=True).observations.size
    assert sentence["features"] == {"this": full, "other": 1448 if words else full}
    assert ("of the base game there" in against.table(sentence)) == bool(words)
    assert len(sentence["ratios"]) == len(against.RATIOS)


def test_what_the_other_checkout_lacks_is_left_out(tmp_path: Path) -> None:
    package = tmp_path / "rc_env"
    package.mkdir()
    (package / "__init__.py").write_text(
        "import numpy as np\n"
        "class Ruleset:\n    def __init__(self, players): pass\n"
        "class RedCathedralVectorEnv:\n    def __init__(self, *_, **__): raise TypeError('lacking')\n"
        "class Engine:\n"
        "    num_features = 8\n"
        "    def __init__(self, rules, batch=1): self.batch = batch\n"
        "    def play_random(self, decisions, masks=False, observations=None): pass\n"
        "    def legal_mask(self): return np.ones((self.batch, 3), np.int8)\n"
        "    def step(self, actions, auto_reset=False): pass\n"
        "    def observe(self, out): pass\n"
    )
    sentence = against.measure(tmp_path, 1, batch=64, seconds=0.01)
    assert sentence["features"]["other"] == 8
    assert set(sentence["decisions_per_s"]["other"]) == {"step_float32", "random_float32", "random"}
    left_out = {ratio.name for ratio in against.RATIOS} - {ratio["name"] for ratio in sentence["ratios"]}
    assert left_out == {"VectorEnv.step, floats to the other's floats"}


def test_a_search_is_measured_beside_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "SEARCHED", 8)
    monkeypatch.setattr(suite, "SIMULATIONS", 4)
    found = suite.search_speed(1)
    assert found["network_per_s"] > found["playouts_per_s"] > 0  # a play-out has many decisions
    assert found["decision_ms"] > 0
    machine = {"machine": {"processor": "Z80", "cores": 1}, "python": "3.11"}
    text = suite.table(machine | {"search": found})
    assert "the network alone" in text and f"{found['decision_ms']} ms a decision" in text


def test_starting_is_measured_in_new_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < suite.start_time(suite.START, 1, fresh_cache=False) < 600


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--runs", "0"), "--runs must be at least 1, not 0"),
        (
            ("--against", "no/such/checkout"),
            "--against must be a folder that holds the package rc_env, not no/such/checkout",
        ),
        (
            ("--against", "no/such/checkout", "--compile"),
            "--against must be a folder that holds the package rc_env, not no/such/checkout",
        ),
        (("--against", ".", "--pairs", "0"), "--pairs must be at least 1, not 0"),
    ],
)
def test_bad_arguments(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((ValueError, OSError), match=sentence):
        run(monkeypatch, *words)


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "main", lambda args: pytest.fail("it was measured first"))
    assert rc.main(["bench", "--json", "no/such/folder/b.json"]) == 2
    assert "no/such/folder" in capsys.readouterr().err


def test_training_is_measured_beside_the_bare_network(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    from rc_env.apps.speed import learning
    from rc_env.training.settings import TrainingSettings

    tiny = TrainingSettings(
        envs=16, steps=4, batch=32, trunk=16, heads=8, object=4, threads=1, snapshots=1, opponents={"self": 1}
    )
    results = learning.measure(1, tiny)
    rates = [results[name] for name in ("forward", "update", "rollout", "idle_rollout", "training", "learned", "sb3")]
    assert all(rate > 0 for rate in rates) and 0 < results["shares"]["engine"] < 1
    text = learning.table(results)
    assert "MaskablePPO" in text and "engine" in text


@pytest.mark.long
def test_the_time_to_a_goal_is_that_of_the_first_evaluation_above_it(capsys: pytest.CaptureFixture[str]) -> None:
    """A run stops at the first evaluation above the goal; a run that ends below it, and bad arguments, are refused."""
    pytest.importorskip("torch")
    import goal

    tiny = {"imitation": 256, "decisions": 512, "envs": 16, "steps": 8, "trunk": 8, "heads": 8, "object": 4}
    words = ["--settings", json.dumps(tiny), "--bot", "random", "--games", "4", "--seeds", "1", "--first", "3"]
    goal.main([*words, "--goal", "0", "--clock", "processor"])
    first, mean = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"seed 3, this: [0-9.]+% after [0-9]+ decisions, [0-9]+ s", first)
    assert re.fullmatch(r"this: mean [0-9]+ s of processor time, [0-9]+ to [0-9]+", mean)
    for wrong, sentence in (
        (["--goal", "1"], "goal: --goal 100% is not reached: seed 3 ended at "),
        (["--goal", "1.5"], "goal: goal must be a number from 0 to 1, not 1.5"),
        (["--against", "nowhere"], "goal: --against must be a folder that holds the package rc_env, not nowhere"),
        (["--seeds", "0"], "goal: seeds must be a whole number "),
    ):
        with pytest.raises(SystemExit) as ended:
            goal.main([*words, *wrong])
        assert ended.value.code == 2
        assert capsys.readouterr().err.splitlines()[-1].startswith(sentence)


@pytest.mark.long
def test_strength_is_shown_beside_the_time_that_a_decision_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every bot has a row with its rating and its times; what is no tournament, and a page without markers, is
    refused."""
    import strength

    assert rc.main(["arena", "random", "greedy", "--games", "20", "--workers", "1", "--out", str(tmp_path / "a")]) == 0
    results, page = tmp_path / "a" / "results.json", tmp_path / "strength.md"
    page.write_text("# Mine\n\n{}\nold\n{}\n\nafter\n".format(*strength.MARKERS))
    words = ["--repeats", "1", "--out", str(tmp_path)]
    strength.main([str(results), *words])
    written = page.read_text()
    assert written.startswith("# Mine\n\n") and written.endswith("after\n") and "old" not in written
    assert "### 2 players, basic workshops" in written and "(strength-2-basic.svg)" in written
    assert (tmp_path / "strength-2-basic.svg").read_text().startswith("<svg")
    rows = {cells[1]: cells for line in written.splitlines() if (cells := line.replace("|", " ").split())[1:]}
    ratings = json.loads(results.read_text())["bots"]
    for name in ("greedy", "random"):
        assert rows[name][2] == f"{ratings[name]['rating']:+.0f}" and rows[name][-1] in ("s", "ms", "µs")
    assert [strength.duration(value) for value in (2.04, 0.00999, 1.5e-5)] == ["2 s", "10 ms", "15 µs"]
    page.write_text("# Mine\n")
    for wrong, sentence in ((str(results), "both markers are needed"), (str(page), "is not a results.json")):
        with pytest.raises(SystemExit):
            strength.main([wrong, *words])
        assert sentence in capsys.readouterr().err
