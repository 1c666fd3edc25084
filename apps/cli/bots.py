"""List the bots. The command `rc bots`."""

from __future__ import annotations

import argparse
import json
import shutil
from textwrap import wrap
from typing import Any

from rc_env import agents


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc bots`."""
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def main(args: argparse.Namespace) -> int:
    """`rc bots`."""
    bots: dict[str, tuple[str, dict[str, Any]]] = {}
    for name in sorted({*agents.names(), *agents.installed()}):
        try:
            bots[name] = agents.about(name)
        except ValueError as error:  # of an installed package that cannot be imported
            bots[name] = str(error), {}
    if args.json:
        listed = {name: {"about": text, "settings": settings} for name, (text, settings) in bots.items()}
        print(json.dumps({"bots": listed, "all_rounder": agents.ALL_ROUNDER}, indent=2))
        return 0
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    left = max(map(len, bots)) + 2
    for name, (text, settings) in bots.items():
        given = ", ".join(f"{key}={value}" for key, value in settings.items())
        lines = wrap(text, width - left) + (wrap(f"settings: {given}", width - left) if given else [])
        for first, line in zip([name, *[""] * len(lines)], lines, strict=False):
            print(f"{first:<{left}}{line}")
    print("\nOn a command line a bot is its NAME, or NAME:SETTING=VALUE,… as in search:simulations=50.")
    return 0
