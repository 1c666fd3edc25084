"""Mixed calls through every API, with threads and worker processes, for as long as wanted: does anything leak?

    python tests/faults/soak.py --seconds 3600

Between two activities nothing runs, so memory, threads, open files and child processes have to be as many as before.
They are compared with those after a warm-up of five minutes (a twelfth of shorter runs).
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import ctypes
import gc
import io
import json
import pickle
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import gymnasium
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import derived
from judge import GOOD, judge
from tiny import TINY

from rc_env import Engine, Ruleset, record
from rc_env.apps.cli import rc
from rc_env.arena import jobs, standings, tournament
from rc_env.arena.match import play_match
from rc_env.envs.aec import env
from rc_env.render.html import record_html

WARM_UP = 300
"""The warm-up in seconds, after which nothing may grow any more."""
GROWTH = 0.05
"""The share of its memory by which the process may grow: the memory that the allocator keeps fluctuates."""
IN_PROCESS = tuple(f"rc_env.{name}." for name in ("engine", "envs", "record", "render", "words", "agents", "bot"))
"""The packages whose callables are called one by one."""
RULESETS = (
    Ruleset(2, turn_limit=60),
    Ruleset(1, turn_limit=60),
    Ruleset(4, "advanced", turn_limit=60),
    Ruleset(3, turn_limit=60, fourth_guild="random", special_tiles=True, promos=True, contractors=True),
)

CALLS = [one for one in derived.attacks() if one.control and one.target.startswith(IN_PROCESS)]
WRONG = [one for one in derived.attacks() if not one.control and one.target.startswith(IN_PROCESS[:2])]
ACTIVITIES: list[Callable[[random.Random, Path], object]] = []


def activity(function: Callable[[random.Random, Path], object]) -> Callable[[random.Random, Path], object]:
    """Register an activity."""
    ACTIVITIES.append(function)
    return function


@activity
def engines(rng: random.Random, folder: Path) -> None:
    """Use threads, copies, observations and results; each engine is dropped with the threads it has made."""
    made = Engine(rng.choice(RULESETS), 1200, rng.randrange(10**9), threads=2)
    for _ in range(20):
        made.step(made.legal_mask().argmax(1), auto_reset=True)
    made.observe(dtype=np.uint8)
    made.play_random(10, rng.randrange(10**9), masks=True)
    kept = made.clone([1, 2, 3], same_future=True)
    made.restore(kept, [1, 2, 3])
    made.results()
    made.returns()
    made.reset(seed=rng.randrange(10**9))
    for other in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        other.step(other.legal_mask().argmax(1))


@activity
def public_calls(rng: random.Random, folder: Path) -> None:
    """Call public callables as their signatures ask, and use what they return; then call them with wrong arguments."""
    some = [*CALLS, *WRONG[::500]] if isinstance(rng, Always) else [*rng.sample(CALLS, 30), *rng.sample(WRONG, 60)]
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for attack in some:
            outcome, wording = judge(attack)
            assert outcome in GOOD, f"{attack.name}: {outcome}: {wording}"


@activity
def environments(rng: random.Random, folder: Path) -> None:
    """Play whole games in the environments of the registries, and copy and restore one in between."""
    many = gymnasium.make_vec("rc_env:RedCathedral-v0", num_envs=20, turn_limit=40)
    _, info = many.reset(seed=rng.randrange(10**9))
    for _ in range(40):
        _, _, _, _, info = many.step(info["action_mask"].argmax(1))
    many.close()
    made = env(num_players=3, turn_limit=30)
    made.reset(seed=rng.randrange(10**9))
    for number, _ in enumerate(made.agent_iter()):
        observation, _, ended, cut, _ = made.last()
        if number == 10:
            made.unwrapped.set_state(pickle.loads(pickle.dumps(made.unwrapped.get_state())))
        made.step(None if ended or cut else int(observation["action_mask"].argmax()))
    made.close()


@activity
def threads_together(rng: random.Random, folder: Path) -> None:
    """Use engines from several threads of Python at once."""

    def play(number: int) -> None:
        Engine(RULESETS[0], 600, number, threads=2).play_random(20)

    at_work = [threading.Thread(target=play, args=(i,)) for i in range(4)]
    for one in at_work:
        one.start()
    for one in at_work:
        one.join()


@activity
def matches(rng: random.Random, folder: Path) -> None:
    """Play matches in this process, record, read, replay and draw them."""
    rules = rng.choice(RULESETS)
    play_match(
        ["random"] * rules.players,
        3,
        rules,
        rotate=False,
        seed=rng.randrange(10**9),
        recorder=record.Recorder(record.folder(folder), legal=True, state=True),
    )
    for path in sorted(folder.glob("*.rcr")):
        read = record.read(path)
        record.replay(read)
        record_html(read)


@activity
def tournaments(rng: random.Random, folder: Path) -> None:
    """Start worker processes, play a tournament with them, and end them."""
    if rng.random() > 0.15:  # starting worker processes takes seconds
        return
    with jobs.Workers(2) as pool:
        schedule = tournament.Schedule(("random", "greedy"), RULESETS[0], 40, rng.randrange(10**6))
        played = tournament.run(schedule, pool)
        standings.standings(played.games, schedule.names, rated=10)


@activity
def commands(rng: random.Random, folder: Path) -> None:
    """Run sub-commands in this process."""
    quick = "--turn-limit 20 --workers 1"
    for words in (
        "bots",
        f"record --games 3 --bots random --turn-limit 20 --out {folder}/records",
        f"arena random greedy --games 4 {quick} --out {folder}/arena" if rng.random() < 0.1 else "bots --json",
        "record --games 0 --out nowhere",
    ):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            rc.main(words.split())


@activity
def training(rng: random.Random, folder: Path) -> None:
    """Train a tiny run, stop it and resume it."""
    if rng.random() > 0.05:
        return
    import torch

    from rc_env.training.run import settings_of, train

    torch.set_num_threads(1)
    train(TINY, folder)
    train(settings_of(folder), folder, resume=True)


class Always(random.Random):
    """Random numbers for the first round, which leave out no activity: what stays for good, such as PyTorch, is loaded
    then.
    """

    def random(self) -> float:
        """Return the smallest number that `random` can give."""
        return 0.0


class Sample(NamedTuple):
    """The memory, threads, files and processes that the process holds while idle."""

    seconds: float
    megabytes: float
    threads: int
    files: int
    children: int


def sample(begin: float) -> Sample:
    """Measure the process; no child process should exist any more."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # memory that the allocator keeps for later is no leak
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    children = sum(
        len((task / "children").read_text().split()) for task in Path("/proc/self/task").iterdir() if task.exists()
    )
    files = len(list(Path("/proc/self/fd").iterdir()))
    return Sample(
        time.monotonic() - begin, int(status["VmRSS"].split()[0]) / 1024, int(status["Threads"]), files, children
    )


