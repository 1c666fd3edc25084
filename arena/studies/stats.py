"""Game statistics: length, choices, actions, sources of points, and their correlation with winning.

Shape letters as in `rc_env.arena.metrics`, and D deals. Intervals are of 95 %, by bootstrap over deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena import jobs, standings, tournament
from rc_env.arena.intervals import bounds, resampled_sums
from rc_env.arena.lineups import checked_texts
from rc_env.arena.match import MOST_DEALS, Progress, check_progress
from rc_env.arena.metrics import Tally
from rc_env.arena.results import rounded
from rc_env.ruleset import Ruleset

GAMES = 1000


@dataclass(frozen=True)
class Sample:
    """Games of a sample, and the counts of their metrics."""

    games: standings.FinishedGames
    tally: Tally


def sample(
    pool: jobs.Workers,
    bots: Sequence[str],
    ruleset: Ruleset,
    games: int = GAMES,
    seed: int = 0,
    progress: Progress = lambda games: None,
) -> Sample:
    """Play and count games: of one bot against itself (solo: Ivan), each deal once; of several, all line-ups and seats.

    Args:
        pool: where they are played.
        bots: each as `rc_env.agents.from_text` takes it.
        ruleset: the variant.
        games: of each line-up, rounded up to whole deals.
        seed: of deals and choices.
        progress: called with the number of games just played.

    Raises:
        ValueError: a value is out of range, or a bot failed.
    """
    checks.instance("pool", pool, jobs.Workers, "Workers")
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    check_progress(progress)
    games, seed = checks.whole_number("games", games, 1, MOST_DEALS), checks.seed("seed", seed)
    if not checked_texts(bots):
        checks.refuse("bots", bots, "the name of one at least")
    players, rotate = ruleset.players, len(bots) > 1
    for bot in bots:
        jobs.make_bot(bot)
    lineups = tournament.lineups(len(bots), players) if rotate else [(0,) * players]
    names = tournament.labels(bots)
    deals = -(-games // players) if rotate else games
    wanted, first = [], []
    for chunk, (begin, count) in enumerate(tournament.chunks(deals, tournament.BATCH)):
        for lineup in lineups:
            labels, texts = tuple(names[bot] for bot in lineup), tuple(bots[bot] for bot in lineup)
            variant = jobs.variant_of(ruleset)
            wanted.append(
                jobs.Job(labels, texts, variant, count, tournament.chunk_seed(seed, chunk), rotate=rotate, measure=True)
            )
            first.append((begin, lineup))
    tables, tallies = [], []
    for (_, outcome), (begin, lineup) in zip(pool.play(wanted), first, strict=True):
        if outcome.failure is not None or outcome.match is None or outcome.tally is None:
            raise ValueError(outcome.failure.sentence if outcome.failure else "nothing was played")
        tables.append(standings.finished_games(outcome.match, lineup, begin))
        tallies.append(outcome.tally)
        progress(len(outcome.match.turns))
    return Sample(standings.join_games(tables, ruleset.seats), join_tallies(tallies))


def join_tallies(tallies: Sequence[Tally]) -> Tally:
    """The counts of all games together."""
    by_game = ("decisions", "uses", "points", "lead_changes", "half_time")
    parts = {name: np.concatenate([getattr(tally, name) for tally in tallies]) for name in by_game}
    return Tally(tallies[0].counted, branching=np.sum([tally.branching for tally in tallies], axis=0), **parts)


class _Sums:
    """Sums over the games of each deal, those of the bootstrap's resamples, and figures as ratios of these sums.

    Columns come first in `FIXED`; then, for each of the counts of a tally (uses by kind, points by source), three
    blocks: the count, the count times the wins of the seat, and the count squared, each summed over seats.
    """

    FIXED = ("games", "turns", "decisions", "lead_changes", "led", "by_leader", "won", "won_squared")

    def __init__(self, watched: Sample, seed: int) -> None:
        games, tally = watched.games, watched.tally
        self.players = tally.uses.shape[1]
        first = games.place == 0
        won = standings.WIN * first // first.sum(1, keepdims=True)  # (G, S): in the solo game Ivan has a seat, too
        led = tally.half_time >= 0
        by_leader = np.where(led, np.take_along_axis(won, np.maximum(tally.half_time, 0)[:, None], 1)[:, 0], 0)
        won = won[:, : self.players]
        counts = np.concatenate([tally.uses, tally.points], 2).astype(np.int64)  # (G, P, C + S)
        self.width = counts.shape[2]
        columns = [
            *(np.ones(len(games), np.int64), games.turns, tally.decisions, tally.lead_changes, led, by_leader),
            *(won.sum(1), (won * won).sum(1)),
            *counts.sum(1).T,
            *(counts * won[..., None]).sum(1).T,
            *(counts * counts).sum(1).T,
        ]
        _, deal = np.unique(games.deal, return_inverse=True)
        sums = np.zeros((deal.max() + 1, len(columns)))
        np.add.at(sums, deal, np.column_stack(columns))
        self._drawn = resampled_sums(sums, seed)
        self.total = sums.sum(0, keepdims=True)

    def of(self, name: str, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """(R,), a fixed column of (R, M) sums."""
        return sums[:, self.FIXED.index(name)]

    def ratio(self, top: str, bottom: str, divisor: float = 1) -> dict[str, Any]:
        """The ratio of two fixed columns over `divisor`, with its interval."""
        return self.figure(lambda s: self.of(top, s) / self.of(bottom, s) / divisor)

    def figure(self, measure: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> dict[str, Any]:
        """A figure from `measure`, which maps (R, M) sums to (R,): "mean" over all deals with bounds "low" and
        "high"."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean, spread = measure(self.total)[0], measure(self._drawn)
        low, high = map(float, bounds(spread)) if np.isfinite(spread).all() else (np.nan, np.nan)
        return {"mean": _finite(mean), "low": _finite(low), "high": _finite(high)}

    def count(self, i: int) -> dict[str, Any]:
        """Figures of the i-th count: mean per seat and game, of winners and of losers, and correlation with winning."""
        x, xw, xx = (len(self.FIXED) + i + part * self.width for part in range(3))

        def correlation(s: NDArray[np.float64]) -> NDArray[np.float64]:
            seats, won = self.players * self.of("games", s), self.of("won", s)
            shared = s[:, xw] - s[:, x] * won / seats
            mine, wins = s[:, xx] - s[:, x] ** 2 / seats, self.of("won_squared", s) - won**2 / seats
            return np.where(mine > 0, shared / np.sqrt(np.maximum(mine * wins, 1e-9)), np.nan)

        s, won = self.total[0], self.of("won", self.total)[0]
        all_won = standings.WIN * self.players * self.of("games", self.total)[0]
        found = self.figure(correlation)
        return {
            **self.figure(lambda s: s[:, x] / (self.players * self.of("games", s))),
            "winners": _finite(s[xw] / won if won else np.nan),
            "losers": _finite((standings.WIN * s[x] - s[xw]) / (all_won - won) if all_won > won else np.nan),
            "correlation": found["mean"],
            "correlation_low": found["low"],
            "correlation_high": found["high"],
        }

    def occurred(self, i: int) -> bool:
        """Whether the i-th count was nonzero in any game."""
        return bool(self.total[0, len(self.FIXED) + 2 * self.width + i] > 0)


