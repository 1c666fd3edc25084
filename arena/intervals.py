"""95 % intervals: a bootstrap over deals, and the exact binomial bound where the bootstrap interval would have zero
width.

Games of one deal are not independent of each other, so deals are resampled. Two ways of resampling exist,
since published figures rest on both. A mean over deals draws how often each distinct value occurs in a resample
(`mean_interval`), which costs the same for any number of deals. Everything else
(ratios of sums, medians, fitted lines) resamples the deals themselves (`resamples`).

Shape letters: D deals, R resamples, M numbers of each deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rc_env import checks

TAIL = 0.025
MEAN_RESAMPLES, RESAMPLES, MEDIAN_RESAMPLES = 10_000, 1000, 4000
BLOCK = 2**22  # numbers drawn at once


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its interval.

    Attributes:
        mean: the estimate from all deals.
        low, high: the bounds.
        games: the number of games it is computed from.
        deals: how many independent deals these games were played with.

    Example:
        >>> import numpy as np
        >>> from rc_env.arena.intervals import share_interval
        >>> interval = share_interval(np.array([1.0, 0.5, 1.0, 0.0]), games_per_deal=2)
        >>> interval.mean, interval.games, interval.deals
        (0.625, 8, 4)
    """

    mean: float
    low: float
    high: float
    games: int
    deals: int


@dataclass(frozen=True)
class Intervals:
    """Estimates of any shape with the bounds of their intervals, arrays of one shape; NaN where nothing was played."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def bounds(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and the upper bound, (...), of (R, ...) values of resamples, those that are NaN left out."""
    low, high = np.nanquantile(values, (TAIL, 1 - TAIL), axis=0)
    return low, high


def exact_doubt(deals: ArrayLike) -> NDArray[np.float64]:
    """The distance of the Clopper-Pearson bound from a share of 0 or 1 that was observed in all of D deals."""
    return np.asarray(1 - TAIL ** (1 / np.maximum(deals, 1)))


def mean_interval(values: NDArray[np.float64], games_per_deal: int = 1, seed: int = 0) -> Interval:
    """The mean of (D,) numbers, one per deal, with its bootstrap interval; `seed` is that of the resamples.

    Raises:
        ValueError: no deals, or not finite numbers.

    Example:
        >>> import numpy as np
        >>> from rc_env.arena.intervals import mean_interval
        >>> mean_interval(np.array([22.0, 30.0, 26.0])).mean
        26.0
    """
    values = _row("values", values)
    count = len(values)
    distinct, times = np.unique(values, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(count, times / count, MEAN_RESAMPLES) @ distinct / count
    low, high = bounds(drawn)
    return Interval(float(values.mean()), float(low), float(high), count * games_per_deal, count)


def share_interval(shares: NDArray[np.float64], games_per_deal: int = 1, seed: int = 0) -> Interval:
    """The mean of (D,) shares from 0 to 1, one per deal, as `mean_interval`; exact where all are 0, or all are 1.

    Example:
        >>> import numpy as np
        >>> from rc_env.arena.intervals import share_interval
        >>> round(share_interval(np.ones(10)).low, 3)  # all of 10 deals won: exact, not of zero width
        0.692
    """
    found = mean_interval(shares, games_per_deal, seed)
    doubt = float(exact_doubt(len(shares)))
    if (shares == 0).all():
        return replace(found, low=0.0, high=doubt)
    if (shares == 1).all():
        return replace(found, low=1 - doubt, high=1.0)
    return found


def median_interval(values: Sequence[float]) -> Interval:
    """The median of D measurements, with its bootstrap interval.

    Raises:
        ValueError: no measurements, or not finite numbers.
    """
    measured = _row("values", values)
    medians = [np.median(measured[picked], axis=1) for picked in resamples(len(measured), MEDIAN_RESAMPLES, 0)]
    low, high = bounds(np.concatenate(medians))
    return Interval(float(np.median(measured)), float(low), float(high), len(measured), len(measured))


def _row(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return (D,) finite numbers as an array, at least one."""
    row = checks.array(name, values, "a row of finite numbers")
    if row.ndim != 1 or not row.size or row.dtype.kind not in "biuf" or not np.isfinite(row).all():
        checks.refuse(name, row, "a row of finite numbers, one at least")
    return row.astype(np.float64)


def resamples(deals: int, count: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield resampled deal numbers, (R, D) int64, in blocks of rows that make up `count` resamples."""
    generator = np.random.default_rng(seed)
    step = max(1, BLOCK // max(deals, 1))
    for first in range(0, count if deals else 0, step):
        yield generator.integers(0, deals, (min(step, count - first), deals))


def resampled_sums(sums: NDArray[np.float64], seed: int, count: int = RESAMPLES) -> NDArray[np.float64]:
    """(R, M) sums over the deals of each resample, from (D, M) sums of each deal; zeros without any deal."""
    deals = len(sums)
    parts = [np.zeros((0 if deals else count, sums.shape[1]))]
    for picked in resamples(deals, count, seed):
        rows = len(picked)
        times = np.bincount((picked + deals * np.arange(rows)[:, None]).ravel(), minlength=rows * deals)
        parts.append(times.reshape(rows, deals).astype(np.float64) @ sums)
    return np.concatenate(parts)
