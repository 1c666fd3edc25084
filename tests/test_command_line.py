"""Tests that wrong command lines of `rc` end with one sentence that names the sub-command, not with a traceback."""

from __future__ import annotations

import io
import multiprocessing
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import rc_env
import rc_env_start
from rc_env.apps.cli import bots, rc

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent / "golden" / "2-basic-greedy.rcr"
EMPTY = "'' found, expected the name of a file or folder"
REFUSED = {
    # --- file names
    "arena greedy random --out ''": f"argument --out: {EMPTY}",
    "arena greedy random --out file": "file found, which is a file, expected a folder or a name that is free",
    "arena greedy random --out file/below": "file found, which is a file, expected a folder or a name that is free",
    "arena greedy random --data ''": "data: '' found, expected 'base', a sample such as 'sample:17', or the path",
    "arena greedy random --resume ''": f"argument --resume: {EMPTY}",
    "record --out ''": f"argument --out: {EMPTY}",
    "record --out file": "file found, which is a file, expected a folder or a name that is free",
    "replay ''": f"argument FILE: {EMPTY}",
    "replay folder": "folder: cannot be read (Is a directory), expected a game record",
    "replay game.rcr --html folder": "folder cannot be written: Is a directory",
    "replay game.rcr --html no/page.html": "no/page.html cannot be written: No such file or directory",
    "analyse '' --out copy.rcr": f"argument FILE: {EMPTY}",
    "analyse game.rcr --out ''": f"argument --out: {EMPTY}",
    "analyse game.rcr --out folder": "folder cannot be written: Is a directory",
    "analyse folder --out copy.rcr": "folder: cannot be read (Is a directory), expected a game record",
    "analyse game.rcr --out copy.rcr --bot greedy": "bot: 'greedy' found, which does not say what it thinks, expected",
    "analyse game.rcr --out copy.rcr --bot greedily": "bot: 'greedily' found, expected one of",
    "serve --port 65536": "--port: 65536 found, expected 0 to 65535",
    "serve --port -1": "--port: -1 found, expected 0 to 65535",
    "serve --port 0 --host 203.0.113.9": "--host and --port: 203.0.113.9, port 0 found, which cannot be used",
    "serve --port 0 --bots greedily": "bot: 'greedily' found, expected one of",
    "serve --port 0 --folder ''": f"argument --folder: {EMPTY}",
    "serve --port 0 --folder file": "file found, which is a file, expected a folder or a name that is free",
    "tune --out folder": "folder cannot be written: Is a directory",
    "benchmark greedy --quick --json ''": f"argument --json: {EMPTY}",
    "benchmark greedy --quick --json folder": "folder cannot be written: Is a directory",
    "bench --json ''": f"--json: {EMPTY}",
    "bench --json folder": "folder cannot be written: Is a directory",
    "bench --against ''": f"--against: {EMPTY}",
    "evaluate ''": "model: '' found, expected the folder of a run, a file of weights, or a bot by name",
    "curve folder --out ''": f"argument --out: {EMPTY}",
    "card '' --out card.md": f"argument model: {EMPTY}",
    "export none --onnx folder": "folder cannot be written: Is a directory",
    "train --out file": "file found, which is a file, expected a folder or a name that is free",
    "train --config none.toml": "none.toml cannot be used: No such file or directory",
    # --- options that would be ignored
    "arena greedy random --solo --players 4": "--players: 4 found beside --solo, expected 1, or one of the two options",
    "train --solo --players 4": "--players: 4 found beside --solo, expected 1, or one of the two options",
    "arena greedy random --promos": "--promos: found with the fourth guild clergy, expected --fourth-guild random",
    "train --promos": "--promos: found with the fourth guild clergy, expected --fourth-guild random",
    "stats greedy --expansion-data x": "--expansion-data: 'x' found without the expansion, expected one of its",
    "replay game.rcr --html page.html --upto 3": "--upto: found beside --html, expected one of the two",
    "first-player --study --bots random": "--bots: found beside --study, expected none",
    "first-player --study --handicap": "--handicap: found beside --study, expected none",
    "first-player --study --players 3": "--players: found beside --study, expected none",
    "first-player --bots greedy greedy": "--bots: greedy greedy found, expected each bot once",
    "tune --out plan.toml --players 2 2": "--players: 2 2 found, expected each number once",
    "evaluate greedy --solo --against random": "--against: random found in the solo game, expected none",
    "bench --pairs 2": "--pairs: found without --against, expected it beside that",
    "bench --full": "--full: found without --against, expected it beside that",
    "bench --compile": "--compile: found without --against, expected it beside that",
    "bench --against folder --only engine": "--only: found beside --against, expected one of the two",
    "bench --against folder --training": "--training: found beside --against, expected one of the two",
    "bench --against folder --runs 3": "--runs: found beside --against, expected one of the two",
    "bench --training --only engine": "--only: engine found beside --training, expected one of the two",
    "train --opponents self=1,self=2": "argument --opponents: self found twice, expected each opponent once",
    "train --solo --opponents greedy=1": "--opponents: found in the solo game, expected none",
    "train --solo --anchors greedy": "--anchors: found in the solo game, expected none",
    # --- numbers
    "arena greedy random --limit inf": "limit: inf found, expected more than 0, and at most 86400 seconds",
    "arena greedy random --limit nan": "limit: nan found, expected more than 0, and at most 86400 seconds",
    "arena greedy random --limit 1e300": "limit: 1e+300 found, expected more than 0, and at most 86400 seconds",
    "arena greedy --solo --limit inf": "limit: inf found, expected more than 0, and at most 86400 seconds",
    "arena greedy --solo --seed -1": "seed: -1 found, expected a whole number from 0 to 2^64 - 1",
    "arena greedy random --until inf": "until: inf found, expected a number from 0.001 to 100",
    "arena greedy random --until nan": "until: nan found, expected a number from 0.001 to 100",
    "arena greedy random --workers 5000": "--workers: 5000 found, expected 0 to 1000",
    "tune --out plan.toml --step nan": "step: nan found, expected a number from 1e-09 to 100",
    "watch --pace nan": "--pace: nan found, expected 0 to 3600 seconds",
    # --- bots
    "arena math:pi random": "bot: 'math:pi' found, expected one of",
    "record --out new --bots math:pi": "bot: 'math:pi' found, expected one of",
    "watch math:pi": "bot: 'math:pi' found, expected one of",
    "play --bots math:pi": "bot: 'math:pi' found, expected one of",
    "evaluate math:pi": "bot: 'math:pi' found, expected one of",
    "evaluate greedy --against math:pi": "bot: 'math:pi' found, expected one of",
    "tune --workers 1 --out plan.toml --against math:pi": "bot: 'math:pi' found, expected one of",
    # --- unknown names
    "bots --jsonn": "unknown arguments --jsonn found, expected those that --help shows",
    "completion bash more": "unknown arguments more found, expected those that --help shows",
    # --- matches and tournaments
    "arena greedy": "bots: 1 found, expected a whole number from 2 to",
    "arena greedy gready": "bot: 'gready' found, expected one of",
    "arena greedy misbehaving:Unmade": "RuntimeError raised as it was made (no weights)",
    "arena greedy random --games 0": "games: 0 found, expected a whole number from 1 to",
    "arena greedy random --seed -1": "seed: -1 found, expected a whole number from 0 to 2^64 - 1",
    "arena greedy random --until 0": "until: 0.0 found, expected a number from 0.001 to 100",
    "arena greedy random --limit -1": "limit: -1.0 found, expected more than 0",
    "arena greedy random --players 5": "--players: 5 found, expected 2, 3 or 4",
    "arena greedy random --players 3 --solo": "--players: 3 found beside --solo, expected 1",
    "arena greedy random --workers -1": "--workers: -1 found, expected 0 to 1000",
    "arena greedy random --data no.toml": "no.toml",
    "arena misbehaving:Raises random --games 2 --workers 1": "no deal was played to its end",
    # --- benchmark
    "benchmark gready": "bot: 'gready' found, expected one of",
    "benchmark net:nowhere.npz": "net: no file 'nowhere.npz'",
    "benchmark greedy --games 0": "games: 0 found, expected a whole number from 1 to 10000",
    "benchmark greedy --games 10001": "games: 10001 found, expected a whole number from 1 to 10000",
    "benchmark greedy --json .": ". cannot be written: Is a directory",
    "benchmark greedy --workers -1": "--workers: -1 found, expected 0 to 1000",
    # --- calibration
    "calibration shipped --fit a.npz": "--fit: found with shipped, expected a file",
    "calibration nowhere --fit a.npz --turn-limit 20": "--fit: found with --turn-limit, expected a file",
    "calibration nowhere --fit a.npz --turn-limit 0": "--fit: found with --turn-limit, expected a file",
    "calibration nowhere --fit a.npz --games 20": "--positions: none found, expected a folder",
    "calibration nowhere --fit a.npz --positions new --games 500": "net: no file 'nowhere'",
    "calibration nowhere --fit a.npz --positions new --games 2": "games: 2 found, expected",
    "calibration shipped --games 1 --playouts 2": "games: 1 found, expected",
    "calibration shipped --games 2 --playouts 0": "playouts: 0 found, expected",
    "calibration shipped --games 0": "games: 0 found, expected",
    "calibration shipped --positions new": "--positions: new found without --fit, expected it beside that alone",
    "train --config folder": "folder cannot be used: Is a directory",
    "calibration shipped --players 3 --special-tiles --games 2": "net: no weights for 3 players",
    "calibration nowhere": "net: no file 'nowhere'",
    "calibration shipped --games 1 --out nowhere/a.svg": "nowhere",
    # --- first-player
    "first-player --bots gready": "bot: 'gready' found",
    "first-player --games 0": "--games: 0 found, expected at least 1",
    "first-player --seed -1": "--seed: -1 found, expected at least 0",
    "first-player --study --out no/such/folder": "--study: no folder no/such/folder here",
    # --- stats
    "stats gready": "bot: 'gready' found",
    "stats greedy --games 0": "games: 0 found, expected a whole number from 1 to",
    "stats greedy --seed -1": "seed: -1 found, expected a whole number from 0 to 2^64 - 1",
    "stats misbehaving:Shape --games 1": "bot misbehaving:Shape: float64 array",
    # --- training
    "train --preset fast": "argument --preset: invalid choice: 'fast'",
    "train --players 7": "--players: 7 found, expected 2, 3 or 4, or 1 for the solo game",
    "train --workshop big": "workshop: 'big' found, expected one of basic, advanced",
    "train --decisions many": "argument --decisions: invalid int value: 'many'",
    "train --decisions -1": "decisions: -1 found, expected a whole number from 0",
    "train --seed -1": "seed: -1 found, expected a whole number from 0",
    "train --opponents greedy": "argument --opponents: 'greedy' found, expected NAME=SHARE",
    "train --opponents self=x": "argument --opponents: 'x' found as the share of self, expected a number",
    "evaluate net:nothing,sample=no": "sample: 'no' found, expected True or False",
    "evaluate gredy:3": "bot: 'gredy:3' found, but no module gredy, expected one of",
    "evaluate greedy --players 7": "--players: 7 found, expected 2, 3 or 4, or 1 for the solo game",
    "curve nothing --out a.svg": "runs: nothing found, expected a folder with a progress.jsonl",
    "card nothing --out a.md": "net: no file 'nothing', expected one that `rc train` wrote",
    "export nothing --onnx a.onnx": "net: no file 'nothing', expected one that `rc train` wrote",
    "train --teacher gredy": "bot: 'gredy' found",
    "train --games 0": "games: 0 found, expected a whole number from 1 to 100000000",
    "train --games 1000000000000": "games: 1000000000000 found, expected a whole number from 1 to",
    "evaluate random --seed -1": "seed: -1 found, expected a whole number from 0 to 2^64 - 1",
    "train --out /dev/null/x": "/dev/null found, which is a file, expected a folder",
    "train --resume nothing": "resume: no file 'nothing/checkpoint.pt'",
    "evaluate nothing.npz": "net: no file 'nothing.npz', expected one that `rc train` wrote",
    "dance": "argument COMMAND: invalid choice: 'dance'",
    "": "the following arguments are required: COMMAND",
    # --- record
    "record --out new --fourth-guild bakers": "fourth_guild: 'bakers' found, expected one of clergy, jewelers, ",
    "record --out new --fourth-guild jewelers:3": "fourth_guild: 'jewelers:3' found, expected one of jewelers:1, ",
    "record --out new --fourth-guild jewelers:x": "fourth_guild: 'jewelers:x' found, expected one of jewelers:1, ",
    "record --out new --fourth-guild lawyers": "fourth_guild: lawyers found without the module Contractors, ",
    "record --out new --fourth-guild ''": "fourth_guild: '' found, expected one of ",
    "record --out new --special-tiles --expansion-data none.toml": 'expansion data file "none.toml": no such file',
    # --- watch
    "watch greedy greedy greedy greedy greedy": "BOT: 5 found, expected at most 4",
    "watch greedy random --players 3": "BOT: 2 found, expected 3, one per seat, or one for all seats",
    "watch greedy random --solo": "BOT: 2 found, expected 1",
    "watch kasparov": "bot: 'kasparov' found, expected one of ",
    "watch --pace -1": "--pace: -1 found, expected 0 to 3600 seconds",
    "watch --seed -1": "--seed: -1 found, expected a whole number of at least 0",
    # --- play
    "play --players 5": "--players: 5 found, expected 2, 3 or 4, or 1 for the solo game",
    "play --players 3 --solo": "--players: 3 found beside --solo, expected 1",
    "play --seat 2": "--seat: 2 found, expected 0 to 1",
    "play --seed -1": "--seed: -1 found",
    "play --bots greedy,greedy": "--bots: 2 names found, expected 1",
    "play --bots kasparov": "bot: 'kasparov' found, expected one of ",
    "play --hint kasparov": "bot: 'kasparov' found, expected one of ",
    "play --data nowhere.toml": "nowhere.toml",
    # --- data
    "data look": "what: 'look' found, expected one of check, sample",
    "data check": "FILE: none found",
    "data check nowhere.toml": "no such file",
    "data check sample:x": "expected sample:N",
    "data check base --seed 1": "--seed: 1 found beside check",
    "data sample --seed 1": "--out: none found",
    "data sample --out x.toml": "--seed: none found",
    "data sample x.toml --seed 1": "FILE: x.toml found beside sample",
    "data sample --seed -1 --out x.toml": "--seed: -1 found, expected a whole number from 0",
    # --- sets of cards
    "arena random greedy --data sample:0-3 --until 1": "--until: found with 4 sets of cards",
    "arena random --solo --data sample:0-3": "--data: 4 sets of cards found in the solo game",
    "stats random --data sample:0-3": "data: 'sample:0-3' found, expected one set",
    "uncertainty --sets sample:1": "--sets: 'sample:1' found, expected several",
    "uncertainty --sets base": "--sets: 'base' found, expected drawn sets",
    "uncertainty --numbers sample:0-3": "--numbers: 4 sets found, expected at least 30",
    "uncertainty --games 1": "--games: 1 found",
    "uncertainty --ladder-games 0": "--ladder-games: 0 found",
}
TOGETHER = [
    "record --bots random",
    "record --solo --players 4 --bots random --out records",
    "record --players 4 --bots random,greedy --out records",
    "record --games 1 --out records extra",
    "record --data sample:0-3 --bots random --out records",
    "record --data sample: --bots random --out records",
    "data check rubbish",
    "arena random greedy --data sample:5-2",
    "train --data sample:0-3 --learner sb3",
    "record --promos --bots random --out records --turn-limit 12",
    "record --expansion-data nowhere --bots random --out records --turn-limit 12",
    "replay game.rcr --upto 99999",
    "replay rubbish --html page.html",
    "arena random greedy --json --out rubbish",
    "train --preset quick --resume nowhere",
    "train --resume nowhere --seed 5",
    "train --config rubbish",
    "train --config empty",
    "tune --out plan.toml --start nothing --games 1",
    "tune --out plan.toml --keep nothing --games 1",
    "benchmark random --quick --games 10",
    "benchmark --resume nowhere",
    "benchmark --resume rubbish/below",
    "bench --only start --against nowhere",
    "play --save rubbish/x --plain",
]
"""Options whose values are correct alone, but not together, and options that a command ignores."""
TORCH = ("train", "curve", "card", "export", "evaluate")


