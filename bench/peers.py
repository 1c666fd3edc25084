"""Measures our speed and that of other environments on this machine: `make peers`.

Each library gets an environment of its own in build/peers, with pinned versions. Both sides of a comparison run on one
core, in turns, and CPU time is counted, so that other work on the machine slows neither of them. The table shows
decisions a second (the median run), and the median of the ratios of pairs of runs with its 95 % interval by bootstrap.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

import rc_env
from rc_env import files
from rc_env.arena.intervals import median_interval
from rc_env.arena.machine import processor

HERE = Path(__file__).resolve().parent
PEERS = HERE.parent / "build" / "peers"
LONGEST = 3600  # seconds of a run


@dataclass(frozen=True)
class Comparison:
    """Two loops of `measure.py`.

    Attributes:
        library: the environment in which the peer runs, a name of `PINS`.
        peer: its loop.
        ours: the loop of this project beside it.
        what: the peer, in words.
        alike: what both sides do at each decision.
    """

    library: str
    peer: str
    ours: str
    what: str
    alike: str


PINS = {
    "envpool": ["envpool==1.2.5", "numpy==2.4.6"],
    "open_spiel": ["open-spiel==2.0.2", "numpy==2.4.6"],
    "pettingzoo": ["pettingzoo[classic]==1.27.0", "numpy==2.4.6"],
    "catanatron": ["catanatron==3.2.1", "catanatron_gym==4.0.0", "numpy==2.4.6"],
}
ONE = "one game, from Python: mask, observation, step"
AEC = "one game through PettingZoo's AEC API: mask, observation, step"
POOL = "a batch of 256, one thread: step with observation (ours also with masks)"
COMPARISONS = (
    Comparison("envpool", "envpool_cartpole", "rc_batch", "EnvPool, CartPole-v1 (C++)", POOL),
    Comparison("envpool", "envpool_pong", "rc_batch", "EnvPool, Pong-v5 (C++)", POOL),
    Comparison("open_spiel", "open_spiel_connect_four", "rc_engine", "OpenSpiel, connect_four (C++)", ONE),
    Comparison("open_spiel", "open_spiel_backgammon", "rc_engine", "OpenSpiel, backgammon (C++)", ONE),
    Comparison("open_spiel", "open_spiel_chess", "rc_engine", "OpenSpiel, chess (C++)", ONE),
    Comparison("open_spiel", "open_spiel_backgammon", "rc_open_spiel", "OpenSpiel, backgammon (C++)", "as above, ours "
               "through `rc_env.envs.open_spiel` (Python)"),
    Comparison("pettingzoo", "pettingzoo_connect_four", "rc_aec", "PettingZoo, connect_four_v3 (Python)", AEC),
    Comparison("pettingzoo", "pettingzoo_chess", "rc_aec", "PettingZoo, chess_v6 (Python)", AEC),
    Comparison("catanatron", "catanatron", "rc_gym", "Catanatron, its Gymnasium environment (Python)", "one seat "
               "against a random bot: legal actions, observation, step with the bot's answers"),
)  # fmt: skip


def python_of(library: str) -> tuple[Path | None, str]:
    """The interpreter of a library's environment, which is made where it is not there; or None, and why not."""
    folder = PEERS / library
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    words = "\n".join(PINS[library])
    if stamp.exists() and stamp.read_text() == words:
        return python, ""
    print(f"Installing {' '.join(PINS[library])} into {folder} ...", file=sys.stderr)
    for line in (
        [sys.executable, "-m", "venv", "--clear", folder],
        [python, "-m", "pip", "install", "-q", *PINS[library]],
    ):
        done = subprocess.run([str(word) for word in line], capture_output=True, text=True, env=clean())
        if done.returncode:
            reason = [one for one in done.stderr.splitlines() if "ERROR" in one] or [f"exit code {done.returncode}"]
            return None, reason[-1]
    files.write(stamp, words)
    return python, ""


