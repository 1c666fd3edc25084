"""Tests that names cannot clash: the wheel holds `rc_env` and the start of `rc`, beside a user's `agents` and
`training`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

import rc_env
from rc_env import agents
from rc_env.jit import sources_hash

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "arena", "training", "apps")
SOURCES = ("rc_env", "rc_env_start.py", *FOLDERS, "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE")

# --- the checkout


@pytest.mark.parametrize(
    ("words", "package"),
    [
        (["-c", "import agents"], "agents"),
        (["-c", "from agents.plan import PlanBot"], "agents"),
        (["-c", "import training.run"], "training"),
        (["-c", "import arena"], "arena"),
        (["-m", "apps.cli", "bots"], "apps"),
    ],
)
def test_a_folder_of_the_checkout_is_imported_under_its_right_name_alone(words, package):
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    sentence = f"{package} is no package of its own: write `from rc_env import {package}`"
    assert sentence in done.stderr.splitlines()[-1]


def test_the_environment_alone_imports_no_bot():
    code = "import rc_env, sys; print([m for m in sys.modules if m.startswith(('rc_env.agents', 'rc_env.arena'))])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# --- the wheel


class Installed(NamedTuple):
    """A wheel, and a user's folder with an environment in which the wheel is installed."""

    wheel: Path
    user: Path
    bin: Path

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the user's folder, which is first on the path.

        The rules run as plain Python: compiling them anew for another folder takes a minute.
        """
        own = {"PYTHONPATH": str(self.user), "NUMBA_DISABLE_JIT": "1", "COLUMNS": "120"}
        done = subprocess.run(
            [self.bin / program, *words], cwd=self.user, env=os.environ | own, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done


def sources(folder: Path) -> Path:
    """Copy the files that a build reads, so that no file of an earlier build gets into the wheel."""
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def build(source: Path, out: Path) -> Path:
    """Build the wheel of a folder with the installed setuptools, so that no network is needed."""
    words = ["wheel", "-q", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-w", str(out), "."]
    subprocess.run([sys.executable, "-m", "pip", *words], cwd=source, check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel in an environment of its own, which borrows all other packages, for a user with names like
    ours.
    """
    folder = tmp_path_factory.mktemp("install")
    wheel = build(sources(tmp_path_factory.mktemp("sources")), folder)
    home = folder / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    bin = home / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(bin / "python"), "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True, capture_output=True)
    # A .pth file borrows the folders of packages, but no .pth file in them is run: this checkout stays out, even where
    # it is installed as editable.
    (site,) = home.glob("**/site-packages")
    borrowed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (site / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    user = folder / "user"
    (user / "training").mkdir(parents=True)
    (user / "training" / "__init__.py").write_text("OWNER = 'the user'\n", encoding="utf-8")
    (user / "agents.py").write_text(
        """
class MyBot:
    name = "mine"

    def reset(self, seed):
        pass

    def act(self, position):
        return position.mask.argmax(1)
""",
        encoding="utf-8",
    )
    return Installed(wheel, user, bin)


def names(wheel: Path) -> list[str]:
    """Return the files in a wheel, sorted."""
    with zipfile.ZipFile(wheel) as archive:
        return sorted(archive.namelist())


@pytest.mark.slow
def test_the_wheel_puts_one_package_at_the_top_with_all_that_it_reads(installed):
    files = names(installed.wheel)
    top = {"rc_env", "rc_env_start.py", f"rc_env-{rc_env.__version__}.dist-info"}
    assert {file.split("/")[0] for file in files} == top
    assert "rc_env/py.typed" in files and "rc_env/data/base.toml" in files
    for folder, found in (("rc_env", ROOT / "rc_env"), *((f"rc_env/{name}", ROOT / name) for name in FOLDERS)):
        kept = [path for path in found.rglob("*") if path.suffix in (".py", ".toml", ".npz", ".html", ".js", ".css")]
        kept = [path.relative_to(found).as_posix() for path in kept]
        assert not {f"{folder}/{name}" for name in kept} - set(files)
    assert "rc_env/apps/cli/rc.py" in files


@pytest.mark.slow
@pytest.mark.long
def test_the_sdist_builds_the_same_wheel(installed, tmp_path):
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=sources(tmp_path), check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    shutil.unpack_archive(sdist, tmp_path / "unpacked")
    assert names(build(next((tmp_path / "unpacked").iterdir()), tmp_path)) == names(installed.wheel)


@pytest.mark.slow
def test_the_environment_and_its_default_opponent_leave_a_users_modules_alone(installed):
    (installed.user / "play.py").write_text(
        """
from pathlib import Path

import gymnasium

import agents
import training

for settings in ({}, {"opponents": "agents:MyBot"}):
    env = gymnasium.make("rc_env:RedCathedral-v0", **settings)
    observation, info = env.reset(seed=1)
    for _ in range(20):
        observation, reward, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        assert not terminated and not truncated and not info["illegal"]

import rc_env
import rc_env.agents
from rc_env.jit import sources_hash

assert agents.MyBot and training.OWNER == "the user"
print(rc_env.__file__)
print(rc_env.__version__)
print(sources_hash(Path(rc_env.agents.__file__).resolve().parent))
""",
        encoding="utf-8",
    )
    file, version, digest = installed.run("python", "play.py").stdout.split()
    assert Path(file).is_relative_to(installed.bin.parent), "the package was not imported from the wheel"
    assert version == rc_env.__version__
    # Compiled bots are kept under the same hash, of the rules and of all bots, whether installed or linked to.
    assert digest == sources_hash(Path(agents.__file__).resolve().parent) != sources_hash()


@pytest.mark.slow
def test_rc_works_beside_a_users_modules(installed):
    assert "greedy" in installed.run("rc", "bots").stdout
    assert "greedy" in installed.run("python", "-m", "rc_env.apps.cli", "bots").stdout
    shown = installed.run("rc", "record", "--bots", "agents:MyBot,random", "--turn-limit", "6", "--out", "games").stdout
    assert re.match(r"1 game written to games", shown) and list((installed.user / "games").iterdir())
