"""Write a copy of a record with a bot's judgement of each decision. The command `rc analyse`."""

from __future__ import annotations

import argparse

from rc_env import files
from rc_env.apps.cli.options import add_read, add_target, bar, check_read, named
from rc_env.arena import jobs
from rc_env.arena.studies.analysis import annotated, evaluator, judgements, mistakes_by_seat
from rc_env.record import read
from rc_env.rules.printed.sizes import COLOURS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc analyse`."""
    parser.add_argument("file", type=named, metavar="FILE", help="game record (.rcr), finished or not")
    add_target(parser, "--out", "file for the copy", required=True)
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="bot that judges the decisions; it has to report its policy and values (default: a search with the "
        "network that comes with the package, or playouts where the variant has no network)",
    )
    add_read(parser)


def main(args: argparse.Namespace) -> int:
    """Analyse and write; returns the exit code.

    Raises:
        ValueError: the record breaks the rules, or the bot does not offer its thoughts.
        OSError: the copy cannot be written.
    """
    record = read(args.file, data=args.data, expansion_data=args.expansion_data, unfinished=True)
    check_read(args, record.ruleset)
    bot = evaluator(record.ruleset) if args.bot is None else jobs.make_bot(args.bot)
    found = []
    with bar(len(record.decisions), "decisions") as shown:
        for one in judgements(record, bot):
            found.append(one)
            shown.update()
    files.write(args.out, annotated(record, found).text())
    for seat, counts in enumerate(mistakes_by_seat(found, record.ruleset.players)):
        print(f"{COLOURS[seat]}: {', '.join(f'{name} {number}' for name, number in counts.items())}")
    for number, one in enumerate(found, 1):
        if one.size:
            played = record.decisions[number - 1]["action"]
            loss = f"loses {100 * (one.lost or 0):.0f} points of a hundred"
            print(f"decision {number}, {COLOURS[one.seat]}: {one.size}, {played}, {loss}; better {one.best}")
    print(f"The copy is in {args.out}: {len(found)} decisions with what {bot.name} thought of them")
    return 0
