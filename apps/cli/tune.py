"""Tune the weights of a plan by CMA-ES. The command `rc tune`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tqdm import tqdm

from rc_env import files
from rc_env.agents.plan import as_text, checked, tables_of, weights_of
from rc_env.apps.cli.options import add_resume, add_variant, add_workers, chosen_workers, named, open_journal, variant
from rc_env.arena.journal import PLACES, kept
from rc_env.arena.studies.tune import TuningSettings, tune, tuning_command
from rc_env.ruleset import Ruleset

MOST_STEP = 100
BASE = Ruleset(turn_limit=TuningSettings.turn_limit)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc tune`."""
    plain = TuningSettings()
    add_variant(parser, base=BASE, solo=False, several=True)
    parser.add_argument(
        "--start",
        default=plain.start,
        metavar="PLAN",
        help="bot, or file of weights, from which the search starts (default: greedy)",
    )
    parser.add_argument(
        "--keep", nargs="+", default=[], metavar="WEIGHT", help="names of weights that stay as they are (default: none)"
    )
    parser.add_argument(
        "--against",
        nargs="+",
        default=list(plain.against),
        metavar="BOT",
        help="bots that every candidate plays against (default: greedy)",
    )
    for name, text in (
        ("rounds", "number of rounds; after each round the weights found join the opponents"),
        ("generations", "number of generations in a round"),
        ("population", "number of candidates in a generation"),
        ("games", "number of games that each candidate plays"),
        ("seed", "seed of the candidates, the deals and the bots' choices"),
    ):
        default = getattr(plain, name)
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} (default: {default})")
    parser.add_argument(
        "--step", type=float, default=plain.step, help=f"initial step size of the search (default: {plain.step})"
    )
    add_workers(parser)
    parser.add_argument("--out", type=named, required=True, metavar="FILE", help="file for the weights found, as TOML")
    add_resume(parser, PLACES["tune"])


def main(args: argparse.Namespace) -> int:
    """`rc tune`: write the plan found after each generation, so that it can be stopped at any time."""
    for name, least in (
        ("rounds", 1),
        ("generations", 1),
        ("population", 4),
        ("games", 1),
        ("seed", 0),
    ):
        if getattr(args, name) < least:
            raise ValueError(f"--{name}: {getattr(args, name)} found, expected at least {least}")
    if not 0 < args.step <= MOST_STEP:
        raise ValueError(f"--step: {args.step:g} found, expected more than 0, and at most {MOST_STEP}")
    workers = chosen_workers(args)
    players = tuple(args.players or (BASE.players,))
    if len(set(players)) < len(players):
        raise ValueError(f"--players: {' '.join(map(str, players))} found, expected each number once")
    *_, ruleset = (variant(argparse.Namespace(**{**vars(args), "players": count}), BASE) for count in players)
    settings = TuningSettings(
        players=players,
        workshop=ruleset.workshop,
        data=str(ruleset.data),
        turn_limit=ruleset.turn_limit,
        fourth_guild=ruleset.fourth_guild,
        special_tiles=bool(ruleset.special_tiles),
        promos=bool(ruleset.promos),
        expansion_data=str(ruleset.expansion_data),
        contractors=bool(ruleset.contractors),
        keep=tuple(args.keep),
        against=tuple(args.against),
        **{
            name: getattr(args, name)
            for name in ("start", "rounds", "generations", "population", "games", "step", "seed")
        },
    )
    folder = files.make_folder(args.out.parent)
    files.check(args.out)
    with (
        kept(open_journal(args, folder, ruleset, args.out.name, args.out.name)) as journal,
        tqdm(total=settings.rounds * settings.generations, unit=" generations", desc="Tuning", disable=None) as bar,
    ):
        assert journal is not None
        for number, found, plan in tune(settings, workers, journal):
            checked("plan", plan, weights_of(ruleset))
            names = [tables_of(replace(ruleset, players=players))[0] for players in settings.players]
            tables = "\n".join(f"[{name}]\n{as_text(plan)}" for name in names)
            again = tuning_command(settings)
            files.write(args.out, f"# Found by: {again}\n# After {number} generations.\n\n{tables}")
            bar.update()
            bar.set_postfix(value=f"{found:.3f}", refresh=False)
    return 0
