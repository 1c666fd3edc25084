"""Measure the effect of each guild in the place of the clergy. The command `rc guilds`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_running, add_switches, given, output_folder
from rc_env.apps.cli.output import print_page, print_result
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs
from rc_env.arena.pages import guilds as guilds_page
from rc_env.arena.pages import report
from rc_env.arena.studies import guilds
from rc_env.ruleset import Ruleset

SWITCHES = ("workshop", "data", "expansion_data")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc guilds`."""
    parser.add_argument("--bot", default="all_rounder", help="bot that plays against itself (default: all_rounder)")
    parser.add_argument(
        "--players",
        type=int,
        nargs="+",
        default=[2],
        metavar="P",
        help="2, 3 or 4 players, or 1 for the solo game; several may be given (default: 2)",
    )
    add_switches(parser, SWITCHES)
    parser.add_argument(
        "--contractors",
        action="store_true",
        help="play the module Contractors with every guild; the contractors' and the lawyers' guilds are compared, too",
    )
    parser.add_argument(
        "--games",
        type=as_count,
        default=guilds.GAMES,
        help=f"number of games with each guild, and for each pair of bots (default: {guilds.GAMES})",
    )
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc guilds`."""
    chosen = Ruleset(**given(args, SWITCHES), contractors=args.contractors)
    rulesets = [replace(chosen, players=players) for players in dict.fromkeys(args.players)]
    out = output_folder(args)
    with playing(args, out, rulesets[0]) as (pool, shown):
        parts = {
            ruleset.players: guilds.compare(pool, args.bot, ruleset, args.games, args.seed, shown.update)
            for ruleset in rulesets
        }
        again, expansion_data = command(args, rulesets[0]), str(args.expansion_data or Ruleset.expansion_data)
        result = guilds.GuildsResult(rulesets[0], args.bot, args.games, args.seed, again, expansion_data, parts)
        page = guilds_page.build(result)
        if out is not None:
            report.write(out, result, page)
    print_result(args, result, lambda result: print_page(page), out)
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the study."""
    parts: list[Any] = ["rc guilds --bot", args.bot, "--players", *args.players, "--games", args.games]
    return " ".join([*map(str, parts), *jobs.variant_words(ruleset, args.seed)])
