"""Helpers for commands that measure many sets of cards: `--data sample:0-63`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from rc_env.apps.cli.output import print_table
from rc_env.arena.over_sets import OverSets
from rc_env.arena.pages.sets import figures
from rc_env.arena.results import ArenaOverSets
from rc_env.arena.studies.levels import LevelsOverSets


def check_several(args: argparse.Namespace, count: int, *refused: str) -> None:
    """Refuse options that a command does not know with several sets.

    Raises:
        ValueError: there is one.
    """
    for name in refused:
        if getattr(args, name) not in (None, False):
            raise ValueError(f"--{name} has no meaning with {count} sets of cards, only with one")


def show(result: ArenaOverSets | LevelsOverSets, rows: Iterable[tuple[str, OverSets | None, str]]) -> None:
    """Print a table of what holds over the sets: a name, its figures and their format."""
    ruleset = result.ruleset
    cells = (figures(*row) for row in rows)
    print_table(
        ("", "mean", "95 %", "90 % of the sets", "sampling error"),
        [(name, mean, interval, spread, error) for name, mean, interval, spread, _, error in cells],
        f"{len(result.sets)} sets of cards, {ruleset.players} players, {ruleset.workshop}, seed {result.seed}",
        "The mean over the sets with its 95 % interval; the range that contains 90 % of the sets, without sampling "
        "errors.",
    )
