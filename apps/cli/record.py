"""Let bots play and write their games down. The command `rc record`."""

from __future__ import annotations

import argparse
import re

from rc_env import agents
from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli.options import (
    add_resume,
    add_variant,
    add_workers,
    bar,
    chosen_workers,
    named,
    open_journal,
    variant,
)
from rc_env.arena import jobs, recording
from rc_env.arena.journal import kept
from rc_env.record import SUFFIX, folder, keep_data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc record`."""
    parser.add_argument("--games", type=as_count, default=1, help="number of games (default: 1)")
    add_variant(parser)
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Listed,
        default=["greedy"],
        metavar="BOT",
        help="bots in the order of the seats, or one bot for all seats (default: greedy)",
    )
    parser.add_argument(
        "--seed", type=as_count, default=0, help="seed of the deals, the dice and the bots (default: 0)"
    )
    add_workers(parser, default=1)
    parser.add_argument("--legal", action="store_true", help="also write the legal actions at each decision")
    parser.add_argument("--state", action="store_true", help="also write the position after each decision")
    parser.add_argument(
        "--thoughts",
        action="store_true",
        help="also write the policy and values of bots that report them, such as search with a network; the replay "
        "page shows them",
    )
    parser.add_argument(
        "--out",
        type=named,
        required=True,
        metavar="DIR",
        help="folder for the records and a copy of a data file of your own; it is made if needed",
    )
    add_resume(parser)


def main(args: argparse.Namespace) -> int:
    """Play and write; returns the exit code.

    Raises:
        ValueError: an argument is out of range.
        OSError: the folder cannot be written to.
    """
    if args.games < 1 or args.seed < 0:
        name, least = ("games", 1) if args.games < 1 else ("seed", 0)
        raise ValueError(f"--{name} must be at least {least}, not {getattr(args, name)}")
    ruleset = variant(args)
    names = args.bots
    if len(names) not in (1, ruleset.players):
        raise ValueError(f"--bots must name 1 bot for all seats, or {ruleset.players}, one per seat, not {len(names)}")
    for name in names:
        agents.from_text(name)  # refuse a bot that cannot be made before anything is written
    switches = [ruleset.fourth_guild] * (ruleset.fourth_guild != "clergy") + ["special"] * ruleset.special_tiles
    switches += ["contractors"] * ruleset.contractors
    prefix = "-".join([str(ruleset.players), ruleset.workshop, *switches, *names, str(args.seed)])
    prefix = re.sub(r"[^A-Za-z0-9_.-]", "_", prefix)[:100]  # a bot may be named by a path
    write = folder(args.out, prefix)
    pieces = recording.cut(
        args.games, args.seed, names, ruleset, legal=args.legal, state=args.state, thoughts=args.thoughts
    )
    workers = chosen_workers(args)
    if workers != 1:
        jobs.warm(ruleset)  # once, rather than in every process
    with (
        kept(open_journal(args, args.out, ruleset, prefix, f"{prefix}-00001{SUFFIX}")) as journal,
        bar(args.games) as shown,
        jobs.Workers(0 if workers == 1 else workers) as pool,
    ):
        assert journal is not None
        keep_data(ruleset, args.out)  # only now that no other command may write there
        recording.record_pieces(pieces, write, journal, None if workers == 1 else pool, shown.update)
    files = f"{prefix}-00001{SUFFIX}" + (f" to {prefix}-{args.games:05}{SUFFIX}" if args.games > 1 else "")
    print(f"{args.games} game{'s' if args.games > 1 else ''} written to {args.out}: {files}")
    return 0
