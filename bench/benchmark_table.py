"""Results of the benchmark as a table in Markdown: `python bench/benchmark_table.py FILE...` prints it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rc_env.ruleset import WORKSHOPS

HEADINGS = ("bot", "games a cell", "2p", "3p", "4p", "solo", "solo prestige", "score")


def benchmark_table(results: Sequence[dict[str, Any]]) -> str:
    """One row per bot, the best with two players and basic workshops first.

    Args:
        results: what `rc benchmark --json` wrote.
    """
    ordered = sorted(results, key=lambda one: -_value(one["variants"]["2 basic"]))
    lines = [HEADINGS, ("---", *["---:"] * (len(HEADINGS) - 1)), *map(row_of, ordered)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def row_of(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of a result's row, as `HEADINGS` names them."""
    variants, cells = result["variants"], result["cells"]
    played = [
        " / ".join(_figure(variants[f"{players} {workshop}"]) for workshop in WORKSHOPS) for players in (2, 3, 4, 1)
    ]
    prestige = {cell["workshop"]: f"{cell['prestige']:.1f}" for cell in cells if cell["players"] == 1}
    games = "10,000" if result["label"] == "standard" else f"{int(result['label'].removeprefix('games=')):,}"
    solo = " / ".join(prestige.get(workshop, "–") for workshop in WORKSHOPS)
    return f"`{result['bot']}`", games, *played, solo, _figure(result["score"])


def _figure(value: list[float] | None) -> str:
    # As a float 88.55 is slightly less and would be rounded down; the line, made from more digits, says 88.6.
    if value is None:
        return "–"
    half = f"± {value[1] + 1e-9:.1f}" if value[1] >= 0.05 else "± < 0.1"  # no interval has a width of zero
    return f"{value[0] + 1e-9:.1f} {half}"


def _value(value: list[float] | None) -> float:
    return -1.0 if value is None else value[0]


if __name__ == "__main__":
    print(benchmark_table([json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]), end="")
