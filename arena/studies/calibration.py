"""Measures how well a network's value is calibrated, by the results from positions with similar predictions.

The network plays all seats. At every decision the network computes each seat's value from that seat's observation, and
the value is compared with the seat's reward at the end. Both are put on a scale from 0 for the lowest reward to 1 for
the highest: with two players, and with the reward "first", that is the probability to win, a draw counting in parts.

Shape letters: G games, N values, P players, K bins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env import checks
from rc_env.agents.net import NetBot
from rc_env.arena import intervals, match
from rc_env.arena.intervals import Interval, Intervals
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset

BINS = 10
GAMES = 10_000
BATCH = 256
"""The number of positions that are valued at once: more would not fit in the processor's cache."""


@dataclass(frozen=True)
class Calibration:
    """Predicted values compared with observed results.

    Attributes:
        ruleset: the variant, with the reward that the network was trained for.
        games: how many were played.
        seed: of the deals.
        count: (K,) int64, values in each bin; the bins are of equal width, from 0 to 1.
        predicted: (K,) float64, the mean value in each bin; NaN where there are none.
        observed: (K,) the mean result with its interval of 95 %, by bootstrap over games; NaN where there are none.
        error: the expected calibration error with its interval, from 0 to 1: the mean distance of predicted and
            observed over all values.
    """

    ruleset: Ruleset
    games: int
    seed: int
    count: NDArray[np.int64]
    predicted: NDArray[np.float64]
    observed: Intervals
    error: Interval


class _Values:
    """Observer of a match that sums the number of values, the values and the results, by game and bin."""

    def __init__(self, bot: NetBot, ruleset: Ruleset, games: int) -> None:
        self._bot, self._players = bot, ruleset.players
        self._lowest = -1 / max(1, ruleset.players - 1) if ruleset.reward == "first" else -1  # against Ivan: -1
        self._open: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        self._results = np.zeros((games, self._players))
        self.values = np.zeros((games, BINS))
        """(G, K) float64, the sum of the values of each game in each bin."""
        self.counts = np.zeros((games, self._players, BINS))
        """(G, P, K) float64, the number of values, by seat."""

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray[Any], games: NDArray[np.int64]) -> None:
        """Value the positions in which a decision is about to be made, for each seat."""
        for seat in range(self._players):
            numbers = engine.observe(rows, seat=seat, dtype=np.uint8)
            parts = [self._bot.net.value(numbers[low : low + BATCH]) for low in range(0, len(rows), BATCH)]
            share = self._share(np.concatenate(parts).astype(np.float64)).clip(0, 1)
            bins = np.minimum((share * BINS).astype(np.int64), BINS - 1)
            self.values[games, bins] += share  # each game is in one row, so no index occurs twice
            self.counts[games, seat, bins] += 1

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """Note the rewards of the games that ended."""
        over = engine.terminated[rows] | engine.truncated[rows]
        if over.any():
            self._results[games[over]] = engine.returns()[rows[over]]

    def _share(self, rewards: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert rewards to the scale from 0 to 1."""
        return (rewards - self._lowest) / (1 - self._lowest)

    def sums(self) -> NDArray[np.float64]:
        """(G, 3 K) float64: values, their sum and that of the results in each bin."""
        results = np.einsum("gp,gpk->gk", self._share(self._results), self.counts)
        return np.concatenate((self.counts.sum(1), self.values, results), 1)


def calibration(
    bot: NetBot, ruleset: Ruleset | None = None, games: int = GAMES, seed: int = 0,
    progress: match.Progress = lambda games: None,
) -> Calibration:  # fmt: skip
    """Let a network play against itself, and compare its values with the results.

    Args:
        bot: plays a network; `ruleset` selects one of those that come with the package.
        ruleset: the variant; by default that of the network.
        games: G, 2 to 10,000,000.
        seed: of the deals, and of the resamples of the intervals.
        progress: called with the number of games that have just ended.

    Raises:
        ValueError: an argument is out of range, the network is for another game, or it was trained for another reward
            than "win" or "first".
    """
    checks.instance("bot", bot, NetBot, "a NetBot")
    ruleset = bot.ruleset if ruleset is None else checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    if ruleset is None:
        raise ValueError("ruleset is needed with shipped weights, which are those of the game that is played")
    games, seed = checks.whole_number("games", games, 2, 10**7), checks.seed("seed", seed)
    match.play_match([bot] * ruleset.players, 1, replace(ruleset, turn_limit=1))  # chooses shipped weights
    match.check_progress(progress)
    reward = bot.net.reward
    if reward not in ("win", "first"):
        raise ValueError(f"bot must have a network for the reward win or first, not {reward}")
    ruleset = replace(ruleset, reward=reward)
    watcher = _Values(bot, ruleset, games)
    with threadpool_limits(1):  # products of small matrices take longer on several threads
        bots = [bot] * ruleset.players
        match.play_match(bots, games, ruleset, seed=seed, progress=progress, rotate=False, watcher=watcher)
    return _summary(ruleset, games, seed, watcher.sums())


def _summary(ruleset: Ruleset, games: int, seed: int, sums: NDArray[np.float64]) -> Calibration:
    """A calibration from (G, 3 K) sums."""
    count, predicted, observed, error = _means(sums.sum(0)[None])
    _, _, drawn, errors = _means(intervals.resampled_sums(sums, seed))
    seen = count[0] > 0
    low, high = np.full((2, BINS), np.nan)
    low[seen], high[seen] = intervals.bounds(drawn[:, seen])
    bounds = intervals.bounds(errors)
    return Calibration(
        ruleset,
        games,
        seed,
        count[0].astype(np.int64),
        predicted[0],
        Intervals(observed[0], low, high),
        Interval(float(error[0]), float(bounds[0]), float(bounds[1]), games, games),
    )


def _means(sums: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Counts, mean values and mean results, (R, K) each, and (R,) expected calibration errors, from (R, 3 K) sums."""
    count, values, results = np.split(sums, 3, axis=1)
    with np.errstate(invalid="ignore"):
        predicted, observed = values / count, results / count
    error = np.abs(values - results).sum(1) / count.sum(1)
    return count, predicted, observed, error
