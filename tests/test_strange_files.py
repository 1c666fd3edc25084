"""Tests of files that a stranger may have made, and of names that lead to no plain file: refused in a sentence."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rc_env
from rc_env import Engine, Ruleset, archives, files
from rc_env.agents import net, plan
from rc_env.apps.cli import rc
from rc_env.record import RecordError, parse, read
from rc_env.training import checkpoint, settings

pytestmark = pytest.mark.slow

ROOT = Path(rc_env.__file__).parents[1]


@contextmanager
def soon(seconds: int = 5) -> Iterator[None]:
    """Fail where the block takes longer, in seconds of this process; or where it waits, for instance for a pipe."""

    def late(*_: object) -> None:
        raise TimeoutError("it waits")

    before, begun = signal.signal(signal.SIGALRM, late), time.process_time()
    signal.alarm(120)
    try:
        yield
        assert time.process_time() - begun < seconds
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def little_memory(most: int = 10**8) -> Iterator[None]:
    """Fail where the block has more than so many bytes at once."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


# --- one way to read


def test_a_plain_file_of_a_known_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert files.read(path) == files.read(path, 3) == b"abc"
    with pytest.raises(OSError, match="it has more than 2 bytes, the most that are read"):
        files.read(path, 2)
    with pytest.raises(FileNotFoundError):
        files.read(tmp_path / "none")
    with pytest.raises(IsADirectoryError) as refused:
        files.read(tmp_path)
    assert refused.value.filename == str(tmp_path)  # and not the number of a descriptor
    with path.open("ab") as file:
        file.truncate(2**40)  # of which nothing lies on the disk
    with soon(), pytest.raises(OSError, match="bytes"):
        files.read(path)


def test_a_pipe_or_a_device_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/null")):
        with soon(), pytest.raises(OSError, match="it is a pipe or a device, not a plain file"):
            files.read(path)


READS = {"read_text", "read_bytes", "np.load", "numpy.load", "open", "os.open", "torch.load", "loadtxt", "fromfile"}
ALLOWED = {
    "apps/cli/rc.py: open",  # of the null device
    "apps/cli/rc.py: os.open",
    "apps/web/learn.py: template.read_text",  # a page of this package
    "arena/machine.py: Path('/proc/cpuinfo').read_text",
    "arena/pages/uncertainty.py: file.read_text",  # a page of the documentation
    "arena/ray_runner.py: (home / name).read_bytes",  # sources of this package
    *(f"rc_env/compile_cache.py: {words}" for words in ("open", "os.open", "(folder / file).read_bytes")),
    "rc_env/jit.py: path.read_bytes",  # sources of this package
    "rc_env/render/drawing.py: resources.files('rc_env.render').joinpath('static', name).read_text",
    "rc_env/render/image.py: Image.open",  # of bytes that were just drawn
    "rc_env/rules/printed/data_file.py: file.read_bytes",  # of the package
    "training/checkpoint.py: torch.load",  # after the archive's sizes were checked
}


def test_every_module_reads_files_in_the_one_way() -> None:
    found = set()
    for top in ("rc_env", "agents", "arena", "training", "apps"):
        for path in (ROOT / top).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if re.match("rc_env/(agents|arena|training|apps)/", name) or name == "rc_env/files.py":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                words = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
                if words in READS or words.rpartition(".")[2] in READS - {"open"} or words.endswith("Image.open"):
                    found.add(f"{name}: {words}")
    assert found == ALLOWED, "read files by rc_env.files.read; what is no stranger's file needs a line in ALLOWED"


# --- archives


def packed(compress: bool = True, **parts: bytes) -> bytes:
    """An archive with these contents of its entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED) as archive:
        for name, raw in parts.items():
            archive.writestr(f"{name}.npy", raw)
    return buffer.getvalue()


def array(shape: tuple[int, ...], raw: bytes = b"", dtype: str = "|u1") -> bytes:
    """The bytes of an array with a header of its own."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + raw


