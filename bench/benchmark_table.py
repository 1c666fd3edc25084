"""Results of the benchmark as a table in Markdown: `python bench/benchmark_table.py FILE...` prints it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rc_env.arena.studies import benchmark
from rc_env.ruleset import WORKSHOPS

PROTOCOLS = {protocol.name: protocol for protocol in benchmark.PROTOCOLS}


def benchmark_table(results: Sequence[dict[str, Any]]) -> str:
    """One row per bot, the best with two players and basic workshops first.

    Args:
        results: one or more of the same protocol, as `rc benchmark --json` wrote them.
    """
    ordered = sorted(results, key=lambda one: -_value(one["variants"]["2 basic"]))
    named = headings(results[0]["protocol"])
    lines = [named, ("---", *["---:"] * (len(named) - 1)), *map(row_of, ordered)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def headings(protocol: str) -> tuple[str, ...]:
    """The headings of a protocol's table."""
    figures = PROTOCOLS[protocol].figures
    return ("bot", "games a cell", *figures, *(["solo prestige"] if "solo" in figures else []), "score")


def most_games(protocol: str) -> int:
    """The games of a protocol's largest cells."""
    return max(cell.games for cell in benchmark.PROTOCOLS[PROTOCOLS[protocol]])


def row_of(result: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of a result's row, as `headings` names them."""
    variants, cells = result["variants"], result["cells"]
    figures = PROTOCOLS[result["protocol"]].figures
    played = [" / ".join(_figure(variants[variant]) for variant in of_one) for of_one in figures.values()]
    if "solo" in figures:
        prestige = {cell["workshop"]: f"{cell['prestige']:.1f}" for cell in cells if cell["players"] == 1}
        played.append(" / ".join(prestige.get(workshop, "–") for workshop in WORKSHOPS))
    label = result["label"]
    games = most_games(result["protocol"]) if label == "standard" else int(label.removeprefix("games="))
    return f"`{result['bot']}`", f"{games:,}", *played, _figure(result["score"])


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
