"""Compares the strength of bots with the time that they take: the ratings of `rc arena` beside seconds per decision.

`python bench/strength.py RESULTS [RESULTS ...] --out docs` reads `results.json` files of `rc arena`, one for each
variant, and measures how long each bot takes to decide in the middle of 16 games. It writes a table and a plot for
each file between the markers of `strength.md` in that folder. Times are those of the machine on which it runs, so it
should do nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rc_env import agents, checks, files
from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, with_block, words
from rc_env.arena.studies.benchmark import seconds_per_decision
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset

FILE = "strength.md"
MARKERS = "<!-- ratings: begin; written by bench/strength.py -->", "<!-- ratings: end -->"
REPEATS = 5

Result = dict[str, Any]
Times = dict[str, dict[str, float]]


def times(result: Result, repeats: int = REPEATS, trusted: Collection[str] = ()) -> Times:
    """Measure seconds per decision of each bot of a tournament.

    Args:
        result: the content of a `results.json` of `rc arena`.
        repeats: number of measurements, of which the median counts.
        trusted: bots that the results may name beside the registered ones; see `rc_env.agents.of_file`.

    Returns:
        By bot: "one at a time" and "16 at a time", seconds per decision.

    Raises:
        ValueError: a bot cannot be made, or refuses the variant, or is not one that a file may name.
    """
    checks.whole_number("repeats", repeats, 1, 1000)
    ruleset = Ruleset(result["players"], result["workshop"], data=result["data"])
    found: Times = {}
    for name in result["bots"]:
        bot = agents.from_text(agents.of_file(name, "the results", trusted))
        # The first measurement compiles the rules and is left out.
        _, *each = (seconds_per_decision(bot, Engine(ruleset, 16, seed=1)) for _ in range(repeats + 1))
        found[name] = {how: float(np.median([one[how] for one in each])) for how in each[0]}
    return found


def build(results: Sequence[Result], measured: Sequence[Times]) -> Page:
    """Build the page: a section with a table and a plot for each tournament and its times."""
    page = Page("Strength")
    for result, seconds in zip(results, measured, strict=True):
        bots = result["bots"]
        order = sorted(bots, key=lambda name: -bots[name]["rating"])
        ratings = {name: Figure(*(bots[name][key] for key in ("rating", "rating_low", "rating_high"))) for name in bots}
        page.heading(f"{result['players']} players, {result['workshop']} workshops")
        page.text(f"{result['games']:,} games, {result['deals']:,} different deals: `{result['command']}`")
        page.table(
            ("bot", "rating", "95 %", "games won", "one decision", "in a batch of 16"),
            [
                (
                    f"{place} {name}",
                    words(ratings[name].mean, "+.0f"),
                    span(ratings[name], "+.0f"),
                    f"{bots[name]['win_share']:.1%}",
                    duration(seconds[name]["one at a time"]),
                    duration(seconds[name]["16 at a time"]),
                )
                for place, name in enumerate(order, 1)
            ],
        )
        page.plot(
            f"{result['players']}-{result['workshop']}",
            f"{result['players']} players: rating by seconds per decision; the numbers are those of the table",
            plots.labelled(
                [str(place) for place in range(1, len(order) + 1)],
                [seconds[name]["16 at a time"] for name in order],
                [ratings[name] for name in order],
                "seconds per decision, in a batch of 16",
                "rating",
            ),
        )
    return page


def duration(seconds: float) -> str:
    """A time in the unit that suits it, with two significant digits."""
    units = ((1, "s"), (1e3, "ms"), (1e6, "µs"))
    factor, unit = next((one for one in units if seconds * one[0] >= 0.995), units[-1])
    return f"{float(f'{seconds * factor:.2g}'):g} {unit}"


def main(said: Sequence[str] | None = None) -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description="Compare the strength of bots with the time that they take.")
    parser.add_argument("results", nargs="+", type=Path, metavar="RESULTS", help="results.json of `rc arena --out`")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=f"folder with {FILE}")
    parser.add_argument("--repeats", type=int, default=REPEATS, help=f"measurements of each bot (default: {REPEATS})")
    parser.add_argument("--trust", nargs="+", default=[], metavar="BOT", help="bots of your own that the files name")
    args = parser.parse_args(said)
    try:
        file = args.out / FILE
        text = file.read_text(encoding="utf-8")
        results = [_read(path) for path in args.results]
        page = build(results, [times(result, args.repeats, args.trust) for result in results])
        files.write(file, with_block(text, MARKERS, page, "strength-"))
        for name, svg in page.plots.items():
            files.write(args.out / f"strength-{name}.svg", svg)
    except (OSError, ValueError) as error:
        parser.exit(2, f"strength: {error}\n")


def _read(path: Path) -> Result:
    """The results of a tournament from a file.

    Raises:
        ValueError: the file holds something else.
    """
    expected = "a results.json that `rc arena --out` wrote"
    try:
        result = json.loads(files.read(path))
    except ValueError:
        raise ValueError(f"{path} is not {expected}") from None
    if not isinstance(result, Mapping) or not {"bots", "players", "workshop", "data", "command"} <= set(result):
        raise ValueError(f"{path} is not {expected}")
    return dict(result)


if __name__ == "__main__":
    main()