BOMBS: dict[str, Callable[[], bytes]] = {
    "more than it holds": lambda: packed(header=array((2**40,)), games=array((2**40,)), about=array((2**40,))),
    "less than nothing": lambda: packed(header=array((-1,), b"a"), games=array((2,), b"ab")),
    "too large together": lambda: packed(**{f"a{i}": array((2**26,), bytes(2**26)) for i in range(3)}),
    "objects": lambda: packed(header=array((1,), b"cos\nabort\n(tR.", "|O"), games=array((2,), b"ab")),
    "twice": lambda: packed(header=array((1,), b"a")) + b"",
    "no archive": lambda: b"PK\x03\x04" + bytes(100),
    "nothing": lambda: b"",
    "a header of code": lambda: packed(header=b"\x93NUMPY\x01\x00\x30\x00" + b"__import__('os').abort()".ljust(48)),
    "version 9": lambda: packed(header=b"\x93NUMPY\x09\x00" + bytes(100)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_an_archive_takes_no_memory_before_it_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.npz"
    path.write_bytes(BOMBS[name]())
    assert path.stat().st_size < 10**6
    monkeypatch.setattr(archives, "memory", lambda: 2**28)
    for load in (net.load, Engine.load):
        with little_memory(), pytest.raises(ValueError, match=r"bomb\.npz") as caught:
            load(path)
        assert len(str(caught.value)) < 500


def test_an_entry_that_is_found_twice_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for _ in range(2):
            archive.writestr("a.npy", array((1,), b"a"))
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as archive:
        for name in ("a", "a.npy"):  # one array by two names
            archive.writestr(name, array((1,), b"a"))
    for name in ("a.npz", "b.npz"):
        with pytest.raises(ValueError, match="the archive holds an entry twice"):
            archives.read_arrays(tmp_path / name, 10**4)


def test_saved_games_are_held_once_before_they_are_refused(tmp_path: Path) -> None:
    size = 2**26
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.npy", array((2,), b"{}"))
        archive.writestr("games.npy", array((size,), bytes(size)))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="but this version of rc_env reads 'rc_env games/1'"):
            Engine.load(path)
        assert tracemalloc.get_traced_memory()[1] < 1.5 * size
    finally:
        tracemalloc.stop()


def test_what_numpy_writes_is_read(tmp_path: Path) -> None:
    written = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": np.asfortranarray(np.ones((2, 3), np.int8)),
        "c": np.array("word"),
    }
    written["none"] = np.zeros((0, 3), np.float16)
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "a.npz", **written)
        found = archives.read_arrays(tmp_path / "a.npz", 10**6)
        assert set(found) == set(written)
        for name, one in written.items():
            assert np.array_equal(found[name], one) and found[name].dtype == one.dtype


def test_a_checkpoint_that_is_compressed_is_refused(tmp_path: Path) -> None:
    (tmp_path / checkpoint.FILE).write_bytes(packed(data=bytes(10**8)))
    with soon(), pytest.raises(ValueError, match=r"is not a (file|network) that `rc train` wrote"):
        checkpoint.load(tmp_path)


def test_a_network_is_finite_in_the_type_that_it_is_used_in(tmp_path: Path) -> None:
    shipped = net.load(net.shipped(Ruleset()))
    for value in (1e300, -1e39, float("nan"), float("inf")):
        for name in ("trunk.0.weight", "policy.1.bias", "value.1.weight"):
            layers = {key: np.array(one, np.float64) for key, one in shipped.arrays().items()}
            layers[name].flat[-1] = value
            np.savez(tmp_path / "a.npz", about=np.array(json.dumps(shipped.about)), **layers)
            with pytest.raises(ValueError, match=f"{name}: float64 array with NaN, infinity or"):
                net.load(tmp_path / "a.npz")
    layers = {key: np.array(one, np.float64) for key, one in shipped.arrays().items()}
    np.savez(tmp_path / "a.npz", about=np.array(json.dumps(shipped.about)), **layers)
    assert net.load(tmp_path / "a.npz").layers


# --- tables and records

