"""Tests that the notebooks run from top to bottom on small settings, and that the committed outputs are complete."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import rc_env

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
# Replaces the cell tagged "parameters", if there is one.
PARAMETERS = """
import dataclasses
from pathlib import Path
from rc_env.training.settings import PRESETS
settings = dataclasses.replace(
    PRESETS["quick"], imitation=512, decisions=512, envs=16, steps=16, batch=64, trunk=16, heads=8, object=4, threads=1,
    teacher="greedy", opponents={"self": 1}, evaluate_every=1, evaluation_games=4, anchors=("random",)
)
folder = Path("run")
games = 4
"""


def outputs(notebook: dict) -> list[dict]:
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def test_there_are_five() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05"]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("RC_NOTEBOOK_GAMES", "8")
    monkeypatch.setenv("RC_NOTEBOOK_SETS", "30")
    monkeypatch.setenv("PYTHONPATH", str(path.parents[1]))
    notebook = nbformat.read(path, 4)
    there = sum(bool(cell.get("outputs")) for cell in notebook.cells)
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", []):
            cell.source = PARAMETERS
    settings = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=settings).execute()
    assert sum(bool(cell.get("outputs")) for cell in notebook.cells) == there


def test_only_names_of_the_api_reference_are_used() -> None:
    pages = "".join(page.read_text("utf-8") for page in (NOTEBOOKS[0].parents[1] / "docs/api").glob("*.md"))
    public = set(re.findall(r"^\.\. auto\w+:: (\S+)", pages, re.M)) | {f"rc_env.{name}" for name in rc_env.__all__}
    public |= {"rc_env.agents", *("rc_env.training.settings." + name for name in ("PRESETS", "TrainingSettings"))}
    public |= {name.rpartition(".")[0] for name in public}  # a module of public names
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        used = {
            f"{node.module}.{alias.name}"
            for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rc_env")
            for alias in node.names
        }
        assert used <= public, path.name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_committed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert len(text) < 300_000
    kinds = {kind for output in outputs(notebook) for kind in output.get("data", {})}
    assert kinds & {"image/svg+xml", "image/png"}, "the output contains no picture"
    assert all(output["output_type"] != "error" for output in outputs(notebook))
    assert not any(output.get("name") == "stderr" for output in outputs(notebook))
    for word in ("/home/", "/root/", "/tmp/", "/Users/", "site-packages"):
        assert word not in text, "the output contains a path of one machine"
    links = [part.split(")")[0] for part in text.split("](")[1:]]
    assert links or path.name.startswith("02")
    for link in links:
        assert (path.parent / link).exists(), link