def summary(watched: Sample, seed: int = 0) -> dict[str, Any]:
    """All figures, as JSON: "length", "branching", "actions", "points" and "lead" (docs/stats.md)."""
    games, tally, sums = watched.games, watched.tally, _Sums(watched, seed)
    kinds, sources = tally.counted.kinds, tally.counted.sources
    all_seats = games.place.shape[1]  # Ivan's among them
    turns = sums.ratio("turns", "games", all_seats)
    return {
        "length": {
            "turns_a_seat": {**turns, **_spread(games.turns / all_seats)},
            "decisions": {**sums.ratio("decisions", "games"), **_spread(tally.decisions)},
            "truncated": _finite(games.truncated.mean()),
        },
        "branching": branching(tally),
        "actions": {kind: sums.count(i) for i, kind in enumerate(kinds)},
        "points": {
            source: sums.count(len(kinds) + i) for i, source in enumerate(sources) if sums.occurred(len(kinds) + i)
        },
        "lead": {
            "changes": sums.ratio("lead_changes", "games"),
            "half_time_leader_wins": sums.ratio("by_leader", "led", standings.WIN),
            "tied_at_half_time": _finite(1 - (tally.half_time >= 0).mean()),
        },
    }


def seats(players: int) -> str:
    """`3 players`, or `solo`."""
    return "solo" if players == 1 else f"{players} players"


def branching(tally: Tally) -> dict[str, Any]:
    """The number of legal actions, over all decisions and by decision point."""
    together = _choices(tally.branching.sum(0))
    decisions = tally.branching.sum()
    points = {
        name: {"share": _finite(counts.sum() / decisions), **_choices(counts)}
        for name, counts in zip(tally.counted.points, tally.branching, strict=True)
        if counts.any()
    }
    return {**together, "points": points}


def _choices(counts: NDArray[np.int64]) -> dict[str, Any]:
    """Mean, median and most, from how often each number of choices occurred."""
    numbers = np.arange(len(counts))
    middle = int(np.searchsorted(counts.cumsum(), counts.sum() / 2))
    mean = (counts * numbers).sum() / counts.sum()
    return {"mean": _finite(mean), "median": middle, "max": int(np.flatnonzero(counts)[-1])}


def _spread(values: NDArray) -> dict[str, Any]:
    p10, p50, p90 = np.quantile(values, (0.1, 0.5, 0.9))
    return {"p10": _finite(p10), "median": _finite(p50), "p90": _finite(p90), "max": _finite(values.max())}


def _finite(value: float) -> float | None:
    return rounded(value) if np.isfinite(value) else None


def used_kinds(summary: dict[str, Any]) -> list[str]:
    """Kinds of action that were used, the most used ones first."""
    used = [kind for kind, figures in summary["actions"].items() if figures["mean"]]
    return sorted(used, key=lambda kind: -summary["actions"][kind]["mean"])
