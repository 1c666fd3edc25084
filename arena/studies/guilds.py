"""Measures the effect of each guild in the place of the clergy: length, scores, first seat, use of actions.

A bot plays against itself with each guild on the same seeds, and some pairs of bots are played with each guild.
Intervals are of 95 %, by bootstrap over deals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rc_env import agents, checks
from rc_env.arena import jobs, standings
from rc_env.arena.figures import Figure
from rc_env.arena.intervals import mean_interval
from rc_env.arena.match import MOST_DEALS, Match, Progress, check_progress
from rc_env.arena.results import Score, scores, versions
from rc_env.arena.studies import first_player, stats
from rc_env.ruleset import CLERGY, THIEVES, Ruleset

GAMES = 2000
SPECIAL_TILES, MODULE = "special tiles", "module Contractors"
PAIRS = (("all_rounder", "greedy"), ("rush", "greedy"))
PAIRS_OF_MODULE = (("plan:contractor", "plan:builder"), ("all_rounder", "greedy"))
"""Pairs of bots that play differently: a plan against a short-sighted bot, who hurries, and with the module who hires,
against one who does not. How often the first one wins shows whom a guild helps."""


@dataclass(frozen=True)
class Won:
    """How often the first of some bots won: `share` of that many games."""

    bots: tuple[str, ...]
    games: int
    share: Figure

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {"bots": list(self.bots), "games": self.games, **self.share.as_json()}


@dataclass(frozen=True)
class Variant:
    """What one guild does to the game.

    Attributes:
        games: how many the bot played against itself.
        summary: their figures.
        prestige: mean over the seats of the bot, without Ivan's.
        seats: what each seat has reached in them, Ivan's included.
        pairs: for each pair of `pairs_of`, how often the first bot won.
    """

    games: int
    summary: stats.Summary
    prestige: Figure
    seats: tuple[Score, ...]
    pairs: tuple[Won, ...]

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            "games": self.games,
            "length": self.summary.length_as_json(),
            "actions": {kind: one.as_json() for kind, one in self.summary.used.items()},
            "seats": [seat.as_json(("win_share", "prestige")) for seat in self.seats],
            "prestige": self.prestige.as_json(),
            "pairs": [won.as_json() for won in self.pairs],
        }


@dataclass(frozen=True)
class GuildsResult:
    """The results of the study.

    Attributes:
        ruleset: gives the workshops, the data files and the module.
        bot: played against itself.
        games: asked for, of each variant.
        seed: of deals and choices.
        command: the command line that repeats it.
        expansion_data: the data file of the expansion, in the words of the command.
        parts: by number of players, the variants by name.
    """

    ruleset: Ruleset
    bot: str
    games: int
    seed: int
    command: str
    expansion_data: str
    parts: Mapping[int, Mapping[str, Variant]]

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            "bot": self.bot,
            "workshop": self.ruleset.workshop,
            "games": self.games,
            "seed": self.seed,
            "data": self.ruleset.data_file.name,
            "expansion_data": self.expansion_data,
            "contractors": self.ruleset.contractors,
            "command": self.command,
            "versions": versions(self.ruleset),
            "parts": [
                {"players": players, "variants": {name: one.as_json() for name, one in variants.items()}}
                for players, variants in self.parts.items()
            ],
        }


def variants(ruleset: Ruleset) -> dict[str, Ruleset]:
    """The variants that are compared: each guild in the place of the clergy, and the clergy with special tiles.

    Without the module Contractors in `ruleset` the clergy with the module is one, too.

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
    module = {} if ruleset.contractors else {MODULE: replace(plain, contractors=True)}
    return {CLERGY: plain, **guilds, SPECIAL_TILES: replace(plain, special_tiles=True), **module}


def pairs_of(ruleset: Ruleset) -> Sequence[tuple[str, ...]]:
    """The pairs of bots of the study; in the solo game each first one alone, against Ivan."""
    pairs = PAIRS_OF_MODULE if ruleset.contractors else PAIRS
    return pairs if ruleset.players > 1 else tuple((first,) for first, _ in pairs)


def compare(
    pool: jobs.Workers,
    bot: str,
    ruleset: Ruleset,
    games: int = GAMES,
    seed: int = 0,
    progress: Progress = lambda games: None,
) -> dict[str, Variant]:
    """Measure every variant of `variants`.

    Args:
        pool: where the games are played.
        bot: plays on every seat, as `rc_env.agents.from_text` takes it.
        ruleset: gives the number of players, the side of the workshop boards, the data files and the module.
        games: of each variant, and of each pair of bots, rounded up to whole deals there.
        seed: of deals and choices.
        progress: called with the number of games just played.

    Returns:
        By name of the variant.

    Raises:
        ValueError: a value is out of range, or a bot failed.
    """
    checks.instance("pool", pool, jobs.Workers, "Workers")
    check_progress(progress)
    games, seed = checks.whole_number("games", games, 1, MOST_DEALS), checks.seed("seed", seed)
    agents.from_text(bot)  # a bot that cannot be made is reported before any game is played
    pairs = pairs_of(ruleset)
    return {name: _measure(pool, bot, pairs, one, games, seed, progress) for name, one in variants(ruleset).items()}


def _measure(
    pool: jobs.Workers,
    bot: str,
    pairs: Sequence[tuple[str, ...]],
    ruleset: Ruleset,
    games: int,
    seed: int,
    progress: Progress,
) -> Variant:
    """The bot against itself, and each pair: the first bot against copies of the other; in the solo game Ivan."""
    players, variant = ruleset.players, jobs.variant_of(ruleset)
    same = (bot,) * players
    wanted = [jobs.Job(same, same, variant, games, seed, rotate=False, measure=True)]
    for pair in pairs:
        bots = (pair[0], *pair[1:] * (players - 1))
        wanted.append(jobs.Job(bots, bots, variant, -(-games // players), seed))
    outcomes = []
    for _, outcome in pool.play(wanted):
        outcomes.append(outcome)
        progress(len(outcome.whole.turns))
    mirror, *others = outcomes
    assert mirror.tally is not None
    table = standings.join_games([standings.finished_games(mirror.whole, (0,) * players)], ruleset.seats)
    return Variant(
        games=len(table),
        summary=stats.summary(stats.Sample(table, mirror.tally), seed),
        prestige=Figure.of(mean_interval(table.prestige[:, :players].mean(1), seed=seed)),
        seats=scores(first_player.measured(first_player.by_seat(table), seed)),
        pairs=tuple(_won(pair, outcome.whole) for pair, outcome in zip(pairs, others, strict=True)),
    )


def _won(pair: tuple[str, ...], played: Match) -> Won:
    """How often the first of a pair won."""
    return Won(pair, len(played.turns), Figure.of(played.share(0)))
