"""A random-effects model that generalises figures measured on many sets of cards.

A figure measured on one set has a sampling error, since the number of games is finite; the true figures of different
sets differ as well. The model takes both for normal: a set's figure is `mean` + a deviation of the set, with standard
deviation `spread`, + a sampling error of known size. `spread` is estimated by Paule and Mandel (1982),
the interval of the mean by Hartung and Knapp (2001), which also keeps its 95 % with few sets.

Shape letter: K sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, stats

from rc_env import checks
from rc_env.ruleset import Ruleset

SHARE = 0.9
"""The share of the sets that the reported range contains."""
_SIDES = float(stats.norm.ppf(0.5 + SHARE / 2))
_OF_INTERVAL = float(2 * stats.norm.ppf(0.975))
LEAST = 1e-6  # the smallest standard error, for figures that were the same in every game


@dataclass(frozen=True)
class OverSets:
    """The result of the model.

    Attributes:
        sets: K.
        mean, mean_low, mean_high: the mean over all sets that may be drawn, with its 95 % interval.
        spread: standard deviation of the sets' true figures.
        low, high: the range that contains 90 % of the sets, without sampling errors.
        error: the sampling error of one set's figure, as a root mean square.
    """

    sets: int
    mean: float
    mean_low: float
    mean_high: float
    spread: float
    low: float
    high: float
    error: float

    def share_above(self, threshold: float) -> float:
        """The probability that the true figure of a newly drawn set is above a threshold.

        It rests on the spread of the sets and on how well their mean is known.
        """
        known = (self.mean_high - self.mean_low) / 2 / float(stats.t.ppf(0.975, self.sets - 1))
        width = float(np.hypot(self.spread, known))
        if width <= LEAST:
            return float(self.mean > threshold)
        return float(stats.t.sf((threshold - self.mean) / width, self.sets - 1))

    def rounded(self, digits: int = 6) -> OverSets:
        """The same result, rounded."""
        values = {name: round(value, digits) + 0.0 for name, value in asdict(self).items() if name != "sets"}
        return OverSets(self.sets, **values)

    def as_json(self) -> dict[str, Any]:
        """The result as a dictionary for JSON, rounded."""
        return asdict(self.rounded())


def errors_of(low: ArrayLike, high: ArrayLike) -> NDArray[np.float64]:
    """(K,) standard errors, from the bounds of 95 % intervals."""
    return (np.asarray(high, np.float64) - np.asarray(low, np.float64)) / _OF_INTERVAL


def over_sets(
    values: Sequence[float] | NDArray[np.float64],
    errors: Sequence[float] | NDArray[np.float64],
    within: tuple[float, float] = (-np.inf, np.inf),
) -> OverSets:
    """The random-effects model of K figures.

    Args:
        values: K figures, at least two.
        errors: K standard errors.
        within: the least and the most that a figure can be; intervals and ranges end there.

    Raises:
        ValueError: fewer than two, not as many of both, or one that is not finite or below 0.
    """
    expected = "at least two finite numbers, as many values as errors, none of them below 0"
    y, s = (checks.array(name, one, expected) for name, one in (("values", values), ("errors", errors)))
    if y.ndim != 1 or len(y) < 2 or y.shape != s.shape or y.dtype.kind not in "iuf" or s.dtype.kind not in "iuf":
        checks.refuse("values", y, expected)
    if not np.isfinite(y).all() or not np.isfinite(s).all() or (s < 0).any():
        checks.refuse("errors", s, expected)
    count, noise = len(y), np.maximum(s.astype(np.float64), LEAST) ** 2

    def centre(variance: float) -> tuple[float, NDArray[np.float64]]:
        weight = 1 / (noise + variance)
        return float((weight * y).sum() / weight.sum()), weight

    def excess(variance: float) -> float:
        mean, weight = centre(variance)
        return float((weight * (y - mean) ** 2).sum() - (count - 1))

    variance = 0.0
    if excess(0.0) > 0:
        most = float(np.var(y, ddof=1)) + float(noise.max())
        while excess(most) > 0:
            most *= 2
        variance = float(optimize.brentq(excess, 0.0, most))
    mean, weight = centre(variance)
    around = float((weight * (y - mean) ** 2).sum() / ((count - 1) * weight.sum())) ** 0.5
    around = max(around, float(weight.sum()) ** -0.5)
    half = float(stats.t.ppf(0.975, count - 1)) * around
    spread = variance**0.5
    low, high = mean - _SIDES * spread, mean + _SIDES * spread
    ends = np.clip([mean - half, mean + half, low, high], *within).tolist()
    return OverSets(count, mean, ends[0], ends[1], spread, ends[2], ends[3], float(noise.mean()) ** 0.5)


def set_names(rulesets: Sequence[Ruleset]) -> list[str]:
    """The names of sets: the name of the drawn data file, with that of the expansion's file if it is drawn, too."""
    names = []
    for ruleset in rulesets:
        words = [str(getattr(ruleset, name)) for name in ("data", "expansion_data")]
        drawn = [word for word in words if word.startswith("sample-")]
        names.append(" + ".join(dict.fromkeys(drawn)))
    return names
