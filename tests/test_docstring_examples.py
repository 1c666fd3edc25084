"""Tests of the examples in docstrings: each one runs by itself, and gives what it says.

What a user makes or calls has one: every class and function of the two packages' `__all__`, and of the API reference.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rc_env
from rc_env import agents
from rc_env.agents import registry

pytestmark = pytest.mark.slow

API = Path(__file__).parents[1] / "docs/api"
PAGES = "".join(page.read_text("utf-8") for page in sorted(API.glob("*.md")) if page.stem != "studies")
ON_PAGES = re.findall(r"^\.\. auto(?:class|function):: (rc_env\.(?!layout)\S+)", PAGES, re.M)
"""The classes and functions of the API reference. Exceptions need no example; those of layouts and studies are on their
pages."""


def found(name: str) -> Any:
    """Return the object of a dotted name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def names() -> list[str]:
    """Return the dotted names of all that must have an example; constants have none."""
    public = [f"{package.__name__}.{name}" for package in (rc_env, agents) for name in package.__all__]
    shown = [name for name in public if isinstance(found(name), ModuleType) or callable(found(name))]
    return sorted({*shown, *ON_PAGES})


@pytest.mark.parametrize("name", names())
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for table in ("_FACTORIES", "_ABOUT"):  # the example of `register` adds a bot
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))
    docstring = inspect.getdoc(found(name)) or ""
    example = doctest.DocTestParser().get_doctest(docstring, {}, name, None, None)
    assert example.examples, f"{name} has no example in its docstring"
    report: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert tried and not failed, "".join(report)


def test_the_reference_has_all_that_the_package_exports() -> None:
    assert set(rc_env.__all__) - {"RULES_VERSION", "DataError", "red_cathedral_v0"} <= {
        name.rpartition(".")[2] for name in ON_PAGES
    }


def test_a_false_output_is_noticed() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, None)
    assert doctest.DocTestRunner().run(example, out=lambda text: None) == doctest.TestResults(failed=1, attempted=1)
