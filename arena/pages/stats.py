"""Writes game statistics as a page."""

from __future__ import annotations

from collections.abc import Mapping

from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, words
from rc_env.arena.pages.report import again
from rc_env.arena.studies import stats
from rc_env.words.additions import additions


def build(result: stats.StatsResult) -> Page:
    """Build the page from the results of `rc stats`."""
    ruleset, found = result.ruleset, result.summary
    page = Page(f"Game metrics, {stats.seats(ruleset.players)}")
    half = words(found.half_time_leader_wins.mean, ".0%")
    page.text(
        f"**{result.games:,} games** of {', '.join(f'`{bot}`' for bot in result.bots)}, {ruleset.workshop} "
        f"workshops{additions(ruleset)}, seed {result.seed}. A game takes {found.turns.mean.mean:.1f} turns a seat "
        f"(a tenth of them fewer than {found.turns.p10:.0f}, a tenth more than {found.turns.p90:.0f}) and "
        f"{found.decisions.mean.mean:.0f} decisions. The lead changes {found.lead_changes.mean:.1f} times, and who "
        f"leads alone at half time wins {half} of the games."
    )
    page.heading("Choices")
    page.text(choices_text(found.choices))
    page.table(("point", "share of decisions", "mean", "median", "most"), point_rows(found))
    page.heading("Actions")
    page.text(
        "Uses per game and seat, by winners and by losers, and their correlation with winning, which is not a "
        "recommendation."
    )
    _table(page, "action", found.used)
    known = {kind: one.correlation for kind, one in found.used.items() if one.correlation.low is not None}
    if known:
        svg = plots.dots(list(known), list(known.values()), "correlation with winning", reference=0)
        page.plot("actions", "Uses and winning", svg)
    page.heading("Points")
    page.text("Prestige a game and seat, by what moved the own marker, and by what is counted at the end.")
    _table(page, "source", found.sources)
    sources = sorted(found.sources, key=lambda source: -(found.sources[source].mean.mean or 0))
    both = [(who, [getattr(found.sources[source], who) for source in sources]) for who in ("winners", "losers")]
    page.plot("points", "Where the points come from", plots.bars(sources, both, "prestige a game and seat"))
    again(page, result.command, ruleset)
    return page


def choices_text(choices: stats.Choices) -> str:
    """How many actions were legal, in a sentence."""
    return f"Legal actions a decision: mean {choices.mean:.1f}, median {choices.median}, most {choices.max}."


def point_rows(found: stats.Summary) -> list[tuple[str, ...]]:
    """A row for each decision point: its share of the decisions, and how many actions were legal."""
    return [
        (name, f"{one.share:.1%}", f"{one.choices.mean:.1f}", str(one.choices.median), str(one.choices.max))
        for name, one in found.points.items()
    ]


def count_row(name: str, one: stats.Count, between: str) -> tuple[str, ...]:
    """A row: the mean, that of winners and losers, and the correlation with its interval."""
    found = one.correlation
    return (
        name,
        *(words(value, ".2f") for value in (one.mean.mean, one.winners, one.losers)),
        words(found.mean, "+.2f"),
        f"{words(found.low, '+.2f')}{between}{words(found.high, '+.2f')}",
    )


def _table(page: Page, what: str, counts: Mapping[str, stats.Count]) -> None:
    page.table(
        (what, "a seat", "winners", "losers", "correlation", "95 %"),
        [count_row(name, one, " to ") for name, one in counts.items()],
    )