def clean() -> dict[str, str]:
    """The environment variables for a process that imports only the packages of its own interpreter."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "OMP_NUM_THREADS": "1"}


def times(ratio: float) -> str:
    """A ratio as text, with two or three digits."""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


@dataclass
class Side:
    """A process of `measure.py`, and the rates of its runs in decisions a second of CPU time."""

    python: Path
    loop: str
    rates: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        environment = clean()
        if self.loop.startswith("rc_"):
            environment["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), *sys.path])
        line = [str(self.python), str(HERE / "measure.py"), self.loop]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)
        if self._process.stdout is None or self._process.stdout.readline() != "ready\n":
            *_, last = self._process.communicate()[1].splitlines() or ["it said nothing"]
            raise RuntimeError(last)

    def run(self, seconds: float) -> None:
        """Make one more run, and keep its rate."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(seconds, file=self._process.stdin, flush=True)
        count, spent = json.loads(self._process.stdout.readline())
        self.rates.append(count / spent)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def compare(one: Comparison, pairs: int, seconds: float) -> dict[str, object]:
    """The rates of both sides, and their ratio; or why there are none."""
    found: dict[str, object] = {"peer": one.what, "alike": one.alike, "ours": one.ours}
    python, why = python_of(one.library)
    if python is None:
        return {**found, "missing": why}
    sides: list[Side] = []
    try:
        for where, loop in ((Path(sys.executable), one.ours), (python, one.peer)):
            sides.append(Side(where, loop))
        for pair in range(pairs):
            for side in sides[:: -1 if pair % 2 else 1]:
                side.run(seconds)
    except RuntimeError as error:
        return {**found, "missing": str(error)}
    finally:
        for side in sides:
            side.close()
    mine, theirs = (np.array(side.rates) for side in sides)
    ratio = median_interval(mine / theirs)
    return {
        **found,
        "our_rate": median(mine.tolist()),
        "peer_rate": median(theirs.tolist()),
        "ratio": [ratio.mean, ratio.low, ratio.high],
    }


def table(results: list[dict[str, object]]) -> str:
    """The results in Markdown."""
    lines = ["| peer | alike on both sides | ours /s | peer /s | ratio |", "| --- | --- | ---: | ---: | --- |"]
    for one in results:
        if "missing" in one:
            lines.append(f"| {one['peer']} | {one['alike']} | | | not measured: {one['missing']} |")
            continue
        ratio, low, high = map(times, one["ratio"])  # type: ignore[call-overload]
        rates = f"{one['our_rate']:,.0f} | {one['peer_rate']:,.0f}"
        lines.append(f"| {one['peer']} | {one['alike']} | {rates} | {ratio} ({low} to {high}) |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table, and write it with all figures to build/peers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of runs (default: 15)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a run (default: 1)")
    parser.add_argument("--only", default="", help="comparisons whose peer's name contains these letters")
    args = parser.parse_args()
    chosen = [one for one in COMPARISONS if args.only in one.peer]
    if not chosen:
        known = ", ".join(dict.fromkeys(one.peer for one in COMPARISONS))
        parser.error(f"--only must be letters of one of {known}, not {args.only!r}")
    if args.pairs < 1:
        parser.error(f"--pairs must be at least 1, not {args.pairs}")
    if not 0 < args.seconds <= LONGEST:
        parser.error(f"--seconds must be more than 0, and at most {LONGEST}, not {args.seconds:g}")
    begin, results = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), []
    for one in chosen:
        results.append(compare(one, args.pairs, args.seconds))
        print(table(results[-1:]).splitlines()[-1], file=sys.stderr)
    about = {
        "begin": begin,
        "end": time.strftime("%H:%M", time.gmtime()),
        "cpu": processor(),
        "python": platform.python_version(),
    }
    about |= {"rc_env": rc_env.__version__, "pairs": args.pairs, "seconds": args.seconds}
    files.write(PEERS / "peers.json", json.dumps({**about, "results": results}, indent=1) + "\n")
    print(f"{table(results)}\n\n{about}")


if __name__ == "__main__":
    main()
