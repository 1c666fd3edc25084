"""Tests of training in two processes that `torchrun` starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from rc_env.apps.cli import rc
from rc_env.training import checkpoint, parallel

pytestmark = pytest.mark.slow

WORDS = (
    "train --players 2 --decisions 2560 --imitation 512 --teacher greedy --envs 8 --steps 16 --batch 16 --epochs 1 "
    "--trunk 16 --layers 1 --heads 8 --object 4 --device cpu --precision float32 --anchors random --evaluate-every 2 "
    "--evaluation-games 2 --games 2 --turn-limit 6 --opponents self=1,past=1 --snapshot-every 3 --learner gumbel "
    "--simulations 4"
)
"""Settings of two iterations of imitation and ten of self-play, with 8 x 16 decisions of two processes in each."""


def torchrun(*words: str) -> list[str]:
    """Return a command line for two processes."""
    return [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *words]


def surroundings() -> dict[str, str]:
    """Return the environment variables of a process that can import this package."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `rc` in two processes."""
    line = torchrun("-m", "rc_env.apps.cli", *words)
    return subprocess.run(line, capture_output=True, text=True, env=surroundings(), timeout=300)


def trained(folder: Path) -> dict[str, torch.Tensor]:
    """Return the weights in the checkpoint of a run."""
    return checkpoint.load(folder)["network"]


def test_alone_nothing_is_sent() -> None:
    assert (parallel.rank(), parallel.size()) == (0, 1)
    assert (parallel.least(5), parallel.of_first("x"), parallel.gathered(3)) == (5, "x", [3])


AVERAGES = """
import torch
from rc_env.training import parallel
parallel.join()
rank = parallel.rank()
one, other = torch.nn.Parameter(torch.zeros(2, 3)), torch.nn.Parameter(torch.zeros(4))
one.grad = torch.full((2, 3), 1.0 + rank)
if rank:
    other.grad = torch.arange(4.0)
parallel.average([one, other])
assert (one.grad == 1.5).all() and (other.grad == torch.arange(4.0) / 2).all(), (one.grad, other.grad)
assert parallel.least(7 - rank) == 6 and parallel.of_first(rank) == 0
assert parallel.everywhere(rank) == [0, 1]
assert parallel.gathered(rank) == ([0, 1] if rank == 0 else [])
parallel.leave()
"""


def test_two_processes_take_the_mean_gradient(tmp_path: Path) -> None:
    script = tmp_path / "averages.py"
    script.write_text(AVERAGES)
    done = subprocess.run(torchrun(str(script)), capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr


ENDS = """
import gc, weakref
from pathlib import Path
import torch
from rc_env.training import parallel

def threads():
    return sorted(name.read_text() for name in Path("/proc/self/task").glob("*/comm"))

parallel.join()
group = weakref.ref(torch.distributed.group.WORLD)
assert group() is not None and (not threads() or any("gloo" in name for name in threads())), threads()
torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
parallel.least(1)
parallel.leave()
gc.collect()
assert group() is None and not any("gloo" in name for name in threads()), threads()
"""
"""The names of threads are there on Linux alone."""


@pytest.mark.long
def test_neither_the_group_nor_a_thread_of_it_outlives_the_training(tmp_path: Path) -> None:
    """Such a thread could abort a process whose training had gone well; an optimiser imports what kept the group."""
    script = tmp_path / "ends.py"
    script.write_text(ENDS)
    done = subprocess.run(torchrun(str(script)), capture_output=True, text=True, env=surroundings(), timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_a_refusal_of_the_first_process_is_the_only_message(tmp_path: Path) -> None:
    done = run("train", "--decisions", "-5", "--out", str(tmp_path / "run"))
    said = [line for line in done.stderr.splitlines() if line.startswith("rc train")]
    assert said == ["rc train: decisions must be a whole number from 0 to 1000000000000000, not -5"]
    assert done.returncode != 0
    assert "mistake of this program" not in done.stderr and not list(tmp_path.iterdir())


def test_a_process_whose_peer_ends_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def closed(value: object) -> object:
        raise RuntimeError("[gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:1")

    monkeypatch.setattr(parallel, "of_first", closed)
    assert rc.main(["train"]) == 2
    shown = capsys.readouterr().err
    assert shown == "rc train: another process of this training ended, so that it cannot go on: see its message\n"


def test_each_process_of_a_machine_has_a_gpu_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", used.append)
    monkeypatch.setattr(torch.distributed, "init_process_group", lambda *_, **__: None)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "one")
    for local in range(3):
        monkeypatch.setenv("LOCAL_RANK", str(local))
        parallel.join()
    assert used == [0, 1, 0]


@pytest.mark.long
def test_two_processes_train_one_network_and_go_on_after_a_kill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of three starts takes a quarter of a minute, mostly for imports and evaluation."""
    words = WORDS.split()
    done = run(*words, "--out", str(tmp_path / "whole"))
    assert done.returncode == 0 and done.stdout.count("Training in") == 1, done.stderr
    rows = checkpoint.read_log(tmp_path / "whole")
    assert [row["decisions"] for row in rows] == [256 * i for i in range(1, 13)]
    state = checkpoint.load(tmp_path / "whole")
    assert state["finished"] and len(state["others"]) == 1
    assert rc.main(["train", "--resume", str(tmp_path / "whole")]) == 2
    refused = capsys.readouterr().err
    assert "was begun with 2 processes, not 1: `torchrun --nproc-per-node 2 -m rc_env" in refused
    assert f"train --resume {tmp_path / 'whole'}`" in refused

    line = torchrun("-m", "rc_env.apps.cli", *words, "--out", str(tmp_path / "part"))
    process = subprocess.Popen(line, env=surroundings(), start_new_session=True, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(checkpoint.read_log(tmp_path / "part")) < 5:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    state = checkpoint.load(tmp_path / "part")
    if not state["finished"]:
        assert not torch.equal(*(side["games"]["games"] for side in (state["learner"], *state["others"])))
    done = run("train", "--resume", str(tmp_path / "part"), "--games", "2")
    assert done.returncode == 0, done.stderr
    whole, part = trained(tmp_path / "whole"), trained(tmp_path / "part")
    for (name, one), other in zip(whole.items(), part.values(), strict=True):
        assert torch.equal(one, other) and np.isfinite(one.numpy()).all(), name
