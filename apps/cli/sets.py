"""Helpers for commands that measure many sets of cards: `--data sample:0-63`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from rc_env.arena.over_sets import OverSets, errors_of, over_sets
from rc_env.arena.pages.page import span
from rc_env.ruleset import Ruleset

Parts = dict[str, Any]
"""The results of a command by set, in the order of the sets."""


def set_names(rulesets: Sequence[Ruleset]) -> list[str]:
    """The names of sets: the name of the drawn data file, with that of the expansion's file if it is drawn, too."""
    names = []
    for ruleset in rulesets:
        words = [str(getattr(ruleset, name)) for name in ("data", "expansion_data")]
        drawn = [word for word in words if word.startswith("sample-")]
        names.append(" + ".join(dict.fromkeys(drawn)))
    return names


def check_several(args: argparse.Namespace, count: int, *refused: str) -> None:
    """Refuse options that a command does not know with several sets.

    Raises:
        ValueError: there is one.
    """
    for name in refused:
        if getattr(args, name) not in (None, False):
            raise ValueError(f"--{name}: found with {count} sets of cards, expected it with one")


def joined(entries: Iterable[dict[str, Any]], key: str, low: str, high: str) -> OverSets | None:
    """Generalise a figure, given with its interval for each set, over the sets; None if some set lacks it.

    "win_share" is a share from 0 to 1.
    """
    rows = [(entry[key], entry[low], entry[high]) for entry in entries]
    if any(value is None for row in rows for value in row):
        return None
    values, lows, highs = np.array(rows, np.float64).T
    return over_sets(values, errors_of(lows, highs), (0, 1) if key == "win_share" else (-np.inf, np.inf))


def write(out: Path | None, result: dict[str, Any], build: Callable[[dict[str, Any]], Any]) -> None:
    """Write the results and their page to a folder, if there is one."""
    if out is not None:
        from rc_env.arena.pages import report  # here, since matplotlib takes a second

        report.write(out, result, build(result))


def show(
    args: argparse.Namespace,
    result: dict[str, Any],
    rows: Iterable[tuple[str, dict[str, Any] | None, str]],
    out: Path | None,
) -> None:
    """Print the results as JSON, or a table of what holds over the sets: a name, its figures and their format."""
    if args.json:
        print(json.dumps(result, indent=1))
        return
    table = Table(
        title=f"{len(result['sets'])} sets of cards, {result['players']} players, {result['workshop']}, "
        f"seed {result['seed']}",
        caption="The mean over the sets with its 95 % interval; the range that contains 90 % of the sets, without "
        "sampling errors.",
        box=SIMPLE,
        pad_edge=False,
    )
    table.add_column("", overflow="fold", min_width=12)
    for heading in ("mean", "95 %", "90 % of the sets", "sampling error"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, figure, form in rows:
        if figure is None:
            table.add_row(name, "–", "–", "–", "–")
            continue
        table.add_row(
            name,
            format(figure["mean"], form),
            span(figure["mean_low"], figure["mean_high"], form),
            span(figure["low"], figure["high"], form),
            format(figure["error"], form.replace("+", "")),
        )
    Console().print(table)
    if out is not None:
        print(f"Written to {out}: results.json, report.md, report.html")
