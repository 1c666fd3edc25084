"""The README's code runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_every_face_has_its_lines() -> None:
    text = "\n".join(BLOCKS)
    for face in (
        "Engine(",
        "red_cathedral_v0.env(",
        "gymnasium.make(",
        "RedCathedralVectorEnv(",
        "rc_env.play_match(",
    ):
        assert face in text


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_code_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[number], f"README block {number + 1}", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out.strip(), "each block prints what it came to"


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
