"""From games to standings: win shares, prestige, ranks, a crosstable and ratings, each with its 95 % interval.

Shape letters: K bots, P seats, G games, D deals, R resamples. Line-ups play the same deals, and games of one deal are
not independent of each other: the deal is what the bootstrap draws. All sums are whole numbers (a win is worth 12, and
divides by 2, 3 and 4), so that they come out the same in whatever order they are added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env.arena.intervals import Intervals, bounds, exact_doubt, resampled_sums
from rc_env.arena.match import Match
from rc_env.arena.ratings import ratings

RATED = 300  # resamples that are rated
WIN = 12

Measure = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From (R, M) sums to (R, …) values."""


@dataclass(frozen=True)
class FinishedGames:
    """G games.

    Attributes:
        deal: (G,) int64, its number.
        bot: (G, P) int64, which bot sat on each seat.
        prestige, place: (G, P) int32, by seat, as in `Match`.
        turns: (G,) int32.
        truncated: (G,) bool.
        luck: (G, P) float64 by seat, as in `Match`; None if that was not measured in all of them.
    """

    deal: NDArray[np.int64]
    bot: NDArray[np.int64]
    prestige: NDArray[np.int32]
    place: NDArray[np.int32]
    turns: NDArray[np.int32]
    truncated: NDArray[np.bool_]
    luck: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.deal)


@dataclass(frozen=True)
class Standings:
    """The results of K bots.

    Attributes:
        names: K of them.
        games: (K,) int64, how many each took part in.
        win_share, prestige, margin, rank: (K,). The margin is to the mean of the others; ranks begin at 1, and tied
            ones share their mean.
        rating: (K,) on the Elo scale, with mean 0.
        crosstable: (K, K), how often the row finished before the column when both played, ties split.
        turns: mean number of turns of a game.
        truncated: share of games that reached the turn limit.
    """

    names: tuple[str, ...]
    games: NDArray[np.int64]
    win_share: Intervals
    prestige: Intervals
    margin: Intervals
    rank: Intervals
    rating: Intervals
    crosstable: Intervals
    turns: float
    truncated: float


def finished_games(match: Match, bots: Sequence[int], first: int = 0) -> FinishedGames:
    """The games of a match; its entrants are these bots (Ivan is -1), its deals are counted from `first`."""
    deal = first + np.arange(len(match.turns)) // match.rotations
    bot = np.where(match.entrant < 0, -1, np.asarray(bots)[match.entrant])
    return FinishedGames(deal, bot, match.prestige, match.place, match.turns, match.truncated, match.luck)


def join_games(tables: Sequence[FinishedGames], players: int) -> FinishedGames:
    """The games of all tables."""
    none = np.zeros((0, players), np.int32)
    tables = [
        FinishedGames(none[:, 0].astype(np.int64), none.astype(np.int64), none, none, none[:, 0], none[:, 0] > 0),
        *tables,
    ]
    names = ("deal", "bot", "prestige", "place", "turns", "truncated")
    found = [table.luck for table in tables[1:] if table.luck is not None]
    luck = np.concatenate(found) if found and len(found) == len(tables) - 1 else None
    return FinishedGames(
        **{name: np.concatenate([getattr(table, name) for table in tables]) for name in names}, luck=luck
    )


def standings(table: FinishedGames, names: Sequence[str], seed: int = 0, rated: int = RATED) -> Standings:
    """Measure K bots.

    Args:
        table: what was played.
        names: K labels.
        seed: of the bootstrap.
        rated: how many resamples are rated.
    """
    bots, players = len(names), table.bot.shape[1]
    sums = _sums(table, bots)
    drawn = resampled_sums(sums, seed)
    total = sums.sum(0, keepdims=True)

    def estimate(
        measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], resamples: int | None = None
    ) -> Intervals:
        mean, spread = measure(total)[0], measure(drawn[:resamples])
        low, high = np.full_like(mean, np.nan), np.full_like(mean, np.nan)
        known = ~np.isnan(spread).all(0)
        if len(spread):
            low[known], high[known] = bounds(spread[:, known])
        return Intervals(mean, low, high)

    def a_seat(column: int, divisor: float, plus: float = 0) -> Intervals:
        return estimate(lambda x: plus + _over(x[:, column * bots : (column + 1) * bots], divisor * x[:, :bots]))

    def before(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return x[:, 5 * bots :].reshape(-1, bots, bots) / 2

    def rate(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([ratings(counts) for counts in before(x)]).reshape(-1, bots)

    def cross(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return _over(before(x), before(x) + before(x).transpose(0, 2, 1))

    win_share = a_seat(1, WIN)
    doubt = exact_doubt((sums[:, :bots] > 0).sum(0))
    all_won, all_lost = win_share.mean == 1, win_share.mean == 0
    win_share.low[all_won], win_share.high[all_lost] = 1 - doubt[all_won], doubt[all_lost]
    return Standings(
        tuple(names),
        np.array([int((table.bot == bot).any(1).sum()) for bot in range(bots)]),
        win_share,
        a_seat(2, 1),
        a_seat(3, players - 1),
        a_seat(4, 2, 1),
        estimate(rate, rated),
        estimate(cross),
        float(table.turns.mean()) if len(table) else float("nan"),
        float(table.truncated.mean()) if len(table) else float("nan"),
    )


def _over(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(top, bottom, out=np.full(np.broadcast(top, bottom).shape, np.nan), where=bottom != 0)


def _sums(table: FinishedGames, bots: int) -> NDArray[np.float64]:
    """(D, 5 K + K²), by deal and bot: seats, wins, prestige, margins, ranks; then twice who finished before whom."""
    numbers, deal = np.unique(table.deal, return_inverse=True)
    players = table.bot.shape[1]
    first = table.place == 0
    values = (
        np.ones_like(table.place),
        WIN * first // np.maximum(first.sum(1, keepdims=True), 1),
        table.prestige,
        players * table.prestige - table.prestige.sum(1, keepdims=True),
        2 * table.place + (table.place[:, :, None] == table.place[:, None, :]).sum(2) - 1,
    )
    sums = np.zeros((len(numbers), 5 * bots + bots * bots))
    at = deal[:, None]
    for column, value in enumerate(values):
        np.add.at(sums, (at, column * bots + table.bot), value)
    for mine in range(players):
        for theirs in range(players):
            one, other = table.bot[:, mine], table.bot[:, theirs]
            points = 1 + np.sign(table.place[:, theirs] - table.place[:, mine])
            np.add.at(sums, (deal, 5 * bots + bots * one + other), points * (one != other))
    return sums
