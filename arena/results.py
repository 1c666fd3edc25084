"""What a tournament has shown, on one set of cards or on many; the same command gives the same bytes of JSON."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import numpy as np

import rc_env
from rc_env.arena import jobs, standings, tournament
from rc_env.arena.figures import SHARE, Figure, joined, rounded
from rc_env.arena.intervals import Intervals, bounds, exact_doubt, resampled_sums
from rc_env.arena.luck import adjusted
from rc_env.arena.match import Progress
from rc_env.arena.over_sets import OverSets, set_names
from rc_env.arena.seeds import part_seed
from rc_env.ruleset import Ruleset

MEASURES = ("win_share", "prestige", "rating", "margin", "rank")
DIGITS = {"win_share": 6, "rating": 2}


def versions(ruleset: Ruleset) -> dict[str, Any]:
    """Versions and hashes that the results depend on, in addition to the command."""
    expansion = ruleset.expansion_file
    return {
        "rc_env": rc_env.__version__,
        "rules": ruleset.rules_version,
        "layout": ruleset.layout_hash,
        "data_sha256": ruleset.data_file.sha256,
        **({} if expansion is None else {"expansion_sha256": expansion.sha256}),
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("numpy", "numba", "choix")},
    }


def about(ruleset: Ruleset, games: int, seed: int) -> dict[str, Any]:
    """The entries for JSON that say what was played."""
    return {
        "players": ruleset.players,
        "games": games,
        "seed": seed,
        "workshop": ruleset.workshop,
        "data": ruleset.data_file.name,
        "turn_limit": ruleset.turn_limit,
    }


@dataclass(frozen=True)
class Score:
    """What a bot, or a seat, has reached.

    Attributes:
        games: how many it took part in.
        win_share, prestige, rating, margin, rank: as in `standings.Standings`, rounded.
    """

    games: int
    win_share: Figure
    prestige: Figure
    rating: Figure
    margin: Figure
    rank: Figure

    def as_json(self, measures: Sequence[str] = MEASURES) -> dict[str, float | None]:
        """Some figures as entries for JSON; the bounds of the win share are plainly "low" and "high"."""
        entries: dict[str, float | None] = {}
        for name in measures:
            figure: Figure = getattr(self, name)
            if name == "win_share":
                entries |= {name: figure.mean, "low": figure.low, "high": figure.high}
            else:
                entries |= figure.as_json(name)
        return entries


@dataclass(frozen=True)
class LuckAdjusted:
    """The share of the games that a bot won, less the luck of the rolls: see `arena.luck`.

    Attributes:
        win_share: the share, with its interval over deals.
        saved: the part of the deals that is saved: as many fewer give an interval as narrow as that of the plain share;
            None where all deals ended alike.
        luck: the mean luck of a game, in win chance; 0 but for chance.
    """

    win_share: Figure
    saved: float | None
    luck: Figure

    def as_json(self) -> dict[str, float | None]:
        """As entries for JSON."""
        share = self.win_share
        found = {"win_share": share.mean, "low": share.low, "high": share.high, "saved": self.saved}
        return found | self.luck.as_json("luck")


def luck_adjusted(games: standings.FinishedGames, bots: int, seed: int) -> tuple[LuckAdjusted, ...] | None:
    """The luck-adjusted results of each of K bots; None where the luck was not measured in all games."""
    if games.luck is None:
        return None
    numbers, deal = np.unique(games.deal, return_inverse=True)
    first = games.place == 0
    wins = first / first.sum(1, keepdims=True)
    saved: list[float | None] = [None] * bots
    sure: dict[int, float] = {}  # the share of bots that won all games, or none: exact bounds, as of the plain share
    sums = np.zeros((len(numbers), 3, bots))  # by deal: whether the bot played it, its share less the luck, its luck
    for bot in range(bots):
        at, seat = np.nonzero(games.bot == bot)
        count = np.bincount(deal[at], minlength=len(numbers))
        known = count > 0
        share, luck = (
            np.bincount(deal[at], values[at, seat], len(numbers))[known] / count[known] for values in (wins, games.luck)
        )
        less = adjusted(share, luck)
        sums[known, :, bot] = np.stack([np.ones(len(less)), less, luck], 1)
        if len(share) and share[0] in (0, 1) and (share == share[0]).all():
            sure[bot] = float(share[0])
        if len(share) and share.var() > 0:
            saved[bot] = rounded(1 - less.var() / share.var(), 4)
    # The same deals are drawn for all bots: what one of two wins in a resample, the other loses.
    drawn = resampled_sums(sums.reshape(len(numbers), -1), seed).reshape(-1, 3, bots)
    played = sums[:, 0].sum(0) > 0

    def over_deals(part: int) -> Intervals:
        mean, low, high = np.full((3, bots), np.nan)
        mean[played] = sums[:, part, played].sum(0) / sums[:, 0, played].sum(0)
        counts = np.where(drawn[:, 0, played] > 0, drawn[:, 0, played], np.nan)
        low[played], high[played] = bounds(drawn[:, part, played] / counts)
        return Intervals(mean, low, high)

    less_luck = over_deals(1)
    for bot, won in sure.items():
        doubt = float(exact_doubt(int(sums[:, 0, bot].sum())))
        less_luck.low[bot], less_luck.high[bot] = max(0.0, won - doubt), min(1.0, won + doubt)
    for bounds_of in (less_luck.low, less_luck.high):
        np.clip(bounds_of, *SHARE, out=bounds_of)  # what is estimated is a share
    shares, lucks = Figure.row(less_luck, DIGITS["win_share"]), Figure.row(over_deals(2))
    return tuple(LuckAdjusted(*one) for one in zip(shares, saved, lucks, strict=True))


def scores(table: standings.Standings) -> tuple[Score, ...]:
    """The score of each bot, in the order of the table."""
    figures = (Figure.row(getattr(table, name), DIGITS.get(name, 4)) for name in MEASURES)
    return tuple(Score(int(games), *row) for games, *row in zip(table.games, *figures, strict=True))


@dataclass(frozen=True)
class ArenaResult:
    """The results of a tournament.

    Attributes:
        schedule: what was to be played.
        games: how many count.
        bots: the score of each bot, by name.
        crosstable: by row and column, how often the row finished before the column; without the diagonal.
        deals: how many different ones were played.
        turns_a_seat: mean number of turns of a seat.
        truncated: share of games that reached the turn limit.
        failures: bots that could not go on, and why.
        stopped: whether it was interrupted before its end.
        luck_adjusted: by name, the share of games won less the luck of the rolls; None if that was not measured.
    """

    schedule: tournament.Schedule
    games: int
    bots: Mapping[str, Score]
    crosstable: Mapping[str, Mapping[str, Figure]]
    deals: int
    turns_a_seat: float | None
    truncated: float | None
    failures: tuple[jobs.Failure, ...] = ()
    stopped: bool = False
    luck_adjusted: Mapping[str, LuckAdjusted] | None = None

    @property
    def ruleset(self) -> Ruleset:
        """The variant that was played."""
        return self.schedule.ruleset

    @property
    def order(self) -> list[str]:
        """The bots, the one with the highest rating first."""
        return sorted(self.bots, key=lambda name: -(self.bots[name].rating.mean or 0))

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON; docs/arena.md describes each entry."""

        def cross(part: str) -> dict[str, dict[str, float | None]]:
            return {
                name: {other: getattr(figure, part) for other, figure in row.items()}
                for name, row in self.crosstable.items()
            }

        less = self.luck_adjusted
        return {
            **about(self.ruleset, self.games, self.schedule.seed),
            "command": self.schedule.command,
            "versions": versions(self.ruleset),
            **({} if less is None else {"luck_adjusted": {name: one.as_json() for name, one in less.items()}}),
            "bots": {name: {**score.as_json(), "games": score.games} for name, score in self.bots.items()},
            "crosstable": cross("mean"),
            "crosstable_low": cross("low"),
            "crosstable_high": cross("high"),
            "deals": self.deals,
            "turns_a_seat": self.turns_a_seat,
            "truncated": self.truncated,
            "failures": [failure.as_json() for failure in self.failures],
            "stopped": self.stopped,
        }


