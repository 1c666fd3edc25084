"""Evaluation of a bot: paired games against evaluation anchors, every deal in all seatings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from rc_env import agents, checks
from rc_env.arena import match
from rc_env.arena.intervals import Interval
from rc_env.arena.jobs import Job, Workers, luck_watcher, variant_of, workers_of
from rc_env.arena.lineups import checked_texts
from rc_env.arena.luck import checked_by
from rc_env.arena.over_sets import errors_of, over_sets
from rc_env.arena.results import LuckAdjusted, luck_adjusted
from rc_env.arena.seeds import part_seed
from rc_env.arena.standings import finished_games
from rc_env.bot import Bot, checked_bot
from rc_env.ruleset import Ruleset

ANCHORS = ("random", "greedy")
GAMES = 1000
MOST = match.MOST_DEALS
CHUNK = 512  # deals that are played together
IVAN = "Ivan"  # the opponent of the solo game, who is not a bot


@dataclass(frozen=True)
class OpponentScore:
    """The results of a bot against copies of one opponent.

    Attributes:
        opponent: its name.
        share: the share of games won, ties split, with its interval over deals.
        fair: the share that a bot of equal strength would win.
        prestige, theirs: mean final prestige of the bot, and of an opponent.
        turns: mean number of turns of a seat.
        less: the share less the luck of the rolls; None if that was not measured.
    """

    opponent: str
    share: Interval
    fair: float
    prestige: float
    theirs: float
    turns: float
    less: LuckAdjusted | None = None


def check_games(games: int, seed: int = 0) -> None:
    """Check a number of games and a seed.

    Raises:
        ValueError: one of them is out of range.
    """
    checks.whole_number("games", games, 1, MOST)
    checks.seed("seed", seed)


def evaluate(
    bot: Bot | str,
    ruleset: Ruleset,
    opponents: Sequence[str] = ANCHORS,
    games: int = GAMES,
    seed: int = 0,
    pool: Workers | None = None,
    luck: int | str = 0,
) -> list[OpponentScore]:
    """Play paired games against each opponent, which takes every seat but one.

    Args:
        bot: the bot that is evaluated, or its name as for `rc_env.agents.from_text`.
        ruleset: the variant.
        opponents: named as for `rc_env.agents.from_text`; in the solo game it is Ivan, whatever is named.
        games: games against each opponent, rounded up to whole deals.
        seed: of deals and choices.
        pool: where, for a bot that is named; by default in this process. Workers change nothing but the time it takes.
        luck: measure the luck of the rolls by so many play-outs of each, up to 10,000, or by "net", the network's
            values; 0 for not at all.

    Raises:
        ValueError: no bot has the name, it fails, or another argument does not fit.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.training.evaluation import evaluate
        >>> [score.opponent for score in evaluate("greedy", Ruleset(), ("random",), games=4)]
        ['random']
    """
    check_games(games, seed)
    if isinstance(bot, str):
        made = agents.from_text(bot)
    else:
        made = checked_bot("bot", bot)
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    luck = checked_by("luck", luck, ruleset, 0)
    checked_texts(opponents)
    if pool is not None and not isinstance(bot, str):
        checks.refuse("bot", bot, "the name of one, since worker processes make it anew")
    players = ruleset.players
    others = [IVAN] if ruleset.solo else list(opponents)
    deals = -(-games // players)
    scores = []
    with _playing(deals * players * len(others)) as bar:
        if pool is None:
            coming = _here(made, _Games(ruleset, others, deals, seed, luck, bar.update))
        else:
            coming = _there(workers_of(pool), str(bot), _Games(ruleset, others, deals, seed, luck, bar.update))
        for name, played in coming:
            share = played.share(0)
            less = luck_adjusted(finished_games(played, [0] + [1] * (players - 1)), 2, 0)
            own_less = None if less is None else less[0]
            if ruleset.solo:
                own, his = played.prestige.mean(0).tolist()
                scores.append(OpponentScore(IVAN, share, 0.5, own, his, float(played.turns.mean() / 2), own_less))
                continue
            own = played.of(played.prestige, 0)
            theirs = (played.prestige.sum(1) - own).mean() / (players - 1)
            turns = float(played.turns.mean() / players)
            scores.append(OpponentScore(name, share, 1 / players, float(own.mean()), float(theirs), turns, own_less))
    return scores


def evaluate_over_sets(
    bot: Bot | str, rulesets: Sequence[Ruleset], opponents: Sequence[str] = ANCHORS, games: int = GAMES, seed: int = 0
) -> list[OpponentScore]:
    """Like `evaluate`, on several sets of cards: what holds for all sets that might be drawn.

    Args:
        bot: the bot that is evaluated, or its name.
        rulesets: the variant with each set; each has deals of its own.
        opponents: named as for `rc_env.agents.from_text`.
        games: games against each opponent on each set, rounded up to whole deals.
        seed: of deals and choices.

    Returns:
        For each opponent means over the sets. The interval of the share is that of the mean over all sets that might be
        drawn, by a random-effects model (see `rc_env.arena.over_sets`).

    Raises:
        ValueError: fewer than two sets, or another argument that does not fit.
    """
    if len(checks.sequence("rulesets", rulesets, "two or more variants")) < 2:
        raise ValueError(f"rulesets must be two or more, not {len(rulesets)}: `evaluate` plays one")
    each = [evaluate(bot, ruleset, opponents, games, part_seed(seed, place)) for place, ruleset in enumerate(rulesets)]
    scores = []
    for of in zip(*each, strict=True):
        shares = [score.share for score in of]
        errors = errors_of([share.low for share in shares], [share.high for share in shares])
        over = over_sets([share.mean for share in shares], errors, (0, 1))
        played = sum(share.games for share in shares), sum(share.deals for share in shares)
        share = Interval(over.mean, over.mean_low, over.mean_high, *played)
        means = {name: float(np.mean([getattr(one, name) for one in of])) for name in ("prestige", "theirs", "turns")}
        scores.append(replace(of[0], share=share, **means))
    return scores


Chunked = Iterator[tuple[str, match.Match]]
"""Opponents, each with all games against it."""


class _Games(NamedTuple):
    """The games of an evaluation: so many deals against each of the others."""

    ruleset: Ruleset
    others: Sequence[str]
    deals: int
    seed: int
    luck: int | str
    progress: match.Progress


def _here(bot: Bot, games: _Games) -> Chunked:
    """The games in this process."""
    ruleset, seed, progress = games.ruleset, games.seed, games.progress
    rivals = {name: [] if ruleset.solo else [agents.from_text(name)] * (ruleset.players - 1) for name in games.others}
    for name in games.others:
        seats, parts = [bot, *rivals[name]], []
        for first, count in _chunks(games.deals):
            watcher = luck_watcher(ruleset, count * ruleset.players, seed, first, games.luck)
            part = match.play_match(seats, count, ruleset, seed=seed, progress=progress, watcher=watcher, first=first)
            parts.append(part if watcher is None else replace(part, luck=watcher.luck))
        yield name, match.join_matches(parts)


def _there(pool: Workers, bot: str, games: _Games) -> Chunked:
    """The games as jobs."""
    ruleset, variant, chunks = games.ruleset, variant_of(games.ruleset), _chunks(games.deals)
    work = []
    for name in games.others:
        labels = (f"{name} (opponent)",) * (ruleset.players - 1)  # unlike the bot's own name, which may be the same
        rivals = (name,) * (ruleset.players - 1)
        work += [
            Job((bot, *labels), (bot, *rivals), variant, count, games.seed, first=first, luck=games.luck)
            for first, count in chunks
        ]
    coming = pool.play(work)
    for name in games.others:
        matches = []
        for _ in chunks:
            job, outcome = next(coming)
            matches.append(outcome.whole)
            games.progress(job.deals * ruleset.players)
        yield name, match.join_matches(matches)


def _chunks(deals: int) -> list[tuple[int, int]]:
    """The first deal of each chunk, and the number of deals in it."""
    return [(first, min(CHUNK, deals - first)) for first in range(0, deals, CHUNK)]


@contextmanager
def _playing(games: int) -> Iterator[tqdm[Any]]:
    """A progress bar, with one thread for NumPy's small matrix products, which several threads would slow down."""
    with (
        threadpool_limits(1, "blas"),
        tqdm(total=games, unit=" games", desc="Playing", leave=False, disable=None) as bar,
    ):
        yield bar
