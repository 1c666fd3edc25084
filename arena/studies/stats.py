"""Game statistics: length, choices, actions, sources of points, and their correlation with winning.

Shape letters as in `rc_env.arena.metrics`, and D deals. Intervals are of 95 %, by bootstrap over deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import agents, checks
from rc_env.arena import jobs, standings, tournament
from rc_env.arena.figures import Figure, rounded
from rc_env.arena.intervals import bounds, resampled_sums
from rc_env.arena.lineups import checked_texts
from rc_env.arena.match import MOST_DEALS, Progress, check_progress
from rc_env.arena.metrics import Tally
from rc_env.arena.results import about, versions
from rc_env.arena.seeds import part_seed
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
        raise ValueError("bots must name at least one bot")
    players, rotate = ruleset.players, len(bots) > 1
    for bot in bots:
        agents.from_text(bot)
    lineups = tournament.lineups(len(bots), players) if rotate else [(0,) * players]
    names = tournament.labels(bots)
    deals = -(-games // players) if rotate else games
    wanted, first = [], []
    for chunk, (begin, count) in enumerate(tournament.chunks(deals, tournament.BATCH)):
        for lineup in lineups:
            labels, texts = tuple(names[bot] for bot in lineup), tuple(bots[bot] for bot in lineup)
            variant = jobs.variant_of(ruleset)
            wanted.append(jobs.Job(labels, texts, variant, count, part_seed(seed, chunk), rotate=rotate, measure=True))
            first.append((begin, lineup))
    tables, tallies = [], []
    for (_, outcome), (begin, lineup) in zip(pool.play(wanted), first, strict=True):
        tables.append(standings.finished_games(outcome.whole, lineup, begin))
        assert outcome.tally is not None
        tallies.append(outcome.tally)
        progress(len(outcome.whole.turns))
    return Sample(standings.join_games(tables, ruleset.seats), join_tallies(tallies))


def join_tallies(tallies: Sequence[Tally]) -> Tally:
    """The counts of all games together."""
    by_game = ("decisions", "uses", "points", "lead_changes", "half_time")
    parts = {name: np.concatenate([getattr(tally, name) for tally in tallies]) for name in by_game}
    return Tally(tallies[0].counted, branching=np.sum([tally.branching for tally in tallies], axis=0), **parts)


@dataclass(frozen=True)
class Length:
    """A number by game: its mean with the interval, and how it is spread over the games.

    Attributes:
        mean: of all games.
        p10, median, p90: a tenth, half and nine tenths of the games have at most this many.
        max: the most of any game.
    """

    mean: Figure
    p10: float | None
    median: float | None
    p90: float | None
    max: float | None

    @classmethod
    def of(cls, mean: Figure, values: NDArray[Any]) -> Length:
        """From the mean and the (G,) numbers of the games."""
        return cls(mean, *map(rounded, (*np.quantile(values, (0.1, 0.5, 0.9)), values.max())))

    def as_json(self) -> dict[str, float | None]:
        """As entries for JSON."""
        return {**self.mean.as_json(), "p10": self.p10, "median": self.median, "p90": self.p90, "max": self.max}


@dataclass(frozen=True)
class Count:
    """How often something happened, or prestige from one source, by game and seat.

    Attributes:
        mean: over all seats.
        winners, losers: means over the seats that won, and over the others.
        correlation: with winning.
    """

    mean: Figure
    winners: float | None
    losers: float | None
    correlation: Figure

    def as_json(self) -> dict[str, float | None]:
        """As entries for JSON."""
        own = {**self.mean.as_json(), "winners": self.winners, "losers": self.losers}
        return own | self.correlation.as_json("correlation")


@dataclass(frozen=True)
class Choices:
    """How many actions were legal.

    Attributes:
        mean, median, max: over decisions.
    """

    mean: float | None
    median: int
    max: int

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Choices:
        """From how often each number of choices occurred."""
        middle = int(np.searchsorted(counts.cumsum(), counts.sum() / 2))
        mean = (counts * np.arange(len(counts))).sum() / counts.sum()
        return cls(rounded(mean), middle, int(np.flatnonzero(counts)[-1]))


@dataclass(frozen=True)
class PointChoices:
    """How many actions were legal at one decision point, and its share of the decisions."""

    share: float | None
    choices: Choices

    def as_json(self) -> dict[str, float | None]:
        """As entries for JSON."""
        return {"share": self.share, **asdict(self.choices)}


@dataclass(frozen=True)
class Summary:
    """All figures of a sample; docs/stats.md describes them.

    Attributes:
        turns, decisions: turns of a seat, and decisions of a game.
        truncated: share of games that reached the turn limit.
        choices, points: legal actions over all decisions, and by decision point.
        actions: uses of each kind of action.
        sources: prestige by source, of those that occurred.
        lead_changes: how often the lead changed in a game.
        half_time_leader_wins: share of the games won by who led alone at half time.
        tied_at_half_time: share of the games in which nobody did.
    """

    turns: Length
    decisions: Length
    truncated: float | None
    choices: Choices
    points: Mapping[str, PointChoices]
    actions: Mapping[str, Count]
    sources: Mapping[str, Count]
    lead_changes: Figure
    half_time_leader_wins: Figure
    tied_at_half_time: float | None

    @property
    def used(self) -> dict[str, Count]:
        """The kinds of action that were used, the most used ones first."""
        used = [(kind, one) for kind, one in self.actions.items() if one.mean.mean]
        return dict(sorted(used, key=lambda item: -(item[1].mean.mean or 0)))

    def length_as_json(self) -> dict[str, Any]:
        """How long the games are, as a dictionary for JSON."""
        lengths = {"turns_a_seat": self.turns.as_json(), "decisions": self.decisions.as_json()}
        return {**lengths, "truncated": self.truncated}

    def as_json(self) -> dict[str, Any]:
        """The figures as a dictionary for JSON: "length", "branching", "actions", "points" and "lead"."""
        points = {name: one.as_json() for name, one in self.points.items()}
        return {
            "length": self.length_as_json(),
            "branching": {**asdict(self.choices), "points": points},
            "actions": {kind: one.as_json() for kind, one in self.actions.items()},
            "points": {source: one.as_json() for source, one in self.sources.items()},
            "lead": {
                "changes": self.lead_changes.as_json(),
                "half_time_leader_wins": self.half_time_leader_wins.as_json(),
                "tied_at_half_time": self.tied_at_half_time,
            },
        }


@dataclass(frozen=True)
class StatsResult:
    """Statistics of the games of some bots.

    Attributes:
        ruleset: the variant.
        games: how many were played.
        seed: of deals and choices.
        bots: who played, as `rc_env.agents.from_text` takes them.
        command: the command line that repeats it.
        summary: the figures.
    """

    ruleset: Ruleset
    games: int
    seed: int
    bots: tuple[str, ...]
    command: str
    summary: Summary

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            **about(self.ruleset, self.games, self.seed),
            "bots": list(self.bots),
            "command": self.command,
            "versions": versions(self.ruleset),
            **self.summary.as_json(),
        }


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

    def ratio(self, top: str, bottom: str, divisor: float = 1) -> Figure:
        """The ratio of two fixed columns over `divisor`, with its interval."""
        return self.figure(lambda s: self.of(top, s) / self.of(bottom, s) / divisor)

    def figure(self, measure: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Figure:
        """A figure from `measure`, which maps (R, M) sums to (R,), with its interval."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean, spread = measure(self.total)[0], measure(self._drawn)
        low, high = map(float, bounds(spread)) if np.isfinite(spread).all() else (np.nan, np.nan)
        return Figure(rounded(mean), rounded(low), rounded(high))

    def count(self, i: int) -> Count:
        """Figures of the i-th count: mean per seat and game, of winners and of losers, and correlation with winning."""
        x, xw, xx = (len(self.FIXED) + i + part * self.width for part in range(3))

        def correlation(s: NDArray[np.float64]) -> NDArray[np.float64]:
            seats, won = self.players * self.of("games", s), self.of("won", s)
            shared = s[:, xw] - s[:, x] * won / seats
            mine, wins = s[:, xx] - s[:, x] ** 2 / seats, self.of("won_squared", s) - won**2 / seats
            return np.where(mine > 0, shared / np.sqrt(np.maximum(mine * wins, 1e-9)), np.nan)

        s, won = self.total[0], self.of("won", self.total)[0]
        all_won = standings.WIN * self.players * self.of("games", self.total)[0]
        return Count(
            self.figure(lambda s: s[:, x] / (self.players * self.of("games", s))),
            rounded(s[xw] / won if won else np.nan),
            rounded((standings.WIN * s[x] - s[xw]) / (all_won - won) if all_won > won else np.nan),
            self.figure(correlation),
        )

    def occurred(self, i: int) -> bool:
        """Whether the i-th count was nonzero in any game."""
        return bool(self.total[0, len(self.FIXED) + 2 * self.width + i] > 0)