def median(values: list[float]) -> float:
    """Return the median."""
    return float(np.median(values))


def summary(samples: list[Sample], seconds: float) -> tuple[list[str], bool]:
    """Return a line for each twelfth of the time, and whether anything has grown since the warm-up."""
    part = min(WARM_UP, seconds / 12)
    lines = [f"{'minutes':>9} {'memory MB':>10} {'threads':>8} {'files':>6} {'children':>9}"]
    table = []
    for number in range(int(np.ceil(seconds / part))):
        some = [one for one in samples if number * part <= one.seconds < (number + 1) * part]
        if some:
            table.append(tuple(median([one[i] for one in some]) for i in range(1, 5)))
            at = f"{number * part / 60:.1f}-{(number + 1) * part / 60:.1f}"
            lines.append("{:>9} {:10.1f} {:8.0f} {:6.0f} {:9.0f}".format(at, *table[-1]))
    first, last = table[min(1, len(table) - 1)], table[-1]
    grown = [name for name, a, b in zip(("threads", "files", "children"), first[1:], last[1:], strict=True) if b > a]
    if last[0] > first[0] * (1 + GROWTH):
        grown.append("memory")
    later = [one for one in samples if one.seconds >= part] or samples
    slope = np.polyfit([one.seconds for one in later], [one.megabytes for one in later], 1)[0] if len(later) > 1 else 0
    lines.append(f"memory since the warm-up: {last[0] - first[0]:+.1f} MB, {slope * 3600:+.1f} MB an hour by the slope")
    lines.append(f"grown since the warm-up: {', '.join(grown) or 'nothing'}")
    return lines, not grown


def main() -> int:
    """Run the activities until the time is up; return 1 if something has grown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3600, help="time limit in seconds (3600)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the order of the calls (0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples to a file")
    options = parser.parse_args()
    rng, done, samples = random.Random(options.seed), Counter[str](), []
    begin = shown = time.monotonic()
    while time.monotonic() - begin < options.seconds:
        for one in rng.sample(ACTIVITIES, len(ACTIVITIES)):
            folder = Path(tempfile.mkdtemp(prefix="rc_env-soak-"))
            one(rng if samples else Always(), folder)
            shutil.rmtree(folder)
            done[one.__name__] += 1
        samples.append(sample(begin))
        if time.monotonic() - shown > 60:
            shown = time.monotonic()
            now = samples[-1]
            print(
                f"{now.seconds / 60:6.1f} min: {now.megabytes:.1f} MB, {now.threads} threads, {now.files} files, "
                f"{now.children} children, {sum(done.values())} activities",
                flush=True,
            )
    lines, constant = summary(samples, options.seconds)
    print("\n".join(lines))
    print("activities: " + ", ".join(f"{name} {count}" for name, count in sorted(done.items())))
    if options.json:
        options.json.write_text(json.dumps({"samples": samples, "activities": done}) + "\n")
    return 0 if constant else 1


if __name__ == "__main__":
    sys.exit(main())
