"""List the bots. The command `rc bots`."""

from __future__ import annotations

import argparse
import json

from rich.console import Console
from rich.table import Table

from rc_env import agents


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc bots`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def main(args: argparse.Namespace) -> int:
    """`rc bots`."""
    bots = {name: agents.about(name) for name in agents.names()}
    if args.json:
        listed = {name: {"about": text, "settings": settings} for name, (text, settings) in bots.items()}
        print(json.dumps({"bots": listed, "all_rounder": agents.ALL_ROUNDER}, indent=2))
        return 0
    table = Table(caption="On a command line a bot is its NAME, or NAME:SETTING=VALUE,… as in search:simulations=50.")
    for heading in ("bot", "what it does", "settings"):
        table.add_column(heading)
    for name, (text, settings) in bots.items():
        table.add_row(name, text, ", ".join(f"{key}={value}" for key, value in settings.items()))
    Console().print(table)
    return 0
