"""Ratings on the Elo scale from who finished before whom: Bradley and Terry's model, by maximum likelihood."""

from __future__ import annotations

import choix
import numpy as np
from numpy.typing import NDArray

ELO = 400 / np.log(10)
"""Points of a factor e in the odds: 400 points are odds of 10 to 1."""
PRIOR = 0.5
"""Added to every count: half a win each way, so that one who never lost to another is rated finitely above it."""


def ratings(before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Elo points with mean 0.

    Args:
        before: (K, K), how often bot i finished before bot j, a shared place counting one half each way.

    Returns:
        (K,) float64.
    """
    counts = np.asarray(before, np.float64) + PRIOR
    np.fill_diagonal(counts, 0)
    strengths = choix.ilsr_pairwise_dense(counts, max_iter=1000)
    return ELO * (strengths - strengths.mean())
