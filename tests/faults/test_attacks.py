"""Tests that try a part of the attacks, and that no callable has been forgotten; `make attack` tries all attacks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EVERY = 25
"""Only every EVERY-th attack is tried here."""


@pytest.fixture(scope="module", autouse=True)
def importable() -> Iterator[None]:
    """Make the modules beside this file importable, for this file alone."""
    sys.path.insert(0, str(HERE))
    yield
    sys.path.remove(str(HERE))


@pytest.mark.slow
def test_every_public_callable_is_attacked_or_says_why_not() -> None:
    """An argument whose name and annotation do not say what it may be needs a line in arguments.py."""
    from derived import callees
    from objects import OBJECTS

    unknown = [
        f"{one.target}({name})"
        for one in callees()
        for name, kind in one.kinds.items()
        if kind is None or (kind.good is None and name not in one.optional)
    ]
    assert not unknown, f"what may these be? tests/faults/arguments.py does not know: {', '.join(unknown)}"
    classes = {one.owner.__name__ for one in callees() if one.owner and one.owner not in OBJECTS}
    assert not classes, f"no object to call the methods of, in tests/faults/objects.py: {', '.join(sorted(classes))}"
    assert len(callees()) > 200


@pytest.mark.slow
def test_every_sub_command_is_attacked() -> None:
    from catalogue import ATTACKS

    from rc_env.apps.cli import rc

    attacked = {one.target for one in ATTACKS}
    assert {f"rc {name}" for name in rc.COMMANDS} <= attacked


@pytest.mark.slow
def test_attacks_have_names_of_their_own() -> None:
    from catalogue import ATTACKS

    names = [one.name for one in ATTACKS]
    assert len(set(names)) == len(names) >= 20_000


OUTSIDE = """
import os, pathlib, shutil, sys
sys.path.insert(0, sys.argv[1])
import enclosure
os.chdir(sys.argv[2])
enclosure.enclose([pathlib.Path(sys.argv[2])])
pathlib.Path("inside").write_text("written")
tries = [
    lambda: open("../victim", "w"), lambda: os.open("../victim", os.O_WRONLY), lambda: os.remove("../victim"),
    lambda: os.replace("inside", "../victim"), lambda: os.mkdir("../more"), lambda: shutil.rmtree(".."),
    lambda: pathlib.Path("../victim").write_bytes(b""), lambda: os.truncate("../victim", 0),
]
for number, one in enumerate(tries):
    try:
        one()
    except PermissionError:
        continue
    sys.exit(f"try {number} was not refused")
"""


def test_attacks_write_to_a_folder_of_their_own(tmp_path: Path) -> None:
    """No attack writes outside its folder, even when run by a user who may write everywhere."""
    inner, victim = tmp_path / "inner", tmp_path / "victim"
    inner.mkdir()
    victim.write_text("as it was")
    done = subprocess.run([sys.executable, "-c", OUTSIDE, str(HERE), str(inner)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert victim.read_text() == "as it was" and sorted(tmp_path.iterdir()) == [inner, victim]
    assert (inner / "inside").read_text() == "written"


@pytest.mark.long
def test_a_part_of_the_attacks(tmp_path: Path) -> None:
    """All of these attacks are refused in a sentence, or accepted for a reason."""
    file = tmp_path / "attacks.json"
    command = [sys.executable, str(HERE / "attack.py"), "--every", str(EVERY), "--json", str(file)]
    done = subprocess.run([*command, "--quick"], capture_output=True, text=True)
    assert file.exists(), done.stderr
    assert not json.loads(file.read_text())["failed"], done.stdout
