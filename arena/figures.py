"""Figures as results report them: rounded, each with the bounds of its 95 % interval, for JSON, pages and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rc_env.arena.intervals import Intervals
from rc_env.arena.over_sets import OverSets, errors_of, over_sets

ANY = (-np.inf, np.inf)
SHARE = (0.0, 1.0)
"""The least and the most that a figure can be: any number, or a share of games."""


class Estimate(Protocol):
    """A number with its bounds: an `intervals.Interval`, an `OverSets` with the range of the sets, or a `Figure`."""

    @property
    def mean(self) -> float | None:
        """The number itself; None where it is not known."""
        ...

    @property
    def low(self) -> float | None:
        """The lower bound."""
        ...

    @property
    def high(self) -> float | None:
        """The upper bound."""
        ...


def rounded(value: float | None, digits: int | None = 4) -> float | None:
    """A number rounded, or as it is without digits; None for what is not finite, which JSON does not know."""
    if value is None or not np.isfinite(value):
        return None
    return (float(value) if digits is None else round(float(value), digits)) + 0.0  # no -0


@dataclass(frozen=True)
class Figure:
    """A figure with the bounds of its 95 % interval; None where nothing is known.

    Attributes:
        mean: the figure itself.
        low, high: the bounds.
    """

    mean: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, estimate: Estimate, digits: int | None = 4) -> Figure:
        """An estimate, rounded to a number of digits behind the point, or as it is."""
        return cls(rounded(estimate.mean, digits), rounded(estimate.low, digits), rounded(estimate.high, digits))

    @classmethod
    def row(cls, estimates: Intervals, digits: int | None = 4) -> tuple[Figure, ...]:
        """The figures of a row of estimates, each as `of` makes one."""
        return tuple(
            cls(*(rounded(value, digits) for value in values))
            for values in zip(estimates.mean, estimates.low, estimates.high, strict=True)
        )

    def as_json(self, name: str = "") -> dict[str, float | None]:
        """As entries for JSON: "mean", "low" and "high", or under a name NAME, NAME_low and NAME_high."""
        names = (name, f"{name}_low", f"{name}_high") if name else ("mean", "low", "high")
        return dict(zip(names, (self.mean, self.low, self.high), strict=True))


def joined(figures: Sequence[Figure], within: tuple[float, float] = ANY) -> OverSets | None:
    """What holds over the sets of cards on each of which a figure was measured; None if it is unknown on one of them.

    Args:
        figures: one for each set, at least two.
        within: the least and the most that it can be.
    """
    rows = [(figure.mean, figure.low, figure.high) for figure in figures]
    if any(value is None for row in rows for value in row):
        return None
    values, low, high = np.array(rows, np.float64).T
    return over_sets(values, errors_of(low, high), within).rounded()
