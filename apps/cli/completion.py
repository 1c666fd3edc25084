"""Print a script for completing commands and options in a shell. The command `rc completion`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from rc_env.apps.cli import rc

SHELLS = {
    "bash": "rc completion bash > ~/.rc.completion.bash, which ~/.bashrc sources",
    "zsh": "rc completion zsh > ~/.zfunc/_rc, where ~/.zfunc is in fpath",
    "tcsh": "rc completion tcsh > ~/.rc.completion.csh, which ~/.tcshrc sources",
    "fish": "rc completion fish > ~/.config/fish/completions/rc.fish",
}
"""Shells, and the place of the script for each of them."""
FILES, FOLDERS = ("FILE", "OUT", "model"), ("DIR", "FOLDER")
"""Arguments that name files and folders, by what the help calls them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc completion`."""
    parser.add_argument("shell", choices=tuple(SHELLS), help="shell that the script is for")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "To install it:\n" + "\n".join(f"  {words}" for words in SHELLS.values())


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions(command)


def main(args: argparse.Namespace) -> int:
    """`rc completion`: print the script. Options of commands whose packages are not installed are left out, with a note
    to stderr."""
    import shtab

    def left_out(command: str, sentence: str) -> None:
        print(f"rc completion: the options of rc {command} are left out: {sentence}", file=sys.stderr)

    parser = rc.build_parser(tuple(rc.COMMANDS), left_out)
    for action in actions(parser):
        name = action.metavar or action.dest
        if name in FILES or name in FOLDERS:
            action.complete = shtab.FILE if name in FILES else shtab.DIRECTORY  # type: ignore[attr-defined]
    print(shtab.complete(parser, shell=args.shell))
    return 0
