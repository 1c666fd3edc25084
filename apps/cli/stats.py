"""Measure statistics of games. The command `rc stats`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from rc_env.apps.cli.options import add_running, add_variant, output_folder, variant
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results
from rc_env.arena.pages.page import words
from rc_env.arena.studies import stats
from rc_env.ruleset import Ruleset


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc stats`."""
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help="bots; one bot plays against itself, several bots play in every line-up and seating",
    )
    add_variant(parser)
    parser.add_argument(
        "--games", type=int, default=stats.GAMES, help=f"number of games of each line-up (default: {stats.GAMES})"
    )
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc stats`."""
    ruleset = variant(args)
    if ruleset.solo and len(args.bots) > 1:
        raise ValueError(f"BOT: {len(args.bots)} found, expected one: in the solo game a bot plays against Ivan alone")
    out = output_folder(args)
    with playing(args, out, ruleset) as (pool, shown):
        watched = stats.sample(pool, args.bots, ruleset, args.games, args.seed, shown.update)
        result = {
            "players": ruleset.players,
            "games": len(watched.games),
            "seed": args.seed,
            "workshop": ruleset.workshop,
            "data": ruleset.data_file.name,
            "turn_limit": ruleset.turn_limit,
            "bots": args.bots,
            "command": command(args, ruleset),
            "versions": results.versions(ruleset),
            **stats.summary(watched, args.seed),
        }
        if out is not None:
            from rc_env.arena.pages import report  # here, since matplotlib takes a second
            from rc_env.arena.pages import stats as stats_page

            report.write(out, result, stats_page.build(result))
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
        if out is not None:
            print(f"Written to {out}: results.json, report.md, report.html")
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the measurement."""
    parts = ["rc stats", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    return " ".join(parts + jobs.variant_words(ruleset, args.seed))


def show(result: dict[str, Any]) -> None:
    """Print the figures as tables."""
    console = Console(highlight=False)
    turns, decisions, lead = result["length"]["turns_a_seat"], result["length"]["decisions"], result["lead"]
    choices = result["branching"]
    console.print(
        f"{', '.join(result['bots'])}: {result['games']:,} games, {stats.seats(result['players'])}, "
        f"{result['workshop']}, seed {result['seed']}\n"
        f"Turns a seat {turns['mean']:.1f} ({words(turns['low'], '.1f')} to {words(turns['high'], '.1f')}), "
        f"decisions a game {decisions['mean']:.0f}.\n"
        f"Legal actions a decision: mean {choices['mean']:.1f}, median {choices['median']}, most {choices['max']}.\n"
        f"The lead changes {lead['changes']['mean']:.1f} times; who leads at half time wins "
        f"{words(lead['half_time_leader_wins']['mean'], '.0%')} of the games."
    )
    show_table(
        console,
        "Choices",
        ("point", "decisions", "mean", "median", "most"),
        [
            (name, f"{point['share']:.1%}", f"{point['mean']:.1f}", str(point["median"]), str(point["max"]))
            for name, point in choices["points"].items()
        ],
    )
    headings = ("", "a seat", "winners", "losers", "with winning", "95 %")
    actions = [entry(kind, result["actions"][kind]) for kind in stats.used_kinds(result)]
    show_table(console, "Uses of each action, a game and seat", headings, actions)
    points = [entry(source, one) for source, one in result["points"].items()]
    show_table(console, "Prestige by source, a game and seat", headings, points)
    console.print("A correlation with winning shows what goes together; it is not a recommendation.")


def entry(name: str, result: dict[str, Any]) -> tuple[str, ...]:
    """A row: the mean, that of winners and losers, and the correlation with its interval."""
    return (
        name,
        words(result["mean"], ".2f"),
        words(result["winners"], ".2f"),
        words(result["losers"], ".2f"),
        words(result["correlation"], "+.2f"),
        f"{words(result['correlation_low'], '+.2f')} {words(result['correlation_high'], '+.2f')}",
    )


def show_table(console: Console, title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table; all but the first column are set to the right."""
    table = Table(title=title, box=SIMPLE, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)