def measured(played: tournament.TournamentResult) -> ArenaResult | None:
    """The results of a tournament; None where no deal was played to its end."""
    if not len(played.games):
        return None
    schedule = played.schedule
    table = standings.standings(played.games, schedule.names, schedule.seed)
    less = luck_adjusted(played.games, len(schedule.names), schedule.seed)
    cross = [
        Figure.row(Intervals(*bounds), 6)
        for bounds in zip(table.crosstable.mean, table.crosstable.low, table.crosstable.high, strict=True)
    ]
    return ArenaResult(
        schedule=schedule,
        games=len(played.games),
        bots=dict(zip(table.names, scores(table), strict=True)),
        crosstable={
            name: {other: figure for other, figure in zip(table.names, row, strict=True) if other != name}
            for name, row in zip(table.names, cross, strict=True)
        },
        deals=len(np.unique(played.games.deal)),
        turns_a_seat=rounded(table.turns / schedule.ruleset.players),
        truncated=rounded(table.truncated, 6),
        failures=played.failures,
        stopped=played.stopped,
        luck_adjusted=None if less is None else dict(zip(table.names, less, strict=True)),
    )


@dataclass(frozen=True)
class BotOverSets:
    """What holds of a bot over many sets of cards; None where nothing is known on one of them."""

    win_share: OverSets | None
    rating: OverSets | None

    def as_json(self) -> dict[str, Any]:
        """As entries for JSON."""
        return {name: None if one is None else one.as_json() for name, one in vars(self).items()}


