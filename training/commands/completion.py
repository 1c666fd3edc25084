"""Completion of commands and options in a shell. The command `rc completion`."""

from __future__ import annotations

import argparse
import sys

from rc_env.training.commands import cli

SHELLS = {
    "bash": "rc completion bash > ~/.local/share/bash-completion/completions/rc",
    "zsh": "rc completion zsh > ~/.zfunc/_rc, where ~/.zfunc is in fpath",
    "tcsh": "rc completion tcsh > ~/.rc.completion.csh, which ~/.tcshrc sources",
    "fish": "rc completion fish > ~/.config/fish/completions/rc.fish",
}
"""Shells, and where each looks for the script."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc completion`."""
    parser.add_argument("shell", choices=tuple(SHELLS), help="shell that the script is for")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "To install it:\n" + "\n".join(f"  {words}" for words in SHELLS.values())


def main(args: argparse.Namespace) -> int:
    """`rc completion`: options of commands whose packages are not installed are left out, which stderr says."""
    import shtab

    def left_out(command: str, sentence: str) -> None:
        print(f"rc completion: the options of rc {command} are left out: {sentence}", file=sys.stderr)

    print(shtab.complete(cli.build_parser(tuple(cli.COMMANDS), left_out), shell=args.shell))
    return 0
