"""A trained network, or any bot, against others. The command `rc evaluate`."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from rc_env import agents
from rc_env.agents.net import NetBot
from rc_env.ruleset import Ruleset
from rc_env.training.learning.evaluation import ANCHORS, GAMES, OpponentScore, evaluate


def print_scores(name: str, scores: Sequence[OpponentScore], ruleset: Ruleset, seed: int) -> None:
    """Print a table of scores."""
    seatings = "solo" if ruleset.solo else f"{ruleset.players} players"
    times = "" if ruleset.solo else f": every deal in all {ruleset.players} seatings"
    fair = "" if ruleset.solo else f"A fair share is {scores[0].fair:.1%}. "
    table = Table(
        title=f"{name}, {seatings}, {ruleset.workshop}{times}, seed {seed}",
        caption=f"{fair}Ties are split; intervals are bootstrapped over deals.",
    )
    for heading in ("against", "games", "won", "95 %", "prestige", "theirs", "turns"):
        table.add_column(heading, justify="left" if heading == "against" else "right", no_wrap=True)
    for score in scores:
        share = score.share
        table.add_row(
            score.opponent,
            f"{share.games:,}",
            f"{share.mean:.1%}",
            f"{100 * share.low:.1f} to {share.high:.1%}",
            f"{score.prestige:.1f}",
            f"{score.theirs:.1f}",
            f"{score.turns:.1f}",
        )
    Console().print(table)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc evaluate`."""
    parser.add_argument("model", help="a run's folder, a file that `rc train` wrote, or any bot by name")
    parser.add_argument("--players", type=int, help="default: those that the network is for, else 2")
    parser.add_argument("--workshop", help="basic or advanced; default: the one that the network is for, else basic")
    parser.add_argument("--against", nargs="+", default=list(ANCHORS), metavar="BOT", help="default: random greedy")
    parser.add_argument("--games", type=int, default=GAMES, help=f"against each bot (default: {GAMES})")
    parser.add_argument("--seed", type=int, default=0, help="of deals and choices (default: 0)")


def main(args: argparse.Namespace) -> int:
    """`rc evaluate`."""
    named = ":" in args.model or args.model in agents.names()
    bot = agents.from_text(args.model) if named else NetBot(args.model)
    ruleset = bot.ruleset if isinstance(bot, NetBot) and bot.ruleset is not None else Ruleset()
    asked = {"players": args.players, "workshop": args.workshop}
    ruleset = dataclasses.replace(ruleset, **{name: value for name, value in asked.items() if value is not None})
    scores = evaluate(bot, ruleset, args.against, args.games, args.seed)
    print_scores(args.model, scores, ruleset, args.seed)
    return 0