@pytest.mark.parametrize("line", [*REFUSED, *TOGETHER])
def test_it_is_refused_in_one_sentence(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if line.startswith(TORCH):
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("x")
    Path("folder").mkdir()
    Path("game.rcr").write_bytes(GOLDEN.read_bytes())
    Path("rubbish").write_bytes(b"\x93rubbish\xff\0" * 9)
    Path("empty").touch()
    try:
        code = rc.main(shlex.split(line))
    except SystemExit as end:
        code = int(str(end.code))
    out, err = capsys.readouterr()
    assert code == 2 and not out
    command = line.partition(" ")[0]
    assert err.startswith(f"rc {command}: " if command in rc.COMMANDS else "rc") and REFUSED.get(line, "") in err
    assert err.count("\n") == 1 or "misbehaving" in line
    left = {path.name for path in tmp_path.iterdir()}
    assert left <= {"file", "folder", "game.rcr", "new", "rubbish", "empty"} and not list(tmp_path.glob("new/*"))


def test_a_mistake_of_the_program_is_a_line_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(args: object) -> int:
        raise KeyError("no\nsuch")

    monkeypatch.setattr(bots, "main", wrong)
    assert rc.main(["bots"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("rc bots: KeyError (") and "in test_command_line.py, line " in err and err.count("\n") == 1
    monkeypatch.setenv(rc.SHOW_TRACEBACK, "1")
    with pytest.raises(KeyError):
        rc.main(["bots"])


# --- the start: what happens before everything is imported


STARTED = """
import os, signal, sys
what = sys.argv.pop(1)
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests in the background has it ignored
class Interrupts:
    def find_spec(self, name, *_):
        if name == what:
            os.kill(os.getpid(), signal.SIGINT)
if what == "little memory":
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (512 * 2**20, 512 * 2**20))
if what == "a deleted folder":
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")
sys.meta_path.insert(0, Interrupts())
import rc_env_start
sys.exit(rc_env_start.main())
"""


def started(what: str, folder: Path) -> tuple[int, str]:
    """Run `rc bots` with a SIGINT while a module is imported, or without its folder; return exit code and output."""
    home = os.pathsep.join([str(Path(rc_env.__file__).parents[1]), *sys.path])
    program = [sys.executable, "-c", STARTED, what, "bots"]
    environment = os.environ | {"PYTHONPATH": home}
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize("module", ["rc_env", "gymnasium", "numba", "rc_env.engine", "rc_env.apps.cli.bots"])
def test_an_interrupt_while_modules_are_imported_is_one_line(module: str, tmp_path: Path) -> None:
    assert started(module, tmp_path) == (130, "rc bots: stopped\n")


def test_an_interrupt_within_the_machinery_of_imports_comes_a_moment_later() -> None:
    """Inside the machinery of imports, as in a lock's callback, Python may print the interrupt and go on."""
    passed: list[bool] = []
    code = compile("signal.raise_signal(signal.SIGINT); passed.append(True)", "<frozen importlib._bootstrap>", "exec")
    before = signal.signal(signal.SIGINT, rc_env_start.interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            exec(code, {"signal": signal, "passed": passed})
            for _ in range(1000):  # the signal goes to the other thread: a long sleep would not be cut short
                time.sleep(0.01)
    finally:
        signal.signal(signal.SIGINT, before)
    assert passed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of this kind")
def test_too_little_address_space_is_a_sentence(tmp_path: Path) -> None:
    said = "rc bots: 512 MB of address space found (ulimit -v), expected at least 1024\n"
    assert started("little memory", tmp_path) == (2, said)


def test_a_deleted_current_folder_is_a_sentence(tmp_path: Path) -> None:
    said = "rc bots: the current folder found deleted, expected one that is there: change to another one\n"
    assert started("a deleted folder", tmp_path) == (2, said)


# --- the destinations of output


def forked(words: list[str], prepare: Callable[[], None], folder: Path) -> tuple[int, str]:
    """Run `rc` with standard files made by `prepare`; return its exit code and what it writes to stderr."""
    errors = folder / "errors"

    def child() -> None:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        sys.stderr = os.fdopen(2, "w")
        prepare()
        try:
            code = rc.main(words)
        except SystemExit as end:
            code = int(str(end.code))
        try:
            sys.stdout.flush()  # Python flushes at its end, too
        except OSError:
            code = 120
        os._exit(code)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(60)
    return process.exitcode or 0, errors.read_text()


def no_reader() -> None:
    """Make standard output a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)
    sys.stdout = os.fdopen(1, "w")


def full_disk() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
    sys.stdout = os.fdopen(1, "w")


def closed() -> None:
    sys.stdin = sys.stdout = None  # type: ignore[assignment]


@pytest.mark.parametrize("words", [["bots"], ["replay", str(GOLDEN)], ["arena", "--help"]])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(words: list[str], tmp_path: Path) -> None:
    assert forked(words, no_reader, tmp_path) == (rc.PIPE, "")


def test_output_to_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    said = "rc bots: the output cannot be written: No space left on device\n"
    assert forked(["bots"], full_disk, tmp_path) == (2, said)


@pytest.mark.parametrize("words", [["bots"], ["play", "--seed", "1"], ["watch", "--turn-limit", "2", "--seed", "1"]])
def test_standard_files_may_be_closed(words: list[str], tmp_path: Path) -> None:
    assert forked(words, closed, tmp_path) == (0, "")


def test_what_a_terminal_cannot_show_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(bots.agents, "names", lambda: ("Ж",))
    monkeypatch.setattr(bots.agents, "about", lambda name: ("about", {}))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii", write_through=True))
    assert rc.main(["bots"]) == 0
    assert shown.getvalue().startswith(b"?") and b"about" in shown.getvalue()
