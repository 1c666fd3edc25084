"""Other faults during a command: bots that crash, a clock that jumps, a stopped process, little memory.

    python tests/faults/other_faults.py

Each time the command ends as it should: with the results of an undisturbed run if it can, and otherwise with one line
on stderr and complete files.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from long_commands import LONG, LongCommand, difference, finished, start, written

MEGABYTES = (512, 1024, 1536, 2048, 3072, 4096, 6144)
BAD_BOTS = ("Raises", "Illegal", "Shape", "Exits", "Dies", "Segfaults", "Killed", "Unmade", "Sleeps")
CLOCK = """
import random, sys, time
real, steps = time.time, random.Random(1)
time.time = lambda: real() + steps.choice((-1e9, -3600, 0, 3600, 1e9))
from rc_env.apps.cli import rc
sys.exit(rc.main(sys.argv[1:]))
"""


def short(command: LongCommand) -> LongCommand:
    """Return the same command with less to do."""
    fewer = {"--games 384": "--games 64", "--games 600": "--games 100", "--games 400": "--games 50"}
    fewer |= {"--generations 6": "--generations 2", "--decisions 3000": "--decisions 1000"}
    words = command.words
    for long, less in fewer.items():
        words = words.replace(long, less)
    return LongCommand(words, command.resume)


def wording(err: str) -> list[str]:
    """Return the lines on stderr without the line about compiling and the progress bars."""
    lines = [line for line in err.splitlines() if line.strip() and not line.startswith("rc_env: compiling")]
    return [line for line in lines if not line.endswith("decisions/s]")]


def bad_bots(place: Path) -> Iterator[str]:
    """Let a bot that fails play beside two that do not, and check that the games between those two are complete."""
    alone = place / "alone"
    line = "arena random greedy --games 8 --workers 2 --seed 3 --turn-limit 20 --out"
    code, _, err = finished([*line.split(), str(alone)])
    assert code == 0, err
    expected = written(alone)["results.json"]["crosstable"]["greedy"]["random"]
    for name in BAD_BOTS:
        out = place / name
        limit = ["--limit", "0.3"] if name == "Sleeps" else []
        words = [*line.replace("greedy", f"greedy misbehaving:{name}").split(), str(out), *limit]
        begin = time.monotonic()
        code, _, err = finished(words, 300)
        took = time.monotonic() - begin
        assert "Traceback" not in err, f"{name}: {err[-300:]}"
        found: dict[str, Any] = written(out) if out.exists() else {}
        if name == "Unmade":  # this bot is refused before any game
            assert code == 2 and len(wording(err)) == 1, f"{name}: exit code {code}, {err[-300:]!r}"
        else:
            assert code in (0, 1), f"{name}: exit code {code}, {err[-300:]!r}"
            results = json.dumps(found.get("results.json"))
            assert name.lower() in results.lower() or "misbehaving" in results, f"{name} is not named in the results"
            between = found["results.json"]["crosstable"]["greedy"]["random"]
            assert between == expected, f"{name}: greedy won {between} of the games against random, not {expected}"
        yield f"a bot that is called {name}: exit code {code}, {len(found)} files, {took:.0f} s"


def clock(place: Path) -> Iterator[str]:
    """Let the time of day jump by up to thirty years, back and forth, each time it is read."""
    for command in map(short, LONG):
        plain, jumping = place / f"{command.name}-plain", place / f"{command.name}-jumping"
        plain.mkdir()
        jumping.mkdir()
        code, _, err = finished(command.line(plain))
        assert code == 0, err
        code, _, err = _python(CLOCK, command.line(jumping))
        assert code == 0 and "Traceback" not in err, f"rc {command.name}: exit code {code}: {err[-300:]}"
        differs = difference(written(plain), written(jumping))
        assert not differs, f"rc {command.name}: these differ: {differs}"
        yield f"rc {command.name} under a clock that jumps: the same files"


def _python(program: str, words: list[str]) -> tuple[int, str, str]:
    """Run a program that calls the command line itself, as `finished` runs a command."""
    process = start(words, program=program)
    out, err = process.communicate(timeout=600)
    return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")


def stopped(place: Path) -> Iterator[str]:
    """Stop all processes of a command for a while and let them go on, as on a laptop that is closed and opened."""
    for command in map(short, LONG):
        plain, slept = place / f"{command.name}-plain", place / f"{command.name}-slept"
        plain.mkdir()
        slept.mkdir()
        code, _, err = finished(command.line(plain))
        assert code == 0, err
        process = start(command.line(slept))
        for _ in range(3):
            time.sleep(1.5)
            for one in (signal.SIGSTOP, signal.SIGCONT):
                if process.poll() is None:
                    os.killpg(process.pid, one)
                time.sleep(1.5 if one == signal.SIGSTOP else 0)
        _, err_bytes = process.communicate(timeout=600)
        assert process.returncode == 0, f"rc {command.name}: {err_bytes.decode()[-300:]}"
        differs = difference(written(plain), written(slept))
        assert not differs, f"rc {command.name}: these differ: {differs}"
        yield f"rc {command.name}, stopped three times and gone on: the same files"


def memory(place: Path) -> Iterator[str]:
    """Check that a command with little memory works or prints one line, and that every file it wrote is complete."""
    for command in map(short, LONG):
        works = []
        for number, megabytes in enumerate(MEGABYTES):
            out = place / f"{command.name}-{number}"
            out.mkdir()
            size = megabytes * 1024**2

            def limited(size: int = size) -> None:
                resource.setrlimit(resource.RLIMIT_AS, (size, size))

            code, _, err = finished(command.line(out), preexec_fn=limited)
            written(out, temporary=True)
            lines = wording(err)
            if code == 0:
                works.append(megabytes)
            else:
                assert len(lines) == 1 and lines[0].startswith("rc "), (
                    f"rc {command.name}, {megabytes} MB: {err[-300:]!r}"
                )
        yield f"rc {command.name} with {MEGABYTES[0]} to {MEGABYTES[-1]} MB: works with {works or 'none of them'}"


FAULTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "bots": bad_bots,
    "clock": clock,
    "stopped": stopped,
    "memory": memory,
}


def main() -> int:
    """Try all faults; return 1 if a command does not end as it should."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=list(FAULTS), help="one kind of fault")
    options = parser.parse_args()
    failed = 0
    for name, fault in FAULTS.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="rc_env-faults-") as place:
                try:
                    for line in fault(Path(place)):
                        print(line, flush=True)
                except AssertionError as error:
                    failed += 1
                    print(f"{name}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
