"""Measure how well a network's value is calibrated. The command `rc calibration`."""

from __future__ import annotations

import argparse

import numpy as np

from rc_env import files
from rc_env.agents.command_line import as_count
from rc_env.agents.net import NetBot
from rc_env.apps.cli.options import add_target, add_variant, bar, check_svg, named, variant
from rc_env.apps.cli.output import print_table
from rc_env.arena import locks
from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import span, with_span, words
from rc_env.arena.studies import foresight
from rc_env.arena.studies.calibration import BINS, GAMES, Calibration, calibration
from rc_env.arena.studies.foresight import Foresight
from rc_env.ruleset import Ruleset
from rc_env.training.settings import VARIANT
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc calibration`."""
    parser.add_argument(
        "model",
        type=named,
        help="folder of a run, file of weights that `rc train` wrote, or shipped for the network in the package",
    )
    add_variant(parser, players="those that the network was trained for, else 2", others="that of the network, if any")
    parser.add_argument("--games", type=as_count, help=f"number of games of the network with itself (default: {GAMES})")
    parser.add_argument("--seed", type=as_count, default=0, help="seed of the deals (default: 0)")
    parser.add_argument(
        "--playouts",
        type=as_count,
        metavar="N",
        help="instead, play positions before the end of each game out N times, and print how well the value foresees "
        f"the mean and the result (default: {foresight.GAMES} games)",
    )
    add_target(parser, "--out", "file for the reliability diagram, as SVG")
    add_target(
        parser,
        "--fit",
        "instead of measuring, fit a network of its own for the value to positions of --games games (at least 256, by "
        "default twice as many as are measured), which are kept in --positions and played out, and write the network "
        "to this file; its policy stays as it is. Measure it with another seed",
    )
    parser.add_argument(
        "--positions",
        type=named,
        metavar="DIR",
        help="with --fit, where the positions are kept; a fit goes on with them",
    )


def fit(args: argparse.Namespace) -> int:
    """`rc calibration --fit`."""
    said = {name: getattr(args, name) for name in ("out", "playouts", "solo", *VARIANT)}
    given = [f"--{name.replace('_', '-')}" for name, value in said.items() if value is not None and value is not False]
    if str(args.model) == "shipped":
        given.append("shipped")
    if given:
        why = "play-outs and a diagram are of a measurement" if given[0] in ("--out", "--playouts") else ""
        raise ValueError(f"--fit takes no {given[0]}: {why or 'a file or a run names its own game'}")
    if args.positions is None:
        raise ValueError("--fit needs --positions DIR, where the positions are kept")
    from rc_env.training import value_fit  # here, since it needs PyTorch

    games = value_fit.GAMES if args.games is None else args.games
    with locks.alone(files.make_folder(args.positions), "--positions"):
        before, after = value_fit.fit_value(args.model, args.fit, args.positions, games, args.seed)
    print(
        f"{args.fit}: a value was fitted to positions of {games:,} games, seed {args.seed}. Its correlation with the "
        f"means of play-outs, on positions that were held out: {before:.3f} before, {after:.3f} after."
    )
    if after <= before:
        print("The fit did not help: more games might.")
    return 0


def print_foresight(name: str, ruleset: Ruleset, found: tuple[Foresight, ...], args: argparse.Namespace) -> None:
    """Print a line for each number of decisions before the end."""
    print_table(
        ("decisions before the end", "value, play-outs", "value, result", "play-outs, result"),
        [
            (
                str(one.before),
                *(with_span(c, ".2f") for c in (one.playouts, one.result, one.known)),
            )
            for one in found
        ],
        f"{name}, {ruleset.players} players, {ruleset.workshop}: {found[0].known.games:,} games, "
        f"seed {args.seed}, {args.playouts} play-outs of each position{additions(ruleset)}",
        "Correlations, with intervals of 95 %, bootstrapped over games.",
    )


def outcome(ruleset: Ruleset) -> str:
    """The result that a value predicts, in words."""
    return (
        "games won" if ruleset.players <= 2 or ruleset.reward == "first" else "place, 100 for the first, 0 for the last"
    )


def show(name: str, found: Calibration) -> None:
    """Print one line per bin, and the calibration error."""
    rules, error, observed = found.ruleset, found.error, Figure.row(found.observed, None)
    seats, against = ("solo", "against Ivan") if rules.solo else (f"{rules.players} players", "with itself")
    print_table(
        ("bin", "values", "predicted", "observed", "95 %"),
        [
            (
                f"{100 * i // BINS} to {100 * (i + 1) // BINS} %",
                f"{found.count[i]:,}",
                f"{found.predicted[i]:.1%}",
                words(observed[i].mean, ".1%"),
                span(observed[i], ".1%"),
            )
            for i in np.flatnonzero(found.count)
        ],
        f"{name}, {seats}, {rules.workshop}: {found.games:,} games {against}, seed {found.seed}{additions(rules)}",
        f"Calibration error {with_span(error, '.2%')}. "
        f"Predicted and observed: {outcome(rules)}. Intervals of 95 %, bootstrapped over games.",
    )


def main(args: argparse.Namespace) -> int:
    """`rc calibration`."""
    check_svg(args.out)
    if args.fit:
        return fit(args)
    if args.positions is not None:
        raise ValueError("--positions has a meaning only with --fit FILE")
    bot = NetBot("shipped" if str(args.model) == "shipped" else args.model)
    ruleset = variant(args, Ruleset() if bot.ruleset is None else bot.ruleset)
    if args.playouts is not None:
        if args.out:
            raise ValueError("--out has no meaning with --playouts: there is no picture of it")
        games = foresight.GAMES if args.games is None else args.games
        print_foresight(
            str(args.model), ruleset, foresight.foresight(bot, ruleset, games, args.playouts, args.seed), args
        )
        return 0
    games = GAMES if args.games is None else args.games
    with bar(games) as shown:
        found = calibration(bot, ruleset, games, args.seed, shown.update)
    show(str(args.model), found)
    if args.out:
        observed = found.observed
        label = f"{outcome(found.ruleset).partition(',')[0]}, %"
        files.write(args.out, plots.reliability(found.predicted, observed.mean, observed.low, observed.high, label))
        print(f"Written to {args.out}.")
    return 0
