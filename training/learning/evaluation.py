"""Evaluation of a bot: paired games against evaluation anchors, every deal in all seatings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits
from tqdm import tqdm

from rc_env import checks
from rc_env.bot import Bot, checked_bot
from rc_env.ruleset import Ruleset
from rc_env.training.arena import match
from rc_env.training.arena.jobs import make_bot
from rc_env.training.arena.lineups import checked_texts
from rc_env.training.intervals import Interval

ANCHORS = ("random", "greedy")
GAMES = 1000
MOST = match.MOST_DEALS
IVAN = "Ivan"  # the opponent of the solo game, which is no bot


@dataclass(frozen=True)
class OpponentScore:
    """The results of a bot against copies of one opponent.

    Attributes:
        opponent: its name.
        share: the share of games won, ties split, with its interval over deals.
        fair: the share that a bot of equal strength would win.
        prestige, theirs: mean final prestige of the bot, and of an opponent.
        turns: mean number of turns of a seat.
    """

    opponent: str
    share: Interval
    fair: float
    prestige: float
    theirs: float
    turns: float


def check_games(games: int, seed: int = 0) -> None:
    """Check a number of games and a seed.

    Raises:
        ValueError: one of them is out of range.
    """
    checks.whole_number("games", games, 1, MOST)
    checks.seed("seed", seed)


def evaluate(
    bot: Bot, ruleset: Ruleset, opponents: Sequence[str] = ANCHORS, games: int = GAMES, seed: int = 0
) -> list[OpponentScore]:
    """Paired games against each opponent, which takes every seat but one.

    Args:
        bot: the bot that is evaluated.
        ruleset: the variant.
        opponents: named as for `rc_env.agents.from_text`; in the solo game it is Ivan, whatever is named.
        games: at least so many against each, rounded up to whole deals.
        seed: of deals and choices.

    Raises:
        ValueError: no bot has the name, or another argument does not fit.
    """
    check_games(games, seed)
    checked_bot("bot", bot)
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    checked_texts(opponents)
    players = ruleset.players
    if ruleset.solo:
        return [against_ivan(bot, ruleset, games, seed)]
    others = [make_bot(name) for name in opponents]
    deals = -(-games // players)
    scores = []
    with _playing(deals * players * len(others)) as bar:
        for name, other in zip(opponents, others, strict=True):
            played = match.play_match([bot] + [other] * (players - 1), deals, ruleset, seed=seed, progress=bar.update)
            own = played.of(played.prestige, 0)
            scores.append(
                OpponentScore(
                    name,
                    played.share(0),
                    1 / players,
                    float(own.mean()),
                    float((played.prestige.sum(1) - own).mean() / (players - 1)),
                    float(played.turns.mean() / players),
                )
            )
    return scores


def against_ivan(bot: Bot, ruleset: Ruleset, games: int = GAMES, seed: int = 0) -> OpponentScore:
    """Solo games against Ivan; arguments and errors as for `evaluate`."""
    check_games(games, seed)
    if not checks.instance("ruleset", ruleset, Ruleset, "a Ruleset").solo:
        raise ValueError(f"ruleset: one of {ruleset.players} players found, expected the solo game, of 1")
    with _playing(games) as bar:
        played = match.play_match([bot], games, ruleset, seed=seed, progress=bar.update)
    own, his = played.prestige.mean(0).tolist()
    return OpponentScore(IVAN, played.share(0), 0.5, own, his, float(played.turns.mean() / 2))


@contextmanager
def _playing(games: int) -> Iterator[tqdm[Any]]:
    """A progress bar. NumPy's matrix products are small here: several threads would take longer than one."""
    with (
        threadpool_limits(1, "blas"),
        tqdm(total=games, unit=" games", desc="Playing", leave=False, disable=None) as bar,
    ):
        yield bar
