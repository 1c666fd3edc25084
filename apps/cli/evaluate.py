"""Play a trained network, or any bot, against others. The command `rc evaluate`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rc_env import agents
from rc_env.agents.command_line import Listed, as_count
from rc_env.agents.net import NetBot
from rc_env.apps.cli.options import add_luck, add_variant, add_workers, chosen_workers, luck_of, opponents, variant
from rc_env.apps.cli.output import print_table
from rc_env.arena import jobs
from rc_env.arena.pages.page import span
from rc_env.arena.pages.report import ABOUT_LUCK, ADJUSTED, adjusted_cells
from rc_env.ruleset import Ruleset
from rc_env.training.evaluation import ANCHORS, GAMES, OpponentScore, evaluate
from rc_env.words.additions import additions


def print_scores(name: str, scores: Sequence[OpponentScore], ruleset: Ruleset, seed: int) -> None:
    """Print a table of scores."""
    seatings = "solo" if ruleset.solo else f"{ruleset.players} players"
    times = "" if ruleset.solo else f": every deal in all {ruleset.players} seatings"
    fair = "" if ruleset.solo else f"A fair share is {scores[0].fair:.1%}. "
    less = [(score.opponent, *adjusted_cells(score.less)) for score in scores if score.less is not None]
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
        f"{name}, {seatings}, {ruleset.workshop}{times}, seed {seed}{additions(ruleset)}",
        f"{fair}Ties are split; intervals are bootstrapped over deals.",
    )
    if less:
        print_table(("against", *ADJUSTED[1:]), less, "Less the luck of the rolls", ABOUT_LUCK)


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
    add_luck(parser)
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
    workers, luck = chosen_workers(args), luck_of(args, ruleset)
    if workers == 1:
        scores = evaluate(bot, ruleset, against, args.games, args.seed, luck=luck)
    else:
        text = args.model if named else f"net:{args.model}"
        with jobs.Workers(workers) as pool:
            scores = evaluate(text, ruleset, against, args.games, args.seed, pool, luck)
    print_scores(args.model, scores, ruleset, args.seed)
    return 0
