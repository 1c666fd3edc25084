"""What bots have reached in the solo game, as a page and as a table of text."""

from __future__ import annotations

from rc_env.arena.pages.page import Page
from rc_env.arena.solo import Comparison
from rc_env.words.additions import additions

HEADINGS = ("bot", "won", "95 %", "prestige", "95 %", "from … to", "Ivan's", "turns")


def rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """The table as text cells, one row per bot, best share first."""
    ordered = sorted(comparison.scores, key=lambda score: (-score.share.mean, -score.prestige.mean))
    return [
        (
            score.name,
            f"{score.share.mean:.1%}",
            f"{score.share.low:.1%}–{score.share.high:.1%}",
            f"{score.prestige.mean:.1f}",
            f"{score.prestige.low:.1f}–{score.prestige.high:.1f}",
            f"{score.lowest} … {score.highest}",
            f"{score.ivan:.1f}",
            f"{score.turns:.1f}",
        )
        for score in ordered
    ]


def build(comparison: Comparison) -> Page:
    """Build the page of a comparison."""
    found = Page(f"Solo against Ivan, {comparison.ruleset.workshop} workshops{additions(comparison.ruleset)}")
    found.text(
        f"The same {comparison.games:,} deals for each bot, with the same dice to come. A tie counts half a win; "
        "intervals are of 95 %, bootstrapped over deals."
    )
    found.table(HEADINGS, rows(comparison))
    found.text(f"Again: `{comparison.command}`")
    return found
