"""No index of the compiled code is out of range: the same code with checks, which are off in normal use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = "from rc_env.jit import cache_folder; print(cache_folder().name)"


def python(code: str, **settings: str) -> str:
    """What a Python of its own prints, with these settings in its environment."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run([sys.executable, "-c", code], env=clean | settings, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "setting", ["NUMBA_BOUNDSCHECK=1", "NUMBA_OPT=1", "NUMBA_DEBUGINFO=1", "NUMBA_CPU_NAME=generic"]
)
def test_code_compiled_with_other_options_is_cached_elsewhere(setting: str, tmp_path: Path) -> None:
    """Numba's own key knows nothing of the options: without this the checked code would be loaded unchecked."""
    name, value = setting.split("=")
    plain, other = (
        python(FOLDER, RC_ENV_CACHE=str(tmp_path)),
        python(FOLDER, RC_ENV_CACHE=str(tmp_path), **{name: value}),
    )
    assert plain != other and plain.split("-")[0] == other.split("-")[0], "the same sources, other options"
