"""Tune the weights of a plan by CMA-ES. The command `rc tune`."""

from __future__ import annotations

import argparse
from dataclasses import fields

from tqdm import tqdm

from rc_env import checks, files
from rc_env.agents import weight_files
from rc_env.agents.command_line import Listed, as_count
from rc_env.agents.plan import as_text, checked, file_of, packaged_plans, tables_of, weights_of
from rc_env.apps.cli.options import (
    add_resume,
    add_variant,
    add_workers,
    chosen_workers,
    named,
    open_journal,
    opponents,
    variant,
)
from rc_env.arena.journal import PLACES, kept
from rc_env.arena.studies.tune import TuningSettings, tune, tuning_command

BASE = TuningSettings.ruleset
NUMBERS = ("rounds", "generations", "population", "games", "step", "hires", "seed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc tune`."""
    plain = TuningSettings()
    add_variant(parser, base=BASE, several=True)
    parser.add_argument(
        "--start",
        default=plain.start,
        metavar="PLAN",
        help=f"plan from which the search starts: a file, or {checks.choice(packaged_plans())} (default: greedy)",
    )
    parser.add_argument(
        "--keep", nargs="+", default=[], metavar="WEIGHT", help="names of weights that stay as they are (default: none)"
    )
    parser.add_argument(
        "--against",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help="bots that every candidate plays against (default: greedy); in the solo game there are none",
    )
    for one in fields(plain):
        if one.name in NUMBERS:
            words = f"{one.metadata['help']} (default: {one.default})"
            parser.add_argument(
                f"--{one.name}",
                type=as_count if isinstance(one.default, int) else float,
                default=one.default,
                help=words,
            )
    add_workers(parser)
    parser.add_argument("--out", type=named, required=True, metavar="FILE", help="file for the weights found, as TOML")
    add_resume(parser, PLACES["tune"])


def main(args: argparse.Namespace) -> int:
    """`rc tune`: write the plan found after each generation, so that it can be stopped at any time."""
    workers = chosen_workers(args)
    players = tuple(args.players or ((1,) if args.solo else (BASE.players,)))
    if len(set(players)) < len(players):
        raise ValueError(f"--players names a number twice ({' '.join(map(str, players))}): name each once")
    several = [variant(argparse.Namespace(**{**vars(args), "players": one}), BASE) for one in players]
    ruleset = several[0]
    # `--against` is refused where the solo game is the only one.
    against = tuple(opponents(args, max(several, key=lambda one: one.players), TuningSettings.against))
    numbers = {name: getattr(args, name) for name in NUMBERS}
    settings = TuningSettings(players, ruleset, args.start, tuple(args.keep), against, **numbers)
    read = [("start", file_of(settings.start)), *(("against", file) for bot in against for file in weight_files(bot))]
    for option, file in read:
        if args.out.exists() and args.out.samefile(file):
            raise ValueError(f"--{option}: {file} is the --out file, which each generation replaces: name another")
    folder = files.make_folder(args.out.parent)
    files.check(args.out)
    with (
        kept(open_journal(args, folder, ruleset, args.out.name, args.out.name)) as journal,
        tqdm(total=settings.rounds * settings.generations, unit=" generations", desc="Tuning", disable=None) as bar,
    ):
        assert journal is not None
        for number, found, plan in tune(settings, workers, journal):
            checked("plan", plan, weights_of(ruleset))
            names = [tables_of(settings.variant(players))[0] for players in settings.players]
            tables = "\n".join(f"[{name}]\n{as_text(plan)}" for name in names)
            again = checks.spelled_out(tuning_command(settings))  # in one line, whatever a file is called
            files.write(args.out, f"# Found by: {again}\n# After {number} generation{'s' * (number > 1)}.\n\n{tables}")
            bar.update()
            bar.set_postfix(value=f"{found:.3f}", refresh=False)
    return 0
