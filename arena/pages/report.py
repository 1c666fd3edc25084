"""A tournament as a page: what was played, the standings, who beat whom, and how to repeat it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from rc_env import files
from rc_env.arena import results
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, words
from rc_env.arena.results import ArenaResult, LuckAdjusted
from rc_env.ruleset import Ruleset
from rc_env.words.additions import additions


class Result(Protocol):
    """What a command has measured."""

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        ...


def build(result: ArenaResult) -> Page:
    """The page of a tournament."""
    ruleset = result.ruleset
    page = Page(f"Arena: {len(result.bots)} bots, {ruleset.players} players")
    page.text(
        f"**{result.games:,} games**, {ruleset.workshop} workshops{additions(ruleset)}, seed {result.schedule.seed}. "
        f"Every deal was played in all {ruleset.players} seatings with the same dice; {result.deals:,} different "
        "deals. Ties are split. Intervals are of 95 %, bootstrapped over deals. A game took "
        f"{result.turns_a_seat:.1f} turns a seat"
        + (f"; {result.truncated:.1%} reached the turn limit." if result.truncated else ".")
    )
    if result.stopped:
        page.text("**Stopped before its end.** What was played until then is counted.")
    for failure in result.failures:
        page.text(f"**Out:** {failure.sentence}. What was played before is counted.")
    _standings(page, result)
    if result.luck_adjusted is not None:
        page.heading("Less the luck of the rolls")
        page.table(ADJUSTED, adjusted_rows(result))
        page.text(ABOUT_LUCK)
    _plots(page, result)
    _crosstable(page, result)
    again(page, result.schedule.command, ruleset)
    return page


ADJUSTED = ("bot", "won", "95 %", "luck a game", "games saved")
ABOUT_LUCK = (
    "The share of games won less a part of the luck of the rolls, which is 0 on average, so that the expected share is "
    "the same. Games saved: so many fewer games give an interval as narrow as that of the plain share."
)


def adjusted_rows(result: ArenaResult) -> list[tuple[str, ...]]:
    """The luck-adjusted results as text cells."""
    less = result.luck_adjusted or {}
    return [(name, *adjusted_cells(less[name])) for name in result.order if name in less]


def adjusted_cells(less: LuckAdjusted) -> tuple[str, str, str, str]:
    """The cells of `ADJUSTED` after the name."""
    share = less.win_share
    return words(share.mean, ".1%"), span(share, ".1%"), words(less.luck.mean, "+.1%"), words(less.saved, ".0%")


def again(page: Page, command: str, ruleset: Ruleset) -> None:
    """Add the command that repeats the results, and the versions that they depend on."""
    page.heading("Again")
    page.text(f"`{command}`")
    page.text(", ".join(f"{name} {value}" for name, value in results.versions(ruleset).items()))


def _standings(page: Page, result: ArenaResult) -> None:
    page.heading("Standings")
    page.table(
        ("bot", "games", "won", "95 %", "prestige", "margin", "rank", "rating", "95 %"),
        [
            (
                name,
                f"{bot.games:,}",
                words(bot.win_share.mean, ".1%"),
                span(bot.win_share, ".1%"),
                words(bot.prestige.mean, ".1f"),
                words(bot.margin.mean, "+.1f"),
                words(bot.rank.mean, ".2f"),
                words(bot.rating.mean, "+.0f"),
                span(bot.rating, "+.0f"),
            )
            for name in result.order
            for bot in [result.bots[name]]
        ],
    )


def _plots(page: Page, result: ArenaResult) -> None:
    """Win share, rating and margin of every bot that has played, and the crosstable in colours."""
    order, players = result.order, result.ruleset.players
    known = [name for name in order if result.bots[name].win_share.low is not None]
    bots = [result.bots[name] for name in known]
    fair = f"games won, % (a fair share is {100 / players:.0f} %)"
    shares = [bot.win_share for bot in bots]
    page.plot("win_share", "Win share", plots.dots(known, shares, fair, reference=1 / players, percent=True))
    ratings = [bot.rating for bot in bots]
    page.plot("rating", "Rating", plots.dots(known, ratings, "points; 400 more are odds of 10 to 1", reference=0))
    cells = [[_cell(result, row, column) for column in order] for row in order]
    caption = "Who beat whom: how often the row finished before the column, %"
    page.plot("crosstable", caption, plots.heat(order, cells, "against"))
    margins = [bot.margin for bot in bots]
    page.plot("margin", "Margin", plots.dots(known, margins, "prestige above the mean of the others", reference=0))


def _cell(result: ArenaResult, row: str, column: str) -> float:
    share = None if row == column else result.crosstable[row][column].mean
    return float("nan") if share is None else share


def _crosstable(page: Page, result: ArenaResult) -> None:
    page.heading("Crosstable")
    order, cross = result.order, result.crosstable
    page.table(
        ("finished before", *(str(i + 1) for i in range(len(order)))),
        [
            (f"{i} {row}", *("·" if row == one else words(cross[row][one].mean, ".1%") for one in order))
            for i, row in enumerate(order, 1)
        ],
    )


def write(folder: Path, result: Result, page: Page) -> None:
    """Write results.json, report.md with its plots as files, and report.html, which needs no other file.

    Raises:
        OSError: the folder cannot be written to.
    """
    files.write(folder / "results.json", json.dumps(result.as_json(), indent=1) + "\n")
    files.write(folder / "report.md", page.markdown(""))
    files.write(folder / "report.html", page.html())
    for name, svg in page.plots.items():
        files.write(folder / f"{name}.svg", svg)
