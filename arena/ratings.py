"""Ratings on the Elo scale from who finished before whom: Bradley and Terry's model, by maximum likelihood."""

from __future__ import annotations

import choix
import numpy as np
from numpy.typing import NDArray

from rc_env import checks

ELO = 400 / np.log(10)
"""Points of a factor e in the odds: 400 points are odds of 10 to 1."""
PRIOR = 0.5
"""Added to every count: half a win each way, so that the rating of a bot that never lost stays finite."""


def ratings(before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Elo points with mean 0.

    Args:
        before: (K, K), how often bot i finished before bot j, a shared place counting one half each way.

    Returns:
        (K,) float64.

    Raises:
        ValueError: not a square of finite numbers of at least 0.
    """
    counts = checks.array("before", before, "a (K, K) array of counts")
    square = counts.ndim == 2 and counts.shape[0] == counts.shape[1] > 0
    if not square or counts.dtype.kind not in "iuf" or not (np.isfinite(counts) & (counts >= 0)).all():
        checks.refuse("before", counts, "a (K, K) array of counts, finite numbers of at least 0")
    counts = counts.astype(np.float64) + PRIOR
    np.fill_diagonal(counts, 0)
    strengths = choix.ilsr_pairwise_dense(counts, max_iter=1000)
    return ELO * (strengths - strengths.mean())
