"""Draw the learning curves of runs. The command `rc curve`."""

from __future__ import annotations

import argparse

from rc_env import files
from rc_env.apps.cli.options import add_overwrite, check_target, named
from rc_env.training.curve import curve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc curve`."""
    parser.add_argument(
        "runs",
        nargs="+",
        type=named,
        metavar="DIR",
        help="folder of a run; of several runs, which may differ only in the seed, the mean is drawn",
    )
    parser.add_argument("--out", required=True, type=named, metavar="FILE", help="file for the picture, as SVG")
    add_overwrite(parser)


def main(args: argparse.Namespace) -> int:
    """`rc curve`."""
    check_target(args, "--out", args.out)
    files.write(args.out, curve(args.runs))
    print(f"{args.out}: {len(args.runs)} run(s)")
    return 0
