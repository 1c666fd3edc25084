"""Tests of the cache of compiled kernels: private, shared by a user's environments, and never a reason to fail.

A kernel of one line in a folder of its own stands for the engine's, which take a minute to compile.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rc_env import compile_cache, jit
from rc_env.apps.cli import rc
from rc_env.compile_cache import is_private, private_folder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
KERNEL = """
import numpy as np
from rc_env.jit import kernel

@kernel
def double(values):
    for i in range(values.shape[0]):
        values[i] *= 2
"""
USE = """
import sys
import numpy as np
import tiny_kernel
values = np.arange(3)
tiny_kernel.double(values)
print(values.tolist())
print(sum(tiny_kernel.double._cache_hits.values()))
print(tiny_kernel.double._cache.cache_path)
"""


LINE = "    x = (x * 3 + record.a) % 997\n"
OF_RECORDS = f"""
import sys
import numpy as np
from rc_env.jit import kernel, rule

@rule
def mixed(record, x):  # too long to be put in place of its calls
{LINE * 50}    return x

@kernel
def total(records):
    return mixed(records[0], 5) + mixed(records[0], 7) + mixed(records[0], 8)

if __name__ == "__main__":
    for fields in sys.argv[1:]:
        names = [name if name == "a" else name + str(place) for place, name in enumerate(fields)]
        records = np.zeros(1, [(name, np.int64) for name in names])
        records["a"] = 1
        print(total(records))
