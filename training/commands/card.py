"""Write the model card of a network. The command `rc card`."""

from __future__ import annotations

import argparse

from rc_env import files
from rc_env.agents import net
from rc_env.training.commands.options import named, opponents
from rc_env.training.learning.evaluation import evaluate
from rc_env.training.pages.card import AGAINST, GAMES, strength_section, training_section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc card`."""
    parser.add_argument("model", type=named, help="folder of a run, or a file of weights that `rc train` wrote")
    parser.add_argument("--out", type=named, required=True, metavar="FILE", help="file for the card, as Markdown")
    parser.add_argument(
        "--against",
        nargs="+",
        metavar="BOT",
        help=f"bots against which the strength is measured (default: {' '.join(AGAINST)})",
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"number of games against each bot (default: {GAMES})")
    parser.add_argument("--seed", type=int, default=0, help="seed of the deals and of the bots' choices (default: 0)")


def main(args: argparse.Namespace) -> int:
    """`rc card`."""
    bot = net.NetBot(args.model)
    training = training_section(bot.net)
    against = opponents(args, bot.net.ruleset, AGAINST)
    files.check(args.out)  # refused before the games are played
    scores = evaluate(bot, bot.net.ruleset, against, args.games, args.seed)
    files.write(args.out, f"{training}\n{strength_section(scores, args.seed)}")
    print(f"{args.out}: {args.games:,} games against each of {', '.join(score.opponent for score in scores)}")
    return 0
