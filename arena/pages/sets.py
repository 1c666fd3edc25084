"""Pages of results for many sets of cards: what holds over the sets, and a plot of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span

Result = dict[str, Any]
HEADINGS = ("", "mean", "95 %", "90 % of the sets", "spread", "sampling error")
COLUMNS = (
    "The tables give the mean over all sets that might be drawn, with its 95 % interval; the range that contains 90 % "
    "of the sets, without sampling errors; the standard deviation of the sets, and the usual sampling error of one "
    "set's figure."
)
"""What the columns mean, in words."""


def figures(name: str, figure: Result | None, form: str) -> tuple[str, ...]:
    """A row of the table: mean and range over the sets."""
    if figure is None:
        return (name, *("–" for _ in HEADINGS[1:]))
    bare = form.replace("+", "")
    return (
        name,
        format(figure["mean"], form),
        span(figure["mean_low"], figure["mean_high"], form),
        span(figure["low"], figure["high"], form),
        format(figure["spread"], bare),
        format(figure["error"], bare),
    )


def introduction(page: Page, result: Result) -> None:
    """Add an introduction that says what was measured and how to read it."""
    page.text(
        f"**{len(result['sets'])} sets of cards**, {result['players']} players, {result['workshop']} workshops, seed "
        f"{result['seed']}. Each set was drawn from the ranges of docs/uncertainty.md and measured by itself. {COLUMNS}"
    )


def ending(page: Page, result: Result) -> None:
    """Add the command that repeats the study."""
    page.heading("Again")
    page.text(f"`{result['command']}`")


def first_player(result: Result) -> Page:
    """The page of `rc first-player` for many sets."""
    page = Page("The first player's advantage over many sets of cards")
    introduction(page, result)
    for bot, found in result["over_sets"].items():
        page.heading(bot)
        page.table(HEADINGS, [figures(f"seat {i} won", one, ".1%") for i, one in enumerate(found["seats"], 1)])
        if "equal" in found:
            page.text("Rubles on top of the printed ones at which the seats are equal:")
            page.table(HEADINGS, [figures(f"seat {i}", one, "+.2f") for i, one in enumerate(found["equal"], 2)])
        seats = [part["levels"][bot]["seats"][0] for part in result["sets"].values()]
        values, low, high = ([seat[key] for seat in seats] for key in ("win_share", "low", "high"))
        first = found["seats"][0]
        page.plot(
            f"seat-{len(page.plots) + 1}",
            f"{bot}: games won by seat 1, %; the band holds 90 % of the sets",
            plots.spread(
                values, low, high, (first["low"], first["high"]), "games won by seat 1, %",
                reference=1 / result["players"], percent=True,
            ),
        )  # fmt: skip
    ending(page, result)
    return page


def arena(result: Result) -> Page:
    """The page of `rc arena` for many sets."""
    page = Page(f"Arena over many sets of cards: {len(result['over_sets'])} bots")
    introduction(page, result)
    order = sorted(
        result["over_sets"], key=lambda name: -(result["over_sets"][name]["win_share"] or {"mean": 0})["mean"]
    )
    page.heading("Games won")
    page.table(HEADINGS, [figures(name, result["over_sets"][name]["win_share"], ".1%") for name in order])
    known = [name for name in order if result["over_sets"][name]["win_share"] is not None]
    shares = [result["over_sets"][name]["win_share"] for name in known]
    page.plot(
        "sets",
        "Games won, %: mean over the sets, and the range of 90 % of them",
        plots.dots(
            known,
            *_columns(shares, "mean", "low", "high"),
            "games won, %",
            reference=1 / result["players"],
            percent=True,
        ),
    )
    page.heading("Who is ahead of whom")
    page.text("In how many sets the row won more games than the column, of those in which both played.")
    page.table(
        ("ahead of", *(str(i + 1) for i in range(len(order)))),
        [
            (f"{i} {row}", *("·" if row == other else _share(result["ahead"][row][other]) for other in order))
            for i, row in enumerate(order, 1)
        ],
    )
    ending(page, result)
    return page


def _columns(rows: Sequence[Result], *keys: str) -> tuple[list[float], list[float], list[float]]:
    """Transpose three entries of each row into three lists."""
    first, second, third = ([row[key] for row in rows] for key in keys)
    return first, second, third


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
