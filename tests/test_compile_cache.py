"""Tests of the cache of compiled kernels: private, shared by a user's environments, and never a reason to fail.

A kernel of one line in a folder of its own stands for the engine's, which take a minute to compile.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from rc_env.compile_cache import private_folder

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


def start(home: Path, cache: Path, **settings: str) -> subprocess.Popen[str]:
    home.mkdir(exist_ok=True)
    (home / "tiny_kernel.py").write_text(KERNEL)
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{home}", "RC_ENV_CACHE": str(cache)} | settings
    return subprocess.Popen(
        [sys.executable, "-c", USE], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def use(home: Path, cache: Path, **settings: str) -> tuple[bool, str, str]:
    """Double three numbers in a new process; return whether the kernel was loaded, its folder, and the messages."""
    process = start(home, cache, **settings)
    output, announced = process.communicate(timeout=120)
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


def test_one_cache_serves_equal_sources_wherever_they_lie(tmp_path: Path) -> None:
    _, folder, _ = use(tmp_path / "bots", tmp_path / "cache")
    (tmp_path / "elsewhere").mkdir()
    assert use(tmp_path / "elsewhere" / "bots", tmp_path / "cache") == (True, folder, "")


def test_other_sources_have_another_folder(tmp_path: Path) -> None:
    _, folder, _ = use(tmp_path / "bots", tmp_path / "cache")
    (tmp_path / "bots" / "beside.py").write_text("NUMBER = 1\n")
    loaded, other, _ = use(tmp_path / "bots", tmp_path / "cache")
    assert not loaded and other != folder


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
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder for the temporary files of this test, with a cache folder that cannot be created."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RC_ENV_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    private_folder.cache_clear()
    yield tmp_path
    private_folder.cache_clear()


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
    settings = {"TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()
    (tmp_path / "temporary" / f"rc_env-{os.getuid()}").write_text("")
    loaded, folder, announced = use(tmp_path / "bots", tmp_path / "file" / "cache", **settings)
    assert not loaded and not folder
    assert announced.strip().endswith("it is not kept: set RC_ENV_CACHE to a folder of your own")
