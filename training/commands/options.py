"""Arguments and small helpers that several commands share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tqdm import tqdm

from rc_env.ruleset import WORKSHOPS, Ruleset


def add_variant(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a variant."""
    parser.add_argument("--players", type=int, default=2, help="2, 3 or 4 (default 2)")
    parser.add_argument("--workshop", choices=WORKSHOPS, default="basic", help="side of the workshop boards")
    parser.add_argument("--data", default="base", metavar="FILE", help="a data file of one's own")
    parser.add_argument("--turn-limit", type=int, default=1000, metavar="TURNS", help="default 1000")


def add_running(parser: argparse.ArgumentParser, *, limit: bool = True) -> None:
    """The arguments that say how to play and where to write."""
    parser.add_argument("--seed", type=int, default=0, help="of deals and choices (default 0)")
    if limit:
        parser.add_argument(
            "--limit", type=float, metavar="SECONDS", help="a decision, on average over games asked about at once"
        )
    parser.add_argument("--workers", type=int, default=0, help="processes (default: one a processor)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for results.json, report.md and report.html")


def variant(args: argparse.Namespace) -> Ruleset:
    """The ruleset that the arguments name."""
    if args.players not in (2, 3, 4):
        raise ValueError(f"--players: {args.players} found, expected 2, 3 or 4")
    return Ruleset(args.players, args.workshop, args.data, args.turn_limit)


def workers(args: argparse.Namespace) -> int:
    """How many processes."""
    if args.workers < 0:
        raise ValueError(f"--workers: {args.workers} found, expected at least 0")
    return args.workers or os.cpu_count() or 1


def output_folder(args: argparse.Namespace) -> Path | None:
    """Where to write; it is made now, so that what cannot be written is told before anything is played."""
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    return args.out


def bar(total: int | None) -> tqdm:
    """A progress bar of games, so many if that is known, on stderr where somebody looks at it."""
    return tqdm(total=total, unit=" games", desc="Playing", leave=False, disable=None)
