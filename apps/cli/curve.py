"""Draw the learning curves of runs. The command `rc curve`."""

from __future__ import annotations

import argparse

from rc_env import files
from rc_env.apps.cli.options import add_target, check_svg, named
from rc_env.training.curve import curve, curve_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc curve`."""
    parser.add_argument(
        "runs",
        nargs="+",
        type=named,
        metavar="DIR",
        help="folder of a run; of several runs, which may differ only in the seed, the mean is drawn",
    )
    add_target(parser, "--out", "file for the picture, as SVG", required=True)
    add_target(parser, "--csv", "file for the numbers of the picture, as CSV")


def main(args: argparse.Namespace) -> int:
    """`rc curve`."""
    check_svg(args.out)
    files.write(args.out, curve(args.runs))
    if args.csv is not None:
        files.write(args.csv, curve_table(args.runs))
    print(f"{args.out}: {len(args.runs)} run(s)")
    return 0