TABLES = {
    "a key of many parts": "a" + ".a" * 20_000 + " = 1\n",
    "a quoted key of many parts": '"\\"."' + '."\\"."' * 20_000 + " = 1\n",
    "a table of many parts": "[a" + ".a" * 20_000 + "]\n",
    "brackets": "a = " + "[" * 100_000 + "\n",
    "tables in tables": "a = " + "{a = " * 100_000 + "\n",
    "digits": "a = " + "1" * 100_000 + "\n",
    "a long name": "a" * 100_000 + " = 1\n",
    "megabytes": "# " + "a" * 3_000_000 + "\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_refused_soon(name: str, tmp_path: Path) -> None:
    path = tmp_path / "strange.toml"
    path.write_text(TABLES[name])
    for call in (
        lambda: Ruleset(data=path),
        lambda: Ruleset(special_tiles=True, expansion_data=path),
        lambda: plan.PlanBot(str(path)).weights(Ruleset()),
        lambda: settings.read_settings(path),
    ):
        with little_memory(), soon(20), pytest.raises((ValueError, OSError)) as caught:
            call()
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 3000


def test_doubled_keys_are_looked_for_in_one_pass() -> None:
    keys = ",".join(f'"k{i}":0' for i in range(400_000))
    with soon(), pytest.raises(RecordError, match='key "k399999" occurs twice'):
        parse(f'{{{keys},"k399999":1}}\n')
    with soon(), pytest.raises(RecordError, match="unknown key"):
        parse(f'{{"record":"red-cathedral/1",{keys}}}\n')


@pytest.mark.parametrize(
    "guild", ["random:1", "archivists:\u0661", "archivists:01", "archivists:", "archivists:+1", "jewelers: 1"]
)
def test_a_guild_has_one_spelling(guild: str) -> None:
    with pytest.raises(ValueError, match=r"unknown fourth_guild .*: .*choose"):
        Ruleset(fourth_guild=guild)


def test_a_sample_has_digits_of_one_script() -> None:
    for name in ("sample:\u0661", "sample-v\u0661:1"):
        with pytest.raises(ValueError, match="sample"):
            Ruleset(data=name)


@pytest.mark.parametrize("size", [10**5, 10**7])
def test_a_refused_value_is_not_repeated_as_a_whole(size: int) -> None:
    word = "x" * size
    for call in (
        lambda: Ruleset(fourth_guild=word), lambda: Ruleset(workshop=word), lambda: Ruleset(data=word),
        lambda: Ruleset(data=f"sample:{word}"), lambda: rc_env.make_bot(word), lambda: rc_env.make_bot(f"{word}:bot"),
        lambda: rc_env.make_bot(f"net:{word}"), lambda: rc_env.make_bot(f"search:{word}=1"), lambda: read(word),
        lambda: settings.from_dict({"teacher": word}), lambda: settings.from_dict({word: 1}),
        lambda: Engine(Ruleset()).text_to_action(word),
    ):  # fmt: skip
        with pytest.raises((ValueError, OSError)) as caught:
            call()
        assert len(str(caught.value)) < 4000, str(caught.value)[:200]


# --- the command line

READING = [
    ["play", "--resume", "X"], ["replay", "X"], ["analyse", "X", "--out", "a.rcr"], ["train", "--config", "X"],
    ["train", "--resume", "X"], ["evaluate", "X"], ["card", "X", "--out", "a"], ["curve", "X", "--out", "a"],
    ["export", "X", "--onnx", "a"], ["average", "X", "X", "--out", "a"], ["calibration", "X"], ["data", "X"],
    ["arena", "greedy", "random", "--data", "X"], ["stats", "greedy", "--special-tiles", "--expansion-data", "X"],
    ["tune", "--start", "X", "--out", "a", "--population", "4"], ["arena", "greedy", "net:X", "--games", "2"],
    ["arena", "plan:X", "random", "--games", "2"], ["arena", "--resume", "X"], ["tune", "--resume", "X"],
    ["train", "--start", "X", "--imitation", "0", "--out", "a"],
]  # fmt: skip
WRITING = [
    ["arena", "greedy", "random", "--games", "2", "--turn-limit", "3", "--out", "X"], ["record", "--out", "X"],
    ["tune", "--out", "X"], ["benchmark", "random", "--quick", "--json", "X"], ["play", "--save", "X"],
    ["train", "--out", "X"], ["replay", "GOLDEN", "--html", "X"], ["data", "sample", "--seed", "1", "--out", "X"],
    ["serve", "--folder", "X"],
]  # fmt: skip


@pytest.mark.parametrize("words", READING + WRITING, ids=" ".join)
def test_a_name_of_300_characters_is_refused_in_a_sentence(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    golden = str(ROOT / "tests" / "golden" / "2-basic-greedy.rcr")
    refused([word.replace("X", "x" * 300).replace("GOLDEN", golden) for word in words], capsys)


@pytest.mark.parametrize("words", READING, ids=" ".join)
@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_a_pipe_or_a_device_is_refused_in_a_sentence(
    words: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.mkfifo("pipe.unfinished.jsonl")
    with soon(20):
        refused([word.replace("X", name) for word in words], capsys)


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = rc.main(words)
    except SystemExit as stop:
        code = stop.code
    err = capsys.readouterr().err
    assert code == 2 and err.count("\n") == 1 and len(err) < 2100 and "mistake of this program" not in err, (code, err)


def test_a_word_of_100_000_characters_is_not_repeated_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["arena", "x" * 10**5, "random"],
        ["arena", "greedy", "random", "--games", "x" * 10**5],
        ["x" * 10**5],
    ):
        refused(words, capsys)


@pytest.mark.parametrize(
    "encoding", ["ascii", *(pytest.param(one, marks=pytest.mark.long) for one in ("latin-1", "cp437"))]
)
def test_a_terminal_whose_encoding_lacks_a_dash_gets_the_results(encoding: str, tmp_path: Path) -> None:
    words = ["arena", "greedy", "random", "--games", "4", "--turn-limit", "8", "--workers", "1"]
    command = [sys.executable, str(ROOT / "rc_env_start.py"), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=300)
    assert done.returncode == 0 and b"greedy" in done.stdout and b"random" in done.stdout, done.stderr


EDITABLE = """
import importlib.util, sys

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in ("rc_env", "rc_env_start"):
            file = ROOT + ("/rc_env/__init__.py" if name == "rc_env" else "/rc_env_start.py")
            return importlib.util.spec_from_file_location(name, file)

sys.meta_path.append(Finder)
import rc_env_start
sys.argv = ["rc", "arena", "mine:Bot", "greedy", "--games", "2", "--turn-limit", "8", "--workers", "2"]
sys.exit(rc_env_start.main())
"""
"""As pip installs a checkout: a finder behind all others knows where the package lies."""


@pytest.mark.parametrize("content", [None, "raise SystemExit('the wrong package')\n"])
def test_a_folder_of_the_name_of_the_package_is_not_taken_for_it(content: str | None, tmp_path: Path) -> None:
    (tmp_path / "rc_env").mkdir()
    if content is not None:
        (tmp_path / "rc_env" / "__init__.py").write_text(content)
    (tmp_path / "mine.py").write_text("from rc_env.agents.random import RandomBot as Bot\n")  # for which it is searched
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-P", "-c", f"ROOT = {str(ROOT)!r}\n{EDITABLE}"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "greedy" in done.stdout, done.stderr


@pytest.mark.parametrize("words", [["-m", "rc_env.apps.cli"], ["-m", "rc_env_start"]], ids=" ".join)
def test_a_foreign_package_of_that_name_is_named_in_a_sentence(words: list[str], tmp_path: Path) -> None:
    """`python -m` looks in the current folder first; the rest of a package may be found by another way, as here."""
    (tmp_path / "rc_env").mkdir()
    (tmp_path / "rc_env" / "__init__.py").write_text(f"__path__.append({str(ROOT / 'rc_env')!r})\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *words, "bots"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "was found instead of the package rc_env: change to another folder" in done.stderr


def test_every_module_is_itself_beside_a_foreign_package_of_that_name(tmp_path: Path) -> None:
    """`python -m` with any module of the package: it runs, with the package's own data, or is refused in a sentence."""
    (tmp_path / "rc_env" / "data").mkdir(parents=True)
    (tmp_path / "rc_env" / "data" / "base.toml").write_text("")
    (tmp_path / "rc_env" / "__init__.py").write_text(f"__path__.append({str(ROOT / 'rc_env')!r})\n")
    folders = (ROOT / "rc_env", *(one for one in (ROOT / "rc_env").iterdir() if one.is_symlink()))
    paths = [path.relative_to(ROOT) for one in folders for path in one.rglob("*.py") if path.stem != "__main__"]
    modules = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    program = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    try: importlib.import_module(name)\n"
        "    except ModuleNotFoundError as error: assert not error.name.startswith('rc_env'), name\n"
        "    except ImportError as error:\n"
        "        assert name.startswith('rc_env.apps') and 'instead of the package' in str(error), (name, error)\n"
    )
    command = [sys.executable, "-c", program, *modules]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert len(modules) > 200 and done.returncode == 0, done.stderr[-2000:]


@pytest.mark.long
def test_nothing_is_imported_from_the_current_folder_unless_a_bot_is_named_there(tmp_path: Path) -> None:
    """Packages look for modules that need not be there, such as `uarray`: a stranger's folder may hold one."""
    program = (
        "import sys; from rc_env.apps.cli import rc\n"
        "print(rc.main(sys.argv[1:])); import importlib.util as u; print(bool(u.find_spec('uarray_of_a_stranger')))"
    )
    (tmp_path / "uarray_of_a_stranger.py").write_text("")
    (tmp_path / "mine.py").write_text("from rc_env.agents.random import RandomBot as Bot\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for bot, found in (("greedy", False), ("search:simulations=2", False), ("mine:Bot", True)):
        words = ["arena", bot, "random", "--games", "2", "--turn-limit", "4", "--workers", "1", "--data", "sample:1"]
        command = [sys.executable, "-P", "-c", program, *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
        assert done.stdout.splitlines()[-2:] == ["0", str(found)], done.stderr


def test_what_a_terminal_would_obey_is_printed_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["arena", "--resume", "\x1b[31mred"], ["\x1b[2J"], ["replay", "\x9b2J\x07"]):
        with suppress(SystemExit):
            assert rc.main(words) == 2
        said = capsys.readouterr().err
        assert said.rstrip("\n").isprintable() and said.count("\n") == 1 and "\\x" in said


def test_counters_of_a_crafted_state_are_refused() -> None:
    engine = Engine(Ruleset(), 2, seed=1)
    for count in (2**64 - 1, 2**64, 10**30, -1):
        state = replace(engine.__getstate__(), clones=count)
        with pytest.raises(ValueError, match="state, clones"):
            Engine.__new__(Engine).__setstate__(state)
    engine.__setstate__(replace(engine.__getstate__(), clones=2**63))
    assert len(engine.clone()) == 2
