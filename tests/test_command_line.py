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
EMPTY = "'' does not name a file or folder"
REFUSED = {
    # --- file names
    "arena greedy random --out ''": f"argument --out: {EMPTY}",
    "arena greedy random --out file": "file is a file; choose a folder, or a name that is free",
    "arena greedy random --out file/below": "file is a file; choose a folder, or a name that is free",
    "arena greedy random --data ''": "data must be 'base', a sample such as 'sample:17', or the path of a data",
    "arena greedy random --resume ''": f"argument --resume: {EMPTY}",
    "record --out ''": f"argument --out: {EMPTY}",
    "record --out file": "file is a file; choose a folder, or a name that is free",
    "replay ''": f"argument FILE: {EMPTY}",
    "replay folder": "folder: cannot be read: Is a directory",
    "replay game.rcr --html folder": "folder cannot be written: Is a directory",
    "replay game.rcr --html no/page.html": "no/page.html cannot be written: No such file or directory",
    "analyse '' --out copy.rcr": f"argument FILE: {EMPTY}",
    "analyse game.rcr --out ''": f"argument --out: {EMPTY}",
    "analyse game.rcr --out folder": "folder cannot be written: Is a directory",
    "analyse folder --out copy.rcr": "folder: cannot be read: Is a directory",
    "analyse game.rcr --out copy.rcr --bot greedy": "bot 'greedy' does not say what it thinks; choose one that",
    "analyse game.rcr --out copy.rcr --bot greedily": "unknown bot 'greedily': did you mean greedy? Otherwise",
    "serve --port 65536": "--port must be from 0 to 65535, not 65536",
    "serve --port -1": "--port must be from 0 to 65535, not -1",
    "serve --port 0 --host 203.0.113.9": "cannot listen on 203.0.113.9, port 0: Cannot assign requested address;",
    "serve --port 0 --bots greedily": "unknown bot 'greedily': did you mean greedy? Otherwise choose all_rounder,",
    "serve --port 0 --folder ''": f"argument --folder: {EMPTY}",
    "serve --port 0 --folder file": "file is a file; choose a folder, or a name that is free",
    "tune --out folder": "folder cannot be written: Is a directory",
    "benchmark greedy --quick --json ''": f"argument --json: {EMPTY}",
    "benchmark greedy --quick --json folder": "folder cannot be written: Is a directory",
    "bench --json ''": f"--json: {EMPTY}",
    "bench --json folder": "folder cannot be written: Is a directory",
    "bench --against ''": f"--against: {EMPTY}",
    "evaluate ''": "model must be the folder of a run, a file of weights, or a bot by name, not ''",
    "curve folder --out ''": f"argument --out: {EMPTY}",
    "card '' --out card.md": f"argument model: {EMPTY}",
    "export none --onnx folder": "folder cannot be written: Is a directory",
    "train --out file": "file is a file; choose a folder, or a name that is free",
    "train --config none.toml": "none.toml cannot be used: No such file or directory",
    # --- options that would be ignored
    "arena greedy random --solo --players 4": "--players 4 and --solo contradict each other: give one of the two",
    "train --solo --players 4": "--players 4 and --solo contradict each other: give one of the two",
    "arena greedy random --promos": "--promos has no meaning with the fourth guild clergy: give --fourth-guild",
    "train --promos": "--promos has no meaning with the fourth guild clergy: give --fourth-guild random, which may",
    "stats greedy --expansion-data x": "--expansion-data 'x' has no meaning in the base game: switch something of",
    "replay game.rcr --html page.html --upto 3": "--upto has no meaning with --html: the page holds the whole game",
    "first-player --study --bots random": "--bots has no meaning with --study, which has its own",
    "first-player --study --handicap": "--handicap has no meaning with --study, which has its own",
    "first-player --study --players 3": "--players has no meaning with --study, which has its own",
    "first-player --bots greedy greedy": "--bots names a bot twice (greedy greedy): name each once",
    "tune --out plan.toml --players 2 2": "--players names a number twice (2 2): name each once",
    "evaluate greedy --solo --against random": "--against random has no meaning in the solo game, where the",
    "bench --pairs 2": "--pairs has a meaning only with --against FOLDER",
    "bench --full": "--full has a meaning only with --against FOLDER",
    "bench --compile": "--compile has a meaning only with --against FOLDER",
    "bench --against folder --only engine": "--only has no meaning with --against: give one of the two",
    "bench --against folder --training": "--training has no meaning with --against: give one of the two",
    "bench --against folder --runs 3": "--runs has no meaning with --against: give one of the two",
    "bench --training --only engine": "--only engine and --training measure different things: give one of the two",
    "train --opponents self=1,self=2": "argument --opponents: self is named twice; name each one once",
    "train --solo --opponents greedy=1": "--opponents has no meaning in the solo game, where the opponent is Ivan",
    "train --solo --anchors greedy": "--anchors has no meaning in the solo game, where the opponent is Ivan",
    # --- numbers
    "arena greedy random --limit inf": "limit must be more than 0, and at most 86400 seconds, not inf",
    "arena greedy random --limit nan": "limit must be more than 0, and at most 86400 seconds, not nan",
    "arena greedy random --limit 1e300": "limit must be more than 0, and at most 86400 seconds, not 1e+300",
    "arena greedy --solo --limit inf": "limit must be more than 0, and at most 86400 seconds, not inf",
    "arena greedy --solo --seed -1": "seed must be a whole number from 0 to 2^64 - 1, not -1",
    "arena greedy random --until inf": "until must be a number from 0.001 to 100, not inf",
    "arena greedy random --until nan": "until must be a number from 0.001 to 100, not nan",
    "arena greedy random --workers 5000": "--workers must be 0 to 1000, ray, or ray://HOST:PORT, not 5000",
    "tune --out plan.toml --step nan": "step must be a number from 1e-09 to 100, not nan",
    "watch --pace nan": "--pace must be from 0 to 3600 seconds, not nan",
    # --- bots
    "arena contractor greedy": "unknown bot 'contractor': did you mean plan:contractor?",
    "arena math:pi random": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net, plan,",
    "guilds --out new/below --bot no-such": "unknown bot 'no-such': choose all_rounder, greedy, guilds,",
    "record --out new --bots math:pi": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net,",
    "watch math:pi": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net, plan, random, rush",
    "play --bots math:pi": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net, plan, random,",
    "evaluate math:pi": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net, plan, random,",
    "evaluate greedy --against math:pi": "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net,",
    "tune --workers 1 --out plan.toml --against math:pi": "unknown bot 'math:pi': choose all_rounder, greedy,",
    # --- unknown names
    "bots --jsonn": "unknown arguments --jsonn: --help shows those that there are",
    "completion bash more": "unknown arguments more: --help shows those that there are",
    # --- matches and tournaments
    "arena greedy": "an arena needs at least two bots; got 1",
    "arena greedy gready": "unknown bot 'gready': did you mean greedy? Otherwise choose all_rounder, greedy,",
    "arena greedy misbehaving:Unmade": "RuntimeError raised as it was made (no weights)",
    "arena greedy random --games 0": "games must be a whole number from 1 to 100000000, not 0",
    "arena greedy random --seed -1": "seed must be a whole number from 0 to 2^64 - 1, not -1",
    "arena greedy random --until 0": "until must be a number from 0.001 to 100, not 0.0",
    "arena greedy random --limit -1": "limit must be more than 0, and at most 86400 seconds, not -1.0",
    "arena greedy random --players 5": "--players must be 2, 3 or 4, or 1 for the solo game, not 5",
    "arena greedy random --players 3 --solo": "--players 3 and --solo contradict each other: give one of the two",
    "arena greedy random --workers -1": "--workers must be 0 to 1000, ray, or ray://HOST:PORT, not -1",
    "arena greedy random --data no.toml": "no.toml",
    "arena misbehaving:Raises random --games 2 --workers 1": "no deal was played to its end",
    # --- benchmark
    "benchmark gready": "unknown bot 'gready': did you mean greedy? Otherwise choose all_rounder, greedy, guilds,",
    "benchmark net:nowhere.npz": "net: there is no file 'nowhere.npz'; name one that `rc train` wrote, or the",
    "benchmark greedy --games 0": "games must be a whole number from 1 to 10000, not 0",
    "benchmark greedy --games 10001": "games must be a whole number from 1 to 10000, not 10001",
    "benchmark greedy --json .": ". cannot be written: Is a directory",
    "benchmark greedy --workers -1": "--workers must be 0 to 1000, ray, or ray://HOST:PORT, not -1",
    # --- calibration
    "calibration shipped --fit a.npz": "--fit takes no shipped: a file or a run names its own game",
    "calibration nowhere --fit a.npz --turn-limit 20": "--fit takes no --turn-limit: a file or a run names its own",
    "calibration nowhere --fit a.npz --turn-limit 0": "--fit takes no --turn-limit: a file or a run names its own",
    "calibration nowhere --fit a.npz --games 20": "--fit needs --positions DIR, where the positions are kept",
    "calibration nowhere --fit a.npz --positions new --games 500": "net: there is no file 'nowhere'",
    "calibration nowhere --fit a.npz --positions new --games 2": "games must be a whole number from 256 to",
    "calibration shipped --games 1 --playouts 2": "games must be a whole number from 2 to 100000, not 1",
    "calibration shipped --games 2 --playouts 0": "playouts must be a whole number from 1 to 10000, not 0",
    "calibration shipped --games 0": "games must be a whole number from 2 to 10000000, not 0",
    "calibration shipped --positions new": "--positions has a meaning only with --fit FILE",
    "train --config folder": "folder cannot be used: Is a directory",
    "calibration nowhere": "net: there is no file 'nowhere'",
    "calibration shipped --games 1 --out nowhere/a.svg": "nowhere",
    # --- first-player
    "first-player --bots gready": "unknown bot 'gready': did you mean greedy? Otherwise choose all_rounder, greedy,",
    "first-player --games 0": "--games must be at least 1, not 0",
    "first-player --seed -1": "--seed must be at least 0, not -1",
    "first-player --study --out no/such/folder": "--study writes first-player.md to the folder no/such/folder,",
    # --- stats
    "stats gready": "unknown bot 'gready': did you mean greedy? Otherwise choose all_rounder, greedy, guilds,",
    "stats greedy --games 0": "games must be a whole number from 1 to 100000000, not 0",
    "stats greedy --seed -1": "seed must be a whole number from 0 to 2^64 - 1, not -1",
    "stats misbehaving:Shape --games 1": "bot misbehaving:Shape: it answered a float64 array of shape (1, 2)",
    # --- training
    "train --preset fast": "argument --preset: invalid choice: 'fast'",
    "train --players 7": "--players must be 2, 3 or 4, or 1 for the solo game, not 7",
    "train --workshop big": "unknown workshop 'big': choose basic or advanced",
    "train --decisions many": "argument --decisions: 'many' is not a whole number, such as 1000, 1_000 or 1e3",
    "train --decisions -1": "decisions must be a whole number from 0 to 1000000000000000, not -1",
    "train --seed -1": "seed must be a whole number from 0 to 9223372036854775807, not -1",
    "train --opponents greedy": "argument --opponents: 'greedy' is no number by name; write NAME=X,NAME=X",
    "train --opponents self=x": "argument --opponents: self must be a number, not 'x'",
    "evaluate net:nothing,sample=no": "sample must be True or False, not 'no'",
    "evaluate gredy:3": "bot 'gredy:3': there is no module gredy, and no registered bot of that name: choose",
    "evaluate greedy --players 7": "--players must be 2, 3 or 4, or 1 for the solo game, not 7",
    "curve nothing --out a.svg": "runs: nothing has no progress.jsonl in which games were played",
    "card nothing --out a.md": "net: there is no file 'nothing'; name one that `rc train` wrote, or the folder of a",
    "export nothing --onnx a.onnx": "net: there is no file 'nothing'; name one that `rc train` wrote, or the folder",
    "train --teacher gredy": "unknown bot 'gredy': did you mean greedy? Otherwise choose all_rounder, greedy,",
    "train --games 0": "games must be a whole number from 1 to 100000000, not 0",
    "train --games 1000000000000": "games must be a whole number from 1 to 100000000, not 1000000000000",
    "evaluate random --seed -1": "seed must be a whole number from 0 to 2^64 - 1, not -1",
    "train --out /dev/null/x": "/dev/null is a file; choose a folder, or a name that is free",
    "train --resume nothing": "resume: there is no file 'nothing/checkpoint.pt': name the folder of a run that `rc",
    "evaluate nothing.npz": "net: there is no file 'nothing.npz'; name one that `rc train` wrote, or the folder of",
    "dance": "rc: unknown command 'dance': choose play, watch, serve, record, replay, analyse, bots, arena,",
    # --- record
    "record --out new --fourth-guild bakers": "unknown fourth_guild 'bakers': did you mean brickmakers? Otherwise",
    "record --out new --fourth-guild jewelers:3": "unknown fourth_guild 'jewelers:3': choose jewelers:1 or",
    "record --out new --fourth-guild jewelers:x": "unknown fourth_guild 'jewelers:x': choose jewelers:1 or",
    "record --out new --fourth-guild lawyers": "fourth_guild lawyers needs the module Contractors: give",
    "record --out new --fourth-guild ''": "unknown fourth_guild '': choose clergy, jewelers, artisans, foremen,",
    "record --out new --special-tiles --expansion-data none.toml": 'expansion data file "none.toml": there is no',
    # --- watch
    "watch greedy greedy greedy greedy greedy": "a game has at most 4 seats; got 5 bots",
    "watch greedy random --players 3": "rc watch needs 1 bot for all seats, or 3, one per seat; got 2",
    "watch greedy random --solo": "rc watch needs 1 bot for all seats, or 1, one per seat; got 2",
    "watch kasparov": "unknown bot 'kasparov': choose all_rounder, greedy, guilds, majority, net, plan, random,",
    "watch --pace -1": "--pace must be from 0 to 3600 seconds, not -1",
    "watch --seed -1": "--seed must be a whole number of at least 0, not -1",
    # --- play
    "play --players 5": "--players must be 2, 3 or 4, or 1 for the solo game, not 5",
    "play --players 3 --solo": "--players 3 and --solo contradict each other: give one of the two",
    "play --seat 2": "--seat must be from 0 to 1, not 2",
    "play --seed -1": "--seed must be a whole number of at least 0, not -1",
    "play --bots greedy,greedy": "--bots must name 1 bot for all other seats, or 1, one per seat, not 2",
    "play --bots kasparov": "unknown bot 'kasparov': choose all_rounder, greedy, guilds, majority, net, plan,",
    "play --hint kasparov": "unknown bot 'kasparov': choose all_rounder, greedy, guilds, majority, net, plan,",
    "play --data nowhere.toml": "nowhere.toml",
    # --- data
    "data look": "unknown task 'look': choose check or sample",
    "data check": "rc data check needs the files to check: rc data check FILE ...",
    "data check nowhere.toml": "no such file",
    "data check sample:x": "FILE must be sample:N with a seed, or sample:N-M with at most 100,000 of them, from 0",
    "data check base --seed 1": "--seed has a meaning only with sample: rc data sample --seed N --out FILE",
    "data sample --seed 1": "rc data sample needs --out: rc data sample --seed N --out FILE",
    "data sample --out x.toml": "rc data sample needs --seed: rc data sample --seed N --out FILE",
    "data sample x.toml --seed 1": "rc data sample writes its file to --out: write --out x.toml",
    "data sample --seed -1 --out x.toml": "--seed must be a whole number from 0 to 2^64 - 1, not -1",
    # --- sets of cards
    "arena random greedy --data sample:0-3 --until 1": "--until has no meaning with 4 sets of cards, only with one",
    "arena random --solo --data sample:0-3": "--data names 4 sets of cards, but the solo game is measured on one at",
    "stats random --data sample:0-3": "data must be one set, such as sample:0, not 'sample:0-3': rc train, rc",
    "uncertainty --sets sample:1": "--sets must name several drawn sets, such as sample:0-63, not 'sample:1'",
    "uncertainty --sets base": "--sets must be drawn sets, such as sample:0-63, not 'base'",
    "uncertainty --numbers sample:0-3": "--numbers must name at least 30 sets, or none, not 4",
    "uncertainty --games 1": "--games must be a whole number from 2 to 10000000, not 1",
    "uncertainty --ladder-games 0": "--ladder-games must be a whole number from 2 to 10000000, not 0",
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
    assert left == {"file", "folder", "game.rcr", "rubbish", "empty"} and not list(tmp_path.glob("folder/*"))


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
if what == "too little to train":
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1200 * 2**20, 1200 * 2**20))
    sys.argv[1] = "train"
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
    said = "rc bots: there are 512 MB of address space (ulimit -v), but at least 1024 are needed\n"
    assert started("little memory", tmp_path) == (2, said)
    said = "rc train: there are 1200 MB of address space (ulimit -v), but at least 1536 are needed\n"
    assert started("too little to train", tmp_path) == (2, said)


def test_a_deleted_current_folder_is_a_sentence(tmp_path: Path) -> None:
    said = "rc bots: the current folder has been deleted: change to another one\n"
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
