"""Tests of the files that contributors meet: hooks, workflow, issue forms."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

import rc_env

ROOT = Path(__file__).parents[1]


def pinned(package: str) -> str:
    (found,) = re.findall(rf"^{package}==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return found


def test_the_hooks_use_the_ruff_of_lint() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook for repository in config["repos"] for hook in repository["hooks"]]
    assert [hook["id"] for hook in hooks] == ["ruff-check", "ruff-format"]
    assert all(hook["additional_dependencies"] == [f"ruff=={pinned('ruff')}"] for hook in hooks)


def test_the_workflow_runs_what_there_is() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    assert commands == [".ci/run", "make quick PYTHON=python", ".ci/release python"]
    assert all((ROOT / name).stat().st_mode & 0o111 for name in (".ci/run", ".ci/release"))
    assert re.search(r"^quick:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    supported = workflow["jobs"]["quick"]["strategy"]["matrix"]["python"]
    assert supported == workflow["jobs"]["release"]["strategy"]["matrix"]["python"]
    tried = re.search(r"for version in ([\d. ]+); do", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert tried and supported == tried[1].split()


def test_every_issue_form_asks_for_something() -> None:
    forms = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) >= 3
    for form in forms:
        content = yaml.safe_load(form.read_text(encoding="utf-8"))
        if form.name != "config.yml":
            assert content["name"] and content["description"], form
            assert any(part["validations"]["required"] for part in content["body"] if "validations" in part), form


def test_a_version_names_one_state() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", changes, re.MULTILINE)[0]
    for name in ("CITATION.cff", "README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"^ *version(?::| =) *\{?([\d.]+)", text, re.MULTILINE) == [released], name
    if rc_env.__version__ != released:  # between two releases
        number = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)\.dev0", rc_env.__version__)
        assert number and tuple(map(int, number.groups())) > tuple(map(int, released.split(".")))
