"""Attacks on the command line: each option of each sub-command with wrong values, and an unusual environment.

The options are read from the parsers, so that none can be forgotten.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attacks import Attack, Call
from objects import recorded

from rc_env import agents
from rc_env.agents.command_line import as_count
from rc_env.apps.cli import options, rc

PATIENCE, LONGEST = 3, 15
"""Seconds of processor time, and of the clock, after which a command that still runs is stopped with Ctrl-C."""
SMALL = "--turn-limit 12"
LINES: dict[str, str] = {
    "train": (
        "--players 2 --decisions 64 --imitation 0 --envs 4 --steps 4 --batch 16 --epochs 1 --trunk 8 --layers "
        "1 --heads 8 --object 4 --threads 1 --device cpu --precision float32 --anchors random "
        f"--evaluation-games 2 --games 2 --opponents self=1 --out run {SMALL}"
    ),
    "evaluate": f"random --games 2 --against random {SMALL}",
    "calibration": f"shipped --games 2 {SMALL}",
    "curve": "nowhere",
    "card": "nowhere --out card.md",
    "export": "nowhere --onnx model.onnx",
    "average": "nowhere nowhere --out mean.npz",
    "bots": "",
    "warmup": "",
    "arena": f"random greedy --games 2 --workers 1 {SMALL}",
    "first-player": f"--bots random --games 2 --workers 1 {SMALL}",
    "benchmark": "random --games 10 --workers 1",
    "stats": f"random --games 2 --workers 1 {SMALL}",
    "guilds": "--bot random --games 1 --workers 1",
    "data": "sample --seed 1 --out set.toml",
    "uncertainty": f"--bot random --sets sample:0-1 --numbers none --games 2 --ladder-games 2 --workers 1 {SMALL}",
    "tune": f"--rounds 1 --generations 1 --population 4 --games 1 --workers 1 --out plan.toml {SMALL}",
    "bench": "--only start",
    "play": f"--plain --bots random --seed 1 {SMALL}",
    "watch": f"random --plain --pace 0 --seed 1 {SMALL}",
    "record": f"--bots random --out records {SMALL}",
    "replay": "game.rcr",
    "analyse": "game.rcr --out copy.rcr --playouts 2 --bot search:net=shipped,simulations=2",
    "serve": "--port 0 --folder kept",
    "completion": "bash",
}
"""A correct and quick command line of each sub-command. Four need a trained network, which does not exist."""
NEED_A_RUN = ("curve", "card", "export", "average")

INTEGERS = ("", "x", "-1", "0", "1.5", "nan", "1e3", "9" * 30, "0x10", "--", "None", "\u0661")
FLOATS = ("", "x", "-1", "0", "nan", "inf", "-inf", "1e400", "1,5", "9" * 400)
WORDS = (
    *("", " ", "x", "-", ",", "a,b", "math:pi", "os:getpid", "no_such_module:Bot", "net:nowhere", "plan:nowhere"),
    *("search:simulations=0", "search:simulations=2.5", "search:depth=nan", "search:nothing=1", "random:seed=x"),
    *("random:seed=-1", "search:simulations=" + "9" * 30, "net:.", "a\nb", "\u202e", "\udcff", "=", ":::", "self=1"),
)
FILES = ("", "nowhere", ".", "rubbish", "empty", "rubbish/below", "a" * 300, "/dev/null", "\udcff")
TARGETS = ("", "rubbish/below", "/dev/full", "/proc/nothing/here", "a" * 300, "\udcff", "sealed/x", ".")
TARGET_OPTIONS = {"out", "results", "save", "html", "onnx", "json", "folder"}
"""Options that name a file or folder to write, if they take a value."""
FILE_OPTIONS = {"data", "expansion_data", "config", "resume", "model", "models", "runs", "file", "against"}
"""Options that name a file to read."""


class Line(ValueError):
    """Raised for a command that ended with exit code 1 or 2 and printed one line on stderr."""


class NotALine(Exception):
    """Raised for a command that failed with another exit code, or without a single line on stderr."""


@cache
def _options() -> dict[str, list[argparse.Action]]:
    parser = rc.build_parser(list(rc.COMMANDS))
    found = next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    return {
        name: [action for action in command._actions if action.dest != "help"]
        for name, command in found.choices.items()
    }


def _prepare() -> None:
    """Empty the current folder, which has to be the folder of an attack, and write the files that commands name."""
    assert "rc_env-attacks-" in os.getcwd(), "the current folder is not that of an attack"
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    Path("game.rcr").write_text(recorded())
    Path("rubbish").write_bytes(b"\x93rubbish\xff\0" * 9)
    Path("empty").write_bytes(b"")
    sealed = Path("sealed")
    sealed.write_text("a file where a folder is wanted")


def run(words: list[str]) -> str:
    """Run `rc` with these words in this process, and return what it printed.

    Raises:
        Line: the command refused the words in one line, as it should.
        NotALine: the command failed in another way.
    """
    _prepare()
    out, err = io.StringIO(), io.StringIO()
    stdin, argv = sys.stdin, sys.argv
    before = [(one, signal.signal(one, _interrupt)) for one in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        sys.stdin, sys.argv = io.StringIO(""), ["rc", *words]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code: Any = rc.main(words)
    except SystemExit as error:
        code = error.code
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before:
            signal.signal(one, handler)
        sys.stdin, sys.argv = stdin, argv
    wording = err.getvalue().encode(errors="backslashreplace").decode()  # as stderr shows it
    lines = lines_of(wording)
    if code == 0 or (code == 130 and lines and ": stopped" in lines[-1]):
        return "it runs on, and stops when it is interrupted" if code else out.getvalue()
    if code not in (1, 2) or len(lines) != 1 or "Traceback" in wording:
        raise NotALine(f"exit code {code}, {len(lines)} lines on stderr: {wording[-300:]!r}")
    if not lines[0].startswith(f"rc {words[0]}: ") and words[0] in rc.COMMANDS:
        raise NotALine(f"the sub-command is not named: {lines[0]!r}")
    raise Line(lines[0])


def lines_of(wording: str) -> list[str]:
    """Return the lines on stderr, without overwritten text, progress bars and the line about compiling."""
    shown = (line.rpartition("\r")[2] for line in wording.replace("\r\n", "\n").split("\n"))
    return [line for line in shown if line.strip() and "%|" not in line and not line.startswith("rc_env: compiling")]


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _is(read: Callable[[str], Any], fits: Callable[[Any], bool]) -> Callable[[str], bool]:
    def check(word: str) -> bool:
        try:
            return bool(fits(read(word)))
        except (ValueError, argparse.ArgumentTypeError):
            return False

    return check


def _allowed(command: str, action: argparse.Action, word: str) -> str | None:
    """Return the reason why a command may accept a value, or None."""
    if action.type in (as_count, int, options.workers):
        read = as_count if action.type is as_count else int
        return "a whole number that may be asked for" if _is(read, lambda n: n >= 0)(word) else None
    if action.dest == "trust":
        return "a word that is compared with those of files, and not made anything of"
    if action.dest == "opponents":
        return "shares by name" if word == "self=1" else None
    if action.type is float:
        least = -100 if action.dest == "rare" else 0  # a negative number makes it more likely
        fits = _is(float, lambda x: math.isfinite(x) and x >= least)
        return "a number that may be asked for" if fits(word) else None
    if action.dest in TARGET_OPTIONS and word not in ("", "/dev/full"):
        return "a file or folder that can be written"
    if (command, word) == ("bench", "/dev/full"):
        return "it measures for longer than an attack may take, and is stopped before it writes"
    if word.partition(":")[0] in agents.names():
        return "a bot" if word in ("random:seed=0",) else None
    return None


def _values(action: argparse.Action) -> tuple[str, ...]:
    if action.nargs == 0:
        return ()
    if action.type in (as_count, int, options.workers):
        return INTEGERS
    if action.type is float:
        return FLOATS
    if action.dest in TARGET_OPTIONS:
        return TARGETS
    return (*FILES, *WORDS[2:6]) if action.dest in FILE_OPTIONS else WORDS


def _with(command: str, action: argparse.Action, word: str) -> list[str]:
    """Return the quick command line of a command with another value of one option."""
    words = LINES[command].split()
    if action.option_strings:
        option = action.option_strings[0]
        if option in words:
            del words[words.index(option) : words.index(option) + 2]
        return [command, *words, f"{option}={word}"]
    return [command, word, *words[1:]]


def _call(words: list[str]) -> Call:
    return Call(lambda: run(words), wording=(f"rc {words[0]}", "rc: ", words[-1]))


def shown(word: str) -> str:
    """Return a value as it is written in the name of an attack."""
    short = word if len(word) < 60 else f"{word[:5]} and {len(word) - 5} letters more"
    return ascii(short)


def of_options() -> Iterator[Attack]:
    """Attack every option of every command with wrong values."""
    for command, actions in _options().items():
        words = [command, *LINES[command].split()]
        if command not in NEED_A_RUN:
            yield Attack(
                f"rc {command}",
                "command line",
                "as it is",
                lambda words=words: _call(words),
                lambda call: "as it is",
                True,
            )
        for action in actions:
            name = (action.option_strings or [action.dest])[0]
            for word in _values(action):
                yield Attack(
                    f"rc {command}",
                    "command line",
                    f"{name} {shown(word)}",
                    lambda command=command, action=action, word=word: _call(_with(command, action, word)),
                    lambda call, command=command, action=action, word=word: _allowed(command, action, word),
                )


def _process(words: list[str], shell: str, **environment: str) -> Call:
    """Run a command in a process of its own, by a shell line in which `RC` stands for the command."""

    def start() -> str:
        _prepare()
        command = " ".join([sys.executable, "-m", "rc_env_start", *words])
        home = str(Path(rc.__file__).parents[3])
        done = subprocess.run(
            ["bash", "-c", shell.replace("RC", command)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join([home, *sys.path])} | environment,
            capture_output=True,
            timeout=18,
        )
        wording = done.stderr.decode(errors="replace")
        lines = lines_of(wording)
        if "Traceback" in wording or "Exception ignored" in wording or len(lines) > 1:
            raise NotALine(f"exit code {done.returncode}: {wording[-300:]!r}")
        if done.returncode in (1, 2) and lines:
            raise Line(lines[0])
        if done.returncode not in (0, 130, 141):
            raise NotALine(f"exit code {done.returncode} with {len(lines)} lines: {wording[-300:]!r}")
        return done.stdout.decode(errors="replace")

    return Call(start, wording=("rc",))


SURROUNDINGS = {
    "a broken pipe": ("set -o pipefail; RC | true", {}),
    "a full disk behind stdout": ("RC > /dev/full", {}),
    "stdout closed": ("RC >&-", {}),
    "stdin closed": ("RC <&-", {}),
    "an encoding of letters alone": ("RC", {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}),
    "no home": ("env -u HOME RC", {}),
    "a folder that is gone": ("mkdir gone && cd gone && rmdir ../gone && RC", {}),
    **{
        f"Ctrl-C after {seconds} s": (f"set -m; RC & set +m; sleep {seconds}; kill -INT $! 2>/dev/null; wait $!", {})
        for seconds in (0.3, 0.8, 1.5, 2.5)  # without `set -m` a background job ignores SIGINT
    },
}
QUIET = ("bots", "completion", "replay", "record", "play", "watch")


def of_surroundings() -> Iterator[Attack]:
    """Attack commands whose output, input or folders are unusual."""
    for what, (shell, environment) in SURROUNDINGS.items():
        for command in QUIET:
            words = [command, *LINES[command].split()]
            yield Attack(
                f"rc {command}",
                "surroundings",
                what,
                lambda words=words, shell=shell, environment=environment: _process(words, shell, **environment),
                lambda call: "the command works, or ends without output",
            )


def attacks() -> list[Attack]:
    """Return all attacks on the command line."""
    return [*of_options(), *of_surroundings()]