@dataclass(frozen=True)
class ArenaOverSets:
    """The results of tournaments on many sets of cards.

    Attributes:
        ruleset: the variant, with the first of the sets.
        seed: that of all of them.
        data: the sets, in the words of the command.
        command: the command line that repeats them.
        sets: the results on each set, by its name.
    """

    ruleset: Ruleset
    seed: int
    data: str | None
    command: str
    sets: Mapping[str, ArenaResult]

    @property
    def bots(self) -> list[str]:
        """The names of the bots."""
        return list(next(iter(self.sets.values())).bots)

    @property
    def over_sets(self) -> dict[str, BotOverSets]:
        """What holds of each bot over the sets."""

        def of(name: str) -> BotOverSets:
            found = [one.bots[name] for one in self.sets.values()]
            return BotOverSets(joined([one.win_share for one in found], SHARE), joined([one.rating for one in found]))

        return {name: of(name) for name in self.bots}

    @property
    def ahead(self) -> dict[str, dict[str, float | None]]:
        """The share of the sets in which the row won more games than the column, ties split."""
        return {row: {other: self._ahead(row, other) for other in self.bots if other != row} for row in self.bots}

    def _ahead(self, row: str, other: str) -> float | None:
        both = [(one.bots[row].win_share.mean, one.bots[other].win_share.mean) for one in self.sets.values()]
        known = [(a > b) + (a == b) / 2 for a, b in both if a is not None and b is not None]
        return rounded(sum(known) / len(known)) if known else None

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            "players": self.ruleset.players,
            "workshop": self.ruleset.workshop,
            "turn_limit": self.ruleset.turn_limit,
            "games": sum(one.games for one in self.sets.values()),
            "seed": self.seed,
            "data": self.data,
            "command": self.command,
            "over_sets": {name: one.as_json() for name, one in self.over_sets.items()},
            "ahead": self.ahead,
            "sets": {name: one.as_json() for name, one in self.sets.items()},
        }


def schedules_of(
    bots: Sequence[str], rulesets: Sequence[Ruleset], games: int, seed: int, limit: float | None = None
) -> dict[str, tournament.Schedule]:
    """A schedule for each set of cards, by its name, each with deals of its own; arguments as for `Schedule`."""
    return {
        name: tournament.Schedule(tuple(bots), ruleset, games, part_seed(seed, place), limit=limit)
        for place, (name, ruleset) in enumerate(zip(set_names(rulesets), rulesets, strict=True))
    }


def played_on_sets(
    schedules: Mapping[str, tournament.Schedule],
    pool: jobs.Workers,
    progress: Progress = lambda games: None,
    tell: Callable[[Sequence[jobs.Failure]], object] = lambda failures: None,
) -> dict[str, ArenaResult]:
    """Play a tournament on each of many sets of cards.

    Args:
        schedules: of each set, by its name.
        pool: where the games are played.
        progress: called with the number of games just played.
        tell: called with the bots that failed on a set, before the error is raised.

    Raises:
        ValueError: a bot failed.
    """
    found = {}
    for name, schedule in schedules.items():
        played = tournament.run(schedule, pool, progress)
        tell(played.failures)
        result = measured(played)
        if played.stopped:
            raise KeyboardInterrupt
        if result is None or played.failures:
            raise ValueError(f"a bot broke off the tournament on {name}: every bot has to play every set")
        found[name] = result
    return found
