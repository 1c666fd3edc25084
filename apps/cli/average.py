"""Average the weights of networks that were trained from the same start. The command `rc average`."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from rc_env import files
from rc_env.agents import net
from rc_env.apps.cli.options import add_target, named
from rc_env.training.averaging import mean_network


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc average`."""
    parser.add_argument(
        "models",
        type=named,
        nargs="+",
        help="two or more folders of runs, or files of weights, that began with the same network (`rc train --start`); "
        "of a folder its best network",
    )
    add_target(parser, "--out", "file for the mean network", required=True)


def main(args: argparse.Namespace) -> int:
    """`rc average`."""
    files_of: dict[Path, Path] = {}
    for model in args.models:
        before = files_of.setdefault(net.network_file(model).resolve(), model)
        if before is not model:
            raise ValueError(f"{before} and {model} are the same network: name each one once")
    mean = mean_network([net.load(model) for model in args.models])
    buffer = io.BytesIO()
    net.save(mean.arrays(), mean.about, buffer)
    files.write(args.out, buffer.getvalue())
    print(f"{args.out}: the mean of {len(args.models)} networks. Play it: rc evaluate {args.out} --against all_rounder")
    return 0
