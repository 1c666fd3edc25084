"""Measures the effect of each guild in the place of the clergy: length, scores, first seat, use of actions.

A bot plays against itself with each guild on the same seeds, and the ladder of the bots is played with each guild.
Intervals are of 95 %, by bootstrap over deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rc_env import checks
from rc_env.arena import jobs, results, standings
from rc_env.arena.match import MOST_DEALS, Match, Progress, check_progress
from rc_env.arena.studies import first_player, stats
from rc_env.ruleset import CLERGY, THIEVES, Ruleset

GAMES = 2000
SPECIAL_TILES = "special tiles"
LADDER = (("all_rounder", "greedy"), ("greedy", "random"))
"""Pairs of bots of which the first is expected to win more than a fair share against the second."""


def variants(ruleset: Ruleset) -> dict[str, Ruleset]:
    """The variants that are compared: each guild in the place of the clergy, and the clergy with special tiles.

    Args:
        ruleset: gives the number of players, the side of the workshop boards, the data files, and whether the module
            Contractors is played, which brings two more guilds.

    Returns:
        By name, the clergy first; the guilds in the order of the expansion's data file.

    Raises:
        ValueError: `ruleset` is not a ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    drawn = replace(ruleset, fourth_guild="random", promos=True, special_tiles=False)
    allowed = drawn.rules[0].guild_allowed
    expansion = drawn.expansion_file
    assert expansion is not None
    base = len(drawn.data_file.tables["guilds"])
    names = [guild for i, guild in enumerate(expansion.tables["guilds"]) if allowed[base + i]]
    plain = replace(drawn, fourth_guild=CLERGY, promos=False)
    guilds = {name: replace(plain, fourth_guild=name, promos=name == THIEVES) for name in names}
    return {CLERGY: plain, **guilds, SPECIAL_TILES: replace(plain, special_tiles=True)}


def compare(
    pool: jobs.Workers,
    bot: str,
    ruleset: Ruleset,
    games: int = GAMES,
    seed: int = 0,
    progress: Progress = lambda games: None,
) -> dict[str, Any]:
    """Measure every variant of `variants`.

    Args:
        pool: where the games are played.
        bot: plays on every seat, as `rc_env.agents.from_text` takes it.
        ruleset: gives the number of players, the side of the workshop boards, the data files and the module.
        games: of each variant, and of each pair of `LADDER`, rounded up to whole deals there.
        seed: of deals and choices.
        progress: called with the number of games just played.

    Returns:
        By name of the variant: "games", "length" and "actions" as `rc_env.arena.studies.stats.summary` gives them,
        "seats" with the win share and the prestige of each, and "ladder" with the share of the first bot of each pair.

    Raises:
        ValueError: a value is out of range, or a bot failed.
    """
    checks.instance("pool", pool, jobs.Workers, "Workers")
    check_progress(progress)
    games, seed = checks.whole_number("games", games, 1, MOST_DEALS), checks.seed("seed", seed)
    jobs.make_bot(bot)  # a bot that cannot be made is reported before any game is played
    return {name: _measure(pool, bot, one, games, seed, progress) for name, one in variants(ruleset).items()}


def _measure(
    pool: jobs.Workers, bot: str, ruleset: Ruleset, games: int, seed: int, progress: Progress
) -> dict[str, Any]:
    """The bot against itself, and the ladder: one bot of a pair against others; in the solo game against Ivan."""
    players, variant = ruleset.players, jobs.variant_of(ruleset)
    pairs: Sequence[tuple[str, ...]] = LADDER if players > 1 else tuple((better,) for better, _ in LADDER)
    same = (bot,) * players
    wanted = [jobs.Job(same, same, variant, games, seed, rotate=False, measure=True)]
    for pair in pairs:
        bots = (pair[0], *pair[1:] * (players - 1))
        wanted.append(jobs.Job(bots, bots, variant, -(-games // players), seed))
    outcomes, played = [], []
    for _, outcome in pool.play(wanted):
        if outcome.match is None:
            raise ValueError(outcome.failure.sentence if outcome.failure else "nothing was played")
        outcomes.append(outcome)
        played.append(outcome.match)
        progress(len(outcome.match.turns))
    ladder = [_won(pair, one) for pair, one in zip(pairs, played[1:], strict=True)]
    return {**_mirror(outcomes[0], ruleset, seed), "ladder": ladder}


def _mirror(outcome: jobs.Outcome, ruleset: Ruleset, seed: int) -> dict[str, Any]:
    """The statistics of a bot's games against itself."""
    assert outcome.match is not None and outcome.tally is not None
    games = standings.finished_games(outcome.match, (0,) * ruleset.players)
    watched = stats.Sample(standings.join_games([games], ruleset.seats), outcome.tally)
    summary = stats.summary(watched, seed)
    table = first_player.measured(first_player.by_seat(watched.games), seed)
    seats = range(watched.games.bot.shape[1])
    return {
        "games": len(watched.games),
        "length": summary["length"],
        "actions": {kind: summary["actions"][kind] for kind in stats.used_kinds(summary)},
        "seats": [results.bot_to_dict(table, seat, ("win_share", "prestige")) for seat in seats],
    }


def _won(pair: Sequence[str], played: Match) -> dict[str, Any]:
    """How often the first of a pair won."""
    share = played.share(0)
    estimate = {name: results.rounded(getattr(share, name)) for name in ("mean", "low", "high")}
    return {"bots": list(pair), "games": len(played.turns), **estimate}
