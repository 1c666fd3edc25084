"""Measure speed and print it as a table or as JSON. The command `rc bench`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rc_env import files, red_cathedral_v0, warmup
from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_target
from rc_env.apps.speed import against, suite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc bench`."""
    words = "write the results to FILE as JSON, or print them as JSON"
    add_target(parser, "--json", words, nargs="?", const="-", type=str)
    parser.add_argument(
        "--only",
        choices=("engine", "apis", "bots", "start"),
        help="measure one part: the engine, the APIs for Python, the bots, or how long compiling and importing take",
    )
    parser.add_argument("--training", action="store_true", help="measure only how fast policies are trained")
    parser.add_argument(
        "--against", metavar="FOLDER", help="only compare this checkout with the one in FOLDER; runs of both take turns"
    )
    parser.add_argument(
        "--pairs",
        type=as_count,
        metavar="N",
        help=f"with --against: number of pairs of runs (default: {against.PAIRS})",
    )
    parser.add_argument(
        "--full",
        nargs="?",
        const="both",
        choices=tuple(against.FULL),
        help="with --against: both checkouts play the full game, with all switches of the expansion on; or, with "
        "--full here, this one alone, and the other one the base game",
    )
    parser.add_argument(
        "--compile", action="store_true", help="with --against: compare only how long it takes to compile everything"
    )
    parser.add_argument(
        "--runs",
        type=as_count,
        metavar="N",
        help=f"number of runs, of which the median is reported (default: {suite.RUNS})",
    )


def main(args: argparse.Namespace) -> int:
    """Measure, print a table (or the JSON), and return 0."""
    check(args)
    args.runs = suite.RUNS if args.runs is None else args.runs
    args.pairs = against.PAIRS if args.pairs is None else args.pairs
    if args.runs < 1:
        raise ValueError(f"--runs must be at least 1, not {args.runs}")
    if args.against is not None:
        results = suite.machine() | {"against": compared(args)}
        return put_out(results, args.json, against.table(results["against"]))
    suite.say("Compiling, or loading what is compiled (about 30 s the first time) ...")
    warmup()
    results = suite.machine()
    if args.training:
        from rc_env.apps.speed import learning  # torch takes seconds to import

        suite.say("Training: the network alone, rollouts, whole iterations (about a minute) ...")
        results["training"] = learning.measure(args.runs)
        report = learning.table(results["training"])
        return put_out(results, args.json, report)
    if args.only in (None, "engine"):
        results["engine"] = suite.engine_speed(args.runs)
        results["clone_ns"] = suite.clone_speed(args.runs)
    if args.only in (None, "apis"):
        results["engine_step"] = suite.step_speed(args.runs)
        results["vector_env"] = suite.vector_speed(args.runs)
        results["raw_env_steps_per_s"] = suite.aec_speed(red_cathedral_v0.raw_env, args.runs)
        results["env_steps_per_s"] = suite.aec_speed(red_cathedral_v0.env, args.runs)
        results["record_ms"] = suite.record_cost(args.runs)
    if args.only in (None, "bots"):
        results["bots"] = suite.bot_speed(args.runs)
        results["search"] = suite.search_speed(args.runs)
    if args.only in (None, "start"):
        results["cold_compile_s"] = suite.start_time(suite.COMPILE, 1, fresh_cache=True)
        results["warm_start_s"] = suite.start_time(suite.START, args.runs, fresh_cache=False)
    return put_out(results, args.json, suite.table(results))


def check(args: argparse.Namespace) -> None:
    """Refuse options that would be ignored beside others, and empty names."""
    for name in ("json", "against"):
        if getattr(args, name) == "":
            raise ValueError(f"--{name}: '' does not name a file or folder")
    if args.against is None:
        for name in ("pairs", "full", "compile"):
            if getattr(args, name):
                raise ValueError(f"--{name} has a meaning only with --against FOLDER")
    else:
        for name in ("only", "training", "runs"):
            if getattr(args, name):
                raise ValueError(f"--{name} has no meaning with --against: give one of the two")
    if args.training and args.only:
        raise ValueError(f"--only {args.only} and --training measure different things: give one of the two")


def compared(args: argparse.Namespace) -> dict[str, Any]:
    """Results of this build compared with those of another checkout."""
    if args.pairs < 1:
        raise ValueError(f"--pairs must be at least 1, not {args.pairs}")
    full = against.FULL.get(args.full, ())
    if args.compile:
        suite.say(f"Compiling both builds from nothing, {args.pairs} times in turns ...")
        return against.measure_compile(Path(args.against), args.pairs, full)
    suite.say(
        f"Both builds in turns, {args.pairs} pairs of runs (about {10 + 4 * args.pairs} s, once both are compiled) ..."
    )
    return against.measure(Path(args.against), args.pairs, batch=suite.BATCH, full=full)


def put_out(results: dict[str, Any], file: str | None, report: str) -> int:
    """Print the report, or the JSON, or write that to a file."""
    if file == "-":
        print(json.dumps(results, indent=1))
        return 0
    if file:
        files.write(file, json.dumps(results, indent=1) + "\n")
    print(report)
    if file:
        print(f"Written to {file}")
    return 0