"""


def start(home: Path, cache: Path, **settings: str) -> subprocess.Popen[str]:
    home.mkdir(exist_ok=True)
    (home / "tiny_kernel.py").write_text(KERNEL)
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{home}", "RC_ENV_CACHE": str(cache)} | settings
    return subprocess.Popen(
        [sys.executable, "-c", USE], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def use(home: Path, cache: Path, *, expected: bool = True, **settings: str) -> tuple[bool, str, str]:
    """Double three numbers in a new process; return whether the kernel was loaded, its folder, and the messages.

    With `expected` False the process may fail.
    """
    process = start(home, cache, **settings)
    output, announced = process.communicate(timeout=120)
    if not expected:
        return False, "", announced
    assert process.returncode == 0, announced
    doubled, hits, folder = output.split("\n")[:3]
    assert doubled == "[0, 2, 4]"
    return hits == "1", folder, announced


def kept(cache: Path) -> Path:
    (file,) = cache.rglob("*.kernel")
    return file


def test_the_first_use_is_announced_in_one_line_and_kept(tmp_path: Path) -> None:
    loaded, folder, announced = use(tmp_path / "bots", tmp_path / "cache")
    assert not loaded
    assert announced.splitlines() == [
        f"rc_env: compiling the code of bots (less than a minute); it is kept in {folder}"
    ]
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    assert use(tmp_path / "bots", tmp_path / "cache") == (True, folder, "")


def test_a_folder_that_can_only_be_read_is_said_to_keep_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RC_ENV_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    compile_cache.KernelCache(use, "0-0", "a test's code")._announce()
    assert caplog.messages == [
        f"rc_env: compiling a test's code; it is not kept, since {tmp_path / '0-0'} can only be read"
    ]


def test_one_cache_serves_equal_sources_wherever_they_lie(tmp_path: Path) -> None:
    _, folder, _ = use(tmp_path / "bots", tmp_path / "cache")
    (tmp_path / "elsewhere").mkdir()
    assert use(tmp_path / "elsewhere" / "bots", tmp_path / "cache") == (True, folder, "")


def test_other_sources_have_another_folder(tmp_path: Path) -> None:
    _, folder, _ = use(tmp_path / "bots", tmp_path / "cache")
    (tmp_path / "bots" / "beside.py").write_text("NUMBER = 1\n")
    loaded, other, _ = use(tmp_path / "bots", tmp_path / "cache")
    assert not loaded and other != folder


def test_kernels_of_several_processes_are_kept_apart(tmp_path: Path) -> None:
    """Each process compiles the same kernel for other records; the last one loads all of them."""
    home = tmp_path / "bots"
    home.mkdir()
    (home / "of_records.py").write_text(OF_RECORDS)
    env = {**os.environ, "RC_ENV_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join([str(home), *sys.path])}
    for fields in ("a", "bba", "ba", "ba a bba"):
        command = [sys.executable, "-m", "of_records", *fields.split()]
        found = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=True)
        assert len(set(found.stdout.split())) == 1, fields
    assert "compiling" not in found.stderr and len(list(tmp_path.rglob("*.kernel"))) == 3


def test_a_damaged_file_is_deleted_and_the_kernel_compiled_anew(tmp_path: Path) -> None:
    use(tmp_path / "bots", tmp_path / "cache")
    file = kept(tmp_path / "cache")
    sound = file.read_bytes()
    middle = len(sound) // 2
    damages = {
        "truncated": sound[:middle],
        "emptied": b"",
        "altered": sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :],
        "a pickle of somebody else": b"cos\nsystem\n(S'touch planted'\ntR.",
    }
    for damage, content in damages.items():
        file.write_bytes(content)
        loaded, _, announced = use(tmp_path / "bots", tmp_path / "cache")
        lines = announced.splitlines()
        assert not loaded and "compiling" in lines[-1], damage
        if damage == "emptied":
            assert len(lines) == 1
        else:
            assert "which is damaged" in lines[0] and str(file) in lines[0], damage
        assert kept(tmp_path / "cache") == file and file.read_bytes() != content, damage
    assert use(tmp_path / "bots", tmp_path / "cache")[0]


def test_two_processes_compile_into_an_empty_cache_at_once(tmp_path: Path) -> None:
    started = [start(tmp_path / "bots", tmp_path / "cache") for _ in range(3)]
    for process in started:
        output, announced = process.communicate(timeout=120)
        assert process.returncode == 0 and output.startswith("[0, 2, 4]\n"), announced
    assert len(list((tmp_path / "cache").rglob("*"))) == 2, (
        "there must be one folder with one file, and no temporary file"
    )
    assert use(tmp_path / "bots", tmp_path / "cache")[0]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for the temporary files of this test, with a cache folder that cannot be created."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RC_ENV_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_where_the_cache_cannot_be_made_a_private_temporary_folder_is_used(temporary: Path) -> None:
    folder = private_folder("name")
    assert folder == temporary / f"rc_env-{os.getuid()}" / "name"
    assert [one.stat().st_mode & 0o777 for one in (folder, folder.parent)] == [0o700, 0o700]


@pytest.mark.parametrize("planted", ["open to all", "open to the group", "a link", "a file"])
def test_a_temporary_folder_that_others_could_write_to_is_not_used(planted: str, temporary: Path) -> None:
    """The name can be guessed, so somebody else may have made the folder; files in it must not be loaded."""
    place = temporary / f"rc_env-{os.getuid()}"
    if planted == "a file":
        place.write_text("")
    elif planted == "a link":
        (temporary / "theirs").mkdir(mode=0o700)
        place.symlink_to(temporary / "theirs")
    else:
        place.mkdir()
        place.chmod(0o777 if planted == "open to all" else 0o770)
    assert private_folder("name") is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(temporary: Path) -> None:
    place = temporary / f"rc_env-{os.getuid()}"
    place.mkdir(mode=0o700)
    os.chown(place, 12345, 12345)
    assert private_folder("name") is None


def test_without_any_folder_the_kernel_is_compiled_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "temporary" / f"rc_env-{os.getuid()}").write_text("")
    loaded, folder, announced = use(tmp_path / "bots", tmp_path / "file" / "cache", TMPDIR=str(tmp_path / "temporary"))
    assert not loaded and not folder
    assert announced.strip().endswith(
        "it is not kept: set RC_ENV_CACHE to a folder of your own, in which, and in those above it, nobody else can "
        "write"
    )


# --- the folders above


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777, 0o755, 0o700, 0o2755])
@pytest.mark.parametrize("above", [1, 2, 3])
def test_a_folder_below_one_that_others_can_write_to_is_not_private(above: int, mode: int, tmp_path: Path) -> None:
    """Whoever can write to a folder can exchange what is in it, unless it has the sticky bit."""
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True, mode=0o700)
    folder.parents[above - 1].chmod(mode)
    assert is_private(folder) == (not mode & 0o022 or bool(mode & 0o1000))


def test_a_folder_in_which_others_can_add_files_is_not_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    assert not is_private(tmp_path)
    assert not is_private(tmp_path / "is not there")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("mode", [0o700, 0o755, 0o1777])
def test_a_folder_below_one_of_another_user_is_not_private(mode: int, tmp_path: Path) -> None:
    folder = tmp_path / "theirs" / "mine"
    folder.mkdir(parents=True, mode=0o700)
    os.chown(tmp_path / "theirs", 12345, 12345)
    (tmp_path / "theirs").chmod(mode)
    assert not is_private(folder)


def test_a_link_is_as_private_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "open" / "inner").mkdir(parents=True)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "own").mkdir(mode=0o700)
    for place in ("open/inner", "own"):
        (tmp_path / "link").symlink_to(tmp_path / place)
        assert is_private(tmp_path / "link") == (place == "own")
        (tmp_path / "link").unlink()


def planted(place: Path) -> bytes:
    """Return a file of the cache with a right digest that makes a folder when it is read."""

    class Run:
        def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
            return os.mkdir, (str(place),)

    content = pickle.dumps(Run())
    return hashlib.sha256(content).digest() + content


def test_where_a_parent_is_open_to_others_a_planted_pickle_does_not_run(tmp_path: Path) -> None:
    """The folder is private when it is checked, and exchanged for another before it is read."""
    parent = tmp_path / "parent"
    parent.mkdir(mode=0o700)
    use(tmp_path / "bots", parent / "cache")
    file = kept(parent / "cache")
    file.write_bytes(planted(tmp_path / "it ran"))
    assert use(tmp_path / "bots", parent / "cache", expected=False)[2] and (tmp_path / "it ran").is_dir()
    (tmp_path / "it ran").rmdir()  # so it would run, where the folders are private: only their owner can plant it
    file.write_bytes(planted(tmp_path / "it ran"))
    parent.chmod(0o777)
    loaded, _, announced = use(tmp_path / "bots", parent / "cache", TMPDIR=str(tmp_path))
    assert not loaded and "compiling" in announced and not (tmp_path / "it ran").exists()


def test_a_folder_that_is_exchanged_while_a_kernel_is_loaded_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is opened in the folder that was checked, whatever has its name by then."""
    own, theirs = tmp_path / "own", tmp_path / "theirs"
    for folder, content in ((own, b"own"), (theirs, b"theirs")):
        folder.mkdir(mode=0o700)
        (folder / "file").write_bytes(content)
    with compile_cache._opened(own) as place:
        assert place is not None
        own.rename(tmp_path / "away")
        theirs.rename(own)
        assert compile_cache._content(own, place, "file") == b"own"


