"""Tests of the driver of the baselines: runs are made, go on, and are not made twice; the table shows their results."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Thread

import baselines
import pytest
from baselines import ALL, BASELINES, Baseline

from rc_env.apps.cli import rc
from rc_env.training.baseline import ANCHORS, FINAL
from rc_env.training.checkpoint import LOG, read_log

pytestmark = pytest.mark.slow

SMALL = "--envs 16 --steps 16 --batch 64 --trunk 16 --heads 8 --object 4 --evaluate-every 1 --evaluation-games 4"
TINY = Baseline(
    "tiny",
    "a tiny run",
    (*BASELINES[0].words, *SMALL.split(), "--opponents", "self=1", "--turn-limit", "20"),
    512,
)
SCRIPTS = [one for one in BASELINES if not one.trains]


def test_every_baseline_has_a_command_that_is_understood(tmp_path: Path) -> None:
    assert len({one.name for one in BASELINES}) == len(BASELINES)
    parser = rc.build_parser(["train"])
    for one in BASELINES:
        words = baselines.command(one, tmp_path / one.name, 2)
        assert Path(words[1]).is_file() and one.decisions <= 25_000_000
        if one.trains:
            args = parser.parse_args(words[2:])
            assert (args.seed, args.decisions, args.out) == (2, one.decisions, tmp_path / one.name)


def test_no_baseline_but_the_one_that_says_so_begins_with_imitation() -> None:
    for one in BASELINES:
        none = "--imitation 0" in " ".join(one.words) or one.words[0] in ("examples/dqn.py", "examples/spiel_dqn.py")
        assert none != one.name.startswith("ppo-warm") and "--start" not in one.words


@pytest.mark.long
def test_a_run_is_made_once_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--out", str(tmp_path), "--seeds", "1", "--games", "4"]
    assert baselines.main(words, [TINY]) == 0
    results = json.loads((tmp_path / ALL).read_text(encoding="utf-8"))["tiny"]
    assert set(results) == {"1"}
    for seed, one in results.items():
        rows = read_log(tmp_path / "tiny" / f"seed{seed}")
        assert one["decisions"] == rows[-1]["decisions"] == 512
        assert one["seconds_of_processor"] == pytest.approx(sum(row["seconds_of_processor"] for row in rows))
        assert all(won[1] <= won[0] <= won[2] and won[3] == 4 for won in one["won"].values())
        assert list(one["won"]) == list(ANCHORS)
    assert (tmp_path / "tiny.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "tiny.csv").read_text("utf-8").startswith("decisions,anchor,mean,lowest,highest,run1\n256,")
    begun = (tmp_path / "tiny" / "seed1.log").stat().st_size
    out = capsys.readouterr().out
    assert baselines.main(words, [TINY]) == 0
    assert (tmp_path / "tiny" / "seed1.log").stat().st_size == begun, "a run at its end is not begun again"
    assert (
        out.splitlines()[-1].startswith("| tiny: a tiny run | 1 | 0.0 M | 0 min | ") and out == capsys.readouterr().out
    )


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "tiny" / "seed1"
    whole = baselines.command(TINY, folder, 1)
    assert "--resume" not in whole and whole[-6:] == ["--seed", "1", "--decisions", "512", "--out", str(folder)]
    folder.mkdir(parents=True)
    (folder / "checkpoint.pt").touch()
    assert baselines.command(TINY, folder, 1)[2:5] == ["train", "--resume", str(folder)]
    script = baselines.command(SCRIPTS[0], folder, 1, games=9)
    assert script[-8:-6] == ["--deals", "5"] and "--resume" not in script  # the script looks into the folder itself


def test_a_run_is_asked_to_stop_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(130)); print('begun', flush=True)"
    waits += "; time.sleep(99)"
    monkeypatch.setattr(baselines, "command", lambda *_: [sys.executable, "-c", waits])
    log = tmp_path / "tiny" / "seed1.log"

    def stop() -> None:
        while not log.is_file() or "begun" not in log.read_text("utf-8"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=stop, daemon=True).start()
    before = signal.getsignal(signal.SIGTERM)
    assert not baselines.learn(TINY, tmp_path / "tiny" / "seed1", 1)
    assert signal.getsignal(signal.SIGTERM) is before and not (tmp_path / "tiny" / "seed1" / FINAL).exists()


def test_a_command_that_fails_says_where_its_words_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = replace(TINY, words=("examples/none.py",))
    with pytest.raises(SystemExit):
        baselines.main(["--out", str(tmp_path), "--seeds", "1"], [wrong])
    assert "tiny, seed 1: the command ended with 2; its words are in " in capsys.readouterr().err
    assert "none.py" in (tmp_path / "tiny" / "seed1.log").read_text("utf-8")


def test_the_table_has_mean_worst_and_best() -> None:
    won = {"random": [1.0, 0.99, 1.0, 10], "greedy": [0.5, 0.4, 0.6, 10], "all_rounder": [0.25, 0.2, 0.3, 10]}
    better = won | {"greedy": [0.7, 0.6, 0.8, 10]}
    runs = {
        "1": {"decisions": 2e6, "seconds_of_processor": 600.0, "won": won},
        "2": {"decisions": 2e6, "seconds_of_processor": 720.0, "won": better},
    }
    (_, _, row) = baselines.table({"tiny": runs}, [TINY]).splitlines()
    assert row == (
        "| tiny: a tiny run | 2 | 2.0 M | 11 min | 100.0 % (100.0–100.0) | 60.0 % (50.0–70.0) | 25.0 % (25.0–25.0) |"
    )


def test_results_that_are_kept_give_the_same_report(tmp_path: Path) -> None:
    out, kept = tmp_path / "out", tmp_path / "kept"
    for seed, share in ((1, 0.25), (2, 0.5)):
        run = out / "tiny" / f"seed{seed}"
        run.mkdir(parents=True)
        won = {name: [share, share, share, 4] for name in ANCHORS}
        final = {"decisions": 512, "seconds_of_processor": 60.0, "won": won}
        (run / FINAL).write_text(json.dumps(final), encoding="utf-8")
        played = {"decisions": 256, "loss": 1.0, **{f"won/{name}": share for name in ANCHORS}}
        lines = (json.dumps(row) + "\n" for row in ({"decisions": 128, "loss": 2.0}, played))
        (run / LOG).write_text("".join(lines), encoding="utf-8")
        (run / "last.npz").write_bytes(b"weights")
    (out / "tiny" / "seed3").mkdir()  # a run that is not at its end
    before = baselines.report(out, [TINY])
    baselines.keep(out, kept, [TINY])
    assert {path.name for path in kept.rglob("*") if path.is_file()} == {FINAL, LOG}
    assert not (kept / "tiny" / "seed3").exists() and len(read_log(kept / "tiny" / "seed1")) == 1
    assert baselines.report(kept, [TINY]) == before
    for name in (ALL, "tiny.csv", "tiny.svg"):
        assert (kept / name).read_bytes() == (out / name).read_bytes()


def test_a_run_of_something_else_is_not_taken_for_this_one(tmp_path: Path) -> None:
    folder = tmp_path / "tiny" / "seed1"
    folder.parent.mkdir()
    baselines._check_same(folder, "one")
    baselines._check_same(folder, "another")  # nothing was begun yet
    folder.mkdir()
    baselines._check_same(folder, "another")
    with pytest.raises(ValueError, match="seed1 holds a run with other words, decisions or games than these"):
        baselines._check_same(folder, "one")
    folder.with_name("seed1.json").unlink()
    with pytest.raises(ValueError, match="seed1 holds a run with other words"):
        baselines.learn(TINY, folder, 1)


def test_a_report_of_some_keeps_the_results_of_the_others(tmp_path: Path) -> None:
    other = replace(TINY, name="other")
    for one in (TINY, other):
        run = tmp_path / one.name / "seed1"
        run.mkdir(parents=True)
        won = {name: [0.5, 0.4, 0.6, 4] for name in ANCHORS}
        final = {"decisions": 512, "seconds_of_processor": 60.0, "won": won}
        (run / FINAL).write_text(json.dumps(final), encoding="utf-8")
        (run / LOG).write_text(json.dumps({"decisions": 256, **{f"won/{name}": 0.5 for name in ANCHORS}}) + "\n")
    shown = baselines.report(tmp_path, [other], [TINY, other])
    assert "other: " in shown and "tiny: " not in shown
    assert set(json.loads((tmp_path / ALL).read_text(encoding="utf-8"))) == {"tiny", "other"}


@pytest.mark.long
@pytest.mark.parametrize("baseline", SCRIPTS, ids=[one.name for one in SCRIPTS])
def test_a_script_evaluates_on_its_grid_and_goes_on_after_a_stop(baseline: Baseline, tmp_path: Path) -> None:
    if "spiel" in baseline.words[0]:
        pytest.importorskip("pyspiel")
        pytest.importorskip("tree")  # dm-tree, which OpenSpiel's DQN imports
    each = 400 if "spiel" in baseline.words[0] else 8192
    small = replace(baseline, words=(*baseline.words, "--every", str(each)), decisions=2 * each)
    folder = tmp_path / "seed1"
    assert baselines.learn(small, folder, 1, games=4)
    rows = read_log(folder)
    assert [row["decisions"] for row in rows] == [each, 2 * each]
    assert {f"won/{name}" for name in ANCHORS} <= set(rows[0])
    (folder / FINAL).unlink()
    (tmp_path / "seed1.json").unlink()
    with pytest.raises(ValueError, match="holds a run with other words, decisions or games"):
        baselines.learn(replace(small, decisions=3 * each), folder, 1, games=4)
    longer = replace(small, decisions=3 * each)
    asked_for = {"words": list(longer.words), "decisions": 3 * each, "seed": 1, "games": 4}
    (tmp_path / "seed1.json").write_text(json.dumps(asked_for) + "\n", "utf-8")
    with (folder / LOG).open("a", encoding="utf-8") as log:  # as if it was killed after the line, before the checkpoint
        log.write(json.dumps(rows[-1] | {"decisions": 3 * each}) + "\n")
    assert baselines.learn(longer, folder, 1, games=4)
    again = read_log(folder)
    assert [row["decisions"] for row in again] == [each, 2 * each, 3 * each] and again[:2] == rows
    assert json.loads((folder / FINAL).read_text("utf-8"))["seconds_of_processor"] > rows[-1]["seconds_of_processor"]


def test_a_report_of_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        baselines.main(["--out", str(tmp_path / "none"), "--report"])
    assert "baselines: there is no folder " in capsys.readouterr().err and not (tmp_path / "none").exists()
