"""Writes game statistics as a page."""

from __future__ import annotations

from typing import Any

from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, words
from rc_env.arena.studies import stats

CORRELATION = ("correlation", "correlation_low", "correlation_high")


def build(result: dict[str, Any]) -> Page:
    """Build the page from the results of `rc stats`."""
    page = Page(f"Game metrics, {stats.seats(result['players'])}")
    turns, decisions, lead = result["length"]["turns_a_seat"], result["length"]["decisions"], result["lead"]
    half = words(lead["half_time_leader_wins"]["mean"], ".0%")
    page.text(
        f"**{result['games']:,} games** of {', '.join(f'`{bot}`' for bot in result['bots'])}, {result['workshop']} "
        f"workshops, seed {result['seed']}. A game takes {turns['mean']:.1f} turns a seat (a tenth of them fewer than "
        f"{turns['p10']:.0f}, a tenth more than {turns['p90']:.0f}) and {decisions['mean']:.0f} decisions. The lead "
        f"changes {lead['changes']['mean']:.1f} times, and who leads alone at half time wins {half} of the games."
    )
    choices = result["branching"]
    page.heading("Choices")
    page.text(
        f"Legal actions a decision: mean {choices['mean']:.1f}, median {choices['median']}, most {choices['max']}."
    )
    page.table(
        ("point", "share of decisions", "mean", "median", "most"),
        [
            (name, f"{point['share']:.1%}", f"{point['mean']:.1f}", str(point["median"]), str(point["max"]))
            for name, point in choices["points"].items()
        ],
    )
    page.heading("Actions")
    page.text(
        "Uses per game and seat, by winners and by losers, and their correlation with winning, which is not a "
        "recommendation."
    )
    kinds = stats.used_kinds(result)
    _table(page, "action", {kind: result["actions"][kind] for kind in kinds})
    known = [kind for kind in kinds if result["actions"][kind]["correlation_low"] is not None]
    if known:
        mean, low, high = ([result["actions"][kind][key] for kind in known] for key in CORRELATION)
        svg = plots.dots(known, mean, low, high, "correlation with winning", reference=0)
        page.plot("actions", "Uses and winning", svg)
    page.heading("Points")
    page.text("Prestige a game and seat, by what moved the own marker, and by what is counted at the end.")
    points = result["points"]
    _table(page, "source", points)
    sources = sorted(points, key=lambda source: -points[source]["mean"])
    both = [(who, [points[source][who] for source in sources]) for who in ("winners", "losers")]
    page.plot("points", "Where the points come from", plots.bars(sources, both, "prestige a game and seat"))
    page.heading("Again")
    page.text(f"`{result['command']}`")
    page.text(", ".join(f"{name} {value}" for name, value in result["versions"].items()))
    return page


def _table(page: Page, what: str, entries: dict[str, Any]) -> None:
    page.table(
        (what, "a seat", "winners", "losers", "correlation", "95 %"),
        [
            (
                name,
                *(words(one[key], ".2f") for key in ("mean", "winners", "losers")),
                words(one["correlation"], "+.2f"),
                f"{words(one['correlation_low'], '+.2f')} to {words(one['correlation_high'], '+.2f')}",
            )
            for name, one in entries.items()
        ],
    )
