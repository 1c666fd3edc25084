"""Sets up the workers, the progress bar and the journal of commands that play games in worker processes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rc_env.apps.cli.options import bar, chosen_workers, open_journal
from rc_env.arena import jobs
from rc_env.arena.journal import kept
from rc_env.ruleset import Ruleset


@contextmanager
def playing(
    args: argparse.Namespace,
    out: Path | None,
    ruleset: Ruleset,
    total: int | None = None,
    name: str | None = None,
    finished: str = "results.json",
) -> Iterator[tuple[jobs.Workers, Any]]:
    """Context with workers and a progress bar, for a block that plays games and writes the results.

    The journal keeps the games until the block ends; if it is interrupted or fails, `--resume` continues.

    Args:
        args: of the command, `--workers` among them.
        out: folder for the results; None if they are not written.
        ruleset: the variant, or one of several.
        total: how many games are played, if that is known.
        name: of the journal, by default that of the command.
        finished: a file of the results, which is not overwritten without being asked.
    """
    workers = chosen_workers(args)
    with (
        kept(open_journal(args, out, ruleset, name, finished)) as journal,
        bar(total) as shown,
        jobs.Workers(workers, journal) as pool,
    ):
        yield pool, shown
