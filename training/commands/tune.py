"""Weights of a plan by CMA-ES. The command `rc tune`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tqdm import tqdm

from rc_env.agents.plan import as_text, checked
from rc_env.ruleset import WORKSHOPS
from rc_env.training.studies.tune import TuningSettings, tune, tuning_command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc tune`."""
    plain = TuningSettings()
    parser.add_argument(
        "--players", type=int, nargs="+", default=[2], metavar="P", help="one or more of 2, 3, 4 (default 2)"
    )
    parser.add_argument("--workshop", choices=WORKSHOPS, default=plain.workshop, help="side of the workshop boards")
    parser.add_argument("--start", default=plain.start, metavar="PLAN", help="what is tuned (default: greedy)")
    parser.add_argument("--keep", nargs="+", default=[], metavar="WEIGHT", help="weights that stay as they are")
    parser.add_argument("--against", nargs="+", default=list(plain.against), metavar="BOT", help="default: greedy")
    for name, text in (
        ("rounds", "after each the plan found joins the opponents"),
        ("generations", "of each round"),
        ("population", "candidates a generation"),
        ("games", "of each candidate"),
        ("seed", "of candidates, deals and choices"),
    ):
        default = getattr(plain, name)
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} (default {default})")
    parser.add_argument("--step", type=float, default=plain.step, help=f"of the search at first (default {plain.step})")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the plan found, as TOML")


def main(args: argparse.Namespace) -> int:
    """`rc tune`: write the plan found after each generation, so that it can be stopped at any time."""
    for name, least in (
        ("rounds", 1),
        ("generations", 1),
        ("population", 4),
        ("games", 1),
        ("seed", 0),
        ("workers", 1),
    ):
        if getattr(args, name) < least:
            raise ValueError(f"--{name}: {getattr(args, name)} found, expected at least {least}")
    settings = TuningSettings(
        tuple(args.players), args.workshop, args.start, tuple(args.keep), tuple(args.against), args.rounds,
        args.generations, args.population, args.games, args.step, args.seed,
    )  # fmt: skip
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with tqdm(total=settings.rounds * settings.generations, unit=" generations", desc="Tuning") as bar:
        for number, found, plan in tune(settings, args.workers):
            checked("plan", plan)
            tables = "\n".join(f"[players{players}]\n{as_text(plan)}" for players in args.players)
            args.out.write_text(f"# Found by: {tuning_command(settings)}\n# After {number} generations.\n\n{tables}")
            bar.update()
            bar.set_postfix(value=f"{found:.3f}", refresh=False)
    return 0
