"""`rc bench --against CHECKOUT`: this build beside another one, in turns, so that a noisy machine slows both alike.

Each side is a process of its own that stays, on the same core: it imports its own `rc_env`, compiles, and then runs one
workload at a time when asked. Runs are paired: both sides of a ratio are measured directly after each other, in an
order that is turned round from pair to pair. What is counted is the time of the processor, not that of waiting for one.
Reported are medians of the ratios with 95% bootstrap intervals.

With `--full` both play the full game. With `--full here` this build does and the other one plays the base game: against
the own checkout, the ratios say what the expansion costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rc_env
from rc_env.arena.intervals import median_interval
from rc_env.ruleset import FULL_GAME

PAIRS = 15
BATCH = 4096
PLAYERS = 2
SECONDS = 0.3  # length of one run
SIDES = THIS, OTHER = "this", "other"
FULL = {"both": SIDES, "here": (THIS,)}
"""The sides that play the full game, by the word behind `--full`."""
WORKLOADS = (
    "step_float32",
    "step_uint8",
    "once_float32",
    "once_uint8",
    "vector_float32",
    "vector_uint8",
    "random_float32",
    "random_uint8",
    "random",
)

# What a side runs; it has to do with any version of rc_env. A workload that a version lacks has no rate.
WORKER = """
import json, os, sys, time
import numpy as np
players, batch, seconds, core = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
switches = json.loads(sys.argv[5])
if core >= 0 and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {core})
from rc_env import Engine, RedCathedralVectorEnv, Ruleset

def choices(mask, rng):
    return (rng.random(mask.shape, np.float32) * mask).argmax(1)

class Steps:
    def __init__(self, make):
        self.step, self.mask = make()
        self.rng = np.random.default_rng(0)
        self.mask = self.step(choices(self.mask, self.rng))
    def run(self, seconds):
        spent, count = 0.0, 0
        while spent < seconds:
            actions = choices(self.mask, self.rng)
            begin = time.process_time()
            self.mask = self.step(actions)
            spent += time.process_time() - begin
            count += batch
        return count / spent

def engine_step(dtype, once):
    engine = Engine(Ruleset(players=players, **switches), batch)
    engine.play_random(1000)
    out = np.zeros((batch, engine.num_features), dtype)
    more = {} if dtype == "float32" else {"dtype": np.uint8}
    def step(actions):
        engine.step(actions, auto_reset=True)
        engine.observe(out=out, **more)
        return engine.legal_mask()
    def at_once(actions):
        engine.step(actions, auto_reset=True, observations=out)
        return engine.legal_mask()
    return at_once if once else step, engine.legal_mask()

def vector_step(dtype):
    more = {} if dtype == "float32" else {"observation_dtype": dtype}
    env = RedCathedralVectorEnv(batch, num_players=players, **more, **switches)
    _, infos = env.reset(seed=0)
    return (lambda actions: env.step(actions)[4]["action_mask"]), infos["action_mask"]

class Random:
    def __init__(self, dtype):
        self.engine = Engine(Ruleset(players=players, **switches), batch)
        self.engine.play_random(1000)
        self.out = None if dtype is None else np.zeros((batch, self.engine.num_features), dtype)
    def run(self, seconds):
        count, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            self.engine.play_random(20, masks=True, observations=self.out)
            count += 20 * batch
        return count / (time.process_time() - begin)

def make(workload):
    kind, _, dtype = workload.partition("_")
    if kind == "random":
        return Random(dtype or None)
    return Steps(lambda: vector_step(dtype) if kind == "vector" else engine_step(dtype, kind == "once"))

print(json.dumps({"features": Engine(Ruleset(players=players, **switches)).num_features}), flush=True)
made = {}
for line in sys.stdin:
    workload = line.strip()
    if workload not in made:
        try:
            made[workload] = make(workload)
            made[workload].run(seconds)
        except (TypeError, ValueError):  # what this version has not got
            made[workload] = None
    work = made[workload]
    print(json.dumps(work.run(seconds) if work else None), flush=True)
