"""Write a network in another format: ONNX, or weights of 8 bits. The command `rc export`."""

from __future__ import annotations

import argparse
import io

import numpy as np

from rc_env import Engine, files
from rc_env.agents import net
from rc_env.apps.cli.options import add_target, bar, named
from rc_env.bot import Position
from rc_env.training.onnx_export import largest_difference, to_onnx

GAMES, DECISIONS, SEED = 64, 200, 1
"""Two networks are compared in so many decisions of so many games, with deals of this seed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc export`."""
    parser.add_argument("model", type=named, help="folder of a run, or a file of weights that `rc train` wrote")
    add_target(parser, "--onnx", "file for the network in the ONNX format")
    add_target(parser, "--int8", "file for the network as `rc train` writes it, but with weights of 8 bits, not 16")


def main(args: argparse.Namespace) -> int:
    """`rc export`."""
    if args.onnx is None and args.int8 is None:
        raise ValueError("give a file to write: --onnx FILE or --int8 FILE")
    trained = net.load(args.model)
    if args.int8 is not None:
        buffer = io.BytesIO()
        net.save(trained.arrays(), trained.about, buffer, bits=8)
        files.write(args.int8, buffer.getvalue())
        same, decisions = likeness(trained, net.load(args.int8))
        print(
            f"{args.int8}: {len(buffer.getvalue()):,} bytes; the most probable action is the same in "
            f"{same / decisions:.1%} of {decisions:,} decisions of games of the network with itself."
        )
    if args.onnx is not None:
        _to_onnx(trained, args)
    return 0


def likeness(trained: net.Net, other: net.Net) -> tuple[int, int]:
    """In how many decisions two networks have the same most probable action, of how many with a choice, in games that
    the first one plays with itself."""
    engine = Engine(trained.ruleset, num_games=GAMES, seed=SEED)
    same = decisions = 0
    with bar(GAMES * DECISIONS, "decisions") as shown:
        for _ in range(DECISIONS):
            position = Position.of(engine)
            actions, others = (
                net.choose(one.logits(position.numbers), position.mask, None) for one in (trained, other)
            )
            choice = position.mask.sum(1) > 1
            same += int(np.sum(choice & (actions == others)))
            decisions += int(choice.sum())
            engine.step(actions, auto_reset=True)
            shown.update(GAMES)
    return same, decisions


def _to_onnx(trained: net.Net, args: argparse.Namespace) -> None:
    """Write the network as ONNX, unless it would play differently."""
    model = to_onnx(trained)
    difference = largest_difference(model, trained)
    if difference > 1e-3:
        raise ValueError(
            f"the model in ONNX differs from the network by {difference:.2g}, so it would play differently; nothing "
            "was written"
        )
    files.write(args.onnx, model)
    print(f"{args.onnx}: {len(model):,} bytes; ONNX Runtime differs from the bot by {difference:.1g} at most.")
