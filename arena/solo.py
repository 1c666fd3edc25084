"""Compares bots in the solo game: each plays the same deals against Ivan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rc_env import agents, checks
from rc_env.arena import jobs, match, referee, results
from rc_env.arena.intervals import Interval, mean_interval, share_interval
from rc_env.arena.lineups import checked_texts
from rc_env.arena.seeds import part_seed
from rc_env.arena.tournament import chunks
from rc_env.rules.solo.ivan import SEAT
from rc_env.ruleset import Ruleset

GAMES = 1000


@dataclass(frozen=True)
class SoloScore:
    """The results of a bot in the solo game.

    Attributes:
        name: the bot, as the command line names it.
        share: games in which it was placed before Ivan, ties split.
        prestige: its mean final prestige, with the interval over deals.
        lowest, highest: the extremes of its final prestige.
        ivan: Ivan's mean final prestige against it.
        turns: mean number of its turns.
        truncated: share of games that reached the turn limit.
    """

    name: str
    share: Interval
    prestige: Interval
    lowest: int
    highest: int
    ivan: float
    turns: float
    truncated: float

    def as_json(self) -> dict[str, float]:
        """The results as a dictionary for JSON."""
        return {
            "win_share": self.share.mean,
            "low": self.share.low,
            "high": self.share.high,
            "prestige": self.prestige.mean,
            "prestige_low": self.prestige.low,
            "prestige_high": self.prestige.high,
            **{name: getattr(self, name) for name in ("lowest", "highest", "ivan", "turns", "truncated")},
        }


@dataclass(frozen=True)
class Comparison:
    """Results of bots over the same `games` deals of a variant and seed; `failures` names bots that could not go on."""

    ruleset: Ruleset
    games: int
    seed: int
    scores: tuple[SoloScore, ...]
    failures: tuple[jobs.Failure, ...] = ()

    @property
    def command(self) -> str:
        """The command line that repeats it."""
        names = " ".join(score.name for score in self.scores)
        return " ".join([f"rc arena {names} --solo --games {self.games}", *jobs.variant_words(self.ruleset, self.seed)])

    def as_json(self) -> dict[str, Any]:
        """The comparison as a dictionary for JSON."""
        return {
            "players": self.ruleset.players,
            "games": self.games,
            "seed": self.seed,
            "workshop": self.ruleset.workshop,
            "command": self.command,
            "versions": results.versions(self.ruleset),
            "failures": [failure.as_json() for failure in self.failures],
            "bots": {score.name: score.as_json() for score in self.scores},
        }


def compare(
    names: Sequence[str],
    games: int = GAMES,
    ruleset: Ruleset | None = None,
    seed: int = 0,
    pool: jobs.Workers | None = None,
    progress: match.Progress = lambda games: None,
    limit: float | None = None,
) -> Comparison:
    """Let each bot play the same solo deals, with the same dice to come.

    Args:
        names: bots, named as for `rc_env.agents.from_text`.
        games: deals, each played once by each bot.
        ruleset: the variant; by default solo with basic workshops.
        seed: of deals, dice and choices.
        pool: worker processes; by default this process. They change nothing but the time it takes.
        progress: called with the number of games just played.
        limit: seconds a decision.

    Raises:
        ValueError: no bot is named or a name is unknown, games is below 1, or the ruleset is not solo.
    """
    ruleset = Ruleset(players=1) if ruleset is None else checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    if not ruleset.solo:
        raise ValueError(f"ruleset must be the solo game, not one of {ruleset.players} players")
    if not checked_texts(names) or len(set(names)) < len(names):
        raise ValueError(f"bots must be different ones, at least one, not {', '.join(names) or 'none'}")
    games, seed = checks.whole_number("games", games, 1, match.MOST_DEALS), checks.seed("seed", seed)
    referee.check_limit(limit)
    pool = jobs.workers_of(pool)
    match.check_progress(progress)
    for name in names:
        agents.from_text(name)  # a bot that cannot be made is reported before any game is played
    variant = jobs.variant_of(ruleset)
    work = [
        jobs.Job((name,), (name,), variant, count, part_seed(seed, chunk), limit=limit)
        for name in names
        for chunk, (_, count) in enumerate(chunks(games))
    ]
    played: dict[str, list[match.Match]] = {name: [] for name in names}
    failures: dict[str, jobs.Failure] = {}
    for job, outcome in pool.play(work, lambda job: job.names[0] in failures):
        if outcome.match is not None:
            played[job.names[0]].append(outcome.match)
        if outcome.failure is not None:
            failures[job.names[0]] = outcome.failure
        progress(job.deals)
    scores = tuple(_score(name, match.join_matches(one), seed) for name, one in played.items() if one)
    return Comparison(ruleset, games, seed, scores, tuple(failures.values()))


def _score(name: str, played: match.Match, seed: int) -> SoloScore:
    """The results of a bot."""
    own, his = played.prestige[:, 0], played.prestige[:, SEAT]
    return SoloScore(
        name,
        share_interval(played.wins[:, 0], 1, seed),
        mean_interval(own.astype(np.float64), 1, seed),
        int(own.min()),
        int(own.max()),
        float(his.mean()),
        float(((played.turns + 1) // 2).mean()),
        float(played.truncated.mean()),
    )
