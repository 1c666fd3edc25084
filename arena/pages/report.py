"""A tournament as a page: what was played, the standings, who beat whom, and how to repeat it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rc_env import files
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, words


def build(result: dict[str, Any]) -> Page:
    """The page of a tournament, from what `results.to_dict` has made."""
    bots, players = result["bots"], result["players"]
    order = sorted(bots, key=lambda name: -bots[name]["rating"])
    page = Page(f"Arena: {len(bots)} bots, {players} players")
    page.text(
        f"**{result['games']:,} games**, {result['workshop']} workshops, seed {result['seed']}. Every deal was played "
        f"in all {players} seatings with the same dice; {result['deals']:,} different deals. Ties are split. Intervals "
        f"are of 95 %, bootstrapped over deals. A game took {result['turns_a_seat']:.1f} turns a seat"
        + (f"; {result['truncated']:.1%} reached the turn limit." if result["truncated"] else ".")
    )
    if result["stopped"]:
        page.text("**Stopped before its end.** What was played until then is counted.")
    for failure in result["failures"]:
        page.text(f"**Out:** {failure['sentence']}. What was played before is counted.")
    _standings(page, bots, order)
    _plots(page, result, order)
    _crosstable(page, result["crosstable"], order)
    page.heading("Again")
    page.text(f"`{result['command']}`")
    page.text(", ".join(f"{name} {value}" for name, value in result["versions"].items()))
    return page


def _standings(page: Page, bots: dict[str, Any], order: Sequence[str]) -> None:
    page.heading("Standings")
    page.table(
        ("bot", "games", "won", "95 %", "prestige", "margin", "rank", "rating", "95 %"),
        [
            (
                name,
                f"{bot['games']:,}",
                words(bot["win_share"], ".1%"),
                span(bot["low"], bot["high"], ".1%"),
                words(bot["prestige"], ".1f"),
                words(bot["margin"], "+.1f"),
                words(bot["rank"], ".2f"),
                words(bot["rating"], "+.0f"),
                span(bot["rating_low"], bot["rating_high"], "+.0f"),
            )
            for name in order
            for bot in [bots[name]]
        ],
    )


def _plots(page: Page, result: dict[str, Any], order: Sequence[str]) -> None:
    """Win share, rating and margin of every bot that has played, and the crosstable in colours."""
    bots, players = result["bots"], result["players"]
    known = [name for name in order if bots[name]["low"] is not None]

    def of(key: str) -> list[float]:
        return [bots[name][key] for name in known]

    shares = of("win_share"), of("low"), of("high")
    fair = f"games won, % (a fair share is {100 / players:.0f} %)"
    page.plot("win_share", "Win share", plots.dots(known, *shares, fair, reference=1 / players, percent=True))
    rated = of("rating"), of("rating_low"), of("rating_high")
    page.plot("rating", "Rating", plots.dots(known, *rated, "points; 400 more are odds of 10 to 1", reference=0))
    cells = [[_cell(result["crosstable"][row].get(column)) for column in order] for row in order]
    caption = "Who beat whom: how often the row finished before the column, %"
    page.plot("crosstable", caption, plots.heat(order, cells, "against"))
    margins = of("margin"), of("margin_low"), of("margin_high")
    page.plot("margin", "Margin", plots.dots(known, *margins, "prestige above the mean of the others", reference=0))


def _cell(share: float | None) -> float:
    return float("nan") if share is None else share


def _crosstable(page: Page, crosstable: dict[str, Any], order: Sequence[str]) -> None:
    page.heading("Crosstable")
    page.table(
        ("finished before", *(str(i + 1) for i in range(len(order)))),
        [
            (f"{i + 1} {row}", *("·" if row == column else words(crosstable[row][column], ".1%") for column in order))
            for i, row in enumerate(order)
        ],
    )


def write(folder: Path, result: dict[str, Any], page: Page | None = None) -> None:
    """Write results.json, report.md with its plots as files, and report.html, which needs no other file.

    Raises:
        OSError: the folder cannot be written to.
    """
    page = build(result) if page is None else page
    files.write(folder / "results.json", json.dumps(result, indent=1) + "\n")
    files.write(folder / "report.md", page.markdown(""))
    files.write(folder / "report.html", page.html())
    for name, svg in page.plots.items():
        files.write(folder / f"{name}.svg", svg)
