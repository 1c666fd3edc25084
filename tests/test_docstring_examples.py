"""Tests of the examples in docstrings: each one runs by itself, and gives what it says.

What a user makes or calls first has one; so the list is every class and function of the two packages' `__all__`, and
those below that users import from a module.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rc_env
from rc_env import agents
from rc_env.agents import registry

pytestmark = pytest.mark.slow

FURTHER = (
    "rc_env.agents.gumbel.GumbelSearch",
    "rc_env.agents.gumbel.SearchSettings",
    "rc_env.agents.net.NetBot",
    "rc_env.agents.plan.PlanBot",
    "rc_env.agents.playout_search.PlayoutSearch",
    "rc_env.agents.playout_search.PlayoutSettings",
    "rc_env.agents.random.RandomBot",
    "rc_env.agents.search.SearchBot",
    "rc_env.arena.metrics.Metrics",
    "rc_env.arena.tournament.Schedule",
    "rc_env.arena.tournament.run",
    "rc_env.engine_group.EngineGroup",
    "rc_env.envs.aec.env",
    "rc_env.envs.aec.raw_env",
    "rc_env.record.Record",
    "rc_env.record.Recorder",
    "rc_env.record.folder",
    "rc_env.record.parse",
    "rc_env.record.positions",
    "rc_env.record.read",
    "rc_env.record.replay",
    "rc_env.record.write",
    "rc_env.render.Board",
    "rc_env.training.settings.TrainingSettings",
)
"""What users make or call first beside `rc_env.__all__` and `agents.__all__`."""


def found(name: str) -> Any:
    """Return the object of a dotted name."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def names() -> list[str]:
    """Return the dotted names of all that must have an example; constants have none."""
    public = [f"{package.__name__}.{name}" for package in (rc_env, agents) for name in package.__all__]
    shown = [name for name in public if isinstance(found(name), ModuleType) or callable(found(name))]
    return [*shown, *FURTHER]


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


def test_a_false_output_is_noticed() -> None:
    example = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, None)
    assert doctest.DocTestRunner().run(example, out=lambda text: None) == doctest.TestResults(failed=1, attempted=1)
