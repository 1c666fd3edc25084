"""Results of the benchmark as a table in Markdown: `python bench/benchmark_table.py FILE...` prints it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rc_env import files
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
    cells, figures = result["cells"], PROTOCOLS[result["protocol"]].figures
    # The figures are those of the line: the file has two digits after the point, which may round otherwise.
    line = dict(word.split("=", 1) for word in result["line"].split(" ") if "=" in word)
    played = [" / ".join(map(_figure, line[name].split("/"))) for name in figures]
    if "solo" in figures:
        prestige = {cell["workshop"]: f"{cell['prestige']:.1f}" for cell in cells if cell["players"] == 1}
        played.append(" / ".join(prestige.get(workshop, "–") for workshop in WORKSHOPS))
    label = result["label"]
    games = most_games(result["protocol"]) if label == "standard" else int(label.removeprefix("games="))
    return f"`{result['bot']}`", f"{games:,}", *played, _figure(line["score"])


def _figure(word: str) -> str:
    if word == "-":
        return "–"
    value, half = word.split("±")
    return f"{value} ± " + ("< 0.1" if half == "0.0" else half)  # no interval has a width of zero


def _value(value: list[float] | None) -> float:
    return -1.0 if value is None else value[0]


def main() -> None:
    """Print the table of the files that are named."""
    parser = argparse.ArgumentParser(description="Results of the benchmark as a table in Markdown.")
    parser.add_argument("file", type=Path, nargs="+", help="as `rc benchmark --json` writes it; all of one protocol")
    args = parser.parse_args()
    try:
        results = [json.loads(files.read(file)) for file in args.file]
        print(benchmark_table(results), end="")
    except OSError as error:
        parser.exit(2, f"benchmark_table: {error}\n")
    except (ValueError, LookupError, TypeError, AttributeError):
        parser.exit(
            2, "benchmark_table: the files must be results of one protocol, as `rc benchmark --json` wrote them\n"
        )


if __name__ == "__main__":
    main()
