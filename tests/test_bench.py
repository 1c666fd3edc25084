"""`rc bench` measures what it says, in the form that is documented."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from rc_env.training import bench


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The command on small batches."""
    monkeypatch.setattr(bench, "BATCH", 64)
    parser = argparse.ArgumentParser()
    bench.add_arguments(parser)
    return bench.main(parser.parse_args(words))


def test_engine_and_faces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "PLAYERS", (2, 3))
    assert run(monkeypatch, "--only", "engine", "--runs", "1", "--json") == 0
    engine = json.loads(capsys.readouterr().out)
    rows = engine["engine"]
    assert {(row["players"], row["writes"]) for row in rows} == {(p, w) for p in (2, 3) for w in bench.WRITES}
    assert {row["threads"] for row in rows} == set(bench.all_threads())
    assert all(row["batch"] == 64 and row["decisions_per_s"] > row["games_per_s"] > 0 for row in rows)
    assert engine["clone_ns"] > 0 and engine["numba"] and engine["machine"]["cores"] >= 1
    assert "vector_env" not in engine and "cold_compile_s" not in engine

    path = tmp_path / "bench.json"
    assert run(monkeypatch, "--only", "faces", "--runs", "1", "--json", str(path)) == 0
    faces = json.loads(path.read_text(encoding="utf-8"))
    assert {row["players"] for row in faces["vector_env"]} == {2, 3}
    assert faces["raw_env_steps_per_s"]["2"] > faces["env_steps_per_s"]["2"] > 0
    assert set(faces["record_ms"]) == {"greedy", "random"}
    assert "VectorEnv" in capsys.readouterr().out


def test_starting_is_measured_in_new_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < bench.start_time(bench.START, 1, fresh_cache=False) < 600


@pytest.mark.parametrize(
    ("words", "told"),
    [(("--runs", "0"), "--runs: 0 found"), (("--json", "no/such/folder/b.json"), "no/such/folder")],
)
def test_bad_arguments(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        run(monkeypatch, *words)


def test_training_is_measured_beside_the_bare_network(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    from rc_env.training import bench_training
    from rc_env.training.settings import Settings

    tiny = Settings(
        envs=16, steps=4, batch=32, trunk=16, heads=8, object=4, threads=1, snapshots=1, opponents={"self": 1}
    )
    results = bench_training.measure(1, tiny)
    rates = [results[name] for name in ("forward", "update", "rollout", "idle_rollout", "training", "learned", "sb3")]
    assert all(rate > 0 for rate in rates) and 0 < results["shares"]["engine"] < 1
    text = bench_training.table(results)
    assert "MaskablePPO" in text and "engine" in text
