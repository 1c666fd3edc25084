"""Play the fixed protocol of the benchmark with a bot. The command `rc benchmark`."""

from __future__ import annotations

import argparse

from rich.console import Console

from rc_env import files
from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_resume, add_workers, named
from rc_env.apps.cli.output import print_table
from rc_env.apps.cli.playing import playing
from rc_env.arena.journal import PLACES
from rc_env.arena.pages.page import span
from rc_env.arena.studies import benchmark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc benchmark`."""
    parser.add_argument(
        "bot",
        metavar="BOT",
        help="a bot as `rc bots` lists it, with settings if needed: search:simulations=50; net:DIR for the network of "
        "a run; or MODULE:FACTORY for a bot of your own",
    )
    game = parser.add_mutually_exclusive_group()
    game.add_argument(
        "--full",
        action="store_true",
        help="play the full game, with all switches of the expansion on, by a protocol of its own",
    )
    game.add_argument(
        "--strong",
        action="store_true",
        help="play against frozen networks and a search, by a protocol of its own, which tells strong bots apart",
    )
    played = parser.add_mutually_exclusive_group()
    played.add_argument(
        "--games",
        type=as_count,
        metavar="N",
        help="play at most N games of each cell of the protocol, rounded up to whole deals in all seatings, for slow "
        "bots; the results say so "
        f"(default: {benchmark.GAMES})",
    )
    played.add_argument(
        "--quick",
        action="store_true",
        help="play only a few games, to check that the bot runs; such results cannot be compared",
    )
    add_workers(parser)
    parser.add_argument("--json", type=named, metavar="FILE", help="also write all results to FILE, as JSON")
    add_resume(parser, PLACES["benchmark"])


def main(args: argparse.Namespace) -> int:
    """`rc benchmark`."""
    games = benchmark.QUICK_GAMES if args.quick else benchmark.GAMES if args.games is None else args.games
    label = "quick,not-comparable" if args.quick else f"games={games}" if games != benchmark.GAMES else ""
    protocol = benchmark.FULL if args.full else benchmark.STRONG if args.strong else benchmark.BASE
    cells = benchmark.limited_cells(games, benchmark.PROTOCOLS[protocol])
    folder, name = None, ""
    if args.json is not None:
        folder, name = files.make_folder(args.json.parent), args.json.name
        files.check(args.json)  # what cannot be written is found before anything is played
    total = sum(cell.deals * cell.players for cell in cells)
    with playing(args, folder, cells[0].ruleset, total, name, name) as (pool, shown):
        result = benchmark.run_benchmark(args.bot, cells, label, pool, shown.update)
        if args.json is not None:
            files.write(args.json, benchmark.json_text(result))
    show(result)
    return 0


def show(result: benchmark.BenchmarkResult) -> None:
    """Print the results as a table, and the line."""
    console = Console()
    print_table(
        ("game", "against", "games", "won", "95 %", "strength", "prestige", "theirs"),
        [
            (
                one.cell.variant,
                one.cell.against,
                f"{one.share.games:,}",
                f"{one.share.mean:.1%}",
                span(one.share, ".1%"),
                f"{one.strength[0]:.1f}",
                f"{one.prestige.mean:.1f}",
                f"{one.theirs:.1f}",
            )
            for one in result.cells
        ],
        f"{result.bot}, {result.protocol.name} {result.label}".rstrip(),
        "Intervals of 95 %, bootstrapped over deals. Ties are split. Strength: 50 is that of the opponents.",
        folded=2,
    )
    for variant, why in result.missing.items():
        console.print(f"Not played: {variant}: {why}", soft_wrap=True, markup=False)
    if result.label:
        console.print("This is not the whole protocol: compare it only with results of the same label.")
    print(result.line)
