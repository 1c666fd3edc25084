"""Measure the effect of each guild in the place of the clergy. The command `rc guilds`."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rc_env.apps.cli.options import add_running, output_folder
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results
from rc_env.arena.pages import guilds as guilds_page
from rc_env.arena.pages import report
from rc_env.arena.studies import guilds
from rc_env.ruleset import Ruleset


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
    parser.add_argument("--workshop", default="basic", metavar="SIDE", help="basic or advanced (default: basic)")
    parser.add_argument("--data", default="base", metavar="FILE", help="data file with your own cards (default: base)")
    parser.add_argument(
        "--expansion-data",
        default="contractors",
        metavar="FILE",
        help="data file with your own cities, specialists, guilds and contracts (default: contractors)",
    )
    parser.add_argument(
        "--contractors",
        action="store_true",
        help="play the module Contractors with every guild; the contractors' and the lawyers' guilds are compared, too",
    )
    parser.add_argument(
        "--games",
        type=int,
        default=guilds.GAMES,
        help=f"number of games with each guild, and for each pair of bots (default: {guilds.GAMES})",
    )
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc guilds`."""
    rulesets = [
        Ruleset(
            players, args.workshop, data=args.data, expansion_data=args.expansion_data, contractors=args.contractors
        )
        for players in dict.fromkeys(args.players)
    ]
    out = output_folder(args)
    with playing(args, out, rulesets[0]) as (pool, shown):
        parts = [
            {
                "players": ruleset.players,
                "variants": guilds.compare(pool, args.bot, ruleset, args.games, args.seed, shown.update),
            }
            for ruleset in rulesets
        ]
        result = {
            "bot": args.bot,
            "workshop": args.workshop,
            "games": args.games,
            "seed": args.seed,
            "data": rulesets[0].data_file.name,
            "expansion_data": str(args.expansion_data),
            "contractors": args.contractors,
            "command": command(args, rulesets[0]),
            "versions": results.versions(rulesets[0]),
            "parts": parts,
        }
        page = guilds_page.build(result)
        if out is not None:
            report.write(out, result, page)
    print(json.dumps(result, indent=1) if args.json else page.markdown(None), end="" if args.json else "\n")
    if out is not None and not args.json:
        print(f"Written to {out}: results.json, report.md, report.html")
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the study."""
    parts: list[Any] = ["rc guilds --bot", args.bot, "--players", *args.players, "--games", args.games]
    return " ".join([*map(str, parts), *jobs.variant_words(ruleset, args.seed)])
