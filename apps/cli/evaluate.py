"""Play a trained network, or any bot, against others. The command `rc evaluate`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rc_env import agents
from rc_env.agents.command_line import Listed, as_count
from rc_env.agents.net import NetBot
from rc_env.apps.cli.options import add_variant, add_workers, chosen_workers, opponents, variant
from rc_env.apps.cli.output import print_table
from rc_env.arena import jobs
from rc_env.arena.pages.page import span
from rc_env.ruleset import Ruleset
from rc_env.training.evaluation import ANCHORS, GAMES, OpponentScore, evaluate
from rc_env.words.own_cards import own_cards


def print_scores(name: str, scores: Sequence[OpponentScore], ruleset: Ruleset, seed: int) -> None:
    """Print a table of scores."""
    seatings = "solo" if ruleset.solo else f"{ruleset.players} players"
    times = "" if ruleset.solo else f": every deal in all {ruleset.players} seatings"
    fair = "" if ruleset.solo else f"A fair share is {scores[0].fair:.1%}. "
    print_table(
        ("against", "games", "won", "95 %", "prestige", "theirs", "turns"),
        [
            (
                score.opponent,
                f"{score.share.games:,}",
                f"{score.share.mean:.1%}",
                span(score.share, ".1%"),
                f"{score.prestige:.1f}",
                f"{score.theirs:.1f}",
                f"{score.turns:.1f}",
            )
            for score in scores
        ],
        f"{name}, {seatings}, {ruleset.workshop}{times}, seed {seed}{own_cards(ruleset)}",
        f"{fair}Ties are split; intervals are bootstrapped over deals.",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc evaluate`."""
    parser.add_argument("model", help="folder of a run, file of weights that `rc train` wrote, or any bot by name")
    add_variant(parser, players="those that the network was trained for, else 2", others="that of the network, if any")
    parser.add_argument(
        "--against",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help=f"opponents; copies of each play on all other seats (default: {' '.join(ANCHORS)}; in the solo game Ivan)",
    )
    parser.add_argument(
        "--games", type=as_count, default=GAMES, help=f"number of games against each opponent (default: {GAMES})"
    )
    parser.add_argument(
        "--seed", type=as_count, default=0, help="seed of the deals and of the bots' choices (default: 0)"
    )
    add_workers(parser, default=1)


def main(args: argparse.Namespace) -> int:
    """`rc evaluate`."""
    if not args.model.strip():
        raise ValueError(f"model must be the folder of a run, a file of weights, or a bot by name, not {args.model!r}")
    named = ":" in args.model or args.model in (*agents.names(), *agents.installed())
    bot = agents.from_text(args.model) if named else NetBot(args.model)
    trained = bot.ruleset if isinstance(bot, NetBot) else None
    ruleset = variant(args, Ruleset() if trained is None else trained)
    against = opponents(args, ruleset, ANCHORS)
    workers = chosen_workers(args)
    if workers == 1:
        scores = evaluate(bot, ruleset, against, args.games, args.seed)
    else:
        text = args.model if named else f"net:{args.model}"
        with jobs.Workers(workers) as pool:
            scores = evaluate(text, ruleset, against, args.games, args.seed, pool)
    print_scores(args.model, scores, ruleset, args.seed)
    return 0
