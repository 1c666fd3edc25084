"""Kill long commands with SIGKILL at random moments, and let them go on: `python tests/faults/kill.py`.

Every file written before the kill is complete. A command with `--resume` goes on from there, others start anew, and
both end with the same bytes as a run that was never stopped. Every second time the main process alone is killed: its
worker processes end by themselves.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from long_commands import LONG, LongCommand, can_resume, difference, finished, start, written

from rc_env.arena import journal

ORPHANED = 30
"""Seconds after which no process of a killed command may exist any more."""


def session(leader: int) -> list[int]:
    """Return the processes of a session that still exist."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            if int(words[3]) == leader and words[0] != "Z":
                found.append(int(path.parent.name))
    return found


def begun(out: Path) -> bool:
    """Return whether a command that wrote to a folder has left something to resume from."""
    return any(path.name == "checkpoint.pt" or path.name.endswith(journal.SUFFIX) for path in out.iterdir())


def kill(line: list[str], after: float, everything: bool) -> bool:
    """Start a command and kill it after so many seconds; return False if it ended before."""
    process = start(line)
    until = time.monotonic() + after
    while time.monotonic() < until and process.poll() is None:
        time.sleep(0.005)
    if process.poll() is not None:
        process.communicate()
        return False
    os.killpg(process.pid, signal.SIGKILL) if everything else process.kill()
    process.wait()
    until = time.monotonic() + ORPHANED
    while session(process.pid) and time.monotonic() < until:
        time.sleep(0.1)
    left = session(process.pid)
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.stdout and process.stdout.close()
    process.stderr and process.stderr.close()
    assert not left, f"{len(left)} processes are left {ORPHANED} s after the main one was killed"
    return True


def trial(command: LongCommand, expected: dict[str, object], took: float, rng: random.Random) -> tuple[int, int]:
    """Kill a command one to three times while it runs; return how often, and how many files existed after the kills."""
    with tempfile.TemporaryDirectory(prefix="rc_env-kill-", ignore_cleanup_errors=True) as place:
        out, killed, kept = Path(place) / "out", 0, 0
        out.mkdir()
        for _ in range(rng.choice((1, 1, 2, 3))):
            line = command.line(out, resume=begun(out))
            killed += kill(line, rng.uniform(0.1, took), everything=rng.random() < 0.5)
            there = written(out, temporary=True)
            lost = [name for name in there if name.endswith(".rcr") and there[name] != expected.get(name)]
            assert not lost, f"{lost[0]} differs from the game of an undisturbed run"
            kept = len(there)
        code, _, err = finished(command.line(out, resume=begun(out)))
        assert code == 0, f"the command does not resume: exit code {code}: {err[-300:]}"
        assert "Traceback" not in err, err[-300:]
        differs = difference(written(out), expected)
        assert not differs, f"after the command was resumed these files differ: {differs}"
        return killed, kept


def main() -> int:
    """Kill and resume the commands; return 1 if work is lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=50, help="number of trials, of all commands together (50)")
    parser.add_argument("--only", default="", metavar="COMMAND", help="try this command alone")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random moments (0)")
    options = parser.parse_args()
    chosen = [command for command in LONG if options.only in command.name]
    failed = 0
    for place, command in enumerate(chosen):
        times = (options.times + place) // len(chosen)
        with tempfile.TemporaryDirectory(prefix="rc_env-kill-") as folder:
            out = Path(folder) / "out"
            begin = time.monotonic()
            code, _, err = finished(command.line(out))
            took = time.monotonic() - begin
            assert code == 0, err
            expected = written(out)
        rng, kills, kept, lost = random.Random(options.seed), 0, 0, 0
        for number in range(times):
            try:
                killed, files = trial(command, expected, took, rng)
                kills, kept = kills + killed, kept + files
            except AssertionError as error:
                lost += 1
                print(f"rc {command.name}, trial {number}: {error}", flush=True)
        failed += lost
        way = "with --resume" if can_resume(command.name) else "anew, since it has no --resume"
        print(
            f"rc {command.name}: {times} trials, {kills} kills within {took:.1f} s, {kept} files kept by them; "
            f"went on {way}; {lost} failed",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
