"""The block of docs/uncertainty.md that lists every range, written from `ranges`.

`python -m rc_env.card_sets.ranges_page` writes it anew; a test checks that page and rows agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from rc_env import files
from rc_env.card_sets.ranges import BASE, EXPANSION, Unknown

COMMAND = "python -m rc_env.card_sets.ranges_page"
PAGE = Path(__file__).parents[2] / "docs" / "uncertainty.md"
BEGIN = "<!-- ranges: begin; written from rc_env/card_sets/ranges.py -->"
END = "<!-- ranges: end -->"
HEAD = "| table | what is drawn | values and odds | why |\n| --- | --- | --- | --- |\n"


def ranges_page(page: str) -> str:
    """Return the page with its generated block replaced.

    Raises:
        ValueError: the page lacks one of the markers.
    """
    head, begins, rest = page.partition(BEGIN)
    _, ends, tail = rest.partition(END)
    if not begins or not ends:
        raise ValueError(f"page: no {END if begins else BEGIN} found, expected both markers")
    return f"{head}{BEGIN}\n\n{ranges_text()}\n{END}{tail}"


def ranges_text() -> str:
    """A row for each range of the base game, then of the expansion."""
    return f"Base game:\n\n{HEAD}{_rows(BASE)}\nExpansion:\n\n{HEAD}{_rows(EXPANSION)}"


def _rows(ranges: Mapping[str, Unknown]) -> str:
    return "".join(f"| `{row.table}` | {row.what} | {_odds(row)} | {row.why} |\n" for row in ranges.values())


def _odds(row: Unknown) -> str:
    """The values with their odds, grouped by equal odds."""
    if not row.odds:
        return "everything possible, uniformly"
    total = sum(row.odds.values())
    together: dict[Fraction, list[str]] = {}
    for value, weight in row.odds.items():
        together.setdefault(Fraction(weight, total), []).append(_word(value))
    each = "each " if len(together) == 1 and total > 1 else ""
    return "; ".join(
        f"{', '.join(values)}: {each or ('each ' if len(values) > 1 else '')}{share}"
        for share, values in together.items()
    )


def _word(value: object) -> str:
    return {"True": "yes", "False": "no"}.get(str(value), str(value).replace("_", " "))


def main(path: Path = PAGE) -> None:
    """Write the block of the page anew."""
    files.write(path, ranges_page(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
