"""Tournaments: every line-up plays the same deals, every deal in all rotations, in any number of processes.

Shape letters: K bots, P seats, G games. The seed decides everything: chunks of deals, their order, and the seating
within them do not depend on the workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rc_env import agents, checks
from rc_env.arena import jobs, referee, standings
from rc_env.arena.lineups import checked_texts, labels, lineups, orders
from rc_env.arena.luck import checked_by
from rc_env.arena.match import MOST_DEALS, Progress, check_progress
from rc_env.arena.seeds import part_seed
from rc_env.ruleset import Ruleset

GAMES = 1000
CHUNKS, CHUNK = 16, 256
"""Targets for cutting a line-up's deals: about this many chunks, and at most this many deals in a chunk."""
BATCH = 32
"""Deals that a study plays together, if it has them: the games of a small batch take hardly longer than one of them."""
FEWEST = 100  # deals before an interval is trusted to say that it is narrow enough


@dataclass(frozen=True)
class Schedule:
    """The line-ups, deals and limits of a tournament.

    Attributes:
        bots: K bots, each as `rc_env.agents.from_text` takes it; the same one may be named several times.
        ruleset: the variant.
        games: of each line-up, rounded up to whole deals; 1 to 100,000,000.
        seed: of deals and choices, a whole number from 0 to 2^64 - 1.
        until: stop when the 95 % interval of every bot's win share is narrower than this many percentage points (0 to
            100).
        limit: seconds a decision, up to a day.
        luck: play-outs of a roll by which the luck is measured and taken off the results, up to 10,000; "net" for the
            network's values, 0 for none.

    Raises:
        ValueError: a value is out of range.

    Example:
        >>> from rc_env.arena.tournament import Schedule
        >>> schedule = Schedule(("random", "greedy", "rush"), games=10)
        >>> schedule.lineups
        [(0, 1), (0, 2), (1, 2)]
        >>> schedule.deals
        5
    """

    bots: tuple[str, ...]
    ruleset: Ruleset = field(default_factory=Ruleset)
    games: int = GAMES
    seed: int = 0
    until: float | None = None
    limit: float | None = None
    luck: int | str = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(checked_texts(self.bots)))
        checks.instance("ruleset", self.ruleset, Ruleset, "a Ruleset")
        object.__setattr__(self, "games", checks.whole_number("games", self.games, 1, MOST_DEALS))
        object.__setattr__(self, "seed", checks.seed("seed", self.seed))
        if self.until is not None:
            checks.number("until", self.until, 1e-3, 100)
        referee.check_limit(self.limit)
        object.__setattr__(self, "luck", checked_by("luck", self.luck, self.ruleset, 0))
        _ = self.lineups

    @property
    def names(self) -> tuple[str, ...]:
        """K labels, no two alike."""
        return labels(self.bots)

    @property
    def lineups(self) -> list[tuple[int, ...]]:
        """The line-ups, as numbers of bots."""
        return lineups(len(self.bots), self.ruleset.players)

    @property
    def deals(self) -> int:
        """Deals of each line-up."""
        return -(-self.games // self.ruleset.players)

    @property
    def command(self) -> str:
        """The command line that repeats it."""
        words = ["rc arena", *self.bots, f"--players {self.ruleset.players} --games {self.games}"]
        words += jobs.variant_words(self.ruleset, self.seed)
        words += [f"--{name} {getattr(self, name):g}" for name in ("until", "limit") if getattr(self, name) is not None]
        words += [f"--luck-adjusted {self.luck}"] * (self.luck != 0)
        return " ".join(words)


@dataclass(frozen=True)
class TournamentResult:
    """The games of a schedule.

    Attributes:
        schedule: the schedule.
        games: all games that count.
        failures: bots that could not go on, and why.
        stopped: whether it was interrupted before its end.

    Example:
        >>> from rc_env.arena.tournament import Schedule, run
        >>> run(Schedule(("random", "greedy"), games=4)).failures
        ()
    """

    schedule: Schedule
    games: standings.FinishedGames
    failures: tuple[jobs.Failure, ...] = ()
    stopped: bool = False


def chunks(deals: int, batch: int = 1) -> list[tuple[int, int]]:
    """(first, count) of each chunk of deals: small ones first, so that a bot that fails is found early.

    Args:
        deals: how many there are.
        batch: chunks grow to at least this many deals.

    Raises:
        ValueError: one of them is below 1.
    """
    checks.whole_number("deals", deals, 1, MOST_DEALS)
    checks.whole_number("batch", batch, 1)
    most = min(CHUNK, max(batch, deals // CHUNKS))
    parts: list[tuple[int, int]] = []
    first, count = 0, 1
    while first < deals:
        parts.append((first, min(count, deals - first)))
        first += count
        count = min(2 * count, most)
    return parts


def run(
    schedule: Schedule, pool: jobs.Workers | None = None, progress: Progress = lambda games: None
) -> TournamentResult:
    """Play a schedule.

    Args:
        schedule: what to play.
        pool: worker processes; by default this process. They change nothing but the time it takes.
        progress: called with the number of games just played or dropped.

    Raises:
        ValueError: a bot cannot be made, or an argument is of another type.

    Example:
        >>> from rc_env.arena import tournament
        >>> result = tournament.run(tournament.Schedule(("random", "greedy"), games=20, seed=1))
        >>> len(result.games), result.failures
        (20, ())
    """
    checks.instance("schedule", schedule, Schedule, "a Schedule")
    pool = jobs.workers_of(pool)
    check_progress(progress)
    for text in dict.fromkeys(schedule.bots):
        agents.from_text(text)  # a bot that cannot be made is reported before any game is played
    tables: list[standings.FinishedGames] = []
    failures: list[jobs.Failure] = []
    gone: set[str] = set()  # bots that failed
    broken: set[frozenset[str]] = set()  # line-ups that ended their process

    def skip(job: jobs.Job) -> bool:
        return not gone.isdisjoint(job.names) or frozenset(job.names) in broken

    rounds = _rounds(schedule)
    stopped = False
    try:
        for this in rounds if schedule.until is not None else [list(chain.from_iterable(rounds))]:
            where = {id(job): (first, seats) for job, first, seats in this}
            left = sum(job.deals for job, _, _ in this) * schedule.ruleset.players
            for job, outcome in pool.play([job for job, _, _ in this], skip):
                first, seats = where[id(job)]
                if outcome.match is not None:
                    tables.append(standings.finished_games(outcome.match, seats, first))
                if outcome.failure is not None:
                    failures.append(outcome.failure)
                    if outcome.failure.name is None:
                        broken.add(frozenset(job.names))
                    else:
                        gone.add(outcome.failure.name)
                progress(job.deals * job.variant[0])
                left -= job.deals * job.variant[0]
            progress(left)
            if schedule.until is not None and _narrow(schedule, tables):
                break
    except KeyboardInterrupt:
        stopped = True
    return TournamentResult(schedule, standings.join_games(tables, schedule.ruleset.players), tuple(failures), stopped)


def run_whole(
    schedule: Schedule, pool: jobs.Workers | None = None, progress: Progress = lambda games: None
) -> standings.FinishedGames:
    """All games of a schedule; arguments as for `run`.

    Raises:
        ValueError: a bot cannot be made, or failed.
        KeyboardInterrupt: it was interrupted before its end.
    """
    played = run(schedule, pool, progress)
    if played.stopped:
        raise KeyboardInterrupt
    if played.failures:
        raise ValueError(played.failures[0].sentence)
    return played.games


def _rounds(schedule: Schedule) -> list[list[tuple[jobs.Job, int, tuple[int, ...]]]]:
    """For each chunk of deals a job for each line-up, with the number of its first deal and its bots by entrant."""
    rounds = []
    for chunk, (first, count) in enumerate(chunks(schedule.deals)):
        this = []
        for lineup in schedule.lineups:
            order = orders(lineup)
            seats = order[chunk % len(order)]  # the order round the table changes from chunk to chunk
            job = jobs.Job(
                tuple(schedule.names[bot] for bot in seats),
                tuple(schedule.bots[bot] for bot in seats),
                jobs.variant_of(schedule.ruleset),
                count,
                part_seed(schedule.seed, chunk),
                limit=schedule.limit,
                luck=schedule.luck,
            )
            this.append((job, first, seats))
        rounds.append(this)
    return rounds


def _narrow(schedule: Schedule, tables: Sequence[standings.FinishedGames]) -> bool:
    """Whether the intervals of all win shares are as narrow as the schedule asks for."""
    games = standings.join_games(tables, schedule.ruleset.players)
    if len(np.unique(games.deal)) < FEWEST:
        return False
    table = standings.standings(games, schedule.names, schedule.seed, rated=0)
    widths: NDArray[np.float64] = table.win_share.high - table.win_share.low
    assert schedule.until is not None
    return bool((100 * widths < schedule.until).all())
