"""Write a network in the ONNX format. The command `rc export`."""

from __future__ import annotations

import argparse

from rc_env import files
from rc_env.agents import net
from rc_env.apps.cli.options import add_target, named
from rc_env.training.onnx_export import largest_difference, to_onnx


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc export`."""
    parser.add_argument("model", type=named, help="folder of a run, or a file of weights that `rc train` wrote")
    add_target(parser, "--onnx", "file for the network", required=True)


def main(args: argparse.Namespace) -> int:
    """`rc export`."""
    trained = net.load(args.model)
    model = to_onnx(trained)
    difference = largest_difference(model, trained)
    if difference > 1e-3:
        raise ValueError(f"onnx: a model that differs by {difference:.2g} found, expected one that plays the same")
    files.write(args.onnx, model)
    print(f"{args.onnx}: {len(model):,} bytes; ONNX Runtime differs from the bot by {difference:.1g} at most.")
    return 0
