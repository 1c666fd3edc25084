"""Write the model card of a network. The command `rc card`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rc_env import files
from rc_env.agents import net
from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli.options import add_target, named, opponents
from rc_env.card_sets import source
from rc_env.training.card import AGAINST, GAMES, strength_section, training_section
from rc_env.training.evaluation import evaluate, evaluate_over_sets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc card`."""
    parser.add_argument("model", type=named, help="folder of a run, or a file of weights that `rc train` wrote")
    add_target(parser, "--out", "file for the card, as Markdown", required=True)
    parser.add_argument(
        "--against",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help=f"bots against which the strength is measured (default: {' '.join(AGAINST)})",
    )
    parser.add_argument(
        "--data",
        metavar="SAMPLE",
        help="drawn sets, such as sample:1000-1031, on each of which the games are played, for a network for any "
        "cards (default: the set that the network was trained on)",
    )
    parser.add_argument(
        "--games", type=as_count, default=GAMES, help=f"number of games against each bot (default: {GAMES})"
    )
    parser.add_argument(
        "--seed", type=as_count, default=0, help="seed of the deals and of the bots' choices (default: 0)"
    )


def main(args: argparse.Namespace) -> int:
    """`rc card`."""
    bot = net.NetBot(args.model)
    training = training_section(bot.net)
    ruleset = bot.net.ruleset
    against = opponents(args, ruleset, AGAINST)
    if args.data is None:
        scores = evaluate(bot, ruleset, against, args.games, args.seed)
    else:
        rulesets = [replace(ruleset, data=one) for one, _ in source.pairs(args.data, ruleset.expansion_data)]
        if len(rulesets) < 2:
            raise ValueError(f"--data must name several drawn sets, such as sample:1000-1031, not {args.data!r}")
        scores = evaluate_over_sets(bot, rulesets, against, args.games, args.seed)
    files.write(args.out, f"{training}\n{strength_section(scores, args.seed, args.data)}")
    played = f"{scores[0].share.games:,} games against each of {', '.join(score.opponent for score in scores)}"
    print(f"{args.out}: {played}")
    return 0
