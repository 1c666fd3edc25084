"""How bots do in the solo game: all of them over the same deals against Ivan, as a table and as JSON.

`python -m training.solo --bots random,greedy` writes the table of docs/solo.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import agents
from rc_env.rules.ivan import SEAT
from rc_env.ruleset import WORKSHOPS, Ruleset
from training import match

GAMES = 1000


@dataclass(frozen=True)
class Score:
    """What a bot did in the solo game.

    Attributes:
        name: the bot, as it was named.
        share: games in which it was placed before Ivan, ties split.
        prestige: its mean final prestige, with the interval over deals.
        lowest, highest: of its final prestige.
        ivan: Ivan's mean final prestige against it.
        turns: mean number of its turns.
        truncated: share of games that reached the turn limit.
    """

    name: str
    share: match.Share
    prestige: match.Share
    lowest: int
    highest: int
    ivan: float
    turns: float
    truncated: float


@dataclass(frozen=True)
class Comparison:
    """Several bots over the same `games` deals of a variant, decided by `seed`."""

    ruleset: Ruleset
    games: int
    seed: int
    scores: tuple[Score, ...]


def compare(
    names: Sequence[str],
    games: int = GAMES,
    ruleset: Ruleset | None = None,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Comparison:
    """Let each bot play the same solo deals, with the same dice to come.

    Args:
        names: bots, named as for `agents.from_text`.
        games: deals, each played once by each bot.
        ruleset: the variant; by default solo with basic workshops.
        seed: of deals, dice and choices.
        progress: called with the number of games that have just ended.

    Raises:
        ValueError: no bot is named or a name is unknown, games is below 1, or the ruleset is not solo.
    """
    ruleset = Ruleset(players=1) if ruleset is None else ruleset
    if not ruleset.solo:
        raise ValueError(f"ruleset: one of {ruleset.players} players found, expected the solo game, of 1")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"bots: {', '.join(names) or 'none'} found, expected different ones, at least one")
    if games < 1:
        raise ValueError(f"games: {games} found, expected at least 1")
    bots = [agents.from_text(name) for name in names]
    scores = []
    for name, bot in zip(names, bots, strict=True):
        played = match.play([bot], games, ruleset, seed=seed, progress=progress)
        own, his = played.prestige[:, 0], played.prestige[:, SEAT]
        scores.append(
            Score(
                name,
                played.share(0, seed),
                mean(own.astype(np.float64), seed),
                int(own.min()),
                int(own.max()),
                float(his.mean()),
                float(((played.turns + 1) // 2).mean()),
                float(played.truncated.mean()),
            )
        )
    return Comparison(ruleset, games, seed, tuple(scores))


def mean(values: NDArray[np.float64], seed: int = 0) -> match.Share:
    """Mean of (D,) numbers, one a deal, with its 95 % interval by bootstrap over deals.

    `match.interval` is for shares: where all are 0, or all are 1, it takes them for shares of games won. A score is
    moved out of its way and back.
    """
    low = float(values.min()) - 2.0
    found = match.interval(values - low, 1, seed)
    return match.Share(found.mean + low, found.low + low, found.high + low, found.games, found.deals)


def as_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON knows it."""
    return {
        "players": comparison.ruleset.players,
        "games": comparison.games,
        "seed": comparison.seed,
        "workshop": comparison.ruleset.workshop,
        "bots": {
            score.name: {
                "win_share": score.share.mean,
                "low": score.share.low,
                "high": score.share.high,
                "prestige": score.prestige.mean,
                "prestige_low": score.prestige.low,
                "prestige_high": score.prestige.high,
                "lowest": score.lowest,
                "highest": score.highest,
                "ivan": score.ivan,
                "turns": score.turns,
                "truncated": score.truncated,
            }
            for score in comparison.scores
        },
    }


HEADINGS = ("bot", "won", "95 % interval", "prestige", "95 % interval", "from … to", "Ivan's", "turns")


def rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """The table in words, a row a bot, best share first."""
    ordered = sorted(comparison.scores, key=lambda score: (-score.share.mean, -score.prestige.mean))
    return [
        (
            score.name,
            f"{score.share.mean:.1%}",
            f"{score.share.low:.1%} to {score.share.high:.1%}",
            f"{score.prestige.mean:.1f}",
            f"{score.prestige.low:.1f} to {score.prestige.high:.1f}",
            f"{score.lowest} … {score.highest}",
            f"{score.ivan:.1f}",
            f"{score.turns:.1f}",
        )
        for score in ordered
    ]


def show(comparison: Comparison, console: Console | None = None) -> None:
    """Print the table."""
    ruleset = comparison.ruleset
    table = Table(
        title=f"Solo against Ivan, {ruleset.workshop} workshops: {comparison.games:,} deals, the same for each bot, "
        f"seed {comparison.seed}",
        caption="A tie counts half; intervals are bootstrapped over deals.",
    )
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for row in rows(comparison):
        table.add_row(*row)
    (console or Console()).print(table)


def markdown(comparison: Comparison) -> str:
    """The table as docs/solo.md has it."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *rows(comparison)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Compare bots: `python -m training.solo`."""
    parser = argparse.ArgumentParser(prog="python -m training.solo", description="Compare bots in the solo game.")
    parser.add_argument("--bots", default="random,greedy", metavar="NAME,…", help="default: random,greedy")
    parser.add_argument("--games", type=int, default=GAMES, help=f"deals (default: {GAMES})")
    parser.add_argument("--workshop", choices=WORKSHOPS, default="basic")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table as docs/solo.md has it")
    args = parser.parse_args(argv)
    ruleset = Ruleset(players=1, workshop=args.workshop)
    comparison = compare(args.bots.split(","), args.games, ruleset, args.seed)
    if args.json:
        print(json.dumps(as_dict(comparison), indent=1))
    elif args.markdown:
        print(markdown(comparison))
    else:
        show(comparison)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
