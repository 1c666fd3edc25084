"""Pages of results for many sets of cards: what holds over the sets, and a plot of all of them."""

from __future__ import annotations

from rc_env.arena.figures import Figure
from rc_env.arena.over_sets import OverSets
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, words
from rc_env.arena.results import ArenaOverSets
from rc_env.arena.studies.levels import LevelsOverSets

HEADINGS = ("", "mean", "95 %", "90 % of the sets", "spread", "sampling error")
COLUMNS = (
    "The tables give the mean over all sets that might be drawn, with its 95 % interval; the range that contains 90 % "
    "of the sets, without sampling errors; the standard deviation of the sets, and the usual sampling error of one "
    "set's figure."
)
"""What the columns mean, in words."""


def figures(name: str, found: OverSets | None, form: str) -> tuple[str, ...]:
    """A row of the table: mean and range over the sets."""
    if found is None:
        return (name, *("–" for _ in HEADINGS[1:]))
    bare = form.replace("+", "")
    mean = Figure(found.mean, found.mean_low, found.mean_high)
    return (
        name,
        format(found.mean, form),
        span(mean, form),
        span(found, form),
        format(found.spread, bare),
        format(found.error, bare),
    )


def introduction(page: Page, result: ArenaOverSets | LevelsOverSets) -> None:
    """Add an introduction that says what was measured and how to read it."""
    page.text(
        f"**{len(result.sets)} sets of cards**, {result.ruleset.players} players, {result.ruleset.workshop} workshops, "
        f"seed {result.seed}. Each set was drawn from the ranges of docs/uncertainty.md and measured by itself. "
        f"{COLUMNS}"
    )


def ending(page: Page, result: ArenaOverSets | LevelsOverSets) -> None:
    """Add the command that repeats the study."""
    page.heading("Again")
    page.text(f"`{result.command}`")


def first_player(result: LevelsOverSets) -> Page:
    """The page of `rc first-player` for many sets."""
    page = Page("The first player's advantage over many sets of cards")
    introduction(page, result)
    for bot, found in result.over_sets.items():
        page.heading(bot)
        page.table(HEADINGS, [figures(f"seat {i} won", one, ".1%") for i, one in enumerate(found.seats, 1)])
        if found.equal is not None:
            page.text("Rubles on top of the printed ones at which the seats are equal:")
            page.table(HEADINGS, [figures(f"seat {i}", one, "+.2f") for i, one in enumerate(found.equal, 2)])
        assert found.seats[0] is not None
        page.plot(
            f"seat-{len(page.plots) + 1}",
            f"{bot}: games won by seat 1, %; the band holds 90 % of the sets",
            plots.spread(
                [one.levels[bot].seats[0].win_share for one in result.sets.values()], found.seats[0],
                "games won by seat 1, %", reference=1 / result.ruleset.players, percent=True,
            ),
        )  # fmt: skip
    ending(page, result)
    return page


def arena(result: ArenaOverSets) -> Page:
    """The page of `rc arena` for many sets."""
    over, ahead = result.over_sets, result.ahead
    page = Page(f"Arena over many sets of cards: {len(over)} bots")
    introduction(page, result)
    shares = {name: one.win_share for name, one in over.items()}
    order = sorted(shares, key=lambda name: -(0 if (share := shares[name]) is None else share.mean))
    page.heading("Games won")
    page.table(HEADINGS, [figures(name, shares[name], ".1%") for name in order])
    known = {name: share for name in order if (share := shares[name]) is not None}
    page.plot(
        "sets",
        "Games won, %: mean over the sets, and the range of 90 % of them",
        plots.dots(
            list(known), list(known.values()), "games won, %", reference=1 / result.ruleset.players, percent=True
        ),
    )
    page.heading("Who is ahead of whom")
    page.text("In how many sets the row won more games than the column, of those in which both played.")
    page.table(
        ("ahead of", *(str(i + 1) for i in range(len(order)))),
        [
            (f"{i} {row}", *("·" if row == other else words(ahead[row][other], ".0%") for other in order))
            for i, row in enumerate(order, 1)
        ],
    )
    ending(page, result)
    return page
