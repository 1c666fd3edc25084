"""Tests that the tests named in docs/guarantees.md exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))
LINES = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| guarantee"))]


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda part: str(part).rpartition("/")[2])
def test_it_is_there(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    assert tests and (not test or test in tests)


def test_every_promise_names_what_holds_it() -> None:
    promises = [line for line in LINES if PAGE.index(line) < PAGE.index("## Measured")]
    assert len(promises) > 20
    assert all(re.search(r"`tests/|`make ", line) for line in promises)


def test_every_target_that_is_named_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", PAGE):
        assert re.search(rf"^{target}:", makefile, re.M), target
