"""What commands print: tables of figures, and results as tables or as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from rc_env.arena.pages.report import Result

Found = TypeVar("Found", bound=Result)
REPORT = "results.json, report.md, report.html"


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str | None = None,
    caption: str | None = None,
    console: Console | None = None,
    folded: int = 1,
) -> None:
    """Print a table; all but the first column, or so many, are set to the right and not folded."""
    table = Table(title=title, caption=caption, box=SIMPLE, pad_edge=False)
    for place, heading in enumerate(headings):
        if place < folded:
            table.add_column(heading, overflow="fold", min_width=12 if place == folded - 1 else None)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    (console or Console()).print(table)


def print_result(
    args: argparse.Namespace, result: Found, show: Callable[[Found], object], out: Path | None, files: str = REPORT
) -> None:
    """Print results as JSON where `--json` asks for it, else as `show` does, with the files that were written."""
    if args.json:
        print(json.dumps(result.as_json(), indent=1))
        return
    show(result)
    if out is not None:
        print(f"Written to {out}: {files}")
