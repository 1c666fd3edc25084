"""A tournament as a page: what was played, the standings, who beat whom, and how to repeat it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rc_env.training.pages import plots
from rc_env.training.pages.page import Page, span, words


def build(told: dict[str, Any]) -> Page:
    """The page of what `results.to_dict` tells."""
    bots, players = told["bots"], told["players"]
    order = sorted(bots, key=lambda name: -bots[name]["rating"])
    page = Page(f"Arena: {len(bots)} bots, {players} players")
    page.text(
        f"**{told['games']:,} games**, {told['workshop']} workshops, seed {told['seed']}. Every deal was played in all "
        f"{players} seatings with the same dice; {told['deals']:,} different deals. Ties are split. Intervals are of "
        f"95 %, bootstrapped over deals. A game took {told['turns_a_seat']:.1f} turns a seat"
        + (f"; {told['truncated']:.1%} reached the turn limit." if told["truncated"] else ".")
    )
    if told["stopped"]:
        page.text("**Stopped before its end.** What was played until then is counted.")
    for failure in told["failures"]:
        page.text(f"**Out:** {failure['sentence']}. What was played before is counted.")
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
    known = [name for name in order if bots[name]["low"] is not None]

    def of(key: str) -> list[float]:
        return [bots[name][key] for name in known]

    shares = of("win_share"), of("low"), of("high")
    fair = f"games won, % (a fair share is {100 / players:.0f} %)"
    page.plot("win_share", "Win share", plots.dots(known, *shares, fair, reference=1 / players, percent=True))
    rated = of("rating"), of("rating_low"), of("rating_high")
    page.plot("rating", "Rating", plots.dots(known, *rated, "points; 400 more are odds of 10 to 1", reference=0))
    page.plot(
        "crosstable",
        "Who beat whom: how often the row finished before the column, %",
        plots.heat(order, [[_cell(told, row, column) for column in order] for row in order], "against"),
    )
    margins = of("margin"), of("margin_low"), of("margin_high")
    page.plot("margin", "Margin", plots.dots(known, *margins, "prestige above the mean of the others", reference=0))
    page.heading("Crosstable")
    page.table(
        ("finished before", *(str(i + 1) for i in range(len(order)))),
        [
            (
                f"{i + 1} {row}",
                *("·" if row == column else words(told["crosstable"][row][column], ".1%") for column in order),
            )
            for i, row in enumerate(order)
        ],
    )
    page.heading("Again")
    page.text(f"`{told['command']}`")
    page.text(", ".join(f"{name} {value}" for name, value in told["versions"].items()))
    return page


def _cell(told: dict[str, Any], row: str, column: str) -> float:
    share = told["crosstable"][row].get(column)
    return float("nan") if share is None else share


def write(folder: Path, told: dict[str, Any], page: Page | None = None) -> None:
    """results.json, report.md with its plots as files, and report.html, which needs nothing else.

    Raises:
        OSError: the folder cannot be written to.
    """
    page = build(told) if page is None else page
    (folder / "results.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(page.markdown(""), encoding="utf-8")
    (folder / "report.html").write_text(page.html(), encoding="utf-8")
    for name, svg in page.plots.items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
