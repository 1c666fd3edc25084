"""What commands print: tables of figures, and results as tables or as JSON."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from rich.box import SIMPLE
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Column, Table

from rc_env.arena.pages.page import Page
from rc_env.arena.pages.report import Result

Found = TypeVar("Found", bound=Result)
NAME = 12
"""The fewest characters of a column of names."""
WORDS = re.compile(r"\s+(?!–)")
"""What parts the words of a cell; a dash stays with the number before it."""
REPORT = "results.json, report.md, report.html"


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str | None = None,
    caption: str | None = None,
    console: Console | None = None,
    folded: int = 1,
) -> None:
    """Print a table; all but the first column, or so many, hold numbers and are set to the right.

    Where it is too wide, the last of the first columns is folded, then columns of numbers before their words. A table
    that is too wide even so becomes a paragraph a row. So no number is ever cut.
    """
    console, rows = console or Console(markup=False), list(rows)
    table = Table(title=title, caption=caption, box=SIMPLE, pad_edge=False)
    for place, heading in enumerate(headings):
        if place < folded:
            table.add_column(heading, overflow="fold", min_width=NAME if place == folded - 1 else None)
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)

    def longest(column: Column, parts: Callable[[str], list[str]]) -> int:
        return max((len(part) for cell in (column.header, *column.cells) for part in parts(str(cell))), default=0)

    def narrowest() -> int:
        whole = console.measure(table, options=console.options.update(width=10_000)).maximum
        return whole - max(0, longest(table.columns[folded - 1], str.splitlines) - NAME)

    for column in sorted(table.columns[folded:], key=lambda one: -longest(one, str.splitlines)):
        if narrowest() > console.width:
            column.no_wrap, column.width = False, longest(column, WORDS.split)
    if narrowest() <= console.width:
        console.print(table)
        return
    figures = (
        ", ".join(f"{heading} {' '.join(cell.split())}".strip() for heading, cell in zip(headings, row, strict=True))
        for row in rows
    )
    for line in filter(None, (title, *figures, caption)):
        console.print(line, highlight=False)
    console.print()


def print_page(page: Page) -> None:
    """Print the headings, paragraphs and tables of a page."""
    console = Console(markup=False)
    console.print(Markdown(f"# {page.title}"), "")
    for kind, content in page.blocks:
        if kind == "table":
            headings, rows = content
            print_table(headings, rows, console=console)
        elif kind != "plot":
            console.print(Markdown(f"## {content[0]}" if kind == "heading" else content[0]), "")


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
