"""Measure statistics of games. The command `rc stats`."""

from __future__ import annotations

import argparse

from rich.console import Console

from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli.options import add_running, add_variant, output_folder, variant
from rc_env.apps.cli.output import print_result, print_table
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs
from rc_env.arena.pages import report
from rc_env.arena.pages import stats as page
from rc_env.arena.pages.page import with_span, words
from rc_env.arena.studies import stats
from rc_env.ruleset import Ruleset
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc stats`."""
    parser.add_argument(
        "bots",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help="bots; one bot plays against itself, several bots play in every line-up and seating",
    )
    add_variant(parser)
    parser.add_argument(
        "--games", type=as_count, default=stats.GAMES, help=f"number of games of each line-up (default: {stats.GAMES})"
    )
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc stats`."""
    ruleset = variant(args)
    if ruleset.solo and len(args.bots) > 1:
        raise ValueError(f"rc stats --solo takes one bot, which plays against Ivan alone; got {len(args.bots)}")
    out = output_folder(args)
    with playing(args, out, ruleset) as (pool, shown):
        watched = stats.sample(pool, args.bots, ruleset, args.games, args.seed, shown.update)
        summary = stats.summary(watched, args.seed)
        again = command(args, ruleset)
        result = stats.StatsResult(ruleset, len(watched.games), args.seed, tuple(args.bots), again, summary)
        if out is not None:
            report.write(out, result, page.build(result))
    print_result(args, result, show, out)
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the measurement."""
    parts = ["rc stats", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    return " ".join(parts + jobs.variant_words(ruleset, args.seed))


def show(result: stats.StatsResult) -> None:
    """Print the figures as tables."""
    console, found = Console(highlight=False, markup=False), result.summary
    turns = found.turns.mean
    console.print(
        f"{', '.join(result.bots)}: {result.games:,} games, {stats.seats(result.ruleset.players)}, "
        f"{result.ruleset.workshop}, seed {result.seed}{additions(result.ruleset)}\n"
        f"Turns a seat {with_span(turns, '.1f')}, "
        f"decisions a game {found.decisions.mean.mean:.0f}.\n"
        f"{page.choices_text(found.choices)}\n"
        f"The lead changes {found.lead_changes.mean:.1f} times; who leads at half time wins "
        f"{words(found.half_time_leader_wins.mean, '.0%')} of the games."
    )
    points = page.point_rows(found)
    print_table(("point", "decisions", "mean", "median", "most"), points, "Choices", console=console)
    headings = ("", "a seat", "winners", "losers", "with winning", "95 %")
    for title, counts in (
        ("Uses of each action, a game and seat", found.used),
        ("Prestige by source, a game and seat", found.sources),
    ):
        rows = [page.count_row(name, one, " ") for name, one in counts.items()]
        print_table(headings, rows, title, console=console)
    console.print("A correlation with winning shows what goes together; it is not a recommendation.")
