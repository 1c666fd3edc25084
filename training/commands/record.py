"""Let bots play and write their games down. The command `rc record`."""

from __future__ import annotations

import argparse
import re

import numpy as np

from rc_env.record import SUFFIX, Recorder, folder, keep_data
from rc_env.record.recorder import Sink
from rc_env.training.arena import jobs, match
from rc_env.training.commands.options import add_resume, add_variant, bar, named, open_journal, variant
from rc_env.training.journal import kept

AT_ONCE = 64  # games; each keeps its positions until it is over


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc record`."""
    parser.add_argument("--games", type=int, default=1, help="number of games (default: 1)")
    add_variant(parser)
    parser.add_argument(
        "--bots",
        default="greedy",
        metavar="A,B",
        help="bots in the order of the seats, or one bot for all seats (default: greedy)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the deals, the dice and the bots (default: 0)")
    parser.add_argument("--legal", action="store_true", help="also write the legal actions at each decision")
    parser.add_argument("--state", action="store_true", help="also write the position after each decision")
    parser.add_argument(
        "--thoughts",
        action="store_true",
        help="also write what bots think before a decision, where they say it, as search with a network does: the "
        "replay page shows it",
    )
    parser.add_argument(
        "--out",
        type=named,
        required=True,
        metavar="DIR",
        help="folder for the records and a copy of a data file of your own; made if needed",
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
        raise ValueError(f"--{name}: {getattr(args, name)} found, expected at least {least}")
    ruleset = variant(args)
    names = args.bots.split(",")
    if len(names) not in (1, ruleset.players):
        raise ValueError(f"--bots: {len(names)} found, expected one, or {ruleset.players}, one a seat")
    bots = [jobs.make_bot(name) for name in names] * (ruleset.players if len(names) == 1 else 1)
    switches = [ruleset.fourth_guild] * (ruleset.fourth_guild != "clergy") + ["special"] * ruleset.special_tiles
    switches += ["contractors"] * ruleset.contractors
    prefix = "-".join([str(ruleset.players), ruleset.workshop, *switches, *names, str(args.seed)])
    prefix = re.sub(r"[^A-Za-z0-9_.-]", "_", prefix)[:100]  # a bot may be named by a path
    write = folder(args.out, prefix)
    keep_data(ruleset, args.out)
    with kept(open_journal(args, args.out, ruleset, prefix)) as journal, bar(args.games) as shown:
        assert journal is not None
        for number, first in enumerate(range(0, args.games, AT_ONCE)):
            seed = int(np.random.SeedSequence([args.seed, number]).generate_state(1, np.uint64)[0])
            count = min(AT_ONCE, args.games - first)
            if str(number) in journal.done:
                shown.update(count)
                continue
            recorder = Recorder(_from(first, write), legal=args.legal, state=args.state, thoughts=args.thoughts)
            match.play_match(bots, count, ruleset, seed=seed, progress=shown.update, rotate=False, recorder=recorder)
            journal.add(str(number), count)
    files = f"{prefix}-00001{SUFFIX}" + (f" to {prefix}-{args.games:05}{SUFFIX}" if args.games > 1 else "")
    print(f"{args.games} game{'s' if args.games > 1 else ''} written to {args.out}: {files}")
    return 0


def _from(first: int, write: Sink) -> Sink:
    """A sink for games that are counted from `first` on."""
    return lambda number, text: write(first + number, text)
