"""Which machine a figure was measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def hardware() -> dict[str, str | int | None]:
    """The processor, the number of its cores, and the system, as results give them."""
    return {"processor": processor(), "cores": os.cpu_count(), "system": platform.platform()}


def processor() -> str:
    """The processor's name, where the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
