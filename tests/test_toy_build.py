"""Tests of a toy build: for a sixth die, a seventh material and a fifth guild, only sizes and data change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from random_files import toml

import rc_env

PACKAGE = Path(rc_env.__file__).parent
LINES = (
    (
        "build_sizes.py",
        "NEUTRAL_DICE = ALL_NEUTRAL_DICE if FULL else ALL_NEUTRAL_DICE[:1]",
        "NEUTRAL_DICE = ALL_NEUTRAL_DICE",
    ),
    (
        "sizes.py",
        'MATERIAL_NAMES = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")',
        'MATERIAL_NAMES = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem", "diamond")',
    ),
)
"""The two lines of files in `rules/printed` that change. Guilds are named by the data file alone."""


def build(folder: Path) -> None:
    """Write a copy of the package with the changed lines."""
    shutil.copytree(PACKAGE, folder / "rc_env", ignore=shutil.ignore_patterns("__pycache__", "weights"))
    for name, old, new in LINES:
        file = folder / "rc_env" / "rules" / "printed" / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        file.write_text(text.replace(old, new), encoding="utf-8")


def tables() -> dict[str, Any]:
    """Return the base data file with diamonds, a black die and bankers."""
    found = tomllib.loads((PACKAGE / "data" / "base.toml").read_text(encoding="utf-8"))
    found["supply"]["diamond"] = 12
    found["market"]["tile"][0] = {"diamond": 1}
    found["workshop"]["tile"] += [{"count": 2, "die": "black"}, {"count": 2, "diamond": 1}]
    for deck in found["cards"].values():
        for card in deck[::3]:
            if sum(card["cost"].values()) < 6:
                card["cost"]["diamond"] = 1
    found["guilds"]["bankers"] = [
        [{"buy": ["diamond"], "price": 2, "unlimited": True}, {"sell": ["diamond", "gold"], "price": 3}],
        [{"discard_different": 4, "prestige": 3}, {"exchange_any": 1, "for_other": 1, "price": 1}],
    ]
    return found


@pytest.mark.long  # it compiles the rules anew
@pytest.mark.slow
def test_a_sixth_die_a_seventh_material_and_a_fifth_guild(tmp_path: Path) -> None:
    build(tmp_path)
    data = tmp_path / "toy.toml"
    data.write_text(toml(tables()), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}  # the sources differ, so the cache uses another folder
    program = [sys.executable, str(Path(__file__).parent / "support" / "toy_play.py"), str(data)]
    done = subprocess.run(program, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert Path(found["build"]).is_relative_to(tmp_path)
    dice, materials, size = found["sizes"]
    assert (dice, materials) == (6, 7) and size > rc_env.Ruleset().observations.size
    assert found["2"]["games"] >= 300
    for players in "1234":
        count = found[players]
        assert count["games"] >= 40 and all(count.values()), count
        assert 0.5 < count["fifth guild"] / count["games"] <= 1  # the fifth guild is in four of five games
    assert all(lines > 20 for lines in found["records"].values()), found["records"]