"""

COMPILE = """
import time
begin = time.perf_counter()
import rc_env
rc_env.warmup({})
print(time.perf_counter() - begin)
"""


@dataclass(frozen=True)
class Ratio:
    """Two rates to compare: (side, workload) each."""

    name: str
    of: tuple[str, str]
    to: tuple[str, str]


RATIOS = (
    Ratio("step + observe, bytes to floats", (THIS, "step_uint8"), (THIS, "step_float32")),
    Ratio("step + observe, bytes to the other's floats", (THIS, "step_uint8"), (OTHER, "step_float32")),
    Ratio("step + observe, floats to the other's floats", (THIS, "step_float32"), (OTHER, "step_float32")),
    Ratio("step with observations, bytes to floats", (THIS, "once_uint8"), (THIS, "once_float32")),
    Ratio("step with observations, bytes to step + observe", (THIS, "once_uint8"), (THIS, "step_uint8")),
    Ratio("step with observations, bytes to the other's floats", (THIS, "once_uint8"), (OTHER, "step_float32")),
    Ratio("VectorEnv.step, bytes to floats", (THIS, "vector_uint8"), (THIS, "vector_float32")),
    Ratio("VectorEnv.step, floats to the other's floats", (THIS, "vector_float32"), (OTHER, "vector_float32")),
    Ratio("play_random with masks, bytes to floats", (THIS, "random_uint8"), (THIS, "random_float32")),
    Ratio("play_random with masks, floats to the other's", (THIS, "random_float32"), (OTHER, "random_float32")),
    Ratio("play_random with masks alone, to the other's", (THIS, "random"), (OTHER, "random")),
)


class Side:
    """A process that measures the `rc_env` of one checkout.

    Args:
        checkout: the folder that holds the package `rc_env`.
        program: what it runs: it prints a line of JSON when it is ready, and one for each line that it reads.
        words: its arguments.

    Attributes:
        ready: what it printed when it was ready.

    Raises:
        ValueError: the folder holds no `rc_env`, or it does not start.
    """

    def __init__(self, checkout: Path, program: str, *words: str) -> None:
        self.checkout = checkout_folder(checkout)
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *words],
            env=environment(checkout),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ready = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ValueError(f"--against: rc_env in {self.checkout} did not run; its message stands above")
        return json.loads(line)

    def ask(self, line: str) -> float | None:
        """The measurement that a line asks for, such as decisions a second; None if this version has not got it."""
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)
        answer = self._answer()
        return None if answer is None else float(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def checkout_folder(checkout: Path) -> Path:
    """Return a folder after checking that it holds the package."""
    if not (checkout / "rc_env" / "__init__.py").is_file():
        raise ValueError(f"--against: {checkout} found, expected a folder that holds the package rc_env")
    return checkout


def environment(checkout: Path) -> dict[str, str]:
    """The environment in which Python imports that checkout's package."""
    return {**os.environ, "PYTHONPATH": str(checkout.resolve()), "PYTHONSAFEPATH": "1"}


def this_checkout() -> Path:
    """The folder that holds the package that is running now."""
    return Path(rc_env.__file__).resolve().parents[1]


