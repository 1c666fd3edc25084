"""Measures the seconds spent in each part of training."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}
"""Clocks by name: wall time, or this process's own processor time, which other work hardly changes."""


class Clock:
    """Seconds spent, by name: `with clock("engine"): ...`; blocks do not nest."""

    def __init__(self) -> None:
        self._spent: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self._spent[name] += time.perf_counter() - begin

    def take(self) -> dict[str, float]:
        """Seconds by name since the last call, which are then forgotten."""
        spent = dict(self._spent)
        self._spent.clear()
        return spent
