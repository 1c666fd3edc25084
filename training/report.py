"""A tournament as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write(folder: Path, told: dict[str, Any]) -> None:
    """results.json."""
    (folder / "results.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
