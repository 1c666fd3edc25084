"""Writes tables as the text of a data file: a few lines of our own, so that a file's bytes and digest never change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rc_env.card_sets.fact import in_words

MOST = 100  # characters of a value in one line


def toml_text(tables: Mapping[str, Mapping[str, Any]], heading: str, notes: Mapping[str, str]) -> str:
    """TOML text, with one paragraph per table.

    Args:
        tables: the tree, of tables, lists, words, whole numbers, true and false.
        heading: comment at the top, of one or more lines.
        notes: a comment for each table that has one.
    """
    lines = [f"# {line}" for line in heading.splitlines()]
    for name, table in tables.items():
        lines += ["", f"[{name}]" + (f"  # {notes[name]}" if name in notes else "")]
        for key, value in table.items():
            lines += _entry(key, value)
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any) -> list[str]:
    """A key with its value: in one line if that is short enough, else with one entry of the list per line."""
    line = f"{key} = {in_words(value)}"
    if len(line) <= MOST or not isinstance(value, list):
        return [line]
    if all(isinstance(one, int) for one in value):
        return [f"{key} = [", *(f"  {', '.join(map(str, value[i : i + 16]))}," for i in range(0, len(value), 16)), "]"]
    return [f"{key} = [", *(f"  {in_words(one)}," for one in value), "]"]
