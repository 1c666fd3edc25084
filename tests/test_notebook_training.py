"""The notebook on training runs from the first cell to the last, with small settings."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "04_training.ipynb"
SMALL = """
import dataclasses
settings = dataclasses.replace(
    PRESETS["quick"], imitation=512, decisions=512, envs=16, steps=16, batch=64, trunk=16, heads=8, object=4, threads=1,
    teacher="greedy", opponents={"self": 1}, evaluate_every=1, evaluation_games=4, anchors=("random",)
)
folder = Path("run")
games = 4
"""


@pytest.mark.slow
def test_the_notebook_runs(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", str(NOTEBOOK.parents[1]))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    (cell,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    cell.source = SMALL
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    told = str([output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs])
    assert "image/svg+xml" in told and "image/png" in told and "won/random" in told
