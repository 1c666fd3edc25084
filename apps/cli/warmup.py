"""Compile the rules before they are needed, for an image or a folder that machines share. The command `rc warmup`."""

from __future__ import annotations

import argparse
import json
import time

import rc_env
from rc_env.agents.command_line import Listed
from rc_env.compile_cache import private_folder

GAMES = {"base": (2, False), "solo": (1, False), "full": (2, True), "full-solo": (1, True)}
"""What is compiled apart: for each a number of players, and whether a switch of the expansion is on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc warmup`."""
    parser.add_argument(
        "--games",
        nargs="+",
        choices=GAMES,
        default=["base"],
        help="what will be played; base and full are games of two to four players (default: base)",
    )
    parser.add_argument(
        "--bots", nargs="+", action=Listed, metavar="BOT", default=[], help="bots that will play, by name"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(args: argparse.Namespace) -> int:
    """`rc warmup`."""
    bots = [rc_env.make_bot(bot) for bot in args.bots]
    seconds = {}
    for name in dict.fromkeys(args.games):
        players, full = GAMES[name]
        begin = time.process_time()
        rc_env.warmup((players,), full=full)
        for bot in bots:
            ruleset = rc_env.Ruleset(players, special_tiles=full, turn_limit=2)
            rc_env.play_match([bot] * players, 1, ruleset)
        seconds[name] = round(time.process_time() - begin, 1)
    folder = private_folder("")
    kernels = [] if folder is None else [path.stat().st_size for path in folder.glob("*/*.kernel")]
    if args.json:
        place = None if folder is None else str(folder)
        print(json.dumps({"seconds": seconds, "folder": place, "kernels": len(kernels), "bytes": sum(kernels)}))
        return 0
    for name, spent in seconds.items():
        print(f"{name}: {spent} seconds of the processor")
    if folder is None:
        print("Nothing is kept: set RC_ENV_CACHE to a folder in which, and in those above it, nobody else can write")
    else:
        print(f"{folder} holds {len(kernels)} kernels, {sum(kernels) / 1e6:.0f} MB")
    return 0