def measure(
    against: Path,
    pairs: int = PAIRS,
    *,
    players: int = PLAYERS,
    batch: int = BATCH,
    seconds: float | None = None,
    full: Sequence[str] = (),
) -> dict[str, Any]:
    """Ratios of this build to the checkout at `against`, and within this build.

    Args:
        against: the folder of the other checkout.
        pairs: how many runs of each workload.
        players, batch: the games.
        seconds: how long a run takes, by default `SECONDS`.
        full: the sides of `SIDES` that play the full game, with all switches of the expansion on.

    Returns:
        "players", "batch" and "full"; "features", F of both sides; "decisions_per_s", medians by side and workload;
        "ratios", a list of dictionaries with "name", "median", "low", "high" (a 95% interval) and "pairs". What a side
        lacks is left out.

    Raises:
        ValueError: the folder holds no `rc_env`, or one that does not run.
    """
    core = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1
    seconds = SECONDS if seconds is None else seconds
    asked = [str(players), str(batch), str(seconds), str(core)]
    with ExitStack() as opened:
        sides = {
            name: opened.enter_context(closing(Side(checkout, WORKER, *asked, json.dumps(switches))))
            for name, checkout in ((THIS, this_checkout()), (OTHER, against))
            for switches in (FULL_GAME if name in full else {},)
        }
        needed = {end for ratio in RATIOS for end in (ratio.of, ratio.to)}
        order = sorted(needed, key=lambda end: (WORKLOADS.index(end[1]), end[0]))
        rates: dict[tuple[str, str], list[float]] = {end: [] for end in order}
        for side, workload in order:  # compile, and begin the games, before anything counts
            sides[side].ask(workload)
        for pair in range(pairs):
            for side, workload in order if pair % 2 == 0 else reversed(order):
                rate = sides[side].ask(workload)
                if rate is not None:
                    rates[side, workload].append(rate)
        features = {name: side.ready["features"] for name, side in sides.items()}
    medians: dict[str, dict[str, int]] = {THIS: {}, OTHER: {}}
    for side, workload in order:
        if rates[side, workload]:
            medians[side][workload] = round(float(np.median(rates[side, workload])))
    found = [summary(ratio.name, rates[ratio.of], rates[ratio.to]) for ratio in RATIOS]
    ratios = [one for one in found if one["pairs"]]
    setting = {"players": players, "batch": batch, "full": list(full), "features": features}
    return setting | {"decisions_per_s": medians, "ratios": ratios}


def measure_compile(against: Path, pairs: int, full: Sequence[str] = ()) -> dict[str, Any]:
    """Seconds that a new process needs to import rc_env and compile everything, this build and the other in turns.

    The sides in `full` compile the full game.

    Returns:
        "compile_s", medians by side, and "ratios" as `measure` does.

    Raises:
        ValueError: the folder holds no `rc_env`, or one that does not compile.
    """
    seconds: dict[str, list[float]] = {THIS: [], OTHER: []}
    checkouts = {THIS: this_checkout(), OTHER: checkout_folder(against)}
    for pair in range(pairs):
        for name in (THIS, OTHER) if pair % 2 == 0 else (OTHER, THIS):
            with tempfile.TemporaryDirectory() as folder:
                run = subprocess.run(
                    [sys.executable, "-c", COMPILE.format("full=True" if name in full else "")],
                    env=environment(checkouts[name]) | {"RC_ENV_CACHE": folder},
                    stdout=subprocess.PIPE,
                    text=True,
                )
            if run.returncode:
                raise ValueError(f"--against: rc_env in {checkouts[name]} did not compile; its message stands above")
            seconds[name].append(float(run.stdout))
    medians = {name: round(float(np.median(each)), 2) for name, each in seconds.items()}
    ratio = summary("cold compile, seconds to the other's", seconds[THIS], seconds[OTHER])
    return {"compile_s": medians, "ratios": [ratio]}


def summary(name: str, of: Sequence[float], to: Sequence[float]) -> dict[str, Any]:
    """The median of the ratios of pairs, with its interval; no numbers where there are no pairs."""
    ratios = [one / other for one, other in zip(of, to, strict=False)]
    if not ratios:
        return {"name": name, "pairs": 0}
    found = median_interval(ratios)
    return {"name": name, "median": found.mean, "low": found.low, "high": found.high, "pairs": len(ratios)}


def table(results: dict[str, Any]) -> str:
    """The results as a text table."""
    lines = []
    if "features" in results:
        features = results["features"]
        games = {0: "games", 1: "games of the full game here, of the base game there", 2: "games of the full game"}
        lines.append(
            f"{results['players']} players, {results['batch']} {games[len(results['full'])]}; "
            f"F: {features[THIS]} here, {features[OTHER]} there"
        )
    for side, rates in results.get("decisions_per_s", {}).items():
        lines += [f"{side:<6}{workload:<16}{rate / 1e6:7.3f} M decisions/s" for workload, rate in rates.items()]
    for side, seconds in results.get("compile_s", {}).items():
        lines.append(f"{side:<6}cold compile {seconds:8.2f} s")
    for ratio in results["ratios"]:
        lines.append(f"{ratio['name']:<56}{ratio['median']:6.3f} ({ratio['low']:.3f} to {ratio['high']:.3f})")
    return "\n".join(lines)
