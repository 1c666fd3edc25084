"""Tests of the index checks, which are off in normal use: they find planted errors, and use a cache of their own.

`make bounds` runs the games of `tests/checked.py`, and the tests of the rules, under the same checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = "from rc_env.jit import cache_name; print(cache_name())"


def python(*arguments: str, **settings: str) -> str:
    """Return the output of a separate Python process with these environment variables."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run([sys.executable, *arguments], env=clean | settings, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of the cache when no option is set."""
    return python("-c", FOLDER, RC_ENV_CACHE=str(tmp_path_factory.mktemp("cache")))


@pytest.mark.parametrize(
    "setting", ["NUMBA_BOUNDSCHECK=1", "NUMBA_OPT=1", "NUMBA_DEBUGINFO=1", "NUMBA_CPU_NAME=generic"]
)
def test_code_compiled_with_other_options_is_cached_elsewhere(setting: str, plain: str, tmp_path: Path) -> None:
    """Numba's own key ignores these options: with one folder for all, the unchecked code would be loaded."""
    name, value = setting.split("=")
    other = python("-c", FOLDER, RC_ENV_CACHE=str(tmp_path), **{name: value})
    assert plain != other and plain.split("-")[0] == other.split("-")[0], (
        "only the part of the folder's name for the options may differ"
    )


def test_without_the_checks_a_planted_index_goes_unseen() -> None:
    """The test of a planted index in `tests/checked.py` fails without the checks, so it does prove something."""
    proof = "['-q', '-p', 'no:cacheprovider', 'tests/checked.py', '-k', 'read_row']"
    assert "DID NOT RAISE" in python("-c", f"import pytest, sys; sys.exit(not pytest.main({proof}))")


@pytest.mark.slow
def test_with_the_checks_planted_indices_raise() -> None:
    """Only the planted errors are tried here, since the games of `make bounds` take a minute to compile."""
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "strict_indices", "tests/checked.py", "-k", "planted"]
    path = os.pathsep.join(filter(None, [str(ROOT / "tests" / "support"), os.environ.get("PYTHONPATH")]))
    assert "7 passed" in python("-m", "pytest", *arguments, PYTHONPATH=path)
