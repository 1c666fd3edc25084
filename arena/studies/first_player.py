"""The first player's advantage: how often each seat wins, as an effect of the seat alone.

In a mirror match one bot plays all seats, so that only the seats differ. Where several bots are mixed every deal is
played in all rotations: each bot sits on each seat equally often, and the mean over the games of a seat is the seat's.

Shape letters: P seats, D deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rc_env import checks
from rc_env.arena import jobs, standings, tournament
from rc_env.arena.lineups import checked_texts
from rc_env.arena.luck import checked_by
from rc_env.arena.match import MOST_DEALS, MOST_RUBLES, Progress, check_progress
from rc_env.arena.seeds import part_seed
from rc_env.ruleset import Ruleset

GAMES = 2000


def seat_names(players: int) -> tuple[str, ...]:
    """The names of the seats, counted from 1 as players do."""
    return tuple(f"seat {seat + 1}" for seat in range(players))


def by_seat(games: standings.FinishedGames) -> standings.FinishedGames:
    """Relabel games by seat instead of by bot."""
    players = games.bot.shape[1]
    return replace(games, bot=np.broadcast_to(np.arange(players), games.bot.shape))


def mirror(
    pool: jobs.Workers,
    bot: str,
    ruleset: Ruleset,
    deals: int,
    seed: int = 0,
    rubles: Sequence[int] | None = None,
    progress: Progress = lambda games: None,
    luck: int | str = 0,
) -> standings.FinishedGames:
    """Play games of one bot on all seats, each deal once; results are by seat instead of by bot.

    Args:
        pool: where they are played.
        bot: as `rc_env.agents.from_text` takes it.
        ruleset: the variant.
        deals: D.
        seed: of deals and choices; with the same one the same deals are played whatever the rubles.
        rubles: P of them, by seat, on top of the starting rubles.
        progress: called with the number of games just played.
        luck: as for `tournament.Schedule`.

    Raises:
        ValueError: an argument does not fit, or the bot failed: the sentence says how.
    """
    checks.instance("pool", pool, jobs.Workers, "Workers")
    players = checks.instance("ruleset", ruleset, Ruleset, "a Ruleset").players
    check_progress(progress)
    if rubles is not None:
        rubles = checks.whole_numbers("rubles", rubles, (players,), -MOST_RUBLES, MOST_RUBLES).tolist()
    luck = checked_by("luck", luck, ruleset, 0)
    tables = []
    parts = tournament.chunks(deals, tournament.BATCH)
    wanted = [
        jobs.Job(
            (bot,) * players,
            (bot,) * players,
            jobs.variant_of(ruleset),
            count,
            part_seed(seed, chunk),
            rotate=False,
            rubles=None if rubles is None else tuple(int(extra) for extra in rubles),
            luck=luck,
        )
        for chunk, (_, count) in enumerate(parts)
    ]
    for (job, outcome), (first, _) in zip(pool.play(wanted), parts, strict=True):
        tables.append(standings.finished_games(outcome.whole, range(players), first))
        progress(job.deals)
    return by_seat(standings.join_games(tables, players))


def mixed(
    pool: jobs.Workers,
    bots: Sequence[str],
    ruleset: Ruleset,
    games: int,
    seed: int = 0,
    progress: Progress = lambda games: None,
    luck: int | str = 0,
) -> standings.FinishedGames:
    """Play games of several bots in all rotations; results are by seat instead of by bot. Arguments as for `mirror`.

    Raises:
        ValueError: an argument does not fit, fewer than two bots, or one failed.
    """
    checks.instance("pool", pool, jobs.Workers, "Workers")
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    lineups = len(tournament.lineups(len(checked_texts(bots)), ruleset.players))
    each = max(1, checks.whole_number("games", games, 1, MOST_DEALS) // lineups)
    schedule = tournament.Schedule(tuple(bots), ruleset, each, seed, luck=luck)
    return by_seat(tournament.run_whole(schedule, pool, progress))


def measured(games: standings.FinishedGames, seed: int = 0) -> standings.Standings:
    """Win share, prestige and rank of each seat, with intervals over deals; unrated."""
    return standings.standings(games, seat_names(games.bot.shape[1]), seed, rated=0)
