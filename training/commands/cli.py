"""The `rc` command. Each sub-command is a module with `add_arguments(parser)` and `main(args) -> exit code`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

COMMANDS = {
    "train": ("rc_env.training.commands.train", "train a policy by self-play, then play it against the bots"),
    "evaluate": ("rc_env.training.commands.evaluate", "play a trained model against bots"),
    "curve": ("rc_env.training.commands.curve", "draw the learning curves of runs"),
    "card": ("rc_env.training.commands.card", "write a model card: how a network was trained, how strong it is"),
    "export": ("rc_env.training.commands.export", "write a trained network in the ONNX format"),
    "bots": ("rc_env.training.commands.bots", "list the bots"),
    "arena": ("rc_env.training.commands.arena", "let bots play each other, and rate them"),
    "first-player": (
        "rc_env.training.commands.first_player",
        "measure what each seat is worth, and which rubles make it even",
    ),
    "benchmark": ("rc_env.training.commands.benchmark", "play the fixed protocol by which bots of papers are compared"),
    "stats": ("rc_env.training.commands.stats", "measure length, choices, actions and sources of points"),
    "tune": ("rc_env.training.commands.tune", "tune the weights of a plan by games"),
    "bench": ("rc_env.training.commands.bench", "measure speed"),
    "play": ("rc_env.training.commands.play", "play against bots, or Ivan, in the terminal"),
    "record": ("rc_env.training.commands.record", "let bots play and write their games down"),
    "replay": ("rc_env.training.commands.replay", "check and show a recorded game"),
}


class Parser(argparse.ArgumentParser):
    """Tells what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `rc` with these arguments, by default those of the command line.

    Returns:
        0; what the sub-command returns; 2 for a wrong argument, a missing file or package; 130 when interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if os.getcwd() not in sys.path:  # where bots of one's own lie
        sys.path.append(os.getcwd())
    parser = Parser(prog="rc", description="Train, measure and study policies for The Red Cathedral.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    try:
        for name, (module, text) in COMMANDS.items():
            command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
            if words[:1] == [name]:  # only what is called is imported: torch takes seconds
                import_module(module).add_arguments(command)
        args = parser.parse_args(words)
        return int(import_module(COMMANDS[args.command][0]).main(args))
    except ModuleNotFoundError as error:
        extra = "onnx" if str(error.name).startswith("onnx") else "train"
        print(f"rc {words[0]}: no module {error.name}, expected one: pip install 'rc-env[{extra}]'", file=sys.stderr)
    except MemoryError:
        print(f"rc {words[0]}: too little memory for all that is asked for, expected smaller numbers", file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"rc {words[0]}: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"rc {words[0]}: stopped", file=sys.stderr)
        return 130
    return 2


if __name__ == "__main__":
    sys.exit(main())