@pytest.mark.parametrize("kind", ["a link", "a pipe", "open to others", "a folder", "nothing"])
def test_what_is_no_file_of_ones_own_is_not_read(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    if kind == "a link":
        (tmp_path / "other").write_bytes(b"other")
        file.symlink_to(tmp_path / "other")
    elif kind == "a pipe":
        os.mkfifo(file)
    elif kind == "a folder":
        file.mkdir()
    elif kind == "open to others":
        file.write_bytes(b"content")
        file.chmod(0o666)
    with compile_cache._opened(tmp_path) as place:
        assert place is not None and compile_cache._content(tmp_path, place, "file") == b""


# --- signals


INTERRUPTED = """
import signal, sys
error = {"RuntimeError": RuntimeError, "TimeoutError": TimeoutError, "ValueError": ValueError,
         "KeyboardInterrupt": KeyboardInterrupt, "EOFError": EOFError, "OSError": OSError}[sys.argv[2]]
def late(*_):
    raise error("the time is over")
import numba
import numpy as np
from numba.core.entrypoints import init_all
import tiny_kernel
values = np.arange(3)
# Once in a process Numba imports numpy.ma and lists the installed packages, and goes on after most exceptions there.
# It does so before the clock starts, which then strikes later.
numba.typeof(values)
init_all()
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
try:
    tiny_kernel.double(values)
    signal.setitimer(signal.ITIMER_REAL, 0)
    print("loaded" if sum(tiny_kernel.double._cache_hits.values()) else "compiled")
except BaseException as caught:
    print("raised" if type(caught) is error and str(caught) == "the time is over" else repr(caught))
"""


ERRORS = ("RuntimeError", "TimeoutError", "ValueError", "KeyboardInterrupt", "EOFError", "OSError")


def test_a_time_limit_that_strikes_while_a_kernel_is_read_deletes_nothing(tmp_path: Path) -> None:
    """Another exception at each of eight moments; the next test has each of them at every step."""
    use(tmp_path / "bots", tmp_path / "cache")
    file = kept(tmp_path / "cache")
    sound, found = file.read_bytes(), Counter[str]()
    settings = os.environ | {"PYTHONPATH": f"{ROOT}:{tmp_path / 'bots'}", "RC_ENV_CACHE": str(tmp_path / "cache")}
    for number in range(8):
        error = ERRORS[number % len(ERRORS)]
        words = [sys.executable, "-c", INTERRUPTED, str(0.0005 * 1.7**number), error]
        done = subprocess.run(words, env=settings, capture_output=True, text=True, timeout=120)
        found[done.stdout.strip()] += 1
        assert kept(tmp_path / "cache") == file and file.read_bytes() == sound, done.stderr
        assert "damaged" not in done.stderr
    assert set(found) <= {"raised", "loaded"} and found["raised"], found


@pytest.mark.parametrize(
    "error", [RuntimeError, TimeoutError, ValueError, KeyboardInterrupt, EOFError, OSError, MemoryError]
)
@pytest.mark.parametrize("step", ["pickle.loads", "CompileResult._rebuild", "_content"])
def test_an_exception_at_any_step_of_reading_leaves_the_file(
    step: str, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raised by the handler of a signal, it goes on to the caller, whatever its type."""
    monkeypatch.setenv("RC_ENV_CACHE", str(tmp_path))
    cache = compile_cache.KernelCache(test_what_is_no_file_of_ones_own_is_not_read, "folder", "a test")
    folder = private_folder("folder")
    assert folder == tmp_path / "folder"
    content = pickle.dumps(())
    (folder / "file").write_bytes(hashlib.sha256(content).digest() + content)
    monkeypatch.setattr(cache, "_file", lambda *_: "file")

    def late(*_: object) -> None:
        raise error("the time is over")

    def ring(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGALRM)

    monkeypatch.setattr(compile_cache, "pickle", SimpleNamespace(loads=pickle.loads))
    monkeypatch.setattr(compile_cache, "CompileResult", SimpleNamespace(_rebuild=lambda *_: None))
    owner, _, name = step.rpartition(".")
    monkeypatch.setattr(getattr(compile_cache, owner) if owner else compile_cache, name, ring)
    old = signal.signal(signal.SIGALRM, late)
    try:
        with pytest.raises(error, match="the time is over"):
            cache.load_overload((), SimpleNamespace(refresh=lambda: None, codegen=lambda: None))
    finally:
        signal.signal(signal.SIGALRM, old)
    assert (folder / "file").exists()


def test_rc_warmup_says_what_it_keeps_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["warmup", "--games", "base", "base", "--bots", "random", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["seconds"]) == {"base"}
    assert {path.name for path in Path(found["folder"]).iterdir()} >= {jit.cache_name()}
    assert found["kernels"] >= 10 and found["bytes"] > 10**6
    assert rc.main(["warmup"]) == 0
    words = capsys.readouterr().out.splitlines()
    assert words[0].startswith("base: ") and words[0].endswith(" seconds of the processor")
    assert words[1].startswith(f"{found['folder']} holds {found['kernels']} kernels, ")
