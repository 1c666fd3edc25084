"""What happens in games: placeholder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env.engine import Engine
from rc_env.ruleset import Ruleset
from training.match import Match


class Tally:
    """What was measured."""


class Metrics:
    """Watches a match."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """As `match.Watcher`."""

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """As `match.Watcher`."""

    def tally(self, match: Match) -> Tally:
        """What was measured."""
        return Tally()
