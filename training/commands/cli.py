"""The `rc` command. Each sub-command is a module with `add_arguments(parser)` and `main(args) -> exit code`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from typing import NoReturn

from rc_env import __version__

PACKAGE = "rc-env"
OTHER_NAMES = {"PIL": "pillow"}  # of modules that are not called like their package

COMMANDS = {
    "train": ("rc_env.training.commands.train", "train a policy by self-play, then evaluate it against the bots"),
    "evaluate": ("rc_env.training.commands.evaluate", "play a trained network, or any bot, against others"),
    "curve": ("rc_env.training.commands.curve", "draw the learning curves of runs"),
    "card": ("rc_env.training.commands.card", "write a model card: how a network was trained and how strong it is"),
    "export": ("rc_env.training.commands.export", "write a trained network in the ONNX format"),
    "bots": ("rc_env.training.commands.bots", "list the bots"),
    "arena": ("rc_env.training.commands.arena", "let bots play against each other, and rate them"),
    "first-player": (
        "rc_env.training.commands.first_player",
        "measure what each seat is worth, and which starting rubles make the seats equal",
    ),
    "benchmark": (
        "rc_env.training.commands.benchmark",
        "let a bot play a fixed protocol of games, by which bots can be compared",
    ),
    "stats": (
        "rc_env.training.commands.stats",
        "measure how long games are, which actions are legal and used, and where points come from",
    ),
    "guilds": (
        "rc_env.training.commands.guilds",
        "measure how each guild of the expansion changes the game and the strength of the bots",
    ),
    "tune": ("rc_env.training.commands.tune", "tune the weights of a scripted bot by playing games"),
    "bench": (
        "rc_env.training.commands.bench",
        "measure the speed of the engine, the environments, the bots and the training",
    ),
    "play": ("rc_env.training.commands.play", "play in the terminal against bots, or solo against Ivan"),
    "watch": ("rc_env.training.commands.watch", "watch bots play against each other in the terminal"),
    "record": ("rc_env.training.commands.record", "let bots play, and write their games to files"),
    "replay": ("rc_env.training.commands.replay", "check a recorded game and show it"),
    "completion": (
        "rc_env.training.commands.completion",
        "print a script with which a shell completes commands and options",
    ),
}


EXTRAS = {"train": "train", "curve": "train", "card": "train", "export": "train,onnx"}
"""Extras that commands need beside `arena`, which is a part of `train`."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence, without the usage."""

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
    try:
        parser = build_parser(words[:1])  # only what is called is imported: torch takes seconds
        args = parser.parse_args(words)
        return int(import_module(COMMANDS[args.command][0]).main(args))
    except ModuleNotFoundError as error:
        print(f"rc {words[0]}: {missing(error, words[0])}", file=sys.stderr)
    except MemoryError:
        print(f"rc {words[0]}: too little memory for all that is asked for, expected smaller numbers", file=sys.stderr)
    except (ValueError, OSError) as error:
        print(f"rc {words[0]}: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"rc {words[0]}: stopped", file=sys.stderr)
        return 130
    return 2


def build_parser(called: Sequence[str], left_out: Callable[[str, str], object] | None = None) -> Parser:
    """The parser of `rc`, with the arguments of the commands that are called.

    Args:
        called: names of commands; the others are known by name alone, and not imported.
        left_out: takes a command and a sentence, where a package is missing that the command needs; by default the
            ModuleNotFoundError is raised.
    """
    parser = Parser(
        prog="rc",
        description="Play The Red Cathedral, let bots play it, and train, measure and study policies for it.",
        epilog="`rc COMMAND --help` shows the arguments of a command.",
    )
    parser.add_argument("--version", action="version", version=f"{PACKAGE} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, text) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in called:
            try:
                import_module(module).add_arguments(command)
            except ModuleNotFoundError as error:
                if left_out is None:
                    raise
                left_out(name, missing(error, name))
    return parser


def missing(error: ModuleNotFoundError, command: str = "") -> str:
    """Which module is missing, and how to install it: the extra that names its package, if one does.

    Of a command that needs more than that extra, all that it needs are named, so that one installation is enough.
    """
    module = str(error.name).partition(".")[0]
    package = OTHER_NAMES.get(module, module).replace("_", "-")
    try:
        required = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        required = []
    for line in required:
        found = re.match(rf"{re.escape(package)}\b.*extra == ['\"]([\w-]+)['\"]", line, re.IGNORECASE)
        if found:
            extra = EXTRAS.get(command, found[1])
            noun = "extras" if "," in extra else "extra"
            return f"no module {module} found, expected the {noun} {extra}: pip install '{PACKAGE}[{extra}]'"
    return f"no module {module} found, expected it to be installed"


if __name__ == "__main__":
    sys.exit(main())
