"""Let bots play and write their games down. The command `rc record`."""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict, dataclass

import numpy as np
from threadpoolctl import threadpool_limits

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
from rc_env.arena import jobs, match
from rc_env.arena.journal import kept, key_of
from rc_env.record import SUFFIX, Recorder, folder, keep_data
from rc_env.record.recorder import Sink
from rc_env.ruleset import Ruleset

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
        raise ValueError(f"--{name}: {getattr(args, name)} found, expected at least {least}")
    ruleset = variant(args)
    names = args.bots.split(",")
    if len(names) not in (1, ruleset.players):
        raise ValueError(f"--bots: {len(names)} found, expected one, or {ruleset.players}, one per seat")
    for name in names:
        jobs.make_bot(name)  # refuse a bot that cannot be made before anything is written
    switches = [ruleset.fourth_guild] * (ruleset.fourth_guild != "clergy") + ["special"] * ruleset.special_tiles
    switches += ["contractors"] * ruleset.contractors
    prefix = "-".join([str(ruleset.players), ruleset.workshop, *switches, *names, str(args.seed)])
    prefix = re.sub(r"[^A-Za-z0-9_.-]", "_", prefix)[:100]  # a bot may be named by a path
    write = folder(args.out, prefix)
    keep_data(ruleset, args.out)
    pieces = [
        Piece(
            number,
            first,
            min(AT_ONCE, args.games - first),
            int(np.random.SeedSequence([args.seed, number]).generate_state(1, np.uint64)[0]),
            tuple(names),
            jobs.variant_of(ruleset),
            args.legal,
            args.state,
            args.thoughts,
        )
        for number, first in enumerate(range(0, args.games, AT_ONCE))
    ]
    workers = chosen_workers(args)
    if workers != 1:
        jobs.warm(ruleset)  # once, rather than in every process
    with (
        kept(open_journal(args, args.out, ruleset, prefix, f"{prefix}-00001{SUFFIX}")) as journal,
        bar(args.games) as shown,
        jobs.Workers(0 if workers == 1 else workers) as pool,
    ):
        assert journal is not None
        left = [piece for piece in pieces if _key(piece) not in journal.done]
        shown.update(args.games - sum(piece.games for piece in left))
        if workers == 1:  # records are written as games end
            for piece in left:
                play(piece, _from(piece.first, write), shown.update)
                journal.add(_key(piece), piece.games)
            left = []
        for piece, (records, failure) in zip(left, pool.apply(played, left), strict=True):
            for number, text in records:
                write(piece.first + number, text)
            if failure is not None:
                raise ValueError(failure)
            journal.add(_key(piece), piece.games)
            shown.update(piece.games)
    files = f"{prefix}-00001{SUFFIX}" + (f" to {prefix}-{args.games:05}{SUFFIX}" if args.games > 1 else "")
    print(f"{args.games} game{'s' if args.games > 1 else ''} written to {args.out}: {files}")
    return 0


@dataclass(frozen=True)
class Piece:
    """Games that are played together, in words that can be sent to another process.

    Attributes:
        number, first, games: the number of the piece, of its first game, and of games in it.
        seed: of the deals, the dice and the bots.
        bots: one for all seats or one per seat, each as `rc_env.agents.from_text` takes it.
        variant: what `Ruleset` takes.
        legal, state, thoughts: as for `Recorder`.
    """

    number: int
    first: int
    games: int
    seed: int
    bots: tuple[str, ...]
    variant: jobs.Variant
    legal: bool
    state: bool
    thoughts: bool


def play(piece: Piece, sink: Sink, progress: match.Progress = lambda games: None) -> None:
    """Play a piece; the records go to a sink, numbered from 0.

    Raises:
        BrokenMatch: a bot could not go on.
    """
    ruleset = Ruleset(*piece.variant)
    bots = [jobs.make_bot(name) for name in piece.bots] * (ruleset.players if len(piece.bots) == 1 else 1)
    recorder = Recorder(sink, legal=piece.legal, state=piece.state, thoughts=piece.thoughts)
    with threadpool_limits(1):  # the last digits of a matrix product depend on the number of threads
        match.play_match(
            bots, piece.games, ruleset, seed=piece.seed, progress=progress, rotate=False, recorder=recorder
        )


def played(piece: Piece) -> tuple[list[tuple[int, str]], str | None]:
    """The numbers and records of a piece, from `play`; and the error of a bot that failed, if one did."""
    records: list[tuple[int, str]] = []
    try:
        play(piece, lambda number, text: records.append((number, text)))
    except match.BrokenMatch as error:
        return records, str(error)
    return records, None


def _key(piece: Piece) -> str:
    """The key of a piece in the journal."""
    return key_of(asdict(piece))


def _from(first: int, write: Sink) -> Sink:
    """A sink for games that are counted from `first` on."""
    return lambda number, text: write(first + number, text)