def summary(watched: Sample, seed: int = 0) -> Summary:
    """All figures of a sample; `seed` is that of the bootstrap."""
    games, tally, sums = watched.games, watched.tally, _Sums(watched, seed)
    kinds, sources = tally.counted.kinds, tally.counted.sources
    all_seats = games.place.shape[1]  # Ivan's among them
    decisions = tally.branching.sum()
    occurred = [i for i in range(len(sources)) if sums.occurred(len(kinds) + i)]
    return Summary(
        turns=Length.of(sums.ratio("turns", "games", all_seats), games.turns / all_seats),
        decisions=Length.of(sums.ratio("decisions", "games"), tally.decisions),
        truncated=rounded(games.truncated.mean()),
        choices=Choices.of(tally.branching.sum(0)),
        points={
            name: PointChoices(rounded(counts.sum() / decisions), Choices.of(counts))
            for name, counts in zip(tally.counted.points, tally.branching, strict=True)
            if counts.any()
        },
        actions={kind: sums.count(i) for i, kind in enumerate(kinds)},
        sources={sources[i]: sums.count(len(kinds) + i) for i in occurred},
        lead_changes=sums.ratio("lead_changes", "games"),
        half_time_leader_wins=sums.ratio("by_leader", "led", standings.WIN),
        tied_at_half_time=rounded(1 - (tally.half_time >= 0).mean()),
    )


def seats(players: int) -> str:
    """`3 players`, or `solo`."""
    return "solo" if players == 1 else f"{players} players"
